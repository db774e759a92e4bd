// Without O_LARGEFILE a file cannot grow past 2 GiB - 1.
//# gap: the host's open(2) always has O_LARGEFILE
#include "expect.h"

int main(void) {
    int small = must(syscall(SYS_open, "small", O_CREAT | O_RDWR, 0600));
    check("F_GETFL does not show it", !(syscall(SYS_fcntl64, small, F_GETFL) & 0100000));
    must(syscall(SYS_lseek, small, 0x7ffffffe, SEEK_SET));
    signal(SIGXFSZ, SIG_IGN);
    equal("the last byte fits, the rest does not", syscall(SYS_write, small, "ab", 2), 1);
    fails("and no more", syscall(SYS_write, small, "c", 1), EFBIG);
    fails("ftruncate64 past the limit", syscall(SYS_ftruncate64, small, 0, 1), EINVAL);
    return finish();
}
