// usage: worker NAME COUNT BATCHES [PARTNER...]    the work COUNT times, BATCHES times over: "check HEX", then "ns NANOSECONDS"
//                                                  for each
//        worker NAME count NANOSECONDS [PARTNER...]    how many times make a batch this long: "count COUNT"
//        worker NAME run COUNT        the work COUNT times, for whoever counts what that takes: it prints nothing
//        worker NAME evidence COUNT   what the work does, for its causes (evidence.c)
//        worker latency …, worker load …, worker trace …    their files say what
//
// PARTNER is the command that runs the worker at the other end, where a benchmark needs two.
// Exit status 77 where this machine or ABI has nothing to measure; the reason is on standard error, as for failures.
#define _GNU_SOURCE
#include "bench.h"

#include <asm/posix_types.h>
#include <errno.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

extern const struct bench __start_bench_table[], __stop_bench_table[];

static uint64_t began, ended;
static unsigned long per = 1;

char **partner;

// The system call, not the vDSO: every ABI on every machine reads the same clock at the same price.
static uint64_t now(void) {
    struct { int64_t sec, nsec; } wide;
#ifdef SYS_clock_gettime64
    if (syscall(SYS_clock_gettime64, CLOCK_MONOTONIC, &wide) == 0) return (uint64_t)wide.sec * 1000000000u + (uint64_t)wide.nsec;
#endif
    struct { __kernel_long_t sec, nsec; } narrow;
    if (syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &narrow) == 0) return (uint64_t)narrow.sec * 1000000000u + (uint64_t)narrow.nsec;
    (void)wide;
    die("clock_gettime");
}

void begin(void) { began = now(); }
void end(void) { ended = now(); }
void units(unsigned long each) { per = each; }

void die(const char *what) {
    if (errno) fprintf(stderr, "%s: %s\n", what, strerror(errno));
    else fprintf(stderr, "%s\n", what);
    exit(1);
}

void missing(const char *what) {
    fprintf(stderr, "%s\n", what);
    exit(77);
}

// One batch: its duration in nanoseconds.
static uint64_t batch(const struct bench *bench, unsigned long n, uint64_t *check) {
    ended = 0;
    errno = 0;
    begin();
    *check = bench->run(n, bench->argument);
    if (!ended) end();
    return ended - began;
}

// The count that takes this long: twice as many until it is a quarter of it, then in proportion.
unsigned long calibrate(const struct bench *bench, uint64_t target) {
    uint64_t check;
    for (unsigned long n = 1;; n *= 2) {
        // The fastest of three: a batch that was disturbed looks like more work.
        uint64_t ns = batch(bench, n, &check);
        for (int again = 0; again < 2 && ns < 4 * target; again++) {
            uint64_t other = batch(bench, n, &check);
            if (other < ns) ns = other;
        }
        if (ns >= target / 4) {
            double want = (double)n * (double)target / (double)ns;
            return want < 1 ? 1 : (unsigned long)want;
        }
        if (n > 1ul << 29) return n;
    }
}

int main(int argc, char **argv) {
    // The program that benchmarks of exec(2) execute.
    if (argc > 1 && strcmp(argv[1], "exit") == 0) return 0;
    if (argc > 1 && strcmp(argv[1], "partner") == 0) return be_partner(argc, argv);
    if (argc > 2 && strcmp(argv[1], "lend") == 0) lend_ring(argv + 2);
    if (argc == 5 && strcmp(argv[1], "latency") == 0) return latency(argv + 2);
    if (argc == 4 && strcmp(argv[1], "load") == 0) return load(argv + 2);
    if (argc > 2 && strcmp(argv[1], "trace") == 0) return trace(argc - 2, argv + 2);
    if (argc < 4) {
        fprintf(stderr, "usage: worker NAME COUNT BATCHES [PARTNER...] | worker NAME count NANOSECONDS [PARTNER...]\n");
        return 2;
    }
    partner = argv + 4;
    for (const struct bench *bench = __start_bench_table; bench < __stop_bench_table; bench++) {
        if (strcmp(bench->name, argv[1]) != 0) continue;
        if (strcmp(argv[2], "count") == 0) {
            printf("count %lu\n", calibrate(bench, strtoull(argv[3], NULL, 10)));
            return 0;
        }
        if (strcmp(argv[2], "run") == 0) {
            bench->run(strtoul(argv[3], NULL, 10), bench->argument);
            return 0;
        }
        if (strcmp(argv[2], "evidence") == 0) {
            evidence(bench, strtoul(argv[3], NULL, 10));
            return 0;
        }
        unsigned long n = strtoul(argv[2], NULL, 10), batches = strtoul(argv[3], NULL, 10);
        uint64_t check = 0, ns[64];
        if (batches > sizeof ns / sizeof *ns) die("too many batches");
        for (unsigned long at = 0; at < batches; at++) ns[at] = batch(bench, n, &check);
        printf("check %llx\n", (unsigned long long)check);
        for (unsigned long at = 0; at < batches; at++) printf("ns %.3f\n", (double)ns[at] / (double)per);
        return 0;
    }
    fprintf(stderr, "no such benchmark: %s\n", argv[1]);
    return 2;
}
