// What the kernel reads of structures in IPC: only the parts that it uses, as bytes before an unmapped page show.
//# needs: mqueue
#include "expect.h"
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>

static int seen;

static void count(int signal, siginfo_t *info, void *context) { seen += info->si_value.sival_int == 7 && info->si_code == SI_MESGQ; }

// The first `size` bytes of a structure, and nothing mapped behind.
static void *first(const void *structure, size_t size) { return memcpy(before_forbidden(size), structure, size); }

int main(void) {
    char name[64];
    sprintf(name, "biarch-edges-%d", getpid());
    int queue = must(syscall(SYS_mq_open, name, O_CREAT | O_EXCL | O_RDWR, 0600, 0));
    must(syscall(SYS_mq_unlink, name));
    on_signal(SIGUSR1, count, 0);
    struct { int value, signal, notify, tid, rest[12]; } event = {7, SIGUSR1, SIGEV_SIGNAL};
    fails("mq_notify, 15 bytes", syscall(SYS_mq_notify, queue, first(&event, 15)), EFAULT);
    succeeds("mq_notify, 16 bytes of a sigevent", syscall(SYS_mq_notify, queue, first(&event, 16)));
    must(syscall(SYS_mq_timedsend, queue, "x", 1, 0, 0));
    equal("told once, with the value", seen, 1);

    int messages = must(msgget(IPC_PRIVATE, 0600));
    unsigned char state[88];
    succeeds("msgctl IPC_STAT", syscall(SYS_msgctl, messages, IPC_STAT, state));
    fails("msgctl IPC_SET, without the length", syscall(SYS_msgctl, messages, IPC_SET, first(state, 71)), EFAULT);
    succeeds("msgctl IPC_SET, up to the length", syscall(SYS_msgctl, messages, IPC_SET, first(state, 72)));
    must(msgctl(messages, IPC_RMID, 0));

    int set = must(semget(IPC_PRIVATE, 1, 0600));
    succeeds("semctl IPC_STAT", syscall(SYS_semctl, set, 0, IPC_STAT, state));
    fails("semctl IPC_SET, 35 bytes", syscall(SYS_semctl, set, 0, IPC_SET, first(state, 35)), EFAULT);
    succeeds("semctl IPC_SET, the permissions", syscall(SYS_semctl, set, 0, IPC_SET, first(state, 36)));
    fails("with IPC_64: read", syscall(SYS_semctl, set, 0, IPC_SET | 0x100, first(state, 35)), EFAULT);
    fails("and refused", syscall(SYS_semctl, set, 0, IPC_SET | 0x100, first(state, 36)), EINVAL);
    succeeds("the value is set all the same", syscall(SYS_semctl, set, 0, SETVAL | 0x100, 3));
    equal("it is", syscall(SYS_semctl, set, 0, GETVAL, 0), 3);
    must(semctl(set, 0, IPC_RMID));

    int segment = must(shmget(IPC_PRIVATE, 4096, 0600));
    succeeds("shmctl IPC_STAT", syscall(SYS_shmctl, segment, IPC_STAT, state));
    fails("shmctl IPC_SET, 35 bytes", syscall(SYS_shmctl, segment, IPC_SET, first(state, 35)), EFAULT);
    succeeds("shmctl IPC_SET, the permissions", syscall(SYS_shmctl, segment, IPC_SET, first(state, 36)));
    must(shmctl(segment, IPC_RMID, 0));
    return finish();
}
