//! The frames that the kernel puts on the stack of a 32-bit handler (`arch/x86/kernel/signal_32.c`), built here, and
//! taken down again by sigreturn(2).

use super::{Action, Pending, SA_ONSTACK, SA_RESTORER, SA_SIGINFO, xstate};
use crate::mem;
use crate::switch::{USER_DS, USER32_CS};
use crate::thread::Thread;
use abi::scalar::Unsigned as _;
use abi::structs::signal::{RtSigframe, Sigcontext, Sigframe, Ucontext, sigaltstack};
use abi::{Errno, GuestPtr, Ptr32, U64, ULong};
use zerocopy::FromZeros;

/// Carry, parity, adjust, zero, sign, trap, direction, overflow, resume, alignment check: what a handler may change
/// (`FIX_EFLAGS`).
const FIX_EFLAGS: u32 = 0x0005_0dd5;
/// Direction, resume and trap flag: cleared for the handler.
const CLEARED_FOR_HANDLER: u32 = 0x0001_0500;
/// `UC_FP_XSTATE`: the extended state is in the frame.
const UC_FP_XSTATE: u32 = 1;

pub(crate) const SS_ONSTACK: i32 = 1;
pub(crate) const SS_DISABLE: i32 = 2;
/// `SS_AUTODISARM`.
pub(crate) const SS_AUTODISARM: i32 = i32::MIN;

/// Whether `esp` is on the guest's alternate stack (`on_sig_stack`).
pub(crate) fn on_altstack(thread: &Thread, esp: u32) -> bool {
    let stack = &thread.signal.altstack;
    stack.ss_flags & SS_AUTODISARM == 0 && within_altstack(thread, esp)
}

fn within_altstack(thread: &Thread, esp: u32) -> bool {
    let stack = &thread.signal.altstack;
    esp > stack.ss_sp.0 && esp.wrapping_sub(stack.ss_sp.0) <= stack.ss_size.0
}

/// What sigaltstack(2) reports (`sas_ss_flags`).
pub(crate) fn altstack_flags(thread: &Thread, esp: u32) -> i32 {
    if thread.signal.altstack.ss_size.0 == 0 {
        SS_DISABLE
    } else if on_altstack(thread, esp) {
        SS_ONSTACK
    } else {
        0
    }
}

fn save_altstack(thread: &Thread) -> sigaltstack::Guest32 {
    let mut stack = thread.signal.altstack;
    if stack.ss_size.0 == 0 {
        stack.ss_flags |= SS_DISABLE;
    }
    stack
}

/// Puts the frame for `pending` on the guest's stack and sets the registers for the handler.
///
/// # Errors
/// `EFAULT` where the stack cannot be written.
pub(crate) fn set_up(thread: &mut Thread, pending: &Pending, action: &Action, old_mask: u64) -> Result<(), Errno> {
    let mut esp = thread.regs.esp;
    let mut entering_altstack = false;
    let nested = on_altstack(thread, esp);
    if action.flags & SA_ONSTACK != 0 {
        if altstack_flags(thread, esp) == 0 {
            let stack = &thread.signal.altstack;
            esp = stack.ss_sp.0.wrapping_add(stack.ss_size.0);
            entering_altstack = true;
        }
    } else if !nested && thread.regs.ss != USER_DS && action.flags & SA_RESTORER == 0 && action.restorer != 0 {
        esp = action.restorer; // the legacy way to switch stacks
    }

    // The extended state goes to the top, aligned to 64, with the fsave form in front of it.
    let image_length = u32::try_from(xstate::length() + xstate::MAGIC2_LENGTH).map_err(|_| Errno::EFAULT)?;
    let image_at = esp.wrapping_sub(image_length) & !63;
    let fsave_length = u32::try_from(xstate::FSAVE_LENGTH).map_err(|_| Errno::EFAULT)?;
    let fpstate = image_at.wrapping_sub(fsave_length);

    let rt = action.flags & SA_SIGINFO != 0;
    let size = u32::try_from(if rt { size_of::<RtSigframe>() } else { size_of::<Sigframe>() }).map_err(|_| Errno::EFAULT)?;
    // On entry to a function, esp + 4 is a multiple of 16 (i386 psABI).
    let frame = (fpstate.wrapping_sub(size).wrapping_add(4) & !15).wrapping_sub(4);
    let overflowed = |at: u32| {
        !(at > thread.signal.altstack.ss_sp.0 && at - thread.signal.altstack.ss_sp.0 <= thread.signal.altstack.ss_size.0)
    };
    if (nested || entering_altstack) && overflowed(frame) {
        return Err(Errno::EFAULT);
    }
    // An esp that wrapped around is no stack.
    if frame > thread.regs.esp && !entering_altstack && !nested && esp == thread.regs.esp {
        return Err(Errno::EFAULT);
    }

    if thread.image_valid == 0 {
        let image = thread.xsave_image().as_mut_ptr();
        // SAFETY: the image is this thread's own.
        unsafe { crate::switch::entry::biarch_save_image(thread, image) };
    }
    let mut fsave = [0; xstate::FSAVE_LENGTH];
    xstate::to_frame(thread.xsave_image(), &mut fsave);
    mem::write_bytes(GuestPtr::new(fpstate), &fsave)?;
    let whole = xstate::length() + xstate::MAGIC2_LENGTH;
    mem::write_bytes(GuestPtr::new(image_at), &thread.xsave_image()[..whole])?;

    let context = sigcontext(thread, fpstate, old_mask);
    let sig = guest_signal(pending.signal);
    let vdso = crate::vdso::symbols();
    if rt {
        let mut rt_frame = RtSigframe::new_zeroed();
        rt_frame.pretcode = if action.flags & SA_RESTORER != 0 { action.restorer } else { vdso.rt_sigreturn };
        rt_frame.sig = sig;
        rt_frame.pinfo = frame + 16;
        rt_frame.puc = frame + 16 + 128;
        rt_frame.info = super::siginfo::to_guest(&pending.info);
        rt_frame.uc =
            Ucontext { flags: UC_FP_XSTATE, link: 0, stack: save_altstack(thread), mcontext: context, sigmask: U64(old_mask) };
        // movl $173, %eax; int $0x80: not run, but debuggers know a signal frame by it.
        rt_frame.retcode = [0xb8, 173, 0, 0, 0, 0xcd, 0x80, 0];
        mem::write(GuestPtr::new(frame), &rt_frame)?;
        if thread.signal.altstack.ss_flags & SS_AUTODISARM != 0 {
            thread.signal.altstack =
                sigaltstack::Guest32 { ss_sp: Ptr32(0), ss_flags: SS_DISABLE, ss_size: ULong(0), ..Default::default() };
        }
    } else {
        let mut old_frame = Sigframe::new_zeroed();
        old_frame.pretcode = if action.flags & SA_RESTORER != 0 { action.restorer } else { vdso.sigreturn };
        old_frame.sig = sig;
        old_frame.sc = context;
        old_frame.extramask = crate::host::low(old_mask >> 32);
        // popl %eax; movl $119, %eax; int $0x80.
        old_frame.retcode = [0x58, 0xb8, 119, 0, 0, 0, 0xcd, 0x80];
        mem::write(GuestPtr::new(frame), &old_frame)?;
    }

    let regs = &mut thread.regs;
    regs.esp = frame;
    regs.eip = action.handler;
    regs.eax = sig;
    regs.edx = if rt { frame + 16 } else { 0 };
    regs.ecx = if rt { frame + 16 + 128 } else { 0 };
    regs.cs = USER32_CS;
    regs.ss = USER_DS;
    regs.ds = USER_DS;
    regs.es = USER_DS;
    regs.eflags &= !CLEARED_FOR_HANDLER;
    xstate::initialise(thread.xsave_image());
    thread.image_valid = 1;
    thread.full_restore = 1;
    Ok(())
}

fn guest_signal(signal: i32) -> u32 {
    signal.unsigned()
}

fn sigcontext(thread: &Thread, fpstate: u32, old_mask: u64) -> Sigcontext {
    let regs = &thread.regs;
    Sigcontext {
        gs: u32::from(regs.gs),
        fs: u32::from(regs.fs),
        es: u32::from(regs.es),
        ds: u32::from(regs.ds),
        edi: regs.edi,
        esi: regs.esi,
        ebp: regs.ebp,
        esp: regs.esp,
        ebx: regs.ebx,
        edx: regs.edx,
        ecx: regs.ecx,
        eax: regs.eax,
        trapno: thread.signal.trapno,
        err: thread.signal.error_code,
        eip: crate::switch::patch::to_guest_eip(regs.eip),
        cs: u32::from(regs.cs),
        eflags: regs.eflags,
        esp_at_signal: regs.esp,
        ss: u32::from(regs.ss),
        fpstate,
        oldmask: crate::host::low(old_mask),
        cr2: thread.signal.cr2,
    }
}

/// Loads the registers from a frame's context. The extended state follows with [`restore_fpstate`].
fn restore_context(thread: &mut Thread, context: &Sigcontext) {
    let selector = |value: u32| u16::try_from(value & 0xffff).unwrap_or(0);
    let old_flags = thread.regs.eflags;
    let regs = &mut thread.regs;
    regs.edi = context.edi;
    regs.esi = context.esi;
    regs.ebp = context.ebp;
    regs.esp = context.esp;
    regs.ebx = context.ebx;
    regs.edx = context.edx;
    regs.ecx = context.ecx;
    regs.eax = context.eax;
    regs.eip = context.eip;
    regs.eflags = old_flags & !FIX_EFLAGS | context.eflags & FIX_EFLAGS;
    // A selector that the processor would refuse becomes null: the kernel's loadsegment does the same.
    regs.gs = crate::sys::thread::loadable(selector(context.gs));
    regs.fs = crate::sys::thread::loadable(selector(context.fs));
    regs.ds = crate::sys::thread::loadable(selector(context.ds) | 3);
    regs.es = crate::sys::thread::loadable(selector(context.es) | 3);
    regs.cs = USER32_CS;
    regs.ss = USER_DS;
    regs.orig_eax = u32::MAX;
    thread.segments_valid = 1;
}

fn restore_fpstate(thread: &mut Thread, fpstate: u32) -> Result<(), Errno> {
    if fpstate == 0 {
        xstate::initialise(thread.xsave_image());
        thread.image_valid = 1;
        return Ok(());
    }
    let mut fsave = [0; xstate::FSAVE_LENGTH];
    mem::read_bytes(GuestPtr::new(fpstate), &mut fsave)?;
    let image_at = fpstate.wrapping_add(u32::try_from(xstate::FSAVE_LENGTH).map_err(|_| Errno::EFAULT)?);
    let mut legacy = [0; 512];
    mem::read_bytes(GuestPtr::new(image_at), &mut legacy)?;
    let length = xstate::length();
    let mut whole = xstate::whole_image(&legacy);
    if whole {
        let mut magic = [0; 4];
        let at = image_at.wrapping_add(u32::try_from(length).map_err(|_| Errno::EFAULT)?);
        mem::read_bytes(GuestPtr::new(at), &mut magic)?;
        whole = xstate::is_magic2(magic);
    }
    let image = thread.xsave_image();
    image[..512].copy_from_slice(&legacy);
    if whole {
        mem::read_bytes(GuestPtr::new(image_at), &mut image[..length])?;
    }
    xstate::from_frame(image, &fsave, whole);
    thread.image_valid = 1;
    Ok(())
}

/// sigreturn(2): `pop %eax` has removed the signal's number, so the frame begins 8 below esp.
///
/// # Errors
/// `EFAULT`, upon which the thread gets SIGSEGV.
pub(crate) fn sigreturn(thread: &mut Thread) -> Result<(), Errno> {
    let frame: Sigframe = mem::read(GuestPtr::new(thread.regs.esp.wrapping_sub(8)))?;
    super::set_mask(thread, u64::from(frame.sc.oldmask) | u64::from(frame.extramask) << 32);
    restore_context(thread, &frame.sc);
    restore_fpstate(thread, frame.sc.fpstate)?;
    thread.full_restore = 1;
    Ok(())
}

/// rt_sigreturn(2): the frame begins 4 below esp.
///
/// # Errors
/// `EFAULT`, upon which the thread gets SIGSEGV.
pub(crate) fn rt_sigreturn(thread: &mut Thread) -> Result<(), Errno> {
    let frame: RtSigframe = mem::read(GuestPtr::new(thread.regs.esp.wrapping_sub(4)))?;
    super::set_mask(thread, frame.uc.sigmask.get());
    restore_context(thread, &frame.uc.mcontext);
    restore_fpstate(thread, frame.uc.mcontext.fpstate)?;
    let mut stack = frame.uc.stack;
    if stack.ss_flags & SS_DISABLE != 0 {
        stack = sigaltstack::Guest32 { ss_flags: SS_DISABLE, ..Default::default() };
    }
    // As restore_altstack: whatever the frame says, unless the thread is on the stack now.
    if !on_altstack(thread, thread.regs.esp) {
        thread.signal.altstack = stack;
    }
    thread.full_restore = 1;
    Ok(())
}
