//! A structure with another layout is written to a file, a socket or shared memory
//!
//! # What
//! A structure is passed as it lies in memory to write(2), fread(3), send(2), mmap(2), msgsnd(2) or a function like them, directly
//! or through functions and buffers of the project, and its members have other sizes or offsets for 64 bits.
//!
//! # Why
//! A file that the 32-bit program has written is read wrongly by the 64-bit one, and the other way round; so is a message between
//! them. A member that is a pointer says nothing to another process, or to the same program when it is started again. Between
//! processes that are always built and started together, as over a pipe, or over a local socket of a project that is one program,
//! nothing breaks.
//!
//! # Example
//! Bad:
//!
//! ```c
//! #include <stdio.h>
//! struct header { char kind; long length; short flags; };
//! static int put(FILE *f, const void *what, size_t size) { return fwrite(what, size, 1, f) == 1; }
//! int save(FILE *f, const struct header *header) { return put(f, header, sizeof *header); }
//! ```
//!
//! Good:
//!
//! ```c
//! #include <stdint.h>
//! #include <stdio.h>
//! struct header { char kind; int32_t length; int16_t flags; };
//! struct list { struct list *next; long length; };
//! static int put(FILE *f, const void *what, size_t size) { return fwrite(what, size, 1, f) == 1; }
//! int save(FILE *f, const struct header *header) { return put(f, header, sizeof *header); }
//! long length(struct list *list) { return list->next ? list->length + length(list->next) : 0; }
//! ```
//!
//! # Fix
//! Give what is written a structure of its own with types of a fixed width (`int32_t`, `uint64_t`) in an order that needs no padding,
//! and copy member by member; write pointers not at all. To read old files, keep the 32-bit layout: `int32_t` for `long` and for
//! pointers, which are skipped. `biarch port layout FILE TYPE` shows both layouts.
//!
//! # References
//! - CWE-188, CWE-1102
//! - C11 6.7.2.1 paragraphs 14 to 17

use super::Visit;

pub(super) const VISIT: Visit = Visit::Crossing(|crossing| !crossing.object.is_scalar && !crossing.object.is_time);
