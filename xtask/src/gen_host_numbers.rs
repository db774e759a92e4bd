//! `gen-host-numbers`: the numbers of the host's system calls, as constants for `run`.

use crate::numbers::{self, Numbers};
use anyhow::{Result, bail};
use std::io::Write;
use std::path::{Path, PathBuf};

const HEADER: &str = "/usr/include/x86_64-linux-gnu/asm/unistd_64.h";

fn target() -> PathBuf {
    crate::root().join("crates/run/src/host_numbers.rs")
}

pub(crate) fn run(arguments: &[String], out: &mut dyn Write) -> Result<()> {
    let mut table = numbers::known_x86_64();
    let header = Path::new(arguments.first().map_or(HEADER, String::as_str));
    // The header may be older or newer than what we know; where both have a number they must agree.
    for (number, entry) in numbers::read(header)? {
        if let Some(known) = table.get(&number).filter(|known| known.name != entry.name) {
            bail!("{number} is {} here and {} in {}", known.name, entry.name, header.display());
        }
        table.insert(number, entry);
    }
    std::fs::write(target(), source(&table))?;
    writeln!(out, "{}: {} numbers", target().display(), table.len())?;
    Ok(())
}

/// The file's text.
fn source(table: &Numbers) -> String {
    let mut text = String::from("// Generated from asm/unistd_64.h by `cargo xtask gen-host-numbers`; do not edit.\n");
    for (number, entry) in table {
        let name = entry.name.trim_start_matches('_').to_uppercase();
        text.push_str(&format!("pub(crate) const {name}: u32 = {number};\n"));
    }
    text.push_str("/// The name of a number, for the tracer.\n");
    text.push_str("pub(crate) const fn name(number: u32) -> Option<&'static str> {\n    Some(match number {\n");
    for (number, entry) in table {
        text.push_str(&format!("        {number} => \"{}\",\n", entry.name));
    }
    text.push_str("        _ => return None,\n    })\n}\n");
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_file_is_current() {
        let file = std::fs::read_to_string(super::target()).expect("the file is in the repository");
        let expected = super::source(&crate::numbers::known_x86_64());
        for line in expected.lines() {
            assert!(file.lines().any(|have| have == line), "{line} is missing: run `cargo xtask gen-host-numbers`");
        }
    }
}
