// SysV message queues and semaphores.
//# libc: static musl time64
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include "expect.h"

struct message { long type; char text[32]; };
union semun { int val; struct semid_ds *buf; unsigned short *array; };
static void nothing(int signal, siginfo_t *info, void *context) {}

int main(void) {
    int q = succeeds("msgget", msgget(IPC_PRIVATE, IPC_CREAT | 0600));
    struct message m = {7, "seven"}, r = {};
    succeeds("msgsnd", msgsnd(q, &m, 6, 0));
    m = (struct message){3, "three!"};
    succeeds("msgsnd", msgsnd(q, &m, 7, 0));
    equal("by type", msgrcv(q, &r, 32, 3, 0), 7);
    check("text", r.type == 3 && !strcmp(r.text, "three!"));
    fails("too large for the buffer", msgrcv(q, &r, 2, 0, 0), E2BIG);
    equal("cut", msgrcv(q, &r, 2, 0, MSG_NOERROR), 2);
    fails("none left", msgrcv(q, &r, 32, 0, IPC_NOWAIT), ENOMSG);
    m.type = 0;
    fails("type zero", msgsnd(q, &m, 1, 0), EINVAL);
    m.type = 1;
    fails("too long", msgsnd(q, &m, 1 << 20, 0), EINVAL);
    fails("nowhere", msgsnd(q, forbidden(), 4, 0), EFAULT);
    struct msqid_ds ds;
    must(msgsnd(q, &m, 4, 0));
    succeeds("IPC_STAT", msgctl(q, IPC_STAT, &ds));
    check("counts", ds.msg_qnum == 1 && ds.__msg_cbytes == 4 && ds.msg_qbytes >= 1000 && ds.msg_lspid == getpid());
    check("time", ds.msg_stime >= time(0) - 5 && ds.msg_perm.uid == geteuid() && (ds.msg_perm.mode & 0777) == 0600);
    succeeds("remove", msgctl(q, IPC_RMID, 0));
    fails("gone", msgsnd(q, &m, 1, 0), EINVAL);

    int s = succeeds("semget", semget(IPC_PRIVATE, 3, IPC_CREAT | 0600));
    unsigned short values[3] = {1, 2, 3}, back[3];
    succeeds("SETALL", semctl(s, 0, SETALL, (union semun){.array = values}));
    succeeds("GETALL", semctl(s, 0, GETALL, (union semun){.array = back}));
    check("values", !memcmp(values, back, 6));
    equal("GETVAL", semctl(s, 2, GETVAL), 3);
    succeeds("SETVAL", semctl(s, 0, SETVAL, (union semun){.val = 5}));
    struct sembuf ops[2] = {{0, -5, 0}, {1, 4, SEM_UNDO}};
    succeeds("semop", semop(s, ops, 2));
    equal("both", semctl(s, 0, GETVAL) * 100 + semctl(s, 1, GETVAL), 6);
    fails("would wait", semop(s, &(struct sembuf){0, -1, IPC_NOWAIT}, 1), EAGAIN);
    fails("timeout", semtimedop(s, &(struct sembuf){0, -1, 0}, 1, &(struct timespec){0, 10000000}), EAGAIN);
    fails("no such semaphore", semop(s, &(struct sembuf){9, 1, 0}, 1), EFBIG);
    fails("nowhere", semop(s, forbidden(), 1), EFAULT);
    fails("too large", semctl(s, 0, SETVAL, (union semun){.val = 40000}), ERANGE);
    pid_t child = must(fork());
    if (!child) {
        must(semop(s, &(struct sembuf){2, -3, SEM_UNDO}, 1));
        must(semop(s, &(struct sembuf){0, -1, 0}, 1));
        _exit(8);
    }
    while (semctl(s, 0, GETNCNT) != 1) pause_for(1);
    equal("taken", semctl(s, 2, GETVAL), 0);
    succeeds("wakes the child", semop(s, &(struct sembuf){0, 1, 0}, 1));
    equal("child", end_of(child), 8);
    equal("undone", semctl(s, 2, GETVAL), 3);
    struct semid_ds sd;
    succeeds("IPC_STAT", semctl(s, 0, IPC_STAT, (union semun){.buf = &sd}));
    equal("how many", sd.sem_nsems, 3);
    check("time", sd.sem_ctime >= time(0) - 5 && sd.sem_otime >= time(0) - 5);
    on_signal(SIGALRM, nothing, SA_RESTART);
    ualarm(10000, 0);
    fails("interrupted", semop(s, &(struct sembuf){0, -1, 0}, 1), EINTR);
    struct seminfo info;
    check("IPC_INFO", semctl(0, 0, IPC_INFO, (union semun){.buf = (void *)&info}) >= 0 && info.semmsl > 0);
    succeeds("remove", semctl(s, 0, IPC_RMID));
    return finish();
}
