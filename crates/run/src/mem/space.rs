//! The guest's address space: which pages below 4 GiB are taken, and where a new mapping goes.
//!
//! The host's kernel places a mapping of a 64-bit process far above 4 GiB, so the address is chosen here, as the kernel
//! chooses it for a compat task: from `mmap_base` downwards, and above it when nothing is left
//! (`arch/x86/mm/mmap.c`, `arch_get_unmapped_area_topdown`). Every mapping of the guest is made here.

use crate::host;
use crate::sync::Lock;
use abi::Errno;

/// Bytes per page.
pub(crate) const PAGE: u32 = 4096;
/// Pages below 4 GiB.
const PAGES: usize = 1 << 20;
/// End of the guest's address space (`IA32_PAGE_OFFSET`).
pub(crate) const TASK_SIZE: u32 = 0xffff_e000;

const MAP_SHARED: u32 = 1;
const MAP_SHARED_VALIDATE: u32 = 3;
const MAP_TYPE: u32 = 0xf;
const MAP_FIXED: u32 = 0x10;
const MAP_FIXED_NOREPLACE: u32 = 0x10_0000;
const MAP_32BIT: u32 = 0x40;

/// One bit per page.
struct Bits([u64; PAGES / 64]);

impl Bits {
    fn set(&mut self, pages: core::ops::Range<usize>, value: bool) {
        let mut page = pages.start;
        while page < pages.end {
            let (word, bit) = (page / 64, page % 64);
            let count = (64 - bit).min(pages.end - page);
            let mask = (u64::MAX >> (64 - count)) << bit;
            let new = if value { self.0[word] | mask } else { self.0[word] & !mask };
            if new != self.0[word] {
                self.0[word] = new;
            }
            page += count;
        }
    }
    fn get(&self, page: usize) -> bool {
        self.0[page / 64] & 1 << (page % 64) != 0
    }
    /// The highest gap of `count` pages within `range`.
    fn find_down(&self, count: usize, range: core::ops::Range<usize>) -> Option<usize> {
        let mut end = range.end;
        let mut page = end;
        while page > range.start {
            let word = self.0[(page - 1) / 64];
            if page % 64 == 0 && page - range.start >= 64 && (word == 0 || word == u64::MAX) {
                page -= 64;
                if word != 0 {
                    end = page;
                }
            } else {
                page -= 1;
                if self.get(page) {
                    end = page;
                }
            }
            if end >= page + count {
                return Some(end - count);
            }
        }
        None
    }
    /// The lowest gap of `count` pages within `range`.
    fn find_up(&self, count: usize, range: core::ops::Range<usize>) -> Option<usize> {
        let mut start = range.start;
        let mut page = start;
        while page < range.end {
            if self.get(page) {
                start = page + 1;
            }
            page += 1;
            if page - start >= count {
                return Some(start);
            }
        }
        None
    }
}

/// The guest's address space. Reached through [`Lock`], which a fork takes too.
pub(crate) struct Space {
    /// Pages that are mapped, or reserved for the stack to grow into.
    taken: Bits,
    /// Pages of shared mappings: code there is not the guest's alone and is never rewritten.
    shared: Bits,
    /// Where mappings may begin.
    floor: u32,
    /// Where the search begins, downwards.
    mmap_base: u32,
    /// Start and current end of the heap.
    brk_start: u32,
    brk: u32,
    /// The main stack's lowest possible address.
    stack_floor: u32,
}

/// The guest's address space.
pub(crate) static SPACE: Lock<Space> = Lock::new(Space {
    taken: Bits([0; PAGES / 64]),
    shared: Bits([0; PAGES / 64]),
    floor: 0,
    mmap_base: 0,
    brk_start: 0,
    brk: 0,
    stack_floor: 0,
});

fn pages(address: u32, length: u32) -> core::ops::Range<usize> {
    let first = address / PAGE;
    let last = u32::try_from((u64::from(address) + u64::from(length)).div_ceil(u64::from(PAGE))).unwrap_or(u32::MAX);
    first as usize..(last as usize).min(PAGES)
}

/// Rounds a length up to pages.
///
/// # Errors
/// `ENOMEM` where it is longer than the address space.
pub(crate) fn page_align(length: u32) -> Result<u32, Errno> {
    length.checked_next_multiple_of(PAGE).ok_or(Errno::ENOMEM)
}

fn address(page: usize) -> u32 {
    u32::try_from(page).unwrap_or(0) * PAGE
}

impl Space {
    /// Lays the space out as `arch_pick_mmap_layout` does: nothing below `floor`, mappings downwards from `mmap_base`.
    pub(crate) fn lay_out(&mut self, floor: u32, mmap_base: u32) {
        self.floor = floor;
        self.taken.set(0..(floor / PAGE) as usize, true);
        self.taken.set((TASK_SIZE / PAGE) as usize..PAGES, true);
        self.mmap_base = mmap_base;
    }

    /// Sets where the heap begins.
    pub(crate) fn start_brk(&mut self, at: u32) {
        self.brk_start = at;
        self.brk = at;
    }

    /// Where the heap is.
    pub(crate) fn heap(&self) -> core::ops::Range<u64> {
        self.brk_start.into()..self.brk.into()
    }

    /// Keeps `length` bytes at `address` free of mappings: the main stack grows there.
    pub(crate) fn reserve(&mut self, address: u32, length: u32) {
        self.stack_floor = address;
        self.taken.set(pages(address, length), true);
    }

    /// Where a new mapping of `length` bytes goes.
    pub(crate) fn find(&self, length: u32) -> Option<u32> {
        let count = (length / PAGE) as usize;
        let base = (self.mmap_base / PAGE) as usize;
        let top = (TASK_SIZE / PAGE) as usize;
        self.taken
            .find_down(count, 0..base)
            .or_else(|| self.taken.find_up(count, base..top))
            .or_else(|| self.taken.find_up(count, 0..top))
            .map(address)
    }

    fn is_free(&self, address: u32, length: u32) -> bool {
        pages(address, length).all(|page| !self.taken.get(page))
    }

    fn note(&mut self, address: u32, length: u32, shared: bool) {
        self.taken.set(pages(address, length), true);
        self.shared.set(pages(address, length), shared);
    }

    fn forget(&mut self, address: u32, length: u32) {
        self.taken.set(pages(address, length), false);
        self.shared.set(pages(address, length), false);
        crate::switch::patch::forget(address, length);
    }

    /// mmap(2) for the guest. `offset` in bytes.
    ///
    /// # Errors
    /// The kernel's errno; `ENOMEM` where the guest's address space has no such gap, or the range goes beyond its end.
    pub(crate) fn map(&mut self, hint: u32, length: u32, prot: u32, flags: u32, fd: i32, offset: u64) -> Result<u32, Errno> {
        let refused = |errno| Err(refusal(prot, flags, fd, errno));
        if length == 0 {
            return refused(Errno::EINVAL);
        }
        let Some(length) = page_align(length).ok().filter(|&length| length <= TASK_SIZE) else { return refused(Errno::ENOMEM) };
        let shared = matches!(flags & MAP_TYPE, MAP_SHARED | MAP_SHARED_VALIDATE);
        if flags & (MAP_FIXED | MAP_FIXED_NOREPLACE) != 0 {
            if hint > TASK_SIZE - length {
                return refused(Errno::ENOMEM);
            }
            if hint % PAGE != 0 {
                return refused(Errno::EINVAL);
            }
            self.host_map(hint, length, prot, flags & !MAP_32BIT, fd, offset)?;
            if flags & MAP_FIXED_NOREPLACE == 0 {
                self.forget(hint, length);
            }
            self.note(hint, length, shared);
            return Ok(hint);
        }
        // `round_hint_to_min`: down to a page, and up to where mappings may begin.
        let hint = match hint & !(PAGE - 1) {
            0 => 0,
            hint => hint.max(self.floor),
        };
        let mut place = Some(hint).filter(|&at| at != 0 && at <= TASK_SIZE - length && self.is_free(at, length));
        // What the kernel has mapped behind our back (a stack that grew) shows as EEXIST: note it and look on.
        for _ in 0..64 {
            let at = match place.take() {
                Some(at) => at,
                None => match self.find(length) {
                    Some(at) => at,
                    None => return refused(Errno::ENOMEM),
                },
            };
            match self.host_map_new(at, length, prot, flags & !MAP_32BIT, fd, offset) {
                Ok(()) => {
                    self.note(at, length, shared);
                    return Ok(at);
                }
                Err(Errno::EEXIST) => self.taken.set(pages(at, length), true),
                Err(errno) => return Err(errno),
            }
        }
        Err(Errno::ENOMEM)
    }

    /// mmap(2) for the guest, of what the kernel maps nowhere but where it likes (`get_unmapped_area` of a driver): between 1 and 2 GiB.
    ///
    /// # Errors
    /// The kernel's errno.
    pub(crate) fn map_low(&mut self, length: u32, prot: u32, flags: u32, fd: i32, offset: u64) -> Result<u32, Errno> {
        let whole = page_align(length)?;
        let args = [0, u64::from(length), u64::from(prot), u64::from(flags | MAP_32BIT), host::int(fd), offset];
        // SAFETY: a new mapping at an address of the kernel's choosing.
        let at = host::low(unsafe { host::call(host::nr::MMAP, args) }?);
        self.note(at, whole, true);
        Ok(at)
    }

    /// Maps where nothing is yet; `EEXIST` where something is.
    fn host_map_new(&mut self, at: u32, length: u32, prot: u32, flags: u32, fd: i32, offset: u64) -> Result<(), Errno> {
        /// `PROT_NONE`, `MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE`.
        const NOTHING: (u32, u32) = (0, 0x4022);
        if flags & MAP_TYPE != MAP_SHARED_VALIDATE {
            return self.host_map(at, length, prot, flags | MAP_FIXED_NOREPLACE, fd, offset);
        }
        // It is refused with MAP_FIXED_NOREPLACE, which is no flag of the time before it. So the place is taken first.
        self.host_map(at, length, NOTHING.0, NOTHING.1 | MAP_FIXED_NOREPLACE, -1, 0)?;
        self.host_map(at, length, prot, flags | MAP_FIXED, fd, offset).inspect_err(|_| {
            // SAFETY: the mapping has just been made.
            let _ = unsafe { host::call(host::nr::MUNMAP, [at.into(), length.into()]) };
        })
    }

    #[allow(clippy::unused_self)]
    fn host_map(&mut self, at: u32, length: u32, prot: u32, flags: u32, fd: i32, offset: u64) -> Result<(), Errno> {
        let args = [u64::from(at), u64::from(length), u64::from(prot), u64::from(flags), host::int(fd), offset];
        // SAFETY: the range lies in the guest's address space.
        let got = unsafe { host::call(host::nr::MMAP, args) }?;
        if got != u64::from(at) {
            // A kernel before 4.17 takes the unknown flag for a hint.
            // SAFETY: the mapping has just been made.
            let _ = unsafe { host::call(host::nr::MUNMAP, [got, u64::from(length)]) };
            return Err(Errno::EEXIST);
        }
        Ok(())
    }

    /// munmap(2) for the guest.
    ///
    /// # Errors
    /// `EINVAL` as the kernel gives it.
    pub(crate) fn unmap(&mut self, address: u32, length: u32) -> Result<(), Errno> {
        if address % PAGE != 0 || length == 0 || address > TASK_SIZE || length > TASK_SIZE - address {
            return Err(Errno::EINVAL);
        }
        let length = page_align(length)?;
        // SAFETY: the range lies in the guest's address space.
        unsafe { host::call(host::nr::MUNMAP, [u64::from(address), u64::from(length)])? };
        self.forget(address, length);
        Ok(())
    }

    /// mremap(2) for the guest.
    ///
    /// # Errors
    /// The kernel's errno; `ENOMEM` where there is no gap.
    pub(crate) fn remap(&mut self, old: u32, old_length: u32, new_length: u32, flags: u32, new: u32) -> Result<u32, Errno> {
        const MREMAP_MAYMOVE: u32 = 1;
        const MREMAP_FIXED: u32 = 2;
        const MREMAP_DONTUNMAP: u32 = 4;
        // In the order of `check_mremap_params` (mm/mremap.c); a length that is rounded up beyond 4 GiB is no less silly.
        let new_length = page_align(new_length).unwrap_or(u32::MAX);
        if flags & !7 != 0 || old % PAGE != 0 || new_length == 0 || new_length > TASK_SIZE {
            return Err(Errno::EINVAL);
        }
        if flags & (MREMAP_FIXED | MREMAP_DONTUNMAP) != 0 {
            let resizes = flags & MREMAP_DONTUNMAP != 0 && page_align(old_length) != Ok(new_length);
            let end = |start: u32, length: u32| u64::from(start) + u64::from(length);
            let overlaps = end(old, old_length) > u64::from(new) && end(new, new_length) > u64::from(old);
            if new > TASK_SIZE - new_length || new % PAGE != 0 || flags & MREMAP_MAYMOVE == 0 || resizes || overlaps {
                return Err(Errno::EINVAL);
            }
        }
        let Some(old_length) = page_align(old_length).ok().filter(|&length| old <= TASK_SIZE && length <= TASK_SIZE - old) else {
            // No mapping is as long; but what makes one shorter unmaps the rest first, and finds another fault with that.
            let shrinks = old_length >= new_length && is_mapped(old);
            return Err(if shrinks { Errno::EINVAL } else { Errno::EFAULT });
        };
        let call = |flags: u32, to: u32| {
            let args = [u64::from(old), u64::from(old_length), u64::from(new_length), u64::from(flags), u64::from(to)];
            // SAFETY: both ranges lie in the guest's address space: in place, or at `to`, which has been checked.
            unsafe { host::call(host::nr::MREMAP, args) }
        };
        let shared = self.shared.get((old / PAGE) as usize);
        if flags & MREMAP_FIXED != 0 {
            call(flags, new)?;
            self.forget(new, new_length);
        } else {
            let grows = new_length > old_length;
            let room = !grows || (new_length <= TASK_SIZE - old && self.is_free(old + old_length, new_length - old_length));
            if flags & MREMAP_DONTUNMAP == 0 && room {
                match call(flags & !MREMAP_MAYMOVE, 0) {
                    Ok(_) => {
                        if !grows {
                            self.forget(old + new_length, old_length - new_length);
                        }
                        self.note(old, new_length, shared);
                        return Ok(old);
                    }
                    Err(Errno::ENOMEM) if flags & MREMAP_MAYMOVE != 0 => {}
                    Err(errno) => return Err(errno),
                }
            }
            if flags & MREMAP_MAYMOVE == 0 {
                // The kernel finds what is wrong with it; growing in place it would be wrong only for us.
                call(flags, 0)?;
                return Err(Errno::ENOMEM);
            }
            // With MREMAP_DONTUNMAP the new address is where to look first.
            let hint = Some(new).filter(|&at| flags & MREMAP_DONTUNMAP != 0 && at >= self.floor && self.is_free(at, new_length));
            let Some(to) = hint.or_else(|| self.find(new_length)) else {
                // The kernel looks for the mapping before it looks for room.
                return Err(if is_mapped(old) { Errno::ENOMEM } else { Errno::EFAULT });
            };
            call(flags | MREMAP_FIXED, to)?;
            if flags & MREMAP_DONTUNMAP == 0 {
                self.forget(old, old_length);
            }
            self.note(to, new_length, shared);
            return Ok(to);
        }
        if flags & MREMAP_DONTUNMAP == 0 {
            self.forget(old, old_length);
        }
        self.note(new, new_length, shared);
        Ok(new)
    }

    /// brk(2) for the guest: the new end of the heap, or the old one where it cannot be.
    pub(crate) fn set_brk(&mut self, wanted: u32) -> u32 {
        const READ_WRITE: u32 = 3;
        const PRIVATE_ANONYMOUS: u32 = 0x22;
        if wanted < self.brk_start || wanted >= TASK_SIZE {
            return self.brk;
        }
        let (Ok(old), Ok(new)) = (page_align(self.brk), page_align(wanted)) else { return self.brk };
        if new > old {
            // The kernel keeps a gap to the next mapping; so the page after it must be free too.
            if !self.is_free(old, (new - old).saturating_add(PAGE))
                || self.host_map(old, new - old, READ_WRITE, PRIVATE_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0).is_err()
            {
                return self.brk;
            }
            self.note(old, new - old, false);
        } else if new < old && self.unmap(new, old - new).is_err() {
            return self.brk;
        }
        self.brk = wanted;
        wanted
    }

    /// shmat(2) for the guest, whose segment is `length` bytes long: below 4 GiB.
    ///
    /// # Errors
    /// The kernel's errno; `ENOMEM` where there is no gap.
    pub(crate) fn attach(&mut self, id: i32, at: u32, flags: u32, length: u32) -> Result<u32, Errno> {
        const SHM_RND: u32 = 0o20000;
        const SHM_REMAP: u32 = 0o40000;
        let length = page_align(length)?;
        // The kernel rounds it itself: what is rounded to 0 is the first page, and 0 any place.
        let (at, asked) = match at {
            0 if flags & SHM_REMAP != 0 => return Err(Errno::EINVAL),
            0 => self.find(length).map(|at| (at, at)).ok_or(Errno::ENOMEM)?,
            at if at % PAGE == 0 => (at, at),
            at if flags & SHM_RND != 0 => (at & !(PAGE - 1), at),
            _ => return Err(Errno::EINVAL),
        };
        if at > TASK_SIZE || length > TASK_SIZE - at {
            return Err(Errno::ENOMEM);
        }
        // SAFETY: the range lies in the guest's address space.
        unsafe { host::call(host::nr::SHMAT, [host::int(id), u64::from(asked), u64::from(flags)])? };
        if flags & SHM_REMAP != 0 {
            self.forget(at, length);
        }
        self.note(at, length, true);
        Ok(at)
    }

    /// shmdt(2) for the guest. The segment's length is not known here, so its pages are found out by asking the kernel.
    ///
    /// # Errors
    /// The kernel's errno.
    pub(crate) fn detach(&mut self, at: u32) -> Result<(), Errno> {
        // SAFETY: what is detached lies in the guest's address space.
        unsafe { host::call(host::nr::SHMDT, [u64::from(at)])? };
        let mut page = at;
        while page < TASK_SIZE && self.shared.get((page / PAGE) as usize) && !is_mapped(page) {
            self.forget(page, PAGE);
            page += PAGE;
        }
        Ok(())
    }

    /// Whether code at `address` may be rewritten: not where others share it.
    pub(crate) fn is_private(&self, address: u32) -> bool {
        !self.shared.get((address / PAGE) as usize)
    }

    /// Takes note of pages that the kernel mapped by itself (the vDSO).
    pub(crate) fn note_kernel_mapping(&mut self, address: u32, length: u32) {
        self.note(address, length, false);
    }
}

/// Why a mapping is refused that would be with `errno`: the kernel looks at the descriptor before lengths and addresses, and of a
/// mapping without a length it looks at nothing else.
fn refusal(prot: u32, flags: u32, fd: i32, errno: Errno) -> Errno {
    const MAP_ANONYMOUS: u32 = 0x20;
    const MAP_HUGETLB: u32 = 0x4_0000;
    // SAFETY: nothing is mapped.
    match unsafe { host::call(host::nr::MMAP, [0, 0, u64::from(prot), u64::from(flags), host::int(fd), 0]) } {
        Err(Errno::EBADF) => Errno::EBADF,
        // Of a file that has no huge pages.
        _ if flags & (MAP_HUGETLB | MAP_ANONYMOUS) == MAP_HUGETLB => Errno::EINVAL,
        _ => errno,
    }
}

/// Whether anything is mapped at this page: mincore(2) says `ENOMEM` where not.
pub(crate) fn is_mapped(page: u32) -> bool {
    let mut residency = 0u8;
    // SAFETY: one page, one byte.
    unsafe { host::call(host::nr::MINCORE, [u64::from(page), u64::from(PAGE), host::addr_mut(&mut residency)]) }.is_ok()
}
