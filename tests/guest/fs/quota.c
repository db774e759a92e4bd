// quotactl, quotactl_fd, swapon, swapoff, acct: what they refuse, and with what. A machine's quotas, swap and accounting are left alone.
//# needs: root
#include <sys/quota.h>
#include <sys/swap.h>
#include "expect.h"

static void others(void) {
    fails("acct", acct("/nothing"), EPERM);
    fails("acct before it reads", acct(forbidden()), EPERM);
    optional(swapon("", 0x8000000));
    fails("swapon", swapon("/nothing", 0), EPERM);
    fails("swapoff before it reads", swapoff(forbidden()), EPERM);
    always();
}

int main(void) {
    int file = must(open("f", O_CREAT | O_RDWR, 0600));
    struct { int64_t room[32]; } buffer;
    optional(syscall(SYS_quotactl, QCMD(0x7fff, 99), 0, 0, 0));
    fails("quotactl, no such type", syscall(SYS_quotactl, QCMD(Q_GETQUOTA, 99), "f", 0, &buffer), EINVAL);
    fails("quotactl, no device", syscall(SYS_quotactl, QCMD(Q_GETQUOTA, 0), 0, 0, &buffer), ENODEV);
    fails("quotactl, absent", syscall(SYS_quotactl, QCMD(Q_GETQUOTA, 0), "nothing", 0, &buffer), ENOENT);
    fails("quotactl, no block device", syscall(SYS_quotactl, QCMD(Q_GETQUOTA, 0), "f", 0, &buffer), ENOTBLK);
    fails("quotactl nowhere", syscall(SYS_quotactl, QCMD(Q_GETQUOTA, 0), forbidden(), 0, &buffer), EFAULT);
    succeeds("quotactl, sync all", syscall(SYS_quotactl, QCMD(Q_SYNC, 0), 0, 0, 0));
    optional(syscall(443, -1, QCMD(0x7fff, 99), 0, 0));
    fails("quotactl_fd, no descriptor", syscall(443, 99, QCMD(Q_GETQUOTA, 0), 0, &buffer), EBADF);
    fails("quotactl_fd, no such type", syscall(443, file, QCMD(Q_GETQUOTA, 99), 0, &buffer), EINVAL);

    optional(swapon("", 0x8000000));
    fails("swapon flags", swapon("f", 0x8000000), EINVAL);
    fails("swapon, no swap area", swapon("f", 0), EINVAL);
    fails("swapon, absent", swapon("nothing", 0), ENOENT);
    fails("swapon nowhere", swapon(forbidden(), 0), EFAULT);
    fails("swapoff, not used for it", swapoff("f"), EINVAL);
    fails("swapoff, absent", swapoff("nothing"), ENOENT);
    fails("swapoff nowhere", swapoff(forbidden()), EFAULT);
    optional(acct("nothing"));
    fails("acct, absent", acct("nothing"), ENOENT);
    fails("acct nowhere", acct(forbidden()), EFAULT);
    fails("acct, a directory", acct("."), EISDIR);
    fails("acct, a device", acct("/dev/null"), EACCES);
    always();
    unprivileged(others);
    return finish();
}
