// Segment registers with user values survive system calls and signals.
#include <asm/ldt.h>
#include "expect.h"

static void nothing(int signal, siginfo_t *info, void *context) {}
static uint32_t block[2] = {1, 0x77};

int main(void) {
    struct user_desc d = {.entry_number = 2, .base_addr = (uintptr_t)block, .limit = 0xfffff, .seg_32bit = 1, .limit_in_pages = 1, .useable = 1};
    must(syscall(SYS_modify_ldt, 0x11, &d, sizeof d));
    on_signal(SIGUSR1, nothing, 0);
    uint32_t fs, value, es;
    asm volatile("mov %0, %%fs; mov %1, %%es" ::"r"(2 * 8 + 7), "r"(0x2b));
    for (int i = 0; i < 100; i++) syscall(SYS_getpid);
    must(kill(getpid(), SIGUSR1));
    struct timespec t = {0, 1000000};
    nanosleep(&t, 0);
    asm volatile("mov %%fs, %0; mov %%fs:4, %1; mov %%es, %2" : "=r"(fs), "=r"(value), "=r"(es));
    equal("%fs", fs & 0xffff, 2 * 8 + 7);
    equal("through it", value, 0x77);
    equal("%es", es & 0xffff, 0x2b);
    uint32_t gs;
    asm volatile("mov %%gs, %0; mov %0, %%gs; mov %%gs:0, %1" : "=&r"(gs), "=r"(value));
    check("%gs loaded anew", value != 0);
    asm volatile("mov %0, %%fs" ::"r"(0));
    return finish();
}
