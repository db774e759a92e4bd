//! Signals as the guest asks for them. What delivers them is in `signal/`.

use super::fd::uninterrupted;
use super::input::UNREADABLE;
use crate::dispatch::SysResult;
use crate::host;
use crate::mem;
use crate::signal::{self, Action, NSIG, RESERVED, SIGKILL, SIGSTOP, frame, siginfo};
use crate::thread::Thread;
use abi::scalar::{Signed as _, Unsigned as _};
use abi::structs::Widen;
use abi::structs::signal::{OldSigaction, SiginfoBytes, sigaction, sigaltstack};
use abi::structs::time::{timespec, timespec64};
use abi::{Errno, GuestPtr, Ptr32, U64, ULong};

/// Length of a signal set in bytes.
const SIGSET: u32 = 8;

fn check_size(length: u32) -> Result<(), Errno> {
    if length == SIGSET { Ok(()) } else { Err(Errno::EINVAL) }
}

/// Sets a disposition and returns the one before (`do_sigaction`).
fn exchange(thread: &mut Thread, signal: i32, new: Option<Action>) -> Result<Action, Errno> {
    let index = usize::try_from(signal).ok().filter(|&index| (1..NSIG).contains(&index)).ok_or(Errno::EINVAL)?;
    if new.is_some() && (signal == SIGKILL || signal == SIGSTOP) {
        return Err(Errno::EINVAL);
    }
    // SAFETY: it lives as long as any thread that refers to it.
    let sighand = unsafe { &*thread.sighand };
    let mut sighand = sighand.lock();
    let old = sighand.actions[index];
    if let Some(mut action) = new {
        action.mask &= !(signal::bit(SIGKILL) | signal::bit(SIGSTOP));
        sighand.actions[index] = action;
        signal::apply(signal, &action);
    }
    Ok(old)
}

/// rt_sigaction(2)
pub(crate) fn rt_sigaction(
    thread: &mut Thread,
    signal: i32,
    new: GuestPtr<sigaction::Guest32>,
    old: GuestPtr<sigaction::Guest32>,
    length: u32,
) -> SysResult {
    check_size(length)?;
    let action = if new.is_null() {
        None
    } else {
        let new = mem::read(new)?;
        Some(Action { handler: new.handler.0, flags: new.flags.0, restorer: new.restorer.0, mask: new.mask.get() })
    };
    let before = exchange(thread, signal, action)?;
    if !old.is_null() {
        let before = sigaction::Guest32 {
            handler: Ptr32(before.handler),
            flags: ULong(before.flags),
            restorer: Ptr32(before.restorer),
            mask: U64(before.mask),
        };
        mem::write(old, &before)?;
    }
    Ok(0)
}

/// The first sigaction(2).
pub(crate) fn sigaction(thread: &mut Thread, signal: i32, new: GuestPtr<OldSigaction>, old: GuestPtr<OldSigaction>) -> SysResult {
    let action = if new.is_null() {
        None
    } else {
        let new = mem::read(new)?;
        Some(Action { handler: new.handler, flags: new.flags, restorer: new.restorer, mask: u64::from(new.mask) })
    };
    let before = exchange(thread, signal, action)?;
    if !old.is_null() {
        let mask = host::low(before.mask);
        mem::write(old, &OldSigaction { handler: before.handler, mask, flags: before.flags, restorer: before.restorer })?;
    }
    Ok(0)
}

/// signal(2): one shot, and not deferred, as in System V.
pub(crate) fn signal(thread: &mut Thread, signal: i32, handler: u32) -> SysResult {
    let action = Action { handler, flags: signal::SA_RESETHAND | signal::SA_NODEFER, restorer: 0, mask: 0 };
    exchange(thread, signal, Some(action)).map(|old| old.handler)
}

const SIG_BLOCK: u32 = 0;
const SIG_UNBLOCK: u32 = 1;
const SIG_SETMASK: u32 = 2;

fn change_mask(thread: &mut Thread, how: u32, old: u64, set: u64) -> Result<(), Errno> {
    let new = match how {
        SIG_BLOCK => old | set,
        SIG_UNBLOCK => old & !set,
        SIG_SETMASK => set,
        _ => return Err(Errno::EINVAL),
    };
    signal::set_mask(thread, new);
    Ok(())
}

/// rt_sigprocmask(2)
pub(crate) fn rt_sigprocmask(thread: &mut Thread, how: u32, set: GuestPtr<U64>, old: GuestPtr<U64>, length: u32) -> SysResult {
    check_size(length)?;
    let before = signal::mask(thread);
    if !set.is_null() {
        let set = mem::read(set)?.get();
        change_mask(thread, how, before, set)?;
    }
    if !old.is_null() {
        mem::write(old, &U64(before))?;
    }
    Ok(0)
}

/// The first sigprocmask(2): 32 signals.
pub(crate) fn sigprocmask(thread: &mut Thread, how: u32, set: GuestPtr<u32>, old: GuestPtr<u32>) -> SysResult {
    let before = signal::mask(thread);
    if !set.is_null() {
        let set = u64::from(mem::read(set)?);
        let upper = before & !u64::from(u32::MAX);
        change_mask(thread, how, before, if how == SIG_SETMASK { set | upper } else { set })?;
    }
    if !old.is_null() {
        mem::write(old, &host::low(before))?;
    }
    Ok(0)
}

/// sgetmask(2)
pub(crate) fn sgetmask(thread: &mut Thread) -> SysResult {
    Ok(host::low(signal::mask(thread)))
}

/// ssetmask(2)
pub(crate) fn ssetmask(thread: &mut Thread, mask: u32) -> SysResult {
    let before = signal::mask(thread);
    // An `int` there, whose sign goes on into the second half of the set.
    signal::set_mask(thread, i64::from(mask.signed()).unsigned());
    Ok(host::low(before))
}

fn pending(thread: &mut Thread) -> Result<u64, Errno> {
    let mut set = 0u64;
    thread.sys(host::nr::RT_SIGPENDING, [host::addr_mut(&mut set), u64::from(SIGSET)])?;
    Ok((set | signal::held_mask(thread)) & signal::mask(thread))
}

/// rt_sigpending(2)
pub(crate) fn rt_sigpending(thread: &mut Thread, set: GuestPtr<u8>, length: u32) -> SysResult {
    if length > SIGSET {
        return Err(Errno::EINVAL);
    }
    let bytes = pending(thread)?.to_le_bytes();
    mem::write_bytes(set, bytes.get(..length as usize).unwrap_or(&bytes))?;
    Ok(0)
}

/// The first sigpending(2).
pub(crate) fn sigpending(thread: &mut Thread, set: GuestPtr<u32>) -> SysResult {
    let pending = pending(thread)?;
    mem::write(set, &host::low(pending))?;
    Ok(0)
}

fn suspend(thread: &mut Thread, mask: u64) -> SysResult {
    let host_mask = mask & !RESERVED;
    let before = signal::swap_blocked_reserved(thread, mask);
    let result = thread.sys(host::nr::RT_SIGSUSPEND, [host::addr(&host_mask), u64::from(SIGSET)]).map(host::low);
    signal::swap_blocked_reserved(thread, before);
    // Interrupted before the kernel was entered, or by a reserved signal: to the guest it has waited and been woken.
    // Its tracer may have seen that, and knows whether a handler runs.
    if result == Err(Errno::ERESTARTSYS) && thread.ptrace.no_handler == 0 { Err(Errno::EINTR) } else { result }
}

/// rt_sigsuspend(2)
pub(crate) fn rt_sigsuspend(thread: &mut Thread, mask: GuestPtr<U64>, length: u32) -> SysResult {
    check_size(length)?;
    let mask = mem::read(mask)?.get();
    suspend(thread, mask)
}

/// The first sigsuspend(2): the mask is the third argument.
pub(crate) fn sigsuspend(thread: &mut Thread, _history0: u32, _history1: u32, mask: u32) -> SysResult {
    suspend(thread, u64::from(mask))
}

/// sigaltstack(2)
pub(crate) fn sigaltstack(
    thread: &mut Thread,
    new: GuestPtr<sigaltstack::Guest32>,
    old: GuestPtr<sigaltstack::Guest32>,
) -> SysResult {
    /// `MINSIGSTKSZ` of a compat task.
    const MINSIGSTKSZ: u32 = 2048;
    let request = if new.is_null() { None } else { Some(mem::read(new)?) };
    let esp = thread.regs.esp;
    let before = sigaltstack::Guest32 {
        ss_flags: frame::altstack_flags(thread, esp) | thread.signal.altstack.ss_flags & frame::SS_AUTODISARM,
        ..thread.signal.altstack
    };
    if let Some(mut stack) = request {
        if frame::on_altstack(thread, esp) {
            return Err(Errno::EPERM);
        }
        let mode = stack.ss_flags & !frame::SS_AUTODISARM;
        if mode != frame::SS_DISABLE && mode != frame::SS_ONSTACK && mode != 0 {
            return Err(Errno::EINVAL);
        }
        let now = thread.signal.altstack;
        if (stack.ss_sp, stack.ss_size, stack.ss_flags) == (now.ss_sp, now.ss_size, now.ss_flags) {
            // Nothing changes, and the kernel looks no further.
        } else if mode == frame::SS_DISABLE {
            stack = sigaltstack::Guest32 { ss_flags: stack.ss_flags, ..Default::default() };
        } else if stack.ss_size.0 < MINSIGSTKSZ {
            return Err(Errno::ENOMEM);
        }
        thread.signal.altstack = stack;
    }
    if !old.is_null() {
        mem::write(old, &before)?;
    }
    Ok(0)
}

/// sigreturn(2)
pub(crate) fn sigreturn(thread: &mut Thread) -> SysResult {
    if frame::sigreturn(thread).is_err() {
        signal::force_segv(thread, 0);
    }
    Ok(thread.regs.eax)
}

/// rt_sigreturn(2)
pub(crate) fn rt_sigreturn(thread: &mut Thread) -> SysResult {
    if frame::rt_sigreturn(thread).is_err() {
        signal::force_segv(thread, 0);
    }
    Ok(thread.regs.eax)
}

/// Waits for one of a set, and gives its siginfo in the guest's form.
fn timed_wait(
    thread: &mut Thread,
    set: GuestPtr<U64>,
    info: GuestPtr<u8>,
    time: impl FnOnce() -> Result<Option<timespec::Host64>, Errno>,
    length: u32,
) -> SysResult {
    check_size(length)?;
    let set = mem::read(set)?.get();
    let time = time()?;
    let mut got = [0u8; 128];
    let time_address = time.as_ref().map_or(0, host::addr);
    let args = [host::addr(&set), host::addr_mut(&mut got), time_address, u64::from(SIGSET)];
    let signal = thread.sys(host::nr::RT_SIGTIMEDWAIT, args)?;
    if !info.is_null() {
        mem::write(info.cast(), &siginfo::to_guest(&got))?;
    }
    Ok(host::low(signal))
}

/// rt_sigtimedwait(2) with 32-bit time.
pub(crate) fn rt_sigtimedwait(
    thread: &mut Thread,
    set: GuestPtr<U64>,
    info: GuestPtr<u8>,
    time: GuestPtr<timespec::Guest32>,
    length: u32,
) -> SysResult {
    let time = || if time.is_null() { Ok(None) } else { mem::read(time).map(|time| Some(time.widen())) };
    timed_wait(thread, set, info, time, length)
}

/// rt_sigtimedwait(2) with 64-bit time.
pub(crate) fn rt_sigtimedwait_time64(
    thread: &mut Thread,
    set: GuestPtr<U64>,
    info: GuestPtr<u8>,
    time: GuestPtr<timespec64::Guest32>,
    length: u32,
) -> SysResult {
    let time = || {
        if time.is_null() {
            return Ok(None);
        }
        let time = mem::read(time)?.widen();
        Ok(Some(timespec::Host64 { tv_sec: time.tv_sec, tv_nsec: i64::from(host::low(time.tv_nsec.unsigned())) }))
    };
    timed_wait(thread, set, info, time, length)
}

/// What the guest queues for the thread `to`. Only for itself may a thread use a code that is not negative (`do_rt_sigqueueinfo`).
fn queued(info: GuestPtr<u8>, signal: i32, to: i32) -> Result<SiginfoBytes, Errno> {
    let mut info: SiginfoBytes = mem::read(info.cast())?;
    info[..4].copy_from_slice(&signal.to_le_bytes());
    let mut info = siginfo::to_host(&info);
    if uninterrupted(host::nr::GETTID, []) == Ok(host::int(to)) {
        siginfo::mark_queued(&mut info);
    }
    Ok(info)
}

/// rt_sigqueueinfo(2)
pub(crate) fn rt_sigqueueinfo(thread: &mut Thread, pid: i32, signal: i32, info: GuestPtr<u8>) -> SysResult {
    let info = queued(info, signal, pid)?;
    thread.sys(host::nr::RT_SIGQUEUEINFO, [host::int(pid), host::int(signal), host::addr(&info)]).map(host::low)
}

/// rt_tgsigqueueinfo(2)
pub(crate) fn rt_tgsigqueueinfo(thread: &mut Thread, tgid: i32, tid: i32, signal: i32, info: GuestPtr<u8>) -> SysResult {
    let info = queued(info, signal, tid)?;
    thread
        .sys(host::nr::RT_TGSIGQUEUEINFO, [host::int(tgid), host::int(tid), host::int(signal), host::addr(&info)])
        .map(host::low)
}

/// pidfd_send_signal(2)
pub(crate) fn pidfd_send_signal(thread: &mut Thread, pidfd: i32, signal: i32, info: GuestPtr<u8>, flags: u32) -> SysResult {
    let mut host_info = if info.is_null() { None } else { Some(mem::read(info.cast()).map(|info| siginfo::to_host(&info))) };
    if let Some(Ok(info)) = &mut host_info {
        // Whether this thread itself is meant: others get no signal with such a code, not even none at all.
        let mut probe = [0u8; 128];
        probe[8] = 1;
        let args = [host::int(pidfd), 0, host::addr(&probe), u64::from(flags)];
        if siginfo::code(info) > 0 && uninterrupted(host::nr::PIDFD_SEND_SIGNAL, args).is_ok() {
            siginfo::mark_queued(info);
        }
    }
    let address = match &host_info {
        None => 0,
        Some(Ok(info)) => host::addr(info),
        // The kernel looks at the descriptor first.
        Some(Err(_)) => UNREADABLE,
    };
    thread.sys(host::nr::PIDFD_SEND_SIGNAL, [host::int(pidfd), host::int(signal), address, u64::from(flags)]).map(host::low)
}
