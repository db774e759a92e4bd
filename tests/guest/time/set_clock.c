// The calls that set a machine's clock: what they refuse, and what they say without setting anything.
//# needs: root
#include <sys/time.h>
#include <sys/timex.h>
#include "expect.h"

#ifdef __i386__
#define CLOCK_SETTIME64 404 // clock_settime64
#define CLOCK_ADJTIME64 405 // clock_adjtime64
#else
#define CLOCK_SETTIME64 SYS_clock_settime
#define CLOCK_ADJTIME64 SYS_clock_adjtime
#endif

struct wide { int64_t sec, nsec; };

// Of `struct timex` in 32 and in 64 bits; nothing is behind the last member.
struct timex32 {
    uint32_t modes; int32_t offset, freq, maxerror, esterror, status, constant, precision, tolerance, sec, usec, tick, ppsfreq, jitter, shift,
        stabil, jitcnt, calcnt, errcnt, stbcnt, tai, pad[11];
};
struct timex64 {
    uint32_t modes, pad; int64_t offset, freq, maxerror, esterror; int32_t status, pad2; int64_t constant, precision, tolerance, sec, usec,
        tick, ppsfreq, jitter; int32_t shift, pad3; int64_t stabil, jitcnt, calcnt, errcnt, stbcnt; int32_t tai, pad4[11];
};
#ifdef __i386__
typedef struct timex32 narrow;
#else
typedef struct timex64 narrow;
#endif

static long stime32(void *time) {
#ifdef __i386__
    return syscall(SYS_stime, time);
#else
    // There is none in 64 bits: what it is made of.
    if (time == forbidden()) return errno = EFAULT, -1;
    struct timeval value = {*(long *)time, 0};
    return settimeofday(&value, 0);
#endif
}

static void others(void) {
    long now = time(0);
    struct timeval value = {now, 0};
    struct { long sec, nsec; } spec = {now, 0};
    struct wide wide = {now, 0};
    fails("stime", stime32(&now), EPERM);
    fails("stime nowhere", stime32(forbidden()), EFAULT);
    fails("settimeofday", syscall(SYS_settimeofday, &value, 0), EPERM);
    fails("clock_settime", syscall(SYS_clock_settime, CLOCK_REALTIME, &spec), EPERM);
    fails("clock_settime64", syscall(CLOCK_SETTIME64, CLOCK_REALTIME, &wide), EPERM);
    narrow n = {.modes = 2 /* frequency */};
    struct timex64 w = {.modes = 2};
    fails("adjtimex", syscall(SYS_adjtimex, &n), EPERM);
    n.modes = 2, fails("clock_adjtime", syscall(SYS_clock_adjtime, CLOCK_REALTIME, &n), EPERM);
    fails("clock_adjtime64", syscall(CLOCK_ADJTIME64, CLOCK_REALTIME, &w), EPERM);
    n.modes = 0;
    check("reading is free", syscall(SYS_adjtimex, &n) >= 0);
}

int main(void) {
    struct { long sec, nsec; } invalid = {1, 1000000000}, spec = {-1, 0};
    struct wide invalid64 = {1, 1000000000}, negative64 = {-1, 0};
    struct timeval usec = {1, 1000000};
    fails("settimeofday, invalid", syscall(SYS_settimeofday, &usec, 0), EINVAL);
    fails("settimeofday nowhere", syscall(SYS_settimeofday, forbidden(), 0), EFAULT);
    fails("settimeofday, zone nowhere", syscall(SYS_settimeofday, 0, forbidden()), EFAULT);
    succeeds("settimeofday of nothing", syscall(SYS_settimeofday, 0, 0));
    fails("clock_settime, invalid", syscall(SYS_clock_settime, CLOCK_REALTIME, &invalid), EINVAL);
    fails("clock_settime, negative", syscall(SYS_clock_settime, CLOCK_REALTIME, &spec), EINVAL);
    fails("clock_settime nowhere", syscall(SYS_clock_settime, CLOCK_REALTIME, forbidden()), EFAULT);
    fails("clock_settime of what cannot be set", syscall(SYS_clock_settime, CLOCK_MONOTONIC, &spec), EINVAL);
    fails("clock_settime, no such clock", syscall(SYS_clock_settime, 77, &spec), EINVAL);
    fails("clock_settime64, invalid", syscall(CLOCK_SETTIME64, CLOCK_REALTIME, &invalid64), EINVAL);
    fails("clock_settime64, negative", syscall(CLOCK_SETTIME64, CLOCK_REALTIME, &negative64), EINVAL);
    fails("clock_settime64 nowhere", syscall(CLOCK_SETTIME64, CLOCK_REALTIME, forbidden()), EFAULT);
    fails("clock_settime64 of what cannot be set", syscall(CLOCK_SETTIME64, CLOCK_MONOTONIC, &negative64), EINVAL);

    narrow n, m;
    struct timex64 w;
    memset(&n, 0xff, sizeof n), memset(&m, 0xff, sizeof m), memset(&w, 0xff, sizeof w);
    n.modes = m.modes = w.modes = 0;
    check("adjtimex", syscall(SYS_adjtimex, &n) >= 0);
    check("clock_adjtime", syscall(SYS_clock_adjtime, CLOCK_REALTIME, &m) >= 0);
    check("clock_adjtime64", syscall(CLOCK_ADJTIME64, CLOCK_REALTIME, &w) >= 0);
    check("they agree", n.freq == m.freq && m.freq == w.freq && n.tick == w.tick && n.tolerance == w.tolerance && n.precision == w.precision);
    check("on what", n.tick >= 9000 && n.tick <= 11000 && n.tolerance == 500 << 16);
    check("and on the time", m.sec - n.sec <= 60 && w.sec - m.sec <= 60 && w.sec >= m.sec && n.sec > 1000000000);
    // What a 64-bit kernel does not know of `struct timex` it leaves, but clears in the 32-bit one.
    check("to the end", n.tai == w.tai && w.pad4[10] == -1 && (sizeof n == sizeof w || ((int32_t *)(&n + 1))[-1] == 0));
    fails("adjtimex nowhere", syscall(SYS_adjtimex, forbidden()), EFAULT);
    fails("clock_adjtime nowhere", syscall(SYS_clock_adjtime, CLOCK_REALTIME, forbidden()), EFAULT);
    fails("clock_adjtime64 nowhere", syscall(CLOCK_ADJTIME64, CLOCK_REALTIME, forbidden()), EFAULT);
    fails("clock_adjtime, no such clock", syscall(SYS_clock_adjtime, 77, &n), EINVAL);
    fails("clock_adjtime, not this clock", syscall(SYS_clock_adjtime, CLOCK_MONOTONIC, &n), EOPNOTSUPP);
    n.modes = 0x4000 /* tick */, n.tick = 1;
    fails("adjtimex, no such tick", syscall(SYS_adjtimex, &n), EINVAL);
    w.modes = 0x4000, w.tick = 1;
    fails("clock_adjtime64, no such tick", syscall(CLOCK_ADJTIME64, CLOCK_REALTIME, &w), EINVAL);
    unprivileged(others);
    return finish();
}
