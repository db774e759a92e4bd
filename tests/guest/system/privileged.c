// Calls that a machine in use cannot make: what they refuse, and to whom.
//# needs: root
#include <linux/perf_event.h>
#include <sys/mman.h>
#include "expect.h"

static void others(void) {
    fails("reboot", syscall(SYS_reboot, 0xfee1dead, 672274793, 0x89abcdef /* CAD on */, 0L), EPERM);
    fails("reboot, no magic", syscall(SYS_reboot, 0, 0, 0, 0L), EPERM);
    fails("vhangup", vhangup(), EPERM);
    optional(syscall(SYS_kexec_load, 0L, 99L, 0L, 0x8000L));
    fails("kexec_load", syscall(SYS_kexec_load, 0L, 0L, 0L, 0L), EPERM);
    fails("kexec_load before it looks", syscall(SYS_kexec_load, 0L, 1L, forbidden(), 0xffL), EPERM);
    optional(syscall(SYS_init_module, 0L, 0L, 0L));
    fails("init_module", syscall(SYS_init_module, forbidden(), 4096L, ""), EPERM);
    fails("finit_module", syscall(SYS_finit_module, 99, "", 0), EPERM);
    fails("delete_module", syscall(SYS_delete_module, forbidden(), 0), EPERM);
    optional(syscall(SYS_iopl, 4));
    fails("iopl", syscall(SYS_iopl, 3), EPERM);
    fails("ioperm", syscall(SYS_ioperm, 0x80L, 1L, 1), EPERM);
    succeeds("ioperm of nothing", syscall(SYS_ioperm, 0x80L, 1L, 0));
    always();
}

int main(void) {
    unprivileged(others);
    // Without both magic numbers nothing can happen.
    fails("reboot, no magic", syscall(SYS_reboot, 0, 672274793, 0, 0L), EINVAL);
    fails("reboot, half the magic", syscall(SYS_reboot, 0xfee1dead, 5, 0, 0L), EINVAL);
    fails("reboot, no such command", syscall(SYS_reboot, 0xfee1dead, 672274793, 0x12345, 0L), EINVAL);
    optional(syscall(SYS_iopl, 4));
    fails("iopl, no such level", syscall(SYS_iopl, 4), EINVAL);
    succeeds("iopl", syscall(SYS_iopl, 0));
    fails("ioperm, no such port", syscall(SYS_ioperm, 65530L, 10L, 1), EINVAL);
    fails("ioperm, beyond all", syscall(SYS_ioperm, 0xffffffffL, 2L, 1), EINVAL);
    optional(syscall(SYS_init_module, 0L, 0L, 0L));
    fails("init_module, too short", syscall(SYS_init_module, forbidden(), 0L, ""), ENOEXEC);
    fails("init_module nowhere", syscall(SYS_init_module, forbidden(), 4096L, ""), EFAULT);
    fails("finit_module, no descriptor", syscall(SYS_finit_module, 99, "", 0), EBADF);
    fails("finit_module flags", syscall(SYS_finit_module, 99, "", 0x100), EINVAL);
    fails("delete_module of nothing", syscall(SYS_delete_module, "nosuchmodule", O_NONBLOCK), ENOENT);
    fails("delete_module nowhere", syscall(SYS_delete_module, forbidden(), O_NONBLOCK), EFAULT);
    optional(syscall(SYS_kexec_load, 0L, 99L, 0L, 0x8000L));
    fails("kexec_load, too many", syscall(SYS_kexec_load, 0L, 17L, forbidden(), 0L), EINVAL);
    fails("kexec_load flags", syscall(SYS_kexec_load, 0L, 0L, 0L, 0xff00L), EINVAL);
    always();
    // Removed in Linux 6.8; before that only for profilers with their own file system.
    long result = syscall(SYS_lookup_dcookie, 0L, 0L, 0L, 0L);
    check("lookup_dcookie", result == -1 && (errno == ENOSYS || errno == EINVAL || errno == EPERM || errno == EFAULT));
    // In a session without a terminal there is nothing to hang up.
    pid_t child = must(fork());
    if (!child) {
        must(setsid());
        _exit(vhangup() != 0);
    }
    equal("vhangup", end_of(child), 0);

    struct perf_event_attr event = {.type = PERF_TYPE_SOFTWARE, .size = sizeof event, .config = PERF_COUNT_SW_DUMMY};
    optional(syscall(SYS_perf_event_open, 0L, 0, 0, 0, ~0L));
    int fd = succeeds("perf_event_open", syscall(SYS_perf_event_open, &event, 0, -1, -1, 8L /* close on exec */));
    uint64_t count = 7;
    equal("a count", fd < 0 ? 8 : read(fd, &count, sizeof count), 8);
    equal("of nothing", fd < 0 ? 0 : count, 0);
    fails("perf_event_open flags", syscall(SYS_perf_event_open, &event, 0, -1, -1, 0x100L), EINVAL);
    fails("perf_event_open nowhere", syscall(SYS_perf_event_open, forbidden(), 0, -1, -1, 0L), EFAULT);
    fails("perf_event_open of nobody", syscall(SYS_perf_event_open, &event, 0x3fffff, -1, -1, 0L), ESRCH);
    event.size = 8;
    fails("perf_event_open, too small", syscall(SYS_perf_event_open, &event, 0, -1, -1, 0L), E2BIG);
    check("says how much", event.size >= 64 || expect_absent);
    event.size = sizeof event, event.type = 0x7fffffff;
    fails("perf_event_open, no such event", syscall(SYS_perf_event_open, &event, 0, -1, -1, 0L), ENOENT);
    return finish();
}
