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
    seek_by(n - m); /* probable */
    fseek(stream, n - m, SEEK_CUR); /* probable */
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
