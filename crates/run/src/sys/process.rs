//! Processes and threads: making, waiting for, and ending them. Executing programs is in `exec`.

pub(crate) mod exec;

use crate::dispatch::SysResult;
use crate::host;
use crate::mem;
use crate::mem::Buf;
use crate::signal::{self, siginfo};
use crate::switch;
use crate::switch::trap;
use crate::sync::Lock;
use crate::sys::fd::IoVecs;
use crate::sys::thread as tls;
use crate::thread::Thread;
use abi::scalar::Unsigned as _;
use abi::structs::signal::SiginfoBytes;
use abi::structs::thread::{clone_args, user_desc};
use abi::structs::{Narrow, process::CloneFlags, sched::rusage};
use abi::{Errno, GuestPtr};
use core::arch::global_asm;
use zerocopy::FromZeros;

pub(crate) use exec::{execve, execveat};

/// All threads that use this address space: those of the process, and `vfork` children.
pub(crate) struct Threads(*mut Thread);
// SAFETY: the list is reached only with the lock held.
unsafe impl Send for Threads {}

static THREADS: Lock<Threads> = Lock::new(Threads(core::ptr::null_mut()));

impl Threads {
    fn add(&mut self, thread: &mut Thread) {
        thread.next = self.0;
        self.0 = thread;
    }
    fn remove(&mut self, thread: *mut Thread) {
        let mut link = &raw mut self.0;
        // SAFETY: every thread in the list is alive: it is removed before its block is unmapped.
        unsafe {
            while !(*link).is_null() {
                if *link == thread {
                    *link = (*thread).next;
                    return;
                }
                link = &raw mut (**link).next;
            }
        }
    }
    /// Calls `visit` with the thread id, process id and robust list of every thread.
    fn for_each(&self, mut visit: impl FnMut(u32, u32, u32)) {
        let mut at = self.0;
        while !at.is_null() {
            // SAFETY: as above. The three words are read without their threads' knowledge; each is read whole.
            unsafe {
                visit((*at).tid, (*at).pid, core::ptr::read_volatile(&raw const (*at).robust_list));
                at = (*at).next;
            }
        }
    }
}

/// Registers the first thread, or the only one after fork.
pub(crate) fn register_only(thread: &mut Thread) {
    let mut threads = THREADS.lock();
    threads.0 = core::ptr::null_mut();
    threads.add(thread);
    identify(thread);
}

/// Notes the ids of the calling thread.
pub(crate) fn identify(thread: &mut Thread) {
    // SAFETY: no arguments.
    thread.tid = host::low(unsafe { host::call(host::nr::GETTID, []) }.unwrap_or(0));
    // SAFETY: no arguments.
    thread.pid = host::low(unsafe { host::call(host::nr::GETPID, []) }.unwrap_or(0));
}

/// Begins a thread of a library's guest on the calling thread, as [`child`] begins others; returns its id.
///
/// # Safety
/// `thread` is complete, and on no other thread.
pub(crate) unsafe fn begin_embedded(thread: &mut Thread) -> i32 {
    identify(thread);
    THREADS.lock().add(thread);
    let _ = trap::start_thread();
    let mask = thread.start_mask;
    signal::set_mask(thread, mask);
    tls::load_flat_base(thread);
    crate::embed::write_ids(thread);
    i32::try_from(thread.tid).unwrap_or(-1)
}

/// Forgets a thread of a library's guest that has ended.
pub(crate) fn forget(thread: &mut Thread) {
    THREADS.lock().remove(thread);
    tls::release_areas(thread);
}

/// Calls `visit` with the process id and the thread id of every thread.
pub(crate) fn each_tid(mut visit: impl FnMut(u32, u32)) {
    THREADS.lock().for_each(|tid, pid, _| visit(pid, tid));
}

/// In a child that a program with a library has forked: whoever held a lock is not there any more.
pub(crate) fn release_locks() {
    mem::space::SPACE.release();
    signal::SIGHAND.release();
    THREADS.release();
    tls::LDT.release();
    crate::seccomp::SYNC.release();
    crate::sys::ioctl::usb::TRANSFERS.release();
    crate::sys::fd::io_uring::RINGS.release();
}

/// Calls `visit` with every other thread of this thread's process.
pub(crate) fn each_of_process(thread: &Thread, mut visit: impl FnMut(*mut Thread)) {
    let threads = THREADS.lock();
    let mut at = threads.0;
    while !at.is_null() {
        // SAFETY: every thread in the list is alive: it is removed before its block is unmapped.
        unsafe {
            if (*at).pid == thread.pid && (*at).tid != thread.tid {
                visit(at);
            }
            at = (*at).next;
        }
    }
}

/// Whether the process has no other thread.
pub(crate) fn is_alone(thread: &Thread) -> bool {
    let mut alone = true;
    each_of_process(thread, |_| alone = false);
    alone
}

/// The robust list of another thread of this process.
pub(crate) fn robust_list_of(tid: u32) -> Option<u32> {
    let mut found = None;
    THREADS.lock().for_each(|id, _, list| {
        if id == tid {
            found = Some(list);
        }
    });
    found
}

global_asm!(
    // (rdi: flags, rsi: stack, rdx: parent_tid, rcx: child_tid, r8: thread) -> rax
    ".globl biarch_clone, biarch_clone3, biarch_exit_thread",
    "biarch_clone:",
    "push r15",
    "mov r15, r8",
    "mov r10, rcx",
    "xor r8d, r8d",
    "mov eax, 56",
    "syscall",
    "jmp 1f",
    // (rdi: args, rsi: size, rdx: thread) -> rax
    "biarch_clone3:",
    "push r15",
    "mov r15, rdx",
    "mov eax, 435",
    "syscall",
    "1:",
    "test rax, rax",
    "jz 2f",
    "pop r15",
    "ret",
    "2:", // the child, on its own stack
    "xor ebp, ebp",
    "mov rdi, r15",
    "call {child}",
    "ud2",
    // (rdi: block, rsi: length, edx: status): unmaps the very stack it runs on, and ends the thread.
    "biarch_exit_thread:",
    "mov r12d, edx",
    "mov eax, 11",
    "syscall",
    "mov edi, r12d",
    "mov eax, 60",
    "syscall",
    "ud2",
    child = sym child,
);
#[allow(improper_ctypes)] // the assembly takes the offsets of the fields that it touches from the compiler
unsafe extern "C" {
    fn biarch_clone(flags: u64, stack: u64, parent_tid: u64, child_tid: u64, thread: *mut Thread) -> u64;
    fn biarch_clone3(args: *const clone_args::Guest32, size: u64, thread: *mut Thread) -> u64;
    fn biarch_exit_thread(block: u64, length: u64, status: u32) -> !;
}

/// The first code of a new thread.
unsafe extern "C" fn child(thread: &mut Thread) -> ! {
    identify(thread);
    THREADS.lock().add(thread);
    crate::seccomp::begin(thread);
    // It worked in the thread that made this one.
    let _ = trap::start_thread();
    signal::start_thread(thread);
    if thread.start_without_handlers {
        signal::reset_handlers(thread);
    }
    tls::load_flat_base(thread);
    let mask = thread.start_mask;
    signal::set_mask(thread, mask);
    // SAFETY: nothing on this stack is needed any more.
    unsafe { switch::enter(thread) }
}

const SIGCHLD: u32 = 17;

/// What clone(2) and clone3(2) have in common.
#[derive(Default)]
struct Request {
    flags: u32,
    exit_signal: u32,
    stack: u32,
    tls: u32,
    parent_tid: u32,
    child_tid: u32,
    /// `CLONE_CLEAR_SIGHAND`: the child begins without handlers. Not for the host, which would clear the supervisor's.
    clear_sighand: bool,
    /// The structure for clone3(2), with everything the host needs but the stack.
    args: Option<clone_args::Guest32>,
}

impl Request {
    /// `args` for the host, but for the stack.
    fn host_args(&self) -> Option<clone_args::Guest32> {
        let mut args = self.args?;
        args.flags = (args.flags.get() & !u64::from(CloneFlags::CLONE_SETTLS) & !CLONE_CLEAR_SIGHAND).into();
        (args.stack, args.stack_size, args.tls) = (0.into(), 0.into(), 0.into());
        Some(args)
    }
}

const CLONE_CLEAR_SIGHAND: u64 = 1 << 32;

fn clone_process(thread: &mut Thread, request: &Request) -> SysResult {
    let flags = request.flags;
    if flags & CloneFlags::CLONE_SETTLS != 0 {
        // Validated before anything is made.
        mem::read(GuestPtr::<user_desc::Guest32>::new(request.tls))?;
    }
    crate::trace::multiply();
    let mask = signal::block_all(thread)?;
    let result = if flags & CloneFlags::CLONE_VM == 0 { fork_copy(thread, request) } else { fork_shared(thread, request, mask) };
    signal::set_host_mask(mask);
    result
}

/// A child with memory of its own: it goes on from here on a copy of this stack.
fn fork_copy(thread: &mut Thread, request: &Request) -> SysResult {
    // The copy must find every lock free, and what it guards whole.
    let transfers = crate::sys::ioctl::usb::TRANSFERS.lock();
    let filters = crate::seccomp::SYNC.lock();
    let rings = crate::sys::fd::io_uring::RINGS.lock();
    let space = mem::space::SPACE.lock();
    let sighand = signal::SIGHAND.lock();
    let threads = THREADS.lock();
    let ldt = tls::LDT.lock();
    let host_flags = u64::from(request.flags & !CloneFlags::CLONE_SETTLS | request.exit_signal);
    let result = match request.host_args() {
        Some(args) => {
            // SAFETY: the child has a copy of this stack, and everything that it returns through.
            unsafe { host::call(host::nr::CLONE3, [host::addr(&args), size_of_val(&args) as u64]) }
        }
        None => {
            let (parent_tid, child_tid) = (u64::from(request.parent_tid), u64::from(request.child_tid));
            // SAFETY: as above.
            unsafe { host::call(host::nr::CLONE, [host_flags, 0, parent_tid, child_tid, 0]) }
        }
    };
    drop((ldt, threads, sighand, space, rings, filters, transfers));
    let pid = result?;
    if pid == 0 {
        register_only(thread);
        let _ = trap::start_thread();
        (thread.ptrace.syscalls, thread.ptrace.step) = (0, 0);
        crate::sys::ptrace::forget_all();
        thread.robust_list = 0;
        if request.clear_sighand {
            signal::reset_handlers(thread);
        }
        if request.stack != 0 {
            thread.regs.esp = request.stack;
        }
        if request.flags & CloneFlags::CLONE_SETTLS != 0 {
            let gs = thread.regs_gs();
            thread.complete_registers();
            tls::set_child_tls(thread, GuestPtr::new(request.tls), gs)?;
        }
    }
    Ok(host::low(pid))
}

/// A child that shares the memory: a thread, or what vfork(2) and posix_spawn(3) make.
fn fork_shared(thread: &mut Thread, request: &Request, mask: u64) -> SysResult {
    let flags = request.flags;
    let sighand = if flags & CloneFlags::CLONE_SIGHAND != 0 { thread.sighand } else { signal::copy_sighand(thread)? };
    let child = Thread::allocate(sighand)?;
    let gs = thread.regs_gs();
    child.regs = crate::thread::Regs { eax: 0, gs, fs: thread.regs_fs(), orig_eax: u32::MAX, ..thread.regs };
    if request.stack != 0 {
        child.regs.esp = request.stack;
    }
    child.segments_valid = 1;
    child.regs.ds = switch::USER_DS;
    child.regs.es = switch::USER_DS;
    child.vectors = crate::thread::VectorSave { registers: thread.vectors.registers, opmasks: thread.vectors.opmasks };
    child.vectors_in_use = thread.vectors_in_use;
    child.pid = if flags & CloneFlags::CLONE_THREAD != 0 { thread.pid } else { 0 };
    // A vfork child is suspended work of this thread and keeps its alternate stack; a thread begins with none.
    if flags & CloneFlags::CLONE_VFORK != 0 {
        child.signal.altstack = thread.signal.altstack;
    } else {
        child.signal.altstack.ss_flags = signal::frame::SS_DISABLE;
    }
    child.start_mask = signal::guest_view(thread, mask);
    child.start_without_handlers = request.clear_sighand;
    crate::seccomp::inherit(child, thread);
    child.ptrace = crate::traced::State::ready();
    child.dump = thread.dump;
    let block = core::ptr::from_mut(child);
    let prepared = if flags & CloneFlags::CLONE_SETTLS != 0 {
        child.tls = thread.tls;
        tls::set_child_tls(child, GuestPtr::new(request.tls), gs)
    } else {
        tls::inherit_areas(child, thread, gs);
        Ok(())
    };
    let host_flags = u64::from(flags & !CloneFlags::CLONE_SETTLS | request.exit_signal);
    let stack = child.host_stack;
    let word = |flag: u32, address: u32| if flags & flag != 0 { address } else { 0 };
    let words = [
        word(CloneFlags::CLONE_PARENT_SETTID, request.parent_tid),
        word(CloneFlags::CLONE_CHILD_SETTID, request.child_tid),
        word(CloneFlags::CLONE_CHILD_CLEARTID, request.child_tid),
    ];
    let result = prepared.and_then(|()| {
        if flags & CloneFlags::CLONE_THREAD != 0 {
            if let Some(result) = crate::embed::new_thread(thread, child, words) {
                return result.map(u64::from);
            }
        }
        host::check(match request.host_args() {
            Some(mut args) => {
                (args.stack, args.stack_size) = ((stack - 4096).into(), 4096.into());
                // SAFETY: the child runs on its own stack and is given its own block, which nobody else uses.
                unsafe { biarch_clone3(&raw const args, size_of_val(&args) as u64, block) }
            }
            None => {
                // SAFETY: as above.
                unsafe { biarch_clone(host_flags, stack, u64::from(request.parent_tid), u64::from(request.child_tid), block) }
            }
        })
    });
    if result.is_err() || flags & CloneFlags::CLONE_VFORK != 0 {
        // Never begun; or vfork: it has executed another program or ended, so its block is nobody's.
        THREADS.lock().remove(block);
        // SAFETY: see above.
        unsafe {
            crate::seccomp::end(&*block);
            tls::release_areas(&mut *block);
            if flags & CloneFlags::CLONE_SIGHAND == 0 {
                signal::free_sighand(sighand);
            }
            Thread::free(block);
        }
    }
    result.map(host::low)
}

/// fork(2)
pub(crate) fn fork(thread: &mut Thread) -> SysResult {
    clone_process(thread, &Request { exit_signal: SIGCHLD, ..Request::default() })
}

/// vfork(2)
pub(crate) fn vfork(thread: &mut Thread) -> SysResult {
    let flags = CloneFlags::CLONE_VM | CloneFlags::CLONE_VFORK;
    clone_process(thread, &Request { flags, exit_signal: SIGCHLD, ..Request::default() })
}

/// clone(2)
pub(crate) fn clone(
    thread: &mut Thread,
    flags: u32,
    stack: GuestPtr<u8>,
    parent_tid: GuestPtr<u8>,
    tls: GuestPtr<u8>,
    child_tid: GuestPtr<u8>,
) -> SysResult {
    const CSIGNAL: u32 = 0xff;
    let request = Request {
        flags: flags & !CSIGNAL,
        exit_signal: flags & CSIGNAL,
        stack: stack.address(),
        tls: tls.address(),
        parent_tid: parent_tid.address(),
        child_tid: child_tid.address(),
        ..Request::default()
    };
    clone_process(thread, &request)
}

/// clone3(2)
pub(crate) fn clone3(thread: &mut Thread, pointer: GuestPtr<clone_args::Guest32>, size: u32) -> SysResult {
    /// `CLONE_ARGS_SIZE_VER0`
    const FIRST_SIZE: usize = 64;
    let size = size as usize;
    if size > 4096 {
        return Err(Errno::E2BIG);
    }
    if size < FIRST_SIZE {
        return Err(Errno::EINVAL);
    }
    let mut args = clone_args::Guest32::new_zeroed();
    let bytes = zerocopy::IntoBytes::as_mut_bytes(&mut args);
    let known = size.min(bytes.len());
    mem::read_bytes(pointer.cast(), &mut bytes[..known])?;
    let mut rest = Buf::<u8>::zeroed(size - known)?;
    let after = pointer.byte_add(u32::try_from(known).map_err(|_| Errno::EFAULT)?).ok_or(Errno::EFAULT)?;
    mem::read_bytes(after.cast(), &mut rest)?;
    if rest.iter().any(|&byte| byte != 0) {
        return Err(Errno::E2BIG);
    }
    let word = |value: u64| u32::try_from(value).map_err(|_| Errno::EINVAL);
    if (args.stack.get() == 0) != (args.stack_size.get() == 0) {
        return Err(Errno::EINVAL);
    }
    let stack = args.stack.get().checked_add(args.stack_size.get()).ok_or(Errno::EINVAL).and_then(word)?;
    let clear_sighand = args.flags.get() & CLONE_CLEAR_SIGHAND != 0;
    if clear_sighand && args.flags.get() & u64::from(CloneFlags::CLONE_SIGHAND) != 0 {
        return Err(Errno::EINVAL);
    }
    let request = Request {
        // CLONE_INTO_CGROUP is above 32 bits and goes to the host as it is.
        flags: host::low(args.flags.get()),
        clear_sighand,
        exit_signal: 0,
        stack,
        tls: word(args.tls.get())?,
        parent_tid: word(args.parent_tid.get())?,
        child_tid: word(args.child_tid.get())?,
        args: Some(args),
    };
    clone_process(thread, &request)
}

/// exit(2): ends this thread.
pub(crate) fn exit(thread: &mut Thread, status: i32) -> SysResult {
    // A signal that this thread has been chosen for would go with it.
    signal::block_all(thread)?;
    tls::exit_robust_list(thread.robust_list, thread.tid);
    thread.robust_list = 0;
    let mut alone = true;
    {
        let mut threads = THREADS.lock();
        threads.for_each(|tid, pid, _| alone &= pid != thread.pid || tid == thread.tid);
        threads.remove(thread);
    }
    crate::trace::exited(thread, status, alone);
    // The process's first thread stays a zombie until the others end, and its block with it: it is never mapped twice.
    if alone || thread.tid == thread.pid {
        // SAFETY: the thread ends.
        return unsafe { host::call(host::nr::EXIT, [host::int(status)]) }.map(host::low);
    }
    crate::seccomp::end(thread);
    tls::release_areas(thread);
    // SAFETY: nobody knows the block any more, and the code that unmaps it uses no stack.
    unsafe { biarch_exit_thread(thread.block(), crate::thread::BLOCK as u64, status.unsigned()) }
}

/// Calls `visit` with the id and the robust list of every thread of this process.
fn each_robust_list(thread: &Thread, mut visit: impl FnMut(u32, u32)) {
    THREADS.lock().for_each(|tid, pid, list| {
        if pid == thread.pid {
            visit(tid, list);
        }
    });
}

/// Before another program is executed: marks the locks that this process holds, as the kernel does once it is sure of the
/// success (`futex_exec_release` in kernel/futex/core.c). We never are, so there is [`take_back_robust_lists`].
pub(crate) fn release_robust_lists(thread: &Thread) {
    each_robust_list(thread, |tid, list| tls::exit_robust_list(list, tid));
}

/// After a program could not be executed: what nobody has taken meanwhile is held again.
pub(crate) fn take_back_robust_lists(thread: &Thread) {
    each_robust_list(thread, |tid, list| tls::take_back_robust_list(list, tid));
}

/// exit_group(2): ends the process.
pub(crate) fn exit_group(thread: &mut Thread, status: i32) -> SysResult {
    release_robust_lists(thread);
    crate::trace::exited(thread, status, true);
    // SAFETY: the process ends.
    unsafe { host::call(host::nr::EXIT_GROUP, [host::int(status)]) }.map(host::low)
}

fn write_rusage(thread: &mut Thread, pointer: GuestPtr<rusage::Guest32>, usage: rusage::Host64) -> Result<(), Errno> {
    if pointer.is_null() {
        return Ok(());
    }
    mem::write(pointer, &usage.narrow().map_err(|overflow| thread.too_large(overflow))?)
}

/// wait4(2)
pub(crate) fn wait4(
    thread: &mut Thread,
    pid: i32,
    status: GuestPtr<u32>,
    options: u32,
    usage: GuestPtr<rusage::Guest32>,
) -> SysResult {
    let mut host_usage = rusage::Host64::new_zeroed();
    let usage_address = if usage.is_null() { 0 } else { host::addr_mut(&mut host_usage) };
    let mut host_status = 0u32;
    let status_address = host::addr_mut(&mut host_status);
    let got = loop {
        let got = thread.sys(host::nr::WAIT4, [host::int(pid), status_address, u64::from(options), usage_address])?;
        if got == 0 || crate::sys::ptrace::waited(host::low(got), &mut host_status) {
            break got;
        }
    };
    if got != 0 {
        if !status.is_null() {
            mem::write(status, &host_status)?;
        }
        write_rusage(thread, usage, host_usage)?;
    }
    Ok(host::low(got))
}

/// waitpid(2)
pub(crate) fn waitpid(thread: &mut Thread, pid: i32, status: GuestPtr<u32>, options: u32) -> SysResult {
    wait4(thread, pid, status, options, GuestPtr::default())
}

/// waitid(2)
pub(crate) fn waitid(
    thread: &mut Thread,
    id_type: i32,
    id: i32,
    info: GuestPtr<u8>,
    options: u32,
    usage: GuestPtr<rusage::Guest32>,
) -> SysResult {
    let mut host_info: SiginfoBytes = [0; 128];
    let mut host_usage = rusage::Host64::new_zeroed();
    let usage_address = if usage.is_null() { 0 } else { host::addr_mut(&mut host_usage) };
    let args = [host::int(id_type), host::int(id), host::addr_mut(&mut host_info), u64::from(options), usage_address];
    let result = loop {
        let result = thread.sys(host::nr::WAITID, args);
        if result.is_err() || crate::sys::ptrace::waited_for(&mut host_info, options) {
            break result;
        }
        host_info = [0; 128];
    };
    if siginfo::signo(&host_info) != 0 {
        write_rusage(thread, usage, host_usage)?;
    }
    if !info.is_null() {
        // The kernel stores these six words one by one, and no more; zeroes where it failed, whatever it failed for.
        let guest = siginfo::to_guest(&host_info);
        for (word, at) in guest[..24].chunks_exact(4).zip((0..).step_by(4)) {
            mem::write_bytes(info.byte_add(at).ok_or(Errno::EFAULT)?, word)?;
        }
    }
    result.map(host::low)
}

/// What process_vm_readv(2) and process_vm_writev(2) have in common: a pointer to an array of buffers and a count, for each side.
fn transfer(
    thread: &mut Thread,
    number: u32,
    pid: i32,
    local: (GuestPtr<u8>, u32),
    remote: (GuestPtr<u8>, u32),
    flags: u32,
) -> SysResult {
    let vectors = |(pointer, count): (GuestPtr<u8>, u32)| IoVecs::read(pointer.cast(), count);
    let (here, there) = (vectors(local)?, vectors(remote)?);
    let args =
        [host::int(pid), here.host_address(), u64::from(local.1), there.host_address(), u64::from(remote.1), u64::from(flags)];
    thread.sys(number, args).map(host::low)
}

/// process_vm_readv(2)
pub(crate) fn process_vm_readv(
    thread: &mut Thread,
    pid: i32,
    local: GuestPtr<u8>,
    local_count: u32,
    remote: GuestPtr<u8>,
    remote_count: u32,
    flags: u32,
) -> SysResult {
    transfer(thread, host::nr::PROCESS_VM_READV, pid, (local, local_count), (remote, remote_count), flags)
}

/// process_vm_writev(2)
pub(crate) fn process_vm_writev(
    thread: &mut Thread,
    pid: i32,
    local: GuestPtr<u8>,
    local_count: u32,
    remote: GuestPtr<u8>,
    remote_count: u32,
    flags: u32,
) -> SysResult {
    transfer(thread, host::nr::PROCESS_VM_WRITEV, pid, (local, local_count), (remote, remote_count), flags)
}
