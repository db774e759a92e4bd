#include <stdint.h>
extern unsigned long kept;
extern int told;
int use(unsigned long of);

unsigned long rotates(unsigned long w, unsigned long v, int n, uint32_t half)
{
    kept = w << 7 | w >> 25; /* certain */
    kept = w << 7 | w >> 57;
    kept = w << 7 | v >> 25;
    kept = w >> 25 | w << 7; /* certain */
    kept = w << 7 ^ w >> 25; /* certain */
    kept = (w << 7) + (w >> 25); /* certain */
    kept = (w << 7) - (w >> 25);
    kept = w << n | w >> (32 - n); /* certain */
    kept = w << (32 - n) | w >> n; /* certain */
    kept = w << n | w >> (64 - n);
    kept = w << 7 | (w & 0xffffffff) >> 25; /* certain */
    kept = half << 7 | half >> 25;
    kept = (uint32_t)(w << 7 | w >> 25);
    kept = (w << 7 | w >> 25) & 0xffffffff;
    kept = (w << 7 | w >> 25) & 0xfffffffff; /* certain */
    return kept;
}

unsigned long shifts(unsigned long w, long s, int n, uint32_t half, unsigned char byte)
{
    kept = w << 24 >> 24; /* certain */
    kept = w << 24 >> 23;
    kept = w << 5 >> 5;
    kept = (unsigned long)byte << 24 >> 24;
    kept = (unsigned long)byte << 8 >> 8;
    kept = w >> 31; /* possible */
    kept = w >> 30;
    kept = s >> 31;
    kept = w >> (32 - n); /* probable */
    kept = w >> (64 - n);
    kept = half >> (32 - n);
    kept = (unsigned long)half >> 31;
    if (w & 0x80000000) /* possible */
        told = 1;
    if ((w & 0x80000000) == 0) /* possible */
        told = 1;
    kept = w & 0x80000000;
    if (w & 0x40000000)
        told = 1;
    if ((unsigned long)half & 0x80000000)
        told = 1;
    return kept;
}

/* Its results are compared only with its own. */
unsigned long hash(unsigned long w)
{
    return w << 7 | w >> 25; /* possible */
}

/* The upper half was cleared before, of this and not of another. */
unsigned long masked(unsigned long w, unsigned long v)
{
    kept = w << 7 | w >> 25; /* certain */
    w &= 0xffffffff;
    kept = w << 7 | w >> 25; /* possible */
    v &= 0xfffffffff;
    kept = v << 7 | v >> 25; /* certain */
    v |= 0xff;
    return v << 7 | v >> 25; /* certain */
}
