// Reading the clock: through the vDSO as the C library does it, and by system call. An AArch64 kernel without a vDSO for 32-bit
// programs takes 25 times as long for it, and says nothing.
#define _GNU_SOURCE
#include "bench.h"

#include <errno.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

BENCH(time, clock_gettime, "clock_gettime(CLOCK_MONOTONIC) of the C library") {
    struct timespec now;
    while (n--)
        if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) die("clock_gettime");
    return 0;
}

BENCH(time, clock_gettime_syscall, "clock_gettime(2) as a system call") {
#ifdef SYS_clock_gettime64
    struct { int64_t sec, nsec; } now;
    const long number = SYS_clock_gettime64;
#else
    struct timespec now;
    const long number = SYS_clock_gettime;
#endif
    while (n--)
        if (syscall(number, CLOCK_MONOTONIC, &now) != 0) {
            if (errno == ENOSYS) missing("this kernel has no clock_gettime64(2)");
            die("clock_gettime");
        }
    return 0;
}

BENCH(time, clock_gettime_coarse, "clock_gettime(CLOCK_MONOTONIC_COARSE) of the C library: the vDSO without the counter") {
    struct timespec now;
    while (n--)
        if (clock_gettime(CLOCK_MONOTONIC_COARSE, &now) != 0) die("clock_gettime");
    return 0;
}

BENCH(time, gettimeofday, "gettimeofday(2) of the C library, the call of the 500,000-call experiment") {
    struct timeval now;
    while (n--)
        if (gettimeofday(&now, NULL) != 0) die("gettimeofday");
    return 0;
}

BENCH(time, gettimeofday_syscall, "gettimeofday(2) as a system call") {
#ifdef SYS_gettimeofday
    struct { long sec, usec; } now;
    while (n--)
        if (syscall(SYS_gettimeofday, &now, NULL) != 0) die("gettimeofday");
    return 0;
#else
    (void)n;
    missing("this ABI has no gettimeofday(2)");
#endif
}

BENCH(time, time, "time(2) of the C library") {
    while (n--)
        if (time(NULL) == -1) die("time");
    return 0;
}
