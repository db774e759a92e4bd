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
