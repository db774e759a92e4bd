// What a datagram brings along: where it arrived and which way, its fields, three timestamps; and what is asked for when it is sent.
//# libc: static dynamic time64
//# needs: net
#include <arpa/inet.h>
#include <linux/net_tstamp.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include "expect.h"

static union { char bytes[256]; long aligned; } control;
static char text[16];
static struct iovec vector = {text, sizeof text};

// Receives a datagram and finds the message of this kind in what came with it.
static struct cmsghdr *receive(const char *name, int fd, void *from, socklen_t from_size, int level, int type) {
    static struct msghdr h;
    h = (struct msghdr){.msg_iov = &vector, .msg_iovlen = 1, .msg_name = from, .msg_namelen = from_size,
                        .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    equal(name, recvmsg(fd, &h, 0), 4);
    equal("nothing is cut off", h.msg_flags & MSG_CTRUNC, 0);
    for (struct cmsghdr *c = CMSG_FIRSTHDR(&h); c; c = CMSG_NXTHDR(&h, c))
        if (c->cmsg_level == level && c->cmsg_type == type) return c;
    check("the message is there", 0);
    return NULL;
}

// Sends a datagram with one message beside it.
static long send_with(int fd, void *to, socklen_t to_size, int level, int type, void *value, size_t size, size_t length) {
    memset(&control, 0, sizeof control);
    struct iovec v = {"data", 4};
    struct msghdr h = {.msg_iov = &v, .msg_iovlen = 1, .msg_name = to, .msg_namelen = to_size,
                       .msg_control = control.bytes, .msg_controllen = CMSG_SPACE(size)};
    struct cmsghdr *c = CMSG_FIRSTHDR(&h);
    *c = (struct cmsghdr){.cmsg_level = level, .cmsg_type = type, .cmsg_len = CMSG_LEN(length)};
    memcpy(CMSG_DATA(c), value, size);
    return sendmsg(fd, &h, 0);
}

static void four(int in, int out, struct sockaddr_in *at) {
    int one = 1, value;
    must(setsockopt(in, IPPROTO_IP, IP_PKTINFO, &one, sizeof one));
    must(sendto(out, "data", 4, 0, (void *)at, sizeof *at));
    struct cmsghdr *c = receive("IP_PKTINFO", in, 0, 0, IPPROTO_IP, IP_PKTINFO);
    struct in_pktinfo info;
    equal("length", c->cmsg_len, CMSG_LEN(sizeof info));
    memcpy(&info, CMSG_DATA(c), sizeof info);
    int loopback = info.ipi_ifindex;
    check("the interface", loopback > 0);
    check("both addresses", info.ipi_addr.s_addr == at->sin_addr.s_addr && info.ipi_spec_dst.s_addr == at->sin_addr.s_addr);

    info = (struct in_pktinfo){.ipi_ifindex = loopback, .ipi_spec_dst.s_addr = htonl(INADDR_LOOPBACK + 1)};
    equal("sent from another address", send_with(out, at, sizeof *at, IPPROTO_IP, IP_PKTINFO, &info, sizeof info, sizeof info), 4);
    struct sockaddr_in from;
    receive("which the receiver sees", in, &from, sizeof from, IPPROTO_IP, IP_PKTINFO);
    equal("as the sender's", ntohl(from.sin_addr.s_addr), INADDR_LOOPBACK + 1);
    fails("too short", send_with(out, at, sizeof *at, IPPROTO_IP, IP_PKTINFO, &info, sizeof info, 4), EINVAL);

    must(setsockopt(in, IPPROTO_IP, IP_RECVTTL, &one, sizeof one));
    value = 33;
    equal("sent with a time to live", send_with(out, at, sizeof *at, IPPROTO_IP, IP_TTL, &value, sizeof value, sizeof value), 4);
    c = receive("IP_RECVTTL", in, 0, 0, IPPROTO_IP, IP_TTL);
    memcpy(&value, CMSG_DATA(c), sizeof value);
    equal("which arrives", value, 33);
    must(setsockopt(in, IPPROTO_IP, IP_RECVTOS, &one, sizeof one));
    value = 0x10;
    equal("sent with a type of service", send_with(out, at, sizeof *at, IPPROTO_IP, IP_TOS, &value, sizeof value, sizeof value), 4);
    c = receive("IP_RECVTOS", in, 0, 0, IPPROTO_IP, IP_TOS);
    equal("which arrives, as a byte", c->cmsg_len == CMSG_LEN(1) && *CMSG_DATA(c) == 0x10, 1);
}

static int arrives_with_time(int in, int out, struct sockaddr_in *at) {
    struct msghdr h = {.msg_iov = &vector, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    must(sendto(out, "data", 4, 0, (void *)at, sizeof *at));
    must(recvmsg(in, &h, 0));
    for (struct cmsghdr *c = CMSG_FIRSTHDR(&h); c; c = CMSG_NXTHDR(&h, c))
        if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SO_TIMESTAMPING) return 1;
    return 0;
}

static void stamps(int in, int out, struct sockaddr_in *at) {
    int wanted = SOF_TIMESTAMPING_RX_SOFTWARE | SOF_TIMESTAMPING_SOFTWARE;
    must(setsockopt(in, SOL_SOCKET, SO_TIMESTAMPING, &wanted, sizeof wanted));
    // The kernel begins to take the time a moment later than it is asked to.
    for (int k = 0; k < 1000 && !arrives_with_time(in, out, at); k++) pause_for(1);
    must(sendto(out, "data", 4, 0, (void *)at, sizeof *at));
    struct cmsghdr *c = receive("SO_TIMESTAMPING", in, 0, 0, SOL_SOCKET, SO_TIMESTAMPING);
    // The first is by software; the others are a device's, which there is not.
    struct timespec times[3];
    equal("length", c->cmsg_len, CMSG_LEN(sizeof times));
    memcpy(times, CMSG_DATA(c), sizeof times);
    time_t now = time(0);
    check("is now", times[0].tv_sec >= now - 2 && times[0].tv_sec <= now + 1 && times[0].tv_nsec < 1000000000);
    check("no others", !times[1].tv_sec && !times[1].tv_nsec && !times[2].tv_sec && !times[2].tv_nsec);
}

// Where there is no IPv6 there is nothing to see.
static void six(void) {
    int in = socket(AF_INET6, SOCK_DGRAM, 0), out = socket(AF_INET6, SOCK_DGRAM, 0), one = 1;
    struct sockaddr_in6 at = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    socklen_t size = sizeof at;
    if (in < 0 || bind(in, (void *)&at, sizeof at) || getsockname(in, (void *)&at, &size)) expect_absent = 1;
    must(setsockopt(in, IPPROTO_IPV6, IPV6_RECVPKTINFO, &one, sizeof one));
    must(sendto(out, "data", 4, 0, (void *)&at, sizeof at));
    if (expect_absent) in = -1;
    struct cmsghdr *c = receive("IPV6_RECVPKTINFO", in, 0, 0, IPPROTO_IPV6, IPV6_PKTINFO);
    struct in6_pktinfo info = {};
    check("length", c && c->cmsg_len == CMSG_LEN(sizeof info));
    if (c) memcpy(&info, CMSG_DATA(c), sizeof info);
    check("address and interface", IN6_IS_ADDR_LOOPBACK(&info.ipi6_addr) && info.ipi6_ifindex > 0);
    equal("sent from it", send_with(out, &at, sizeof at, IPPROTO_IPV6, IPV6_PKTINFO, &info, sizeof info, sizeof info), 4);
}

int main(void) {
    int in = must(socket(AF_INET, SOCK_DGRAM, 0)), out = must(socket(AF_INET, SOCK_DGRAM, 0));
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof at;
    must(bind(in, (void *)&at, sizeof at));
    must(getsockname(in, (void *)&at, &size));
    four(in, out, &at);
    stamps(in, out, &at);
    six();
    return finish();
}
