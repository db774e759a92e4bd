#include <stdio.h>
#include <stddef.h>
extern unsigned long table[256], all;
extern int kept;

unsigned long indexed(const char *s)
{
    unsigned long h = 0;
    while (*s)
        h = h * 33 + *s++; /* certain */
    return table[h >> 24];
}

unsigned long hash(const char *s)
{
    unsigned long h = 0;
    while (*s)
        h = h * 33 + *s++; /* possible */
    return h ^ h >> 20;
}

unsigned long back(const char *s)
{
    unsigned long h = 0;
    while (*s)
        h = h * 33 + *s++; /* possible */
    return h ^ h >> 20;
}

unsigned long top(const char *s)
{
    unsigned long h = 0;
    while (*s) {
        h = (h << 4) + *s++; /* possible */
        if (h & 0xf0000000)
            h = 1;
    }
    return 0;
}

unsigned long divided(const char *s)
{
    unsigned long h = 0;
    while (*s)
        h = h * 33 + *s++; /* possible */
    return h % 101;
}

unsigned long returned(const char *s)
{
    unsigned long h = 0;
    while (*s)
        h = h * 33 + *s++; /* possible */
    return h;
}

unsigned long shifted(const char *s)
{
    unsigned long h = 0;
    while (*s)
        h = (h << 8) + *s++;
    return h;
}

unsigned long masked(const char *s)
{
    unsigned long h = 0;
    while (*s)
        h = h * 33 + *s++;
    h &= 0xffffffff;
    return h % 101;
}

unsigned long masked_at_once(const char *s)
{
    unsigned long h = 0;
    while (*s)
        h = (h * 33 + *s++) & 0xffffffff;
    return h ^ h >> 20;
}

unsigned long number(const char *s)
{
    unsigned long n = 0;
    while (*s)
        n = n * 10 + *s++;
    return n;
}

unsigned long once(unsigned long h)
{
    h = h * 33 + 1;
    return h % 101;
}

unsigned long global(void)
{
    all = all * 1103515245 + 12345; /* certain */
    return table[all >> 16];
}

unsigned long index_masked(const char *s)
{
    unsigned long h = 0;
    while (*s)
        h = h * 33 + *s++; /* possible */
    all = h >> 3;
    return table[(h >> 24) & 0xff];
}

unsigned long cut_at_once(const char *s)
{
    unsigned long h = 0;
    while (*s)
        h = h * 33 + *s++;
    kept = h >> 3;
    return 0;
}

unsigned long step_once(void)
{
    all = (all << 8) + 12345;
    return table[all >> 16];
}

unsigned long by_product(const char *s)
{
    unsigned long h = 1, g = 1, f = 1, e = 1, d = 1;
    while (*s) {
        h *= 33; /* possible */
        g = 33 * g + *s; /* possible */
        f += f << 5; /* possible */
        e = 7 << e;
        d *= 16;
        s++;
    }
    return h % 3 + g % 5 + f / 7 + e % 3 + d % 3;
}

unsigned long others(const char *s, unsigned long divisor)
{
    unsigned long h = 1, g = 1, f = 1, e = 1;
    while (*s) {
        h = h * 33 + *s;
        g = g * 33 + *s;
        f = f * 33 + *s++;
        e = e * 65599; /* possible */
    }
    kept = divisor % h + (2 >> g) + table[g & 0xff];
    return (f & 0xf0000) + (e % 3);
}

/* One step for each call. */
unsigned long stepped(void)
{
    static unsigned long s = 1;
    unsigned long l = 1;
    s = s * 69069 + 1; /* possible */
    l = l * 69069 + 1;
    return s >> 16 ^ l >> 16;
}

unsigned long stepped_low(void)
{
    static unsigned long s = 1;
    s = s * 69069 + 1;
    return s >> 16 & 0x7fff;
}

unsigned long exclusive(void)
{
    all ^= all << 13; /* possible */
    all ^= all >> 17;
    all &= all << 5;
    all ^= all << 5;
    return all;
}

unsigned long exclusive_once(unsigned long s)
{
    s ^= s << 13;
    s ^= s >> 17;
    return s;
}

/* Each time it begins with a byte. */
unsigned long begun(const unsigned char *s)
{
    unsigned long t = 0;
    while (*s) {
        t = *s++;
        t = 1 + (t << 6) + (*s++ >> 2); /* possible */
        kept = t >> 3;
        all = t >> 5;
    }
    return 0;
}

/* Who asks how large it is knows how many bits it has. */
unsigned long lengths(const unsigned char *s, int n)
{
    unsigned long length = 0, other = 0;
    while (n--) {
        if (length >> (8 * sizeof(length) - 9))
            return 0;
        length = length << 8 | *s;
        other = other << 8 | *s++; /* possible */
    }
    return other >> 3;
}

/* What is cut behind the loop was too large in it. */
unsigned long late(const unsigned char *s, int n)
{
    unsigned long crc = 0, other = 0, sum = 0, whole = 0;
    while (n--) {
        crc = (crc << 8) ^ table[(crc >> 24) ^ *s]; /* certain */
        other = (other << 8) ^ table[(other >> 24) ^ *s];
        other &= 0xffffffff;
        sum = (sum << 8) ^ *s++;
    }
    crc &= 0xffffffff;
    sum &= 0xffffffff;
    for (whole &= 0xffffffff; n++ < 4;)
        whole = (whole << 8) ^ table[(whole >> 24) ^ *s];
    return crc ^ other ^ sum >> 4;
}

long signed_back(const char *s)
{
    long h = 0;
    while (*s)
        h = h * 33 + *s++; /* possible */
    return h ^ h >> 20;
}

/* The highest bits are taken out each time. */
unsigned long taken_out(const char *s, const char *t, const char *u)
{
    unsigned long h = 0, g, other = 0, third = 0;
    while (*s) {
        h = (h << 4) + *s++; /* possible */
        if ((g = h & 0xf0000000) != 0)
            h ^= g >> 24;
        h &= ~g;
    }
    while (*t) {
        other = (other << 4) + *t++; /* possible */
        g = other & 0xf0000000;
        other ^= g >> 24;
        other ^= g;
    }
    while (*u) {
        third = (third << 4) + *u++; /* possible */
        g = third & 0xf0000000;
        third ^= g >> 24;
    }
    return 0;
}

/* What is made of the upper bits is seen. */
void shows(const char *name)
{
    unsigned long id = 0, other_id = 0, kept_id = 0;
    for (; *name; name++) {
        id = id * 37 + *name; /* probable */
        other_id = other_id * 37 + *name; /* possible */
        kept_id = kept_id * 37 + *name;
    }
    printf("/UniqueID %lu\n", id % 1000000 + 4000000);
    printf("%s\n", other_id % 7 ? "odd" : "even");
    printf("%lu\n", kept_id & 0xffffffff);
}
