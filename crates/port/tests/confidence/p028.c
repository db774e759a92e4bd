#include <stdio.h>
extern long number;
extern unsigned long word;
extern int kept;
extern char text[];
int use(long of);
int seek_by(long by);

void below(unsigned n, unsigned m, unsigned char b, FILE *stream, size_t size)
{
    number = -n; /* certain */
    number = n - m; /* possible */
    seek_by(n - m); /* possible */
    fseek(stream, n - m, SEEK_CUR); /* possible */
    fseek(stream, -n, SEEK_CUR); /* certain */
    use(n - m); /* possible */
    seek_by(-n); /* certain */
    number = (long)(n - m);
    word = n - m;
    number = n + m;
    number = n;
    number = 8 - n; /* possible */
    number = (int)(n - m);
    kept = text[-n]; /* certain */
    kept = text[n - m]; /* possible */
    kept = *(text + (n - m)); /* possible */
    kept = text[n + m];
    kept = text[-(int)n];
    kept = text[b - 1];
    number = -size;
    if (n > m)
        number = n - m;
    number = n - n % 4;
    number = n - m % 4; /* possible */
}

/* One that is known to be above. */
void known(unsigned n, unsigned m, unsigned char b, unsigned char c, unsigned rest)
{
    number = (b + 256u) - c;
    number = b - (unsigned)c; /* possible */
    rest = n % 4;
    number = n - rest;
    number = m - rest; /* possible */
    if (8 <= m)
        number = m - 8;
    number = n - 8; /* possible */
    if (n == rest)
        number = n - m; /* possible */
}
