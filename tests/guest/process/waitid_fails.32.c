// waitid clears what it would have told also where it fails, and that it cannot is a failure of its own.
#include "expect.h"

int main(void) {
    int info[32];
    memset(info, 0x5a, sizeof info);
    fails("nobody to wait for", syscall(SYS_waitid, P_ALL, 0, info, WEXITED, 0), ECHILD);
    check("six words are zero", !info[0] && !info[1] && !info[2] && !info[3] && !info[4] && !info[5]);
    check("and no more", info[6] == 0x5a5a5a5a);
    memset(info, 0x5a, sizeof info);
    fails("no options", syscall(SYS_waitid, P_ALL, 0, info, 0, 0), EINVAL);
    equal("zero", info[0], 0);
    fails("no options, and nowhere", syscall(SYS_waitid, P_ALL, 0, forbidden(), 0, 0), EFAULT);
    fails("no options, and not asked for", syscall(SYS_waitid, P_ALL, 0, 0, 0, 0), EINVAL);
    return finish();
}
