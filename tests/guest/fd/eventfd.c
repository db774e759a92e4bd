// eventfd, signalfd, timerfd read formats; memfd and its seals.
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include "expect.h"

int main(void) {
    int fd = must(eventfd(3, EFD_NONBLOCK));
    uint64_t n = 5;
    equal("write", write(fd, &n, 8), 8);
    equal("read", read(fd, &n, 8), 8);
    equal("sum", n, 8);
    fails("empty", read(fd, &n, 8), EAGAIN);
    fails("short read", read(fd, &n, 4), EINVAL);
    n = ~0ULL;
    fails("all ones", write(fd, &n, 8), EINVAL);
    n = ~0ULL - 1;
    must(write(fd, &n, 8));
    n = 1;
    fails("full", write(fd, &n, 8), EAGAIN);
    fd = must(eventfd(2, EFD_SEMAPHORE));
    must(read(fd, &n, 8));
    equal("semaphore", n, 1);
    fails("flags", eventfd(0, 2), EINVAL);

    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGRTMIN + 1);
    must(sigprocmask(SIG_BLOCK, &set, 0));
    int signals = succeeds("signalfd", signalfd(-1, &set, SFD_NONBLOCK));
    must(kill(getpid(), SIGUSR1));
    must(sigqueue(getpid(), SIGRTMIN + 1, (union sigval){.sival_int = 77}));
    struct signalfd_siginfo info[3];
    equal("size", sizeof *info, 128);
    equal("read two", read(signals, info, sizeof info), 256);
    check("the first", info[0].ssi_signo == SIGUSR1 && info[0].ssi_code == SI_USER && info[0].ssi_pid == getpid());
    check("the second", info[1].ssi_signo == SIGRTMIN + 1 && info[1].ssi_code == SI_QUEUE && info[1].ssi_int == 77);
    fails("no more", read(signals, info, sizeof info), EAGAIN);
    sigdelset(&set, SIGUSR1);
    equal("changed", signalfd(signals, &set, 0), signals);
    fails("not a signalfd", signalfd(fd, &set, 0), EINVAL);
    fails("set nowhere", syscall(SYS_signalfd4, -1, forbidden(), 8, 0), EFAULT);
    fails("set size", syscall(SYS_signalfd4, -1, &set, 4, 0), EINVAL);

    int memory = succeeds("memfd", memfd_create("name", MFD_ALLOW_SEALING | MFD_CLOEXEC));
    must(ftruncate(memory, 8192));
    char *page = must(mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 4096));
    strcpy(page, "shared");
    char text[8] = "";
    must(pread(memory, text, 7, 4096));
    check("contents", !strcmp(text, "shared"));
    fails("seal writes while mapped", fcntl(memory, F_ADD_SEALS, F_SEAL_WRITE), EBUSY);
    succeeds("seal the size", fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW));
    fails("shrink", ftruncate(memory, 0), EPERM);
    fails("grow", ftruncate(memory, 10000), EPERM);
    equal("seals", fcntl(memory, F_GET_SEALS), F_SEAL_SHRINK | F_SEAL_GROW);
    fails("name nowhere", memfd_create(forbidden(), 0), EFAULT);
    return finish();
}
