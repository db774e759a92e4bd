#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
extern long number, negative, mark;
extern unsigned long word;
extern int kept;
extern unsigned natural;
extern time_t when;
int use(long of);

void equal(char *p, off_t at, size_t size, FILE *stream)
{
    kept = number == 0xffffffff; /* possible */
    negative = -1;
    kept = negative == 0xffffffff; /* probable */
    kept = negative == 0x80000000; /* probable */
    kept = word == 0xffffffff; /* possible */
    kept = word == 0x80000000;
    kept = (unsigned long)p == 0xffffffff; /* certain */
    kept = size == 0xffffffff; /* certain */
    kept = size == 0x80000000;
    kept = at == 0xffffffff; /* certain */
    kept = when == 0xffffffff; /* certain */
    kept = natural == -1L; /* certain */
    kept = natural == (size_t)-1; /* certain */
    kept = natural == -1;
    kept = kept == 0xffffffffUL; /* certain */
    kept = kept < 0x80000000UL;
    kept = number == 0x7fffffff;
    kept = number < 0xffffffff;
}

/* A long that may be negative, and an unsigned. */
int mixed(long l, unsigned u) { return l < u; } /* probable */
void calls(void) { mixed(-1, 2); }
int never(long l, unsigned u) { return l < u; }
void calls_it(void) { never(1, 2); }
int asked(long l, unsigned u) { return l >= 0 && l < u; }
void calls_asked(void) { asked(-1, 2); }
void set(unsigned u)
{
    kept = negative < u; /* possible */
    kept = mark < u;
    kept = u > negative; /* possible */
    kept = negative < kept;
    kept = -u < negative; /* possible */
}

/* Numbers of 32 bits without a sign that are kept in a long. */
void decided(unsigned u, unsigned v, unsigned w, unsigned x, unsigned short h, long l)
{
    long n = u, m = v, k = w, j = x, i = h;
    kept = n < 0; /* probable */
    kept = 0 > n; /* probable */
    kept = n >= 0; /* probable */
    kept = n <= -1; /* probable */
    kept = n > -1; /* probable */
    kept = n == -1; /* certain */
    kept = n != -1; /* certain */
    kept = -1 == n; /* certain */
    kept = n < 1;
    kept = i < 0;
    kept = l < 0;
    if (m < 0 || m > 100)
        return;
    if (k < 0 || 100 < k)
        return;
    if (j < 0 || j > 0) /* probable */
        return;
}

/* A constant that is given, and not another variable. */
int given(long l, unsigned u) { return l < u; }
int other(unsigned u, long l) { return u > l; } /* probable */
void gives(void) { given(1, -1); other(1, -1); decided(-1, -1, -1, -1, 1, -1); }
extern long counted, alike, set_later;
void later(unsigned u)
{
    kept = counted < u;
    counted = 1;
    alike == -1;
    kept = alike < u;
    kept = set_later < u; /* possible */
    set_later = -2;
    kept = 0 <= set_later && set_later < u;
}

/* A mark of the project's own is what it was, if it is given in the function. */
#define NONE 0xffffffffu
size_t marked(char *from, size_t n)
{
    size_t at = NONE, other = n, third;
    third = NONE;
    if (from[0])
        at = n;
    kept = other == NONE; /* certain */
    kept = third == NONE;
    other = NONE - 1;
    kept = other == NONE; /* certain */
    return at == NONE ? 0 : at;
}

/* assert(3) is content with what always holds. */
void asserts(unsigned a, unsigned b)
{
    long difference = a - b;
    assert(difference >= 0); /* possible */
    assert(difference < 0); /* probable */
    if (difference >= 0) /* probable */
        kept = 4;
}

/* What a function returns, and a name for a number that it most likely returns. */
#define NOTHING 0xffffffff
size_t length_at(int of);
int asks(struct found { size_t len; } *of)
{
    of->len = length_at(1);
    if (of->len == NOTHING) /* possible */
        return 1;
    return of->len == 0xffffffff; /* certain */
}

/* assert(3) is content with what always holds. */
void asserted(size_t len)
{
    assert(len != 0xffffffff); /* possible */
    assert(len == 0xffffffff); /* certain */
}

/* A macro that is for all types asks of each. */
#define absolute(x) ({ long of = (x); of < 0 ? -of : of; })
extern unsigned near;
long distances(void)
{
    long of = near;
    if (of < 0) /* probable */
        return 4;
    return absolute(near); /* possible */
}

/* A field that is given a name for a number elsewhere. */
#define NOWHERE 0xffffffff
struct view { ssize_t at, before; };
int views(struct view *v, ssize_t local)
{
    v->before = -1;
    if (v->at == NOWHERE) /* possible */
        return 1;
    if (v->before == NOWHERE) /* certain */
        return 2;
    if (local == NOWHERE) /* certain */
        return 3;
    return v->at == 0xffffffff; /* certain */
}

/* What is asked for when the program runs is so for 32 bits alone. */
#include <assert.h>
#include <stdlib.h>
typedef unsigned long own_word;
int starts(int status)
{
    assert(sizeof(own_word) == 4); /* certain */
    assert(sizeof(int) == 4);
    assert(sizeof(own_word) == sizeof(long));
    assert(status == 4);
    return status;
}
void aborts(void)
{
    if (sizeof(void *) != sizeof(int)) /* certain */
        abort();
}
int exits(int status)
{
    if (sizeof(own_word) > 4) { /* probable */
        status++;
        exit(2);
    }
    return status;
}
void does_all(void) { if (sizeof(own_word) > 4) exit(0); }
void says_more(int status) { if (sizeof(own_word) > 4) exit(status); }
void of_narrow(void) { if (sizeof(own_word) < 8) abort(); }
void of_both(void) { if (sizeof(own_word) > 4) exit(2); else exit(1); }

/* What gets the value that it has then. */
unsigned given_again(unsigned at, unsigned other)
{
    if (at == (size_t)-1) /* possible */
        at = -1;
    if (at == (size_t)-1) /* certain */
        other = -1;
    if (other == (size_t)-1) /* certain */
        other = 0;
    if (at == (size_t)-1) { /* possible */
        at = 0xffffffff;
    }
    if (at == (size_t)-1) /* certain */
        at = -1;
    else
        at++;
    return at + other;
}
