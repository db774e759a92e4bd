//! io_uring(7). The rings, which the guest shares with the kernel, have one layout. What a request points to may have two: arrays of
//! `struct iovec` and message headers. The kernel copies these when it takes the request, so for the time of io_uring_enter(2) such a
//! request has the address of a converted copy, as with io_submit(2).
//!
//! What the kernel writes when a request is completed cannot be converted: nobody asks it then. Such requests are refused, as a
//! kernel refuses those that it does not know; so is a thread of the kernel's that takes requests by itself (`IORING_SETUP_SQPOLL`).

use super::{read_vectors, uninterrupted};
use crate::dispatch::SysResult;
use crate::host::{addr, addr_mut, int, low, nr};
use crate::mem::space::SPACE;
use crate::mem::{self, Buf};
use crate::sync::Lock;
use crate::sys::input::UNREADABLE;
use crate::thread::Thread;
use abi::scalar::Signed as _;
use abi::structs::fd::iovec;
use abi::structs::io_uring::{
    io_uring_params, io_uring_probe, io_uring_probe_op, io_uring_rsrc_register, io_uring_rsrc_update2, io_uring_sqe,
};
use abi::structs::socket::msghdr;
use abi::structs::{U64, Widen};
use abi::{Errno, GuestPtr};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// Rings that a process can have at once.
const RINGS_MAX: usize = 64;

/// Where a ring of this process is. Addresses in the guest; 0 until it has mapped that part.
#[derive(Clone, Copy)]
pub(crate) struct Ring {
    /// -1 where there is none.
    fd: i32,
    entries: u32,
    /// `IORING_SETUP_SQE128`
    wide: bool,
    /// `IORING_SETUP_NO_SQARRAY`
    direct: bool,
    queue: u32,
    requests: u32,
    /// Offsets in the queue.
    head: u32,
    tail: u32,
    mask: u32,
    array: u32,
}

const NONE: Ring =
    Ring { fd: -1, entries: 0, wide: false, direct: false, queue: 0, requests: 0, head: 0, tail: 0, mask: 0, array: 0 };

/// This process's rings.
pub(crate) static RINGS: Lock<[Ring; RINGS_MAX]> = Lock::new([NONE; RINGS_MAX]);

/// What is done about a request.
enum Points {
    /// Nothing: what it points to has one layout.
    Same,
    /// To so many `struct iovec`.
    Vectors(u32),
    /// To a message header.
    Message,
    /// To what the kernel would write in the 64-bit layout, or to what is not known: refused.
    Unknown,
}

/// An operation that no kernel has (`IORING_OP_LAST` is far below).
const NO_OPERATION: u8 = 0xff;

fn points(request: &io_uring_sqe::Guest32) -> Points {
    const IORING_OP_READV: u8 = 1;
    const IORING_OP_WRITEV: u8 = 2;
    const IORING_OP_SENDMSG: u8 = 9;
    const IORING_OP_READV_FIXED: u8 = 60;
    const IORING_OP_WRITEV_FIXED: u8 = 61;
    match request.opcode {
        IORING_OP_READV | IORING_OP_WRITEV | IORING_OP_READV_FIXED | IORING_OP_WRITEV_FIXED => Points::Vectors(request.len),
        IORING_OP_SENDMSG => Points::Message,
        operation if is_unknown(operation) => Points::Unknown,
        _ => Points::Same,
    }
}

/// Operations that are refused.
fn is_unknown(operation: u8) -> bool {
    const IORING_OP_RECVMSG: u8 = 10;
    /// Of drivers and sockets, each with structures of its own.
    const IORING_OP_URING_CMD: u8 = 46;
    const IORING_OP_SENDMSG_ZC: u8 = 48;
    const IORING_OP_WAITID: u8 = 50;
    /// The last one that has been looked at, `IORING_OP_PIPE`.
    const LAST: u8 = 62;
    matches!(operation, IORING_OP_RECVMSG | IORING_OP_URING_CMD | IORING_OP_SENDMSG_ZC | IORING_OP_WAITID) || operation > LAST
}

/// io_uring_setup(2)
pub(crate) fn io_uring_setup(thread: &mut Thread, entries: u32, pointer: GuestPtr<u8>) -> SysResult {
    /// IOPOLL, CQSIZE, CLAMP, ATTACH_WQ, R_DISABLED, SUBMIT_ALL, COOP_TASKRUN, TASKRUN_FLAG, SQE128, CQE32, SINGLE_ISSUER, DEFER_TASKRUN,
    /// NO_SQARRAY, HYBRID_IOPOLL, CQE_MIXED: all but the kernel's thread, memory of the guest's own and what may still come.
    const KNOWN: u32 = 0x7_3ff9;
    const IORING_SETUP_SQE128: u32 = 1 << 10;
    const IORING_SETUP_NO_SQARRAY: u32 = 1 << 16;
    /// The kernel copies what a request points to when it takes it; since Linux 5.5.
    const IORING_FEAT_SUBMIT_STABLE: u32 = 1 << 2;
    let pointer: GuestPtr<io_uring_params::Guest32> = pointer.cast();
    let mut params = mem::read(pointer)?;
    if params.flags & !KNOWN != 0 {
        return Err(Errno::EINVAL);
    }
    let fd = thread.sys(nr::IO_URING_SETUP, [u64::from(entries), addr_mut(&mut params)]).map(low)?;
    let refuse = |errno| {
        let _ = uninterrupted(nr::CLOSE, [u64::from(fd)]);
        Err(errno)
    };
    if params.features & IORING_FEAT_SUBMIT_STABLE == 0 {
        return refuse(Errno::ENOSYS);
    }
    let [head, tail, mask, _, _, _, array, ..] = params.sq_off;
    let (wide, direct) = (params.flags & IORING_SETUP_SQE128 != 0, params.flags & IORING_SETUP_NO_SQARRAY != 0);
    let ring = Ring { fd: fd.signed(), entries: params.sq_entries, wide, direct, queue: 0, requests: 0, head, tail, mask, array };
    if !remember(ring) {
        return refuse(Errno::ENFILE);
    }
    if let Err(errno) = mem::write(pointer, &params) {
        return refuse(errno);
    }
    Ok(fd)
}

/// Takes a place for `ring`: that of a ring whose descriptor has been closed, if need be.
fn remember(ring: Ring) -> bool {
    const F_GETFD: u64 = 1;
    let mut rings = RINGS.lock();
    let free = rings
        .iter()
        .position(|known| known.fd == ring.fd)
        .or_else(|| rings.iter().position(|known| known.fd < 0 || uninterrupted(nr::FCNTL, [int(known.fd), F_GETFD]).is_err()));
    match free.and_then(|at| rings.get_mut(at)) {
        Some(place) => {
            *place = ring;
            true
        }
        None => false,
    }
}

/// Shows the place of the ring that `fd` is, or is a duplicate of, to `look`.
fn with_ring<R>(fd: i32, look: impl FnOnce(&mut Ring) -> R) -> Option<R> {
    const KCMP_FILE: u64 = 0;
    let mut rings = RINGS.lock();
    let used = rings.iter_mut().take_while(|ring| ring.fd >= 0);
    let mut found = None;
    for ring in used {
        let same = || {
            let pid = uninterrupted(nr::GETPID, []).unwrap_or(0);
            uninterrupted(nr::KCMP, [pid, pid, KCMP_FILE, int(fd), int(ring.fd)]) == Ok(0)
        };
        if ring.fd == fd || found.is_none() && fd >= 0 && same() {
            let exact = ring.fd == fd;
            found = Some(ring);
            if exact {
                break;
            }
        }
    }
    found.map(look)
}

/// In place of mmap(2), where `fd` is a ring: the kernel wants to choose the address itself (`io_uring_get_unmapped_area`).
pub(crate) fn map(address: u32, length: u32, prot: u32, flags: u32, fd: i32, offset: u64) -> Option<SysResult> {
    const IORING_OFF_SQ_RING: u64 = 0;
    const IORING_OFF_SQES: u64 = 0x1000_0000;
    // Where the guest chooses, the kernel refuses, or is an older one.
    if address != 0 {
        return None;
    }
    with_ring(fd, |ring| {
        let at = SPACE.lock().map_low(length, prot, flags, fd, offset)?;
        match offset {
            IORING_OFF_SQ_RING => ring.queue = at,
            IORING_OFF_SQES => ring.requests = at,
            _ => {}
        }
        Ok(at)
    })
}

const IORING_ENTER_GETEVENTS: u32 = 1;
const IORING_ENTER_REGISTERED_RING: u32 = 1 << 4;

/// io_uring_enter(2)
pub(crate) fn io_uring_enter(
    thread: &mut Thread,
    fd: i32,
    to_submit: u32,
    min_complete: u32,
    flags: u32,
    argument: GuestPtr<u8>,
    size: u32,
) -> SysResult {
    // There are none: see io_uring_register.
    if flags & IORING_ENTER_REGISTERED_RING != 0 {
        return Err(Errno::EINVAL);
    }
    let mut enter = |to_submit: u32, min_complete: u32, flags: u32| {
        let numbers = [to_submit, min_complete, flags, argument.address(), size].map(u64::from);
        let [to_submit, min_complete, flags, argument, size] = numbers;
        thread.sys(nr::IO_URING_ENTER, [int(fd), to_submit, min_complete, flags, argument, size]).map(low)
    };
    let ring = if to_submit == 0 { None } else { with_ring(fd, |ring| *ring) };
    let Some((ring, taken)) = ring.and_then(|ring| Some((ring, ring.waiting(to_submit)?))) else {
        return enter(to_submit, min_complete, flags);
    };
    let (mut changed, mut converted) = (0, 0);
    for at in ring.waiting_requests(&taken) {
        let request = mem::read(at)?;
        changed += usize::from(!matches!(points(&request), Points::Same));
        converted += room(&request);
    }
    if changed == 0 {
        return enter(to_submit, min_complete, flags);
    }
    let (mut changes, mut vectors) = (Buf::<Change>::zeroed(changed)?, Buf::<iovec::Host64>::zeroed(converted)?);
    let mut rest = &mut *vectors;
    let mut places = changes.iter_mut();
    for at in ring.waiting_requests(&taken) {
        let request = mem::read(at)?;
        if matches!(points(&request), Points::Same) {
            continue;
        }
        // The guest has changed it since a moment ago.
        let Some(place) = places.next() else { break };
        let here = rest.len().min(room(&request));
        let (own, others) = rest.split_at_mut(here);
        rest = others;
        *place = Change::new(at, &request, own);
    }
    changes.iter().for_each(Change::make);
    // What is converted is for the time when requests are taken, not for that when they are waited for: other threads go on meanwhile.
    let submitted = enter(to_submit, 0, flags & !IORING_ENTER_GETEVENTS);
    changes.iter().for_each(Change::take_back);
    let submitted = submitted?;
    if flags & IORING_ENTER_GETEVENTS == 0 || submitted < to_submit {
        return Ok(submitted);
    }
    match enter(0, min_complete, flags) {
        Err(errno) if submitted == 0 => Err(errno),
        _ => Ok(submitted),
    }
}

/// Requests that the kernel is to take: the first, and how many.
struct Waiting {
    first: u32,
    count: u32,
}

impl Ring {
    /// What is in the queue, as far as it is to be taken; `None` where there is no queue.
    fn waiting(&self, to_submit: u32) -> Option<Waiting> {
        if self.queue == 0 || self.requests == 0 || self.word(self.mask)? != self.entries.wrapping_sub(1) {
            return None;
        }
        let first = self.word(self.head)?;
        let count = self.word(self.tail)?.wrapping_sub(first).min(to_submit).min(self.entries);
        Some(Waiting { first, count })
    }

    fn word(&self, offset: u32) -> Option<u32> {
        mem::read(GuestPtr::new(self.queue.checked_add(offset)?)).ok()
    }

    /// Where these requests are. The kernel passes over an index that is too large.
    fn waiting_requests(&self, waiting: &Waiting) -> impl Iterator<Item = GuestPtr<io_uring_sqe::Guest32>> {
        let mask = self.entries.wrapping_sub(1);
        let size = if self.wide { 128 } else { 64 };
        (0..waiting.count).filter_map(move |index| {
            let place = waiting.first.wrapping_add(index) & mask;
            let index = if self.direct { place } else { self.word(self.array.checked_add(place.checked_mul(4)?)?)? };
            if index >= self.entries { None } else { Some(GuestPtr::new(self.requests.checked_add(index.checked_mul(size)?)?)) }
        })
    }
}

/// A message header takes the room of so many `struct iovec`.
const HEADER: usize = size_of::<msghdr::Host64>().div_ceil(size_of::<iovec::Host64>());

/// How many `struct iovec` the converted copy takes. More than the kernel takes are its to refuse.
fn room(request: &io_uring_sqe::Guest32) -> usize {
    let vectors = |count: u32| if count > super::UIO_MAXIOV { 0 } else { count as usize };
    match points(request) {
        Points::Vectors(count) => vectors(count),
        Points::Message => HEADER + header(request).map_or(0, |header| vectors(header.msg_iovlen.get())),
        Points::Same | Points::Unknown => 0,
    }
}

fn header(request: &io_uring_sqe::Guest32) -> Option<msghdr::Guest32> {
    mem::read(GuestPtr::new(u32::try_from(request.addr.get()).ok()?)).ok()
}

/// A request that the kernel sees otherwise for the time of the call.
#[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Clone, Copy)]
#[repr(C)]
struct Change {
    request: u32,
    before: u8,
    now: u8,
    unused: [u8; 2],
    address_before: u64,
    address_now: u64,
}

impl Change {
    const OFFSET_OF_ADDRESS: u32 = 16;

    /// How the kernel is to see `request`, with its copy in `own`.
    fn new(at: GuestPtr<io_uring_sqe::Guest32>, request: &io_uring_sqe::Guest32, own: &mut [iovec::Host64]) -> Self {
        let (before, address_before) = (request.opcode, request.addr.get());
        let (now, address_now) = match points(request) {
            Points::Vectors(count) if own.len() == count as usize => (before, vectors_at(address_before, own)),
            Points::Message => match message(request, own) {
                Some(address) => (before, address),
                None => (NO_OPERATION, address_before),
            },
            Points::Vectors(_) | Points::Same => (before, address_before),
            Points::Unknown => (NO_OPERATION, address_before),
        };
        Self { request: at.address(), before, now, unused: [0; 2], address_before, address_now }
    }

    fn operation(&self) -> GuestPtr<u8> {
        GuestPtr::new(self.request)
    }

    fn address(&self) -> GuestPtr<U64> {
        GuestPtr::new(self.request.wrapping_add(Self::OFFSET_OF_ADDRESS))
    }

    fn make(&self) {
        if self.request != 0 {
            let _ = mem::write(self.operation(), &self.now);
            let _ = mem::write(self.address(), &U64(self.address_now));
        }
    }

    /// Programs may fill in a request once and use it again. One that another thread has filled in meanwhile stays.
    fn take_back(&self) {
        if self.request != 0 && mem::read(self.address()).is_ok_and(|now| now.get() == self.address_now) {
            let _ = mem::write(self.address(), &U64(self.address_before));
            if mem::read(self.operation()).is_ok_and(|now| now == self.now) {
                let _ = mem::write(self.operation(), &self.before);
            }
        }
    }
}

/// Converts the guest's array at `address` into `own`; where it is then.
fn vectors_at(address: u64, own: &mut [iovec::Host64]) -> u64 {
    let readable = u32::try_from(address).is_ok_and(|address| read_vectors(GuestPtr::new(address), own));
    if readable { addr(&*own) } else { UNREADABLE }
}

/// Converts a message header and its array into `own`; where it is then, or `None` where it cannot be: with control messages, which the
/// kernel reads when it sends.
fn message(request: &io_uring_sqe::Guest32, own: &mut [iovec::Host64]) -> Option<u64> {
    let Some(guest) = header(request) else { return Some(UNREADABLE) };
    let (place, own) = own.split_at_mut_checked(HEADER)?;
    if guest.msg_controllen.get() != 0 {
        return None;
    }
    let mut host = guest.widen();
    if own.len() == guest.msg_iovlen.get() as usize {
        host.msg_iov = vectors_at(u64::from(guest.msg_iov.get()), own);
    }
    let bytes = host.as_bytes();
    place.as_mut_bytes().get_mut(..bytes.len())?.copy_from_slice(bytes);
    Some(addr(&*place))
}

/// io_uring_register(2)
pub(crate) fn io_uring_register(thread: &mut Thread, fd: i32, opcode: u32, argument: GuestPtr<u8>, count: u32) -> SysResult {
    const IORING_REGISTER_BUFFERS: u32 = 0;
    const IORING_REGISTER_PROBE: u32 = 8;
    const IORING_REGISTER_BUFFERS2: u32 = 15;
    const IORING_REGISTER_BUFFERS_UPDATE: u32 = 16;
    /// The number of a ring in place of its descriptor, and rings that move.
    const IORING_REGISTER_RING_FDS: u32 = 20;
    const IORING_UNREGISTER_RING_FDS: u32 = 21;
    const IORING_REGISTER_RESIZE_RINGS: u32 = 33;
    /// The last one that has been looked at, `IORING_REGISTER_MEM_REGION`.
    const LAST: u32 = 34;
    let mut register = |address: u64| {
        let (opcode, count) = (u64::from(opcode), u64::from(count));
        thread.sys(nr::IO_URING_REGISTER, [int(fd), opcode, address, count]).map(low)
    };
    match opcode {
        IORING_REGISTER_BUFFERS => {
            let mut vectors = Buf::zeroed(buffers(count))?;
            let address = vectors_at(u64::from(argument.address()), &mut vectors);
            register(if argument.is_null() { 0 } else { address })
        }
        IORING_REGISTER_BUFFERS2 => {
            let mut what: io_uring_rsrc_register::Guest32 = mem::read(argument.cast())?;
            let mut vectors = Buf::zeroed(buffers(what.nr))?;
            if what.data.get() != 0 {
                what.data = U64(vectors_at(what.data.get(), &mut vectors));
            }
            register(addr(&what))
        }
        IORING_REGISTER_BUFFERS_UPDATE => {
            let mut what: io_uring_rsrc_update2::Guest32 = mem::read(argument.cast())?;
            let mut vectors = Buf::zeroed(buffers(what.nr))?;
            if what.data.get() != 0 {
                what.data = U64(vectors_at(what.data.get(), &mut vectors));
            }
            register(addr(&what))
        }
        IORING_REGISTER_PROBE => register(u64::from(argument.address())).inspect(|_| hide_unknown(argument, count)),
        IORING_REGISTER_RING_FDS | IORING_UNREGISTER_RING_FDS | IORING_REGISTER_RESIZE_RINGS => Err(Errno::EINVAL),
        1..=LAST => register(u64::from(argument.address())),
        _ => Err(Errno::EINVAL),
    }
}

/// How many buffers are read of an array; more than the kernel takes are its to refuse.
fn buffers(count: u32) -> usize {
    /// `IORING_MAX_REG_BUFFERS`
    const MOST: u32 = 1 << 14;
    if count > MOST { 0 } else { count as usize }
}

/// Takes the operations that are refused out of the kernel's answer.
fn hide_unknown(answer: GuestPtr<u8>, count: u32) {
    const HEAD: u32 = 16;
    const OPERATION: u32 = 8;
    const { assert!(size_of::<io_uring_probe::Guest32>() == 16 && size_of::<io_uring_probe_op::Guest32>() == 8) };
    for index in 0..count.min(256) {
        let Some(at) = answer.byte_add(HEAD + index * OPERATION) else { return };
        let at: GuestPtr<io_uring_probe_op::Guest32> = at.cast();
        let Ok(mut operation) = mem::read(at) else { return };
        if is_unknown(operation.op) && operation.flags != 0 {
            operation.flags = 0;
            let _ = mem::write(at, &operation);
        }
    }
}
