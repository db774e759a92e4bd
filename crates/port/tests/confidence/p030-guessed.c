/* What it does not know is an int to the compiler. */
#include <stdio.h>
#include <nowhere.h>
extern unknown_t kept;
void guessed(char *s, int n, long wide)
{
    printf("%p\n", kept);
    printf("%d\n", s); /* possible */
    printf("%ld\n", n); /* possible */
    printf("%d\n", wide); /* possible */
    printf("%s\n", undeclared(n));
}
