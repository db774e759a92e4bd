// int $0x80 in a file that is mapped shared: whatever happens to run it fast must not reach the file.
#include "expect.h"

int main(void) {
    unsigned char code[] = {0xb8, 20, 0, 0, 0, 0xcd, 0x80, 0xc3}, after[8];
    int fd = must(open("code", O_CREAT | O_RDWR, 0700));
    must(write(fd, code, sizeof code));
    must(ftruncate(fd, 4096));
    int (*f)(void) = must(mmap(0, 4096, PROT_READ | PROT_EXEC, MAP_SHARED, fd, 0));
    int wrong = 0;
    for (int i = 0; i < 50; i++) wrong += f() != getpid();
    equal("50 calls", wrong, 0);
    must(pread(fd, after, 8, 0));
    check("the file is as it was", !memcmp(code, after, 8));
    int (*g)(void) = must(mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_SHARED, fd, 0));
    for (int i = 0; i < 50; i++) wrong += g() != getpid();
    equal("50 calls, writable", wrong, 0);
    must(pread(fd, after, 8, 0));
    check("the file is as it was", !memcmp(code, after, 8));
    code[1] = 64;
    must(pwrite(fd, code, 8, 0));
    equal("written through the file", f(), getppid());
    equal("through both mappings", g(), getppid());
    code[1] = 20;
    must(pwrite(fd, code, 8, 0));
    int (*p)(void) = must(mmap(0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0));
    for (int i = 0; i < 50; i++) wrong += p() != getpid();
    equal("50 calls, private", wrong, 0);
    must(pread(fd, after, 8, 0));
    check("the file is as it was", !memcmp(code, after, 8));
    pid_t child = must(fork());
    if (!child) _exit(f() == getpid() && g() == getpid() && p() == getpid() ? 0 : 1);
    equal("in a child", end_of(child), 0);
    return finish();
}
