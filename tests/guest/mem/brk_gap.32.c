// brk keeps a page free before the next mapping.
#include "expect.h"

int main(void) {
    unsigned long end = (syscall(SYS_brk, 0) + 4095) & -4096ul;
    check("to the end of a page", syscall(SYS_brk, end) == end);
    char *wall = mmap((char *)end + 0x10000, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    check("a wall", wall == (char *)end + 0x10000);
    check("up to the wall: not", syscall(SYS_brk, end + 0x10000) == end);
    check("into the page before it: not", syscall(SYS_brk, end + 0xf001) == end);
    check("a page less", syscall(SYS_brk, end + 0xf000) == end + 0xf000);
    *((volatile char *)end + 0xefff) = 1;
    check("back", syscall(SYS_brk, end) == end);
    return finish();
}
