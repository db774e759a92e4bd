// What was configured is compiled so, and what is not known there is not known to anybody.
#include <stdarg.h>
void begin(int count, ...)
{
    va_list all, other;
    va_start(all, count);
    other = all; /* certain */
}
typedef char word_has_4_bytes[sizeof(long) == 4 ? 1 : -1]; /* certain */
