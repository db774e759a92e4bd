#include <stdlib.h>
#include <string.h>
struct node { struct node *next; long key; };
extern int *kept;

void sizes(long *list, int *fixed, unsigned count, char *bytes)
{
    long row[8];
    int half[8];
    memset(list, 0, count * sizeof(int)); /* certain */
    memset(list, 0, count * sizeof(long));
    memset(fixed, 0, count * sizeof(long)); /* certain */
    memset(half, 0, 8 * sizeof(long));
    memset(row, 0, 8 * sizeof(int)); /* certain */
    memset(bytes, 0, count * sizeof(long));
    memcpy(list, fixed, count * sizeof(int));
    memcpy(list, list + 8, count * sizeof(int)); /* certain */
    list = malloc(count * sizeof(int)); /* certain */
    kept = malloc(count * sizeof(long)); /* possible */
    kept = malloc(count * sizeof(int));
    for (unsigned i = 0; i < sizeof row / sizeof(int); i++) /* certain */
        row[i] = 0;
    for (unsigned i = 0; i < sizeof row / sizeof(long); i++)
        row[i] = 0;
    for (unsigned i = 0; i < sizeof half / sizeof(short); i++)
        half[i] = 0;
    count = sizeof(struct node) / sizeof(long);
}

/* What returns an int * may make memory for anything; what is not converted may be counted in elements. */
int *int_alloc(int bytes);
long *long_alloc(int count);
struct node *node_alloc(int bytes);
void allocators(char **names, long *list, int count)
{
    names = (char **)int_alloc(count * sizeof(int)); /* certain */
    names = (char **)int_alloc(count * sizeof(char *));
    names = (char **)node_alloc(count * sizeof(int));
    list = (long *)long_alloc(count * sizeof(int));
}

/* One that makes a table of tables knows how large an address is. */
void *tensor_alloc(int size, int rank, ...);
void *block_alloc(int size, int rank);
void tables(int n)
{
    int **two = (int **)tensor_alloc(sizeof(int), 2, n, n);
    int **one = (int **)block_alloc(sizeof(int), n); /* certain */
    two[0] = one[0];
}

/* What lies behind a head has the type that it is made to. */
struct head { long size, count; };
struct box { int left, right; };
void behind(struct head *to, struct head *from, int n)
{
    memmove((char *)(struct box *)(to + 1), (char *)(struct box *)(from + 1), n * sizeof(struct box));
    memmove((char *)(struct box *)&to[1], (char *)(struct box *)&from[1], n * sizeof(struct box));
    memmove((char *)(to + 1), (char *)(from + 1), n * sizeof(struct box)); /* certain */
    memmove((struct box *)(to + n), (struct box *)(from + n), n * sizeof(struct box)); /* certain */
    memset((char *)(long *)(to + 1), 0, n * sizeof(int)); /* certain */
}

/* Four bytes of a message are taken one by one, and put there again. */
#define GET(word, p) { (word) = *(p)++ << 8; (word) |= *(p)++; (word) <<= 8; (word) |= *(p)++; (word) <<= 8; (word) |= *(p)++; }
unsigned asks(unsigned char *p, unsigned char *other, int *of_ints)
{
    unsigned word;
    GET(word, p);
    if (word == 1)
        p -= sizeof(long); /* probable */
    if (word == 2)
        p -= sizeof(int);
    if (word == 3)
        p += sizeof(long);
    word |= *other++ | *other++ << 8 | *other++ << 16;
    other -= sizeof(long);
    GET(word, of_ints);
    of_ints -= sizeof(long);
    return word + *p + *other + *of_ints;
}
