// int $0x80 in odd places: at every alignment, across pages, jumped to, back to back, with nothing after it.
//# libc: static musl
#include "expect.h"

static pid_t pid;
static void leave(int signal) { _exit(7); }

// Runs a piece of code placed so that its int $0x80 begins at `page + offset`.
static void at(unsigned char *page, int offset, const char *name, int quiet) {
    unsigned char code[] = {0xb8, 20, 0, 0, 0, 0xcd, 0x80, 0xc3};
    memcpy(page + offset - 5, code, sizeof code);
    int wrong = 0;
    for (int i = 0; i < 5; i++) wrong += ((int (*)(void))(page + offset - 5))() != pid;
    if (wrong) say("FAIL %s at %d", name, offset), expect_failures++;
    else if (!quiet) say("ok %s", name);
}

int main(void) {
    enum { RWX = PROT_READ | PROT_WRITE | PROT_EXEC, ANON = MAP_PRIVATE | MAP_ANONYMOUS };
    pid = getpid();
    unsigned char *page = must(mmap(0, 4 * 4096, RWX, ANON, -1, 0));
    for (int i = 0; i < 64; i++) at(page, 64 + i * 65, "alignment", i < 63);
    at(page, 4095 + 4096, "across a page", 0);
    at(page, 4094 + 4096, "at the end of a page", 0);
    at(page, 8192, "at the beginning of a page", 0);
    // Across into a page with other rights.
    unsigned char *two = must(mmap(0, 8192, RWX, ANON, -1, 0));
    memcpy(two + 4090, "\xb8\x14\0\0\0\xcd\x80\xc3", 8);
    must(mprotect(two, 4096, PROT_READ | PROT_EXEC));
    equal("across into a writable page", ((int (*)(void))(two + 4090))(), pid);
    // As the last two bytes before an unmapped page: a call that does not return.
    pid_t child = must(fork());
    if (!child) {
        unsigned char *last = must(mmap(0, 8192, RWX, ANON, -1, 0));
        must(munmap(last + 4096, 4096));
        memcpy(last + 4096 - 12, "\xb8\x01\0\0\0\xbb\x2a\0\0\0\xcd\x80", 12); // exit(42)
        ((void (*)(void))(last + 4096 - 12))();
    }
    equal("the last bytes of a mapping", end_of(child), 42);
    // Another instruction that faults there as int $0x80 may.
    child = must(fork());
    if (!child) {
        unsigned char *last = must(mmap(0, 8192, RWX, ANON, -1, 0));
        must(munmap(last + 4096, 4096));
        last[4095] = 0xf4; // hlt
        signal(SIGSEGV, leave);
        ((void (*)(void))(last + 4095))();
    }
    equal("hlt as the last byte", end_of(child), 7);
    // Followed at once by a jump target: entering after the call must find the old instructions.
    // 0: mov $20,%eax  5: int $0x80  7: (target) add $1,%eax  10: ret
    unsigned char target[] = {0xb8, 20, 0, 0, 0, 0xcd, 0x80, 0x83, 0xc0, 1, 0xc3};
    memcpy(page, target, sizeof target);
    int wrong = 0;
    for (int i = 0; i < 10; i++) {
        wrong += ((int (*)(void))page)() != pid + 1;
        int eax;
        asm volatile("call *%1" : "=a"(eax) : "r"(page + 7), "0"(100 + i) : "ecx", "edx", "memory");
        wrong += eax != 101 + i;
    }
    equal("a jump target right behind", wrong, 0);
    // A jump to the int itself, with the number set elsewhere.
    for (int i = 0; i < 10; i++) {
        int eax;
        asm volatile("call *%1" : "=a"(eax) : "r"(page + 5), "0"(64) : "ecx", "edx", "memory");
        wrong += eax != getppid() + 1;
    }
    equal("a jump to the int", wrong, 0);
    // Back to back: the result of one is the number of the next. close(-1) = -EBADF; then ENOSYS for that number.
    for (int i = 0; i < 10; i++) {
        unsigned char three[] = {0xb8, 6, 0, 0, 0, 0x53, 0xbb, 0xff, 0xff, 0xff, 0xff, 0xcd, 0x80, 0xcd, 0x80, 0xcd, 0x80, 0x5b, 0xc3};
        memcpy(page + 300, three, sizeof three);
        wrong += ((int (*)(void))(page + 300))() != -ENOSYS;
    }
    equal("back to back", wrong, 0);
    // A function of seven bytes with another function right behind it.
    unsigned char dense[] = {0x6a, 20, 0x58, 0xcd, 0x80, 0xc3, 0x6a, 64, 0x58, 0xcd, 0x80, 0xc3, 0x6a, 24, 0x58, 0xcd, 0x80, 0xc3};
    memcpy(page + 400, dense, sizeof dense);
    for (int i = 0; i < 10; i++)
        wrong += ((int (*)(void))(page + 400))() != pid || ((int (*)(void))(page + 406))() != getppid() || ((unsigned (*)(void))(page + 412))() != getuid();
    equal("functions without padding", wrong, 0);
    // Data that looks like one: the bytes inside an instruction's immediate.
    unsigned char hidden[] = {0xb8, 0xcd, 0x80, 0xcd, 0x80, 0x35, 0xcd, 0x80, 0xcd, 0x80, 0xc3}; // mov $0x80cd80cd,%eax; xor the same
    memcpy(page + 500, hidden, sizeof hidden);
    for (int i = 0; i < 10; i++) wrong += ((int (*)(void))(page + 500))() != 0;
    equal("bytes inside other instructions", wrong, 0);
    // A loop whose backward jump goes to the byte after the call.
    // push ebx; mov $5,%ebx; L: mov $20,%eax; int $0x80; dec %ebx; jnz L; pop ebx; ret
    unsigned char loop[] = {0x53, 0xbb, 5, 0, 0, 0, 0xb8, 20, 0, 0, 0, 0xcd, 0x80, 0x4b, 0x75, 0xf6, 0x5b, 0xc3};
    memcpy(page + 600, loop, sizeof loop);
    equal("in a loop", ((int (*)(void))(page + 600))(), pid);
    // With prefixes that mean nothing here.
    unsigned char prefixed[] = {0xb8, 20, 0, 0, 0, 0x3e, 0xcd, 0x80, 0xc3};
    memcpy(page + 700, prefixed, sizeof prefixed);
    equal("with a prefix", ((int (*)(void))(page + 700))(), pid);
    return finish();
}
