//! `--trace`: system calls as they are made, from the rows; `--trace-summary`.
//!
//! A call is printed when it has returned, one line in one write(2), so that the lines of threads and processes that share
//! the output do not mix. While tracing is on, no call takes the fast path: while it is off, none of this costs anything there.

mod filter;
mod siginfo;
mod summary;

use abi::scalar::{Signed as _, Unsigned as _};
pub use filter::Filter;

use crate::dispatch::{SysResult, arguments};
use crate::host::{self, nr};
use crate::loader::Program;
use crate::mem;
use crate::switch::entry;
use crate::text::Text;
use crate::thread::Thread;
use crate::{hidden, reexec, signal};
use abi::Errno;
use abi::structs::signal::{SiginfoBytes, signal_name};
use abi::syscalls::{ResultKind, Support, Syscall, i386};
use abi::trace::{Call, Memory, When, quoted};
use core::fmt::{self, Write};
use core::sync::atomic::{AtomicI32, AtomicU8, Ordering};

/// What is to be traced, and where to.
#[derive(Clone, Copy, Debug)]
pub struct Config<'a> {
    /// Which calls, as [`Filter::parse`] reads it.
    pub filter: &'a str,
    /// Whether each call is printed.
    pub lines: bool,
    /// Whether calls are counted, and a table printed at the end.
    pub summary: bool,
    /// Whether that table is JSON.
    pub json: bool,
    /// Descriptor of the output, which becomes hidden from the guest.
    pub output: i32,
    /// Descriptor of the table that the processes of one trace share, where this one was executed by another.
    pub table: Option<i32>,
}

/// `LINES`, `SUMMARY`, `JSON`; 0 while nothing is traced.
static MODE: AtomicU8 = AtomicU8::new(0);
const LINES: u8 = 1;
const SUMMARY: u8 = 2;
const JSON: u8 = 4;

static OUTPUT: AtomicI32 = AtomicI32::new(-1);

fn mode() -> u8 {
    MODE.load(Ordering::Relaxed)
}

/// The guest's memory, for the formatters.
pub(crate) struct GuestMemory;
impl Memory for GuestMemory {
    fn read(&self, address: u32, out: &mut [u8]) -> usize {
        mem::access::read_partial(address, out)
    }
}

/// The row of a number.
pub(crate) fn row(number: u32) -> Option<&'static Syscall> {
    usize::try_from(number).ok().and_then(|number| i386::TABLE.get(number)).and_then(Option::as_ref)
}

/// Switches tracing on, and prints how the program has begun.
///
/// # Errors
/// The kernel's errno; `EINVAL` for a filter that names nothing, `E2BIG` for one that is too long for the children.
pub(crate) fn start(config: &Config<'_>, thread: &Thread, program: &Program<'_>) -> Result<(), Errno> {
    Filter::parse(config.filter).map_err(|_| Errno::EINVAL)?.install();
    hidden::add(config.output);
    OUTPUT.store(config.output, Ordering::Relaxed);
    let table = summary::start(config.table)?;
    let mode =
        if config.lines { LINES } else { 0 } | if config.summary { SUMMARY } else { 0 } | if config.json { JSON } else { 0 };
    let mut options = Text::<{ reexec::KEPT }>::new();
    let Config { filter, output, .. } = config;
    let _ = write!(options, "trace={filter} tracemode={mode} traceto={output} tracetable={table}");
    reexec::inherit_options(options.bytes())?;
    MODE.store(mode, Ordering::Relaxed);
    entry::slow_all();
    signal::watch_deaths();
    program_begins(thread, program);
    Ok(())
}

/// What children are told is a number, `tracemode`: [`Config::lines`], [`Config::summary`], [`Config::json`].
#[must_use]
pub fn mode_of(number: u8) -> (bool, bool, bool) {
    (number & LINES != 0, number & SUMMARY != 0, number & JSON != 0)
}

/// Whether signals that end the process are to be seen before they do.
pub(crate) fn watches_deaths() -> bool {
    mode() != 0
}

/// From now on there is more than one thread or process, and lines say whose they are.
pub(crate) fn multiply() {
    if let Some(table) = summary::table() {
        table.set_many();
    }
}

/// A longest line, in bytes.
const LINE: usize = 8192;
/// How much of a line is kept free for what comes after the arguments.
const TAIL: usize = 512;
type Line = Text<LINE>;

fn line(thread: &Thread) -> Line {
    let mut line = Line::new();
    if summary::table().is_some_and(summary::Table::many) {
        let _ = write!(line, "[pid {:5}] ", thread.tid);
    }
    line
}

fn print(mut line: Line) {
    let _ = line.write_char('\n');
    line.write_to(OUTPUT.load(Ordering::Relaxed));
}

/// The call that began this program, as whoever traced its parent would have seen it.
fn program_begins(thread: &Thread, program: &Program<'_>) {
    const SHOWN: usize = 32;
    let number = i386::TABLE.iter().flatten().find(|row| row.name == "execve").map_or(0, |row| u32::from(row.number));
    if !filter::wants(number) {
        return;
    }
    if let Some(table) = summary::table() {
        table.count(number, 0, false);
    }
    if mode() & LINES == 0 {
        return;
    }
    let mut line = line(thread);
    line.keep_free(TAIL);
    let _ = line.write_str("execve(");
    let _ = quoted(program.execfn.to_bytes(), false, &mut line);
    let _ = line.write_str(", [");
    for (i, argument) in program.argv.iter().enumerate() {
        let _ = line.write_str(if i > 0 { ", " } else { "" });
        if i == SHOWN {
            let _ = line.write_str("...");
            break;
        }
        let _ = quoted(argument.to_bytes(), false, &mut line);
    }
    line.end_limit();
    let _ = write!(line, "], [/* {} vars */]) = 0", program.envp.len());
    print(line);
}

/// Makes a call, and prints and counts it where it is traced.
#[inline]
pub(crate) fn around(thread: &mut Thread, number: u32, call: impl FnOnce(&mut Thread) -> SysResult) -> SysResult {
    if mode() == 0 || !filter::wants(number) {
        return call(thread);
    }
    let before = Before::new(thread, number);
    let result = call(thread);
    before.returned(thread, result);
    result
}

/// Room for the arguments that are printed before the call is made, in bytes.
const ENTRY: usize = 4096;

/// A call that is being made.
struct Before {
    number: u32,
    row: Option<&'static Syscall>,
    args: [u32; 6],
    /// The process that makes it: a fork returns in another one as well.
    pid: u32,
    start: u64,
    /// The arguments that the kernel reads, and where in it each one ends.
    text: Text<ENTRY>,
    ends: [usize; 6],
}

impl Before {
    #[inline(never)]
    fn new(thread: &mut Thread, number: u32) -> Self {
        let mut before = Self {
            number,
            row: row(number),
            args: arguments(thread),
            pid: thread.pid,
            start: 0,
            text: Text::new(),
            ends: [0; 6],
        };
        thread.host_calls = 0;
        thread.unsupported = "";
        if mode() & LINES != 0 {
            before.entry();
            if before.row.is_some_and(|row| row.result == ResultKind::Never) {
                let mut line = before.arguments(thread, None);
                let _ = line.write_str(" = ?");
                print(line);
            }
        }
        before.start = now();
        before
    }

    /// Prints the arguments that the kernel reads.
    fn entry(&mut self) {
        let call = Call { args: self.args, result: None, memory: &GuestMemory };
        self.text.keep_free(3);
        for (i, arg) in self.row.map_or(&[][..], |row| row.args).iter().enumerate() {
            if arg.when == When::Entry {
                let _ = (arg.trace)(&call, i, &mut self.text);
            }
            self.ends[i] = self.text.len();
        }
        self.text.end_limit();
        self.ends[5] = self.text.len();
    }

    /// `name(arguments)`.
    fn arguments(&self, thread: &Thread, result: Option<i32>) -> Line {
        let mut line = line(thread);
        line.keep_free(TAIL);
        let Some(row) = self.row else {
            let [a, b, c, d, e, f] = self.args;
            let _ = write!(line, "syscall_{}({a:#x}, {b:#x}, {c:#x}, {d:#x}, {e:#x}, {f:#x}", self.number);
            line.end_limit();
            let _ = line.write_char(')');
            return line;
        };
        let _ = write!(line, "{}(", row.name);
        let call = Call { args: self.args, result, memory: &GuestMemory };
        let mut first = true;
        let mut start = 0;
        for (i, arg) in row.args.iter().enumerate() {
            let before = line.len();
            let _ = line.write_str(if first { "" } else { ", " });
            let empty = line.len();
            if arg.when == When::Exit {
                let _ = (arg.trace)(&call, i, &mut line);
            } else {
                line.push(&self.text.bytes()[start..self.ends[i]]);
            }
            start = self.ends[i];
            if line.len() == empty {
                // It means nothing in this call.
                line.truncate(before);
            } else {
                first = false;
            }
        }
        line.end_limit();
        let _ = line.write_char(')');
        line
    }

    #[inline(never)]
    fn returned(&self, thread: &Thread, result: SysResult) {
        let elapsed = now().saturating_sub(self.start);
        if thread.pid != self.pid {
            return;
        }
        if let Some(table) = summary::table() {
            let failed = matches!(result, Err(errno) if errno != Errno::ERESTARTSYS && errno != Errno::ERESTARTNOINTR);
            table.count(self.number, elapsed, failed);
            if self.row.is_some_and(|row| row.name == "ioctl") {
                table.count_ioctl(self.args[1], failed, !thread.unsupported.is_empty());
            }
        }
        if mode() & LINES == 0 {
            return;
        }
        let signed = match result {
            Ok(value) => value.signed(),
            Err(errno) => -i32::from(errno.0.signed()),
        };
        let mut line = self.arguments(thread, Some(signed));
        let _ = self.result(thread, result, &mut line);
        print(line);
    }

    fn result(&self, thread: &Thread, result: SysResult, line: &mut Line) -> fmt::Result {
        match result {
            Ok(value) => match self.row.map_or(ResultKind::Number, |row| row.result) {
                ResultKind::Number | ResultKind::Never => write!(line, " = {value}")?,
                ResultKind::Hex => write!(line, " = {value:#x}")?,
                ResultKind::Octal => write!(line, " = {value:#05o}")?,
            },
            Err(Errno::ERESTARTSYS) => line.write_str(" = ? ERESTARTSYS (To be restarted if SA_RESTART is set)")?,
            Err(Errno::ERESTARTNOINTR) => line.write_str(" = ? ERESTARTNOINTR (To be restarted)")?,
            Err(errno) => {
                write!(line, " = -1 {errno:?} ({}", errno.text())?;
                if !thread.overflow.is_empty() {
                    write!(line, "; {} does not fit 32 bits", thread.overflow.trim_start_matches("r#"))?;
                }
                line.write_char(')')?;
            }
        }
        match self.row {
            None => line.write_str(" (biarch: not supported: no such number is known)"),
            Some(Syscall { support: Support::Refused(note), .. }) => write!(line, " (biarch: not supported: {note})"),
            Some(_) if !thread.unsupported.is_empty() => write!(line, " (biarch: not supported: {})", thread.unsupported),
            Some(row) => match nr::name(thread.host_call) {
                Some(host) if thread.host_calls == 1 && plain(row.name) != plain(host) => write!(line, " <host: {host}>"),
                _ => Ok(()),
            },
        }
    }
}

/// A call's name without what says only how wide its arguments are.
fn plain(name: &str) -> &str {
    let name = name.strip_prefix("new").or(name.strip_prefix('_')).unwrap_or(name);
    let name = name.strip_suffix("_time64").unwrap_or(name);
    name.strip_suffix("64").or(name.strip_suffix("32")).unwrap_or(name)
}

/// Nanoseconds on the wall's clock.
fn now() -> u64 {
    const CLOCK_MONOTONIC: u64 = 1;
    let mut time = [0u64; 2];
    // SAFETY: one `struct timespec`, which outlives the call.
    let _ = unsafe { host::call(nr::CLOCK_GETTIME, [CLOCK_MONOTONIC, host::addr_mut(&mut time)]) };
    time[0] * 1_000_000_000 + time[1]
}

/// Prints a signal that is being delivered.
pub(crate) fn signal(thread: &Thread, signal: i32, info: &SiginfoBytes) {
    if mode() & LINES == 0 {
        return;
    }
    let mut line = line(thread);
    let _ = line.write_str("--- ");
    let _ = signal_name(signal.unsigned(), &mut line);
    let _ = line.write_char(' ');
    let _ = siginfo::describe(info, &mut line);
    let _ = line.write_str(" ---");
    print(line);
}

/// Prints a signal that ends the process, where that is what it does by default.
pub(crate) fn killed(thread: &Thread, signal: i32, info: &SiginfoBytes) {
    self::signal(thread, signal, info);
    if !signal::ends_process(signal) {
        return;
    }
    if mode() & LINES != 0 {
        let mut line = line(thread);
        let _ = line.write_str("+++ killed by ");
        let _ = signal_name(signal.unsigned(), &mut line);
        let _ = line.write_str(" +++");
        print(line);
    }
    process_ends(thread);
}

/// Prints the end of a thread; with `last`, of its process.
pub(crate) fn exited(thread: &Thread, status: i32, last: bool) {
    if mode() & LINES != 0 {
        let mut line = line(thread);
        let _ = write!(line, "+++ exited with {} +++", status & 0xff);
        print(line);
    }
    if last {
        process_ends(thread);
    }
}

/// Says that the process goes on as a program that is not traced, because it is no i386 program.
pub(crate) fn leaves(thread: &Thread, program: &[u8]) {
    if mode() & LINES != 0 {
        let mut line = line(thread);
        line.keep_free(TAIL);
        let _ = line.write_str("+++ ");
        let _ = quoted(program.strip_suffix(b"\0").unwrap_or(program), false, &mut line);
        line.end_limit();
        let _ = line.write_str(" is no i386 program: the kernel executes it, and it is not traced +++");
        print(line);
    }
    process_ends(thread);
}

fn process_ends(thread: &Thread) {
    match summary::table() {
        Some(table) if mode() & SUMMARY != 0 && table.belongs_to(thread.pid) => {
            let output = OUTPUT.load(Ordering::Relaxed);
            if mode() & JSON != 0 { table.print_json(output) } else { table.print(output) }
        }
        _ => {}
    }
}
