//! Waiting for file descriptors: `select`, `poll`, `epoll`.
//!
//! The kernel writes the time that is left into the timeout of `select`, `pselect6` and `ppoll`, also when it is interrupted, and
//! does not mind where that cannot be written (`poll_select_finish` in `fs/select.c`).

use super::fd::uninterrupted;
use super::input::UNREADABLE;
use super::time::low_nsec;
use crate::dispatch::SysResult;
use crate::host::{addr, addr_mut, int, low, nr};
use crate::mem;
use crate::thread::Thread;
use abi::scalar::Signed as _;
use abi::structs::poll::{epoll_event, pollfd, sel_arg_struct, sigset_argpack};
use abi::structs::time::{timespec, timespec64, timeval};
use abi::structs::{Narrow, Widen};
use abi::{Errno, GuestPtr};
use zerocopy::{FromBytes, Immutable, IntoBytes};

/// A timeout in one of the layouts of the guest.
trait Timeout: FromBytes + IntoBytes + Immutable + Widen<Self::Host64> + Copy {
    type Host64: Narrow<Self> + Copy + PartialEq;
    fn for_host(self) -> Self::Host64 {
        self.widen()
    }
}
impl Timeout for timespec::Guest32 {
    type Host64 = timespec::Host64;
}
impl Timeout for timeval::Guest32 {
    type Host64 = timeval::Host64;
}
impl Timeout for timespec64::Guest32 {
    type Host64 = timespec64::Host64;
    fn for_host(self) -> timespec64::Host64 {
        low_nsec(self.widen())
    }
}

/// Makes a call with the host's address of the timeout, and gives the guest back what the kernel makes of it.
fn with_timeout<T: Timeout>(
    thread: &mut Thread,
    timeout: GuestPtr<T>,
    call: impl FnOnce(&mut Thread, u64) -> Result<u64, Errno>,
) -> SysResult {
    if timeout.is_null() {
        return call(thread, 0).map(low);
    }
    let given = mem::read(timeout)?.for_host();
    let mut left = given;
    let result = call(thread, addr_mut(&mut left));
    if left != given {
        let _ = mem::write(timeout, &left.truncate());
    }
    result.map(low)
}

/// The three sets of `select`, where they are for the host's kernel.
///
/// Its words have 8 bytes, the guest's 4. Where the last word would reach beyond the guest's set, the sets are copied; otherwise the
/// kernel works on the guest's own, and touches no more of them than it has room for descriptors (`max_fds`), just as it does for a
/// 32-bit task.
struct FdSets {
    guest: [GuestPtr<u32>; 3],
    words: usize,
    copies: Option<[mem::Buf<u64>; 3]>,
    addresses: [u64; 3],
}

impl FdSets {
    /// Copies the sets if need be.
    ///
    /// # Errors
    /// `ENOMEM`.
    fn read(nfds: i32, guest: [GuestPtr<u32>; 3]) -> Result<Self, Errno> {
        let addresses = guest.map(|set| u64::from(set.address()));
        // A negative number is EINVAL, and one above any limit is cut down: for the kernel to do.
        let bits = match usize::try_from(nfds) {
            Ok(bits @ 1..=LARGEST_COPY) if matches!(bits % 64, 1..=32) => bits,
            _ => return Ok(Self { guest, words: 0, copies: None, addresses }),
        };
        let length = bits.div_ceil(64);
        let copies = [mem::Buf::zeroed(length)?, mem::Buf::zeroed(length)?, mem::Buf::zeroed(length)?];
        let mut sets = Self { guest, words: bits.div_ceil(32), copies: Some(copies), addresses };
        let mut largest = None;
        for (i, copy) in sets.copies.iter_mut().flatten().enumerate() {
            let bytes = copy.as_mut_bytes().get_mut(..sets.words * 4).unwrap_or_default();
            if !guest[i].is_null() && mem::read_bytes(guest[i].cast(), bytes).is_err() {
                // A set may end where the kernel stops reading: at the end of the table, which is full words on either side.
                if bits > *largest.get_or_insert_with(table_size) {
                    return Ok(Self { guest, words: 0, copies: None, addresses });
                }
                // The kernel looks at the timeout first.
                sets.addresses[i] = UNREADABLE;
            }
        }
        Ok(sets)
    }

    /// The addresses for the host's kernel. They hold as long as this value stays where it is.
    fn host_addresses(&mut self) -> [u64; 3] {
        let mut addresses = self.addresses;
        for (address, copy) in addresses.iter_mut().zip(self.copies.iter_mut().flatten()) {
            if *address != 0 && *address != UNREADABLE {
                *address = addr_mut(&mut **copy);
            }
        }
        addresses
    }

    /// Gives the guest the copies back.
    ///
    /// # Errors
    /// `EFAULT`.
    fn write(&self) -> Result<(), Errno> {
        for (set, copy) in self.guest.iter().zip(self.copies.iter().flatten()) {
            if !set.is_null() {
                mem::write_bytes(set.cast(), copy.as_bytes().get(..self.words * 4).unwrap_or_default())?;
            }
        }
        Ok(())
    }
}

/// For how many descriptors the process has room now (`max_fds`), which is a multiple of 64; more than any where `/proc` does not tell.
fn table_size() -> usize {
    let mut text = [0; 512];
    let Ok(fd) = uninterrupted(nr::OPEN, [addr(c"/proc/self/status".to_bytes_with_nul()), 0, 0]) else { return usize::MAX };
    let length = uninterrupted(nr::READ, [fd, addr_mut(&mut text), text.len() as u64]);
    let _ = uninterrupted(nr::CLOSE, [fd]);
    let text = text.get(..usize::try_from(length.unwrap_or(0)).unwrap_or(0)).unwrap_or_default();
    let line = text.split(|&byte| byte == b'\n').find_map(|line| line.strip_prefix(b"FDSize:\t"));
    let digits = line.and_then(|digits| core::str::from_utf8(digits).ok());
    digits.and_then(|digits| digits.trim().parse().ok()).unwrap_or(usize::MAX)
}

/// No process can have more descriptors (`sysctl_nr_open_max` in `fs/file.c`), so no larger set is ever looked at in full.
const LARGEST_COPY: usize = 1 << 20;

/// select(2) as it first was.
pub(crate) fn select(thread: &mut Thread, arg: GuestPtr<sel_arg_struct::Guest32>) -> SysResult {
    let args = mem::read(arg)?;
    let set = |pointer: abi::Ptr32| GuestPtr::new(pointer.get());
    let nfds = args.n.get().signed();
    _newselect(thread, nfds, set(args.inp), set(args.outp), set(args.exp), GuestPtr::new(args.tvp.get()))
}

/// select(2).
pub(crate) fn _newselect(
    thread: &mut Thread,
    nfds: i32,
    readfds: GuestPtr<u32>,
    writefds: GuestPtr<u32>,
    exceptfds: GuestPtr<u32>,
    timeout: GuestPtr<timeval::Guest32>,
) -> SysResult {
    with_timeout(thread, timeout, |thread, timeout| {
        let mut sets = FdSets::read(nfds, [readfds, writefds, exceptfds])?;
        let [input, output, except] = sets.host_addresses();
        let ready = thread.sys(nr::SELECT, [int(nfds), input, output, except, timeout])?;
        sets.write()?;
        Ok(ready)
    })
}

fn pselect<T: Timeout>(
    thread: &mut Thread,
    nfds: i32,
    guest: [GuestPtr<u32>; 3],
    timeout: GuestPtr<T>,
    sig: GuestPtr<sigset_argpack::Guest32>,
) -> SysResult {
    let mask: Option<sigset_argpack::Host64> = if sig.is_null() { None } else { Some(mem::read(sig)?.widen()) };
    with_timeout(thread, timeout, |thread, timeout| {
        let mut sets = FdSets::read(nfds, guest)?;
        let [input, output, except] = sets.host_addresses();
        let mask = mask.as_ref().map_or(0, addr);
        let ready = thread.sys(nr::PSELECT6, [int(nfds), input, output, except, timeout, mask])?;
        sets.write()?;
        Ok(ready)
    })
}

/// pselect6(2) with 32-bit times.
pub(crate) fn pselect6(
    thread: &mut Thread,
    nfds: i32,
    readfds: GuestPtr<u32>,
    writefds: GuestPtr<u32>,
    exceptfds: GuestPtr<u32>,
    timeout: GuestPtr<timespec::Guest32>,
    sig: GuestPtr<sigset_argpack::Guest32>,
) -> SysResult {
    pselect(thread, nfds, [readfds, writefds, exceptfds], timeout, sig)
}

/// pselect6(2) with 64-bit times.
pub(crate) fn pselect6_time64(
    thread: &mut Thread,
    nfds: i32,
    readfds: GuestPtr<u32>,
    writefds: GuestPtr<u32>,
    exceptfds: GuestPtr<u32>,
    timeout: GuestPtr<timespec64::Guest32>,
    sig: GuestPtr<sigset_argpack::Guest32>,
) -> SysResult {
    pselect(thread, nfds, [readfds, writefds, exceptfds], timeout, sig)
}

fn poll<T: Timeout>(
    thread: &mut Thread,
    (fds, nfds): (GuestPtr<pollfd::Guest32>, u32),
    timeout: GuestPtr<T>,
    (mask, size): (GuestPtr<[u32; 2]>, u32),
) -> SysResult {
    with_timeout(thread, timeout, |thread, timeout| {
        let mask = u64::from(mask.address());
        thread.sys(nr::PPOLL, [u64::from(fds.address()), u64::from(nfds), timeout, mask, u64::from(size)])
    })
}

/// ppoll(2) with 32-bit times.
pub(crate) fn ppoll(
    thread: &mut Thread,
    fds: GuestPtr<pollfd::Guest32>,
    nfds: u32,
    tmo_p: GuestPtr<timespec::Guest32>,
    sigmask: GuestPtr<[u32; 2]>,
    sigsetsize: u32,
) -> SysResult {
    poll(thread, (fds, nfds), tmo_p, (sigmask, sigsetsize))
}

/// ppoll(2) with 64-bit times.
pub(crate) fn ppoll_time64(
    thread: &mut Thread,
    fds: GuestPtr<pollfd::Guest32>,
    nfds: u32,
    tmo_p: GuestPtr<timespec64::Guest32>,
    sigmask: GuestPtr<[u32; 2]>,
    sigsetsize: u32,
) -> SysResult {
    poll(thread, (fds, nfds), tmo_p, (sigmask, sigsetsize))
}

/// epoll_pwait2(2), which does not write into its timeout.
pub(crate) fn epoll_pwait2(
    thread: &mut Thread,
    epfd: i32,
    events: GuestPtr<epoll_event::Guest32>,
    maxevents: i32,
    timeout: GuestPtr<timespec64::Guest32>,
    sigmask: GuestPtr<[u32; 2]>,
    sigsetsize: u32,
) -> SysResult {
    let timeout = if timeout.is_null() { None } else { Some(low_nsec(mem::read(timeout)?.widen())) };
    let timeout = timeout.as_ref().map_or(0, addr);
    let args =
        [int(epfd), u64::from(events.address()), int(maxevents), timeout, u64::from(sigmask.address()), u64::from(sigsetsize)];
    thread.sys(nr::EPOLL_PWAIT2, args).map(low)
}
