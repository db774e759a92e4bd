// landlock: a process that may read in one directory only. lsm_get_self_attr, lsm_set_self_attr, lsm_list_modules.
#include "expect.h"
#include <sys/prctl.h>

int main(void) {
    must(mkdir("in", 0755));
    must(mkdir("out", 0755));
    must(close(must(open("in/f", O_CREAT | O_WRONLY, 0644))));
    must(close(must(open("out/f", O_CREAT | O_WRONLY, 0644))));
    uint64_t handled = 1 << 2; // LANDLOCK_ACCESS_FS_READ_FILE
    int there = optional(syscall(444, 0L, 0L, ~0L));
    // Built in, but not switched on.
    if (there && syscall(444, 0L, 0L, 1L) == -1 && errno == EOPNOTSUPP) expect_absent = 1, there = 0;
    check("landlock_create_ruleset: version", syscall(444, 0L, 0L, 1L) >= 1);
    fails("landlock_create_ruleset flags", syscall(444, 0L, 0L, 0x10000L), EINVAL);
    fails("landlock_create_ruleset, size", syscall(444, &handled, 4L, 0L), EINVAL);
    fails("landlock_create_ruleset nowhere", syscall(444, forbidden(), 8L, 0L), EFAULT);
    fails("landlock_create_ruleset, too large", syscall(444, &handled, 8192L, 0L), E2BIG);
    uint64_t wrong = 1ULL << 60, none = 0;
    fails("landlock_create_ruleset, the upper half", syscall(444, &wrong, 8L, 0L), EINVAL);
    fails("landlock_create_ruleset of nothing", syscall(444, &none, 8L, 0L), ENOMSG);
    int rules = succeeds("landlock_create_ruleset", syscall(444, &handled, 8L, 0L));
    struct { uint64_t allowed; int32_t parent; } __attribute__((packed)) rule = {1 << 2, must(open("in", O_PATH | O_DIRECTORY))};
    fails("landlock_add_rule flags", syscall(445, rules, 1, &rule, 0x10000L), EINVAL);
    fails("landlock_add_rule, kind", syscall(445, rules, 99, &rule, 0L), EINVAL);
    fails("landlock_add_rule nowhere", syscall(445, rules, 1, forbidden(), 0L), EFAULT);
    fails("landlock_add_rule, no rules", syscall(445, rule.parent, 1, &rule, 0L), EBADF);
    succeeds("landlock_add_rule", syscall(445, rules, 1, &rule, 0L));
    must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
    fails("landlock_restrict_self flags", syscall(446, rules, 0x10000L), EINVAL);
    fails("landlock_restrict_self, no descriptor", syscall(446, 99, 0L), EBADF);
    succeeds("landlock_restrict_self", syscall(446, rules, 0L));
    succeeds("inside", open("in/f", O_RDONLY));
    fails("outside", open("out/f", O_RDONLY), EACCES);
    succeeds("outside, to write", open("out/f", O_WRONLY));

    uint64_t ids[32];
    uint32_t size = sizeof ids;
    optional(syscall(461, 0L, 0L, ~0L));
    long count = succeeds("lsm_list_modules", syscall(461, ids, &size, 0L));
    equal("as large as it says", size, count < 0 ? size : 8 * count);
    fails("lsm_list_modules flags", syscall(461, ids, &size, 1L), EINVAL);
    fails("lsm_list_modules, size nowhere", syscall(461, ids, forbidden(), 0L), EFAULT);
    size = 1;
    if (count > 0) fails("lsm_list_modules, too small", syscall(461, ids, &size, 0L), E2BIG);
    else fails("lsm_list_modules, too small", (errno = E2BIG, expect_absent = 1, -1), E2BIG);
    optional(syscall(459, 0L, 0L, 0L, ~0L));
    size = sizeof ids;
    fails("lsm_get_self_attr, size nowhere", syscall(459, 100L, ids, forbidden(), 0L), EFAULT);
    fails("lsm_get_self_attr, no such attribute", syscall(459, 0L, ids, &size, 0L), EINVAL);
    optional(syscall(460, 0L, 0L, 0L, ~0L));
    fails("lsm_set_self_attr flags", syscall(460, 100L, ids, 64L, 1L), EINVAL);
    fails("lsm_set_self_attr, too small", syscall(460, 100L, ids, 8L, 0L), EINVAL);
    fails("lsm_set_self_attr nowhere", syscall(460, 100L, forbidden(), 64L, 0L), EFAULT);
    return finish();
}
