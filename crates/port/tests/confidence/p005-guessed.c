/* What it does not know is an int to the compiler. */
#include <nowhere.h>
extern unknown_t kept;
void longs(long *to);
void guessed(int n)
{
    longs(&kept);
    longs((long *)&n); /* possible */
}
