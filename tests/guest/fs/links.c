// symlink, readlink, link, unlink, rename, renameat2.
//# libc: static musl
#include "expect.h"

int main(void) {
    char text[64];
    must(close(must(open("a", O_CREAT | O_WRONLY, 0600))));
    succeeds("symlink", symlink("some/where", "s"));
    equal("readlink", readlink("s", text, sizeof text), 10);
    check("no terminator is written", !memcmp(text, "some/where", 10));
    equal("readlink truncates", readlink("s", text, 4), 4);
    fails("readlink of a file", readlink("a", text, 4), EINVAL);
    fails("readlink to nowhere", readlink("s", forbidden(), 10), EFAULT);
    fails("symlink over something", symlink("x", "a"), EEXIST);
    fails("empty target", symlink("", "e"), ENOENT);
    succeeds("link", link("a", "b"));
    fails("link over something", link("a", "s"), EEXIST);
    must(mkdir("d", 0700));
    fails("link to a directory", link("d", "dd"), EPERM);
    fails("unlink a directory", unlink("d"), EISDIR);
    fails("rmdir a file", rmdir("a"), ENOTDIR);
    must(close(must(open("d/x", O_CREAT | O_WRONLY, 0600))));
    fails("rmdir, not empty", rmdir("d"), ENOTEMPTY);
    succeeds("rename", rename("a", "c"));
    fails("the old name is gone", access("a", F_OK), ENOENT);
    fails("rename a file over a directory", rename("c", "d"), EISDIR);
    fails("rename a directory into itself", rename("d", "d/e"), EINVAL);
    fails("RENAME_NOREPLACE", syscall(SYS_renameat2, AT_FDCWD, "b", AT_FDCWD, "s", 1), EEXIST);
    succeeds("RENAME_EXCHANGE", syscall(SYS_renameat2, AT_FDCWD, "d", AT_FDCWD, "s", 2));
    struct stat st;
    must(lstat("d", &st));
    equal("exchanged", st.st_mode & S_IFMT, S_IFLNK);
    fails("nothing to rename", rename("nothing", "x"), ENOENT);
    fails("nowhere", rename(forbidden(), "x"), EFAULT);
    succeeds("linkat through a descriptor", linkat(must(open("c", O_RDONLY)), "", AT_FDCWD, "again", AT_EMPTY_PATH));
    return finish();
}
