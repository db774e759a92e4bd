// What a 32-bit program finds on this machine: a line `KEY VALUE` each. It needs no C library and no loader, so that it runs
// wherever the kernel runs 32-bit programs at all.
//
// Whatever may be refused, trap or be filtered is done in a child, so that the rest is still said. No instruction is timed that
// the kernel might emulate: it writes a line into its log for each.

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

// Exit statuses of a child: 0, an errno, WRONG, or SIGNAL and the signal's number.
#define WRONG 150
#define SIGNAL 160

static long call5(long number, long a, long b, long c, long d, long e);

static long call(long number, long a, long b, long c)
{
    return call5(number, a, b, c, 0, 0);
}

static unsigned long auxv(unsigned long type);
static int try(int (*what)(void));
static void report(const char *key, int (*what)(void));
static void measure(const char *key, int (*what)(void));

#if defined(__i386__)
#include "i386.h"
#elif defined(__arm__)
#include "arm.h"
#else
#error "no probe for this architecture"
#endif

// Numbers that i386 and ARM have in common.
enum {
    NR_EXIT = 1,
    NR_FORK = 2,
    NR_WRITE = 4,
    NR_GETUID16 = 24,
    NR_GETTIMEOFDAY = 78,
    NR_SETITIMER = 104,
    NR_WAIT4 = 114,
    NR_UNAME = 122,
    NR_PERSONALITY = 136,
    NR_NANOSLEEP = 162,
    NR_PRCTL = 172,
    NR_RT_SIGACTION = 174,
    NR_FUTEX = 240,
    NR_EXIT_GROUP = 248,
    NR_CLOCK_GETTIME64 = 403,
    NR_FUTEX_TIME64 = 422,
};

#define EINTR 4
#define CLOCK_MONOTONIC 1

// ---- output: a line at a time, for a child must not inherit half of one ----

static char line[512];
static u32 length;

static void text(const char *from)
{
    while (*from && length < sizeof line - 1)
        line[length++] = *from++;
}

// A tenth of any value: ARMv7 has no division, and its library is not linked.
static u32 tenth(u32 value)
{
    return (u64)value * 0xcccccccdu >> 35;
}

static void decimal(u32 value)
{
    char digits[11];
    char *at = digits + sizeof digits - 1;
    *at = 0;
    do
        *--at = '0' + (value - 10 * tenth(value));
    while ((value = tenth(value)));
    text(at);
}

static void hexadecimal(unsigned long value)
{
    char digits[9];
    char *at = digits + sizeof digits - 1;
    *at = 0;
    do
        *--at = "0123456789abcdef"[value & 15];
    while (value >>= 4);
    text("0x");
    text(at);
}

static void end_line(void)
{
    line[length++] = '\n';
    for (u32 at = 0; at < length;) {
        long written = call(NR_WRITE, 1, (long)(line + at), length - at);
        if (written <= 0 && written != -EINTR)
            break;
        at += written > 0 ? written : 0;
    }
    length = 0;
}

static void say(const char *key, const char *value)
{
    text(key);
    text(" ");
    text(value);
    end_line();
}

static void say_address(const char *key, unsigned long value)
{
    text(key);
    text(" ");
    hexadecimal(value);
    end_line();
}

static void leave(int status)
{
    call(NR_EXIT_GROUP, status, 0, 0);
    call(NR_EXIT, status, 0, 0);
    // Where even that is refused there is only one way to end.
    __builtin_trap();
}

// ---- children ----

static void timer(long seconds)
{
    // struct itimerval with 32-bit times
    long interval[4] = {0, 0, seconds, 0};
    call(NR_SETITIMER, 0, (long)interval, 0);
}

// A handler and not the default action: that would write a core file, or a line into the kernel's log.
static void caught(int number)
{
    leave(SIGNAL + number);
}

static int try(int (*what)(void))
{
    static const int signals[] = {4, 5, 7, 8, 11, 31};
    long child = call(NR_FORK, 0, 0, 0);
    if (child == 0) {
        struct {
            void (*handler)(int);
            unsigned long flags;
            void *restorer;
            u32 mask[2];
        } action = {caught, 0, 0, {0, 0}};
        for (u32 at = 0; at < sizeof signals / sizeof *signals; at++)
            call5(NR_RT_SIGACTION, signals[at], (long)&action, 0, 8, 0);
        timer(1);
        int result = what();
        leave(result < 0 && result > -WRONG ? -result : result == WRONG ? WRONG : 0);
    }
    if (child < 0)
        return -child;
    int status = 0;
    long waited;
    do
        waited = call5(NR_WAIT4, child, (long)&status, 0, 0, 0);
    while (waited == -EINTR);
    if (waited < 0)
        return -waited;
    return status & 0x7f ? SIGNAL + (status & 0x7f) : status >> 8 & 0xff;
}

static void report(const char *key, int (*what)(void))
{
    int result = try(what);
    text(key);
    if (result == 0) {
        text(" ok");
    } else if (result == WRONG) {
        text(" wrong");
    } else {
        text(result > SIGNAL ? " signal " : " errno ");
        decimal(result > SIGNAL ? result - SIGNAL : result);
    }
    end_line();
}

// ---- time ----

struct timespec32 {
    int seconds, nanoseconds;
};

struct timespec64 {
    u64 seconds;
    u32 nanoseconds, padding;
};

static int clock_gettime_call(void)
{
    struct timespec32 now;
    return fast_call(NR_CLOCK_GETTIME, CLOCK_MONOTONIC, (long)&now);
}

static int clock_gettime64_call(void)
{
    struct timespec64 now;
    return fast_call(NR_CLOCK_GETTIME64, CLOCK_MONOTONIC, (long)&now);
}

static int gettimeofday_call(void)
{
    struct timespec32 now;
    return fast_call(NR_GETTIMEOFDAY, (long)&now, 0);
}

static int (*vdso_clock_gettime)(int, struct timespec32 *);
static int (*vdso_clock_gettime64)(int, struct timespec64 *);
static int (*vdso_gettimeofday)(struct timespec32 *, void *);

static int clock_gettime_vdso(void)
{
    struct timespec32 now;
    return vdso_clock_gettime(CLOCK_MONOTONIC, &now);
}

static int clock_gettime64_vdso(void)
{
    struct timespec64 now;
    return vdso_clock_gettime64(CLOCK_MONOTONIC, &now);
}

static int gettimeofday_vdso(void)
{
    struct timespec32 now;
    return vdso_gettimeofday(&now, 0);
}

static int nanosleep_call(void)
{
    struct timespec32 none = {0, 0};
    return call(NR_NANOSLEEP, (long)&none, 0, 0);
}

// FUTEX_WAKE, which wakes nobody
static int futex_call(void)
{
    static int word;
    return call(NR_FUTEX, (long)&word, 1, 1);
}

static int futex_time64_call(void)
{
    static int word;
    return call(NR_FUTEX_TIME64, (long)&word, 1, 1);
}

// Nanoseconds, modulo 2^32: enough for what takes less than 4 seconds.
static u32 now(void)
{
    struct timespec64 wide;
    if (call(NR_CLOCK_GETTIME64, CLOCK_MONOTONIC, (long)&wide, 0) == 0)
        return (u32)wide.seconds * 1000000000u + wide.nanoseconds;
    struct timespec32 narrow = {0, 0};
    call(NR_CLOCK_GETTIME, CLOCK_MONOTONIC, (long)&narrow, 0);
    return (u32)narrow.seconds * 1000000000u + (u32)narrow.nanoseconds;
}

// The number of calls is a power of two: a division by it needs no library.
#define MAX_SHIFT 16
#define ROUNDS 40
#define ROUND_NS 300000

static u32 round_of(int (*what)(void), u32 shift)
{
    u32 start = now();
    for (u32 count = 0; count < 1u << shift; count++)
        what();
    return now() - start;
}

// What is measured, and the least time of a round of it so far: what other programs do only adds to it.
static struct {
    const char *key;
    int (*what)(void);
    u32 shift, least;
} clocks[8];
static u32 clock_count;

static void measure(const char *key, int (*what)(void))
{
    if (try(what) || clock_count == sizeof clocks / sizeof *clocks)
        return;
    u32 at = clock_count++;
    clocks[at].key = key;
    clocks[at].what = what;
    clocks[at].shift = 3;
    while ((clocks[at].least = round_of(what, clocks[at].shift)) < ROUND_NS && clocks[at].shift < MAX_SHIFT)
        clocks[at].shift++;
}

// They take turns: what disturbs them for a while disturbs all of them.
static void report_times(void)
{
    for (u32 round = 1; round < ROUNDS; round++)
        for (u32 at = 0; at < clock_count; at++) {
            u32 took = round_of(clocks[at].what, clocks[at].shift);
            clocks[at].least = took < clocks[at].least ? took : clocks[at].least;
        }
    for (u32 at = 0; at < clock_count; at++) {
        if (!clocks[at].least || clocks[at].least >= 1u << 28)
            continue;
        u32 tenths = clocks[at].least * 10 >> clocks[at].shift;
        text(clocks[at].key);
        text(" ");
        decimal(tenth(tenths));
        text(".");
        decimal(tenths - 10 * tenth(tenths));
        end_line();
    }
}

// ---- the auxiliary vector ----

static const unsigned long *vector;

static unsigned long auxv(unsigned long type)
{
    for (const unsigned long *at = vector; at[0]; at += 2)
        if (at[0] == type)
            return at[1];
    return 0;
}

static void probe_auxv(void)
{
    static const struct {
        u32 type;
        const char *key;
    } known[] = {
        {6, "auxv.AT_PAGESZ"},   {16, "auxv.AT_HWCAP"},   {26, "auxv.AT_HWCAP2"},         {17, "auxv.AT_CLKTCK"},
        {32, "auxv.AT_SYSINFO"}, {23, "auxv.AT_SECURE"},  {33, "auxv.AT_SYSINFO_EHDR"}, {51, "auxv.AT_MINSIGSTKSZ"},
    };
    for (u32 at = 0; at < sizeof known / sizeof *known; at++)
        for (const unsigned long *entry = vector; entry[0]; entry += 2)
            if (entry[0] == known[at].type)
                say_address(known[at].key, entry[1]);
    // AT_PLATFORM
    if (auxv(15))
        say("auxv.AT_PLATFORM", (const char *)auxv(15));
}

// ---- the vDSO, an ELF file in memory ----

struct program_header {
    u32 type, offset, address, physical, size, memory, flags, alignment;
};

struct symbol {
    u32 name, value, size;
    u8 info, other;
    u16 section;
};

struct version_definition {
    u16 version, flags, index, count;
    u32 hash, names, next;
};

static int same(const char *one, const char *two)
{
    while (*one && *one == *two)
        one++, two++;
    return *one == *two;
}

static u32 symbols_by_gnu_hash(const u32 *table)
{
    u32 buckets = table[0], first = table[1], last = 0;
    const u32 *bucket = table + 4 + table[2], *chain = bucket + buckets;
    for (u32 at = 0; at < buckets; at++)
        last = bucket[at] > last ? bucket[at] : last;
    if (last < first)
        return first;
    while (!(chain[last - first] & 1))
        last++;
    return last + 1;
}

static void probe_vdso(void)
{
    const u8 *base = (const u8 *)auxv(33);
    if (!base)
        return;
    const struct program_header *header = (const void *)(base + *(const u32 *)(base + 28));
    const u32 *dynamic = 0;
    const u8 *bias = base;
    for (u32 at = 0; at < *(const u16 *)(base + 44); at++) {
        // PT_LOAD, PT_DYNAMIC
        if (header[at].type == 1)
            bias = base + header[at].offset - header[at].address;
        else if (header[at].type == 2)
            dynamic = (const u32 *)(base + header[at].offset);
    }
    const u32 *hash = 0, *gnu_hash = 0;
    const char *strings = 0;
    const struct symbol *symbol = 0;
    const u16 *version = 0;
    const u8 *definitions = 0;
    for (; dynamic && dynamic[0]; dynamic += 2) {
        const void *at = bias + dynamic[1];
        switch (dynamic[0]) {
        case 4: hash = at; break;
        case 5: strings = at; break;
        case 6: symbol = at; break;
        case 0x6ffffef5: gnu_hash = at; break;
        case 0x6ffffff0: version = at; break;
        case 0x6ffffffc: definitions = at; break;
        }
    }
    if (!strings || !symbol || (!hash && !gnu_hash)) {
        say("vdso.damaged", "no symbols");
        return;
    }
    u32 count = hash ? hash[1] : symbols_by_gnu_hash(gnu_hash);
    for (u32 at = 1; at < count; at++) {
        if (!symbol[at].section || (symbol[at].info & 15) != 2)
            continue;
        const char *name = strings + symbol[at].name;
        void *address = (void *)(bias + symbol[at].value);
        text("vdso.symbol ");
        text(name);
        for (const u8 *next = definitions; version && next;) {
            const struct version_definition *definition = (const void *)next;
            if (definition->index == (version[at] & 0x7fff)) {
                text(" ");
                text(strings + *(const u32 *)(next + definition->names));
                break;
            }
            next = definition->next ? next + definition->next : 0;
        }
        end_line();
        if (same(name, "__vdso_clock_gettime"))
            vdso_clock_gettime = address;
        else if (same(name, "__vdso_clock_gettime64"))
            vdso_clock_gettime64 = address;
        else if (same(name, "__vdso_gettimeofday"))
            vdso_gettimeofday = address;
    }
}

// ---- all of it ----

// MAP_PRIVATE, MAP_ANONYMOUS, MAP_FIXED; PROT_READ, PROT_WRITE
static int map_at_0(void)
{
    long result = map(0, 4096, 3, 0x32);
    return result < 0 && result > -4096 ? result : 0;
}

static int map_at_0x8000(void)
{
    long result = map(0x8000, 4096, 3, 0x32);
    return result < 0 && result > -4096 ? result : 0;
}

static int getuid16(void)
{
    int result = call(NR_GETUID16, 0, 0, 0);
    return result < 0 ? result : 0;
}

// Called by _start with what the kernel has put on the stack: argc, the arguments, the environment, the auxiliary vector.
__attribute__((used, noreturn)) void start(const unsigned long *stack);

void start(const unsigned long *stack)
{
    static char names[6][65];
    const unsigned long *environment = stack + 1 + stack[0] + 1;
    while (*environment)
        environment++;
    vector = environment + 1;
    prepare();
    // Whatever goes wrong: nobody waits for this for ever.
    timer(5);
    // PR_SET_NAME: what the kernel calls it in its log, where K064 looks.
    call(NR_PRCTL, 15, (long)"biarch-probe", 0);
    say("probe 1", ARCHITECTURE);
    if (call(NR_UNAME, (long)names, 0, 0) == 0) {
        say("uname.machine", names[4]);
        say("uname.release", names[2]);
    }
    say_address("personality", call(NR_PERSONALITY, -1, 0, 0));
    // AT_EXECFN is at the very top of the stack.
    say_address("address.stack", auxv(31));
    probe_auxv();
    probe_vdso();
    struct timespec32 resolution = {0, 0};
    if (call(NR_CLOCK_GETRES, CLOCK_MONOTONIC, (long)&resolution, 0) == 0) {
        text("ns.resolution ");
        decimal((u32)resolution.seconds * 1000000000u + (u32)resolution.nanoseconds);
        end_line();
    }
    report("call.clock_gettime", clock_gettime_call);
    report("call.clock_gettime64", clock_gettime64_call);
    report("call.gettimeofday", gettimeofday_call);
    report("call.nanosleep", nanosleep_call);
    report("call.futex", futex_call);
    report("call.futex_time64", futex_time64_call);
    report("call.getuid16", getuid16);
    report("call.mmap.0", map_at_0);
    report("call.mmap.0x8000", map_at_0x8000);
    measure("ns.syscall.clock_gettime", clock_gettime_call);
    measure("ns.syscall.clock_gettime64", clock_gettime64_call);
    measure("ns.syscall.gettimeofday", gettimeofday_call);
    if (vdso_clock_gettime)
        measure("ns.vdso.clock_gettime", clock_gettime_vdso);
    if (vdso_clock_gettime64)
        measure("ns.vdso.clock_gettime64", clock_gettime64_vdso);
    if (vdso_gettimeofday)
        measure("ns.vdso.gettimeofday", gettimeofday_vdso);
    probe_architecture();
    report_times();
    say("end", ARCHITECTURE);
    leave(0);
    __builtin_unreachable();
}
