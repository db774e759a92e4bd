//! The table is complete, and its host numbers are those of the calls that its rows mean.

use abi::syscalls::i386::TABLE;
use abi::syscalls::{Action, Support, TABLE_LENGTH};
use syscalls::{x86, x86_64};

/// Calls that are newer than the newest `syscalls` crate that Rust 1.85 compiles (the kernel's `syscall_32.tbl`).
const NEWER: &[(u16, &str)] = &[
    (462, "mseal"),
    (463, "setxattrat"),
    (464, "getxattrat"),
    (465, "listxattrat"),
    (466, "removexattrat"),
    (467, "open_tree_attr"),
    (468, "file_getattr"),
    (469, "file_setattr"),
    (470, "listns"),
    (471, "rseq_slice_yield"),
];

/// The name of an i386 call, for all that anybody knows.
fn name(number: u16) -> Option<&'static str> {
    // A name that is a keyword of Rust has a prefix in the crate.
    let known = x86::Sysno::new(usize::from(number)).map(|call| call.name().trim_start_matches("r#"));
    known.or_else(|| NEWER.iter().find(|(newer, _)| *newer == number).map(|(_, name)| *name))
}

#[test]
fn every_number_has_a_row_of_the_same_name() {
    let numbers = 0..u16::try_from(TABLE_LENGTH).expect("numbers are small");
    let wrong: Vec<String> = numbers
        .filter_map(|number| Some((number, name(number)?)))
        .filter_map(|(number, name)| match &TABLE[usize::from(number)] {
            Some(row) if row.name == name => None,
            Some(row) => Some(format!("{number} {name} (the row says {})", row.name)),
            None => Some(format!("{number} {name}")),
        })
        .collect();
    assert!(wrong.is_empty(), "{} calls without a row of their name:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn no_row_has_a_name_that_the_kernel_does_not_know() {
    for row in TABLE.iter().flatten() {
        assert_eq!(name(row.number), Some(row.name), "row {}", row.number);
    }
}

/// What a `native` row may be called on the host: i386 has younger calls beside older ones of the shorter name, and some that
/// the host knows by another name.
fn same_call(guest: &str, host: &str) -> bool {
    const RENAMED: &[(&str, &str)] =
        &[("umount", "umount2"), ("mmap2", "mmap"), ("fstatat64", "newfstatat"), ("fcntl64", "fcntl")];
    let suffixes = ["_time64", "64", "32"];
    guest == host
        || suffixes.iter().any(|suffix| guest.strip_suffix(suffix) == Some(host))
        || RENAMED.contains(&(guest, host))
        || guest.strip_suffix("2") == Some(host) && guest == "umount2"
}

#[test]
fn native_rows_name_the_same_call_of_the_host() {
    let mut wrong = Vec::new();
    for row in TABLE.iter().flatten() {
        let Action::Native(number) = row.action else { continue };
        let host = match x86_64::Sysno::new(usize::from(number)) {
            Some(call) => call.name(),
            // From 424 on every table has the same numbers.
            None if number == row.number => row.name,
            None => "nothing",
        };
        if !same_call(row.name, host) {
            wrong.push(format!("{} {} is native[{number}], which is {host}", row.number, row.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn support_agrees_with_the_action_and_notes_say_something() {
    for row in TABLE.iter().flatten() {
        let refused = matches!(row.action, Action::Refuse(_));
        match row.support {
            Support::Full => assert!(!refused, "{} is refused, not full", row.name),
            Support::Partial(note) => assert!(!refused && note.len() > 8, "{}", row.name),
            Support::Refused(note) => assert!(refused && note.len() > 8, "{}", row.name),
        }
    }
}
