// The three generations of stat, called raw: oldstat (18), stat (106) and stat64 (195) have layouts of their own.
//# libc: static musl
#include "expect.h"

struct old_stat {
    uint16_t dev, ino, mode, nlink, uid, gid, rdev;
    uint32_t size, atime, mtime, ctime;
};
struct new_stat {
    uint32_t dev, ino;
    uint16_t mode, nlink, uid, gid;
    uint32_t rdev, size, blksize, blocks, atime, atime_nsec, mtime, mtime_nsec, ctime, ctime_nsec, unused[2];
};
struct stat64_raw {
    uint64_t dev;
    uint8_t pad0[4];
    uint32_t ino32, mode, nlink, uid, gid;
    uint64_t rdev;
    uint8_t pad3[4];
    int64_t size;
    uint32_t blksize;
    uint64_t blocks;
    uint32_t atime, atime_nsec, mtime, mtime_nsec, ctime, ctime_nsec;
    uint64_t ino;
} __attribute__((packed, aligned(4)));

int main(void) {
    int fd = must(open("plain", O_CREAT | O_RDWR | 0100000 /* O_LARGEFILE */, 0604));
    must(write(fd, "12345", 5));
    struct timespec times[2] = {{11, 0}, {22, 0}};
    must(futimens(fd, times));

    char raw[128];
    memset(raw, 0x5a, sizeof raw);
    struct new_stat *n = (void *)raw;
    equal("stat is 64 bytes", sizeof *n, 64);
    succeeds("stat", syscall(106, "plain", n));
    equal("mode", n->mode, S_IFREG | 0604);
    equal("size", n->size, 5);
    equal("atime", n->atime, 11);
    equal("mtime", n->mtime, 22);
    equal("nlink", n->nlink, 1);
    equal("nothing after the structure", raw[64], 0x5a);
    succeeds("lstat", syscall(107, "plain", n));
    succeeds("fstat", syscall(108, fd, n));

    memset(raw, 0x5a, sizeof raw);
    struct stat64_raw *s = (void *)raw;
    equal("stat64 is 96 bytes", sizeof *s, 96);
    succeeds("stat64", syscall(195, "plain", s));
    equal("mode", s->mode, S_IFREG | 0604);
    equal("size", s->size, 5);
    equal("mtime", s->mtime, 22);
    check("both inodes", s->ino32 == (uint32_t)s->ino && s->ino);
    equal("nothing after the structure", raw[96], 0x5a);
    memset(raw, 0xa5, 96);
    succeeds("fstat64", syscall(197, fd, s));
    check("what is between its members is left", !memcmp(raw + 8, "\xa5\xa5\xa5\xa5", 4) && !memcmp(raw + 40, "\xa5\xa5\xa5\xa5", 4));
    succeeds("fstatat64", syscall(300, AT_FDCWD, "plain", s, 0));

    struct stat now;
    must(fstat(fd, &now));
    struct old_stat *o = (void *)raw;
    memset(raw, 0x5a, sizeof raw);
    long result = syscall(18, "plain", o);
    // The old structure has 16 bits for the inode: EOVERFLOW is right when they do not suffice.
    // Which of the two it is is up to the file system.
    check("oldstat holds the inode, or says that it cannot",
          now.st_ino > 0xffff ? result == -1 && errno == EOVERFLOW : result == 0 && o->ino == now.st_ino && o->size == 5);

    must(syscall(SYS_ftruncate64, fd, 0, 1));
    fails("stat of 4 GiB", syscall(106, "plain", n), EOVERFLOW);
    fails("fstat of 4 GiB", syscall(108, fd, n), EOVERFLOW);
    succeeds("stat64 of 4 GiB", syscall(195, "plain", s));
    equal("its size", s->size, 1LL << 32);
    must(syscall(SYS_ftruncate64, fd, 0x7fffffff, 0));
    succeeds("stat of 2 GiB - 1", syscall(106, "plain", n));
    equal("its size", n->size, 0x7fffffff);
    fails("stat64 to nowhere", syscall(195, "plain", forbidden()), EFAULT);
    fails("fstat to nowhere", syscall(108, fd, forbidden()), EFAULT);
    fails("half of the buffer is there", syscall(106, "plain", before_forbidden(60)), EFAULT);
    succeeds("the buffer ends at the edge", syscall(106, "plain", before_forbidden(64)));
    return finish();
}
