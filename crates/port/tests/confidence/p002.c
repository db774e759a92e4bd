#include <stddef.h>
#include <stdint.h>
struct tag;
struct box { char *carried; int number; };
extern int kept;
extern unsigned word;
extern char *text;
extern void *any;
void take(char *p);
void hold(void *p);

char *made(long wide, short narrow, unsigned char byte)
{
    text = (char *)kept; /* probable */
    text = (char *)word; /* probable */
    take((char *)kept); /* probable */
    any = (void *)kept; /* possible */
    hold((void *)kept); /* possible */
    text = (char *)(long)kept; /* possible */
    text = (char *)(intptr_t)kept;
    text = (char *)(uintptr_t)word;
    text = (char *)wide;
    text = (char *)narrow;
    any = (short *)(kept & 0xffff);
    text = (char *)(kept & 0x1ffff); /* probable */
    any = (short *)-1;
    any = (short *)(unsigned)byte;
    return (char *)kept; /* probable */
}

/* What was cut before is another rule's. */
char *cut(char *p)
{
    text = (char *)(int)p;
    return (char *)((int)p & ~7);
}

/* Who makes pointers of small numbers carries numbers by that type. */
struct tag *small(void) { return (struct tag *)3; }
struct tag *carried(void) { return (struct tag *)kept; } /* possible */
struct box *boxed(void) { return (struct box *)kept; } /* probable */

void members(struct box *b, struct box *c)
{
    b->carried = (char *)kept; /* possible */
    kept = (int)(intptr_t)b->carried;
    c->number = kept;
}

/* Who only gives numbers, or only takes them, or of another member, carries none. */
struct other { char *given, *taken, *first, *second; int *own; };
void others(struct other *o)
{
    o->given = (char *)kept; /* probable */
    kept = (int)(intptr_t)o->taken;
    o->first = (char *)kept; /* probable */
    kept = (int)(intptr_t)o->second;
    o->own = (int *)kept; /* probable */
    kept = *o->own;
}

/* A constant marks something, unless it is looked for in what a function returns. */
extern char *mapped(int);
void marks(char *given)
{
    char *got = mapped(1), *mark = (char *)0xffffffff; /* possible */
    kept = given == (char *)0xffffffff; /* possible */
    kept = got == (char *)0xffffffff; /* probable */
    kept = mapped(2) == (char *)0xffffffff; /* probable */
    use(mark);
}

/* What becomes a number in its place is for a file. */
struct placed { char *name, *other; };
extern int offset_of(const char *);
void places(struct placed *p)
{
    p->name = (char *)offset_of(p->name); /* possible */
    p->other = (char *)offset_of(p->name); /* probable */
}

/* What becomes a small number again is none. */
void bytes(unsigned char *to, unsigned number)
{
    to[0] = (unsigned char *)number;
    to[1] = (unsigned char)(unsigned char *)number;
}

/* The number of what was printed is no pointer, for 32 bits either. */
#include <stdio.h>
extern int find(const char *);
void counts(char *to, const char *what)
{
    char *end = (char *)sprintf(to, "%s", what); /* possible */
    char *at = (char *)find(what); /* probable */
    use(end);
    use(at);
}

/* A stack that has numbers too, which are taken from it again. */
typedef const unsigned char *element_t;
struct stack { element_t *of; unsigned count; };
struct other_stack { element_t *of_others; };
unsigned pops(struct stack *s, struct other_stack *o, unsigned number)
{
    s->of[s->count++] = (element_t)number; /* possible */
    o->of_others[0] = (element_t)number; /* probable */
    return (unsigned)s->of[--s->count];
}
