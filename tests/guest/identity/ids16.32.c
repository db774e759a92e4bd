//# needs: root
// The calls with 16-bit ids: what is larger shows as 65534, and -1 of 16 bits means "leave it".
#include "expect.h"
#include <grp.h>

static void overflow(void) {
    must(setgroups(2, (gid_t[]){70000, 5}));
    uint16_t groups[4] = {1, 1, 1, 1};
    equal("getgroups counts", syscall(SYS_getgroups, 0, forbidden()), 2);
    equal("getgroups", syscall(SYS_getgroups, 4, groups), 2);
    check("one has overflowed", (groups[0] == 5 && groups[1] == 65534) || (groups[0] == 65534 && groups[1] == 5));
    equal("no more is written", groups[2], 1);
    fails("too little room", syscall(SYS_getgroups, 1, groups), EINVAL);
    fails("less than no room", syscall(SYS_getgroups, -1, groups), EINVAL);
    fails("nowhere", syscall(SYS_getgroups, 4, forbidden()), EFAULT);
    fails("65535 is no group", syscall(SYS_setgroups, 2, (uint16_t[]){65535, 9}), EINVAL);
    succeeds("setgroups", syscall(SYS_setgroups, 2, (uint16_t[]){9, 65534}));
    uint32_t wide[4];
    equal("getgroups32", syscall(SYS_getgroups32, 4, wide), 2);
    check("both", wide[0] == 9 && wide[1] == 65534);
    fails("setgroups nowhere", syscall(SYS_setgroups, 2, forbidden()), EFAULT);
    fails("setgroups of too many", syscall(SYS_setgroups, 65537, groups), EINVAL);
    succeeds("setgroups of none", syscall(SYS_setgroups, 0, 0));

    succeeds("setresuid", syscall(SYS_setresuid, 1000, 2000, 0xffff));
    uint32_t real, effective, saved;
    must(syscall(SYS_getresuid32, &real, &effective, &saved));
    check("saved is left", real == 1000 && effective == 2000 && saved == 0);
    uint16_t narrow[3];
    succeeds("getresuid", syscall(SYS_getresuid, &narrow[0], &narrow[1], &narrow[2]));
    check("the same", narrow[0] == 1000 && narrow[1] == 2000 && narrow[2] == 0);
    must(syscall(SYS_setresuid32, -1, 0, -1));
    // The upper half of the register does not count.
    succeeds("setreuid", syscall(SYS_setreuid, 0x12340007, 0xabcdffff));
    must(syscall(SYS_getresuid32, &real, &effective, &saved));
    check("16 bits count", real == 7 && effective == 0);
    must(syscall(SYS_setresuid32, 0, 0, 0));

    must(syscall(SYS_setresgid32, 70000, 70001, 65535));
    equal("getgid", syscall(SYS_getgid), 65534);
    equal("getegid", syscall(SYS_getegid), 65534);
    equal("getgid32", syscall(SYS_getgid32), 70000);
    succeeds("getresgid", syscall(SYS_getresgid, &narrow[0], &narrow[1], &narrow[2]));
    check("overflow", narrow[0] == 65534 && narrow[1] == 65534 && narrow[2] == 65535);
    fails("getresgid nowhere", syscall(SYS_getresgid, &narrow[0], &narrow[1], forbidden()), EFAULT);
    equal("setfsgid gives all of it", syscall(SYS_setfsgid, 3), 70001);
    equal("setfsgid", syscall(SYS_setfsgid, 0xffff), 3);
    succeeds("setregid", syscall(SYS_setregid, 12, 13));
    succeeds("setgid", syscall(SYS_setgid, 14));
    equal("getegid", syscall(SYS_getegid), 14);

    succeeds("setresuid32", syscall(SYS_setresuid32, 100000, 100000, 100000));
    equal("getuid", syscall(SYS_getuid), 65534);
    equal("geteuid", syscall(SYS_geteuid), 65534);
    equal("setfsuid gives all of it", syscall(SYS_setfsuid, 3), 100000);
    fails("setgroups without the privilege", syscall(SYS_setgroups, 2, forbidden()), EPERM);
    fails("setgroups of too many", syscall(SYS_setgroups, 65537, groups), EPERM);
    fails("setuid", syscall(SYS_setuid, 0), EPERM);
}

int main(void) {
    equal("getuid", syscall(SYS_getuid), 0);
    pid_t child = must(fork());
    if (!child) {
        overflow();
        _exit(finish());
    }
    equal("child", end_of(child), 0);
    return finish();
}
