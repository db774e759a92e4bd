#include <stdarg.h>
#include <stdio.h>
static void PLANT_log(char *to, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsprintf(to, format, list);
    va_end(list);
}
#define PLANT_TRACE(...) PLANT_log(PLANT_buffer, __VA_ARGS__)
extern char PLANT_buffer[80];
extern unsigned long PLANT_flags;
/* in a function */
PLANT_TRACE("flags %08x", PLANT_flags); /* here */
