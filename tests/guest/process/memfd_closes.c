// A program without a name that closes every descriptor it knows of is still what it was.
#include "expect.h"

int main(int argc, char **argv) {
    if (argc > 1) {
        succeeds("close_range", syscall(SYS_close_range, 3, ~0u, 0));
        struct stat s;
        succeeds("stat", stat("/proc/self/exe", &s));
        check("a program", S_ISREG(s.st_mode) && s.st_size > 1000);
        equal("the first descriptor that is free", open("/dev/null", O_RDONLY), 3);
        for (int fd = 4; fd < 1024; fd++) close(fd);
        succeeds("stat again", stat("/proc/self/exe", &s));
        // What it executes does not get the descriptor either.
        if (argc == 2) execl("/proc/self/exe", "x", "closes", "again", (char *)0);
        return finish();
    }
    extern char **environ;
    int copy = nameless_copy();
    pid_t child = must(fork());
    if (!child) fexecve(copy, (char *[]){"x", "closes", 0}, environ), _exit(99);
    equal("from a memfd", end_of(child), 0);
    return finish();
}
