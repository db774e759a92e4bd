// The working directory and the *at calls relative to one.
//# libc: static musl dynamic
#include "expect.h"

int main(void) {
    char before[PATH_MAX], after[PATH_MAX];
    must(getcwd(before, sizeof before) ? 0 : -1);
    succeeds("mkdir", mkdir("d", 0755));
    int here = must(open(".", O_RDONLY | O_DIRECTORY));
    succeeds("chdir", chdir("d"));
    check("getcwd", getcwd(after, sizeof after) && !strcmp(after + strlen(before), "/d"));
    fails("getcwd, too small", (long)getcwd(after, 2) ? 0 : -1, ERANGE);
    fails("getcwd, raw and too small", syscall(SYS_getcwd, after, 1), ERANGE);
    equal("raw getcwd counts the terminator", syscall(SYS_getcwd, after, sizeof after), strlen(before) + 3);
    fails("raw getcwd to nowhere", syscall(SYS_getcwd, forbidden(), 4096), EFAULT);
    succeeds("mkdirat", mkdirat(here, "e", 0700));
    succeeds("fchdir", fchdir(here));
    succeeds("faccessat", faccessat(here, "e", R_OK | X_OK, 0));
    succeeds("fchmodat", fchmodat(here, "e", 0500, 0));
    struct stat s;
    must(stat("e", &s));
    equal("mode", s.st_mode & 0777, 0500);
    fails("access, absent", access("f", F_OK), ENOENT);
    fails("access, bad mode", access("e", 8), EINVAL);
    succeeds("unlinkat a directory", unlinkat(here, "e", AT_REMOVEDIR));
    fails("unlinkat without the flag", unlinkat(here, "d", 0), EISDIR);
    int plain = must(open("p", O_CREAT | O_RDWR, 0600));
    fails("fchdir to a file", fchdir(plain), ENOTDIR);
    fails("openat relative to a file", openat(plain, "x", O_RDONLY), ENOTDIR);
    fails("openat relative to nothing", openat(999, "x", O_RDONLY), EBADF);
    must(chdir("d"));
    must(rmdir("../d"));
    fails("getcwd in a deleted directory", syscall(SYS_getcwd, after, sizeof after), ENOENT);
    fails("creating in it", mkdir("x", 0700), ENOENT);
    fails("chdir nowhere", chdir(forbidden()), EFAULT);
    return finish();
}
