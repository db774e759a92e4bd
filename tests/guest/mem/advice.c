// madvise, mincore, mlock, msync.
//# libc: static
#include "expect.h"

int main(void) {
    enum { P = 4096 };
    unsigned char *a = must(mmap(0, 8 * P, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)), v[8];
    memset(a, 9, 8 * P);
    succeeds("MADV_DONTNEED", madvise(a, P, MADV_DONTNEED));
    check("zeros again", a[0] == 0 && a[P] == 9);
    for (int advice = 0; advice <= 3; advice++) must(madvise(a, 8 * P, advice));
    fails("unknown advice", madvise(a, P, 12345), EINVAL);
    fails("unaligned", madvise(a + 1, P, MADV_NORMAL), EINVAL);
    succeeds("MADV_FREE", madvise(a, P, MADV_FREE));
    succeeds("MADV_DONTFORK", madvise(a + 4 * P, P, MADV_DONTFORK));
    succeeds("MADV_WIPEONFORK", madvise(a + 5 * P, P, MADV_WIPEONFORK));
    pid_t child = must(fork());
    if (!child) {
        int p[2];
        must(pipe(p));
        fails("child: not inherited", write(p[1], a + 4 * P, 1), EFAULT);
        check("child: wiped", a[5 * P] == 0 && a[6 * P] == 9);
        _exit(finish());
    }
    equal("child", end_of(child), 0);
    memset(v, 0xff, sizeof v);
    a[7 * P] = 1;
    succeeds("mincore", mincore(a, 8 * P, v));
    check("the page just written is there", v[7] & 1);
    must(munmap(a + P, P));
    fails("mincore of a hole", mincore(a, 8 * P, v), ENOMEM);
    fails("mincore, unaligned", mincore(a + 1, P, v), EINVAL);
    fails("mincore to nowhere", mincore(a, P, forbidden()), EFAULT);
    succeeds("mlock", mlock(a, P));
    succeeds("munlock", munlock(a, P));
    fails("mlock of a hole", mlock(a, 8 * P), ENOMEM);
    succeeds("mlock2", syscall(SYS_mlock2, a, P, 1));
    int fd = must(open("f", O_CREAT | O_RDWR, 0600));
    must(ftruncate(fd, 2 * P));
    char *m = must(mmap(0, 2 * P, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
    m[0] = 'm';
    succeeds("msync", msync(m, 2 * P, MS_SYNC | MS_INVALIDATE));
    succeeds("remap_file_pages", remap_file_pages(m, P, 0, 1, 0));
    m[0] = 'n';
    char c;
    must(pread(fd, &c, 1, P));
    equal("the other page", c, 'n');
    return finish();
}
