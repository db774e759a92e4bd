// io_uring: what is in the rings is the same in both widths, what requests point to is not. Vectors, messages, linked requests, registered
// buffers, deadlines, duplicates of the ring, and what is wrong with each.
//# timeout: 30
#include <fcntl.h>
#include <linux/io_uring.h>
#include <linux/time_types.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include "expect.h"

#ifndef SYS_io_uring_setup
#define SYS_io_uring_setup 425
#define SYS_io_uring_enter 426
#define SYS_io_uring_register 427
#endif
#define ENTRIES 8

static struct {
    int fd;
    struct io_uring_params params;
    char *queue;
    struct io_uring_sqe *requests;
} ring;

static unsigned *word(unsigned offset) { return (unsigned *)(ring.queue + offset); }

static long enter(int fd, unsigned submit, unsigned wait, unsigned flags) {
    return syscall(SYS_io_uring_enter, fd, submit, wait, flags, NULL, 0);
}

// The next free request, in the order of an array of indices that is not that of the requests.
static struct io_uring_sqe *request(int operation, int fd, const void *address, unsigned length, long long offset) {
    unsigned tail = *word(ring.params.sq_off.tail), index = (tail * 3 + 1) % ENTRIES;
    struct io_uring_sqe *sqe = ring.requests + index;
    memset(sqe, 0, sizeof *sqe);
    sqe->opcode = operation;
    sqe->fd = fd;
    sqe->addr = (uintptr_t)address;
    sqe->len = length;
    sqe->off = offset;
    sqe->user_data = 0x123456789abcULL + tail;
    word(ring.params.sq_off.array)[tail % ENTRIES] = index;
    __atomic_store_n(word(ring.params.sq_off.tail), tail + 1, __ATOMIC_RELEASE);
    return sqe;
}

// The result of the next request that is completed.
static int result(void) {
    unsigned head = *word(ring.params.cq_off.head);
    while (__atomic_load_n(word(ring.params.cq_off.tail), __ATOMIC_ACQUIRE) == head) must(enter(ring.fd, 0, 1, IORING_ENTER_GETEVENTS));
    struct io_uring_cqe *cqe = (void *)(ring.queue + ring.params.cq_off.cqes);
    int res = cqe[head % ring.params.cq_entries].res;
    __atomic_store_n(word(ring.params.cq_off.head), head + 1, __ATOMIC_RELEASE);
    return res;
}

// Makes the one request that is in the queue.
static int made(void) {
    must(enter(ring.fd, 1, 1, IORING_ENTER_GETEVENTS));
    return result();
}

static void open_ring(unsigned flags) {
    ring.params = (struct io_uring_params){.flags = flags};
    ring.fd = must(syscall(SYS_io_uring_setup, ENTRIES, &ring.params));
    size_t size = ring.params.cq_off.cqes + ring.params.cq_entries * sizeof(struct io_uring_cqe);
    ring.queue = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, ring.fd, IORING_OFF_SQ_RING);
    ring.requests = mmap(NULL, ENTRIES * sizeof *ring.requests, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, ring.fd, IORING_OFF_SQES);
    if (ring.queue == MAP_FAILED || ring.requests == MAP_FAILED) must(-1);
}

static void vectors(void) {
    int file = file_of("");
    char a[] = "one ", b[] = "two ", c[] = "three", got[3][8] = {{0}};
    struct iovec out[] = {{a, 4}, {b, 4}, {c, 5}}, in[] = {{got[0], 4}, {got[1], 4}, {got[2], 7}};
    struct io_uring_sqe *sqe = request(IORING_OP_WRITEV, file, out, 3, 0), before = *sqe;
    equal("writev", made(), 13);
    check("the request is as it was", !memcmp(sqe, &before, sizeof before));
    request(IORING_OP_READV, file, in, 3, 0);
    equal("readv", made(), 13);
    check("read what was written", !memcmp(got[0], "one ", 4) && !memcmp(got[1], "two ", 4) && !memcmp(got[2], "three", 5));
    request(IORING_OP_READV, file, in, 1, 4);
    equal("one vector, at a position", made(), 4);
    check("from there", !memcmp(got[0], "two ", 4));
    request(IORING_OP_READV, file, in, 0, 0);
    equal("no vector", made(), 0);
    request(IORING_OP_READV, file, in, 1025, 0);
    equal("too many vectors", made(), -EINVAL);
    request(IORING_OP_READV, file, forbidden(), 2, 0);
    equal("vectors that cannot be read", made(), -EFAULT);
    struct iovec *edge = before_forbidden(sizeof *edge);
    *edge = in[0];
    request(IORING_OP_READV, file, edge, 2, 0);
    equal("the second cannot be read", made(), -EFAULT);
    struct iovec bad[] = {{got[0], 4}, {got[1], -1}};
    request(IORING_OP_READV, file, bad, 2, 0);
    equal("a length that is negative", made(), -EINVAL);
    bad[1] = (struct iovec){forbidden(), 4};
    request(IORING_OP_READV, file, bad, 2, 0);
    int read_before = made();
    check("memory that cannot be written", read_before == 4 || read_before == -EFAULT);
    request(IORING_OP_READV, 99, in, 1, 0);
    equal("no descriptor", made(), -EBADF);
    struct iovec many[1024];
    static char bytes[1024];
    for (int i = 0; i < 1024; i++) many[i] = (struct iovec){bytes + i, 1};
    memset(bytes, 'x', sizeof bytes);
    request(IORING_OP_WRITEV, file, many, 1024, 0);
    equal("1024 vectors", made(), 1024);
    // Three that belong together; the vectors may go when the kernel has taken the requests.
    request(IORING_OP_WRITEV, file, out, 3, 2000)->flags = IOSQE_IO_LINK;
    request(IORING_OP_FSYNC, file, NULL, 0, 0)->flags = IOSQE_IO_LINK;
    request(IORING_OP_READV, file, in, 3, 2000)->flags = IOSQE_ASYNC;
    memset(got, 0, sizeof got);
    equal("three requests", must(enter(ring.fd, 3, 0, 0)), 3);
    memset(out, 0xff, sizeof out);
    memset(in, 0xff, sizeof in);
    int sum = result();
    sum += result();
    equal("linked", sum + result(), 26);
    check("in their order", !memcmp(got[2], "three", 5));
    close(file);
}

static void sockets(void) {
    int pair[2];
    must(socketpair(AF_UNIX, SOCK_DGRAM, 0, pair));
    char a[] = "hello", b[] = "world", got[16] = {0};
    struct iovec out[] = {{a, 5}, {b, 5}};
    struct msghdr message = {.msg_iov = out, .msg_iovlen = 2};
    request(IORING_OP_SENDMSG, pair[0], &message, 1, 0);
    equal("sendmsg", made(), 10);
    request(IORING_OP_RECV, pair[1], got, sizeof got, 0);
    equal("recv", made(), 10);
    check("the message", !strcmp(got, "helloworld"));
    request(IORING_OP_SENDMSG, pair[0], forbidden(), 1, 0);
    equal("a header that cannot be read", made(), -EFAULT);
    message.msg_iov = forbidden();
    request(IORING_OP_SENDMSG, pair[0], &message, 1, 0);
    equal("vectors of a message that cannot be read", made(), -EFAULT);
    message.msg_iovlen = 1025;
    request(IORING_OP_SENDMSG, pair[0], &message, 1, 0);
    // Linux 6.12 says EINVAL, 6.18 EMSGSIZE.
    int too_many = made();
    check("too many of them", too_many == -EMSGSIZE || too_many == -EINVAL);
    // One that has to wait for somebody to read.
    struct iovec one = {a, 5};
    message = (struct msghdr){.msg_iov = &one, .msg_iovlen = 1};
    int sent = 0;
    while (send(pair[0], a, 5, MSG_DONTWAIT) == 5) sent++;
    request(IORING_OP_SENDMSG, pair[0], &message, 1, 0);
    must(enter(ring.fd, 1, 0, 0));
    memset(&one, 0xff, sizeof one);
    memset(&message, 0xff, sizeof message);
    while (recv(pair[1], got, sizeof got, MSG_DONTWAIT) == 5) sent--;
    equal("a message that waited", result(), 5);
    while (recv(pair[1], got, sizeof got, MSG_DONTWAIT) == 5) sent--;
    equal("messages that are left", sent, -1);
    request(IORING_OP_POLL_ADD, pair[0], NULL, 0, 0)->poll32_events = POLLOUT;
    equal("poll", made(), POLLOUT);
    close(pair[0]);
    close(pair[1]);
}

static void others(void) {
    request(IORING_OP_NOP, -1, NULL, 0, 0);
    equal("nop", made(), 0);
    request(200, -1, NULL, 0, 0);
    equal("no such operation", made(), -EINVAL);
    char path[] = "/proc/self/status";
    struct io_uring_sqe *sqe = request(IORING_OP_OPENAT, AT_FDCWD, path, 0, 0);
    sqe->open_flags = O_RDONLY;
    int fd = made();
    check("openat", fd > 2);
    char text[8] = {0};
    request(IORING_OP_READ, fd, text, 5, 0);
    equal("read", made(), 5);
    check("what is there", !strcmp(text, "Name:"));
    request(IORING_OP_CLOSE, fd, NULL, 0, 0);
    equal("close", made(), 0);
    request(IORING_OP_OPENAT, AT_FDCWD, "/nonexistent", 0, 0);
    equal("openat of nothing", made(), -ENOENT);
    struct __kernel_timespec short_while = {.tv_nsec = 20000000};
    request(IORING_OP_TIMEOUT, -1, &short_while, 1, 0);
    equal("timeout", made(), -ETIME);
    struct statx about;
    sqe = request(IORING_OP_STATX, AT_FDCWD, "/", STATX_TYPE, (uintptr_t)&about);
    equal("statx", made(), 0);
    check("a directory", S_ISDIR(about.stx_mode));
    request(IORING_OP_READ, fd, text, 5, 0);
    equal("read of what is closed", made(), -EBADF);
}

static void registered(void) {
    int file = file_of("0123456789");
    char first[8] = {0}, second[8] = {0};
    struct iovec buffers[] = {{first, sizeof first}, {second, sizeof second}};
    succeeds("register buffers", syscall(SYS_io_uring_register, ring.fd, IORING_REGISTER_BUFFERS, buffers, 2));
    struct io_uring_sqe *sqe = request(IORING_OP_READ_FIXED, file, second, 4, 3);
    sqe->buf_index = 1;
    equal("read into one", made(), 4);
    check("into the second", !strcmp(second, "3456"));
    request(IORING_OP_READ_FIXED, file, second, 4, 3)->buf_index = 0;
    equal("outside of one", made(), -EFAULT);
    fails("register again", syscall(SYS_io_uring_register, ring.fd, IORING_REGISTER_BUFFERS, buffers, 2), EBUSY);
    succeeds("unregister", syscall(SYS_io_uring_register, ring.fd, IORING_UNREGISTER_BUFFERS, NULL, 0));
    fails("unregister again", syscall(SYS_io_uring_register, ring.fd, IORING_UNREGISTER_BUFFERS, NULL, 0), ENXIO);
    fails("buffers that cannot be read", syscall(SYS_io_uring_register, ring.fd, IORING_REGISTER_BUFFERS, forbidden(), 2), EFAULT);
    fails("no buffers", syscall(SYS_io_uring_register, ring.fd, IORING_REGISTER_BUFFERS, buffers, 0), EINVAL);
    fails("too many buffers", syscall(SYS_io_uring_register, ring.fd, IORING_REGISTER_BUFFERS, buffers, 0x10001), EINVAL);
    unsigned long long tags[2] = {1, 2};
    struct io_uring_rsrc_register both = {.nr = 2, .data = (uintptr_t)buffers, .tags = (uintptr_t)tags};
    succeeds("register buffers with tags", syscall(SYS_io_uring_register, ring.fd, IORING_REGISTER_BUFFERS2, &both, sizeof both));
    struct iovec other = {first, 4};
    struct io_uring_rsrc_update2 update = {.offset = 1, .data = (uintptr_t)&other, .tags = (uintptr_t)(tags + 1), .nr = 1};
    equal("put one in the place of the second", syscall(SYS_io_uring_register, ring.fd, IORING_REGISTER_BUFFERS_UPDATE, &update, sizeof update), 1);
    equal("its tag", result(), 0);
    request(IORING_OP_READ_FIXED, file, first, 4, 0)->buf_index = 1;
    equal("read into the new one", made(), 4);
    check("into that", !memcmp(first, "0123", 4));
    succeeds("unregister those", syscall(SYS_io_uring_register, ring.fd, IORING_UNREGISTER_BUFFERS, NULL, 0));
    // Linux 6.18 tells the tags of what is unregistered at once, 6.12 does not.
    *word(ring.params.cq_off.head) = *word(ring.params.cq_off.tail);
    int files[] = {file, -1}, event = must(eventfd(0, EFD_NONBLOCK));
    succeeds("register files", syscall(SYS_io_uring_register, ring.fd, IORING_REGISTER_FILES, files, 2));
    succeeds("register an eventfd", syscall(SYS_io_uring_register, ring.fd, IORING_REGISTER_EVENTFD, &event, 1));
    request(IORING_OP_READ, 0, first, 4, 6)->flags = IOSQE_FIXED_FILE;
    equal("read of a registered file", made(), 4);
    check("from its position", !memcmp(first, "6789", 4));
    unsigned long long told = 0;
    check("the eventfd is told", read(event, &told, 8) == 8 && told == 1);
    close(event);
    close(file);
    struct io_uring_probe *probe = calloc(1, sizeof *probe + 256 * sizeof *probe->ops);
    succeeds("probe", syscall(SYS_io_uring_register, ring.fd, IORING_REGISTER_PROBE, probe, 256));
    check("it knows readv", probe->ops[IORING_OP_READV].flags & IO_URING_OP_SUPPORTED);
    check("it knows no other", !(probe->ops[200].flags & IO_URING_OP_SUPPORTED));
    free(probe);
}

static void calls(void) {
    struct io_uring_params params = {.flags = 1u << 31};
    fails("setup, flags", syscall(SYS_io_uring_setup, 4, &params), EINVAL);
    fails("setup, no parameters", syscall(SYS_io_uring_setup, 4, forbidden()), EFAULT);
    params = (struct io_uring_params){.resv = {1}};
    fails("setup, reserved", syscall(SYS_io_uring_setup, 4, &params), EINVAL);
    params = (struct io_uring_params){0};
    fails("setup, no entries", syscall(SYS_io_uring_setup, 0, &params), EINVAL);
    fails("setup, too many", syscall(SYS_io_uring_setup, 1000000, &params), EINVAL);
    fails("enter, no descriptor", enter(99, 1, 0, 0), EBADF);
    fails("enter, no ring", enter(0, 1, 0, 0), EOPNOTSUPP);
    fails("enter, flags", enter(ring.fd, 1, 0, 0x40000000), EINVAL);
    fails("register, no descriptor", syscall(SYS_io_uring_register, 99, IORING_REGISTER_PROBE, NULL, 0), EBADF);
    fails("register, no ring", syscall(SYS_io_uring_register, 0, IORING_REGISTER_PROBE, NULL, 0), EOPNOTSUPP);
    fails("register, no such", syscall(SYS_io_uring_register, ring.fd, 1000, NULL, 0), EINVAL);
    equal("nothing to submit", enter(ring.fd, 5, 0, 0), 0);
    struct __kernel_timespec soon = {.tv_nsec = 20000000};
    struct io_uring_getevents_arg until = {.ts = (uintptr_t)&soon};
    fails("nothing comes in time", syscall(SYS_io_uring_enter, ring.fd, 0, 1, IORING_ENTER_GETEVENTS | IORING_ENTER_EXT_ARG, &until, sizeof until), ETIME);
    check("a place of its own for a ring cannot be had, or can",
          mmap(ring.queue, 4096, PROT_READ, MAP_SHARED | MAP_FIXED, ring.fd, 0x30000000) == MAP_FAILED);
}

static void copies(void) {
    int file = file_of(""), other = must(dup(ring.fd));
    char text[] = "text";
    struct iovec out = {text, 4};
    request(IORING_OP_WRITEV, file, &out, 1, 0);
    equal("by a duplicate of the ring", must(enter(other, 1, 1, IORING_ENTER_GETEVENTS)), 1);
    equal("written", result(), 4);
    close(other);
    pid_t pid = must(fork());
    if (!pid) {
        request(IORING_OP_WRITEV, file, &out, 1, 4);
        _exit(made() != 4);
    }
    int status;
    must(waitpid(pid, &status, 0));
    equal("by a child", status, 0);
    equal("together", lseek(file, 0, SEEK_END), 8);
    int before = ring.fd;
    close(ring.fd);
    open_ring(0);
    equal("the descriptor is used again", ring.fd, before);
    request(IORING_OP_WRITEV, file, &out, 1, 8);
    equal("by another ring", made(), 4);
    close(file);
}

int main(void) {
    struct io_uring_params params = {0};
    int fd = syscall(SYS_io_uring_setup, 1, &params);
    if (fd < 0 && (errno == ENOSYS || errno == EPERM)) {
        say("there is no io_uring here\n");
        return 0;
    }
    close(fd);
    open_ring(0);
    check("addresses that a program can hold", (uintptr_t)ring.queue < UINTPTR_MAX);
    vectors();
    sockets();
    others();
    registered();
    calls();
    copies();
    return finish();
}
