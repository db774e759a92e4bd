//! A time is written to a file or a socket as it is
//!
//! # What
//! A `time_t`, a `struct timeval`, `timespec`, `stat` or `utmp`, or a structure in which only such members grow, is passed as it lies in
//! memory to write(2), fread(3), send(2) or a function like them. Where nothing says that the descriptor is a file or a socket, it is only
//! possible.
//!
//! # Why
//! A `time_t` has 4 bytes on most 32-bit systems and 8 on 64-bit ones; on 32-bit systems it also depends on `_TIME_BITS`. Files and
//! messages with times are the most frequent ones that cannot be read after the move.
//!
//! # Example
//! Bad:
//!
//! ```c
//! #include <time.h>
//! #include <unistd.h>
//! struct entry { int who; time_t when; };
//! int save(int fd, int who)
//! {
//!     struct entry entry = {who, time(0)};
//!     return write(fd, &entry, sizeof entry) == sizeof entry;
//! }
//! ```
//!
//! Good:
//!
//! ```c
//! #include <stdint.h>
//! #include <time.h>
//! #include <unistd.h>
//! struct entry { int64_t when; int32_t who, zero; };
//! int save(int fd, int who)
//! {
//!     struct entry entry = {time(0), who, 0};
//!     return write(fd, &entry, sizeof entry) == sizeof entry;
//! }
//! ```
//!
//! # Fix
//! Write `int64_t`. Where old files are to be read, `uint32_t` lasts until 2106, and a number of the format tells both apart.
//!
//! # References
//! - CWE-188, CWE-681
//! - man 7 feature_test_macros (`_TIME_BITS`)

use super::Visit;

pub(super) const VISIT: Visit = Visit::Crossing(|crossing| crossing.object.is_time);
