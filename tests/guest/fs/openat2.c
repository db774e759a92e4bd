// openat2: its structure is versioned by size, and its resolve flags have effects.
#include <linux/openat2.h>
#include "expect.h"

static long openat2(int dir, const char *path, struct open_how *how, size_t size) {
    return syscall(SYS_openat2, dir, path, how, size);
}

int main(void) {
    must(mkdir("d", 0700));
    must(symlink("/etc", "d/etc"));
    must(symlink("real", "d/link"));
    must(close(must(open("d/real", O_CREAT | O_WRONLY, 0600))));
    int dir = must(open("d", O_PATH | O_DIRECTORY));
    struct open_how how = {.flags = O_RDONLY};
    int fd = succeeds("plain", openat2(dir, "real", &how, sizeof how));
    check("is read only", (fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDONLY);
    how.resolve = RESOLVE_BENEATH;
    fails("beneath: dotdot", openat2(dir, "../x", &how, sizeof how), EXDEV);
    fails("beneath: absolute link", openat2(dir, "etc/passwd", &how, sizeof how), EXDEV);
    succeeds("beneath: relative link", openat2(dir, "link", &how, sizeof how));
    how.resolve = RESOLVE_NO_SYMLINKS;
    fails("no symlinks", openat2(dir, "link", &how, sizeof how), ELOOP);
    how.resolve = RESOLVE_IN_ROOT;
    succeeds("in root", openat2(dir, "/../../real", &how, sizeof how));
    fails("in root: the link leads to itself", openat2(dir, "etc/passwd", &how, sizeof how), ELOOP);
    how.resolve = 1 << 20;
    fails("unknown resolve flag", openat2(dir, "real", &how, sizeof how), EINVAL);
    how = (struct open_how){.flags = 1ULL << 40};
    fails("unknown flag above 32 bits", openat2(dir, "real", &how, sizeof how), EINVAL);
    how = (struct open_how){.flags = O_RDONLY, .mode = 0600};
    fails("mode without O_CREAT", openat2(dir, "real", &how, sizeof how), EINVAL);
    how = (struct open_how){.flags = O_CREAT | O_WRONLY, .mode = 0640};
    fd = succeeds("create", openat2(dir, "new", &how, sizeof how));
    struct stat s;
    must(fstat(fd, &s));
    equal("mode", s.st_mode, S_IFREG | 0640);
    how = (struct open_how){.flags = O_RDONLY};
    fails("too small", openat2(dir, "real", &how, sizeof how - 8), EINVAL);
    char large[64] = {};
    memcpy(large, &how, sizeof how);
    succeeds("larger, zeros beyond", openat2(dir, "real", (void *)large, sizeof large));
    large[63] = 1;
    fails("larger, not zeros", openat2(dir, "real", (void *)large, sizeof large), E2BIG);
    fails("how nowhere", openat2(dir, "real", forbidden(), sizeof how), EFAULT);
    fails("path nowhere", openat2(dir, forbidden(), &how, sizeof how), EFAULT);
    return finish();
}
