// Six arguments, the last in ebp, through both ways in; the stack may be anywhere.
//# cflags: -fno-pie -no-pie
#include <sys/epoll.h>
#include <sys/socket.h>
#include "expect.h"

// Filler follows, so that the int $0x80 can be rewritten.
long six(int way, long number, long a, long b, long c, long d, long e, long f);
asm("six: push %ebx; push %esi; push %edi; push %ebp\n"
    "mov 24(%esp), %eax; mov 28(%esp), %ebx; mov 32(%esp), %ecx; mov 36(%esp), %edx; mov 40(%esp), %esi; mov 44(%esp), %edi; mov 48(%esp), %ebp\n"
    "cmpl $0, 20(%esp); jne 1f; int $0x80; jmp 2f; 1: call *%gs:0x10; 2: pop %ebp; pop %edi; pop %esi; pop %ebx; ret; .fill 32, 1, 0x90\n");

static volatile int signals;
static void count(int signal, siginfo_t *info, void *context) { signals++; }

int main(void) {
    int fd = must(open("f", O_CREAT | O_RDWR, 0600));
    must(ftruncate(fd, 16 * 4096));
    must(pwrite(fd, "page nine", 9, 9 * 4096));
    for (int way = 0; way < 2; way++) {
        char *p = (char *)six(way, 192, 0, 4096, PROT_READ, MAP_SHARED, fd, 9);
        check(way ? "vsyscall: mmap2" : "int $0x80: mmap2", (unsigned long)p < -4096UL && !strcmp(p, "page nine"));
        int pipes[2];
        must(pipe(pipes));
        int64_t offset = 9 * 4096;
        equal("splice", six(way, 313, fd, (long)&offset, pipes[1], 0, 9, 0), 9);
        // The last is a size_t: on the other side 64 bits.
        struct epoll_event event;
        uint64_t mask = 0;
        int epoll = must(epoll_create1(0));
        equal("epoll_pwait", six(way, 319, epoll, (long)&event, 1, 0, (long)&mask, 8), 0);
        equal("fallocate", six(way, 324, fd, 0, 0, 1, 4096, 0), 0);
        // Calls whose sixth argument is as wide as a pointer in the 64-bit kernel, several times: the way changes once it is known.
        int ep = must(epoll_create(1)), pair[2], wrong = 0;
        must(socketpair(AF_UNIX, SOCK_DGRAM, 0, pair));
        sigset_t set, none;
        sigemptyset(&none);
        sigemptyset(&set);
        sigaddset(&set, SIGUSR1);
        must(sigprocmask(SIG_BLOCK, &set, 0));
        on_signal(SIGUSR1, count, 0);
        for (int i = 0; i < 5; i++) {
            struct epoll_event event;
            char byte, name[128];
            int length = sizeof name;
            signals = 0;
            must(raise(SIGUSR1));
            wrong += six(way, 319, ep, (long)&event, 1, 5000, (long)&none, 8) != -EINTR || signals != 1;
            wrong += six(way, 319, ep, (long)&event, 1, 0, (long)&none, 8) != 0;
            must(send(pair[0], "x", 1, 0));
            wrong += six(way, 371, pair[1], (long)&byte, 1, 0, (long)name, (long)&length) != 1 || length > 2;
        }
        equal("epoll_pwait and recvfrom, wrong", wrong, 0);
    }
    // With the stack pointer at the very beginning of its memory.
    char *stack = must(mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    must(mprotect(stack, 4096, PROT_NONE));
    int result, pid = getpid();
    asm volatile("mov %%esp, %%esi; mov %2, %%esp; int $0x80; mov %%esi, %%esp" : "=a"(result) : "0"(20), "r"(stack + 4096) : "esi", "memory");
    equal("no room on the stack for int $0x80", result, pid);
    asm volatile("mov %%esp, %%esi; mov %2, %%esp; int $0x80; mov %%esi, %%esp" : "=a"(result) : "0"(20), "r"(stack + 100) : "esi", "memory");
    equal("a stack that is not there", result, pid);
    asm volatile("mov %%esp, %%esi; xor %%esp, %%esp; int $0x80; mov %%esi, %%esp" : "=a"(result) : "0"(20) : "esi", "memory");
    equal("a stack pointer of zero", result, pid);
    return finish();
}
