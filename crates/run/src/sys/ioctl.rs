//! ioctl(2): by the rows of [`abi::ioctl`], with a function for each argument that no row can describe.

mod fs;
mod i2c;
pub(crate) mod sound;
pub(crate) mod usb;
mod video;

use super::fd::events;
use super::input::UNREADABLE;
use crate::dispatch::SysResult;
use crate::host::{self, nr};
use crate::log::Seen;
use crate::mem::{self, Buf};
use crate::thread::Thread;
use abi::ioctl::{
    Argument, Direction, SIZE_MASK, Structure, block, comedi, dvb, fs as fs_rows, i2c as i2c_rows, input, lookup, passes, scsi,
    socket, usb as usb_rows,
};
use abi::structs::fd::iovec;
use abi::structs::ioctl::{comedi_insn, comedi_insnlist, dtv_properties, dtv_property, sg_io_hdr, ulong};
use abi::structs::socket::{ethtool_rxnfc, ifconf, ifreq_data, in6_rtmsg, rtentry};
use abi::structs::time::{timespec, timeval};
use abi::structs::{Guest, Narrow, Widen};
use abi::trace::{Family, SockLevel, SocketOption};
use abi::{Errno, GuestPtr};
use zerocopy::{FromBytes, FromZeros, Immutable, IntoBytes};

/// A size of 4 bytes, where a number has it.
const LONG_SIZE: u32 = 4 << 16;

/// ioctl(2)
pub(crate) fn ioctl(thread: &mut Thread, fd: i32, request: u32, arg: GuestPtr<u8>) -> SysResult {
    events::notice_user(fd, request);
    let Some(row) = lookup(request) else {
        if passes(request) {
            return Host { fd, number: request }.make(thread, arg.address().into());
        }
        return refuse(thread, fd, request, "an ioctl that no row describes");
    };
    // Where the program chooses the size in the number, there is one number for both sides.
    let number = match row.number32 {
        number if number == request => row.number64,
        number if input::ONE_LONG.contains(&number) && request & SIZE_MASK > LONG_SIZE => number | LONG_SIZE,
        _ => request,
    };
    let call = Host { fd, number };
    match row.argument {
        Argument::None | Argument::Value | Argument::Same { .. } => call.make(thread, arg.address().into()),
        Argument::Struct { direction, structure } => call.converted(thread, arg, direction, &structure),
        Argument::Special(structure) => special(thread, call, request, arg, &structure),
        Argument::Refused(why) => refuse(thread, fd, request, why),
    }
}

/// The call to the host's kernel.
#[derive(Clone, Copy)]
struct Host {
    fd: i32,
    number: u32,
}

impl Host {
    fn make(self, thread: &mut Thread, argument: u64) -> SysResult {
        thread.sys(nr::IOCTL, [host::int(self.fd), self.number.into(), argument]).map(host::low)
    }

    /// With a structure that a row converts. What cannot be read is passed on as unreadable, so that the kernel makes its own
    /// complaints, such as `ENOTTY`, first.
    fn converted(self, thread: &mut Thread, arg: GuestPtr<u8>, direction: Direction, structure: &Structure) -> SysResult {
        let mut guest = Buf::<u8>::zeroed(structure.layout.size32)?;
        let mut value = Buf::<u8>::zeroed(structure.layout.size64)?;
        if direction != Direction::Out {
            if mem::read_bytes(arg, &mut guest).is_err() {
                return self.make(thread, UNREADABLE);
            }
            (structure.widen)(&guest, &mut value);
        }
        let result = self.make(thread, host::addr_mut(&mut *value))?;
        if direction != Direction::In {
            (structure.narrow)(&value, &mut guest).map_err(|overflow| thread.too_large(overflow))?;
            mem::write_bytes(arg, &guest)?;
        }
        Ok(result)
    }

    /// With a structure that goes in only.
    fn with<G: FromBytes + IntoBytes + Guest + Widen<G::Host>>(self, thread: &mut Thread, arg: GuestPtr<G>) -> SysResult {
        match mem::read(arg).map(Widen::widen) {
            Ok(value) => self.make(thread, host::addr(&value)),
            Err(_) => self.make(thread, UNREADABLE),
        }
    }

    /// With a structure that comes out only, of which the kernel cuts what does not fit.
    fn cut<G>(self, thread: &mut Thread, arg: GuestPtr<G>) -> SysResult
    where
        G: Guest + IntoBytes + Immutable,
        G::Host: FromBytes + IntoBytes + Narrow<G>,
    {
        let mut value = G::Host::new_zeroed();
        let result = self.make(thread, host::addr_mut(&mut value))?;
        mem::write(arg, &value.truncate())?;
        Ok(result)
    }
}

fn special(thread: &mut Thread, call: Host, request: u32, arg: GuestPtr<u8>, structure: &Structure) -> SysResult {
    match request {
        socket::number::SIOCGSTAMP_OLD => call.cut::<timeval::Guest32>(thread, arg.cast()),
        socket::number::SIOCGSTAMPNS_OLD => call.cut::<timespec::Guest32>(thread, arg.cast()),
        socket::number::SIOCADDRT | socket::number::SIOCDELRT => route(thread, call, arg),
        socket::number::SIOCGIFCONF => interfaces(thread, call, arg.cast()),
        socket::number::SIOCETHTOOL => ethtool(thread, call, arg.cast()),
        block::number::BLKGETSIZE => {
            let mut sectors = 0u64;
            call.make(thread, host::addr_mut(&mut sectors))?;
            // `compat_blkdev_ioctl`
            let sectors = u32::try_from(sectors).map_err(|_| Errno::EFBIG)?;
            mem::write(arg.cast::<ulong::Guest32>(), &ulong::Guest32 { value: sectors.into() }).map(|()| 0)
        }
        fs_rows::number::FS_IOC_RESVSP
        | fs_rows::number::FS_IOC_UNRESVSP
        | fs_rows::number::FS_IOC_RESVSP64
        | fs_rows::number::FS_IOC_UNRESVSP64
        | fs_rows::number::FS_IOC_ZERO_RANGE => fs::preallocate(thread, call, request, arg.cast()),
        scsi::number::SG_IO => scsi_command(thread, call, arg.cast()),
        i2c_rows::number::I2C_RDWR => i2c::messages(thread, call, arg.cast()),
        dvb::number::FE_SET_PROPERTY => properties(thread, call, arg.cast(), true),
        dvb::number::FE_GET_PROPERTY => properties(thread, call, arg.cast(), false),
        comedi::number::COMEDI_INSNLIST => instructions(thread, call, arg.cast()),
        usb_rows::number::USBDEVFS_SUBMITURB => usb::submit(thread, call, request, arg.cast()),
        usb_rows::number::USBDEVFS_DISCARDURB => usb::discard(thread, call, arg.address()),
        usb_rows::number::USBDEVFS_REAPURB | usb_rows::number::USBDEVFS_REAPURBNDELAY => usb::reap(thread, call, arg.cast()),
        _ => sound::special(thread, call, request, arg).unwrap_or_else(|| video::of_type(thread, call, request, arg, structure)),
    }
}

/// `SIOCADDRT` and `SIOCDELRT`: the structure is that of the socket's family (`compat_routing_ioctl` of each).
fn route(thread: &mut Thread, call: Host, arg: GuestPtr<u8>) -> SysResult {
    const IPPROTO_MPTCP: u32 = 262;
    let mut option = |name: u32| {
        let (mut value, mut length) = (0u32, 4u32);
        let (fd, level) = (host::int(call.fd), SockLevel::SOL_SOCKET.into());
        let asked = thread.sys(nr::GETSOCKOPT, [fd, level, name.into(), host::addr_mut(&mut value), host::addr_mut(&mut length)]);
        asked.map(|_| value)
    };
    match (option(SocketOption::SO_DOMAIN), option(SocketOption::SO_PROTOCOL)) {
        // No socket: whatever the file says of numbers that it does not know.
        (Err(_), _) => call.make(thread, arg.address().into()),
        (_, Ok(IPPROTO_MPTCP)) => Err(Errno::ENOTTY),
        (Ok(Family::AF_INET), _) => call.with::<rtentry::Guest32>(thread, arg.cast()),
        (Ok(Family::AF_INET6), _) => call.with::<in6_rtmsg::Guest32>(thread, arg.cast()),
        // In 64-bit programs some hand it on to IPv4.
        _ => Err(Errno::ENOTTY),
    }
}

/// Size of `struct ifreq` in the guest.
const IFREQ32: usize = 32;
/// Size of `struct ifreq` on the host.
const IFREQ64: usize = 40;
/// More addresses than this no machine has.
const MOST_INTERFACES: usize = 1 << 16;

/// `SIOCGIFCONF`: an array of interfaces with an address each (`dev_ifconf`).
fn interfaces(thread: &mut Thread, call: Host, arg: GuestPtr<ifconf::Guest32>) -> SysResult {
    let Ok(list) = mem::read(arg) else {
        return call.make(thread, UNREADABLE);
    };
    let room = usize::try_from(list.ifc_len).unwrap_or(0) / IFREQ32;
    let buffer = GuestPtr::<u8>::new(list.ifc_ifcu.get());
    let mut requests = Buf::<u8>::zeroed(if buffer.is_null() { 0 } else { room.min(MOST_INTERFACES) * IFREQ64 })?;
    let mut value = ifconf::Host64 { ifc_len: i32::try_from(requests.len()).unwrap_or(i32::MAX), ..Default::default() };
    if !buffer.is_null() {
        value.ifc_ifcu = host::addr_mut(&mut *requests);
    }
    call.make(thread, host::addr_mut(&mut value))?;
    let count = usize::try_from(value.ifc_len).unwrap_or(0) / IFREQ64;
    for (index, request) in requests.chunks_exact(IFREQ64).take(count).enumerate() {
        let at = u32::try_from(index * IFREQ32).ok().and_then(|offset| buffer.byte_add(offset)).ok_or(Errno::EFAULT)?;
        // Name and address, and none of the pointer's other half.
        mem::write_bytes(at, &request[..IFREQ32])?;
    }
    mem::write(arg.cast(), &i32::try_from(count * IFREQ32).unwrap_or(i32::MAX)).map(|()| 0)
}

/// The commands of `SIOCETHTOOL` that take a `struct ethtool_rxnfc` (`linux/ethtool.h`).
const ETHTOOL_GRXFH: u32 = 0x29;
const ETHTOOL_SRXFH: u32 = 0x2a;
const ETHTOOL_GRXRINGS: u32 = 0x2d;
const ETHTOOL_GRXCLSRLALL: u32 = 0x30;
const ETHTOOL_SRXCLSRLINS: u32 = 0x32;
/// In `flow_type`: the whole structure is there, not only its first 16 bytes.
const FLOW_RSS: u32 = 0x2000_0000;
/// Where `rule_locs` begins on the host.
const RULE_LOCS64: usize = 188;
/// More rules than this no network card has.
const MOST_RULES: u32 = 1 << 20;

/// `SIOCETHTOOL`: what the pointer in `struct ifreq` points to is the same on both sides, except for rules about received
/// packets (`ethtool_rxnfc_copy_from_compat`).
fn ethtool(thread: &mut Thread, call: Host, arg: GuestPtr<ifreq_data::Guest32>) -> SysResult {
    let Ok(request) = mem::read(arg) else {
        return call.make(thread, UNREADABLE);
    };
    let mut request64 = request.widen();
    let data = GuestPtr::<ethtool_rxnfc::Guest32>::new(request.ifr_data.get());
    let Ok([command, flow]) = mem::read(data.cast::<[u32; 2]>()) else {
        return call.make(thread, host::addr(&request64));
    };
    let short = matches!(command, ETHTOOL_GRXFH | ETHTOOL_SRXFH) && flow & FLOW_RSS == 0;
    let rules = matches!(command, ETHTOOL_GRXFH | ETHTOOL_SRXFH | ETHTOOL_GRXRINGS..=ETHTOOL_SRXCLSRLINS);
    if short || !rules {
        return call.make(thread, host::addr(&request64));
    }
    let Ok(rule) = mem::read(data) else {
        request64.ifr_data = UNREADABLE;
        return call.make(thread, host::addr(&request64));
    };
    let count = if command == ETHTOOL_GRXCLSRLALL { rule.rule_cnt.min(MOST_RULES) } else { 0 };
    let locations = usize::try_from(count).unwrap_or(0) * 4;
    let head = size_of::<ethtool_rxnfc::Host64>();
    let mut value = Buf::<u8>::zeroed(head.max(RULE_LOCS64 + locations))?;
    let _ = rule.widen().write_to(&mut value[..head]);
    request64.ifr_data = host::addr_mut(&mut *value);
    let result = call.make(thread, host::addr(&request64))?;
    let rule = ethtool_rxnfc::Host64::read_from_bytes(&value[..head]).map_err(|_| Errno::EINVAL)?;
    mem::write(data, &rule.truncate())?;
    let after = data.byte_add(180).ok_or(Errno::EFAULT)?.cast();
    mem::write_bytes(after, &value[RULE_LOCS64..RULE_LOCS64 + locations])?;
    Ok(result)
}

/// The host's copies of `count` structures at `address`, and where they are: for a pointer in another structure. Of more than `most`
/// the kernel complains before it looks at them. The copies must be kept until the call has been made.
fn widened<G>(address: u32, count: u32, most: u32) -> Result<(Buf<G::Host>, u64), Errno>
where
    G: Guest + Widen<G::Host> + Copy + FromBytes + FromZeros + IntoBytes,
    G::Host: FromBytes + FromZeros + IntoBytes,
{
    let room = usize::try_from(if count > most { 0 } else { count }).map_err(|_| Errno::EINVAL)?;
    let mut given = Buf::<G>::zeroed(room)?;
    let mut copies = Buf::<G::Host>::zeroed(room)?;
    if count == 0 {
        return Ok((copies, address.into()));
    }
    if count > most || mem::read_slice(GuestPtr::new(address), &mut given).is_err() {
        return Ok((copies, UNREADABLE));
    }
    for (to, from) in copies.iter_mut().zip(given.iter()) {
        *to = from.widen();
    }
    let at = host::addr_mut(&mut *copies);
    Ok((copies, at))
}

/// `FE_SET_PROPERTY` and `FE_GET_PROPERTY`: an array of properties, of which the second fills in the values
/// (`dvb_frontend_handle_compat_ioctl`).
fn properties(thread: &mut Thread, call: Host, arg: GuestPtr<dtv_properties::Guest32>, is_set: bool) -> SysResult {
    /// `DTV_IOCTL_MAX_MSGS`
    const MOST: u32 = 64;
    let Ok(list) = mem::read(arg) else {
        return call.make(thread, UNREADABLE);
    };
    let (copies, props) = widened::<dtv_property::Guest32>(list.props.get(), list.num, MOST)?;
    let result = call.make(thread, host::addr(&dtv_properties::Host64 { props, ..list.widen() }))?;
    if !is_set {
        let mut filled = Buf::<dtv_property::Guest32>::zeroed(copies.len())?;
        for (to, from) in filled.iter_mut().zip(copies.iter()) {
            *to = from.narrow().map_err(|overflow| thread.too_large(overflow))?;
        }
        mem::write_slice(GuestPtr::new(list.props.get()), &filled)?;
    }
    Ok(result)
}

/// `COMEDI_INSNLIST`: an array of instructions (`compat_insnlist`).
fn instructions(thread: &mut Thread, call: Host, arg: GuestPtr<comedi_insnlist::Guest32>) -> SysResult {
    /// The kernel has no room for more in one piece.
    const MOST: u32 = 1 << 17;
    let Ok(list) = mem::read(arg) else {
        return call.make(thread, UNREADABLE);
    };
    let (_copies, insns) = widened::<comedi_insn::Guest32>(list.insns.get(), list.n_insns, MOST)?;
    call.make(thread, host::addr(&comedi_insnlist::Host64 { insns, ..list.widen() }))
}

/// `SG_IO`: a SCSI command, whose data may be scattered over an array of buffers (`get_sg_io_hdr`).
fn scsi_command(thread: &mut Thread, call: Host, arg: GuestPtr<sg_io_hdr::Guest32>) -> SysResult {
    let Ok(header) = mem::read(arg) else {
        return call.make(thread, UNREADABLE);
    };
    let mut value = header.widen();
    let count = u32::from(header.iovec_count);
    let (_buffers, address) = widened::<iovec::Guest32>(header.dxferp.get(), count, u16::MAX.into())?;
    if count > 0 {
        value.dxferp = address;
    }
    let result = call.make(thread, host::addr_mut(&mut value))?;
    let mut filled: sg_io_hdr::Guest32 = value.truncate();
    // The address is the guest's own.
    filled.dxferp = header.dxferp;
    mem::write(arg, &filled)?;
    Ok(result)
}

/// A number that is not passed on: as one that the file does not know, which is `EINVAL` for epoll(7) and `ENOTTY` for most.
fn refuse(thread: &mut Thread, fd: i32, request: u32, why: &'static str) -> SysResult {
    // No direction and yet a size, of no driver, and no small number.
    const UNKNOWN: u64 = 0x3fff_00ff;
    let Err(errno) = thread.sys(nr::IOCTL, [host::int(fd), UNKNOWN, 0]) else { return Err(Errno::ENOTTY) };
    if errno == Errno::EBADF {
        return Err(errno);
    }
    thread.unsupported = why;
    if REFUSED.is_new(request) {
        crate::log::ioctl(request, why);
    }
    Err(errno)
}

/// Numbers that have been recorded as refused.
static REFUSED: Seen = Seen::new();
