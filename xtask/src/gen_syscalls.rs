//! `gen-syscalls`: which system calls of a kernel have no row yet, as rows to fill in.

use crate::numbers::{self, Entry, Numbers};
use abi::syscalls::i386::TABLE;
use anyhow::{Result, bail};
use std::io::Write;
use std::path::Path;

pub(crate) fn run(arguments: &[String], out: &mut dyn Write) -> Result<()> {
    let [path] = arguments else {
        bail!("gen-syscalls needs the path of a kernel's arch/x86/entry/syscalls/syscall_32.tbl or of a unistd_32.h");
    };
    let table = numbers::read(Path::new(path))?;
    let host = numbers::known_x86_64();
    let mut missing = 0;
    for (&number, entry) in &table {
        let row = usize::try_from(number).ok().and_then(|number| TABLE.get(number)).and_then(Option::as_ref);
        match row {
            Some(row) if row.name == entry.name => {}
            Some(row) => writeln!(out, "// {number} is {} in {path}, but its row says {}", entry.name, row.name)?,
            None => {
                writeln!(out, "{}", template(number, entry, &host))?;
                missing += 1;
            }
        }
    }
    writeln!(out, "// {} calls, {missing} without a row", table.len())?;
    Ok(())
}

/// A row to fill in: `native` where the kernel's own 32-bit layer converts nothing.
fn template(number: u32, entry: &Entry, host: &Numbers) -> String {
    let name = &entry.name;
    let same_name = host.iter().find(|(_, host)| host.name == *name).map(|(number, _)| number);
    match (&entry.compat, same_name) {
        (Some(compat), _) if compat.contains("compat_sys") => format!("{number} {name} call (), full;"),
        (Some(compat), Some(host)) if compat.ends_with(&format!("sys_{name}")) => {
            format!("{number} {name} native[{host}] (), full;")
        }
        (Some(compat), _) if compat != "sys_ni_syscall" => format!("{number} {name} call (), full; // {compat}"),
        (None, Some(host)) if number >= 424 => format!("{number} {name} native[{host}] (), full;"),
        _ => format!("{number} {name} refuse[ENOSYS] (), refused \"\";"),
    }
}

#[cfg(test)]
mod tests {
    use super::template;
    use crate::numbers::{Entry, known_x86_64};

    #[test]
    fn templates_follow_the_kernel() {
        let host = known_x86_64();
        let row = |number, name: &str, compat: Option<&str>| {
            template(number, &Entry { name: name.to_owned(), compat: compat.map(str::to_owned) }, &host)
        };
        assert_eq!(row(5, "open", Some("__ia32_compat_sys_open")), "5 open call (), full;");
        assert_eq!(row(6, "close", Some("__ia32_sys_close")), "6 close native[3] (), full;");
        assert_eq!(row(20, "getpid", Some("sys_getpid")), "20 getpid native[39] (), full;");
        assert_eq!(
            row(265, "clock_gettime", Some("sys_clock_gettime32")),
            "265 clock_gettime call (), full; // sys_clock_gettime32"
        );
        assert_eq!(row(17, "break", None), "17 break refuse[ENOSYS] (), refused \"\";");
        assert_eq!(row(449, "futex_waitv", None), "449 futex_waitv native[449] (), full;");
    }
}
