// The frame of a handler with SA_SIGINFO: pointers into the frame, ucontext, return through rt_sigreturn.
//# libc: static musl
//# cflags: -fno-pie -no-pie
#include <ucontext.h>
#include "expect.h"

static uint8_t retcode[8];
static uint32_t args[3], return_address, esp;
static ucontext_t seen;
static int runs;

static void handler(int signal, siginfo_t *info, void *context) {
    uint32_t *frame = (uint32_t *)__builtin_frame_address(0) + 1;
    esp = (uintptr_t)frame;
    return_address = frame[0];
    memcpy(args, frame + 1, 12);
    memcpy(retcode, (char *)frame + 16 + 128 + 116, 8); // pretcode, three arguments, siginfo, ucontext; then retcode
    memcpy(&seen, context, 116); // up to and with the first 8 bytes of the mask: what the kernel has
    volatile ucontext_t *u = context;
    if (runs++ == 1) {
        u->uc_mcontext.gregs[REG_EAX] = 0x01020304;
        u->uc_mcontext.gregs[REG_EDX] = 0x05060708;
        u->uc_mcontext.gregs[REG_EIP] += 2;
        ((uint32_t *)&u->uc_sigmask)[1] |= 1u << (SIGRTMIN + 9 - 33);
    }
}

int main(void) {
    // struct sigaction of the kernel: handler, flags, restorer, and a mask of 64 bits
    uint32_t raw[5] = {(uintptr_t)handler, SA_SIGINFO, 0, 0, 1u << 8};
    succeeds("rt_sigaction", syscall(SYS_rt_sigaction, SIGUSR1, raw, 0, 8));
    must(kill(getpid(), SIGUSR1));
    equal("first argument", args[0], SIGUSR1);
    check("second points into the frame", args[1] > esp && args[1] < esp + 1000);
    check("third points behind it", args[2] == args[1] + 128);
    check("alignment", (esp + 4) % 16 == 0);
    equal("uc_flags, xstate known", seen.uc_flags & 1, 1);
    check("uc_link", !seen.uc_link);
    check("no alternate stack", !seen.uc_stack.ss_sp && seen.uc_stack.ss_size == 0);
    equal("cs", seen.uc_mcontext.gregs[REG_CS], 0x23);
    check("returns somewhere", return_address > 4096);
    check("the marker for debuggers in the frame: mov $173,%eax; int $0x80", !memcmp(retcode, "\xb8\xad\0\0\0\xcd\x80", 7));
    equal("the mask before", *(uint32_t *)&seen.uc_sigmask, 0);
    uint32_t eax, edx;
    // The second time eip is moved past two bytes: the ud2 is never executed.
    asm volatile("push %%ebx; mov %2, %%ebx; mov %3, %%ecx; mov $37, %%eax; int $0x80; ud2; pop %%ebx"
                 : "=&a"(eax), "=&d"(edx) : "r"(getpid()), "i"(SIGUSR1) : "ecx", "memory");
    equal("eax, edited", eax, 0x01020304);
    equal("edx, edited", edx, 0x05060708);
    uint64_t mask = 0;
    must(syscall(SYS_rt_sigprocmask, SIG_BLOCK, 0, &mask, 8));
    equal("the mask, edited", mask, 1ULL << (SIGRTMIN + 9 - 1));
    fails("size", syscall(SYS_rt_sigaction, SIGUSR1, raw, 0, 4), EINVAL);
    fails("nowhere", syscall(SYS_rt_sigaction, SIGUSR1, forbidden(), 0, 8), EFAULT);
    uint32_t back[5] = {};
    succeeds("reads back", syscall(SYS_rt_sigaction, SIGUSR1, 0, back, 8));
    check("the same", back[0] == raw[0] && back[4] == raw[4] && (back[1] & SA_SIGINFO));
    return finish();
}
