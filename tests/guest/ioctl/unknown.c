// Numbers that nobody knows, of every direction and size, on what is no device: the same error as ever.
//# libc: static
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include "expect.h"

int main(void) {
    int ends[2], sockets[2];
    must(pipe(ends));
    must(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets));
    int descriptors[] = {
        file_of("contents"), ends[0], sockets[0], must(open("/dev/null", O_RDWR)), must(memfd_create("m", 0)), must(epoll_create1(0)),
        must(inotify_init1(0)), must(timerfd_create(CLOCK_MONOTONIC, 0)), must(eventfd(0, 0)),
    };
    char *argument = before_forbidden(64);
    for (unsigned i = 0; i < sizeof descriptors / sizeof *descriptors; i++)
        for (unsigned direction = 0; direction < 4; direction++)
            for (unsigned size = 0; size < 16; size++) {
                unsigned number = _IOC(direction, 0xf5, 0x77, size);
                memset(argument, 0x5a, 64);
                char name[64];
                snprintf(name, sizeof name, "descriptor %u, direction %u, size %u", i, direction, size);
                errno = 0;
                int result = ioctl(descriptors[i], number, argument);
                say("%s: %d %s", name, result, error_name(errno));
                int changed = 0;
                for (int at = 0; at < 64; at++) changed |= argument[at] != 0x5a;
                check("nothing is written", !changed);
            }
    fails("no descriptor", ioctl(999, _IOR(0xf5, 0x77, int), argument), EBADF);
    fails("no descriptor, of old", ioctl(999, 0xf577, argument), EBADF);
    fails("sound without sound", ioctl(descriptors[0], 0xc25c4111 /* SNDRV_PCM_IOCTL_HW_PARAMS */, argument), ENOTTY);
    fails("a number of 64-bit programs", ioctl(descriptors[0], 0x80081270 /* BLKBSZGET there */, argument), ENOTTY);
    return finish();
}
