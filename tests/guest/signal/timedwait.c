// rt_sigtimedwait, with both sizes of time, and rt_tgsigqueueinfo, raw.
#include "expect.h"

#ifdef __i386__
#define WIDE 421 // rt_sigtimedwait_time64
#else
#define WIDE SYS_rt_sigtimedwait
#endif

static uint64_t set = 1ULL << (SIGUSR1 - 1) | 1ULL << (40 - 1);
struct wide { int64_t sec, nsec; };

static long queue(int group, int thread, int signal, int code, int value) {
    siginfo_t info = {.si_code = code};
    info.si_pid = 77, info.si_uid = 88, info.si_value.sival_int = value;
    return syscall(SYS_rt_tgsigqueueinfo, group, thread, signal, &info);
}

int main(void) {
    int me = getpid();
    must(syscall(SYS_rt_sigprocmask, SIG_BLOCK, &set, 0, 8));
    siginfo_t info;
    struct { long sec, nsec; } none = {0, 0}, invalid = {0, 1000000000}, negative = {-1, 0}, far = {1000, 0};
    struct wide none64 = {0, 0}, invalid64 = {0, 1000000000}, negative64 = {-1, 0}, far64 = {1LL << 40, 0};
    succeeds("rt_tgsigqueueinfo", queue(me, me, 40, SI_QUEUE, 123));
    succeeds("rt_tgsigqueueinfo again", queue(me, me, 40, -60, 124));
    equal("rt_sigtimedwait", syscall(SYS_rt_sigtimedwait, &set, &info, &far, 8), 40);
    check("with its siginfo", info.si_signo == 40 && info.si_code == SI_QUEUE && info.si_pid == 77 && info.si_uid == 88 && info.si_value.sival_int == 123);
    equal("rt_sigtimedwait_time64", syscall(WIDE, &set, &info, &far64, 8), 40);
    check("with its siginfo", info.si_code == -60 && info.si_value.sival_int == 124);
    must(kill(me, SIGUSR1));
    equal("without siginfo", syscall(SYS_rt_sigtimedwait, &set, 0, 0, 8), SIGUSR1);
    must(kill(me, SIGUSR1));
    equal("without siginfo, 64 bits", syscall(WIDE, &set, 0, 0, 8), SIGUSR1);
    fails("none", syscall(SYS_rt_sigtimedwait, &set, &info, &none, 8), EAGAIN);
    fails("none, 64 bits", syscall(WIDE, &set, &info, &none64, 8), EAGAIN);
    fails("time", syscall(SYS_rt_sigtimedwait, &set, &info, &invalid, 8), EINVAL);
    fails("time, 64 bits", syscall(WIDE, &set, &info, &invalid64, 8), EINVAL);
    fails("negative", syscall(SYS_rt_sigtimedwait, &set, &info, &negative, 8), EINVAL);
    fails("negative, 64 bits", syscall(WIDE, &set, &info, &negative64, 8), EINVAL);
    fails("size", syscall(SYS_rt_sigtimedwait, &set, &info, &none, 4), EINVAL);
    fails("size, 64 bits", syscall(WIDE, &set, &info, &none64, 4), EINVAL);
    fails("set nowhere", syscall(SYS_rt_sigtimedwait, forbidden(), &info, &none, 8), EFAULT);
    fails("set nowhere, 64 bits", syscall(WIDE, forbidden(), &info, &none64, 8), EFAULT);
    fails("time nowhere", syscall(SYS_rt_sigtimedwait, &set, &info, forbidden(), 8), EFAULT);
    fails("time nowhere, 64 bits", syscall(WIDE, &set, &info, forbidden(), 8), EFAULT);
    must(kill(me, SIGUSR1));
    fails("siginfo nowhere", syscall(SYS_rt_sigtimedwait, &set, forbidden(), &far, 8), EFAULT);
    fails("the signal is gone", syscall(WIDE, &set, &info, &none64, 8), EAGAIN);
    must(kill(me, SIGUSR1));
    fails("siginfo nowhere, 64 bits", syscall(WIDE, &set, forbidden(), &far64, 8), EFAULT);

    fails("rt_tgsigqueueinfo, nowhere", syscall(SYS_rt_tgsigqueueinfo, me, me, 40, forbidden()), EFAULT);
    fails("rt_tgsigqueueinfo, no such signal", queue(me, me, 65, SI_QUEUE, 1), EINVAL);
    fails("rt_tgsigqueueinfo, no such thread", queue(me, 0x3fffff, 40, SI_QUEUE, 1), ESRCH);
    fails("rt_tgsigqueueinfo, thread 0", queue(me, 0, 40, SI_QUEUE, 1), EINVAL);
    fails("rt_tgsigqueueinfo, group 0", queue(0, me, 40, SI_QUEUE, 1), EINVAL);
    succeeds("signal 0", queue(me, me, 0, SI_QUEUE, 1));
    pid_t child = must(fork());
    if (!child) {
        for (;;) pause();
    }
    fails("as if from the kernel", queue(child, child, 40, SI_USER, 1), EPERM);
    fails("as if from tkill", queue(child, child, 40, SI_TKILL, 1), EPERM);
    fails("another's thread", queue(me, child, 40, SI_QUEUE, 1), ESRCH);
    must(kill(child, SIGKILL));
    equal("killed", end_of(child), 1000 + SIGKILL);
    return finish();
}
