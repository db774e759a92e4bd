// What /proc says about the program itself: its file, its command line, its name, its environment, its auxiliary vector.
//# libc: static dynamic musl
//# args: one two
#include "../expect.h"
#include <link.h>
#include <sys/auxv.h>

static char program[PATH_MAX];

static void check_exe(const char *shown, const char *name) {
    char text[PATH_MAX] = "", short_text[5] = "....";
    struct stat by_link, by_name, link;
    say("%s", shown);
    long length = succeeds("readlink", readlink(name, text, sizeof text - 1));
    check("it is this file", !strcmp(text, program));
    equal("readlink, cut off", readlink(name, short_text, 3), 3);
    check("no more is written", !memcmp(short_text, program, 3) && short_text[3] == '.');
    fails("readlink, no room", syscall(SYS_readlink, name, text, 0), EINVAL);
    fails("readlink, nowhere to write", syscall(SYS_readlink, name, forbidden(), length), EFAULT);
    equal("stat", stat(name, &by_link), 0);
    equal("stat of the file", stat(program, &by_name), 0);
    check("they are the same", by_link.st_ino == by_name.st_ino && by_link.st_dev == by_name.st_dev);
    equal("lstat", lstat(name, &link), 0);
    check("it is a link", S_ISLNK(link.st_mode));
    equal("access", access(name, R_OK | X_OK), 0);
    int fd = succeeds("open", open(name, O_RDONLY));
    struct stat opened;
    equal("fstat", fstat(fd, &opened), 0);
    check("it is this file", opened.st_ino == by_name.st_ino);
    fails("open, O_NOFOLLOW", open(name, O_RDONLY | O_NOFOLLOW), ELOOP);
    fails("open to write", open(name, O_WRONLY), ETXTBSY);
    close(fd);
    // A child is another process.
    if (strpbrk(name, "0123456789")) return;
    pid_t child = must(fork());
    if (!child) {
        execl(name, "again", "exit", (char *)0);
        _exit(errno);
    }
    equal("execve", end_of(child), 17);
}

static long contents(const char *name, char *text, size_t size) {
    int fd = must(open(name, O_RDONLY));
    long have = 0, got;
    while ((got = must(read(fd, text + have, size - have))) > 0) have += got;
    close(fd);
    return have;
}

int main(int argc, char **argv) {
    if (argc == 2 && !strcmp(argv[1], "exit")) return 17;
    must(realpath(argv[0], program) ? 0 : -1);
    char name[64];
    check_exe("/proc/self/exe", "/proc/self/exe");
    check_exe("/proc/thread-self/exe", "/proc/thread-self/exe");
    sprintf(name, "/proc/%d/exe", (int)getpid());
    check_exe("/proc/PID/exe", name);
    sprintf(name, "/proc/self/task/%d/exe", (int)getpid());
    check_exe("/proc/self/task/TID/exe", name);
    sprintf(name, "/proc/%d/exe", (int)getppid());
    char text[16384];
    long length = readlink(name, text, sizeof text - 1);
    check("the parent's is another", length > 0 && (text[length] = 0, strcmp(text, program)));

    length = contents("/proc/self/cmdline", text, sizeof text);
    char *at = text;
    for (int i = 0; i < argc; i++) {
        check("an argument", at < text + length && !strcmp(at, argv[i]));
        at += strlen(at) + 1;
    }
    equal("and nothing more", at - text, length);
    length = contents("/proc/self/comm", text, sizeof text);
    const char *last = strrchr(program, '/') + 1;
    size_t shown = strlen(last) < 15 ? strlen(last) : 15;
    check("the name", length == (long)shown + 1 && !memcmp(text, last, shown));
    length = contents("/proc/self/environ", text, sizeof text);
    extern char **environ;
    at = text;
    for (int i = 0; environ[i]; i++) {
        check("a variable", at < text + length && !strcmp(at, environ[i]));
        at += strlen(at) + 1;
    }
    equal("and nothing more", at - text, length);

    static ElfW(auxv_t) auxv[1024];
    length = contents("/proc/self/auxv", (char *)auxv, sizeof auxv);
    size_t count = 0;
    while (count < length / sizeof *auxv && auxv[count].a_type != AT_NULL) {
        unsigned long type = auxv[count].a_type;
        if (auxv[count].a_un.a_val != getauxval(type)) check("an auxiliary value", type == AT_HWCAP || type == AT_HWCAP2);
        count++;
    }
    check("the auxiliary vector has an end", count > 10 && count < length / sizeof *auxv);
    for (unsigned long *type = (unsigned long[]){AT_PAGESZ, AT_PHDR, AT_ENTRY, AT_RANDOM, AT_EXECFN, AT_UID, 0}; *type; type++) {
        size_t i = 0;
        while (i < count && auxv[i].a_type != *type) i++;
        check("what matters is in it", i < count);
    }
    return finish();
}
