// The calls with 32-bit ids, raw.
//# needs: root
#include "expect.h"

static uint32_t first, second, third;
static int uids(uint32_t a, uint32_t b, uint32_t c) { return !syscall(SYS_getresuid32, &first, &second, &third) && first == a && second == b && third == c; }
static int gids(uint32_t a, uint32_t b, uint32_t c) { return !syscall(SYS_getresgid32, &first, &second, &third) && first == a && second == b && third == c; }

int main(void) {
    int file = must(open("f", O_CREAT | O_RDWR, 0600));
    must(symlink("f", "l"));
    struct stat s;
    succeeds("fchown32", syscall(SYS_fchown32, file, 70000, 70001));
    must(fstat(file, &s));
    check("both", s.st_uid == 70000 && s.st_gid == 70001);
    succeeds("lchown32", syscall(SYS_lchown32, "l", 80000, -1));
    must(lstat("l", &s));
    check("the link", s.st_uid == 80000 && s.st_gid == 0);
    must(stat("l", &s));
    check("not what it leads to", s.st_uid == 70000);
    fails("fchown32 of none", syscall(SYS_fchown32, 99, 0, 0), EBADF);
    fails("lchown32 of nothing", syscall(SYS_lchown32, "nothing", 0, 0), ENOENT);
    fails("lchown32 nowhere", syscall(SYS_lchown32, forbidden(), 0, 0), EFAULT);

    succeeds("setregid32", syscall(SYS_setregid32, 70001, -1));
    check("the real one", gids(70001, 0, 0));
    succeeds("setregid32", syscall(SYS_setregid32, -1, 70002));
    check("the effective one and the saved one", gids(70001, 70002, 70002));
    equal("getegid32", syscall(SYS_getegid32), 70002);
    succeeds("setresgid32", syscall(SYS_setresgid32, 1, -1, 3));
    check("some", gids(1, 70002, 3));
    fails("getresgid32 nowhere", syscall(SYS_getresgid32, &first, forbidden(), &third), EFAULT);
    fails("getresuid32 nowhere", syscall(SYS_getresuid32, &first, &second, forbidden()), EFAULT);
    equal("setfsgid32 tells the old one", syscall(SYS_setfsgid32, 70009), 70002);
    equal("setfsgid32 of none tells it too", syscall(SYS_setfsgid32, -1), 70009);
    succeeds("setgid32", syscall(SYS_setgid32, 0x12345678));
    check("all three", gids(0x12345678, 0x12345678, 0x12345678));
    fails("setgid32 of none", syscall(SYS_setgid32, -1), EINVAL);

    equal("setfsuid32 tells the old one", syscall(SYS_setfsuid32, 70009), 0);
    equal("setfsuid32 of none tells it too", syscall(SYS_setfsuid32, -1), 70009);
    succeeds("setreuid32", syscall(SYS_setreuid32, 70000, 0));
    check("two", uids(70000, 0, 0));
    equal("geteuid32", syscall(SYS_geteuid32), 0);
    succeeds("setreuid32 swaps", syscall(SYS_setreuid32, 0, 70000));
    equal("geteuid32", syscall(SYS_geteuid32), 70000);
    check("the saved one follows", uids(0, 70000, 70000));
    succeeds("setreuid32 back", syscall(SYS_setreuid32, -1, 0));
    succeeds("setuid32", syscall(SYS_setuid32, 0x12345678));
    check("all three", uids(0x12345678, 0x12345678, 0x12345678));
    fails("setuid32 of none", syscall(SYS_setuid32, -1), EINVAL);
    fails("setuid32 back", syscall(SYS_setuid32, 0), EPERM);
    fails("setreuid32", syscall(SYS_setreuid32, 0, -1), EPERM);
    fails("setgid32", syscall(SYS_setgid32, 0), EPERM);
    fails("setregid32", syscall(SYS_setregid32, -1, 0), EPERM);
    fails("setresgid32", syscall(SYS_setresgid32, -1, -1, 0), EPERM);
    return finish();
}
