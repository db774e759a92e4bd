/* What nobody names here may be named where others include the header. */
#include <stdio.h>
#include <sys/uio.h>
#include <time.h>
void skips(FILE *f, struct timespec *time, struct iovec *block)
{
    fread(&time->tv_nsec, 4, 1, f); /* certain */
    fread(&block->iov_base, 4, 1, f); /* possible */
}
