// move_pages over more pointers than are converted at once, and with pointers that are not all there.
#include "expect.h"

enum { PAGES = 5000, WHERE = 0 };

int main(void) {
    char *memory = must(mmap(0, PAGES * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    madvise(memory, PAGES * 4096, MADV_NOHUGEPAGE); // A kernel without huge pages knows no such advice.
    static void *page[PAGES];
    static int status[PAGES];
    for (int i = 0; i < PAGES; i++) page[i] = memory + 4096 * i, status[i] = 4711;
    for (int i = 0; i < PAGES; i += 100) memory[4096 * i] = 1;
    optional(syscall(SYS_move_pages, 0, 0, 0, 0, 0, 0));
    equal("where they are", syscall(SYS_move_pages, 0, PAGES, page, 0, status, 0), 0);
    int right = 1;
    for (int i = 0; i < PAGES; i++) right &= i % 100 ? status[i] == -ENOENT || status[i] == -EFAULT : status[i] >= 0 && status[i] < 1024;
    check("of each", right || expect_absent);
    void **few = before_forbidden(20 * sizeof *few);
    memcpy(few, page, 20 * sizeof *few);
    for (int i = 0; i < PAGES; i++) status[i] = 4711;
    fails("pointers that are not all there", syscall(SYS_move_pages, 0, 40, few, 0, status, 0), EFAULT);
    check("16 at a time", (status[0] != 4711 && status[15] != 4711 && status[16] == 4711) || expect_absent);
    fails("no pointers", syscall(SYS_move_pages, 0, 1u << 31, 0, 0, status, 0), EFAULT);
    fails("flags", syscall(SYS_move_pages, 0, 1, page, 0, status, 1), EINVAL);
    fails("no process", syscall(SYS_move_pages, 0x7fffffff, 1, forbidden(), 0, status, 0), ESRCH);
    return finish();
}
