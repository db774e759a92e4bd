#include <stdarg.h>
#include <stdio.h>
static void PLANT_say(int level, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    if (level)
        vfprintf(stderr, format, list);
    va_end(list);
}
extern long PLANT_size;
/* in a function */
PLANT_say(1, "%d bytes\n", PLANT_size); /* here */
