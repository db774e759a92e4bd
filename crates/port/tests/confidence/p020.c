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

/* Only the bits of an int, in all that is done with it. */
static long small = -1, given, asked, shown, compared, large, unsigned_bits;
long own;
extern long theirs;
int in_bits(int n, long other)
{
    small = 0;
    small |= 1 << n; /* possible */
    small &= ~(1 << n); /* possible */
    if (small & 1 << n || small == -1 || !small) /* possible */
        own |= 1 << n; /* possible */
    theirs |= 1 << n; /* probable */
    other |= 1 << n; /* probable */
    long local = 0;
    local |= 1 << n; /* possible */
    if (local)
        return own & 1 << n; /* possible */
    return small & 1 << n; /* possible */
}

void with_others(int n, unsigned bits)
{
    given |= 1 << n; /* probable */
    given = other_bits();
    asked |= 1 << n; /* probable */
    kept = (asked & 0x80000000) != 0;
    shown |= 1 << n; /* probable */
    number = shown;
    compared |= 1 << n; /* probable */
    kept = compared > number;
    large |= 1 << n; /* probable */
    number = large & 1 << n; /* probable */
    unsigned_bits |= 1 << n; /* probable */
    unsigned_bits |= bits;
}

/* Members, and elements of them. */
struct set {
    unsigned long low, tested, high, words[4], mixed[4], copied[4];
};
int members(struct set *set, int n, int bit, struct set *other)
{
    set->low |= 1 << n; /* possible */
    set->low &= ~(1UL << bit);
    if (!(set->low & 1UL << bit))
        set->high |= 1 << n; /* probable */
    number = set->high;
    memset(set->words, 0, sizeof set->words);
    set->words[n / 32] |= 1 << (n % 32); /* possible */
    set->mixed[n / 32] |= 1 << (n % 32); /* probable */
    set->mixed[0] = w_of(set);
    set->copied[n / 32] |= 1 << (n % 32); /* probable */
    memcpy(other->copied, set->copied, sizeof set->copied);
    return (set->words[n / 32] & 1 << (n % 32)) != 0; /* possible */
}
