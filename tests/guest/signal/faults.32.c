// Faults that only 32-bit code has, and what each says in siginfo and in the context: trap number, error code, address.
//# libc: static musl
//# cflags: -fno-pie -no-pie
#include <setjmp.h>
#include <ucontext.h>
#include "expect.h"

static siginfo_t last;
static volatile int trapno, error, eip_offset;
static volatile unsigned cr2;
static sigjmp_buf out;
extern char site[];

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

int main(void) {
    for (int i = 0; i < 5; i++) on_signal((int[]){SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP}[i], leave, 0);
    volatile char *bad = forbidden();
    show("read", (void)*bad);
    check("cr2", cr2 == (uintptr_t)bad && last.si_addr == (void *)bad);
    show("write", *bad = 1);
    show("execute", ((void (*)(void))bad)());
    show("top page", *(volatile char *)0xfffff123 = 1);
    check("its address", last.si_addr == (void *)0xfffff123);
    show("wraps around", (void)*(volatile int *)0xfffffffe);
    show("into", asm volatile("mov $0x7fffffff, %%eax; add $1, %%eax; .byte 0xce" ::: "eax"));
    int bounds[2] = {1, 5}, index = 9;
    show("bound", asm volatile(".byte 0x62, 0x01" ::"a"(index), "c"(bounds) : "memory"));
    show("int3", asm volatile("int3"));
    show("int $3", asm volatile(".byte 0xcd, 3"));
    show("int $4", asm volatile("int $4"));
    show("int $5", asm volatile("int $5"));
    show("int $0x20", asm volatile("int $0x20"));
    show("icebp", asm volatile(".byte 0xf1"));
    show("cli", asm volatile("cli"));
    show("in", asm volatile("inb $0x70, %%al" ::: "eax"));
    show("ud2", asm volatile("ud2"));
    show("lock on a register", asm volatile(".byte 0xf0, 0x01, 0xc0"));
    show("bad selector", asm volatile("mov $0x1234, %%eax; mov %%eax, %%fs" ::: "eax"));
    show("null ds", asm volatile("push %%ds; xor %%eax, %%eax; mov %%eax, %%es; pop %%ds; movl %%es:0, %%eax" ::: "eax"));
    asm volatile("push %ds; pop %es");
    show("far call to nowhere", asm volatile("lcall $0x1230, $0"));
    show("long instruction", asm volatile(".fill 16, 1, 0x66; nop"));
    show("aam 0", asm volatile(".byte 0xd4, 0x00" ::: "eax"));
    show("divide", asm volatile("div %%cl" ::"a"(1000), "c"(0)));
    // Unaligned access with AC set: SIGBUS from the processor.
    show("alignment check", asm volatile("pushf; orl $0x40000, (%%esp); popf; mov %0, %%eax" ::"m"(*(int *)((char *)bounds + 1)) : "eax"));
    return finish();
}
