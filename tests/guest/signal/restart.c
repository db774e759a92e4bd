// SA_RESTART restarts read, wait, futex-free locks and more; without it, and for sleeps, EINTR.
//# libc: static dynamic musl
#include <poll.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/time.h>
#include "expect.h"

// Shared with the child, who must know what has happened here.
static volatile int *signals;
static void count(int signal, siginfo_t *info, void *context) { ++*signals; }

static pid_t child, parent;
static int restarts, release[2];
// Until the parent waits in a system call, however long that takes on a busy machine.
static void until_it_sleeps(void) {
    char path[32], text[256];
    snprintf(path, sizeof path, "/proc/%d/stat", parent);
    for (;; pause_for(1)) {
        int fd = must(open(path, O_RDONLY));
        long size = must(read(fd, text, sizeof text - 1));
        close(fd);
        text[size] = 0;
        if (strstr(text, ") S ")) return;
    }
}
// A child that sends us a signal while we wait, and then does what ends the waiting: as soon as we wait again, or if we do not,
// when it is told to.
static void later(void (*act)(int), int argument) {
    parent = getpid();
    int before = *signals;
    child = must(fork());
    if (child) return;
    until_it_sleeps();
    kill(parent, SIGUSR1);
    if (restarts) {
        while (*signals == before) pause_for(1);
        until_it_sleeps();
    } else {
        char byte;
        must(read(release[0], &byte, 1));
    }
    if (act) act(argument);
    _exit(0);
}
static int ended(void) {
    if (!restarts) must(write(release[1], "x", 1));
    return end_of(child);
}
static void write_byte(int fd) { must(write(fd, "x", 1)); }
static void drain(int fd) { static char buffer[1 << 20]; must(read(fd, buffer, sizeof buffer)); }

int main(void) {
    int p[2], s[2];
    char text[8];
    static char big[65536];
    must(pipe(p));
    must(pipe(release));
    signals = mmap(NULL, sizeof *signals, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    must(socketpair(AF_UNIX, SOCK_STREAM, 0, s));
    for (int restart = 1; restart >= 0; restart--) {
        restarts = restart;
        on_signal(SIGUSR1, count, restart ? SA_RESTART : 0);
        const char *how = restart ? "restarted" : "not restarted";
        say("%s:", how);
        *signals = 0;

        later(write_byte, p[1]);
        if (restart) equal("read", read(p[0], text, 1), 1);
        else fails("read", read(p[0], text, 1), EINTR);
        equal("child", ended(), 0);
        if (!restart) must(read(p[0], text, 1));

        must(write(p[1], big, sizeof big));
        later(drain, p[0]);
        if (restart) equal("write", write(p[1], "y", 1), 1), must(read(p[0], text, 1));
        else fails("write", write(p[1], "y", 1), EINTR);
        equal("child", ended(), 0);

        later(write_byte, s[1]);
        if (restart) equal("recv", recv(s[0], text, 1, 0), 1);
        else fails("recv", recv(s[0], text, 1, 0), EINTR), ended(), must(recv(s[0], text, 1, 0));
        if (restart) ended();

        later(0, 0);
        int status;
        if (restart) equal("waitpid", waitpid(child, &status, 0), child);
        else fails("waitpid", waitpid(child, &status, 0), EINTR), ended();

        later(0, 0);
        siginfo_t info;
        if (restart) equal("waitid", waitid(P_PID, child, &info, WEXITED), 0);
        else fails("waitid", waitid(P_PID, child, &info, WEXITED), EINTR), ended();

        later(0, 0);
        struct timespec time = {30, 0}, left = {0, 0};
        fails("nanosleep", nanosleep(&time, &left), EINTR);
        // Up to the slack of timers, 50 us, more than was asked for.
        check("what is left", left.tv_nsec >= 0 && left.tv_nsec < (left.tv_sec < 30 ? 1000000000 : 1000000) && left.tv_sec > 0 && left.tv_sec <= 30);
        ended();
        later(0, 0);
        equal("clock_nanosleep", clock_nanosleep(CLOCK_MONOTONIC, 0, &time, &left), EINTR);
        ended();
        later(0, 0);
        fails("pause", pause(), EINTR);
        ended();
        later(0, 0);
        fails("poll", poll(0, 0, 30000), EINTR);
        ended();
        // A receive timeout makes a socket call fail with EINTR even so.
        must(setsockopt(s[0], SOL_SOCKET, SO_RCVTIMEO, &(struct timeval){30, 0}, sizeof(struct timeval)));
        later(0, 0);
        fails("recv with a timeout", recv(s[0], text, 1, 0), EINTR);
        ended();
        must(setsockopt(s[0], SOL_SOCKET, SO_RCVTIMEO, &(struct timeval){0, 0}, sizeof(struct timeval)));
        equal("signals", *signals, 10);
    }
    // A handler that is not called because the signal is ignored interrupts nothing at all.
    signal(SIGUSR1, SIG_IGN);
    later(0, 0);
    struct timespec time = {0, 60000000};
    succeeds("ignored: nanosleep", nanosleep(&time, 0));
    ended();
    return finish();
}
