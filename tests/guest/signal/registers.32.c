// Every register comes back from an asynchronous signal as it was: general, flags, x87, MMX, SSE, AVX where there is one.
//# libc: static
//# cflags: -fno-pie -no-pie
#include <cpuid.h>
#include <sys/time.h>
#include "expect.h"

static volatile int ticks, have_avx;

static void clobber(int signal, siginfo_t *info, void *context) {
    ticks++;
    asm volatile("fninit; fldpi; fldpi; fmulp; fstp %%st(0); pxor %%mm1, %%mm1; pcmpeqd %%mm3, %%mm3; emms" ::: "memory");
    asm volatile("pcmpeqd %%xmm0, %%xmm0; movaps %%xmm0, %%xmm1; movaps %%xmm0, %%xmm2; movaps %%xmm0, %%xmm3; movaps %%xmm0, %%xmm4;"
                 "movaps %%xmm0, %%xmm5; movaps %%xmm0, %%xmm6; movaps %%xmm0, %%xmm7" ::: "memory");
    if (have_avx) asm volatile("vcmptrueps %%ymm0, %%ymm0, %%ymm0; vmovaps %%ymm0, %%ymm7" ::: "memory");
    unsigned csr = 0x7f80;
    asm volatile("ldmxcsr %0; std; cld; mov $0, %%ecx; mov $0, %%edx" ::"m"(csr) : "ecx", "edx");
    getppid();
}

// Loops in assembly with known values in all registers until `ticks` has moved on by some, then compares them.
static int integers(int until) {
    int bad;
    asm volatile(
        "push %%ebp; push %%ebx\n"
        "mov $0x11111111, %%ebx; mov $0x22222222, %%ecx; mov $0x33333333, %%edx; mov $0x44444444, %%esi; mov $0x55555555, %%ebp\n"
        "1: cmp $0x11111111, %%ebx; jne 2f; cmp $0x22222222, %%ecx; jne 2f; cmp $0x33333333, %%edx; jne 2f\n"
        "cmp $0x44444444, %%esi; jne 2f; cmp $0x55555555, %%ebp; jne 2f\n"
        "std; pushf; stc; popf; jc 2f; pushf; pop %%edi; test $0x400, %%edi; jz 2f; cld\n"
        "cmp %%eax, %1; jl 1b\n"
        "xor %%eax, %%eax; jmp 3f\n"
        "2: cld; mov $1, %%eax\n"
        "3: pop %%ebx; pop %%ebp"
        : "=a"(bad) : "m"(ticks), "0"(until) : "ecx", "edx", "esi", "edi", "memory", "cc");
    return bad;
}

static int x87(int until) {
    double result[4];
    unsigned short control = 0x27f, control_after, tag_top;
    asm volatile("fldcw %0; fldpi; fldl2e; fldln2; fld1" ::"m"(control));
    while (ticks < until) asm volatile("fadd %%st(0), %%st(0); fmul %0" ::"m"((float){0.5f}));
    asm volatile("fnstsw %0; fnstcw %1" : "=m"(tag_top), "=m"(control_after));
    asm volatile("fstpl %0; fstpl %1; fstpl %2; fstpl %3; fninit" : "=m"(result[0]), "=m"(result[1]), "=m"(result[2]), "=m"(result[3]));
    return result[0] != 1.0 || result[1] < 0.6931 || result[1] > 0.6932 || result[2] < 1.4426 || result[2] > 1.4427 ||
           result[3] < 3.14159 || result[3] > 3.1416 || control_after != control || (tag_top >> 11 & 7) != 4;
}

static int mmx(int until) {
    uint64_t in[8], got[8];
    for (int i = 0; i < 8; i++) in[i] = 0x0102030405060708ULL * (i + 1);
    asm volatile("movq (%0), %%mm0; movq 8(%0), %%mm1; movq 16(%0), %%mm2; movq 24(%0), %%mm3; movq 32(%0), %%mm4; movq 40(%0), %%mm5;"
                 "movq 48(%0), %%mm6; movq 56(%0), %%mm7" ::"r"(in), "m"(in));
    while (ticks < until) {}
    asm volatile("movq %%mm0, (%0); movq %%mm1, 8(%0); movq %%mm2, 16(%0); movq %%mm3, 24(%0); movq %%mm4, 32(%0); movq %%mm5, 40(%0);"
                 "movq %%mm6, 48(%0); movq %%mm7, 56(%0); emms" ::"r"(got) : "memory");
    return memcmp(in, got, sizeof in);
}

static int sse(int until) {
    static char in[128] __attribute__((aligned(16))), got[128] __attribute__((aligned(16)));
    unsigned csr = 0x3f80, csr_after;
    for (int i = 0; i < 128; i++) in[i] = i * 7 + 1;
    asm volatile("ldmxcsr %0" ::"m"(csr));
    asm volatile("movaps (%0), %%xmm0; movaps 16(%0), %%xmm1; movaps 32(%0), %%xmm2; movaps 48(%0), %%xmm3; movaps 64(%0), %%xmm4;"
                 "movaps 80(%0), %%xmm5; movaps 96(%0), %%xmm6; movaps 112(%0), %%xmm7" ::"r"(in), "m"(in));
    while (ticks < until) {}
    asm volatile("movaps %%xmm0, (%0); movaps %%xmm1, 16(%0); movaps %%xmm2, 32(%0); movaps %%xmm3, 48(%0); movaps %%xmm4, 64(%0);"
                 "movaps %%xmm5, 80(%0); movaps %%xmm6, 96(%0); movaps %%xmm7, 112(%0); stmxcsr %1" ::"r"(got), "m"(csr_after) : "memory");
    int bad = memcmp(in, got, 128) || csr_after != csr;
    csr = 0x1f80;
    asm volatile("ldmxcsr %0" ::"m"(csr));
    return bad;
}

static int avx(int until) {
    static char in[64] __attribute__((aligned(32))), got[64] __attribute__((aligned(32)));
    for (int i = 0; i < 64; i++) in[i] = i * 5 + 3;
    asm volatile("vmovaps (%0), %%ymm0; vmovaps 32(%0), %%ymm7" ::"r"(in), "m"(in));
    while (ticks < until) {}
    asm volatile("vmovaps %%ymm0, (%0); vmovaps %%ymm7, 32(%0); vzeroupper" ::"r"(got) : "memory");
    return memcmp(in, got, 64);
}

int main(void) {
    unsigned a, b, c, d;
    have_avx = __get_cpuid(1, &a, &b, &c, &d) && (c >> 27 & 1) && (c >> 28 & 1);
    on_signal(SIGALRM, clobber, SA_RESTART);
    struct itimerval often = {{0, 300}, {0, 300}};
    must(setitimer(ITIMER_REAL, &often, 0));
    equal("general registers and flags", integers(ticks + 60), 0);
    equal("x87", x87(ticks + 60), 0);
    equal("MMX", mmx(ticks + 60), 0);
    equal("SSE", sse(ticks + 60), 0);
    // The upper halves are tested where they are; nothing to compare where they are not.
    equal("AVX", have_avx ? avx(ticks + 60) : 0, 0);
    return finish();
}
