#include <stdint.h>
struct box { char *name; int mark[4]; char *carried, *followed; };
struct tag;
extern int kept, table[16];
extern void *any;
int use(int of);
int show(const char *format, ...);

int keeps(char *p)
{
    kept = (int)p; /* certain */
    use((int)p); /* certain */
    kept = -(int)p; /* probable */
    return (int)p; /* certain */
}

/* What becomes a pointer again is followed, wherever it goes. */
char *again(char *p, void *q)
{
    if ((char *)(int)p == p) /* certain */
        use((int)p == kept); /* possible */
    return (char *)(int)q; /* certain */
}

/* A remainder is a number, which it carries. */
short *toggled(short *p, float *q)
{
    q = (float *)((int)(q + 1) & ~7); /* certain */
    return (short *)((int)(p + 1) % 2); /* possible */
}

/* A variadic function shows it; an argument before those is one like any other. */
int shows(char *p, int (*by)(int, ...))
{
    show("%x", (int)p); /* possible */
    return by((int)p, 1); /* certain */
}

int compares(char *p)
{
    if ((int)p == kept) /* possible */
        return 1;
    if ((int)p) /* possible */
        return 2;
    return table[(int)p]; /* probable */
}

/* The lower half of some operations is that of the lower halves. */
void computes(char *p)
{
    kept = (int)p & 7; /* possible */
    kept = (int)p % 7; /* possible */
    kept = (int)p ^ 7; /* possible */
    kept = (int)p >> 7; /* possible */
    kept = (int)p - 7; /* possible */
    kept = (int)p / 7; /* possible */
    kept = (int)p + 7; /* probable */
    kept = (int)p * 7; /* probable */
    kept = (int)p | 7; /* probable */
}

/* By way of a long, which says that it was thought of: only where it is kept. */
int by_way(char *p)
{
    kept = (int)(long)p; /* possible */
    use((int)(long)p); /* certain */
    kept = (int)(intptr_t)p;
    kept = (int)(uintptr_t)p;
    return (int)(long)p; /* possible */
}

/* A void pointer carries numbers, if somebody says so. */
void carries(void **list)
{
    kept = (int)any; /* possible */
    kept = (int)list; /* certain */
    kept = (int)(struct box *)any; /* possible */
}

int hash_of(char *p) { return (int)p; } /* possible */
int Randomize(char *p) { return (int)p; } /* possible */
int reseed(char *p) { return (int)p; } /* possible */
int mash_of(char *p) { return (int)p; } /* certain */

/* Who makes pointers of small numbers carries numbers by that type. */
struct tag *small(void) { return (struct tag *)3; }
struct box *large(void) { return (struct box *)0x123456; }
struct box *null(void) { return (struct box *)0; }
void types(struct tag *t, struct box *b)
{
    kept = (int)t; /* possible */
    kept = (int)b; /* certain */
}

/* So does who puts a number into a member and takes one out. */
void members(struct box *b)
{
    b->carried = (char *)(uintptr_t)kept;
    kept = (int)b->carried; /* possible */
    kept = (int)b->followed; /* certain */
}

/* A local variable of which only bits are used. */
int bits(char *p)
{
    int n = (int)p; /* possible */
    return use(n & 7) + (n == 3);
}

int bits_and_more(char *p)
{
    int n = (int)p; /* certain */
    return use(n & 7) + use(n);
}

int bits_shifted(char *p)
{
    int n = (int)p; /* certain */
    return use(n << 7);
}

int bits_until_another(char *p)
{
    int n = (int)p; /* possible */
    kept = n & 7;
    n = 4;
    return use(n);
}

int bits_before(char *p, int n)
{
    if (n & 7)
        n = (int)p; /* certain */
    return 0;
}

int bits_of_all(char *p)
{
    kept = (int)p; /* certain */
    return kept & 7;
}

/* What is no pointer, was too small for both, or is large enough. */
void none(char *p, unsigned long word)
{
    kept = (int)&((struct box *)0)->mark;
    kept = (int)&((struct box *)0)->mark[1];
    kept = (int)&((struct box *)p)->mark; /* certain */
    kept = (int)(short *)4;
    kept = (char)(long)p + (short)(long)p;
    kept = (_Bool)p;
    kept = (long long)p != 0;
    kept = (int)word;
}

int nobody_uses(char *p)
{
    int n = (int)p; /* certain */
    return 0;
}

void before_and_after(char *p)
{
    int n = 4;
    kept = use(n);
    n = (int)p; /* possible */
    kept = n & 7;
}

int parameter(char *p, int n)
{
    n = (int)p; /* certain */
    return n & 7;
}

void pointers(void **list)
{
    kept = (int)*list; /* possible */
    kept = -(int)list; /* probable */
    by_way((char *)list + (int)list); /* probable */
}

/* What is taken away from a sum with a pointer makes it a difference. */
void differences(char *p, char *q, int base)
{
    kept = base + (int)p - (int)q; /* possible */
    kept = (int)p + 4 + base - (int)q; /* possible */
    kept = base + (int)p - base; /* probable */
    kept = base - (base + (int)p); /* probable */
    kept = (base + (int)p) * 4 /* probable */
        - (int)q; /* possible */
    kept = base + (int)p + (int)q; /* probable */
}

/* Whoever gives an element of an array a number carries one; another array has nothing to do with it. */
void elements(char **slots, char **others, int n)
{
    slots[2] = (char *)(long)n;
    kept = (int)slots[-1]; /* possible */
    kept = (int)others[-1]; /* certain */
}

/* A descriptor that a pointer carries, and bits of which the lower half is right. */
#include <unistd.h>
int opens(int of);
void carried(char *p, unsigned at)
{
    close((int)(long)p); /* possible */
    close((long)p); /* possible */
    close((long)&at); /* certain */
    close(p); /* certain */
    opens((long)p); /* certain */
    opens((int)(long)p); /* certain */
    kept = at + (unsigned)(unsigned long)p; /* possible */
    kept = at + (int)(long)p; /* probable */
}

/* What is turned around is no descriptor. */
#include <arpa/inet.h>
unsigned turned(char *p) { return ntohl((unsigned)p); } /* certain */

/* What is only printed is no address any more. */
int text(const char *format, ...);
void prints(char *p, char *q)
{
    int shown = (int)p, used; /* possible */
    text("%x", shown);
    used = (int)q; /* certain */
    text("%x", used);
    by_way(p + used);
}

/* A union of the system's has a number there. */
#include <net/if.h>
union own { char *text; long number; };
int keepalive(struct ifreq *of, union own *own)
{
    int text = (int)own->text; /* certain */
    return text + (int)of->ifr_data; /* possible */
}

/* Another system's name for a list of arguments is no int. */
#include <stdarg.h>
int begins(char *name, int, __va_list_of_bsd);
int begin(char *name, ...)
{
    va_list list;
    va_start(list, name);
    int n = begins(name, 1, list);
    va_end(list);
    return n;
}

/* Whether there is one more. */
char *next(void);
void lines(void)
{
    int more, other, last;
    while (more = (int)next()) /* possible */
        kept++;
    while (other = (int)next()) /* certain */
        kept = other;
    last = (int)next(); /* certain */
}

/* An address that is cut behind a cast to all of its bits. */
#include <stdint.h>
struct request { uint32_t buffer, other; };
void requests(struct request *to)
{
    char block[16];
    to->buffer = (intptr_t)&block; /* probable */
    to->other = (uint32_t)(intptr_t)&block;
}

/* What is added to a pointer is no pointer again. */
void *encode(const void *text, char *prefix);
void *added(char *text, char *end, char *begin)
{
    return encode(text + ((int)end - (int)begin + 1), begin); /* possible */
}
char *again_of(char *text, char *end)
{
    return text + *(char *)((int)end + 1); /* certain */
}

/* A count that goes through a type that is a pointer here. */
typedef void *word_t;
unsigned counted_words(unsigned count, long wide)
{
    unsigned words = (unsigned)(word_t)count;
    words += (unsigned)(word_t)wide; /* probable */
    return words;
}

/* Whether there is one. */
typedef enum { qfalse, qtrue } qboolean;
struct kept { qboolean is; int side; };
void kept_as_truth(struct kept *k, char *p)
{
    k->is = (qboolean)p; /* possible */
    k->side = (int)p; /* certain */
}

/* What is asked for is only whether there is one. */
extern char *find_in(const char *text, int c);
int is_separator(int c) { return (int)find_in(" ,;", c); } /* possible */
int separator(int c) { return (int)find_in(" ,;", c); } /* certain */
static int asked(int c) { return (int)find_in(" ,;", c); } /* possible */
static int taken(int c) { return (int)find_in(" ,;", c); } /* certain */
int asks(int c) { if (!asked(c) || asked(1)) return 1; return taken(c); }

/* What is one of a few names was carried by a pointer. */
enum event { BEGIN, END };
typedef enum event event_t;
struct event_box { int event; };
int names(struct event_box *data)
{
    event_t event = (event_t)data; /* possible */
    enum event again = (enum event)data; /* possible */
    kept = (int)data; /* certain */
    return use(event) + use(again);
}

/* What a function takes for a structure is no number that a pointer carries. */
struct node { struct node *next; int key; };
int passes(void *data, void *other, void *text)
{
    struct node *first = (struct node *)data;
    char *bytes = text;
    if (first->key)
        return (int)data; /* certain */
    if (*bytes)
        return (int)text; /* possible */
    return (int)other; /* possible */
}

/* Another argument says what it is. */
int sets(int what, void *data)
{
    if (what == 1)
        return ((struct node *)data)->key;
    return (int)data; /* possible */
}

/* A pointer for 32 bits, and as large a number for 64. */
#if __SIZEOF_POINTER__ == 4
typedef struct node *node_32;
#else
typedef unsigned node_32;
#endif
struct list { node_32 first, last; };
void links(struct list *list, struct node *node)
{
    list->first = list->last = (node_32)node; /* certain */
}
