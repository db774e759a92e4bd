// clone3, raw; exit_group, which ends every thread; set_tid_address.
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include "expect.h"

struct arguments { uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls, set_tid, set_tid_size, cgroup; };

static void *wait_for_ever(void *nothing) {
    for (;;) pause();
    return nothing;
}

static void *end_all(void *nothing) {
    syscall(SYS_exit_group, 23);
    return nothing;
}

// Without a function that the child would return from, on the stack that it shares.
static inline __attribute__((always_inline)) long clone3_here(struct arguments *arguments, long size) {
    long result;
#ifdef __i386__
    asm volatile("int $0x80" : "=a"(result) : "0"(SYS_clone3), "b"(arguments), "c"(size) : "memory");
#else
    asm volatile("syscall" : "=a"(result) : "0"(SYS_clone3), "D"(arguments), "S"(size) : "rcx", "r11", "memory");
#endif
    return result;
}

int main(void) {
    // As fork: there is no stack and no memory in common.
    struct arguments a = {.exit_signal = SIGCHLD};
    if (!optional(syscall(SYS_clone3, 0, 0L))) {
        // Linux before 5.3, which is older than what any of these programs is run on.
        return 1;
    }
    long child = syscall(SYS_clone3, &a, 64L);
    if (!child) syscall(SYS_exit_group, 21);
    equal("clone3", end_of(child), 21);
    int pidfd = -1, tid = -1;
    a = (struct arguments){.flags = 0x1000 /* CLONE_PIDFD */ | 0x100000 /* CLONE_PARENT_SETTID */, .exit_signal = SIGCHLD, .pidfd = (uintptr_t)&pidfd, .parent_tid = (uintptr_t)&tid};
    child = syscall(SYS_clone3, &a, sizeof a);
    if (!child) {
        pause_for(1);
        _exit(22);
    }
    equal("its id", tid, child);
    check("a descriptor of it", pidfd >= 0);
    siginfo_t info;
    succeeds("waitid by it", syscall(SYS_waitid, 3 /* P_PIDFD */, pidfd, &info, WEXITED, 0L));
    check("how it ended", info.si_code == CLD_EXITED && info.si_status == 22);
    // Handlers can be reset: then an ignored signal stays ignored, a handled one is not.
    signal(SIGUSR1, SIG_IGN), signal(SIGUSR2, (void (*)(int))wait_for_ever);
    a = (struct arguments){.flags = 0x100000000ULL /* CLONE_CLEAR_SIGHAND */, .exit_signal = SIGCHLD};
    child = syscall(SYS_clone3, &a, sizeof a);
    if (!child) {
        struct sigaction one, two;
        sigaction(SIGUSR1, 0, &one), sigaction(SIGUSR2, 0, &two);
        _exit((one.sa_handler == SIG_IGN) + 2 * (two.sa_handler == SIG_DFL));
    }
    equal("CLONE_CLEAR_SIGHAND", end_of(child), 3);
    // As posix_spawn does it: memory in common until the child ends.
    a.flags |= CLONE_VM | CLONE_VFORK;
    static volatile int seen;
    child = clone3_here(&a, sizeof a);
    if (!child) {
        struct sigaction one, two;
        sigaction(SIGUSR1, 0, &one), sigaction(SIGUSR2, 0, &two);
        seen = (one.sa_handler == SIG_IGN) + 2 * (two.sa_handler == SIG_DFL);
        _exit(25);
    }
    equal("CLONE_CLEAR_SIGHAND with CLONE_VM", end_of(child), 25);
    equal("the child's handlers", seen, 3);
    struct sigaction ours;
    must(sigaction(SIGUSR2, 0, &ours));
    check("not ours", ours.sa_handler != SIG_DFL);
    a.flags = 0x100000000ULL | CLONE_SIGHAND | CLONE_VM;
    fails("CLONE_CLEAR_SIGHAND with CLONE_SIGHAND", syscall(SYS_clone3, &a, sizeof a), EINVAL);
    struct arguments large[2] = {{.exit_signal = SIGCHLD}};
    child = syscall(SYS_clone3, large, sizeof large);
    if (!child) _exit(24);
    equal("larger than it knows, and zero", end_of(child), 24);
    large[1].flags = 1;
    fails("larger than it knows", syscall(SYS_clone3, large, sizeof large), E2BIG);
    fails("far too large", syscall(SYS_clone3, large, 8192L), E2BIG);
    fails("too small", syscall(SYS_clone3, &a, 56L), EINVAL);
    fails("nowhere", syscall(SYS_clone3, forbidden(), 64L), EFAULT);
    a = (struct arguments){.exit_signal = 65};
    fails("no such signal", syscall(SYS_clone3, &a, sizeof a), EINVAL);
    a = (struct arguments){.exit_signal = 1ULL << 33};
    fails("a signal in the upper half", syscall(SYS_clone3, &a, sizeof a), EINVAL);
    a = (struct arguments){.flags = 1ULL << 40};
    fails("a flag in the upper half", syscall(SYS_clone3, &a, sizeof a), EINVAL);
    a = (struct arguments){.flags = CLONE_THREAD};
    fails("a thread without handlers", syscall(SYS_clone3, &a, sizeof a), EINVAL);
    a = (struct arguments){.stack = 0x1000};
    fails("a stack without a size", syscall(SYS_clone3, &a, sizeof a), EINVAL);
    a = (struct arguments){.stack_size = 0x1000};
    fails("a size without a stack", syscall(SYS_clone3, &a, sizeof a), EINVAL);
    a = (struct arguments){.flags = 0x1000, .pidfd = (uintptr_t)forbidden(), .exit_signal = SIGCHLD};
    fails("descriptor to nowhere", syscall(SYS_clone3, &a, sizeof a), EFAULT);
    always();

    child = must(fork());
    if (!child) {
        pthread_t thread;
        pthread_create(&thread, 0, wait_for_ever, 0);
        pthread_create(&thread, 0, end_all, 0);
        wait_for_ever(0);
    }
    equal("exit_group of a thread", end_of(child), 23);

    // The word is cleared and woken when the process ends; seen through shared memory.
    volatile int *word = must(mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    child = must(fork());
    if (!child) {
        _exit(syscall(SYS_set_tid_address, word) != getpid());
    }
    equal("set_tid_address gives the id", end_of(child), 0);
    child = must(fork());
    if (!child) {
        // Only where somebody else has the memory is it cleared.
        syscall(SYS_set_tid_address, word);
        *word = 77;
        if (!vfork()) _exit(0);
        _exit(0);
    }
    equal("ended", end_of(child), 0);
    return finish();
}
