#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
struct node { struct node *next; long key; };
extern char *kept;

void sizes(struct node *n, long *list, unsigned count, char *bytes, int *fixed)
{
    struct node one;
    char *row[8];
    memset(&one, 0, 8); /* certain */
    memset(&one, 0, 16);
    memset(row, 0, 32); /* certain */
    memset(row, 0, sizeof row);
    memset(bytes, 0, 8);
    memset(fixed, 0, 4);
    memset(list, 0, 4 * count); /* certain */
    memset(list, 0, count << 2); /* certain */
    memset(list, 0, count << 3);
    memset(list, 0, 12); /* probable */
    memset(list, 0, 16);
    write(1, n, 8); /* probable */
    write(1, list, 4); /* possible */
    list = malloc(4); /* certain */
    list = malloc(40); /* possible */
    list = malloc(42);
    list = malloc(count * 4); /* certain */
    n = malloc(8); /* certain */
    n = malloc(24);
    kept = malloc(4);
}

/* Four bytes of a file that go into a member which nobody names are skipped. */
struct field { char *skipped, *used, *cleared; long number; };
void skips(FILE *f, struct field *of)
{
    char *local;
    fread(&of->skipped, 4, 1, f); /* possible */
    fread(&of->used, 4, 1, f); /* certain */
    kept = of->used;
    fread(&local, 4, 1, f); /* certain */
    memset(&of->cleared, 0, 4); /* certain */
    fread(&of->number, 4, 1, f); /* possible */
}

/* What returns an int * may make memory for anything; what is not converted may be counted in elements. */
int *int_alloc(int bytes);
long *long_alloc(int count);
void allocators(char **names, long *list, int count)
{
    names = (char **)int_alloc(count * 4); /* certain */
    list = (long *)long_alloc(count * 4);
}

/* What is copied from the wire becomes another number at once, by its lower half. */
#include <arpa/inet.h>
struct record { long when; };
long reads(const char *wire, struct record *r)
{
    unsigned long a, b, c;
    memcpy(&a, wire, 4); /* possible */
    a = ntohl(a);
    memcpy(&b, wire, 4); /* certain */
    b = ntohl(b) + b;
    memcpy(&c, wire, 4); /* certain */
    if (*wire)
        c = ntohl(c);
    memcpy(&r->when, wire, 4); /* possible */
    r->when = ntohl(r->when);
    return a + b + c;
}

/* What had a value has an upper half of 0. */
unsigned long counted(FILE *f, unsigned long before)
{
    unsigned long none, zero = 0, late;
    long sign = 0;
    fread(&none, 4, 1, f); /* certain */
    fread(&zero, 4, 1, f); /* possible */
    fread(&before, 4, 1, f); /* possible */
    fread(&sign, 4, 1, f); /* certain */
    fread(&late, 4, 1, f); /* certain */
    late = 0;
    fread(&late, 4, 1, f); /* possible */
    return none + zero + late + before + sign;
}

/* What a function of the project's own fills, which does not know how large it is. */
void get_bytes(unsigned char *to, unsigned bytes);
void put_bytes(void *from, unsigned bytes);
void look_at(const void *from, unsigned bytes);
void get_numbers(long *to, unsigned count);
#define XA_ATOM ((unsigned long)4)
void get_property(unsigned char *to, unsigned long type, int count);
extern unsigned long row[4];
long filled(unsigned long before, int n)
{
    unsigned long fresh, zero = 0;
    long sign = 0;
    int half;
    get_bytes((unsigned char *)&sign, 4); /* probable */
    get_bytes((unsigned char *)&fresh, 4); /* probable */
    put_bytes(&sign, 4);
    look_at(&sign, 4);
    get_bytes((unsigned char *)&zero, 4);
    get_bytes((unsigned char *)&before, 4);
    get_bytes((unsigned char *)&half, 4);
    get_bytes((unsigned char *)&sign, sizeof sign);
    get_bytes((unsigned char *)&sign, 8);
    get_bytes((unsigned char *)&sign, n);
    get_numbers(&sign, 4);
    get_property((unsigned char *)&sign, XA_ATOM, 1);
    get_bytes((unsigned char *)&row[0], 4);
    return sign + zero + fresh + before;
}

/* A number of elements that a macro says is one number. */
#define ELEMENTS (4 * 1024)
void *own_calloc(unsigned n, unsigned size);
void own_blocks(unsigned size, unsigned n)
{
    void **block = (void **)own_calloc(ELEMENTS, size);
    void **other = (void **)own_calloc(n * 4, 1); /* certain */
    block[0] = other;
}

/* What was 0 before is right for what is not negative. */
time_t stamped(const char *data, time_t given)
{
    time_t at = 0, later, other;
    memcpy(&at, data, 4); /* possible */
    later = 0;
    memcpy(&later, data, 4); /* possible */
    memcpy(&other, data, 4); /* certain */
    other = given;
    return at + later + other;
}

/* A number that is kept in the place of a pointer for a while. */
struct bond { struct node *atom; long order; };
void carries(struct bond *b, int index, char *name)
{
    memcpy(&b->atom, &index, 4); /* possible */
    memcpy(&b->order, &index, 4); /* certain */
    memcpy(&b->atom, name, 4); /* certain */
}

/* Nobody takes the upper half, which is not set; who cuts says so or not. */
int is_added(unsigned id);
int kept_low(const char *data, int *kept)
{
    unsigned long length, size;
    memcpy(&length, data, 4); /* possible */
    memcpy(&size, data, 4); /* certain */
    if (is_added(length))
        return 0;
    *kept = (int)length;
    return (int)(size >> 1);
}

/* Words of which the last one is half a one now. */
unsigned long *digest(unsigned long *words, int *numbers, const unsigned char *bytes)
{
    memcpy(numbers, bytes, 20);
    memcpy((void *)words, (void *)&bytes[0], 24);
    return memcpy((void *)words, (void *)&bytes[0], 20); /* probable */
}

/* The size was computed before. */
void *taken(unsigned long bytes);
struct mapped { unsigned long count; long *map; int *numbers; };
void by_variable(struct mapped *of, unsigned count, unsigned long bytes)
{
    unsigned long size = 4ul * count, other;
    long *words = malloc(size); /* probable */
    char *text = malloc(size);
    of->numbers = malloc(size);
    other = of->count * 4;
    of->map = (long *)malloc(other); /* probable */
    other = of->count * sizeof *of->map;
    of->map = (long *)malloc(other);
    other = count;
    of->map = malloc(other);
    of->map = malloc(bytes);
    size = of->count << 2;
    of->map = realloc(words, size); /* probable */
    of->map = taken(size);
    count = 4 * other;
    of->map = calloc(count, sizeof *of->map);
    keep(text);
}

/* By its first element all of an array is read. */
unsigned long first_of(FILE *file)
{
    unsigned long pair[2], three[3], longer[4];
    unsigned sure[2];
    fread(&pair[0], 8, 1, file); /* certain */
    fread(&three[1], 8, 1, file);
    fread(&longer[0], 8, 1, file);
    fread(&sure[0], 8, 1, file);
    return pair[1] + three[2] + longer[0] + sure[1];
}
