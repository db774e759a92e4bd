// prctl: names, dumpable, no_new_privs, and commands that do not exist.
//# libc: static musl
#include <sys/prctl.h>
#include "expect.h"

int main(void) {
    char name[17] = "";
    succeeds("PR_GET_NAME", prctl(PR_GET_NAME, name));
    check("is the program's", !strcmp(name, "prctl"));
    succeeds("PR_SET_NAME", prctl(PR_SET_NAME, "a name that is too long"));
    must(prctl(PR_GET_NAME, name));
    check("cut", !strcmp(name, "a name that is "));
    int fd = must(open("/proc/self/comm", O_RDONLY));
    char comm[32] = "";
    must(read(fd, comm, 31));
    check("visible", !strcmp(comm, "a name that is \n"));
    succeeds("dumpable", prctl(PR_SET_DUMPABLE, 0));
    equal("reads back", prctl(PR_GET_DUMPABLE), 0);
    fails("dumpable 7", prctl(PR_SET_DUMPABLE, 7), EINVAL);
    fails("unknown", prctl(0x7777, 1, 2, 3, 4), EINVAL);
    fails("name nowhere", prctl(PR_SET_NAME, forbidden()), EFAULT);
    fails("name to nowhere", prctl(PR_GET_NAME, forbidden()), EFAULT);
    succeeds("keep capabilities", prctl(PR_GET_KEEPCAPS));
    succeeds("no new privileges", prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
    equal("reads back", prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0), 1);
    succeeds("timer slack", prctl(PR_SET_TIMERSLACK, 100000));
    equal("reads back", prctl(PR_GET_TIMERSLACK), 100000);
    int reaper = 5;
    succeeds("subreaper", prctl(PR_GET_CHILD_SUBREAPER, &reaper, 0, 0, 0));
    equal("not one", reaper, 0);
    equal("TSC", (prctl(PR_GET_TSC, &reaper), reaper), PR_TSC_ENABLE);
    return finish();
}
