// A process has the descriptors that it was given and no others, whatever it looks with: programs check what they inherited.
// With --chroot, biarch has one of its own.
//# options: --chroot /
//# needs: root
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/statfs.h>
#include "expect.h"

#define LAST 2048

// Prints whether `open_one` is true of any descriptor but the standard ones.
#define none(name, open_one) do { \
        int found = -1; \
        for (int fd = 3; fd < LAST; fd++) if (open_one) found = fd; \
        equal(name, found, -1); \
    } while (0)

static void look(void) {
    struct stat st;
    struct statfs fs;
    char empty[] = "", link[64], statx_buffer[256];
    int pending;
    none("F_GETFD", fcntl(fd, F_GETFD) >= 0);
    none("F_DUPFD", fcntl(fd, F_DUPFD, 0) >= 0);
    none("dup", dup(fd) >= 0);
    none("fstat", fstat(fd, &st) == 0);
    none("fstatat", fstatat(fd, empty, &st, AT_EMPTY_PATH) == 0);
    none("statx", syscall(SYS_statx, fd, empty, AT_EMPTY_PATH, 0xfff, statx_buffer) == 0);
    none("fstatfs", fstatfs(fd, &fs) == 0);
    none("readlinkat", syscall(SYS_readlinkat, fd, empty, link, sizeof link) >= 0 || errno != EBADF);
    none("lseek", lseek(fd, 0, SEEK_CUR) >= 0);
    none("fsync", fsync(fd) == 0);
    none("pread", pread(fd, link, sizeof link, 0) >= 0);
    none("FIONREAD", ioctl(fd, FIONREAD, &pending) == 0 || errno != EBADF);
    none("fchdir", fchdir(fd) == 0 || errno != EBADF);
    none("mmap", mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0) != MAP_FAILED);
}

int main(int argc, char **argv) {
    // What the caller of the tests left open.
    succeeds("close_range", syscall(SYS_close_range, 3, ~0U, 0));
    if (argc > 1) {
        say("executed");
        look();
        return finish();
    }
    look();
    pid_t child = must(fork());
    if (child == 0) {
        execv("/proc/self/exe", (char *[]){argv[0], "again", NULL});
        _exit(98);
    }
    int status;
    must(waitpid(child, &status, 0));
    equal("the program that was executed", status, 0);
    return finish();
}
