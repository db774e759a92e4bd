// Numbers without a call, and calls that Linux knows but refuses.
#include "expect.h"

int main(void) {
    int absent[] = {17, 31, 32, 35, 44, 53, 56, 58, 98, 112, 127, 130, 137, 167, 188, 189, 222, 223, 251, 273, 285, 500, 1000, 100000, -1};
    for (unsigned i = 0; i < sizeof absent / sizeof *absent; i++) fails("absent", syscall(absent[i], 0, 0, 0, 0, 0, 0), ENOSYS);
    fails("vm86", syscall(166, 0, 0), ENOSYS);
    fails("bdflush", syscall(134, 9, 0), ENOSYS);
    fails("x32's bit", syscall(0x40000014), ENOSYS);
    return finish();
}
