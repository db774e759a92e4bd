// int $0x80 preserves every register but eax, and all flags.
//# libc: static musl
//# cflags: -fno-pie -no-pie -msse2
#include "expect.h"

struct registers { uint32_t eax, ebx, ecx, edx, esi, edi, ebp, esp_delta, eflags, gs, fs, ds, es, ss; };
void call(struct registers *in_out);
static char vector[16] __attribute__((aligned(16))) = "0123456789abcde", vector_after[16] __attribute__((aligned(16)));

asm("call: pusha; mov 36(%esp), %eax; push %eax\n"
    "mov 4(%eax), %ebx; mov 8(%eax), %ecx; mov 12(%eax), %edx; mov 16(%eax), %esi; mov 20(%eax), %edi; mov 24(%eax), %ebp\n"
    "mov %esp, saved_esp; pushl 32(%eax); mov (%eax), %eax; popf\n"
    "int $0x80\n"
    "pushf; cld; pushl %eax; mov 8(%esp), %eax; popl (%eax); popl 32(%eax)\n"
    "mov %ebx, 4(%eax); mov %ecx, 8(%eax); mov %edx, 12(%eax); mov %esi, 16(%eax); mov %edi, 20(%eax); mov %ebp, 24(%eax)\n"
    "mov %esp, %edx; sub saved_esp, %edx; mov %edx, 28(%eax)\n"
    "mov %gs, %edx; mov %edx, 36(%eax); mov %fs, %edx; mov %edx, 40(%eax); mov %ds, %edx; mov %edx, 44(%eax); mov %es, %edx; mov %edx, 48(%eax); mov %ss, %edx; mov %edx, 52(%eax)\n"
    "pop %eax; popa; ret\n"
    ".bss; saved_esp: .long 0; .text\n");

static void once(const char *name, uint32_t number, uint32_t flags, uint32_t want) {
    struct registers r = {number, 0x1b1b1b1b, 0x2c2c2c2c, 0x3d3d3d3d, 0x4e4e4e4e, 0x5f5f5f5f, 0x60606060, 99, flags};
    asm volatile("movaps %0, %%xmm5" ::"m"(vector) : "xmm5");
    call(&r);
    asm volatile("movaps %%xmm5, %0" : "=m"(vector_after));
    asm volatile("pushf; andl $~0x40000, (%esp); popf");
    equal(name, r.eax, want);
    check("registers", r.ebx == 0x1b1b1b1b && r.ecx == 0x2c2c2c2c && r.edx == 0x3d3d3d3d && r.esi == 0x4e4e4e4e && r.edi == 0x5f5f5f5f && r.ebp == 0x60606060);
    equal("stack pointer", r.esp_delta, 0);
    equal("flags", r.eflags & 0x40cd5, flags & 0x40cd5);
    check("selectors", (r.ds & 0xffff) == 0x2b && (r.es & 0xffff) == 0x2b && (r.ss & 0xffff) == 0x2b && (r.gs & 0xffff) != 0);
    check("xmm5", !memcmp(vector, vector_after, 16));
}

int main(void) {
    uint32_t pid = getpid();
    for (int round = 0; round < 3; round++) {
        once("getpid", 20, 0x202, pid);
        once("getpid, all flags set", 20, 0xad7, pid);
        once("getpid, direction flag", 20, 0x602, pid);
        once("getpid, alignment check", 20, 0x40202, pid);
        once("getppid", 64, 0x297, getppid());
        once("close fails", 6, 0x203, -EBADF);
        once("no such call", 4000, 0x202, -ENOSYS);
        once("an enormous number", 0x80000014, 0x202, -ENOSYS);
        once("minus one", 0xffffffff, 0x202, -ENOSYS);
        once("break, never implemented", 17, 0x202, -ENOSYS);
    }
    return finish();
}
