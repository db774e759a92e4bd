// mq_getsetattr, and sending and receiving with both sizes of time, raw.
//# needs: mqueue
#include "expect.h"

int main(void) {
    char name[64], text[64];
    sprintf(name, "biarch-raw-%d", getpid());
    struct { int32_t flags, most, size, now, reserved[4]; } a = {0, 2, 16}, b;
    int q = succeeds("mq_open", syscall(SYS_mq_open, name, O_CREAT | O_EXCL | O_RDWR, 0600, &a));
    must(syscall(SYS_mq_unlink, name));
    memset(&b, 0xff, sizeof b);
    succeeds("mq_getsetattr", syscall(SYS_mq_getsetattr, q, 0, &b));
    check("attributes", b.flags == 0 && b.most == 2 && b.size == 16 && b.now == 0 && b.reserved[3] == 0);
    a.flags = O_NONBLOCK, a.most = 99;
    succeeds("mq_getsetattr sets", syscall(SYS_mq_getsetattr, q, &a, 0));
    succeeds("mq_getsetattr", syscall(SYS_mq_getsetattr, q, 0, &b));
    check("only the flags", b.flags == O_NONBLOCK && b.most == 2);
    a.flags = O_APPEND;
    fails("no such flag", syscall(SYS_mq_getsetattr, q, &a, 0), EINVAL);
    fails("new nowhere", syscall(SYS_mq_getsetattr, q, forbidden(), 0), EFAULT);
    fails("old nowhere", syscall(SYS_mq_getsetattr, q, 0, forbidden()), EFAULT);
    fails("not a queue", syscall(SYS_mq_getsetattr, 1, 0, &b), EBADF);
    a.flags = 0;
    must(syscall(SYS_mq_getsetattr, q, &a, 0));

    struct { int32_t sec, nsec; } past = {1, 0}, invalid = {1, 1000000000};
    struct { int64_t sec, nsec; } past64 = {1, 7LL << 32}, invalid64 = {1, 1000000000}, far64 = {1LL << 40, 0};
    uint32_t priority = 0;
    fails("mq_timedreceive", syscall(SYS_mq_timedreceive, q, text, 64, &priority, &past), ETIMEDOUT);
    fails("mq_timedreceive_time64", syscall(SYS_mq_timedreceive_time64, q, text, 64, &priority, &past64), ETIMEDOUT);
    fails("mq_timedreceive, time", syscall(SYS_mq_timedreceive, q, text, 64, &priority, &invalid), EINVAL);
    fails("mq_timedreceive_time64, time", syscall(SYS_mq_timedreceive_time64, q, text, 64, &priority, &invalid64), EINVAL);
    fails("mq_timedreceive_time64, time nowhere", syscall(SYS_mq_timedreceive_time64, q, text, 64, &priority, forbidden()), EFAULT);
    succeeds("mq_timedsend_time64", syscall(SYS_mq_timedsend_time64, q, "high", 4, 9, &far64));
    succeeds("mq_timedsend", syscall(SYS_mq_timedsend, q, "low", 3, 1, 0));
    fails("mq_timedsend, full", syscall(SYS_mq_timedsend, q, "x", 1, 1, &past), ETIMEDOUT);
    fails("mq_timedsend_time64, full", syscall(SYS_mq_timedsend_time64, q, "x", 1, 1, &past64), ETIMEDOUT);
    fails("mq_timedsend_time64, time", syscall(SYS_mq_timedsend_time64, q, "x", 1, 1, &invalid64), EINVAL);
    fails("mq_timedsend_time64, time nowhere", syscall(SYS_mq_timedsend_time64, q, "x", 1, 1, forbidden()), EFAULT);
    fails("mq_timedsend_time64, priority", syscall(SYS_mq_timedsend_time64, q, "x", 1, 32768, &far64), EINVAL);
    equal("mq_timedreceive_time64", syscall(SYS_mq_timedreceive_time64, q, text, 64, &priority, &far64), 4);
    equal("its priority", priority, 9);
    fails("priority nowhere", syscall(SYS_mq_timedreceive_time64, q, text, 64, forbidden(), &far64), EFAULT);
    return finish();
}
