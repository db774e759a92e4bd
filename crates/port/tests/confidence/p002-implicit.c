/* Conversions that nobody has written, which some compilers refuse. */
#include <stddef.h>
extern int kept;
extern char *text;
extern void *any;
void take(char *p);
void hold(void *p);
void two(char *p, int n);
void said(const char *format, ...);
void takes(p) char *p; { text = p; }

char *implicit(char *p)
{
    text = kept; /* certain */
    any = kept; /* certain */
    take(kept); /* probable */
    hold(kept); /* possible */
    if (kept == NULL)
        return 0;
    if (text == kept) /* certain */
        return 0;
    /* The arguments are in wrong places, on both sides. */
    two(kept, p);
    two((char *)kept, p); /* probable */
    two(kept, (int)(long)p); /* probable */
    two(kept, 1); /* probable */
    said(kept ? "%s" : "%d", kept ? text : kept); /* possible */
    take(kept ? text : kept); /* probable */
    takes(kept);
    takes((char *)kept); /* probable */
    text = undeclared(kept);
    take(undeclared(kept) + 4);
    take((char *)(undeclared(kept) - kept));
    take(kept + 4); /* probable */
    return kept; /* certain */
}
