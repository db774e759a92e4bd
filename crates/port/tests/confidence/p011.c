#include <stdint.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
extern int count;
extern short small;
extern long wide;
extern uint64_t all;

void adds(const char *s, off_t at, off_t from, time_t when, unsigned char byte, long n)
{
    count += n; /* possible */
    count -= n; /* possible */
    count *= n; /* possible */
    count |= n; /* possible */
    count &= n;
    count ^= n;
    count /= n;
    count += at; /* possible */
    count += at - from; /* possible */
    count += (at); /* possible */
    count += when;
    count += strlen(s); /* possible */
    count += (long)byte;
    count += n & 0xff;
    count += all;
    small += n;
    wide += n;
    count += (int)n;
}
