#include <stddef.h>
#include <sys/types.h>
extern unsigned long word;
extern long number;
extern int kept;
int use(unsigned long of);

unsigned long constants(int n, long at, long end)
{
    word = 1 << 31; /* certain */
    word = ~0U; /* probable */
    word = (unsigned)-1; /* probable */
    word = -1U;
    word = 0xffffffff;
    word = -1;
    word = ~7;
    word = 1 << 30;
    number = 0x80000000; /* probable */
    number = 0xffffffff; /* probable */
    number = ~0U; /* certain */
    number = 4000000000u; /* probable */
    number = -1;
    use(1 << 31); /* certain */
    if (word == ~0U)
        kept = 1;
    kept = (word & ~0U) != 0;
    kept = number == 0xffffffff;
    kept = n ? -1U : end - at;
    word = sizeof(long) * 0x20000000u;
    return ~0U; /* probable */
}

/* Bits that a table says one by one, and several masks. */
long table[16] = {
    1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384,
    0x80000000, /* possible */
};
long few[2] = {1, 0x80000000}; /* probable */
long masks[4] = {0xff, 0xffff, 0xffffff, 0xffffffff};
long others[3] = {0xff, 0xfff0, 0xffffffff}; /* probable */
long one[2] = {0xff, 0xffffffff}; /* probable */
