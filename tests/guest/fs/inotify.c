// inotify: events in order, names, masks, a buffer too small.
#include <sys/inotify.h>
#include "expect.h"

int main(void) {
    int fd = must(inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
    must(mkdir("d", 0700));
    int watch = succeeds("add", inotify_add_watch(fd, "d", IN_CREATE | IN_DELETE | IN_MOVE | IN_CLOSE_WRITE));
    char buffer[4096] __attribute__((aligned(8)));
    fails("nothing yet", read(fd, buffer, sizeof buffer), EAGAIN);
    must(close(must(open("d/one", O_CREAT | O_WRONLY, 0600))));
    must(rename("d/one", "d/two"));
    must(mkdir("d/sub", 0700));
    must(unlink("d/two"));
    fails("buffer too small", read(fd, buffer, 8), EINVAL);
    ssize_t got = must(read(fd, buffer, sizeof buffer));
    uint32_t cookie = 0;
    for (ssize_t at = 0; at < got;) {
        struct inotify_event *e = (void *)(buffer + at);
        say("mask %x name %s len %u watch %d", e->mask, e->len ? e->name : "", e->len, e->wd == watch);
        if (e->mask & IN_MOVED_FROM) cookie = e->cookie;
        if (e->mask & IN_MOVED_TO) check("cookies pair", cookie && e->cookie == cookie);
        at += sizeof *e + e->len;
    }
    succeeds("remove", inotify_rm_watch(fd, watch));
    got = must(read(fd, buffer, sizeof buffer));
    equal("IN_IGNORED", ((struct inotify_event *)buffer)->mask, IN_IGNORED);
    fails("remove again", inotify_rm_watch(fd, watch), EINVAL);
    fails("absent", inotify_add_watch(fd, "nothing", IN_CREATE), ENOENT);
    fails("no mask", inotify_add_watch(fd, "d", 0), EINVAL);
    fails("nowhere", inotify_add_watch(fd, forbidden(), IN_CREATE), EFAULT);
    fails("flags", inotify_init1(0x10), EINVAL);
    return finish();
}
