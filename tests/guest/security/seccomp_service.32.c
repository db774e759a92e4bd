// A service as systemd starts it: several filters in the form of libseccomp, and then the program, which knows of nothing.
#include "filter.h"
#include <sys/socket.h>

// libseccomp's beginning: another architecture's calls are `other`'s.
#define BEGIN(other) FIELD(arch), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_I386, 1, 0), RETURN(other), FIELD(nr)

static void confine(void) {
    must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
    // SystemCallFilter=~@clock @obsolete, SystemCallErrorNumber=EPERM
    succeeds("SystemCallFilter", install(0, BEGIN(SECCOMP_RET_ALLOW), BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, SYS_adjtimex, 3, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_stime, 5, 0), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_settimeofday, 4, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_adjtimex, 3, 4), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ustat, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sysfs, 1, 0), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clock_settime, 0, 1),
        RETURN(ERROR(EPERM)), RETURN(SECCOMP_RET_ALLOW)));
    // RestrictAddressFamilies=AF_UNIX
    succeeds("RestrictAddressFamilies", install(0, BEGIN(SECCOMP_RET_ALLOW), UNLESS(359, 5), ARGUMENT_HIGH(0), UNLESS(0, 2), ARGUMENT(0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 1, 0), RETURN(ERROR(EAFNOSUPPORT)), RETURN(SECCOMP_RET_ALLOW)));
    // MemoryDenyWriteExecute=yes: mmap2 with both, mprotect with PROT_EXEC, shmat with SHM_EXEC.
    succeeds("MemoryDenyWriteExecute", install(0, BEGIN(SECCOMP_RET_ALLOW), UNLESS(SYS_mmap2, 4), ARGUMENT(2),
        BPF_STMT(BPF_ALU | BPF_AND | BPF_K, PROT_WRITE | PROT_EXEC), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PROT_WRITE | PROT_EXEC, 4, 5),
        RETURN(SECCOMP_RET_ALLOW), UNLESS(SYS_mprotect, 3), ARGUMENT(2), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),
        RETURN(ERROR(EPERM)), RETURN(SECCOMP_RET_ALLOW)));
    // RestrictNamespaces=yes: unshare, and clone with any of the flags.
    succeeds("RestrictNamespaces", install(0, BEGIN(SECCOMP_RET_ALLOW), UNLESS(SYS_unshare, 1), RETURN(ERROR(EPERM)), UNLESS(SYS_clone, 3),
        ARGUMENT(0), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET, 0, 1),
        RETURN(ERROR(EPERM)), RETURN(SECCOMP_RET_ALLOW)));
    // LockPersonality=yes
    succeeds("LockPersonality", install(0, BEGIN(SECCOMP_RET_ALLOW), UNLESS(SYS_personality, 3), ARGUMENT(0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0), RETURN(ERROR(EPERM)), RETURN(SECCOMP_RET_ALLOW)));
    // SystemCallArchitectures=native, for a 32-bit system: calls of x86-64 end the program.
    succeeds("SystemCallArchitectures", install(0, BEGIN(SECCOMP_RET_KILL_PROCESS), RETURN(SECCOMP_RET_ALLOW)));
}

static int service(void) {
    struct timespec time = {0};
    fails("clock_settime", syscall(SYS_clock_settime, CLOCK_REALTIME, &time), EPERM);
    fails("settimeofday", syscall(SYS_settimeofday, 0, 0), EPERM);
    fails("sysfs", syscall(SYS_sysfs, 3), EPERM);
    succeeds("clock_gettime", syscall(SYS_clock_gettime, CLOCK_REALTIME, &time));
    fails("AF_INET", syscall(359, AF_INET, SOCK_STREAM, 0), EAFNOSUPPORT);
    succeeds("AF_UNIX", syscall(359, AF_UNIX, SOCK_STREAM, 0));
    fails("mmap", syscall(SYS_mmap2, 0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), EPERM);
    void *page = must(mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    fails("mprotect", mprotect(page, 4096, PROT_READ | PROT_EXEC), EPERM);
    succeeds("mprotect", mprotect(page, 4096, PROT_READ));
    fails("unshare", unshare(CLONE_NEWNS), EPERM);
    fails("clone", syscall(SYS_clone, CLONE_NEWUTS | SIGCHLD, 0, 0, 0, 0), EPERM);
    fails("personality", syscall(SYS_personality, 8), EPERM);
    equal("a child", child_end(fails("clock_settime in it", syscall(SYS_clock_settime, CLOCK_REALTIME, &time), EPERM); _exit(finish())), 0);
    char text[4096] = {0};
    int fd = must(open("/proc/self/status", O_RDONLY));
    must(read(fd, text, sizeof text - 1));
    check("status", strstr(text, "\nSeccomp:\t2\n") && strstr(text, "\nNoNewPrivs:\t1\n"));
    return finish();
}

int main(int argc, char **argv) {
    if (argc > 1) return service();
    if (!filters_exist()) return 0;
    confine();
    char *arguments[] = {argv[0], "service", 0}, *environment[] = {0};
    execve("/proc/self/exe", arguments, environment);
    say("FAIL execve: %s", error_name(errno));
    return 1;
}
