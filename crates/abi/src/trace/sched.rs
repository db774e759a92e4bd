//! Policies, priorities and limits.

use crate::named_arg;

named_arg! {
    /// Which limit, getrlimit(2).
    choice Resource {
        RLIMIT_CPU = 0, RLIMIT_FSIZE = 1, RLIMIT_DATA = 2, RLIMIT_STACK = 3, RLIMIT_CORE = 4, RLIMIT_RSS = 5,
        RLIMIT_NPROC = 6, RLIMIT_NOFILE = 7, RLIMIT_MEMLOCK = 8, RLIMIT_AS = 9, RLIMIT_LOCKS = 10, RLIMIT_SIGPENDING = 11,
        RLIMIT_MSGQUEUE = 12, RLIMIT_NICE = 13, RLIMIT_RTPRIO = 14, RLIMIT_RTTIME = 15,
    }
}

named_arg! {
    /// Whose resources, getrusage(2).
    choice RusageWho { RUSAGE_SELF = 0, RUSAGE_THREAD = 1, RUSAGE_CHILDREN = 0xffff_ffff }
}

named_arg! {
    /// Scheduling policies, sched(7).
    choice Policy {
        SCHED_NORMAL = 0, SCHED_FIFO = 1, SCHED_RR = 2, SCHED_BATCH = 3, SCHED_IDLE = 5, SCHED_DEADLINE = 6, SCHED_EXT = 7,
    }
}

named_arg! {
    /// What `who` means in getpriority(2).
    choice PriorityWhich { PRIO_PROCESS = 0, PRIO_PGRP = 1, PRIO_USER = 2 }
}

named_arg! {
    /// What `who` means in ioprio_set(2).
    choice IoPriorityWhich { IOPRIO_WHO_PROCESS = 1, IOPRIO_WHO_PGRP = 2, IOPRIO_WHO_USER = 3 }
}
