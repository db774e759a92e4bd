// Unwinding from a signal handler: through both kinds of signal frames, __kernel_vsyscall, and a function of the vDSO.
//# libc: static dynamic
//# cflags: -fno-optimize-sibling-calls
//# needs: vdso
#include <elf.h>
#include <link.h>
#include <setjmp.h>
#include <sys/auxv.h>
#include <ucontext.h>
#include <unwind.h>
#include "expect.h"

static volatile int depth, found_caller, found_main, in_vdso, stop;
static void *wanted;
int main(void);

static _Unwind_Reason_Code frame(struct _Unwind_Context *context, void *unused) {
    int before = 0;
    uintptr_t ip = _Unwind_GetIPInfo(context, &before);
    depth++;
    uintptr_t vdso = getauxval(AT_SYSINFO_EHDR);
    in_vdso += ip - vdso < 0x4000;
    void *function = _Unwind_FindEnclosingFunction((void *)(ip - !before));
    if (function == wanted) found_caller = depth;
    if (function == (void *)main) found_main = depth;
    return depth < 64 ? _URC_NO_REASON : _URC_END_OF_STACK;
}

static void look(void) {
    depth = found_caller = found_main = in_vdso = 0;
    _Unwind_Backtrace(frame, 0);
}

static void report(const char *name) {
    say("%s %s: the caller%s, then main%s, the vDSO%s", found_caller && found_main > found_caller ? "ok" : "FAIL", name,
        found_caller ? "" : " is missing", found_main ? "" : " is missing", in_vdso ? " before" : " is missing");
    expect_failures += !(found_caller && found_main > found_caller && in_vdso);
}

static sigjmp_buf back;
static volatile int leave;
static void with_info(int signal, siginfo_t *info, void *context) { stop = 1; look(); if (leave) siglongjmp(back, 1); }
static void without(int signal) { stop = 1; look(); if (leave) siglongjmp(back, 1); }

// Not optimised away, and with a frame to be found.
static __attribute__((noipa)) int in_system_call(void) {
    int result;
    asm volatile("call *%%gs:0x10" : "=a"(result) : "0"(29) : "memory"); // pause(2)
    return result;
}

static __attribute__((noipa)) long in_loop(volatile int *until) {
    long rounds = 0;
    while (!*until) rounds++;
    return rounds;
}

static int (*gettime)(int, void *);
static __attribute__((noipa)) int in_clock(void *at) { return gettime(CLOCK_MONOTONIC, at) + 1; }
static __attribute__((noipa)) int in_clocks_call(void *at) { return gettime(CLOCK_THREAD_CPUTIME_ID, at) + 1; }

static void *find(const char *name) {
    char *base = (char *)getauxval(AT_SYSINFO_EHDR), *strings = 0;
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

static void handle(int signal, int info) {
    struct sigaction action = {.sa_flags = info ? SA_SIGINFO : 0};
    if (info) action.sa_sigaction = with_info;
    else action.sa_handler = without;
    must(sigaction(signal, &action, 0));
}

static volatile int counting, inside, whole;
static void sampled(int signal, siginfo_t *info, void *context) {
    if (!counting || (uintptr_t)((ucontext_t *)context)->uc_mcontext.gregs[REG_EIP] - getauxval(AT_SYSINFO_EHDR) >= 0x4000) return;
    look();
    inside++;
    whole += found_caller && found_main > found_caller;
}

// How often the way up from the clock functions is not known. The kernel's have no unwind information at all.
static int missed;
static void clocks(void) {
    void *page = forbidden();
    wanted = in_clock;
    leave = 1;
    depth = found_caller = 0;
    if (!sigsetjmp(back, 1)) in_clock(page);
    missed += !(found_caller && found_main > found_caller);
    leave = 0;
    // Whatever instruction a signal finds.
    on_signal(SIGALRM, sampled, SA_RESTART);
    ualarm(100, 100);
    struct { int32_t sec, nsec; } t;
    counting = 1;
    for (long round = 0; inside < 1000 && round < 10000000; round++) {
        wanted = round & 1 ? (void *)in_clock : (void *)in_clocks_call;
        round & 1 ? in_clock(&t) : in_clocks_call(&t);
    }
    counting = 0;
    ualarm(0, 0);
    missed += inside < 100;
    missed += inside - whole;
}

int main(void) {
    _Unwind_Backtrace(frame, 0); // the unwinder prepares itself
    gettime = find("__vdso_clock_gettime");
    for (int info = 0; info < 2; info++) {
        handle(SIGALRM, info);
        wanted = in_system_call;
        ualarm(20000, 0);
        equal("interrupted", in_system_call(), -EINTR);
        report(info ? "__kernel_vsyscall, rt frame" : "__kernel_vsyscall, old frame");
        wanted = in_loop;
        stop = 0;
        ualarm(20000, 0);
        in_loop(&stop);
        report(info ? "a computation, rt frame" : "a computation, old frame");
    }
    handle(SIGSEGV, 1);
    if (_Unwind_FindEnclosingFunction((char *)gettime + 1)) clocks();
    equal("from clock functions with unwind information, the way up is known", missed, 0);
    return finish();
}
