// capget and capset, with all three versions of their structures.
//# needs: root
#include "expect.h"

struct header { uint32_t version; int pid; };
struct data { uint32_t effective, permitted, inheritable; };

int main(void) {
    struct header h = {0x20080522, 0}, old = {0x19980330, 0}, wrong = {5, 0};
    struct data d[2], e[2];
    memset(d, 0xff, sizeof d);
    succeeds("capget", syscall(SYS_capget, &h, d));
    check("some", d[0].effective && d[0].permitted == d[0].effective);
    memset(e, 0xff, sizeof e);
    succeeds("capget, the first version", syscall(SYS_capget, &old, e));
    check("only half", e[0].effective == d[0].effective && e[1].effective == 0xffffffff);
    fails("capget, no such version", syscall(SYS_capget, &wrong, e), EINVAL);
    equal("says which", wrong.version, 0x20080522);
    wrong.version = 5;
    succeeds("capget, just asking", syscall(SYS_capget, &wrong, 0));
    fails("capget, header nowhere", syscall(SYS_capget, forbidden(), e), EFAULT);
    fails("capget, data nowhere", syscall(SYS_capget, &h, forbidden()), EFAULT);
    h.pid = -1;
    fails("capget, negative", syscall(SYS_capget, &h, e), EINVAL);
    h.pid = 0x3fffff;
    fails("capget of nobody", syscall(SYS_capget, &h, e), ESRCH);
    h.pid = getpid();
    succeeds("capget of itself", syscall(SYS_capget, &h, e));
    check("the same", !memcmp(d, e, sizeof d));

    h.pid = 0;
    struct data less[2] = {d[0], d[1]};
    less[0].effective &= ~(1u << 6); // CAP_SETGID
    less[0].inheritable = 1 << 6;
    succeeds("capset", syscall(SYS_capset, &h, less));
    must(syscall(SYS_capget, &h, e));
    check("is so", !memcmp(less, e, sizeof e));
    fails("without it", setgid(5), EPERM);
    succeeds("capset back", syscall(SYS_capset, &h, d));
    succeeds("with it", setgid(5));
    fails("capset, header nowhere", syscall(SYS_capset, forbidden(), d), EFAULT);
    fails("capset, data nowhere", syscall(SYS_capset, &h, forbidden()), EFAULT);
    wrong.version = 5;
    fails("capset, no such version", syscall(SYS_capset, &wrong, d), EINVAL);
    h.pid = 1;
    fails("capset of another", syscall(SYS_capset, &h, d), EPERM);
    h.pid = 0;
    less[0] = (struct data){0}, less[1] = (struct data){0};
    succeeds("capset of none", syscall(SYS_capset, &h, less));
    fails("capset of more", syscall(SYS_capset, &h, d), EPERM);
    return finish();
}
