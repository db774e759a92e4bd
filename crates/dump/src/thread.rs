//! Where the guest's registers are, of each thread.
//!
//! A thread that was in 32-bit code has them in the processor, as the kernel has noted them. One that was in the supervisor has them in
//! its block, which [`Description`] explains: all of them in Rust code; all but three in a system call on the fast path. Between the two,
//! on the few instructions of the way, they are partly here and partly there, which is said.

use crate::Error;
use crate::host::{self, Dump};
use crate::state;
use abi::dump::{BLOCK, Description, MAGIC, OFFSET, Registers as BlockRegisters, VERSION};
use abi::scalar::{Signed as _, low};
use abi::structs::thread::user_desc;
use abi::user_regs::{Guest as Registers, Host as HostRegisters};
use elf::Source;
use std::collections::HashMap;
use std::ops::Range;

/// The selectors of a 32-bit task.
const USER32_CS: u16 = 0x23;
const USER_DS: u16 = 0x2b;

/// First of the three GDT entries of thread-local storage, as a 32-bit task on x86-64 has them.
const GDT_ENTRY_TLS_MIN: u16 = 12;

/// Thread-local areas of a thread.
const AREAS: usize = 3;

/// One thread of the guest.
pub(crate) struct Thread<'a> {
    pub(crate) host: &'a host::Thread,
    pub(crate) description: Description,
    pub(crate) regs: Registers,
    pub(crate) state: state::State,
    /// Thread-local areas, and whether each is in use.
    pub(crate) areas: [Option<user_desc::Guest32>; AREAS],
}

impl Thread<'_> {
    /// The signal that was being delivered.
    pub(crate) fn signal(&self) -> u16 {
        self.host.status.cursig
    }
}

/// Where a thread was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    /// In 32-bit code.
    Guest,
    /// On the instruction that leads from `__kernel_vsyscall` to the supervisor.
    Stub,
    /// In a system call on the fast path.
    Fast,
    /// In a system call that the supervisor makes for the guest.
    Call,
    /// Elsewhere in the supervisor's Rust code.
    Rust,
    /// In the host's vDSO, for the guest's own.
    Vdso,
    /// On the way between the guest and the supervisor, or in the signal handler.
    Way,
}

/// The threads of the guest; the first one is that which the kernel has put first, if it is one of them.
///
/// # Errors
/// Where there is none.
pub(crate) fn guests<'a, S: Source + ?Sized>(dump: &'a Dump<'_, S>, doubts: &mut Vec<String>) -> Result<Vec<Thread<'a>>, Error> {
    let blocks = blocks(dump)?;
    let mut threads = Vec::new();
    for thread in &dump.threads {
        let tid = thread.status.ids[0];
        // One that has just been made does not know its id yet. It stands where its stack begins, which is where its block ends.
        let stack = thread.status.regs.sp.wrapping_sub(1) & !(BLOCK - 1);
        let found = blocks.known.get(&tid).map(|&block| (block, true));
        match found.or_else(|| blocks.new.get(&dump.address(stack)).map(|&block| (block, false))) {
            Some(((block, description), has_begun)) => {
                threads.push(guest(dump, thread, (block, has_begun), description, doubts)?)
            }
            None => doubts.push(format!("thread {tid} is left out: it has not run the program's code")),
        }
    }
    if threads.is_empty() { Err(Error::NoGuest) } else { Ok(threads) }
}

/// A block, and what it says of itself.
type Block = (u64, Description);

/// The blocks in the dump.
#[derive(Default)]
struct Blocks {
    /// By their threads' ids.
    known: HashMap<u32, Block>,
    /// Of threads that do not know theirs yet, by their addresses as registers have them.
    new: HashMap<u64, Block>,
}

/// The blocks in the dump. They are where their address is a multiple of their size.
fn blocks<S: Source + ?Sized>(dump: &Dump<'_, S>) -> Result<Blocks, Error> {
    /// Above the guest, and below the kernel with five levels of page tables.
    const SUPERVISOR: Range<u64> = 1 << 32..1 << 56;
    let mut blocks = Blocks::default();
    for segment in dump.segments.iter().filter(|segment| SUPERVISOR.contains(&segment.address) && segment.in_file > 0) {
        let end = segment.address + segment.in_file;
        let mut at = segment.address.checked_next_multiple_of(BLOCK);
        while let Some(block) = at.filter(|&at| at < end) {
            at = block.checked_add(BLOCK);
            let Some(description) = dump.value::<Description>(block + OFFSET)?.filter(|description| description.magic == MAGIC)
            else {
                continue;
            };
            if description.version != VERSION {
                return Err(Error::Version(description.version));
            }
            if description.length as usize != size_of::<Description>() {
                return Err(Error::Damaged("what biarch says of a thread has another length"));
            }
            match dump.value(block + u64::from(description.tid))? {
                Some(0) => drop(blocks.new.insert(dump.address(block), (block, description))),
                Some(tid) => drop(blocks.known.insert(tid, (block, description))),
                None => {}
            }
        }
    }
    Ok(blocks)
}

/// Takes the general registers from a block.
fn take_general(regs: &mut Registers, from: &BlockRegisters) {
    (regs.ebx, regs.ecx, regs.edx, regs.esi) = (from.ebx, from.ecx, from.edx, from.esi);
    (regs.edi, regs.ebp, regs.eax) = (from.edi, from.ebp, from.eax);
}

fn place<S: Source + ?Sized>(
    dump: &Dump<'_, S>,
    regs: &HostRegisters,
    block: u64,
    description: &Description,
) -> Result<Place, Error> {
    let of = |address: u64| dump.address(address);
    let inside = |[start, end]: [u64; 2], at: u64| (of(start)..of(end)).contains(&at);
    if regs.cs == u64::from(USER32_CS) {
        return Ok(Place::Guest);
    }
    if inside(description.stub.map(u64::from), regs.ip) {
        return Ok(Place::Stub);
    }
    if regs.ip == of(description.fast_return) {
        return Ok(Place::Fast);
    }
    if regs.ip == of(description.call_return) {
        return Ok(Place::Call);
    }
    let handler = description.handler_stack.map(|offset| block + u64::from(offset));
    let on_the_way = inside(description.entry_text, regs.ip) || inside(description.low_pages.map(u64::from), regs.ip);
    if on_the_way || inside(handler, regs.sp) {
        return Ok(Place::Way);
    }
    // The first word on the stack is the address in the assembly that Rust code returns to.
    let from: Option<u64> = dump.value(block + BLOCK - 8)?;
    Ok(if from.is_some_and(|from| inside(description.entry_text, of(from))) { Place::Rust } else { Place::Vdso })
}

fn guest<'a, S: Source + ?Sized>(
    dump: &Dump<'_, S>,
    thread: &'a host::Thread,
    (block, has_begun): (u64, bool),
    description: Description,
    doubts: &mut Vec<String>,
) -> Result<Thread<'a>, Error> {
    const ENOSYS: u32 = 38u32.wrapping_neg();
    let processor = &thread.status.regs;
    let tid = thread.status.ids[0];
    let missing = || Error::Damaged("the block of a thread is not all in it");
    let word = |offset: u32| dump.value::<u32>(block + u64::from(offset))?.ok_or_else(missing);
    let saved: BlockRegisters = dump.value(block + u64::from(description.registers))?.ok_or_else(missing)?;
    let place = if has_begun { place(dump, processor, block, &description)? } else { Place::Rust };
    let mut regs = Registers::narrow(processor);
    if place != Place::Guest {
        (regs.cs, regs.ss) = (USER32_CS.into(), USER_DS.into());
    }
    match place {
        Place::Guest => {}
        Place::Stub => {
            // The far jump is in the place of the call: what is on the stack is the same.
            regs.eip = description.sysinfo_return;
            regs.orig_eax = u32::MAX;
        }
        Place::Fast => {
            (regs.esp, regs.eip, regs.orig_eax) = (saved.esp, saved.eip, saved.orig_eax);
            // The second argument.
            regs.ecx = low(processor.si);
            (regs.esi, regs.edi) = (low(processor.r10), low(processor.r8));
            if saved.eip != description.sysinfo_return {
                // From a rewritten `int $0x80`, which keeps the flags.
                regs.eflags = saved.eflags;
            }
        }
        Place::Call | Place::Rust | Place::Way | Place::Vdso => {
            (regs.esp, regs.eip, regs.orig_eax, regs.eflags) = (saved.esp, saved.eip, saved.orig_eax, saved.eflags);
            take_general(&mut regs, &saved);
            if word(description.segments_valid)? != 0 {
                (regs.ds, regs.es, regs.fs, regs.gs) = (saved.ds.into(), saved.es.into(), saved.fs.into(), saved.gs.into());
            }
            if place == Place::Call {
                regs.eax = low(processor.ax);
            } else if place == Place::Rust && saved.orig_eax != u32::MAX && word(description.passing)? == 0 {
                // In a call, of which the result is not known yet.
                regs.eax = ENOSYS;
            }
        }
    }
    match place {
        Place::Way => doubts.push(format!(
            "thread {tid} was on its way between the program and biarch (rip {:#x}): its registers are those of a moment before",
            processor.ip
        )),
        Place::Vdso => {
            let (eip, esp) = (regs.eip, regs.esp);
            let selectors = Registers::narrow(processor);
            regs = Registers { eip, esp, cs: USER32_CS.into(), ss: USER_DS.into(), orig_eax: u32::MAX, eflags: 0x202, ..Registers::default() };
            (regs.ds, regs.es, regs.fs, regs.gs) = (selectors.ds, selectors.es, selectors.fs, selectors.gs);
            doubts.push(format!(
                "thread {tid} was reading the clock in biarch's own vDSO: of its general registers only eip and esp are known, \
                 the others are shown as 0"
            ));
        }
        Place::Fast if dump.narrow => doubts.push(format!(
            "esi and edi of thread {tid}, which was in a system call, are not in the dump and shown as 0: the kernel leaves them out \
             where the thread that dies is in 32-bit code"
        )),
        _ => {}
    }
    let (areas, entries) = areas(dump, block, &description)?;
    for selector in [&mut regs.fs, &mut regs.gs] {
        *selector = told(*selector, &entries);
    }
    let in_processor = matches!(place, Place::Guest | Place::Stub | Place::Fast | Place::Vdso | Place::Way);
    let vectors = if in_processor { None } else { Some(state::Saved::read(dump, block, &description)?.ok_or_else(missing)?) };
    let state = state::State::new(thread, &description, vectors.as_ref());
    Ok(Thread { host: thread, description, regs, state, areas })
}

type Areas = ([Option<user_desc::Guest32>; AREAS], [u16; AREAS]);

/// The thread-local areas of a thread, and the LDT entries that stand for them.
fn areas<S: Source + ?Sized>(dump: &Dump<'_, S>, block: u64, description: &Description) -> Result<Areas, Error> {
    let missing = || Error::Damaged("the thread-local areas of a thread are not in it");
    let [length, descriptor, in_use, ldt] = description.area.map(u64::from);
    let (mut areas, mut entries) = ([None; AREAS], [0; AREAS]);
    for ((number, area), entry) in (0u16..).zip(&mut areas).zip(&mut entries) {
        let at = block + u64::from(description.areas) + u64::from(number) * length;
        if dump.value::<u8>(at + in_use)?.ok_or_else(missing)? != 0 {
            let told: user_desc::Guest32 = dump.value(at + descriptor)?.ok_or_else(missing)?;
            *area = Some(user_desc::Guest32 { entry_number: u32::from(GDT_ENTRY_TLS_MIN + number), ..told });
        }
        *entry = dump.value::<u16>(at + ldt)?.ok_or_else(missing)?;
    }
    Ok((areas, entries))
}

/// The selector that the program was told, for that of an LDT entry which stands for it.
fn told(selector: u32, entries: &[u16; AREAS]) -> u32 {
    const LDT: u32 = 4;
    let standing = |&entry: &u16| entry != 0 && selector & LDT != 0 && selector >> 3 == u32::from(entry);
    let number = entries.iter().position(standing).and_then(|number| u16::try_from(number).ok());
    number.map_or(selector, |number| u32::from(GDT_ENTRY_TLS_MIN + number) << 3 | 3)
}

/// A number as the kernel shows one that is too large for i386 (`high2lowuid`).
pub(crate) fn narrow_id(id: u32) -> u16 {
    const OVERFLOW: u16 = 65534;
    u16::try_from(id).unwrap_or(if id.signed() == -1 { u16::MAX } else { OVERFLOW })
}
