// O_ASYNC: SIGIO and F_SETSIG with the siginfo of a descriptor.
#include <poll.h>
#include <sys/socket.h>
#include "expect.h"

static volatile int fd_seen, band_seen, code_seen;
static int pair[2];

static void handler(int signal, siginfo_t *info, void *context) {
    fd_seen = info->si_fd == pair[0];
    band_seen = info->si_band;
    code_seen = info->si_code;
}

int main(void) {
    must(socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
    on_signal(SIGRTMIN + 2, handler, 0);
    must(fcntl(pair[0], F_SETOWN, getpid()));
    must(fcntl(pair[0], F_SETSIG, SIGRTMIN + 2));
    equal("F_GETSIG", fcntl(pair[0], F_GETSIG), SIGRTMIN + 2);
    equal("F_GETOWN", fcntl(pair[0], F_GETOWN), getpid());
    must(fcntl(pair[0], F_SETFL, O_ASYNC));
    must(write(pair[1], "x", 1));
    pause_for(20);
    check("descriptor", fd_seen);
    equal("code", code_seen, POLL_IN);
    check("band", band_seen & POLLIN);
    return finish();
}
