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
    kept = w << 7 | (w & 0xffffffff) >> 25; /* possible */
    kept = w << 7 | (w & ~7) >> 25; /* certain */
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
    kept = w << (32 - n) >> (32 - n); /* probable */
    kept = w << (32 - n) >> (31 - n);
    kept = w << (64 - n) >> (64 - n);
    kept = w << (32 - n) >> (32 - s);
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

/* Masked on its way down: the lower half is right. */
unsigned long low(unsigned long w, unsigned char *out)
{
    unsigned long a = w << 7 | (w & 0xffffffff) >> 25; /* possible */
    a += w;
    a = a ^ a << 3 ^ a * 5;
    out[0] = a;
    out[1] = a >> 24;
    out[2] = a >> 26 & 0x3f;
    told = a;
    return a;
}

/* The upper half is looked at. */
extern const unsigned long table[];
void upper(unsigned long w, unsigned char *out)
{
    unsigned long a = w << 7 | (w & 0xffffffff) >> 25; /* certain */
    out[0] = a >> 25;
    unsigned long b = w << 7 | (w & 0xffffffff) >> 25; /* certain */
    out[1] = b >> 26 & 0x7f;
    unsigned long c = w << 7 | (w & 0xffffffff) >> 25; /* certain */
    told = c == 1;
    unsigned long d = w << 7 | (w & 0xffffffff) >> 25; /* certain */
    kept = d / 2;
    unsigned long e = w << 7 | (w & 0xffffffff) >> 25; /* certain */
    kept = table[e];
    unsigned long f = w << 7 | (w & 0xffffffff) >> 25; /* certain */
    f >>= 3;
    unsigned long g = w << 7 | (w & 0xffffffff) >> 25; /* certain */
    kept = (g ^ 1) >> 3;
    unsigned long h = w << 7 | (w & 0xffffffff) >> 25; /* possible */
    kept = table[h & 0xff] ^ 1UL >> h;
    kept >>= h;
    kept = table[w << 7 | (w & 0xffffffff) >> 25]; /* certain */
}

/* How far it is rotated, and where it is, says nothing of it. */
unsigned long counted(unsigned long *w, unsigned long n, unsigned long i)
{
    n &= 31;
    i &= 3;
    kept = *w << n | *w >> (32 - n); /* certain */
    kept = w[i] << 7 | w[i] >> 25; /* certain */
    w[i] &= 0xffffffff;
    kept = w[i] << 7 | w[i] >> 25; /* possible */
    kept = kept << n | kept >> (32 - n); /* certain */
    return kept;
}

/* Cleared where it gets its value, or before something is combined with it. */
unsigned long given(const unsigned long *in)
{
    unsigned long r = in[0] & 0xffffffff, l = in[1] & 0xff, m = in[2] & 0xfffffffff, s;
    kept = r << 7 | r >> 25; /* possible */
    kept = l << 7 | l >> 25; /* certain */
    kept = m << 7 | m >> 25; /* certain */
    s = in[3] & 0xffffffff;
    kept = s << 7 | s >> 25; /* possible */
    unsigned long t = r ^ in[4], u = r + in[5], v = l ^ in[6];
    kept = t << 7 | t >> 25; /* possible */
    kept = u << 7 | u >> 25; /* certain */
    kept = v << 7 | v >> 25; /* certain */
    t = r;
    unsigned long other = in[7], w = other;
    kept = w << 7 | w >> 25; /* certain */
    other = in[8] & 0xffffffff;
    return kept;
}

/* Below the other branch of a question for the size, or behind the return of one. */
unsigned long sized(unsigned long w)
{
    if (sizeof(long) == 4)
        w = w << 7 | w >> 25;
    else
        w = w << 9 | w >> 23; /* possible */
    if (sizeof(int) == 4)
        w = w << 11 | w >> 21; /* certain */
    return sizeof(long) == 8 ? w << 7 | w >> 25 /* possible */
        : w << 9 | w >> 23;
}

#define FAIL do { kept = 4; return 0; } while (0)
unsigned long checked(unsigned long w)
{
    if (told)
        return w << 13 | w >> 19; /* certain */
    if (!(sizeof(void *) == 8)) {
        FAIL;
    }
    for (;;)
        return w << 7 | w >> 25; /* possible */
}

unsigned long unchecked(unsigned long w)
{
    if (sizeof(void *) == 4)
        told = 4;
    if (sizeof(int) == 8)
        return 0;
    while (told) {
        if (sizeof(long) == 4)
            return 0;
        break;
    }
    return w << 7 | w >> 25; /* certain */
}

/* Whether anything was lost. */
int loses(unsigned long w, unsigned long v)
{
    if (w << 8 >> 8 != w) /* possible */
        told = 1;
    if (w << 8 >> 8 != v) /* certain */
        told = 1;
    return (w << 8) >> 8 == w; /* possible */
}

/* What comes down with its sign was no rotation. */
long signed_code(long code, int more) { return ((code << 13) ^ (code >> 19)) + more; } /* possible */

/* A word that is shifted up until nothing is left. */
int steps(unsigned long w, unsigned long v, unsigned long u, unsigned long t, int n)
{
    for (n = 0; n < 32 && w; n++) {
        if (!(w & 0x80000000)) /* probable */
            return -1;
        w <<= 1;
    }
    while (v != 0) {
        if (v & 0x80000000) /* probable */
            n++;
        else
            n--;
        v <<= 1;
    }
    for (; u; u <<= 1)
        if (u & 0x80000000) /* possible */
            n++;
    for (; n; t <<= 1, n--)
        if (!(t & 0x80000000)) /* possible */
            return -1;
    return n;
}

/* Who asks a function for 32 bits gets no more. */
unsigned long long bits_of(int);
void asks(unsigned n, unsigned long other)
{
    const unsigned long word = (unsigned long)bits_of(32);
    unsigned long more = bits_of(32);
    more = other * 3;
    kept = word >> (32 - n); /* possible */
    kept = more >> (32 - n); /* probable */
}
