// The main stack grows by itself up to its limit, and says SIGSEGV beyond, on the alternate stack.
//# libc: static musl
#include <setjmp.h>
#include <sys/resource.h>
#include "expect.h"

static sigjmp_buf out;
static volatile int code, on_alternate;
static char alternate[65536];

static void handler(int signal, siginfo_t *info, void *context) {
    char here;
    on_alternate = &here >= alternate && &here < alternate + sizeof alternate;
    code = info->si_code;
    siglongjmp(out, 1);
}

static __attribute__((noinline)) unsigned deep(unsigned bytes) {
    volatile char frame[4000];
    frame[0] = frame[3999] = (char)bytes;
    if (bytes <= 4000) return frame[0] & 0;
    return deep(bytes - 4000) + (frame[3999] != (char)bytes);
}

static __attribute__((noinline)) int endless(int n) {
    volatile char frame[2000];
    frame[0] = 1;
    return endless(n + 1) + frame[0];
}

int main(void) {
    struct rlimit limit;
    must(getrlimit(RLIMIT_STACK, &limit));
    equal("limit", limit.rlim_cur, 8 << 20);
    equal("7 MiB of frames", deep(7 << 20), 0);
    must(sigaltstack(&(stack_t){.ss_sp = alternate, .ss_size = sizeof alternate}, 0));
    on_signal(SIGSEGV, handler, SA_ONSTACK);
    for (int i = 0; i < 2; i++) {
        if (!sigsetjmp(out, 1)) endless(0);
        check("overflow arrives on the alternate stack", on_alternate);
        check("and says map or access error", code == SEGV_MAPERR || code == SEGV_ACCERR);
    }
    equal("still usable", deep(1 << 20), 0);
    return finish();
}
