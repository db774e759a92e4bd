// Memory policies: node masks of 32-bit words for 32-bit tasks.
#include "expect.h"

int main(void) {
    char *pages = must(mmap(0, 8 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    pages[0] = pages[4096] = 1;
    int mode = -1;
    // 1024 nodes are 32 words of 32 bits, and 16 of 64.
    unsigned long mask[33], *one = before_forbidden(sizeof(long)), bits = 8 * sizeof(long);
    *one = 1;
    optional(syscall(SYS_get_mempolicy, 0, 0, 0L, 0, ~0L));
    succeeds("get_mempolicy", syscall(SYS_get_mempolicy, &mode, 0, 0L, 0, 0L));
    equal("none", mode, 0);
    memset(mask, 0xff, sizeof mask);
    succeeds("get_mempolicy with nodes", syscall(SYS_get_mempolicy, &mode, mask, 1024L, 0, 4L));
    check("the first one is allowed", mask[0] & 1);
    equal("the rest is cleared", mask[1024 / bits - 1], 0);
    equal("no more is written", mask[1024 / bits] + 1, 0);
    if (syscall(SYS_get_mempolicy, 0, mask, 1L, 0, 4L) == 0) {
        unsigned long *edge = before_forbidden(4);
        // Natively a 32-bit task gets a word, a 64-bit task nothing.
        check("for one node", syscall(SYS_get_mempolicy, &mode, edge, 1L, 0, 4L) == 0 && (*(uint32_t *)edge == 1 || sizeof(long) == 8));
    } else {
        check("for one node", errno == EINVAL);
    }
    uint32_t *last = before_forbidden(8);
    last[0] = last[1] = 7;
    fails("up to what cannot be written", syscall(SYS_get_mempolicy, 0, last, 1024L, 0, 0L), EFAULT);
    check("that is cleared, but for one long", last[0] == 7 && last[1] == (sizeof(long) == 8 ? 7 : 0));
    uint32_t *only = before_forbidden(4);
    *only = 7;
    fails("a word where a long cannot be written", syscall(SYS_get_mempolicy, 0, only, 64L, 0, 0L), EFAULT);
    check("the word is as it was, for a 32-bit task", *only == 7 || sizeof(long) == 8);
    fails("too few for the nodes", syscall(SYS_get_mempolicy, &mode, mask, 0L, 0, 4L), EINVAL);
    fails("flags", syscall(SYS_get_mempolicy, &mode, 0, 0L, 0, 0x100L), EINVAL);
    fails("mode nowhere", syscall(SYS_get_mempolicy, forbidden(), 0, 0L, 0, 0L), EFAULT);
    fails("an address without being asked", syscall(SYS_get_mempolicy, &mode, 0, 0L, pages, 0L), EINVAL);

    succeeds("set_mempolicy", syscall(SYS_set_mempolicy, 2 /* MPOL_BIND */, one, bits));
    memset(mask, 0xff, sizeof mask);
    succeeds("get_mempolicy", syscall(SYS_get_mempolicy, &mode, mask, 1024L, 0, 0L));
    check("is so", mode == 2 && mask[0] == 1 && mask[1] == 0);
    succeeds("set_mempolicy, fewer bits", syscall(SYS_set_mempolicy, 2, one, 2L));
    fails("set_mempolicy, beyond the edge", syscall(SYS_set_mempolicy, 2, one, 8 * bits), EFAULT);
    fails("set_mempolicy nowhere", syscall(SYS_set_mempolicy, 2, forbidden(), bits), EFAULT);
    fails("set_mempolicy, no nodes", syscall(SYS_set_mempolicy, 2, 0, 0L), EINVAL);
    fails("set_mempolicy, no such mode", syscall(SYS_set_mempolicy, 99, 0, 0L), EINVAL);
    memset(mask, 0, sizeof mask);
    mask[900 / bits] = 1;
    fails("set_mempolicy, no such node", syscall(SYS_set_mempolicy, 2, mask, 1024L), EINVAL);
    fails("set_mempolicy, far too many", syscall(SYS_set_mempolicy, 2, mask, 1000000L), EINVAL);
    succeeds("set_mempolicy, the default", syscall(SYS_set_mempolicy, 0, 0, 0L));

    succeeds("mbind", syscall(SYS_mbind, pages, 4 * 4096L, 2, one, bits, 0L));
    succeeds("get_mempolicy of an address", syscall(SYS_get_mempolicy, &mode, 0, 0L, pages + 4096, 2L));
    equal("is so", mode, 2);
    succeeds("get_mempolicy: the node", syscall(SYS_get_mempolicy, &mode, 0, 0L, pages, 3L));
    check("node", mode >= 0);
    fails("mbind flags", syscall(SYS_mbind, pages, 4096L, 2, one, bits, 0x1000L), EINVAL);
    fails("mbind nowhere", syscall(SYS_mbind, pages, 4096L, 2, forbidden(), bits, 0L), EFAULT);
    fails("mbind, not a page", syscall(SYS_mbind, pages + 1, 4096L, 2, one, bits, 0L), EINVAL);
    must(munmap(pages + 6 * 4096, 4096));
    fails("mbind of a hole", syscall(SYS_mbind, pages, 8 * 4096L, 2, one, bits, 0L), EFAULT);
    optional(syscall(450, 1L, 0L, 0L, ~0L));
    succeeds("set_mempolicy_home_node", syscall(450, pages, 4096L, 0L, 0L));
    fails("set_mempolicy_home_node flags", syscall(450, pages, 4096L, 0L, 1L), EINVAL);
    fails("set_mempolicy_home_node, no such node", syscall(450, pages, 4096L, 5000L, 0L), EINVAL);

    optional(syscall(SYS_migrate_pages, -5, 0L, 0, 0));
    equal("migrate_pages", syscall(SYS_migrate_pages, 0, bits, one, one), 0);
    fails("migrate_pages nowhere", syscall(SYS_migrate_pages, 0, bits, forbidden(), one), EFAULT);
    fails("migrate_pages, to nowhere", syscall(SYS_migrate_pages, 0, bits, one, forbidden()), EFAULT);
    fails("migrate_pages of nobody", syscall(SYS_migrate_pages, 0x3fffff, bits, one, one), ESRCH);
    fails("migrate_pages to none there", syscall(SYS_migrate_pages, 0, 1024L, mask, mask), EINVAL);

    optional(syscall(SYS_move_pages, 0, 0L, 0, 0, 0, ~0L));
    void *addresses[3] = {pages, pages + 4096, pages + 3 * 4096};
    int status[3] = {-99, -99, -99}, nodes[3] = {0, 0, 0};
    succeeds("move_pages tells where they are", syscall(SYS_move_pages, 0, 3L, addresses, 0, status, 0L));
    check("two are somewhere, one is not there", status[0] >= 0 && status[1] >= 0 && status[2] == -ENOENT);
    equal("move_pages", syscall(SYS_move_pages, 0, 2L, addresses, nodes, status, 2L), 0);
    check("are there", status[0] == 0 && status[1] == 0);
    fails("move_pages flags", syscall(SYS_move_pages, 0, 1L, addresses, nodes, status, 0x100L), EINVAL);
    fails("move_pages, addresses nowhere", syscall(SYS_move_pages, 0, 1L, forbidden(), 0, status, 0L), EFAULT);
    fails("move_pages, nodes nowhere", syscall(SYS_move_pages, 0, 1L, addresses, forbidden(), status, 2L), EFAULT);
    fails("move_pages, status nowhere", syscall(SYS_move_pages, 0, 1L, addresses, 0, forbidden(), 0L), EFAULT);
    fails("move_pages of nobody", syscall(SYS_move_pages, 0x3fffff, 1L, addresses, 0, status, 0L), ESRCH);
    nodes[0] = 5000;
    fails("move_pages, no such node", syscall(SYS_move_pages, 0, 1L, addresses, nodes, status, 2L), ENODEV);
    return finish();
}
