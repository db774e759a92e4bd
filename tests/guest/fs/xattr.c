// Extended attributes: set, get, list, remove, sizes and errors.
//# libc: static musl
#include <sys/xattr.h>
#include "expect.h"

int main(void) {
    int fd = must(open("f", O_CREAT | O_RDWR, 0600));
    if (setxattr("f", "user.a", "value", 5, 0) < 0 && errno == EOPNOTSUPP) {
        say("this file system has none");
        return 0;
    }
    char value[16] = "";
    equal("size", getxattr("f", "user.a", 0, 0), 5);
    equal("get", getxattr("f", "user.a", value, sizeof value), 5);
    check("value", !strcmp(value, "value"));
    fails("XATTR_CREATE", setxattr("f", "user.a", "x", 1, XATTR_CREATE), EEXIST);
    fails("XATTR_REPLACE", fsetxattr(fd, "user.b", "x", 1, XATTR_REPLACE), ENODATA);
    succeeds("fsetxattr", fsetxattr(fd, "user.b", "", 0, 0));
    equal("list size", flistxattr(fd, 0, 0), 14);
    fails("too small", getxattr("f", "user.a", value, 3), ERANGE);
    fails("list too small", listxattr("f", value, 3), ERANGE);
    succeeds("remove", removexattr("f", "user.a"));
    fails("gone", lgetxattr("f", "user.a", value, 16), ENODATA);
    fails("value nowhere", setxattr("f", "user.c", forbidden(), 4, 0), EFAULT);
    fails("name nowhere", getxattr("f", forbidden(), value, 4), EFAULT);
    fails("buffer nowhere", listxattr("f", forbidden(), 100), EFAULT);
    fails("name without a class", setxattr("f", "plain", "x", 1, 0), EOPNOTSUPP);
    return finish();
}
