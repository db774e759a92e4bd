// Faults of which emulators of a processor report less, or something else, than a processor does.
//# libc: static musl
//# cflags: -fno-pie -no-pie
#include "faults.h"

int main(void) {
    int bounds[2] = {1, 5};
    catch_faults();
    show("wraps around", (void)*(volatile int *)0xfffffffe);
    show("int $5", asm volatile("int $5"));
    show("int $0x20", asm volatile("int $0x20"));
    show("icebp", asm volatile(".byte 0xf1"));
    show("null ds", asm volatile("push %%ds; xor %%eax, %%eax; mov %%eax, %%es; pop %%ds; movl %%es:0, %%eax" ::: "eax"));
    asm volatile("push %ds; pop %es");
    // Unaligned access with AC set: SIGBUS from the processor.
    show("alignment check", asm volatile("pushf; orl $0x40000, (%%esp); popf; mov %0, %%eax" ::"m"(*(int *)((char *)bounds + 1)) : "eax"));
    float zero = 0, one = 1;
    unsigned csr = 0x1f80 & ~(1 << 9);
    // i386 code of the compiler's has no use for xmm1, and some do not let it be named.
    show("SSE divide by zero", asm volatile("ldmxcsr %0; movss %1, %%xmm1; divss %2, %%xmm1" ::"m"(csr), "m"(one), "m"(zero)));
    csr = 0x1f80;
    asm volatile("ldmxcsr %0" ::"m"(csr));
    return finish();
}
