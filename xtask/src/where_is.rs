//! `where`: everything about one system call, structure or ioctl, as `file:line`.

use abi::structs::{LAYOUTS, Layout, Verdict};
use abi::syscalls::i386::TABLE;
use abi::syscalls::{Action, Support, Syscall};
use anyhow::{Result, bail};
use std::io::Write;
use std::path::{Path, PathBuf};

pub(crate) fn run(arguments: &[String], out: &mut dyn Write) -> Result<()> {
    let [name] = arguments else {
        bail!("where needs one name: of a system call, a structure or an ioctl");
    };
    let mut found = false;
    for row in TABLE.iter().flatten().filter(|row| row.name == name) {
        system_call(row, out)?;
        found = true;
    }
    for row in LAYOUTS.iter().copied().flatten().filter(|row| row.name == name) {
        structure(row, out)?;
        found = true;
    }
    let is_row = |line: &str| !line.trim_start().starts_with("//") && has_word(line, name);
    let ioctls = search(&crate::root().join("crates/abi/src/ioctl"), is_row)?;
    for place in &ioctls {
        writeln!(out, "ioctl     {place}")?;
        found = true;
    }
    if !found {
        let near = nearest(name);
        bail!(
            "no row is called '{name}'{}",
            if near.is_empty() { String::new() } else { format!("; did you mean {}?", near.join(", ")) }
        );
    }
    for place in search_tests(name)? {
        writeln!(out, "test      {place}")?;
    }
    Ok(())
}

fn system_call(row: &Syscall, out: &mut dyn Write) -> Result<()> {
    let table = crate::root().join("crates/abi/src/syscalls/i386.rs");
    let row_starts = format!("{} {} ", row.number, row.name);
    for place in search(&table, |line| line.trim_start().starts_with(&row_starts))? {
        writeln!(out, "row       {place}")?;
    }
    match row.action {
        Action::Native(host) => writeln!(out, "handler   none: the host's system call {host}")?,
        Action::Refuse(errno) => writeln!(out, "handler   none: fails with {errno:?}")?,
        Action::Call => {
            let begin = format!("fn {}(", row.name);
            let generic = format!("fn {}<", row.name);
            let sys = crate::root().join("crates/run/src/sys");
            // One file, or a directory where the area has grown.
            for path in [sys.join(format!("{}.rs", row.area)), sys.join(row.area)] {
                for place in search(&path, |line| line.contains(&begin) || line.contains(&generic))? {
                    writeln!(out, "handler   {place}")?;
                }
            }
        }
    }
    match row.support {
        Support::Full => {}
        Support::Partial(note) => writeln!(out, "partial   {note}")?,
        Support::Refused(note) => writeln!(out, "refused   {note}")?,
    }
    for layout in structures_of(row) {
        structure_place(layout, out)?;
    }
    Ok(())
}

/// The structures that a row's argument types name, each once.
fn structures_of(row: &Syscall) -> Vec<&'static Layout> {
    let mut found: Vec<&Layout> = Vec::new();
    for argument in row.args {
        for layout in LAYOUTS.iter().copied().flatten().filter(|layout| names_type(argument.type_name, layout.name)) {
            if !found.iter().any(|have| have.name == layout.name) {
                found.push(layout);
            }
        }
    }
    found
}

/// Whether the type `type_name`, as written in a row, is the guest's side of the structure `name`.
fn names_type(type_name: &str, name: &str) -> bool {
    let squeezed: String = type_name.chars().filter(|character| !character.is_whitespace()).collect();
    squeezed.split(['<', '>', ',', '(', ')']).any(|part| {
        let mut path = part.rsplit("::");
        path.next() == Some("Guest32") && path.next() == Some(name)
    })
}

fn structure(row: &Layout, out: &mut dyn Write) -> Result<()> {
    structure_place(row, out)?;
    let verdict = if row.verdict() == Verdict::Full { "the same in both" } else { "converted field by field" };
    writeln!(out, "layout    {} bytes on i386, {} on x86-64: {verdict}", row.size32, row.size64)?;
    for call in TABLE.iter().flatten().filter(|call| structures_of(call).iter().any(|layout| layout.name == row.name)) {
        writeln!(out, "used by   {} {} ({})", call.number, call.name, call.area)?;
    }
    Ok(())
}

fn structure_place(row: &Layout, out: &mut dyn Write) -> Result<()> {
    let begin = format!("pub struct {} (", row.name);
    for place in search(&crate::root().join("crates/abi/src"), |line| line.trim_start().starts_with(&begin))? {
        writeln!(out, "structure {place}")?;
    }
    Ok(())
}

fn search_tests(name: &str) -> Result<Vec<String>> {
    let mut places = Vec::new();
    for extension in ["c", "go", "S", "sh"] {
        for path in crate::files(&crate::root().join("tests/guest"), extension)? {
            // The first mention is enough to open the file at.
            places.extend(search_file(&path, |line| has_word(line, name))?.into_iter().next());
        }
    }
    places.sort();
    Ok(places)
}

/// `file:line` of every line of a Rust file that `matches`, in a file or below a directory.
fn search(path: &Path, matches: impl Fn(&str) -> bool) -> Result<Vec<String>> {
    let files: Vec<PathBuf> = if path.is_file() { vec![path.to_path_buf()] } else { crate::files(path, "rs")? };
    let mut places = Vec::new();
    for file in files {
        places.extend(search_file(&file, &matches)?);
    }
    Ok(places)
}

fn search_file(path: &Path, matches: impl Fn(&str) -> bool) -> Result<Vec<String>> {
    let text = String::from_utf8_lossy(&std::fs::read(path)?).into_owned();
    let shown = path.strip_prefix(crate::root()).unwrap_or(path);
    let lines = text.lines().enumerate().filter(|(_, line)| matches(line));
    Ok(lines.map(|(index, _)| format!("{}:{}", shown.display(), index + 1)).collect())
}

/// Whether `line` has `word` with nothing of a name on either side.
fn has_word(line: &str, word: &str) -> bool {
    let part_of_name = |character: char| character.is_alphanumeric() || character == '_';
    line.match_indices(word).any(|(at, _)| {
        !line[..at].chars().next_back().is_some_and(part_of_name)
            && !line[at + word.len()..].chars().next().is_some_and(part_of_name)
    })
}

/// Names that contain `name`, or are contained in it.
fn nearest(name: &str) -> Vec<&'static str> {
    let calls = TABLE.iter().flatten().map(|row| row.name);
    let structures = LAYOUTS.iter().copied().flatten().map(|row| row.name);
    calls
        .chain(structures)
        .filter(|have| name.len() > 2 && (have.contains(name) || name.contains(have) && have.len() > 3))
        .take(5)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{has_word, names_type, run};

    fn places(name: &str) -> String {
        let mut out = Vec::new();
        run(&[name.to_owned()], &mut out).expect("the name is known");
        String::from_utf8(out).expect("it is text")
    }

    #[test]
    fn a_call_leads_to_its_row_handler_and_structures() {
        let text = places("clock_gettime");
        assert!(text.contains("row       crates/abi/src/syscalls/i386.rs:"), "{text}");
        assert!(text.contains("handler   crates/run/src/sys/time.rs:"), "{text}");
        assert!(text.contains("structure crates/abi/src/structs/time.rs:"), "{text}");
    }

    #[test]
    fn every_call_row_has_a_handler_where_it_should_be() {
        for row in abi::syscalls::i386::TABLE.iter().flatten() {
            if row.action == abi::syscalls::Action::Call {
                let text = places(row.name);
                assert!(text.contains(&format!("handler   crates/run/src/sys/{}", row.area)), "{}: {text}", row.name);
            }
        }
    }

    #[test]
    fn a_structure_leads_to_the_calls_that_use_it() {
        let text = places("rusage");
        assert!(text.contains("used by   77 getrusage (sched)"), "{text}");
    }

    #[test]
    fn unknown_names_get_a_suggestion() {
        let error = run(&["clock_gettim".to_owned()], &mut Vec::new()).expect_err("there is no such call");
        assert!(error.to_string().contains("clock_gettime"), "{error}");
    }

    #[test]
    fn names_are_whole_words() {
        assert!(has_word("int x = read(fd);", "read"));
        assert!(!has_word("pread(fd)", "read"));
        assert!(!has_word("read_all(fd)", "read"));
        assert!(names_type("In < time :: timespec :: Guest32 >", "timespec"));
        assert!(!names_type("In<time::itimerspec::Guest32>", "timespec"));
    }
}
