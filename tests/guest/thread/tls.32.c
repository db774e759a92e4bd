// set_thread_area, get_thread_area and modify_ldt, with segment registers that use what they describe.
//# libc: static musl
#include <asm/ldt.h>
#include "expect.h"

static uint32_t data[3][2] = {{0x11, 0x12}, {0x21, 0x22}, {0x31, 0x32}};
static uint32_t through_fs(int selector) {
    uint32_t value;
    asm volatile("mov %1, %%fs; mov %%fs:4, %0" : "=r"(value) : "r"(selector));
    return value;
}

int main(void) {
    struct user_desc d = {.entry_number = -1, .base_addr = (uintptr_t)data[0], .limit = 0xfffff, .seg_32bit = 1, .limit_in_pages = 1, .useable = 1}, g;
    succeeds("set_thread_area, any", syscall(SYS_set_thread_area, &d));
    int first = d.entry_number;
    check("one of the three", first >= 12 && first <= 14);
    equal("%fs reaches it", through_fs(first * 8 + 3), 0x12);
    d.base_addr = (uintptr_t)data[1];
    succeeds("the same entry again", syscall(SYS_set_thread_area, &d));
    equal("loaded again", through_fs(first * 8 + 3), 0x22);
    g.entry_number = first;
    succeeds("get_thread_area", syscall(SYS_get_thread_area, &g));
    check("the same", g.base_addr == d.base_addr && g.limit == 0xfffff && g.limit_in_pages && g.seg_32bit);
    d.entry_number = -1;
    long second = syscall(SYS_set_thread_area, &d);
    check("a third is there too", second == 0 && (int)d.entry_number != first);
    d.entry_number = -1;
    fails("a fourth is not", syscall(SYS_set_thread_area, &d), ESRCH);
    d.entry_number = 3;
    fails("not an entry for this", syscall(SYS_set_thread_area, &d), EINVAL);
    g.entry_number = 99;
    fails("get: not an entry for this", syscall(SYS_get_thread_area, &g), EINVAL);
    fails("nowhere", syscall(SYS_set_thread_area, forbidden()), EFAULT);
    struct user_desc empty = {.entry_number = first, .read_exec_only = 1, .seg_not_present = 1};
    succeeds("cleared", syscall(SYS_set_thread_area, &empty));
    g.entry_number = first;
    succeeds("reads as empty", syscall(SYS_get_thread_area, &g));
    check("empty", g.read_exec_only && g.seg_not_present && !g.base_addr);

    struct user_desc l = {.entry_number = 5, .base_addr = (uintptr_t)data[2], .limit = 7, .seg_32bit = 1, .useable = 1};
    succeeds("modify_ldt write", syscall(SYS_modify_ldt, 0x11, &l, sizeof l));
    equal("%fs reaches it", through_fs(5 * 8 + 7), 0x32);
    uint64_t table[16];
    equal("modify_ldt read", syscall(SYS_modify_ldt, 0, table, sizeof table), 128);
    check("the entry", (table[5] >> 16 & 0xffffff) == ((uintptr_t)data[2] & 0xffffff) && (table[5] & 0xffff) == 7);
    fails("entry too large", (l.entry_number = 8192, syscall(SYS_modify_ldt, 0x11, &l, sizeof l)), EINVAL);
    fails("size", syscall(SYS_modify_ldt, 0x11, &l, 4), EINVAL);
    fails("function", syscall(SYS_modify_ldt, 9, &l, sizeof l), ENOSYS);
    fails("nowhere", syscall(SYS_modify_ldt, 1, forbidden(), sizeof l), EFAULT);
    pid_t child = must(fork());
    if (!child) _exit(through_fs(5 * 8 + 7) == 0x32 ? 0 : 1);
    equal("a child has it", end_of(child), 0);
    asm volatile("mov %0, %%fs" ::"r"(0));
    return finish();
}
