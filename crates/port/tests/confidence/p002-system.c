#include <string.h>
extern int kept;
static int own(void) { return kept; }

/* Of the system's strerror_r(3) there are two, and configure finds out which. */
char *of_number(int number, char *buffer)
{
    char *text = strerror_r(number, buffer, 80); /* possible */
    return number ? text : own(); /* certain */
}
