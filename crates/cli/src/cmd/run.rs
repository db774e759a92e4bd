//! `biarch run`: a 32-bit program, on a kernel that has no support for them.
//!
//! The command line is the same everywhere; programs run where the processor executes their code.

#[cfg(not(target_arch = "x86_64"))]
mod elsewhere;
#[cfg(target_arch = "x86_64")]
pub(crate) mod x86_64;

use clap::{Args, ValueEnum};
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

/// Run an i386 program, on x86-64
///
/// The program runs at native speed, whether or not the kernel supports 32-bit programs; its system calls are made as 64-bit ones.
/// The exit status is the program's own; 125 means that biarch itself failed, 126 that the program cannot be executed, 127
/// that it was not found. On AArch64 the command says what the program needs there instead, and the status is 125.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  biarch run ./prog32 --its-option\n  biarch run --sysroot /srv/i386 /srv/i386/usr/bin/bc\n  biarch run --trace=fs,signal -o trace.txt ./prog32\n\n\
    Environment:\n  BIARCH_LOG=1     say on standard error, once each, which system calls and ioctls the program asks for in vain\n  \
    BIARCH_LOG=FILE  append that to FILE"
)]
#[command(group = clap::ArgGroup::new("tracing").args(["trace", "trace_summary"]).multiple(true))]
pub(crate) struct Run {
    /// How system calls come in
    #[arg(long, value_enum, default_value = "patched")]
    entry: EntryArgument,
    /// Where the program's vDSO comes from [default: kernel where there is one, own elsewhere]
    #[arg(long, value_enum)]
    vdso: Option<VdsoArgument>,
    /// Look for the interpreter, libraries and everything else that is read in DIR first
    #[arg(long, value_name = "DIR", conflicts_with = "chroot")]
    sysroot: Option<PathBuf>,
    /// Make DIR the root directory first, as chroot(8) does
    #[arg(long, value_name = "DIR")]
    chroot: Option<PathBuf>,
    /// Print system calls and signals, as strace -f does
    ///
    /// FILTER is a list, separated by commas, of areas (fs, fd, mem, time: `biarch list syscalls` has them), system calls
    /// and strace's classes (%file, %desc, %process, %network, %signal, %memory, %ipc). `!` in front of one leaves it out.
    #[arg(long, value_name = "FILTER", num_args = 0..=1, require_equals = true, default_missing_value = "all")]
    trace: Option<String>,
    /// Count calls, errors and time of each system call, and print a table at the program's end
    ///
    /// The time is the one that passes, waiting included. Children that are i386 programs are counted too.
    #[arg(long)]
    trace_summary: bool,
    /// Print that table as JSON, with the ioctls that were used, and how far biarch supports each of both
    #[arg(long, requires = "trace_summary")]
    json: bool,
    /// Where the trace goes instead of standard error
    #[arg(short, long, value_name = "FILE", requires = "tracing")]
    output: Option<PathBuf>,
    /// The program, and its arguments, which may be called as options of biarch's
    // One list: only what follows the first value of such an argument is no option.
    #[arg(trailing_var_arg = true, required = true, value_names = ["PROGRAM", "ARGUMENTS"], num_args = 1..)]
    command: Vec<OsString>,
}

#[derive(Clone, Copy, ValueEnum)]
enum EntryArgument {
    /// A far jump from __kernel_vsyscall; int $0x80 traps
    Stub,
    /// As stub, and an int $0x80 is rewritten after its first trap
    Patched,
    /// Every system call is an int $0x80 that traps
    Trap,
    /// The kernel's own 32-bit entry, where it has one; for comparison
    Kernel,
}

#[derive(Clone, Copy, ValueEnum)]
enum VdsoArgument {
    /// The kernel's 32-bit vDSO, with its clocks
    Kernel,
    /// biarch's own, which asks the 64-bit one for the time
    Own,
    /// No vDSO: reading the clock is a system call
    None,
}

/// A failure of `biarch run`, with its exit status.
pub(crate) struct Failure {
    status: u8,
    error: anyhow::Error,
}

/// biarch itself failed.
pub(super) const OWN_FAILURE: u8 = 125;
/// The program was found and cannot be executed.
#[cfg(target_arch = "x86_64")]
const CANNOT_EXECUTE: u8 = 126;
/// There is no such program.
#[cfg(target_arch = "x86_64")]
const NOT_FOUND: u8 = 127;

impl Run {
    /// The program and its arguments.
    fn program(&self) -> (&OsStr, &[OsString]) {
        self.command.split_first().map_or((OsStr::new(""), &[]), |(program, arguments)| (program.as_os_str(), arguments))
    }

    /// Becomes the program, or says why not. The result is the exit status.
    pub(crate) fn run(self) -> u8 {
        let failure = match self.start() {
            Ok(never) => match never {},
            Err(failure) => failure,
        };
        ui::exit::failure(failure.error.as_ref(), failure.status)
    }
}
