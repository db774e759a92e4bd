//! Clocks and timers.

use crate::named_arg;

named_arg! {
    /// `clockid_t`; negative ones are per-process or a device's clock, clock_getcpuclockid(3).
    choice ClockId {
        CLOCK_REALTIME = 0, CLOCK_MONOTONIC = 1, CLOCK_PROCESS_CPUTIME_ID = 2, CLOCK_THREAD_CPUTIME_ID = 3,
        CLOCK_MONOTONIC_RAW = 4, CLOCK_REALTIME_COARSE = 5, CLOCK_MONOTONIC_COARSE = 6, CLOCK_BOOTTIME = 7,
        CLOCK_REALTIME_ALARM = 8, CLOCK_BOOTTIME_ALARM = 9, CLOCK_TAI = 11,
    }
}

named_arg! {
    /// Flags of clock_nanosleep(2) and timer_settime(2).
    flags TimerFlags { TIMER_ABSTIME = 1 }
}

named_arg! {
    /// Flags of timerfd_settime(2).
    flags TimerfdSettimeFlags { TFD_TIMER_ABSTIME = 1, TFD_TIMER_CANCEL_ON_SET = 2 }
}

named_arg! {
    /// Flags of timerfd_create(2).
    flags TimerfdCreateFlags { TFD_NONBLOCK = 0o4000, TFD_CLOEXEC = 0o2000000 }
}

named_arg! {
    /// The three timers of setitimer(2).
    choice IntervalTimer { ITIMER_REAL = 0, ITIMER_VIRTUAL = 1, ITIMER_PROF = 2 }
}
