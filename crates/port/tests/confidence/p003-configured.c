#include <stdio.h>
extern char *text;
extern long number;
extern int kept;
int declared(const char *name);

void calls(const char *s, int n)
{
    text = (char *)getenv("A"); /* certain */
    text = (char *)own("A"); /* probable */
    text = (char *)declared("A");
    text = (char *)(getenv("A")); /* certain */
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
    text = n ? (char *)getenv("B") : 0; /* certain */
}
