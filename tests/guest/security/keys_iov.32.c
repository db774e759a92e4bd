// KEYCTL_INSTANTIATE_IOV: the array of buffers has the layout of 32 bits. Only a helper that the kernel has called may instantiate.
#include "expect.h"
#include <sys/uio.h>

int main(void) {
    enum { INSTANTIATE_IOV = 20, INVALID = 9999 };
    char text[4];
    struct iovec *one = before_forbidden(sizeof *one);
    *one = (struct iovec){text, 4};
    // A kernel without keys says ENOSYS, and the filter of a container may say EPERM, also of an operation that there is not.
    errno = 0;
    if (syscall(SYS_keyctl, INVALID) == -1) expect_absent = errno == ENOSYS || errno == EPERM;
    fails("an array at the edge", syscall(SYS_keyctl, INSTANTIATE_IOV, 1, one, 1, 0), EPERM);
    fails("longer than there is", syscall(SYS_keyctl, INSTANTIATE_IOV, 1, one, 2, 0), EFAULT);
    fails("too many", syscall(SYS_keyctl, INSTANTIATE_IOV, 1, one, 1025, 0), EINVAL);
    fails("none", syscall(SYS_keyctl, INSTANTIATE_IOV, 1, 0, 7, 0), EPERM);
    one->iov_len = -1;
    fails("a length that is negative", syscall(SYS_keyctl, INSTANTIATE_IOV, 1, one, 1, 0), EINVAL);
    return finish();
}
