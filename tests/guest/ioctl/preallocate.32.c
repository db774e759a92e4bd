// FS_IOC_RESVSP and its kin, which the kernel gives 32-bit programs for every file: 64-bit ones have them for regular files only.
#include <sys/ioctl.h>
#include <sys/stat.h>
#include "expect.h"

struct range { short type, whence; long long start, length; int system, process, pad[4]; } __attribute__((packed, aligned(4)));
#define RESERVE _IOW('X', 40, struct range)
#define UNRESERVE _IOW('X', 41, struct range)
#define RESERVE64 _IOW('X', 42, struct range)
#define UNRESERVE64 _IOW('X', 43, struct range)
#define ZERO _IOW('X', 57, struct range)

#define SIZE (1 << 20)

static long long blocks(int fd) {
    struct stat64 s;
    must(fstat64(fd, &s));
    equal("the size stays", s.st_size, SIZE);
    return s.st_blocks;
}

static void on(const char *name, int fd) {
    static const int numbers[] = {RESERVE, UNRESERVE, RESERVE64, UNRESERVE64, ZERO};
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++)
        for (int whence = -1; whence <= 3; whence++)
            for (int length = -1; length <= 1; length++) {
                struct range range = {.whence = whence, .start = 4, .length = length * 4096};
                int result = ioctl(fd, numbers[i], &range);
                say("%s, %u from %d, %d: %s", name, i, whence, length, result ? error_name(errno) : "done");
            }
    fails("nowhere", ioctl(fd, RESERVE, forbidden()), fcntl(fd, F_GETFL) & O_PATH ? EBADF : EFAULT);
}

int main(void) {
    equal("the number is that of 44 bytes", RESERVE, 0x402c5828);
    int fd = must(open("f", O_CREAT | O_RDWR, 0600));
    must(write(fd, "0123456789", 10));
    must(ftruncate(fd, SIZE));
    struct range range = {.start = 0, .length = SIZE};
    if (ioctl(fd, RESERVE, &range) < 0) {
        say("this file system has none");
        return 0;
    }
    check("blocks are there", blocks(fd) >= SIZE / 512);
    range = (struct range){.whence = SEEK_CUR, .start = SIZE / 2 - 10, .length = SIZE / 2};
    succeeds("back, from where the descriptor stands", ioctl(fd, UNRESERVE64, &range));
    check("half of them", blocks(fd) >= SIZE / 2 / 512 && blocks(fd) < SIZE / 512);
    char first;
    range = (struct range){.whence = SEEK_END, .start = -SIZE, .length = 4};
    // tmpfs has none.
    int zeroed = ioctl(fd, ZERO, &range) == 0;
    check("zeros, or not here", zeroed || errno == EOPNOTSUPP);
    must(pread(fd, &first, 1, 0));
    check("zeros from the end", first == (zeroed ? 0 : '0'));
    int ends[2];
    must(pipe(ends));
    on("directory", must(open(".", O_RDONLY | O_DIRECTORY)));
    on("path", must(open(".", O_PATH)));
    on("pipe, read", ends[0]);
    on("pipe, write", ends[1]);
    on("device", must(open("/dev/null", O_RDWR)));
    on("device that has others", must(open("/dev/urandom", O_RDWR)));
    on("for reading", must(open("f", O_RDONLY)));
    fails("bad descriptor", ioctl(999, RESERVE, &range), EBADF);
    return finish();
}
