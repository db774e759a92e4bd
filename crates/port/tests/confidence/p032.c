#include <stdio.h>
#include <stdint.h>
#include <time.h>

void keep(const char *);
int small(void);
struct named { char name[12]; long number; };

/* An address is always that large; other numbers are at times. */
void sizes(struct named *s, long n, unsigned long u, int i, size_t size, long long both)
{
    char eleven[11], twelve[12], nine[9], ten[10], fifteen[15], seventeen[17], large[21];
    unsigned char bytes[11];

    sprintf(eleven, "%p", (void *)s); /* certain */
    sprintf((char *)bytes, "%p", (void *)s); /* certain */
    sprintf(ten, "%p", (void *)s);
    sprintf(fifteen, "%p", (void *)s);
    sprintf(nine, "%lx", (unsigned long)s); /* certain */
    sprintf(nine, "%08lX", (unsigned long)(uintptr_t)s); /* certain */
    sprintf(eleven, "%#lx", (unsigned long)&n); /* certain */
    sprintf(twelve, "%lu", (unsigned long)s); /* certain */
    sprintf(twelve, "<%ld", (long)s);
    sprintf(nine, "%x", (unsigned)(uintptr_t)s);
    sprintf(twelve, "%ld", n); /* possible */
    sprintf(s->name, "%ld", s->number); /* possible */
    sprintf(twelve, "%zu\n", size); /* possible */
    sprintf(nine, "%lx", u); /* possible */
    sprintf(twelve, "%lo", u); /* possible */
    sprintf(twelve, "%d", i);
    sprintf(twelve, "%lld", both);
    sprintf(large, "%ld", n);
    sprintf(seventeen, "%lx", u);
    sprintf(eleven, "%ld", n);
    sprintf(fifteen, "%d %c", i, 'x');
    keep(eleven); keep(twelve); keep(nine); keep(ten); keep(fifteen); keep(seventeen); keep(large); keep((char *)bytes);
}

/* What is known to be small has as many digits for both, and what is not known has any number. */
void known(const char *text, long n, unsigned long u)
{
    char twelve[12], eleven[11];
    long hundred = 100, masked = n & 0xffff;
    sprintf(twelve, "%ld", hundred);
    sprintf(twelve, "%ld", masked);
    sprintf(twelve, "%lu", u & 0xffff);
    sprintf(twelve, "%s%ld", text, n);
    sprintf(twelve, "%-*ld", small(), n);
    sprintf(twelve, "%s%lu\n", "", u); /* possible */
    sprintf(twelve, "%s%lu\n", "abc", u);
    sprintf(twelve, "%.3s", text);
    sprintf(twelve, "%f", (double)n);
    sprintf(twelve, "%ld%m", n);
    sprintf(eleven, "%ld\x41", n);
    sprintf(eleven, "%3ld%%", u & 7);
    sprintf(eleven, "%170141183460469231731687303715884105727ld%170141183460469231731687303715884105727ld", n, n);
    sprintf(eleven, "%", n);
    sprintf(eleven, "", n);
    snprintf(eleven, 0, "%ld", n);
    snprintf(eleven, -1, "%ld", n);
    sprintf(twelve, "%ld", 100000000000);
    keep(twelve); keep(eleven);
}

/* A text that is cut tells less, and nothing behind it is lost. */
void cut(char *p, long n, char *to, size_t size)
{
    char eleven[11], twelve[12];
    snprintf(eleven, sizeof eleven, "%p", p); /* probable */
    snprintf(to, 11, "%p", p); /* probable */
    snprintf(to, sizeof to, "%p", p);
    snprintf(to, size, "%p", p);
    snprintf(twelve, sizeof twelve, "%ld", n); /* possible */
    sprintf(to, "%p", p);
    keep(eleven); keep(twelve);
}

/* A pointer that carries a number has as many digits as that. */
typedef struct handle *handle;
handle made(int n) { return (handle)(long)(n & 7); }
void carried(handle h)
{
    char eleven[11];
    sprintf(eleven, "%p", (void *)h); /* possible */
    keep(eleven);
}
