//! What must hold for every structure row, whatever it describes.

use abi::structs::{LAYOUTS, Layout, Verdict};

fn rows() -> impl Iterator<Item = &'static Layout> {
    LAYOUTS.iter().copied().flatten()
}

#[test]
fn fields_lie_within_and_apart() {
    for row in rows() {
        apart(row.name, row.fields.iter().map(|field| (field.offset32, field.size32)).collect(), row.size32);
        apart(row.name, row.fields.iter().map(|field| (field.offset64, field.size64)).collect(), row.size64);
    }
}

/// The two layouts may have their fields in a different order, and the host's may have padding that the guest's has not.
/// (That no byte is without a name is proven by `IntoBytes`, which both layouts derive.)
fn apart(name: &str, mut fields: Vec<(usize, usize)>, size: usize) {
    fields.sort_unstable();
    let mut end = 0;
    for (offset, size) in fields {
        assert!(offset >= end, "{name}: two fields share the byte at {offset}");
        end = offset + size;
    }
    assert!(end <= size, "{name}: a field at {end} lies outside of {size} bytes");
}

#[test]
fn names_are_unique() {
    let mut names: Vec<_> = rows().map(|row| row.name).collect();
    names.sort_unstable();
    for pair in names.windows(2) {
        assert_ne!(pair[0], pair[1], "two rows describe one structure");
    }
}

#[test]
fn a_type_has_a_header() {
    for row in rows() {
        assert!(!row.header.is_empty() || row.c32.is_empty() && row.c64.is_empty(), "{}", row.name);
    }
}

#[test]
fn the_verdict_is_about_both_layouts() {
    let verdict = |name| rows().find(|row| row.name == name).map(Layout::verdict);
    assert_eq!(verdict("timespec64"), Some(Verdict::Full));
    assert_eq!(verdict("timespec"), Some(Verdict::Repackable));
    // The same size, but not the same offsets.
    assert_eq!(verdict("sigevent"), Some(Verdict::Repackable));
}
