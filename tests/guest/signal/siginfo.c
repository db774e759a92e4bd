// siginfo of every source: kill, raise, sigqueue, timer, alarm, and each kind of fault.
//# libc: static dynamic musl
//# cflags: -msse2
#include <setjmp.h>
#include <ucontext.h>
#include "expect.h"

static siginfo_t last;
static volatile int count;
static sigjmp_buf out;

static void note(int signal, siginfo_t *info, void *context) {
    last = *info;
    count++;
    if (info->si_signo != signal) say("FAIL si_signo");
}

static void leave(int signal, siginfo_t *info, void *context) {
    last = *info;
    siglongjmp(out, 1);
}

#define faulting(code) do { memset(&last, 0, sizeof last); if (!sigsetjmp(out, 1)) { code; } } while (0)

int main(void) {
    for (int i = 0; i < 5; i++) on_signal((int[]){SIGUSR1, SIGRTMIN + 3, SIGALRM, SIGCHLD, SIGTERM}[i], note, 0);
    must(kill(getpid(), SIGUSR1));
    check("kill", last.si_code == SI_USER && last.si_pid == getpid() && last.si_uid == getuid());
    must(raise(SIGUSR1));
    check("raise", last.si_code == SI_TKILL && last.si_pid == getpid());
    must(sigqueue(getpid(), SIGRTMIN + 3, (union sigval){.sival_ptr = (void *)0x89abcdef}));
    check("sigqueue", last.si_code == SI_QUEUE && last.si_value.sival_ptr == (void *)0x89abcdef && last.si_pid == getpid());
    timer_t timer;
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN + 3, .sigev_value.sival_int = 4711};
    must(timer_create(CLOCK_MONOTONIC, &event, &timer));
    must(timer_settime(timer, 0, &(struct itimerspec){{0, 0}, {0, 2000000}}, 0));
    pause_for(15);
    check("timer", last.si_code == SI_TIMER && last.si_value.sival_int == 4711 && last.si_overrun == 0);
    alarm(0);
    ualarm(2000, 0);
    pause_for(15);
    check("alarm", last.si_signo == SIGALRM && last.si_code == SI_KERNEL);
    pid_t child = must(fork());
    if (!child) _exit(7);
    pause_for(15);
    while (last.si_signo != SIGCHLD) pause_for(1);
    check("exited child", last.si_code == CLD_EXITED && last.si_pid == child && last.si_status == 7 && last.si_uid == getuid());
    must(waitpid(child, 0, 0));
    last.si_signo = 0;
    if (!(child = must(fork()))) kill(getpid(), SIGKILL);
    while (last.si_signo != SIGCHLD) pause_for(1);
    check("killed child", last.si_code == CLD_KILLED && last.si_status == SIGKILL);
    must(waitpid(child, 0, 0));
    siginfo_t mine = {.si_signo = SIGUSR1, .si_code = -77};
    mine.si_value.sival_int = 99;
    must(syscall(SYS_rt_sigqueueinfo, getpid(), SIGTERM, &mine));
    check("rt_sigqueueinfo", last.si_code == -77 && last.si_value.sival_int == 99 && last.si_signo == SIGTERM);
    mine.si_code = 1;
    child = must(fork());
    if (!child) {
        fails("a child may not pretend to be the kernel", syscall(SYS_rt_sigqueueinfo, getppid(), SIGTERM, &mine), EPERM);
        _exit(finish());
    }
    equal("child", end_of(child), 0);

    for (int i = 0; i < 5; i++) on_signal((int[]){SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP}[i], leave, 0);
    static volatile int *where;
    where = forbidden();
    faulting(*where = 1);
    check("write to a forbidden page", last.si_signo == SIGSEGV && last.si_code == SEGV_ACCERR && last.si_addr == where);
    where = (void *)0x10;
    faulting(*where = 1);
    check("write to page zero", last.si_signo == SIGSEGV && last.si_code == SEGV_MAPERR && last.si_addr == where);
    int (*function)(void) = forbidden();
    faulting(function());
    check("execute a forbidden page", last.si_signo == SIGSEGV && last.si_addr == (void *)function);
    int fd = file_of("short");
    where = must(mmap(0, 8192, PROT_READ, MAP_SHARED, fd, 0));
    faulting((void)where[1024]);
    check("beyond the end of a file", last.si_signo == SIGBUS && last.si_code == BUS_ADRERR && last.si_addr == where + 1024);
    faulting(asm volatile("xor %%edx, %%edx; mov $1, %%eax; xor %%ecx, %%ecx; div %%ecx" ::: "eax", "ecx", "edx"));
    check("divide by zero", last.si_signo == SIGFPE && last.si_code == FPE_INTDIV && last.si_addr);
    faulting(asm volatile("mov $0x80000000, %%eax; cdq; mov $-1, %%ecx; idiv %%ecx" ::: "eax", "ecx", "edx"));
    check("overflow of a division", last.si_signo == SIGFPE && last.si_code == FPE_INTDIV);
    faulting(asm volatile("ud2"));
    check("ud2", last.si_signo == SIGILL && last.si_code == ILL_ILLOPN && last.si_addr);
    faulting(asm volatile("int3"));
    check("int3", last.si_signo == SIGTRAP && last.si_code == SI_KERNEL);
    faulting(asm volatile("hlt"));
    check("hlt", last.si_signo == SIGSEGV && last.si_code == SI_KERNEL && last.si_addr == 0);
    unsigned short word = 0x37f & ~4;
    faulting(asm volatile("fldcw %0; fldz; fld1; fdivp; fwait" ::"m"(word)));
    check("x87 divide by zero", last.si_signo == SIGFPE && last.si_code == FPE_FLTDIV);
    asm volatile("fninit");
    return finish();
}
