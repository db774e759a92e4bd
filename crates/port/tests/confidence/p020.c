#include <limits.h>
#include <stdint.h>
extern unsigned long word;
extern long number;
extern int kept;
extern unsigned long long all;

void shifts(int n, unsigned long w)
{
    word = 1 << (sizeof(long) * 8 - 1); /* certain */
    word = 1UL << (sizeof(long) * 8 - 1);
    kept = kept >> (sizeof(long) * 4); /* certain */
    kept <<= sizeof(long) * 4; /* certain */
    kept >>= sizeof(long) * 3;
    word = 1 << n; /* possible */
    word = w | 1 << n; /* probable */
    word = w & 1 << n; /* probable */
    word = w ^ 1 << n; /* probable */
    word |= 1 << n; /* probable */
    word &= ~(1 << n); /* possible */
    word += 1 << n; /* possible */
    word = w + (1 << n); /* possible */
    word = w == 1 << n; /* possible */
    word = 1 << (n & 63); /* certain */
    word = 1 << (n & 31); /* possible */
    word = 1 << (n & 15);
    word = kept << n;
    word = 0 << n;
    all = 1 << n;
    kept = 1 << n;
    word = 1UL << n;
}
