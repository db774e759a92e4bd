// Options that are converted, asked of sockets that have no such option, and with lengths that no option has: the errors are those of
// the socket, in the kernel's order.
#include <linux/netlink.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include "expect.h"

int main(void) {
    int sockets[] = {
        must(socket(AF_UNIX, SOCK_STREAM, 0)), must(socket(AF_INET, SOCK_STREAM, 0)), must(socket(AF_INET, SOCK_DGRAM, 0)),
        must(socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE)), must(socket(AF_INET6, SOCK_STREAM, 0)),
    };
    static const struct { const char *name; int level, option; } options[] = {
        {"MCAST_MSFILTER", IPPROTO_IP, 48},     {"MCAST_MSFILTER of IPv6", IPPROTO_IPV6, 48}, {"IP_PKTOPTIONS", IPPROTO_IP, 9},
        {"IPV6_2292PKTOPTIONS", IPPROTO_IPV6, 6}, {"MCAST_JOIN_GROUP", IPPROTO_IP, 42},       {"SO_RCVTIMEO", SOL_SOCKET, 20},
        {"SCTP_SOCKOPT_CONNECTX3", 132, 111},
    };
    static const int lengths[] = {-1, 0, 1, 4, 12, 139};
    char *value = before_forbidden(4096);
    for (unsigned s = 0; s < sizeof sockets / sizeof *sockets; s++)
        for (unsigned o = 0; o < sizeof options / sizeof *options; o++)
            for (unsigned l = 0; l < sizeof lengths / sizeof *lengths; l++) {
                socklen_t length = lengths[l];
                memset(value, 0, 4096);
                errno = 0;
                int got = getsockopt(sockets[s], options[o].level, options[o].option, value, &length);
                say("socket %u, %s, %d bytes: %d %s, %d", s, options[o].name, lengths[l], got, error_name(errno), (int)length);
                // What IPv6 thinks of these depends on how it was configured.
                if (s == 4) continue;
                errno = 0;
                int set = setsockopt(sockets[s], options[o].level, options[o].option, value, lengths[l]);
                say("set: %d %s", set, error_name(errno));
            }
    fails("a list longer than anybody's", setsockopt(sockets[0], IPPROTO_IP, 48, value, 0x7fffffff), EOPNOTSUPP);
    // A list of sources that ends before its end, and lists that are too long.
    static const struct { unsigned count; int length; } lists[] = {
        {1, 140}, {1, 144}, {1, 267}, {2, 268}, {10, 1419}, {11, 140}, {11, 1548}, {1000, 4096}, {0x1fffffe, 200}, {0x1ffffff, 200}, {~0u, 200},
    };
    for (unsigned l = 0; l < sizeof lists / sizeof *lists; l++)
        for (int s = 0; s < 3; s++) {
            memset(value, 0, 4096);
            memcpy(value + 136, &lists[l].count, 4);
            errno = 0;
            int set = setsockopt(sockets[s], IPPROTO_IP, 48, value, lists[l].length);
            say("socket %d, %#x sources in %d bytes: %d %s", s, lists[l].count, lists[l].length, set, error_name(errno));
        }
    // An empty one is EINVAL where the kernel translates policies, as Debian's does.
    char *policy = before_forbidden(164);
    memset(policy, 0, 164);
    int set = setsockopt(sockets[1], IPPROTO_IP, 17 /* IP_XFRM_POLICY */, policy, 164);
    check("a policy of IPsec", set < 0 && (errno == EOPNOTSUPP || errno == EPERM || errno == EINVAL));
    set = setsockopt(sockets[1], IPPROTO_IP, 17, forbidden(), 164);
    check("nowhere", set < 0 && (errno == EFAULT || errno == EPERM));
    set = setsockopt(sockets[1], IPPROTO_IP, 17, policy, 4097);
    check("more than a page", set < 0 && (errno == EMSGSIZE || errno == EPERM));
    set = setsockopt(sockets[0], IPPROTO_IP, 17, policy, 164);
    check("of a socket without", set < 0 && errno == EOPNOTSUPP);
    return finish();
}
