// clone, raw: a thread with its own TLS descriptor, its tid written and cleared.
//# cflags: -fno-pie -no-pie
#include <asm/ldt.h>
#include <linux/futex.h>
#include <sched.h>
#include "expect.h"

static char stack[65536] __attribute__((aligned(16)));
static volatile int child_tid, parent_tid, seen, selector;
static uint32_t block[4] = {0, 0xcafebabe, 0, 0};

// The child runs on another stack with another %gs, so it may touch nothing of the C library.
static void child(void) {
    uint32_t value;
    int gs;
    asm volatile("mov %%gs:4, %0; mov %%gs, %1" : "=r"(value), "=r"(gs));
    seen = value == 0xcafebabe;
    selector = gs;
}

int thread(unsigned flags, void *top, volatile int *parent, void *tls, volatile int *tid);
asm("thread: push %ebx; push %esi; push %edi\n"
    "mov 16(%esp), %ebx; mov 20(%esp), %ecx; mov 24(%esp), %edx; mov 28(%esp), %esi; mov 32(%esp), %edi\n"
    "mov $120, %eax; int $0x80; test %eax, %eax; jz 1f; pop %edi; pop %esi; pop %ebx; ret\n"
    "1: pop %eax; call *%eax; xor %ebx, %ebx; mov $1, %eax; int $0x80; hlt\n");

int main(void) {
    int gs;
    asm volatile("mov %%gs, %0" : "=r"(gs));
    // Which table the selector is of is the system's affair; a C library passes its index on, whatever it is.
    check("privilege 3", (gs & 3) == 3);
    struct user_desc d = {.entry_number = gs >> 3, .base_addr = (uintptr_t)block, .limit = 0xfffff, .seg_32bit = 1, .limit_in_pages = 1, .useable = 1};
    for (int i = 0; i < 100; i++) {
        void **top = (void **)(stack + sizeof stack - 64);
        *top = child;
        seen = 0, child_tid = 1;
        int tid = thread(CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | CLONE_SETTLS |
                         CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID | CLONE_CHILD_SETTID, top, &parent_tid, &d, &child_tid);
        if (tid <= 0) say("FAIL clone: %d", tid), exit(1);
        while (child_tid) syscall(SYS_futex, &child_tid, FUTEX_WAIT, tid, 0, 0, 0);
        if (!seen || parent_tid != tid) say("FAIL round %d: seen %d, selector %x", i, seen, selector), exit(1);
    }
    check("100 threads", seen);
    equal("TLS of a thread that is no user_desc", thread(CLONE_VM | CLONE_SETTLS | CLONE_THREAD | CLONE_SIGHAND, stack + 60000, &parent_tid, forbidden(), &child_tid), -EFAULT);
    d.entry_number = 1;
    equal("an entry that is not for TLS", thread(CLONE_VM | CLONE_SETTLS | CLONE_THREAD | CLONE_SIGHAND, stack + 60000, &parent_tid, &d, &child_tid), -EINVAL);
    equal("CLONE_THREAD without CLONE_SIGHAND", thread(CLONE_VM | CLONE_THREAD, stack + 60000, 0, 0, 0), -EINVAL);
    equal("CLONE_SIGHAND without CLONE_VM", thread(CLONE_SIGHAND, stack + 60000, 0, 0, 0), -EINVAL);
    return finish();
}
