// mmap, munmap, mprotect: placement, contents, errors.
//# libc: static dynamic musl
//# cflags: -D_FILE_OFFSET_BITS=64
#include "expect.h"

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif
enum { RW = PROT_READ | PROT_WRITE, ANON = MAP_PRIVATE | MAP_ANONYMOUS };

int main(void) {
    char *a = mmap(0, 3 * 4096, RW, ANON, -1, 0), *b, byte;
    check("anonymous", a != MAP_FAILED && !((uintptr_t)a & 4095));
    check("zeros", a[0] == 0 && a[3 * 4096 - 1] == 0);
    memset(a, 1, 3 * 4096);
    succeeds("munmap of the middle", munmap(a + 4096, 4096));
    check("the rest is there", a[0] == 1 && a[8192] == 1);
    int p[2];
    must(pipe(p));
    fails("the middle is not", write(p[1], a + 4096, 1), EFAULT);
    b = mmap(a + 4096, 4096, RW, ANON, -1, 0);
    check("a hint that is free is taken", b == a + 4096 && b[0] == 0);
    b = mmap(a, 4096, RW, ANON, -1, 0);
    check("a hint that is not free is not", b != a && b != MAP_FAILED);
    fails("MAP_FIXED_NOREPLACE", (long)mmap(a, 4096, RW, ANON | MAP_FIXED_NOREPLACE, -1, 0), EEXIST);
    check("what was there is unharmed", a[0] == 1);
    b = mmap(a, 8192, RW, ANON | MAP_FIXED, -1, 0);
    check("MAP_FIXED replaces", b == a && a[0] == 0 && a[8192] == 1);
    fails("MAP_FIXED, unaligned", (long)mmap(a + 1, 4096, RW, ANON | MAP_FIXED, -1, 0), EINVAL);
    fails("no length", (long)mmap(0, 0, RW, ANON, -1, 0), EINVAL);
    fails("neither shared nor private", (long)mmap(0, 4096, RW, MAP_ANONYMOUS, -1, 0), EINVAL);
    fails("no file", (long)mmap(0, 4096, RW, MAP_PRIVATE, 999, 0), EBADF);
    fails("an enormous length", (long)mmap(0, (size_t)-4096, RW, ANON, -1, 0), ENOMEM);
    fails("munmap, unaligned", munmap(a + 1, 4096), EINVAL);
    fails("munmap of no length", munmap(a, 0), EINVAL);

    int fd = must(open("f", O_CREAT | O_RDWR, 0600));
    must(pwrite(fd, "page one", 8, 0));
    must(pwrite(fd, "page two", 8, 4096));
    must(ftruncate(fd, 4096 + 100));
    enum { VALIDATE = 3 /* MAP_SHARED_VALIDATE */, SYNC = 0x80000 };
    b = mmap(0, 4096, RW, VALIDATE, fd, 0);
    check("MAP_SHARED_VALIDATE", b != MAP_FAILED && !memcmp(b, "page one", 8));
    fails("a flag that the file has not", (long)mmap(0, 4096, RW, VALIDATE | SYNC, fd, 0), EOPNOTSUPP);
    fails("MAP_SHARED_VALIDATE of no file", (long)mmap(0, 4096, RW, VALIDATE, 999, 0), EBADF);
    b = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
    check("private file", !strcmp(b, "page one") && !strcmp(b + 4096, "page two") && b[8191] == 0);
    b[0] = 'P';
    must(pread(fd, &byte, 1, 0));
    equal("writing does not reach the file", byte, 'p');
    b = mmap(0, 4096, RW, MAP_SHARED, fd, 4096);
    b[0] = 'P';
    must(pread(fd, &byte, 1, 4096));
    equal("shared does", byte, 'P');
    fails("offset not of a page", (long)mmap(0, 4096, PROT_READ, MAP_SHARED, fd, 100), EINVAL);
    fails("write to read only", (long)mmap(0, 4096, RW, MAP_SHARED, must(open("f", O_RDONLY)), 0), EACCES);
    fails("a directory", (long)mmap(0, 4096, PROT_READ, MAP_SHARED, must(open(".", O_RDONLY)), 0), ENODEV);
    must(ftruncate(fd, (5LL << 32) + 4096));
    must(pwrite(fd, "far", 3, 5LL << 32));
    b = mmap(0, 4096, PROT_READ, MAP_SHARED, fd, 5LL << 32);
    check("an offset of 20 GiB", b != MAP_FAILED && !strcmp(b, "far"));

    succeeds("mprotect", mprotect(a, 4096, PROT_READ));
    fails("read only now", read(must(open("/dev/zero", O_RDONLY)), a, 1), EFAULT);
    succeeds("mprotect back", mprotect(a, 4096, RW));
    a[0] = 5;
    fails("mprotect, unaligned", syscall(SYS_mprotect, a + 1, 4096, RW), EINVAL);
    must(munmap(a + 4096, 4096));
    fails("mprotect across a hole", mprotect(a, 12288, RW), ENOMEM);
    fails("mprotect bits", mprotect(a, 4096, 0x1000), EINVAL);
    fails("msync flags", msync(a, 4096, MS_ASYNC | MS_SYNC), EINVAL);
    fails("msync of a hole", msync(a, 12288, MS_SYNC), ENOMEM);
    succeeds("msync", msync(b, 4096, MS_SYNC));
    return finish();
}
