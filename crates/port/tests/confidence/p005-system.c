/* What the system's functions write is known, whatever else they get. */
#include <stdlib.h>
#define ALIGNED 64
int half;
void system_call(void)
{
    half = posix_memalign((void **)&half, ALIGNED, 4); /* certain */
}
