// uname, personality, users and groups.
//# libc: static musl dynamic
#include <grp.h>
#include <sys/fsuid.h>
#include <sys/personality.h>
#include <sys/utsname.h>
#include "expect.h"

int main(void) {
    struct utsname u;
    succeeds("uname", uname(&u));
    check("system", !strcmp(u.sysname, "Linux"));
    check("release", u.release[0] >= '3');
    check("has a machine", strlen(u.machine) > 3);
    equal("personality", personality(0xffffffff), 0);
    equal("set", personality(ADDR_NO_RANDOMIZE), 0);
    equal("reads back", personality(0xffffffff), ADDR_NO_RANDOMIZE);
    equal("reset", personality(0), ADDR_NO_RANDOMIZE);
    uid_t r, e, s;
    gid_t rg, eg, sg;
    succeeds("getresuid", getresuid(&r, &e, &s));
    check("users", r == getuid() && e == geteuid() && s == e);
    succeeds("getresgid", getresgid(&rg, &eg, &sg));
    check("groups", rg == getgid() && eg == getegid());
    succeeds("setresuid to nothing", setresuid(-1, -1, -1));
    succeeds("setreuid to the same", setreuid(r, e));
    equal("setfsuid", setfsuid(-1), e);
    int n = succeeds("getgroups", getgroups(0, 0));
    gid_t list[n + 1];
    equal("the list", getgroups(n, list), n);
    fails("negative", getgroups(-1, list), EINVAL);
    return finish();
}
