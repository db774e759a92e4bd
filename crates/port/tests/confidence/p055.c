// pair: i386:arm64
#include <wchar.h>
int next(void);
extern char text[];

int compared(char c, signed char s, unsigned char u, int n, char *at, wchar_t w, long number)
{
    int all = 0;
    all += c == -1; /* certain */
    all += -1 == c; /* certain */
    all += c != -1; /* certain */
    all += c < 0; /* certain */
    all += 0 > c; /* certain */
    all += c >= 0; /* certain */
    all += 0 <= c; /* certain */
    all += c > 127; /* certain */
    all += c >= 128; /* certain */
    all += c <= 127; /* certain */
    all += c < 128; /* certain */
    all += c == 255; /* certain */
    all += *at == -1; /* certain */
    all += text[n] == -1; /* certain */
    all += (c = next()) == -1; /* certain */
    all += (c += next()) == -1; /* certain */
    all += c == 'a';
    all += c > 0;
    all += c <= 0;
    all += c < 'a';
    all += c == 300;
    all += c < 1000;
    all += s < 0;
    all += s == -1;
    all += u == 255;
    all += u < 0;
    all += n < 0;
    all += c == n;
    all += c - 0;
    all += c & -1;
    all += c == u;
    all += '\377' == -1;
    all += (char)-1 < 0;
    all += (n = c) < 0;
    all += 100 > c;
    all += 128 < c; /* certain */
    all += c == 200; /* certain */
    all += w < 0; /* certain */
    all += w == -1;
    all += c < (int)sizeof(long);
    all += number > 0x7fffffffL;
    return all;
}
