//! Descriptors through which input events travel, those of evdev and uinput: read(2) and write(2) move `struct input_event`, whose two
//! layouts differ (`drivers/input/input-compat.c`).
//!
//! Reading and writing is on the fast path, and leaves it in a process that has come by such a descriptor: it has opened it, received
//! it, was executed with it, or has used an ioctl of its drivers. What a descriptor is, is asked at each call from then on, so that
//! duplicates and numbers that are used again need no book-keeping.

use super::{IoVecs, each_open, uninterrupted};
use crate::dispatch::SysResult;
use crate::host::{addr, addr_mut, int, low, nr};
use crate::mem::{self, Buf};
use crate::switch::entry;
use crate::thread::Thread;
use abi::scalar::{Signed as _, Unsigned as _};
use abi::structs::fd::input_event;
use abi::structs::fs::stat;
use abi::structs::{Narrow, Widen};
use abi::syscalls::{Action, i386};
use abi::{Errno, GuestPtr};
use core::sync::atomic::{AtomicBool, Ordering};
use zerocopy::IntoBytes;

/// Whether there may be such a descriptor.
static WATCHED: AtomicBool = AtomicBool::new(false);

/// Bytes of an event in the guest.
const EVENT32: u32 = 16;
/// Bytes of an event on the host.
const EVENT64: u64 = 24;
const _: () = assert!(size_of::<input_event::Guest32>() == 16 && size_of::<input_event::Host64>() == 24);

/// More events than a device ever keeps for a reader (`evdev_compute_buffer_size`).
const MOST_READ: u32 = 1 << 13;
/// More events than anybody writes at once; the call would be short.
const MOST_WRITTEN: u32 = 1 << 20;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Device {
    Evdev,
    Uinput,
}

/// What device `fd` is, if it is one whose events are converted.
fn device(fd: i32) -> Option<Device> {
    const S_IFMT: u32 = 0o170_000;
    const S_IFCHR: u32 = 0o020_000;
    const MISC_MAJOR: u64 = 10;
    const UINPUT_MINOR: u64 = 223;
    const INPUT_MAJOR: u64 = 13;
    /// `EVDEV_MINOR_BASE` and as many as there are (`drivers/input/evdev.c`).
    const EVDEV_MINORS: core::ops::Range<u64> = 64..96;
    /// `INPUT_FIRST_DYNAMIC_DEV`: from here on numbers are given to whatever device comes.
    const DYNAMIC_MINORS: u64 = 256;
    const EVIOCGVERSION: u64 = 0x8004_4501;
    let mut host = stat::Host64::default();
    uninterrupted(nr::FSTAT, [int(fd), addr_mut(&mut host)]).ok()?;
    let major = host.st_rdev >> 8 & 0xfff;
    let minor = host.st_rdev & 0xff | host.st_rdev >> 12 & 0xff_ff00;
    match (host.st_mode & S_IFMT, major) {
        (S_IFCHR, MISC_MAJOR) if minor == UINPUT_MINOR => Some(Device::Uinput),
        (S_IFCHR, INPUT_MAJOR) if EVDEV_MINORS.contains(&minor) => Some(Device::Evdev),
        (S_IFCHR, INPUT_MAJOR) if minor >= DYNAMIC_MINORS => {
            let mut version = 0u32;
            let answer = uninterrupted(nr::IOCTL, [int(fd), EVIOCGVERSION, addr_mut(&mut version)]);
            // One that has been pulled out knows no version any more.
            matches!(answer, Ok(_) | Err(Errno::ENODEV)).then_some(Device::Evdev)
        }
        _ => None,
    }
}

/// Looks at a descriptor that this process has come by. Only where nothing else tells: positions cost less to ask for than what a
/// file is, ask no server of a network file system, and these devices have none.
pub(crate) fn notice(fd: i32) {
    const SEEK_CUR: u64 = 1;
    if !WATCHED.load(Ordering::Relaxed)
        && uninterrupted(nr::LSEEK, [int(fd), 0, SEEK_CUR]) == Err(Errno::ESPIPE)
        && device(fd).is_some()
    {
        WATCHED.store(true, Ordering::Relaxed);
        for row in i386::TABLE.iter().flatten() {
            if matches!(row.action, Action::Native(host) if matches!(u32::from(host), nr::READ | nr::WRITE)) {
                entry::slow(row.number);
            }
        }
    }
}

/// Looks at a descriptor that is asked something which only these drivers know: whoever reads events asks what they are about, however
/// the descriptor has come here.
pub(crate) fn notice_user(fd: i32, request: u32) {
    let [_, kind, ..] = request.to_le_bytes();
    if matches!(kind, b'E' | b'U') {
        notice(fd);
    }
}

/// Looks at what a call returns that gives a descriptor.
pub(crate) fn noticed(result: SysResult) -> SysResult {
    result.inspect(|&fd| notice(fd.signed()))
}

/// Looks at the descriptors that this program was executed with.
pub(crate) fn notice_inherited() {
    each_open(&mut notice);
}

/// In place of the host's native call `number`, where that would move events.
pub(crate) fn intercept(thread: &mut Thread, number: u32, args: [u32; 6]) -> Option<SysResult> {
    let moves = match number {
        nr::READ => read,
        nr::WRITE => write,
        _ => return None,
    };
    let [fd, buf, count, ..] = args;
    let device = watched(fd.signed())?;
    Some(moves(thread, device, fd.signed(), GuestPtr::new(buf), count))
}

fn watched(fd: i32) -> Option<Device> {
    if WATCHED.load(Ordering::Relaxed) { device(fd) } else { None }
}

/// In place of readv(2) or writev(2), whose number is `number`: the drivers see a call for each piece, until one is not filled
/// (`do_loop_readv_writev`).
pub(super) fn intercept_vectored(thread: &mut Thread, number: u32, fd: i32, vectors: &IoVecs) -> Option<SysResult> {
    let moves = match number {
        nr::READV | nr::PREADV2 => read,
        nr::WRITEV | nr::PWRITEV2 => write,
        _ => return None,
    };
    let device = watched(fd)?;
    // What is wrong with the array, and an array of nothing, is the kernel's to judge.
    let pieces = vectors.pieces()?;
    let mut done = 0u32;
    for (index, piece) in pieces.iter().enumerate() {
        let length = low(piece.iov_len.unsigned());
        if length == 0 && index > 0 {
            continue;
        }
        match moves(thread, device, fd, GuestPtr::new(low(piece.iov_base)), length) {
            Err(error) if done == 0 => return Some(Err(error)),
            Err(_) => break,
            Ok(moved) => {
                done = done.saturating_add(moved);
                if moved != length {
                    break;
                }
            }
        }
    }
    Some(Ok(done))
}

/// `evdev_read` and `uinput_read`.
fn read(thread: &mut Thread, _device: Device, fd: i32, buf: GuestPtr<u8>, count: u32) -> SysResult {
    let room = (count / EVENT32).min(MOST_READ);
    if room == 0 {
        // Nothing at all, which finds what is wrong with the device, or less than an event on either side.
        return thread.sys(nr::READ, [int(fd), u64::from(buf.address()), u64::from(count)]).map(low);
    }
    let mut events = Buf::<input_event::Host64>::zeroed(usize::try_from(room).unwrap_or(0))?;
    let length = thread.sys(nr::READ, [int(fd), addr_mut(&mut *events), u64::from(room) * EVENT64])?;
    let mut at = 0;
    for event in events.iter().take(usize::try_from(length / EVENT64).unwrap_or(0)) {
        let to = buf.byte_add(at).ok_or(Errno::EFAULT)?;
        mem::write::<input_event::Guest32>(to.cast(), &event.truncate())?;
        at += EVENT32;
    }
    Ok(at)
}

/// `evdev_write` and `uinput_write`.
fn write(thread: &mut Thread, device: Device, fd: i32, buf: GuestPtr<u8>, count: u32) -> SysResult {
    let wanted = (count / EVENT32).min(MOST_WRITTEN);
    if wanted == 0 || (device == Device::Uinput && count == USER_DEV && !is_created(fd)) {
        return thread.sys(nr::WRITE, [int(fd), u64::from(buf.address()), u64::from(count)]).map(low);
    }
    let mut given = Buf::<input_event::Guest32>::zeroed(usize::try_from(wanted).unwrap_or(0))?;
    let readable = mem::access::read_partial(buf.address(), given.as_mut_bytes()) / size_of::<input_event::Guest32>();
    if readable == 0 {
        // The kernel may have an earlier complaint than this address.
        return thread.sys(nr::WRITE, [int(fd), u64::from(buf.address()), EVENT64]).map(low);
    }
    let mut events = Buf::<input_event::Host64>::zeroed(readable)?;
    for (to, from) in events.iter_mut().zip(given.iter()) {
        *to = from.widen();
    }
    let length = thread.sys(nr::WRITE, [int(fd), addr(&*events), readable as u64 * EVENT64])?;
    if readable < given.len() {
        // Those before have arrived, as in the kernel.
        return Err(Errno::EFAULT);
    }
    Ok(low(length / EVENT64).saturating_mul(EVENT32))
}

/// Size of `struct uinput_user_dev`, which describes a device that is to be made; the same on both sides.
const USER_DEV: u32 = 1116;

/// Whether the device of this descriptor of uinput has been made, and takes events.
fn is_created(fd: i32) -> bool {
    /// `UI_GET_SYSNAME` with room for 64 bytes: `ENOENT` before there is a device.
    const UI_GET_SYSNAME: u64 = 0x8040_552c;
    let mut name = [0u8; 64];
    uninterrupted(nr::IOCTL, [int(fd), UI_GET_SYSNAME, addr_mut(&mut name)]).is_ok()
}
