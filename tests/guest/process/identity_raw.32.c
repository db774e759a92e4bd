// The 16-bit calls: getuid (24), getresuid (165), getgroups (80), setgroups (81), chown (182), and their overflow value 65534.
//# needs: root
#include "expect.h"

int main(void) {
    uint16_t small[4] = {9, 9, 9, 9};
    equal("getuid", syscall(24), 0);
    succeeds("getresuid", syscall(165, small, small + 1, small + 2));
    check("16 bits each", small[0] == 0 && small[1] == 0 && small[2] == 0 && small[3] == 9);
    uint32_t groups[2] = {70000, 5};
    must(syscall(SYS_setgroups32, 2, groups));
    equal("getgroups", syscall(80, 4, small), 2);
    check("too large becomes 65534", (small[0] == 65534 && small[1] == 5) || (small[0] == 5 && small[1] == 65534));
    small[0] = 7;
    succeeds("setgroups", syscall(81, 1, small));
    equal("getgroups32", syscall(SYS_getgroups32, 2, groups), 1);
    equal("group", groups[0], 7);
    must(close(must(open("f", O_CREAT | O_WRONLY, 0644))));
    succeeds("chown32", syscall(SYS_chown32, "f", 70000, 70001));
    struct { uint32_t dev, ino; uint16_t mode, nlink, uid, gid; uint32_t rest[12]; } s;
    must(syscall(106, "f", &s));
    check("stat shows 65534", s.uid == 65534 && s.gid == 65534);
    succeeds("chown, -1 in 16 bits", syscall(182, "f", 0xffff, 5));
    struct stat t;
    must(stat("f", &t));
    check("kept and changed", t.st_uid == 70000 && t.st_gid == 5);
    succeeds("setresuid32", syscall(SYS_setresuid32, 70000, 70000, 0));
    equal("getuid, too large", syscall(24), 65534);
    equal("getuid32", syscall(SYS_getuid32), 70000);
    succeeds("setuid, 16 bits", (syscall(SYS_setresuid32, 0, 0, 0), syscall(23, 1000)));
    equal("geteuid", syscall(49), 1000);
    fails("no way back", syscall(23, 0), EPERM);
    return finish();
}
