// seccomp(2): what is refused, and in which order.
#include "filter.h"

static struct sock_filter allow[] = {RETURN(SECCOMP_RET_ALLOW)};

static long set(unsigned flags, unsigned short length, const void *code) {
    struct sock_fprog program = {length, (struct sock_filter *)code};
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
}

#define refused(name, ...) fails(name, install(0, __VA_ARGS__, RETURN(SECCOMP_RET_ALLOW)), EINVAL)
#define word(code, k) BPF_STMT(code, k)

static void without_privileges(void) {
    // Where the whole suite may gain no privileges there is nothing to be seen.
    if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0)) {
        say("ok no_new_privs: EACCES"), say("ok before the program is looked at: EACCES");
        return;
    }
    fails("no_new_privs", set(0, 1, allow), EACCES);
    fails("before the program is looked at", set(0, 1, forbidden()), EACCES);
}

static void codes(void) {
    // Each code in front of a return. Those that would end the process are left out: BPF_RET, and a division by X, which is 0.
    unsigned taken = 0, sum = 0;
    for (unsigned code = 0; code < 0x200; code++) {
        if (code == (BPF_RET | BPF_K) || code == (BPF_RET | BPF_A) || code == (BPF_ALU | BPF_DIV | BPF_X)) continue;
        for (unsigned k = 0; k < 2; k++)
            if (!install(0, word(code, k), RETURN(SECCOMP_RET_ALLOW))) taken++, sum = sum * 31 + code * 2 + k;
    }
    say("ok %u codes are taken: %08x", taken, sum);
}

int main(void) {
    if (!filters_exist()) return 0;
    unprivileged(without_privileges);
    must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));

    fails("no such operation", syscall(SYS_seccomp, 77, 0, 0), EINVAL);
    fails("strict with flags", syscall(SYS_seccomp, SECCOMP_SET_MODE_STRICT, 1, 0), EINVAL);
    fails("strict with a program", syscall(SYS_seccomp, SECCOMP_SET_MODE_STRICT, 0, allow), EINVAL);
    fails("no such flag", set(1 << 30, 1, allow), EINVAL);
    fails("no such flag, before the program is read", syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 1 << 30, forbidden()), EINVAL);
    fails("TSYNC and a listener", set(SECCOMP_FILTER_FLAG_TSYNC | SECCOMP_FILTER_FLAG_NEW_LISTENER, 1, allow), EINVAL);
    fails("program nowhere", syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, forbidden()), EFAULT);
    fails("no instructions", set(0, 0, allow), EINVAL);
    fails("no instructions, nowhere", set(0, 0, forbidden()), EINVAL);
    fails("too many instructions", set(0, BPF_MAXINSNS + 1, forbidden()), EINVAL);
    fails("instructions at NULL", set(0, 1, 0), EINVAL);
    fails("instructions nowhere", set(0, 1, forbidden()), EFAULT);
    fails("instructions that end nowhere", set(0, 2, (struct sock_filter *)before_forbidden(8)), EFAULT);
    fails("prctl: no such mode", prctl(PR_SET_SECCOMP, 3, 0, 0, 0), EINVAL);
    fails("prctl: nowhere", prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, forbidden(), 0, 0), EFAULT);

    fails("no return", install(0, word(BPF_LD | BPF_IMM, 0)), EINVAL);
    refused("half a word of the data", word(BPF_LD | BPF_H | BPF_ABS, 0));
    refused("beyond the data", word(BPF_LD | BPF_W | BPF_ABS, sizeof(struct seccomp_data)));
    refused("not aligned", word(BPF_LD | BPF_W | BPF_ABS, 2));
    refused("indirect", word(BPF_LD | BPF_W | BPF_IND, 0));
    refused("header length", word(BPF_LDX | BPF_B | BPF_MSH, 0));
    refused("ancillary data", word(BPF_LD | BPF_W | BPF_ABS, SKF_AD_OFF + SKF_AD_CPU));
    refused("division by 0", word(BPF_ALU | BPF_DIV | BPF_K, 0));
    refused("modulo", word(BPF_ALU | BPF_MOD | BPF_K, 3));
    refused("shift by 32", word(BPF_ALU | BPF_LSH | BPF_K, 32));
    refused("jump beyond the end", word(BPF_JMP | BPF_JA, 1));
    refused("jump backwards", word(BPF_JMP | BPF_JA, -1));
    refused("branch beyond the end", BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1));
    refused("no such word", word(BPF_ST, BPF_MEMWORDS));
    refused("a word that was not stored", word(BPF_LD | BPF_MEM, 1));
    refused("a word that was stored on one way", UNLESS(0, 1), word(BPF_ST, 1), word(BPF_LDX | BPF_MEM, 1));
    succeeds("a word that was stored on both ways",
             install(0, UNLESS(0, 2), word(BPF_ST, 1), word(BPF_JMP | BPF_JA, 1), word(BPF_ST, 1), word(BPF_LD | BPF_MEM, 1),
                     RETURN(SECCOMP_RET_ALLOW)));

    unsigned action = SECCOMP_RET_TRAP;
    succeeds("SECCOMP_RET_TRAP", syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action));
    action = 0x12340000;
    fails("no such action", syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action), EOPNOTSUPP);
    fails("action nowhere", syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, forbidden()), EFAULT);
    fails("action with flags", syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 1, &action), EINVAL);
    struct { unsigned short notification, response, data; } sizes = {0};
    succeeds("sizes", syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &sizes));
    check("sizes", sizes.notification >= 80 && sizes.response >= 24 && sizes.data == sizeof(struct seccomp_data));
    fails("strict after a filter", syscall(SYS_seccomp, SECCOMP_SET_MODE_STRICT, 0, 0), EINVAL);
    fails("strict after a filter, by prctl", prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT, 0, 0, 0), EINVAL);
    equal("codes", child_end(codes()), 0);

    // A filter of the greatest length, until all together are too long.
    equal("many filters", child_end({
        static struct sock_filter longest[BPF_MAXINSNS];
        for (int i = 0; i < BPF_MAXINSNS; i++) longest[i] = allow[0];
        int installed = 0;
        while (!set(0, BPF_MAXINSNS, longest)) installed++;
        equal("too many", errno, ENOMEM);
        check("some", installed >= 3 && installed < 9);
        _exit(finish());
    }), 0);
    return finish();
}
