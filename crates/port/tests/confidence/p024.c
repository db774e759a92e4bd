#include <stddef.h>
#include <sys/types.h>
extern unsigned long word;
extern long number;
extern int kept;
int use(unsigned long of);

unsigned long constants(int n, long at, long end)
{
    word = 1 << 31; /* possible */
    word = ~0U; /* possible */
    word = (unsigned)-1; /* possible */
    word = -1U;
    word = 0xffffffff;
    word = -1;
    word = ~7;
    word = 1 << 30;
    number = 0x80000000; /* possible */
    number = 0xffffffff; /* possible */
    number = ~0U; /* possible */
    number = 4000000000u; /* possible */
    number = -1;
    use(1 << 31); /* possible */
    if (word == ~0U)
        kept = 1;
    kept = (word & ~0U) != 0;
    kept = number == 0xffffffff;
    kept = n ? -1U : end - at;
    word = sizeof(long) * 0x20000000u;
    return ~0U; /* possible */
}

/* Bits that a table says one by one, and several masks. */
long table[16] = {
    1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384,
    0x80000000, /* possible */
};
long few[2] = {1, 0x80000000}; /* possible */
long masks[4] = {0xff, 0xffff, 0xffffff, 0xffffffff};
long others[3] = {0xff, 0xfff0, 0xffffffff}; /* possible */
long one[2] = {0xff, 0xffffffff}; /* possible */

/* Who gets it looks at the lower half. */
static void bytes(char *p, const unsigned long value, unsigned long more, unsigned long other)
{
    p[0] = (unsigned char)value;
    p[3] = (unsigned char)(value >> 24);
    p[4] = more >> 32;
    kept = (other & 0xff) == 4;
    switch (other & 0xff) {
    case 4: kept = 4;
    }
    word = other >> 4; 
}
static void through(char *p, unsigned long value) { bytes(p, value, 0, 0); }
static void chosen(unsigned long code) { switch (code) { case 1: kept = 1; break; default: kept = 2; } }
static void marked(unsigned long code) { switch (code) { case 0x80000001: kept = 1; } }
static void again(unsigned long code) { again(code); }
void gives(char *p)
{
    bytes(p, 1 << 31, 0, 0);
    bytes(p, kept | 1 << 31, 0, 0);
    bytes(p, 0, 1 << 31, 0); /* possible */
    bytes(p, 0, 0, 1 << 31); /* possible */
    through(p, 1 << 31);
    chosen(1 << 31);
    marked(1 << 31); /* possible */
    again(1 << 31); /* possible */
}

/* What is printed is signed, or not, as the format says. */
int print(const char *format, ...);
void prints(int n, unsigned at, long end)
{
    print("%ld", n ? -1 : at - end);
    use(n ? -1 : at - (unsigned long)end);
    number = n ? -1 : at - (unsigned long)end;
}

/* The largest number of a type that has a name, and one that had 64 bits before. */
typedef unsigned small;
void largest(void)
{
    word = (small)-1; /* possible */
    word = (small)-1 / sizeof(int); /* possible */
    word = -1ULL;
    word = ~0ULL;
    number = -1ULL;
    number = 0x8000000000000000; /* possible */
}

void takes(long of);
/* Who gets it may ask whether it is this very number. */
long failed(void)
{
    number = 0x80000004; /* possible */
    takes(0x80000004); /* possible */
    return 0x80000004; /* possible */
}

/* A limit that is compared is that of the other side. */
unsigned long limits(unsigned n, unsigned long kept)
{
    if (n <= ~0U - sizeof kept - 4096)
        return 1;
    kept = ~0U; /* possible */
    return kept;
}

/* What is switched has the same type. */
#ifdef __LP64__
typedef long word_t;
#else
typedef int word_t;
#endif
int kinds(word_t kind)
{
    switch (kind) {
    case (word_t)0x9123683e: /* possible */
        kind = (word_t)0x9123683e; /* possible */
    }
    return kind != 0;
}

/* Whoever asks whether it is this very number is told so on both sides. */
int asks_again(int n)
{
    long marked = 0xbaadf00d; /* possible */
    long unmarked = 0xbaadf00d; /* possible */
    if (n)
        marked = n, unmarked = n;
    return marked == 0xbaadf00d || unmarked == 1;
}

/* What goes out of 32 bits at the left stays, and the mask has all bits above. */
unsigned long table_of(unsigned long r, unsigned long s, unsigned long t)
{
    unsigned long bit = 0;
    for (int i = 0; i < 8; i++) {
        bit |= r & (1 << 31); /* probable */
        r = (r << 1) ^ 0x04c11db7;
        bit |= s & (1 << 31);
        s <<= 1;
        s &= 0xffffffff;
        bit |= t & (1 << 31);
        t >>= 1;
    }
    return bit | r & (1 << 31);
}

/* A limit that was -1, and bits that are added. */
long earliest(long at, unsigned long bits)
{
    long least = 0xffffffff; /* probable */
    if (at < least)
        least = at;
    use(bits | 1 << 31); /* possible */
    return least;
}

/* Whether it is negative is no question about another value. */
long seed(int given)
{
    long value = 0xdeadbeef; /* possible */
    if (given)
        value = given;
    if (value <= 0)
        value += 0x7fffffff;
    return value;
}

/* Beside a number without sign it has none for 32 bits either. */
unsigned long least_of(const unsigned *from, int count)
{
    long least = 0xffffffff; /* possible */
    for (; count > 0; count--, from++)
        if (*from < least)
            least = *from;
    return least;
}
