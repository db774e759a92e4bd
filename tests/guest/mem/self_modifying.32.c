// Code that rewrites the instruction it is about to execute.
#include "expect.h"

int main(void) {
    unsigned char *page = must(mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    // f(n): movb $99, 1+1f ; 1: mov $5,%eax ; ret        (the store changes the immediate of the next instruction)
    unsigned char code[] = {0xc6, 0x05, 0, 0, 0, 0, 99, 0xb8, 5, 0, 0, 0, 0xc3};
    memcpy(page, code, sizeof code);
    unsigned target = (uintptr_t)page + 8;
    memcpy(page + 2, &target, 4);
    equal("sees its own change", ((int (*)(void))page)(), 99);
    // The number of a system call changes between two executions of the same site.
    unsigned char call[] = {0x8b, 0x44, 0x24, 0x04, 0xcd, 0x80, 0xc3}; // mov 4(%esp),%eax; int $0x80; ret
    memcpy(page + 64, call, sizeof call);
    int (*f)(int) = (void *)(page + 64);
    int wrong = 0;
    for (int i = 0; i < 50; i++) wrong += f(20) != getpid() || f(64) != getppid() || f(24) != (int)getuid();
    equal("one site, three calls", wrong, 0);
    return finish();
}
