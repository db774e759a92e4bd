// open: every flag with an effect that can be seen.
//# libc: static musl
#include "expect.h"

int main(void) {
    int fd = succeeds("create", open("f", O_CREAT | O_EXCL | O_RDWR, 0666));
    struct stat s;
    must(umask(027));
    fails("O_EXCL", open("f", O_CREAT | O_EXCL | O_RDWR, 0666), EEXIST);
    must(open("g", O_CREAT | O_WRONLY, 0777));
    must(stat("g", &s));
    equal("umask", s.st_mode & 0777, 0750);
    equal("umask returns the old", umask(077), 027);
    must(write(fd, "0123456789", 10));
    int append = must(open("f", O_WRONLY | O_APPEND));
    must(lseek(append, 0, SEEK_SET));
    must(write(append, "A", 1));
    must(fstat(fd, &s));
    equal("O_APPEND", s.st_size, 11);
    int flags = must(fcntl(append, F_GETFL));
    equal("F_GETFL", flags & (O_ACCMODE | O_APPEND | O_NONBLOCK), O_WRONLY | O_APPEND);
    fails("reading it", read(append, &s, 1), EBADF);
    must(close(must(open("f", O_RDONLY | O_TRUNC))));
    must(fstat(fd, &s));
    equal("O_TRUNC", s.st_size, 0);
    fails("O_DIRECTORY", open("f", O_RDONLY | O_DIRECTORY), ENOTDIR);
    fails("a directory for writing", open(".", O_RDWR), EISDIR);
    must(symlink("f", "l"));
    fails("O_NOFOLLOW", open("l", O_RDONLY | O_NOFOLLOW), ELOOP);
    int path = succeeds("O_PATH", open("l", O_PATH | O_NOFOLLOW));
    fails("read of O_PATH", read(path, &s, 1), EBADF);
    fails("ioctl of O_PATH, a number that there is not", syscall(SYS_ioctl, path, 0, 0L), EBADF);
    char text[8];
    equal("readlinkat of O_PATH", readlinkat(path, "", text, 8), 1);
    int cloexec = must(open("f", O_RDONLY | O_CLOEXEC));
    equal("O_CLOEXEC", fcntl(cloexec, F_GETFD), FD_CLOEXEC);
    int temporary = open(".", O_TMPFILE | O_RDWR, 0600);
    check("O_TMPFILE", temporary >= 0 || errno == EOPNOTSUPP);
    int sync = must(open("f", O_RDWR | O_SYNC));
    equal("O_SYNC", must(fcntl(sync, F_GETFL)) & O_SYNC, O_SYNC);
    fails("absent", open("none/x", O_RDONLY), ENOENT);
    fails("through a file", open("f/x", O_RDONLY), ENOTDIR);
    fails("nowhere", open(forbidden(), O_RDONLY), EFAULT);
    fails("creat through a link to itself", (symlink("m", "m"), open("m", O_CREAT | O_RDWR, 0600)), ELOOP);
    char *many = malloc(5000);
    memset(many, '/', 4999);
    many[4999] = 0;
    fails("path too long", open(many, O_RDONLY), ENAMETOOLONG);
    many[4094] = '.', many[4095] = 0;
    succeeds("path of 4095 bytes", open(many, O_RDONLY | O_DIRECTORY));
    many[4094] = '/', many[4095] = '.', many[4096] = 0;
    fails("path of 4096 bytes", open(many, O_RDONLY | O_DIRECTORY), ENAMETOOLONG);
    return finish();
}
