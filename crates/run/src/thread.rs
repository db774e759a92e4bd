//! One guest thread, which is one host thread: its registers while it is in the supervisor, and what the supervisor
//! keeps for it.
//!
//! All of a thread's memory is one block of [`BLOCK`] bytes, aligned to its size, above 4 GiB:
//!
//! ```text
//! 0            Thread
//! XSAVE        image of the floating-point and vector state, for signal frames
//! ALT_STACK    the signal handler's stack
//! GUARD        not mapped
//! HOST_STACK   the stack of the supervisor's code; grows down from the end of the block
//! ```
//! So the signal handler, which may find any value in any register, finds the thread by rounding its stack pointer down.

use crate::host;
use crate::signal::{self, Sighand};
use crate::switch;
use crate::sync::Lock;
use abi::Errno;
use abi::structs::Overflow;
use core::sync::atomic::{AtomicU32, Ordering};

/// Size and alignment of a thread's block in bytes. Only the pages that are touched cost memory.
pub(crate) const BLOCK: usize = 512 * 1024;
/// Offset of the image of the floating-point and vector state.
pub(crate) const XSAVE: usize = 8 * 1024;
/// Offset of the signal handler's stack.
pub(crate) const ALT_STACK: usize = 64 * 1024;
/// Offset of the unmapped page between the two stacks, and so the end of the signal handler's stack.
pub(crate) const GUARD: usize = 192 * 1024;

const _: () = {
    assert!(BLOCK as u64 == abi::dump::BLOCK && core::mem::offset_of!(Thread, dump) as u64 == abi::dump::OFFSET);
    assert!(size_of::<Thread>() <= XSAVE);
};

/// The guest's registers. The assembly in `switch/` takes the offsets from there.
pub(crate) use abi::dump::Registers as Regs;

/// The caller-clobbered vector registers of the guest, while Rust code runs: eight of up to 64 bytes, and the opmasks.
#[repr(C, align(64))]
pub(crate) struct VectorSave {
    pub(crate) registers: [[u64; 8]; 8],
    pub(crate) opmasks: [u64; 8],
}

/// What is to be done before the guest goes on, in [`Thread::work`].
pub(crate) const WORK_SIGNAL: u32 = 1;

/// What the supervisor keeps for one guest thread.
#[repr(C, align(64))]
pub(crate) struct Thread {
    /// Top of the supervisor's stack: where an entry from the guest starts.
    pub(crate) host_stack: u64,
    /// `WORK_*`: what is to be done before the guest goes on. Written by the signal handler on the same thread.
    pub(crate) work: AtomicU32,
    /// All registers are to be loaded, flags and segment registers included, by `iretq`. Cleared by every entry.
    pub(crate) full_restore: u32,
    /// `regs` has the guest's segment registers, which system calls leave in the processor. Cleared by every entry.
    pub(crate) segments_valid: u32,
    /// The guest's vector state is in the image at [`XSAVE`], not in `vectors`. Cleared by every entry.
    pub(crate) image_valid: u32,
    /// The entry was one that keeps the arithmetic flags. Set by every entry to Rust code.
    pub(crate) keep_flags: u32,
    /// What `vectors` holds, bits of XINUSE: 4 ymm, 0x40 zmm, 0x20 opmasks.
    pub(crate) vectors_in_use: u32,
    /// The guest's registers, while it is in the supervisor.
    pub(crate) regs: Regs,
    /// The frame that `iretq` pops: rip, cs, rflags, rsp, ss.
    pub(crate) iret: [u64; 5],
    /// The guest's vector registers, while it is in the supervisor.
    pub(crate) vectors: VectorSave,
    /// For whoever has a core dump of this process: what is where. All zero until the thread's registers are in order.
    pub(crate) dump: abi::dump::Description,
    /// Next in the list of all threads of this address space.
    pub(crate) next: *mut Thread,
    /// Thread id, and the process's.
    pub(crate) tid: u32,
    pub(crate) pid: u32,
    /// The guest's mask that a new thread begins with.
    pub(crate) start_mask: u64,
    /// Begins with every handler reset.
    pub(crate) start_without_handlers: bool,
    /// Signals.
    pub(crate) signal: signal::State,
    /// Signal dispositions, shared between the threads of a process.
    pub(crate) sighand: *const Lock<Sighand>,
    /// Thread-local storage of the guest: the three GDT entries that `set_thread_area` gives.
    pub(crate) tls: crate::sys::thread::Tls,
    /// What a guest that traces this one is told.
    pub(crate) ptrace: crate::traced::State,
    /// Filters of system calls.
    pub(crate) seccomp: crate::seccomp::State,
    /// The list that `set_robust_list` registered: address of the guest's `struct robust_list_head`, and its length.
    pub(crate) robust_list: u32,
    /// The first field of a structure whose value did not fit the guest in this call, for the tracer.
    pub(crate) overflow: &'static str,
    /// What this call has asked for in vain, if its row does not say so; for the tracer.
    pub(crate) unsupported: &'static str,
    /// How many of the host's calls [`Thread::sys`] has made in this call, and the last one's number; for the tracer.
    pub(crate) host_calls: u32,
    pub(crate) host_call: u32,
    /// Of a library: where the host's innermost call is kept on its stack, see `switch/cross.rs`.
    pub(crate) host_sp: u64,
    /// Of a library: the guest's stack is free below this address.
    pub(crate) guest_sp: u64,
    /// Of a library: the innermost call from the guest to the host that is pending, or 0; see `switch/cross.rs`.
    pub(crate) pending: u64,
    /// Of a library: where the program's stack begins and ends.
    pub(crate) program_stack: [u64; 2],
    /// Of a library: what belongs to it, besides.
    pub(crate) embedded: crate::embed::PerThread,
}

impl Thread {
    /// Maps a block for a new thread. Everything in it is zero but `host_stack`, the registers' selectors and `sighand`.
    ///
    /// # Errors
    /// `ENOMEM` or `EAGAIN` from the kernel.
    pub(crate) fn allocate(sighand: *const Lock<Sighand>) -> Result<&'static mut Thread, Errno> {
        const NONE: u64 = 0;
        const READ_WRITE: u64 = 3;
        const PRIVATE_ANONYMOUS_NORESERVE: u64 = 0x4022;
        let size = BLOCK as u64;
        // SAFETY: new mappings at addresses of the kernel's choosing, and the parts of them that alignment leaves over.
        unsafe {
            let start = host::call(host::nr::MMAP, [0, 2 * size, READ_WRITE, PRIVATE_ANONYMOUS_NORESERVE, u64::MAX, 0])?;
            let block = start.next_multiple_of(size);
            if block > start {
                host::call(host::nr::MUNMAP, [start, block - start])?;
            }
            if start + size > block {
                host::call(host::nr::MUNMAP, [block + size, start + size - block])?;
            }
            host::call(host::nr::MPROTECT, [block + GUARD as u64, 4096, NONE])?;
            let at = usize::try_from(block).map_err(|_| Errno::ENOMEM)?;
            let thread: *mut Thread = core::ptr::with_exposed_provenance_mut(at);
            (*thread).host_stack = block + size;
            (*thread).sighand = sighand;
            (*thread).overflow = "";
            (*thread).unsupported = "";
            (&raw mut (*thread).signal).write(signal::State::new());
            (*thread).regs = Regs {
                cs: switch::USER32_CS,
                ss: switch::USER_DS,
                ds: switch::USER_DS,
                es: switch::USER_DS,
                orig_eax: u32::MAX,
                ..Regs::default()
            };
            Ok(&mut *thread)
        }
    }

    /// Unmaps the block of a thread that has ended, or of a `vfork` child that has gone its own way.
    ///
    /// # Safety
    /// Nobody may use the block any more: not its thread, and not the list of threads.
    pub(crate) unsafe fn free(thread: *mut Thread) {
        // SAFETY: the caller vouches for it. There is nothing to do about a failure.
        let _ = unsafe { host::call(host::nr::MUNMAP, [thread.addr() as u64, BLOCK as u64]) };
    }

    /// The thread on whose signal stack this is running.
    ///
    /// # Safety
    /// Only in the signal handler.
    pub(crate) unsafe fn of_signal_stack() -> *mut Thread {
        let here = 0u8;
        let block = (&raw const here).expose_provenance() & !(BLOCK - 1);
        core::ptr::with_exposed_provenance_mut(block)
    }

    /// Address of this thread's block.
    pub(crate) fn block(&self) -> u64 {
        host::addr(self)
    }

    /// The image of the floating-point and vector state.
    pub(crate) fn xsave_image(&mut self) -> &mut [u8] {
        let start = core::ptr::from_mut(self).cast::<u8>();
        // SAFETY: this part of the block belongs to the image alone and is mapped; see the picture above.
        unsafe { core::slice::from_raw_parts_mut(start.add(XSAVE), ALT_STACK - XSAVE) }
    }

    /// Makes a host system call on behalf of the guest, interruptibly.
    ///
    /// A signal that the guest handles makes it return `EINTR` or [`Errno::ERESTARTSYS`], also when it arrived just before the
    /// kernel was entered; pass either on.
    ///
    /// Arguments that are addresses must point at guest memory, or at supervisor memory that outlives the call: every
    /// caller is a handler that vouches for its row.
    ///
    /// # Errors
    /// The kernel's errno, or [`Errno::ERESTARTSYS`].
    pub(crate) fn sys<const N: usize>(&mut self, number: u32, args: [u64; N]) -> Result<u64, Errno> {
        const { assert!(N <= 6) };
        let mut all = [0; 6];
        all[..N].copy_from_slice(&args);
        self.host_calls = self.host_calls.wrapping_add(1);
        self.host_call = number;
        // SAFETY: see above.
        let result = unsafe { switch::biarch_safe_syscall(&raw const self.work, u64::from(number), all.as_ptr()) };
        host::check(result)
    }

    /// A structure cannot be given to the guest because a field does not fit: notes which, and says `EOVERFLOW`.
    pub(crate) fn too_large(&mut self, overflow: Overflow) -> Errno {
        self.overflow = overflow.field;
        Errno::EOVERFLOW
    }

    /// This call asks for what its row says is there, and is not: for the tracer and `BIARCH_LOG`.
    pub(crate) fn lacks(&mut self, why: &'static str) {
        self.unsupported = why;
        crate::log::part(self.regs.orig_eax, why);
    }

    /// The selector in %gs, which system calls leave alone.
    pub(crate) fn regs_gs(&self) -> u16 {
        crate::sys::thread::segments().gs
    }

    /// The selector in %fs.
    pub(crate) fn regs_fs(&self) -> u16 {
        crate::sys::thread::segments().fs
    }

    /// Takes the segment registers from the processor, unless a trap has saved them, and makes the way back load all registers.
    pub(crate) fn complete_registers(&mut self) {
        if self.segments_valid == 0 {
            let now = crate::sys::thread::segments();
            (self.regs.ds, self.regs.es, self.regs.fs, self.regs.gs) = (now.ds, now.es, now.fs, now.gs);
            self.segments_valid = 1;
        }
        self.full_restore = 1;
    }

    /// Whether a signal waits to be delivered.
    pub(crate) fn signal_pending(&self) -> bool {
        self.work.load(Ordering::Relaxed) & WORK_SIGNAL != 0
    }
}
