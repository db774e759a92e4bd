//! ptrace(2) of one guest by another: the tracer's side. `traced.rs` is the other one, and says how they understand each other.
//!
//! Stopping, waiting, permissions and events are the host kernel's. What it shows of a traced guest is looked at when the tracer
//! waits ([`waited`]): what the supervisor does there is hidden, and everything else shown with the guest's registers. They are
//! - the processor's, where 32-bit code has been stopped ([`Place::Guest`]);
//! - in the thread's block, where it has come to a stop by itself ([`Place::Stop`]), or in a call that blocks ([`Place::Call`]);
//! - in both, where that call came by the fast path ([`Place::Fast`]).

use crate::dispatch::SysResult;
use crate::host;
use crate::mem;
use crate::signal::xstate;
use crate::signal::{RESERVED, SIGBUS, SIGSEGV, SIGSTOP, SIGSYS, SIGTRAP, State as SignalState, bit, siginfo};
use crate::switch::{USER_DS, USER32_CS, entry};
use crate::sync::Lock;
use crate::sys::thread::Tls;
use crate::text::Text;
use crate::thread::{BLOCK, Regs, Thread, VectorSave, XSAVE};
use crate::traced::{REQUEST, STOP, State, kind};
use abi::scalar::{Signed as _, Unsigned as _};
use abi::structs::signal::SiginfoBytes;
use abi::structs::thread::user_desc;
use abi::trace::PtraceRequest as Request;
use abi::user_regs::{Guest as GuestRegs, Host as HostRegs};
use abi::{Errno, GuestPtr};
use core::mem::offset_of;
use zerocopy::{FromBytes, FromZeros, IntoBytes};

// linux/ptrace.h
const O_TRACESYSGOOD: u32 = 1;
const O_TRACEEXEC: u32 = 0x10;
const O_TRACESECCOMP: u32 = 0x80;
const O_SUSPEND_SECCOMP: u32 = 1 << 21;
const EVENT_EXEC: u32 = 4;
const EVENT_STOP: u32 = 128;

/// `ERESTART_RESTARTBLOCK` of linux/errno.h: the kernel goes on with a call in its own way.
const RESTART_BLOCK: u64 = 516;

/// How a tracee was last let go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    Continue,
    Calls,
    Step,
}

/// What is kept for one tracee.
#[derive(Clone, Copy)]
struct Record {
    /// Thread id; 0 where the record is free.
    tid: u32,
    options: u32,
    seized: bool,
    mode: Mode,
    /// It is a guest of this very biarch.
    guest: bool,
    /// It is stepping through the 64-bit vDSO, on behalf of its own.
    walks: bool,
    /// The number of its last system call that has been shown.
    number: u32,
    /// The message of its last `PTRACE_EVENT_EXEC`.
    message: u32,
}

impl Record {
    const NONE: Self =
        Self { tid: 0, options: 0, seized: false, mode: Mode::Continue, guest: false, walks: false, number: 0, message: 0 };
}

/// As many tracees as there may be at a time.
const MOST: usize = 4096;

static RECORDS: Lock<[Record; MOST]> = Lock::new([Record::NONE; MOST]);

fn find(tid: u32) -> Option<Record> {
    RECORDS.lock().iter().find(|record| record.tid == tid).copied()
}

fn keep(record: Record) -> Result<(), Errno> {
    let mut records = RECORDS.lock();
    let at = records.iter().position(|old| old.tid == record.tid).or_else(|| records.iter().position(|old| old.tid == 0));
    *records.get_mut(at.ok_or(Errno::ENOMEM)?).ok_or(Errno::ENOMEM)? = record;
    Ok(())
}

fn forget(tid: u32) {
    for record in RECORDS.lock().iter_mut().filter(|record| record.tid == tid) {
        *record = Record::NONE;
    }
}

/// In a child, which traces nothing.
pub(crate) fn forget_all() {
    RECORDS.release();
    let mut records = RECORDS.lock();
    if records.iter().any(|record| record.tid != 0) {
        *records = [Record::NONE; MOST];
    }
}

/// Makes the host's ptrace(2).
fn host_ptrace(request: u32, tid: u32, addr: u64, data: u64) -> Result<u64, Errno> {
    // SAFETY: `data` is a number, or the address of something that is large enough for the request and outlives the call.
    unsafe { host::call(host::nr::PTRACE, [u64::from(request), u64::from(tid), addr, data]) }
}

/// Reads the tracee's memory: by whole words, which are mapped or not as a whole.
fn peek(tid: u32, address: u64, out: &mut [u8]) -> Result<(), Errno> {
    let mut at = 0;
    while at < out.len() {
        let place = address.checked_add(at as u64).ok_or(Errno::EIO)?;
        let mut word = 0u64;
        host_ptrace(Request::PTRACE_PEEKDATA, tid, place & !7, host::addr_mut(&mut word))?;
        let skip = usize::try_from(place & 7).unwrap_or(0);
        let count = (8 - skip).min(out.len() - at);
        out[at..at + count].copy_from_slice(&word.to_le_bytes()[skip..skip + count]);
        at += count;
    }
    Ok(())
}

/// Writes the tracee's memory.
fn poke(tid: u32, address: u64, bytes: &[u8]) -> Result<(), Errno> {
    let mut at = 0;
    while at < bytes.len() {
        let place = address.checked_add(at as u64).ok_or(Errno::EIO)?;
        let skip = usize::try_from(place & 7).unwrap_or(0);
        let count = (8 - skip).min(bytes.len() - at);
        let mut word = [0; 8];
        if count < 8 {
            peek(tid, place & !7, &mut word)?;
        }
        word[skip..skip + count].copy_from_slice(&bytes[at..at + count]);
        host_ptrace(Request::PTRACE_POKEDATA, tid, place & !7, u64::from_le_bytes(word))?;
        at += count;
    }
    Ok(())
}

fn peek_value<T: FromZeros + FromBytes + IntoBytes>(tid: u32, address: u64) -> Result<T, Errno> {
    let mut value = T::new_zeroed();
    peek(tid, address, value.as_mut_bytes())?;
    Ok(value)
}

/// The kernel's `iovec`, for register sets.
#[repr(C)]
struct IoVec {
    base: u64,
    length: u64,
}

const NT_PRSTATUS: u32 = 1;
const NT_PRFPREG: u32 = 2;
const NT_PRXFPREG: u32 = 0x46e6_2b7f;
const NT_X86_XSTATE: u32 = 0x202;

/// Whether the process is of the same program as this one, which is biarch.
pub(crate) fn is_biarch(tid: u32) -> bool {
    const AT_FDCWD: i32 = -100;
    let mut there = [0u64; 18];
    let mut here = [0u64; 18];
    let of = |name: &[u8], status: &mut [u64; 18]| {
        let args = [host::int(AT_FDCWD), host::addr(name), host::addr_mut(status), 0];
        // SAFETY: the name outlives the call, and the structure is as large as the host's struct stat.
        unsafe { host::call(host::nr::NEWFSTATAT, args) }.is_ok()
    };
    let mut name = Text::<64>::of(format_args!("/proc/{tid}/exe"));
    // Device and inode are the first two words.
    of(name.with_nul(), &mut there) && of(b"/proc/self/exe\0", &mut here) && there[..2] == here[..2]
}

/// Bytes of `/proc/PID/status` that are looked at.
const STATUS: usize = 1024;

fn status_of(tid: u32, text: &mut [u8; STATUS]) -> &[u8] {
    const AT_FDCWD: i32 = -100;
    const O_CLOEXEC: u64 = 0o2_000_000;
    let mut name = Text::<64>::of(format_args!("/proc/{tid}/status"));
    // SAFETY: the name and the buffer outlive the calls; the descriptor is our own.
    let got = unsafe {
        host::call(host::nr::OPENAT, [host::int(AT_FDCWD), host::addr(name.with_nul()), O_CLOEXEC, 0]).and_then(|fd| {
            let got = host::call(host::nr::READ, [fd, host::addr_mut(text), STATUS as u64]);
            let _ = host::call(host::nr::CLOSE, [fd]);
            got
        })
    };
    text.get(..usize::try_from(got.unwrap_or(0)).unwrap_or(0)).unwrap_or_default()
}

fn field(text: &[u8], name: &[u8]) -> Option<u32> {
    let line = text.split(|&byte| byte == b'\n').find_map(|line| line.strip_prefix(name))?;
    core::str::from_utf8(line).ok()?.trim().parse().ok()
}

/// What the tracer sees first of a thread that the kernel has attached by itself: it has the options of who made it.
fn inherited(tid: u32) -> Record {
    let mut text = [0; STATUS];
    let text = status_of(tid, &mut text);
    let model = [field(text, b"Tgid:"), field(text, b"PPid:")].into_iter().flatten().filter(|&id| id != tid).find_map(find);
    let any = || RECORDS.lock().iter().rev().find(|record| record.tid != 0).copied();
    let model = model.or_else(any).unwrap_or(Record::NONE);
    Record { tid, mode: Mode::Continue, guest: is_biarch(tid), walks: false, ..model }
}

/// Where a tracee has stopped, and so where its registers are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    /// It is no guest: an x86-64 process.
    Foreign,
    /// In 32-bit code.
    Guest,
    /// At a stop of its own.
    Stop,
    /// In a call of the supervisor's for the guest, all registers of which are in the block.
    Call,
    /// In a call on the fast path.
    Fast,
    /// Anywhere else in the supervisor, or it is no guest yet.
    Elsewhere,
}

/// A tracee that has stopped.
struct Tracee {
    tid: u32,
    regs: HostRegs,
    place: Place,
    /// Address of its block; 0 where there is none yet.
    block: u64,
    state: State,
}

const fn in_state(offset: usize) -> u64 {
    (offset_of!(Thread, ptrace) + offset) as u64
}

impl Tracee {
    /// Looks where it is.
    ///
    /// # Errors
    /// `ESRCH` where it has not stopped, or is traced by somebody else.
    fn look(tid: u32) -> Result<Self, Errno> {
        let mut regs = HostRegs::default();
        host_ptrace(Request::PTRACE_GETREGS, tid, 0, host::addr_mut(&mut regs))?;
        let mut tracee = Self { tid, regs, place: Place::Foreign, block: 0, state: State::new_zeroed() };
        if !find(tid).map_or_else(|| is_biarch(tid), |record| record.guest) {
            return Ok(tracee);
        }
        let above = regs.sp > u64::from(u32::MAX);
        let block = if above { (regs.sp - 1) & !(BLOCK as u64 - 1) } else { regs.r15 };
        if let Ok(state) = peek_value::<State>(tid, block.wrapping_add(in_state(0))) {
            if state.magic == crate::traced::MAGIC {
                (tracee.block, tracee.state) = (block, state);
            }
        }
        tracee.place = tracee.find_place();
        Ok(tracee)
    }

    fn find_place(&self) -> Place {
        if self.block == 0 {
            return Place::Elsewhere;
        }
        if self.regs.cs == u64::from(USER32_CS) {
            return Place::Guest;
        }
        if self.state.kind != kind::NONE && self.information().is_ok_and(|info| is(&info, SIGSEGV, STOP)) {
            return Place::Stop;
        }
        // A call that the kernel wants to restart: ERESTARTSYS, ERESTARTNOINTR, ERESTARTNOHAND, ERESTART_RESTARTBLOCK.
        let restarts = matches!(self.regs.ax.wrapping_neg(), 512..=514 | 516) && self.regs.orig_ax.signed() >= 0;
        let [safe, fast] = entry::call_returns().map(|at| at.wrapping_add(self.distance()));
        match self.regs.ip {
            ip if restarts && ip == safe => Place::Call,
            ip if restarts && ip == fast => Place::Fast,
            _ => Place::Elsewhere,
        }
    }

    /// How far its supervisor is from this one.
    fn distance(&self) -> u64 {
        self.state.fast.wrapping_sub(host::addr(&entry::FAST))
    }

    /// Of the signal that it has stopped for.
    fn information(&self) -> Result<SiginfoBytes, Errno> {
        let mut info = [0; 128];
        host_ptrace(Request::PTRACE_GETSIGINFO, self.tid, 0, host::addr_mut(&mut info))?;
        Ok(info)
    }

    fn set(&self, field: usize, value: u32) -> Result<(), Errno> {
        poke(self.tid, self.block + in_state(field), &value.to_le_bytes())
    }

    /// Takes it off the fast path, and leaves its code as it is from now on.
    fn adopt(&self) -> Result<(), Errno> {
        const TABLE: usize = abi::syscalls::TABLE_LENGTH;
        if self.state.traced != 0 {
            return Ok(());
        }
        let mut table = [0u8; 2 * TABLE];
        for entry in table.chunks_exact_mut(2) {
            entry.copy_from_slice(&entry::SLOW.to_le_bytes());
        }
        poke(self.tid, self.state.fast, &table)?;
        poke(self.tid, self.state.unpatched, &1u32.to_le_bytes())?;
        self.set(offset_of!(State, traced), 1)
    }

    /// Asks for a stop with all registers in order, for the signal that it has stopped for, and lets it go on.
    fn request_signal(&self, info: &SiginfoBytes) -> Result<(), Errno> {
        poke(self.tid, self.block + in_state(offset_of!(State, request)), info)?;
        self.set(offset_of!(State, requested), 1)?;
        let info = carrier();
        host_ptrace(Request::PTRACE_SETSIGINFO, self.tid, 0, host::addr(&info))?;
        self.go_on(SIGSYS)
    }

    /// Asks for a stop with all registers in order for `PTRACE_EVENT_STOP`, and lets it go on.
    fn request_event(&self) -> Result<(), Errno> {
        self.set(offset_of!(State, event), 1)?;
        send_request(self.tid)?;
        self.go_on(0)
    }

    /// Before it is asked for a stop in a call: has the call made again from the beginning, where the kernel would end it for our
    /// handler. It knows then that no handler of the guest has run.
    fn keep_restartable(&mut self) -> Result<(), Errno> {
        if matches!(self.regs.ax.wrapping_neg(), 514 | RESTART_BLOCK) {
            self.regs.ax = 512u64.wrapping_neg();
            host_ptrace(Request::PTRACE_SETREGS, self.tid, 0, host::addr(&self.regs))?;
            self.set(offset_of!(State, no_handler), 1)?;
        }
        Ok(())
    }

    /// Lets it go on after all without its tracer's knowledge.
    fn go_on(&self, signal: i32) -> Result<(), Errno> {
        host_ptrace(Request::PTRACE_CONT, self.tid, 0, host::int(signal)).map(|_| ())
    }
}

fn is(info: &SiginfoBytes, signal: i32, code: i32) -> bool {
    siginfo::signo(info) == signal && siginfo::code(info) == code
}

fn carrier() -> SiginfoBytes {
    let mut info = [0; 128];
    info[..4].copy_from_slice(&SIGSYS.to_le_bytes());
    info[8..12].copy_from_slice(&REQUEST.to_le_bytes());
    info
}

/// After wait4(2) has returned `tid` with `status`, which becomes what the guest is to see. False: nothing, wait again.
pub(crate) fn waited(tid: u32, status: &mut u32) -> bool {
    const STOPPED: u32 = 0x7f;
    const CONTINUED: u32 = 0xffff;
    if *status == CONTINUED {
        return true;
    }
    if *status & 0xff != STOPPED {
        if RECORDS.lock().iter().any(|record| record.tid == tid) {
            forget(tid);
        }
        return true;
    }
    let shown = present(tid, *status >> 8);
    if let Ok(Some(code)) = shown {
        *status = code << 8 | STOPPED;
    }
    !matches!(shown, Ok(None))
}

/// As [`waited`], after waitid(2) with `options`.
pub(crate) fn waited_for(info: &mut SiginfoBytes, options: u32) -> bool {
    const CLD_EXITED: i32 = 1;
    const CLD_DUMPED: i32 = 3;
    const CLD_TRAPPED: i32 = 4;
    const WNOWAIT: u32 = 0x0100_0000;
    let word = |at: usize| u32::from_le_bytes([info[at], info[at + 1], info[at + 2], info[at + 3]]);
    let (tid, code) = (word(16), word(24));
    match siginfo::code(info) {
        CLD_EXITED..=CLD_DUMPED if options & WNOWAIT == 0 && tid != 0 => forget(tid),
        CLD_TRAPPED => match present(tid, code) {
            Ok(Some(code)) => info[24..28].copy_from_slice(&code.to_le_bytes()),
            Ok(None) => return false,
            Err(_) => {}
        },
        _ => {}
    }
    true
}

/// What the tracer is to see of a tracee that has stopped with the host's `code`: the signal, and an event in the bits from 8 on.
/// `None`: nothing, it has gone on.
///
/// # Errors
/// `ESRCH` where it is not this thread's tracee; it is to be shown as it is.
fn present(tid: u32, code: u32) -> Result<Option<u32>, Errno> {
    let mut record = find(tid).unwrap_or_else(|| inherited(tid));
    let (signal, event) = (code & 0xff, code >> 8);
    // Another program may be another kind of process.
    if event == EVENT_EXEC || signal == SIGTRAP.unsigned() && event == 0 {
        record.guest = is_biarch(tid);
    }
    let _ = keep(record);
    let mut tracee = Tracee::look(tid)?;
    if tracee.place == Place::Foreign {
        let hidden = event == EVENT_EXEC && record.options & O_TRACEEXEC == 0;
        if hidden {
            let request = if record.mode == Mode::Calls { Request::PTRACE_SYSCALL } else { Request::PTRACE_CONT };
            host_ptrace(request, tid, 0, 0)?;
            return Ok(None);
        }
        return Ok(Some(code));
    }
    match event {
        0 => {
            let Ok(info) = tracee.information() else { return Ok(Some(code)) }; // a group stop
            present_signal(&mut tracee, record, &info)
        }
        EVENT_EXEC => {
            record.message = event_message(tid)?;
            keep(record)?;
            mark_traced(&tracee)?;
            tracee.go_on(0)?;
            Ok(None)
        }
        EVENT_STOP if signal == SIGTRAP.unsigned() && tracee.place == Place::Elsewhere && tracee.state.passing == 0 => {
            if tracee.block == 0 {
                begin_later(&tracee, || host_ptrace(Request::PTRACE_INTERRUPT, tid, 0, 0))?;
            } else {
                tracee.request_event()?;
            }
            Ok(None)
        }
        _ => {
            if tracee.block != 0 {
                tracee.adopt()?;
            }
            Ok(Some(code))
        }
    }
}

fn event_message(tid: u32) -> Result<u32, Errno> {
    let mut message = 0u64;
    host_ptrace(Request::PTRACE_GETEVENTMSG, tid, 0, host::addr_mut(&mut message))?;
    Ok(host::low(message))
}

/// A guest that has not begun yet stops a little later.
fn begin_later(tracee: &Tracee, again: impl FnOnce() -> Result<u64, Errno>) -> Result<(), Errno> {
    const MILLISECOND: [u64; 2] = [0, 1_000_000];
    tracee.go_on(0)?;
    // SAFETY: the time outlives the call.
    let _ = unsafe { host::call(host::nr::NANOSLEEP, [host::addr(&MILLISECOND), 0]) };
    again().map(|_| ())
}

/// The process of a thread.
fn process_of(tid: u32) -> Result<u64, Errno> {
    let mut text = [0; STATUS];
    field(status_of(tid, &mut text), b"Tgid:").map(u64::from).ok_or(Errno::ESRCH)
}

/// Sends the signal that asks for a stop, where none is there that could become it.
fn send_request(tid: u32) -> Result<(), Errno> {
    let process = process_of(tid)?;
    let info = carrier();
    // SAFETY: the information outlives the call.
    unsafe { host::call(host::nr::RT_TGSIGQUEUEINFO, [process, u64::from(tid), host::int(SIGSYS), host::addr(&info)]) }
        .map(|_| ())
}

/// A new biarch stands at its first instruction: tells it to stop when its program begins, see [`crate::AT_FLAGS_TRACED`]. False
/// where this is not the first instruction.
fn mark_traced(tracee: &Tracee) -> Result<bool, Errno> {
    const AT_NULL: u64 = 0;
    const AT_FLAGS: u64 = 8;
    const AT_ENTRY: u64 = 9;
    const MOST_WORDS: u64 = 1 << 24;
    let tid = tracee.tid;
    let word = |at: u64| peek_value::<u64>(tid, at);
    let arguments = word(tracee.regs.sp)?;
    if arguments > MOST_WORDS {
        return Ok(false);
    }
    let mut at = tracee.regs.sp + 8 * (arguments + 2);
    let mut left = MOST_WORDS;
    while word(at)? != 0 {
        at += 8;
        left -= 1;
        if left == 0 {
            return Ok(false);
        }
    }
    at += 8;
    let (mut flags, mut entry) = (None, 0);
    for _ in 0..64 {
        let value = word(at + 8)?;
        match word(at)? {
            AT_NULL => break,
            AT_FLAGS => flags = Some((at + 8, value)),
            AT_ENTRY => entry = value,
            _ => {}
        }
        at += 16;
    }
    let Some((at, value)) = flags.filter(|_| entry == tracee.regs.ip) else { return Ok(false) };
    poke(tid, at, &(value | u64::from(crate::AT_FLAGS_TRACED)).to_le_bytes())?;
    Ok(true)
}

/// A guest before the host delivers a signal to it.
fn present_signal(tracee: &mut Tracee, mut record: Record, info: &SiginfoBytes) -> Result<Option<u32>, Errno> {
    const TRAP_TRACE: i32 = 2;
    const TRAP_HWBKPT: i32 = 4;
    const TRAP_FLAG: u64 = 0x100;
    let signal = siginfo::signo(info);
    let number = signal.unsigned();
    let raised = siginfo::code(info) > 0 && matches!(signal, SIGSEGV | SIGBUS | SIGSYS);
    if tracee.block == 0 {
        if signal == SIGSTOP {
            begin_later(tracee, || {
                let process = process_of(tracee.tid)?;
                // SAFETY: plain numbers.
                unsafe { host::call(host::nr::TGKILL, [process, u64::from(tracee.tid), host::int(SIGSTOP)]) }
            })?;
        } else {
            let begins = signal == SIGTRAP && mark_traced(tracee).unwrap_or(false);
            tracee.go_on(if begins { 0 } else { signal })?;
        }
        return Ok(None);
    }
    if tracee.place == Place::Stop {
        return present_stop(tracee, record);
    }
    if tracee.state.passing == number || is(info, SIGSYS, REQUEST) || is(info, SIGSEGV, STOP) {
        tracee.go_on(signal)?;
        return Ok(None);
    }
    if tracee.place == Place::Guest {
        if tracee.state.trap_flag != 0 {
            let mut regs = tracee.regs;
            regs.flags &= !TRAP_FLAG;
            host_ptrace(Request::PTRACE_SETREGS, tracee.tid, 0, host::addr(&regs))?;
            tracee.set(offset_of!(State, trap_flag), 0)?;
        }
        if record.walks {
            record.walks = false;
            keep(record)?;
        }
        if raised {
            tracee.set(offset_of!(State, show), 1)?;
            tracee.set(offset_of!(State, step), u32::from(record.mode == Mode::Step))?;
        }
        if raised || bit(signal) & RESERVED != 0 {
            tracee.go_on(signal)?;
            return Ok(None);
        }
        tracee.adopt()?;
        return Ok(Some(number));
    }
    if signal == SIGTRAP && siginfo::code(info) == TRAP_TRACE && record.mode == Mode::Step {
        return step_through(tracee, record);
    }
    if raised || bit(signal) & RESERVED != 0 {
        tracee.go_on(signal)?;
        return Ok(None);
    }
    if signal == SIGTRAP && siginfo::code(info) == TRAP_HWBKPT {
        // The kernel's own accesses do not trap either.
        tracee.go_on(0)?;
        return Ok(None);
    }
    // The end of a call that is made again is to be seen before the signal that has interrupted it.
    let ends = tracee.place == Place::Call && tracee.state.syscalls != 0 && tracee.regs.ax.wrapping_neg() != RESTART_BLOCK;
    if tracee.place == Place::Elsewhere || ends {
        if ends {
            tracee.keep_restartable()?;
        }
        tracee.request_signal(info)?;
        return Ok(None);
    }
    tracee.adopt()?;
    Ok(Some(number))
}

/// A step has led into the supervisor: it ends when that returns.
fn step_through(tracee: &Tracee, mut record: Record) -> Result<Option<u32>, Errno> {
    let single = |tracee: &Tracee| host_ptrace(Request::PTRACE_SINGLESTEP, tracee.tid, 0, 0).map(|_| None);
    let below = tracee.regs.ip <= u64::from(u32::MAX);
    if below || record.walks {
        return single(tracee);
    }
    if tracee.regs.ip.wrapping_sub(tracee.distance()) == (&raw const entry::biarch_entry_vdso).addr() as u64 {
        record.walks = true;
        keep(record)?;
        return single(tracee);
    }
    tracee.set(offset_of!(State, step), 1)?;
    tracee.go_on(0)?;
    Ok(None)
}

/// A guest at a stop of its own.
fn present_stop(tracee: &Tracee, mut record: Record) -> Result<Option<u32>, Errno> {
    const EXECVEAT: u32 = 358;
    tracee.adopt()?;
    let trap = SIGTRAP.unsigned();
    match tracee.state.kind {
        kind::SIGNAL => Ok(Some(tracee.state.signal)),
        kind::EVENT_STOP => Ok(Some(trap | EVENT_STOP << 8)),
        kind::ENTRY | kind::EXIT => {
            record.number = tracee.guest_regs()?.orig_eax;
            keep(record)?;
            Ok(Some(if record.options & O_TRACESYSGOOD != 0 { trap | 0x80 } else { trap }))
        }
        _ => {
            if record.number == EXECVEAT {
                let at = tracee.block + (offset_of!(Thread, regs) + offset_of!(Regs, orig_eax)) as u64;
                poke(tracee.tid, at, &EXECVEAT.to_le_bytes())?;
            }
            if record.options & O_TRACEEXEC != 0 {
                return Ok(Some(trap | EVENT_EXEC << 8));
            }
            tracee.set(offset_of!(State, signal), if record.seized { 0 } else { trap })?;
            tracee.set(offset_of!(State, syscalls), u32::from(record.mode == Mode::Calls))?;
            tracee.set(offset_of!(State, seen), 1)?;
            tracee.go_on(SIGSEGV)?;
            Ok(None)
        }
    }
}

/// Offsets in the block.
const fn in_block(offset: usize) -> u64 {
    offset as u64
}

const REGS: u64 = in_block(offset_of!(Thread, regs));
/// What a tracer may change of the flags (`FLAG_MASK_32` in arch/x86/kernel/ptrace.c).
const FLAG_MASK: u32 = 0x0005_0dd5;

/// Puts the guest's into the processor's, which were `regs`.
fn widen(guest: &GuestRegs, regs: &mut HostRegs) {
    regs.bx = guest.ebx.into();
    regs.cx = guest.ecx.into();
    regs.dx = guest.edx.into();
    regs.si = guest.esi.into();
    regs.di = guest.edi.into();
    regs.bp = guest.ebp.into();
    regs.ax = guest.eax.into();
    regs.orig_ax = i64::from(guest.orig_eax.signed()).unsigned();
    regs.ip = guest.eip.into();
    regs.flags = regs.flags & !u64::from(FLAG_MASK) | u64::from(guest.eflags & FLAG_MASK);
    regs.sp = guest.esp.into();
    for (to, from) in [(&mut regs.ds, guest.ds), (&mut regs.es, guest.es), (&mut regs.fs, guest.fs), (&mut regs.gs, guest.gs)] {
        *to = u64::from(from & 0xffff);
    }
}
impl Tracee {
    fn thread_regs(&self) -> Result<Regs, Errno> {
        peek_value(self.tid, self.block + REGS)
    }

    /// The guest's registers.
    fn guest_regs(&self) -> Result<GuestRegs, Errno> {
        const ENOSYS: u32 = 38u32.wrapping_neg();
        let mut now = GuestRegs::narrow(&self.regs);
        if matches!(self.place, Place::Foreign | Place::Guest) {
            return Ok(now);
        }
        if self.block == 0 {
            return Err(Errno::EIO);
        }
        let regs = self.thread_regs()?;
        (now.esp, now.eip, now.orig_eax) = (regs.esp, regs.eip, regs.orig_eax);
        (now.cs, now.ss) = (USER32_CS.into(), USER_DS.into());
        if self.place == Place::Fast {
            // As `biarch_fast_start` has them.
            let low = host::low;
            (now.ecx, now.esi, now.edi) = (low(self.regs.r12), low(self.regs.r10), low(self.regs.r8));
            if self.regs.r14 != 0 {
                now.eflags = regs.eflags;
            }
            return Ok(now);
        }
        (now.ebx, now.ecx, now.edx, now.esi) = (regs.ebx, regs.ecx, regs.edx, regs.esi);
        (now.edi, now.ebp, now.eflags) = (regs.edi, regs.ebp, regs.eflags);
        let segments_valid: u32 = peek_value(self.tid, self.block + in_block(offset_of!(Thread, segments_valid)))?;
        if segments_valid != 0 {
            (now.ds, now.es, now.fs, now.gs) = (regs.ds.into(), regs.es.into(), regs.fs.into(), regs.gs.into());
        }
        now.eax = match self.place {
            Place::Call => now.eax,
            // In a call, of which the result is not known yet.
            Place::Elsewhere if self.state.passing == 0 && regs.orig_eax != u32::MAX => ENOSYS,
            _ => regs.eax,
        };
        Ok(now)
    }

    /// Sets the guest's registers, which were `before`.
    fn set_guest_regs(&mut self, before: &GuestRegs, new: &GuestRegs) -> Result<(), Errno> {
        // A null selector, or one of user code (`invalid_selector`).
        let invalid = |selector: u32| selector & 0xffff != 0 && selector & 3 != 3;
        if [new.ds, new.es, new.fs, new.gs].into_iter().any(invalid) || new.cs & 3 != 3 || new.ss & 3 != 3 {
            return Err(Errno::EIO);
        }
        if self.place == Place::Foreign || self.place == Place::Guest {
            widen(new, &mut self.regs);
            host_ptrace(Request::PTRACE_SETREGS, self.tid, 0, host::addr(&self.regs))?;
            return Ok(());
        }
        if before.as_bytes() == new.as_bytes() {
            return Ok(());
        }
        self.settle()?;
        if self.block == 0 {
            return Err(Errno::EIO);
        }
        let mut regs = self.thread_regs()?;
        let selector = |value: u32| u16::try_from(value & 0xffff).unwrap_or(0);
        (regs.eax, regs.ebx, regs.ecx, regs.edx) = (new.eax, new.ebx, new.ecx, new.edx);
        (regs.esi, regs.edi, regs.ebp, regs.esp) = (new.esi, new.edi, new.ebp, new.esp);
        if regs.eip != new.eip {
            regs.eip = new.eip;
            regs.restart_eip = self.call_before(new.eip);
        }
        (regs.ds, regs.es, regs.fs, regs.gs) = (selector(new.ds), selector(new.es), selector(new.fs), selector(new.gs));
        regs.eflags = regs.eflags & !FLAG_MASK | new.eflags & FLAG_MASK;
        regs.orig_eax = new.orig_eax;
        poke(self.tid, self.block + REGS, regs.as_bytes())
    }

    /// Where the system call is made again that returns to `eip`.
    fn call_before(&self, eip: u32) -> u32 {
        let [start, end] = self.state.sysinfo;
        if eip == end { start } else { eip.wrapping_sub(2) }
    }

    /// Brings a guest that blocks in a call to a stop where its registers can be changed, and shows the same there: the call ends
    /// with what the kernel would restart it for.
    fn settle(&mut self) -> Result<(), Errno> {
        const WALL_UNTRACED: u64 = 0x4000_0002;
        const NO_WAIT_STOPPED_EXITED: u64 = 0x0100_0000 | 0x4000_0000 | 2 | 4;
        const P_PID: u64 = 1;
        if !matches!(self.place, Place::Call | Place::Fast) {
            return Ok(());
        }
        // They are set again when it goes on.
        self.set(offset_of!(State, syscalls), 0)?;
        self.set(offset_of!(State, step), 0)?;
        if self.place == Place::Call {
            self.keep_restartable()?;
        }
        match self.information() {
            Ok(info) if siginfo::code(&info).unsigned() >> 8 != EVENT_STOP => {
                self.request_signal(&info)?;
            }
            _ => self.request_event()?,
        }
        loop {
            let mut info = [0u8; 128];
            let args = [P_PID, u64::from(self.tid), host::addr_mut(&mut info), NO_WAIT_STOPPED_EXITED, 0];
            // SAFETY: the information outlives the call.
            unsafe { host::call(host::nr::WAITID, args) }?;
            const CLD_TRAPPED: i32 = 4;
            if siginfo::code(&info) != CLD_TRAPPED {
                // It has died, which is for the guest to wait for.
                return Err(Errno::ESRCH);
            }
            let mut status = 0u32;
            // SAFETY: the status outlives the call.
            unsafe { host::call(host::nr::WAIT4, [u64::from(self.tid), host::addr_mut(&mut status), WALL_UNTRACED, 0]) }?;
            *self = Self::look(self.tid)?;
            if self.place == Place::Stop {
                return Ok(());
            }
            // What asks for it, on its way to the handler.
            let signal = i32::try_from(status >> 8 & 0xff).unwrap_or(0);
            self.go_on(if status >> 16 == 0 { signal } else { 0 })?;
        }
    }
}

impl Tracee {
    /// Lets it go on as `request` says, with a signal.
    fn resume(&mut self, request: u32, signal: u32) -> Result<(), Errno> {
        if signal > 64 {
            return Err(Errno::EIO);
        }
        let tid = self.tid;
        let mode = match request {
            Request::PTRACE_SYSCALL => Mode::Calls,
            Request::PTRACE_SINGLESTEP => Mode::Step,
            _ => Mode::Continue,
        };
        if let Some(record) = find(tid) {
            keep(Record { mode, walks: false, ..record })?;
        }
        if self.place == Place::Foreign {
            return host_ptrace(request, tid, 0, signal.into()).map(|_| ());
        }
        // What is to be seen of the call that blocks begins when it is made again. A call that the kernel restarts in its own way
        // goes on.
        let again = mode == Mode::Calls && self.regs.ax.wrapping_neg() != RESTART_BLOCK;
        if self.place == Place::Fast && mode != Mode::Continue || self.place == Place::Call && again {
            self.settle()?;
        }
        let detach = request == Request::PTRACE_DETACH;
        let mut how = if detach { Request::PTRACE_DETACH } else { Request::PTRACE_CONT };
        let mut host_signal = u64::from(signal);
        if self.block != 0 {
            self.set(offset_of!(State, syscalls), u32::from(mode == Mode::Calls))?;
            self.set(offset_of!(State, step), u32::from(mode == Mode::Step && self.place != Place::Guest))?;
            if detach {
                self.set(offset_of!(State, traced), 0)?;
            }
        }
        match self.place {
            Place::Stop => {
                self.set(offset_of!(State, signal), signal)?;
                self.set(offset_of!(State, seen), 1)?;
                host_signal = host::int(SIGSEGV);
            }
            Place::Guest => {
                self.restart_call()?;
                if mode == Mode::Step {
                    how = Request::PTRACE_SINGLESTEP;
                }
            }
            _ => {}
        }
        if self.block != 0 && self.place != Place::Stop && signal != 0 && bit(signal.signed()) & RESERVED != 0 {
            self.set(offset_of!(State, shown), 1)?;
        }
        host_ptrace(how, tid, 0, host_signal).map(|_| ())
    }

    /// The tracer has put back the registers of a call that was interrupted: it is made again (`arch_do_signal_or_restart` in
    /// arch/x86/kernel/signal.c, which knows nothing of this one).
    fn restart_call(&mut self) -> Result<(), Errno> {
        let mut regs = GuestRegs::narrow(&self.regs);
        if regs.orig_eax == u32::MAX || !matches!(regs.eax.wrapping_neg(), 512..=514 | 516) {
            return Ok(());
        }
        regs.eax = regs.orig_eax;
        regs.eip = self.call_before(regs.eip);
        regs.orig_eax = u32::MAX;
        widen(&regs, &mut self.regs);
        host_ptrace(Request::PTRACE_SETREGS, self.tid, 0, host::addr(&self.regs)).map(|_| ())
    }

    /// The whole floating-point and vector state, in the form of `NT_X86_XSTATE`.
    fn xstate(&self) -> Result<XState, Errno> {
        let mut state = XState::new(self.tid)?;
        if matches!(self.place, Place::Foreign | Place::Guest | Place::Fast) {
            return Ok(state);
        }
        if self.block == 0 {
            return Err(Errno::EIO);
        }
        let image_valid: u32 = peek_value(self.tid, self.block + in_block(offset_of!(Thread, image_valid)))?;
        if image_valid != 0 {
            let mut image = mem::Buf::<u8>::zeroed(xstate::length())?;
            peek(self.tid, self.block + XSAVE as u64, &mut image)?;
            xstate::overlay(&mut state.bytes, &image);
            return Ok(state);
        }
        let at = self.block + in_block(offset_of!(Thread, vectors));
        let mut registers = [[0u64; 8]; 8];
        let mut opmasks = [0u64; 8];
        peek(self.tid, at + in_block(offset_of!(VectorSave, registers)), registers.as_mut_bytes())?;
        peek(self.tid, at + in_block(offset_of!(VectorSave, opmasks)), opmasks.as_mut_bytes())?;
        let in_use: u32 = peek_value(self.tid, self.block + in_block(offset_of!(Thread, vectors_in_use)))?;
        xstate::overlay_vectors(&mut state.bytes, &registers, &opmasks, in_use);
        Ok(state)
    }

    fn set_xstate(&mut self, state: &XState) -> Result<(), Errno> {
        self.settle()?;
        match self.place {
            Place::Foreign | Place::Guest => state.set(self.tid),
            Place::Stop => {
                let mut image = mem::Buf::<u8>::zeroed(xstate::length())?;
                xstate::take(&mut image, &state.bytes);
                poke(self.tid, self.block + XSAVE as u64, &image)
            }
            _ => Err(Errno::EIO),
        }
    }

    /// The guest's mask.
    fn mask(&self) -> Result<u64, Errno> {
        if self.place == Place::Stop && matches!(self.state.kind, kind::SIGNAL | kind::EVENT_STOP) {
            return Ok(self.state.mask);
        }
        let mut mask = 0u64;
        host_ptrace(Request::PTRACE_GETSIGMASK, self.tid, 8, host::addr_mut(&mut mask))?;
        if self.block == 0 {
            return Ok(mask);
        }
        let reserved: u64 = peek_value(self.tid, self.block + RESERVED_AT)?;
        Ok(mask & !RESERVED | reserved)
    }

    fn set_mask(&self, mask: u64) -> Result<(), Errno> {
        if self.place == Place::Stop && matches!(self.state.kind, kind::SIGNAL | kind::EVENT_STOP) {
            let mask = mask & !(bit(SIGSTOP) | bit(crate::signal::SIGKILL));
            return poke(self.tid, self.block + in_state(offset_of!(State, mask)), &mask.to_le_bytes());
        }
        let mut host_mask = mask;
        if self.block != 0 {
            host_mask &= !RESERVED;
            poke(self.tid, self.block + RESERVED_AT, &(mask & RESERVED).to_le_bytes())?;
        }
        host_ptrace(Request::PTRACE_SETSIGMASK, self.tid, 8, host::addr(&host_mask)).map(|_| ())
    }

    /// What the tracer is told of the signal, in the host's form.
    fn shown_information(&self) -> Result<SiginfoBytes, Errno> {
        if self.place != Place::Stop {
            return self.information();
        }
        let mut info = self.state.info;
        let good = find(self.tid).is_some_and(|record| record.options & O_TRACESYSGOOD != 0);
        let trap = SIGTRAP.unsigned();
        let code = match self.state.kind {
            kind::ENTRY | kind::EXIT if good => trap | 0x80,
            kind::ENTRY | kind::EXIT => trap,
            kind::EVENT_STOP => trap | EVENT_STOP << 8,
            kind::EXEC => trap | EVENT_EXEC << 8,
            _ => return Ok(info),
        };
        info[8..12].copy_from_slice(&code.to_le_bytes());
        Ok(info)
    }
}

const RESERVED_AT: u64 = (offset_of!(Thread, signal) + offset_of!(SignalState, blocked_reserved)) as u64;

/// The host's `NT_X86_XSTATE`.
struct XState {
    bytes: mem::Buf<u8>,
    length: usize,
}

impl XState {
    /// What no processor's state is larger than, in bytes.
    const MOST: usize = 16 * 1024;

    fn new(tid: u32) -> Result<Self, Errno> {
        let mut bytes = mem::Buf::<u8>::zeroed(Self::MOST)?;
        let mut vector = IoVec { base: host::addr_mut(&mut *bytes), length: Self::MOST as u64 };
        host_ptrace(Request::PTRACE_GETREGSET, tid, NT_X86_XSTATE.into(), host::addr_mut(&mut vector))?;
        let length = usize::try_from(vector.length).map_err(|_| Errno::EIO)?;
        if length < xstate::length() || length > Self::MOST {
            return Err(Errno::EIO);
        }
        Ok(Self { bytes, length })
    }

    fn set(&self, tid: u32) -> Result<(), Errno> {
        let mut vector = IoVec { base: host::addr(&*self.bytes), length: self.length as u64 };
        host_ptrace(Request::PTRACE_SETREGSET, tid, NT_X86_XSTATE.into(), host::addr_mut(&mut vector)).map(|_| ())
    }
}

/// Length of `struct user_i387_struct` of i386 in bytes.
const FSAVE: usize = 108;
/// Length of `struct user_fxsr_struct` in bytes.
const FXSAVE: usize = 512;

/// One set of registers, as the guest sees it.
fn regset(tracee: &Tracee, which: u32, out: &mut mem::Buf<u8>) -> Result<usize, Errno> {
    match which {
        NT_PRSTATUS => {
            let regs = tracee.guest_regs()?;
            out[..size_of::<GuestRegs>()].copy_from_slice(regs.as_bytes());
            Ok(size_of::<GuestRegs>())
        }
        NT_PRFPREG => {
            let mut state = tracee.xstate()?;
            let mut fsave = [0; xstate::FSAVE_LENGTH];
            xstate::to_frame(&mut state.bytes, &mut fsave);
            // Segments at the time of an exception are not known (`__convert_from_fxsr` in arch/x86/kernel/fpu/regset.c).
            let regs = tracee.guest_regs()?;
            fsave[16..20].copy_from_slice(&regs.cs.to_le_bytes());
            fsave[24..28].copy_from_slice(&(regs.ds | 0xffff_0000).to_le_bytes());
            out[..FSAVE].copy_from_slice(&fsave[..FSAVE]);
            Ok(FSAVE)
        }
        NT_PRXFPREG => {
            let state = tracee.xstate()?;
            out[..xstate::SOFTWARE].copy_from_slice(&state.bytes[..xstate::SOFTWARE]);
            Ok(FXSAVE)
        }
        NT_X86_XSTATE => {
            let state = tracee.xstate()?;
            out[..state.length].copy_from_slice(&state.bytes[..state.length]);
            Ok(state.length)
        }
        _ => Err(Errno::EINVAL),
    }
}

/// Sets as much of a set of registers as `bytes` has.
fn set_regset(tracee: &mut Tracee, which: u32, bytes: &[u8]) -> Result<(), Errno> {
    if which == NT_PRSTATUS {
        let before = tracee.guest_regs()?;
        let mut regs = before;
        let count = bytes.len().min(size_of::<GuestRegs>());
        regs.as_mut_bytes()[..count].copy_from_slice(&bytes[..count]);
        return tracee.set_guest_regs(&before, &regs);
    }
    let mut state = tracee.xstate()?;
    match which {
        NT_PRFPREG => {
            let mut fsave = [0; xstate::FSAVE_LENGTH];
            xstate::to_frame(&mut state.bytes, &mut fsave);
            let count = bytes.len().min(FSAVE);
            fsave[..count].copy_from_slice(&bytes[..count]);
            xstate::set_fsave(&mut state.bytes, &fsave);
        }
        NT_PRXFPREG => {
            if bytes.len() != FXSAVE {
                return Err(Errno::EINVAL);
            }
            xstate::set_fxsave(&mut state.bytes, bytes)?;
        }
        NT_X86_XSTATE => {
            if bytes.len() != state.length {
                return Err(Errno::EFAULT);
            }
            state.bytes[..bytes.len()].copy_from_slice(bytes);
        }
        _ => return Err(Errno::EINVAL),
    }
    tracee.set_xstate(&state)
}

/// The largest set of registers, in bytes.
fn set_buffer() -> Result<mem::Buf<u8>, Errno> {
    mem::Buf::zeroed(XState::MOST)
}

/// `PTRACE_GETREGSET` and `PTRACE_SETREGSET`: `data` is a `struct iovec`.
fn transfer_set(tracee: &mut Tracee, which: u32, data: GuestPtr<u8>, set: bool) -> SysResult {
    let [base, wanted]: [u32; 2] = mem::read(data.cast())?;
    let unit = match which {
        NT_PRSTATUS | NT_PRFPREG | NT_PRXFPREG => 4,
        NT_X86_XSTATE => 8,
        _ => return Err(Errno::EINVAL),
    };
    if wanted % unit != 0 {
        return Err(Errno::EINVAL);
    }
    let mut bytes = set_buffer()?;
    let length = regset(tracee, which, &mut bytes)?;
    let count = length.min(wanted as usize);
    if set {
        mem::read_bytes(GuestPtr::new(base), &mut bytes[..count])?;
        set_regset(tracee, which, &bytes[..count])?;
    } else {
        mem::write_bytes(GuestPtr::new(base), &bytes[..count])?;
    }
    let count = u32::try_from(count).map_err(|_| Errno::EIO)?;
    mem::write(data.byte_add(4).ok_or(Errno::EFAULT)?.cast(), &count)?;
    Ok(0)
}

/// As [`transfer_set`], for a request of its own: all of it.
fn transfer_whole(tracee: &mut Tracee, which: u32, data: GuestPtr<u8>, set: bool) -> SysResult {
    let mut bytes = set_buffer()?;
    let length = regset(tracee, which, &mut bytes)?;
    if set {
        mem::read_bytes(data, &mut bytes[..length])?;
        set_regset(tracee, which, &bytes[..length])?;
    } else {
        mem::write_bytes(data, &bytes[..length])?;
    }
    Ok(0)
}

/// `sizeof (struct user)` of i386, and where it has the debug registers (asm/user_32.h); the latter of the host.
const USER: u32 = 284;
const DEBUG_REGISTERS: u32 = 252;
const HOST_DEBUG_REGISTERS: u64 = 848;

/// The offset of a debug register in the host's `struct user`, for an offset in the guest's.
fn debug_register(offset: u32) -> Option<u64> {
    offset.checked_sub(DEBUG_REGISTERS).map(|from| HOST_DEBUG_REGISTERS + u64::from(from) * 2)
}

/// `PTRACE_PEEKUSR`: a word of `struct user`.
fn peek_user(tracee: &Tracee, offset: u32) -> Result<u32, Errno> {
    if offset & 3 != 0 || offset > USER - 4 {
        return Err(Errno::EIO);
    }
    let regs = tracee.guest_regs()?;
    let at = offset as usize;
    if let Some(&[a, b, c, d]) = regs.as_bytes().get(at..at + 4) {
        return Ok(u32::from_le_bytes([a, b, c, d]));
    }
    let Some(place) = debug_register(offset) else { return Ok(0) };
    let mut word = 0u64;
    host_ptrace(Request::PTRACE_PEEKUSR, tracee.tid, place, host::addr_mut(&mut word))?;
    Ok(host::low(word))
}

/// `PTRACE_POKEUSR`.
fn poke_user(tracee: &mut Tracee, offset: u32, value: u32) -> Result<(), Errno> {
    if offset & 3 != 0 || offset > USER - 4 {
        return Err(Errno::EIO);
    }
    let before = tracee.guest_regs()?;
    let mut regs = before;
    let at = offset as usize;
    if let Some(word) = regs.as_mut_bytes().get_mut(at..at + 4) {
        word.copy_from_slice(&value.to_le_bytes());
        return tracee.set_guest_regs(&before, &regs);
    }
    match debug_register(offset) {
        Some(place) => host_ptrace(Request::PTRACE_POKEUSR, tracee.tid, place, value.into()).map(|_| ()),
        // Other words are there for show.
        None => Ok(()),
    }
}

/// `PTRACE_GET_THREAD_AREA`: the entry that a selector of the tracee means.
fn thread_area(tracee: &Tracee, entry: u32, data: GuestPtr<u8>) -> SysResult {
    use super::thread::{Area, GDT_ENTRY_TLS_MIN};
    const AREAS: usize = 3;
    if tracee.place == Place::Foreign {
        // One that the kernel runs as a 32-bit task has entries of its own.
        let mut descriptor = user_desc::Guest32::default();
        host_ptrace(Request::PTRACE_GET_THREAD_AREA, tracee.tid, entry.into(), host::addr_mut(&mut descriptor))?;
        mem::write(data.cast(), &descriptor)?;
        return Ok(0);
    }
    if tracee.block == 0 {
        return Err(Errno::EINVAL);
    }
    let mut areas = [(user_desc::Guest32::default(), false, 0u16); AREAS];
    let start = tracee.block + (offset_of!(Thread, tls) + offset_of!(Tls, areas)) as u64;
    for (index, area) in (0u64..).zip(&mut areas) {
        let at = start + index * size_of::<Area>() as u64;
        area.0 = peek_value(tracee.tid, at + in_block(offset_of!(Area, descriptor)))?;
        area.1 = peek_value::<u8>(tracee.tid, at + in_block(offset_of!(Area, in_use)))? != 0;
        area.2 = peek_value(tracee.tid, at + in_block(offset_of!(Area, ldt)))?;
    }
    let standing = |&(_, in_use, ldt): &(user_desc::Guest32, bool, u16)| {
        if entry == u32::from(USER_DS >> 3) { in_use && ldt == 0 } else { ldt != 0 && u32::from(ldt) == entry }
    };
    let index = entry.checked_sub(GDT_ENTRY_TLS_MIN).and_then(|index| usize::try_from(index).ok());
    let area = index.and_then(|index| areas.get(index)).or_else(|| areas.iter().find(|area| standing(area)));
    let (mut descriptor, in_use, _) = *area.ok_or(Errno::EINVAL)?;
    if !in_use {
        const EMPTY: u32 = 1 << 3 | 1 << 5;
        descriptor = user_desc::Guest32 { flags: EMPTY, ..Default::default() };
    }
    descriptor.entry_number = entry;
    mem::write(data.cast(), &descriptor)?;
    Ok(0)
}

/// `PTRACE_GET_SYSCALL_INFO`: `struct ptrace_syscall_info`, of which as much is written as the tracer has room for.
fn syscall_info(tracee: &Tracee, room: u32, data: GuestPtr<u8>) -> SysResult {
    const AUDIT_ARCH_I386: u32 = 0x4000_0003;
    const AUDIT_ARCH_X86_64: u32 = 0xc000_003e;
    const NONE: usize = 24;
    const ENTRY: usize = 80;
    const EXIT: usize = 33;
    let mut info = [0u8; 88];
    if tracee.place == Place::Foreign {
        let got = host_ptrace(Request::PTRACE_GET_SYSCALL_INFO, tracee.tid, info.len() as u64, host::addr_mut(&mut info))?;
        if info[4..8] != AUDIT_ARCH_X86_64.to_le_bytes() {
            return Err(Errno::EIO);
        }
        let count = usize::try_from(got).unwrap_or(0).min(room as usize).min(info.len());
        mem::write_bytes(data, &info[..count])?;
        return Ok(host::low(got));
    }
    let regs = tracee.guest_regs()?;
    let mut put = |at: usize, value: u64| info[at..at + 8].copy_from_slice(&value.to_le_bytes());
    put(0, u64::from(AUDIT_ARCH_I386) << 32);
    put(8, regs.eip.into());
    put(16, regs.esp.into());
    let (operation, length) = match tracee.state.kind {
        kind::ENTRY if tracee.place == Place::Stop => {
            let args = [regs.orig_eax, regs.ebx, regs.ecx, regs.edx, regs.esi, regs.edi, regs.ebp];
            for (at, value) in (NONE..).step_by(8).zip(args) {
                put(at, value.into());
            }
            (1, ENTRY)
        }
        kind::EXIT if tracee.place == Place::Stop => {
            let failed = regs.eax.wrapping_neg().wrapping_sub(1) < 4095;
            put(NONE, if failed { i64::from(regs.eax.signed()).unsigned() } else { regs.eax.into() });
            info[NONE + 8] = u8::from(failed);
            (2, EXIT)
        }
        _ => (0, NONE),
    };
    info[0] = operation;
    mem::write_bytes(data, &info[..length.min(room as usize)])?;
    u32::try_from(length).map_err(|_| Errno::EIO)
}

/// `PTRACE_ATTACH` and `PTRACE_SEIZE`.
fn attach(request: u32, tid: u32, addr: GuestPtr<u8>, options: u32) -> SysResult {
    let seized = request == Request::PTRACE_SEIZE;
    let host_options = if seized { u64::from(options | O_TRACEEXEC) } else { 0 };
    let record = Record { tid, options: if seized { options } else { 0 }, seized, guest: is_biarch(tid), ..Record::NONE };
    let known = find(tid);
    keep(record)?;
    match host_ptrace(request, tid, addr.address().into(), host_options) {
        Ok(_) => Ok(0),
        Err(errno) => {
            match known {
                Some(known) => keep(known)?,
                None => forget(tid),
            }
            Err(errno)
        }
    }
}

fn refuse(thread: &mut Thread, errno: Errno) -> SysResult {
    thread.lacks("no such request or option between guests");
    Err(errno)
}

/// ptrace(2)
pub(crate) fn ptrace(thread: &mut Thread, request: u32, pid: i32, addr: GuestPtr<u8>, data: GuestPtr<u8>) -> SysResult {
    const SECCOMP: u32 = O_TRACESECCOMP | O_SUSPEND_SECCOMP;
    let value = data.address();
    // The registers of a library's guest belong to the program.
    if crate::embed::active() {
        return refuse(thread, Errno::EPERM);
    }
    let tid = pid.unsigned();
    match request {
        Request::PTRACE_TRACEME => return host_ptrace(request, 0, 0, 0).map(host::low),
        Request::PTRACE_SEIZE if value & SECCOMP != 0 => return refuse(thread, Errno::EINVAL),
        Request::PTRACE_ATTACH | Request::PTRACE_SEIZE => return attach(request, tid, addr, value),
        Request::PTRACE_INTERRUPT | Request::PTRACE_KILL | Request::PTRACE_LISTEN => {
            return host_ptrace(request, tid, addr.address().into(), value.into()).map(host::low);
        }
        _ => {}
    }
    let mut tracee = Tracee::look(tid)?;
    match request {
        Request::PTRACE_PEEKTEXT | Request::PTRACE_PEEKDATA => {
            let word: u32 = peek_value(tid, addr.address().into())?;
            mem::write(data.cast(), &word).map(|()| 0)
        }
        Request::PTRACE_POKETEXT | Request::PTRACE_POKEDATA => poke(tid, addr.address().into(), &value.to_le_bytes()).map(|()| 0),
        Request::PTRACE_PEEKUSR => {
            let word = peek_user(&tracee, addr.address())?;
            mem::write(data.cast(), &word).map(|()| 0)
        }
        Request::PTRACE_POKEUSR => poke_user(&mut tracee, addr.address(), value).map(|()| 0),
        Request::PTRACE_GETREGS => transfer_whole(&mut tracee, NT_PRSTATUS, data, false),
        Request::PTRACE_SETREGS => transfer_whole(&mut tracee, NT_PRSTATUS, data, true),
        Request::PTRACE_GETFPREGS => transfer_whole(&mut tracee, NT_PRFPREG, data, false),
        Request::PTRACE_SETFPREGS => transfer_whole(&mut tracee, NT_PRFPREG, data, true),
        Request::PTRACE_GETFPXREGS => transfer_whole(&mut tracee, NT_PRXFPREG, data, false),
        Request::PTRACE_SETFPXREGS => transfer_whole(&mut tracee, NT_PRXFPREG, data, true),
        Request::PTRACE_GETREGSET => transfer_set(&mut tracee, addr.address(), data, false),
        Request::PTRACE_SETREGSET => transfer_set(&mut tracee, addr.address(), data, true),
        Request::PTRACE_GET_THREAD_AREA => thread_area(&tracee, addr.address(), data),
        Request::PTRACE_GET_SYSCALL_INFO => syscall_info(&tracee, addr.address(), data),
        Request::PTRACE_CONT | Request::PTRACE_SYSCALL | Request::PTRACE_SINGLESTEP => tracee.resume(request, value).map(|()| 0),
        Request::PTRACE_DETACH => {
            tracee.resume(request, value)?;
            forget(tid);
            Ok(0)
        }
        Request::PTRACE_SETOPTIONS if value & SECCOMP != 0 => refuse(thread, Errno::EINVAL),
        Request::PTRACE_SETOPTIONS => {
            let record = find(tid).unwrap_or_else(|| inherited(tid));
            let host_options = value | if record.seized { O_TRACEEXEC } else { 0 };
            host_ptrace(request, tid, 0, host_options.into())?;
            keep(Record { options: value, ..record }).map(|()| 0)
        }
        Request::PTRACE_GETEVENTMSG => {
            let message = event_message(tid)?;
            // PTRACE_EVENTMSG_SYSCALL_ENTRY and PTRACE_EVENTMSG_SYSCALL_EXIT
            let message = match tracee.state.kind {
                kind::ENTRY if tracee.place == Place::Stop => 1,
                kind::EXIT if tracee.place == Place::Stop => 2,
                kind::EXEC if tracee.place == Place::Stop => find(tid).map_or(message, |record| record.message),
                _ => message,
            };
            mem::write(data.cast(), &message).map(|()| 0)
        }
        Request::PTRACE_GETSIGINFO => {
            let info = tracee.shown_information()?;
            mem::write(data.cast(), &siginfo::to_guest(&info)).map(|()| 0)
        }
        Request::PTRACE_SETSIGINFO => {
            let info = siginfo::to_host(&mem::read::<SiginfoBytes>(data.cast())?);
            if tracee.place == Place::Stop {
                poke(tid, tracee.block + in_state(offset_of!(State, info)), &info).map(|()| 0)
            } else {
                host_ptrace(request, tid, 0, host::addr(&info)).map(|_| 0)
            }
        }
        Request::PTRACE_GETSIGMASK | Request::PTRACE_SETSIGMASK if addr.address() != 8 => Err(Errno::EINVAL),
        Request::PTRACE_GETSIGMASK => {
            let mask = tracee.mask()?;
            mem::write(data.cast(), &mask.to_le_bytes()).map(|()| 0)
        }
        Request::PTRACE_SETSIGMASK => {
            let mask: [u8; 8] = mem::read(data.cast())?;
            tracee.set_mask(u64::from_le_bytes(mask)).map(|()| 0)
        }
        _ => refuse(thread, Errno::EIO),
    }
}
