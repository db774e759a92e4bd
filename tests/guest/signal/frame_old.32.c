// The frame of a handler without SA_SIGINFO: struct sigcontext on the stack as the argument after the signal's number.
//# libc: static musl
//# cflags: -fno-pie -no-pie
#include "expect.h"

struct context {
    uint32_t gs, fs, es, ds, edi, esi, ebp, esp, ebx, edx, ecx, eax, trapno, err, eip, cs, eflags, esp_at_signal, ss, fpstate, oldmask, cr2;
};

static struct context seen;
static uint8_t retcode[8];
static uint32_t return_address, handler_esp, words[2];

static void handler(int signal, struct context context) {
    seen = context;
    return_address = ((uint32_t *)__builtin_frame_address(0))[1];
    handler_esp = (uintptr_t)__builtin_frame_address(0) + 4;
    words[0] = signal;
    // struct sigframe_ia32 (asm/sigframe.h): pretcode, sig, context, 624 bytes that are no longer used, extramask, retcode.
    memcpy(retcode, (char *)__builtin_frame_address(0) + 4 + 8 + 88 + 624 + 4, 8);
    // What the handler writes here becomes the registers.
    volatile struct context *live = (void *)((uint32_t *)__builtin_frame_address(0) + 3);
    live->ecx = 0x11223344;
    live->eflags |= 1;
}

int main(void) {
    struct { void *handler; uint32_t mask, flags; void *restorer; } old = {handler, 0, 0, 0};
    equal("size of the context", sizeof(struct context), 88);
    succeeds("sigaction (67)", syscall(67, SIGUSR1, &old, 0));
    uint32_t before = 0, after_ecx, carry, ebx;
    asm volatile("mov %%esp, %0" : "=r"(before));
    pid_t pid = getpid();
    asm volatile("push %%ebx; mov %%ecx, %%ebx; mov %4, %%ecx; stc; cmc; mov $37, %%eax; int $0x80; sbb %%edx, %%edx; mov %%ebx, %2; pop %%ebx"
                 : "=&d"(carry), "=c"(after_ecx), "=S"(ebx) : "c"(pid), "i"(SIGUSR1) : "eax", "memory", "cc");
    equal("signal", words[0], SIGUSR1);
    equal("ecx, edited", after_ecx, 0x11223344);
    equal("carry, edited", carry, 0xffffffff);
    equal("ebx kept", ebx, pid);
    equal("cs", seen.cs, 0x23);
    equal("ss", seen.ss, 0x2b);
    equal("ds", seen.ds & 0xffff, 0x2b);
    equal("es", seen.es & 0xffff, 0x2b);
    equal("eax is the result of kill", seen.eax, 0);
    equal("ebx", seen.ebx, pid);
    equal("ecx", seen.ecx, SIGUSR1);
    equal("oldmask", seen.oldmask, 0);
    equal("both stack pointers", seen.esp, seen.esp_at_signal);
    check("fpstate is there and aligned", seen.fpstate && seen.fpstate % 16 == 0);
    check("the stack is aligned as after a call", (handler_esp + 4) % 16 == 0);
    check("gs and fs", (seen.gs & 3) == 3 && seen.fs == 0);
    check("returns somewhere", return_address > 4096);
    check("the marker for debuggers in the frame, a sigreturn: pop %eax; mov $119,%eax; int $0x80", !memcmp(retcode, "\x58\xb8\x77\0\0\0\xcd\x80", 8));
    struct { void *handler; uint32_t mask, flags; void *restorer; } got;
    succeeds("sigaction reads back", syscall(67, SIGUSR1, 0, &got));
    check("the same", got.handler == (void *)handler && got.flags == 0);
    fails("nowhere", syscall(67, SIGUSR1, forbidden(), 0), EFAULT);
    fails("to nowhere", syscall(67, SIGUSR1, 0, forbidden()), EFAULT);
    fails("SIGKILL", syscall(67, SIGKILL, &old, 0), EINVAL);
    succeeds("signal (48)", syscall(48, SIGUSR2, handler));
    equal("returns the old handler", syscall(48, SIGUSR2, SIG_IGN), (uintptr_t)handler);
    // signal(2) of the kernel is one shot.
    must(syscall(48, SIGUSR2, handler));
    must(kill(getpid(), SIGUSR2));
    equal("handled", words[0], SIGUSR2);
    equal("once", syscall(48, SIGUSR2, SIG_IGN), 0);
    return finish();
}
