// The raw calls: old select (82) with one pointer, _newselect (142), pselect6 (308) with its pair, pselect6_time64 (413).
#include "expect.h"

static void nothing(int signal, siginfo_t *info, void *context) {}

int main(void) {
    int p[2];
    must(pipe(p));
    uint32_t in[4] = {1u << p[0], 0xdeadbeef, 0, 0}, *in_edge = before_forbidden(4);
    struct { int32_t sec, usec; } t = {0, 10000};
    struct { uint32_t n, in, out, ex, time; } old = {p[0] + 1, (uintptr_t)in, 0, 0, (uintptr_t)&t};
    equal("old select", syscall(82, &old), 0);
    check("time written back, set cleared", t.usec == 0 && in[0] == 0);
    fails("old select nowhere", syscall(82, forbidden()), EFAULT);
    must(write(p[1], "x", 1));
    in[0] = 1u << p[0];
    equal("_newselect", syscall(142, p[0] + 1, in, 0, 0, 0), 1);
    check("only the words that count are written", in[0] == 1u << p[0] && in[1] == 0xdeadbeef);
    *in_edge = 1u << p[0];
    equal("a set of 32 bits at the edge", syscall(142, 32, in_edge, 0, 0, 0), 1);
    fails("33 bits do not fit there", syscall(142, 33, in_edge, 0, 0, 0), EFAULT);

    char byte;
    must(read(p[0], &byte, 1));
    on_signal(SIGUSR1, nothing, 0);
    uint64_t blocked = 1 << (SIGUSR1 - 1), none = 0;
    must(syscall(SYS_rt_sigprocmask, SIG_BLOCK, &blocked, 0, 8));
    must(kill(getpid(), SIGUSR1));
    struct { uint32_t set, size; } pair = {(uintptr_t)&none, 8};
    struct { int32_t sec, nsec; } s = {5, 0};
    in[0] = 1u << p[0];
    fails("pselect6 lets the signal in", syscall(308, p[0] + 1, in, 0, 0, &s, &pair), EINTR);
    check("time written back", s.sec == 4 || (s.sec == 5 && s.nsec == 0));
    pair.size = 4;
    fails("size of the set", syscall(308, p[0] + 1, in, 0, 0, &s, &pair), EINVAL);
    fails("pair nowhere", syscall(308, p[0] + 1, in, 0, 0, &s, forbidden()), EFAULT);
    must(kill(getpid(), SIGUSR1));
    pair.size = 8;
    struct { int64_t sec, nsec; } w = {1LL << 33, 999};
    fails("pselect6_time64", syscall(413, p[0] + 1, in, 0, 0, &w, &pair), EINTR);
    check("64 bits of seconds left", w.sec >= (1LL << 33) - 2);
    return finish();
}
