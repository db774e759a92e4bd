//! Sockets: messages, options, and the multiplexer socketcall(2). The rules are those of the kernel's `net/compat.c`.

use super::fd::events;
use super::input::{Input, UNREADABLE};
use crate::dispatch::SysResult;
use crate::host::{self, nr};
use crate::mem::{self, Buf};
use crate::thread::Thread;
use abi::cmsg;
use abi::scalar::{Signed as _, Unsigned as _};
use abi::structs::fd::iovec;
use abi::structs::socket::{group_filter, group_req, group_source_req, mmsghdr, msghdr, sctp_getaddrs_old, sock_fprog};
use abi::structs::time::{timespec, timespec64, timeval};
use abi::structs::{Guest, Narrow, Widen};
use abi::trace::{Family, MsgFlags, SOCKETCALL_ARGS, SockLevel, SocketOption, Socketcall};
use abi::{Errno, GuestPtr};
use zerocopy::{FromBytes, IntoBytes};

/// Most buffers in one message, and most messages in one call (`UIO_MAXIOV`).
const UIO_MAXIOV: u32 = 1024;
/// More control data than this the kernel never takes or gives: it is limited by `net.core.optmem_max`, in the tens of KiB.
const MOST_CONTROL: u32 = 1 << 20;

/// What the kernel always takes of it, whatever its version.
const LEAST_CONTROL: usize = 16 << 10;
/// A list of as many multicast sources, and one more, is longer than a word can say.
const LIST_OVERFLOWS: usize = 0x1ff_fffe;

/// About how much of the supervisor's memory the messages of one call may take at once, in bytes.
const PIECE: usize = 1 << 20;

/// Whether messages are sent or received.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Send,
    Receive,
}

/// Messages of the guest in the host's layout.
struct Batch {
    /// The guest's headers, as they were read.
    guest: Buf<msghdr::Guest32>,
    /// The host's. Until [`Batch::link`], `msg_iov` and `msg_control` are indices into the fields below.
    host: Buf<mmsghdr::Host64>,
    iovecs: Buf<iovec::Host64>,
    control: Buf<u8>,
    /// How many messages could be read; those behind them are as if the guest had not asked for them, because the kernel
    /// would have stopped there too.
    count: usize,
    /// Whether one more follows in `host` that fails as the guest's: the kernel reports that of the socket's next call.
    refused: bool,
    /// There are more, which are for another batch.
    more: bool,
}

impl Batch {
    /// Converts up to `count` messages from `at` on, `stride` bytes apart: one, and others as far as they take a [`PIECE`].
    fn gather(at: GuestPtr<msghdr::Guest32>, stride: u32, count: usize, way: Way) -> Result<Self, Errno> {
        let mut guest = Buf::<msghdr::Guest32>::zeroed(count)?;
        let (mut have, mut buffers, mut control_bytes) = (0, 0, 0);
        let mut failed = Ok(());
        let mut next = Some(at);
        let mut more = false;
        for slot in guest.iter_mut() {
            if buffers * size_of::<iovec::Host64>() + control_bytes > PIECE {
                more = true;
                break;
            }
            match next.ok_or(Errno::EFAULT).and_then(mem::read).and_then(|header| check(header, way)) {
                Ok(header) => *slot = header,
                Err(error) => {
                    failed = Err(error);
                    break;
                }
            }
            buffers += match slot.msg_iovlen.get() {
                length @ 0..=UIO_MAXIOV => size(length),
                // It fails before the first is read.
                _ => 0,
            };
            control_bytes += host_control(slot, way);
            have += 1;
            if count > 1 && !next.is_some_and(is_writable) {
                // The kernel stops at this one, when it is on its way.
                break;
            }
            next = next.and_then(|at| at.byte_add(stride));
        }
        if have == 0 {
            failed?;
        }
        let mut batch = Self {
            guest,
            host: Buf::zeroed(have + 1)?,
            iovecs: Buf::zeroed(buffers)?,
            control: Buf::zeroed(control_bytes)?,
            count: 0,
            refused: false,
            more,
        };
        let (mut iovec_at, mut control_at) = (0, 0);
        for index in 0..have {
            match batch.convert(index, iovec_at, control_at, way) {
                Ok(()) => batch.count += 1,
                Err(error) if index == 0 => return Err(error),
                Err(error) => {
                    failed = Err(error);
                    batch.more = false;
                    break;
                }
            }
            iovec_at += size(batch.guest[index].msg_iovlen.get());
            control_at += host_control(&batch.guest[index], way);
        }
        if let (Err(error), Way::Receive) = (failed, way) {
            batch.host[batch.count].msg_hdr = refused(error);
            batch.refused = true;
        }
        Ok(batch)
    }

    /// How many messages there are for the host.
    fn length(&self) -> u64 {
        self.count as u64 + u64::from(self.refused)
    }

    fn convert(&mut self, index: usize, iovec_at: usize, control_at: usize, way: Way) -> Result<(), Errno> {
        let guest = self.guest[index];
        let buffers = size(guest.msg_iovlen.get());
        if way == Way::Send {
            // The name is read first of all (`__get_compat_msghdr`), as far as any address goes.
            let mut name = [0; LONGEST_NAME];
            let length = usize::try_from(guest.msg_namelen).unwrap_or(0).min(LONGEST_NAME);
            if guest.msg_name.get() != 0 {
                mem::read_bytes(GuestPtr::new(guest.msg_name.get()), &mut name[..length])?;
            }
        }
        if guest.msg_iovlen.get() > UIO_MAXIOV {
            return Err(Errno::EMSGSIZE);
        }
        for (i, slot) in self.iovecs[iovec_at..iovec_at + buffers].iter_mut().enumerate() {
            let offset = u32::try_from(i * 8).map_err(|_| Errno::EFAULT)?;
            let at = GuestPtr::<iovec::Guest32>::new(guest.msg_iov.get()).byte_add(offset).ok_or(Errno::EFAULT)?;
            let buffer = mem::read(at)?;
            // The length is a signed word there (`copy_compat_iovec_from_user`), and would be a positive one here.
            if buffer.iov_len.get() < 0 {
                return Err(Errno::EINVAL);
            }
            *slot = buffer.widen();
        }
        let room = host_control(&guest, way);
        let control = &mut self.control[control_at..control_at + room];
        let controllen = match way {
            Way::Receive => room,
            Way::Send if guest.msg_controllen.get() == 0 => 0,
            Way::Send => {
                let from = GuestPtr::new(guest.msg_control.get());
                let used = used_control(from, guest.msg_controllen.get())?;
                if used > size(MOST_CONTROL) {
                    return Err(Errno::ENOMEM);
                }
                let mut given = Buf::<u8>::zeroed(used)?;
                mem::read_bytes(from, &mut given)?;
                let length = cmsg::widened_length(&given)?;
                cmsg::widen(&given, control.get_mut(..length).ok_or(Errno::ENOBUFS)?)?;
                length
            }
        };
        self.host[index].msg_hdr = msghdr::Host64 {
            msg_name: guest.msg_name.widen(),
            msg_namelen: guest.msg_namelen,
            msg_iov: iovec_at as u64,
            msg_iovlen: guest.msg_iovlen.widen(),
            msg_control: control_at as u64,
            msg_controllen: controllen as u64,
            ..Default::default()
        };
        Ok(())
    }

    /// Puts the addresses in. The batch must not move any more.
    fn link(&mut self) -> u64 {
        let (iovecs, control) = (host::addr(&*self.iovecs), host::addr_mut(&mut *self.control));
        for message in &mut self.host[..self.count] {
            let header = &mut message.msg_hdr;
            header.msg_iov = iovecs + header.msg_iov * size_of::<iovec::Host64>() as u64;
            header.msg_control = if header.msg_controllen == 0 { 0 } else { control + header.msg_control };
        }
        host::addr_mut(&mut *self.host)
    }

    /// Gives the guest what message `index` has received beside its data.
    fn scatter(&mut self, thread: &mut Thread, index: usize, at: GuestPtr<msghdr::Guest32>) -> Result<(), Errno> {
        let (guest, header) = (self.guest[index], self.host[index].msg_hdr);
        let mut flags = header.msg_flags;
        let mut controllen = 0;
        if header.msg_control != 0 {
            let start = header.msg_control - host::addr(&*self.control);
            let received = usize::try_from(start).ok().and_then(|start| self.control.get(start..)).unwrap_or_default();
            let received = received.get(..usize::try_from(header.msg_controllen).unwrap_or(0)).unwrap_or_default();
            let mut control = Buf::<u8>::zeroed(size(guest.msg_controllen.get().min(MOST_CONTROL)))?;
            cmsg::descriptors_in(received, &mut events::notice);
            let mut narrowed = cmsg::narrow(received, &mut control, &mut |fd| close(thread, fd));
            if mem::write_bytes(GuestPtr::new(guest.msg_control.get()), &control[..narrowed.length]).is_err() {
                // The kernel installs no descriptor that it cannot report (`scm_recv_one_fd`): none may leak.
                cmsg::narrow(&control_of_lost(&control, narrowed.length)?, &mut [], &mut |fd| close(thread, fd));
                narrowed = cmsg::Narrowed { length: 0, truncated: true };
            }
            flags |= if narrowed.truncated { MsgFlags::MSG_CTRUNC } else { 0 };
            controllen = u32::try_from(narrowed.length).unwrap_or(u32::MAX);
        }
        if guest.msg_name.get() != 0 {
            mem::write(field(at, 4)?.cast(), &header.msg_namelen)?;
        }
        mem::write(field(at, 24)?, &flags)?;
        mem::write(field(at, 20)?, &controllen)
    }
}

/// The descriptors in the guest's control buffer, as the host would have put them.
fn control_of_lost(control: &[u8], length: usize) -> Result<Buf<u8>, Errno> {
    let given = control.get(..length).unwrap_or_default();
    let Ok(length) = cmsg::widened_length(given) else { return Buf::zeroed(0) };
    let mut host = Buf::<u8>::zeroed(length)?;
    cmsg::widen(given, &mut host)?;
    Ok(host)
}

/// A word of the header at `at`.
fn field(at: GuestPtr<msghdr::Guest32>, offset: u32) -> Result<GuestPtr<u32>, Errno> {
    at.byte_add(offset).map(GuestPtr::cast).ok_or(Errno::EFAULT)
}

fn close(thread: &mut Thread, fd: i32) {
    // Nothing to do about a failure: the descriptor is gone either way.
    let _ = thread.sys(nr::CLOSE, [host::int(fd)]);
}

fn size(word: u32) -> usize {
    usize::try_from(word).unwrap_or(usize::MAX)
}

/// What the kernel says of a header before it looks at what it points to.
fn check(header: msghdr::Guest32, way: Way) -> Result<msghdr::Guest32, Errno> {
    if header.msg_name.get() != 0 && header.msg_namelen < 0 {
        return Err(Errno::EINVAL);
    }
    if way == Way::Receive && header.msg_iovlen.get() > UIO_MAXIOV {
        return Err(Errno::EMSGSIZE);
    }
    Ok(header)
}

/// The longest address of a socket (`struct sockaddr_storage`).
const LONGEST_NAME: usize = 128;

/// How much of the control data at `from` belongs to messages. The kernel walks them before it copies one, and reads nothing that is
/// behind the last (`cmsghdr_from_user_compat_to_kern`).
fn used_control(from: GuestPtr<u8>, length: u32) -> Result<usize, Errno> {
    const HEADER: u32 = 12;
    if length > i32::MAX.unsigned() {
        return Err(Errno::ENOBUFS);
    }
    if length < HEADER {
        return Err(Errno::EINVAL);
    }
    let (mut at, mut used) = (0, 0);
    // A single byte behind a message is taken for another's head (`cmsg_compat_nxthdr`).
    while at < length {
        let message: u32 = mem::read(from.byte_add(at).ok_or(Errno::EFAULT)?.cast())?;
        if !(HEADER..=length - at).contains(&message) {
            return Err(Errno::EINVAL);
        }
        used = at + message;
        at = used.next_multiple_of(4);
    }
    Ok(size(used))
}

/// How much room this message's control data needs on the host.
fn host_control(header: &msghdr::Guest32, way: Way) -> usize {
    let length = size(header.msg_controllen.get().min(MOST_CONTROL));
    match way {
        // A message of 12 bytes becomes one of 16, one of 13 to 16 one of 24.
        Way::Send => (length * 2).next_multiple_of(8),
        Way::Receive if header.msg_control.get() == 0 => 0,
        Way::Receive => cmsg::host_capacity(length).next_multiple_of(8),
    }
}

/// The kernel looks at the socket first, then at what we could not convert.
fn after_socket<T>(thread: &mut Thread, fd: i32, error: Errno) -> Result<T, Errno> {
    let call = [host::int(fd), u64::from(SockLevel::SOL_SOCKET), u64::from(SocketOption::SO_TYPE), 0, 0];
    match thread.sys(nr::GETSOCKOPT, call) {
        Err(first @ (Errno::EBADF | Errno::ENOTSOCK)) => Err(first),
        _ => Err(error),
    }
}

/// A header with which the host's kernel fails as it would have with the guest's.
fn refused(error: Errno) -> msghdr::Host64 {
    let header = msghdr::Host64 { msg_iov: UNREADABLE, msg_iovlen: 1, ..Default::default() };
    match error {
        Errno::EINVAL => msghdr::Host64 { msg_name: UNREADABLE, msg_namelen: -1, ..header },
        Errno::EMSGSIZE => msghdr::Host64 { msg_iovlen: u64::from(UIO_MAXIOV) + 1, ..header },
        _ => header,
    }
}

/// Whether what the kernel has to tell of the message at `at` can be written there.
fn is_writable(at: GuestPtr<msghdr::Guest32>) -> bool {
    let mut words = [0, MSG_LEN].into_iter().map(|offset| at.cast().byte_add(offset).ok_or(Errno::EFAULT));
    words.all(|word| word.and_then(mem::access::check_writable).is_ok())
}

/// The guest's own bit for 32-bit control messages, which the kernel sets itself for a 32-bit task and refuses here.
fn flags64(flags: u32) -> u64 {
    u64::from(flags & !MsgFlags::MSG_CMSG_COMPAT)
}

/// sendmsg(2)
pub(crate) fn sendmsg(thread: &mut Thread, fd: i32, msg: GuestPtr<msghdr::Guest32>, flags: u32) -> SysResult {
    let mut batch = match Batch::gather(msg, 0, 1, Way::Send) {
        Ok(batch) => batch,
        Err(error) => return after_socket(thread, fd, error),
    };
    let header = batch.link();
    thread.sys(nr::SENDMSG, [host::int(fd), header, flags64(flags)]).map(host::low)
}

/// recvmsg(2)
pub(crate) fn recvmsg(thread: &mut Thread, fd: i32, msg: GuestPtr<msghdr::Guest32>, flags: u32) -> SysResult {
    let mut batch = match Batch::gather(msg, 0, 1, Way::Receive) {
        Ok(batch) => batch,
        Err(error) => return after_socket(thread, fd, error),
    };
    let header = batch.link();
    let length = thread.sys(nr::RECVMSG, [host::int(fd), header, flags64(flags)])?;
    batch.scatter(thread, 0, msg)?;
    Ok(host::low(length))
}

/// Size of the guest's `struct mmsghdr`.
const STRIDE: u32 = 32;
/// Where `msg_len` is in it.
const MSG_LEN: u32 = 28;

/// The address of message `index`.
fn message(msgvec: GuestPtr<u8>, index: usize) -> Result<GuestPtr<msghdr::Guest32>, Errno> {
    let offset = u32::try_from(index).ok().and_then(|index| index.checked_mul(STRIDE)).ok_or(Errno::EFAULT)?;
    msgvec.byte_add(offset).map(GuestPtr::cast).ok_or(Errno::EFAULT)
}

/// sendmmsg(2)
pub(crate) fn sendmmsg(thread: &mut Thread, fd: i32, msgvec: GuestPtr<u8>, vlen: u32, flags: u32) -> SysResult {
    let all = size(vlen.min(UIO_MAXIOV));
    let mut done = 0;
    loop {
        // The result counts messages; an error is told only where there was none before it.
        let one = send_some(thread, fd, msgvec, done, all - done, flags);
        let (sent, more) = match one {
            Ok(result) => result,
            Err(error) if done == 0 => return Err(error),
            Err(_) => break,
        };
        done += sent;
        if !more {
            break;
        }
    }
    u32::try_from(done).map_err(|_| Errno::EINVAL)
}

/// Sends messages from number `first` on, as many as one batch holds: how many, and whether others are to follow.
fn send_some(
    thread: &mut Thread,
    fd: i32,
    msgvec: GuestPtr<u8>,
    first: usize,
    count: usize,
    flags: u32,
) -> Result<(usize, bool), Errno> {
    let mut batch = match message(msgvec, first).and_then(|at| Batch::gather(at, STRIDE, count, Way::Send)) {
        Ok(batch) => batch,
        Err(error) => return after_socket(thread, fd, error),
    };
    let headers = batch.link();
    let sent = thread.sys(nr::SENDMMSG, [host::int(fd), headers, batch.length(), flags64(flags)])?;
    let sent = batch.count.min(size(host::low(sent)));
    for index in 0..sent {
        let told = message(msgvec, first + index).and_then(|at| field(at, MSG_LEN));
        if let Err(error) = told.and_then(|at| mem::write(at, &batch.host[index].msg_len)) {
            return if index == 0 { Err(error) } else { Ok((index, false)) };
        }
    }
    Ok((sent, batch.more && sent == batch.count))
}

/// Receives messages; `timeout` is null, or how long it may take, of which the rest is left.
fn receive<T: Default + PartialEq>(
    thread: &mut Thread,
    fd: i32,
    msgvec: GuestPtr<u8>,
    vlen: u32,
    mut flags: u32,
    mut timeout: Option<&mut T>,
) -> SysResult {
    let all = size(vlen.min(UIO_MAXIOV));
    let mut done = 0;
    loop {
        let address = timeout.as_deref_mut().map_or(0, host::addr_mut);
        let (received, more) = match receive_some(thread, fd, msgvec, done, all - done, flags, address) {
            Ok(result) => result,
            Err(error) if done == 0 => return Err(error),
            Err(_) => break,
        };
        done += received;
        if !more || timeout.as_deref().is_some_and(|left| *left == T::default()) {
            break;
        }
        if flags & MsgFlags::MSG_WAITFORONE != 0 {
            flags |= MsgFlags::MSG_DONTWAIT;
        }
    }
    u32::try_from(done).map_err(|_| Errno::EINVAL)
}

/// Receives messages from number `first` on, as many as one batch holds: how many, and whether others may follow.
fn receive_some(
    thread: &mut Thread,
    fd: i32,
    msgvec: GuestPtr<u8>,
    first: usize,
    count: usize,
    flags: u32,
    timeout: u64,
) -> Result<(usize, bool), Errno> {
    let mut batch = match message(msgvec, first).and_then(|at| Batch::gather(at, STRIDE, count, Way::Receive)) {
        Ok(batch) => batch,
        Err(error) => {
            // The time and the socket come first (`do_recvmmsg`), and of no messages nothing else is looked at.
            thread.sys(nr::RECVMMSG, [host::int(fd), UNREADABLE, 0, flags64(flags), timeout])?;
            return Err(error);
        }
    };
    let headers = batch.link();
    let received = thread.sys(nr::RECVMMSG, [host::int(fd), headers, batch.length(), flags64(flags), timeout])?;
    let received = batch.count.min(size(host::low(received)));
    for index in 0..received {
        let told = message(msgvec, first + index).and_then(|at| {
            batch.scatter(thread, index, at)?;
            mem::write(field(at, MSG_LEN)?, &batch.host[index].msg_len)
        });
        if let Err(error) = told {
            return if index == 0 { Err(error) } else { Ok((index, false)) };
        }
    }
    Ok((received, batch.more && received == batch.count))
}

/// recvmmsg(2) with a 32-bit timeout, of which the rest is written back once something has been received.
pub(crate) fn recvmmsg(
    thread: &mut Thread,
    fd: i32,
    msgvec: GuestPtr<u8>,
    vlen: u32,
    flags: u32,
    timeout: GuestPtr<timespec::Guest32>,
) -> SysResult {
    if timeout.is_null() {
        return receive(thread, fd, msgvec, vlen, flags, None::<&mut timespec::Host64>);
    }
    let mut left = mem::read(timeout)?.widen();
    let received = receive(thread, fd, msgvec, vlen, flags, Some(&mut left))?;
    if received > 0 {
        mem::write(timeout, &left.truncate())?;
    }
    Ok(received)
}

/// recvmmsg(2) with a 64-bit timeout.
pub(crate) fn recvmmsg_time64(
    thread: &mut Thread,
    fd: i32,
    msgvec: GuestPtr<u8>,
    vlen: u32,
    flags: u32,
    timeout: GuestPtr<timespec64::Guest32>,
) -> SysResult {
    if timeout.is_null() {
        return receive(thread, fd, msgvec, vlen, flags, None::<&mut timespec64::Host64>);
    }
    let mut left = super::ipc::time64(mem::read(timeout)?.widen());
    let received = receive(thread, fd, msgvec, vlen, flags, Some(&mut left))?;
    if received > 0 {
        mem::write(timeout, &left.truncate())?;
    }
    Ok(received)
}

/// Options of `SOL_IP` and `SOL_IPV6` with the same numbers in both (`linux/in.h`).
mod mcast {
    pub(super) const JOIN_GROUP: u32 = 42;
    pub(super) const BLOCK_SOURCE: u32 = 43;
    pub(super) const UNBLOCK_SOURCE: u32 = 44;
    pub(super) const LEAVE_GROUP: u32 = 45;
    pub(super) const JOIN_SOURCE_GROUP: u32 = 46;
    pub(super) const LEAVE_SOURCE_GROUP: u32 = 47;
    pub(super) const MSFILTER: u32 = 48;
}

/// `SO_VM_SOCKETS_CONNECT_TIMEOUT_OLD` of `AF_VSOCK`, which takes a `struct timeval`.
const VSOCK_CONNECT_TIMEOUT_OLD: (u32, u32) = (40, 6);
/// `PACKET_FANOUT_DATA` of `SOL_PACKET`, which takes a filter or a descriptor.
const PACKET_FANOUT_DATA: (u32, u32) = (SockLevel::SOL_PACKET, 22);
/// `SCTP_SOCKOPT_CONNECTX3`.
const SCTP_CONNECTX3: (u32, u32) = (SockLevel::SOL_SCTP, 111);
/// `IP_XFRM_POLICY` and `IPV6_XFRM_POLICY`, which take a `struct xfrm_userpolicy_info`.
const IP_XFRM_POLICY: (u32, u32) = (SockLevel::SOL_IP, 17);
const IPV6_XFRM_POLICY: (u32, u32) = (SockLevel::SOL_IPV6, 35);
/// A page: of more bytes the kernel says `EMSGSIZE`.
const LONGEST_POLICY: i32 = 4096;
/// `IP_PKTOPTIONS` and `IPV6_2292PKTOPTIONS`, which give control messages.
const IP_PKTOPTIONS: (u32, u32) = (SockLevel::SOL_IP, 9);
const IPV6_2292PKTOPTIONS: (u32, u32) = (SockLevel::SOL_IPV6, 6);

/// How an option's value differs between the two sides.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OptionKind {
    /// Not at all: it passes by pointer.
    Same,
    /// A `struct timeval`.
    Timeout,
    /// A `struct sock_fprog`.
    Filter,
    GroupReq,
    GroupSourceReq,
    GroupFilter,
    /// Control messages.
    Control,
    Connectx,
    /// A policy of IPsec, or null.
    Policy,
    /// The tables of netfilter, whose entries are a language of their own.
    Table,
}

fn option_kind(level: u32, name: u32) -> OptionKind {
    match (level, name) {
        (SockLevel::SOL_SOCKET, SocketOption::SO_RCVTIMEO_OLD | SocketOption::SO_SNDTIMEO_OLD) | VSOCK_CONNECT_TIMEOUT_OLD => {
            OptionKind::Timeout
        }
        (SockLevel::SOL_SOCKET, SocketOption::SO_ATTACH_FILTER | SocketOption::SO_ATTACH_REUSEPORT_CBPF) | PACKET_FANOUT_DATA => {
            OptionKind::Filter
        }
        (SockLevel::SOL_IP | SockLevel::SOL_IPV6, mcast::JOIN_GROUP | mcast::LEAVE_GROUP) => OptionKind::GroupReq,
        (
            SockLevel::SOL_IP | SockLevel::SOL_IPV6,
            mcast::BLOCK_SOURCE | mcast::UNBLOCK_SOURCE | mcast::JOIN_SOURCE_GROUP | mcast::LEAVE_SOURCE_GROUP,
        ) => OptionKind::GroupSourceReq,
        (SockLevel::SOL_IP | SockLevel::SOL_IPV6, mcast::MSFILTER) => OptionKind::GroupFilter,
        IP_PKTOPTIONS | IPV6_2292PKTOPTIONS => OptionKind::Control,
        SCTP_CONNECTX3 => OptionKind::Connectx,
        IP_XFRM_POLICY | IPV6_XFRM_POLICY => OptionKind::Policy,
        // `IPT_BASE_CTL` and `IP6T_BASE_CTL`, `ARPT_BASE_CTL`, `EBT_BASE_CTL`: replace, add counters; info, entries.
        (SockLevel::SOL_IP | SockLevel::SOL_IPV6, 64 | 65) | (SockLevel::SOL_IP, 96 | 97 | 128..=131) => OptionKind::Table,
        _ => OptionKind::Same,
    }
}

/// A table of netfilter: as on a kernel without it, which the socket's own family says of any option that it does not know.
fn refuse_table(thread: &mut Thread, fd: i32, level: u32) -> SysResult {
    const UNKNOWN: u64 = 0x7fff;
    let (mut value, mut length) = (0u32, 4u32);
    let call = [host::int(fd), level.into(), UNKNOWN, host::addr_mut(&mut value), host::addr_mut(&mut length)];
    thread.sys(nr::GETSOCKOPT, call)?;
    Err(Errno::ENOPROTOOPT)
}

/// What is said where a program wants to configure IPsec.
const IPSEC: &str = "the messages and policies of IPsec (NETLINK_XFRM), which have two layouts";

/// socket(2): without `NETLINK_XFRM`. A kernel with `CONFIG_XFRM_USER_COMPAT` translates its messages for a 32-bit task, others refuse
/// them; the kernel that sees a 64-bit one would misread them.
pub(crate) fn socket(thread: &mut Thread, domain: u32, kind: u32, protocol: i32) -> SysResult {
    const NETLINK_XFRM: i32 = 6;
    if (domain, protocol) == (Family::AF_NETLINK, NETLINK_XFRM) {
        thread.lacks(IPSEC);
        return Err(Errno::EPROTONOSUPPORT);
    }
    thread.sys(nr::SOCKET, [domain.into(), kind.into(), host::int(protocol)]).map(host::low)
}

/// setsockopt(2)
pub(crate) fn setsockopt(thread: &mut Thread, fd: i32, level: u32, name: u32, optval: GuestPtr<u8>, optlen: i32) -> SysResult {
    let mut call = [host::int(fd), level.into(), name.into(), optval.address().into(), host::int(optlen)];
    /// Puts the structure at `optval` into the call in the host's layout. What is too short is passed on: it is too short
    /// for the host as well, which complains in its own order.
    fn convert<G: FromBytes + IntoBytes + Guest + Widen<G::Host>>(
        thread: &mut Thread,
        call: &mut [u64; 5],
        optval: GuestPtr<u8>,
        optlen: i32,
    ) -> SysResult {
        if usize::try_from(optlen).is_ok_and(|length| length >= size_of::<G>()) {
            let value = match Input::<G::Host>::read(optval.cast::<G>()) {
                Input::Null => Input::Unreadable,
                other => other,
            };
            (call[3], call[4]) = (value.address(), size_of::<G::Host>() as u64);
            return thread.sys(nr::SETSOCKOPT, *call).map(host::low);
        }
        thread.sys(nr::SETSOCKOPT, *call).map(host::low)
    }
    match option_kind(level, name) {
        OptionKind::Timeout => convert::<timeval::Guest32>(thread, &mut call, optval, optlen),
        OptionKind::GroupReq => convert::<group_req::Guest32>(thread, &mut call, optval, optlen),
        // Exactly this long, of IPv4 (`copy_group_source_from_sockptr`).
        OptionKind::GroupSourceReq
            if level == SockLevel::SOL_IP
                && usize::try_from(optlen).is_ok_and(|length| length != size_of::<group_source_req::Guest32>()) =>
        {
            call[4] = 1;
            thread.sys(nr::SETSOCKOPT, call).map(host::low)
        }
        OptionKind::GroupSourceReq => convert::<group_source_req::Guest32>(thread, &mut call, optval, optlen),
        // Exactly this long (`copy_bpf_fprog_from_user`); another length must not happen to be the host's.
        OptionKind::Filter if optlen == 8 => convert::<sock_fprog::Guest32>(thread, &mut call, optval, optlen),
        OptionKind::Filter if optlen > 8 => {
            call[4] = 9;
            thread.sys(nr::SETSOCKOPT, call).map(host::low)
        }
        OptionKind::GroupFilter if optlen > MOST_CONTROL.signed() => {
            // Too much for the host as well, which must not see it in this layout.
            call[3] = UNREADABLE;
            thread.sys(nr::SETSOCKOPT, call).map(host::low)
        }
        OptionKind::GroupFilter if optlen >= 140 => {
            let length = usize::try_from(optlen).map_err(|_| Errno::EINVAL)?;
            let mut value = Buf::<u8>::zeroed(length + 4)?;
            call[4] = value.len() as u64;
            let (head, sources) = value.split_at_mut(size_of::<group_filter::Host64>());
            let mut is_cut_off = false;
            let read = mem::read(optval.cast::<group_filter::Guest32>()).and_then(|filter| {
                let mut filter = filter.widen();
                let there = (length - size_of::<group_filter::Guest32>()) / 128;
                is_cut_off =
                    level == SockLevel::SOL_IP && (there..LIST_OVERFLOWS).contains(&size(filter.gf_numsrc).wrapping_sub(1));
                if is_cut_off {
                    filter.gf_numsrc = 1;
                }
                let _ = filter.write_to(head);
                mem::read_bytes(optval.byte_add(140).ok_or(Errno::EFAULT)?, sources)
            });
            // That a list ends before its end is noticed before that it is too long (`compat_ip_set_mcast_msfilter`), by a 64-bit kernel
            // after it: one source and no room for it.
            if is_cut_off && length <= LEAST_CONTROL {
                call[4] = size_of::<group_filter::Host64>() as u64;
            }
            call[3] = if read.is_ok() { host::addr(&*value) } else { UNREADABLE };
            thread.sys(nr::SETSOCKOPT, call).map(host::low)
        }
        // As on a kernel without `CONFIG_XFRM_USER_COMPAT` (`xfrm_user_policy`), which complains about everything else before. It is
        // given one byte of it, so that it cannot take it for another policy.
        OptionKind::Policy if (1..=LONGEST_POLICY).contains(&optlen) => {
            let mut policy = Buf::<u8>::zeroed(usize::try_from(optlen).map_err(|_| Errno::EINVAL)?)?;
            let read = mem::read_bytes(optval, &mut policy);
            (call[3], call[4]) = (if read.is_ok() { host::addr(&*policy) } else { UNREADABLE }, 1);
            match thread.sys(nr::SETSOCKOPT, call) {
                Err(Errno::EINVAL) => {
                    thread.lacks(IPSEC);
                    Err(Errno::EOPNOTSUPP)
                }
                result => result.map(host::low),
            }
        }
        OptionKind::Table => refuse_table(thread, fd, level),
        _ => thread.sys(nr::SETSOCKOPT, call).map(host::low),
    }
}

/// getsockopt(2)
pub(crate) fn getsockopt(
    thread: &mut Thread,
    fd: i32,
    level: u32,
    name: u32,
    optval: GuestPtr<u8>,
    optlen: GuestPtr<i32>,
) -> SysResult {
    let call = [host::int(fd), level.into(), name.into()];
    let kind = option_kind(level, name);
    if matches!(
        kind,
        OptionKind::Same | OptionKind::Filter | OptionKind::GroupReq | OptionKind::GroupSourceReq | OptionKind::Policy
    ) {
        let [fd, level, name] = call;
        let all = [fd, level, name, optval.address().into(), optlen.address().into()];
        return thread.sys(nr::GETSOCKOPT, all).map(host::low);
    }
    if kind == OptionKind::Table {
        return refuse_table(thread, fd, level);
    }
    let Ok(given) = mem::read(optlen) else {
        // The kernel looks at socket and level first, and then finds the same.
        let [fd, level, name] = call;
        return thread.sys(nr::GETSOCKOPT, [fd, level, name, optval.address().into(), optlen.address().into()]).map(host::low);
    };
    let Ok(room) = usize::try_from(given) else {
        // So says the host, but that `IPV6_2292PKTOPTIONS` takes it for a large number.
        let [fd, level, name] = call;
        let mut length = given;
        thread.sys(nr::GETSOCKOPT, [fd, level, name, UNREADABLE, host::addr_mut(&mut length)])?;
        return mem::write(optlen, &0).map(|()| 0);
    };
    let room = room.min(size(MOST_CONTROL));
    // The value in the host's layout, and how long the host says it is.
    let get = |thread: &mut Thread, value: &mut [u8]| -> Result<usize, Errno> {
        let mut length = i32::try_from(value.len()).unwrap_or(i32::MAX);
        let [fd, level, name] = call;
        thread.sys(nr::GETSOCKOPT, [fd, level, name, host::addr_mut(value), host::addr_mut(&mut length)])?;
        Ok(usize::try_from(length).unwrap_or(0).min(value.len()))
    };
    let length = match kind {
        OptionKind::Timeout => {
            let mut time = timeval::Host64::default();
            get(thread, time.as_mut_bytes())?;
            let time: timeval::Guest32 = time.truncate();
            let length = room.min(size_of::<timeval::Guest32>());
            mem::write_bytes(optval, &time.as_bytes()[..length])?;
            length
        }
        OptionKind::Control => {
            let mut value = Buf::<u8>::zeroed(cmsg::host_capacity(room))?;
            let length = get(thread, &mut value)?;
            let mut control = Buf::<u8>::zeroed(room)?;
            let narrowed = cmsg::narrow(&value[..length], &mut control, &mut |_| {});
            mem::write_bytes(optval, &control[..narrowed.length])?;
            narrowed.length
        }
        OptionKind::GroupFilter => {
            if room < size_of::<group_filter::Guest32>() {
                get(thread, &mut [0; size_of::<group_filter::Guest32>()][..room])?;
                return Err(Errno::EINVAL);
            }
            let Ok(filter) = mem::read(optval.cast::<group_filter::Guest32>()) else {
                return after_socket(thread, fd, Errno::EFAULT);
            };
            let mut value = Buf::<u8>::zeroed(room + 4)?;
            let head = size_of::<group_filter::Host64>();
            let _ = filter.widen().write_to(&mut value[..head]);
            let length = get(thread, &mut value)?;
            let filter = group_filter::Host64::read_from_bytes(&value[..head]).map_err(|_| Errno::EINVAL)?;
            let at = |offset| optval.byte_add(offset).ok_or(Errno::EFAULT);
            mem::write(at(132)?.cast(), &[filter.gf_fmode, filter.gf_numsrc])?;
            mem::write_bytes(at(140)?, value.get(head..length).unwrap_or_default())?;
            length.saturating_sub(4)
        }
        // `sctp_getsockopt_connectx3`: the addresses go in, the association's number comes out.
        _ => {
            if room < size_of::<sctp_getaddrs_old::Guest32>() {
                get(thread, &mut [0; size_of::<sctp_getaddrs_old::Guest32>()][..room])?;
                return Err(Errno::EINVAL);
            }
            let Ok(addresses) = mem::read(optval.cast::<sctp_getaddrs_old::Guest32>()) else {
                return after_socket(thread, fd, Errno::EFAULT);
            };
            let mut value = addresses.widen();
            get(thread, value.as_mut_bytes())?;
            mem::write(optval.cast(), &value.assoc_id)?;
            4
        }
    };
    mem::write(optlen, &i32::try_from(length).unwrap_or(i32::MAX)).map(|()| 0)
}

/// socketcall(2): every call on sockets in one, with its arguments in memory.
pub(crate) fn socketcall(thread: &mut Thread, call: u32, args: GuestPtr<u32>) -> SysResult {
    let count = SOCKETCALL_ARGS.get(size(call)).copied().filter(|_| call != 0).ok_or(Errno::EINVAL)?;
    let mut a = [0; 6];
    mem::read_slice(args, &mut a[..usize::from(count)])?;
    let native = |thread: &mut Thread, number| {
        let [a, b, c, d, e, f] = a.map(u64::from);
        thread.sys(number, [a, b, c, d, e, f]).map(host::low)
    };
    let fd = a[0].signed();
    match call {
        Socketcall::SYS_SOCKET => socket(thread, a[0], a[1], a[2].signed()),
        Socketcall::SYS_BIND => native(thread, nr::BIND),
        Socketcall::SYS_CONNECT => native(thread, nr::CONNECT),
        Socketcall::SYS_LISTEN => native(thread, nr::LISTEN),
        Socketcall::SYS_ACCEPT => native(thread, nr::ACCEPT),
        Socketcall::SYS_GETSOCKNAME => native(thread, nr::GETSOCKNAME),
        Socketcall::SYS_GETPEERNAME => native(thread, nr::GETPEERNAME),
        Socketcall::SYS_SOCKETPAIR => native(thread, nr::SOCKETPAIR),
        // The last two arguments, the address, are null.
        Socketcall::SYS_SEND | Socketcall::SYS_SENDTO => native(thread, nr::SENDTO),
        Socketcall::SYS_RECV | Socketcall::SYS_RECVFROM => native(thread, nr::RECVFROM),
        Socketcall::SYS_SHUTDOWN => native(thread, nr::SHUTDOWN),
        Socketcall::SYS_ACCEPT4 => native(thread, nr::ACCEPT4),
        Socketcall::SYS_SETSOCKOPT => setsockopt(thread, fd, a[1], a[2], GuestPtr::new(a[3]), a[4].signed()),
        Socketcall::SYS_GETSOCKOPT => getsockopt(thread, fd, a[1], a[2], GuestPtr::new(a[3]), GuestPtr::new(a[4])),
        Socketcall::SYS_SENDMSG => sendmsg(thread, fd, GuestPtr::new(a[1]), a[2]),
        Socketcall::SYS_RECVMSG => recvmsg(thread, fd, GuestPtr::new(a[1]), a[2]),
        Socketcall::SYS_RECVMMSG => recvmmsg(thread, fd, GuestPtr::new(a[1]), a[2], a[3], GuestPtr::new(a[4])),
        Socketcall::SYS_SENDMMSG => sendmmsg(thread, fd, GuestPtr::new(a[1]), a[2], a[3]),
        _ => Err(Errno::EINVAL),
    }
}
