// A pseudo terminal: modes, window size, job control, a controlled child.
//# libc: static musl
#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include "expect.h"

static volatile int resized;
static void resize(int signal, siginfo_t *info, void *context) { resized++; }

int main(void) {
    int master = succeeds("posix_openpt", posix_openpt(O_RDWR | O_NOCTTY));
    succeeds("grantpt", grantpt(master));
    succeeds("unlockpt", unlockpt(master));
    unsigned number = -1;
    succeeds("TIOCGPTN", ioctl(master, TIOCGPTN, &number));
    char name[64], *reported = ptsname(master);
    sprintf(name, "/dev/pts/%u", number);
    check("ptsname", reported && !strcmp(name, reported));
    int slave = must(open(name, O_RDWR | O_NOCTTY));
    check("isatty", isatty(slave) && isatty(master));
    fails("a file is none", (isatty(file_of("x")) ? 0 : -1), ENOTTY);
    struct winsize w = {50, 132, 1, 2}, got;
    succeeds("TIOCSWINSZ", ioctl(master, TIOCSWINSZ, &w));
    succeeds("TIOCGWINSZ", ioctl(slave, TIOCGWINSZ, &got));
    check("size", got.ws_row == 50 && got.ws_col == 132 && got.ws_ypixel == 2);
    struct termios t, u;
    succeeds("tcgetattr", tcgetattr(slave, &t));
    check("cooked", t.c_lflag & ICANON && t.c_lflag & ECHO && t.c_cc[VINTR] == 3);
    must(write(master, "line one\nrest", 13));
    char text[64] = "";
    equal("a line", read(slave, text, 64), 9);
    pause_for(2);
    int n;
    must(ioctl(master, FIONREAD, &n));
    check("echo", n >= 9);
    u = t;
    cfmakeraw(&u);
    u.c_cc[VMIN] = 2, u.c_cc[VTIME] = 0;
    succeeds("tcsetattr", tcsetattr(slave, TCSANOW, &u));
    must(tcgetattr(slave, &t));
    check("reads back", t.c_lflag == u.c_lflag && t.c_cc[VMIN] == 2);
    equal("raw", read(slave, text, 64), 4);
    succeeds("tcflush", tcflush(master, TCIOFLUSH));
    succeeds("tcsetattr, cooked", (t.c_lflag |= ICANON | ISIG, tcsetattr(slave, TCSADRAIN, &t)));
    fails("TIOCGWINSZ nowhere", ioctl(slave, TIOCGWINSZ, forbidden()), EFAULT);
    fails("TCGETS nowhere", ioctl(slave, TCGETS, forbidden()), EFAULT);
    fails("no such ioctl", ioctl(slave, 0x7777, 0), ENOTTY);
    fails("TIOCGPGRP of a terminal not ours", tcgetpgrp(slave), ENOTTY);

    pid_t child = must(fork());
    if (!child) {
        must(setsid());
        on_signal(SIGWINCH, resize, 0);
        must(ioctl(slave, TIOCSCTTY, 0));
        equal("child: foreground", tcgetpgrp(slave), getpid());
        equal("child: session", tcgetsid(slave), getpid());
        w.ws_row = 10;
        must(ioctl(slave, TIOCSWINSZ, &w));
        equal("child: SIGWINCH", resized, 1);
        int tty = must(open("/dev/tty", O_RDWR));
        signal(SIGINT, SIG_DFL); // a job in the background inherits it ignored
        must(write(tty, "ready\n", 6));
        for (;;) pause();
    }
    do memset(text, 0, sizeof text); // what was read before has one, too
    while (poll(&(struct pollfd){master, POLLIN}, 1, 5000) == 1 && must(read(master, text, 64)) > 0 && !memchr(text, 'r', 64));
    must(write(master, "\3", 1));
    equal("^C", end_of(child), 1000 + SIGINT);
    must(close(slave));
    must(fcntl(master, F_SETFL, O_NONBLOCK));
    while (read(master, text, 64) > 0) {}
    fails("the other side is closed", read(master, text, 64), EIO);
    return finish();
}
