//! Facts about one kernel module (`.ko`): devices whose ioctl(2) 32-bit programs cannot call.
//!
//! `struct file_operations` of include/linux/fs.h has two functions for ioctl(2): `unlocked_ioctl` for programs of the kernel's own
//! width, and `compat_ioctl` for those of 32 bits. A module is an object file: which function is where in the structure is in its
//! relocations. The place of a member depends on the kernel, whose release the module names; and the names of the functions must
//! agree with it, so that a kernel with other members is passed over and not misread.

use crate::source::Source;
use memchr::memmem;
use object::LittleEndian;
use object::elf::{self, FileHeader64, SectionHeader64};
use object::read::elf::{FileHeader, Rela, SectionHeader, Sym};
use std::collections::HashMap;

/// The largest module that is looked at, in bytes. Without debug information the largest, amdgpu, has 25 MiB.
pub const MAX_MODULE: u64 = 64 << 20;
/// Structures that are named.
const MAX_GAPS: usize = 16;
/// The largest `struct file_operations`, in bytes: it has 264 to 272 now.
const MAX_SIZE: u64 = 512;

/// What a module says about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// The release of the kernel that it is for, such as `6.12.43+deb13-amd64`.
    pub release: String,
    /// Whether it was built with that kernel: `intree` of modinfo(8).
    pub in_tree: bool,
    /// Devices with `unlocked_ioctl` and without `compat_ioctl`.
    pub gaps: Vec<Gap>,
}

/// A `struct file_operations` that has `unlocked_ioctl` and no `compat_ioctl`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Gap {
    /// The structure's name.
    pub operations: String,
    /// The function that programs of 64 bits reach.
    pub function: String,
}

/// Offsets in `struct file_operations` of a 64-bit kernel, in bytes.
#[derive(Clone, Copy)]
struct Layout {
    llseek: u64,
    unlocked_ioctl: u64,
    open: u64,
}

/// From which release on. `iterate_shared` came before with 4.7, `mmap_supported_flags` with 4.15, `iopoll` with 5.1; `iterate`
/// went with 6.6; 6.10 put `fop_flags` in front and removed `mmap_supported_flags`.
const LAYOUTS: &[((u32, u32), Layout)] = &[
    ((6, 10), Layout { llseek: 16, unlocked_ioctl: 80, open: 104 }),
    ((6, 6), Layout { llseek: 8, unlocked_ioctl: 72, open: 104 }),
    ((5, 1), Layout { llseek: 8, unlocked_ioctl: 80, open: 112 }),
    ((4, 15), Layout { llseek: 8, unlocked_ioctl: 72, open: 104 }),
];

impl Layout {
    fn of(release: &str) -> Option<Self> {
        let mut numbers = release.split(|c: char| !c.is_ascii_digit()).map_while(|digits| digits.parse().ok());
        let version: (u32, u32) = (numbers.next()?, numbers.next()?);
        LAYOUTS.iter().find(|(from, _)| version >= *from).map(|(_, layout)| *layout)
    }

    /// Whether functions with these names, by offset, are those of a device that has no ioctl(2) for 32-bit programs. The name of the
    /// function for ioctl(2) must say so, and one more must agree with the layout.
    fn is_gap(self, functions: &HashMap<u64, &str>) -> bool {
        let named = |offset: u64, part: &str| functions.get(&offset).is_some_and(|name| name.contains(part));
        let ioctl = |offset: u64| named(offset, "ioctl");
        let compat = functions.values().any(|name| name.contains("compat"));
        // flush lies between open and release, poll before the ioctls.
        let release = self.open + 16;
        let agrees =
            named(self.llseek, "seek") || named(self.open, "open") || named(release, "release") || named(release, "close");
        let elsewhere = functions.keys().any(|offset| *offset != self.unlocked_ioctl && ioctl(*offset));
        let empty = !functions.contains_key(&(self.unlocked_ioctl + 8));
        ioctl(self.unlocked_ioctl) && empty && agrees && !compat && !elsewhere
    }
}

/// Whether the object file has a symbol whose name speaks of ioctl(2). Its other contents need not be read for that, which are most
/// of it.
#[must_use]
pub fn mentions_ioctl<S: Source + ?Sized>(source: &S) -> bool {
    let read = |offset: u64, size: u64| {
        let end = offset.checked_add(size).filter(|end| *end <= source.size().min(MAX_MODULE))?;
        let mut bytes = vec![0; usize::try_from(end - offset).ok()?];
        source.read_at(offset, &mut bytes).ok()?;
        Some(bytes)
    };
    let mentions = || {
        let header = read(0, 64)?;
        let header = FileHeader64::<LittleEndian>::parse(header.as_slice()).ok()?;
        let entry = std::mem::size_of::<SectionHeader64<LittleEndian>>() as u64;
        let table = read(header.e_shoff(LittleEndian), u64::from(header.e_shnum(LittleEndian)) * entry)?;
        let sections = object::pod::slice_from_all_bytes::<SectionHeader64<LittleEndian>>(&table).ok()?;
        let strings = sections.iter().filter(|section| section.sh_type(LittleEndian) == elf::SHT_STRTAB);
        let mut strings = strings.filter_map(|section| read(section.sh_offset(LittleEndian), section.sh_size(LittleEndian)));
        strings.any(|strings| memmem::find(&strings, b"ioctl").is_some()).then_some(())
    };
    mentions().is_some()
}

/// What the module with these contents says about itself. Nothing, if it is none of a 64-bit kernel that runs 32-bit programs, or
/// its kernel's structures are in no known order.
#[must_use]
pub fn module(contents: &[u8]) -> Option<Module> {
    let header = FileHeader64::<LittleEndian>::parse(contents).ok()?;
    let endian = header.endian().ok()?;
    if header.e_type(endian) != elf::ET_REL || !matches!(header.e_machine(endian), elf::EM_X86_64 | elf::EM_AARCH64) {
        return None;
    }
    let sections = header.sections(endian, contents).ok()?;
    let (_, information) = sections.section_by_name(endian, b".modinfo")?;
    let information = information.data(endian, contents).ok()?;
    let value =
        |key: &[u8]| information.split(|byte| *byte == 0).find_map(|line| line.strip_prefix(key)).map(String::from_utf8_lossy);
    let vermagic = value(b"vermagic=")?;
    let release = vermagic.split(' ').next().unwrap_or_default().to_owned();
    let mut found = Module { in_tree: value(b"intree=").is_some(), gaps: Vec::new(), release };
    // CONFIG_RANDSTRUCT puts the members in an order of its own.
    let layout = Layout::of(&found.release).filter(|_| !vermagic.contains("RANDSTRUCT"));
    let Some(layout) = layout else { return Some(found) };

    let symbols = sections.symbols(endian, contents, elf::SHT_SYMTAB).ok()?;
    let name = |symbol: &elf::Sym64<LittleEndian>| {
        symbols.symbol_name(endian, symbol).ok().and_then(|name| std::str::from_utf8(name).ok())
    };
    let mut functions: HashMap<(u16, u64), &str> = HashMap::new();
    let mut structures = Vec::new();
    for symbol in symbols.iter() {
        let (section, at, size) = (symbol.st_shndx(endian), symbol.st_value(endian), symbol.st_size(endian));
        match symbol.st_type() {
            elf::STT_FUNC => drop(name(symbol).map(|name| functions.insert((section, at), name))),
            elf::STT_OBJECT if size > layout.open && size <= MAX_SIZE && section < elf::SHN_LORESERVE => {
                structures.push((section, at, size, symbol))
            }
            _ => {}
        }
    }
    structures.sort_unstable_by_key(|(section, at, size, _)| (*section, *at, *size));
    // Structures do not overlap; where they do in a file that means no good, only the first counts.
    structures.dedup_by(|next, one| next.0 == one.0 && next.1 < one.1.saturating_add(one.2));
    let mut members: Vec<HashMap<u64, &str>> = vec![HashMap::new(); structures.len()];
    for section in sections.iter() {
        let Ok(Some((relocations, _))) = section.rela(endian, contents) else { continue };
        let Ok(target) = u16::try_from(section.sh_info(endian)) else { continue };
        for relocation in relocations {
            let at = relocation.r_offset(endian);
            let before = structures.partition_point(|(section, start, ..)| (*section, *start) <= (target, at));
            let Some(index) = before.checked_sub(1) else { continue };
            let Some((section, start, size, _)) = structures.get(index) else { continue };
            if *section != target || at - start >= *size {
                continue;
            }
            let symbol = relocation.symbol(endian, false).and_then(|index| symbols.symbol(index).ok());
            let Some(symbol) = symbol else { continue };
            let addend = u64::try_from(relocation.r_addend(endian)).unwrap_or(u64::MAX);
            let place = (symbol.st_shndx(endian), symbol.st_value(endian).wrapping_add(addend));
            let function = functions.get(&place).copied().or_else(|| name(symbol)).unwrap_or_default();
            if let Some(members) = members.get_mut(index) {
                members.insert(at - start, function);
            }
        }
    }
    for ((.., symbol), members) in structures.iter().zip(&members) {
        if layout.is_gap(members) {
            let function = members.get(&layout.unlocked_ioctl).copied().unwrap_or_default();
            found.gaps.push(Gap { operations: name(symbol).unwrap_or_default().to_owned(), function: function.to_owned() });
        }
    }
    found.gaps.sort();
    found.gaps.truncate(MAX_GAPS);
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::Layout;
    use std::collections::HashMap;

    fn is_gap(release: &str, members: &[(u64, &'static str)]) -> bool {
        Layout::of(release).is_some_and(|layout| layout.is_gap(&members.iter().copied().collect::<HashMap<_, _>>()))
    }

    #[test]
    fn the_members_are_where_the_release_has_them() {
        // llseek, unlocked_ioctl and open of Linux 6.12, 6.6, 6.1 and 5.0
        for (release, members) in [
            ("6.12.43+deb13-amd64", [(16, "noop_llseek"), (80, "own_ioctl"), (104, "f")]),
            ("6.6.1", [(8, "f"), (72, "own_ioctl"), (104, "own_open")]),
            ("6.1.0-50-amd64", [(8, "f"), (80, "own_ioctl"), (112, "own_open")]),
            ("5.0.0", [(8, "f"), (72, "own_ioctl"), (104, "own_open")]),
        ] {
            assert!(is_gap(release, &members), "{release}");
        }
    }

    #[test]
    fn what_does_not_agree_is_passed_over() {
        let good = [(80, "own_ioctl"), (104, "own_open")];
        assert!(is_gap("6.12", &good));
        assert!(!is_gap("4.4", &good) && !is_gap("next", &good));
        for other in [
            // It has one; or the order is another, and what looks like the one is the other.
            &[(80, "own_ioctl"), (88, "own_ioctl"), (104, "own_open")][..],
            &[(72, "own_ioctl"), (80, "own_ioctl"), (104, "own_open")],
            &[(80, "own_compat_ioctl"), (104, "own_open")],
            &[(80, "own_ioctl"), (96, "compat_ptr_ioctl"), (104, "own_open")],
            // Nothing says that the order is this one, or that this is for ioctl(2).
            &[(80, "own_ioctl"), (112, "own_open")],
            &[(80, "own_poll"), (104, "own_open")],
        ] {
            assert!(!is_gap("6.12", other), "{other:?}");
        }
    }
}
