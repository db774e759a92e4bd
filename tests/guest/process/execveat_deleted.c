// A program that has no name any more, and what /proc/self/exe is then.
//# libc: static dynamic
#include "expect.h"

int main(int argc, char **argv) {
    if (argc > 1) {
        struct stat s;
        must(stat("/proc/self/exe", &s));
        say("argument %s, a regular file of %s size", argv[1], s.st_size > 1000 ? "some" : "no");
        return 21;
    }
    extern char **environ;
    pid_t child;
    int copy = nameless_copy();
    if (!(child = must(fork()))) fexecve(copy, (char *[]){"x", "memfd", 0}, environ), _exit(99);
    equal("from a memfd", end_of(child), 21);
    return finish();
}
