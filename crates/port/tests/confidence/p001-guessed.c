/* What it does not know is an int to the compiler. */
#include <nowhere.h>
extern unknown_t kept;
int use(int of);
void guessed(char *p)
{
    kept = p;
    use((int)p); /* possible */
}
