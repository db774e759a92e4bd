// modify_ldt (123): entries of the guest's own beside those that thread-local storage may need.
#include <asm/ldt.h>
#include <pthread.h>
#include "expect.h"

static __thread int local = 5;
static int words[4] = {11, 22, 33, 44};

static long modify(int function, void *pointer, unsigned long size) { return syscall(SYS_modify_ldt, function, pointer, size); }

static long put(unsigned entry, void *base) {
    struct user_desc d = {.entry_number = entry, .base_addr = (uintptr_t)base, .limit = sizeof words - 1, .seg_32bit = 1, .useable = 1};
    return modify(0x11, &d, sizeof d);
}

static int through(unsigned entry, int offset) {
    int value;
    asm volatile("push %%fs; mov %1, %%fs; mov %%fs:(%2), %0; pop %%fs" : "=&r"(value) : "r"(entry * 8 + 7), "r"(offset));
    return value;
}

static void *thread(void *nothing) {
    local = 7;
    return local == 7 && through(5, 4) == 22 && through(4000, 8) == 33 ? nothing : &local;
}

int main(void) {
    char table[8 * 8192];
    succeeds("entry 5", put(5, words));
    equal("read through it", through(5, 4), 22);
    succeeds("entry 4000", put(4000, words));
    equal("read through it", through(4000, 12), 44);
    equal("thread-local storage is where it was", local, 5);
    long size = succeeds("read all of it", modify(0, table, sizeof table));
    check("both are there", size > 4000 * 8 && table[5 * 8 + 5] && table[4000 * 8 + 5]);
    pthread_t t[4];
    for (int i = 0; i < 4; i++) must(-pthread_create(&t[i], 0, thread, words));
    for (int i = 0; i < 4; i++) {
        void *result = 0;
        pthread_join(t[i], &result);
        check("in a thread", result == words);
    }
    equal("still", through(4000, 0), 11);
    equal("and here", local, 5);
    // Whoever has the entries from 32 on, thread-local storage must stay what it is, also when its selector is loaded again.
    for (unsigned entry = 32; entry < 48; entry++) put(entry, words);
    asm volatile("mov %%gs, %%eax; mov %%eax, %%gs" ::: "eax", "memory");
    equal("thread-local storage after that", *(volatile int *)&local, 5);
    must(-pthread_create(&t[0], 0, thread, words));
    void *result = 0;
    pthread_join(t[0], &result);
    check("in a new thread too", result == words);
    struct user_desc none = {.entry_number = 5, .read_exec_only = 1, .seg_not_present = 1};
    succeeds("cleared", modify(0x11, &none, sizeof none));
    fails("function", modify(7, &none, sizeof none), ENOSYS);
    fails("size", modify(1, &none, 15), EINVAL);
    fails("nowhere", modify(1, forbidden(), sizeof none), EFAULT);
    none.entry_number = 8192;
    fails("no such entry", modify(1, &none, sizeof none), EINVAL);
    none.entry_number = 70000;
    fails("no such entry either", modify(1, &none, sizeof none), EINVAL);
    return finish();
}
