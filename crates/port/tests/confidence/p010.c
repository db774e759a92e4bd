#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>
extern int kept;
extern long other;
#include <sys/types.h>
extern off_t placed;
extern char text[];
int use(int of);
void seek_to(int descriptor, int offset);
typedef unsigned long XID;

void cuts(long n, size_t size, off_t at, XID window, uint64_t all, time_t when)
{
    kept = n; /* possible */
    kept = (int)n; /* possible */
    kept = (int)n & 7;
    kept = n & 7;
    kept = size; /* possible */
    kept = all;
    kept = window;
    kept = when;
    kept = at; /* possible */
    kept = (_Bool)n;
    kept = (short)n;
    if ((int)n)
        use(n); /* possible */
    (void)(int)n;
    use((int)n); /* possible */
    use((unsigned)n); /* possible */
}

/* For 32 bits no cast was needed: whoever wrote it knew that the number is small. */
void written(const char *s, const char *end, ssize_t got)
{
    kept = strlen(s); /* possible */
    kept = (int)strlen(s);
    kept = end - s; /* possible */
    kept = (int)(end - s);
    kept = got; /* possible */
    kept = (int)got;
    kept = (int)sizeof text[0];
}

/* No more than 2 GiB are asked for. */
void limited(int descriptor, size_t size, unsigned count, long extra)
{
    kept = read(descriptor, text, size); /* possible */
    kept = read(descriptor, text, count);
    kept = read(descriptor, text, 512);
    kept = read(descriptor, text, 512 + extra); /* possible */
}

/* An offset that is used as one again leads to another place of a large file. */
void seeks(FILE *stream, int descriptor)
{
    int at = ftello(stream); /* probable */
    fseeko(stream, at, SEEK_SET);
    int place = ftell(stream); /* possible */
    fseek(stream, place, SEEK_SET);
    int before = ftell(stream) - 1; /* possible */
    fseek(stream, before, SEEK_SET);
    int to = lseek(descriptor, 0, SEEK_CUR); /* probable */
    seek_to(descriptor, to);
    unsigned in_archive = lseek(descriptor, 0, SEEK_CUR); /* probable */
    seek_to(descriptor, in_archive);
    unsigned in_format = placed; /* possible */
    seek_to(descriptor, in_format);
    int in_int = placed; /* probable */
    seek_to(descriptor, in_int);
    int cast = (int)ftello(stream); /* possible */
    fseek(stream, cast, SEEK_SET);
    int shown = ftello(stream); /* possible */
    use(shown);
    int computed = ftello(stream); /* possible */
    other = computed * 2;
    int again = ftello(stream); /* probable */
    off_t whole = again;
    other = whole;
}

/* What an element of an array is taken by is a place in memory. */
void walks(const char *bytes, off_t at, off_t from)
{
    while (bytes[at] == ' ') {
        int place = at; /* possible */
        at = place + 1;
        at = place;
        int other = from; /* probable */
        from = other;
    }
}

/* The end of a type is another number when it is cut; what is -1 for both, as much of a mask, is not. */
void limits(long number, int *all)
{
    kept = LONG_MAX; /* probable */
    kept = (int)LONG_MIN; /* probable */
    *all = (unsigned)LONG_MIN; /* probable */
    kept = INT_MAX;
    kept = ULONG_MAX;
    kept = -1L;
    kept = (int)0UL;
    switch (number) {
    case (int)LONG_MAX: /* probable */
        use(1);
    }
    if (number == (int)LONG_MAX) /* probable */
        use(2);
}

/* What a function returns is as large as what it returns of. */
static long second(const unsigned *of) { return of[1]; }
static long half(const unsigned *of) { if (!of) return other; return of[1]; }
void returns(const unsigned *of)
{
    kept = second(of);
    kept = half(of); /* possible */
}

/* Of what has 64 bits anyway as much is left for 32. */
#include <stdlib.h>
void parses(int descriptor, const char *text)
{
    int at = (off_t)strtoull(text, 0, 0); /* possible */
    seek_to(descriptor, at);
    lseek(descriptor, at, SEEK_SET);
    int of_long = (off_t)strtoul(text, 0, 0); /* probable */
    lseek(descriptor, of_long, SEEK_SET);
}

/* Where a file ends that has just been written from its beginning. */
void writes_again(FILE *stream, FILE *other, int to)
{
    rewind(stream);
    fprintf(stream, "%d", to);
    int end = ftello(stream); /* possible */
    fseeko(stream, end, SEEK_SET);
    int of_other = ftello(other); /* probable */
    fseeko(other, of_other, SEEK_SET);
    rewind(other);
    while (fgetc(other) != EOF)
        to++;
    int after = ftello(other); /* probable */
    fseeko(other, after, SEEK_SET);
}
