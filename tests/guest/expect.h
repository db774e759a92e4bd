// What every guest program says and how it checks itself.
//
// A program prints facts that are the same in every run and in both widths. Each check prints `ok NAME`, or a line that
// begins with FAIL and says what differs; `finish()` is the exit status. Lines are written with one write(2) each, so that
// fork does not copy a buffer and threads do not mix their lines.
#ifndef EXPECT_H
#define EXPECT_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile int expect_failures;

// Whether the kernel is without the call that is looked at, see optional().
static volatile int expect_absent;

__attribute__((format(printf, 1, 2), unused)) static void say(const char *format, ...) {
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line - 1, format, arguments);
    va_end(arguments);
    if (length > (int)sizeof line - 2) length = sizeof line - 2;
    line[length++] = '\n';
    for (int done = 0; done < length;) {
        ssize_t wrote = write(1, line + done, length - done);
        if (wrote < 0 && errno != EINTR) _exit(99);
        if (wrote > 0) done += wrote;
    }
}

// The short name of an error; programs must not print strerror(), which differs between C libraries.
__attribute__((unused)) static const char *error_name(int error) {
    static const struct { int number; const char *name; } names[] = {
        {0, "0"}, {EPERM, "EPERM"}, {ENOENT, "ENOENT"}, {ESRCH, "ESRCH"}, {EINTR, "EINTR"}, {EIO, "EIO"}, {ENXIO, "ENXIO"},
        {E2BIG, "E2BIG"}, {ENOEXEC, "ENOEXEC"}, {EBADF, "EBADF"}, {ECHILD, "ECHILD"}, {EAGAIN, "EAGAIN"}, {ENOMEM, "ENOMEM"},
        {EACCES, "EACCES"}, {EFAULT, "EFAULT"}, {EBUSY, "EBUSY"}, {EEXIST, "EEXIST"}, {EXDEV, "EXDEV"}, {ENODEV, "ENODEV"},
        {ENOTDIR, "ENOTDIR"}, {EISDIR, "EISDIR"}, {EINVAL, "EINVAL"}, {ENFILE, "ENFILE"}, {EMFILE, "EMFILE"}, {ENOTTY, "ENOTTY"},
        {ETXTBSY, "ETXTBSY"}, {EFBIG, "EFBIG"}, {ENOSPC, "ENOSPC"}, {ESPIPE, "ESPIPE"}, {EROFS, "EROFS"}, {EMLINK, "EMLINK"},
        {EPIPE, "EPIPE"}, {EDOM, "EDOM"}, {ERANGE, "ERANGE"}, {EDEADLK, "EDEADLK"}, {ENAMETOOLONG, "ENAMETOOLONG"},
        {ENOSYS, "ENOSYS"}, {ENOTEMPTY, "ENOTEMPTY"}, {ELOOP, "ELOOP"}, {ENOMSG, "ENOMSG"}, {EIDRM, "EIDRM"}, {ENODATA, "ENODATA"},
        {EOVERFLOW, "EOVERFLOW"}, {ENOTSOCK, "ENOTSOCK"}, {EDESTADDRREQ, "EDESTADDRREQ"}, {EMSGSIZE, "EMSGSIZE"},
        {EPROTOTYPE, "EPROTOTYPE"}, {ENOPROTOOPT, "ENOPROTOOPT"}, {EPROTONOSUPPORT, "EPROTONOSUPPORT"},
        {EOPNOTSUPP, "EOPNOTSUPP"}, {EAFNOSUPPORT, "EAFNOSUPPORT"}, {EADDRINUSE, "EADDRINUSE"}, {ECONNABORTED, "ECONNABORTED"},
        {ECONNRESET, "ECONNRESET"}, {EISCONN, "EISCONN"}, {ENOTCONN, "ENOTCONN"}, {ETIMEDOUT, "ETIMEDOUT"},
        {ECONNREFUSED, "ECONNREFUSED"}, {EALREADY, "EALREADY"}, {EINPROGRESS, "EINPROGRESS"}, {EOWNERDEAD, "EOWNERDEAD"},
        {ENOTRECOVERABLE, "ENOTRECOVERABLE"}, {ECANCELED, "ECANCELED"}, {ENOKEY, "ENOKEY"}, {ENOTBLK, "ENOTBLK"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].number == error) return names[i].name;
    return "some other error";
}

__attribute__((unused)) static int expect_check(int holds, const char *name, int line) {
    int saved = errno;
    holds = holds || expect_absent;
    if (holds) say("ok %s", name);
    else say("FAIL %s (line %d)", name, line), expect_failures++;
    errno = saved;
    return holds;
}

__attribute__((unused)) static int expect_equal(long long got, long long want, const char *name, int line) {
    int saved = errno;
    if (got == want || expect_absent) say("ok %s", name);
    else say("FAIL %s: %lld, not %lld (line %d)", name, got, want, line), expect_failures++;
    errno = saved;
    return got == want;
}

__attribute__((unused)) static int expect_error(long result, int error, int want, const char *name, int line) {
    if (expect_absent || (result == -1 && error == want)) return say("ok %s: %s", name, error_name(want)), 1;
    if (result == -1) say("FAIL %s: %s (%d), not %s (line %d)", name, error_name(error), error, error_name(want), line);
    else say("FAIL %s: returned %ld, not %s (line %d)", name, result, error_name(want), line);
    expect_failures++;
    return 0;
}

__attribute__((unused)) static long expect_success(long result, int error, const char *name, int line) {
    if (result != -1 || expect_absent) say("ok %s", name);
    else say("FAIL %s: %s (%d) (line %d)", name, error_name(error), error, line), expect_failures++;
    return result;
}

// The condition holds.
#define check(name, condition) expect_check(!!(condition), name, __LINE__)
// Two integers are equal.
#define equal(name, got, want) expect_equal((long long)(got), (long long)(want), name, __LINE__)
// The call returns -1 with this errno.
#define fails(name, call, want) \
    ({ errno = 0; long expect_result = (long)(call); expect_error(expect_result, errno, want, name, __LINE__); })
// The call does not return -1; its result is the value.
#define succeeds(name, call) \
    ({ errno = 0; long expect_result = (long)(call); expect_success(expect_result, errno, name, __LINE__); })
// Silent unless it goes wrong: for the scenery of a test, which must be there before anything can be checked.
#define must(call) \
    ({ errno = 0; __auto_type expect_result = (call); \
       if ((long)expect_result == -1L && !expect_absent) { say("FAIL cannot set up: %s: %s (line %d)", #call, error_name(errno), __LINE__); _exit(98); } \
       expect_result; })

// A kernel may be too old for a call, or configured without it: where `call` gives ENOSYS, the checks up to the next optional()
// or always() are taken for passed, so that a program says the same on every kernel. `call` must do nothing.
#define optional(call) ({ errno = 0; expect_absent = 0; expect_absent = (long)(call) == -1 && errno == ENOSYS; !expect_absent; })
#define always() ((void)(expect_absent = 0))

__attribute__((unused)) static int finish(void) { return expect_failures != 0; }

// A page that nobody may touch.
__attribute__((unused)) static void *forbidden(void) {
    static void *page;
    if (!page) page = must(mmap(0, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    return page;
}

// `size` writable bytes that end exactly where a forbidden page begins.
__attribute__((unused)) static void *before_forbidden(size_t size) {
    size_t usable = (size + 4095) & -4096;
    char *pages = must(mmap(0, usable + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    must(mprotect(pages + usable, 4096, PROT_NONE));
    return pages + usable - size;
}

// An open file with these contents, deleted again.
__attribute__((unused)) static int file_of(const char *contents) {
    char name[] = "file-XXXXXX";
    int fd = must(mkstemp(name));
    must(unlink(name));
    must(write(fd, contents, strlen(contents)));
    must(lseek(fd, 0, SEEK_SET));
    return fd;
}

// Milliseconds of CLOCK_MONOTONIC since the first call.
__attribute__((unused)) static long milliseconds(void) {
    static struct timespec first;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (!first.tv_sec) first = now;
    return (now.tv_sec - first.tv_sec) * 1000L + (now.tv_nsec - first.tv_nsec) / 1000000L;
}

// Sleeps whatever signals arrive.
__attribute__((unused)) static void pause_for(long ms) {
    long until = milliseconds() + ms;
    for (long left; (left = until - milliseconds()) > 0;) {
        struct timespec time = {left / 1000, left % 1000 * 1000000};
        nanosleep(&time, 0);
    }
}

// The status that `child` ended with, as one number: exit status, or 1000 + signal.
__attribute__((unused)) static int end_of(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return -errno;
    return WIFSIGNALED(status) ? 1000 + WTERMSIG(status) : WEXITSTATUS(status);
}

// A copy of this program that has no name.
__attribute__((unused)) static int nameless_copy(void) {
    int self = must(open("/proc/self/exe", O_RDONLY | O_CLOEXEC)), copy = must(memfd_create("copy", MFD_CLOEXEC));
    static char buffer[65536];
    for (ssize_t got; (got = must(read(self, buffer, sizeof buffer))) > 0;) must(write(copy, buffer, got));
    must(close(self));
    return copy;
}

// Makes `checks` in a process without privileges; the calls in it must not be made by others on a machine that is in use.
__attribute__((unused)) static void unprivileged(void (*checks)(void)) {
    pid_t child = must(fork());
    if (!child) {
        if (geteuid() == 0) {
            must(syscall(SYS_setgroups, 0, 0));
            must(setresgid(65534, 65534, 65534));
            must(setresuid(65534, 65534, 65534));
        }
        expect_failures = 0;
        checks();
        _exit(finish());
    }
    equal("without privileges", end_of(child), 0);
}

// A mount namespace of its own, and in it a tmpfs with these options as the working directory. Needs root and mounts.
__attribute__((unused)) static void own_file_system(const char *options) {
    must(mkdir("t", 0755));
    must(unshare(CLONE_NEWNS));
    // In a chroot whose root is no mount point there is nothing to be changed.
    if (mount(0, "/", 0, MS_REC | MS_PRIVATE, 0) && errno != EINVAL) say("FAIL mount: %s", error_name(errno)), _exit(98);
    must(mount("none", "t", "tmpfs", 0, options));
    must(chdir("t"));
}

__attribute__((unused)) static void on_signal(int signal, void (*handler)(int, siginfo_t *, void *), int flags) {
    struct sigaction action = {.sa_flags = SA_SIGINFO | flags};
    action.sa_sigaction = handler;
    must(sigaction(signal, &action, 0));
}

#endif
