// The same system calls through every way into the kernel, by an instruction that is chosen here and not by the C library, whose
// versions differ in that; and one crossing for many calls, by io_uring. docs/entry-designs.md says what the ways are.
#define _GNU_SOURCE
#include "bench.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// A system call whose sixth argument is 0. A failure is a negative number. Each way is a function, as in C libraries: behind one
// there is filler, which `--entry patched` needs.
#if defined(__i386__)
#define WAY(name, instruction)                                                                                                 \
    static __attribute__((noinline, noclone)) long name(long number, long a, long b, long c, long d, long e) {                 \
        long result;                                                                                                           \
        __asm__ volatile("push %%ebp; xor %%ebp, %%ebp; " instruction "; pop %%ebp"                                            \
                         : "=a"(result)                                                                                        \
                         : "a"(number), "b"(a), "c"(b), "d"(c), "S"(d), "D"(e)                                                 \
                         : "memory", "cc");                                                                                    \
        return result;                                                                                                         \
    }                                                                                                                          \
    __asm__(".text; .skip 16, 0x90");
// The C library keeps the address of __kernel_vsyscall in the thread's control block.
WAY(by_vdso, "call *%%gs:0x10")
WAY(by_int80, "int $0x80")
#else
static __attribute__((noinline, noclone)) long by_vdso(long number, long a, long b, long c, long d, long e) {
    long result = syscall(number, a, b, c, d, e, 0L);
    return result < 0 ? -errno : result;
}
#define by_int80 by_vdso
#endif

typedef long way(long number, long a, long b, long c, long d, long e);

#ifdef SYS_clock_gettime64
enum { CLOCK = SYS_clock_gettime64 };
#else
enum { CLOCK = SYS_clock_gettime };
#endif
#ifdef SYS_fstat64
enum { FSTAT = SYS_fstat64 };
#else
enum { FSTAT = SYS_fstat };
#endif
#ifdef SYS_mmap2
enum { MMAP = SYS_mmap2 };
#else
enum { MMAP = SYS_mmap };
#endif

static long must(long result, const char *what) {
    if (result >= 0) return result;
    errno = (int)-result;
    die(what);
}

static int zero_file, null_file;

// "CALL WAY"
static uint64_t run_call(unsigned long n, const char *what) {
    way *const enter = strstr(what, "int80") ? by_int80 : by_vdso;
    char buffer[256];
    struct statx found;
    int64_t now[2], zero[2];
    struct pollfd poll = {.events = POLLIN};
    zero_file = open("/dev/zero", O_RDONLY | O_CLOEXEC), null_file = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (zero_file < 0 || null_file < 0) die("/dev/zero");
    poll.fd = zero_file;
#define REPEAT(call)                                                                                                           \
    do {                                                                                                                       \
        begin();                                                                                                               \
        for (unsigned long i = 0; i < n; i++) { call; }                                                                        \
        end();                                                                                                                 \
    } while (0)
    switch (what[0]) {
    case 'g': REPEAT(must(enter(SYS_getppid, 0, 0, 0, 0, 0), "getppid")); break;
    case 'c': REPEAT(must(enter(CLOCK, CLOCK_MONOTONIC, (long)now, 0, 0, 0), "clock_gettime")); break;
    case 'r': REPEAT(must(enter(SYS_read, zero_file, (long)buffer, 1, 0, 0), "read")); break;
    case 'w': REPEAT(must(enter(SYS_write, null_file, (long)buffer, 1, 0, 0), "write")); break;
    case 'f': REPEAT(must(enter(FSTAT, null_file, (long)buffer, 0, 0, 0), "fstat")); break;
    case 's': REPEAT(must(enter(SYS_statx, AT_FDCWD, (long)"/dev/null", 0, STATX_BASIC_STATS, (long)&found), "statx")); break;
    // The kernel writes the time that is left: it is set again. The old calls read the first half of it.
    case 'p': REPEAT(zero[0] = zero[1] = 0; must(enter(SYS_ppoll, (long)&poll, 1, (long)zero, 0, 0), "ppoll")); break;
    case 'o':
        REPEAT(long fd = must(enter(SYS_openat, AT_FDCWD, (long)"/dev/null", O_RDONLY, 0, 0), "openat");
               must(enter(SYS_close, fd, 0, 0, 0, 0), "close"));
        break;
    default:
        // Addresses above 2 GiB are negative, like the last 4095 numbers, which alone are failures.
        REPEAT(long area = enter(MMAP, 0, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
               if ((unsigned long)area > -4096ul) must(area, "mmap"); must(enter(SYS_munmap, area, 65536, 0, 0, 0), "munmap"));
        break;
    }
    close(zero_file), close(null_file);
    return 0;
}

#define VDSO(name, marks, title)                                                                                               \
    BENCH_MARKED(designs, name##_vdso, run_call, #name " vdso", marks, title ", through the vDSO as i386")
#define INT80(name, marks, title)                                                                                              \
    BENCH_MARKED(designs, name##_int80, run_call, #name " int80", marks, title ", by int $0x80 as i386")
#define CALL(name, title) VDSO(name, "entries shown asked", title) INT80(name, "entries shown asked", title)

VDSO(getppid, "entries shown", "getppid(2), which does nothing")
INT80(getppid, "entries shown", "getppid(2), which does nothing")
VDSO(fstat, "entries shown", "fstat(2), whose structure differs")
INT80(fstat, "entries shown asked", "fstat(2), whose structure differs")
CALL(clock, "clock_gettime(2)")
CALL(read, "read(2) of a byte from /dev/zero")
CALL(write, "write(2) of a byte to /dev/null")
CALL(statx, "statx(2) of /dev/null")
CALL(ppoll, "ppoll(2) of a file that is ready, whose time differs")
CALL(open, "openat(2) and close(2)")
CALL(mmap, "mmap(2) of 64 KiB and munmap(2)")

// A ring of io_uring: what both sides of it have in common.
struct ring {
    int fd;
    unsigned *sq_tail, *sq_array, *cq_head, *cq_tail, sq_mask, cq_mask;
    struct io_uring_sqe *sqes;
    struct io_uring_cqe *cqes;
};

enum { ENTRIES = 64 };

// Where a ring is lent, its memory is two pages of a file: entries of the submission queue, and both rings.
#define LENT "BIARCH_RING"

// usage: worker lend COMMAND...
//
// Executes a command with a ring that it may use. A program under `biarch run` cannot make one: most requests would be read with
// 64-bit layouts. Those made here are not among them.
void lend_ring(char **command) {
    // IORING_SETUP_NO_MMAP of Linux 6.5: headers may be older. The last field of both structures is then `user_addr`.
    struct io_uring_params params = {.flags = 1u << 14};
    int memory = memfd_create("biarch-ring", 0);
    if (memory < 0 || ftruncate(memory, 2 * 4096) != 0) die("memfd_create");
    char *pages = mmap(NULL, 2 * 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, memory, 0);
    if (pages == MAP_FAILED) die("mmap");
    const uint64_t sqes = (uintptr_t)pages, queues = (uintptr_t)(pages + 4096);
    memcpy((char *)(&params.sq_off + 1) - sizeof sqes, &sqes, sizeof sqes);
    memcpy((char *)(&params.cq_off + 1) - sizeof queues, &queues, sizeof queues);
    int fd = (int)syscall(SYS_io_uring_setup, ENTRIES, &params);
    if (fd >= 0) {
        char text[200];
        fcntl(fd, F_SETFD, 0);
        snprintf(text, sizeof text, "%d %d %u %u %u %u %u %u %u", fd, memory, params.sq_off.tail, params.sq_off.array,
                 params.sq_off.ring_mask, params.cq_off.head, params.cq_off.tail, params.cq_off.ring_mask, params.cq_off.cqes);
        setenv(LENT, text, 1);
    } else {
        setenv(LENT, strerror(errno), 1);
    }
    execv(command[0], command);
    die(command[0]);
}

static void *mapped(int fd, size_t size, off_t offset) {
    void *area = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, offset);
    if (area == MAP_FAILED) die("mmap of a ring");
    return area;
}

static void find_queues(struct ring *ring, char *queues, const struct io_uring_params *params) {
    ring->sq_tail = (unsigned *)(queues + params->sq_off.tail);
    ring->sq_array = (unsigned *)(queues + params->sq_off.array);
    ring->sq_mask = *(unsigned *)(queues + params->sq_off.ring_mask);
    ring->cq_head = (unsigned *)(queues + params->cq_off.head);
    ring->cq_tail = (unsigned *)(queues + params->cq_off.tail);
    ring->cq_mask = *(unsigned *)(queues + params->cq_off.ring_mask);
    ring->cqes = (struct io_uring_cqe *)(queues + params->cq_off.cqes);
}

static _Noreturn void missing_because(const char *what, const char *why) {
    char text[200];
    snprintf(text, sizeof text, "%s: %s", what, why);
    missing(text);
}

// One for the whole process.
static struct ring *ring(void) {
    static struct ring made;
    struct io_uring_params params = {0};
    const char *lent = getenv(LENT);
    int memory;
    if (made.sqes) return &made;
    if (lent) {
        if (sscanf(lent, "%d %d %u %u %u %u %u %u %u", &made.fd, &memory, &params.sq_off.tail, &params.sq_off.array,
                   &params.sq_off.ring_mask, &params.cq_off.head, &params.cq_off.tail, &params.cq_off.ring_mask,
                   &params.cq_off.cqes) != 9)
            missing_because("no ring of io_uring could be made that can be lent, which needs Linux 6.5", lent);
        made.sqes = mapped(memory, 4096, 0);
        find_queues(&made, mapped(memory, 4096, 4096), &params);
        return &made;
    }
    made.fd = (int)syscall(SYS_io_uring_setup, ENTRIES, &params);
    if (made.fd < 0) missing_because("no ring of io_uring (look at kernel.io_uring_disabled)", strerror(errno));
    if (!(params.features & IORING_FEAT_SINGLE_MMAP)) missing("io_uring of this kernel is older than Linux 5.4");
    find_queues(&made, mapped(made.fd, params.sq_off.array + ENTRIES * sizeof(unsigned) + params.cq_entries * sizeof *made.cqes,
                              IORING_OFF_SQ_RING), &params);
    made.sqes = mapped(made.fd, ENTRIES * sizeof *made.sqes, IORING_OFF_SQES);
    return &made;
}

// "OPERATION SIZE": n operations, `size` of them with one crossing.
static uint64_t run_batch(unsigned long n, const char *what) {
    struct ring *to = ring();
    static char bytes[ENTRIES];
    static struct statx found[ENTRIES];
    const unsigned size = (unsigned)strtoul(strchr(what, ' '), NULL, 10);
    struct io_uring_sqe sqe = {.fd = -1};
    int expected = 0;
    switch (what[0]) {
    case 'n': sqe.opcode = IORING_OP_NOP; break;
    case 'r': sqe.opcode = IORING_OP_READ, sqe.fd = open("/dev/zero", O_RDONLY | O_CLOEXEC), sqe.len = expected = 1; break;
    case 'w': sqe.opcode = IORING_OP_WRITE, sqe.fd = open("/dev/null", O_WRONLY | O_CLOEXEC), sqe.len = expected = 1; break;
    default:
        sqe.opcode = IORING_OP_STATX, sqe.fd = AT_FDCWD, sqe.len = STATX_BASIC_STATS;
        sqe.addr = (uint64_t)(uintptr_t)"/dev/null";
    }
    begin();
    for (unsigned long done = 0; done < n;) {
        unsigned now = n - done < size ? (unsigned)(n - done) : size, tail = *to->sq_tail;
        for (unsigned at = 0; at < now; at++, tail++) {
            unsigned slot = tail & to->sq_mask;
            if (expected) sqe.addr = (uint64_t)(uintptr_t)&bytes[at];
            if (sqe.opcode == IORING_OP_STATX) sqe.off = (uint64_t)(uintptr_t)&found[at];
            to->sqes[slot] = sqe;
            to->sq_array[slot] = slot;
        }
        __atomic_store_n(to->sq_tail, tail, __ATOMIC_RELEASE);
        long taken = must(by_vdso(SYS_io_uring_enter, to->fd, now, now, IORING_ENTER_GETEVENTS, 0), "io_uring_enter");
        if (taken != (long)now) errno = 0, die("io_uring_enter took less than it was given");
        unsigned head = *to->cq_head, ready = __atomic_load_n(to->cq_tail, __ATOMIC_ACQUIRE);
        if (ready - head != now) errno = 0, die("io_uring completed less than it was given");
        for (; head != ready; head++) {
            int result = to->cqes[head & to->cq_mask].res;
            if (result == -EINVAL) missing("this kernel's io_uring does not have this operation");
            if (result != expected) must(result < 0 ? result : -EIO, what);
        }
        __atomic_store_n(to->cq_head, head, __ATOMIC_RELEASE);
        done += now;
    }
    end();
    if (sqe.fd >= 0) close(sqe.fd);
    return 0;
}

#define BATCH(operation, size, marks, title)                                                                                   \
    BENCH_MARKED(designs, batch_##operation##_##size, run_batch, #operation " " #size, marks, title ", " #size " with one crossing")
#define BATCHES(operation, marks, title)                                                                                       \
    BATCH(operation, 1, marks, title)                                                                                          \
    BATCH(operation, 2, "entries shown asked", title)                                                                                \
    BATCH(operation, 4, "entries shown asked", title)                                                                                \
    BATCH(operation, 8, "entries shown asked", title)                                                                                \
    BATCH(operation, 16, marks, title)                                                                                         \
    BATCH(operation, 32, "entries shown asked", title)                                                                               \
    BATCH(operation, 64, "entries shown asked", title)

BATCHES(nop, "entries shown", "a request of io_uring that does nothing")
BATCHES(read, "entries shown asked", "read(2) of a byte from /dev/zero by io_uring")
BATCHES(write, "entries shown asked", "write(2) of a byte to /dev/null by io_uring")
BATCHES(statx, "entries shown asked", "statx(2) by io_uring")
