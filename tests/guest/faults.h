// Runs a piece of code that faults, and says what its signal said.
#include <setjmp.h>
#include <ucontext.h>
#include "expect.h"

static siginfo_t last;
static volatile int trapno, error;
static volatile unsigned cr2;
static sigjmp_buf out;

static void leave(int signal, siginfo_t *info, void *context) {
    asm volatile("pushf; andl $~0x40000, (%esp); popf"); // the kernel leaves AC as it was, and the C library is not always aligned
    mcontext_t *m = &((ucontext_t *)context)->uc_mcontext;
    last = *info;
    trapno = m->gregs[REG_TRAPNO];
    error = m->gregs[REG_ERR];
    cr2 = m->cr2;
    siglongjmp(out, 1);
}

#define show(name, code) do { \
    if (!sigsetjmp(out, 1)) { code; say("%s: nothing", name); } \
    else say("%s: signal %d code %d trap %d error %x", name, last.si_signo, last.si_code, trapno, error); } while (0)

static void catch_faults(void) {
    for (int i = 0; i < 5; i++) on_signal((int[]){SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP}[i], leave, 0);
}
