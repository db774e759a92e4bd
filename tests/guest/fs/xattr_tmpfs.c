// Attributes of links, of descriptors and relative to a directory, on a file system of its own: trusted ones, which a link can have.
//# needs: root mounts
#include <sys/xattr.h>
#include "expect.h"

struct arguments { uint64_t value; uint32_t size, flags; };

int main(void) {
    own_file_system(0);
    int fd = must(open("f", O_CREAT | O_RDWR, 0600));
    must(symlink("f", "l"));
    char value[32];
    succeeds("lsetxattr", lsetxattr("l", "trusted.a", "link", 4, 0));
    succeeds("fsetxattr", fsetxattr(fd, "trusted.b", "file!", 5, XATTR_CREATE));
    fails("lsetxattr flags", lsetxattr("l", "trusted.a", "x", 1, 4), EINVAL);
    fails("lsetxattr, there already", lsetxattr("l", "trusted.a", "x", 1, XATTR_CREATE), EEXIST);
    fails("lsetxattr, value nowhere", lsetxattr("l", "trusted.c", forbidden(), 1, 0), EFAULT);
    fails("lsetxattr, too large", lsetxattr("l", "trusted.c", value, 65537, 0), E2BIG);
    equal("lgetxattr", lgetxattr("l", "trusted.a", value, sizeof value), 4);
    fails("not of the file", getxattr("l", "trusted.a", value, sizeof value), ENODATA);
    equal("fgetxattr", fgetxattr(fd, "trusted.b", value, sizeof value), 5);
    check("value", !memcmp(value, "file!", 5));
    equal("fgetxattr, how large", fgetxattr(fd, "trusted.b", 0, 0), 5);
    fails("fgetxattr, too small", fgetxattr(fd, "trusted.b", value, 2), ERANGE);
    fails("fgetxattr, value nowhere", fgetxattr(fd, "trusted.b", forbidden(), 32), EFAULT);
    fails("fgetxattr, name nowhere", fgetxattr(fd, forbidden(), value, 32), EFAULT);
    fails("fgetxattr, no descriptor", fgetxattr(99, "trusted.b", value, 32), EBADF);
    equal("llistxattr", llistxattr("l", value, sizeof value), 10);
    check("its name", !memcmp(value, "trusted.a", 10));
    fails("llistxattr, too small", llistxattr("l", value, 5), ERANGE);
    fails("llistxattr nowhere", llistxattr("l", forbidden(), 32), EFAULT);
    equal("flistxattr", flistxattr(fd, value, sizeof value), 10);
    succeeds("lremovexattr", lremovexattr("l", "trusted.a"));
    fails("lremovexattr again", lremovexattr("l", "trusted.a"), ENODATA);
    succeeds("fremovexattr", fremovexattr(fd, "trusted.b"));
    fails("fremovexattr again", fremovexattr(fd, "trusted.b"), ENODATA);
    fails("fremovexattr, name nowhere", fremovexattr(fd, forbidden()), EFAULT);
    equal("none is left", flistxattr(fd, value, sizeof value), 0);

    int d = must(open(".", O_RDONLY | O_DIRECTORY));
    struct arguments a = {(uintptr_t)"new", 3, 0};
    optional(syscall(463, -1, "", ~0u, 0, 0, 0));
    succeeds("setxattrat", syscall(463, d, "l", AT_SYMLINK_NOFOLLOW, "trusted.n", &a, sizeof a));
    fails("setxattrat flags", syscall(463, d, "l", 0x8000, "trusted.n", &a, sizeof a), EINVAL);
    fails("setxattrat, size", syscall(463, d, "l", 0, "trusted.n", &a, 8), EINVAL);
    fails("setxattrat, too large", syscall(463, d, "l", 0, "trusted.n", &a, 8192), E2BIG);
    fails("setxattrat nowhere", syscall(463, d, "l", 0, "trusted.n", forbidden(), sizeof a), EFAULT);
    a = (struct arguments){(uintptr_t)value, sizeof value, 0};
    equal("getxattrat", syscall(464, d, "l", AT_SYMLINK_NOFOLLOW, "trusted.n", &a, sizeof a), 3);
    check("value", !memcmp(value, "new", 3));
    fails("getxattrat of the file", syscall(464, d, "l", 0, "trusted.n", &a, sizeof a), ENODATA);
    a.value = (uintptr_t)forbidden();
    fails("getxattrat, value nowhere", syscall(464, d, "l", AT_SYMLINK_NOFOLLOW, "trusted.n", &a, sizeof a), EFAULT);
    equal("listxattrat", syscall(465, d, "l", AT_SYMLINK_NOFOLLOW, value, sizeof value), 10);
    fails("listxattrat, too small", syscall(465, d, "l", AT_SYMLINK_NOFOLLOW, value, 3), ERANGE);
    succeeds("removexattrat", syscall(466, d, "l", AT_SYMLINK_NOFOLLOW, "trusted.n"));
    fails("removexattrat again", syscall(466, d, "l", AT_SYMLINK_NOFOLLOW, "trusted.n"), ENODATA);

    // struct file_attr
    struct { uint64_t xflags; uint32_t extent, nextents, project, cow; } attributes = {.extent = 7};
    optional(syscall(468, -1, "", 0, 0, ~0u));
    succeeds("file_getattr", syscall(468, d, "f", &attributes, sizeof attributes, 0));
    check("none", attributes.xflags == 0 && attributes.extent == 0);
    fails("file_getattr, size", syscall(468, d, "f", &attributes, 8, 0), EINVAL);
    fails("file_getattr, too large", syscall(468, d, "f", &attributes, 8192, 0), E2BIG);
    fails("file_getattr nowhere", syscall(468, d, "f", forbidden(), sizeof attributes, 0), EFAULT);
    fails("file_getattr flags", syscall(468, d, "f", &attributes, sizeof attributes, 0x8000), EINVAL);
    attributes.xflags = 0x10; // FS_XFLAG_APPEND
    succeeds("file_setattr", syscall(469, d, "f", &attributes, sizeof attributes, 0));
    fails("append only", open("f", O_WRONLY), EPERM);
    fails("file_setattr, size", syscall(469, d, "f", &attributes, 8, 0), EINVAL);
    fails("file_setattr nowhere", syscall(469, d, "f", forbidden(), sizeof attributes, 0), EFAULT);
    return finish();
}
