// TCP over loopback: connect, accept4, options, shutdown, half close, urgent data, errors.
//# libc: static dynamic musl time64
//# needs: net
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include "expect.h"

int main(void) {
    int listener = must(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)), one = 1;
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)}, peer;
    socklen_t size = sizeof a;
    succeeds("SO_REUSEADDR", setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one));
    succeeds("bind", bind(listener, (void *)&a, sizeof a));
    succeeds("listen", listen(listener, 5));
    succeeds("getsockname", getsockname(listener, (void *)&a, &size));
    check("a port", a.sin_port != 0 && size == sizeof a);
    fails("accept, none waiting", (fcntl(listener, F_SETFL, O_NONBLOCK), accept(listener, 0, 0)), EAGAIN);
    must(fcntl(listener, F_SETFL, 0));
    int client = must(socket(AF_INET, SOCK_STREAM, 0));
    succeeds("connect", connect(client, (void *)&a, sizeof a));
    size = sizeof peer;
    int server = succeeds("accept4", accept4(listener, (void *)&peer, &size, SOCK_NONBLOCK | SOCK_CLOEXEC));
    check("peer", peer.sin_family == AF_INET && peer.sin_addr.s_addr == htonl(INADDR_LOOPBACK));
    check("flags", fcntl(server, F_GETFL) & O_NONBLOCK && fcntl(server, F_GETFD) == FD_CLOEXEC);
    fails("nothing to read", recv(server, &one, 1, 0), EAGAIN);
    must(fcntl(server, F_SETFL, 0));
    equal("send", send(client, "hello", 5, 0), 5);
    char text[64] = "";
    equal("peek", recv(server, text, 64, MSG_PEEK), 5);
    equal("MSG_WAITALL", (send(client, "world", 5, 0), recv(server, text, 10, MSG_WAITALL)), 10);
    check("contents", !strcmp(text, "helloworld"));
    int n = -1;
    must(send(client, "abc", 3, 0));
    poll(&(struct pollfd){server, POLLIN}, 1, 1000);
    succeeds("FIONREAD", ioctl(server, FIONREAD, &n));
    equal("bytes", n, 3);
    equal("MSG_TRUNC throws away", recv(server, text, 2, MSG_TRUNC), 2);
    must(recv(server, text, 1, 0));
    equal("MSG_OOB", send(client, "!", 1, MSG_OOB), 1);
    pause_for(5);
    equal("urgent", recv(server, text, 1, MSG_OOB), 1);
    equal("SIOCATMARK", (ioctl(server, SIOCATMARK, &n), n), 1);
    struct timeval t = {0, 20000}, back;
    succeeds("SO_RCVTIMEO", setsockopt(server, SOL_SOCKET, SO_RCVTIMEO, &t, sizeof t));
    size = sizeof back;
    succeeds("reads back", getsockopt(server, SOL_SOCKET, SO_RCVTIMEO, &back, &size));
    check("near, rounded to ticks", size == sizeof back && back.tv_sec == 0 && back.tv_usec >= 20000 && back.tv_usec <= 30000);
    long start = milliseconds();
    fails("receive times out", recv(server, text, 1, 0), EAGAIN);
    check("took its time", milliseconds() - start >= 18);
    fails("microseconds", setsockopt(server, SOL_SOCKET, SO_RCVTIMEO, &(struct timeval){0, 1000001}, sizeof t), EDOM);
    struct linger l = {1, 7}, lb;
    must(setsockopt(server, SOL_SOCKET, SO_LINGER, &l, sizeof l));
    size = sizeof lb;
    must(getsockopt(server, SOL_SOCKET, SO_LINGER, &lb, &size));
    check("SO_LINGER", lb.l_onoff == 1 && lb.l_linger == 7);
    must(setsockopt(server, SOL_SOCKET, SO_LINGER, &(struct linger){0, 0}, sizeof l));
    must(setsockopt(server, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one));
    size = sizeof n;
    must(getsockopt(server, IPPROTO_TCP, TCP_NODELAY, &n, &size));
    equal("TCP_NODELAY", n, 1);
    struct tcp_info info;
    size = sizeof info;
    succeeds("TCP_INFO", getsockopt(server, IPPROTO_TCP, TCP_INFO, &info, &size));
    equal("established", info.tcpi_state, TCP_ESTABLISHED);
    size = sizeof n;
    must(getsockopt(server, SOL_SOCKET, SO_TYPE, &n, &size));
    equal("SO_TYPE", n, SOCK_STREAM);
    succeeds("shutdown", shutdown(client, SHUT_WR));
    equal("end of file", recv(server, text, 64, 0), 0);
    equal("the other way is open", send(server, "back", 4, 0), 4);
    equal("arrives", recv(client, text, 64, 0), 4);
    fails("EPIPE", send(client, "x", 1, MSG_NOSIGNAL), EPIPE);
    must(close(listener));
    int other = must(socket(AF_INET, SOCK_STREAM, 0));
    fails("refused", connect(other, (void *)&a, sizeof a), ECONNREFUSED);
    fails("not connected", send(other = must(socket(AF_INET, SOCK_STREAM, 0)), "x", 1, MSG_NOSIGNAL), EPIPE);
    fails("getpeername", getpeername(other, (void *)&peer, &size), ENOTCONN);
    fails("level", setsockopt(other, 9999, 1, &one, sizeof one), ENOPROTOOPT);
    fails("option too short", setsockopt(other, SOL_SOCKET, SO_REUSEADDR, &one, 1), EINVAL);
    fails("family", socket(77, SOCK_STREAM, 0), EAFNOSUPPORT);
    fails("no socket", bind(0, (void *)&a, sizeof a), ENOTSOCK);
    fails("address nowhere", connect(other, forbidden(), sizeof a), EFAULT);
    fails("address too long", bind(other, (void *)&a, 5000), EINVAL);
    // A megabyte through it, both ends at once.
    int pair[2];
    must(socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
    static unsigned char big[1 << 20];
    pid_t child = must(fork());
    if (!child) {
        for (int i = 0; i < 1 << 20; i++) big[i] = i * 7 >> 3;
        for (int done = 0; done < 1 << 20;) done += must(send(pair[1], big + done, (1 << 20) - done, 0));
        _exit(0);
    }
    int wrong = 0;
    for (int done = 0; done < 1 << 20;) done += must(recv(pair[0], big + done, (1 << 20) - done < 3333 ? (1 << 20) - done : 3333, 0) ?: -1);
    for (int i = 0; i < 1 << 20; i++) wrong += big[i] != (unsigned char)(i * 7 >> 3);
    equal("a megabyte", wrong, 0);
    equal("child", end_of(child), 0);
    return finish();
}
