// File ioctls whose numbers contain the size of a long: FS_IOC_GETFLAGS and friends; FIEMAP; block size.
#include <linux/fs.h>
#include <linux/fiemap.h>
#include <sys/ioctl.h>
#include "expect.h"

int main(void) {
    int fd = must(open("f", O_CREAT | O_RDWR, 0600));
    int flags[2] = {-1, 0x5a5a5a5a};
    if (ioctl(fd, FS_IOC_GETFLAGS, flags) < 0) {
        say("this file system has none");
        return 0;
    }
    equal("four bytes are written", flags[1], 0x5a5a5a5a);
    int set = flags[0] | FS_NODUMP_FL;
    succeeds("FS_IOC_SETFLAGS", ioctl(fd, FS_IOC_SETFLAGS, &set));
    must(ioctl(fd, FS_IOC_GETFLAGS, flags));
    check("set", flags[0] & FS_NODUMP_FL);
    int version;
    check("FS_IOC_GETVERSION", ioctl(fd, FS_IOC_GETVERSION, &version) == 0 || errno == ENOTTY);
    fails("nowhere", ioctl(fd, FS_IOC_GETFLAGS, forbidden()), EFAULT);
    must(write(fd, "0123456789", 10));
    must(fsync(fd));
    struct { struct fiemap map; struct fiemap_extent extent[4]; } m = {.map = {.fm_length = ~0ULL, .fm_extent_count = 4}};
    // tmpfs has none.
    int has = ioctl(fd, FS_IOC_FIEMAP, &m) == 0;
    check("FIEMAP", has || errno == EOPNOTSUPP);
    check("extents", !has || m.map.fm_mapped_extents == 1);
    check("the last", !has || (m.extent[0].fe_flags & FIEMAP_EXTENT_LAST && m.extent[0].fe_logical == 0));
    int size = 0;
    succeeds("FIGETBSZ", ioctl(fd, FIGETBSZ, &size));
    equal("block size", size, 4096);
    int n = -1;
    must(lseek(fd, 4, SEEK_SET));
    succeeds("FIONREAD", ioctl(fd, FIONREAD, &n));
    equal("bytes", n, 6);
    fails("bad descriptor", ioctl(999, FIONREAD, &n), EBADF);
    fails("not for files", ioctl(fd, 0x5413 /* TIOCGWINSZ */, &n), ENOTTY);
    int other = must(open("g", O_CREAT | O_RDWR, 0600));
    check("FICLONE", ioctl(other, FICLONE, fd) == 0 || errno == EOPNOTSUPP);
    return finish();
}
