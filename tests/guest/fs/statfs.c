// statfs, fstatfs, statvfs.
//# libc: static dynamic musl time64
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include "expect.h"

int main(void) {
    struct statfs s, t;
    succeeds("proc", statfs("/proc", &s));
    equal("type", s.f_type, 0x9fa0);
    equal("name length", s.f_namelen, 255);
    equal("block size", s.f_bsize, 4096);
    equal("blocks", s.f_blocks, 0);
    succeeds("fstatfs", fstatfs(must(open("/proc", O_RDONLY)), &t));
    equal("same type", t.f_type, 0x9fa0);
    succeeds("here", statfs(".", &s));
    check("has blocks", s.f_blocks > 0 && s.f_bfree <= s.f_blocks);
    struct statvfs v;
    succeeds("statvfs", statvfs(".", &v));
    check("same size", v.f_blocks == s.f_blocks && v.f_namemax == s.f_namelen);
    fails("absent", statfs("nothing", &s), ENOENT);
    fails("bad descriptor", fstatfs(999, &s), EBADF);
    fails("path nowhere", statfs(forbidden(), &s), EFAULT);
    return finish();
}
