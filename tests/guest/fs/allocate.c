// fallocate, punch hole, copy_file_range, fsync.
//# cflags: -D_FILE_OFFSET_BITS=64
#include "expect.h"

int main(void) {
    int fd = must(open("f", O_CREAT | O_RDWR, 0600)), to = must(open("g", O_CREAT | O_RDWR, 0600));
    struct stat s;
    succeeds("fallocate above 4 GiB", fallocate(fd, 0, 1LL << 32, 8192));
    must(fstat(fd, &s));
    equal("size", s.st_size, (1LL << 32) + 8192);
    succeeds("keep size", fallocate(fd, FALLOC_FL_KEEP_SIZE, 1LL << 33, 4096));
    must(fstat(fd, &s));
    equal("size kept", s.st_size, (1LL << 32) + 8192);
    must(pwrite(fd, "xyz", 3, 1LL << 32));
    succeeds("punch", fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 1LL << 32, 4096));
    char text[4] = "abc";
    equal("read", pread(fd, text, 3, 1LL << 32), 3);
    check("zeros", !memcmp(text, "\0\0\0", 3));
    fails("negative offset", fallocate(fd, 0, -1, 10), EINVAL);
    fails("length zero", fallocate(fd, 0, 0, 0), EINVAL);
    fails("unknown mode", fallocate(fd, 0x1000, 0, 10), EOPNOTSUPP);
    must(pwrite(fd, "hello", 5, (1LL << 32) + 100));
    off_t in = (1LL << 32) + 100, out = (3LL << 32) + 7;
    equal("copy_file_range", copy_file_range(fd, &in, to, &out, 5, 0), 5);
    check("offsets moved", in == (1LL << 32) + 105 && out == (3LL << 32) + 12);
    equal("copied", pread(to, text, 4, (3LL << 32) + 7), 4);
    check("contents", !memcmp(text, "hell", 4));
    fails("copy flags", copy_file_range(fd, &in, to, &out, 5, 1), EINVAL);
    succeeds("fsync", fsync(fd));
    succeeds("fdatasync", fdatasync(to));
    fails("fsync of nothing", fsync(999), EBADF);
    return finish();
}
