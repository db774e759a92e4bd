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
    unsigned long n = b[0] << 24 | b[1]; /* probable */
    return n > 0 ? kept : n;
}

unsigned long marks_by_one(const byte *b)
{
    unsigned long n = b[0] << 24 | b[1]; /* probable */
    return 1 > n ? kept : n;
}

/* Who asks this knows of large ones. */
unsigned long checksum(const byte *b)
{
    unsigned long n = b[0] << 24 | b[1]; /* probable */
    return n >= 0x80000000 ? n - kept : n;
}

unsigned long address(const byte *b)
{
    unsigned long n = b[0] << 24 | b[1]; /* probable */
    return n < (unsigned long)end ? kept : n;
}

/* Another variable is larger, or was before. */
unsigned long another(const byte *b, unsigned long other)
{
    unsigned long n = b[0] << 24 | b[1]; /* probable */
    return other > 4096 ? kept : n;
}

unsigned long before(const byte *b, unsigned long n)
{
    if (n > 4096)
        return 0;
    n = b[0] << 24 | b[1]; /* probable */
    return n;
}

unsigned long sum(const byte *b)
{
    unsigned long n = b[0] << 24 | b[1]; /* probable */
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
    unsigned long n = b[0] << 24 | b[1]; /* possible */
    n = 4;
    return kept = b[2] << 24; /* possible */
}

unsigned long right(const byte *b, uint16_t half, int sign)
{
    use((unsigned long)(b[0] << 24) & 0xffffffff);
    use((unsigned long)(b[0] << 24) & 0xf00000000); /* possible */
    use((unsigned long)(b[0] << 24) == 0x80000000); /* certain */
    use((unsigned long)(b[0] << 24) == 4);
    use((uint32_t)(unsigned long)(b[0] << 24));
    use((uint32_t)((unsigned long)(b[0] << 24) + kept));
    use((uint32_t)((unsigned long)(b[0] << 24) << 4));
    use((uint32_t)((unsigned long)(b[0] << 24) >> 4)); /* possible */
    use((uint32_t)(kept << (unsigned long)(b[0] << 24))); /* possible */
    kept = kept ^ (unsigned long)(b[0] << 24);
    kept = limit ^ (unsigned long)(b[0] << 24); /* possible */
    kept = kept << 8 ^ b[0];
    kept = b[0] << 16;
    kept = b[0] << 23;
    kept = half << 16; /* possible */
    kept = half << 15;
    kept = sign << 24;
    kept = b[0] + (b[1] << 24); /* possible */
    kept = b[0] ^ b[1] << 24; /* possible */
    kept = b[0] & b[1] << 24;
    kept = (uint32_t)b[1] << 24;
    kept = 0x80 << 24;
    return (long)(b[0] << 24);
}

/* Through `?:` and casts. */
unsigned choice(const byte *b, int length)
{
    unsigned long n = length == 1 ? *b : (unsigned long)(b[0] << 24 | b[1]); /* possible */
    unsigned long m = length == 1 ? *b : (unsigned long)(b[0] << 24 | b[1]); /* possible */
    unsigned long c = (unsigned long)(b[0] << 24 | b[1]) ? 1 : 2;
    kept = m;
    return (n & 0xff0000) >> 16 | (n >> 8 & 0xff) | ((unsigned long)n & 0xff) | (n ? c : 2);
}

unsigned down(const byte *b)
{
    unsigned long n = b[0] << 24 | b[1]; /* possible */
    unsigned long m = b[0] << 24 | b[1]; /* possible */
    return (n >> 28 & 0xff) + (m >> 28 & 0xf);
}

/* Looked for among its like. */
#include <stdlib.h>
extern unsigned long sorted[16];
int compare(const void *a, const void *b);
void *search(const byte *b)
{
    unsigned long n = b[0] << 24 | b[1]; /* possible */
    unsigned long m = b[0] << 24 | b[1]; /* possible */
    unsigned long all[] = { m };
    return bsearch(&n, all, 1, sizeof n, compare);
}

void *search_in(const byte *b)
{
    unsigned long n = b[0] << 24 | b[1]; /* possible */
    return bsearch(sorted, &n, 1, sizeof n, compare);
}

/* Hashes, by name and by what they do. */
unsigned long hash(const byte *b)
{
    unsigned long n = b[0] << 24 | b[1]; /* possible */
    return n;
}

unsigned long mixed(const byte *b, unsigned long x, unsigned long y, unsigned long z)
{
    x += b[0] << 24 | b[1]; /* possible */
    y ^= b[2] << 24 | b[3]; /* possible */
    z += b[2] << 24 | b[3]; /* possible */
    z += x + y;
    x ^= y << 8;
    y ^= x >> 13;
    return z;
}

unsigned long folded(const byte *b, unsigned long x, unsigned long y)
{
    x += b[0] << 24 | b[1]; /* possible */
    x ^= x >> 16;
    y ^= b[0] << 24 | b[1]; /* possible */
    y ^= y << 16;
    return x + y;
}

/* A static function's result is followed, and a value until there is another one. */
static unsigned long counted(const byte *b) { return b[0] << 24 | b[1]; } /* possible */
static unsigned long cut(const byte *b) { return b[0] << 24 | b[1]; } /* possible */
static unsigned long shown(const byte *b) { return b[0] << 24 | b[1]; } /* probable */
unsigned long seen(const byte *b) { return b[0] << 24 | b[1]; } /* probable */
static unsigned long nobody(const byte *b) { return b[0] << 24 | b[1]; } /* probable */
int calls(const byte *b)
{
    unsigned long n = counted(b);
    if (n > 4096 || seen(b) > 4096)
        return 0;
    kept = shown(b);
    return cut(b) & 0xffff;
}

int chosen(const byte *b)
{
    unsigned long n, m, o;
    n = b[0] << 24 | b[1]; /* possible */
    switch (n) {
    case 4: return 1;
    }
    n = limit;
    kept = n;
    m = b[2] << 24 | b[3]; /* possible */
    if (b[4])
        m = limit;
    kept = m;
    o = b[5] << 24 | b[6]; /* possible */
    switch (o) {
    case 0xffff0800: return 1;
    }
    return 0;
}

/* A sign that is extended is none where the number gets one again. */
int seek(void *file, long at);
int seek_unsigned(void *file, unsigned long at);
unsigned long offsets(const byte *b, void *file)
{
    unsigned long at = b[0] << 24 | b[1]; /* possible */
    seek(file, at);
    seek(file, at + limit);
    unsigned long to = b[2] << 24 | b[3]; /* possible */
    return seek_unsigned(file, to);
}

/* The first character of a text says whether it is the sign. */
#define MAGIC(s) (((unsigned char)(s)[0] << 24) | ((unsigned char)(s)[1] << 16))
int texts(unsigned long number, const char *s)
{
    return number == MAGIC("DAT\x11")
        || number == MAGIC("\x89PNG") /* possible */
        || number == MAGIC(s); /* possible */
}

/* One of several that a macro chooses. */
#define TAKE(b, n) ((n) == 1 ? (unsigned long)*(b) : (unsigned long)((b)[0] << 24 | (b)[1]))
int chooses(const byte *b, int n)
{
    unsigned long taken = TAKE(b, n); /* possible */
    return (taken & 0xffff) + (TAKE(b, n) != 0xf10040bb); /* certain */
}

/* What is assembled in a long had its sign there. */
static long degrees(const byte *b) { return (long)b[3] << 24 | (long)b[2] << 16 | b[1] << 8 | b[0]; } /* probable */
static long nested(const byte *b) { return ((((((long)b[3] << 8) + b[2]) << 8) + b[1]) << 8) + b[0]; } /* probable */
static long three(const byte *b) { return (long)b[2] << 16 | b[1] << 8 | b[0]; }
double signs(const byte *b, long n)
{
    n = (long)b[0] << 24 | b[1]; /* probable */
    if (n < 0)
        return nested(b);
    n = (int)((long)b[0] << 24 | b[1]);
    n = (long)b[0] << 32 | b[1];
    return degrees(b) * 4.5 + three(b);
}

/* Nothing is as large as a negative number. */
#include <string.h>
extern unsigned long sum_of(const char *);
int is_whole(const unsigned char *b, const char *text)
{
    unsigned long size = b[0] << 24 | b[1]; /* possible */
    return size == strlen(text);
}
int is_right(const unsigned char *b, const char *text)
{
    unsigned long sum = b[0] << 24 | b[1]; /* probable */
    return sum == sum_of(text);
}

/* The caller says where it is kept, and finds it there. */
int read_number(const unsigned char *b, unsigned long *to, unsigned long local)
{
    unsigned long kept_here, *here = &kept_here;
    *to = b[0] << 24 | b[1]; /* probable */
    *here = b[0] << 24 | b[1]; /* possible */
    local = b[0] << 24 | b[1]; /* possible */
    return 1;
}
