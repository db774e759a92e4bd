// waitid clears what it would have told also where it fails, and that it cannot is a failure of its own.
#include "expect.h"
#include <sys/mman.h>

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
    unsigned char *pages = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(pages + 4096, 4096);
    memset(pages + 4000, 0x5a, 96);
    fails("no options, and a word that ends where nothing is", syscall(SYS_waitid, P_ALL, 0, pages + 4096 - 7, 0, 0), EFAULT);
    check("the word before is written, that word is not", !pages[4089] && !pages[4092] && pages[4093] == 0x5a && pages[4095] == 0x5a);
    pages = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(pages, 4096);
    memset(pages + 4096, 0x5a, 96);
    fails("no options, and a word that begins where nothing is", syscall(SYS_waitid, P_ALL, 0, pages + 4095, 0, 0), EFAULT);
    check("nothing is written", pages[4096] == 0x5a && pages[4099] == 0x5a);
    return finish();
}
