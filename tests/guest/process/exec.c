// execve: of this program, of a 64-bit one, of scripts, and of what cannot be executed.
//# libc: static dynamic musl
#include "expect.h"

static void file(const char *name, const char *contents, int mode) {
    int fd = must(open(name, O_CREAT | O_WRONLY | O_TRUNC, 0600));
    must(write(fd, contents, strlen(contents)));
    must(fchmod(fd, mode));
    must(close(fd));
}

// The end of a child that executes `path`; 200 + errno when that fails.
static int run(const char *path, char *const argv[], char *const envp[]) {
    pid_t child = must(fork());
    if (!child) {
        execve(path, argv, envp);
        say("%s: %s", path, error_name(errno));
        _exit(200);
    }
    return end_of(child);
}

int main(int argc, char **argv) {
    if (argc > 1 && !strcmp(argv[1], "inner")) {
        say("inner: argc %d, argv[0] ends in %s, last %s", argc, strrchr(argv[0], '/') ? strrchr(argv[0], '/') : argv[0], argv[argc - 1]);
        extern char **environ;
        for (char **e = environ; *e; e++) say("environment: %s", *e);
        say("a close-on-exec descriptor: %s", fcntl(50, F_GETFD) < 0 ? "closed" : "open");
        say("another: %s", fcntl(51, F_GETFD) < 0 ? "closed" : "open");
        struct sigaction a, b;
        sigaction(SIGUSR1, 0, &a);
        sigaction(SIGUSR2, 0, &b);
        say("handlers: %s %s", a.sa_handler == SIG_DFL ? "default" : "?", b.sa_handler == SIG_IGN ? "ignored" : "?");
        sigset_t set;
        sigprocmask(SIG_BLOCK, 0, &set);
        say("mask: %d", sigismember(&set, SIGRTMAX));
        stack_t s;
        sigaltstack(0, &s);
        say("alternate stack: %s", s.ss_flags == SS_DISABLE ? "none" : "kept");
        succeeds("a stack of no size, where there is none", syscall(SYS_sigaltstack, &(stack_t){0}, 0));
        return 33;
    }
    if (argc > 1) return 34;
    char self[PATH_MAX] = "";
    must(readlink("/proc/self/exe", self, sizeof self - 1));
    must(dup2(1, 50));
    must(dup2(1, 51));
    must(fcntl(50, F_SETFD, FD_CLOEXEC));
    static char stack[32768];
    must(sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, 0));
    on_signal(SIGUSR1, (void *)main, 0);
    signal(SIGUSR2, SIG_IGN);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGRTMAX);
    sigprocmask(SIG_BLOCK, &set, 0);

    char *const environment[] = {"A=1", "B=two words", 0}, *const none[] = {0};
    equal("itself", run(self, (char *[]){"name", "inner", "x", 0}, environment), 33);
    equal("no environment", run(self, (char *[]){"", "inner", 0}, none), 33);
    equal("through /proc/self/exe", run("/proc/self/exe", (char *[]){"n", "inner", 0}, none), 33);
    equal("a 64-bit program", run("/bin/sh", (char *[]){"sh", "-c", "echo from the shell: $A; exit 7", 0}, environment), 7);
    equal("with null argv and envp", run("/bin/true", (char *[]){"true", 0}, 0), 0);

    char script[PATH_MAX + 100];
    sprintf(script, "#!%s inner\n", self);
    file("script", script, 0755);
    equal("a script of ours", run("./script", (char *[]){"ignored", "last", 0}, none), 33);
    sprintf(script, "#!   %s   inner with spaces  \n", self);
    file("spaces", script, 0755);
    equal("spaces in the first line", run("./spaces", (char *[]){"x", 0}, none), 34);
    file("shell", "#!/bin/sh\necho \"a shell script: $# $1\"\nexit 5\n", 0755);
    equal("a shell script", run("./shell", (char *[]){"x", "one", "two", 0}, environment), 5);
    file("option", "#!/bin/sh -e\nfalse\necho not reached\n", 0755);
    equal("with an option", run("./option", (char *[]){"x", 0}, none), 1);
    file("chain", "#!./shell\n", 0755);
    equal("a script whose interpreter is a script", run("./chain", (char *[]){"x", "y", 0}, none), 5);

    file("plain", "echo no interpreter named\n", 0755);
    equal("no magic", run("./plain", (char *[]){"x", 0}, none), 200);
    file("empty", "", 0755);
    equal("empty", run("./empty", (char *[]){"x", 0}, none), 200);
    file("denied", "#!/bin/sh\n", 0644);
    equal("not executable", run("./denied", (char *[]){"x", 0}, none), 200);
    file("lost", "#!/no/such/interpreter\n", 0755);
    equal("missing interpreter", run("./lost", (char *[]){"x", 0}, none), 200);
    file("loop", "#!./loop\n", 0755);
    equal("its own interpreter", run("./loop", (char *[]){"x", 0}, none), 200);
    file("short", "\177ELF", 0755);
    equal("a cut ELF file", run("./short", (char *[]){"x", 0}, none), 200);
    must(mkdir("dir", 0755));
    equal("a directory", run("./dir", (char *[]){"x", 0}, none), 200);
    equal("absent", run("./absent", (char *[]){"x", 0}, none), 200);
    equal("through a file", run("./plain/x", (char *[]){"x", 0}, none), 200);
    int busy = must(open("busy", O_CREAT | O_RDWR, 0755));
    must(write(busy, "#!/bin/sh\n", 10));
    equal("open for writing", run("./busy", (char *[]){"x", 0}, none), 200);
    char *long_one = malloc(200000);
    memset(long_one, 'a', 199999);
    long_one[199999] = 0;
    equal("an argument over 128 KiB", run("/bin/true", (char *[]){"x", long_one, 0}, none), 200);
    long_one[100000] = 0;
    char *many[60];
    for (int i = 0; i < 59; i++) many[i] = long_one;
    many[59] = 0;
    equal("5.9 MB of arguments", run("/bin/true", many, none), 200);
    many[15] = 0;
    equal("1.5 MB of arguments", run("/bin/true", many, none), 0);
    fails("path nowhere", execve(forbidden(), (char *[]){"x", 0}, none), EFAULT);
    fails("argv nowhere", execve("/bin/true", forbidden(), none), EFAULT);
    fails("an argument nowhere", execve("/bin/true", (char *[]){forbidden(), 0}, none), EFAULT);
    fails("envp nowhere", execve("/bin/true", (char *[]){"x", 0}, forbidden()), EFAULT);
    equal("and all is still well", run("/bin/true", (char *[]){"x", 0}, none), 0);
    return finish();
}
