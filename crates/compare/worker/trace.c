// usage: worker trace TRACEFS DURATION_MS TRACER [FILE=VALUE]…
//
// Lets one of the kernel's tracers run for a while in an instance of its own, and copies what it writes to standard output. FILEs
// below TRACEFS are its options. Everything is put back at the end: also after a signal, and when whoever started it is gone. That is
// why it is a process.
#define _GNU_SOURCE
#include "bench.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { OPTIONS = 8 };
static char instance[256];
static struct { char *file, old[256]; } changed[OPTIONS];
static int changes;
static volatile sig_atomic_t stopped;

static void stop(int signal) {
    (void)signal;
    stopped = 1;
}

// 0, or -1 with errno.
static int put(const char *directory, const char *file, const char *value) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", directory, file);
    int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
    if (fd < 0) return -1;
    size_t length = strlen(value);
    int failed = write(fd, value, length) != (ssize_t)length, error = errno;
    close(fd);
    errno = error;
    return failed ? -1 : 0;
}

static int get(const char *directory, const char *file, char *value, size_t size) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", directory, file);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return -1;
    ssize_t length = read(fd, value, size - 1);
    close(fd);
    if (length < 0) return -1;
    value[length] = 0;
    return 0;
}

static const char *root;

static void restore(void) {
    put(instance, "current_tracer", "nop");
    while (changes > 0) {
        changes--;
        if (put(root, changed[changes].file, changed[changes].old) != 0) perror(changed[changes].file);
    }
    // Somebody else may be looking at it.
    for (int attempt = 0; rmdir(instance) != 0 && errno == EBUSY && attempt < 50; attempt++) usleep(20000);
}

static _Noreturn void refused(const char *what) {
    int error = errno;
    restore();
    errno = error;
    fprintf(stderr, "%s: %s\n", what, strerror(error));
    exit(77);
}

int trace(int count, char **arguments) {
    if (count < 3 || count - 3 > OPTIONS) die("usage: worker trace TRACEFS DURATION_MS TRACER [FILE=VALUE]...");
    root = arguments[0];
    const struct sigaction action = {.sa_handler = stop}, ignored = {.sa_handler = SIG_IGN};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    sigaction(SIGPIPE, &ignored, NULL);
    pid_t starter = getppid();
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    // It may have ended in between.
    if (getppid() != starter) return 0;
    snprintf(instance, sizeof instance, "%s/instances/biarch-%d", root, getpid());
    if (mkdir(instance, 0700) != 0) {
        fprintf(stderr, "%s: %s\n", instance, strerror(errno));
        exit(77);
    }
    for (int at = 3; at < count; at++) {
        char *value = strchr(arguments[at], '=');
        if (!value) die("an option without a value");
        *value++ = 0;
        changed[changes].file = arguments[at];
        if (get(root, arguments[at], changed[changes].old, sizeof changed[changes].old) != 0) refused(arguments[at]);
        if (put(root, arguments[at], value) != 0) refused(arguments[at]);
        changes++;
    }
    if (put(instance, "current_tracer", arguments[2]) != 0) refused(arguments[2]);
    char path[512];
    snprintf(path, sizeof path, "%s/trace_pipe", instance);
    int pipe = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (pipe < 0) refused(path);
    const struct timespec pause = {.tv_nsec = 50 * 1000000};
    for (long left = strtol(arguments[1], NULL, 10) / 50; left >= 0 && !stopped; left--) {
        static char block[1 << 16];
        nanosleep(&pause, NULL);
        ssize_t length;
        while (!stopped && (length = read(pipe, block, sizeof block)) > 0)
            for (ssize_t at = 0, part; at < length; at += part) {
                part = write(STDOUT_FILENO, block + at, (size_t)(length - at));
                if (part <= 0) {
                    stopped = 1;
                    break;
                }
            }
    }
    close(pipe);
    restore();
    return stopped;
}
