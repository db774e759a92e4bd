//! What belongs to one thread: thread-local storage, futexes, robust lists.
//!
//! i386 finds its thread-local storage through %gs and a descriptor that `set_thread_area` puts into the GDT. A 64-bit task
//! has no such call, so the selector that the guest computes (entry * 8 + 3, where the GDT holds nothing) faults when it is
//! loaded, once per thread; [`load_selector`] then loads another one that does what the guest meant: an LDT entry with
//! the same base. Where modify_ldt(2) is not to be had, the flat data selector with a base written by `wrgsbase`
//! does for programs that never reload %gs.

use super::input::Input;
use super::time::low_nsec;
use crate::dispatch::SysResult;
use crate::host;
use crate::mem;
use crate::signal::HostContext;
use crate::switch::USER_DS;
use crate::sync::Lock;
use crate::thread::Thread;
use abi::scalar::Unsigned as _;
use abi::structs::Widen as _;
use abi::structs::thread::user_desc;
use abi::structs::time::{timespec, timespec64};
use abi::{Errno, GuestPtr};
use core::arch::asm;

/// First of the three GDT entries (`GDT_ENTRY_TLS_MIN` on x86-64, as a compat task sees it).
pub(crate) const GDT_ENTRY_TLS_MIN: u32 = 12;
const GDT_ENTRY_TLS_ENTRIES: usize = 3;

/// One thread-local area of the guest.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Area {
    /// What the guest asked for; `limit` 0 and no flags where the entry is empty.
    pub(crate) descriptor: user_desc::Guest32,
    /// Whether the guest has set it.
    pub(crate) in_use: bool,
    /// The LDT entry that stands for it, once %gs or %fs has been loaded with it; 0 where none.
    pub(crate) ldt: u16,
}

/// The thread-local areas of a thread.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Tls {
    pub(crate) areas: [Area; GDT_ENTRY_TLS_ENTRIES],
}

/// LDT entries from here on are ours: beyond the GDT's limit, so that `entry * 8 + 3` made from one of them faults too.
const FIRST_LDT: u16 = 32;
const LAST_LDT: u16 = 8191;

/// One bit per LDT entry.
#[derive(Clone, Copy)]
struct Entries([u64; 128]);

impl Entries {
    const fn none() -> Self {
        Self([0; 128])
    }
    fn contains(&self, entry: u16) -> bool {
        self.0.get(usize::from(entry / 64)).is_some_and(|word| word & 1 << (entry % 64) != 0)
    }
    fn set(&mut self, entry: u16, member: bool) {
        let bit = 1 << (entry % 64);
        if let Some(word) = self.0.get_mut(usize::from(entry / 64)) {
            *word = if member { *word | bit } else { *word & !bit };
        }
    }
}

/// Whose the LDT's entries are.
pub(crate) struct Ldt {
    /// Those that stand for thread-local areas.
    ours: Entries,
    /// Those that the guest has written with modify_ldt(2).
    guests: Entries,
}

pub(crate) static LDT: Lock<Ldt> = Lock::new(Ldt { ours: Entries::none(), guests: Entries::none() });

fn allocate_ldt() -> Option<u16> {
    let mut ldt = LDT.lock();
    let entry = (FIRST_LDT..=LAST_LDT).find(|&entry| !ldt.ours.contains(entry) && !ldt.guests.contains(entry))?;
    ldt.ours.set(entry, true);
    Some(entry)
}

fn free_ldt(entry: u16) {
    LDT.lock().ours.set(entry, false);
}

const SEG_32BIT: u32 = 1;

/// Writes an LDT entry.
fn write_ldt(entry: u16, descriptor: &user_desc::Guest32) -> Result<(), Errno> {
    const NEW_MODE: u64 = 0x11;
    let mut descriptor = *descriptor;
    descriptor.entry_number = u32::from(entry);
    // SAFETY: the descriptor outlives the call, and the kernel lets it describe user segments only.
    unsafe { host::call(host::nr::MODIFY_LDT, [NEW_MODE, host::addr(&descriptor), size_of::<user_desc::Guest32>() as u64])? };
    Ok(())
}

/// The segment registers that the kernel does not save.
pub(crate) struct Segments {
    pub(crate) ds: u16,
    pub(crate) es: u16,
    pub(crate) fs: u16,
    pub(crate) gs: u16,
}

/// Reads them.
pub(crate) fn segments() -> Segments {
    let (ds, es, fs, gs): (u16, u16, u16, u16);
    // SAFETY: reading selectors changes nothing.
    unsafe {
        asm!("mov {0:x}, ds", "mov {1:x}, es", "mov {2:x}, fs", "mov {3:x}, gs", out(reg) ds, out(reg) es, out(reg) fs, out(reg) gs,
             options(nomem, nostack, preserves_flags));
    }
    Segments { ds, es, fs, gs }
}

/// `selector` if the processor would load it into a data segment register of user code, else the null selector.
pub(crate) fn loadable(selector: u16) -> u16 {
    if selector & !3 == 0 {
        return selector;
    }
    let readable: u8;
    // SAFETY: verr touches the zero flag only.
    unsafe { asm!("verr {0:x}", "setz {1}", in(reg) selector, out(reg_byte) readable, options(nomem, nostack)) };
    if readable == 1 { selector } else { 0 }
}

/// Waits until the processor has none of the areas of the program that has executed this one.
///
/// execve(2) empties the task's areas (`flush_thread`), but the processor's GDT keeps them until the next change of tasks (`load_TLS`):
/// until then a load of %gs with such a selector would succeed, with the address of another program.
pub(crate) fn forget_old_areas() {
    const TRIES: u32 = 1000;
    const MOMENT: [i64; 2] = [0, 50_000];
    let first = u16::try_from(GDT_ENTRY_TLS_MIN).unwrap_or(0);
    let is_there = |index: u16| loadable((first + index) << 3 | 3) != 0;
    for _ in 0..TRIES {
        if !(0..3).any(is_there) {
            return;
        }
        // SAFETY: the time outlives the call.
        let _ = unsafe { host::call(host::nr::NANOSLEEP, [host::addr(&MOMENT), 0]) };
    }
}

/// Which of the thread's areas a selector means: GDT entries 12 to 14, or what stands for one of them. `entry` is the
/// selector's index.
fn area_of(thread: &Thread, entry: u32) -> Option<usize> {
    if let Some(index) = entry.checked_sub(GDT_ENTRY_TLS_MIN).filter(|&index| index < 3) {
        return usize::try_from(index).ok();
    }
    if entry == u32::from(USER_DS >> 3) {
        return thread.tls.areas.iter().position(|area| area.in_use && area.ldt == 0);
    }
    thread.tls.areas.iter().position(|area| area.ldt != 0 && u32::from(area.ldt) == entry)
}

/// The selector that stands for the thread's area `index`, with its descriptor written; `None` where there is no LDT.
fn selector_for(thread: &mut Thread, index: usize) -> Option<u16> {
    let area = &mut thread.tls.areas[index];
    if !area.in_use {
        return None;
    }
    if area.ldt == 0 {
        let entry = allocate_ldt()?;
        if write_ldt(entry, &area.descriptor).is_err() {
            free_ldt(entry);
            return None;
        }
        area.ldt = entry;
    }
    Some(area.ldt << 3 | 7)
}

/// A general protection fault in guest code: if it is a load of a segment register with the selector of a thread-local area, does the
/// load and returns true.
pub(crate) fn load_selector(thread: &mut Thread, context: &mut HostContext) -> bool {
    const GENERAL_PROTECTION: u64 = 13;
    const LONGEST: usize = 15;
    if context.trapno != GENERAL_PROTECTION {
        return false;
    }
    let mut code = [0; LONGEST];
    let got = mem::access::read_partial(host::low(context.ip), &mut code);
    let Some(load) = Load::decode(thread, context, &code[..got]) else { return false };
    let Some(index) = area_of(thread, u32::from(load.selector >> 3)) else { return false };
    if !load_area(thread, index, load.register) {
        return false;
    }
    if let Some((register, offset)) = load.offset {
        if let Some(word) = general(context, register) {
            *word = u64::from(offset);
        }
    }
    context.ip += u64::from(load.length);
    context.sp += load.popped;
    true
}

/// An instruction that loads a segment register.
struct Load {
    selector: u16,
    /// Which one, as in an instruction: 0 (es), 3 (ds), 4 (fs), 5 (gs).
    register: u8,
    /// What else is loaded, and into which register, by `lds` and the like.
    offset: Option<(u8, u32)>,
    length: u8,
    /// By how much the stack pointer moves.
    popped: u64,
}

/// A general register, as an instruction numbers it.
fn general(context: &mut HostContext, number: u8) -> Option<&mut u64> {
    Some(match number {
        0 => &mut context.ax,
        1 => &mut context.cx,
        2 => &mut context.dx,
        3 => &mut context.bx,
        4 => &mut context.sp,
        5 => &mut context.bp,
        6 => &mut context.si,
        7 => &mut context.di,
        _ => return None,
    })
}

impl Load {
    /// `mov Sreg, r/m16` (8e /r), `pop` of es, ds, fs and gs (07, 1f, 0f a1, 0f a9), `les`, `lds`, `lfs` and `lgs` (c4, c5, 0f b4,
    /// 0f b5), as Intel's manual has them, volume 2.
    fn decode(thread: &Thread, context: &mut HostContext, code: &[u8]) -> Option<Self> {
        let (mut at, mut narrow, mut base) = (0, false, 0);
        let opcode = loop {
            let byte = *code.get(at)?;
            at += 1;
            let now = || segments();
            match byte {
                0x66 => narrow = true,
                // The flat selector may have a base of its own in %fs and %gs only.
                0x26 | 0x3e => {
                    let selector = if byte == 0x26 { now().es } else { now().ds };
                    base = if selector == USER_DS { 0 } else { base_of(thread, selector)? };
                }
                0x64 => base = base_of(thread, now().fs)?,
                0x65 => base = base_of(thread, now().gs)?,
                0x2e | 0x36 => base = 0,
                0x0f => {
                    at += 1;
                    break 0x0f00 | u16::from(*code.get(at - 1)?);
                }
                byte => break u16::from(byte),
            }
        };
        let word = |address: u32| mem::read(GuestPtr::<[u8; 2]>::new(address)).ok().map(u16::from_le_bytes);
        let popped = match opcode {
            0x07 => Some(0),
            0x1f => Some(3),
            0x0fa1 => Some(4),
            0x0fa9 => Some(5),
            _ => None,
        };
        if let Some(register) = popped {
            let (selector, length) = (word(host::low(context.sp))?, u8::try_from(at).ok()?);
            return Some(Self { selector, register, offset: None, length, popped: if narrow { 2 } else { 4 } });
        }
        let modrm = *code.get(at)?;
        let field = modrm >> 3 & 7;
        let far = match opcode {
            0x8e => None,
            0xc4 => Some(0),
            0xc5 => Some(3),
            0x0fb4 => Some(4),
            0x0fb5 => Some(5),
            _ => return None,
        };
        if modrm >= 0xc0 {
            let selector = host::low(*general(context, modrm & 7)?) & 0xffff;
            let load = Self {
                selector: u16::try_from(selector).ok()?,
                register: field,
                offset: None,
                length: u8::try_from(at + 1).ok()?,
                popped: 0,
            };
            return far.is_none().then_some(load);
        }
        let (address, end) = effective_address(context, code, at)?;
        let address = address.wrapping_add(base);
        let length = u8::try_from(end).ok()?;
        let Some(register) = far else {
            return Some(Self { selector: word(address)?, register: field, offset: None, length, popped: 0 });
        };
        let low = u32::from(word(address)?);
        let (offset, selector) = if narrow {
            (host::low(*general(context, field)?) & 0xffff_0000 | low, word(address.wrapping_add(2))?)
        } else {
            (low | u32::from(word(address.wrapping_add(2))?) << 16, word(address.wrapping_add(4))?)
        };
        Some(Self { selector, register, offset: Some((field, offset)), length, popped: 0 })
    }
}

/// The address that the operand in memory has whose ModRM byte is at `at` (32-bit addressing), and where the instruction goes on.
fn effective_address(context: &mut HostContext, code: &[u8], mut at: usize) -> Option<(u32, usize)> {
    let modrm = *code.get(at)?;
    at += 1;
    let (mode, mut base) = (modrm >> 6, Some(modrm & 7));
    let mut address = 0_u32;
    if base == Some(4) {
        let sib = *code.get(at)?;
        at += 1;
        base = Some(sib & 7);
        if sib >> 3 & 7 != 4 {
            address = host::low(*general(context, sib >> 3 & 7)?) << (sib >> 6);
        }
    }
    if mode == 0 && base == Some(5) {
        base = None;
    }
    if let Some(base) = base {
        address = address.wrapping_add(host::low(*general(context, base)?));
    }
    let displacement = match (mode, base) {
        (0, Some(_)) => 0,
        (1, _) => i32::from(i8::from_le_bytes([*code.get(at)?])),
        _ => i32::from_le_bytes(code.get(at..at + 4)?.try_into().ok()?),
    };
    at += match (mode, base) {
        (0, Some(_)) => 0,
        (1, _) => 1,
        _ => 4,
    };
    Some((address.wrapping_add_signed(displacement), at))
}

/// Where the segment of a selector that is loaded begins; `None` where that is not known.
fn base_of(thread: &Thread, selector: u16) -> Option<u32> {
    const LDT: u16 = 4;
    match area_of(thread, u32::from(selector >> 3)) {
        Some(index) => Some(thread.tls.areas[index].descriptor.base_addr),
        None if selector & LDT == 0 => Some(0),
        None => None,
    }
}

/// Loads segment register 0 (es), 3 (ds), 4 (fs) or 5 (gs) with what stands for area `index`.
fn load_area(thread: &mut Thread, index: usize, register: u8) -> bool {
    let selector = selector_for(thread, index);
    let base = u64::from(thread.tls.areas[index].descriptor.base_addr);
    match (selector, register) {
        // SAFETY: the entry has just been written, or was; the supervisor uses none of these registers.
        (Some(selector), 0) => unsafe { asm!("mov es, {0:x}", in(reg) selector, options(nostack)) },
        // SAFETY: as above.
        (Some(selector), 3) => unsafe { asm!("mov ds, {0:x}", in(reg) selector, options(nostack)) },
        // SAFETY: as above.
        (Some(selector), 4) => unsafe { asm!("mov fs, {0:x}", in(reg) selector, options(nostack)) },
        // SAFETY: as above.
        (Some(selector), 5) => unsafe { asm!("mov gs, {0:x}", in(reg) selector, options(nostack)) },
        (None, 4) if thread.tls.areas[index].in_use && fsgsbase() => {
            // SAFETY: a flat selector, and a base below 4 GiB that only guest code uses.
            unsafe { asm!("mov fs, {0:x}", "wrfsbase {1}", in(reg) USER_DS, in(reg) base, options(nostack)) }
        }
        (None, 5) if thread.tls.areas[index].in_use && fsgsbase() => {
            // SAFETY: as above.
            unsafe { asm!("mov gs, {0:x}", "wrgsbase {1}", in(reg) USER_DS, in(reg) base, options(nostack)) }
        }
        _ => return false,
    }
    true
}

/// Whether user code may write segment bases: `HWCAP2_FSGSBASE` in `AT_HWCAP2`.
fn fsgsbase() -> bool {
    const HWCAP2_FSGSBASE: u32 = 2;
    crate::loader::hwcap2() & HWCAP2_FSGSBASE != 0
}

/// Reads a `user_desc` and puts it where the guest wants it; returns the area's index (`do_set_thread_area`).
fn set_area(thread: &mut Thread, pointer: GuestPtr<user_desc::Guest32>, may_allocate: bool) -> Result<usize, Errno> {
    let mut descriptor = mem::read(pointer)?;
    check_area(&descriptor)?;
    let entry = if descriptor.entry_number == u32::MAX && may_allocate {
        let free = thread.tls.areas.iter().position(|area| !area.in_use).ok_or(Errno::ESRCH)?;
        descriptor.entry_number = GDT_ENTRY_TLS_MIN + u32::try_from(free).unwrap_or(0);
        mem::write(pointer, &descriptor)?;
        descriptor.entry_number
    } else {
        descriptor.entry_number
    };
    let index = area_of(thread, entry).ok_or(Errno::EINVAL)?;
    put_area(thread, index, descriptor)?;
    Ok(index)
}

/// The bits of a descriptor's flags that mean something, but for `lm`, which cannot be set (`fill_ldt`).
const KNOWN_FLAGS: u32 = 0x7f;
const READ_EXEC_ONLY: u32 = 1 << 3;
const SEG_NOT_PRESENT: u32 = 1 << 5;

/// Whether the descriptor empties its entry (`LDT_empty`, `LDT_zero`).
fn is_empty(descriptor: &user_desc::Guest32) -> bool {
    let flags = descriptor.flags & KNOWN_FLAGS;
    descriptor.base_addr == 0 && descriptor.limit == 0 && (flags == READ_EXEC_ONLY | SEG_NOT_PRESENT || flags == 0)
}

/// `tls_desc_okay`: no 16-bit and no absent segments, and none for code.
fn check_area(descriptor: &user_desc::Guest32) -> Result<(), Errno> {
    const CODE: u32 = 2 << 1;
    let flags = descriptor.flags;
    let fits = flags & SEG_32BIT != 0 && flags & (CODE | SEG_NOT_PRESENT) == 0;
    if fits || is_empty(descriptor) { Ok(()) } else { Err(Errno::EINVAL) }
}

fn put_area(thread: &mut Thread, index: usize, mut descriptor: user_desc::Guest32) -> Result<(), Errno> {
    const LIMIT: u32 = 0xf_ffff;
    check_area(&descriptor)?;
    let empty = is_empty(&descriptor);
    // What the processor's descriptor has room for.
    descriptor.flags &= KNOWN_FLAGS;
    descriptor.limit &= LIMIT;
    let area = &mut thread.tls.areas[index];
    area.descriptor = descriptor;
    area.in_use = !empty;
    if area.ldt != 0 {
        write_ldt(area.ldt, &descriptor)?;
        // A register that holds it has the old base cached until it is loaded again.
        let (selector, now) = (area.ldt << 3 | 7, segments());
        if now.gs == selector {
            load_area(thread, index, 5);
        }
        if now.fs == selector {
            load_area(thread, index, 4);
        }
    }
    Ok(())
}

/// set_thread_area(2)
pub(crate) fn set_thread_area(thread: &mut Thread, pointer: GuestPtr<user_desc::Guest32>) -> SysResult {
    set_area(thread, pointer, true).map(|_| 0)
}

/// get_thread_area(2)
pub(crate) fn get_thread_area(thread: &mut Thread, pointer: GuestPtr<user_desc::Guest32>) -> SysResult {
    // The number is the first word, and all that is read.
    let asked = mem::read(pointer.cast::<u32>())?;
    let index = area_of(thread, asked).ok_or(Errno::EINVAL)?;
    let area = &thread.tls.areas[index];
    let mut descriptor = area.descriptor;
    if !area.in_use {
        const EMPTY: u32 = 1 << 3 | 1 << 5;
        descriptor = user_desc::Guest32 { flags: EMPTY, ..Default::default() };
    }
    descriptor.entry_number = asked;
    mem::write(pointer, &descriptor)?;
    Ok(0)
}

/// modify_ldt(2): the host's call takes the same structure. The LDT is one, though: an entry that stands for a thread-local area
/// cannot be written, and one that the guest has written will not stand for any.
pub(crate) fn modify_ldt(thread: &mut Thread, function: i32, pointer: GuestPtr<u8>, length: u32) -> SysResult {
    const WRITE: [i32; 2] = [1, 0x11];
    const SIZE: u32 = 16;
    if !WRITE.contains(&function) || length != SIZE {
        let args = [host::int(function), u64::from(pointer.address()), u64::from(length)];
        return thread.sys(host::nr::MODIFY_LDT, args).map(host::low);
    }
    let descriptor: user_desc::Guest32 = mem::read(pointer.cast())?;
    let mut ldt = LDT.lock();
    let entry = u16::try_from(descriptor.entry_number).ok().filter(|&entry| entry <= LAST_LDT).ok_or(Errno::EINVAL)?;
    if ldt.ours.contains(entry) {
        return Err(Errno::EINVAL);
    }
    // SAFETY: the descriptor outlives the call, and the kernel lets it describe user segments only.
    let result = unsafe { host::call(host::nr::MODIFY_LDT, [host::int(function), host::addr(&descriptor), u64::from(length)])? };
    let empty = descriptor.base_addr == 0 && descriptor.limit == 0;
    ldt.guests.set(entry, !empty);
    Ok(host::low(result))
}

/// The area that `CLONE_SETTLS` sets in the child, which is `thread` and not running yet, or just begun.
///
/// # Errors
/// `EFAULT`, `EINVAL` as set_thread_area(2).
pub(crate) fn set_child_tls(thread: &mut Thread, pointer: GuestPtr<user_desc::Guest32>, gs: u16) -> Result<(), Errno> {
    let parents = thread.tls;
    let index = set_area_unloaded(thread, pointer)?;
    // The child gets descriptors of its own: the LDT belongs to all threads.
    if area_of_selector(&parents, gs) == Some(index) {
        thread.regs.gs = match selector_for(thread, index) {
            Some(selector) => selector,
            None => USER_DS,
        };
    }
    Ok(())
}

fn area_of_selector(tls: &Tls, selector: u16) -> Option<usize> {
    if selector == USER_DS {
        return tls.areas.iter().position(|area| area.in_use && area.ldt == 0);
    }
    tls.areas.iter().position(|area| area.ldt != 0 && area.ldt == selector >> 3)
}

fn set_area_unloaded(thread: &mut Thread, pointer: GuestPtr<user_desc::Guest32>) -> Result<usize, Errno> {
    let descriptor = mem::read(pointer)?;
    let index = area_of(thread, descriptor.entry_number).ok_or(Errno::EINVAL)?;
    for area in &mut thread.tls.areas {
        area.ldt = 0;
    }
    put_area(thread, index, descriptor)?;
    Ok(index)
}

/// Gives a new thread of the same address space LDT entries of its own for the areas that it inherits.
pub(crate) fn inherit_areas(child: &mut Thread, parent: &Thread, gs: u16) {
    child.tls = parent.tls;
    for area in &mut child.tls.areas {
        area.ldt = 0;
    }
    if let Some(selector) = area_of_selector(&parent.tls, gs).and_then(|index| selector_for(child, index)) {
        child.regs.gs = selector;
    }
}

/// Where a thread's own storage is.
pub(crate) fn base(thread: &Thread) -> Option<u32> {
    thread.tls.areas.iter().find(|area| area.in_use).map(|area| area.descriptor.base_addr)
}

/// Frees what a thread that ends holds of the LDT. The descriptor stays: writing it costs an interrupt on every CPU, and nobody
/// can load it that has no entry number.
pub(crate) fn release_areas(thread: &mut Thread) {
    for area in &mut thread.tls.areas {
        if area.ldt != 0 {
            free_ldt(area.ldt);
            area.ldt = 0;
        }
    }
}

/// Loads %gs base again in a thread that the kernel has started with the parent's.
pub(crate) fn load_flat_base(thread: &mut Thread) {
    let flat = thread.tls.areas.iter().position(|area| area.in_use && area.ldt == 0);
    if let Some(index) = flat.filter(|_| thread.regs.gs == USER_DS) {
        load_area(thread, index, 5);
    }
}

const FUTEX_CMD_MASK: u32 = !(128 | 256);

/// Whether argument 4 of futex(2) is a timeout for this operation (`futex_cmd_has_timeout`).
fn has_timeout(operation: u32) -> bool {
    // WAIT, LOCK_PI, WAIT_BITSET, WAIT_REQUEUE_PI, LOCK_PI2
    matches!(operation & FUTEX_CMD_MASK, 0 | 6 | 9 | 11 | 13)
}

/// futex(2) with 32-bit time.
pub(crate) fn futex(
    thread: &mut Thread,
    word: GuestPtr<u8>,
    operation: u32,
    value: u32,
    timeout: u32,
    word2: GuestPtr<u8>,
    value3: u32,
) -> SysResult {
    let (address, address2) = (u64::from(word.address()), u64::from(word2.address()));
    if has_timeout(operation) && timeout != 0 {
        let time = mem::read(GuestPtr::<timespec::Guest32>::new(timeout))?;
        let time = time.widen();
        let args = [address, u64::from(operation), u64::from(value), host::addr(&time), address2, u64::from(value3)];
        return thread.sys(host::nr::FUTEX, args).map(host::low);
    }
    let args = [address, u64::from(operation), u64::from(value), u64::from(timeout), address2, u64::from(value3)];
    thread.sys(host::nr::FUTEX, args).map(host::low)
}

/// futex(2) with 64-bit time.
pub(crate) fn futex_time64(
    thread: &mut Thread,
    word: GuestPtr<u8>,
    operation: u32,
    value: u32,
    timeout: u32,
    word2: GuestPtr<u8>,
    value3: u32,
) -> SysResult {
    let (address, address2) = (u64::from(word.address()), u64::from(word2.address()));
    let mut args = [address, u64::from(operation), u64::from(value), u64::from(timeout), address2, u64::from(value3)];
    if !has_timeout(operation) || timeout == 0 {
        return thread.sys(host::nr::FUTEX, args).map(host::low);
    }
    let time = low_nsec(mem::read(GuestPtr::<timespec64::Guest32>::new(timeout))?.widen());
    args[3] = host::addr(&time);
    thread.sys(host::nr::FUTEX, args).map(host::low)
}

/// futex_waitv(2)
pub(crate) fn futex_waitv(
    thread: &mut Thread,
    waiters: GuestPtr<u8>,
    count: u32,
    flags: u32,
    timeout: GuestPtr<timespec64::Guest32>,
    clock: i32,
) -> SysResult {
    let time = Input::read(timeout).map(low_nsec);
    let args = [u64::from(waiters.address()), u64::from(count), u64::from(flags), time.address(), host::int(clock)];
    thread.sys(host::nr::FUTEX_WAITV, args).map(host::low)
}

/// futex_wait(2)
pub(crate) fn futex_wait(
    thread: &mut Thread,
    word: GuestPtr<u8>,
    value: u32,
    mask: u32,
    flags: u32,
    timeout: GuestPtr<timespec64::Guest32>,
    clock: i32,
) -> SysResult {
    let time = Input::read(timeout).map(low_nsec);
    let words = [u64::from(word.address()), u64::from(value), u64::from(mask), u64::from(flags)];
    let [word, value, mask, flags] = words;
    thread.sys(host::nr::FUTEX_WAIT, [word, value, mask, flags, time.address(), host::int(clock)]).map(host::low)
}

/// set_tid_address(2)
pub(crate) fn set_tid_address(thread: &mut Thread, address: GuestPtr<u8>) -> SysResult {
    thread.sys(host::nr::SET_TID_ADDRESS, [u64::from(address.address())]).map(host::low)
}

/// Length of the guest's `struct robust_list_head`.
const ROBUST_LIST_HEAD: u32 = 12;

/// set_robust_list(2): the kernel would read a 64-bit list, so ours is kept and walked by [`exit_robust_list`].
pub(crate) fn set_robust_list(thread: &mut Thread, head: GuestPtr<u8>, length: u32) -> SysResult {
    if length != ROBUST_LIST_HEAD {
        return Err(Errno::EINVAL);
    }
    thread.robust_list = head.address();
    Ok(0)
}

/// get_robust_list(2)
pub(crate) fn get_robust_list(thread: &mut Thread, pid: i32, head: GuestPtr<u32>, length: GuestPtr<u32>) -> SysResult {
    let list = if pid == 0 || pid.unsigned() == thread.tid {
        thread.robust_list
    } else {
        super::process::robust_list_of(pid.unsigned()).ok_or(Errno::ESRCH)?
    };
    mem::write(length, &ROBUST_LIST_HEAD)?;
    mem::write(head, &list)?;
    Ok(0)
}

const FUTEX_WAITERS: u32 = 0x8000_0000;
const FUTEX_OWNER_DIED: u32 = 0x4000_0000;
const FUTEX_TID_MASK: u32 = 0x3fff_ffff;

/// Tells whoever waits for a lock of this thread that its owner has died (`exit_robust_list` in `kernel/futex/core.c`).
pub(crate) fn exit_robust_list(list: u32, tid: u32) {
    each_robust_futex(list, |word, pi, pending| handle_futex_death(word, tid, pi, pending));
}

/// Undoes [`exit_robust_list`] where nobody has taken the lock since.
pub(crate) fn take_back_robust_list(list: u32, tid: u32) {
    each_robust_futex(list, |word, _, _| {
        let pointer = GuestPtr::<u32>::new(word);
        while let Ok(value) = mem::read(pointer) {
            if value & FUTEX_OWNER_DIED == 0 || value & FUTEX_TID_MASK != 0 {
                return;
            }
            if !matches!(mem::access::compare_exchange(pointer, value, value & FUTEX_WAITERS | tid), Ok(false)) {
                return;
            }
        }
    });
}

/// Calls `visit` for the futexes of a robust list: their addresses, whether they are priority-inheritance ones, and whether it is
/// the one that was being taken or released.
fn each_robust_futex(list: u32, mut visit: impl FnMut(u32, bool, bool)) {
    const LIMIT: u32 = 2048;
    if list == 0 {
        return;
    }
    let mut visit = |word: u32, pi: bool, pending: bool| {
        // No futex otherwise.
        if word % 4 == 0 {
            visit(word, pi, pending);
        }
    };
    let word = |at: u32| mem::read(GuestPtr::<u32>::new(at));
    let (Ok(mut entry), Ok(offset), Ok(pending)) = (word(list), word(list.wrapping_add(4)), word(list.wrapping_add(8))) else {
        return;
    };
    // Bit 0 of a link says that the lock is a priority-inheritance one.
    for _ in 0..LIMIT {
        let at = entry & !1;
        if at == list {
            break;
        }
        let next = word(at);
        if at != pending & !1 {
            visit(at.wrapping_add(offset), entry & 1 != 0, false);
        }
        match next {
            Ok(next) => entry = next,
            Err(_) => return,
        }
    }
    if pending & !1 != 0 {
        visit((pending & !1).wrapping_add(offset), pending & 1 != 0, true);
    }
}

fn handle_futex_death(address: u32, tid: u32, pi: bool, pending: bool) {
    const FUTEX_WAKE: u64 = 1;
    let wake = || {
        // SAFETY: waking touches no memory.
        let _ = unsafe { host::call(host::nr::FUTEX, [u64::from(address), FUTEX_WAKE, 1]) };
    };
    loop {
        let Ok(value) = mem::read(GuestPtr::<u32>::new(address)) else { return };
        if pending && !pi && value & FUTEX_TID_MASK == 0 {
            wake();
            return;
        }
        if value & FUTEX_TID_MASK != tid {
            return;
        }
        let new = value & FUTEX_WAITERS | FUTEX_OWNER_DIED;
        match mem::access::compare_exchange(GuestPtr::new(address), value, new) {
            Ok(true) => {
                if !pi && value & FUTEX_WAITERS != 0 {
                    wake();
                }
                return;
            }
            Ok(false) => {}
            Err(_) => return,
        }
    }
}
