//! Which calls are traced: `--trace=FILTER`.

use abi::syscalls::{Syscall, TABLE_LENGTH, i386};
use core::sync::atomic::{AtomicU64, Ordering};

/// One bit per number, and one for all numbers beyond the table.
pub struct Filter([u64; WORDS]);

const WORDS: usize = TABLE_LENGTH / 64 + 1;

type Belongs = fn(&Syscall) -> bool;

/// Classes of strace(1) that are not named like an area of the table, and how a row belongs to one.
const CLASSES: &[(&str, Belongs)] = &[
    ("file", |row| matches!(row.area, "fs" | "process") && row.args.iter().any(|arg| arg.type_name == "Path")),
    ("desc", |row| matches!(row.area, "fd" | "poll") || row.args.iter().any(|arg| matches!(arg.type_name, "Fd" | "DirFd"))),
    ("network", |row| row.area == "socket"),
    ("memory", |row| row.area == "mem"),
];

fn bit(number: usize) -> (usize, u64) {
    let number = number.min(TABLE_LENGTH);
    (number / 64, 1 << (number % 64))
}

impl Filter {
    /// Reads a list of areas, `%classes` and names of system calls, separated by commas. Each adds to what is traced; with `!` in
    /// front it takes away, and a list that begins so begins with everything.
    ///
    /// # Errors
    /// The item that names nothing.
    pub fn parse(text: &str) -> Result<Self, &str> {
        let mut filter = Self([if text.starts_with('!') { u64::MAX } else { 0 }; WORDS]);
        for item in text.split(',') {
            let (name, wanted) = item.strip_prefix('!').map_or((item, true), |name| (name, false));
            if !filter.set(name, wanted) {
                return Err(item);
            }
        }
        Ok(filter)
    }

    /// Adds or takes away what `name` names; says whether that is anything. An area goes before a call of the same name.
    fn set(&mut self, name: &str, wanted: bool) -> bool {
        if name == "all" || name == "none" {
            self.0 = [if (name == "all") == wanted { u64::MAX } else { 0 }; WORDS];
            return true;
        }
        let plain = name.strip_prefix('%');
        let class = CLASSES.iter().find(|(class, _)| Some(*class) == plain).map(|(_, member)| *member);
        let area = plain.unwrap_or(name);
        let is_area = i386::TABLE.iter().flatten().any(|row| row.area == area);
        let mut found = false;
        for row in i386::TABLE.iter().flatten() {
            let member = match class {
                Some(member) => member(row),
                None if is_area => row.area == area,
                None => plain.is_none() && row.name == name,
            };
            if member {
                found = true;
                let (word, bit) = bit(usize::from(row.number));
                if wanted {
                    self.0[word] |= bit;
                } else {
                    self.0[word] &= !bit;
                }
            }
        }
        found
    }

    /// Puts it in force.
    pub(super) fn install(&self) {
        for (word, value) in WANTED.iter().zip(self.0) {
            word.store(value, Ordering::Relaxed);
        }
    }
}

static WANTED: [AtomicU64; WORDS] = [const { AtomicU64::new(0) }; WORDS];

/// Whether `number` is traced.
pub(super) fn wants(number: u32) -> bool {
    let (word, bit) = bit(usize::try_from(number).unwrap_or(TABLE_LENGTH));
    WANTED[word].load(Ordering::Relaxed) & bit != 0
}
