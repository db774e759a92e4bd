//! A finding is allowed that is not there, or without a reason
//!
//! # What
//! A comment `biarch: allow`, or a line of a file of `--suppress`, that does nothing: no such finding is there any more, there is
//! no such rule, or it says no reason.
//!
//! # Why
//! What allows more than is there will also allow what comes later. Without a reason nobody can tell whether it still holds.
//!
//! # Example
//! Bad:
//!
//! ```c
//! int f(int n) { return n + 1; } // biarch: allow P010 the sum is small
//! ```
//!
//! Good:
//!
//! ```c
//! // biarch: allow P010 a name has 255 bytes at most
//! int f(const char *s) { return __builtin_strlen(s); }
//! ```
//!
//! # Fix
//! Take the comment or the line out, or give it a rule and a reason: `// biarch: allow P010 the file has less than 2 GiB`. It
//! stands at the end of the line of the finding, or above it.
//!
//! # References
//! - CWE-1164
//! - `biarch port --help`, --suppress

use super::Visit;

pub(super) const VISIT: Visit = Visit::Allowance;
