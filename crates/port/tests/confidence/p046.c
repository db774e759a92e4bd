#include <stdarg.h>
#include <stdio.h>
extern int kept;
int own(const char *format, va_list ap);
int by_address(va_list *ap);
int by_number(int of);

int twice(const char *format, va_list ap, va_list other, va_list third, va_list fourth)
{
    vprintf(format, ap);
    own(format, other);
    if (kept)
        vprintf(format, ap); /* certain */
    kept = va_arg(other, int); /* certain */
    if (vprintf(format, third) > 0)
        own(format, third); /* certain */
    return own(format, fourth);
}

int sets(const char *format, ...)
{
    va_list ap, again;
    va_start(ap, format);
    vprintf(format, ap);
    va_end(ap);
    va_start(ap, format);
    va_copy(again, ap);
    kept = va_arg(ap, int);
    vprintf(format, ap);
    va_end(ap);
    vprintf(format, again);
    va_end(again);
    va_start(ap, format);
    by_address(&ap);
    return vprintf(format, ap);
}

int either(const char *format, va_list ap)
{
    switch (kept) {
    case 1:
        vprintf(format, ap);
        break;
    case 2:
        own(format, ap);
    }
    if (kept) {
        own(format, ap);
        return 1;
    }
    if (kept == 2)
        own(format, ap);
    else
        vprintf(format, ap);
    return kept ? own(format, ap) : vprintf(format, ap);
}

/* What has been printed is taken out once more; who breaks out of a `switch` stays in the loop. */
int eats(char *to, const char *format, va_list ap, va_list other)
{
    switch (*format) {
    case 'd':
        vsprintf(to, format, ap);
        while (kept--)
            (void)va_arg(ap, int); /* certain */
        break;
    case 'e':
        vsprintf(to, format, ap);
        break;
    case 'f':
        (void)va_arg(ap, int);
    }
    for (; *format; format++) {
        switch (*format) {
        case 'd':
            vsprintf(to, format, other); /* probable */
            break;
        default:
            return vsprintf(to, format, other);
        }
    }
    return 0;
}

int loops(char *to, int size, const char *format, va_list ap, va_list other)
{
    while (size < 4) {
        int n = vsnprintf(to, size, format, ap); /* probable */
        if (n < size)
            break;
        size *= 2;
    }
    for (;;) {
        va_list again;
        va_copy(again, other);
        vsnprintf(to, size, format, again);
        va_end(again);
    }
    for (;;)
        return own(format, other);
    for (;;) {
        own(format, other);
        break;
    }
}

/* What is taken out of a list is no list. */
int takes(int first, va_list ap)
{
    for (int i = 0; i < 4; i++)
        kept = by_number(va_arg(ap, int));
    kept = by_number(va_arg(ap, int));
    return va_arg(ap, int);
}

/* Who only copies the list takes nothing out of it; who says that it could not has mostly taken nothing. */
static int length(va_list of)
{
    va_list copied;
    va_copy(copied, of);
    return own("", copied);
}
static int length_of(va_list of) { return length(of); }
static int taken(va_list of) { return va_arg(of, int); }
int copies(va_list ap, va_list other, va_list third)
{
    length_of(ap);
    taken(other);
    if (own("", third))
        return 1;
    return va_arg(ap, int)
        + va_arg(other, int) /* certain */
        + va_arg(third, int); /* possible */
}

/* A macro that nobody has defined. */
void __VA_COPY_USE(va_list to, va_list from);
int configured(const char *format, va_list ap)
{
    va_list again;
    __VA_COPY_USE(again, ap);
    return vprintf(format, again) + vprintf(format, ap);
}

/* A block that is left at its end is no loop, and where nothing sets the list nobody knows. */
void once(const char *format, va_list ap)
{
    do {
        vprintf(format, ap);
    } while (0);
    do {
        own(format, ap); /* probable */
    } while (kept);
}

/* No line is as long as that. */
int enough(char *large, const char *format, va_list ap, va_list other, va_list third)
{
    char small[64], ample[65536];
    if (vsnprintf(ample, sizeof ample, format, ap) >= (int)sizeof ample)
        vsprintf(large, format, ap); /* possible */
    if (vsnprintf(small, sizeof small, format, other) >= (int)sizeof small)
        vsprintf(large, format, other); /* certain */
    vsnprintf(ample, sizeof ample, format, third);
    return vsprintf(large, format, third); /* certain */
}

/* Nor does printing fail. */
int fails(char *to, const char *format, va_list ap, va_list other, va_list third)
{
    int n = vsnprintf(to, 80, format, ap);
    if (n < 0)
        return vprintf(format, ap); /* possible */
    n = vsnprintf(to, 80, format, other);
    if (n < 80)
        return vprintf(format, other); /* certain */
    n = vsnprintf(to, 80, format, third);
    if (n == -1)
        kept = 1;
    else
        vprintf(format, third); /* certain */
    return n;
}

/* Each has a condition, and both may hold. */
void both(int level, int to, const char *format, va_list ap, va_list other, va_list third, va_list fourth, va_list fifth)
{
    if (level <= kept && to & 1)
        vprintf(format, ap);
    if (level <= kept + 1 && to & 2)
        vprintf(format, ap); /* probable */
    if (to == 1)
        vprintf(format, other);
    if (to == 2)
        vprintf(format, other);
    if (level < kept)
        vprintf(format, third);
    if (level >= kept)
        vprintf(format, third);
    if (level)
        vprintf(format, fourth);
    if (!level)
        vprintf(format, fourth);
    if (level) {
        vprintf(format, fifth);
        return;
    }
    if (to)
        vprintf(format, fifth);
}

/* assert(3) has what it asks in an operand of sizeof as well. */
#include <assert.h>
void asserts(char *to, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    assert(vsprintf(to, format, ap) < 80);
    va_end(ap);
}

/* A function that takes any arguments takes no list of them: vfprintf() is meant. */
void variadic(const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    fprintf(stderr, format, ap);
    vprintf(format, ap);
    fprintf(stdout, format, ap);
    va_end(ap);
}

/* One case of several is taken. */
void one(int level, int shows, const char *format, va_list ap, va_list other)
{
    switch (level) {
    case 1:
        if (shows > 0)
            vprintf(format, ap);
        break;
    case 2:
        if (shows > 1)
            vprintf(format, ap);
        break;
    case 3:
        if (shows > 1)
            vprintf(format, other);
        /* fall through */
    default:
        if (shows > 2)
            vprintf(format, other); /* probable */
    }
}

/* A format that asks for nothing. */
void asks_for_nothing(char *to, const char *format, va_list ap, va_list other, va_list last)
{
    if (vsnprintf(to, 8, format, ap) > 8)
        vsnprintf(to, 8, "too long", ap);
    if (vsnprintf(to, 8, format, other) > 8)
        vsnprintf(to, 8, "too long: %s", other); /* certain */
    vsnprintf(to, 8, format, last);
    vsnprintf(to, 8, "nothing", last);
    vsnprintf(to, 8, format, last); /* certain */
}

/* A loop that counts comes by one number once. */
void comes_by(int levels, int mode, const char *format, va_list ap, va_list other, va_list last)
{
    for (int level = 0; level < levels; level++) {
        if (level == 0)
            vprintf(format, ap);
        if (mode == 0)
            vprintf(format, other); /* probable */
        if (level >= 1)
            vprintf(format, last); /* probable */
    }
}
