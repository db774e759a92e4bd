// getdents (141) and getdents64 (220): record layout, type byte, small buffers.
//# libc: static
#include <dirent.h>
#include "expect.h"

struct old { uint32_t ino, off; uint16_t reclen; char name[]; };
struct new { uint64_t ino, off; uint16_t reclen; uint8_t type; char name[]; } __attribute__((packed));

static int number(const char *name) { return name[0] == 'e' ? atoi(name + 1) : -1; }

int main(void) {
    must(mkdir("many", 0700));
    must(chdir("many"));
    for (int i = 0; i < 100; i++) {
        char name[300];
        memset(name, 'y', sizeof name);
        name[sprintf(name, "e%d", i) + i * 2] = 0;
        name[strcspn(name, "y") == 0 ? 0 : strcspn(name, "\0")] = 0;
        if (i % 3 == 0) must(mkdir(name, 0700));
        else if (i % 3 == 1) must(close(must(open(name, O_CREAT | O_WRONLY, 0600))));
        else must(symlink("nowhere", name));
    }
    int fd = must(open(".", O_RDONLY | O_DIRECTORY));
    char buffer[700];
    int seen[100] = {}, dots = 0, wrong = 0, last = 0;
    long got;
    while ((got = must(syscall(SYS_getdents, fd, buffer, sizeof buffer))) > 0)
        for (long at = 0; at < got;) {
            struct old *e = (void *)(buffer + at);
            struct stat s;
            must(lstat(e->name, &s));
            uint8_t type = buffer[at + e->reclen - 1];
            wrong += e->reclen % 4 != 0 || e->ino != s.st_ino || type != IFTODT(s.st_mode) || at + e->reclen > got;
            if (e->name[0] == '.') dots++;
            else seen[number(e->name)]++;
            last = e->off;
            at += e->reclen;
        }
    equal("records are right", wrong, 0);
    equal("dot and dotdot", dots, 2);
    int once = 0;
    for (int i = 0; i < 100; i++) once += seen[i] == 1;
    equal("each entry once", once, 100);
    check("the last offset is not zero", last != 0);
    must(lseek(fd, 0, SEEK_SET));
    memset(seen, 0, sizeof seen);
    wrong = dots = 0;
    while ((got = must(syscall(SYS_getdents64, fd, buffer, sizeof buffer))) > 0)
        for (long at = 0; at < got;) {
            struct new *e = (void *)(buffer + at);
            struct stat s;
            must(lstat(e->name, &s));
            wrong += e->reclen % 8 != 0 || e->ino != s.st_ino || e->type != IFTODT(s.st_mode);
            if (e->name[0] == '.') dots++;
            else seen[number(e->name)]++;
            at += e->reclen;
        }
    equal("getdents64: records are right", wrong, 0);
    once = 0;
    for (int i = 0; i < 100; i++) once += seen[i] == 1;
    equal("getdents64: each entry once", once, 100);
    must(lseek(fd, 0, SEEK_SET));
    fails("a buffer too small for one record", syscall(SYS_getdents, fd, buffer, 8), EINVAL);
    fails("getdents64: the same", syscall(SYS_getdents64, fd, buffer, 16), EINVAL);
    fails("a buffer nowhere", syscall(SYS_getdents, fd, forbidden(), 512), EFAULT);
    fails("getdents64: the same", syscall(SYS_getdents64, fd, forbidden(), 512), EFAULT);
    fails("not a directory", syscall(SYS_getdents, must(open("/dev/null", O_RDONLY)), buffer, 512), ENOTDIR);
    fails("bad descriptor", syscall(SYS_getdents, 999, buffer, 512), EBADF);
    char *edge = before_forbidden(64);
    got = succeeds("a buffer at the edge", syscall(SYS_getdents, fd, edge, 64));
    check("filled", got > 0 && got <= 64);
    must(chdir(".."));
    must(mkdir("gone", 0700));
    fd = must(open("gone", O_RDONLY));
    must(rmdir("gone"));
    fails("a deleted directory", syscall(SYS_getdents64, fd, buffer, 512), ENOENT);
    return finish();
}
