/* What it does not know is an int to the compiler. */
#include <nowhere.h>
extern unknown_t kept;
extern int known;
extern char *text;
void guessed(void)
{
    text = kept;
    text = (char *)known; /* possible */
}
