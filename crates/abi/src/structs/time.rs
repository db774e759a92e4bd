//! `time(7)`: clocks, timers and intervals.
//!
//! i386 has two of nearly everything: with 32-bit seconds (`timespec`, native to its first thirty years) and with 64-bit ones
//! (`timespec64`, the `_time64` calls of Linux 5.1), whose layout is that of the host.

use crate::structs::{I64, Layout, Long, Pad, Row, SameLayout, ULong};

abi_struct! {
    /// `struct old_timespec32`: the i386 `struct timespec` of the calls with 32-bit times, clock_gettime(2).
    pub struct timespec ("struct timespec" / "struct timespec" in "linux/time.h"): 8 / 16 {
        tv_sec @ 0 / 0: Long;
        tv_nsec @ 4 / 8: Long;
    }
}

abi_struct! {
    /// `struct old_timeval32`: the i386 `struct timeval`, gettimeofday(2).
    pub struct timeval ("struct timeval" / "struct timeval" in "linux/time.h"): 8 / 16 {
        tv_sec @ 0 / 0: Long;
        tv_usec @ 4 / 8: Long;
    }
}

abi_struct! {
    /// The kernel's idea of the local time zone, gettimeofday(2).
    pub struct timezone ("struct timezone" / "struct timezone" in "linux/time.h"): 8 / 8 {
        tz_minuteswest @ 0 / 0: i32;
        tz_dsttime @ 4 / 4: i32;
    }
}

abi_struct! {
    /// `struct old_itimerval32`, setitimer(2).
    pub struct itimerval ("struct itimerval" / "struct itimerval" in "linux/time.h"): 16 / 32 {
        it_interval @ 0 / 0: timeval::Guest32;
        it_value @ 8 / 16: timeval::Guest32;
    }
}

abi_struct! {
    /// `struct old_itimerspec32`, timer_settime(2) and timerfd_settime(2).
    pub struct itimerspec ("struct itimerspec" / "struct itimerspec" in "linux/time.h"): 16 / 32 {
        it_interval @ 0 / 0: timespec::Guest32;
        it_value @ 8 / 16: timespec::Guest32;
    }
}

abi_struct! {
    /// `struct __kernel_timespec` of the `_time64` calls. Of `tv_nsec` only the low half counts when a 32-bit task passes it in
    /// (`get_timespec64` in `kernel/time/time.c`), because its C library may leave rubbish in the padding.
    pub struct timespec64 ("struct __kernel_timespec" / "struct __kernel_timespec" in "linux/time_types.h"): 16 / 16 {
        tv_sec @ 0 / 0: I64;
        tv_nsec @ 8 / 8: I64;
    }
}
impl SameLayout for timespec64::Guest32 {}

abi_struct! {
    /// `struct __kernel_itimerspec` of the `_time64` calls.
    pub struct itimerspec64 ("struct __kernel_itimerspec" / "struct __kernel_itimerspec" in "linux/time_types.h"): 32 / 32 {
        it_interval @ 0 / 0: timespec64::Guest32;
        it_value @ 16 / 16: timespec64::Guest32;
    }
}
impl SameLayout for itimerspec64::Guest32 {}

abi_struct! {
    /// `struct old_timex32`, adjtimex(2).
    pub struct timex ("struct timex" / "struct timex" in "linux/timex.h"): 128 / 208 {
        modes @ 0 / 0: u32;
        __pad0 @ 4 / 4: Pad<0> => Pad<4>;
        offset @ 4 / 8: Long;
        freq @ 8 / 16: Long;
        maxerror @ 12 / 24: Long;
        esterror @ 16 / 32: Long;
        status @ 20 / 40: i32;
        __pad1 @ 24 / 44: Pad<0> => Pad<4>;
        constant @ 24 / 48: Long;
        precision @ 28 / 56: Long;
        tolerance @ 32 / 64: Long;
        time @ 36 / 72: timeval::Guest32;
        tick @ 44 / 88: Long;
        ppsfreq @ 48 / 96: Long;
        jitter @ 52 / 104: Long;
        shift @ 56 / 112: i32;
        __pad2 @ 60 / 116: Pad<0> => Pad<4>;
        stabil @ 60 / 120: Long;
        jitcnt @ 64 / 128: Long;
        calcnt @ 68 / 136: Long;
        errcnt @ 72 / 144: Long;
        stbcnt @ 76 / 152: Long;
        tai @ 80 / 160: i32;
        __pad3 @ 84 / 164: Pad<44> => Pad<44>;
    }
}

abi_struct! {
    /// `struct __kernel_timex` of clock_adjtime64.
    pub struct timex64 ("struct __kernel_timex" / "struct __kernel_timex" in "linux/timex.h"): 208 / 208 {
        modes @ 0 / 0: u32;
        __pad0 @ 4 / 4: Pad<4> => Pad<4>;
        offset @ 8 / 8: I64;
        freq @ 16 / 16: I64;
        maxerror @ 24 / 24: I64;
        esterror @ 32 / 32: I64;
        status @ 40 / 40: i32;
        __pad1 @ 44 / 44: Pad<4> => Pad<4>;
        constant @ 48 / 48: I64;
        precision @ 56 / 56: I64;
        tolerance @ 64 / 64: I64;
        time @ 72 / 72: timespec64::Guest32;
        tick @ 88 / 88: I64;
        ppsfreq @ 96 / 96: I64;
        jitter @ 104 / 104: I64;
        shift @ 112 / 112: i32;
        __pad2 @ 116 / 116: Pad<4> => Pad<4>;
        stabil @ 120 / 120: I64;
        jitcnt @ 128 / 128: I64;
        calcnt @ 136 / 136: I64;
        errcnt @ 144 / 144: I64;
        stbcnt @ 152 / 152: I64;
        tai @ 160 / 160: i32;
        __pad3 @ 164 / 164: Pad<44> => Pad<44>;
    }
}
impl SameLayout for timex64::Guest32 {}

abi_struct! {
    /// How a timer's expiry is told, timer_create(2). `sigev_value` is a union whose larger member is a pointer; the kernel
    /// copies a 32-bit task's as a number (`get_compat_sigevent` in `kernel/signal.c`).
    pub struct sigevent ("struct sigevent" / "struct sigevent" in "asm-generic/siginfo.h"): 64 / 64 {
        sigev_value @ 0 / 0: ULong;
        sigev_signo @ 4 / 8: i32;
        sigev_notify @ 8 / 12: i32;
        sigev_notify_thread_id @ 12 / 16: i32;
        __pad @ 16 / 20: Pad<48> => Pad<44>;
    }
}

abi_struct! {
    /// Processor times in clock ticks, times(2). The kernel truncates them (`compat_sys_times` in `kernel/sys.c`).
    pub struct tms ("struct tms" / "struct tms" in "linux/times.h"): 16 / 32 {
        tms_utime @ 0 / 0: Long, truncate;
        tms_stime @ 4 / 8: Long, truncate;
        tms_cutime @ 8 / 16: Long, truncate;
        tms_cstime @ 12 / 24: Long, truncate;
    }
}

/// Every row of this file.
pub const LAYOUTS: &[Layout] = &[
    timespec::Guest32::LAYOUT,
    timeval::Guest32::LAYOUT,
    timezone::Guest32::LAYOUT,
    itimerval::Guest32::LAYOUT,
    itimerspec::Guest32::LAYOUT,
    timespec64::Guest32::LAYOUT,
    itimerspec64::Guest32::LAYOUT,
    timex::Guest32::LAYOUT,
    timex64::Guest32::LAYOUT,
    sigevent::Guest32::LAYOUT,
    tms::Guest32::LAYOUT,
];
