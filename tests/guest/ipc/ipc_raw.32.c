// ipc (117) with its numbers and versions, and the direct calls since 5.1.
#include <sys/ipc.h>
#include "expect.h"

static long ipc(unsigned call, long a, long b, long c, void *p, long d) { return syscall(117, call, a, b, c, p, d); }

int main(void) {
    struct { int32_t type; char text[16]; } m = {5, "five"}, r = {};
    int q = succeeds("MSGGET", ipc(13, IPC_PRIVATE, 0600 | IPC_CREAT, 0, 0, 0));
    succeeds("MSGSND", ipc(11, q, 5, 0, &m, 0));
    struct { uint32_t message; int32_t type; } pair = {(uintptr_t)&r, 0};
    equal("MSGRCV, old: a pair", ipc(12, q, 16, 0, &pair, 0), 5);
    check("contents", r.type == 5 && !strcmp(r.text, "five"));
    must(ipc(11, q, 5, 0, &m, 0));
    memset(&r, 0, sizeof r);
    equal("MSGRCV, version 1", ipc(1 << 16 | 12, q, 16, 0, &r, 5), 5);
    check("contents", r.type == 5);
    fails("MSGRCV, old: pair nowhere", ipc(12, q, 16, 0, forbidden(), 0), EFAULT);
    uint32_t ds[40];
    memset(ds, 0x5a, sizeof ds);
    succeeds("MSGCTL, IPC_64", ipc(14, q, IPC_STAT | 0x100, 0, ds, 0));
    check("88 bytes", ds[21] != 0x5a5a5a5a && ds[22] == 0x5a5a5a5a);
    succeeds("msgctl, direct", syscall(402, q, IPC_STAT, ds));
    succeeds("MSGCTL, IPC_RMID", ipc(14, q, IPC_RMID, 0, 0, 0));
    int s = succeeds("SEMGET", ipc(2, IPC_PRIVATE, 2, 0600, 0, 0));
    uint32_t value = 9;
    succeeds("SEMCTL: SETVAL through a pointer to the union", ipc(3, s, 1, 16, &value, 0));
    value = 0;
    equal("SEMCTL: GETVAL", ipc(3, s, 1, 12, &value, 0), 9);
    struct { uint16_t num; int16_t op, flags; } op = {1, -9, 0};
    succeeds("SEMOP", ipc(1, s, 1, 0, &op, 0));
    struct { int32_t sec, nsec; } t = {0, 5000000};
    op.op = -1;
    fails("SEMTIMEDOP", ipc(4, s, 1, 0, &op, (long)&t), EAGAIN);
    struct { int64_t sec, nsec; } w = {0, 5000000};
    fails("semtimedop_time64", syscall(420, s, &op, 1, &w), EAGAIN);
    succeeds("SEMCTL: IPC_RMID", ipc(3, s, 0, IPC_RMID, &value, 0));
    int m2 = succeeds("SHMGET", ipc(23, IPC_PRIVATE, 4096, 0600, 0, 0));
    uint32_t address = 0;
    succeeds("SHMAT writes the address", ipc(21, m2, 0, (long)&address, 0, 0));
    check("address", address > 4096 && address % 4096 == 0);
    *(char *)(uintptr_t)address = 1;
    fails("SHMAT to nowhere", ipc(21, m2, 0, (long)forbidden(), 0, 0), EFAULT);
    succeeds("SHMDT", ipc(22, 0, 0, 0, (void *)(uintptr_t)address, 0));
    succeeds("SHMCTL", ipc(24, m2, IPC_RMID, 0, 0, 0));
    fails("no such call", ipc(99, 0, 0, 0, 0, 0), ENOSYS);
    return finish();
}
