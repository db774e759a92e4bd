// fanotify: marks with a mask of 64 bits, an event with its descriptor.
//# needs: root
#include <poll.h>
#include <sys/fanotify.h>
#include "expect.h"

static void others(void) { fails("fanotify_init", fanotify_init(FAN_CLASS_NOTIF, O_RDONLY), EPERM); }

int main(void) {
    must(mkdir("d", 0755));
    int there = optional(fanotify_init(0xffff0000, 0));
    int fd = succeeds("fanotify_init", fanotify_init(FAN_CLASS_NOTIF | FAN_NONBLOCK | FAN_CLOEXEC, O_RDONLY));
    equal("closed on exec", there ? fcntl(fd, F_GETFD) : FD_CLOEXEC, FD_CLOEXEC);
    fails("fanotify_init flags", fanotify_init(0x80000000, 0), EINVAL);
    fails("fanotify_init, flags of its files", fanotify_init(FAN_CLASS_NOTIF, O_CREAT), EINVAL);
    succeeds("fanotify_mark", fanotify_mark(fd, FAN_MARK_ADD, FAN_OPEN | FAN_EVENT_ON_CHILD, AT_FDCWD, "d"));
    fails("fanotify_mark flags", fanotify_mark(fd, 0x80000000, FAN_OPEN, AT_FDCWD, "d"), EINVAL);
    fails("fanotify_mark, both", fanotify_mark(fd, FAN_MARK_ADD | FAN_MARK_REMOVE, FAN_OPEN, AT_FDCWD, "d"), EINVAL);
    fails("fanotify_mark, no events", fanotify_mark(fd, FAN_MARK_ADD, 0, AT_FDCWD, "d"), EINVAL);
    fails("fanotify_mark, the upper half", fanotify_mark(fd, FAN_MARK_ADD, FAN_OPEN | 1ULL << 40, AT_FDCWD, "d"), EINVAL);
    fails("fanotify_mark of nothing", fanotify_mark(fd, FAN_MARK_ADD, FAN_OPEN, AT_FDCWD, "nothing"), ENOENT);
    fails("fanotify_mark nowhere", fanotify_mark(fd, FAN_MARK_ADD, FAN_OPEN, AT_FDCWD, forbidden()), EFAULT);
    fails("fanotify_mark, no group", fanotify_mark(1, FAN_MARK_ADD, FAN_OPEN, AT_FDCWD, "d"), EINVAL);
    fails("fanotify_mark, no descriptor", fanotify_mark(99, FAN_MARK_ADD, FAN_OPEN, AT_FDCWD, "d"), EBADF);
    pid_t child = must(fork());
    if (!child) {
        must(open("d/f", O_CREAT | O_RDWR, 0600));
        _exit(0);
    }
    equal("opened", end_of(child), 0);
    struct fanotify_event_metadata event = {0};
    fails("too small to read", there ? read(fd, &event, 8) : -1, EINVAL);
    equal("an event", there ? read(fd, &event, sizeof event) : -1, 24);
    check("of an opened file", event.event_len == 24 && event.vers == 3 && event.mask == FAN_OPEN && event.fd >= 0 && event.pid == child);
    fails("only one", there ? read(fd, &event, sizeof event) : -1, EAGAIN);
    succeeds("fanotify_mark, removed", fanotify_mark(fd, FAN_MARK_REMOVE, FAN_OPEN | FAN_EVENT_ON_CHILD, AT_FDCWD, "d"));
    fails("fanotify_mark, gone", fanotify_mark(fd, FAN_MARK_REMOVE, FAN_OPEN, AT_FDCWD, "d"), ENOENT);
    always();
    return finish();
}
