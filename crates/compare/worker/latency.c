// usage: worker latency CPUS INTERVAL_NS PERIODS    CPUS: numbers with commas between
//
// Timer wake-ups: a thread on each processor sleeps until an absolute time, again and again, and counts how many nanoseconds later
// it runs. With SCHED_FIFO and locked memory, as far as it may. On standard output:
//   clock NS                            what reading the clock takes, which is part of every latency
//   locked 0|1
//   hypervisor NAME                     of an x86 processor that has one
//   cpu CPU POLICY WAKE-UPS MISSED MIN MAX SUM        POLICY: fifo or other; MISSED: periods that went by while it was late
//   bucket UPPER COUNT                  of the processor above: COUNT wake-ups were at most UPPER late, and more than the one before
#define _GNU_SOURCE
#include "bench.h"

#if defined __i386__ || defined __x86_64__
#include <cpuid.h>
#endif
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

// As a threaded interrupt handler's 50 and cyclictest's usual 80: above what is on a machine by itself.
enum { PRIORITY = 80 };
// The first wake-ups of a process touch code and stack for the first time.
enum { WARM_UP = 5 };
// A bucket is as wide as a 64th of what is in it: below 128 ns each value has its own.
enum { HALF = 64, BUCKETS = HALF * (64 - 6) + HALF };

static unsigned bucket_of(uint64_t ns) {
    if (ns < 2 * HALF) return (unsigned)ns;
    unsigned shift = 63u - 6u - (unsigned)__builtin_clzll(ns);
    return shift * HALF + (unsigned)(ns >> shift);
}

static uint64_t upper_end(unsigned bucket) {
    if (bucket < 2 * HALF) return bucket;
    unsigned shift = bucket / HALF - 1;
    return ((uint64_t)(bucket % HALF + HALF + 1) << shift) - 1;
}

struct measurer {
    pthread_t thread;
    int cpu, fifo;
    uint64_t begin, interval, periods;
    uint64_t wake_ups, missed, min, max, sum;
    uint64_t buckets[BUCKETS];
};

// As a program reads it: through the vDSO, where its ABI has one.
static uint64_t clock_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

// Sleeps until a time; how much later it is then.
static uint64_t late(uint64_t time) {
    struct timespec until = {.tv_sec = (time_t)(time / 1000000000u), .tv_nsec = (long)(time % 1000000000u)};
    int error;
    while ((error = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL)) == EINTR) {}
    uint64_t now = clock_now();
    if (error) errno = error, die("clock_nanosleep");
    return now > time ? now - time : 0;
}

static void *measure(void *argument) {
    struct measurer *own = argument;
    struct sched_param priority = {.sched_priority = PRIORITY};
    own->fifo = sched_setscheduler(0, SCHED_FIFO, &priority) == 0;
    // What is not of a real-time class may be woken up to 50 us late, to save power.
    prctl(PR_SET_TIMERSLACK, 1);
    for (uint64_t period = 0; period < WARM_UP; period++) late(own->begin + period * own->interval);
    for (uint64_t period = 0; period < own->periods; period++) {
        uint64_t ns = late(own->begin + (WARM_UP + period) * own->interval);
        uint64_t missed = ns / own->interval, left = own->periods - 1 - period;
        if (missed > left) missed = left;
        own->wake_ups++;
        own->missed += missed;
        own->sum += ns;
        if (ns < own->min) own->min = ns;
        if (ns > own->max) own->max = ns;
        own->buckets[bucket_of(ns)]++;
        period += missed;
    }
    return NULL;
}

// CPUID, leaf 0x40000000, where the processor says in leaf 1 that there is one.
static void print_hypervisor(void) {
#if defined __i386__ || defined __x86_64__
    unsigned eax, ebx, ecx, edx, name[3];
    if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx) || !(ecx >> 31 & 1)) return;
    __cpuid(0x40000000, eax, name[0], name[1], name[2]);
    printf("hypervisor %.12s\n", (const char *)name);
#endif
}

int latency(char **arguments) {
    // A measurement whose reader is gone would go on at a high priority.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    uint64_t interval = strtoull(arguments[1], NULL, 10), periods = strtoull(arguments[2], NULL, 10);
    if (interval == 0) die("an interval of 0");
    static cpu_set_t set;
    struct measurer *all = NULL;
    size_t count = 0;
    for (char *rest = arguments[0]; *rest; count++) {
        char *end;
        long cpu = strtol(rest, &end, 10);
        if (end == rest || cpu < 0 || cpu >= CPU_SETSIZE) die("not a list of processors");
        rest = *end == ',' ? end + 1 : end;
        all = realloc(all, (count + 1) * sizeof *all);
        if (!all) die("realloc");
        memset(&all[count], 0, sizeof *all);
        all[count].cpu = (int)cpu;
    }
    int locked = mlockall(MCL_CURRENT | MCL_FUTURE) == 0;
    uint64_t cheapest = UINT64_MAX;
    for (int i = 0; i < 1000; i++) {
        uint64_t before = clock_now(), took = clock_now() - before;
        if (took > 0 && took < cheapest) cheapest = took;
    }
    uint64_t begin = clock_now() + 10 * 1000000u;
    for (size_t at = 0; at < count; at++) {
        struct measurer *one = &all[at];
        one->interval = interval;
        // Not all at the same moment.
        one->begin = begin + interval * at / count;
        one->periods = periods;
        one->min = UINT64_MAX;
        pthread_attr_t attributes;
        CPU_ZERO(&set);
        CPU_SET(one->cpu, &set);
        pthread_attr_init(&attributes);
        // Locked memory is limited, and stacks are 8 MiB else.
        pthread_attr_setstacksize(&attributes, 64 * 1024);
        pthread_attr_setaffinity_np(&attributes, sizeof set, &set);
        int error = pthread_create(&one->thread, &attributes, measure, one);
        if (error) errno = error, die("cannot begin a thread on a processor");
    }
    for (size_t at = 0; at < count; at++) pthread_join(all[at].thread, NULL);
    printf("clock %llu\nlocked %d\n", (unsigned long long)cheapest, locked);
    print_hypervisor();
    for (size_t at = 0; at < count; at++) {
        const struct measurer *one = &all[at];
        printf("cpu %d %s %llu %llu %llu %llu %llu\n", one->cpu, one->fifo ? "fifo" : "other", (unsigned long long)one->wake_ups,
               (unsigned long long)one->missed, (unsigned long long)one->min, (unsigned long long)one->max, (unsigned long long)one->sum);
        for (unsigned bucket = 0; bucket < BUCKETS; bucket++)
            if (one->buckets[bucket])
                printf("bucket %llu %llu\n", (unsigned long long)upper_end(bucket), (unsigned long long)one->buckets[bucket]);
    }
    return 0;
}
