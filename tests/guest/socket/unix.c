// Unix sockets: stream, datagram, packets; names in the file system and abstract.
//# libc: static musl
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include "expect.h"

int main(void) {
    struct sockaddr_un a = {.sun_family = AF_UNIX, .sun_path = "socket"}, from;
    int listener = must(socket(AF_UNIX, SOCK_STREAM, 0)), client = must(socket(AF_UNIX, SOCK_STREAM, 0));
    succeeds("bind", bind(listener, (void *)&a, sizeof a));
    fails("bind again", bind(must(socket(AF_UNIX, SOCK_STREAM, 0)), (void *)&a, sizeof a), EADDRINUSE);
    struct stat s;
    must(stat("socket", &s));
    equal("a socket in the file system", s.st_mode & S_IFMT, S_IFSOCK);
    must(listen(listener, 1));
    succeeds("connect", connect(client, (void *)&a, sizeof a));
    socklen_t size = sizeof from;
    int server = succeeds("accept", accept(listener, (void *)&from, &size));
    equal("nameless peer", size, 2);
    size = sizeof from;
    must(getpeername(client, (void *)&from, &size));
    check("name", size == 2 + 7 && !strcmp(from.sun_path, "socket"));
    must(write(client, "hi", 2));
    char text[16];
    equal("read", read(server, text, 16), 2);
    struct { pid_t pid; uid_t uid; gid_t gid; } who;
    size = sizeof who;
    succeeds("SO_PEERCRED", getsockopt(server, SOL_SOCKET, SO_PEERCRED, &who, &size));
    check("is us", who.pid == getpid() && who.uid == geteuid() && who.gid == getegid());
    must(unlink("socket"));
    fails("connect to nothing", connect(must(socket(AF_UNIX, SOCK_STREAM, 0)), (void *)&a, sizeof a), ENOENT);
    int d[2], q[2];
    must(socketpair(AF_UNIX, SOCK_DGRAM, 0, d));
    must(send(d[0], "one", 3, 0));
    must(send(d[0], "", 0, 0));
    equal("datagram", recv(d[1], text, 16, 0), 3);
    equal("an empty one", recv(d[1], text, 16, 0), 0);
    must(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, q));
    must(send(q[0], "first", 5, 0));
    must(send(q[0], "second", 6, 0));
    equal("packet", recv(q[1], text, 2, 0), 2);
    equal("the next", recv(q[1], text, 16, 0), 6);
    must(close(q[0]));
    equal("end", recv(q[1], text, 16, 0), 0);
    struct sockaddr_un abstract = {.sun_family = AF_UNIX};
    int length = 2 + 1 + sprintf(abstract.sun_path + 1, "biarch-test-%d", getpid());
    int named = must(socket(AF_UNIX, SOCK_DGRAM, 0));
    succeeds("abstract", bind(named, (void *)&abstract, length));
    int free_one = must(socket(AF_UNIX, SOCK_DGRAM, 0));
    equal("from another", sendto(free_one, "x", 1, 0, (void *)&abstract, length), 1);
    equal("receives", recv(named, text, 16, 0), 1);
    fails("message too long", send(d[0], calloc(1, 4 << 20), 4 << 20, 0), EMSGSIZE);
    fails("type", socketpair(AF_UNIX, 77, 0, d), EINVAL);
    fails("nowhere", socketpair(AF_UNIX, SOCK_STREAM, 0, forbidden()), EFAULT);
    return finish();
}
