// call *%gs:0x10, the vDSO's __kernel_vsyscall, and its symbols: the ways of a C library.
//# libc: static dynamic
//# needs: vdso
#include <elf.h>
#include <link.h>
#include <sys/auxv.h>
#include "expect.h"

static int through_gs(int number, int a, int b, int c) {
    int result;
    asm volatile("push %%ebx; mov %2, %%ebx; call *%%gs:0x10; pop %%ebx" : "=a"(result) : "0"(number), "r"(a), "c"(b), "d"(c) : "memory");
    return result;
}

static void *symbol(const char *name) {
    char *base = (char *)getauxval(AT_SYSINFO_EHDR);
    ElfW(Ehdr) *e = (void *)base;
    ElfW(Phdr) *p = (void *)(base + e->e_phoff);
    char *strings = 0, *load = 0;
    ElfW(Sym) *symbols = 0;
    uint32_t count = 0;
    for (int i = 0; i < e->e_phnum; i++)
        if (p[i].p_type == PT_LOAD) load = base + p[i].p_offset - p[i].p_vaddr;
    for (int i = 0; i < e->e_phnum; i++)
        if (p[i].p_type == PT_DYNAMIC)
            for (ElfW(Dyn) *d = (void *)(load + p[i].p_vaddr); d->d_tag; d++) {
                if (d->d_tag == DT_STRTAB) strings = load + d->d_un.d_ptr;
                if (d->d_tag == DT_SYMTAB) symbols = (void *)(load + d->d_un.d_ptr);
                if (d->d_tag == DT_HASH) count = ((uint32_t *)(load + d->d_un.d_ptr))[1];
                if (d->d_tag == DT_GNU_HASH && !count) {
                    uint32_t *h = (void *)(load + d->d_un.d_ptr), *buckets = h + 4 + h[2], *chain = buckets + h[0], last = 0;
                    for (uint32_t k = 0; k < h[0]; k++) if (buckets[k] > last) last = buckets[k];
                    while (!(chain[last - h[1]] & 1)) last++;
                    count = last + 1;
                }
            }
    for (uint32_t i = 0; i < count; i++)
        if (!strcmp(strings + symbols[i].st_name, name)) return load + symbols[i].st_value;
    return 0;
}

int main(void) {
    uint32_t slot;
    asm("mov %%gs:0x10, %0" : "=r"(slot));
    equal("%gs:0x10 is AT_SYSINFO", slot, getauxval(AT_SYSINFO));
    equal("getpid", through_gs(20, 0, 0, 0), getpid());
    equal("close", through_gs(6, -1, 0, 0), -EBADF);
    equal("write", through_gs(4, 1, (int)"written\n", 8), 8);
    // __kernel_vsyscall itself is told by AT_SYSINFO; programs look these up by name.
    const char *names[] = {"__vdso_clock_gettime", "__vdso_gettimeofday", "__vdso_time", "__vdso_clock_gettime64", "__kernel_sigreturn", "__kernel_rt_sigreturn", "__kernel_vsyscall"};
    for (int i = 0; i < 7; i++) check(names[i], symbol(names[i]));
    struct { int32_t sec, nsec; } t;
    struct { int64_t sec, nsec; } w;
    int (*gettime)(int, void *) = symbol("__vdso_clock_gettime"), (*gettime64)(int, void *) = symbol("__vdso_clock_gettime64");
    if (gettime && gettime64) {
        equal("clock_gettime", gettime(CLOCK_MONOTONIC, &t), 0);
        equal("clock_gettime64", gettime64(CLOCK_MONOTONIC, &w), 0);
        check("near", w.sec - t.sec <= 1 && w.sec >= t.sec);
        equal("a clock it must ask the kernel for", gettime64(CLOCK_PROCESS_CPUTIME_ID, &w), 0);
        equal("no such clock", gettime64(99, &w), -EINVAL);
        int32_t (*time_of)(int32_t *) = symbol("__vdso_time");
        check("time", labs(time_of(0) - time(0)) <= 1);
    }
    int (*vsyscall)(void) = symbol("__kernel_vsyscall");
    if (vsyscall) {
        int result;
        asm volatile("call *%1" : "=a"(result) : "r"(vsyscall), "0"(20) : "memory");
        equal("__kernel_vsyscall", result, getpid());
    }
    // What matters to a program is the answer, and that nothing but eax changes.
    int ecx, edx, result;
    asm volatile("call *%%gs:0x10" : "=a"(result), "=c"(ecx), "=d"(edx) : "0"(20), "1"(0x1234), "2"(0x5678) : "memory");
    check("registers", ecx == 0x1234 && edx == 0x5678);
    return finish();
}
