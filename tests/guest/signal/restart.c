// SA_RESTART restarts read, wait, futex-free locks and more; without it, and for sleeps, EINTR.
//# libc: static dynamic musl
#include <poll.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/time.h>
#include "expect.h"

static volatile int signals;
static void count(int signal, siginfo_t *info, void *context) { signals++; }

static pid_t child;
// A child that sends us a signal, and a little later does what ends the waiting.
static void later(void (*act)(int), int argument) {
    child = must(fork());
    if (child) return;
    pause_for(20);
    kill(getppid(), SIGUSR1);
    pause_for(20);
    if (act) act(argument);
    _exit(0);
}
static void write_byte(int fd) { must(write(fd, "x", 1)); }
static void drain(int fd) { static char buffer[1 << 20]; must(read(fd, buffer, sizeof buffer)); }

int main(void) {
    int p[2], s[2];
    char text[8];
    static char big[65536];
    must(pipe(p));
    must(socketpair(AF_UNIX, SOCK_STREAM, 0, s));
    for (int restart = 1; restart >= 0; restart--) {
        on_signal(SIGUSR1, count, restart ? SA_RESTART : 0);
        const char *how = restart ? "restarted" : "not restarted";
        say("%s:", how);
        signals = 0;

        later(write_byte, p[1]);
        if (restart) equal("read", read(p[0], text, 1), 1);
        else fails("read", read(p[0], text, 1), EINTR);
        equal("child", end_of(child), 0);
        if (!restart) must(read(p[0], text, 1));

        must(write(p[1], big, sizeof big));
        later(drain, p[0]);
        if (restart) equal("write", write(p[1], "y", 1), 1), must(read(p[0], text, 1));
        else fails("write", write(p[1], "y", 1), EINTR);
        equal("child", end_of(child), 0);

        later(write_byte, s[1]);
        if (restart) equal("recv", recv(s[0], text, 1, 0), 1);
        else fails("recv", recv(s[0], text, 1, 0), EINTR), end_of(child), must(recv(s[0], text, 1, 0));
        if (restart) end_of(child);

        later(0, 0);
        int status;
        if (restart) equal("waitpid", waitpid(child, &status, 0), child);
        else fails("waitpid", waitpid(child, &status, 0), EINTR), end_of(child);

        later(0, 0);
        siginfo_t info;
        if (restart) equal("waitid", waitid(P_PID, child, &info, WEXITED), 0);
        else fails("waitid", waitid(P_PID, child, &info, WEXITED), EINTR), end_of(child);

        later(0, 0);
        struct timespec time = {3, 0}, left = {0, 0};
        fails("nanosleep", nanosleep(&time, &left), EINTR);
        check("what is left", left.tv_sec < 3 && left.tv_nsec >= 0 && (left.tv_sec || left.tv_nsec));
        end_of(child);
        later(0, 0);
        equal("clock_nanosleep", clock_nanosleep(CLOCK_MONOTONIC, 0, &time, &left), EINTR);
        end_of(child);
        later(0, 0);
        fails("pause", pause(), EINTR);
        end_of(child);
        later(0, 0);
        fails("poll", poll(0, 0, 5000), EINTR);
        end_of(child);
        // A receive timeout makes a socket call fail with EINTR even so.
        must(setsockopt(s[0], SOL_SOCKET, SO_RCVTIMEO, &(struct timeval){5, 0}, sizeof(struct timeval)));
        later(0, 0);
        fails("recv with a timeout", recv(s[0], text, 1, 0), EINTR);
        end_of(child);
        must(setsockopt(s[0], SOL_SOCKET, SO_RCVTIMEO, &(struct timeval){0, 0}, sizeof(struct timeval)));
        equal("signals", signals, 10);
    }
    // A handler that is not called because the signal is ignored interrupts nothing at all.
    signal(SIGUSR1, SIG_IGN);
    later(0, 0);
    struct timespec time = {0, 60000000};
    succeeds("ignored: nanosleep", nanosleep(&time, 0));
    end_of(child);
    return finish();
}
