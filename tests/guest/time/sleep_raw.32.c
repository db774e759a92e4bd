// Sleeping: what is left is written where a signal ended the sleep, and nowhere else.
#include "expect.h"
#include <sys/time.h>

struct time32 { int32_t sec, nsec; };
struct time64 { int64_t sec, nsec; } __attribute__((packed, aligned(4)));
#define UNTOUCHED 12345

static void nothing(int signal) { (void)signal; }

static void soon(void) {
    struct itimerval timer = {{0, 0}, {0, 50000}};
    must(setitimer(ITIMER_REAL, &timer, 0));
}

static int less(int64_t sec, int64_t nsec) { return sec >= 0 && sec <= 9 && nsec >= 0 && nsec <= 999999999; }

int main(void) {
    struct sigaction action = {.sa_handler = nothing};
    must(sigaction(SIGALRM, &action, 0));
    struct time32 ten = {10, 0}, tick = {0, 1000000}, wrong = {0, 1000000000}, left = {UNTOUCHED, UNTOUCHED};
    succeeds("nanosleep", syscall(SYS_nanosleep, &tick, &left));
    equal("nothing is left", left.sec, UNTOUCHED);
    fails("nanosleep invalid", syscall(SYS_nanosleep, &wrong, &left), EINVAL);
    fails("nanosleep nowhere", syscall(SYS_nanosleep, forbidden(), &left), EFAULT);
    fails("nanosleep null", syscall(SYS_nanosleep, 0, 0), EFAULT);
    equal("still nothing", left.sec, UNTOUCHED);
    soon();
    fails("nanosleep interrupted", syscall(SYS_nanosleep, &ten, &left), EINTR);
    check("9 seconds are left", less(left.sec, left.nsec));
    soon();
    fails("nobody asks for the rest", syscall(SYS_nanosleep, &ten, 0), EINTR);
    soon();
    fails("the rest cannot be written", syscall(SYS_nanosleep, &ten, forbidden()), EFAULT);
    soon();
    struct time32 same = ten;
    fails("the rest replaces the request", syscall(SYS_nanosleep, &same, &same), EINTR);
    check("replaced", less(same.sec, same.nsec));
    // SA_RESTART makes no difference: the sleep would begin anew.
    action.sa_flags = SA_RESTART;
    must(sigaction(SIGALRM, &action, 0));
    soon();
    left.sec = UNTOUCHED;
    fails("interrupted in spite of SA_RESTART", syscall(SYS_nanosleep, &ten, &left), EINTR);
    check("the rest", less(left.sec, left.nsec));

    left.sec = UNTOUCHED;
    soon();
    fails("clock_nanosleep", syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &ten, &left), EINTR);
    check("its rest", less(left.sec, left.nsec));
    struct time64 wide_left = {UNTOUCHED, UNTOUCHED}, wide_ten = {10, 0x7654321000000000LL};
    soon();
    fails("clock_nanosleep_time64", syscall(SYS_clock_nanosleep_time64, CLOCK_MONOTONIC, 0, &wide_ten, &wide_left), EINTR);
    check("its rest", less(wide_left.sec, wide_left.nsec));
    struct time64 negative = {0, 0xffffffffLL}, moment = {0, 1000000 | 0x7654321000000000LL};
    fails("low half", syscall(SYS_clock_nanosleep_time64, CLOCK_MONOTONIC, 0, &negative, 0), EINVAL);
    succeeds("upper half", syscall(SYS_clock_nanosleep_time64, CLOCK_MONOTONIC, 0, &moment, 0));

    struct time32 later;
    must(syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &later));
    later.sec += 10;
    left.sec = UNTOUCHED;
    soon();
    fails("until a moment", syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, TIMER_ABSTIME, &later, &left), EINTR);
    equal("which stays where it is", left.sec, UNTOUCHED);
    struct time32 past = {1, 0};
    succeeds("until the past", syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, TIMER_ABSTIME, &past, 0));
    fails("no such clock", syscall(SYS_clock_nanosleep, 77, 0, forbidden(), 0), EINVAL);
    fails("this thread's clock", syscall(SYS_clock_nanosleep, CLOCK_THREAD_CPUTIME_ID, 0, &tick, 0), EOPNOTSUPP);
    fails("clock_nanosleep nowhere", syscall(SYS_clock_nanosleep, CLOCK_REALTIME, 0, forbidden(), 0), EFAULT);

    equal("alarm", syscall(SYS_alarm, 100), 0);
    check("seconds left", syscall(SYS_alarm, 0) >= 99);
    return finish();
}
