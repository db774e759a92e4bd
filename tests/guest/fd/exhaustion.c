// No more descriptors: every call that needs one says so, none is lost, and all is well when there are some again.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/resource.h>
#include "expect.h"

int main(void) {
    for (int fd = 3; fd < 1024; fd++) close(fd);
    struct rlimit limit;
    must(getrlimit(RLIMIT_NOFILE, &limit));
    limit.rlim_cur = 32;
    must(setrlimit(RLIMIT_NOFILE, &limit));
    int pair[2], count = 0, fd;
    while ((fd = open("/dev/null", O_RDWR)) >= 0) count++;
    equal("why no more", errno, EMFILE);
    equal("how many", count, 29);
    fails("dup", dup(0), EMFILE);
    fails("pipe", pipe(pair), EMFILE);
    fails("socket", socket(AF_UNIX, SOCK_STREAM, 0), EMFILE);
    fails("epoll_create1", epoll_create1(0), EMFILE);
    fails("eventfd", eventfd(0, 0), EMFILE);
    fails("fcntl F_DUPFD", fcntl(0, F_DUPFD, 3), EMFILE);
    fails("dup2 beyond the limit", dup2(0, 32), EBADF);
    must(close(31));
    fails("pipe with one left", pipe(pair), EMFILE);
    equal("which is still there", dup(0), 31);
    must(close(30)), must(close(31));
    succeeds("pipe with two left", pipe(pair));
    return finish();
}
