// A sandbox as browsers make it: everything that is not known traps, and the handler of SIGSYS does what is to be done instead.
//# link: -pthread
#include "filter.h"
#include <pthread.h>
#include <sys/socket.h>
#include <ucontext.h>

// The filter's own calls: those of the handler come from here, and are allowed.
static const unsigned long secret = 0x5ecc0de5;

static volatile int opened, refused;

// The handler is the broker's client: it knows one file, and says EACCES of all others.
static void on_sigsys(int signal, siginfo_t *info, void *data) {
    greg_t *registers = ((ucontext_t *)data)->uc_mcontext.gregs;
    if (signal != SIGSYS || info->si_code != 1 || info->si_arch != AUDIT_ARCH_I386) _exit(90);
    if (info->si_syscall != registers[REG_EAX]) _exit(91);
    long arguments[] = {registers[REG_EBX], registers[REG_ECX], registers[REG_EDX], registers[REG_ESI]};
    switch (info->si_syscall) {
    case SYS_openat:
        if (!strcmp((char *)arguments[1], "/dev/null")) {
            long fd = syscall(SYS_openat, arguments[0], arguments[1], arguments[2], arguments[3], 0, secret);
            registers[REG_EAX] = fd < 0 ? -errno : fd, opened++;
        } else {
            registers[REG_EAX] = -EACCES, refused++;
        }
        return;
    case SYS_getpid:
        registers[REG_EAX] = 1;
        return;
    default:
        registers[REG_EAX] = -ENOSYS;
    }
}

static void *in_thread(void *unused) {
    fails("a file, in a thread", open("/etc/passwd", O_RDONLY), EACCES);
    succeeds("the file, in a thread", open("/dev/null", O_RDONLY));
    return unused;
}

int main(void) {
    if (!filters_exist()) return 0;
    on_signal(SIGSYS, on_sigsys, SA_NODEFER);
    must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
    // As codegen does it: the number in a tree of comparisons, arguments in halves, masks.
    succeeds("filter", install(SECCOMP_FILTER_FLAG_TSYNC,
        FIELD(arch), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_I386, 1, 0), RETURN(SECCOMP_RET_KILL_PROCESS),
        // The secret in the sixth argument: calls of the handler itself.
        ARGUMENT(5), UNLESS(secret, 3), ARGUMENT_HIGH(5), UNLESS(0, 1), RETURN(SECCOMP_RET_ALLOW),
        FIELD(nr),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, SYS_openat, 0, 10),
        // From openat on.
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 8, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 359, 0, 6), // socket: local ones
        ARGUMENT(0), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 0, 3),
        ARGUMENT(1), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 0x800, 1, 0), // SOCK_NONBLOCK is not for here
        RETURN(SECCOMP_RET_ALLOW), RETURN(ERROR(EACCES)), RETURN(SECCOMP_RET_ALLOW),
        RETURN(SECCOMP_RET_TRAP),
        // Before openat: getpid is the handler's; clone is for threads; kill is only for oneself; others are allowed.
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getpid, 0, 1), RETURN(SECCOMP_RET_TRAP),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 4), ARGUMENT(0),
        BPF_STMT(BPF_ALU | BPF_AND | BPF_K, CLONE_VM | CLONE_THREAD), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, CLONE_VM | CLONE_THREAD, 0, 4),
        RETURN(SECCOMP_RET_ALLOW),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fork, 2, 0), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_vfork, 1, 0),
        RETURN(SECCOMP_RET_ALLOW), RETURN(ERROR(EPERM))));
    equal("getpid", syscall(SYS_getpid), 1);
    fails("fork", syscall(SYS_fork), EPERM);
    fails("a file", open("/etc/passwd", O_RDONLY), EACCES);
    succeeds("the file", open("/dev/null", O_RDONLY));
    fails("a socket of the network", syscall(359, AF_INET, SOCK_STREAM, 0), EACCES);
    fails("a socket that does not wait", syscall(359, AF_UNIX, SOCK_STREAM | 0x800, 0), EACCES);
    succeeds("a local socket", syscall(359, AF_UNIX, SOCK_STREAM, 0));
    pthread_t thread;
    int created = pthread_create(&thread, 0, in_thread, 0);
    if (!created) pthread_join(thread, 0);
    equal("a thread", created, 0);
    equal("opened", opened, 2);
    equal("refused", refused, 2);
    return finish();
}
