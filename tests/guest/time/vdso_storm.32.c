// Two threads read the clock in a storm of signals, whose handlers read it too: no reading is lost, and none goes back.
//# libc: static dynamic
//# link: -lpthread
//# timeout: 40
#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <sys/auxv.h>
#include "storm.h"

static volatile long ticks, wrong_in_handler;
static volatile int over;

static int64_t now(void) {
    struct timespec t;
    if (clock_gettime(CLOCK_MONOTONIC, &t)) return 0;
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void tick(int signal, siginfo_t *info, void *context) {
    static __thread int64_t last;
    __sync_fetch_and_add(&ticks, 1);
    int64_t here = now();
    if (here < last) __sync_fetch_and_add(&wrong_in_handler, 1);
    last = here;
    if (signal == SIGALRM && !over) after(100);
}

static void *find(const char *name) {
    char *base = (char *)getauxval(AT_SYSINFO_EHDR), *strings = 0;
    if (!base) return 0;
    ElfW(Phdr) *p = (void *)(base + ((ElfW(Ehdr) *)base)->e_phoff);
    ElfW(Sym) *symbols = 0;
    uint32_t count = 0;
    for (; p->p_type != PT_DYNAMIC; p++) {}
    for (ElfW(Dyn) *d = (void *)(base + p->p_vaddr); d->d_tag; d++) {
        if (d->d_tag == DT_STRTAB) strings = base + d->d_un.d_ptr;
        if (d->d_tag == DT_SYMTAB) symbols = (void *)(base + d->d_un.d_ptr);
        if (d->d_tag == DT_HASH) count = ((uint32_t *)(base + d->d_un.d_ptr))[1];
    }
    for (uint32_t i = 0; i < count; i++)
        if (!strcmp(strings + symbols[i].st_name, name)) return base + symbols[i].st_value;
    return 0;
}

// Whether a reading with a value in every register that belongs to the caller leaves them alone.
static int kept(void *function) {
    struct { int64_t sec, nsec; } t = {-1, -1};
    struct { void *function, *where; uint32_t ebx, esi, edi, ebp, esp; int result; } call = {function, &t};
    void *at = &call;
    asm volatile("push %%ebx; push %%esi; push %%edi; push %%ebp; push %%eax; push 4(%%eax); push $1; mov (%%eax), %%eax\n"
                 "mov $0x1b1b1b1b, %%ebx; mov $0x51515151, %%esi; mov $0xd1d1d1d1, %%edi; mov $0xb9b9b9b9, %%ebp\n"
                 "call *%%eax; mov %%eax, %%ecx; add $8, %%esp; pop %%eax\n"
                 "mov %%ebx, 8(%%eax); mov %%esi, 12(%%eax); mov %%edi, 16(%%eax); mov %%ebp, 20(%%eax); mov %%ecx, 28(%%eax)\n"
                 "pop %%ebp; pop %%edi; pop %%esi; pop %%ebx"
                 : "+a"(at)::"ecx", "edx", "memory", "cc");
    return call.ebx == 0x1b1b1b1b && call.esi == 0x51515151 && call.edi == 0xd1d1d1d1 && call.ebp == 0xb9b9b9b9 && call.result == 0 &&
           t.sec >= 0 && t.nsec >= 0 && t.nsec < 1000000000;
}

static void *reader(void *argument) {
    long wrong = 0;
    void *function = find("__vdso_clock_gettime64");
    int64_t last = now(), start = last;
    // What a handler must leave alone while the clock is read: an integer, a sum of the floating-point unit, a vector.
    volatile double sum = 0;
    for (unsigned round = 0; ticks < 500 || round < 200000; round++) {
        int64_t here = now();
        wrong += here < last || here - last > 20000000000LL;
        last = here;
        struct timeval of_day;
        struct timespec coarse;
        wrong += gettimeofday(&of_day, 0) != 0 || of_day.tv_usec < 0 || of_day.tv_usec > 999999;
        wrong += clock_gettime(CLOCK_REALTIME_COARSE, &coarse) != 0 || time(0) < coarse.tv_sec - 1;
        sum += 0.5;
        wrong += sum != (round + 1) * 0.5;
        for (int i = 0; function && i < 5; i++) wrong += !kept(function);
        if (here - start > 30000000000LL) break; // a machine that is too busy for a storm
    }
    return (void *)wrong;
}

int main(void) {
    struct sigaction action = {.sa_flags = SA_SIGINFO | SA_RESTART, .sa_sigaction = tick};
    sigfillset(&action.sa_mask); // of two handlers in one another, the outer would see the later time first
    must(sigaction(SIGALRM, &action, 0));
    must(sigaction(SIGPROF, &action, 0));
    after(100);
    must(setitimer(ITIMER_PROF, &(struct itimerval){{0, 1000}, {0, 1000}}, 0));
    pthread_t other;
    pthread_create(&other, 0, reader, 0);
    long wrong = (long)reader(0);
    void *result;
    pthread_join(other, &result);
    over = 1;
    must(setitimer(ITIMER_PROF, &(struct itimerval){{0, 0}, {0, 0}}, 0));
    equal("wrong readings here", wrong, 0);
    equal("wrong readings there", (long)result, 0);
    equal("wrong readings in handlers", wrong_in_handler, 0);
    // A machine that is too busy for five hundred in half a minute has seen some.
    check("there was a storm", ticks >= 10);
    return finish();
}
