// The old calls and their 64-bit successors, raw, say the same; layouts of each.
#include "expect.h"

int main(void) {
    struct { int32_t sec, nsec; } o;
    struct { int64_t sec, nsec; } n;
    int32_t t, word[4];
    succeeds("clock_gettime (265)", syscall(265, CLOCK_REALTIME, &o));
    memset(&n, 0xff, sizeof n);
    succeeds("clock_gettime64 (403)", syscall(403, CLOCK_REALTIME, &n));
    check("near", n.sec - o.sec <= 1 && n.sec >= o.sec && n.nsec < 1000000000);
    equal("time (13)", (t = syscall(13, word)) == word[0], 1);
    check("near", labs(t - o.sec) <= 1);
    succeeds("gettimeofday (78)", syscall(78, word, word + 2));
    check("near", labs(word[0] - o.sec) <= 1 && word[1] >= 0 && word[1] < 1000000);
    succeeds("clock_getres (266)", syscall(266, CLOCK_MONOTONIC, &o));
    succeeds("clock_getres_time64 (406)", syscall(406, CLOCK_MONOTONIC, &n));
    check("same", o.sec == n.sec && o.nsec == n.nsec);
    int32_t times[4];
    succeeds("times (43)", syscall(43, times));
    fails("time to nowhere", syscall(13, forbidden()), EFAULT);
    fails("gettimeofday to nowhere", syscall(78, forbidden(), 0), EFAULT);
    fails("clock_gettime to nowhere", syscall(265, 0, forbidden()), EFAULT);
    fails("clock_gettime64 half nowhere", syscall(403, 0, before_forbidden(8)), EFAULT);
    // The upper half of nanoseconds is padding for a 32-bit task and is not looked at.
    n.sec = 0, n.nsec = 1000000 | 7LL << 32;
    succeeds("clock_nanosleep_time64, padding", syscall(407, CLOCK_MONOTONIC, 0, &n, 0));
    n.nsec = 1000000000;
    fails("clock_nanosleep_time64, range", syscall(407, CLOCK_MONOTONIC, 0, &n, 0), EINVAL);
    n.sec = 1LL << 40, n.nsec = 5;
    fails("utimensat_time64 nowhere", syscall(412, AT_FDCWD, "f", forbidden(), 0), EFAULT);
    must(close(must(open("f", O_CREAT | O_WRONLY, 0600))));
    struct { int64_t sec, nsec; } u[2] = {{5000000000LL, 1}, {5000000001LL, 2}};
    succeeds("utimensat_time64, year 2128", syscall(412, AT_FDCWD, "f", u, 0));
    struct statx x;
    must(statx(AT_FDCWD, "f", 0, STATX_BASIC_STATS, &x));
    equal("seconds", x.stx_mtime.tv_sec, 5000000001LL);
    struct { uint32_t a[16]; uint32_t atime, an, mtime, mn, c, cn, i[2]; } s;
    must(syscall(195, "f", &s));
    equal("stat64 cuts them", s.mtime, (uint32_t)5000000001LL);
    return finish();
}
