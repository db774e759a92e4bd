// Signals of faults that no instruction has raised: sent by the process to itself, with and without the code of a fault.
#include "expect.h"

static volatile int count, code, address;

static void note(int signal, siginfo_t *info, void *context) {
    count++, code = info->si_code, address = (intptr_t)info->si_addr;
}

int main(void) {
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
    for (int i = 0; i < 6; i++) {
        int signal = signals[i];
        on_signal(signal, note, 0);
        count = 0;
        must(kill(getpid(), signal));
        say("signal %d: kill: %d times, code %d", signal, count, code);
        must(syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), signal));
        say("signal %d: tgkill: %d times, code %d", signal, count, code);
        siginfo_t info = {.si_signo = signal, .si_code = 1};
        info.si_addr = (void *)0x1234;
        must(syscall(SYS_rt_sigqueueinfo, getpid(), signal, &info));
        say("signal %d: rt_sigqueueinfo: %d times, code %d, address %x", signal, count, code, address);
        static const int codes[] = {0x10000, 0x7fffffff, -0x7fffffff};
        for (int j = 0; j < 3; j++) {
            info.si_code = codes[j];
            must(syscall(SYS_rt_sigqueueinfo, getpid(), signal, &info));
            say("signal %d: rt_sigqueueinfo: %d times, code %x, address %x", signal, count, code, address);
        }
        info.si_code = SI_QUEUE;
        must(syscall(SYS_rt_tgsigqueueinfo, getpid(), syscall(SYS_gettid), signal, &info));
        say("signal %d: rt_tgsigqueueinfo: %d times, code %d", signal, count, code);
        // Blocked, it waits, whatever its code says.
        info.si_code = 1;
        uint64_t set = 1ull << (signal - 1), pending = 0;
        must(syscall(SYS_rt_sigprocmask, SIG_BLOCK, &set, 0, 8));
        must(syscall(SYS_rt_sigqueueinfo, getpid(), signal, &info));
        must(syscall(SYS_rt_sigpending, &pending, 8));
        say("signal %d: blocked: %d times, pending %d", signal, count, pending == set);
        must(syscall(SYS_rt_sigprocmask, SIG_UNBLOCK, &set, 0, 8));
        say("signal %d: unblocked: %d times, code %d, address %x", signal, count, code, address);
    }
    siginfo_t info = {.si_signo = SIGUSR1, .si_code = 1};
    pid_t child = must(fork());
    if (!child) for (;;) pause();
    fails("of the kernel's codes, to another", syscall(SYS_rt_sigqueueinfo, child, SIGUSR1, &info), EPERM);
    must(kill(child, SIGKILL));
    equal("the child", end_of(child), 1000 + SIGKILL);
    return finish();
}
