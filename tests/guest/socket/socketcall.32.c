// socketcall (102): every number, from an array of words.
//# libc: static
//# needs: net
#include <arpa/inet.h>
#include <sys/socket.h>
#include "expect.h"

static long sc(int call, long a, long b, long c, long d, long e, long f) {
    long args[6] = {a, b, c, d, e, f};
    return syscall(102, call, args);
}

int main(void) {
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof a;
    int one = 1, pair[2];
    char text[16] = "";
    int listener = succeeds("socket", sc(1, AF_INET, SOCK_STREAM, 0, 0, 0, 0)), client = must(sc(1, AF_INET, SOCK_STREAM, 0, 0, 0, 0));
    succeeds("bind", sc(2, listener, (long)&a, sizeof a, 0, 0, 0));
    succeeds("getsockname", sc(6, listener, (long)&a, (long)&size, 0, 0, 0));
    succeeds("listen", sc(4, listener, 3, 0, 0, 0, 0));
    succeeds("connect", sc(3, client, (long)&a, sizeof a, 0, 0, 0));
    int server = succeeds("accept", sc(5, listener, 0, 0, 0, 0, 0));
    succeeds("getpeername", sc(7, client, (long)&a, (long)&size, 0, 0, 0));
    succeeds("socketpair", sc(8, AF_UNIX, SOCK_DGRAM, 0, (long)pair, 0, 0));
    equal("send", sc(9, client, (long)"hello", 5, 0, 0, 0), 5);
    equal("recv", sc(10, server, (long)text, 16, 0, 0, 0), 5);
    equal("sendto", sc(11, pair[0], (long)"ab", 2, 0, 0, 0), 2);
    equal("recvfrom", sc(12, pair[1], (long)text, 16, 0, 0, 0), 2);
    succeeds("setsockopt", sc(14, server, SOL_SOCKET, SO_KEEPALIVE, (long)&one, sizeof one, 0));
    size = sizeof one, one = 0;
    succeeds("getsockopt", sc(15, server, SOL_SOCKET, SO_KEEPALIVE, (long)&one, (long)&size, 0));
    equal("value", one, 1);
    struct { uint32_t name, namelen, iov, iovlen, control, controllen, flags; } h = {};
    struct { uint32_t base, len; } v = {(uintptr_t)"message", 7};
    h.iov = (uintptr_t)&v, h.iovlen = 1;
    equal("sendmsg", sc(16, pair[0], (long)&h, 0, 0, 0, 0), 7);
    v.base = (uintptr_t)text, v.len = 16;
    equal("recvmsg", sc(17, pair[1], (long)&h, 0, 0, 0, 0), 7);
    must(sc(3, client = must(sc(1, AF_INET, SOCK_STREAM, 0, 0, 0, 0)), (long)&a, sizeof a, 0, 0, 0));
    int fourth = succeeds("accept4", sc(18, listener, 0, 0, SOCK_CLOEXEC, 0, 0));
    equal("flag", fcntl(fourth, F_GETFD), FD_CLOEXEC);
    struct { typeof(h) h; uint32_t len; } m = {h, 0};
    must(sc(9, pair[0], (long)"mm", 2, 0, 0, 0));
    equal("recvmmsg", sc(19, pair[1], (long)&m, 1, MSG_DONTWAIT, 0, 0), 1);
    equal("length", m.len, 2);
    v.len = 2;
    equal("sendmmsg", sc(20, pair[0], (long)&m, 1, 0, 0, 0), 1);
    succeeds("shutdown", sc(13, server, SHUT_RDWR, 0, 0, 0, 0));
    fails("call 0", sc(0, 0, 0, 0, 0, 0, 0), EINVAL);
    fails("call 21", sc(21, 0, 0, 0, 0, 0, 0), EINVAL);
    fails("arguments nowhere", syscall(102, 1, forbidden()), EFAULT);
    long *edge = before_forbidden(12);
    edge[0] = AF_UNIX, edge[1] = SOCK_STREAM, edge[2] = 0;
    succeeds("three arguments at the edge", syscall(102, 1, edge));
    fails("four are not there", syscall(102, 8, edge), EFAULT);
    return finish();
}
