//! Signals.
//!
//! The host's kernel knows the guest's mask and which signals the guest ignores or leaves to default; it calls [`handler`] for
//! the others, and for those that the supervisor itself lives on ([`RESERVED`]), always on the thread's own signal stack.
//! The handler never runs guest code. It notes the signal in [`State`], blocks all others, and sees to it that
//! [`exit_work`] is reached before the guest goes on:
//!
//! - from 32-bit code: by continuing in the supervisor instead;
//! - just before the host's kernel is entered, or in a call that the kernel wants to restart: by making the call return
//!   [`Errno::ERESTARTSYS`] instead (see `switch/entry.rs`);
//! - on the last instructions before the guest: by going back to the check;
//! - anywhere else: the check is still to come.
//!
//! Host handlers always have `SA_RESTART`, so an interrupted call that Linux would restart is told from one that ends with
//! `EINTR`; whether the guest sees `EINTR` is decided by the guest's own `SA_RESTART`.

pub(crate) mod frame;
pub(crate) mod xstate;

use crate::host;
use crate::switch::entry::{Place, place};
use crate::switch::{USER_CS, USER_DS, USER32_CS, cross, entry, trap};
use crate::sync::Lock;
use crate::thread::{ALT_STACK, GUARD, Thread, WORK_SIGNAL};
use crate::traced;
use abi::Errno;
pub(crate) use abi::siginfo;
use abi::structs::signal::{SiginfoBytes, sigaltstack};
use core::arch::global_asm;
use core::sync::atomic::Ordering;

/// One more than the highest signal.
pub(crate) const NSIG: usize = 65;
pub(crate) const SIGILL: i32 = 4;
pub(crate) const SIGTRAP: i32 = 5;
pub(crate) const SIGBUS: i32 = 7;
pub(crate) const SIGFPE: i32 = 8;
pub(crate) const SIGKILL: i32 = 9;
pub(crate) const SIGSEGV: i32 = 11;
pub(crate) const SIGSTOP: i32 = 19;
pub(crate) const SIGSYS: i32 = 31;

pub(crate) const SIG_DFL: u32 = 0;
pub(crate) const SIG_IGN: u32 = 1;
pub(crate) const SA_NOCLDSTOP: u32 = 1;
pub(crate) const SA_NOCLDWAIT: u32 = 2;
pub(crate) const SA_SIGINFO: u32 = 4;
pub(crate) const SA_RESTORER: u32 = 0x0400_0000;
pub(crate) const SA_ONSTACK: u32 = 0x0800_0000;
pub(crate) const SA_RESTART: u32 = 0x1000_0000;
pub(crate) const SA_NODEFER: u32 = 0x4000_0000;
pub(crate) const SA_RESETHAND: u32 = 0x8000_0000;

/// The bit of `signal` in a mask.
pub(crate) const fn bit(signal: i32) -> u64 {
    1 << ((signal - 1) & 63)
}

/// Signals that the supervisor needs itself: a trapped `int $0x80` and a fault on guest memory arrive as these. They are never
/// blocked on the host; what the guest wants blocked is kept in [`State::blocked_reserved`].
pub(crate) const RESERVED: u64 = bit(SIGSEGV) | bit(SIGBUS) | bit(SIGSYS);

/// What is blocked while a signal is being noted or delivered: all but those that a fault-safe copy may raise.
const BLOCK_ALL: u64 = !(bit(SIGSEGV) | bit(SIGBUS));

/// What the guest wants done with a signal.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Action {
    pub(crate) handler: u32,
    pub(crate) flags: u32,
    pub(crate) restorer: u32,
    pub(crate) mask: u64,
}

/// The dispositions of a process. Index 0 is unused.
pub(crate) struct Sighand {
    pub(crate) actions: [Action; NSIG],
}

/// The first process's dispositions, and every forked one's.
pub(crate) static SIGHAND: Lock<Sighand> =
    Lock::new(Sighand { actions: [Action { handler: 0, flags: 0, restorer: 0, mask: 0 }; NSIG] });

/// A signal that is to be delivered.
#[derive(Clone, Copy)]
pub(crate) struct Pending {
    pub(crate) signal: i32,
    pub(crate) info: SiginfoBytes,
    /// The mask that was in force when it arrived, and that its handler returns to.
    mask: u64,
    /// The guest's own instruction raised it, so it cannot be put off.
    forced: bool,
    /// The guest's tracer is to see it first.
    show: bool,
}

/// What a thread keeps about signals.
pub(crate) struct State {
    /// The signal that has been noted; all others are blocked until it is delivered.
    pending: Option<Pending>,
    /// Signals of [`RESERVED`] that were sent, not raised by a fault, one of each (SIGSEGV, SIGBUS, SIGSYS).
    held: [Option<SiginfoBytes>; 3],
    /// Signals of [`RESERVED`] that the guest has blocked.
    pub(crate) blocked_reserved: u64,
    /// The guest's alternate stack.
    pub(crate) altstack: sigaltstack::Guest32,
    /// Of the last fault in guest code: exception number, error code, address (`thread.trap_nr` and so on in the kernel).
    pub(crate) trapno: u32,
    pub(crate) error_code: u32,
    pub(crate) cr2: u32,
    /// The guest was single-stepping when it entered the supervisor.
    pub(crate) single_step: bool,
}

impl State {
    /// Nothing noted, nothing blocked, no alternate stack.
    pub(crate) fn new() -> Self {
        Self {
            pending: None,
            held: [None; 3],
            blocked_reserved: 0,
            // A new program has none, without saying so in its flags (`begin_new_exec`).
            altstack: sigaltstack::Guest32::default(),
            trapno: 0,
            error_code: 0,
            cr2: 0,
            single_step: false,
        }
    }
}

const HELD: [i32; 3] = [SIGSEGV, SIGBUS, SIGSYS];

/// The kernel's 64-bit `struct ucontext` (`asm/ucontext.h`, `asm/sigcontext.h`).
#[repr(C)]
pub(crate) struct HostContext {
    flags: u64,
    link: u64,
    stack: [u64; 3],
    pub(crate) r8: u64,
    r9: u64,
    r10: u64,
    r11: u64,
    r12: u64,
    r13: u64,
    r14: u64,
    r15: u64,
    pub(crate) di: u64,
    pub(crate) si: u64,
    pub(crate) bp: u64,
    pub(crate) bx: u64,
    pub(crate) dx: u64,
    pub(crate) ax: u64,
    pub(crate) cx: u64,
    pub(crate) sp: u64,
    pub(crate) ip: u64,
    pub(crate) eflags: u64,
    cs: u16,
    pub(crate) gs: u16,
    pub(crate) fs: u16,
    ss: u16,
    pub(crate) err: u64,
    pub(crate) trapno: u64,
    oldmask: u64,
    pub(crate) cr2: u64,
    fpstate: u64,
    reserved: [u64; 8],
    mask: u64,
}
const _: () = assert!(core::mem::offset_of!(HostContext, mask) == 296);

impl HostContext {
    /// Continues in the supervisor at `rip` on the thread's own stack when the handler returns.
    fn continue_at(&mut self, rip: u64, thread: &Thread) {
        const TRAP_DIRECTION_ALIGNMENT: u64 = 0x4_0500;
        self.ip = rip;
        self.sp = thread.host_stack;
        self.r15 = thread.block();
        self.cs = USER_CS;
        self.ss = USER_DS;
        self.eflags &= !TRAP_DIRECTION_ALIGNMENT;
    }

    /// Whether it was the guest's code that was interrupted.
    pub(crate) fn in_guest(&self) -> bool {
        self.cs == USER32_CS
    }

    /// Copies the guest's registers.
    fn save_guest(&self, thread: &mut Thread) {
        let regs = &mut thread.regs;
        regs.eax = host::low(self.ax);
        regs.ebx = host::low(self.bx);
        regs.ecx = host::low(self.cx);
        regs.edx = host::low(self.dx);
        regs.esi = host::low(self.si);
        regs.edi = host::low(self.di);
        regs.ebp = host::low(self.bp);
        regs.esp = host::low(self.sp);
        regs.eip = host::low(self.ip);
        regs.eflags = host::low(self.eflags);
        regs.cs = USER32_CS;
        regs.ss = self.ss;
        let segments = crate::sys::thread::segments();
        (regs.ds, regs.es, regs.fs, regs.gs) = (segments.ds, segments.es, segments.fs, segments.gs);
        regs.orig_eax = u32::MAX;
        thread.segments_valid = 1;
    }
}

global_asm!(
    ".globl biarch_signal_entry, biarch_signal_restorer",
    "biarch_signal_entry:", // the kernel clears the direction and trap flags, but not the alignment check
    "push 2",
    "popfq",
    "jmp {handler}",
    "biarch_signal_restorer:",
    "mov eax, 15",
    "syscall",
    handler = sym handler,
);
unsafe extern "C" {
    static biarch_signal_entry: u8;
    static biarch_signal_restorer: u8;
}

/// The host's signal handler, on the thread's signal stack.
unsafe extern "C" fn handler(signal: i32, info: *const SiginfoBytes, context: *mut HostContext) {
    // SAFETY: this is the signal handler; the kernel's pointers are good.
    let (info, context) = unsafe { (&*info, &mut *context) };
    let code = siginfo::code(info);
    // SI_FROMUSER: sent, not raised by what the processor was doing. SI_KERNEL is positive as well.
    let forced = code > 0 && matches!(signal, SIGILL | SIGTRAP | SIGBUS | SIGFPE | SIGSEGV | SIGSYS);
    let thread = if crate::embed::active() {
        let Some(thread) = crate::embed::thread_of(context, forced) else { return pass_on(signal, info, context, forced) };
        thread
    } else {
        // SAFETY: this is the signal handler, on the signal stack of a thread's block.
        unsafe { Thread::of_signal_stack() }
    };
    // SAFETY: the thread is this one's, which waits for the handler.
    let thread = unsafe { &mut *thread };
    if traced::is_stop(thread, signal, info) {
        return;
    }
    if signal == SIGSYS && code == traced::REQUEST {
        return requested(thread, context);
    }
    if context.in_guest() {
        from_guest(thread, signal, info, context, forced);
    } else {
        from_supervisor(thread, signal, info, context, forced);
    }
}

/// The guest's tracer asks for a stop with all registers in order.
fn requested(thread: &mut Thread, context: &mut HostContext) {
    let signal = core::mem::take(&mut thread.ptrace.requested) != 0;
    if !signal && thread.ptrace.event == 0 {
        return;
    }
    let request = if signal { thread.ptrace.request } else { [0; 128] };
    if context.in_guest() {
        context.save_guest(thread);
        note_for_tracer(thread, &request, context, false);
        context.continue_at((&raw const entry::biarch_signal_from_guest).addr() as u64, thread);
    } else {
        note_for_tracer(thread, &request, context, false);
        go_to_work(thread, context);
    }
}

fn note_for_tracer(thread: &mut Thread, info: &SiginfoBytes, context: &mut HostContext, forced: bool) {
    note(thread, siginfo::signo(info), info, context, forced);
    if let Some(pending) = &mut thread.signal.pending {
        pending.show = true;
    }
}

fn from_guest(thread: &mut Thread, signal: i32, info: &SiginfoBytes, context: &mut HostContext, forced: bool) {
    if let Some(site) = trap::int80_site(signal, info, context).filter(|_| forced) {
        thread.ptrace.show = 0;
        context.save_guest(thread);
        thread.regs.eip = site.wrapping_add(2);
        thread.regs.restart_eip = trap::restart(site);
        thread.regs.orig_eax = thread.regs.eax;
        context.continue_at((&raw const entry::biarch_entry_trap).addr() as u64, thread);
        return;
    }
    if forced && signal == SIGSEGV && crate::sys::thread::load_selector(thread, context) {
        thread.ptrace.show = 0;
        if core::mem::take(&mut thread.ptrace.step) != 0 {
            // That was the instruction to be stepped over.
            const TRAP_TRACE: i32 = 2;
            let mut info = traced::information(thread, SIGTRAP, TRAP_TRACE);
            info[16..24].copy_from_slice(&context.ip.to_le_bytes());
            context.save_guest(thread);
            note_for_tracer(thread, &info, context, true);
            context.continue_at((&raw const entry::biarch_signal_from_guest).addr() as u64, thread);
        }
        return;
    }
    if forced {
        thread.signal.trapno = host::low(context.trapno);
        thread.signal.error_code = host::low(context.err);
        if context.trapno == 14 {
            thread.signal.cr2 = host::low(context.cr2);
        }
    }
    if forced && core::mem::take(&mut thread.ptrace.show) != 0 {
        context.save_guest(thread);
        note_for_tracer(thread, info, context, true);
        context.continue_at((&raw const entry::biarch_signal_from_guest).addr() as u64, thread);
        return;
    }
    if forced && crate::embed::active() && (!caught(thread, signal) || thread.signal.blocked_reserved & bit(signal) != 0) {
        context.save_guest(thread);
        crate::embed::fail(thread, signal);
        context.continue_at((&raw const cross::biarch_cross_failed).addr() as u64, thread);
        return;
    }
    if bit(signal) & RESERVED != 0 {
        if !forced {
            hold(thread, signal, info);
            context.save_guest(thread);
            context.continue_at((&raw const entry::biarch_signal_from_guest).addr() as u64, thread);
            return;
        }
        if !caught(thread, signal) || thread.signal.blocked_reserved & bit(signal) != 0 {
            crate::trace::killed(thread, signal, info);
            // It kills the guest. Let the kernel do it, at the instruction itself, so that status and core are right.
            set_host_disposition(signal, u64::from(SIG_DFL), 0);
            return;
        }
    }
    context.save_guest(thread);
    note(thread, signal, info, context, forced);
    context.continue_at((&raw const entry::biarch_signal_from_guest).addr() as u64, thread);
}

fn from_supervisor(thread: &mut Thread, signal: i32, info: &SiginfoBytes, context: &mut HostContext, forced: bool) {
    if forced {
        if let Some(rip) = crate::mem::access::fixup(context.ip) {
            context.ip = rip;
            return;
        }
        if trap::is_probe(signal, context) {
            return;
        }
        if cross::pushes(context.ip) {
            // The library's stack is full.
            thread.signal.cr2 = host::low(context.cr2);
            thread.regs.eip = host::low(context.si);
            thread.regs.ebp = 0;
            crate::embed::fail(thread, signal);
            context.continue_at((&raw const cross::biarch_cross_failed).addr() as u64, thread);
            return;
        }
        if signal == SIGTRAP {
            // The guest single-steps, and its step led here: not for the supervisor's instructions.
            const TRAP_FLAG: u64 = 0x100;
            context.eflags &= !TRAP_FLAG;
            thread.signal.single_step = true;
            return;
        }
        crate::fatal(signal, context.ip, host::low(context.cr2));
    }
    if bit(signal) & RESERVED != 0 {
        hold(thread, signal, info);
    } else {
        note(thread, signal, info, context, false);
    }
    go_to_work(thread, context);
}

/// Sees to it that [`exit_work`] is reached from here in the supervisor.
fn go_to_work(thread: &Thread, context: &mut HostContext) {
    match place(context.ip, context.cx) {
        Place::BeforeKernel(rip) => context.ip = rip,
        Place::Leaving(rip) => {
            context.ip = rip;
            context.sp = thread.host_stack;
        }
        Place::Elsewhere => {}
    }
}

/// Notes a signal, and blocks all others until it is delivered.
fn note(thread: &mut Thread, signal: i32, info: &SiginfoBytes, context: &mut HostContext, forced: bool) {
    thread.signal.pending = Some(Pending { signal, info: *info, mask: context.mask, forced, show: false });
    context.mask = BLOCK_ALL;
    thread.work.fetch_or(WORK_SIGNAL, Ordering::Relaxed);
}

/// Keeps a signal of [`RESERVED`] that was sent: it cannot be blocked on the host, so it waits here.
fn hold(thread: &mut Thread, signal: i32, info: &SiginfoBytes) {
    for (slot, number) in thread.signal.held.iter_mut().zip(HELD) {
        if number == signal && slot.is_none() {
            *slot = Some(*info);
        }
    }
    if thread.signal.blocked_reserved & bit(signal) == 0 || crate::embed::is_stopped() {
        thread.work.fetch_or(WORK_SIGNAL, Ordering::Relaxed);
    }
}

fn sighand(thread: &Thread) -> &'static Lock<Sighand> {
    // SAFETY: it lives as long as any thread that refers to it.
    unsafe { &*thread.sighand }
}

/// Whether the guest has a handler for `signal`.
pub(crate) fn caught(thread: &Thread, signal: i32) -> bool {
    handler_of(thread, signal).is_some()
}

/// The guest's mask.
pub(crate) fn mask(thread: &Thread) -> u64 {
    // In this order: a signal that is noted between the two leaves BLOCK_ALL on the host.
    let host_mask = host_mask();
    // SAFETY: a field of the thread's own; volatile, for the compiler does not see that the signal handler changes it.
    let noted = unsafe { (&raw const thread.signal.pending).read_volatile() };
    noted.map_or(host_mask, |pending| pending.mask) & !RESERVED | thread.signal.blocked_reserved
}

const SIG_BLOCK: u64 = 0;
const SIG_SETMASK: u64 = 2;
const MASK_LENGTH: u64 = 8;

fn host_mask() -> u64 {
    let mut mask = 0u64;
    // SAFETY: the mask outlives the call.
    let _ = unsafe { host::call(host::nr::RT_SIGPROCMASK, [SIG_BLOCK, 0, host::addr_mut(&mut mask), MASK_LENGTH]) };
    mask
}

/// Sets the host's mask as it is, and returns the one before.
pub(crate) fn set_host_mask(mask: u64) -> u64 {
    let mut old = 0u64;
    // SAFETY: both masks outlive the call.
    let _ =
        unsafe { host::call(host::nr::RT_SIGPROCMASK, [SIG_SETMASK, host::addr(&mask), host::addr_mut(&mut old), MASK_LENGTH]) };
    old
}

/// Blocks everything while a thread or process is made or ends; returns the host's mask before.
///
/// # Errors
/// `ERESTARTNOINTR` where a signal has been noted: it goes first, and the call is made again.
pub(crate) fn block_all(thread: &Thread) -> Result<u64, Errno> {
    let mask = set_host_mask(BLOCK_ALL);
    if thread.signal_pending() {
        set_host_mask(mask);
        return Err(Errno::ERESTARTNOINTR);
    }
    Ok(mask)
}

/// Sets the guest's mask.
pub(crate) fn set_mask(thread: &mut Thread, mask: u64) {
    let mask = mask & !(bit(SIGKILL) | bit(SIGSTOP));
    thread.signal.blocked_reserved = mask & RESERVED;
    wake_held(thread);
    unblock(thread, mask);
}

/// Makes `mask` the host's: at once, or, where a signal has been noted, when that is delivered.
fn unblock(thread: &mut Thread, mask: u64) {
    let mask = mask & !RESERVED;
    // Interruptible, so that nothing is unblocked for a signal that has been noted by then.
    if thread.sys(host::nr::RT_SIGPROCMASK, [SIG_SETMASK, host::addr(&mask), 0, MASK_LENGTH]).is_ok() {
        return;
    }
    set_host_mask(BLOCK_ALL);
    let noted = &raw mut thread.signal.pending;
    // SAFETY: a field of the thread's own, which the signal handler now leaves alone.
    match unsafe { noted.read_volatile() } {
        // SAFETY: as above.
        Some(pending) => unsafe { noted.write_volatile(Some(Pending { mask, ..pending })) },
        None => {
            set_host_mask(mask);
        }
    }
}

/// Blocks another set of reserved signals for the time of one call; returns the set before.
pub(crate) fn swap_blocked_reserved(thread: &mut Thread, mask: u64) -> u64 {
    let before = core::mem::replace(&mut thread.signal.blocked_reserved, mask & RESERVED);
    wake_held(thread);
    before
}

fn wake_held(thread: &mut Thread) {
    let blocked = thread.signal.blocked_reserved;
    if thread.signal.held.iter().zip(HELD).any(|(slot, number)| slot.is_some() && blocked & bit(number) == 0) {
        thread.work.fetch_or(WORK_SIGNAL, Ordering::Relaxed);
    }
}

/// The signals of [`RESERVED`] that wait for the guest to unblock them (for sigpending(2)).
pub(crate) fn held_mask(thread: &Thread) -> u64 {
    thread.signal.held.iter().zip(HELD).fold(0, |mask, (slot, number)| if slot.is_some() { mask | bit(number) } else { mask })
}

/// `struct kernel_sigaction` of the host.
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct HostAction {
    handler: u64,
    flags: u64,
    restorer: u64,
    mask: u64,
}

/// Sets the host's disposition: `SIG_DFL`, `SIG_IGN` or our handler, with the guest's flags that matter to the kernel.
fn set_host_disposition(signal: i32, handler: u64, guest_flags: u32) {
    // The handler looks at the guest's instructions, which may not all be there: a fault in a fault.
    let again = if bit(signal) & !BLOCK_ALL != 0 { SA_NODEFER } else { 0 };
    let flags = guest_flags & (SA_NOCLDSTOP | SA_NOCLDWAIT) | SA_SIGINFO | SA_RESTORER | SA_ONSTACK | SA_RESTART | again;
    let action = HostAction {
        handler,
        flags: u64::from(flags),
        restorer: (&raw const biarch_signal_restorer).addr() as u64,
        mask: BLOCK_ALL,
    };
    // SAFETY: the action outlives the call; the handler is ours, or none.
    let _ = unsafe { host::call(host::nr::RT_SIGACTION, [host::int(signal), host::addr(&action), 0, MASK_LENGTH]) };
}

/// Of a library: what the program had set before, for each signal that is not as the program has set it.
static PROGRAMS: Lock<[Option<HostAction>; NSIG]> = Lock::new([None; NSIG]);

/// Signals that a library's faults come as.
const FAULTS: [i32; 5] = [SIGILL, SIGBUS, SIGFPE, SIGSEGV, SIGSYS];

fn host_action(signal: i32) -> HostAction {
    let mut action = HostAction::default();
    // SAFETY: the action outlives the call.
    let _ = unsafe { host::call(host::nr::RT_SIGACTION, [host::int(signal), 0, host::addr_mut(&mut action), MASK_LENGTH]) };
    action
}

/// Makes faults come here, for a library: at the start, and again on each new thread, for the program may have set handlers of its own.
pub(crate) fn let_faults_arrive() {
    let ours = (&raw const biarch_signal_entry).addr() as u64;
    let mut programs = PROGRAMS.lock();
    for (signal, programs) in (0..).zip(programs.iter_mut()).filter(|(signal, _)| FAULTS.contains(signal)) {
        let now = host_action(signal);
        if now.handler != ours {
            *programs = Some(now);
            set_host_disposition(signal, ours, 0);
        }
    }
    drop(programs);
    let mask = host_mask();
    let faults = FAULTS.into_iter().fold(0, |mask, signal| mask | bit(signal));
    if mask & faults != 0 {
        set_host_mask(mask & !faults);
    }
}

/// The guest's handler of `signal`, if it has one. Without the lock, because the signal handler asks.
pub(crate) fn handler_of(thread: &Thread, signal: i32) -> Option<u32> {
    let index = usize::try_from(signal).ok()?;
    // SAFETY: an aligned word is read whole, and a change at this very moment may be seen or not.
    let handler =
        unsafe { (*thread.sighand).peek(|sighand| core::ptr::read_volatile(&raw const (*sighand).actions[index].handler)) };
    Some(handler).filter(|&handler| handler > SIG_IGN)
}

/// As [`apply`], for a library: what it leaves to default is as the program has it.
fn apply_embedded(signal: i32, action: &Action) {
    if FAULTS.contains(&signal) {
        return;
    }
    let index = usize::try_from(signal).unwrap_or(0);
    let mut programs = PROGRAMS.lock();
    if action.handler == SIG_DFL {
        if let Some(before) = programs[index].take() {
            // SAFETY: the action outlives the call, and the program has set it.
            let _ = unsafe { host::call(host::nr::RT_SIGACTION, [host::int(signal), host::addr(&before), 0, MASK_LENGTH]) };
        }
        return;
    }
    if programs[index].is_none() {
        programs[index] = Some(host_action(signal));
    }
    let ours = (&raw const biarch_signal_entry).addr() as u64;
    set_host_disposition(signal, if action.handler == SIG_IGN { u64::from(SIG_IGN) } else { ours }, action.flags);
}

/// A signal that is none of the library's business: what the program would have done with it.
fn pass_on(signal: i32, info: &SiginfoBytes, context: &mut HostContext, forced: bool) {
    if !forced && crate::embed::is_stopped() {
        // The call ends when the program's function that it has called returns.
        if signal == SIGSYS {
            crate::embed::interrupt();
            return;
        }
    } else if !forced && crate::embed::handle(signal, info) {
        return;
    }
    let index = usize::try_from(signal).unwrap_or(0);
    // SAFETY: a copy of plain words; who writes them at this very moment has not set the new disposition yet.
    let before = unsafe { PROGRAMS.peek(|programs| (*programs)[index]) }.unwrap_or_default();
    if before.handler == u64::from(SIG_IGN) && !forced {
        return;
    }
    let Ok(handler) = usize::try_from(before.handler) else { return };
    if before.handler <= u64::from(SIG_IGN) {
        // The kernel's default: at the instruction itself, or by sending it again.
        set_host_disposition(signal, u64::from(SIG_DFL), 0);
        if !forced {
            // SAFETY: plain numbers.
            let _ = unsafe {
                let pid = host::call(host::nr::GETPID, []).unwrap_or(0);
                let tid = host::call(host::nr::GETTID, []).unwrap_or(0);
                host::call(host::nr::TGKILL, [pid, tid, host::int(signal)])
            };
            context.mask &= !bit(signal);
        }
        return;
    }
    let handler: *const () = core::ptr::with_exposed_provenance(handler);
    // SAFETY: the program has set this handler, and gets what the kernel would have given it.
    let handler: extern "C" fn(i32, *const SiginfoBytes, *mut HostContext) = unsafe { core::mem::transmute(handler) };
    handler(signal, info, context);
}

/// Makes the host's disposition of `signal` what the guest's `action` needs.
pub(crate) fn apply(signal: i32, action: &Action) {
    if crate::embed::active() {
        return apply_embedded(signal, action);
    }
    let ours = (&raw const biarch_signal_entry).addr() as u64;
    let handler = match action.handler {
        _ if bit(signal) & RESERVED != 0 => ours,
        SIG_DFL if crate::trace::watches_deaths() && ends_process(signal) => ours,
        plain @ (SIG_DFL | SIG_IGN) => u64::from(plain),
        _ => ours,
    };
    set_host_disposition(signal, handler, action.flags);
}

/// Whether the default for `signal` is the end of the process (`sig_kernel_ignore`, `sig_kernel_stop` in `linux/signal.h`).
pub(crate) fn ends_process(signal: i32) -> bool {
    const SIGCHLD: i32 = 17;
    const SIGCONT: i32 = 18;
    const SIGTSTP: i32 = 20;
    const SIGTTOU: i32 = 22;
    const SIGURG: i32 = 23;
    const SIGWINCH: i32 = 28;
    !matches!(signal, SIGCHLD | SIGCONT | SIGSTOP | SIGTSTP..=SIGTTOU | SIGURG | SIGWINCH)
}

/// Whether the default for `signal` is to stop the process (`sig_kernel_stop` in `linux/signal.h`).
fn stops_process(signal: i32) -> bool {
    const SIGTSTP: i32 = 20;
    const SIGTTOU: i32 = 22;
    matches!(signal, SIGSTOP | SIGTSTP..=SIGTTOU)
}

/// Makes signals that end the process by default come here first, for the tracer; [`default_action`] then lets them.
pub(crate) fn watch_deaths() {
    let sighand = SIGHAND.lock();
    for (signal, action) in (0..).zip(&sighand.actions).skip(1) {
        if action.handler == SIG_DFL && ends_process(signal) {
            apply(signal, action);
        }
    }
}

/// Makes the host's dispositions and mask the guest's own before another program is executed: what the guest ignores stays
/// ignored there, what it blocks stays blocked. Returns what [`abandon_exec`] needs.
///
/// # Errors
/// As [`block_all`].
pub(crate) fn prepare_exec(thread: &mut Thread) -> Result<u64, Errno> {
    let mask = block_all(thread)?;
    let sighand = sighand(thread).lock();
    for signal in HELD {
        if sighand.actions[usize::try_from(signal).unwrap_or(0)].handler == SIG_IGN {
            set_host_disposition(signal, u64::from(SIG_IGN), 0);
        }
    }
    drop(sighand);
    set_host_mask(mask | thread.signal.blocked_reserved);
    Ok(mask)
}

/// Undoes [`prepare_exec`] when the program could not be executed.
pub(crate) fn abandon_exec(thread: &mut Thread, mask: u64) {
    unblock(thread, mask);
    let sighand = sighand(thread).lock();
    for signal in HELD {
        apply(signal, &sighand.actions[usize::try_from(signal).unwrap_or(0)]);
    }
}

/// A copy of the thread's dispositions, for a child with shared memory and dispositions of its own.
///
/// # Errors
/// `ENOMEM`.
pub(crate) fn copy_sighand(thread: &Thread) -> Result<*const Lock<Sighand>, Errno> {
    const READ_WRITE: u64 = 3;
    const PRIVATE_ANONYMOUS: u64 = 0x22;
    let actions = sighand(thread).lock().actions;
    // SAFETY: a new mapping at an address of the kernel's choosing.
    let at = unsafe {
        host::call(host::nr::MMAP, [0, size_of::<Lock<Sighand>>() as u64, READ_WRITE, PRIVATE_ANONYMOUS, u64::MAX, 0])?
    };
    let copy: *mut Lock<Sighand> = core::ptr::with_exposed_provenance_mut(usize::try_from(at).map_err(|_| Errno::ENOMEM)?);
    // SAFETY: the mapping is page-aligned, large enough, and nobody else's.
    unsafe { copy.write(Lock::new(Sighand { actions })) };
    Ok(copy)
}

/// Resets every signal that is not ignored, in a process that has its dispositions for itself (`flush_signal_handlers`).
pub(crate) fn reset_handlers(thread: &Thread) {
    let mut sighand = sighand(thread).lock();
    for (signal, action) in (0..).zip(&mut sighand.actions).skip(1) {
        let before = core::mem::take(action);
        if before.handler == SIG_IGN {
            action.handler = SIG_IGN;
        } else if before.handler != SIG_DFL {
            apply(signal, action);
        }
    }
}

/// Unmaps what [`copy_sighand`] made.
///
/// # Safety
/// No thread may use it any more.
pub(crate) unsafe fn free_sighand(copy: *const Lock<Sighand>) {
    // SAFETY: the caller vouches for it.
    let _ = unsafe { host::call(host::nr::MUNMAP, [copy.addr() as u64, size_of::<Lock<Sighand>>() as u64]) };
}

/// The guest's mask for the host's mask `host_mask` of this thread.
pub(crate) fn guest_view(thread: &Thread, host_mask: u64) -> u64 {
    host_mask & !RESERVED | thread.signal.blocked_reserved
}

/// Takes over the process's signals: what is ignored stays ignored, what is blocked stays blocked.
pub(crate) fn start(thread: &mut Thread) {
    let mut sighand = SIGHAND.lock();
    for signal in 1..65 {
        let mut action = HostAction::default();
        // SAFETY: the action outlives the call.
        let got = unsafe { host::call(host::nr::RT_SIGACTION, [host::int(signal), 0, host::addr_mut(&mut action), MASK_LENGTH]) };
        if got.is_ok() && action.handler == u64::from(SIG_IGN) {
            sighand.actions[usize::try_from(signal).unwrap_or(0)].handler = SIG_IGN;
        }
        if bit(signal) & RESERVED != 0 {
            apply(signal, &sighand.actions[usize::try_from(signal).unwrap_or(0)]);
        }
    }
    drop(sighand);
    start_thread(thread);
    let mask = host_mask();
    set_mask(thread, mask);
}

/// Gives the calling thread its signal stack.
pub(crate) fn start_thread(thread: &mut Thread) {
    #[repr(C)]
    struct HostStack {
        start: u64,
        flags: u64,
        length: u64,
    }
    let stack = HostStack { start: thread.block() + ALT_STACK as u64, flags: 0, length: (GUARD - ALT_STACK) as u64 };
    // SAFETY: this part of the block is the signal handler's alone.
    let _ = unsafe { host::call(host::nr::SIGALTSTACK, [host::addr(&stack), 0]) };
}

/// Before the guest goes on: delivers what is noted, and finishes calls that were interrupted.
pub(crate) unsafe extern "C" fn exit_work(thread: &mut Thread) {
    thread.work.fetch_and(!WORK_SIGNAL, Ordering::Relaxed);
    // After that, for what comes from now on is noted again.
    crate::embed::check(thread);
    thread.complete_registers();
    traced::begins(thread);
    traced::does_not_step(thread);
    match next(thread) {
        Some(mut pending) => {
            if !pending.show || shown(thread, &mut pending) {
                deliver(thread, &pending);
            } else {
                restart(thread, true);
                unblock(thread, pending.mask);
            }
        }
        None => restart(thread, true),
    }
    // Whatever is still held and may be delivered gets its turn.
    wake_held(thread);
    if !thread.signal_pending() {
        traced::step(thread);
    }
}

/// Shows the guest's tracer a signal; false where it is not to be delivered, or not now.
fn shown(thread: &mut Thread, pending: &mut Pending) -> bool {
    let mask = pending.mask & !RESERVED | thread.signal.blocked_reserved;
    let before = pending.signal;
    thread.ptrace.mask = mask;
    if core::mem::take(&mut thread.ptrace.event) != 0 {
        traced::shows(thread, &mut 0, &mut [0; 128], mask);
    }
    let mask = thread.ptrace.mask;
    let delivers = before != 0 && traced::shows(thread, &mut pending.signal, &mut pending.info, mask);
    let mask = thread.ptrace.mask;
    thread.signal.blocked_reserved = mask & RESERVED;
    pending.mask = mask & !RESERVED;
    pending.forced &= before == pending.signal;
    if delivers && !pending.forced && mask & bit(pending.signal) != 0 {
        // Another one, that is blocked: it waits (`ptrace_signal` in kernel/signal.c).
        traced::send(thread, pending.signal);
        return false;
    }
    delivers
}

/// The next signal to deliver. The noted one goes first: its mask must be put back.
fn next(thread: &mut Thread) -> Option<Pending> {
    if let Some(pending) = thread.signal.pending.take() {
        return Some(pending);
    }
    let blocked = thread.signal.blocked_reserved;
    let waiting = thread.signal.held.iter_mut().zip(HELD).filter(|(_, signal)| blocked & bit(*signal) == 0);
    let (signal, info) = waiting.into_iter().find_map(|(slot, signal)| slot.take().map(|info| (signal, info)))?;
    let show = core::mem::take(&mut thread.ptrace.shown) == 0 && thread.ptrace.traced != 0;
    let mask = mask(thread);
    Some(Pending { signal, info, mask, forced: false, show })
}

/// What a call returns that a tracer has seen interrupted, and that is made again only if no handler runs.
pub(crate) const ERESTARTNOHAND: u32 = 514u32.wrapping_neg();

/// Ends an interrupted system call: with `again` it is made again, else it returns `EINTR`.
fn restart(thread: &mut Thread, again: bool) {
    const ERESTARTSYS: u32 = 512u32.wrapping_neg();
    const ERESTARTNOINTR: u32 = 513u32.wrapping_neg();
    const EINTR: u32 = 4u32.wrapping_neg();
    let regs = &mut thread.regs;
    if regs.orig_eax == u32::MAX || ![ERESTARTSYS, ERESTARTNOINTR, ERESTARTNOHAND].contains(&regs.eax) {
        return;
    }
    if again || regs.eax == ERESTARTNOINTR {
        regs.eax = regs.orig_eax;
        regs.eip = regs.restart_eip;
    } else {
        regs.eax = EINTR;
    }
    regs.orig_eax = u32::MAX;
}

fn deliver(thread: &mut Thread, pending: &Pending) {
    let signal = pending.signal;
    let index = usize::try_from(signal).unwrap_or(0);
    let old_mask = pending.mask & !RESERVED | thread.signal.blocked_reserved;
    let action = {
        let mut sighand = sighand(thread).lock();
        let action = sighand.actions[index];
        if action.handler > SIG_IGN && action.flags & SA_RESETHAND != 0 {
            sighand.actions[index].handler = SIG_DFL;
            apply(signal, &sighand.actions[index]);
        }
        action
    };
    // A fault cannot be ignored or put off (force_sig_info).
    let killed = pending.forced && (action.handler <= SIG_IGN || old_mask & bit(signal) != 0);
    if killed || action.handler == SIG_DFL {
        restart(thread, true);
        return default_action(thread, pending);
    }
    if action.handler == SIG_IGN {
        restart(thread, true);
        return unblock(thread, pending.mask);
    }
    restart(thread, action.flags & SA_RESTART != 0 && thread.regs.eax != ERESTARTNOHAND);
    crate::trace::signal(thread, signal, &pending.info);
    if frame::set_up(thread, pending, &action, old_mask).is_err() {
        unblock(thread, pending.mask);
        return force_segv(thread, signal);
    }
    let mut new_mask = old_mask | action.mask;
    if action.flags & SA_NODEFER == 0 {
        new_mask |= bit(signal);
    }
    set_mask(thread, new_mask);
    traced::handler_begins(thread);
}

/// A frame cannot be written or read: SIGSEGV, and death where it was SIGSEGV's own (`force_sigsegv`).
pub(crate) fn force_segv(thread: &mut Thread, signal: i32) {
    const SI_KERNEL: i32 = 0x80;
    let mut info = [0; 128];
    info[..4].copy_from_slice(&SIGSEGV.to_le_bytes());
    info[8..12].copy_from_slice(&SI_KERNEL.to_le_bytes());
    if signal == SIGSEGV {
        sighand(thread).lock().actions[11].handler = SIG_DFL;
    }
    let mask = mask(thread);
    set_host_mask(BLOCK_ALL);
    if let Some(noted) = thread.signal.pending.take() {
        // The fault goes first, and the other one again to the kernel.
        // SAFETY: the information outlives the call.
        let _ = unsafe {
            let (pid, tid) = (u64::from(thread.pid), u64::from(thread.tid));
            host::call(host::nr::RT_TGSIGQUEUEINFO, [pid, tid, host::int(noted.signal), host::addr(&noted.info)])
        };
    }
    thread.signal.pending = Some(Pending { signal: SIGSEGV, info, mask, forced: true, show: false });
    thread.work.fetch_or(WORK_SIGNAL, Ordering::Relaxed);
}

/// Raises a signal in the guest as a fault of its own would (`force_sig_info`), when the call that is being made returns.
///
/// # Errors
/// `ERESTARTNOINTR` where another one has been noted: it goes first, and the call is made again.
pub(crate) fn force(thread: &mut Thread, info: SiginfoBytes) -> Result<(), Errno> {
    let mask = block_all(thread)?;
    thread.signal.pending = Some(Pending { signal: siginfo::signo(&info), info, mask, forced: true, show: false });
    thread.work.fetch_or(WORK_SIGNAL, Ordering::Relaxed);
    Ok(())
}

/// Ends the process by a signal, whatever the guest wants done with it.
pub(crate) fn end_by(thread: &mut Thread, info: &SiginfoBytes) -> ! {
    let signal = siginfo::signo(info);
    let mask = set_host_mask(BLOCK_ALL);
    default_action(thread, &Pending { signal, info: *info, mask, forced: true, show: false });
    loop {
        // The first process of a namespace does not die by a signal of its own.
        // SAFETY: the process ends.
        let _ = unsafe { host::call(host::nr::EXIT_GROUP, [host::int(128 + signal)]) };
    }
}

/// Leaves a signal to the kernel's default action, for which it is sent again with the host's disposition reset.
fn default_action(thread: &mut Thread, pending: &Pending) {
    crate::trace::killed(thread, pending.signal, &pending.info);
    if !ends_process(pending.signal) && !stops_process(pending.signal) {
        // Sending it again would do something: SIGCONT ends stops, and tells a tracer.
        return unblock(thread, pending.mask);
    }
    set_host_disposition(pending.signal, u64::from(SIG_DFL), 0);
    set_host_mask(BLOCK_ALL & !bit(pending.signal));
    traced::pass(thread, pending.signal, || {
        // As it was, for a core dump says what it was; the kernel lets a thread send itself anything.
        // SAFETY: the information outlives the call.
        unsafe {
            let pid = host::call(host::nr::GETPID, []).unwrap_or(0);
            let tid = host::call(host::nr::GETTID, []).unwrap_or(0);
            let signal = host::int(pending.signal);
            host::call(host::nr::RT_TGSIGQUEUEINFO, [pid, tid, signal, host::addr(&pending.info)])
                .or_else(|_| host::call(host::nr::TGKILL, [pid, tid, signal]))
        }
    });
    // Still here: the default is to ignore, to stop, or to go on.
    let index = usize::try_from(pending.signal).unwrap_or(0);
    let action = sighand(thread).lock().actions[index];
    apply(pending.signal, &action);
    unblock(thread, pending.mask);
}
