// Calls on signals with arguments that are wrong in several ways, and the sign of an old mask.
#include "expect.h"

int main(void) {
    int self = syscall(SYS_pidfd_open, getpid(), 0);
    fails("pidfd_send_signal, flags first", syscall(SYS_pidfd_send_signal, -1, 0, forbidden(), 77), EINVAL);
    fails("then the descriptor", syscall(SYS_pidfd_send_signal, -1, 0, forbidden(), 0), EBADF);
    fails("then what is sent", syscall(SYS_pidfd_send_signal, self, 0, forbidden(), 0), EFAULT);
    uint64_t set = 0;
    fails("rt_sigtimedwait, length first", syscall(SYS_rt_sigtimedwait, forbidden(), 0, forbidden(), 4), EINVAL);
    fails("then the set", syscall(SYS_rt_sigtimedwait, forbidden(), 0, forbidden(), 8), EFAULT);
    fails("then the time", syscall(SYS_rt_sigtimedwait, &set, 0, forbidden(), 8), EFAULT);
    // ssetmask: an int, whose sign fills the signals from 33 on.
    syscall(SYS_ssetmask, 0x80000000);
    must(syscall(SYS_rt_sigprocmask, SIG_BLOCK, 0, &set, 8));
    say("%llx", (long long)set);
    syscall(SYS_ssetmask, 0x200);
    must(syscall(SYS_rt_sigprocmask, SIG_BLOCK, 0, &set, 8));
    say("%llx", (long long)set);
    return finish();
}
