#define _GNU_SOURCE 1
/* Conversions that nobody has written, which some compilers refuse. */
extern int kept;
extern void *any;
int use(int of);
int old();

void implicit(char *p)
{
    kept = p; /* certain */
    kept = any; /* certain */
    use(p); /* certain */
}

/* Without a prototype nothing is converted but by clang. */
int takes(n) int n; { return n; }
void given(char *p)
{
    takes(p);
    old(p);
    takes((int)p); /* possible */
}

/* What the system's function returns here, configure finds out. */
#include <string.h>
int says(int number, char *to) { return strerror_r(number, to, 64); } /* possible */
