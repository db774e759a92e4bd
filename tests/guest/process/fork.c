// fork, vfork: memory, descriptors, return values, exit codes.
//# libc: static dynamic musl
#include "expect.h"

static int data = 1;
int main(void) {
    int fd = file_of("0123456789"), stack = 2, *heap = malloc(4), *shared = must(mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    *heap = 3;
    pid_t me = getpid(), child = must(fork());
    if (!child) {
        int ok = data == 1 && stack == 2 && *heap == 3 && getppid() == me && getpid() != me;
        data = stack = *heap = 99;
        *shared = 4;
        lseek(fd, 5, SEEK_SET);
        close(fd);
        _exit(ok ? 10 : 11);
    }
    equal("child", end_of(child), 10);
    check("memory is our own", data == 1 && stack == 2 && *heap == 3);
    equal("except what is shared", *shared, 4);
    equal("and the file position", lseek(fd, 0, SEEK_CUR), 5);
    volatile int vforked = 0;
    child = vfork();
    if (!child) {
        vforked = 7;
        _exit(12);
    }
    equal("vfork shares memory", vforked, 7);
    equal("vfork child", end_of(child), 12);
    for (int code = 0; code < 256; code += 51) {
        if (!(child = must(fork()))) _exit(code);
        equal("exit code", end_of(child), code);
    }
    if (!(child = must(fork()))) _exit(0x1234);
    equal("only eight bits", end_of(child), 0x34);
    int depth = 0;
    while (depth < 20 && !(child = must(fork()))) depth++;
    if (depth == 20) _exit(100);
    int end = end_of(child);
    if (depth) _exit(end == 100 ? 100 : 101);
    equal("20 generations", end, 100);
    int wrong = 0;
    pid_t many[100];
    for (int i = 0; i < 100; i++)
        if (!(many[i] = must(fork()))) _exit(i);
    for (int i = 0; i < 100; i++) wrong += end_of(many[i]) != i;
    equal("100 at once", wrong, 0);
    return finish();
}
