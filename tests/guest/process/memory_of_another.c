// process_vm_readv, process_vm_writev, process_mrelease, pidfd_getfd, kcmp.
//# needs: root
#include <sys/uio.h>
#include "expect.h"

static char theirs[16] = "abcdefgh";

static void others(void) {
    char text[8];
    struct iovec here = {text, 8}, there = {theirs, 8};
    fails("process_vm_readv of another's", process_vm_readv(1, &here, 1, &there, 1, 0), EPERM);
    fails("kcmp of another's", syscall(SYS_kcmp, 1, 1, 0 /* KCMP_FILE */, 0L, 0L), EPERM);
    int other = must(syscall(SYS_pidfd_open, 1, 0));
    fails("pidfd_getfd of another's", syscall(438, other, 0, 0), EPERM);
}

int main(void) {
    int pipes[2], file = must(open("f", O_CREAT | O_RDWR, 0600));
    must(pipe(pipes));
    pid_t child = must(fork());
    if (!child) {
        strcpy(theirs, "HGFEDCBA");
        must(write(file, "x", 1));
        must(write(pipes[1], "x", 1));
        for (;;) pause();
    }
    char text[16] = "", more[16] = "";
    must(read(pipes[0], text, 1));
    struct iovec here[2] = {{text, 3}, {more, 5}}, there[2] = {{theirs, 6}, {theirs + 1, 2}}, none = {forbidden(), 8};
    equal("process_vm_readv", process_vm_readv(child, here, 2, there, 2, 0), 8);
    check("in pieces", !memcmp(text, "HGF", 3) && !memcmp(more, "EDCGF", 5));
    equal("ours is another", theirs[0], 'a');
    equal("process_vm_writev", process_vm_writev(child, here, 1, there + 1, 1, 0), 2);
    struct iovec all = {text, 8}, all_there = {theirs, 8};
    equal("read again", process_vm_readv(child, &all, 1, &all_there, 1, 0), 8);
    check("was written", !memcmp(text, "HHGEDCBA", 8));
    fails("flags", process_vm_readv(child, &all, 1, &all_there, 1, 1), EINVAL);
    fails("nobody", process_vm_readv(0x3fffff, &all, 1, &all_there, 1, 0), ESRCH);
    fails("nowhere there", process_vm_readv(child, &all, 1, &none, 1, 0), EFAULT);
    fails("nowhere here", process_vm_readv(child, &none, 1, &all_there, 1, 0), EFAULT);
    fails("array nowhere", process_vm_readv(child, forbidden(), 1, &all_there, 1, 0), EFAULT);
    fails("their array nowhere", process_vm_readv(child, &all, 1, forbidden(), 1, 0), EFAULT);
    fails("too many", process_vm_readv(child, &all, 1025, &all_there, 1, 0), EINVAL);
    fails("too many of theirs", process_vm_writev(child, &all, 1, &all_there, 1025, 0), EINVAL);
    struct iovec negative = {text, -1};
    fails("a negative length", process_vm_readv(child, &negative, 1, &all_there, 1, 0), EINVAL);
    fails("a negative length of theirs", process_vm_readv(child, &all, 1, &negative, 1, 0), EINVAL);
    fails("writev to nowhere", process_vm_writev(child, &all, 1, &none, 1, 0), EFAULT);
    equal("of nothing", process_vm_readv(child, 0, 0, 0, 0, 0), 0);

    int pidfd = must(syscall(SYS_pidfd_open, child, 0));
    optional(syscall(438, -1, 0, ~0u));
    int copy = succeeds("pidfd_getfd", syscall(438, pidfd, file, 0));
    equal("the same open file", lseek(copy, 0, SEEK_CUR), 1);
    equal("closed on exec", fcntl(copy, F_GETFD), FD_CLOEXEC);
    fails("pidfd_getfd flags", syscall(438, pidfd, file, 1), EINVAL);
    fails("pidfd_getfd of none there", syscall(438, pidfd, 99, 0), EBADF);
    fails("pidfd_getfd, no process", syscall(438, file, file, 0), EBADF);

    optional(syscall(SYS_kcmp, -1, -1, 99, 0L, 0L));
    equal("kcmp: one file", syscall(SYS_kcmp, getpid(), child, 0 /* KCMP_FILE */, (long)file, (long)file), 0);
    check("kcmp: two", syscall(SYS_kcmp, getpid(), child, 0, (long)file, (long)pipes[0]) > 0);
    check("kcmp: memory is not shared", syscall(SYS_kcmp, getpid(), child, 1 /* KCMP_VM */, 0L, 0L) > 0);
    equal("kcmp: with itself", syscall(SYS_kcmp, getpid(), getpid(), 1, 0L, 0L), 0);
    fails("kcmp, no such file", syscall(SYS_kcmp, getpid(), child, 0, 99L, (long)file), EBADF);
    fails("kcmp, no such kind", syscall(SYS_kcmp, getpid(), child, 99, 0L, 0L), EINVAL);
    fails("kcmp of nobody", syscall(SYS_kcmp, getpid(), 0x3fffff, 1, 0L, 0L), ESRCH);

    optional(syscall(448, -1, ~0u));
    fails("process_mrelease flags", syscall(448, pidfd, 1), EINVAL);
    fails("process_mrelease of the living", syscall(448, pidfd, 0), EINVAL);
    fails("process_mrelease, no process", syscall(448, file, 0), EBADF);
    always();
    must(kill(child, SIGKILL));
    equal("killed", end_of(child), 1000 + SIGKILL);
    unprivileged(others);
    return finish();
}
