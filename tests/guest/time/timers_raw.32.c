// Interval timers, POSIX timers and timer descriptors with both sizes of time.
#include "expect.h"
#include <sys/time.h>
#include <sys/timerfd.h>

struct time32 { int32_t sec, nsec; };
struct spec32 { struct time32 interval, value; };
struct time64 { int64_t sec, nsec; } __attribute__((packed, aligned(4)));
struct spec64 { struct time64 interval, value; };
#define RUBBISH 0x7654321000000000LL

static volatile int value_seen, code_seen, timer_seen;

static void note(int signal, siginfo_t *info, void *context) {
    (void)signal, (void)context;
    value_seen = info->si_value.sival_int;
    code_seen = info->si_code;
    timer_seen = info->si_timerid;
}

int main(void) {
    struct spec32 interval = {{0, 0}, {100, 0}}, old = {{7, 7}, {7, 7}};
    succeeds("setitimer", syscall(SYS_setitimer, ITIMER_REAL, &interval, &old));
    check("there was none", old.value.sec == 0 && old.value.nsec == 0 && old.interval.sec == 0);
    succeeds("getitimer", syscall(SYS_getitimer, ITIMER_REAL, &old));
    check("its time", old.value.sec == 99 || old.value.sec == 100);
    succeeds("setitimer null", syscall(SYS_setitimer, ITIMER_REAL, 0, &old));
    check("its time was", old.value.sec == 99 || old.value.sec == 100);
    succeeds("getitimer", syscall(SYS_getitimer, ITIMER_REAL, &old));
    equal("null disarms", old.value.sec | old.value.nsec, 0);
    fails("no such timer", syscall(SYS_getitimer, 3, &old), EINVAL);
    fails("setitimer nowhere", syscall(SYS_setitimer, ITIMER_REAL, forbidden(), &old), EFAULT);
    fails("getitimer nowhere", syscall(SYS_getitimer, ITIMER_REAL, forbidden()), EFAULT);
    interval.value.nsec = 1000000;
    fails("setitimer invalid", syscall(SYS_setitimer, ITIMER_REAL, &interval, 0), EINVAL);

    struct sigaction action = {.sa_sigaction = note, .sa_flags = SA_SIGINFO};
    must(sigaction(SIGUSR1, &action, 0));
    // struct sigevent on i386: value, signal, notification, thread; only 16 bytes are read.
    char *end = (char *)must(mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) + 4096;
    must(mprotect(end, 4096, PROT_NONE));
    int32_t event[4] = {0x87654321, SIGUSR1, SIGEV_SIGNAL, 0};
    memcpy(end - 16, event, 16);
    int timer = -1;
    succeeds("timer_create at a page's end", syscall(SYS_timer_create, CLOCK_MONOTONIC, end - 16, &timer));
    fails("timer_create nowhere", syscall(SYS_timer_create, CLOCK_MONOTONIC, end - 12, &timer), EFAULT);
    struct spec32 soon = {{0, 0}, {0, 20000000}};
    succeeds("timer_settime", syscall(SYS_timer_settime, timer, 0, &soon, &old));
    equal("there was none", old.value.sec | old.value.nsec, 0);
    while (!code_seen) usleep(1000);
    check("the value arrives", (unsigned)value_seen == 0x87654321u && code_seen == SI_TIMER && timer_seen == timer);
    struct spec32 far = {{50, 0}, {100, 0}};
    succeeds("timer_settime", syscall(SYS_timer_settime, timer, 0, &far, 0));
    succeeds("timer_gettime", syscall(SYS_timer_gettime, timer, &old));
    check("both times", old.interval.sec == 50 && (old.value.sec == 99 || old.value.sec == 100));
    struct spec64 wide, wide_far = {{60, RUBBISH}, {200, RUBBISH}}, negative = {{0, 0}, {1, 0xffffffffLL}};
    succeeds("timer_gettime64", syscall(SYS_timer_gettime64, timer, &wide));
    check("both times", wide.interval.sec == 50 && (wide.value.sec == 99 || wide.value.sec == 100));
    succeeds("timer_settime64", syscall(SYS_timer_settime64, timer, 0, &wide_far, &wide));
    check("as before", wide.interval.sec == 50 && (wide.value.sec == 99 || wide.value.sec == 100));
    succeeds("timer_gettime64", syscall(SYS_timer_gettime64, timer, &wide));
    check("anew", wide.interval.sec == 60 && (wide.value.sec == 199 || wide.value.sec == 200) && wide.interval.nsec == 0);
    fails("low half", syscall(SYS_timer_settime64, timer, 0, &negative, 0), EINVAL);
    fails("timer_settime null", syscall(SYS_timer_settime, timer, 0, 0, 0), EINVAL);
    fails("timer_settime nowhere", syscall(SYS_timer_settime, timer, 0, forbidden(), 0), EFAULT);
    fails("old nowhere", syscall(SYS_timer_settime, timer, 0, &far, forbidden()), EFAULT);
    equal("timer_getoverrun", syscall(SYS_timer_getoverrun, timer), 0);
    succeeds("timer_delete", syscall(SYS_timer_delete, timer));
    fails("timer_gettime of none", syscall(SYS_timer_gettime, timer, &old), EINVAL);
    succeeds("timer_create without event", syscall(SYS_timer_create, CLOCK_REALTIME, 0, &timer));
    succeeds("timer_delete", syscall(SYS_timer_delete, timer));
    event[2] = 77;
    fails("timer_create invalid", syscall(SYS_timer_create, CLOCK_REALTIME, event, &timer), EINVAL);

    int fd = succeeds("timerfd_create", syscall(SYS_timerfd_create, CLOCK_MONOTONIC, TFD_CLOEXEC)) == -1 ? -1 : 3;
    succeeds("timerfd_settime", syscall(SYS_timerfd_settime, fd, 0, &soon, &old));
    uint64_t count = 0;
    equal("read", read(fd, &count, sizeof count), 8);
    equal("expirations", count, 1);
    succeeds("timerfd_settime", syscall(SYS_timerfd_settime, fd, 0, &far, 0));
    succeeds("timerfd_gettime", syscall(SYS_timerfd_gettime, fd, &old));
    check("both times", old.interval.sec == 50 && (old.value.sec == 99 || old.value.sec == 100));
    succeeds("timerfd_settime64", syscall(SYS_timerfd_settime64, fd, 0, &wide_far, &wide));
    check("as before", wide.interval.sec == 50);
    succeeds("timerfd_gettime64", syscall(SYS_timerfd_gettime64, fd, &wide));
    check("anew", wide.interval.sec == 60 && (wide.value.sec == 199 || wide.value.sec == 200));
    fails("low half", syscall(SYS_timerfd_settime64, fd, 0, &negative, 0), EINVAL);
    fails("timerfd_settime null", syscall(SYS_timerfd_settime, fd, 0, 0, 0), EFAULT);
    fails("not a timer", syscall(SYS_timerfd_settime, 1, 0, &far, 0), EINVAL);
    fails("not a descriptor", syscall(SYS_timerfd_gettime, 99, &old), EBADF);
    return finish();
}
