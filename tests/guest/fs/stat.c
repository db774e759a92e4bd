// stat, lstat, fstat, fstatat: every field that can be known, and the errors.
//# libc: static dynamic musl time64
#include "expect.h"

int main(void) {
    struct stat s, t;
    int fd = must(open("plain", O_CREAT | O_RDWR, 0640));
    must(ftruncate(fd, 123457));
    must(chmod("plain", 04751));
    must(symlink("plain", "link"));
    must(mkdir("dir", 0700));
    struct timespec times[2] = {{1000000001, 0}, {1234567890, 0}};
    must(utimensat(AT_FDCWD, "plain", times, 0));

    succeeds("stat", stat("plain", &s));
    equal("mode", s.st_mode, S_IFREG | 04751);
    equal("size", s.st_size, 123457);
    equal("links", s.st_nlink, 1);
    equal("blocks of a hole", s.st_blocks, 0);
    equal("atime", s.st_atime, 1000000001);
    equal("mtime", s.st_mtime, 1234567890);
    equal("uid", s.st_uid, geteuid());
    equal("gid", s.st_gid, getegid());
    check("blksize", s.st_blksize >= 512 && s.st_blksize <= 1 << 20);
    succeeds("fstat", fstat(fd, &t));
    check("same inode", s.st_ino == t.st_ino && s.st_dev == t.st_dev && s.st_ino != 0);
    succeeds("lstat", lstat("link", &s));
    equal("a link is a link", s.st_mode & S_IFMT, S_IFLNK);
    equal("its size", s.st_size, 5);
    succeeds("fstatat, follow", fstatat(AT_FDCWD, "link", &s, 0));
    equal("followed", s.st_size, 123457);
    succeeds("fstatat, no follow", fstatat(AT_FDCWD, "link", &s, AT_SYMLINK_NOFOLLOW));
    equal("not followed", s.st_size, 5);
    must(link("plain", "dir/again"));
    must(stat("dir", &s));
    equal("a directory", s.st_mode, S_IFDIR | 0700);
    must(stat("dir/again", &s));
    equal("two links", s.st_nlink, 2);
    must(stat("/dev/null", &s));
    equal("device number", s.st_rdev, 0x103);
    equal("device type", s.st_mode & S_IFMT, S_IFCHR);
    succeeds("AT_EMPTY_PATH", fstatat(fd, "", &s, AT_EMPTY_PATH));
    equal("through the descriptor", s.st_size, 123457);

    char name[300];
    memset(name, 'x', sizeof name);
    name[299] = 0;
    fails("absent", stat("nothing", &s), ENOENT);
    fails("empty", stat("", &s), ENOENT);
    fails("through a file", stat("plain/x", &s), ENOTDIR);
    fails("long name", stat(name, &s), ENAMETOOLONG);
    fails("name nowhere", stat(forbidden(), &s), EFAULT);
    fails("buffer nowhere", syscall(SYS_fstat, fd, forbidden()), EFAULT);
    fails("bad descriptor", fstat(999, &s), EBADF);
    fails("bad flag", fstatat(AT_FDCWD, "plain", &s, 0x40000000), EINVAL);
    char *edge = before_forbidden(5);
    memcpy(edge, "plain", 5);
    fails("name runs into a forbidden page", stat(edge, &s), EFAULT);
    must(symlink("loop", "loop"));
    fails("loop", stat("loop", &s), ELOOP);
    return finish();
}
