//! System call numbers, from the three places that have them: a kernel's `.tbl`, its `unistd` header, the `syscalls` crate.

use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::path::Path;

/// Numbers that the `syscalls` crate does not know yet. They are the same in every table from 424 on.
pub(crate) const NEWER: &[(u32, &str)] = &[(470, "listns"), (471, "rseq_slice_yield")];

/// One line of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The name of the call.
    pub(crate) name: String,
    /// The function that a 32-bit task on a 64-bit kernel gets, where the table says so: `__ia32_sys_` for one that needs no
    /// conversion, `__ia32_compat_sys_` for one that does.
    pub(crate) compat: Option<String>,
}

/// A table: by number.
pub(crate) type Numbers = BTreeMap<u32, Entry>;

/// Reads a kernel's `syscall_32.tbl` or a `unistd_*.h`.
pub(crate) fn read(path: &Path) -> Result<Numbers> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let numbers = parse(&text);
    if numbers.is_empty() {
        bail!("{} has no system call numbers: neither '#define __NR_name number' nor 'number abi name' lines", path.display());
    }
    Ok(numbers)
}

fn parse(text: &str) -> Numbers {
    text.lines().filter_map(parse_line).collect()
}

fn parse_line(line: &str) -> Option<(u32, Entry)> {
    let mut words = line.split_whitespace();
    let first = words.next()?;
    if first == "#define" {
        let name = words.next()?.strip_prefix("__NR_")?;
        let number = words.next()?.parse().ok()?;
        return Some((number, Entry { name: name.to_owned(), compat: None }));
    }
    let number = first.parse().ok()?;
    let (_abi, name) = (words.next()?, words.next()?);
    let (entry, compat) = (words.next(), words.next());
    Some((number, Entry { name: name.to_owned(), compat: compat.or(entry).map(str::to_owned) }))
}

/// The x86-64 table that the `syscalls` crate knows, and the newer numbers.
pub(crate) fn known_x86_64() -> Numbers {
    // By number: the crate's own iterator leaves out the last one.
    let known =
        (0..1024).filter_map(|number| Some((number, syscalls::x86_64::Sysno::new(usize::try_from(number).ok()?)?.name())));
    known.chain(NEWER.iter().copied()).map(|(number, name)| (number, Entry { name: name.to_owned(), compat: None })).collect()
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn both_forms_are_read() {
        let table =
            parse("# comment\n17\ti386\tbreak\n20\ti386\tgetpid\tsys_getpid\n5 i386 open sys_open __ia32_compat_sys_open\n");
        assert_eq!(table.len(), 3);
        assert_eq!(table[&17].name, "break");
        assert_eq!(table[&17].compat, None);
        assert_eq!(table[&20].compat.as_deref(), Some("sys_getpid"));
        assert_eq!(table[&5].compat.as_deref(), Some("__ia32_compat_sys_open"));
        let header = parse("#ifndef X\n#define __NR_read 3\n#define OTHER 4\n");
        assert_eq!(header.len(), 1);
        assert_eq!(header[&3].name, "read");
    }
}
