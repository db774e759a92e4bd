#include <sys/select.h>
#include <rpc/no_such_header.h>

/* `#ifdef FD_SETSIZE`: what a set is, a header says that is not there. */
int waits(int descriptors)
{
    return select(8, (fd_set *)&descriptors, 0, 0, 0); /* possible */
}
