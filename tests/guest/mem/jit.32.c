// Code made at run time, with int $0x80 in it: in memory that is writable and executable, and in memory that takes turns.
//# libc: static musl
#include "expect.h"

typedef int (*function)(void);

// mov $number,%eax; int $0x80; ret
static int emit(unsigned char *at, int number) {
    unsigned char code[] = {0xb8, number, 0, 0, 0, 0xcd, 0x80, 0xc3};
    memcpy(at, code, sizeof code);
    return sizeof code;
}

int main(void) {
    unsigned char *page = must(mmap(0, 8192, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    pid_t pid = getpid(), ppid = getppid();
    emit(page, 20 /* getpid */);
    function f = (function)page;
    int wrong = 0;
    for (int i = 0; i < 100; i++) wrong += f() != pid;
    equal("getpid 100 times", wrong, 0);
    emit(page, 64 /* getppid */);
    for (int i = 0; i < 100; i++) wrong += f() != ppid;
    equal("overwritten with getppid", wrong, 0);
    // Overwriting over and over: whatever was done to the site before must not come back.
    for (int i = 0; i < 200; i++) {
        emit(page, i & 1 ? 20 : 64);
        wrong += f() != (i & 1 ? pid : ppid);
    }
    equal("alternating", wrong, 0);
    // The two bytes of int $0x80 overwritten alone with something that is no system call: mov $5,%al
    emit(page, 20);
    wrong += f() != pid;
    page[5] = 0xb0, page[6] = 5;
    equal("the site replaced by mov $5,%al", f(), 5);
    page[5] = 0xcd, page[6] = 0x80;
    equal("and put back", f(), pid);
    // The program reads its own code.
    equal("the number is readable", page[1], 20);
    // Many sites, each called once, then again.
    int at = 0;
    unsigned char *start[1000];
    for (int i = 0; i < 1000; i++) start[i] = page + at, at += emit(page + at, i & 1 ? 20 : 64);
    for (int round = 0; round < 3; round++)
        for (int i = 0; i < 1000; i++) wrong += ((function)start[i])() != (i & 1 ? pid : ppid);
    equal("1000 sites", wrong, 0);
    must(mprotect(page, 8192, PROT_READ | PROT_EXEC));
    equal("read and execute only", ((function)start[7])(), pid);
    must(mprotect(page, 8192, PROT_READ | PROT_WRITE));
    emit(page, 64);
    must(mprotect(page, 8192, PROT_READ | PROT_EXEC));
    equal("rewritten in between", f(), ppid);
    // Gone and mapped again with other code.
    must(munmap(page, 8192));
    unsigned char *again = must(mmap(page, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0));
    emit(again, 20);
    equal("mapped again", f(), pid);
    memset(again, 0x90, 5), again[5] = 0xb8, memset(again + 6, 0, 4), again[6] = 42, again[10] = 0xc3;
    equal("other code where a site was", f(), 42);
    equal("nothing went wrong", wrong, 0);
    return finish();
}
