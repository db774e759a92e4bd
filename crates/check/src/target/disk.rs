//! The image of a whole disk or card, with a partition table of either kind, and what is in a partition.

use elf::Source;
use std::io;
use std::rc::Rc;

/// Partitions that are looked at; a phone has about a hundred.
const MAX_PARTITIONS: usize = 256;
/// Bytes of a sector: nearly all disks, and UFS.
const SECTORS: [u64; 2] = [512, 4096];
/// What is told by a magic number, and not read: where it is, and what has it.
const FOREIGN: &[(usize, &[u8], &str)] = &[
    (0, b"sqsh", "a big-endian squashfs"),
    (0, b"XFSB", "an XFS file system"),
    (0, b"LUKS\xba\xbe", "encrypted (LUKS)"),
    (0, b"\x85\x19", "a JFFS2 file system"),
    (0, b"UBI#", "a UBI image"),
    (0, b"\x31\x18\x10\x06", "a UBIFS image"),
    (3, b"NTFS    ", "an NTFS file system"),
    (0x200, b"LABELONE", "a volume of LVM"),
    (0x400, b"\x10\x20\xf5\xf2", "an F2FS file system"),
    (0x400, b"\xe2\xe1\xf5\xe0", "an EROFS file system"),
    (0xff6, b"SWAPSPACE2", "swap space"),
    (0x8001, b"CD001", "an ISO 9660 file system"),
    (0x1_0040, b"_BHRfS_M", "a Btrfs file system"),
];

/// Enough of a partition to know what is in it.
pub(super) const BEGINNING: usize = 0x1_0048;

/// What this is the beginning of, where that is known but not read.
pub(super) fn foreign(start: &[u8]) -> Option<&'static str> {
    let has = |at: usize, magic: &[u8]| start.get(at..).is_some_and(|rest| rest.starts_with(magic));
    FOREIGN.iter().find(|(at, magic, _)| has(*at, magic)).map(|(.., what)| *what)
}

/// One partition.
pub(super) struct Partition {
    /// Its number, as Linux counts: `/dev/mmcblk0pN`.
    pub(super) number: usize,
    pub(super) contents: Rc<dyn Source>,
}

/// A part of an image. What lies beyond the end of the image cannot be read, though the table says so.
struct Window {
    source: Rc<dyn Source>,
    start: u64,
    size: u64,
}

impl Source for Window {
    fn size(&self) -> u64 {
        self.size
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        if offset.checked_add(buffer.len() as u64).is_none_or(|end| end > self.size) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.source.read_at(self.start + offset, buffer)
    }
}

/// The little-endian number of `N` bytes at `at`.
fn number<const N: usize>(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..at + N).map_or(0, |field| field.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte)))
}

/// The partitions, if this is the image of a disk.
pub(super) fn partitions(source: &Rc<dyn Source>) -> Option<Vec<Partition>> {
    let mut first = [0; 512];
    source.read_at(0, &mut first).ok()?;
    if !first.ends_with(b"\x55\xaa") {
        return None;
    }
    let mut found = Vec::new();
    let mut add = |number: usize, start: Option<u64>, size: Option<u64>| {
        let (Some(start), Some(size)) = (start, size) else { return };
        let size = size.min(source.size().saturating_sub(start));
        if size > 0 && found.len() < MAX_PARTITIONS {
            found.push(Partition { number, contents: Rc::new(Window { source: Rc::clone(source), start, size }) });
        }
    };
    for sector in SECTORS {
        let mut header = [0; 96];
        if source.read_at(sector, &mut header).is_err() || !header.starts_with(b"EFI PART") {
            continue;
        }
        // UEFI specification, 5.3.2: where the entries are, how many, and the size of one.
        let [at, count, size] = [number::<8>(&header, 72), number::<4>(&header, 80), number::<4>(&header, 84)];
        for index in 0..count.min(MAX_PARTITIONS as u64) {
            let mut entry = [0; 128];
            let place = at.checked_mul(sector).and_then(|at| at.checked_add(index * size));
            if size < 128 || place.is_none_or(|at| source.read_at(at, &mut entry).is_err()) {
                break;
            }
            let [start, last] = [number::<8>(&entry, 32), number::<8>(&entry, 40)];
            let blocks = last.checked_sub(start).and_then(|blocks| blocks.checked_add(1)).filter(|_| start > 0);
            let number = usize::try_from(index).unwrap_or_default() + 1;
            add(number, start.checked_mul(sector), blocks.and_then(|blocks| blocks.checked_mul(sector)));
        }
        return Some(found);
    }
    // The classic table: four entries, of which one may hold a chain of more.
    let entry = |table: &[u8; 512], index: usize| {
        let at = 446 + 16 * index;
        (table[at + 4], number::<4>(table, at + 8) * 512, number::<4>(table, at + 12) * 512)
    };
    let plausible =
        (0..4).all(|index| matches!(first[446 + 16 * index], 0 | 0x80)) && (0..4).any(|index| entry(&first, index).2 > 0);
    if !plausible {
        return None;
    }
    let mut extended = None;
    for index in 0..4 {
        match entry(&first, index) {
            (0, ..) => {}
            (0x05 | 0x0f | 0x85, start, _) => extended = Some(start),
            (_, start, size) => add(index + 1, Some(start), Some(size)),
        }
    }
    let (base, mut at) = (extended.unwrap_or_default(), extended);
    for number in 5..MAX_PARTITIONS {
        let mut table = [0; 512];
        let Some(here) = at.filter(|at| source.read_at(*at, &mut table).is_ok() && table.ends_with(b"\x55\xaa")) else { break };
        let ((_, start, size), (_, next, more)) = (entry(&table, 0), entry(&table, 1));
        add(number, here.checked_add(start), Some(size));
        at = (more > 0 && next > 0).then_some(base + next);
    }
    Some(found)
}
