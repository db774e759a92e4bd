// ustat(62), sysfs(135), and the old stat family at numbers 28 and 84, by hand.
//# needs: root mounts
#include <sys/sysmacros.h>
#include "expect.h"

// struct __old_kernel_stat
struct old { uint16_t dev, ino, mode, nlink, uid, gid, rdev, pad; uint32_t size, atime, mtime, ctime; };

int main(void) {
    own_file_system("nr_inodes=100,size=1m");
    struct stat s;
    must(stat(".", &s));
    uint32_t device = (minor(s.st_dev) & 0xff) | major(s.st_dev) << 8 | (minor(s.st_dev) & ~0xffu) << 12;
    struct { int32_t free; uint32_t inodes; char name[6], pack[6]; uint32_t beyond; } u;
    memset(&u, 0xff, sizeof u);
    succeeds("ustat", syscall(SYS_ustat, device, &u));
    check("free blocks and inodes", u.free == 256 && u.inodes == 99);
    check("no names", !memcmp(u.name, "\0\0\0\0\0\0\0\0\0\0\0\0", 12));
    equal("20 bytes", u.beyond, 0xffffffff);
    fails("ustat of no device", syscall(SYS_ustat, 0xfffff, &u), EINVAL);
    fails("ustat nowhere", syscall(SYS_ustat, device, forbidden()), EFAULT);
    succeeds("ustat at the edge", syscall(SYS_ustat, device, before_forbidden(20)));
    fails("ustat beyond it", syscall(SYS_ustat, device, before_forbidden(16)), EFAULT);

    int fd = must(open("file", O_CREAT | O_RDWR, 0640));
    must(write(fd, "12345", 5));
    must(symlink("file", "link"));
    struct old o;
    memset(&o, 0xff, sizeof o);
    // A device number that 16 bits cannot say is EOVERFLOW; that of an anonymous device can be either.
    long result = syscall(SYS_oldfstat, fd, &o);
    if (result == -1 && errno == EOVERFLOW) check("a large device number", minor(s.st_dev) > 255);
    else check("a large device number", result == 0 && minor(s.st_dev) <= 255);
    expect_absent = result != 0;
    check("oldfstat: size, mode", o.size == 5 && o.mode == (S_IFREG | 0640) && o.nlink == 1);
    must(syscall(SYS_oldlstat, "link", &o));
    check("oldlstat: the link itself", S_ISLNK(o.mode) && o.size == 4);
    must(syscall(SYS_oldstat, "link", &o));
    check("oldstat: what it leads to", S_ISREG(o.mode) && o.size == 5);
    fails("oldfstat nowhere", syscall(SYS_oldfstat, fd, forbidden()), EFAULT);
    fails("oldlstat nowhere", syscall(SYS_oldlstat, "link", forbidden()), EFAULT);
    always();
    fails("oldfstat of none", syscall(SYS_oldfstat, 99, &o), EBADF);
    fails("oldlstat of nothing", syscall(SYS_oldlstat, "nothing", &o), ENOENT);
    fails("oldlstat, name nowhere", syscall(SYS_oldlstat, forbidden(), &o), EFAULT);

    struct { uint64_t dev; uint8_t pad[4]; uint32_t ino, mode, nlink, uid, gid; uint64_t rdev; uint8_t pad2[4]; uint32_t size[2]; uint32_t rest[14]; } l;
    succeeds("lstat64", syscall(SYS_lstat64, "link", &l));
    check("the link itself", S_ISLNK(l.mode) && l.size[0] == 4 && l.size[1] == 0);
    fails("lstat64 nowhere", syscall(SYS_lstat64, "link", forbidden()), EFAULT);
    fails("lstat64 of nothing", syscall(SYS_lstat64, "nothing", &l), ENOENT);

    optional(syscall(SYS_sysfs, 99, 0, 0));
    char name[64] = "";
    long index = succeeds("sysfs: number of a name", syscall(SYS_sysfs, 1, "tmpfs", 0));
    succeeds("sysfs: name of a number", syscall(SYS_sysfs, 2, index, name));
    check("the same", !strcmp(name, "tmpfs"));
    check("sysfs: how many", syscall(SYS_sysfs, 3, 0, 0) > index);
    fails("sysfs: no such name", syscall(SYS_sysfs, 1, "nosuchfs", 0), EINVAL);
    fails("sysfs: no such number", syscall(SYS_sysfs, 2, 10000, name), EINVAL);
    fails("sysfs: name nowhere", syscall(SYS_sysfs, 1, forbidden(), 0), EFAULT);
    fails("sysfs: buffer nowhere", syscall(SYS_sysfs, 2, index, forbidden()), EFAULT);
    fails("sysfs: no such question", syscall(SYS_sysfs, 4, 0, 0), EINVAL);
    return finish();
}
