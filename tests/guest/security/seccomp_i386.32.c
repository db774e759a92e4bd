// seccomp(2) in 32-bit code: AUDIT_ARCH_I386, i386 numbers and registers; what becomes of 64-bit programs that are executed.
#include "filter.h"
#include <ucontext.h>

// getpriority by `int $0x80` in a place of its own.
long at_known_place(void);
extern char after_known_place[];
__asm__(".text; at_known_place: push %ebx; mov $96, %eax; xor %ebx, %ebx; xor %ecx, %ecx; int $0x80\n"
        ".globl after_known_place; after_known_place: pop %ebx; ret");

static siginfo_t seen;
static ucontext_t *found;
static greg_t registers[NGREG];
static volatile long answer = -1;
static void on_sigsys(int signal, siginfo_t *info, void *context) {
    (void)signal;
    seen = *info, found = context;
    memcpy(registers, found->uc_mcontext.gregs, sizeof registers);
    if (answer >= 0) found->uc_mcontext.gregs[REG_EAX] = answer;
}

static void traps(void) {
    on_signal(SIGSYS, on_sigsys, SA_NODEFER);
    must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
    must(install(0, FIELD(nr), ON(96, SECCOMP_RET_TRAP), ON(102, SECCOMP_RET_TRAP | 5), RETURN(SECCOMP_RET_ALLOW)));
    for (int again = 0; again < 2; again++) {
        equal("nobody answers", at_known_place(), 96);
        check("si_call_addr", seen.si_call_addr == after_known_place);
        equal("eip", registers[REG_EIP], (long)after_known_place);
        equal("eax", registers[REG_EAX], 96);
        equal("si_arch", seen.si_arch, AUDIT_ARCH_I386);
        answer = 4321;
        equal("the handler answers", at_known_place(), 4321);
        answer = -1;
    }
    long arguments[3] = {-1, 2, 3};
    answer = 77;
    equal("socketcall", syscall(SYS_socketcall, 1, arguments), 77);
    equal("si_syscall", seen.si_syscall, 102);
    equal("si_errno", seen.si_errno, 5);
    equal("ebx", registers[REG_EBX], 1);
    equal("ecx", registers[REG_ECX], (long)arguments);

    // By instruction pointer: from one place, and from no other.
    must(install(0, FIELD(instruction_pointer), UNLESS((unsigned long)after_known_place, 1), RETURN(ERROR(EDOM)),
                 BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, instruction_pointer) + 4), UNLESS(0, 1),
                 RETURN(SECCOMP_RET_ALLOW), RETURN(SECCOMP_RET_KILL_PROCESS)));
    equal("a trap is worse than an error", at_known_place(), 77);
    succeeds("from elsewhere", syscall(SYS_getppid));
    _exit(finish());
}

// A call that is interrupted is looked at again when it is made again.
static volatile int alarms;
static void on_alarm(int signal) {
    (void)signal;
    alarms++;
    must(install(0, FIELD(nr), ON(SYS_read, ERROR(EDOM)), RETURN(SECCOMP_RET_ALLOW)));
}
static void restarted(void) {
    int pipes[2];
    must(pipe(pipes));
    must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
    struct sigaction action = {.sa_flags = SA_RESTART};
    action.sa_handler = on_alarm;
    must(sigaction(SIGALRM, &action, 0));
    must(install(0, RETURN(SECCOMP_RET_ALLOW)));
    alarm(1);
    char byte;
    fails("read", read(pipes[0], &byte, 1), EDOM);
    equal("alarms", alarms, 1);
    _exit(finish());
}

static int elf_class(const char *name) {
    unsigned char head[20] = {0};
    int fd = open(name, O_RDONLY);
    if (fd < 0) return -1;
    must(read(fd, head, sizeof head));
    close(fd);
    return !memcmp(head, "\177ELF\2", 5) && head[18] == 62 ? 64 : 0;
}

// In a 64-bit program the filter sees 64-bit calls: this one ends it at its exit_group.
static void runs_64_bit_program(const char *name, int by_descriptor) {
    if (elf_class(name) != 64) raise(SIGSYS);
    must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
    must(install(0, FIELD(arch), UNLESS(AUDIT_ARCH_X86_64, 2), FIELD(nr), ON(231, SECCOMP_RET_KILL_PROCESS), RETURN(SECCOMP_RET_ALLOW)));
    char *argv[] = {"true", 0}, *envp[] = {0};
    if (by_descriptor) syscall(SYS_execveat, must(open(name, O_RDONLY | by_descriptor)), "", argv, envp, AT_EMPTY_PATH);
    else execve(name, argv, envp);
    _exit(9);
}

int main(void) {
    if (!filters_exist()) return 0;
    equal("traps", child_end(traps()), 0);
    equal("restarted", child_end(restarted()), 0);
    equal("a 64-bit program", child_end(runs_64_bit_program("/bin/true", 0)), 1000 + SIGSYS);
    equal("a 64-bit program, open", child_end(runs_64_bit_program("/bin/true", O_CLOEXEC)), 1000 + SIGSYS);
    equal("a 64-bit program, left open", child_end(runs_64_bit_program("/bin/true", O_NOCTTY)), 1000 + SIGSYS);
    equal("what is no program", child_end({
        must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
        must(install(0, RETURN(SECCOMP_RET_ALLOW)));
        int fd = must(open("text", O_CREAT | O_WRONLY | O_CLOEXEC, 0755));
        must(write(fd, "no program\n", 11));
        must(close(fd));
        char *none[] = {0};
        fails("text", execve("./text", none, none), ENOEXEC);
        fails("nothing", execve("./nothing", none, none), ENOENT);
        must(unlink("text"));
        _exit(finish());
    }), 0);
    equal("strict: sigreturn is allowed, rt_sigreturn is not", child_end({
        must(prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT, 0, 0, 0));
        __asm__ volatile("int $0x80" : : "a"(173));
    }), 1000 + SIGKILL);
    return finish();
}
