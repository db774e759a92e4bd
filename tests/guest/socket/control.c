// Ancillary data: descriptors, credentials, several messages, and a buffer too small for them.
//# libc: static dynamic musl
#include <sys/socket.h>
#include <sys/uio.h>
#include "expect.h"

static int pair[2];

static void send_descriptors(int count, int *fds, int credentials) {
    char control[512] __attribute__((aligned(8))) = {};
    struct iovec v = {"data", 4};
    struct msghdr h = {.msg_iov = &v, .msg_iovlen = 1, .msg_control = control};
    struct cmsghdr *c = (void *)control;
    c->cmsg_level = SOL_SOCKET, c->cmsg_type = SCM_RIGHTS, c->cmsg_len = CMSG_LEN(count * sizeof(int));
    memcpy(CMSG_DATA(c), fds, count * sizeof(int));
    h.msg_controllen = CMSG_SPACE(count * sizeof(int));
    if (credentials) {
        c = (void *)(control + h.msg_controllen);
        struct ucred u = {getpid(), getuid(), getgid()};
        c->cmsg_level = SOL_SOCKET, c->cmsg_type = SCM_CREDENTIALS, c->cmsg_len = CMSG_LEN(sizeof u);
        memcpy(CMSG_DATA(c), &u, sizeof u);
        h.msg_controllen += CMSG_SPACE(sizeof u);
    }
    must(sendmsg(pair[0], &h, 0));
}

int main(void) {
    must(socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
    int fds[3] = {file_of("zero"), file_of("one"), file_of("two")}, one = 1;
    must(setsockopt(pair[1], SOL_SOCKET, SO_PASSCRED, &one, sizeof one));
    send_descriptors(3, fds, 1);
    char text[16], control[512] __attribute__((aligned(8)));
    struct iovec v = {text, sizeof text};
    struct msghdr h = {.msg_iov = &v, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    equal("recvmsg", recvmsg(pair[1], &h, MSG_CMSG_CLOEXEC), 4);
    int kinds = 0, got[3] = {-1, -1, -1};
    for (struct cmsghdr *c = CMSG_FIRSTHDR(&h); c; c = CMSG_NXTHDR(&h, c)) {
        kinds++;
        if (c->cmsg_type == SCM_RIGHTS) {
            equal("length of the descriptors", c->cmsg_len, CMSG_LEN(12));
            memcpy(got, CMSG_DATA(c), 12);
        } else {
            struct ucred u;
            memcpy(&u, CMSG_DATA(c), sizeof u);
            check("credentials", c->cmsg_type == SCM_CREDENTIALS && c->cmsg_len == CMSG_LEN(sizeof u) && u.pid == getpid() && u.uid == getuid());
        }
    }
    equal("two messages", kinds, 2);
    equal("length of all", h.msg_controllen, CMSG_SPACE(12) + CMSG_SPACE(sizeof(struct ucred)));
    equal("flags", h.msg_flags, MSG_CMSG_CLOEXEC);
    for (int i = 0; i < 3; i++) {
        char word[8] = "";
        must(read(got[i], word, 7));
        check("descriptor works", !strcmp(word, (char *[]){"zero", "one", "two"}[i]));
        equal("close on exec", fcntl(got[i], F_GETFD), FD_CLOEXEC);
    }
    must(setsockopt(pair[1], SOL_SOCKET, SO_PASSCRED, &(int){0}, sizeof one));

    // Room for one descriptor only: the others are closed, and the message says so.
    send_descriptors(3, fds, 0);
    int before = must(dup(0));
    must(close(before));
    h.msg_controllen = CMSG_LEN(sizeof(int));
    equal("truncated", recvmsg(pair[1], &h, 0), 4);
    check("flag", h.msg_flags & MSG_CTRUNC);
    struct cmsghdr *c = CMSG_FIRSTHDR(&h);
    equal("one is left", c ? c->cmsg_len : 0, CMSG_LEN(4));
    equal("it is the lowest free", *(int *)CMSG_DATA(c), before);
    int after = must(dup(0));
    equal("no other was opened", after, before + 1);
    send_descriptors(2, fds, 0);
    h.msg_controllen = 0;
    h.msg_control = 0;
    equal("no room at all", recvmsg(pair[1], &h, 0), 4);
    check("flag", h.msg_flags & MSG_CTRUNC);
    send_descriptors(2, fds, 0);
    equal("read instead of recvmsg", read(pair[1], text, 16), 4);

    // Errors of the sender.
    h = (struct msghdr){.msg_iov = &v, .msg_iovlen = 1, .msg_control = control, .msg_controllen = CMSG_SPACE(4)};
    v = (struct iovec){"x", 1};
    c = (void *)control;
    *c = (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(4)};
    *(int *)CMSG_DATA(c) = 999;
    fails("a bad descriptor", sendmsg(pair[0], &h, 0), EBADF);
    c->cmsg_len = 3;
    fails("a length below the header", sendmsg(pair[0], &h, 0), EINVAL);
    c->cmsg_len = 10000;
    fails("a length beyond the buffer", sendmsg(pair[0], &h, 0), EINVAL);
    c->cmsg_len = CMSG_LEN(4);
    c->cmsg_type = 77;
    fails("an unknown type", sendmsg(pair[0], &h, 0), EINVAL);
    h.msg_control = forbidden();
    fails("nowhere", sendmsg(pair[0], &h, 0), EFAULT);
    h = (struct msghdr){.msg_iov = forbidden(), .msg_iovlen = 1};
    fails("vector nowhere", sendmsg(pair[0], &h, 0), EFAULT);
    h = (struct msghdr){.msg_iov = &v, .msg_iovlen = 2000};
    fails("too many vectors", sendmsg(pair[0], &h, 0), EMSGSIZE);
    h = (struct msghdr){.msg_iov = &v, .msg_iovlen = 1, .msg_name = forbidden(), .msg_namelen = 16};
    fails("name nowhere", sendmsg(pair[0], &h, 0), EFAULT);
    return finish();
}
