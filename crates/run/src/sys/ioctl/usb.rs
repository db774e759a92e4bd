//! USB transfers in the background: `struct usbdevfs_urb`.
//!
//! The kernel keeps the address of the structure until the transfer is reaped; then it writes the result there and returns the
//! address. So a guest's structure has a counterpart with the host's layout for as long. The data are where the guest has them.

use super::{Host, UNREADABLE, refuse};
use crate::dispatch::SysResult;
use crate::host::{self, int, low, nr};
use crate::mem::{self, Buf};
use crate::switch::entry;
use crate::sync::Lock;
use crate::sys::fd::{each_open, uninterrupted};
use crate::thread::Thread;
use abi::scalar::{Signed as _, Unsigned as _};
use abi::structs::Widen;
use abi::structs::ioctl::usbdevfs_urb;
use abi::syscalls::{Action, i386};
use abi::{Errno, GuestPtr};
use core::mem::offset_of;
use core::sync::atomic::{AtomicBool, Ordering};
use zerocopy::{FromBytes, IntoBytes};

/// `USBDEVFS_URB_TYPE_ISO`: packets follow the structure.
const ISO: u8 = 0;
/// More packets than this the kernel does not take.
const MOST_PACKETS: usize = 128;
/// Transfers that may be on their way in a process. The kernel's own limit, `usbfs_memory_mb`, is reached before.
const MOST: usize = 4096;

/// `struct usbdevfs_iso_packet_desc`: length, actual length, status; the same on both sides.
type Packet = [u32; 3];

#[derive(Clone, Copy, FromBytes, IntoBytes)]
#[repr(C)]
struct Transfer {
    /// Where the guest has its structure; 0 where this place is free.
    guest: u32,
    /// How many packets there are.
    packets: u32,
    /// A descriptor of the device in this process, and which process that is.
    fd: u32,
    pid: u32,
    urb: usbdevfs_urb::Host64,
    /// What follows it.
    iso: [Packet; MOST_PACKETS],
}
const _: () = assert!(offset_of!(Transfer, iso) == offset_of!(Transfer, urb) + size_of::<usbdevfs_urb::Host64>());

pub(crate) struct Transfers {
    /// Places for [`MOST`]; nothing before the first transfer.
    places: Option<Buf<Transfer>>,
    /// From here on all are free, and have never been touched.
    end: usize,
}

/// A fork copies it, so it is held meanwhile.
pub(crate) static TRANSFERS: Lock<Transfers> = Lock::new(Transfers { places: None, end: 0 });

impl Transfers {
    /// Those on their way.
    fn used(&mut self) -> &mut [Transfer] {
        self.places.as_mut().and_then(|places| places.get_mut(..self.end)).unwrap_or_default()
    }

    /// A free place.
    fn take(&mut self) -> Result<&mut Transfer, Errno> {
        if self.places.is_none() {
            self.places = Some(Buf::zeroed(MOST)?);
        }
        let free = self.used().iter().position(|one| one.guest == 0).unwrap_or(self.end);
        self.end = self.end.max(free + 1).min(MOST);
        self.places.as_mut().and_then(|places| places.get_mut(free)).ok_or(Errno::ENOMEM)
    }

    /// The transfer whose structure the kernel knows by this address; its place is free from now on.
    fn give_back(&mut self, address: u64) -> Option<Transfer> {
        let place = self.used().iter_mut().find(|one| one.guest != 0 && host::addr(&one.urb) == address)?;
        let transfer = *place;
        place.guest = 0;
        Some(transfer)
    }
}

/// Where the packets of a guest's structure are.
fn packets(guest: u32) -> GuestPtr<Packet> {
    const LENGTH: u32 = 44;
    const { assert!(size_of::<usbdevfs_urb::Guest32>() == LENGTH as usize) };
    GuestPtr::new(guest.wrapping_add(LENGTH))
}

/// `USBDEVFS_SUBMITURB` (`proc_submiturb_compat` in `drivers/usb/core/devio.c`).
pub(super) fn submit(thread: &mut Thread, call: Host, request: u32, arg: GuestPtr<usbdevfs_urb::Guest32>) -> SysResult {
    let Ok(urb) = mem::read(arg) else {
        return call.make(thread, UNREADABLE);
    };
    if urb.signr != 0 {
        return refuse(thread, call.fd, request, "a transfer in the background that ends with a signal");
    }
    // Of other numbers the kernel complains before it looks at the packets.
    let count =
        usize::try_from(urb.number_of_packets).ok().filter(|&count| urb.r#type == ISO && count <= MOST_PACKETS).unwrap_or(0);
    let address = {
        let mut transfers = TRANSFERS.lock();
        let transfer = transfers.take()?;
        transfer.packets = u32::try_from(count).unwrap_or(0);
        (transfer.fd, transfer.pid) = (call.fd.unsigned(), thread.pid);
        transfer.urb = urb.widen();
        if mem::read_slice(packets(arg.address()), &mut transfer.iso[..count]).is_err() {
            None
        } else {
            transfer.guest = arg.address();
            Some(host::addr_mut(&mut transfer.urb))
        }
    };
    let Some(address) = address else {
        return call.make(thread, UNREADABLE);
    };
    watch_closing();
    // From now on another thread may reap it.
    let result = call.make(thread, address);
    if result.is_err() {
        TRANSFERS.lock().give_back(address);
    }
    result
}

/// `USBDEVFS_REAPURB` and `USBDEVFS_REAPURBNDELAY` (`processcompl_compat`).
pub(super) fn reap(thread: &mut Thread, call: Host, arg: GuestPtr<u32>) -> SysResult {
    let mut address = 0u64;
    let result = call.make(thread, host::addr_mut(&mut address))?;
    // One that another program has left behind, on a descriptor that it has passed on, is nobody's here.
    let Transfer { guest, packets: count, urb, iso, .. } = TRANSFERS.lock().give_back(address).ok_or(Errno::EFAULT)?;
    let field = |offset: u32| GuestPtr::<i32>::new(guest.wrapping_add(offset));
    mem::write(field(4), &urb.status)?;
    mem::write(field(20), &urb.actual_length)?;
    mem::write(field(32), &urb.error_count)?;
    let mut at = packets(guest).cast::<u32>();
    for [_, actual, status] in iso.iter().take(usize::try_from(count).unwrap_or(0)) {
        mem::write_slice(at.byte_add(4).ok_or(Errno::EFAULT)?, &[*actual, *status])?;
        at = at.byte_add(12).ok_or(Errno::EFAULT)?;
    }
    mem::write(arg, &guest)?;
    Ok(result)
}

/// `USBDEVFS_DISCARDURB`: the transfer ends early, and is reaped as others are.
pub(super) fn discard(thread: &mut Thread, call: Host, guest: u32) -> SysResult {
    // Held, so that what the kernel is told of is not reaped meanwhile and its place used by another.
    let mut transfers = TRANSFERS.lock();
    // The same structure may be on its way to several devices.
    for transfer in transfers.used().iter().filter(|one| one.guest == guest && guest != 0) {
        match call.make(thread, host::addr(&transfer.urb)) {
            Err(Errno::EINVAL) => {}
            result => return result,
        }
    }
    call.make(thread, guest.into())
}

// ---- devices that are closed with transfers on their way ----------------------------------------------------------------------

/// Whether there has been a transfer. The calls that close are on the fast path until then.
static SUBMITTED: AtomicBool = AtomicBool::new(false);

/// The host's numbers of the calls that close.
const CLOSING: [u32; 4] = [nr::CLOSE, nr::DUP2, nr::DUP3, nr::CLOSE_RANGE];

fn watch_closing() {
    if !SUBMITTED.swap(true, Ordering::Relaxed) {
        for row in i386::TABLE.iter().flatten() {
            if matches!(row.action, Action::Native(host) if CLOSING.contains(&u32::from(host))) {
                entry::slow(row.number);
            }
        }
    }
}

/// In place of the host's native call `number`, where that closes the last descriptor of a device in this process: the kernel ends the
/// device's transfers and nobody can reap them here, so their places are free. Other processes have copies of theirs.
pub(crate) fn intercept(thread: &mut Thread, number: u32, args: [u32; 6]) -> Option<SysResult> {
    let [first, second, flags, ..] = args;
    let closed = match number {
        nr::CLOSE => first..=first,
        nr::DUP2 | nr::DUP3 if first != second => second..=second,
        nr::CLOSE_RANGE if flags == 0 => first..=second,
        _ => return None,
    };
    if !SUBMITTED.load(Ordering::Relaxed) {
        return None;
    }
    // A child that shares the memory may have descriptors of its own.
    let pid = thread.pid;
    let mut last = false;
    let mut known = None;
    for transfer in TRANSFERS.lock().used() {
        if transfer.guest == 0 || transfer.pid != pid || !closed.contains(&transfer.fd) {
            continue;
        }
        let fd = transfer.fd;
        let other = match known {
            Some((of, other)) if of == fd => other,
            _ => another(pid, fd, &closed),
        };
        known = Some((fd, other));
        match other {
            Some(other) => transfer.fd = other,
            None => last = true,
        }
    }
    if !last {
        return None;
    }
    let result = thread.sys(number, args.map(u64::from)).map(low);
    if result.is_ok() {
        for transfer in TRANSFERS.lock().used() {
            if transfer.pid == pid && closed.contains(&transfer.fd) {
                transfer.guest = 0;
            }
        }
    }
    Some(result)
}

/// Another descriptor of the open file that is `fd`, which stays open; `fd` itself where the kernel does not say (kcmp(2)).
fn another(pid: u32, fd: u32, closed: &core::ops::RangeInclusive<u32>) -> Option<u32> {
    const KCMP_FILE: u64 = 0;
    let same =
        |other: u32| uninterrupted(nr::KCMP, [u64::from(pid), u64::from(pid), KCMP_FILE, int(fd.signed()), int(other.signed())]);
    if same(fd) != Ok(0) {
        return Some(fd);
    }
    let mut found = None;
    each_open(&mut |other| {
        let other = other.unsigned();
        if found.is_none() && !closed.contains(&other) && same(other) == Ok(0) {
            found = Some(other);
        }
    });
    found
}
