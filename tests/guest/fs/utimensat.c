// Setting times: all the calls there are, the special values, and the limits.
//# libc: static musl time64
#include <sys/time.h>
#include <utime.h>
#include "expect.h"

static struct stat s;
static struct stat *now(void) {
    must(stat("f", &s));
    return &s;
}

int main(void) {
    int fd = must(open("f", O_CREAT | O_RDWR, 0600));
    succeeds("utimensat", utimensat(AT_FDCWD, "f", (struct timespec[]){{100, 111}, {200, 222}}, 0));
    check("nanoseconds", now()->st_atim.tv_nsec == 111 && s.st_mtim.tv_nsec == 222 && s.st_atime == 100 && s.st_mtime == 200);
    succeeds("UTIME_OMIT", utimensat(AT_FDCWD, "f", (struct timespec[]){{0, UTIME_OMIT}, {300, 0}}, 0));
    check("only one changed", now()->st_atime == 100 && s.st_mtime == 300);
    succeeds("UTIME_NOW", futimens(fd, (struct timespec[]){{0, UTIME_NOW}, {0, UTIME_OMIT}}));
    check("is now", labs((long)(now()->st_atime - time(0))) <= 2 && s.st_mtime == 300);
    succeeds("null is now", utimensat(AT_FDCWD, "f", 0, 0));
    check("is now", labs((long)(now()->st_mtime - time(0))) <= 2);
    fails("nanoseconds out of range", utimensat(AT_FDCWD, "f", (struct timespec[]){{0, 1000000000}, {0, 0}}, 0), EINVAL);
    succeeds("utimes", utimes("f", (struct timeval[]){{7, 500000}, {8, 250000}}));
    check("microseconds", now()->st_atim.tv_nsec == 500000000 && s.st_mtim.tv_nsec == 250000000);
    succeeds("lutimes", lutimes("f", (struct timeval[]){{17, 0}, {18, 0}}));
    check("set", now()->st_atime == 17 && s.st_mtime == 18);
    fails("microseconds out of range", utimes("f", (struct timeval[]){{0, 1000000}, {0, 0}}), EINVAL);
    succeeds("utime", utime("f", &(struct utimbuf){1, 2}));
    check("set", now()->st_atime == 1 && s.st_mtime == 2);
    succeeds("before 1970", utimensat(AT_FDCWD, "f", (struct timespec[]){{-5, 0}, {-1, 999999999}}, 0));
    check("negative", now()->st_atime == -5 && s.st_mtime == -1 && s.st_mtim.tv_nsec == 999999999);
    must(symlink("f", "l"));
    succeeds("of a link itself", utimensat(AT_FDCWD, "l", (struct timespec[]){{9, 0}, {9, 0}}, AT_SYMLINK_NOFOLLOW));
    check("the file is as before", now()->st_atime == -5);
    must(lstat("l", &s));
    equal("the link is not", s.st_mtime, 9);
    fails("absent", utime("nothing", 0), ENOENT);
    fails("nowhere", syscall(SYS_utimensat, AT_FDCWD, "f", forbidden(), 0), EFAULT);
    return finish();
}
