// statfs (99) and statfs64 (268): the second takes the size of its structure and refuses any other.
#include <sys/vfs.h>
#include "expect.h"

struct raw { uint32_t type, bsize, blocks, bfree, bavail, files, ffree, fsid[2], namelen, frsize, flags, spare[4]; };
struct raw64 {
    uint32_t type, bsize;
    uint64_t blocks, bfree, bavail, files, ffree;
    uint32_t fsid[2], namelen, frsize, flags, spare[4];
} __attribute__((packed, aligned(4)));

int main(void) {
    struct raw s;
    struct raw64 l;
    equal("sizes", sizeof s * 1000 + sizeof l, 64084);
    succeeds("statfs", syscall(SYS_statfs, "/proc", &s));
    equal("type", s.type, 0x9fa0);
    equal("name length", s.namelen, 255);
    equal("fragment size", s.frsize, 4096);
    succeeds("statfs64", syscall(SYS_statfs64, "/proc", 84, &l));
    equal("type", l.type, 0x9fa0);
    equal("name length", l.namelen, 255);
    check("same flags and no leftovers", l.flags == s.flags && l.spare[0] == 0);
    // 88 is what a structure with natural alignment would have; the kernel's i386 layout is packed.
    fails("size 80", syscall(SYS_statfs64, "/proc", 80, &l), EINVAL);
    fails("fstatfs64 size 96", syscall(SYS_fstatfs64, 0, 96, &l), EINVAL);
    fails("nowhere", syscall(SYS_statfs64, "/proc", 84, forbidden()), EFAULT);
    fails("statfs nowhere", syscall(SYS_statfs, "/proc", forbidden()), EFAULT);
    return finish();
}
