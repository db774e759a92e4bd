//! The system calls with a 64-bit time_t are refused
//!
//! # What
//! On this machine clock_gettime64 or futex_time64 of a 32-bit program fails.
//!
//! # Why
//! Linux has them since 5.1, and C libraries with a 64-bit time_t (musl since 1.2, Debian's armhf since 13) ask for them
//! first. For ENOSYS they fall back to the calls with 32 bits, at the price of one call more and until 2038. Any other error
//! they believe: filters of system calls that are older than these calls return EPERM (Docker before 19.03.9, libseccomp
//! before 2.4.2), and then there is no clock, and no lock can be waited for.
//!
//! # Example
//! Bad:
//!
//! ```text
//! biarch-kit 1
//! [uname]
//! | release 5.10.0-34-arm64
//! | machine aarch64
//! [probe armhf]
//! | probe 1 armhf
//! | call.clock_gettime64 errno 1
//! | call.futex_time64 errno 1
//! | end armhf
//! ```
//!
//! Good:
//!
//! ```text
//! biarch-kit 1
//! [uname]
//! | release 5.10.0-34-arm64
//! | machine aarch64
//! [probe armhf]
//! | probe 1 armhf
//! | call.clock_gettime64 ok
//! | call.futex_time64 ok
//! | end armhf
//! ```
//!
//! # Fix
//! For ENOSYS update the kernel to 5.10 or later. Otherwise update the container's runtime and libseccomp; until then
//! `--security-opt seccomp=unconfined` shows whether the filter is the cause.
//!
//! # References
//! - Alpine Linux 3.13.0 release notes, "musl 1.2"
//! - moby/moby #40734; seccomp/libseccomp 2.4.2

use super::Found;
use crate::facts::Facts;
use crate::facts::machine::{ENOSYS, Outcome};
use findings::Severity;

const KEYS: &[&str] = &["call.clock_gettime64", "call.futex_time64"];

pub(super) fn apply(facts: &Facts, found: &mut Found<'_>) {
    for kernel in &facts.kernels {
        let failed: Vec<Outcome> = KEYS.iter().filter_map(|key| kernel.outcome(key)).filter(|outcome| *outcome != Outcome::Works).collect();
        if failed.is_empty() {
            continue;
        }
        let (message, severity) = if failed.iter().all(|outcome| *outcome == ENOSYS) {
            ("programs with a 64-bit time_t make a second call whenever they read the clock, and stop in 2038", Severity::Note)
        } else {
            ("programs with a 64-bit time_t have no clock and cannot wait: something refuses their calls", Severity::Fails)
        };
        found.add(&kernel.name, message, kernel.evidence(KEYS, &[])).severity = severity;
    }
}
