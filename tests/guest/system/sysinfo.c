// sysinfo, getrandom, CPU affinity, scheduling, getcpu, syslog.
//# libc: static musl
#include <sched.h>
#include <sys/random.h>
#include <sys/sysinfo.h>
#include "expect.h"

int main(void) {
    struct sysinfo s;
    succeeds("sysinfo", sysinfo(&s));
    unsigned long long total = (unsigned long long)s.totalram * s.mem_unit, free_ram = (unsigned long long)s.freeram * s.mem_unit;
    check("memory", total > 64 << 20 && free_ram < total && s.procs > 1 && s.uptime > 0);
    check("agrees with sysconf", sysconf(_SC_PHYS_PAGES) > 0 && llabs((long long)sysconf(_SC_PHYS_PAGES) * 4096 - (long long)total) < 64 << 20);
    unsigned char random[64] = {};
    equal("getrandom", getrandom(random, 64, 0), 64);
    int zeros = 0;
    for (int i = 0; i < 64; i++) zeros += !random[i];
    check("random", zeros < 10);
    fails("flags", getrandom(random, 64, 0x100), EINVAL);
    cpu_set_t set;
    CPU_ZERO(&set);
    succeeds("sched_getaffinity", sched_getaffinity(0, sizeof set, &set));
    check("as many as there are", CPU_COUNT(&set) >= 1 && CPU_COUNT(&set) <= sysconf(_SC_NPROCESSORS_CONF));
    unsigned long mask[32] = {};
    long bytes = syscall(SYS_sched_getaffinity, 0, sizeof mask, mask);
    check("raw: bytes, a multiple of a long", bytes > 0 && bytes % sizeof(long) == 0);
    fails("a size that is no multiple", syscall(SYS_sched_getaffinity, 0, sizeof(long) + 1, mask), EINVAL);
    int cpu = 0;
    while (!CPU_ISSET(cpu, &set)) cpu++;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    succeeds("sched_setaffinity", sched_setaffinity(0, sizeof one, &one));
    equal("we are there", sched_getcpu(), cpu);
    CPU_ZERO(&one);
    fails("nowhere to run", sched_setaffinity(0, sizeof one, &one), EINVAL);
    must(sched_setaffinity(0, sizeof set, &set));
    succeeds("sched_yield", sched_yield());
    equal("policy", syscall(SYS_sched_getscheduler, 0), SCHED_OTHER);
    equal("highest", sched_get_priority_max(SCHED_FIFO), 99);
    equal("lowest", sched_get_priority_min(SCHED_RR), 1);
    fails("policy", sched_get_priority_max(99), EINVAL);
    struct sched_param p = {5};
    fails("priority of an ordinary task", syscall(SYS_sched_setscheduler, 0, SCHED_OTHER, &p), EINVAL);
    struct { uint32_t size, policy; uint64_t flags; int32_t nice; uint32_t priority; uint64_t runtime, deadline, period; uint32_t umin, umax; } a = {};
    succeeds("sched_getattr", syscall(SYS_sched_getattr, 0, &a, sizeof a, 0));
    equal("size", a.size, sizeof a);
    double load[3];
    equal("getloadavg", getloadavg(load, 3), 3);
    check("hostname", gethostname((char *)random, 64) == 0);
    return finish();
}
