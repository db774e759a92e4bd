#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
void own(const char *format, ...);
void message(int level, const char *format, ...);
void list(const char *first, ...);
void counted(int count, ...);
void strange(const char *format, ...);
void stranger(const char *format, ...);
extern void (*pointed)(const char *format, ...);
void own_scan(const char *text, const char *format, ...);
extern long wide;
extern int half, size;
int is_bad(void) { return half < 0; }
extern const char *known;

void wrapper(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
}

void calls(const char *s, long *to)
{
    wrapper("%d\n", s); /* possible */
    wrapper("%d\n", wide); /* possible */
    wrapper("%ld\n", half); /* probable */
    wrapper("%ld\n", size); /* possible */
    wrapper("%ld\n", wide);
    own("%s %ld\n", s, half); /* probable */
    own("%d\n", wide); /* possible */
    own(s, half);
    own("100%\n", half);
    own("%d %d\n", wide);
    message(1, "%ld\n", half); /* probable */
    list("a", s, 0);
    list("%ld", half, 0);
    counted(1, half);
    own_scan(s, "%d", to); /* probable */
    pointed("%ld\n", half); /* probable */
    /* A number that a pointer carries. */
    message(1, "%d\n", (long)s); /* possible */
    message(1, "%d\n", pthread_self()); /* probable */
    /* Whoever gives it a text for a number has a language of its own. */
    strange("%d\n", s);
    strange("%ld\n", half);
    stranger("%s\n", half);
    stranger("%ld\n", half);
}
