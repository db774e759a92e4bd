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
    sum(2, n, wide); /* possible */
    sum(2, wide, wide);
    mixed(2, n, n);
    list_of(s, t, 0); /* possible */
    list_of(s, t, s, t, s, 0); /* possible */
    list_of(s, t, s, t, s, t, 0); /* probable */
    list_of(s, t, (char *)0);
    list_of(s, t, 0L);
    list_of(s, n, 0);
    list_of(s, t, 1);
    list_of("text", 0);
    numbers_of(n, 0);
    numbers_of(2, s, 0);
    execl("/bin/sh", "sh", 0); /* possible */
    execl("/bin/sh", "sh", s, s, s, s, 0); /* certain */
    sum(2, wide, -4); /* certain */
    execl("/bin/sh", "sh", (char *)0);
    shows("%s %d", s, 0);
    says("%s %d", s, 0);
    printf("%s", s, 0);
}

/* What has no sign, or is not negative, has an upper half of 0 in a register. */
void registers(char *s, unsigned natural, int n, double real)
{
    sum(2, 4, wide); /* possible */
    sum(2, natural, wide); /* possible */
    sum(2, n & 7, wide); /* possible */
    sum(6, wide, wide, wide, wide, wide, natural); /* certain */
    sum(6, wide, wide, wide, wide, natural, wide); /* possible */
    sum(6, real, wide, wide, wide, wide, natural); /* possible */
}

/* The kernel takes as much as it wants. */
long syscall(long number, ...);
long to_kernel(int command, ...)
{
    va_list list;
    va_start(list, command);
    long number = va_arg(list, long);
    va_end(list);
    return syscall(4, command, number);
}
long by_another(int command, ...)
{
    va_list list;
    va_start(list, command);
    long number = va_arg(list, long);
    va_end(list);
    return to_kernel(command, number);
}
void kernel(int n)
{
    to_kernel(4, -n); /* possible */
    by_another(4, -n); /* possible */
}

int in_register(int n) { return sum(2, n, wide); } /* possible */
int on_stack(int n) { return sum(2, wide, wide, wide, wide, wide, n); } /* certain */
