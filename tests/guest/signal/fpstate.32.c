// The floating-point state in the frame: readable in the layout that i386 has, and what the handler writes takes effect.
//# libc: static
//# cflags: -fno-pie -no-pie -msse2
#include <ucontext.h>
#include "expect.h"

static uint16_t magic;
static uint32_t cw, sw, tag, mxcsr, xmm1[4], magic1, extended_size, magic2;
static long double st0;

static void handler(int signal, siginfo_t *info, void *context) {
    ucontext_t *u = context;
    uint8_t *fp = (void *)u->uc_mcontext.fpregs;
    cw = *(uint32_t *)fp, sw = *(uint32_t *)(fp + 4), tag = *(uint32_t *)(fp + 8);
    memcpy(&st0, fp + 28, 10);
    memcpy(&magic, fp + 110, 2); // status (108), magic (110), then the fxsave image at 112
    uint8_t *fx = fp + 112;
    memcpy(&mxcsr, fx + 24, 4);
    memcpy(xmm1, fx + 160 + 16, 16);
    memcpy(&magic1, fx + 464, 4);
    memcpy(&extended_size, fx + 468, 4);
    memcpy(&magic2, fp + extended_size - 4, 4);
    // Edit both images: the legacy registers come from the first, the others from the second.
    long double two = 2;
    memcpy(fp + 28, &two, 10);
    uint32_t new_csr = 0x1f80 | 0x6000;
    memcpy(fx + 24, &new_csr, 4);
    uint32_t all[4] = {0xa, 0xb, 0xc, 0xd};
    memcpy(fx + 160 + 16, all, 16);
}

int main(void) {
    on_signal(SIGUSR1, handler, 0);
    static uint32_t in[4] __attribute__((aligned(16))) = {1, 2, 3, 4}, out[4] __attribute__((aligned(16)));
    uint32_t csr = 0x3f80, csr_after;
    uint16_t control = 0x27f;
    long double top;
    pid_t pid = getpid();
    asm volatile("ldmxcsr %2; fldcw %7; fldpi; movaps (%3), %%xmm1; push %%ebx; mov %4, %%ebx; mov %5, %%ecx; mov $37, %%eax; int $0x80; pop %%ebx;"
                 "movaps %%xmm1, %6; stmxcsr %1; fstpt %0; fninit"
                 : "=m"(top), "=m"(csr_after) : "m"(csr), "S"(in), "D"(pid), "i"(SIGUSR1), "m"(out), "m"(control) : "eax", "ecx", "edx", "memory", "xmm1");
    equal("control word", cw & 0xffff, 0x27f);
    equal("its upper half", cw >> 16, 0xffff);
    equal("top of stack in the status word", sw >> 11 & 7, 7);
    equal("tags in the long form", tag & 0xffff, 0x3fff);
    check("st0 is pi", st0 > 3.14159L && st0 < 3.1416L);
    equal("magic says fxsr", magic, 0);
    equal("mxcsr", mxcsr, 0x3f80);
    check("xmm1", xmm1[0] == 1 && xmm1[3] == 4);
    equal("extended state", magic1, 0x46505853);
    check("its size", extended_size > 112 + 512 && extended_size < 20000);
    equal("its end", magic2, 0x46505845);
    check("st0, edited", top == 2);
    check("xmm1, edited", out[0] == 0xa && out[3] == 0xd);
    equal("mxcsr, edited", csr_after, 0x1f80 | 0x6000);
    csr = 0x1f80;
    asm volatile("ldmxcsr %0" ::"m"(csr));
    return finish();
}
