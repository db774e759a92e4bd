// The calls that take a directory, raw: names, flags and errors of each.
#include <sys/time.h>
#include "expect.h"

int main(void) {
    must(mkdir("d", 0755));
    int d = must(open("d", O_RDONLY | O_DIRECTORY)), file = must(open("plain", O_CREAT | O_RDWR, 0600));
    struct stat s;
    succeeds("mknodat", syscall(SYS_mknodat, d, "fifo", S_IFIFO | 0640, 0));
    must(fstatat(d, "fifo", &s, 0));
    check("a fifo", S_ISFIFO(s.st_mode));
    fails("mknodat again", syscall(SYS_mknodat, d, "fifo", S_IFIFO | 0600, 0), EEXIST);
    fails("mknodat of a directory", syscall(SYS_mknodat, d, "x", S_IFDIR | 0700, 0), EPERM);
    fails("mknodat of no type", syscall(SYS_mknodat, d, "x", 0170000, 0), EINVAL);
    fails("mknodat nowhere", syscall(SYS_mknodat, d, forbidden(), S_IFIFO, 0), EFAULT);
    fails("mknodat in no directory", syscall(SYS_mknodat, file, "x", S_IFIFO, 0), ENOTDIR);
    fails("mknodat, no descriptor", syscall(SYS_mknodat, 99, "x", S_IFIFO, 0), EBADF);

    succeeds("symlinkat", syscall(SYS_symlinkat, "to", d, "link"));
    fails("symlinkat again", syscall(SYS_symlinkat, "to", d, "link"), EEXIST);
    fails("symlinkat to nothing", syscall(SYS_symlinkat, "", d, "empty"), ENOENT);
    fails("symlinkat, target nowhere", syscall(SYS_symlinkat, forbidden(), d, "y"), EFAULT);
    fails("symlinkat, name nowhere", syscall(SYS_symlinkat, "to", d, forbidden()), EFAULT);

    succeeds("renameat", syscall(SYS_renameat, d, "link", AT_FDCWD, "moved"));
    fails("renameat of nothing", syscall(SYS_renameat, d, "link", AT_FDCWD, "moved"), ENOENT);
    fails("renameat nowhere", syscall(SYS_renameat, d, "fifo", AT_FDCWD, forbidden()), EFAULT);
    fails("renameat into itself", syscall(SYS_renameat, AT_FDCWD, "d", d, "d"), EINVAL);
    fails("renameat over a directory", syscall(SYS_renameat, AT_FDCWD, "plain", AT_FDCWD, "d"), EISDIR);

    succeeds("fchownat, the link", syscall(SYS_fchownat, AT_FDCWD, "moved", getuid(), getgid(), AT_SYMLINK_NOFOLLOW));
    fails("fchownat, through it", syscall(SYS_fchownat, AT_FDCWD, "moved", -1, -1, 0), ENOENT);
    succeeds("fchownat, leaving both", syscall(SYS_fchownat, d, "fifo", -1, -1, 0));
    succeeds("fchownat, the descriptor", syscall(SYS_fchownat, d, "", -1, -1, AT_EMPTY_PATH));
    fails("fchownat flags", syscall(SYS_fchownat, d, "fifo", -1, -1, 0x8000), EINVAL);
    fails("fchownat nowhere", syscall(SYS_fchownat, d, forbidden(), -1, -1, 0), EFAULT);

    struct timeval times[2] = {{1000, 250000}, {2000, 750000}};
    succeeds("futimesat", syscall(SYS_futimesat, d, "fifo", times));
    must(fstatat(d, "fifo", &s, 0));
    check("both times", s.st_atime == 1000 && s.st_mtime == 2000);
    succeeds("futimesat of the descriptor", syscall(SYS_futimesat, file, 0, times));
    must(fstat(file, &s));
    equal("its time", s.st_mtime, 2000);
    times[1].tv_usec = 1000000;
    fails("futimesat, no such time", syscall(SYS_futimesat, d, "fifo", times), EINVAL);
    fails("futimesat, times nowhere", syscall(SYS_futimesat, d, "fifo", forbidden()), EFAULT);
    fails("futimesat, name nowhere", syscall(SYS_futimesat, d, forbidden(), 0), EFAULT);
    fails("futimesat, no descriptor", syscall(SYS_futimesat, 99, "fifo", 0), EBADF);

    optional(syscall(439, -1, "", 0, ~0u));
    succeeds("faccessat2", syscall(439, d, "fifo", R_OK | W_OK, AT_EACCESS));
    succeeds("faccessat2, the link", syscall(439, AT_FDCWD, "moved", F_OK, AT_SYMLINK_NOFOLLOW));
    fails("faccessat2, through it", syscall(439, AT_FDCWD, "moved", F_OK, 0), ENOENT);
    fails("faccessat2 mode", syscall(439, d, "fifo", 8, 0), EINVAL);
    fails("faccessat2 flags", syscall(439, d, "fifo", 0, 0x8000), EINVAL);
    fails("faccessat2 nowhere", syscall(439, d, forbidden(), 0, 0), EFAULT);
    optional(syscall(452, -1, "", 0, ~0u));
    succeeds("fchmodat2", syscall(452, d, "fifo", 0604, 0));
    must(fstatat(d, "fifo", &s, 0));
    check("its mode", !expect_absent && (s.st_mode & 0777) == 0604);
    succeeds("fchmodat2 of the descriptor", syscall(452, file, "", 0606, AT_EMPTY_PATH));
    fails("fchmodat2 flags", syscall(452, d, "fifo", 0600, 0x8000), EINVAL);
    fails("fchmodat2 of nothing", syscall(452, d, "nothing", 0600, 0), ENOENT);
    fails("fchmodat2 nowhere", syscall(452, d, forbidden(), 0600, 0), EFAULT);
    always();

    succeeds("syncfs", syscall(SYS_syncfs, file));
    fails("syncfs of none", syscall(SYS_syncfs, 99), EBADF);
    int notify = succeeds("inotify_init", syscall(SYS_inotify_init));
    equal("no flag", fcntl(notify, F_GETFD), 0);
    equal("no status", fcntl(notify, F_GETFL) & O_NONBLOCK, 0);
    return finish();
}
