//! A long, a size or a pointer is written to a file or a socket as it is
//!
//! # What
//! The bytes of a variable whose type grows are passed to write(2), fread(3), send(2) or a function like them, with a length that
//! grows as well. So are the points of a picture that are taken for such variables: what mmap(2) maps of a screen of fb(4), the data of an
//! `XImage`, the pixels of an `SDL_Surface`, what OpenGL draws.
//!
//! # Why
//! What the 32-bit program writes with 4 bytes is read by the 64-bit program with 8: the value is wrong, and so is everything behind
//! it. A picture has as many bits for a point as before.
//!
//! # Example
//! Bad:
//!
//! ```c
//! #include <stdio.h>
//! int save(FILE *f, unsigned long count) { return fwrite(&count, sizeof count, 1, f) == 1; }
//! ```
//!
//! Good:
//!
//! ```c
//! #include <stdint.h>
//! #include <stdio.h>
//! int save(FILE *f, unsigned long count)
//! {
//!     uint32_t kept = count;
//!     return kept == count && fwrite(&kept, sizeof kept, 1, f) == 1;
//! }
//! ```
//!
//! # Fix
//! Write a variable of a fixed width, `int32_t` where old files are to be read, and check that the value fits. A point of
//! 32 bits is a `uint32_t`.
//!
//! # References
//! - CWE-188, CWE-681

use super::Visit;

pub(super) const VISIT: Visit = Visit::Crossing(|crossing| crossing.object.is_scalar && !crossing.object.is_time);
