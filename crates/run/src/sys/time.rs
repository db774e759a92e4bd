//! Clocks, sleeping and timers.
//!
//! 32-bit seconds are truncated on the way out, as the kernel does (`put_old_timespec32` in `kernel/time/time.c`): a guest
//! with old times sees 1901 after 2038, here as there.

use super::input::{Input, output};
use crate::dispatch::SysResult;
use crate::host::{self, nr};
use crate::mem;
use crate::thread::Thread;
use abi::scalar::Signed as _;
use abi::structs::time::{itimerspec, itimerspec64, itimerval, sigevent, timespec, timespec64, timeval, timex, timezone, tms};
use abi::structs::{Narrow, Widen};
use abi::trace::TimerFlags;
use abi::{Errno, GuestPtr, Long};
use zerocopy::{Immutable, IntoBytes};

/// time(2)
pub(crate) fn time(thread: &mut Thread, tloc: GuestPtr<Long>) -> SysResult {
    let now = host::low(thread.sys(nr::TIME, [0])?);
    if !tloc.is_null() {
        mem::write(tloc, &Long(now.signed()))?;
    }
    Ok(now)
}

/// stime(2), which x86-64 does not have.
pub(crate) fn stime(thread: &mut Thread, tptr: GuestPtr<Long>) -> SysResult {
    let new = timeval::Host64 { tv_sec: i64::from(mem::read(tptr)?.get()), tv_usec: 0 };
    match thread.sys(nr::SETTIMEOFDAY, [host::addr(&new), 0]) {
        // stime checks the privilege and then ignores a time that cannot be set (`stime32` in kernel/time/time.c);
        // settimeofday looks at the time first. Without arguments it only checks the privilege.
        Err(Errno::EINVAL) => thread.sys(nr::SETTIMEOFDAY, [0, 0]),
        result => result,
    }
    .map(host::low)
}

/// times(2)
pub(crate) fn times(thread: &mut Thread, buf: GuestPtr<tms::Guest32>) -> SysResult {
    let mut times = tms::Host64::default();
    let ticks = thread.sys(nr::TIMES, [output(buf, &mut times)])?;
    if !buf.is_null() {
        mem::write(buf, &times.truncate())?;
    }
    Ok(host::low(ticks))
}

/// gettimeofday(2)
pub(crate) fn gettimeofday(thread: &mut Thread, tv: GuestPtr<timeval::Guest32>, tz: GuestPtr<timezone::Guest32>) -> SysResult {
    if !tv.is_null() {
        let mut now = timeval::Host64::default();
        thread.sys(nr::GETTIMEOFDAY, [host::addr_mut(&mut now), 0])?;
        mem::write(tv, &now.truncate())?;
    }
    thread.sys(nr::GETTIMEOFDAY, [0, u64::from(tz.address())]).map(host::low)
}

/// settimeofday(2)
pub(crate) fn settimeofday(thread: &mut Thread, tv: GuestPtr<timeval::Guest32>, tz: GuestPtr<timezone::Guest32>) -> SysResult {
    let new = Input::read(tv);
    thread.sys(nr::SETTIMEOFDAY, [new.address(), u64::from(tz.address())]).map(host::low)
}

/// setitimer(2)
pub(crate) fn setitimer(
    thread: &mut Thread,
    which: u32,
    new_value: GuestPtr<itimerval::Guest32>,
    old_value: GuestPtr<itimerval::Guest32>,
) -> SysResult {
    let (new, mut old) = (Input::read(new_value), itimerval::Host64::default());
    thread.sys(nr::SETITIMER, [u64::from(which), new.address(), output(old_value, &mut old)])?;
    fill(old_value, &old)
}

/// getitimer(2)
pub(crate) fn getitimer(thread: &mut Thread, which: u32, curr_value: GuestPtr<itimerval::Guest32>) -> SysResult {
    let mut now = itimerval::Host64::default();
    thread.sys(nr::GETITIMER, [u64::from(which), host::addr_mut(&mut now)])?;
    mem::write(curr_value, &now.truncate()).map(|()| 0)
}

/// adjtimex(2)
pub(crate) fn adjtimex(thread: &mut Thread, buf: GuestPtr<timex::Guest32>) -> SysResult {
    let mut state = mem::read(buf)?.widen();
    let result = thread.sys(nr::ADJTIMEX, [host::addr_mut(&mut state)]);
    // Also where it failed (`adjtimex_time32` in kernel/time/time.c).
    mem::write(buf, &state.truncate())?;
    result.map(host::low)
}

/// clock_adjtime(2)
pub(crate) fn clock_adjtime(thread: &mut Thread, clockid: u32, buf: GuestPtr<timex::Guest32>) -> SysResult {
    let mut state = mem::read(buf)?.widen();
    let result = thread.sys(nr::CLOCK_ADJTIME, [u64::from(clockid), host::addr_mut(&mut state)])?;
    mem::write(buf, &state.truncate())?;
    Ok(host::low(result))
}

/// clock_settime(2)
pub(crate) fn clock_settime(thread: &mut Thread, clockid: u32, tp: GuestPtr<timespec::Guest32>) -> SysResult {
    let new = Input::read(tp);
    thread.sys(nr::CLOCK_SETTIME, [u64::from(clockid), new.address()]).map(host::low)
}

/// clock_settime(2) with 64-bit times.
pub(crate) fn clock_settime64(thread: &mut Thread, clockid: u32, tp: GuestPtr<timespec64::Guest32>) -> SysResult {
    let new = Input::read(tp).map(low_nsec);
    thread.sys(nr::CLOCK_SETTIME, [u64::from(clockid), new.address()]).map(host::low)
}

/// clock_gettime(2)
pub(crate) fn clock_gettime(thread: &mut Thread, clockid: u32, tp: GuestPtr<timespec::Guest32>) -> SysResult {
    let mut now = timespec::Host64::default();
    thread.sys(nr::CLOCK_GETTIME, [u64::from(clockid), host::addr_mut(&mut now)])?;
    mem::write(tp, &now.truncate()).map(|()| 0)
}

/// clock_getres(2)
pub(crate) fn clock_getres(thread: &mut Thread, clockid: u32, res: GuestPtr<timespec::Guest32>) -> SysResult {
    let mut resolution = timespec::Host64::default();
    thread.sys(nr::CLOCK_GETRES, [u64::from(clockid), output(res, &mut resolution)])?;
    fill(res, &resolution)
}

/// nanosleep(2)
pub(crate) fn nanosleep(thread: &mut Thread, req: GuestPtr<timespec::Guest32>, rem: GuestPtr<u8>) -> SysResult {
    let (request, mut left) = (Input::read(req), timespec::Host64::default());
    let result = thread.sys(nr::NANOSLEEP, [request.address(), output(rem, &mut left)]);
    slept(result, &request, &left, rem.cast::<timespec::Guest32>())
}

/// clock_nanosleep(2)
pub(crate) fn clock_nanosleep(
    thread: &mut Thread,
    clockid: u32,
    flags: u32,
    req: GuestPtr<timespec::Guest32>,
    rem: GuestPtr<u8>,
) -> SysResult {
    let (request, rem, mut left) = (Input::read(req), relative(flags, rem), timespec::Host64::default());
    let args = [u64::from(clockid), u64::from(flags), request.address(), output(rem, &mut left)];
    let result = thread.sys(nr::CLOCK_NANOSLEEP, args);
    slept(result, &request, &left, rem.cast::<timespec::Guest32>())
}

/// clock_nanosleep(2) with 64-bit times.
pub(crate) fn clock_nanosleep_time64(
    thread: &mut Thread,
    clockid: u32,
    flags: u32,
    req: GuestPtr<timespec64::Guest32>,
    rem: GuestPtr<u8>,
) -> SysResult {
    let (request, rem) = (Input::read(req).map(low_nsec), relative(flags, rem));
    let mut left = timespec64::Host64::default();
    let args = [u64::from(clockid), u64::from(flags), request.address(), output(rem, &mut left)];
    let result = thread.sys(nr::CLOCK_NANOSLEEP, args);
    slept(result, &request, &left, rem.cast::<timespec64::Guest32>())
}

/// timer_create(2)
pub(crate) fn timer_create(
    thread: &mut Thread,
    clockid: u32,
    sevp: GuestPtr<sigevent::Guest32>,
    timerid: GuestPtr<i32>,
) -> SysResult {
    let event = event(sevp);
    thread.sys(nr::TIMER_CREATE, [u64::from(clockid), event.address(), u64::from(timerid.address())]).map(host::low)
}

/// Reads a `struct sigevent` that may be null.
pub(super) fn event(sevp: GuestPtr<sigevent::Guest32>) -> Input<sigevent::Host64> {
    if sevp.is_null() { Input::Null } else { read_sigevent(sevp).map_or(Input::Unreadable, Input::Value) }
}

/// Only what is not padding is read (`get_compat_sigevent` in kernel/signal.c).
fn read_sigevent(sevp: GuestPtr<sigevent::Guest32>) -> Result<sigevent::Host64, Errno> {
    let mut event = sigevent::Guest32::default();
    let used = core::mem::offset_of!(sigevent::Guest32, __pad);
    mem::read_bytes(sevp.cast(), &mut event.as_mut_bytes()[..used])?;
    Ok(event.widen())
}

/// timer_settime(2)
pub(crate) fn timer_settime(
    thread: &mut Thread,
    timerid: i32,
    flags: u32,
    new_value: GuestPtr<itimerspec::Guest32>,
    old_value: GuestPtr<itimerspec::Guest32>,
) -> SysResult {
    set_timer(thread, nr::TIMER_SETTIME, timerid, flags, new_value, old_value)
}

/// timer_settime(2) with 64-bit times.
pub(crate) fn timer_settime64(
    thread: &mut Thread,
    timerid: i32,
    flags: u32,
    new_value: GuestPtr<itimerspec64::Guest32>,
    old_value: GuestPtr<itimerspec64::Guest32>,
) -> SysResult {
    set_timer64(thread, nr::TIMER_SETTIME, timerid, flags, new_value, old_value)
}

/// timer_gettime(2)
pub(crate) fn timer_gettime(thread: &mut Thread, timerid: i32, curr_value: GuestPtr<itimerspec::Guest32>) -> SysResult {
    get_timer(thread, nr::TIMER_GETTIME, timerid, curr_value)
}

/// timerfd_settime(2)
pub(crate) fn timerfd_settime(
    thread: &mut Thread,
    fd: i32,
    flags: u32,
    new_value: GuestPtr<itimerspec::Guest32>,
    old_value: GuestPtr<itimerspec::Guest32>,
) -> SysResult {
    set_timer(thread, nr::TIMERFD_SETTIME, fd, flags, new_value, old_value)
}

/// timerfd_settime(2) with 64-bit times.
pub(crate) fn timerfd_settime64(
    thread: &mut Thread,
    fd: i32,
    flags: u32,
    new_value: GuestPtr<itimerspec64::Guest32>,
    old_value: GuestPtr<itimerspec64::Guest32>,
) -> SysResult {
    set_timer64(thread, nr::TIMERFD_SETTIME, fd, flags, new_value, old_value)
}

/// timerfd_gettime(2)
pub(crate) fn timerfd_gettime(thread: &mut Thread, fd: i32, curr_value: GuestPtr<itimerspec::Guest32>) -> SysResult {
    get_timer(thread, nr::TIMERFD_GETTIME, fd, curr_value)
}

fn set_timer(
    thread: &mut Thread,
    number: u32,
    timer: i32,
    flags: u32,
    new_value: GuestPtr<itimerspec::Guest32>,
    old_value: GuestPtr<itimerspec::Guest32>,
) -> SysResult {
    let (new, mut old) = (Input::read(new_value), itimerspec::Host64::default());
    thread.sys(number, [host::int(timer), u64::from(flags), new.address(), output(old_value, &mut old)])?;
    fill(old_value, &old)
}

fn set_timer64(
    thread: &mut Thread,
    number: u32,
    timer: i32,
    flags: u32,
    new_value: GuestPtr<itimerspec64::Guest32>,
    old_value: GuestPtr<itimerspec64::Guest32>,
) -> SysResult {
    let new = Input::read(new_value)
        .map(|new| itimerspec64::Host64 { it_interval: low_nsec(new.it_interval), it_value: low_nsec(new.it_value) });
    let args = [host::int(timer), u64::from(flags), new.address(), u64::from(old_value.address())];
    thread.sys(number, args).map(host::low)
}

fn get_timer(thread: &mut Thread, number: u32, timer: i32, curr_value: GuestPtr<itimerspec::Guest32>) -> SysResult {
    let mut now = itimerspec::Host64::default();
    thread.sys(number, [host::int(timer), host::addr_mut(&mut now)])?;
    mem::write(curr_value, &now.truncate()).map(|()| 0)
}

/// Writes a result that the guest may not have asked for.
fn fill<G: IntoBytes + Immutable, H: Narrow<G> + Copy>(pointer: GuestPtr<G>, value: &H) -> SysResult {
    if !pointer.is_null() {
        mem::write(pointer, &value.truncate())?;
    }
    Ok(0)
}

/// Drops what a 32-bit C library leaves in the upper half of `tv_nsec` (`get_timespec64` in kernel/time/time.c).
pub(super) fn low_nsec(time: timespec64::Host64) -> timespec64::Host64 {
    timespec64::Host64 { tv_nsec: time.tv_nsec & 0xffff_ffff, ..time }
}

/// Where the rest of a sleep goes: nowhere, if it is until a point in time.
fn relative(flags: u32, rem: GuestPtr<u8>) -> GuestPtr<u8> {
    if flags & TimerFlags::TIMER_ABSTIME == 0 { rem } else { GuestPtr::default() }
}

/// The end of a sleep: where a signal ended it, the guest is told how much of it is left.
fn slept<G: IntoBytes + Immutable, H: Narrow<G> + Copy>(
    result: Result<u64, Errno>,
    request: &Input<H>,
    left: &H,
    rem: GuestPtr<G>,
) -> SysResult {
    if !rem.is_null() {
        match (result, request) {
            (Err(Errno::EINTR), _) => mem::write(rem, &left.truncate())?,
            // The signal came before the kernel was entered: all of it is left.
            (Err(Errno::ERESTARTSYS), Input::Value(all)) => mem::write(rem, &all.truncate())?,
            _ => {}
        }
    }
    result.map(host::low)
}
