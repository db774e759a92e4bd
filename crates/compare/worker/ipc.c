// Messages between two processes, as the ping-pong of L4Ka::Pistachio sends them: a label and 0 to 60 words there, and back with
// one added to each. A message has the same layout in every ABI; the label is sign-extended into it and the words are
// zero-extended, as Pistachio does it between its 32- and 64-bit threads.
//
// The other end is a process of its own, which any worker can be: of this ABI, or of the other one.
#define _GNU_SOURCE
#include "bench.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <mqueue.h>
#include <sched.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORDS = 60 };

struct message {
    int64_t label;
    uint64_t words[WORDS];
};

// One direction in shared memory, no cache line of which is also one of the other direction.
struct channel {
    uint32_t posted;
    char apart[60];
    struct message message;
    char rest[24];
};

_Static_assert(offsetof(struct message, words) == 8 && sizeof(struct message) == 488, "the same in every ABI");
_Static_assert(offsetof(struct channel, message) == 64 && sizeof(struct channel) == 576, "the same in every ABI, in cache lines");

static const char *const kinds[] = {"futex", "eventfd", "pipe", "socket", "mqueue"};
enum kind { FUTEX, EVENTFD, PIPE, SOCKET, MQUEUE, KINDS };

// What a process has of a connection: where messages come from and where they go.
struct end {
    enum kind kind;
    size_t words;
    int in, out;
    struct channel *from, *to;
    // Messages that have come.
    uint32_t seen;
};

// What a process knows of a message: in words of its own size.
struct letter {
    long label;
    unsigned long words[WORDS];
};

static void pack(struct message *message, const struct letter *letter, size_t words) {
    message->label = letter->label;
    for (size_t at = 0; at < words; at++) message->words[at] = letter->words[at];
}

static void unpack(struct letter *letter, const struct message *message, size_t words) {
    letter->label = (long)message->label;
    for (size_t at = 0; at < words; at++) letter->words[at] = (unsigned long)message->words[at];
}

static size_t length(const struct end *end) { return offsetof(struct message, words) + end->words * sizeof(uint64_t); }

static void sent(ssize_t size, size_t whole) {
    if (size != (ssize_t)whole) die("cannot send to the other end");
}

static void received(ssize_t size, size_t whole) {
    if (size == (ssize_t)whole) return;
    if (size >= 0) errno = 0;
    die(size == 0 ? "the other end is gone" : "cannot receive from the other end");
}

static void post(struct end *end, const struct letter *letter) {
    struct message message;
    const uint64_t one = 1;
    switch (end->kind) {
    case FUTEX:
        pack(&end->to->message, letter, end->words);
        __atomic_fetch_add(&end->to->posted, 1, __ATOMIC_RELEASE);
        if (syscall(SYS_futex, &end->to->posted, FUTEX_WAKE, 1, NULL, NULL, 0) < 0) die("futex");
        break;
    case EVENTFD:
        pack(&end->to->message, letter, end->words);
        sent(write(end->out, &one, sizeof one), sizeof one);
        break;
    case PIPE:
    case SOCKET:
        pack(&message, letter, end->words);
        sent(write(end->out, &message, length(end)), length(end));
        break;
    default:
        pack(&message, letter, end->words);
        sent(mq_send(end->out, (char *)&message, length(end), 0), 0);
        break;
    }
}

static void wait_for(struct end *end, struct letter *letter) {
    struct message message;
    uint64_t count;
    switch (end->kind) {
    case FUTEX:
        while (__atomic_load_n(&end->from->posted, __ATOMIC_ACQUIRE) == end->seen)
            if (syscall(SYS_futex, &end->from->posted, FUTEX_WAIT, end->seen, NULL, NULL, 0) < 0 && errno != EAGAIN && errno != EINTR)
                die("futex");
        end->seen++;
        unpack(letter, &end->from->message, end->words);
        break;
    case EVENTFD:
        received(read(end->in, &count, sizeof count), sizeof count);
        unpack(letter, &end->from->message, end->words);
        break;
    case PIPE:
    case SOCKET:
        received(read(end->in, &message, length(end)), length(end));
        unpack(letter, &message, end->words);
        break;
    default:
        received(mq_receive(end->in, (char *)&message, sizeof message, NULL), length(end));
        unpack(letter, &message, end->words);
        break;
    }
}

// "KIND CPU WORDS"
static void parse(const char *argument, struct end *end, int *apart) {
    char kind[16], where[16];
    if (sscanf(argument, "%15s %15s %zu", kind, where, &end->words) != 3 || end->words > WORDS) die("which messages?");
    end->kind = 0;
    while (end->kind < KINDS && strcmp(kinds[end->kind], kind) != 0) end->kind++;
    if (end->kind == KINDS) die("which messages?");
    *apart = strcmp(where, "apart") == 0;
}

static void map(struct end *end, int memory, int first) {
    struct channel *channels = mmap(NULL, 2 * sizeof *channels, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    if (channels == MAP_FAILED) die("mmap");
    end->to = &channels[!first], end->from = &channels[first];
}

static int core_of(int cpu) {
    char path[80];
    int core = -1;
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/core_id", cpu);
    FILE *file = fopen(path, "re");
    if (!file) return -1;
    if (fscanf(file, "%d", &core) != 1) core = -1;
    fclose(file);
    return core;
}

// The processors of the two ends: one and the same, or two, of different cores where there are such.
static void processors(int apart, int cpus[2]) {
    static cpu_set_t allowed;
    if (CPU_COUNT(&allowed) == 0 && sched_getaffinity(0, sizeof allowed, &allowed) != 0) die("sched_getaffinity");
    cpus[0] = cpus[1] = -1;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (!CPU_ISSET(cpu, &allowed)) continue;
        if (cpus[0] < 0) cpus[0] = cpu;
        else if (cpus[1] < 0 || (core_of(cpus[1]) == core_of(cpus[0]) && core_of(cpu) != core_of(cpus[0]))) cpus[1] = cpu;
    }
    if (!apart) cpus[1] = cpus[0];
    else if (cpus[1] < 0) missing("there is only one processor");
}

static void pin(int cpu) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0) die("sched_setaffinity");
}

// Two descriptors for each process, [0] of the first and [1] of the second: what it receives from, and what it sends to.
static void connect_ends(enum kind kind, int in[2], int out[2]) {
    int there[2], back[2];
    in[0] = in[1] = out[0] = out[1] = -1;
    switch (kind) {
    case FUTEX: break;
    case EVENTFD:
        for (int at = 0; at < 2; at++)
            if ((out[at] = in[!at] = eventfd(0, EFD_CLOEXEC)) < 0) die("eventfd");
        break;
    case PIPE:
        if (pipe2(there, O_CLOEXEC) != 0 || pipe2(back, O_CLOEXEC) != 0) die("pipe");
        in[0] = back[0], out[0] = there[1], in[1] = there[0], out[1] = back[1];
        break;
    case SOCKET:
        if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, there) != 0) die("socketpair");
        for (int at = 0; at < 2; at++) in[at] = out[at] = there[at];
        break;
    default:
        for (int at = 0; at < 2; at++) {
            struct mq_attr attr = {.mq_maxmsg = 1, .mq_msgsize = sizeof(struct message)};
            char name[64];
            snprintf(name, sizeof name, "/biarch-%d-%d", (int)getpid(), at);
            out[at] = in[!at] = mq_open(name, O_RDWR | O_CREAT | O_EXCL, 0600, &attr);
            if (out[at] < 0 && errno == ENOSYS) missing("this kernel has no POSIX message queues");
            if (out[at] < 0) die("mq_open");
            mq_unlink(name);
        }
        break;
    }
}

// A process that dies while the other one waits for it would be waited for until the limit.
static void partner_died(int signal, siginfo_t *info, void *context) {
    (void)signal, (void)context;
    if (info->si_code == CLD_EXITED && info->si_status == 0) return;
    static const char says[] = "the process at the other end died\n";
    if (write(STDERR_FILENO, says, sizeof says - 1) < 0) _exit(1);
    _exit(1);
}

static pid_t start(const char *argument, int cpu, const int passed[4]) {
    char numbers[5][12];
    size_t words = 0;
    while (partner[words]) words++;
    char **line = calloc(words + 9, sizeof *line);
    if (!line) die("calloc");
    for (size_t at = 0; at < words; at++) line[at] = partner[at];
    // Where nobody says what runs a worker, the kernel does.
    if (words == 0) line[words++] = "/proc/self/exe";
    line[words++] = "partner", line[words++] = (char *)argument;
    for (int at = 0; at < 5; at++) {
        snprintf(numbers[at], sizeof numbers[at], "%d", at == 4 ? cpu : passed[at]);
        line[words++] = numbers[at];
    }
    struct sigaction action = {.sa_sigaction = partner_died, .sa_flags = SA_SIGINFO | SA_RESTART | SA_NOCLDSTOP};
    if (sigaction(SIGCHLD, &action, NULL) != 0) die("sigaction");
    pid_t parent = getpid(), child = fork();
    if (child < 0) die("fork");
    if (child == 0) {
        // Nor is this process to be left behind.
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(1);
        for (int at = 0; at < 4; at++)
            if (passed[at] >= 0) fcntl(passed[at], F_SETFD, 0);
        execv(line[0], line);
        die(line[0]);
    }
    free(line);
    return child;
}

static void answer(struct end *end) {
    struct letter letter;
    wait_for(end, &letter);
    letter.label--;
    for (size_t at = 0; at < end->words; at++) letter.words[at]++;
    post(end, &letter);
}

// usage: worker partner ARGUMENT MEMORY CONTROL IN OUT CPU
int be_partner(int argc, char **argv) {
    struct end end = {0};
    int apart;
    unsigned long n;
    if (argc != 8) die("usage: worker partner ARGUMENT MEMORY CONTROL IN OUT CPU");
    parse(argv[2], &end, &apart);
    int control = atoi(argv[4]);
    end.in = atoi(argv[5]), end.out = atoi(argv[6]);
    map(&end, atoi(argv[3]), 0);
    pin(atoi(argv[7]));
    uint64_t count;
    sent(write(control, "", 1), 1);
    received(read(control, &count, sizeof count), sizeof count);
    for (n = (unsigned long)count; n > 0; n--) answer(&end);
    // It ends when it is told to, so that its end is no part of what is measured.
    char byte;
    return read(control, &byte, 1) == 0 ? 0 : 1;
}

static uint64_t run_messages(unsigned long n, const char *argument) {
    struct end own = {0};
    int apart, cpus[2], in[2], out[2], control[2];
    parse(argument, &own, &apart);
    processors(apart, cpus);
    connect_ends(own.kind, in, out);
    int memory = memfd_create("biarch-messages", MFD_CLOEXEC);
    if (memory < 0 || ftruncate(memory, 2 * sizeof(struct channel)) != 0) die("memfd_create");
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, control) != 0) die("socketpair");
    map(&own, memory, 1);
    own.in = in[0], own.out = out[0];
    pid_t child = start(argument, cpus[1], (const int[]){memory, control[1], in[1], out[1]});
    close(control[1]);
    // What both have is not for this process to close: of the others, it would not see the own.
    if (own.kind == PIPE) close(in[1]), close(out[1]);
    if (own.kind == SOCKET) close(in[1]);
    pin(cpus[0]);
    char ready;
    uint64_t count = n;
    received(read(control[0], &ready, 1), 1);
    sent(write(control[0], &count, sizeof count), sizeof count);
    struct letter letter = {.label = -1};
    for (size_t at = 0; at < own.words; at++) letter.words[at] = at;
    begin();
    for (unsigned long at = 0; at < n; at++) {
        post(&own, &letter);
        wait_for(&own, &letter);
    }
    end();
    close(control[0]);
    int status;
    if (waitpid(child, &status, 0) != child || status != 0) die("the other end failed");
    uint64_t sum = (uint64_t)(int64_t)letter.label;
    for (size_t at = 0; at < own.words; at++) sum = sum * 31 + letter.words[at];
    munmap(own.to < own.from ? own.to : own.from, 2 * sizeof *own.to);
    close(memory), close(own.in);
    if (own.out != own.in) close(own.out);
    return sum;
}

#define MESSAGE(kind, where, words, marks, what)                                                                                \
    BENCH_MARKED(ipc, kind##_##where##_##words, run_messages, #kind " " #where " " #words, marks,                               \
                 #words " words there and back through " what)
#define SIZES(kind, where, marks, what)                                                                                         \
    MESSAGE(kind, where, 0, marks, what)                                                                                        \
    MESSAGE(kind, where, 4, "pair asked", what)                                                                                 \
    MESSAGE(kind, where, 8, "pair asked", what)                                                                                 \
    MESSAGE(kind, where, 16, "pair asked", what)                                                                                \
    MESSAGE(kind, where, 30, "pair asked", what)                                                                                \
    MESSAGE(kind, where, 45, "pair asked", what)                                                                                \
    MESSAGE(kind, where, 60, marks, what)
#define PLACES(kind, what)                                                                                                      \
    SIZES(kind, same, "pair", what ", both processes on one processor")                                                         \
    SIZES(kind, apart, "pair asked", what ", on two processors")

PLACES(futex, "shared memory and a futex")
PLACES(eventfd, "shared memory and eventfd")
PLACES(pipe, "pipes")
PLACES(socket, "a Unix-domain socket")
PLACES(mqueue, "POSIX message queues")
