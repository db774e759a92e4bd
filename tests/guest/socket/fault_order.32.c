// sendmsg and sendmmsg with arguments that are wrong in several ways: what is found first; and more messages than fit at once.
#include "expect.h"
#include <sys/socket.h>
#include <sys/uio.h>
#include <netinet/in.h>

static int pair[2];

static int in_order(struct msghdr *m) { return syscall(SYS_sendmsg, pair[0], m, 0); }

int main(void) {
    must(socketpair(AF_UNIX, SOCK_DGRAM, 0, pair));
    char text[] = "text", *bad = forbidden();
    struct iovec good = {text, 4}, negative = {text, -1};
    // Ancillary data of one message, and 4 bytes that belong to none.
    struct { unsigned length, level, type; int fd; unsigned rest; } control = {16, SOL_SOCKET, SCM_RIGHTS, 1};
    struct msghdr m = {.msg_name = bad, .msg_namelen = 16, .msg_iov = (void *)bad, .msg_iovlen = 2000, .msg_control = bad,
                       .msg_controllen = -1};
    m.msg_namelen = -1;
    fails("length of the name", in_order(&m), EINVAL);
    fails("a level that the socket has not", syscall(SYS_getsockopt, pair[0], IPPROTO_IP, 9 /* IP_PKTOPTIONS */, bad, bad), EOPNOTSUPP);
    m.msg_namelen = 16;
    fails("the name", in_order(&m), EFAULT);
    m.msg_name = 0;
    fails("number of buffers", in_order(&m), EMSGSIZE);
    m.msg_iovlen = 1;
    fails("the buffers", in_order(&m), EFAULT);
    m.msg_iov = &negative;
    fails("their length", in_order(&m), EINVAL);
    m.msg_iov = &good;
    fails("length of the ancillary data", in_order(&m), ENOBUFS);
    m.msg_controllen = 64;
    fails("the ancillary data", in_order(&m), EFAULT);
    m.msg_control = &control, m.msg_controllen = 8;
    fails("too short for any", in_order(&m), EINVAL);
    control.length = 11, m.msg_controllen = 16;
    fails("shorter than its head", in_order(&m), EINVAL);
    control.length = 17;
    fails("longer than all", in_order(&m), EINVAL);
    control.length = 16, m.msg_controllen = 17;
    fails("a byte is left, which is another head", in_order(&m), EINVAL);
    m.msg_control = memcpy(before_forbidden(16), &control, 16);
    fails("and is not there", in_order(&m), EFAULT);
    m.msg_controllen = 16;
    equal("one message", in_order(&m), 4);
    fails("not a socket", syscall(SYS_sendmsg, must(open("/dev/null", O_RDWR)), bad, 0), ENOTSOCK);
    must(recv(pair[1], text, 4, 0));

    fails("tables of netfilter, of a socket without", syscall(SYS_getsockopt, pair[0], 0, 65, text, &(int){4}), EOPNOTSUPP);
    struct iovec *last = before_forbidden(sizeof *last);
    *last = negative;
    fails("a negative length before what is not there", syscall(SYS_writev, pair[0], last, 2), EINVAL);
    struct iovec *many = before_forbidden(40 * sizeof *many);
    for (int i = 0; i < 40; i++) many[i] = (struct iovec){text, i ? 1 : -1};
    fails("and long before", syscall(SYS_writev, pair[0], many, 41), EINVAL);
    // The last three bytes of the length are not there: none is written.
    struct mmsghdr *edge = before_forbidden(sizeof *edge - 3);
    memset(edge, 0, sizeof *edge - 4);
    unsigned char *length = (unsigned char *)&edge->msg_len;
    *length = 0x5a;
    fails("nowhere to say how much was sent", syscall(SYS_sendmmsg, pair[0], edge, 1, 0), EFAULT);
    equal("nothing is written", *length, 0x5a);

    // Each with as many buffers as there may be: far more than biarch converts at once.
    enum { MESSAGES = 100, BUFFERS = 1024 };
    static struct iovec buffers[BUFFERS];
    static struct mmsghdr messages[MESSAGES];
    static char one[MESSAGES];
    must(socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
    for (int i = 0; i < MESSAGES; i++) {
        one[i] = 'a' + i % 26;
        messages[i].msg_hdr.msg_iov = i % 2 ? buffers : &(struct iovec){0};
        messages[i].msg_hdr.msg_iovlen = BUFFERS;
        messages[i].msg_len = 0x5a5a5a5a;
        messages[i].msg_hdr.msg_iov = buffers;
    }
    buffers[BUFFERS - 1] = (struct iovec){"z", 1};
    equal("sendmmsg", syscall(SYS_sendmmsg, pair[0], messages, MESSAGES, 0), MESSAGES);
    int right = 1;
    for (int i = 0; i < MESSAGES; i++) right &= messages[i].msg_len == 1;
    check("each is told its length", right);
    char got[MESSAGES + 1];
    equal("all have arrived", recv(pair[1], got, sizeof got, 0), MESSAGES);

    for (int i = 0; i < MESSAGES; i++) must(send(pair[0], one + i, 1, 0));
    char byte[BUFFERS];
    for (int i = 0; i < BUFFERS; i++) buffers[i] = (struct iovec){byte + i, i == 0 ? 1 : 0};
    for (int i = 0; i < MESSAGES; i++) messages[i].msg_len = 0;
    equal("recvmmsg", syscall(SYS_recvmmsg_time64, pair[1], messages, MESSAGES, 0, 0), MESSAGES);
    fails("no more", syscall(SYS_recvmmsg_time64, pair[1], messages, MESSAGES, MSG_DONTWAIT, 0), EAGAIN);
    must(send(pair[0], "x", 1, 0));
    equal("waiting for one", syscall(SYS_recvmmsg_time64, pair[1], messages, MESSAGES, MSG_WAITFORONE, 0), 1);

    // Sources of multicast: of IPv4 exactly the structure's length. IPv6 looks at the first word before.
    int udp = must(socket(AF_INET, SOCK_DGRAM, 0)), udp6 = socket(AF_INET6, SOCK_DGRAM, 0);
    for (int option = 42; option <= 47; option++) {
        say("option %d", option);
        for (unsigned size = 259; size <= 265; size++) {
            int is_source = option != 42 && option != 45;
            fails("from nowhere", syscall(SYS_setsockopt, udp, IPPROTO_IP, option, bad, size), is_source && size != 260 ? EINVAL : EFAULT);
            if (udp6 >= 0) fails("IPv6", syscall(SYS_setsockopt, udp6, IPPROTO_IPV6, option, bad, size), EFAULT);
        }
        fails("too short", syscall(SYS_setsockopt, udp, IPPROTO_IP, option, bad, 100), EINVAL);
    }
    return finish();
}
