//! Arguments of the calls on System V and POSIX inter-process communication.

use crate::named_arg;

named_arg! {
    /// A call of ipc(2) (`linux/ipc.h`); a version may be in the upper half.
    choice IpcCall {
        SEMOP = 1, SEMGET = 2, SEMCTL = 3, SEMTIMEDOP = 4, MSGSND = 11, MSGRCV = 12, MSGGET = 13, MSGCTL = 14, SHMAT = 21,
        SHMDT = 22, SHMGET = 23, SHMCTL = 24,
    }
}

named_arg! {
    /// The flags of semget(2), msgget(2) and shmget(2), with the permissions in the low bits.
    flags IpcGetFlags { IPC_CREAT = 0o1000, IPC_EXCL = 0o2000, SHM_HUGETLB = 0o4000, SHM_NORESERVE = 0o10000 }
}

named_arg! {
    /// The flags of msgsnd(2) and msgrcv(2).
    flags MsgQueueFlags { IPC_NOWAIT = 0o4000, MSG_NOERROR = 0o10000, MSG_EXCEPT = 0o20000, MSG_COPY = 0o40000 }
}

named_arg! {
    /// The flags of shmat(2).
    flags ShmatFlags { SHM_RDONLY = 0o10000, SHM_RND = 0o20000, SHM_REMAP = 0o40000, SHM_EXEC = 0o100_000 }
}

named_arg! {
    /// The command of semctl(2).
    choice SemCmd {
        IPC_RMID = 0, IPC_SET = 1, IPC_STAT = 2, IPC_INFO = 3, GETPID = 11, GETVAL = 12, GETALL = 13, GETNCNT = 14, GETZCNT = 15,
        SETVAL = 16, SETALL = 17, SEM_STAT = 18, SEM_INFO = 19, SEM_STAT_ANY = 20,
    }
}

named_arg! {
    /// The command of msgctl(2).
    choice MsgCmd {
        IPC_RMID = 0, IPC_SET = 1, IPC_STAT = 2, IPC_INFO = 3, MSG_STAT = 11, MSG_INFO = 12, MSG_STAT_ANY = 13,
    }
}

named_arg! {
    /// The command of shmctl(2).
    choice ShmCmd {
        IPC_RMID = 0, IPC_SET = 1, IPC_STAT = 2, IPC_INFO = 3, SHM_LOCK = 11, SHM_UNLOCK = 12, SHM_STAT = 13, SHM_INFO = 14,
        SHM_STAT_ANY = 15,
    }
}
