// unshare, setns, sethostname, setdomainname, membarrier: what belongs to this process alone.
//# needs: root
#include <sched.h>
#include <sys/utsname.h>
#include "expect.h"

static void others(void) {
    fails("unshare", unshare(CLONE_NEWUTS), EPERM);
    fails("sethostname", sethostname("x", 1), EPERM);
    fails("setdomainname", setdomainname("x", 1), EPERM);
}

int main(void) {
    struct utsname u;
    int before = must(open("/proc/self/ns/uts", O_RDONLY));
    must(uname(&u));
    char old[65];
    strcpy(old, u.nodename);
    unprivileged(others);
    succeeds("unshare", unshare(CLONE_NEWUTS));
    succeeds("sethostname", sethostname("another-name", 12));
    must(uname(&u));
    check("is so", !strcmp(u.nodename, "another-name"));
    succeeds("sethostname, part of a text", sethostname("another-name", 3));
    must(uname(&u));
    check("is so", !strcmp(u.nodename, "ano"));
    fails("sethostname, too long", sethostname(old, 65), EINVAL);
    fails("sethostname, negative", sethostname(old, -1), EINVAL);
    fails("sethostname nowhere", sethostname(forbidden(), 3), EFAULT);
    succeeds("setdomainname", setdomainname("domain.example", 14));
    char domain[65] = "";
    must(getdomainname(domain, sizeof domain));
    check("is so", !strcmp(domain, "domain.example"));
    fails("setdomainname, too long", setdomainname(old, 65), EINVAL);
    fails("setdomainname nowhere", setdomainname(forbidden(), 3), EFAULT);
    int inside = must(open("/proc/self/ns/uts", O_RDONLY));
    fails("setns, of another kind", setns(before, CLONE_NEWIPC), EINVAL);
    fails("setns, no namespace", setns(must(open("/dev/null", O_RDONLY)), 0), EINVAL);
    fails("setns, no descriptor", setns(99, 0), EBADF);
    succeeds("setns", setns(before, CLONE_NEWUTS));
    must(uname(&u));
    check("the old name", !strcmp(u.nodename, old));
    succeeds("setns of any kind", setns(inside, 0));
    must(uname(&u));
    check("the new name", !strcmp(u.nodename, "ano"));
    must(setns(before, 0));
    fails("unshare flags", unshare(0x1), EINVAL);
    succeeds("unshare of files", unshare(CLONE_FILES | CLONE_FS));
    succeeds("unshare of nothing", unshare(0));

    optional(syscall(SYS_membarrier, 1 << 30, 0, 0));
    long commands = succeeds("membarrier: which", syscall(SYS_membarrier, 0, 0, 0));
    check("the expedited ones", (commands & 0x18) == 0x18);
    fails("membarrier, unregistered", syscall(SYS_membarrier, 8, 0, 0), EPERM);
    succeeds("membarrier, register", syscall(SYS_membarrier, 16, 0, 0));
    succeeds("membarrier", syscall(SYS_membarrier, 8, 0, 0));
    fails("membarrier flags", syscall(SYS_membarrier, 8, 2, 0), EINVAL);
    fails("membarrier, no such command", syscall(SYS_membarrier, 1 << 20, 0, 0), EINVAL);
    return finish();
}
