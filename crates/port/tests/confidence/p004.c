#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>
extern int kept;
extern long wide;
void list_of(const char *first, ...);
void numbers_of(int count, ...);
void shows(const char *format, ...) __attribute__((format(printf, 1, 2)));
void says(const char *format, ...);

long sum(int count, ...)
{
    va_list list;
    long sum = 0;
    va_start(list, count);
    while (count--)
        sum += va_arg(list, long);
    va_end(list);
    return sum;
}

long mixed(int count, ...)
{
    va_list list;
    va_start(list, count);
    long sum = va_arg(list, long) + va_arg(list, int);
    va_end(list);
    return sum;
}

void calls(char *s, char *t, int n)
{
    sum(2, n, wide); /* certain */
    sum(2, wide, wide);
    mixed(2, n, n);
    list_of(s, t, 0); /* probable */
    list_of(s, 0); /* probable */
    list_of(s, t, (char *)0);
    list_of(s, t, 0L);
    list_of(s, n, 0);
    list_of(s, t, 1);
    list_of("text", 0);
    numbers_of(n, 0);
    numbers_of(2, s, 0);
    execl("/bin/sh", "sh", 0); /* certain */
    execl("/bin/sh", "sh", s, 0); /* certain */
    execl("/bin/sh", "sh", (char *)0);
    shows("%s %d", s, 0);
    says("%s %d", s, 0);
    printf("%s", s, 0);
}
