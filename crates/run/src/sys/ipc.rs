//! System V and POSIX inter-process communication, and the multiplexer ipc(2). The rules are those of the kernel's
//! `ipc/{syscall,sem,msg,shm,compat_mq}.c`.
//!
//! A command may carry `IPC_64`: the structures are then those with 32-bit ids. The direct calls always mean those; the
//! host knows no others and refuses the flag.

use super::input::{Input, UNREADABLE, output};
use crate::dispatch::SysResult;
use crate::host::{self, nr};
use crate::mem::space::{PAGE, SPACE};
use crate::mem::{self, Buf};
use crate::thread::Thread;
use abi::scalar::Unsigned as _;
use abi::structs::ipc::{
    ipc_kludge, ipc_perm_old, ipc64_perm, mq_attr, msqid_ds_old, msqid64_ds, semid_ds_old, semid64_ds, shm_info, shmid_ds_old,
    shmid64_ds, shminfo_old, shminfo64,
};
use abi::structs::time::{sigevent, timespec, timespec64};
use abi::structs::{Narrow, Widen};
use abi::trace::{IpcCall, MsgCmd, SemCmd, ShmCmd};
use abi::{Errno, GuestPtr};
use core::mem::offset_of;
use core::ops::Range;
use zerocopy::{FromBytes, Immutable, IntoBytes};

/// In a command: the structures with 32-bit ids (`linux/ipc.h`).
const IPC_64: u32 = 0x100;

/// Which structures a guest means.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Version {
    /// 16-bit ids.
    Old,
    /// 32-bit ids.
    Ipc64,
}

impl Version {
    /// What the command given to ipc(2) says (`compat_ipc_parse_version`).
    fn of(command: u32) -> Self {
        if command & IPC_64 == 0 { Self::Old } else { Self::Ipc64 }
    }
}

/// Drops what a 32-bit C library leaves in the upper half of `tv_nsec` (`get_timespec64` in `kernel/time/time.c`).
pub(super) fn time64(time: timespec64::Host64) -> timespec64::Host64 {
    timespec64::Host64 { tv_nsec: time.tv_nsec & 0xffff_ffff, ..time }
}

/// Reads a structure for `IPC_SET`, in the version that the guest means: of each only the parts that are used, which are ranges of
/// bytes (`copy_compat_msqid_from_user` and its like).
fn read_as<N, O, H>(
    at: GuestPtr<u8>,
    version: Version,
    (new_parts, old_parts): (&[Range<usize>], &[Range<usize>]),
    old: impl Fn(&O) -> H,
) -> Result<H, Errno>
where
    N: FromBytes + IntoBytes + Widen<H>,
    O: FromBytes + IntoBytes,
{
    fn parts<T: FromBytes + IntoBytes>(at: GuestPtr<u8>, parts: &[Range<usize>]) -> Result<T, Errno> {
        let mut value = T::new_zeroed();
        for part in parts {
            let from = u32::try_from(part.start).ok().and_then(|offset| at.byte_add(offset)).ok_or(Errno::EFAULT)?;
            mem::read_bytes(from, value.as_mut_bytes().get_mut(part.clone()).ok_or(Errno::EFAULT)?)?;
        }
        Ok(value)
    }
    match version {
        Version::Ipc64 => parts::<N>(at, new_parts).map(Widen::widen),
        Version::Old => parts::<O>(at, old_parts).map(|value| old(&value)),
    }
}

/// Where every structure has the owner and the permissions, with ids of 32 bits and of 16.
const PERM64: Range<usize> = 0..size_of::<ipc64_perm::Guest32>();
const PERM_OLD: Range<usize> = 0..size_of::<ipc_perm_old::Guest32>();

/// Writes a structure, in the version that the guest means.
fn write_as<N, O, H>(at: GuestPtr<u8>, version: Version, value: H, old: impl Fn(&H) -> O) -> Result<(), Errno>
where
    N: IntoBytes + Immutable,
    O: IntoBytes + Immutable,
    H: Narrow<N>,
{
    match version {
        Version::Ipc64 => mem::write(at.cast(), &value.truncate()),
        Version::Old => mem::write(at.cast(), &old(&value)),
    }
}

/// ipc(2): all calls of System V in one.
pub(crate) fn ipc(
    thread: &mut Thread,
    call: u32,
    first: i32,
    second: i32,
    third: u32,
    ptr: GuestPtr<u8>,
    fifth: i32,
) -> SysResult {
    let version = call >> 16;
    let (id, nsems) = (host::int(first), second.unsigned());
    match call & 0xffff {
        IpcCall::SEMOP => thread.sys(nr::SEMOP, [id, ptr.address().into(), nsems.into()]).map(host::low),
        IpcCall::SEMTIMEDOP => {
            let timeout = Input::read(GuestPtr::<timespec::Guest32>::new(fifth.unsigned()));
            thread.sys(nr::SEMTIMEDOP, [id, ptr.address().into(), nsems.into(), timeout.address()]).map(host::low)
        }
        IpcCall::SEMGET => thread.sys(nr::SEMGET, [id, host::int(second), third.into()]).map(host::low),
        IpcCall::SEMCTL => {
            if ptr.is_null() {
                return Err(Errno::EINVAL);
            }
            let argument = mem::read(ptr.cast::<u32>())?;
            semaphores(thread, first, second, third & !IPC_64, argument, Version::of(third))
        }
        IpcCall::MSGSND => msgsnd(thread, first, ptr, second, third),
        IpcCall::MSGRCV => {
            if first < 0 || second < 0 {
                return Err(Errno::EINVAL);
            }
            if version != 0 {
                return msgrcv(thread, first, ptr, second, fifth, third);
            }
            if ptr.is_null() {
                return Err(Errno::EINVAL);
            }
            let both = mem::read(ptr.cast::<ipc_kludge::Guest32>())?;
            msgrcv(thread, first, GuestPtr::new(both.msgp.get()), second, both.msgtyp.get(), third)
        }
        IpcCall::MSGGET => thread.sys(nr::MSGGET, [id, host::int(second)]).map(host::low),
        IpcCall::MSGCTL => {
            let command = second.unsigned();
            queues(thread, first, command & !IPC_64, ptr, Version::of(command))
        }
        IpcCall::SHMAT => {
            if version == 1 {
                return Err(Errno::EINVAL);
            }
            let address = shmat(thread, first, ptr, second.unsigned())?;
            mem::write(GuestPtr::new(third), &address).map(|()| 0)
        }
        IpcCall::SHMDT => shmdt(thread, ptr),
        IpcCall::SHMGET => thread.sys(nr::SHMGET, [id, nsems.into(), third.into()]).map(host::low),
        IpcCall::SHMCTL => {
            let command = second.unsigned();
            segments(thread, first, command & !IPC_64, ptr, Version::of(command))
        }
        _ => Err(Errno::ENOSYS),
    }
}

/// semctl(2)
pub(crate) fn semctl(thread: &mut Thread, semid: i32, semnum: i32, cmd: u32, arg: u32) -> SysResult {
    if cmd == IPC_64 | SemCmd::IPC_SET && semid >= 0 {
        // Refused only once it has been read.
        mem::read(GuestPtr::<ipc64_perm::Guest32>::new(arg))?;
    }
    // The one command that the rest of the kernel does not see.
    let cmd = if cmd == IPC_64 | SemCmd::SETVAL { SemCmd::SETVAL } else { cmd };
    let (cmd, id) = direct(cmd, semid, SemCmd::SEM_INFO, &[SemCmd::SEM_STAT, SemCmd::SEM_STAT_ANY])?;
    semaphores(thread, semid, semnum, cmd, arg, Version::Ipc64).map(|result| id.unwrap_or(result))
}

/// The command of a direct call that carries `IPC_64` all the same. The kernel strips it to choose the kind of command and
/// keeps it for the rest: any STAT is then `IPC_STAT` and returns the id, any INFO is `IPC_INFO`, and no other is known.
fn direct(cmd: u32, id: i32, info: u32, stat: &[u32]) -> Result<(u32, Option<u32>), Errno> {
    let plain = cmd & !IPC_64;
    if plain == cmd {
        return Ok((cmd, None));
    }
    match plain {
        SemCmd::IPC_INFO => Ok((SemCmd::IPC_INFO, None)),
        SemCmd::IPC_STAT => Ok((SemCmd::IPC_STAT, Some(id.unsigned()))),
        _ if plain == info => Ok((SemCmd::IPC_INFO, None)),
        _ if stat.contains(&plain) => Ok((SemCmd::IPC_STAT, Some(id.unsigned()))),
        _ => Err(Errno::EINVAL),
    }
}

/// `compat_ksys_semctl`
fn semaphores(thread: &mut Thread, semid: i32, semnum: i32, cmd: u32, arg: u32, version: Version) -> SysResult {
    let at = GuestPtr::<u8>::new(arg);
    let mut call =
        |argument: u64| thread.sys(nr::SEMCTL, [host::int(semid), host::int(semnum), cmd.into(), argument]).map(host::low);
    match cmd {
        SemCmd::IPC_STAT | SemCmd::SEM_STAT | SemCmd::SEM_STAT_ANY => {
            let mut set = semid64_ds::Host64::default();
            let result = call(host::addr_mut(&mut set))?;
            write_as::<semid64_ds::Guest32, _, _>(at, version, set, semid_ds_old::Guest32::from_host)?;
            Ok(result)
        }
        SemCmd::IPC_SET => {
            if semid < 0 {
                return Err(Errno::EINVAL);
            }
            let parts = (&[PERM64][..], &[PERM_OLD][..]);
            let set = read_as::<semid64_ds::Guest32, semid_ds_old::Guest32, _>(at, version, parts, |old| semid64_ds::Host64 {
                sem_perm: old.sem_perm.to_host(),
                ..Default::default()
            })?;
            call(host::addr(&set))
        }
        // A number, an array of `unsigned short`, a `struct seminfo` of `int`, or nothing.
        SemCmd::IPC_RMID
        | SemCmd::IPC_INFO
        | SemCmd::SEM_INFO
        | SemCmd::GETPID
        | SemCmd::GETVAL
        | SemCmd::GETALL
        | SemCmd::GETNCNT
        | SemCmd::GETZCNT
        | SemCmd::SETVAL
        | SemCmd::SETALL => call(arg.into()),
        _ => Err(Errno::EINVAL),
    }
}

/// semtimedop(2) with a 64-bit timeout; `struct sembuf` is the same on both sides.
pub(crate) fn semtimedop_time64(
    thread: &mut Thread,
    semid: i32,
    sops: GuestPtr<u8>,
    nsops: u32,
    timeout: GuestPtr<timespec64::Guest32>,
) -> SysResult {
    let timeout = Input::read(timeout).map(time64);
    thread.sys(nr::SEMTIMEDOP, [host::int(semid), sops.address().into(), nsops.into(), timeout.address()]).map(host::low)
}

/// No message is longer than this: `kernel.msgmax` is 8 KiB unless it has been raised.
const MOST_MESSAGE: usize = 1 << 28;

/// Room for a message of the host: its type, in 8 bytes, and `length` bytes of text.
fn message(length: usize) -> Result<Buf<u64>, Errno> {
    Buf::zeroed(1 + length.div_ceil(8))
}

/// Where the text of the guest's message at `msgp` begins.
fn text(msgp: GuestPtr<u8>) -> Result<GuestPtr<u8>, Errno> {
    msgp.byte_add(4).ok_or(Errno::EFAULT)
}

/// msgsnd(2): the message begins with a `long`.
pub(crate) fn msgsnd(thread: &mut Thread, msqid: i32, msgp: GuestPtr<u8>, msgsz: i32, msgflg: u32) -> SysResult {
    let kind = mem::read(msgp.cast::<i32>())?;
    let length = usize::try_from(msgsz).map_err(|_| Errno::EINVAL)?;
    if msqid < 0 || length > MOST_MESSAGE || kind < 1 {
        return Err(Errno::EINVAL);
    }
    let mut value = message(length)?;
    value[0] = i64::from(kind).unsigned();
    if let Err(fault) = text(msgp).and_then(|text| mem::read_bytes(text, &mut value[1..].as_mut_bytes()[..length])) {
        return Err(if longer_than_msgmax(thread, length)? { Errno::EINVAL } else { fault });
    }
    thread.sys(nr::MSGSND, [host::int(msqid), host::addr(&*value), length as u64, msgflg.into()]).map(host::low)
}

/// The most bytes that a message may have (`struct msginfo` is eight `int`s).
fn msgmax(thread: &mut Thread) -> Result<usize, Errno> {
    let mut info = [0i32; 8];
    thread.sys(nr::MSGCTL, [0, MsgCmd::IPC_INFO.into(), host::addr_mut(&mut info)])?;
    Ok(usize::try_from(info[2]).unwrap_or(0))
}

/// Whether no message may be this long, which the kernel looks at before it reads one.
fn longer_than_msgmax(thread: &mut Thread, length: usize) -> Result<bool, Errno> {
    Ok(length > msgmax(thread)?)
}

/// msgrcv(2)
pub(crate) fn msgrcv(thread: &mut Thread, msqid: i32, msgp: GuestPtr<u8>, msgsz: i32, msgtyp: i32, msgflg: u32) -> SysResult {
    const MSG_COPY: u32 = 0o40000;
    const MSG_EXCEPT: u32 = 0o20000;
    const IPC_NOWAIT: u32 = 0o4000;
    let room = usize::try_from(msgsz).map_err(|_| Errno::EINVAL)?.min(MOST_MESSAGE);
    if msqid < 0 {
        return Err(Errno::EINVAL);
    }
    if msgflg & (MSG_COPY | MSG_EXCEPT | IPC_NOWAIT) == MSG_COPY | IPC_NOWAIT {
        // The kernel makes room for the copy by reading as much from the guest (`prepare_copy` in ipc/msg.c).
        let mut there = Buf::<u8>::zeroed(room.min(msgmax(thread)?))?;
        mem::read_bytes(msgp, &mut there)?;
    }
    let mut value = message(room)?;
    let call = [host::int(msqid), host::addr_mut(&mut *value), room as u64, host::int(msgtyp), msgflg.into()];
    let length = thread.sys(nr::MSGRCV, call)?;
    // `compat_do_msg_fill`: the type is cut.
    mem::write(msgp.cast(), &host::low(value[0]))?;
    let bytes = value[1..].as_bytes();
    mem::write_bytes(text(msgp)?, bytes.get(..usize::try_from(length).unwrap_or(0)).unwrap_or_default())?;
    Ok(host::low(length))
}

/// msgctl(2)
pub(crate) fn msgctl(thread: &mut Thread, msqid: i32, cmd: u32, buf: GuestPtr<u8>) -> SysResult {
    if cmd == IPC_64 | MsgCmd::IPC_SET && msqid >= 0 {
        // As of semctl.
        mem::read(buf.cast::<ipc64_perm::Guest32>())?;
        let length = u32::try_from(offset_of!(msqid64_ds::Guest32, msg_qbytes)).unwrap_or(0);
        mem::read(buf.byte_add(length).ok_or(Errno::EFAULT)?.cast::<u32>())?;
    }
    let (cmd, id) = direct(cmd, msqid, MsgCmd::MSG_INFO, &[MsgCmd::MSG_STAT, MsgCmd::MSG_STAT_ANY])?;
    queues(thread, msqid, cmd, buf, Version::Ipc64).map(|result| id.unwrap_or(result))
}

/// `compat_ksys_msgctl`
fn queues(thread: &mut Thread, msqid: i32, cmd: u32, at: GuestPtr<u8>, version: Version) -> SysResult {
    let mut call = |argument: u64| thread.sys(nr::MSGCTL, [host::int(msqid), cmd.into(), argument]).map(host::low);
    match cmd {
        MsgCmd::IPC_STAT | MsgCmd::MSG_STAT | MsgCmd::MSG_STAT_ANY => {
            let mut queue = msqid64_ds::Host64::default();
            let result = call(host::addr_mut(&mut queue))?;
            write_as::<msqid64_ds::Guest32, _, _>(at, version, queue, msqid_ds_old::Guest32::from_host)?;
            Ok(result)
        }
        MsgCmd::IPC_SET => {
            if msqid < 0 {
                return Err(Errno::EINVAL);
            }
            const QBYTES: usize = offset_of!(msqid64_ds::Guest32, msg_qbytes);
            const QBYTES_OLD: usize = offset_of!(msqid_ds_old::Guest32, msg_qbytes);
            let parts = (&[PERM64, QBYTES..QBYTES + 4][..], &[PERM_OLD, QBYTES_OLD..QBYTES_OLD + 2][..]);
            let queue = read_as::<msqid64_ds::Guest32, msqid_ds_old::Guest32, _>(at, version, parts, |old| msqid64_ds::Host64 {
                msg_perm: old.msg_perm.to_host(),
                msg_qbytes: old.msg_qbytes.into(),
                ..Default::default()
            })?;
            call(host::addr(&queue))
        }
        // A `struct msginfo` of `int`, or nothing.
        MsgCmd::IPC_RMID | MsgCmd::IPC_INFO | MsgCmd::MSG_INFO => call(at.address().into()),
        _ => Err(Errno::EINVAL),
    }
}

/// shmctl(2)
pub(crate) fn shmctl(thread: &mut Thread, shmid: i32, cmd: u32, buf: GuestPtr<u8>) -> SysResult {
    segments(thread, shmid, cmd, buf, Version::Ipc64)
}

/// `compat_ksys_shmctl`
fn segments(thread: &mut Thread, shmid: i32, cmd: u32, at: GuestPtr<u8>, version: Version) -> SysResult {
    let mut call = |argument: u64| thread.sys(nr::SHMCTL, [host::int(shmid), cmd.into(), argument]).map(host::low);
    match cmd {
        ShmCmd::IPC_INFO => {
            let mut info = shminfo64::Host64::default();
            let result = call(host::addr_mut(&mut info))?;
            // More than a 32-bit task could ask for (`copy_compat_shminfo_to_user`).
            info.shmmax = info.shmmax.min(0x7fff_ffff);
            write_as::<shminfo64::Guest32, _, _>(at, version, info, shminfo_old::Guest32::from_host)?;
            Ok(result)
        }
        ShmCmd::SHM_INFO => {
            let mut info = shm_info::Host64::default();
            let result = call(host::addr_mut(&mut info))?;
            mem::write(at.cast::<shm_info::Guest32>(), &info.truncate())?;
            Ok(result)
        }
        ShmCmd::IPC_STAT | ShmCmd::SHM_STAT | ShmCmd::SHM_STAT_ANY => {
            let mut segment = shmid64_ds::Host64::default();
            let result = call(host::addr_mut(&mut segment))?;
            write_as::<shmid64_ds::Guest32, _, _>(at, version, segment, shmid_ds_old::Guest32::from_host)?;
            Ok(result)
        }
        ShmCmd::IPC_SET => {
            if shmid < 0 {
                return Err(Errno::EINVAL);
            }
            let parts = (&[PERM64][..], &[PERM_OLD][..]);
            let segment = read_as::<shmid64_ds::Guest32, shmid_ds_old::Guest32, _>(at, version, parts, |old| {
                shmid64_ds::Host64 { shm_perm: old.shm_perm.to_host(), ..Default::default() }
            })?;
            call(host::addr(&segment))
        }
        ShmCmd::IPC_RMID | ShmCmd::SHM_LOCK | ShmCmd::SHM_UNLOCK => call(0),
        _ => Err(Errno::EINVAL),
    }
}

/// shmat(2): below 4 GiB, where the address space must know how long the segment is.
pub(crate) fn shmat(thread: &mut Thread, shmid: i32, shmaddr: GuestPtr<u8>, shmflg: u32) -> SysResult {
    const SHM_RND: u32 = 0o20000;
    // An address that cannot be is found before the segment is (`do_shmat`).
    if shmaddr.address() % PAGE != 0 && shmflg & SHM_RND == 0 {
        return Err(Errno::EINVAL);
    }
    let mut segment = shmid64_ds::Host64::default();
    thread.sys(nr::SHMCTL, [host::int(shmid), ShmCmd::IPC_STAT.into(), host::addr_mut(&mut segment)])?;
    let length = u32::try_from(segment.shm_segsz).map_err(|_| Errno::ENOMEM)?;
    SPACE.lock().attach(shmid, shmaddr.address(), shmflg, length)
}

/// shmdt(2)
pub(crate) fn shmdt(_: &mut Thread, shmaddr: GuestPtr<u8>) -> SysResult {
    SPACE.lock().detach(shmaddr.address()).map(|()| 0)
}

/// mq_open(2)
pub(crate) fn mq_open(
    thread: &mut Thread,
    name: GuestPtr<u8>,
    oflag: u32,
    mode: u32,
    attr: GuestPtr<mq_attr::Guest32>,
) -> SysResult {
    const O_CREAT: u32 = 0o100;
    // Looked at only where a queue may be made, and then before anything else (`compat_sys_mq_open`).
    let attributes = if oflag & O_CREAT == 0 || attr.is_null() { None } else { Some(mem::read(attr)?.widen()) };
    let address = attributes.as_ref().map_or(0, host::addr);
    thread.sys(nr::MQ_OPEN, [name.address().into(), oflag.into(), mode.into(), address]).map(host::low)
}

/// A deadline that cannot be read is refused before anything else (`compat_prepare_timeout`).
fn deadline<H>(input: &Input<H>) -> Result<u64, Errno> {
    match input.address() {
        UNREADABLE => Err(Errno::EFAULT),
        address => Ok(address),
    }
}

/// mq_timedsend(2)
pub(crate) fn mq_timedsend(
    thread: &mut Thread,
    mqdes: i32,
    msg_ptr: GuestPtr<u8>,
    msg_len: u32,
    msg_prio: u32,
    abs_timeout: GuestPtr<timespec::Guest32>,
) -> SysResult {
    let timeout = Input::read(abs_timeout);
    let at = deadline(&timeout)?;
    let call = [host::int(mqdes), msg_ptr.address().into(), msg_len.into(), msg_prio.into(), at];
    thread.sys(nr::MQ_TIMEDSEND, call).map(host::low)
}

/// mq_timedsend(2) with a 64-bit deadline.
pub(crate) fn mq_timedsend_time64(
    thread: &mut Thread,
    mqdes: i32,
    msg_ptr: GuestPtr<u8>,
    msg_len: u32,
    msg_prio: u32,
    abs_timeout: GuestPtr<timespec64::Guest32>,
) -> SysResult {
    let timeout = Input::read(abs_timeout).map(time64);
    let at = deadline(&timeout)?;
    let call = [host::int(mqdes), msg_ptr.address().into(), msg_len.into(), msg_prio.into(), at];
    thread.sys(nr::MQ_TIMEDSEND, call).map(host::low)
}

/// mq_timedreceive(2)
pub(crate) fn mq_timedreceive(
    thread: &mut Thread,
    mqdes: i32,
    msg_ptr: GuestPtr<u8>,
    msg_len: u32,
    msg_prio: GuestPtr<u32>,
    abs_timeout: GuestPtr<timespec::Guest32>,
) -> SysResult {
    let timeout = Input::read(abs_timeout);
    let at = deadline(&timeout)?;
    let call = [host::int(mqdes), msg_ptr.address().into(), msg_len.into(), msg_prio.address().into(), at];
    thread.sys(nr::MQ_TIMEDRECEIVE, call).map(host::low)
}

/// mq_timedreceive(2) with a 64-bit deadline.
pub(crate) fn mq_timedreceive_time64(
    thread: &mut Thread,
    mqdes: i32,
    msg_ptr: GuestPtr<u8>,
    msg_len: u32,
    msg_prio: GuestPtr<u32>,
    abs_timeout: GuestPtr<timespec64::Guest32>,
) -> SysResult {
    let timeout = Input::read(abs_timeout).map(time64);
    let at = deadline(&timeout)?;
    let call = [host::int(mqdes), msg_ptr.address().into(), msg_len.into(), msg_prio.address().into(), at];
    thread.sys(nr::MQ_TIMEDRECEIVE, call).map(host::low)
}

/// mq_notify(2). For `SIGEV_THREAD` the value is the address of a cookie, which stays where it is.
pub(crate) fn mq_notify(thread: &mut Thread, mqdes: i32, sevp: GuestPtr<sigevent::Guest32>) -> SysResult {
    let event = super::time::event(sevp);
    thread.sys(nr::MQ_NOTIFY, [host::int(mqdes), deadline(&event)?]).map(host::low)
}

/// mq_getsetattr(2)
pub(crate) fn mq_getsetattr(
    thread: &mut Thread,
    mqdes: i32,
    newattr: GuestPtr<mq_attr::Guest32>,
    oldattr: GuestPtr<mq_attr::Guest32>,
) -> SysResult {
    let (new, mut old) = (Input::read(newattr), mq_attr::Host64::default());
    thread.sys(nr::MQ_GETSETATTR, [host::int(mqdes), deadline(&new)?, output(oldattr, &mut old)])?;
    if !oldattr.is_null() {
        mem::write(oldattr, &old.truncate())?;
    }
    Ok(0)
}
