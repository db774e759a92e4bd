// pair: i386:arm64
#include <stdarg.h>
#include <stdio.h>
int twice(const char *format, va_list ap)
{
    vprintf(format, ap);
    return vprintf(format, ap);
}
