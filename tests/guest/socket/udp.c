// UDP and IPv6: sendto, recvfrom, sendmmsg, recvmmsg, truncation, timestamps.
//# libc: static dynamic time64
//# needs: net
#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include "expect.h"

int main(void) {
    int a = must(socket(AF_INET, SOCK_DGRAM, 0)), b = must(socket(AF_INET, SOCK_DGRAM, 0)), one = 1;
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)}, from;
    socklen_t size = sizeof at;
    must(bind(a, (void *)&at, sizeof at));
    must(getsockname(a, (void *)&at, &size));
    equal("sendto", sendto(b, "datagram", 8, 0, (void *)&at, sizeof at), 8);
    char text[32] = "";
    size = sizeof from;
    equal("recvfrom", recvfrom(a, text, 4, MSG_TRUNC, (void *)&from, &size), 8);
    check("sender", size == sizeof from && from.sin_addr.s_addr == htonl(INADDR_LOOPBACK) && !memcmp(text, "data", 4));
    fails("empty", recv(a, text, 4, MSG_DONTWAIT), EAGAIN);
    must(connect(b, (void *)&at, sizeof at));
    size = 3;
    must(send(b, "x", 1, 0));
    equal("a short address", recvfrom(a, text, 4, 0, (void *)&from, &size), 1);
    equal("says how long it is", size, sizeof from);

    struct iovec v[3][2] = {{{"one", 3}, {"!", 1}}, {{"two", 3}, {"?", 1}}, {{"three", 5}, {0, 0}}};
    struct mmsghdr m[4] = {};
    for (int i = 0; i < 3; i++) m[i].msg_hdr.msg_iov = v[i], m[i].msg_hdr.msg_iovlen = 2;
    equal("sendmmsg", sendmmsg(b, m, 3, 0), 3);
    check("lengths", m[0].msg_len == 4 && m[1].msg_len == 4 && m[2].msg_len == 5);
    char in[4][8];
    struct iovec r[4];
    struct sockaddr_in names[4];
    for (int i = 0; i < 4; i++) {
        r[i] = (struct iovec){in[i], 4};
        m[i] = (struct mmsghdr){.msg_hdr = {.msg_iov = &r[i], .msg_iovlen = 1, .msg_name = &names[i], .msg_namelen = sizeof *names}, .msg_len = 99};
    }
    equal("recvmmsg", recvmmsg(a, m, 4, MSG_DONTWAIT, 0), 3);
    check("lengths", m[0].msg_len == 4 && m[2].msg_len == 4 && m[3].msg_len == 99);
    check("truncated", !(m[0].msg_hdr.msg_flags & MSG_TRUNC) && m[2].msg_hdr.msg_flags & MSG_TRUNC);
    check("names", m[1].msg_hdr.msg_namelen == sizeof *names && names[1].sin_family == AF_INET);
    check("contents", !memcmp(in[1], "two?", 4));
    struct timespec t = {0, 15000000};
    must(send(b, "x", 1, 0));
    equal("recvmmsg with a time, one is enough", recvmmsg(a, m, 4, MSG_WAITFORONE, &t), 1);
    fails("recvmmsg, time", recvmmsg(a, m, 4, 0, &(struct timespec){0, -1}), EINVAL);

    struct { int option; const char *name; } stamps[] = {{SO_TIMESTAMP, "SO_TIMESTAMP"}, {SO_TIMESTAMPNS, "SO_TIMESTAMPNS"}};
    for (int i = 0; i < 2; i++) {
        must(setsockopt(a, SOL_SOCKET, stamps[i].option, &one, sizeof one));
        must(send(b, "x", 1, 0));
        char control[128];
        struct msghdr h = {.msg_iov = r, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
        equal(stamps[i].name, recvmsg(a, &h, 0), 1);
        struct cmsghdr *c = CMSG_FIRSTHDR(&h);
        check("control message", c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == stamps[i].option);
        if (c) {
            time_t seconds;
            memcpy(&seconds, CMSG_DATA(c), sizeof seconds);
            check("is now", seconds >= time(0) - 2 && seconds <= time(0) + 1);
            equal("length", c->cmsg_len, CMSG_LEN(2 * sizeof(time_t)));
        }
        check("the whole", h.msg_controllen == CMSG_SPACE(2 * sizeof(time_t)));
    }
    int six = socket(AF_INET6, SOCK_DGRAM, 0);
    check("IPv6", six >= 0 || errno == EAFNOSUPPORT);
    return finish();
}
