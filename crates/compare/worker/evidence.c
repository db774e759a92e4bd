// What a benchmark does on this side, so that a difference can be given a cause: system calls by ptrace(2), the size of its data,
// what the vDSO offers, and the processor's counters.
#define _GNU_SOURCE
#include "bench.h"

#include <elf.h>
#include <errno.h>
#include <link.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// Shared with the process that is traced.
static struct {
    size_t bytes;
} *seen;

void footprint(size_t bytes) {
    if (seen) seen->bytes = bytes;
}

struct calls {
    unsigned long all, refused;
};

// System calls of the work done n times, of the process that does it: all, and those that the kernel does not have.
static struct calls count(const struct bench *bench, unsigned long n) {
    struct calls calls = {0, 0};
    pid_t child = fork();
    if (child < 0) die("fork");
    if (child == 0) {
        if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0) missing("system calls cannot be counted: ptrace(2) is refused");
        raise(SIGSTOP);
        bench->run(n, bench->argument);
        _exit(0);
    }
    int status;
    if (waitpid(child, &status, 0) != child) die("waitpid");
    if (WIFEXITED(status)) _exit(WEXITSTATUS(status));
    if (ptrace(PTRACE_SETOPTIONS, child, NULL, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL) != 0) die("ptrace");
    for (long signal = 0;; signal = WSTOPSIG(status) == (SIGTRAP | 0x80) ? 0 : WSTOPSIG(status)) {
        if (ptrace(PTRACE_SYSCALL, child, NULL, signal) != 0) die("ptrace");
        if (waitpid(child, &status, 0) != child) die("waitpid");
        if (WIFEXITED(status) || WIFSIGNALED(status)) break;
        struct __ptrace_syscall_info info;
        if (WSTOPSIG(status) != (SIGTRAP | 0x80)) continue;
        if (ptrace(PTRACE_GET_SYSCALL_INFO, child, sizeof info, &info) <= 0) missing("system calls cannot be counted: Linux 5.3 is needed");
        if (info.op == PTRACE_SYSCALL_INFO_ENTRY) calls.all++;
        if (info.op == PTRACE_SYSCALL_INFO_EXIT && info.exit.rval == -ENOSYS) calls.refused++;
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
    return calls;
}

static const struct {
    const char *name;
    uint64_t config;
} counters[] = {
    {"instructions", PERF_COUNT_HW_INSTRUCTIONS},
    {"cycles", PERF_COUNT_HW_CPU_CYCLES},
    {"cache-misses", PERF_COUNT_HW_CACHE_MISSES},
};
enum { COUNTERS = sizeof counters / sizeof *counters };

// What the processor counts in user space in the work done n times.
static void run_counted(const struct bench *bench, unsigned long n, const int *fds, uint64_t *values) {
    for (int i = 0; i < COUNTERS; i++) ioctl(fds[i], PERF_EVENT_IOC_RESET, 0), ioctl(fds[i], PERF_EVENT_IOC_ENABLE, 0);
    bench->run(n, bench->argument);
    for (int i = 0; i < COUNTERS; i++) ioctl(fds[i], PERF_EVENT_IOC_DISABLE, 0);
    for (int i = 0; i < COUNTERS; i++)
        if (read(fds[i], &values[i], sizeof values[i]) != sizeof values[i]) die("counters");
}

// The processor's counters, for one repetition; or why there are none.
static void hardware(const struct bench *bench) {
    int fds[COUNTERS];
    for (int i = 0; i < COUNTERS; i++) {
        struct perf_event_attr attr = {.type = PERF_TYPE_HARDWARE, .size = sizeof attr, .config = counters[i].config, .disabled = 1, .exclude_kernel = 1, .exclude_hv = 1};
        fds[i] = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
        if (fds[i] >= 0) continue;
        if (errno == EACCES || errno == EPERM) printf("none the kernel refuses them to this user: sysctl kernel.perf_event_paranoid=2 allows them\n");
        else if (errno == ENOENT || errno == EOPNOTSUPP || errno == ENODEV) printf("none this machine has none, as most virtual machines\n");
        else printf("none perf_event_open: %s\n", strerror(errno));
        return;
    }
    unsigned long n = calibrate(bench, 2000000);
    uint64_t once[COUNTERS], twice[COUNTERS];
    run_counted(bench, n, fds, once);
    run_counted(bench, 2 * n, fds, twice);
    for (int i = 0; i < COUNTERS; i++) printf("%s %.3f\n", counters[i].name, ((double)twice[i] - (double)once[i]) / (double)n);
}

// A line for each function of the vDSO.
static void vdso(void) {
    const char *base = (const char *)getauxval(AT_SYSINFO_EHDR);
    if (!base) return;
    const ElfW(Ehdr) *header = (const void *)base;
    const ElfW(Phdr) *segment = (const void *)(base + header->e_phoff);
    const ElfW(Dyn) *dynamic = NULL;
    uintptr_t bias = 0;
    for (int i = 0; i < header->e_phnum; i++) {
        if (segment[i].p_type == PT_LOAD) bias = (uintptr_t)base + segment[i].p_offset - segment[i].p_vaddr;
        if (segment[i].p_type == PT_DYNAMIC) dynamic = (const void *)(base + segment[i].p_offset);
    }
    const char *strings = NULL;
    const ElfW(Sym) *symbols = NULL;
    const ElfW(Sym) *end = NULL;
    for (; dynamic && dynamic->d_tag != DT_NULL; dynamic++) {
        if (dynamic->d_tag == DT_STRTAB) strings = (const char *)(bias + dynamic->d_un.d_ptr);
        if (dynamic->d_tag == DT_SYMTAB) symbols = (const void *)(bias + dynamic->d_un.d_ptr);
    }
    // The table of names follows that of symbols, as every linker of a vDSO has it.
    end = (const void *)strings;
    for (const ElfW(Sym) *symbol = symbols; symbol && symbol < end; symbol++)
        if ((symbol->st_info & 0xf) == STT_FUNC && symbol->st_shndx != SHN_UNDEF) printf("vdso %s\n", strings + symbol->st_name);
}

void evidence(const struct bench *bench, unsigned long n) {
    alarm(20);
    seen = mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (seen == MAP_FAILED) die("mmap");
    // Twice as many have twice the calls, and what comes before and after only once.
    struct calls once = count(bench, n), twice = count(bench, 2 * n);
    printf("calls %.3f\n", ((double)twice.all - (double)once.all) / (double)n);
    printf("refused %.3f\n", ((double)twice.refused - (double)once.refused) / (double)n);
    printf("bytes %zu\n", seen->bytes);
    vdso();
    hardware(bench);
}
