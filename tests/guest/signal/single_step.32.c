// The trap flag: SIGTRAP after each instruction, over system calls too.
//# cflags: -fno-pie -no-pie
#include <ucontext.h>
#include "expect.h"

static volatile int steps, code_wrong;
static volatile uint32_t first, last, low, high;

static void step(int signal, siginfo_t *info, void *context) {
    ucontext_t *u = context;
    uint32_t eip = u->uc_mcontext.gregs[REG_EIP];
    if (eip >= low && eip <= high) {
        if (!steps) first = eip;
        last = eip;
        steps++;
    }
    code_wrong += info->si_code != TRAP_TRACE;
}

int main(void) {
    on_signal(SIGTRAP, step, 0);
    int result;
    asm volatile("movl $1f, %1; movl $2f, %2\n"
                 "pushf; orl $0x100, (%%esp); popf\n"
                 "1: nop; nop; xor %%eax, %%eax; inc %%eax; inc %%eax\n"
                 "pushf; andl $~0x100, (%%esp); popf\n"
                 "2: nop"
                 : "=&a"(result), "=m"(low), "=m"(high)::"memory", "cc");
    equal("result", result, 2);
    equal("steps", steps, 8);
    equal("all say TRAP_TRACE", code_wrong, 0);
    steps = 0;
    asm volatile("movl $1f, %1; movl $2f, %2\n"
                 "pushf; orl $0x100, (%%esp); popf\n"
                 "1: mov $20, %%eax; int $0x80; nop; nop\n"
                 "pushf; andl $~0x100, (%%esp); popf\n"
                 "2: nop"
                 : "=&a"(result), "=m"(low), "=m"(high)::"memory", "cc");
    equal("getpid, stepped over", result, getpid());
    check("steps around it", steps >= 6 && steps <= 8);
    say("%d steps", steps);
    return finish();
}
