/* Where the compiler does not understand what a function takes and returns, nothing in it is sure: here its name is a macro. */
extern int number(void);
int *library(int *, int *, int);
#define own(a, b, c) library((a), (b), (c))
int *
own(int *to, int *from, int count)
{
    int *made = (int *)number(); /* possible */
    return number(); /* possible */
}
char *whole(void)
{
    return (char *)number(); /* probable */
}
int cut(char *p) { return (int)p; }
