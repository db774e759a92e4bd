//! Rewriting of `int $0x80`, so that it traps only once.
//!
//! The instruction has two bytes, and only a short jump fits. It leads to filler bytes behind the end of a function not far
//! after it, which nothing ever executes: an *island*, where a near jump to the site's own *thunk* has room. The thunk knows where the
//! guest goes on and enters the supervisor; the guest's stack is not touched, because `int $0x80` does not touch it.
//!
//! ```text
//! site:    jmp island           island:  jmp thunk
//! thunk:   ljmp $0x33, next     next:    movl $site+2, eip(%r15); jmp *supervisor
//! ```
//! That the filler is filler is known by walking there, instruction by instruction, from the site itself. Only code that is private
//! to the guest and not writable is rewritten: what the guest can write it may write again or read. Where
//! anything is in doubt, the site stays as it is and goes on trapping.

use super::decode::decode;
use super::lowpage;
use crate::host;
use crate::mem::{self, space, space::PAGE};
use crate::sync::Lock;
use crate::thread::{Regs, Thread};
use abi::GuestPtr;
use core::arch::asm;
use core::mem::offset_of;
use core::sync::atomic::{AtomicU32, Ordering};

/// A rewritten site.
#[derive(Clone, Copy)]
struct Patch {
    site: u32,
    island: u32,
    thunk: u32,
}

/// Bytes of a thunk.
const THUNK: u32 = 24;
/// Bytes of a near jump.
const NEAR_JUMP: u32 = 5;
/// The sites that fit on the low pages. There are a few dozen `int $0x80` in a C library, and hundreds in nothing.
const MOST: usize = ((lowpage::LENGTH - lowpage::THUNKS) / THUNK) as usize;

struct Patches {
    /// Entries with site 0 are forgotten; their thunks stay, because another thread may be in one.
    list: [Patch; MOST],
    count: usize,
}

/// Nothing is rewritten any more if this is not zero: a tracer looks at the guest's code.
pub(crate) static FORBIDDEN: AtomicU32 = AtomicU32::new(0);

static PATCHES: Lock<Patches> = Lock::new(Patches { list: [Patch { site: 0, island: 0, thunk: 0 }; MOST], count: 0 });

impl Patch {
    /// What is at the site: a short jump to the island.
    fn short_jump(&self) -> Option<[u8; 2]> {
        Some([0xeb, u8::try_from(self.island.checked_sub(self.site)?.checked_sub(2)?).ok()?])
    }
}

/// Rewrites the `int $0x80` at `site` to reach the supervisor without a trap, where that is safe.
pub(crate) fn rewrite(site: u32) {
    if FORBIDDEN.load(Ordering::Relaxed) != 0 {
        return;
    }
    /// A short jump reaches so far from its end.
    const REACH: usize = 127;
    let space = space::SPACE.lock();
    let mut patches = PATCHES.lock();
    let mut code = [0; 2 + REACH + NEAR_JUMP as usize];
    let got = mem::access::read_partial(site, &mut code);
    let code = &code[..got];
    // Two bytes in one cache line are written, and seen by other processors, at once.
    if code.get(..2) != Some(&[0xcd, 0x80]) || site % 64 == 63 || patches.count == MOST {
        return;
    }
    let Some(distance) = find_island(code) else { return };
    let Ok(distance) = u32::try_from(distance) else { return };
    let Some(island) = site.checked_add(distance) else { return };
    let last = island + NEAR_JUMP - 1;
    if !space.is_private(site) || !space.is_private(last) || is_writable(site) || is_writable(last) {
        return;
    }
    let Ok(index) = u32::try_from(patches.count) else { return };
    let thunk = lowpage::at(lowpage::THUNKS + index * THUNK);
    let patch = Patch { site, island, thunk };
    let Some(short_jump) = patch.short_jump() else { return };
    if with_writable(lowpage::at(0), lowpage::LENGTH, || write_thunk(thunk, site)).is_none() {
        return;
    }
    let jump = thunk.wrapping_sub(island.wrapping_add(NEAR_JUMP)).to_le_bytes();
    let near_jump = [0xe9, jump[0], jump[1], jump[2], jump[3]];
    let first_page = site & !(PAGE - 1);
    let length = (last & !(PAGE - 1)) - first_page + PAGE;
    let written = with_writable(first_page, length, || {
        mem::write_bytes(GuestPtr::new(island), &near_jump).ok()?;
        let short_jump = u16::from_le_bytes(short_jump);
        // SAFETY: the page is the guest's, mapped and writable for now; the store is one instruction within a cache line.
        unsafe {
            asm!("mov word ptr [{at:r}], {value:x}", at = in(reg) u64::from(site), value = in(reg) short_jump, options(nostack))
        };
        Some(())
    });
    if written.is_some() {
        let at = patches.count;
        patches.list[at] = patch;
        patches.count += 1;
    }
}

/// How far from the site, where `code` begins, there are five bytes that nothing executes.
fn find_island(code: &[u8]) -> Option<usize> {
    const REACH: usize = 2 + 127;
    let mut at = 2;
    let mut dead = false;
    while at <= REACH {
        let instruction = decode(&code[at.min(code.len())..])?;
        if dead && instruction.filler {
            let start = at;
            while let Some(filler) = code.get(at..).and_then(decode).filter(|instruction| instruction.filler) {
                at += filler.length;
            }
            if at - start >= NEAR_JUMP as usize {
                return Some(start);
            }
            // What follows the filler is the next function.
            dead = false;
            continue;
        }
        dead = instruction.ends && !instruction.filler;
        at += instruction.length;
    }
    None
}

/// Whether the guest may write here: tried out, with the byte that is there.
fn is_writable(address: u32) -> bool {
    let mut byte = [0];
    mem::access::read_partial(address, &mut byte) == 1 && mem::write_bytes(GuestPtr::new(address), &byte).is_ok()
}

/// Makes code writable for as long as `write` takes; it stays executable, for other threads may be in it.
fn with_writable(start: u32, length: u32, write: impl FnOnce() -> Option<()>) -> Option<()> {
    const READ_WRITE_EXEC: u64 = 7;
    const READ_EXEC: u64 = 5;
    let range = [u64::from(start), u64::from(length)];
    // SAFETY: pages of the guest, or of ours below 4 GiB, that are readable and executable.
    unsafe { host::call(host::nr::MPROTECT, [range[0], range[1], READ_WRITE_EXEC]) }.ok()?;
    let result = write();
    // SAFETY: as above.
    let _ = unsafe { host::call(host::nr::MPROTECT, [range[0], range[1], READ_EXEC]) };
    result
}

fn write_thunk(thunk: u32, site: u32) -> Option<()> {
    let mut code = [0xcc; THUNK as usize];
    code[..7].copy_from_slice(&lowpage::far_jump(thunk + 7));
    // movl $site+2, eip(%r15)
    let eip = u32::try_from(offset_of!(Thread, regs) + offset_of!(Regs, eip)).ok()?;
    code[7..10].copy_from_slice(&[0x41, 0xc7, 0x87]);
    code[10..14].copy_from_slice(&eip.to_le_bytes());
    code[14..18].copy_from_slice(&(site + 2).to_le_bytes());
    // jmp *entry(%rip)
    let distance = lowpage::at(lowpage::PATCHED64_POINTER).wrapping_sub(thunk + THUNK);
    code[18..20].copy_from_slice(&[0xff, 0x25]);
    code[20..24].copy_from_slice(&distance.to_le_bytes());
    mem::write_bytes(GuestPtr::new(thunk), &code).ok()
}

/// Whether there was an `int $0x80` at `site` and is its jump now.
pub(crate) fn is_rewritten(site: u32) -> bool {
    let patches = PATCHES.lock();
    let mut code = [0; 2];
    let there = mem::access::read_partial(site, &mut code) == code.len();
    let at_site = |patch: &Patch| patch.site != 0 && patch.site == site && patch.short_jump() == Some(code);
    there && patches.list[..patches.count].iter().any(at_site)
}

/// The address that the guest is to see for `eip`: that of the `int $0x80`, where `eip` is on the way from it.
pub(crate) fn to_guest_eip(eip: u32) -> u32 {
    let patches = PATCHES.lock();
    let on_the_way = |patch: &&Patch| patch.site != 0 && (patch.island == eip || patch.thunk == eip);
    patches.list[..patches.count].iter().find(on_the_way).map_or(eip, |patch| patch.site)
}

/// The guest's mapping at `address` is gone: whatever was rewritten there is forgotten.
pub(crate) fn forget(address: u32, length: u32) {
    let mut patches = PATCHES.lock();
    let count = patches.count;
    let gone = |at: u32| at.wrapping_sub(address) < length;
    for patch in &mut patches.list[..count] {
        if patch.site != 0 && (gone(patch.site) || gone(patch.island)) {
            patch.site = 0;
        }
    }
}
