// The vDSO by its own tables: symbols, versions, what its functions say, and what they do with what is wrong.
//# libc: static dynamic musl
//# cflags: -fno-pie -no-pie
//# needs: vdso
#include <elf.h>
#include <link.h>
#include <sched.h>
#include <setjmp.h>
#include <sys/auxv.h>
#include <sys/time.h>
#include "expect.h"

static char *load, *strings;
static ElfW(Sym) *symbols;
static uint16_t *versions;
static ElfW(Verdef) *definitions;
static uint32_t count, definition_count;

// The hash that version definitions are found by.
static uint32_t elf_hash(const char *name) {
    uint32_t h = 0;
    for (; *name; name++) h = (h << 4) + (unsigned char)*name, h ^= (h >> 24) & 0xf0, h &= 0x0fffffff;
    return h;
}

static void read_tables(void) {
    char *base = (char *)getauxval(AT_SYSINFO_EHDR);
    ElfW(Ehdr) *e = (void *)base;
    ElfW(Phdr) *p = (void *)(base + e->e_phoff);
    check("a shared object for i386", !memcmp(base, ELFMAG, 4) && e->e_type == ET_DYN && e->e_machine == EM_386 && base[EI_CLASS] == ELFCLASS32);
    int loads = 0, frames = 0;
    for (int i = 0; i < e->e_phnum; i++) {
        if (p[i].p_type == PT_LOAD) loads++, load = base + p[i].p_offset - p[i].p_vaddr;
        if (p[i].p_type == PT_LOAD) equal("to be read and executed", p[i].p_flags, PF_R | PF_X);
        if (p[i].p_type == PT_GNU_EH_FRAME) frames++;
    }
    check("segments", loads == 1 && frames == 1);
    for (int i = 0; i < e->e_phnum; i++)
        if (p[i].p_type == PT_DYNAMIC)
            for (ElfW(Dyn) *d = (void *)(load + p[i].p_vaddr); d->d_tag; d++) {
                char *there = load + d->d_un.d_ptr;
                if (d->d_tag == DT_STRTAB) strings = there;
                if (d->d_tag == DT_SYMTAB) symbols = (void *)there;
                if (d->d_tag == DT_HASH) count = ((uint32_t *)there)[1];
                if (d->d_tag == DT_VERSYM) versions = (void *)there;
                if (d->d_tag == DT_VERDEF) definitions = (void *)there;
                if (d->d_tag == DT_VERDEFNUM) definition_count = d->d_un.d_val;
            }
    for (int i = 0; i < e->e_phnum; i++)
        if (p[i].p_type == PT_DYNAMIC)
            for (ElfW(Dyn) *d = (void *)(load + p[i].p_vaddr); d->d_tag; d++)
                if (d->d_tag == DT_SONAME) say("called %s", strings + d->d_un.d_val);
    check("tables", strings && symbols && versions && definitions && count);
}

static const char *version_of(uint32_t symbol) {
    ElfW(Verdef) *d = definitions;
    for (uint32_t i = 0; i < definition_count; i++, d = (void *)((char *)d + d->vd_next)) {
        const char *name = strings + ((ElfW(Verdaux) *)((char *)d + d->vd_aux))->vda_name;
        if (d->vd_ndx == (versions[symbol] & 0x7fff) && !(d->vd_flags & VER_FLG_BASE) && d->vd_hash == elf_hash(name)) return name;
    }
    return "none";
}

static void *symbol(const char *name, const char *version) {
    for (uint32_t i = 1; i < count; i++)
        if (!strcmp(strings + symbols[i].st_name, name)) {
            int sound = ELF32_ST_TYPE(symbols[i].st_info) == STT_FUNC && ELF32_ST_BIND(symbols[i].st_info) == STB_GLOBAL;
            say("%s %s@%s", sound && symbols[i].st_shndx && symbols[i].st_size ? "ok" : "FAIL", name, version_of(i));
            expect_failures += strcmp(version, version_of(i)) != 0;
            return load + symbols[i].st_value;
        }
    say("FAIL %s is not there", name);
    expect_failures++;
    return 0;
}

struct narrow { int32_t sec, nsec; };
struct wide { int64_t sec, nsec; };
static int (*gettime)(int, struct narrow *), (*gettime64)(int, struct wide *), (*getres)(int, struct narrow *);
static int (*timeofday)(struct narrow *, int32_t *), (*cpu_of)(unsigned *, unsigned *, void *);
static int32_t (*time_of)(int32_t *);

static int64_t kernel_says(int clock) {
    struct wide t = {0, 0};
    syscall(403, clock, &t);
    return t.sec * 1000000000 + t.nsec;
}

static const struct { int id; const char *name; } clocks[] = {
    {CLOCK_REALTIME, "CLOCK_REALTIME"}, {CLOCK_MONOTONIC, "CLOCK_MONOTONIC"}, {CLOCK_MONOTONIC_RAW, "CLOCK_MONOTONIC_RAW"},
    {CLOCK_REALTIME_COARSE, "CLOCK_REALTIME_COARSE"}, {CLOCK_MONOTONIC_COARSE, "CLOCK_MONOTONIC_COARSE"},
    {CLOCK_BOOTTIME, "CLOCK_BOOTTIME"}, {CLOCK_TAI, "CLOCK_TAI"}, {CLOCK_PROCESS_CPUTIME_ID, "CLOCK_PROCESS_CPUTIME_ID"},
    {CLOCK_THREAD_CPUTIME_ID, "CLOCK_THREAD_CPUTIME_ID"},
};

static void readings(void) {
    for (unsigned i = 0; i < sizeof clocks / sizeof *clocks; i++) {
        int id = clocks[i].id, wrong = 0, odd = 0;
        for (int round = 0; round < 1000; round++) {
            struct wide w = {-1, -1};
            struct narrow n = {-1, -1};
            int64_t before = kernel_says(id);
            wrong += gettime64(id, &w) != 0;
            wrong += gettime(id, &n) != 0;
            int64_t after = kernel_says(id), first = w.sec * 1000000000 + w.nsec, second = n.sec * 1000000000LL + n.nsec;
            wrong += before > first || first > second || second > after;
            odd += w.nsec < 0 || w.nsec > 999999999 || n.nsec < 0 || n.nsec > 999999999;
        }
        equal(clocks[i].name, wrong, 0);
        equal("nanoseconds", odd, 0);
        struct narrow vdso = {-1, -1}, kernel = {-1, -1};
        equal("resolution", getres(id, &vdso), syscall(266, id, &kernel));
        check("the same", vdso.sec == kernel.sec && vdso.nsec == kernel.nsec);
        equal("resolution, not to be written", getres(id, 0), 0);
    }
    int wrong = 0;
    for (int round = 0; round < 1000; round++) {
        struct narrow t = {-1, -1};
        int64_t before = kernel_says(CLOCK_REALTIME) / 1000;
        wrong += timeofday(&t, 0) != 0;
        int64_t after = kernel_says(CLOCK_REALTIME) / 1000, got = t.sec * 1000000LL + t.nsec;
        wrong += before > got || got > after || t.nsec < 0 || t.nsec > 999999;
        // time(2) is of the last tick.
        int32_t stored = -1, early = kernel_says(CLOCK_REALTIME_COARSE) / 1000000000, now = time_of(&stored);
        int32_t late = kernel_says(CLOCK_REALTIME_COARSE) / 1000000000;
        wrong += now != stored || now < early || now > late || time_of(0) < now;
    }
    equal("gettimeofday and time", wrong, 0);
    int32_t zone[2] = {-1, -1}, kernels[2] = {-2, -2};
    equal("the time zone", timeofday(0, zone), 0);
    must(syscall(78, 0, kernels));
    check("the same zone", !memcmp(zone, kernels, 8));
    struct narrow t = {-1, -1};
    zone[0] = -1;
    equal("both", timeofday(&t, zone), 0);
    check("both are there", t.sec > 0 && zone[0] == kernels[0]);
    equal("neither", timeofday(0, 0), 0);
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    must(sched_setaffinity(0, sizeof one, &one));
    unsigned cpu = -1, node = -1, kernel_cpu = -2, kernel_node = -2;
    equal("getcpu", cpu_of(&cpu, &node, 0), 0);
    must(syscall(SYS_getcpu, &kernel_cpu, &kernel_node, 0));
    check("where we are", cpu == kernel_cpu && node == kernel_node);
    equal("getcpu of nothing", cpu_of(0, 0, 0), 0);
}

// Registers that belong to the caller, and the stack pointer.
static void registers(void) {
    struct wide w;
    uint32_t before[5] = {0x1b1b1b1b, 0x51515151, 0xd1d1d1d1, 0xb9b9b9b9, 0}, after[5];
    static uint32_t *from, *to;
    static void *function;
    static struct wide *where;
    from = before, to = after, function = gettime64, where = &w;
    asm volatile("push %%ebx; push %%esi; push %%edi; push %%ebp; mov %[from], %%eax; mov %%esp, 16(%%eax)\n"
                 "mov (%%eax), %%ebx; mov 4(%%eax), %%esi; mov 8(%%eax), %%edi; mov 12(%%eax), %%ebp\n"
                 "push %[where]; push $1; call *%[function]; add $8, %%esp; mov %[to], %%eax\n"
                 "mov %%ebx, (%%eax); mov %%esi, 4(%%eax); mov %%edi, 8(%%eax); mov %%ebp, 12(%%eax); mov %%esp, 16(%%eax)\n"
                 "pop %%ebp; pop %%edi; pop %%esi; pop %%ebx"
                 :: [from] "m"(from), [to] "m"(to), [function] "m"(function), [where] "m"(where) : "eax", "ecx", "edx", "memory", "cc");
    check("registers are kept", !memcmp(before, after, sizeof before));
}

static sigjmp_buf back;
static volatile uintptr_t fault;
static void faulted(int signal, siginfo_t *info, void *context) {
    fault = (uintptr_t)info->si_addr;
    siglongjmp(back, 1);
}

#define FAULTS(name, call, at) \
    do { \
        fault = 0; \
        if (sigsetjmp(back, 1)) equal(name, fault - (uintptr_t)(at), 0); \
        else say("FAIL %s: no fault, but %d", name, (int)(call)), expect_failures++; \
    } while (0)

static void bad_pointers(void) {
    on_signal(SIGSEGV, faulted, 0);
    char *page = forbidden(), *constant = must(mmap(0, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    char *edge = (char *)before_forbidden(4);
    FAULTS("clock_gettime", gettime(CLOCK_MONOTONIC, (void *)page), page);
    FAULTS("clock_gettime, NULL", gettime(CLOCK_MONOTONIC, 0), 0);
    FAULTS("clock_gettime, not writable", gettime(CLOCK_REALTIME_COARSE, (void *)constant), constant);
    FAULTS("clock_gettime, half", gettime(CLOCK_MONOTONIC, (void *)edge), edge + 4);
    FAULTS("clock_gettime64", gettime64(CLOCK_MONOTONIC, (void *)page), page);
    FAULTS("clock_getres", getres(CLOCK_MONOTONIC, (void *)page), page);
    FAULTS("gettimeofday", timeofday((void *)page, 0), page);
    FAULTS("gettimeofday, zone", timeofday(0, (void *)page), page);
    FAULTS("time", time_of((void *)page), page);
    FAULTS("getcpu", cpu_of((void *)page, 0, 0), page);
    FAULTS("getcpu, node", cpu_of(0, (void *)page, 0), page);
    // Where it asks the kernel, that says so.
    equal("of the kernel", gettime(CLOCK_PROCESS_CPUTIME_ID, (void *)page), -EFAULT);
    equal("of the kernel, 64", gettime64(CLOCK_THREAD_CPUTIME_ID, (void *)page), -EFAULT);
    equal("of the kernel, resolution", getres(CLOCK_PROCESS_CPUTIME_ID, (void *)page), -EFAULT);
    struct wide w;
    struct narrow n;
    static const int none[] = {10, 12, 31, 32, 33, 64, 99, 0x7fffffff, INT_MIN};
    int wrong = 0;
    for (unsigned i = 0; i < sizeof none / sizeof *none; i++) {
        wrong += gettime(none[i], &n) != -EINVAL || gettime64(none[i], &w) != -EINVAL || getres(none[i], &n) != -EINVAL;
        wrong += gettime(none[i], (void *)page) != -EINVAL;
    }
    equal("no such clock", wrong, 0);
    // Another process's clock: a negative number.
    int clock = ~getpid() << 3 | 2;
    equal("the clock of a process", gettime64(clock, &w), 0);
}

int main(void) {
    read_tables();
    symbol("__kernel_vsyscall", "LINUX_2.5");
    symbol("__kernel_sigreturn", "LINUX_2.5");
    symbol("__kernel_rt_sigreturn", "LINUX_2.5");
    gettime = symbol("__vdso_clock_gettime", "LINUX_2.6");
    gettime64 = symbol("__vdso_clock_gettime64", "LINUX_2.6");
    timeofday = symbol("__vdso_gettimeofday", "LINUX_2.6");
    time_of = symbol("__vdso_time", "LINUX_2.6");
    getres = symbol("__vdso_clock_getres", "LINUX_2.6");
    cpu_of = symbol("__vdso_getcpu", "LINUX_2.6");
    if (!gettime || !gettime64 || !timeofday || !time_of || !getres || !cpu_of) return finish();
    registers();
    readings();
    bad_pointers();
    return finish();
}
