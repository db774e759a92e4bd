// seccomp(2): what a filter sees and does, and who inherits it.
//# link: -pthread
#include "filter.h"
#include <pthread.h>

#ifdef __i386__
#define ARCH AUDIT_ARCH_I386
#else
#define ARCH AUDIT_ARCH_X86_64
#endif

static siginfo_t seen;
static volatile int signals;
static void on_sigsys(int signal, siginfo_t *info, void *context) {
    (void)signal, (void)context;
    seen = *info;
    signals++;
}

// The fields of `Seccomp:` and `NoNewPrivs:` in this process's status.
static int status_field(const char *name) {
    char text[4096];
    int fd = must(open("/proc/self/status", O_RDONLY));
    ssize_t length = must(read(fd, text, sizeof text - 1));
    must(close(fd));
    text[length] = 0;
    char *line = strstr(text, name);
    return line ? atoi(line + strlen(name)) : -1;
}

static void actions(void) {
    must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
    succeeds("errors", install(0, FIELD(arch), UNLESS(ARCH, 4), FIELD(nr), ON(SYS_getppid, ERROR(EDOM)), RETURN(SECCOMP_RET_ALLOW),
                               RETURN(SECCOMP_RET_KILL_PROCESS)));
    equal("PR_GET_SECCOMP", prctl(PR_GET_SECCOMP, 0, 0, 0, 0), SECCOMP_MODE_FILTER);
    equal("Seccomp", status_field("\nSeccomp:"), SECCOMP_MODE_FILTER);
    fails("ERRNO", syscall(SYS_getppid), EDOM);
    succeeds("another call", syscall(SYS_getuid));
    succeeds("no error", install(0, FIELD(nr), ON(SYS_getpgid, ERROR(0)), ON(SYS_getsid, ERROR(5000)), RETURN(SECCOMP_RET_ALLOW)));
    equal("ERRNO of 0", syscall(SYS_getpgid, 0), 0);
    equal("ERRNO beyond the greatest", (errno = 0, syscall(SYS_getsid, 0), errno), 4095);

    // Which of several filters decides: the action that is worst, and of the same action the latest.
    succeeds("later", install(0, FIELD(nr), ON(SYS_getppid, ERROR(ERANGE)), RETURN(SECCOMP_RET_LOG)));
    fails("the latest of two errors", syscall(SYS_getppid), ERANGE);
    succeeds("latest", install(0, FIELD(nr), ON(SYS_getppid, SECCOMP_RET_ALLOW), RETURN(SECCOMP_RET_ALLOW)));
    fails("what is allowed later is not allowed", syscall(SYS_getppid), ERANGE);
    succeeds("LOG is made", syscall(SYS_getuid));

    succeeds("TRACE", install(0, FIELD(nr), ON(SYS_getpriority, SECCOMP_RET_TRACE | 7), RETURN(SECCOMP_RET_ALLOW)));
    fails("TRACE without a tracer", syscall(SYS_getpriority, 0, 0), ENOSYS);
    succeeds("USER_NOTIF", install(0, FIELD(nr), ON(SYS_getpriority, SECCOMP_RET_USER_NOTIF), RETURN(SECCOMP_RET_ALLOW)));
    fails("USER_NOTIF without a listener", syscall(SYS_getpriority, 0, 0), ENOSYS);

    on_signal(SIGSYS, on_sigsys, 0);
    succeeds("TRAP", install(SECCOMP_FILTER_FLAG_LOG | SECCOMP_FILTER_FLAG_SPEC_ALLOW, FIELD(nr),
                             ON(SYS_getpriority, SECCOMP_RET_TRAP | 1234), RETURN(SECCOMP_RET_ALLOW)));
    // Nobody has set the result: the handler finds, and leaves, the number.
    equal("result", syscall(SYS_getpriority, 0, 0), SYS_getpriority);
    equal("signals", signals, 1);
    equal("si_signo", seen.si_signo, SIGSYS);
    equal("si_code", seen.si_code, 1);
    equal("si_errno", seen.si_errno, 1234);
    equal("si_syscall", seen.si_syscall, SYS_getpriority);
    equal("si_arch", seen.si_arch, ARCH);
    check("si_call_addr", seen.si_call_addr);
    _exit(finish());
}

static void arguments(void) {
    must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
    // Each argument by itself, and nothing above 32 bits.
    succeeds("filter", install(0, FIELD(nr), UNLESS(SYS_prctl, 18), ARGUMENT(0), UNLESS(12345, 16), ARGUMENT(1), UNLESS(-2u, 14),
                               ARGUMENT(2), UNLESS(3, 12), ARGUMENT(3), UNLESS(4, 10), ARGUMENT(4), UNLESS(5, 8),
                               ARGUMENT_HIGH(0), UNLESS(0, 6), ARGUMENT_HIGH(1), UNLESS(0, 4), ARGUMENT_HIGH(4), UNLESS(0, 2),
                               BPF_STMT(BPF_ALU | BPF_ADD | BPF_K, SECCOMP_RET_ERRNO + EXDEV), BPF_STMT(BPF_RET | BPF_A, 0),
                               RETURN(SECCOMP_RET_ALLOW)));
    fails("all of them", syscall(SYS_prctl, 12345, -2u, 3, 4, 5), EXDEV);
    fails("another first", syscall(SYS_prctl, 12346, -2u, 3, 4, 5), EINVAL);
    fails("another last", syscall(SYS_prctl, 12345, -2u, 3, 4, 6), EINVAL);
    _exit(finish());
}

#define KILL(action) \
    child_end(must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)), on_signal(SIGSYS, on_sigsys, 0), \
              must(install(0, FIELD(nr), ON(SYS_getppid, action), RETURN(SECCOMP_RET_ALLOW))), syscall(SYS_getppid))

static volatile pid_t killed;
static void *makes_call(void *unused) {
    killed = syscall(SYS_gettid);
    syscall(SYS_getppid);
    return unused;
}

// A thread that is killed does not take the others with it. It cannot be joined through what the C library has for it.
static void thread_is_killed(void) {
    must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
    must(install(0, FIELD(nr), ON(SYS_getppid, SECCOMP_RET_KILL_THREAD), RETURN(SECCOMP_RET_ALLOW)));
    pthread_t thread;
    if (pthread_create(&thread, 0, makes_call, 0)) _exit(9);
    while (!killed || !syscall(SYS_tgkill, getpid(), killed, 0)) sched_yield();
    _exit(17);
}

static volatile int go, ready;
static void *waits(void *unused) {
    ready = 1;
    while (!go) sched_yield();
    errno = 0;
    return (void *)(syscall(SYS_getppid) == -1 ? (long)errno : (long)0 * (long)unused);
}

static long asks_in_thread(void) {
    pthread_t thread;
    void *result = 0;
    go = 1;
    if (pthread_create(&thread, 0, waits, 0) || pthread_join(thread, &result)) return -1;
    return (long)result;
}

static void threads(void) {
    must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
    pthread_t thread;
    void *result = 0;
    // A filter is the thread's that installs it.
    if (pthread_create(&thread, 0, waits, 0)) _exit(9);
    while (!ready) sched_yield();
    must(install(0, FIELD(nr), ON(SYS_getppid, ERROR(EDOM)), RETURN(SECCOMP_RET_ALLOW)));
    go = 1;
    pthread_join(thread, &result);
    equal("a thread that was there", (long)result, 0);
    equal("a thread that was not", asks_in_thread(), EDOM);
    // TSYNC gives it to all.
    go = ready = 0;
    if (pthread_create(&thread, 0, waits, 0)) _exit(9);
    while (!ready) sched_yield();
    equal("TSYNC", install(SECCOMP_FILTER_FLAG_TSYNC, FIELD(nr), ON(SYS_getppid, ERROR(ERANGE)), RETURN(SECCOMP_RET_ALLOW)), 0);
    go = 1;
    pthread_join(thread, &result);
    equal("a thread that was there", (long)result, ERANGE);
    equal("a thread that was not", asks_in_thread(), ERANGE);
    _exit(finish());
}

static volatile pid_t other;
static void *installs_and_waits(void *unused) {
    must(install(0, RETURN(SECCOMP_RET_ALLOW)));
    other = syscall(SYS_gettid);
    while (!go) sched_yield();
    return unused;
}

// Threads that have filters of their own are not given others in their place.
static void threads_apart(void) {
    must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
    pthread_t thread;
    if (pthread_create(&thread, 0, installs_and_waits, 0)) _exit(9);
    while (!other) sched_yield();
    equal("TSYNC returns the thread", install(SECCOMP_FILTER_FLAG_TSYNC, RETURN(ERROR(EDOM))), other);
    fails("TSYNC_ESRCH", install(SECCOMP_FILTER_FLAG_TSYNC | SECCOMP_FILTER_FLAG_TSYNC_ESRCH, RETURN(ERROR(EDOM))), ESRCH);
    succeeds("nothing was installed", syscall(SYS_getppid));
    go = 1;
    pthread_join(thread, 0);
    _exit(finish());
}

static void inherited(char *self) {
    must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
    must(install(0, FIELD(nr), ON(SYS_getppid, ERROR(EDOM)), ON(SYS_getsid, ERROR(ERANGE)), RETURN(SECCOMP_RET_ALLOW)));
    must(install(0, FIELD(nr), ON(SYS_getsid, ERROR(EXDEV)), RETURN(SECCOMP_RET_ALLOW)));
    equal("fork", child_end(fails("in a child", syscall(SYS_getppid), EDOM); _exit(finish())), 0);
    char *argv[] = {self, "after", 0}, *envp[] = {0};
    pid_t child = must(vfork());
    if (!child) {
        execve("/proc/self/exe", argv, envp);
        _exit(9);
    }
    equal("vfork and execve", end_of(child), 0);
    execve("/proc/self/exe", argv, envp);
    _exit(9);
}

static int after(void) {
    fails("after execve", syscall(SYS_getppid), EDOM);
    fails("after execve, in the order of the filters", syscall(SYS_getsid, 0), EXDEV);
    equal("PR_GET_SECCOMP", prctl(PR_GET_SECCOMP, 0, 0, 0, 0), SECCOMP_MODE_FILTER);
    int fds = 0;
    for (int fd = 3; fd < 256; fd++) fds += fcntl(fd, F_GETFD) != -1;
    equal("descriptors that somebody has left open", fds, 0);
    succeeds("another filter", install(0, FIELD(nr), ON(SYS_getppid, ERROR(E2BIG)), RETURN(SECCOMP_RET_ALLOW)));
    fails("that decides", syscall(SYS_getppid), E2BIG);
    return finish();
}

int main(int argc, char **argv) {
    for (int fd = 3; fd < 256; fd++) close(fd);
    if (argc > 1) return after();
    if (!filters_exist()) return 0;
    equal("actions", child_end(actions()), 0);
    equal("arguments", child_end(arguments()), 0);
    equal("KILL_PROCESS", KILL(SECCOMP_RET_KILL_PROCESS), 1000 + SIGSYS);
    equal("KILL_THREAD, the only one", KILL(SECCOMP_RET_KILL_THREAD), 1000 + SIGSYS);
    equal("no such action", KILL(0x12340000), 1000 + SIGSYS);
    equal("TRAP while SIGSYS is blocked", child_end({
        on_signal(SIGSYS, on_sigsys, 0);
        sigset_t set;
        sigemptyset(&set), sigaddset(&set, SIGSYS), sigprocmask(SIG_BLOCK, &set, 0);
        must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
        must(install(0, FIELD(nr), ON(SYS_getppid, SECCOMP_RET_TRAP), RETURN(SECCOMP_RET_ALLOW)));
        syscall(SYS_getppid);
    }), 1000 + SIGSYS);
    equal("TRAP without a handler", child_end({
        must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
        must(install(0, FIELD(nr), ON(SYS_getppid, SECCOMP_RET_TRAP), RETURN(SECCOMP_RET_ALLOW)));
        syscall(SYS_getppid);
    }), 1000 + SIGSYS);
    equal("KILL_THREAD, one of two", child_end(thread_is_killed()), 17);
    equal("threads", child_end(threads()), 0);
    equal("threads apart", child_end(threads_apart()), 0);
    equal("inherited", child_end(inherited(argv[0])), 0);
    equal("strict: read, write, exit", child_end({
        must(prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT, 0, 0, 0));
        say("ok written");
        syscall(SYS_exit, 23);
    }), 23);
    equal("strict: another call", child_end({
        must(syscall(SYS_seccomp, SECCOMP_SET_MODE_STRICT, 0, 0));
        syscall(SYS_getppid);
    }), 1000 + SIGKILL);
    return finish();
}
