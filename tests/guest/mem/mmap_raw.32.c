// old mmap (90) takes a structure and an offset in bytes; mmap2 (192) registers and an offset in pages.
#include "expect.h"

int main(void) {
    int fd = must(open("f", O_CREAT | O_RDWR | 0100000, 0600));
    must(syscall(SYS_ftruncate64, fd, 0x2000, 0x10));
    must(syscall(SYS_pwrite64, fd, "far", 3, 0x1000, 0x10));
    must(syscall(SYS_pwrite64, fd, "near", 4, 4096, 0));
    struct { uint32_t addr, len, prot, flags, fd, offset; } o = {0, 4096, PROT_READ, MAP_SHARED, fd, 4096};
    char *p = (char *)syscall(90, &o);
    check("old mmap", p != (char *)-1 && !strcmp(p, "near"));
    o.offset = 100;
    fails("old mmap, unaligned offset", syscall(90, &o), EINVAL);
    fails("old mmap nowhere", syscall(90, forbidden()), EFAULT);
    p = (char *)syscall(192, 0, 4096, PROT_READ, MAP_SHARED, fd, 0x01000001);
    check("mmap2 at 64 GiB and a page", p != (char *)-1 && !strcmp(p, "far"));
    p = (char *)syscall(192, 0, 4096, PROT_READ, MAP_SHARED, fd, 0xffffffff);
    check("mmap2 at 16 TiB less a page", p != (char *)-1 || errno == EOVERFLOW);
    p = (char *)syscall(192, 0, 65536, PROT_READ | PROT_WRITE, 0x22 | 0x40 /* MAP_32BIT */, -1, 0);
    check("MAP_32BIT", p != (char *)-1);
    fails("longer than there is room, of no file", syscall(192, 0, 0xffffe000, 0, MAP_PRIVATE, 999, 0), EBADF);
    fails("longer than there is room", syscall(192, 0, 0xffffe000, 0, MAP_PRIVATE, fd, 0), ENOMEM);
    return finish();
}
