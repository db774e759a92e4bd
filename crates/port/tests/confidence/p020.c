#include <limits.h>
#include <stdint.h>
#include <string.h>
extern unsigned long word;
extern long number;
extern int kept;
long other_bits(void);
extern unsigned long long all;
struct set;
unsigned long w_of(struct set *);

void shifts(int n, unsigned long w)
{
    word = 1 << (sizeof(long) * 8 - 1); /* certain */
    word = 1UL << (sizeof(long) * 8 - 1);
    kept = kept >> (sizeof(long) * 4); /* certain */
    kept <<= sizeof(long) * 4; /* certain */
    kept >>= sizeof(long) * 3;
    word = 1 << n; /* possible */
    word = w | 1 << n; /* possible */
    word = w & 1 << n; /* possible */
    word = w ^ 1 << n; /* possible */
    word |= 1 << n; /* possible */
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

/* Where the function knows of 32 bits only, it sets no other. */
#define WORD (8 * sizeof(long))
void set(unsigned long *map, int n, int k)
{
    map[n / WORD] |= 1 << k; /* probable */
    word |= 1 << n; /* probable */
    word &= 1 << n; /* probable */
    word = map[0] | 1 << n; /* probable */
    word = map[0] & 1 << n; /* probable */
    word = map[0] ^ 1 << n; /* probable */
    word = map[0] + (1 << n); /* possible */
    word &= ~(1 << n); /* possible */
    word = 1 << n; /* possible */
}

void of_32(unsigned long *map, int n)
{
    map[n / 32] |= 1 << (n % 32); /* possible */
    map[sizeof(long)] |= 1 << n; /* possible */
    word = n * sizeof(int) | 1 << n; /* possible */
    word = WORD | 1 << n; /* possible */
}

int loop(int n)
{
    for (int i = 0; i < n; i++)
        word |= 1 << i; /* possible */
    for (int i = 0; i < n; i++)
        if (i < WORD)
            word |= 1 << i; /* certain */
    return n > WORD;
}

void bytes(unsigned long n)
{
    word |= 1 << n; /* possible */
    kept = n % sizeof(long);
}

/* The bit of a word, in a variable. */
void bits(unsigned long *words, int n)
{
    int word = n / (8 * sizeof *words), bit = n % (8 * sizeof *words), other = n % 32;
    words[word] = 1 << bit; /* certain */
    words[word] &= ~(1 << (unsigned long)bit); /* certain */
    words[n / 32] = 1 << other; /* possible */
}
