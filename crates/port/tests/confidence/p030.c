#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
extern time_t length, when;
extern off_t at;
extern void *any;

void prints(const char *s, long n, size_t size, int half, int *to, long *wide, time_t start)
{
    printf("%d\n", (n)); /* possible */
    printf("%d\n", strlen(s)); /* possible */
    printf("%d\n", size); /* possible */
    printf("%d\n", time(0)); /* possible */
    printf("%d\n", at); /* possible */
    printf("%d\n", s); /* possible */
    printf("%ld\n", half); /* possible */
    printf("%*d\n", size, half); /* possible */
    length = time(0) - start;
    printf("%d\n", length); /* possible */
    length = time(0);
    printf("%d\n", length); /* possible */
    printf("%d\n", (int)n);
    printf("%ld\n", n);
    printf("%d %s\n", half, s);
    sscanf(s, "%d", wide); /* certain */
    sscanf(s, "%ld", to); /* certain */
    sscanf(s, "%d", to);
}

void widths(int half)
{
    printf("%*d\n", when, half); /* possible */
    printf("%.*f\n", at, 1.0); /* possible */
    when = at;
    printf("%d\n", when); /* possible */
}

/* In a register the upper half of what has no sign is 0. */
void registers(unsigned natural, int n)
{
    printf("%lu\n", natural); /* possible */
    printf("%ld\n", n & 7); /* possible */
    printf("%lu\n", n); /* possible */
    printf("%d%d%d%d%d%lu\n", n, n, n, n, n, natural); /* possible */
    printf("%d%d%d%d%d%ld\n", n, n, n, n, n, n); /* probable */
    sscanf("4", "%lu", &natural); /* certain */
}

/* Of a number that nobody has less than 0 the register has all; of one that is at times it does not. */
struct sum { int left, right, last; };
void sums(int count, int change, int given, int asked, int lost, struct sum *of, const struct sum *all)
{
    int minus = -1, less = count - 1, difference = count - given, either = count ? count : -count;
    given = -change;
    lost -= count;
    of->left = count - change;
    of->last = count - 1;
    printf("%ld\n", count); /* probable */
    printf("%ld\n", minus); /* probable */
    printf("%ld\n", less); /* possible */
    printf("%ld\n", difference); /* probable */
    printf("%ld\n", either); /* probable */
    printf("%ld\n", given); /* probable */
    printf("%ld\n", lost); /* probable */
    printf("%ld\n", change); /* probable */
    printf("%ld\n", asked); /* possible */
    printf("%ld\n", asked - 1); /* possible */
    printf("%ld\n", asked - less); /* probable */
    printf("%ld\n", (asked = 3, ~asked)); /* probable */
    printf("%ld\n", all->left); /* probable */
    printf("%ld\n", all->right); /* possible */
    printf("%ld\n", all->last); /* possible */
    printf("%s\n", asked); /* certain */
}

void limits(int a, int b, int c, int d, int e, int f, int g)
{
    if (a < 0 || 0 > b || c == -1 || -1 != d || e >= 0 || f > 0 || g < 1)
        printf("%ld\n", a); /* probable */
    printf("%ld\n", b); /* probable */
    printf("%ld\n", c); /* probable */
    printf("%ld\n", d); /* probable */
    printf("%ld\n", e); /* probable */
    printf("%ld\n", f); /* possible */
    printf("%ld\n", g); /* possible */
}

/* A field of numbers, or a number that has a name for its type, is no pointer; but a type of pointers that are kept as numbers. */
typedef int offset_t;
typedef int handle_t;
struct entry { int name; offset_t place; handle_t handle; };
void names(struct entry *e, offset_t at, int plain, char *p, long *numbers)
{
    printf("%s\n", numbers[1]);
    printf("%s\n", ((int *)numbers)[1]); /* possible */
    printf("%s\n", e->place); /* possible */
    printf("%s\n", at); /* possible */
    e->handle = (handle_t)p;
    printf("%s\n", e->handle); /* certain */
    printf("%s\n", plain); /* certain */
}

/* What was never a pointer is none for 32 bits either. */
int unknown(void);
void never(int n, char *p)
{
    int counted = 3 * n, called = unknown(), nothing;
    unsigned cut = (unsigned)p, other;
    other = counted ? (unsigned)p + 1 : 0;
    printf("%s\n", counted); /* possible */
    printf("%s\n", nothing); /* possible */
    printf("%s\n", called); /* certain */
    printf("%s\n", cut); /* certain */
    printf("%s\n", other); /* certain */
}

/* Of what is scanned only the lower half is looked at, or it was there before. */
int narrow(int n);
unsigned long scans(const char *s)
{
    unsigned long cut, moved, full, set = 0;
    if (sscanf(s, "%x", &cut) == 1) /* possible */
        narrow(cut);
    if (sscanf(s, "%x", &moved) == 1) /* possible */
        narrow((moved << 16) & 0xffff0000);
    sscanf(s, "%x", &set); /* possible */
    sscanf(s, "%x", &full); /* certain */
    return full + set;
}

/* What is written over the member behind is written again by the same call, but for the last. */
struct row { int first, second, third; };
int members(const char *s, struct row *row, struct row *other)
{
    return sscanf(s, "%ld %ld",
        &row->first, /* possible */
        &row->second) /* certain */
        + sscanf(s, "%ld %ld",
        &row->first, /* certain */
        &other->second); /* certain */
}

/* Or by a later one. */
void scan_both(const char *s, struct row *row, struct row *other)
{
    sscanf(s, "%ld", &row->first); /* possible */
    sscanf(s, "%d", &row->second);
    sscanf(s, "%ld", &other->first); /* certain */
    if (other->second)
        sscanf(s, "%d", &other->second);
}

/* Behind the last member is what is behind the structure that it is in. */
struct part { int first, last; };
struct whole { struct part one, other; int after; };
void scan_parts(const char *s, struct whole *w, struct whole *v)
{
    sscanf(s, "%ld", &w->one.last); /* certain */
    sscanf(s, "%ld", &w->other.last); /* possible */
    w->after = 4;
    sscanf(s, "%ld", &v->other.last); /* certain */
    w->after = v->after;
}

/* What counts from 0 on is not negative. */
void counted(int count)
{
    int i, j, k;
    for (i = 0; i < count; i++)
        printf("%ld\n", i); /* possible */
    for (j = 0; j < count; ++j) {
        printf("%ld\n", j); /* probable */
        j -= 2;
    }
    for (k = -1; k < count; k++)
        printf("%ld\n", k); /* probable */
    for (i = count; i > -9; i--)
        printf("%ld\n", i); /* probable */
    printf("%ld\n", i); /* probable */
}

/* A text that is copied first, and nothing else. */
void copied(const char *text, int number)
{
    char pattern[4], other_pattern[8], changed[8];
    strcpy(pattern, "%lx");
    sscanf(text, pattern, &number); /* certain */
    strcpy(other_pattern, "%x");
    sscanf(text, other_pattern, &number);
    strcpy(changed, "%l");
    changed[2] = 'x';
    sscanf(text, changed, &number);
}

/* A pointer to a text that nothing changes, here or in the file. */
char *known_to_others = "%lx";
static char *of_file = "%lx", *changed_elsewhere = "%lx";
void changes(void) { changed_elsewhere = "%x"; }
void unchanged(const char *text, int number, char **to)
{
    char *pattern = "%lx", *stepped = "%%lx", *given = "%lx";
    sscanf(text, pattern, &number); /* certain */
    sscanf(text, of_file, &number); /* certain */
    sscanf(text, known_to_others, &number);
    sscanf(text, changed_elsewhere, &number);
    stepped++;
    sscanf(text, stepped, &number);
    *to = given;
    sscanf(text, given, &number); /* certain */
}
