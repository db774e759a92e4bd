// The i386 half of the fuzzer of system calls: executor CASES MILLISECONDS DIRECTORY
//
// Makes the calls of every case in a process of its own, and writes what each has returned and changed to standard output.
// Addresses, descriptors and file contents are the same in every run: nothing here depends on where the kernel puts things.
// The layout of both files is in execute.rs, and so are the constants below.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef uint32_t word;

// RUNS times two pages and one that is not mapped. The last ones can only be read.
#define AREA 0x20000000u
#define RUN 0x3000u
#define RUNS 48
#define FIRST_READ_ONLY 44
#define AREA_END (AREA + RUNS * RUN)
#define SHADOW 0x24000000u
// Where calls map what they map at an address of their choice: nothing, at first.
#define FIXED 0x28000000u
#define FIXED_PAGES 64
// No number that calls are made with, or the kernel would write there.
#define LOG 0x3b5c9000u
#define LOG_WORDS 0x40000u
#define MOST_CHANGES 1024

enum { PLAIN, PID, HANDLER, QUEUE, SEMAPHORES, SEGMENT, RESULT };
enum { RETURN = 1, REGISTERS, MEMORY, SIGNAL, FINAL };

struct log { word length, cursor, objects, object[3 * 64], signals[66], words[]; };
#define the_log ((struct log *)LOG)

static word queue, semaphores, segment, results[64];

static void put(word call, word what, word detail, word value) {
    if (the_log->length + 4 > LOG_WORDS - 512) return;
    word *at = the_log->words + the_log->length;
    at[0] = call, at[1] = what, at[2] = detail, at[3] = value;
    the_log->length += 4;
}

static void die(const char *what) {
    dprintf(2, "executor: %s: %s\n", what, strerror(errno));
    _exit(99);
}

static void handler(int signal, siginfo_t *info, void *context) {
    (void)context;
    int fault = signal == SIGSEGV || signal == SIGBUS || signal == SIGILL || signal == SIGFPE || signal == SIGTRAP;
    if (fault && info && (word)info > 0x10000 && info->si_code > 0) syscall(SYS_exit_group, 64 + signal);
    if (signal > 0 && signal < 66) the_log->signals[signal]++;
}

// All registers before and after, at fixed places, for the assembly.
struct frame { word in[7], out[7], flags, saved, esp, ds, es, fs; uint8_t xmm_in[128], xmm_out[128]; };
static struct frame frame __attribute__((aligned(16)));

__attribute__((noinline)) static void enter(void) {
    asm volatile(
        "pusha\n pushf\n"
        "movl %%esp, %[saved]\n"
        "movups %[xin], %%xmm0\n movups 16+%[xin], %%xmm1\n movups 32+%[xin], %%xmm2\n movups 48+%[xin], %%xmm3\n"
        "movups 64+%[xin], %%xmm4\n movups 80+%[xin], %%xmm5\n movups 96+%[xin], %%xmm6\n movups 112+%[xin], %%xmm7\n"
        "pushl $0x247\n popf\n"
        "movl 4+%[in], %%ebx\n movl 8+%[in], %%ecx\n movl 12+%[in], %%edx\n movl 16+%[in], %%esi\n movl 20+%[in], %%edi\n"
        "movl 24+%[in], %%ebp\n movl %[in], %%eax\n"
        "int $0x80\n"
        "movl %%eax, %[out]\n movl %%ebx, 4+%[out]\n movl %%ecx, 8+%[out]\n movl %%edx, 12+%[out]\n movl %%esi, 16+%[out]\n"
        "movl %%edi, 20+%[out]\n movl %%ebp, 24+%[out]\n"
        "movl %%esp, %[esp]\n movl %[saved], %%esp\n"
        "pushf\n popl %[flags]\n"
        "movw %%ds, %[ds]\n movw %%es, %[es]\n movw %%fs, %[fs]\n"
        "movups %%xmm0, %[xout]\n movups %%xmm1, 16+%[xout]\n movups %%xmm2, 32+%[xout]\n movups %%xmm3, 48+%[xout]\n"
        "movups %%xmm4, 64+%[xout]\n movups %%xmm5, 80+%[xout]\n movups %%xmm6, 96+%[xout]\n movups %%xmm7, 112+%[xout]\n"
        "popf\n popa\n"
        : [out] "=m"(frame.out), [flags] "=m"(frame.flags), [saved] "=m"(frame.saved), [esp] "=m"(frame.esp),
          [ds] "=m"(frame.ds), [es] "=m"(frame.es), [fs] "=m"(frame.fs), [xout] "=m"(frame.xmm_out)
        : [in] "m"(frame.in), [xin] "m"(frame.xmm_in)
        : "memory");
}

static word value(word kind, word plain) {
    switch (kind) {
    case PID: return getpid();
    case HANDLER: return (word)handler;
    case QUEUE: return queue;
    case SEMAPHORES: return semaphores;
    case SEGMENT: return segment;
    case RESULT: return results[plain % 64];
    default: return plain;
    }
}

static int move(int fd, int to) {
    if (fd < 0) return -1; // The kernel has no such thing: the number stays free, on both sides.
    if (dup2(fd, to) < 0) die("dup2");
    if (fd != to) close(fd);
    return to;
}

static void file(const char *name, int mode) {
    static char text[8192];
    for (unsigned i = 0; i < sizeof text; i++) text[i] = 'a' + i % 26;
    int fd = open(name, O_CREAT | O_WRONLY | O_EXCL, mode);
    if (fd < 0 || write(fd, text, sizeof text) != sizeof text || close(fd)) die(name);
}

static void scenery(int number) {
    char name[32];
    snprintf(name, sizeof name, "case-%d", number);
    if (mkdir(name, 0755) || chdir(name)) die(name);
    umask(022);
    file("f", 0644), file("g", 0600), file("x", 0755);
    if (mkdir("d", 0755) || symlink("f", "l") || symlink("loop", "loop")) die("scenery");
    file("d/y", 0444);
    int null = open("/dev/null", O_RDWR), pair[2];
    for (int fd = 0; fd < 3; fd++) dup2(null, fd);
    close(null);
    // From above, so that what is opened on the way never takes the place of another.
    for (int fd = 3; fd < 64; fd++) close(fd);
    move(open("f", O_RDWR), 40), move(open("f", O_RDONLY), 41), move(open("g", O_WRONLY | O_APPEND), 42);
    if (pipe2(pair, O_NONBLOCK)) die("pipe");
    move(pair[0], 43), move(pair[1], 44);
    if (write(44, "0123456789abcdefghijklmnopqrstuvwxyz", 36) != 36) die("pipe");
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair)) die("socketpair");
    move(pair[0], 45), move(pair[1], 46);
    if (write(46, "0123456789abcdefghijklmnopqrstuvwxyz", 36) != 36) die("socketpair");
    if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0, pair)) die("socketpair");
    move(pair[0], 47), move(pair[1], 48);
    for (int i = 0; i < 3; i++)
        if (write(48, "0123456789abcdefghijklmnopqrstuvwxyz", 12 * (i + 1)) < 0) die("socketpair");
    move(socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0), 49);
    move(socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), 50);
    move(epoll_create1(0), 51), move(eventfd(3, EFD_NONBLOCK), 52), move(open("d", O_RDONLY | O_DIRECTORY), 53);
    move(timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK), 54);
    sigset_t set;
    sigemptyset(&set), sigaddset(&set, SIGUSR2);
    move(signalfd(-1, &set, SFD_NONBLOCK), 55);
    move(inotify_init1(IN_NONBLOCK), 56), move(syscall(SYS_memfd_create, "m", 2), 57), move(open("f", O_PATH), 58);
    move(syscall(SYS_pidfd_open, getpid(), 0), 59);
    // Where they are in calls: 3 to 22.
    for (int fd = 40; fd < 60; fd++)
        if (fcntl(fd, F_GETFD) >= 0) dup2(fd, fd - 37), close(fd);
    queue = msgget(IPC_PRIVATE, 0600), semaphores = semget(IPC_PRIVATE, 4, 0600), segment = shmget(IPC_PRIVATE, 8192, 0600);
    the_log->object[0] = 'q', the_log->object[1] = queue, the_log->object[2] = 's', the_log->object[3] = semaphores;
    the_log->object[4] = 'm', the_log->object[5] = segment, the_log->objects = 6;
    syscall(SYS_keyctl, 1 /* KEYCTL_JOIN_SESSION_KEYRING */, 0);
    struct sigaction action = {.sa_flags = SA_SIGINFO | SA_RESTART};
    action.sa_sigaction = handler;
    for (int signal = 1; signal < 32; signal++)
        if (signal != SIGKILL && signal != SIGSTOP && signal != SIGCHLD) sigaction(signal, &action, 0);
    sigaction(34, &action, 0);
    struct { int what; rlim_t soft; } limits[] = {{RLIMIT_CORE, 0}, {RLIMIT_NOFILE, 64}, {RLIMIT_FSIZE, 1 << 20}, {RLIMIT_CPU, 20}};
    for (int i = 0; i < 4; i++) {
        struct rlimit limit = {limits[i].soft, limits[i].soft};
        if (i == 1) limit.rlim_max = 1024;
        setrlimit(limits[i].what, &limit);
    }
}

// What has changed in the area since the last look.
static void look(word call) {
    word changes = 0, rest = 0;
    for (word run = 0; run < FIRST_READ_ONLY; run++) {
        word *now = (word *)(AREA + run * RUN), *before = (word *)(SHADOW + run * RUN);
        if (!memcmp(now, before, 0x2000)) continue;
        for (word i = 0; i < 0x800; i++) {
            if (now[i] == before[i]) continue;
            if (changes++ < MOST_CHANGES) put(call, MEMORY, (word)(now + i), now[i]);
            else rest = rest * 31 + now[i] + i;
            before[i] = now[i];
        }
    }
    if (rest) put(call, MEMORY, 0, rest);
}

static void final(void) {
    word call = 1000;
    for (int fd = 3; fd < 40; fd++) {
        int flags = fcntl(fd, F_GETFD), status = fcntl(fd, F_GETFL);
        if (flags == -1 && errno == EBADF) continue;
        put(call, FINAL, fd, flags);
        // Without O_LARGEFILE, which biarch has to set: docs/known-gaps.md.
        put(call, FINAL, 100 + fd, status & ~0100000);
        put(call, FINAL, 200 + fd, lseek(fd, 0, SEEK_CUR));
    }
    struct stat about;
    put(call, FINAL, 300, stat("f", &about) ? -1 : about.st_size);
    put(call, FINAL, 301, about.st_mode);
    put(call, FINAL, 302, stat("g", &about) ? -1 : about.st_size);
    for (word page = 0; page < FIXED_PAGES; page++) {
        unsigned char there;
        put(call, FINAL, 400 + page, mincore((void *)(FIXED + page * 4096), 4096, &there));
    }
    word mask[2] = {0}, pending[2] = {0};
    syscall(SYS_rt_sigprocmask, 0, 0, mask, 8), syscall(SYS_rt_sigpending, pending, 8);
    put(call, FINAL, 500, mask[0]), put(call, FINAL, 501, mask[1]);
    put(call, FINAL, 502, pending[0]), put(call, FINAL, 503, pending[1]);
    put(call, FINAL, 504, umask(0));
}

static void note_object(const word *in, word result) {
    if ((int)result < 0 || the_log->objects > 180) return;
    word kind = 0, low = in[1] & 0xffff;
    if (in[0] == 393 || (in[0] == 117 && low == 2)) kind = 's';
    if (in[0] == 395 || (in[0] == 117 && low == 23)) kind = 'm';
    if (in[0] == 399 || (in[0] == 117 && low == 13)) kind = 'q';
    if (kind) the_log->object[the_log->objects++] = kind, the_log->object[the_log->objects++] = result;
}

static void play(int number, const word *at) {
    setsid();
    scenery(number);
    for (word run = 0; run < RUNS; run++) {
        if (mmap((void *)(AREA + run * RUN), 0x2000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED ||
            mmap((void *)(SHADOW + run * RUN), 0x2000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
            die("mmap");
        memset((void *)(AREA + run * RUN), 0xa5, 0x2000);
    }
    for (word blobs = *at++; blobs; blobs--) {
        word to = *at++, bytes = *at++;
        memcpy((void *)to, at, bytes);
        at += (bytes + 3) / 4;
        for (word references = *at++; references; references--) {
            word offset = *at++, kind = *at++, plain = *at++;
            word v = value(kind, plain);
            if (offset + 4 <= bytes) memcpy((char *)to + offset, &v, 4);
        }
    }
    for (word run = 0; run < RUNS; run++) memcpy((void *)(SHADOW + run * RUN), (void *)(AREA + run * RUN), 0x2000);
    for (word run = FIRST_READ_ONLY; run < RUNS; run++)
        if (mprotect((void *)(AREA + run * RUN), 0x2000, PROT_READ)) die("mprotect");
    for (word i = 0; i < sizeof frame.xmm_in; i++) frame.xmm_in[i] = i * 7 + 1;
    word calls = *at++;
    for (word call = 0; call < calls; call++) {
        frame.in[0] = *at++;
        for (int i = 1; i < 7; i++, at += 2) frame.in[i] = value(at[0], at[1]);
        memset(frame.xmm_out, 0, sizeof frame.xmm_out);
        frame.fs = frame.ds = frame.es = 0;
        the_log->cursor = call + 1;
        enter();
        results[call % 64] = frame.out[0];
        note_object(frame.in, frame.out[0]);
        put(call, RETURN, 0, frame.out[0]);
        for (int i = 1; i < 7; i++)
            if (frame.out[i] != frame.in[i]) put(call, REGISTERS, i, frame.out[i]);
        // The flags of arithmetic, and the direction.
        if ((frame.flags & 0xcd5) != (0x247 & 0xcd5)) put(call, REGISTERS, 7, frame.flags & 0xcd5);
        if (frame.esp != frame.saved) put(call, REGISTERS, 8, frame.esp - frame.saved);
        put(call, REGISTERS, 9, frame.ds), put(call, REGISTERS, 10, frame.es), put(call, REGISTERS, 11, frame.fs);
        if (memcmp(frame.xmm_in, frame.xmm_out, sizeof frame.xmm_in)) put(call, REGISTERS, 12, 1);
        look(call);
    }
    the_log->cursor = 1000;
    final();
    the_log->cursor = 2000;
    syscall(SYS_exit_group, 0);
}

static void give(const void *from, size_t bytes) {
    for (size_t done = 0; done < bytes;) {
        ssize_t wrote = write(1, (const char *)from + done, bytes - done);
        if (wrote <= 0) _exit(98);
        done += wrote;
    }
}

static word wait_for(pid_t child, int limit) {
    int status = 0, pause = 100;
    for (long waited = 0; waited < limit * 1000L; waited += pause) {
        pid_t got = waitpid(child, &status, WNOHANG | WUNTRACED);
        if (got == child && WIFSTOPPED(status)) break;
        if (got == child) return WIFSIGNALED(status) ? 0x100 + WTERMSIG(status) : WEXITSTATUS(status);
        nanosleep(&(struct timespec){0, pause * 1000}, 0);
        if (pause < 5000) pause *= 2;
    }
    word end = WIFSTOPPED(status) ? 0x201 : 0x200;
    kill(-child, SIGKILL), kill(child, SIGKILL);
    waitpid(child, &status, 0);
    return end;
}

int main(int argc, char **argv) {
    if (argc < 4 || chdir(argv[3])) die("usage: executor CASES MILLISECONDS DIRECTORY");
    int fd = open(argv[1], O_RDONLY);
    struct stat about;
    if (fd < 0 || fstat(fd, &about)) die(argv[1]);
    const word *cases = mmap((void *)0x50000000, about.st_size + 1, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd, 0);
    if (cases == MAP_FAILED) die("mmap");
    close(fd);
    if (mmap((void *)LOG, sizeof(struct log) + LOG_WORDS * 4, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
        die("mmap");
    // Names of queues and of IPC objects are the machine's: of our own where that may be. Nobody's rights are enough for the rest.
    if (geteuid() == 0) {
        unshare(CLONE_NEWIPC);
        syscall(SYS_setgroups32, 0, 0);
        if (syscall(SYS_setresgid32, 65534, 65534, 65534) || syscall(SYS_setresuid32, 65534, 65534, 65534)) die("setresuid");
    }
    int limit = atoi(argv[2]), number = 0;
    const word *end = cases + about.st_size / 4;
    for (const word *at = cases; at < end; at += 1 + *at, number++) {
        memset(the_log, 0, sizeof *the_log);
        pid_t child = fork();
        if (child < 0) die("fork");
        if (!child) play(number, at + 1);
        word how = wait_for(child, limit);
        for (word i = 0; i + 1 < the_log->objects && i < 190; i += 2) {
            word id = the_log->object[i + 1];
            if (the_log->object[i] == 'q') msgctl(id, IPC_RMID, 0);
            if (the_log->object[i] == 's') semctl(id, 0, IPC_RMID);
            if (the_log->object[i] == 'm') shmctl(id, IPC_RMID, 0);
        }
        word length = the_log->length < LOG_WORDS ? the_log->length : 0, signals = 0;
        for (word i = 0; i < 66; i++) signals += the_log->signals[i] != 0;
        word head[3] = {length + 4 * signals, how, the_log->cursor};
        give(head, sizeof head);
        give(the_log->words, length * 4);
        for (word i = 0; i < 66; i++)
            if (the_log->signals[i]) give((word[]){1001, SIGNAL, i, the_log->signals[i]}, 16);
    }
    return 0;
}
