// bpf: a map, and a program that does nothing.
//# needs: root
#include <linux/bpf.h>
#include <sys/socket.h>
#include "expect.h"

static long bpf(int command, void *attributes, long size) { return syscall(SYS_bpf, command, attributes, size); }

int main(void) {
    union bpf_attr a;
    memset(&a, 0, sizeof a);
    optional(bpf(0x7fffffff, 0, 0));
    fails("no such command", bpf(0x7ffffff, &a, sizeof a), EINVAL);
    fails("nowhere", bpf(BPF_MAP_CREATE, forbidden(), 48), EFAULT);
    fails("far too large", bpf(BPF_MAP_CREATE, &a, 8192), E2BIG);
    fails("no such map", bpf(BPF_MAP_CREATE, &a, sizeof a), EINVAL);
    a.map_type = BPF_MAP_TYPE_ARRAY, a.key_size = 4, a.value_size = 8, a.max_entries = 3;
    int map = succeeds("BPF_MAP_CREATE", bpf(BPF_MAP_CREATE, &a, sizeof a));
    uint32_t key = 2;
    uint64_t value = 0x123456789abcdefULL, got = 0;
    memset(&a, 0, sizeof a);
    a.map_fd = map, a.key = (uintptr_t)&key, a.value = (uintptr_t)&value;
    succeeds("BPF_MAP_UPDATE_ELEM", bpf(BPF_MAP_UPDATE_ELEM, &a, sizeof a));
    a.value = (uintptr_t)&got;
    succeeds("BPF_MAP_LOOKUP_ELEM", bpf(BPF_MAP_LOOKUP_ELEM, &a, sizeof a));
    check("the value", got == value || expect_absent);
    key = 3;
    fails("beyond its end", bpf(BPF_MAP_LOOKUP_ELEM, &a, sizeof a), ENOENT);
    key = 0, a.value = (uintptr_t)forbidden();
    fails("value nowhere", bpf(BPF_MAP_LOOKUP_ELEM, &a, sizeof a), EFAULT);
    a.map_fd = 1, a.value = (uintptr_t)&got;
    fails("not a map", bpf(BPF_MAP_LOOKUP_ELEM, &a, sizeof a), EINVAL);

    // r0 = 0; exit
    struct bpf_insn code[2] = {{.code = BPF_ALU64 | BPF_MOV | BPF_K}, {.code = BPF_JMP | BPF_EXIT}};
    memset(&a, 0, sizeof a);
    a.prog_type = BPF_PROG_TYPE_SOCKET_FILTER, a.insn_cnt = 2, a.insns = (uintptr_t)code, a.license = (uintptr_t)"GPL";
    int program = succeeds("BPF_PROG_LOAD", bpf(BPF_PROG_LOAD, &a, sizeof a)), pair[2];
    must(socketpair(AF_UNIX, SOCK_DGRAM, 0, pair));
    succeeds("attached", setsockopt(pair[1], SOL_SOCKET, 50 /* SO_ATTACH_BPF */, &program, sizeof program));
    if (!expect_absent) send(pair[0], "x", 1, MSG_DONTWAIT);
    char byte;
    fails("lets nothing through", recv(pair[1], &byte, 1, MSG_DONTWAIT), EAGAIN);
    code[1].code = 0;
    fails("a program without an end", bpf(BPF_PROG_LOAD, &a, sizeof a), EINVAL);
    return finish();
}
