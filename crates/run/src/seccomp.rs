//! Filters of system calls that a guest installs, seccomp(2).
//!
//! The host's kernel would show them the calls of the supervisor: 64-bit ones, with other numbers. So they are interpreted here, when
//! a call comes in ([`check`]), and see what a 32-bit task's filters see: `AUDIT_ARCH_I386`, i386 numbers, the guest's instruction
//! pointer, 32-bit arguments.
//!
//! The host gets each filter too, for calls that are made below 4 GiB; all others, the supervisor's, it allows. So the host's kernel
//! decides who may install one, and says in `PR_GET_SECCOMP` and `/proc` that there is one; and code of the guest that enters the
//! 64-bit segment has its calls judged as natively, unless it makes them with the supervisor's own instructions. From the first
//! filter on no call takes the fast path; before that, none of this costs anything there.
//!
//! Filters are shared as the kernel shares them: each refers to the one before, threads refer to the last, and none ever changes. A
//! 32-bit program that is executed gets them in a file in memory, a 64-bit one gets them in the kernel, from [`execute_filtered`].

pub(crate) mod bpf;

use crate::dispatch::{SysResult, arguments};
use crate::host::{self, nr};
use crate::mem::{self, Buf};
use crate::signal::{self, SIGKILL, SIGSYS};
use crate::switch::{entry, patch};
use crate::sync::Lock;
use crate::sys::process;
use crate::text::Text;
use crate::thread::Thread;
use abi::structs::signal::SiginfoBytes;
use abi::structs::socket::sock_fprog;
use abi::trace::SeccompFlags;
use abi::{Errno, GuestPtr};
use bpf::{DATA, Instruction};
use core::ffi::CStr;
use core::sync::atomic::{AtomicPtr, AtomicU32, Ordering};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// `EM_386 | __AUDIT_ARCH_LE`, linux/audit.h.
const AUDIT_ARCH_I386: u32 = 0x4000_0003;

// What a filter returns, linux/seccomp.h: the action in the upper half, data in the lower.
const ACTION: u32 = 0xffff_0000;
const DATA_OF_ACTION: u32 = 0xffff;
const KILL_THREAD: u32 = 0;
const TRAP: u32 = 0x0003_0000;
const ERRNO: u32 = 0x0005_0000;
const USER_NOTIF: u32 = 0x7fc0_0000;
const TRACE: u32 = 0x7ff0_0000;
const LOG: u32 = 0x7ffc_0000;
const ALLOW: u32 = 0x7fff_0000;

// linux/bpf_common.h
const LOAD_DATA: u16 = 0x20;
const LOAD_K: u16 = 0x00;
const JUMP_IF_EQUAL: u16 = 0x15;
const RETURN_K: u16 = 0x06;
/// Where `struct seccomp_data` has the instruction pointer.
const POINTER: u32 = 8;

const fn instruction(code: u16, k: u32, jt: u8, jf: u8) -> Instruction {
    Instruction { code, jt, jf, k }
}

/// In front of a filter on the host: what is not below 4 GiB is allowed. The filter finds A as it expects it.
const BELOW_4_GIB: [Instruction; 4] = [
    instruction(LOAD_DATA, POINTER + 4, 0, 0),
    instruction(JUMP_IF_EQUAL, 0, 1, 0),
    instruction(RETURN_K, ALLOW, 0, 0),
    instruction(LOAD_K, 0, 0, 0),
];

/// One filter, in a mapping of its own; its instructions follow.
#[repr(C)]
struct Filter {
    /// Threads, later filters and [`SYNC`] that refer to it.
    references: AtomicU32,
    /// How many instructions.
    count: u32,
    /// The flags that matter later.
    flags: u32,
    /// Instructions of this filter and all before, counted as the kernel counts them.
    total: u32,
    /// The one that was installed before.
    previous: *mut Filter,
}

impl Filter {
    /// The bytes that `count` instructions need.
    fn length(count: usize) -> u64 {
        (size_of::<Self>() + count * size_of::<Instruction>()) as u64
    }

    /// Maps a filter of `count` instructions, which are all zero.
    fn allocate(count: usize, flags: u32) -> Result<*mut Self, Errno> {
        const READ_WRITE: u64 = 3;
        const PRIVATE_ANONYMOUS: u64 = 0x22;
        // SAFETY: a new mapping at an address of the kernel's choosing.
        let at = unsafe { host::call(nr::MMAP, [0, Self::length(count), READ_WRITE, PRIVATE_ANONYMOUS, u64::MAX, 0]) }?;
        let filter: *mut Self = core::ptr::with_exposed_provenance_mut(usize::try_from(at).map_err(|_| Errno::ENOMEM)?);
        let count = u32::try_from(count).map_err(|_| Errno::EINVAL)?;
        // SAFETY: the mapping is page-aligned, large enough, and nobody else's.
        unsafe {
            filter.write(Self { references: AtomicU32::new(1), count, flags, total: 0, previous: core::ptr::null_mut() });
        }
        Ok(filter)
    }
}

/// The instructions of a filter.
///
/// # Safety
/// Somebody refers to it for as long as the result lives.
unsafe fn instructions<'a>(filter: *const Filter) -> &'a [Instruction] {
    // SAFETY: `allocate` has made room for so many behind the header, and zeroes are instructions.
    unsafe { core::slice::from_raw_parts(filter.add(1).cast(), (*filter).count as usize) }
}

/// One more refers to `filter`, if there is one.
///
/// # Safety
/// Somebody refers to it.
unsafe fn retain(filter: *mut Filter) -> *mut Filter {
    if !filter.is_null() {
        // SAFETY: the caller vouches for it.
        unsafe { (*filter).references.fetch_add(1, Ordering::Relaxed) };
    }
    filter
}

/// Puts a new filter behind the one `before`, if there is one, whose reference it takes over.
///
/// # Safety
/// Nobody else knows the new one.
unsafe fn append(filter: *mut Filter, before: *mut Filter) {
    /// What each filter counts besides its instructions.
    const PENALTY: u32 = 4;
    // SAFETY: the caller vouches for it.
    unsafe {
        let so_far = if before.is_null() { 0 } else { (*before).total.saturating_add(PENALTY) };
        (*filter).total = so_far.saturating_add((*filter).count);
        (*filter).previous = before;
    }
}

/// One less refers to `filter`, if there is one.
///
/// # Safety
/// The caller's own reference is given up.
unsafe fn release(mut filter: *mut Filter) {
    while !filter.is_null() {
        // SAFETY: the reference is still ours; whoever gives up the last one has the filter for itself.
        unsafe {
            if (*filter).references.fetch_sub(1, Ordering::AcqRel) != 1 {
                return;
            }
            let previous = (*filter).previous;
            let _ = host::call(nr::MUNMAP, [filter.addr() as u64, Filter::length((*filter).count as usize)]);
            filter = previous;
        }
    }
}

/// What a thread keeps. All zero where it has no filter.
#[derive(Default)]
pub(crate) struct State {
    /// The last filter. Written with [`SYNC`] held, also by other threads.
    filters: AtomicPtr<Filter>,
    /// `SECCOMP_MODE_STRICT`.
    strict: bool,
    /// [`Synchronised::generation`] at the time when the thread was being made.
    generation: u32,
}

impl State {
    /// Whether calls have to be looked at.
    #[inline]
    pub(crate) fn is_on(&self) -> bool {
        self.strict || !self.filters.load(Ordering::Relaxed).is_null()
    }
}

/// The last time that one thread has given its filters to all: for threads that are being made meanwhile.
pub(crate) struct Synchronised {
    generation: u32,
    pid: u32,
    filters: *mut Filter,
}
// SAFETY: the filter is reached only with the lock held, and is referred to.
unsafe impl Send for Synchronised {}

/// Held by whoever installs filters.
pub(crate) static SYNC: Lock<Synchronised> = Lock::new(Synchronised { generation: 0, pid: 0, filters: core::ptr::null_mut() });

/// Gives a thread that is being made its parent's filters.
pub(crate) fn inherit(child: &mut Thread, parent: &Thread) {
    let sync = SYNC.lock();
    // SAFETY: the parent refers to it, and changes it with the lock held only.
    let filters = unsafe { retain(parent.seccomp.filters.load(Ordering::Relaxed)) };
    child.seccomp = State { filters: AtomicPtr::new(filters), strict: parent.seccomp.strict, generation: sync.generation };
}

/// In a new thread, which is in the list of all by now: takes the filters that all have been given since it was being made.
pub(crate) fn begin(thread: &Thread) {
    let sync = SYNC.lock();
    if sync.generation != thread.seccomp.generation && sync.pid == thread.pid {
        // SAFETY: the lock is held. What the thread has had is what its parent had, on which the new filters are built.
        unsafe { release(thread.seccomp.filters.swap(retain(sync.filters), Ordering::Release)) };
    }
}

/// Gives up what a thread that ends refers to.
pub(crate) fn end(thread: &Thread) {
    let _sync = SYNC.lock();
    // SAFETY: the thread makes no call any more.
    unsafe { release(thread.seccomp.filters.swap(core::ptr::null_mut(), Ordering::AcqRel)) };
}

/// What the thread's filters say of the call that it makes: `None` to make it, or what it returns instead.
#[inline]
pub(crate) fn check(thread: &mut Thread, number: u32) -> Option<SysResult> {
    if thread.seccomp.is_on() { judge(thread, number) } else { None }
}

#[inline(never)]
fn judge(thread: &mut Thread, number: u32) -> Option<SysResult> {
    /// read, write, exit, sigreturn (`mode1_syscalls_32` in kernel/seccomp.c).
    const STRICT: [u32; 4] = [3, 4, 1, 119];
    if thread.seccomp.strict {
        return if STRICT.contains(&number) { None } else { Some(end_thread(thread, &info(SIGKILL))) };
    }
    let eip = patch::to_guest_eip(thread.regs.eip);
    let [a, b, c, d, e, f] = arguments(thread);
    let data: [u32; DATA] = [number, AUDIT_ARCH_I386, eip, 0, a, 0, b, 0, c, 0, d, 0, e, 0, f, 0];
    // The action that is least as a signed number wins; of several the one of the latest filter (`seccomp_run_filters`).
    let rank = |verdict: u32| i32::from_ne_bytes((verdict & ACTION).to_ne_bytes());
    let mut verdict = ALLOW;
    let mut filter = thread.seccomp.filters.load(Ordering::Acquire);
    while !filter.is_null() {
        // SAFETY: the thread refers to its last filter, and each to the one before. A thread that gives others its filters takes
        // none away: theirs are among them.
        let (program, previous) = unsafe { (instructions(filter), (*filter).previous) };
        let said = bpf::run(program, &data);
        if rank(said) < rank(verdict) {
            verdict = said;
        }
        filter = previous;
    }
    let data = verdict & DATA_OF_ACTION;
    let mut sigsys = info(SIGSYS);
    sigsys[4..8].copy_from_slice(&data.to_le_bytes());
    sigsys[8..12].copy_from_slice(&SYS_SECCOMP.to_le_bytes());
    sigsys[16..20].copy_from_slice(&eip.to_le_bytes());
    sigsys[24..28].copy_from_slice(&number.to_le_bytes());
    sigsys[28..32].copy_from_slice(&AUDIT_ARCH_I386.to_le_bytes());
    match verdict & ACTION {
        ALLOW | LOG => None,
        ERRNO => Some(match u16::try_from(data).unwrap_or(0).min(MAX_ERRNO) {
            0 => Ok(0),
            errno => Err(Errno(errno)),
        }),
        // The handler finds the registers as they were before the call.
        TRAP => Some(signal::force(thread, sigsys).map(|()| number)),
        // Nobody traces the guest, and nobody listens.
        TRACE | USER_NOTIF => Some(Err(Errno::ENOSYS)),
        KILL_THREAD => Some(end_thread(thread, &sigsys)),
        _ => end_process(thread, &sigsys),
    }
}

const SYS_SECCOMP: u32 = 1;
/// Greatest errno (`MAX_ERRNO`, linux/err.h).
const MAX_ERRNO: u16 = 4095;

/// A `siginfo_t` of the host with nothing but the signal.
fn info(signal: i32) -> SiginfoBytes {
    let mut info = [0; 128];
    info[..4].copy_from_slice(&signal.to_le_bytes());
    info
}

/// Ends the thread, and the process with it if there is no other (`do_exit` and `force_sig_seccomp` in kernel/seccomp.c).
fn end_thread(thread: &mut Thread, info: &SiginfoBytes) -> SysResult {
    if process::is_alone(thread) {
        end_process(thread, info);
    }
    process::exit(thread, signal::siginfo::signo(info))
}

fn end_process(thread: &mut Thread, info: &SiginfoBytes) -> ! {
    process::release_robust_lists(thread);
    signal::end_by(thread, info)
}

/// `SECCOMP_SET_MODE_STRICT`: read, write, exit and sigreturn are left.
///
/// # Errors
/// `EINVAL` for a thread that has filters.
pub(crate) fn set_strict(thread: &mut Thread) -> SysResult {
    let _sync = SYNC.lock();
    if !thread.seccomp.filters.load(Ordering::Relaxed).is_null() {
        return Err(Errno::EINVAL);
    }
    thread.seccomp.strict = true;
    entry::slow_all();
    Ok(0)
}

/// The host's `struct sock_fprog`.
#[repr(C)]
struct HostProgram {
    length: u64,
    instructions: u64,
}

/// A filter with other instructions in front.
fn joined(first: &[Instruction], filter: &[Instruction]) -> Result<Buf<Instruction>, Errno> {
    let mut whole = Buf::<Instruction>::zeroed(first.len() + filter.len())?;
    whole[..first.len()].copy_from_slice(first);
    whole[first.len()..].copy_from_slice(filter);
    Ok(whole)
}

/// Installs a filter on the host.
fn install(flags: u32, program: &[Instruction]) -> Result<u64, Errno> {
    const SECCOMP_SET_MODE_FILTER: u64 = 1;
    let program = HostProgram { length: program.len() as u64, instructions: host::addr(program) };
    // SAFETY: the kernel copies the program, which outlives the call.
    unsafe { host::call(nr::SECCOMP, [SECCOMP_SET_MODE_FILTER, u64::from(flags), host::addr(&program)]) }
}

/// `SECCOMP_SET_MODE_FILTER`: returns 0, or the thread that cannot be given the filters.
///
/// # Errors
/// As the kernel's `seccomp_set_mode_filter`.
pub(crate) fn set_filter(thread: &mut Thread, flags: u32, pointer: GuestPtr<sock_fprog::Guest32>) -> SysResult {
    const FLAGS: u32 = SeccompFlags::SECCOMP_FILTER_FLAG_TSYNC
        | SeccompFlags::SECCOMP_FILTER_FLAG_LOG
        | SeccompFlags::SECCOMP_FILTER_FLAG_SPEC_ALLOW
        | SeccompFlags::SECCOMP_FILTER_FLAG_TSYNC_ESRCH;
    /// What `MAX_INSNS_PER_PATH` allows all filters together.
    const MOST_INSTRUCTIONS: u32 = 32768;
    if flags & !FLAGS != 0 {
        if flags & SeccompFlags::SECCOMP_FILTER_FLAG_NEW_LISTENER != 0 {
            thread.lacks("SECCOMP_FILTER_FLAG_NEW_LISTENER");
        }
        return Err(Errno::EINVAL);
    }
    let program = mem::read(pointer)?;
    let count = usize::from(program.len);
    if !(1..=bpf::LONGEST).contains(&count) {
        return Err(Errno::EINVAL);
    }
    // Whether it is allowed at all comes before what is wrong with the program: what the host says of one that is certainly wrong.
    match install(0, &[instruction(u16::MAX, 0, 0, 0)]) {
        Err(Errno::EINVAL) => {}
        Err(errno) => return Err(errno),
        Ok(_) => return Err(Errno::EINVAL),
    }
    if program.filter.0 == 0 {
        return Err(Errno::EINVAL);
    }
    let mut copy = Buf::<Instruction>::zeroed(count)?;
    mem::read_slice(GuestPtr::new(program.filter.0), &mut copy)?;
    if !bpf::is_valid(&copy) {
        return Err(Errno::EINVAL);
    }
    // One that leaves no room for anything else is judged here alone.
    let for_host = if count + BELOW_4_GIB.len() <= bpf::LONGEST {
        joined(&BELOW_4_GIB, &copy)?
    } else {
        joined(&[], &[instruction(RETURN_K, ALLOW, 0, 0)])?
    };
    let kept = SeccompFlags::SECCOMP_FILTER_FLAG_LOG | SeccompFlags::SECCOMP_FILTER_FLAG_SPEC_ALLOW;
    let filter = Filter::allocate(count, flags & kept)?;
    let result = {
        let mut sync = SYNC.lock();
        let before = thread.seccomp.filters.load(Ordering::Relaxed);
        // SAFETY: nobody else knows the new filter yet; the thread refers to the one before, which it gives to the new one.
        unsafe {
            filter.add(1).cast::<Instruction>().copy_from_nonoverlapping(copy.as_ptr(), count);
            append(filter, before);
            if (*filter).total > MOST_INSTRUCTIONS { Err(Errno::ENOMEM) } else { install(flags, &for_host) }
        }
        .inspect(|&unable| {
            if unable == 0 {
                thread.seccomp.filters.store(filter, Ordering::Release);
                if flags & SeccompFlags::SECCOMP_FILTER_FLAG_TSYNC != 0 {
                    synchronise(thread, &mut sync);
                }
            }
        })
    };
    if result != Ok(0) {
        // SAFETY: nobody has come to know it, and the one before is still the thread's.
        unsafe {
            (*filter).previous = core::ptr::null_mut();
            release(filter);
        }
    }
    entry::slow_all();
    result.map(host::low)
}

/// Gives the filters of `thread` to all threads of its process; the host's kernel has found that theirs are among them.
fn synchronise(thread: &Thread, sync: &mut Synchronised) {
    let filters = thread.seccomp.filters.load(Ordering::Relaxed);
    sync.generation = sync.generation.wrapping_add(1);
    sync.pid = thread.pid;
    // SAFETY: the lock is held, so no filter goes while it is being handed on.
    unsafe { release(core::mem::replace(&mut sync.filters, retain(filters))) };
    process::each_of_process(thread, |other| {
        // SAFETY: as above; threads in the list are alive.
        unsafe {
            let before = (*other).seccomp.filters.swap(retain(filters), Ordering::Release);
            release(before);
        }
    });
}

/// One filter in the file that a program which is executed gets, followed by its instructions; the first comes first.
#[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Clone, Copy)]
#[repr(C)]
struct Header {
    count: u32,
    flags: u32,
}

/// A file in memory with the thread's filters, for a program that is executed; `None` where there are none. It stays open across
/// exec.
///
/// # Errors
/// The kernel's errno.
pub(crate) fn to_file(thread: &Thread) -> Result<Option<i32>, Errno> {
    let mut filter = thread.seccomp.filters.load(Ordering::Acquire);
    if filter.is_null() {
        return Ok(None);
    }
    // SAFETY: the name outlives the call.
    let fd = unsafe { host::call(nr::MEMFD_CREATE, [host::addr(c"filters".to_bytes_with_nul()), 0]) }?;
    // SAFETY: the thread refers to all of them.
    let mut end = unsafe {
        let mut bytes = 0;
        let mut each = filter;
        while !each.is_null() {
            bytes += (size_of::<Header>() + size_of_val(instructions(each))) as u64;
            each = (*each).previous;
        }
        bytes
    };
    while !filter.is_null() {
        // SAFETY: as above.
        let (program, header) = unsafe { (instructions(filter), Header { count: (*filter).count, flags: (*filter).flags }) };
        let length = (size_of::<Header>() + size_of_val(program)) as u64;
        end -= length;
        // SAFETY: what is written outlives the calls.
        let wrote = unsafe {
            host::call(nr::PWRITE64, [fd, host::addr(&header), size_of::<Header>() as u64, end]).and_then(|head| {
                let at = end + size_of::<Header>() as u64;
                Ok(head + host::call(nr::PWRITE64, [fd, host::addr(program), size_of_val(program) as u64, at])?)
            })
        };
        if wrote != Ok(length) {
            close(fd);
            return Err(wrote.err().unwrap_or(Errno::ENOMEM));
        }
        // SAFETY: as above.
        filter = unsafe { (*filter).previous };
    }
    i32::try_from(fd).map(Some).map_err(|_| Errno::EMFILE)
}

fn close(fd: u64) {
    // SAFETY: a descriptor of our own.
    let _ = unsafe { host::call(nr::CLOSE, [fd]) };
}

/// Calls `visit` with the flags and the instructions of each filter in the file that [`to_file`] has made.
///
/// # Errors
/// `EINVAL` for a file that is none, or what `visit` returns.
fn from_file(fd: i32, mut visit: impl FnMut(u32, &[Instruction]) -> Result<(), Errno>) -> Result<(), Errno> {
    let fd = host::int(fd);
    let mut at = 0;
    loop {
        let mut header = Header { count: 0, flags: 0 };
        // SAFETY: the header outlives the call.
        let got = unsafe { host::call(nr::PREAD64, [fd, host::addr_mut(&mut header), size_of::<Header>() as u64, at]) }?;
        if got == 0 {
            return Ok(());
        }
        at += got;
        let mut program = Buf::<Instruction>::zeroed((header.count as usize).min(bpf::LONGEST))?;
        let bytes = size_of_val(&*program) as u64;
        // SAFETY: so do the instructions.
        let got = unsafe { host::call(nr::PREAD64, [fd, host::addr_mut(&mut *program), bytes, at]) }?;
        if got != bytes || !bpf::is_valid(&program) {
            return Err(Errno::EINVAL);
        }
        at += bytes;
        visit(header.flags, &program)?;
    }
}

/// Takes the filters over from the program that has executed this one. The host's are there already.
///
/// # Errors
/// As [`from_file`], and `ENOMEM`.
pub(crate) fn take_over(thread: &mut Thread, fd: i32) -> Result<(), Errno> {
    from_file(fd, |flags, program| {
        let filter = Filter::allocate(program.len(), flags)?;
        let before = thread.seccomp.filters.load(Ordering::Relaxed);
        // SAFETY: nobody else knows the new filter; the thread refers to the one before, which it gives to the new one.
        unsafe {
            filter.add(1).cast::<Instruction>().copy_from_nonoverlapping(program.as_ptr(), program.len());
            append(filter, before);
        }
        thread.seccomp.filters.store(filter, Ordering::Release);
        Ok(())
    })?;
    close(host::int(fd));
    entry::slow_all();
    Ok(())
}

/// What is to be executed by [`execute_filtered`], as one word of options.
pub(crate) fn filtered_options(seccomp: i32, dirfd: i32, temporary: bool, flags: u32) -> Text<96> {
    let name = if temporary { "temporary" } else { "dirfd" };
    Text::of(format_args!("seccomp={seccomp} {name}={dirfd} flags={flags}"))
}

/// A 64-bit program that a guest with filters executes, by way of another biarch.
pub struct Filtered<'a> {
    /// The file with the filters.
    pub seccomp: i32,
    /// What the name is relative to, or -100.
    pub dirfd: i32,
    /// Whether that is to be closed when the program is executed.
    pub temporary: bool,
    /// Flags of execveat(2).
    pub flags: u32,
    /// The program's name.
    pub name: &'a CStr,
    /// Its arguments.
    pub argv: &'a [&'a CStr],
    /// Its environment.
    pub envp: &'a [&'a CStr],
}

/// Executes a 64-bit program with the guest's filters installed in the kernel, where they see it as they would natively:
/// `AUDIT_ARCH_X86_64`. Returns only if that fails.
///
/// A filter that has been installed must not keep the next one, or the program, from being there. So each is told by a few
/// instructions in front to allow calls from one address, that of the one instruction which makes those calls.
#[must_use]
pub fn execute_filtered(program: &Filtered<'_>) -> Errno {
    match try_execute_filtered(program) {
        Ok(()) => Errno::EINVAL,
        Err(errno) => errno,
    }
}

fn try_execute_filtered(program: &Filtered<'_>) -> Result<(), Errno> {
    const F_SETFD: u64 = 2;
    const FD_CLOEXEC: u64 = 1;
    const PR_SET_NO_NEW_PRIVS: u64 = 38;
    const SECCOMP_SET_MODE_FILTER: u64 = 1;
    let pointers = |strings: &[&CStr]| {
        let mut array = Buf::<u64>::zeroed(strings.len() + 1)?;
        for (slot, string) in array.iter_mut().zip(strings) {
            *slot = host::addr(string.to_bytes_with_nul());
        }
        Ok::<_, Errno>(array)
    };
    let (argv, envp) = (pointers(program.argv)?, pointers(program.envp)?);
    let idle = AtomicU32::new(0);
    let call = |number: u32, args: [u64; 6]| {
        // SAFETY: every caller passes what the call takes, and what it points to outlives the call.
        host::check(unsafe { entry::biarch_safe_syscall(&raw const idle, u64::from(number), args.as_ptr()) })
    };
    let closed = if program.temporary { &[program.seccomp, program.dirfd][..] } else { &[program.seccomp] };
    for &fd in closed {
        call(nr::FCNTL, [host::int(fd), F_SETFD, FD_CLOEXEC, 0, 0, 0])?;
    }
    let here = entry::safe_return();
    let first = [
        instruction(LOAD_DATA, POINTER, 0, 0),
        instruction(JUMP_IF_EQUAL, host::low(here), 0, 3),
        instruction(LOAD_DATA, POINTER + 4, 0, 0),
        instruction(JUMP_IF_EQUAL, host::low(here >> 32), 0, 1),
        instruction(RETURN_K, ALLOW, 0, 0),
        instruction(LOAD_K, 0, 0, 0),
    ];
    from_file(program.seccomp, |flags, filter| {
        let whole = joined(&first, filter)?;
        let host_program = HostProgram { length: whole.len() as u64, instructions: host::addr(&*whole) };
        let install = || call(nr::SECCOMP, [SECCOMP_SET_MODE_FILTER, u64::from(flags), host::addr(&host_program), 0, 0, 0]);
        match install() {
            // It was privileged when it installed them, and is no longer.
            Err(Errno::EACCES) => {
                call(nr::PRCTL, [PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0, 0])?;
                install()
            }
            result => result,
        }
        .map(drop)
    })?;
    let args = [
        host::int(program.dirfd),
        host::addr(program.name.to_bytes_with_nul()),
        host::addr(&*argv),
        host::addr(&*envp),
        u64::from(program.flags),
        0,
    ];
    call(nr::EXECVEAT, args).map(drop)
}
