// execveat, fexecve, and what /proc/self/exe is afterwards.
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
    int self = must(open("/proc/self/exe", O_RDONLY | O_CLOEXEC)), dir = must(open("/bin", O_PATH));
    pid_t child;
    if (!(child = must(fork()))) fexecve(self, (char *[]){"x", "fexecve", 0}, environ), _exit(99);
    equal("fexecve", end_of(child), 21);
    if (!(child = must(fork()))) syscall(SYS_execveat, self, "", (char *[]){"x", "execveat", 0}, environ, AT_EMPTY_PATH), _exit(99);
    equal("execveat", end_of(child), 21);
    if (!(child = must(fork()))) syscall(SYS_execveat, dir, "true", (char *[]){"true", 0}, environ, 0), _exit(99);
    equal("relative to a directory", end_of(child), 0);
    fails("no AT_EMPTY_PATH", syscall(SYS_execveat, self, "", (char *[]){"x", 0}, environ, 0), ENOENT);
    fails("flags", syscall(SYS_execveat, dir, "true", (char *[]){"x", 0}, environ, 0x1), EINVAL);
    fails("bad descriptor", syscall(SYS_execveat, 999, "", (char *[]){"x", 0}, environ, AT_EMPTY_PATH), EBADF);
    must(symlink("/bin/true", "link"));
    fails("no follow", syscall(SYS_execveat, AT_FDCWD, "link", (char *[]){"x", 0}, environ, AT_SYMLINK_NOFOLLOW), ELOOP);
    return finish();
}
