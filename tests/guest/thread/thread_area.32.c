// set_thread_area and get_thread_area: what an entry may hold, and what of it is read and kept.
#include "expect.h"

struct descriptor { unsigned entry, base, limit, flags; };
enum { SEG_32BIT = 1, CODE = 2 << 1, READ_ONLY = 8, PAGES = 16, ABSENT = 32, USEABLE = 64 };

int main(void) {
    struct descriptor d = {-1, 0x10000, 0x123456, 0xffffff00 | SEG_32BIT | PAGES | USEABLE}, got;
    succeeds("set_thread_area", syscall(SYS_set_thread_area, &d));
    check("an entry was chosen", d.entry != -1u);
    unsigned entry = d.entry;
    got = (struct descriptor){entry};
    succeeds("get_thread_area", syscall(SYS_get_thread_area, &got));
    say("base %x limit %x flags %x", got.base, got.limit, got.flags & 0x7f);
    check("nothing else is kept", (got.flags & ~0x7fu) == 0);

    unsigned *word = before_forbidden(4);
    *word = entry;
    fails("a number and nothing behind", syscall(SYS_get_thread_area, word), EFAULT);
    *word = 4711;
    fails("a wrong number and nothing behind", syscall(SYS_get_thread_area, word), EINVAL);

    d = (struct descriptor){-1, 0, 0xfffff, SEG_32BIT | CODE};
    fails("code", syscall(SYS_set_thread_area, &d), EINVAL);
    check("no entry for it", d.entry == -1u);
    d = (struct descriptor){entry, 0, 0xfffff, PAGES};
    fails("16 bits", syscall(SYS_set_thread_area, &d), EINVAL);
    d = (struct descriptor){entry, 0, 0xfffff, SEG_32BIT | ABSENT};
    fails("absent", syscall(SYS_set_thread_area, &d), EINVAL);
    d = (struct descriptor){entry, 0, 0, READ_ONLY | ABSENT};
    succeeds("emptied", syscall(SYS_set_thread_area, &d));
    got = (struct descriptor){entry};
    succeeds("get_thread_area", syscall(SYS_get_thread_area, &got));
    say("base %x limit %x flags %x", got.base, got.limit, got.flags);
    return finish();
}
