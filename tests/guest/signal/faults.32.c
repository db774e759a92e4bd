// Faults that only 32-bit code has, and what each says in siginfo and in the context: trap number, error code, address.
//# libc: static musl
//# cflags: -fno-pie -no-pie
#include "faults.h"

int main(void) {
    catch_faults();
    volatile char *bad = forbidden();
    show("read", (void)*bad);
    check("cr2", cr2 == (uintptr_t)bad && last.si_addr == (void *)bad);
    show("write", *bad = 1);
    show("execute", ((void (*)(void))bad)());
    show("top page", *(volatile char *)0xfffff123 = 1);
    check("its address", last.si_addr == (void *)0xfffff123);
    show("into", asm volatile("mov $0x7fffffff, %%eax; add $1, %%eax; .byte 0xce" ::: "eax"));
    int bounds[2] = {1, 5}, index = 9;
    show("bound", asm volatile(".byte 0x62, 0x01" ::"a"(index), "c"(bounds) : "memory"));
    show("int3", asm volatile("int3"));
    show("int $3", asm volatile(".byte 0xcd, 3"));
    show("int $4", asm volatile("int $4"));
    show("cli", asm volatile("cli"));
    show("in", asm volatile("inb $0x70, %%al" ::: "eax"));
    show("ud2", asm volatile("ud2"));
    show("lock on a register", asm volatile(".byte 0xf0, 0x01, 0xc0"));
    show("bad selector", asm volatile("mov $0x1234, %%eax; mov %%eax, %%fs" ::: "eax"));
    show("far call to nowhere", asm volatile("lcall $0x1230, $0"));
    show("long instruction", asm volatile(".fill 16, 1, 0x66; nop"));
    show("aam 0", asm volatile(".byte 0xd4, 0x00" ::: "eax"));
    show("divide", asm volatile("div %%cl" ::"a"(1000), "c"(0)));
    return finish();
}
