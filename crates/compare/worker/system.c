// The operating system, in the classes of lmbench: what a program pays for asking the kernel.
#define _GNU_SOURCE
#include "bench.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

BENCH(system, null_call, "a system call that does nothing: getppid(2)") {
    while (n--) syscall(SYS_getppid);
    return 0;
}

static int opened(const char *path, int flags) {
    int fd = open(path, flags | O_CLOEXEC);
    if (fd < 0) die(path);
    return fd;
}

BENCH(system, read_byte, "read(2) of a byte from /dev/zero") {
    int fd = opened("/dev/zero", O_RDONLY);
    char byte;
    begin();
    while (n--)
        if (read(fd, &byte, 1) != 1) die("read");
    end();
    close(fd);
    return 0;
}

BENCH(system, write_byte, "write(2) of a byte to /dev/null") {
    int fd = opened("/dev/null", O_WRONLY);
    begin();
    while (n--)
        if (write(fd, "", 1) != 1) die("write");
    end();
    close(fd);
    return 0;
}

BENCH(system, stat_file, "stat(2)") {
    struct stat found;
    while (n--)
        if (stat("/proc/self/exe", &found) != 0) die("stat");
    return 0;
}

BENCH(system, fstat_file, "fstat(2)") {
    int fd = opened("/dev/null", O_RDONLY);
    struct stat found;
    begin();
    while (n--)
        if (fstat(fd, &found) != 0) die("fstat");
    end();
    close(fd);
    return 0;
}

BENCH(system, open_close, "open(2) and close(2)") {
    while (n--) close(opened("/dev/null", O_RDONLY));
    return 0;
}

static void nothing(int signal) { (void)signal; }

BENCH(system, signal_install, "sigaction(2)") {
    struct sigaction action = {.sa_handler = nothing};
    while (n--)
        if (sigaction(SIGUSR1, &action, NULL) != 0) die("sigaction");
    return 0;
}

BENCH(system, signal_deliver, "a signal to oneself, handled") {
    struct sigaction action = {.sa_handler = nothing};
    if (sigaction(SIGUSR1, &action, NULL) != 0) die("sigaction");
    pid_t self = getpid();
    begin();
    while (n--) kill(self, SIGUSR1);
    return 0;
}

static volatile sig_atomic_t faults;
static char *page;

static void unprotect(int signal) {
    (void)signal;
    faults++;
    mprotect(page, 4096, PROT_READ | PROT_WRITE);
}

BENCH(system, protection_fault, "a write to a protected page, handled and permitted") {
    struct sigaction action = {.sa_handler = unprotect}, old;
    page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED || sigaction(SIGSEGV, &action, &old) != 0) die("mmap");
    faults = 0;
    begin();
    for (unsigned long i = 0; i < n; i++) {
        *(volatile char *)page = 1;
        mprotect(page, 4096, PROT_READ);
    }
    end();
    sigaction(SIGSEGV, &old, NULL);
    munmap(page, 4096);
    return (uint64_t)faults;
}

static void reap(pid_t child) {
    int status;
    if (child < 0) die("fork");
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0) die("waitpid");
}

BENCH(system, fork_exit, "fork(2), and the child ends") {
    while (n--) {
        pid_t child = fork();
        if (child == 0) _exit(0);
        reap(child);
    }
    return 0;
}

// This program again: of the same ABI, and static.
static uint64_t run_exec(unsigned long n, const char *how) {
    char *const self[] = {"worker", "exit", "0", "0", NULL}, *const shell[] = {"sh", "-c", ":", NULL};
    int through_shell = strcmp(how, "sh") == 0;
    while (n--) {
        pid_t child = fork();
        if (child == 0) {
            if (through_shell) execv("/bin/sh", shell);
            else execv("/proc/self/exe", self);
            _exit(127);
        }
        reap(child);
    }
    return 0;
}
BENCH_AS(system, fork_exec, run_exec, "self", "fork(2), and the child executes a static program of its own ABI")
BENCH_AS(system, fork_shell, run_exec, "sh", "fork(2), and the child is the system's /bin/sh -c :")

BENCH(system, page_fault, "the first write to a page") {
    const size_t pages = 256;
    for (unsigned long done = 0; done < n;) {
        char *area = mmap(NULL, pages * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (area == MAP_FAILED) die("mmap");
        madvise(area, pages * 4096, MADV_NOHUGEPAGE);
        for (size_t at = 0; at < pages && done < n; at++, done++) *(volatile char *)(area + at * 4096) = 1;
        munmap(area, pages * 4096);
    }
    return 0;
}

BENCH(system, mmap_munmap, "mmap(2) of 64 KiB, one write, munmap(2)") {
    while (n--) {
        char *area = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (area == MAP_FAILED) die("mmap");
        *(volatile char *)area = 1;
        munmap(area, 65536);
    }
    return 0;
}

// A byte goes round: each process waits for it from the one before and gives it to the next, having walked over its own data.
static void pass(int from, int to, unsigned long n, char *data, size_t size) {
    char byte;
    unsigned sum = 0;
    while (n--) {
        if (read(from, &byte, 1) != 1) _exit(1);
        for (size_t at = 0; at < size; at += 64) sum += (unsigned char)data[at]++;
        if (write(to, &byte, 1) != 1) _exit(1);
    }
    KEEP(sum);
}

// "PROCESSES KIB"
static uint64_t run_context(unsigned long n, const char *what) {
    char *rest;
    unsigned long processes = strtoul(what, &rest, 10), size = strtoul(rest, NULL, 10) * 1024;
    int ends[16][2];
    pid_t children[16];
    char *data = calloc(1, size + 64);
    if (!data || processes > 16) die("calloc");
    for (unsigned long at = 0; at < processes; at++)
        if (pipe(ends[at]) != 0) die("pipe");
    for (unsigned long at = 1; at < processes; at++) {
        children[at] = fork();
        if (children[at] < 0) die("fork");
        if (children[at] == 0) {
            pass(ends[at - 1][0], ends[at][1], n, data, size);
            _exit(0);
        }
    }
    begin();
    for (unsigned long at = 0; at < n; at++) {
        char byte;
        if (write(ends[0][1], "", 1) != 1) die("write");
        if (read(ends[processes - 1][0], &byte, 1) != 1) die("read");
        for (size_t step = 0; step < size; step += 64) data[step]++;
    }
    end();
    for (unsigned long at = 1; at < processes; at++) reap(children[at]);
    for (unsigned long at = 0; at < processes; at++) close(ends[at][0]), close(ends[at][1]);
    free(data);
    return 0;
}
BENCH_AS(system, context_2_0, run_context, "2 0", "a byte around a ring of 2 processes, each a context switch")
BENCH_AS(system, context_2_64, run_context, "2 64", "a byte around a ring of 2 processes that walk over 64 KiB each")
BENCH_AS(system, context_8_0, run_context, "8 0", "a byte around a ring of 8 processes")
BENCH_AS(system, context_8_64, run_context, "8 64", "a byte around a ring of 8 processes that walk over 64 KiB each")
BENCH_AS(system, context_16_0, run_context, "16 0", "a byte around a ring of 16 processes")
BENCH_AS(system, context_16_64, run_context, "16 64", "a byte around a ring of 16 processes that walk over 64 KiB each")

static void tcp_pair(int ends[2]) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), one = 1;
    if (listener < 0) missing("no IPv4 on this machine");
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 1) != 0) missing("no loopback network");
    if (getsockname(listener, (struct sockaddr *)&address, &length) != 0) die("getsockname");
    ends[0] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (ends[0] < 0 || connect(ends[0], (struct sockaddr *)&address, sizeof address) != 0) missing("no loopback network");
    ends[1] = accept(listener, NULL, NULL);
    if (ends[1] < 0) die("accept");
    setsockopt(ends[0], IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    setsockopt(ends[1], IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    close(listener);
}

// A byte there and back between two processes, or 64 KiB one way.
static uint64_t run_transport(unsigned long n, const char *what) {
    static char block[65536];
    int there[2], back[2], one_way = what[0] == 'w';
    size_t size = one_way ? sizeof block : 1;
    const char *kind = what + 2;
    if (strcmp(kind, "pipe") == 0) {
        if (pipe(there) != 0 || pipe(back) != 0) die("pipe");
    } else {
        int ends[2];
        if (strcmp(kind, "tcp") == 0) tcp_pair(ends);
        else if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) die("socketpair");
        there[1] = back[0] = ends[0];
        there[0] = back[1] = ends[1];
    }
    pid_t child = fork();
    if (child < 0) die("fork");
    if (child == 0) {
        for (unsigned long at = 0; at < n; at++) {
            for (size_t got = 0; got < size;) {
                ssize_t part = read(there[0], block, size - got);
                if (part <= 0) _exit(1);
                got += (size_t)part;
            }
            if ((!one_way || at + 1 == n) && write(back[1], block, 1) != 1) _exit(1);
        }
        _exit(0);
    }
    begin();
    for (unsigned long at = 0; at < n; at++) {
        for (size_t put = 0; put < size;) {
            ssize_t part = write(there[1], block, size - put);
            if (part <= 0) die("write");
            put += (size_t)part;
        }
        char byte;
        if ((!one_way || at + 1 == n) && read(back[0], &byte, 1) != 1) die("read");
    }
    end();
    reap(child);
    close(there[0]), close(there[1]);
    if (back[0] != there[1]) close(back[0]), close(back[1]);
    return 0;
}
BENCH_AS(system, pipe_latency, run_transport, "l pipe", "a byte there and back through pipes")
BENCH_AS(system, unix_latency, run_transport, "l unix", "a byte there and back through a Unix-domain socket")
BENCH_AS(system, tcp_latency, run_transport, "l tcp", "a byte there and back through TCP on the loopback")
BENCH_AS(system, pipe_bandwidth, run_transport, "w pipe", "64 KiB through a pipe")
BENCH_AS(system, unix_bandwidth, run_transport, "w unix", "64 KiB through a Unix-domain socket")
BENCH_AS(system, tcp_bandwidth, run_transport, "w tcp", "64 KiB through TCP on the loopback")

BENCH(system, select_100, "select(2) of 100 descriptors, one of them ready") {
    int ends[2], copies[100];
    if (pipe(ends) != 0) die("pipe");
    if (write(ends[1], "", 1) != 1) die("write");
    int highest = 0;
    for (int at = 0; at < 100; at++) {
        int unready[2];
        if (at == 50) copies[at] = dup(ends[0]);
        else if (at == 0) {
            if (pipe(unready) != 0) die("pipe");
            copies[at] = unready[0];
        } else copies[at] = dup(copies[0]);
        if (copies[at] < 0 || copies[at] >= FD_SETSIZE) die("dup");
        if (copies[at] > highest) highest = copies[at];
    }
    uint64_t ready = 0;
    begin();
    for (unsigned long i = 0; i < n; i++) {
        fd_set set;
        struct timeval zero = {0, 0};
        FD_ZERO(&set);
        for (int at = 0; at < 100; at++) FD_SET(copies[at], &set);
        ready += (uint64_t)select(highest + 1, &set, NULL, NULL, &zero);
    }
    end();
    for (int at = 0; at < 100; at++) close(copies[at]);
    return ready;
}

BENCH(system, epoll_ready, "epoll_wait(2) with one descriptor ready") {
    int ends[2], poll = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event event = {.events = EPOLLIN};
    if (poll < 0 || pipe(ends) != 0 || write(ends[1], "", 1) != 1) die("pipe");
    if (epoll_ctl(poll, EPOLL_CTL_ADD, ends[0], &event) != 0) die("epoll_ctl");
    uint64_t ready = 0;
    begin();
    for (unsigned long i = 0; i < n; i++) ready += (uint64_t)epoll_wait(poll, &event, 1, 0);
    end();
    close(poll), close(ends[0]), close(ends[1]);
    return ready;
}
