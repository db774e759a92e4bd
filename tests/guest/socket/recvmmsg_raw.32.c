// recvmmsg (337) and recvmmsg_time64 (417), raw.
#include <sys/mman.h>
#include <sys/socket.h>
#include "expect.h"

struct message { uint32_t name, name_length, vectors, count, control, control_length, flags, length; };

int main(void) {
    int pair[2];
    must(socketpair(AF_UNIX, SOCK_DGRAM, 0, pair));
    char text[2][8];
    struct { uint32_t base, length; } vectors[2] = {{(uintptr_t)text[0], 8}, {(uintptr_t)text[1], 8}};
    struct message m[2] = {{.vectors = (uintptr_t)&vectors[0], .count = 1}, {.vectors = (uintptr_t)&vectors[1], .count = 1}};
    struct { int32_t sec, nsec; } far = {1000, 0}, invalid = {0, 1000000000};
    struct { int64_t sec, nsec; } far64 = {1LL << 40, 7LL << 32}, invalid64 = {0, 1000000000};
    for (int wide = 0; wide < 2; wide++) {
        int number = wide ? SYS_recvmmsg_time64 : SYS_recvmmsg;
        void *time = wide ? (void *)&far64 : &far, *wrong = wide ? (void *)&invalid64 : &invalid;
        say("%s", wide ? "recvmmsg_time64" : "recvmmsg");
        must(send(pair[0], "one", 3, 0));
        must(send(pair[0], "three", 5, 0));
        equal("both", syscall(number, pair[1], m, 2, 0, time), 2);
        check("lengths", m[0].length == 3 && m[1].length == 5 && !memcmp(text[1], "three", 5));
        fails("none", syscall(number, pair[1], m, 2, MSG_DONTWAIT, 0), EAGAIN);
        must(send(pair[0], "x", 1, 0));
        equal("one of two", syscall(number, pair[1], m, 2, MSG_WAITFORONE, time), 1);
        fails("time", syscall(number, pair[1], m, 2, 0, wrong), EINVAL);
        fails("time nowhere", syscall(number, pair[1], m, 2, 0, forbidden()), EFAULT);
        must(send(pair[0], "x", 1, 0));
        fails("nowhere", syscall(number, pair[1], forbidden(), 1, MSG_DONTWAIT, 0), EFAULT);
        fails("not a socket", syscall(number, 1, m, 1, 0, 0), ENOTSOCK);
        fails("no descriptor", syscall(number, 99, m, 1, 0, 0), EBADF);
        equal("the message is still there", syscall(number, pair[1], m, 1, MSG_DONTWAIT, 0), 1);
    }
    struct message *told = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memcpy(told, m, sizeof m);
    must(mprotect(told, 4096, PROT_READ));
    for (int i = 0; i < 3; i++) must(send(pair[0], "xyz", i + 1, 0));
    fails("where nothing can be told", syscall(SYS_recvmmsg, pair[1], told, 2, MSG_DONTWAIT, 0), EFAULT);
    equal("costs one message", syscall(SYS_recvmmsg, pair[1], m, 2, MSG_DONTWAIT, 0), 2);
    fails("the next ones are not sent", syscall(SYS_sendmmsg, pair[0], told, 2, 0), EFAULT);
    must(mprotect(told, 4096, PROT_READ | PROT_WRITE));
    equal("either", syscall(SYS_recvmmsg, pair[1], told, 2, MSG_DONTWAIT, 0), 1);
    // What is wrong with the second message is an error of the socket, whoever asks next.
    static const struct { const char *what; int error; struct message wrong; } wrongs[] = {
        {"length", EINVAL, {.name = 4096, .name_length = -1}},
        {"buffers", EMSGSIZE, {.count = 1025}},
        {"nowhere", EFAULT, {.vectors = 4096, .count = 1}},
    };
    for (int i = 0; i < 3; i++) {
        told[1] = wrongs[i].wrong;
        must(send(pair[0], "x", 1, 0));
        equal(wrongs[i].what, syscall(SYS_recvmmsg, pair[1], told, 2, MSG_DONTWAIT, 0), 1);
        fails("is told of later", syscall(SYS_recvmmsg, pair[1], m, 1, MSG_DONTWAIT, 0), wrongs[i].error);
        fails("and once", syscall(SYS_recvmmsg, pair[1], m, 1, MSG_DONTWAIT, 0), EAGAIN);
    }
    check("time is left", far.sec >= 990 && far64.sec >= (1LL << 40) - 10);
    return finish();
}
