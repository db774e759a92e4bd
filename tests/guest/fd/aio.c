// Asynchronous input and output, raw: contexts, requests, arrays of buffers in them, events, both sizes of time.
#include "expect.h"

struct request { uint64_t data; uint32_t key, flags; uint16_t opcode; int16_t priority; uint32_t fd; uint64_t buffer, bytes; int64_t offset; uint64_t reserved; uint32_t more, notify; };
struct event { uint64_t data, request; int64_t result, result2; };

static unsigned long context;

static long submit(struct request *request) { return syscall(SYS_io_submit, context, 1L, (struct request *[]){request}); }

int main(void) {
    struct event events[4];
    optional(syscall(SYS_io_destroy, 0L));
    fails("io_setup of none", syscall(SYS_io_setup, 0, &context), EINVAL);
    fails("io_setup nowhere", syscall(SYS_io_setup, 4, forbidden()), EFAULT);
    context = 1;
    fails("io_setup, not zero", syscall(SYS_io_setup, 4, &context), EINVAL);
    context = 0;
    succeeds("io_setup", syscall(SYS_io_setup, 4, &context));
    check("an id", context != 0 || expect_absent);

    int fd = must(open("f", O_CREAT | O_RDWR, 0600));
    struct request write_it = {.data = 0x123456789abcdefULL, .opcode = 1, .fd = fd, .buffer = (uintptr_t)"0123456789", .bytes = 10};
    equal("io_submit: write", submit(&write_it), 1);
    equal("io_getevents", syscall(SYS_io_getevents, context, 1L, 4L, events, 0), 1);
    check("the event", events[0].data == 0x123456789abcdefULL && events[0].request == (uintptr_t)&write_it && events[0].result == 10);
    char first[4] = "", second[4] = "";
    struct { uintptr_t base, length; } vectors[2] = {{(uintptr_t)first, 3}, {(uintptr_t)second, 3}};
    struct request read_both = {.data = 7, .opcode = 7, .fd = fd, .buffer = (uintptr_t)vectors, .bytes = 2, .offset = 2};
    equal("io_submit: an array of buffers", submit(&read_both), 1);
    struct timespec second_long = {1, 0};
    equal("io_getevents with a limit", syscall(SYS_io_getevents, context, 1L, 4L, events, &second_long), 1);
    check("both were filled", events[0].result == 6 && !strcmp(first, "234") && !strcmp(second, "567"));
    struct timespec none = {0, 0};
    equal("io_getevents, none", syscall(SYS_io_getevents, context, 0L, 4L, events, &none), 0);
    fails("io_getevents, time", syscall(SYS_io_getevents, context, 1L, 4L, events, forbidden()), EFAULT);
    fails("io_getevents, more than there is room", syscall(SYS_io_getevents, context, 5L, 4L, events, &none), EINVAL);
    fails("io_getevents, negative", syscall(SYS_io_getevents, context, -1L, 4L, events, &none), EINVAL);
    fails("io_getevents, no context", syscall(SYS_io_getevents, 12345L, 0L, 4L, events, &none), EINVAL);

    // io_pgetevents, with a mask to wait with; the structure that holds it has two words.
    uint64_t mask = 0;
    struct { uintptr_t set, size; } with = {(uintptr_t)&mask, 8};
    optional(syscall(SYS_io_pgetevents, 12345L, -1L, 0L, 0L, 0L, 0L));
    write_it.offset = 10;
    equal("io_submit", submit(&write_it), 1);
    equal("io_pgetevents", syscall(SYS_io_pgetevents, context, 1L, 4L, events, &second_long, &with), 1);
    equal("io_pgetevents without a mask", syscall(SYS_io_pgetevents, context, 0L, 4L, events, &none, 0L), 0);
    with.size = 4;
    fails("io_pgetevents, size of the mask", syscall(SYS_io_pgetevents, context, 0L, 4L, events, &none, &with), EINVAL);
    fails("io_pgetevents, mask nowhere", syscall(SYS_io_pgetevents, context, 0L, 4L, events, &none, forbidden()), EFAULT);
#ifdef __i386__
#define IO_PGETEVENTS_TIME64 416
#else
#define IO_PGETEVENTS_TIME64 SYS_io_pgetevents
#endif
    // io_pgetevents_time64
    struct { int64_t sec, nsec; } wide = {1, 0}, nothing = {0, 0};
    with.size = 8;
    equal("io_submit", submit(&write_it), 1);
    equal("io_pgetevents, 64 bits", syscall(IO_PGETEVENTS_TIME64, context, 1L, 4L, events, &wide, &with), 1);
    equal("io_pgetevents, 64 bits, none", syscall(IO_PGETEVENTS_TIME64, context, 0L, 4L, events, &nothing, 0L), 0);
    fails("io_pgetevents, 64 bits, time nowhere", syscall(IO_PGETEVENTS_TIME64, context, 0L, 4L, events, forbidden(), 0L), EFAULT);

    optional(syscall(SYS_io_destroy, 0L));
    fails("io_submit nowhere", syscall(SYS_io_submit, context, 1L, forbidden()), EFAULT);
    fails("io_submit, request nowhere", submit(forbidden()), EFAULT);
    fails("io_submit, negative", syscall(SYS_io_submit, context, -1L, &write_it), EINVAL);
    equal("io_submit of none", syscall(SYS_io_submit, context, 0L, forbidden()), 0);
    fails("io_submit, no context", syscall(SYS_io_submit, 12345L, 0L, 0), EINVAL);
    struct request wrong = write_it;
    wrong.opcode = 99;
    fails("io_submit, no such operation", submit(&wrong), EINVAL);
    wrong = write_it, wrong.fd = 99;
    fails("io_submit, no descriptor", submit(&wrong), EBADF);
    wrong = write_it, wrong.more = 5;
    fails("io_submit, reserved", submit(&wrong), EINVAL);
    wrong = read_both, wrong.buffer = (uintptr_t)forbidden();
    fails("io_submit, buffers nowhere", submit(&wrong), EFAULT);
    // The first is taken, the second is found wrong.
    wrong = write_it, wrong.opcode = 99;
    equal("io_submit of two", syscall(SYS_io_submit, context, 2L, (struct request *[]){&read_both, &wrong}), 1);
    equal("its event", syscall(SYS_io_getevents, context, 1L, 4L, events, 0), 1);

    fails("io_cancel of nothing", syscall(SYS_io_cancel, context, &write_it, events), EINVAL);
    fails("io_cancel nowhere", syscall(SYS_io_cancel, context, forbidden(), events), EFAULT);
    fails("io_cancel, no context", syscall(SYS_io_cancel, 12345L, &write_it, events), EINVAL);
    // A poll of an empty pipe waits until it is cancelled.
    int pipes[2];
    must(pipe(pipes));
    struct request wait = {.data = 9, .opcode = 5, .fd = pipes[0], .buffer = 1};
    equal("io_submit: poll", submit(&wait), 1);
    fails("io_cancel", syscall(SYS_io_cancel, context, &wait, events), EINPROGRESS);
    equal("and its event", syscall(SYS_io_getevents, context, 1L, 4L, events, 0), 1);
    equal("which one", events[0].data, 9);

    succeeds("io_destroy", syscall(SYS_io_destroy, context));
    fails("io_destroy again", syscall(SYS_io_destroy, context), EINVAL);
    return finish();
}
