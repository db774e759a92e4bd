// mlockall, munlockall, mseal, process_madvise, pkey_alloc, pkey_mprotect, pkey_free.
//# needs: root
#include "expect.h"

// Kilobytes of this process that are locked.
static long locked(void) {
    char text[8192];
    int fd = must(open("/proc/self/status", O_RDONLY));
    text[must(read(fd, text, sizeof text - 1))] = 0;
    close(fd);
    char *line = strstr(text, "VmLck:");
    return line ? atol(line + 6) : -1;
}

int main(void) {
    char *pages = must(mmap(0, 8 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    fails("mlockall of nothing", syscall(SYS_mlockall, 0), EINVAL);
    fails("mlockall flags", syscall(SYS_mlockall, 8), EINVAL);
    fails("mlockall, only when touched", syscall(SYS_mlockall, MCL_ONFAULT), EINVAL);
    succeeds("mlockall", syscall(SYS_mlockall, MCL_CURRENT | MCL_ONFAULT));
    check("locked", locked() >= 32);
    succeeds("munlockall", syscall(SYS_munlockall));
    equal("no more", locked(), 0);

    int me = must(syscall(SYS_pidfd_open, getpid(), 0));
    pages[0] = pages[4096] = pages[8192] = 1;
    struct { void *base; size_t length; } vectors[2] = {{pages, 4096}, {pages + 8192, 4096}};
    optional(syscall(440, -1, 0, 0L, 0, ~0u));
    equal("process_madvise", syscall(440, me, vectors, 2L, 20 /* MADV_COLD */, 0L), 8192);
    fails("process_madvise flags", syscall(440, me, vectors, 2L, 20, 1L), EINVAL);
    fails("process_madvise, no such advice", syscall(440, me, vectors, 2L, 99, 0L), EINVAL);
    fails("process_madvise nowhere", syscall(440, me, forbidden(), 2L, 20, 0L), EFAULT);
    fails("process_madvise, too many", syscall(440, me, vectors, 1025L, 20, 0L), EINVAL);
    fails("process_madvise, no descriptor", syscall(440, 99, vectors, 2L, 20, 0L), EBADF);

    optional(syscall(462, 1L, 0L, ~0L));
    fails("mseal flags", syscall(462, pages, 4096L, 1L), EINVAL);
    fails("mseal, not a page", syscall(462, pages + 5, 4096L, 0L), EINVAL);
    must(munmap(pages + 7 * 4096, 4096));
    fails("mseal of a hole", syscall(462, pages, 8 * 4096L, 0L), ENOMEM);
    succeeds("mseal", syscall(462, pages + 4096, 4096L, 0L));
    fails("sealed: mprotect", mprotect(pages + 4096, 4096, PROT_READ), EPERM);
    fails("sealed: munmap", munmap(pages + 4096, 4096), EPERM);
    fails("sealed: munmap of more", munmap(pages, 3 * 4096), EPERM);
    fails("sealed: mremap", (long)mremap(pages + 4096, 4096, 8192, MREMAP_MAYMOVE), EPERM);
    fails("sealed: mmap over it", (long)mmap(pages + 4096, 4096, PROT_READ, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), EPERM);
    always();

    fails("pkey_alloc flags", syscall(SYS_pkey_alloc, 1L, 0L), EINVAL);
    fails("pkey_alloc rights", syscall(SYS_pkey_alloc, 0L, 16L), EINVAL);
    long key = syscall(SYS_pkey_alloc, 0L, 0L);
    // The processor may have no keys.
    expect_absent = key == -1 && (errno == ENOSPC || errno == EINVAL);
    check("pkey_alloc", key > 0 && key < 16);
    succeeds("pkey_mprotect", syscall(SYS_pkey_mprotect, pages + 8192, 4096L, PROT_READ | PROT_WRITE, key));
    equal("pages of it can be used", pages[8192] += 4, 5);
    succeeds("pkey_free", syscall(SYS_pkey_free, key));
    fails("pkey_free again", syscall(SYS_pkey_free, key), EINVAL);
    always();
    succeeds("pkey_mprotect without a key", syscall(SYS_pkey_mprotect, pages + 8192, 4096L, PROT_READ, -1L));
    fails("pkey_mprotect, no such key", syscall(SYS_pkey_mprotect, pages + 8192, 4096L, PROT_READ, 15L), EINVAL);
    fails("pkey_free of none", syscall(SYS_pkey_free, 77L), EINVAL);
    return finish();
}
