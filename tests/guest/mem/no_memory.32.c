// No memory at all: calls that need some in the supervisor say ENOMEM or work, nothing ends or hangs, and all is well afterwards.
//# link: -lpthread
//# timeout: 60
#include <dirent.h>
#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <net/if.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include "expect.h"

static volatile int signals;
static void count(int signal, siginfo_t *info, void *context) { signals++; }
static void *nothing(void *argument) { return argument; }

// Natively most of these need no memory of the process.
static void works(const char *name, long result) {
    int said = errno;
    check(name, result != -1 || said == ENOMEM || said == EAGAIN || said == ENOBUFS);
}

static char large[65536];
static struct iovec vectors[1024];
static struct pollfd fds[1024];
static struct epoll_event events[1024];

static void call_all(void) {
    int zero = must(open("/dev/zero", O_RDONLY)), null = must(open("/dev/null", O_WRONLY)), here = must(open("/", O_RDONLY | O_DIRECTORY));
    int pair[2], epoll = must(epoll_create1(0)), inet = must(socket(AF_INET, SOCK_DGRAM, 0));
    must(socketpair(AF_UNIX, SOCK_DGRAM, 0, pair));
    int queue = must(msgget(IPC_PRIVATE, 0600)), semaphores = must(semget(IPC_PRIVATE, 32, 0600));
    for (int i = 0; i < 1024; i++) vectors[i] = (struct iovec){large, 16}, fds[i] = (struct pollfd){zero, POLLIN};
    static struct sembuf up[32];
    for (int i = 0; i < 32; i++) up[i] = (struct sembuf){i, 1, IPC_NOWAIT};
    static struct { long type; char text[4096]; } message = {1};
    static char control[4096];
    static struct mmsghdr many[256];
    struct msghdr h = {.msg_iov = vectors, .msg_iovlen = 64, .msg_control = control, .msg_controllen = CMSG_SPACE(200 * sizeof(int))};
    struct cmsghdr *c = CMSG_FIRSTHDR(&h);
    *c = (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(200 * sizeof(int))};
    for (int i = 0; i < 200; i++) ((int *)CMSG_DATA(c))[i] = zero;
    for (int i = 0; i < 256; i++) many[i].msg_hdr = (struct msghdr){.msg_iov = vectors, .msg_iovlen = 4};
    struct rlimit old, none;
    must(getrlimit(RLIMIT_AS, &old));
    none = old;
    none.rlim_cur = 4096;
    must(setrlimit(RLIMIT_AS, &none));

    fails("mmap", (long)mmap(0, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), ENOMEM);
    works("readv", readv(zero, vectors, 1024));
    works("writev", writev(null, vectors, 1024));
    works("preadv", preadv(zero, vectors, 1024, 0));
    works("getdents64", syscall(SYS_getdents64, here, large, sizeof large));
    works("getdents", syscall(SYS_getdents, here, large, sizeof large));
    works("poll", poll(fds, 1024, 0));
    works("epoll_wait", epoll_wait(epoll, events, 1024, 0));
    works("sendmsg", sendmsg(pair[0], &h, MSG_DONTWAIT));
    h.msg_controllen = sizeof control;
    works("recvmsg", recvmsg(pair[1], &h, MSG_DONTWAIT));
    works("sendmmsg", sendmmsg(pair[0], many, 256, MSG_DONTWAIT));
    works("recvmmsg", recvmmsg(pair[1], many, 256, MSG_DONTWAIT, 0));
    works("msgsnd", msgsnd(queue, &message, 4096, IPC_NOWAIT));
    works("msgrcv", msgrcv(queue, &message, 4096, 0, IPC_NOWAIT));
    works("semop", semop(semaphores, up, 32));
    works("SIOCGIFCONF", ioctl(inet, SIOCGIFCONF, &(struct ifconf){.ifc_len = sizeof large, .ifc_buf = large}));
    works("getgroups", syscall(SYS_getgroups, 16384, large));
    works("readlink", readlink("/proc/self/exe", large, sizeof large));
    works("open of /proc/self/maps", open("/proc/self/maps", O_RDONLY));
    signals = 0;
    must(raise(SIGUSR1));
    equal("a signal arrives", signals, 1);
    pthread_t thread;
    int error = pthread_create(&thread, 0, nothing, 0);
    check("a thread", !error || error == EAGAIN || error == ENOMEM);
    if (!error) pthread_join(thread, 0);
    pid_t child = fork();
    int said = errno;
    if (!child) _exit(0);
    check("a child", child > 0 || said == ENOMEM || said == EAGAIN);
    if (child > 0) equal("which ends", end_of(child), 0);

    must(setrlimit(RLIMIT_AS, &old));
    equal("readv as before", readv(zero, vectors, 1024), 16384);
    must(pthread_create(&thread, 0, nothing, 0));
    must(pthread_join(thread, 0));
    must(msgctl(queue, IPC_RMID, 0)), must(semctl(semaphores, 0, IPC_RMID));
}

int main(void) {
    on_signal(SIGUSR1, count, 0);
    call_all();
    return finish();
}
