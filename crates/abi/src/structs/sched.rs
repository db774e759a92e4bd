//! Scheduling, priorities, limits and accounting: `sched(7)`, getrlimit(2), getrusage(2).

use super::time::timeval;
use crate::structs::{Layout, Long, Row, SameLayout, U64, ULong};

abi_struct! {
    /// A soft and a hard limit, getrlimit(2). What is too large for 32 bits reads as infinity (`compat_sys_getrlimit` in
    /// `kernel/sys.c`), which is the largest number.
    pub struct rlimit ("struct rlimit" / "struct rlimit" in "linux/resource.h"): 8 / 16 {
        rlim_cur @ 0 / 0: ULong, saturate;
        rlim_max @ 4 / 8: ULong, saturate;
    }
}

abi_struct! {
    /// The limits of prlimit(2).
    pub struct rlimit64 ("struct rlimit64" / "struct rlimit64" in "linux/resource.h"): 16 / 16 {
        rlim_cur @ 0 / 0: U64;
        rlim_max @ 8 / 8: U64;
    }
}
impl SameLayout for rlimit64::Guest32 {}

abi_struct! {
    /// Resources used, getrusage(2) and wait4(2). The kernel truncates them (`put_compat_rusage` in `kernel/compat.c`).
    pub struct rusage ("struct rusage" / "struct rusage" in "linux/resource.h"): 72 / 144 {
        ru_utime @ 0 / 0: timeval::Guest32, truncate;
        ru_stime @ 8 / 16: timeval::Guest32, truncate;
        ru_maxrss @ 16 / 32: Long, truncate;
        ru_ixrss @ 20 / 40: Long, truncate;
        ru_idrss @ 24 / 48: Long, truncate;
        ru_isrss @ 28 / 56: Long, truncate;
        ru_minflt @ 32 / 64: Long, truncate;
        ru_majflt @ 36 / 72: Long, truncate;
        ru_nswap @ 40 / 80: Long, truncate;
        ru_inblock @ 44 / 88: Long, truncate;
        ru_oublock @ 48 / 96: Long, truncate;
        ru_msgsnd @ 52 / 104: Long, truncate;
        ru_msgrcv @ 56 / 112: Long, truncate;
        ru_nsignals @ 60 / 120: Long, truncate;
        ru_nvcsw @ 64 / 128: Long, truncate;
        ru_nivcsw @ 68 / 136: Long, truncate;
    }
}

abi_struct! {
    /// The real-time priority, sched_setscheduler(2).
    pub struct sched_param ("struct sched_param" / "struct sched_param" in "linux/sched/types.h"): 4 / 4 {
        sched_priority @ 0 / 0: i32;
    }
}
impl SameLayout for sched_param::Guest32 {}

abi_struct! {
    /// All that there is to set about a policy, sched_setattr(2).
    pub struct sched_attr ("struct sched_attr" / "struct sched_attr" in "linux/sched/types.h"): 56 / 56 {
        size @ 0 / 0: u32;
        sched_policy @ 4 / 4: u32;
        sched_flags @ 8 / 8: U64;
        sched_nice @ 16 / 16: i32;
        sched_priority @ 20 / 20: u32;
        sched_runtime @ 24 / 24: U64;
        sched_deadline @ 32 / 32: U64;
        sched_period @ 40 / 40: U64;
        sched_util_min @ 48 / 48: u32;
        sched_util_max @ 52 / 52: u32;
    }
}
impl SameLayout for sched_attr::Guest32 {}

/// Every row of this file.
pub const LAYOUTS: &[Layout] = &[
    rlimit::Guest32::LAYOUT,
    rlimit64::Guest32::LAYOUT,
    rusage::Guest32::LAYOUT,
    sched_param::Guest32::LAYOUT,
    sched_attr::Guest32::LAYOUT,
];
