// prctl(2) and arch_prctl(2).
#include "expect.h"
#include <sys/prctl.h>

int main(void) {
    const char *name = "a name of many characters";
    char seen[17] = {0};
    succeeds("PR_SET_NAME", syscall(SYS_prctl, PR_SET_NAME, name, 0, 0, 0));
    succeeds("PR_GET_NAME", syscall(SYS_prctl, PR_GET_NAME, seen, 0, 0, 0));
    check("15 characters", strlen(seen) == 15 && !strncmp(seen, name, 15));
    int signal = -1;
    succeeds("PR_SET_PDEATHSIG", syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGUSR1, 0, 0, 0));
    succeeds("PR_GET_PDEATHSIG", syscall(SYS_prctl, PR_GET_PDEATHSIG, &signal, 0, 0, 0));
    equal("signal", signal, SIGUSR1);
    succeeds("PR_SET_PDEATHSIG", syscall(SYS_prctl, PR_SET_PDEATHSIG, 0, 0, 0, 0));
    fails("PR_SET_PDEATHSIG invalid", syscall(SYS_prctl, PR_SET_PDEATHSIG, 77, 0, 0, 0), EINVAL);
    equal("PR_GET_DUMPABLE", syscall(SYS_prctl, PR_GET_DUMPABLE, 0, 0, 0, 0), 1);
    succeeds("PR_SET_DUMPABLE", syscall(SYS_prctl, PR_SET_DUMPABLE, 0, 0, 0, 0));
    equal("PR_GET_DUMPABLE", syscall(SYS_prctl, PR_GET_DUMPABLE, 0, 0, 0, 0), 0);
    succeeds("PR_SET_DUMPABLE", syscall(SYS_prctl, PR_SET_DUMPABLE, 1, 0, 0, 0));
    succeeds("PR_SET_TIMERSLACK", syscall(SYS_prctl, PR_SET_TIMERSLACK, 3000000000u, 0, 0, 0));
    equal("PR_GET_TIMERSLACK", (unsigned)syscall(SYS_prctl, PR_GET_TIMERSLACK, 0, 0, 0, 0), 3000000000u);
    int reaper = -1;
    succeeds("PR_SET_CHILD_SUBREAPER", syscall(SYS_prctl, PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0));
    succeeds("PR_GET_CHILD_SUBREAPER", syscall(SYS_prctl, PR_GET_CHILD_SUBREAPER, &reaper, 0, 0, 0));
    equal("reaper", reaper, 1);
    check("PR_CAPBSET_READ", syscall(SYS_prctl, PR_CAPBSET_READ, 0, 0, 0, 0) >= 0);
    fails("PR_CAPBSET_READ invalid", syscall(SYS_prctl, PR_CAPBSET_READ, 1000, 0, 0, 0), EINVAL);
    equal("PR_GET_NO_NEW_PRIVS", syscall(SYS_prctl, PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0), 0);
    succeeds("PR_SET_NO_NEW_PRIVS", syscall(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
    equal("PR_GET_NO_NEW_PRIVS", syscall(SYS_prctl, PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0), 1);
    fails("PR_GET_NAME nowhere", syscall(SYS_prctl, PR_GET_NAME, forbidden(), 0, 0, 0), EFAULT);
    fails("no such option", syscall(SYS_prctl, 0x7777, 0, 0, 0, 0), EINVAL);

    // A 32-bit task has no segment bases to set: ARCH_SET_FS and its kin are not for it.
    unsigned long base = 0;
    fails("ARCH_GET_FS", syscall(SYS_arch_prctl, 0x1003, &base), EINVAL);
    fails("ARCH_SET_GS", syscall(SYS_arch_prctl, 0x1001, &base), EINVAL);
    uint64_t features = 0;
    succeeds("ARCH_GET_XCOMP_PERM", syscall(SYS_arch_prctl, 0x1022, &features));
    check("x87 and SSE", (features & 3) == 3);
    return finish();
}
