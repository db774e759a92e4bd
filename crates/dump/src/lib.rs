//! Makes of the core dump of a 64-bit process in which an i386 program ran under biarch one of that program: what its debuggers would
//! have got from a kernel that runs it itself (`fs/binfmt_elf.c`, `fs/compat_binfmt_elf.c`).
//!
//! - [`host`]: what the kernel has written;
//! - [`thread`]: where the guest's registers are, of each thread;
//! - [`state`]: its floating-point and vector registers;
//! - [`guest`]: what is written.
//!
//! The dump comes from a stranger: nothing in it is believed before it has been compared with the file's length.
#![forbid(unsafe_code)]

mod guest;
mod host;
mod state;
mod thread;

use elf::Source;
use std::io::{self, Seek, Write};

/// Why there is no core dump of an i386 program.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It is none.
    #[error("it is not a core dump")]
    NotCore,
    /// What a program has packed, by its name.
    #[error("it is packed by {0}")]
    Packed(&'static str),
    /// It is one of an i386 program already.
    #[error("it is the core dump of an i386 program that the kernel has run itself")]
    Native,
    /// It is one for another processor (`e_machine`).
    #[error("it is a core dump for another processor (e_machine {0}); biarch runs programs on x86-64")]
    Machine(u16),
    /// The file ends too early.
    #[error("it is cut off: it has {size} bytes, and {what} would end at {end}")]
    Cut {
        /// What is not there, or not all of it.
        what: &'static str,
        /// Bytes of the file.
        size: u64,
        /// Where it would end.
        end: u64,
    },
    /// Something in it cannot be.
    #[error("it is damaged: {0}")]
    Damaged(&'static str),
    /// No thread has run under biarch.
    #[error("no thread in it has run an i386 program under biarch")]
    NoGuest,
    /// A biarch has run it whose threads are described otherwise.
    #[error("the program ran under another version of biarch, which describes its threads in form {0} (here it is form {known})", known = abi::dump::VERSION)]
    Version(u32),
    /// It cannot be written as a 32-bit file.
    #[error("the program's memory takes {0} bytes, and a 32-bit core dump has room for 4 GiB")]
    TooLarge(u64),
    /// It cannot be read.
    #[error("it cannot be read")]
    Read(#[source] io::Error),
    /// What is made of it cannot be written.
    #[error("it cannot be written")]
    Write(#[source] io::Error),
}

/// What has been made.
#[derive(Debug)]
pub struct Converted {
    /// The program's own name of itself, `comm`.
    pub name: String,
    /// Where the program was, if that is known.
    pub program: Option<String>,
    /// Its process id.
    pub pid: u32,
    /// The signal that ended it.
    pub signal: u16,
    /// How many threads it had.
    pub threads: usize,
    /// What could not be told.
    pub doubts: Vec<String>,
}

/// Reads the dump in `source`, and writes that of the i386 program in it.
///
/// # Errors
/// See [`Error`].
pub fn convert<S: Source + ?Sized, W: Write + Seek>(source: &S, out: &mut W) -> Result<Converted, Error> {
    let dump = host::Dump::read(source)?;
    let mut doubts = Vec::new();
    let threads = thread::guests(&dump, &mut doubts)?;
    guest::write(&dump, &threads, &mut doubts, out)?;
    let first = threads.first().ok_or(Error::NoGuest)?;
    let program = guest::program(&dump, first)?;
    Ok(Converted { name: dump.name(), program, pid: dump.pid(), signal: first.signal(), threads: threads.len(), doubts })
}
