// /proc/PID/maps: what the program has mapped, in numbers of 32 bits, whoever else is in the process.
//# libc: static dynamic musl
#include "../expect.h"

static char *heap, program[PATH_MAX], text[1 << 16];
static int of_other;

struct seen { int lines, wide, program, heap, stack, mapped; };

static struct seen look(int fd, void *mapping) {
    struct seen seen = {0};
    size_t length = 0;
    for (ssize_t got; (got = must(read(fd, text + length, sizeof text - 1 - length))) > 0;) length += (size_t)got;
    text[length] = 0;
    for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1) {
        *end = 0;
        unsigned long long first, last;
        char rights[5], name[PATH_MAX] = "";
        if (sscanf(line, "%llx-%llx %4s %*x %*x:%*x %*u %4095[^\n]", &first, &last, rights, name) < 3) {
            check("a line", 0);
            continue;
        }
        seen.lines++;
        seen.wide += last > 1ull << 32 || line[8] != '-';
#define HAS(place) (first <= (uintptr_t)(place) && (uintptr_t)(place) < last)
        seen.program += HAS(look) && !strcmp(name, program) && !strcmp(rights, "r-xp");
        seen.heap += HAS(heap) && (of_other || !strcmp(name, "[heap]"));
        seen.stack += HAS(&seen) && !strcmp(name, "[stack]");
        seen.mapped += mapping && HAS(mapping) && !strcmp(rights, "rw-p");
    }
    return seen;
}

static void show(const char *what, const char *name, int flags, void *mapping) {
    int lowest = must(dup(0));
    close(lowest);
    int fd = must(open(name, flags));
    equal("the lowest number", fd == lowest, 1);
    int next = must(dup(0));
    if (!of_other) equal("and no other is taken", next, lowest + 1);
    close(next);
    struct seen seen = look(fd, mapping);
    say("%s: wide %d, program %d, heap %d, stack %d, mapped %d, more than 5 %d", what, seen.wide, seen.program, seen.heap,
        seen.stack, seen.mapped, seen.lines > 5);
    must(lseek(fd, 0, SEEK_SET));
    struct seen again = look(fd, mapping);
    equal("the same again", again.lines, seen.lines);
    equal("closed on exec", fcntl(fd, F_GETFD) == FD_CLOEXEC, (flags & O_CLOEXEC) != 0);
    equal("for reading", fcntl(fd, F_GETFL) & O_ACCMODE, O_RDONLY);
    fails("write", write(fd, "", 1), EBADF);
    close(fd);
}

int main(int argc, char **argv) {
    (void)argc;
    char name[64];
    must(realpath(argv[0], program) ? 0 : -1);
    heap = sbrk(0x3000);
    char *mapping = mmap(0, 0x5000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    show("self", "/proc/self/maps", O_RDONLY, mapping);
    show("closed on exec", "/proc/self/maps", O_RDONLY | O_CLOEXEC, mapping);
    show("thread-self", "/proc/thread-self/maps", O_RDONLY | O_LARGEFILE, mapping);
    munmap(mapping, 0x5000);
    sprintf(name, "/proc/%d/maps", (int)getpid());
    show("by number, unmapped", name, O_RDONLY, mapping);
    sprintf(name, "/proc/self/task/%d/maps", (int)getpid());
    show("by thread", name, O_RDONLY, mapping);

    int ends[2];
    must(pipe(ends));
    pid_t child = must(fork());
    if (!child) {
        close(ends[1]);
        char byte;
        _exit(read(ends[0], &byte, 1) ? 1 : 0);
    }
    close(ends[0]);
    of_other = 1;
    sprintf(name, "/proc/%d/maps", (int)child);
    show("of a child", name, O_RDONLY, 0);
    close(ends[1]);
    int status;
    must(waitpid(child, &status, 0));
    equal("the child", status, 0);
    fails("of none", open(name, O_RDONLY), ENOENT);
    fails("a directory", open("/proc/self/maps", O_RDONLY | O_DIRECTORY), ENOTDIR);
    int place = must(open("/proc/self/maps", O_PATH));
    fails("a place", read(place, name, 1), EBADF);
    struct stat s;
    succeeds("stat", stat("/proc/self/maps", &s));
    equal("its length", s.st_size, 0);
    return finish();
}
