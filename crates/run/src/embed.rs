//! A guest that is no program of its own but the library of one: the 32-bit side of a bridge, in the process of a 64-bit program.
//!
//! The guest begins as a program, a launcher, whose main function says where its services are and waits ([`CALL`]); from then on the
//! program calls functions of the guest, on whatever thread it likes, and the guest may call functions of the program. What is
//! different from a guest that has the process for itself:
//!
//! - A thread of the program that calls becomes a thread of the guest too: the guest's C library makes one, on a *spawner* thread of
//!   its own, and where clone(2) would begin it, it begins on the program's thread. So the guest's thread has the storage, the stack
//!   and the destructors that its C library gives to every thread, and `gettid` is the program's.
//! - A thread that the guest makes is made by the program's C library, because the program's code runs on it when it calls back.
//! - Signals are the program's. Only faults come here first, and go on to whoever had them before where they are not the guest's.
//! - The end of the guest is not the end of the process: [`Left`] says how a call has ended.

use crate::dispatch::SysResult;
use crate::host;
use crate::loader::{self, Program};
use crate::mem;
use crate::mem::space::SPACE;
use crate::signal::{self, HostContext};
use crate::switch::cross;
use crate::switch::{USER_DS, entry, lowpage, trap};
use crate::sys::thread as tls;
use crate::thread::{ALT_STACK, BLOCK, GUARD, Regs, Thread};
use crate::vdso;
use crate::{Entry, Options, StartError};
use abi::structs::signal::SiginfoBytes;
use abi::{Errno, GuestPtr};
use core::arch::asm;
use core::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

pub(crate) use crate::switch::cross::CallResult;

/// The launcher's system call, whose number is no kernel's: ebx is 0, ecx what the launcher wants to say, edx the address of the
/// thread's errno. It returns when the thread is to end.
pub(crate) const CALL: u32 = 0xb1a0;

/// How the guest has been left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub(crate) enum Left {
    /// The function has returned.
    Returned = 0,
    /// The thread waits to be called.
    Ready = 1,
    /// The guest has called exit_group(2).
    Ended = 2,
    /// The thread has called exit(2).
    ThreadEnded = 3,
    /// A fault of the guest's, or abort(3): see [`crash`].
    Failed = 4,
    /// The arguments do not fit the guest's stack.
    NoStack = 5,
}

impl Left {
    fn of(status: u32) -> Self {
        match status {
            0 => Self::Returned,
            1 => Self::Ready,
            2 => Self::Ended,
            3 => Self::ThreadEnded,
            5 => Self::NoStack,
            _ => Self::Failed,
        }
    }
}

/// What a thread keeps for [`self`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct PerThread {
    /// Registers of the thread that waits in [`CALL`].
    waiting: Regs,
    /// What the launcher said there.
    said: u32,
    /// Address of the guest's errno.
    errno: u32,
    /// What `CLONE_CHILD_CLEARTID` and set_tid_address(2) ask for.
    clear_tid: u32,
    /// The next thread that is made is to begin on the host's thread that is here: the spawner's work.
    adopting: bool,
    /// That thread.
    adopted: *mut Thread,
    /// The host's thread had no stack for signals, and has this one's.
    has_signal_stack: bool,
    /// The signal that has ended the guest.
    signal: i32,
}

/// What the program's side provides.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Hooks {
    /// The guest's thread that the calling thread is, or null; safe in a signal handler.
    pub(crate) current: extern "C" fn() -> *mut Thread,
    /// Makes it that.
    pub(crate) set_current: extern "C" fn(*mut Thread),
    /// Makes a thread that calls [`begin`] and then [`resume`] with this thread, and frees it; returns when `begin` has returned: its
    /// result, or the negated errno.
    pub(crate) create: extern "C" fn(*mut Thread) -> i32,
    /// A function of the program is called: `(number, words, result)`; returns 1 where the result is in `st0`.
    pub(crate) called: extern "C" fn(u32, *const u32, *mut CallResult) -> u32,
}

static ACTIVE: AtomicBool = AtomicBool::new(false);
/// Nothing of the guest is to run any more.
static DEAD: AtomicBool = AtomicBool::new(false);
static PID: AtomicU32 = AtomicU32::new(0);
static CURRENT: AtomicU64 = AtomicU64::new(0);
static SET_CURRENT: AtomicU64 = AtomicU64::new(0);
static CREATE: AtomicU64 = AtomicU64::new(0);

/// Whether the guest is a library.
pub(crate) fn active() -> bool {
    ACTIVE.load(Ordering::Relaxed)
}

/// Whether this thread is one of the program's process: not that of a child which the guest has forked.
fn is_ours(thread: &Thread) -> bool {
    active() && thread.pid == PID.load(Ordering::Relaxed)
}

fn hook(of: &AtomicU64) -> *const () {
    core::ptr::with_exposed_provenance(usize::try_from(of.load(Ordering::Relaxed)).unwrap_or(0))
}

fn current() -> *mut Thread {
    // SAFETY: the address is that of a function of this type, see `start`.
    unsafe { core::mem::transmute::<*const (), extern "C" fn() -> *mut Thread>(hook(&CURRENT))() }
}

fn set_current(thread: *mut Thread) {
    // SAFETY: the address is that of a function of this type, see `start`.
    unsafe { core::mem::transmute::<*const (), extern "C" fn(*mut Thread)>(hook(&SET_CURRENT))(thread) }
}

fn create(thread: *mut Thread) -> i32 {
    // SAFETY: the address is that of a function of this type, see `start`.
    unsafe { core::mem::transmute::<*const (), extern "C" fn(*mut Thread) -> i32>(hook(&CREATE))(thread) }
}

/// Keeps the guest away from what the program has there, below 4 GiB. Before [`start`].
pub(crate) fn reserve(address: u32, length: u32) {
    SPACE.lock().note_kernel_mapping(address, length);
}

/// Begins the guest with `program`, the launcher, on the calling thread, which becomes its first thread. How it was left: [`Left::Ready`]
/// where all is well.
///
/// # Errors
/// See [`StartError`].
pub(crate) fn start(
    program: &Program<'_>,
    options: &Options<'_>,
    hooks: &Hooks,
) -> Result<(&'static mut Thread, Left), StartError> {
    let host = |errno, what| StartError::Host(errno, what);
    if !signal::xstate::detect() {
        return Err(StartError::NoXsave);
    }
    let address = |function: *const ()| function.expose_provenance() as u64;
    CURRENT.store(address(hooks.current as *const ()), Ordering::Relaxed);
    SET_CURRENT.store(address(hooks.set_current as *const ()), Ordering::Relaxed);
    CREATE.store(address(hooks.create as *const ()), Ordering::Relaxed);
    cross::CALLED.store(address(hooks.called as *const ()), Ordering::Relaxed);
    // Calls that would end more than the guest, or that the kernel would note about the program's thread.
    for number in [nr::EXIT, nr::KILL, nr::TKILL, nr::TGKILL, nr::EXIT_GROUP, nr::SET_TID_ADDRESS] {
        entry::slow(number);
    }
    let thread = Thread::allocate(&raw const signal::SIGHAND).map_err(|errno| host(errno, "memory for the first thread"))?;
    trap::choose(Entry::Patched);
    entry::detect_rcx();
    let (stack_top, randomise) = loader::lay_out();
    lowpage::map().map_err(|errno| host(errno, "two pages below 4 GiB"))?;
    set_current(thread);
    ACTIVE.store(true, Ordering::Relaxed);
    signal::let_faults_arrive();
    trap::start().map_err(StartError::CannotIntercept)?;
    // The kernel's 32-bit one would take the place of the program's.
    let own = vdso::map(Some(options.vdso.unwrap_or(vdso::Vdso::Own)), program.auxv.vdso);
    own.or_else(|_| vdso::map(Some(vdso::Vdso::None), 0)).map_err(|errno| host(errno, "memory for the vDSO"))?;
    let start = loader::load(program, stack_top, randomise).map_err(StartError::Load)?;
    crate::process_view::set_exe(program.exe, program.exe_file);
    crate::sys::process::register_only(thread);
    PID.store(thread.pid, Ordering::Relaxed);
    thread.regs.eip = start.eip;
    thread.regs.esp = start.esp;
    thread.regs.eflags = 0x202;
    signal::xstate::initialise(thread.xsave_image());
    thread.image_valid = 1;
    thread.segments_valid = 1;
    take_signal_stack(thread);
    // SAFETY: the guest's registers are complete, and it is this thread's.
    let left = unsafe { resume(thread) };
    Ok((thread, left))
}

/// Numbers of i386 system calls that are different here.
mod nr {
    pub(super) const EXIT: u16 = 1;
    pub(super) const KILL: u16 = 37;
    pub(super) const TKILL: u16 = 238;
    pub(super) const EXIT_GROUP: u16 = 252;
    pub(super) const SET_TID_ADDRESS: u16 = 258;
    pub(super) const TGKILL: u16 = 270;
}

/// Calls the guest's `function` on the calling thread, whose guest thread is `thread`.
///
/// # Safety
/// `thread` is the calling thread's, and not in the guest but for calls to the program that are pending.
pub(crate) unsafe fn call(thread: *mut Thread, function: u32, words: &[u32], in_st0: bool, result: &mut CallResult) -> Left {
    let Ok(count) = u32::try_from(words.len()) else { return Left::NoStack };
    // SAFETY: the caller vouches for the thread; the guest may do to its own memory what it likes.
    Left::of(unsafe { cross::biarch_cross_call(thread, function, words.as_ptr(), count, result, u32::from(in_st0)) })
}

/// Lets a thread that waits in [`CALL`], or has just been made, go on until it leaves.
///
/// # Safety
/// As for [`call`].
pub(crate) unsafe fn resume(thread: *mut Thread) -> Left {
    // SAFETY: the caller vouches for it.
    unsafe {
        (*thread).full_restore = 1;
        let left = Left::of(cross::biarch_cross_resume(thread));
        if left == Left::Ready {
            (*thread).guest_sp = u64::from((*thread).embedded.waiting.esp & !15);
        }
        left
    }
}

/// Makes the calling thread, which is none of the guest's, a thread of the guest: `spawn` is the launcher's function for that, called
/// with `argument` on the thread `spawner`.
///
/// # Safety
/// `spawner` waits in [`CALL`], and is nobody else's meanwhile.
///
/// # Errors
/// The errno that the guest's C library gives, or how the guest was left instead.
pub(crate) unsafe fn adopt(spawner: *mut Thread, spawn: u32, argument: u32) -> Result<*mut Thread, (Left, i32)> {
    let before = current();
    set_current(spawner);
    // SAFETY: the caller vouches for the spawner.
    let (left, result, child) = unsafe {
        load_segments(&mut *spawner);
        let _ = trap::start_thread();
        crate::sys::process::identify(&mut *spawner);
        (*spawner).embedded.adopting = true;
        let mut result = CallResult::default();
        let left = call(spawner, spawn, &[argument], false, &mut result);
        (*spawner).embedded.adopting = false;
        (left, result, core::mem::replace(&mut (*spawner).embedded.adopted, core::ptr::null_mut()))
    };
    if left != Left::Returned || result.eax != 0 || child.is_null() {
        set_current(before);
        return Err((left, i32::from_ne_bytes(result.eax.to_ne_bytes())));
    }
    set_current(child);
    // SAFETY: the child is new, and this thread is to be its own.
    let left = unsafe {
        take_signal_stack(&mut *child);
        (*child).segments_valid = 1;
        resume(child)
    };
    if left == Left::Ready { Ok(child) } else { Err((left, 0)) }
}

/// Ends a thread of the guest that waits: its destructors run, and its block is freed.
///
/// # Safety
/// `thread` is the calling thread's, with no call pending, and is not used any more.
pub(crate) unsafe fn end(thread: *mut Thread) -> Left {
    // SAFETY: the caller vouches for the thread.
    unsafe {
        (*thread).regs = (*thread).embedded.waiting;
        (*thread).regs.eax = 1;
        (*thread).segments_valid = 1;
        (*thread).image_valid = 0;
        (*thread).vectors_in_use = 0;
        // The host may have left its last calls by longjmp(3).
        (*thread).host_sp = 0;
        (*thread).pending = 0;
        let left = resume(thread);
        free(thread);
        left
    }
}

/// Frees the block of a thread that has ended.
///
/// # Safety
/// `thread` was the calling thread's, and is not used any more.
pub(crate) unsafe fn free(thread: *mut Thread) {
    set_current(core::ptr::null_mut());
    // SAFETY: the caller vouches for the thread.
    unsafe {
        give_back_signal_stack(&mut *thread);
        crate::sys::process::forget(&mut *thread);
        Thread::free(thread);
    }
}

/// The first thing that a thread does which [`Hooks::create`] has made: returns its id.
///
/// # Safety
/// `thread` is what the hook was given, and [`resume`] follows.
pub(crate) unsafe fn begin(thread: *mut Thread) -> i32 {
    set_current(thread);
    // SAFETY: the caller vouches for it.
    unsafe {
        take_signal_stack(&mut *thread);
        crate::sys::process::begin_embedded(&mut *thread)
    }
}

/// Says where the program's stack of this thread begins and ends, without which nothing is known about calls that it leaves by
/// longjmp(3).
///
/// # Safety
/// `thread` is the calling thread's.
pub(crate) unsafe fn set_program_stack(thread: *mut Thread, bounds: [u64; 2]) {
    // SAFETY: the caller vouches for it.
    unsafe { (*thread).program_stack = bounds };
}

/// What the launcher said when the thread began to wait.
///
/// # Safety
/// `thread` is a thread of the guest.
#[must_use]
pub(crate) unsafe fn said(thread: *const Thread) -> u32 {
    // SAFETY: the caller vouches for it.
    unsafe { (*thread).embedded.said }
}

/// Address of the thread's errno.
///
/// # Safety
/// `thread` is a thread of the guest.
#[must_use]
pub(crate) unsafe fn errno(thread: *const Thread) -> u32 {
    // SAFETY: the caller vouches for it.
    unsafe { (*thread).embedded.errno }
}

/// In a child that the program has forked: the calling thread is the only one. `thread` is its guest thread, or null.
pub(crate) fn forked(thread: *mut Thread) {
    crate::sys::process::release_locks();
    // SAFETY: the thread is the caller's.
    if let Some(thread) = unsafe { thread.as_mut() } {
        crate::sys::process::register_only(thread);
        PID.store(thread.pid, Ordering::Relaxed);
        let _ = trap::start_thread();
    } else {
        // SAFETY: no arguments.
        PID.store(host::low(unsafe { host::call(host::nr::GETPID, []) }.unwrap_or(0)), Ordering::Relaxed);
    }
}

/// Lets nothing of the guest run any more: calls that are pending on other threads end as [`Left::Failed`], those that have called the
/// program when it returns.
pub(crate) fn stop() {
    DEAD.store(true, Ordering::Relaxed);
    // SAFETY: plain numbers.
    let own = host::low(unsafe { host::call(host::nr::GETTID, []) }.unwrap_or(0));
    crate::sys::process::each_tid(|pid, tid| {
        if tid != own {
            // SAFETY: plain numbers. A thread that has ended is not there.
            let _ = unsafe { host::call(host::nr::TGKILL, [u64::from(pid), u64::from(tid), host::int(signal::SIGSYS)]) };
        }
    });
}

/// Before the guest goes on: ends the call where it is not to.
pub(crate) fn check(thread: &mut Thread) {
    if DEAD.load(Ordering::Relaxed) && is_ours(thread) {
        leave(thread, Left::Failed);
    }
}

/// In the signal handler: whether this is [`stop`]'s signal.
pub(crate) fn is_stopped() -> bool {
    active() && DEAD.load(Ordering::Relaxed)
}

/// In the signal handler, in the program's code: the calls that are pending are looked at when they go on.
pub(crate) fn interrupt() {
    // SAFETY: the thread is this one's, which waits for the handler.
    if let Some(thread) = unsafe { current().as_mut() } {
        thread.work.fetch_or(crate::thread::WORK_SIGNAL, Ordering::Relaxed);
    }
}

/// What is known about a guest that has failed.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Crash {
    /// The signal that a program would have died of.
    pub(crate) signal: i32,
    /// The address that was accessed, of SIGSEGV and SIGBUS.
    pub(crate) address: u32,
    /// Where its stack was, and where the call began there.
    pub(crate) esp: u32,
    pub(crate) stack_end: u32,
    /// How many of `frames` there are.
    pub(crate) count: u32,
    /// Where it happened, and the return addresses as far as there are frame pointers.
    pub(crate) frames: [u32; 32],
}

/// What is known about the failure of `thread`.
///
/// # Safety
/// `thread` is a thread of the guest that was left as [`Left::Failed`].
#[must_use]
pub(crate) unsafe fn crash(thread: *const Thread) -> Crash {
    // SAFETY: the caller vouches for it.
    let (regs, embedded, address) = unsafe { ((*thread).regs, (*thread).embedded, (*thread).signal.cr2) };
    // SAFETY: as above.
    let stack_end = host::low(unsafe { (*thread).guest_sp });
    let mut crash = Crash { signal: embedded.signal, address, esp: regs.esp, stack_end, count: 1, frames: [0; 32] };
    crash.frames[0] = regs.eip;
    let mut frame = regs.ebp;
    for slot in crash.frames.iter_mut().skip(1) {
        let Ok([next, back]) = mem::read(GuestPtr::<[u32; 2]>::new(frame)) else { break };
        if frame < regs.esp || back == 0 || lowpage::is_call(back) {
            break;
        }
        *slot = back;
        crash.count += 1;
        if next <= frame {
            break;
        }
        frame = next;
    }
    crash
}

/// Reads memory of the guest; how many bytes there were before one that is not mapped.
pub(crate) fn read(address: u32, out: &mut [u8]) -> usize {
    mem::access::read_partial(address, out)
}

/// Writes memory of the guest.
///
/// # Errors
/// `EFAULT`.
pub(crate) fn write(address: u32, bytes: &[u8]) -> Result<(), Errno> {
    mem::write_bytes(GuestPtr::new(address), bytes)
}

/// Maps `length` bytes for both sides.
///
/// # Errors
/// The kernel's errno.
pub(crate) fn map(length: u32) -> Result<u32, Errno> {
    const READ_WRITE: u32 = 3;
    const PRIVATE_ANONYMOUS: u32 = 0x22;
    SPACE.lock().map(0, length, READ_WRITE, PRIVATE_ANONYMOUS, -1, 0)
}

/// Unmaps it.
///
/// # Errors
/// The kernel's errno.
pub(crate) fn unmap(address: u32, length: u32) -> Result<(), Errno> {
    SPACE.lock().unmap(address, length)
}

/// How many functions of the program a page of [`map_callbacks`] has.
pub(crate) const CALLBACKS_PER_PAGE: u32 = 256;
/// How far they are from each other.
pub(crate) const CALLBACK_LENGTH: u32 = 16;

/// Maps a page of functions for the guest to call, each of which arrives at [`Hooks::called`] with its number, from `first` on.
///
/// # Errors
/// The kernel's errno.
pub(crate) fn map_callbacks(first: u32) -> Result<u32, Errno> {
    let page = map(CALLBACKS_PER_PAGE * CALLBACK_LENGTH)?;
    let common = lowpage::at(lowpage::CALLBACK);
    for index in 0..CALLBACKS_PER_PAGE {
        let at = page + index * CALLBACK_LENGTH;
        // mov $number, %eax; jmp common
        let mut code = [0xcc; CALLBACK_LENGTH as usize];
        code[0] = 0xb8;
        code[1..5].copy_from_slice(&(first + index).to_le_bytes());
        code[5] = 0xe9;
        code[6..10].copy_from_slice(&common.wrapping_sub(at + 10).to_le_bytes());
        mem::write_bytes(GuestPtr::new(at), &code)?;
    }
    lowpage::make_executable(page, CALLBACKS_PER_PAGE * CALLBACK_LENGTH)?;
    Ok(page)
}

/// System calls that mean something else here.
pub(crate) fn intercept(thread: &mut Thread, number: u32, args: [u32; 6]) -> Option<SysResult> {
    if !is_ours(thread) {
        return None;
    }
    if number == CALL {
        wait(thread, args);
    }
    match u16::try_from(number).ok()? {
        nr::EXIT => end_thread(thread),
        nr::EXIT_GROUP => leave(thread, Left::Ended),
        nr::SET_TID_ADDRESS => {
            thread.embedded.clear_tid = args[0];
            Some(Ok(thread.tid))
        }
        nr::KILL if args[0] == thread.pid => aborted(thread, args[1]),
        nr::TKILL if args[0] == thread.tid => aborted(thread, args[1]),
        nr::TGKILL if args[0] == thread.pid && args[1] == thread.tid => aborted(thread, args[2]),
        _ => None,
    }
}

/// abort(3), of a guest that does not handle it.
fn aborted(thread: &mut Thread, signal: u32) -> Option<SysResult> {
    const SIGABRT: i32 = 6;
    if signal != SIGABRT.unsigned_abs() || signal::caught(thread, SIGABRT) {
        return None;
    }
    fail(thread, SIGABRT);
    leave(thread, Left::Failed)
}

/// The launcher's call.
fn wait(thread: &mut Thread, args: [u32; 6]) -> ! {
    thread.complete_registers();
    thread.embedded.waiting = thread.regs;
    thread.embedded.waiting.orig_eax = u32::MAX;
    thread.embedded.said = args[1];
    thread.embedded.errno = args[2];
    leave(thread, Left::Ready)
}

fn leave(thread: &mut Thread, how: Left) -> ! {
    // SAFETY: nothing on the supervisor's stack is needed any more, and a host's call is pending: the guest runs by one only.
    unsafe { cross::biarch_cross_leave(thread, how as u32) }
}

/// exit(2)
fn end_thread(thread: &mut Thread) -> ! {
    const FUTEX_WAKE: u64 = 1;
    tls::exit_robust_list(thread.robust_list, thread.tid);
    thread.robust_list = 0;
    let word = thread.embedded.clear_tid;
    if word != 0 && mem::write(GuestPtr::new(word), &0u32).is_ok() {
        // SAFETY: waking touches no memory.
        let _ = unsafe { host::call(host::nr::FUTEX, [u64::from(word), FUTEX_WAKE, 1]) };
    }
    leave(thread, Left::ThreadEnded)
}

/// Begins a thread that the guest makes, where it is one of the program's process: `child` is complete but for its ids, of which
/// `words` says where they are to be written (`CLONE_PARENT_SETTID`, `CLONE_CHILD_SETTID`, `CLONE_CHILD_CLEARTID`).
pub(crate) fn new_thread(parent: &mut Thread, child: &mut Thread, words: [u32; 3]) -> Option<SysResult> {
    if !is_ours(parent) {
        return None;
    }
    child.embedded.clear_tid = words[2];
    child.embedded.waiting.eax = words[0];
    child.embedded.waiting.ebx = words[1];
    // errno is at the same place in every thread's storage.
    child.embedded.errno = match (tls::base(parent), tls::base(child)) {
        (Some(from), Some(to)) => parent.embedded.errno.wrapping_sub(from).wrapping_add(to),
        _ => 0,
    };
    if parent.embedded.adopting {
        parent.embedded.adopting = false;
        parent.embedded.adopted = child;
        // SAFETY: the child is on no other thread.
        let tid = unsafe { crate::sys::process::begin_embedded(child) };
        return Some(u32::try_from(tid).map_err(|_| Errno::EAGAIN));
    }
    let tid = create(child);
    Some(u32::try_from(tid).map_err(|_| Errno(u16::try_from(tid.unsigned_abs()).unwrap_or(Errno::EAGAIN.0))))
}

/// Writes the ids of a new thread where its maker wants them.
pub(crate) fn write_ids(thread: &Thread) {
    let Regs { eax: parent, ebx: child, .. } = thread.embedded.waiting;
    for word in [parent, child] {
        if word != 0 {
            let _ = mem::write(GuestPtr::new(word), &thread.tid);
        }
    }
}

/// Segment registers of 32-bit code: data everywhere, and the thread's own storage.
fn load_segments(thread: &mut Thread) {
    // SAFETY: 64-bit code uses none of these; the selector is one that this thread has had in %gs.
    unsafe {
        asm!("mov ds, {0:x}", "mov es, {0:x}", "mov gs, {1:x}", in(reg) USER_DS, in(reg) thread.embedded.waiting.gs, options(nostack));
    }
    tls::load_flat_base(thread);
}

#[repr(C)]
struct SignalStack {
    start: u64,
    flags: u64,
    length: u64,
}

/// A guest whose stack is full is told apart only where the handler has another.
fn take_signal_stack(thread: &mut Thread) {
    const SS_DISABLE: u64 = 2;
    let mut known = SignalStack { start: 0, flags: 0, length: 0 };
    // SAFETY: the structure outlives the call.
    let asked = unsafe { host::call(host::nr::SIGALTSTACK, [0, host::addr_mut(&mut known)]) };
    if asked.is_ok() && known.flags & SS_DISABLE != 0 {
        signal::start_thread(thread);
        thread.embedded.has_signal_stack = true;
    }
}

fn give_back_signal_stack(thread: &mut Thread) {
    const SS_DISABLE: u64 = 2;
    if core::mem::take(&mut thread.embedded.has_signal_stack) {
        let none =
            SignalStack { start: thread.block() + ALT_STACK as u64, flags: SS_DISABLE, length: (GUARD - ALT_STACK) as u64 };
        // SAFETY: the structure outlives the call.
        let _ = unsafe { host::call(host::nr::SIGALTSTACK, [host::addr(&none), 0]) };
    }
}

/// In the signal handler: the guest's thread, if this signal finds it in the guest, or in the supervisor on the guest's behalf.
pub(crate) fn thread_of(context: &HostContext, forced: bool) -> Option<*mut Thread> {
    let thread = current();
    if thread.is_null() {
        return None;
    }
    let block = thread.addr() as u64;
    let ours = if context.in_guest() {
        true
    } else if forced {
        mem::access::fixup(context.ip).is_some() || cross::pushes(context.ip) || trap::is_at_probe(context.ip)
    } else {
        (block..block + BLOCK as u64).contains(&context.sp) || entry::is_on_the_way(context.ip)
    };
    ours.then_some(thread)
}

/// In the signal handler: a signal that the library handles, and that has found the program's code. Returns whether it has been
/// handled, which it cannot be on a thread that never calls the library.
pub(crate) fn handle(signal: i32, info: &SiginfoBytes) -> bool {
    /// What a call that is just being made may have written there already.
    const ROOM: u64 = 64 * 1024;
    let thread = current();
    // SAFETY: the thread is this one's, which waits for the handler.
    let Some(thread) = (unsafe { thread.as_mut() }) else { return false };
    let Some(handler) = signal::handler_of(thread, signal) else { return false };
    let before = thread.guest_sp;
    let at = before.saturating_sub(ROOM) & !15;
    let (Ok(address), Ok(number)) = (u32::try_from(at), u32::try_from(signal)) else { return false };
    let guest = signal::siginfo::to_guest(info);
    if mem::write_bytes(GuestPtr::new(address), &guest).is_err() {
        return false;
    }
    thread.guest_sp = at;
    let mut result = CallResult::default();
    // SAFETY: the thread is this one's, and what it has pending is above.
    let left = unsafe { call(thread, handler, &[number, address, 0], false, &mut result) };
    thread.guest_sp = before;
    left == Left::Returned
}

/// In the signal handler: notes that the guest has failed, and how.
pub(crate) fn fail(thread: &mut Thread, signal: i32) {
    thread.embedded.signal = signal;
}
