#include <stdint.h>
#include <string.h>
typedef unsigned char byte;
struct header { unsigned long size, magic; };
extern unsigned long kept;
extern char area[], *end;
extern unsigned long limit;
int use(unsigned long of);

/* What is asked whether it is larger than something counts, and is never that large. */
unsigned long counts(const byte *b, struct header *h)
{
    unsigned long n = b[0] << 24 | b[1]; /* possible */
    if (n > 4096)
        return 0;
    h->size = b[4] << 24 | b[5]; /* possible */
    if (limit < h->size)
        return 0;
    unsigned long m = b[8] << 24 | b[9]; /* possible */
    for (unsigned long i = 0; i < m; i++)
        h->magic++;
    return n;
}

/* What is only asked whether it is something need not. */
unsigned long marks(const byte *b)
{
    unsigned long n = b[0] << 24 | b[1]; /* certain */
    return n > 0 ? kept : n;
}

unsigned long marks_by_one(const byte *b)
{
    unsigned long n = b[0] << 24 | b[1]; /* certain */
    return 1 > n ? kept : n;
}

/* Who asks this knows of large ones. */
unsigned long checksum(const byte *b)
{
    unsigned long n = b[0] << 24 | b[1]; /* certain */
    return n >= 0x80000000 ? n - kept : n;
}

unsigned long address(const byte *b)
{
    unsigned long n = b[0] << 24 | b[1]; /* certain */
    return n < (unsigned long)end ? kept : n;
}

/* Another variable is larger, or was before. */
unsigned long another(const byte *b, unsigned long other)
{
    unsigned long n = b[0] << 24 | b[1]; /* certain */
    return other > 4096 ? kept : n;
}

unsigned long before(const byte *b, unsigned long n)
{
    if (n > 4096)
        return 0;
    n = b[0] << 24 | b[1]; /* certain */
    return n;
}

unsigned long sum(const byte *b)
{
    unsigned long n = b[0] << 24 | b[1]; /* certain */
    return n + 1 == kept ? 0 : n;
}

/* The lower half alone is read. */
unsigned low(const byte *b)
{
    unsigned long n = b[0] << 24 | b[1]; /* possible */
    n |= 4;
    return (unsigned)n + (n & 0xffff) + (n == 4);
}

unsigned high(const byte *b)
{
    unsigned long n = b[0] << 24 | b[1]; /* certain */
    return (unsigned)n + (n & 0xffff) + (n == 0x80000000);
}

unsigned long unread(const byte *b)
{
    unsigned long n = b[0] << 24 | b[1]; /* certain */
    n = 4;
    return kept = b[2] << 24; /* certain */
}

unsigned long right(const byte *b, uint16_t half, int sign)
{
    use((unsigned long)(b[0] << 24) & 0xffffffff);
    use((unsigned long)(b[0] << 24) & 0xf00000000); /* certain */
    use((unsigned long)(b[0] << 24) == 0x80000000); /* certain */
    use((unsigned long)(b[0] << 24) == 4);
    use((uint32_t)(unsigned long)(b[0] << 24));
    use((uint32_t)((unsigned long)(b[0] << 24) + kept));
    use((uint32_t)((unsigned long)(b[0] << 24) << 4));
    use((uint32_t)((unsigned long)(b[0] << 24) >> 4)); /* certain */
    use((uint32_t)(kept << (unsigned long)(b[0] << 24))); /* certain */
    kept = kept ^ (unsigned long)(b[0] << 24);
    kept = limit ^ (unsigned long)(b[0] << 24); /* certain */
    kept = kept << 8 ^ b[0];
    kept = b[0] << 16;
    kept = b[0] << 23;
    kept = half << 16; /* certain */
    kept = half << 15;
    kept = sign << 24;
    kept = b[0] + (b[1] << 24); /* certain */
    kept = b[0] ^ b[1] << 24; /* certain */
    kept = b[0] & b[1] << 24;
    kept = (uint32_t)b[1] << 24;
    kept = 0x80 << 24;
    return (long)(b[0] << 24);
}
