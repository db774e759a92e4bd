// Reading the clock: through the vDSO as the C library does it, and by system call. An AArch64 kernel without a vDSO for 32-bit
// programs takes 25 times as long for it, and says nothing.
#define _GNU_SOURCE
#include "bench.h"

#include <asm/posix_types.h>
#include <errno.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

BENCH(time, clock_gettime, "clock_gettime(CLOCK_MONOTONIC) of the C library") {
    struct timespec now;
    while (n--)
        if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) die("clock_gettime");
    return 0;
}

BENCH(time, clock_gettime_syscall, "clock_gettime(2) as a system call") {
#ifdef SYS_clock_gettime64
    struct { int64_t sec, nsec; } now;
    const long number = SYS_clock_gettime64;
#else
    struct timespec now;
    const long number = SYS_clock_gettime;
#endif
    while (n--)
        if (syscall(number, CLOCK_MONOTONIC, &now) != 0) {
            if (errno == ENOSYS) missing("this kernel has no clock_gettime64(2)");
            die("clock_gettime");
        }
    return 0;
}

BENCH(time, clock_gettime_coarse, "clock_gettime(CLOCK_MONOTONIC_COARSE) of the C library: the vDSO without the counter") {
    struct timespec now;
    while (n--)
        if (clock_gettime(CLOCK_MONOTONIC_COARSE, &now) != 0) die("clock_gettime");
    return 0;
}

BENCH(time, gettimeofday, "gettimeofday(2) of the C library, the call of the 500,000-call experiment") {
    struct timeval now;
    while (n--)
        if (gettimeofday(&now, NULL) != 0) die("gettimeofday");
    return 0;
}

BENCH(time, gettimeofday_syscall, "gettimeofday(2) as a system call") {
#ifdef SYS_gettimeofday
    struct { __kernel_long_t sec, usec; } now;
    while (n--)
        if (syscall(SYS_gettimeofday, &now, NULL) != 0) die("gettimeofday");
    return 0;
#else
    (void)n;
    missing("this ABI has no gettimeofday(2)");
#endif
}

BENCH(time, time, "time(2) of the C library") {
    while (n--)
        if (time(NULL) == -1) die("time");
    return 0;
}

BENCH(time, time_syscall, "time(2) as a system call") {
#ifdef SYS_time
    while (n--)
        if (syscall(SYS_time, NULL) == -1) die("time");
    return 0;
#else
    (void)n;
    missing("this ABI has no time(2)");
#endif
}

// The same calls of the C library, which finds no vDSO: as on a kernel that has none for programs of this ABI. A benchmark whose
// name ends with this gets its auxiliary vector without the entry.
#define WITHOUT "_no_vdso"
BENCH_MARKED(time, clock_gettime_no_vdso, run_clock_gettime, "", "shown", "clock_gettime(CLOCK_MONOTONIC) of the C library without a vDSO")
BENCH_MARKED(time, gettimeofday_no_vdso, run_gettimeofday, "", "shown", "gettimeofday(2) of the C library without a vDSO")
BENCH_MARKED(time, time_no_vdso, run_time, "", "shown", "time(2) of the C library without a vDSO")

// Called before the C library begins, so that nothing of it can be used.
__attribute__((used, no_stack_protector)) void hide_vdso(long *stack) {
    char *const *argv = (char **)(stack + 1);
    const volatile char *name = stack[0] > 1 ? argv[1] : "";
    unsigned long length = 0, tail = sizeof WITHOUT - 1;
    while (name[length]) length++;
    if (length < tail) return;
    for (unsigned long at = 0; at < tail; at++)
        if (name[length - tail + at] != (WITHOUT)[at]) return;
    char *const *env = argv + stack[0] + 1;
    while (*env) env++;
    for (long *entry = (long *)(env + 1); entry[0] != AT_NULL; entry += 2)
        if (entry[0] == AT_SYSINFO_EHDR) entry[0] = AT_IGNORE;
}

// Where the program begins (build.rs): with the stack as the kernel makes it, and one register for the C library.
__asm__(".text; .globl begin_worker; .balign 16\n"
#if defined(__x86_64__)
        "begin_worker: mov %rsp, %rdi; push %rdx; push %rdx; call hide_vdso; pop %rdx; pop %rdx; jmp _start\n"
#elif defined(__i386__)
        "begin_worker: mov %esp, %eax; push %edx; push %eax; call hide_vdso; pop %eax; pop %edx; jmp _start\n"
#elif defined(__aarch64__)
        "begin_worker: stp x0, x30, [sp, #-16]!; add x0, sp, #16; bl hide_vdso; ldp x0, x30, [sp], #16; b _start\n"
#elif defined(__arm__)
        // Where the program begins is ARM code, whatever the rest is; the linker changes over.
        ".arm; .type begin_worker, %function\n"
        "begin_worker: push {r0, lr}; add r0, sp, #8; bl hide_vdso; pop {r0, lr}; b _start\n"
#endif
);
