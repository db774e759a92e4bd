#include <stdio.h>
#if HAVE_TIME_H
#include <time.h>
#endif
extern char *text;
extern long number;
extern int kept;
int declared(const char *name);

void calls(const char *s, int n)
{
    text = (char *)getenv("A"); /* probable */
    text = (char *)own("A"); /* possible */
    text = (char *)declared("A");
    text = (char *)(getenv("A")); /* probable */
    kept = (int)getenv("A"); /* probable */
    kept = getenv("A") == 0; /* probable */
    if (getenv("A"))
        kept = 1;
    getenv("A");
    number = time(0); /* possible */
    kept = time(0); /* possible */
    time(0);
    number = atol(s); /* possible */
    kept = atol(s); /* possible */
    atol(s);
    number = own(s);
    kept = own(s);
    text = n ? (char *)getenv("B") : 0; /* probable */
    /* What an #if may include, and what needs another one. */
    text = asctime(localtime(&number)); /* possible */
    text = (char *)cuserid(0); /* possible */
}
