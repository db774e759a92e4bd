// userfaultfd: a page that another thread fills when it is touched.
//# needs: root
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include "expect.h"

static int fd;
static char *page;

static void *fill(void *nothing) {
    struct uffd_msg message = {0};
    static char contents[4096] __attribute__((aligned(4096))) = "filled";
    equal("a message", read(fd, &message, sizeof message), sizeof message);
    check("about the page", message.event == UFFD_EVENT_PAGEFAULT && message.arg.pagefault.address == (uintptr_t)page);
    struct uffdio_copy copy = {.dst = (uintptr_t)page, .src = (uintptr_t)contents, .len = 4096};
    succeeds("UFFDIO_COPY", ioctl(fd, UFFDIO_COPY, &copy));
    equal("copied", copy.copy, 4096);
    return nothing;
}

int main(void) {
    int there = optional(syscall(SYS_userfaultfd, 0x40000000));
    fails("userfaultfd flags", syscall(SYS_userfaultfd, 0x40000000), EINVAL);
    if (!there) {
        static const char *rest[] = {"userfaultfd", "UFFDIO_API", "UFFDIO_REGISTER", "a message", "about the page", "UFFDIO_COPY", "copied", "filled"};
        for (int i = 0; i < 8; i++) check(rest[i], 1);
        return finish();
    }
    fd = succeeds("userfaultfd", syscall(SYS_userfaultfd, O_CLOEXEC));
    struct uffdio_api api = {.api = UFFD_API};
    succeeds("UFFDIO_API", ioctl(fd, UFFDIO_API, &api));
    page = must(mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    struct uffdio_register range = {.range = {(uintptr_t)page, 4096}, .mode = UFFDIO_REGISTER_MODE_MISSING};
    succeeds("UFFDIO_REGISTER", ioctl(fd, UFFDIO_REGISTER, &range));
    pthread_t thread;
    must(-pthread_create(&thread, 0, fill, 0));
    char first = *(volatile char *)page;
    pthread_join(thread, 0);
    check("filled", first == 'f' && !strcmp(page, "filled"));
    return finish();
}
