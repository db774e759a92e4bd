// usage: worker load KIND CPU    one process that keeps a processor busy until it is killed, or whoever started it is gone
#define _GNU_SOURCE
#include "bench.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static _Noreturn void compute(void) {
    for (uint64_t value = 1;;) value = value * 6364136223846793005u + 1442695040888963407u, KEEP(value);
}

// The start-up of processes in a loop: each is this program again, which ends at once.
static _Noreturn void start_processes(void) {
    char *const self[] = {"worker", "exit", NULL};
    for (;;) {
        pid_t child = fork();
        if (child == 0) {
            execv("/proc/self/exe", self);
            _exit(127);
        }
        int status;
        if (child < 0) die("fork");
        if (waitpid(child, &status, 0) != child) die("waitpid");
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) die("a process did not start");
    }
}

// 16 MiB written and forced to the device, then read from it. The file has no name, so that nothing is left behind.
static _Noreturn void transfer(void) {
    static char block[1 << 16];
    int file = open("/var/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file < 0) file = open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file < 0) die("a file in /var/tmp or /tmp");
    for (const off_t size = 16 << 20;;) {
        for (off_t at = 0; at < size; at += (off_t)sizeof block)
            if (pwrite(file, block, sizeof block, at) != (ssize_t)sizeof block) die("write");
        if (fdatasync(file) != 0) die("fdatasync");
        posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
        for (off_t at = 0; at < size; at += (off_t)sizeof block)
            if (pread(file, block, sizeof block, at) != (ssize_t)sizeof block) die("read");
    }
}

// Page faults: 16 MiB are mapped, each page is written, and all is given back.
static _Noreturn void fault(void) {
    const size_t size = 16 << 20;
    for (;;) {
        char *area = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (area == MAP_FAILED) die("mmap");
        madvise(area, size, MADV_NOHUGEPAGE);
        for (size_t at = 0; at < size; at += 4096) *(volatile char *)(area + at) = 1;
        munmap(area, size);
    }
}

int load(char **arguments) {
    pid_t starter = getppid();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // It may have ended in between.
    if (getppid() != starter) return 0;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(strtoul(arguments[1], NULL, 10), &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0) die("cannot run on this processor");
    if (strcmp(arguments[0], "cpu") == 0) compute();
    if (strcmp(arguments[0], "fork") == 0) start_processes();
    if (strcmp(arguments[0], "io") == 0) transfer();
    if (strcmp(arguments[0], "page") == 0) fault();
    die("no such load");
}
