// POSIX message queues.
//# libc: static time64
//# needs: mqueue
//# link: -lrt
#include <mqueue.h>
#include "expect.h"

static volatile int notified;
static void notify(int signal, siginfo_t *info, void *context) { notified = info->si_code == SI_MESGQ && info->si_value.sival_int == 12; }

int main(void) {
    char name[64], text[64];
    sprintf(name, "/biarch-%d", getpid());
    struct mq_attr a = {.mq_maxmsg = 3, .mq_msgsize = 32}, b;
    mqd_t q = succeeds("mq_open", mq_open(name, O_CREAT | O_EXCL | O_RDWR | O_NONBLOCK, 0600, &a));
    must(mq_unlink(name));
    succeeds("mq_getattr", mq_getattr(q, &b));
    check("attributes", b.mq_maxmsg == 3 && b.mq_msgsize == 32 && b.mq_curmsgs == 0 && b.mq_flags == O_NONBLOCK);
    succeeds("mq_send", mq_send(q, "low", 3, 1));
    succeeds("mq_send", mq_send(q, "high", 4, 9));
    unsigned priority = 0;
    equal("the highest first", mq_receive(q, text, 64, &priority), 4);
    equal("priority", priority, 9);
    fails("buffer too small", mq_receive(q, text, 31, 0), EMSGSIZE);
    fails("message too long", mq_send(q, text, 33, 0), EMSGSIZE);
    must(mq_send(q, "x", 1, 0));
    must(mq_send(q, "x", 1, 0));
    fails("full", mq_send(q, "x", 1, 0), EAGAIN);
    b.mq_flags = 0;
    succeeds("mq_setattr", mq_setattr(q, &b, &a));
    equal("the old flags", a.mq_flags, O_NONBLOCK);
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    fails("timeout", mq_timedsend(q, "x", 1, 0, &t), ETIMEDOUT);
    for (int i = 0; i < 3; i++) must(mq_receive(q, text, 64, 0));
    fails("timeout", mq_timedreceive(q, text, 64, 0, &t), ETIMEDOUT);
    fails("time", mq_timedreceive(q, text, 64, 0, &(struct timespec){0, -1}), EINVAL);
    on_signal(SIGUSR1, notify, 0);
    struct sigevent e = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1, .sigev_value.sival_int = 12};
    succeeds("mq_notify", mq_notify(q, &e));
    fails("only one may", mq_notify(q, &e), EBUSY);
    must(mq_send(q, "x", 1, 0));
    pause_for(5);
    equal("notified", notified, 1);
    fails("absent", mq_open("/biarch-nothing", O_RDONLY), ENOENT);
    return finish();
}
