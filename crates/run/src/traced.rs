//! A guest that another guest traces, ptrace(2): what the traced one does for it. What the tracer does is in `sys/ptrace.rs`.
//!
//! The host's kernel stops the traced thread wherever it is, which may be in the supervisor, where the guest's registers are in no
//! order. So the traced thread stops where they are all in [`Thread`]: it sends itself a signal that only the tracer's biarch
//! understands ([`STOP`]), and [`State`] says what the guest's tracer is to see. What the host's kernel shows besides is the
//! business of the tracer's biarch: it is hidden, or asks the traced thread to come to such a stop ([`REQUEST`]).
//!
//! All of [`State`] is read and written by the tracer, which is the same biarch, while the thread is stopped. Nothing of it concerns
//! the fast path: the tracer takes every call off it.

use crate::host;
use crate::signal::{self, SIGSEGV, SIGTRAP, siginfo};
use crate::switch::{entry, lowpage, patch};
use crate::thread::{Thread, WORK_SIGNAL};
use abi::scalar::Unsigned as _;
use abi::structs::signal::SiginfoBytes;
use core::sync::atomic::Ordering;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// Code of the SIGSEGV by which a thread comes to a stop; that signal is never blocked on the host.
pub(crate) const STOP: i32 = -0x6269_0001;
/// Code of the SIGSYS by which a tracer asks for a stop. It waits where the supervisor blocks signals, which is never long.
pub(crate) const REQUEST: i32 = -0x6269_0002;

const TRAP_FLAG: u32 = 0x100;

/// What kind of stop this is.
pub(crate) mod kind {
    /// None.
    pub(crate) const NONE: u32 = 0;
    /// Before a signal is delivered: [`super::State::signal`] and `info`.
    pub(crate) const SIGNAL: u32 = 1;
    /// Before a system call.
    pub(crate) const ENTRY: u32 = 2;
    /// After a system call.
    pub(crate) const EXIT: u32 = 3;
    /// `PTRACE_EVENT_STOP`.
    pub(crate) const EVENT_STOP: u32 = 4;
    /// `PTRACE_EVENT_EXEC`, or the signal in its place.
    pub(crate) const EXEC: u32 = 5;
}

/// In [`State::magic`] of a thread whose registers and signals are in order.
pub(crate) const MAGIC: u64 = u64::from_le_bytes(*b"biarch-t");

/// What a thread and its tracer tell each other.
#[repr(C)]
#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout)]
pub(crate) struct State {
    /// [`MAGIC`].
    pub(crate) magic: u64,
    /// Address of the table of the fast path, for the tracer to take all calls off it.
    pub(crate) fast: u64,
    /// Address of the word that forbids to rewrite the guest's code.
    pub(crate) unpatched: u64,
    /// Where `__kernel_vsyscall` begins, and where it returns to.
    pub(crate) sysinfo: [u32; 2],
    /// What the thread has stopped for: [`kind`].
    pub(crate) kind: u32,
    /// The signal that is about to be delivered; the tracer's answer.
    pub(crate) signal: u32,
    /// The tracer has seen the stop.
    pub(crate) seen: u32,
    /// The signal of the stop has arrived.
    acknowledged: u32,
    /// There is a tracer.
    pub(crate) traced: u32,
    /// The tracer wants to see system calls.
    pub(crate) syscalls: u32,
    /// The tracer wants one step: a stop at the end of this system call, or after the next instruction.
    pub(crate) step: u32,
    /// The trap flag is set because of that.
    pub(crate) trap_flag: u32,
    /// The fault that is about to be handled is to be shown if it is the guest's.
    pub(crate) show: u32,
    /// The next signal of `signal::RESERVED` has been shown.
    pub(crate) shown: u32,
    /// The signal that the thread sends itself for its default action.
    pub(crate) passing: u32,
    /// A stop is asked for, before the signal in `request`.
    pub(crate) requested: u32,
    /// A stop is asked for, for `PTRACE_EVENT_STOP`.
    pub(crate) event: u32,
    /// Nothing.
    padding: u32,
    /// The program is about to begin.
    begins: u32,
    /// The call that has been interrupted is made again only if no handler runs (`ERESTARTNOHAND`).
    pub(crate) no_handler: u32,
    /// The guest's mask, at a stop of kind `SIGNAL` and `EVENT_STOP`.
    pub(crate) mask: u64,
    /// Of `signal`, in the host's form.
    pub(crate) info: SiginfoBytes,
    /// Of the signal that a stop is asked for.
    pub(crate) request: SiginfoBytes,
}

impl State {
    /// Of a thread that may be traced from now on.
    pub(crate) fn ready() -> Self {
        Self {
            magic: MAGIC,
            fast: host::addr(&entry::FAST),
            unpatched: host::addr(&patch::FORBIDDEN),
            sysinfo: [lowpage::SYSINFO.load(Ordering::Relaxed), lowpage::SYSINFO_RETURN.load(Ordering::Relaxed)],
            kind: kind::NONE,
            signal: 0,
            seen: 0,
            acknowledged: 0,
            traced: 0,
            syscalls: 0,
            step: 0,
            trap_flag: 0,
            show: 0,
            shown: 0,
            passing: 0,
            requested: 0,
            event: 0,
            padding: 0,
            begins: 0,
            no_handler: 0,
            mask: 0,
            info: [0; 128],
            request: [0; 128],
        }
    }
}

/// A signal's information with nothing but its number and code, and who sent it: this process.
pub(crate) fn information(thread: &Thread, signal: i32, code: i32) -> SiginfoBytes {
    let mut info = [0; 128];
    info[..4].copy_from_slice(&signal.to_le_bytes());
    info[8..12].copy_from_slice(&code.to_le_bytes());
    info[16..20].copy_from_slice(&thread.pid.to_le_bytes());
    // SAFETY: no arguments.
    let user = host::low(unsafe { host::call(host::nr::GETUID, []) }.unwrap_or(0));
    info[20..24].copy_from_slice(&user.to_le_bytes());
    info
}

/// Stops where all of the guest's registers are in `thread`, until the tracer lets it go on; it may have changed them.
fn stop(thread: &mut Thread, kind: u32) {
    thread.complete_registers();
    if thread.image_valid == 0 {
        let image = thread.xsave_image().as_mut_ptr();
        // SAFETY: the image is this thread's own.
        unsafe { entry::biarch_save_image(thread, image) };
        thread.image_valid = 1;
    }
    if kind != kind::SIGNAL {
        thread.ptrace.info = information(thread, SIGTRAP, 0);
    }
    thread.ptrace.kind = kind;
    thread.ptrace.seen = 0;
    let mut info: SiginfoBytes = [0; 128];
    info[..4].copy_from_slice(&SIGSEGV.to_le_bytes());
    info[8..12].copy_from_slice(&STOP.to_le_bytes());
    loop {
        thread.ptrace.acknowledged = 0;
        let (pid, tid) = (u64::from(thread.pid), u64::from(thread.tid));
        let args = [pid, tid, host::int(SIGSEGV), host::addr(&info), host::addr_mut(thread)];
        // SAFETY: the information outlives the call. The kernel looks at four arguments; the last one says who else writes there.
        let sent = unsafe { host::call(host::nr::RT_TGSIGQUEUEINFO, args) };
        // One that waited already would have swallowed it.
        if sent.is_err() || thread.ptrace.acknowledged != 0 {
            break;
        }
    }
    thread.ptrace.kind = kind::NONE;
    if thread.ptrace.seen == 0 {
        // Nobody traces this thread any more.
        (thread.ptrace.traced, thread.ptrace.syscalls, thread.ptrace.step) = (0, 0, 0);
    }
}

/// In the signal handler: whether this signal belongs to a stop, which it ends.
pub(crate) fn is_stop(thread: &mut Thread, signal: i32, info: &SiginfoBytes) -> bool {
    let stops = signal == SIGSEGV && siginfo::code(info) == STOP;
    if stops {
        thread.ptrace.acknowledged = 1;
    }
    stops
}

/// Makes the thread, which is about to be entered, stop first: on its own stack, by which its tracer finds it.
pub(crate) fn stop_at_begin(thread: &mut Thread) {
    thread.ptrace.begins = 1;
    thread.work.fetch_or(WORK_SIGNAL, Ordering::Relaxed);
}

/// If the program is about to begin, and has a tracer: stops.
pub(crate) fn begins(thread: &mut Thread) {
    const EXECVE: u32 = 11;
    const ENOSYS: u32 = 38u32.wrapping_neg();
    if core::mem::take(&mut thread.ptrace.begins) == 0 {
        return;
    }
    thread.regs.orig_eax = EXECVE;
    thread.regs.eax = ENOSYS;
    thread.ptrace.signal = 0;
    stop(thread, kind::EXEC);
    thread.regs.eax = 0;
    let signal = core::mem::take(&mut thread.ptrace.signal);
    if thread.ptrace.syscalls != 0 {
        stop(thread, kind::EXIT);
        inject(thread);
    }
    thread.regs.orig_eax = u32::MAX;
    if signal != 0 {
        // As the kernel sends SIGTRAP in the event's place: it takes its turn.
        // SAFETY: plain numbers.
        let _ = unsafe { host::call(host::nr::KILL, [u64::from(thread.pid), u64::from(signal)]) };
    }
    step(thread);
}

/// A signal that the tracer gives at a stop that is none for a signal.
fn inject(thread: &mut Thread) {
    match i32::try_from(core::mem::take(&mut thread.ptrace.signal)) {
        Ok(signal) if signal != 0 => send(thread, signal),
        _ => {}
    }
}

/// Before a system call. Returns whether the tracer has seen it.
pub(crate) fn call_begins(thread: &mut Thread) -> bool {
    const ENOSYS: u32 = 38u32.wrapping_neg();
    if thread.ptrace.syscalls == 0 {
        return false;
    }
    thread.regs.eax = ENOSYS;
    thread.ptrace.signal = 0;
    stop(thread, kind::ENTRY);
    inject(thread);
    true
}

/// After a system call, whose beginning the tracer has seen if `begun`.
pub(crate) fn call_ends(thread: &mut Thread, begun: bool) {
    const TRAP_BRKPT: i32 = 1;
    const ERESTARTSYS: u32 = 512u32.wrapping_neg();
    if core::mem::take(&mut thread.ptrace.no_handler) != 0 && thread.regs.eax == ERESTARTSYS {
        thread.regs.eax = signal::ERESTARTNOHAND;
    }
    if thread.ptrace.step != 0 {
        thread.ptrace.step = 0;
        let mut info = information(thread, SIGTRAP, TRAP_BRKPT);
        info[16..24].copy_from_slice(&u64::from(thread.regs.eip).to_le_bytes());
        trap(thread, info);
    } else if begun && thread.ptrace.syscalls != 0 {
        thread.ptrace.signal = 0;
        stop(thread, kind::EXIT);
        inject(thread);
        step(thread);
    }
}

/// Stops with the SIGTRAP of a step that ends in the supervisor.
fn trap(thread: &mut Thread, mut info: SiginfoBytes) {
    let mut signal = SIGTRAP;
    let mask = signal::mask(thread);
    let delivers = shows(thread, &mut signal, &mut info, mask);
    signal::set_mask(thread, thread.ptrace.mask);
    if delivers {
        let (pid, tid) = (u64::from(thread.pid), u64::from(thread.tid));
        // SAFETY: plain numbers.
        pass(thread, signal, || unsafe { host::call(host::nr::TGKILL, [pid, tid, host::int(signal)]) });
    }
    step(thread);
}

/// Sends the thread a signal.
pub(crate) fn send(thread: &Thread, signal: i32) {
    // SAFETY: plain numbers.
    let _ = unsafe { host::call(host::nr::TGKILL, [u64::from(thread.pid), u64::from(thread.tid), host::int(signal)]) };
}

/// Has `send` send the thread a signal that the tracer has seen already.
pub(crate) fn pass(thread: &mut Thread, signal: i32, send: impl FnOnce() -> Result<u64, abi::Errno>) {
    thread.ptrace.passing = signal.unsigned();
    // The tracer reads it.
    core::sync::atomic::compiler_fence(Ordering::SeqCst);
    let _ = send();
    thread.ptrace.passing = 0;
}

/// If the tracer wants one step from here: sets the trap flag for the next instruction.
pub(crate) fn step(thread: &mut Thread) {
    if thread.ptrace.step != 0 {
        (thread.ptrace.step, thread.ptrace.trap_flag) = (0, 1);
        thread.regs.eflags |= TRAP_FLAG;
        thread.full_restore = 1;
    }
}

/// Takes back what [`step`] has done: the guest does not go on yet.
pub(crate) fn does_not_step(thread: &mut Thread) {
    if thread.ptrace.trap_flag != 0 {
        (thread.ptrace.step, thread.ptrace.trap_flag) = (1, 0);
        thread.regs.eflags &= !TRAP_FLAG;
    }
}

/// The frame of a handler has been built, and its first instruction is next: a step ends here (`signal_setup_done` in
/// kernel/signal.c).
pub(crate) fn handler_begins(thread: &mut Thread) {
    if thread.ptrace.step != 0 {
        thread.ptrace.step = 0;
        let info = information(thread, SIGTRAP, SIGTRAP);
        trap(thread, info);
    }
}

/// Shows the tracer a signal before it is delivered, or without one that the thread has stopped; false where nothing is to be
/// delivered. The mask to go on with is in [`State::mask`].
pub(crate) fn shows(thread: &mut Thread, signal: &mut i32, info: &mut SiginfoBytes, mask: u64) -> bool {
    thread.ptrace.signal = signal.unsigned();
    thread.ptrace.info = *info;
    thread.ptrace.mask = mask;
    stop(thread, if *signal == 0 { kind::EVENT_STOP } else { kind::SIGNAL });
    let answer = i32::try_from(core::mem::take(&mut thread.ptrace.signal)).unwrap_or(0);
    *info = thread.ptrace.info;
    if answer != siginfo::signo(info) {
        *info = information(thread, answer, 0);
    }
    core::mem::replace(signal, answer) != 0 && answer != 0
}
