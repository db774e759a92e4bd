//! What leaves the program: which types reach a file, a socket or shared memory, through which functions.
//!
//! Every file gives a summary: which pointers are passed on, assigned and returned, and which structures are seen through them. When
//! all files are parsed, [`join`] puts the summaries together and follows the pointers from the functions of the system back to the
//! types: through wrappers in other files, buffers and results.

mod address;
mod call;
mod graph;
mod sinks;
mod summary;

pub(crate) use graph::{Crossing, join};
pub(crate) use summary::{Summary, summarise};

use crate::ast::Declaration;
use crate::ast::kind::TypeKind;
use crate::blame::{self, Because};
use crate::layout;
use crate::pair::{NARROW, WIDE};
use crate::symbols::file_name;
use crate::tree::Types;
use elf::layout::Row;
use serde::{Deserialize, Serialize};

/// A type that differs, as far as it is told about when the trees are gone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Object {
    /// Its name.
    pub(crate) name: String,
    /// Where it is declared, if that is the project's.
    pub(crate) because: Option<Because>,
    /// Bytes.
    pub(crate) sizes: [u64; 2],
    /// Bytes from the beginning that are the same on both sides.
    pub(crate) same_bytes: u64,
    /// What is said of each side.
    pub(crate) sides: [String; 2],
    /// The members that have another size, with their types.
    pub(crate) changed: Vec<String>,
    /// How many.
    pub(crate) changes: usize,
    /// Whether it is one value, or an array of such.
    pub(crate) is_scalar: bool,
    /// Whether a pointer is among what changes.
    pub(crate) has_pointer: bool,
    /// Whether one of its members leads to a function: who gets that is the same process.
    pub(crate) has_function: bool,
    /// Whether all that changes are times.
    pub(crate) is_time: bool,
    /// Whether only the first member changes: the type of a System V message, which the kernel takes out.
    pub(crate) only_first: bool,
    /// Whether nothing but pointers has another place: what grows had room, as a pointer in a union with a number of 64 bits.
    pub(crate) has_room: bool,
    /// Whether it is one of the kernel's, as it is declared for programs: both have the same word size, or the kernel translates; or the
    /// program takes another one for each word size, on purpose.
    pub(crate) is_kernel: bool,
}

/// Whether it is a structure with a member that leads to a function.
fn has_function(types: Types<'_>) -> bool {
    let Some([_, of]) = types.record() else { return false };
    let unit = types.tree.units[WIDE];
    let is_function = |kind: TypeKind| matches!(kind, TypeKind::Function | TypeKind::FunctionNoPrototype);
    let members = of.fields.iter().map(|field| unit.canonical(unit.declaration(*field).type_id));
    members.filter(|of| of.kind == TypeKind::Pointer).any(|of| is_function(unit.canonical(of.inner).kind))
}

/// What tells the kernel where the bytes are that it writes, and what it tells beside them: nobody writes these themselves. A library
/// that has its own sockets has its own of them, as `nn_iovec`.
const LISTS: [&str; 4] = ["iovec", "msghdr", "mmsghdr", "cmsghdr"];

fn is_list(name: &str) -> bool {
    LISTS.iter().any(|list| name.strip_suffix(list).is_some_and(|start| start.is_empty() || start.ends_with('_')))
}

/// What only the C library looks into: a program that gives it where bytes are expected has one parameter for both.
const OPAQUE: [&str; 1] = ["_IO_FILE"];

/// Whether there is one for each word size: they have names of their own, as `Elf32_Sym` and `Elf64_Sym`, or members that the other has not.
fn is_chosen(types: Types<'_>, members: &[Row]) -> bool {
    // The C library's own, as those of a `struct stat` in it, say nothing of the project.
    let is_librarys = |row: &Row| row.path.rsplit('.').next().is_some_and(|name| name.starts_with("__"));
    let is_other = |row: &Row, other: &Row| other.path == row.path && other.narrow.is_some() != row.narrow.is_some();
    let is_only_one = |row: &Row| {
        let is_one = row.leaf && row.narrow.is_some() != row.wide.is_some();
        // One that is in another order is there twice.
        is_one && !is_librarys(row) && !members.iter().any(|other| is_other(row, other))
    };
    types
        .record()
        .is_some_and(|[narrow, wide]| narrow.name != wide.name || !wide.in_system_header && members.iter().any(is_only_one))
}

/// Whether it is one of the kernel's, or has one for a member, as a message of a socket that begins with the kernel's head: declared in
/// `linux/` or `scsi/`, or in a header whose name says so, as `kernel-raw1394.h` and `uapi_sg.h`.
fn is_kernel(types: Types<'_>) -> bool {
    let Some([_, of]) = types.record() else { return false };
    let unit = types.tree.units[WIDE];
    let is_declared_so = |of: &Declaration| {
        let path = unit.file(of.place.file);
        let name = file_name(path).to_lowercase();
        ["/linux/", "/include/scsi/"].iter().any(|part| path.contains(part))
            || name.contains("kernel")
            || name.starts_with("uapi")
    };
    let member = |field| unit.declaration(unit.canonical(unit.declaration(field).type_id).declaration);
    is_declared_so(of) || of.fields.iter().copied().map(member).any(|of| of.kind.is_record() && is_declared_so(of))
}

/// How many members are named.
const NAMED: usize = 5;

impl Object {
    /// A type, if it differs.
    pub(crate) fn new(types: Types<'_>) -> Option<Self> {
        if types.record().is_some_and(|[_, of]| is_list(&of.name) || OPAQUE.contains(&of.name.as_str())) {
            return None;
        }
        let both = layout::compare(types);
        // What has no size could not be understood; where nothing moves, the end still may.
        let first = both.first();
        if both.narrow == 0 || both.wide == 0 || first.is_none() && both.narrow == both.wide {
            return None;
        }
        // What the kernel fills, with space behind it that is divided in another way.
        let is_padding = |row: &Row| row.path.contains("__ss_");
        if both.narrow == both.wide
            && both.members.iter().filter(|row| row.leaf && (row.moves() || row.changes())).all(is_padding)
        {
            return None;
        }
        let changed: Vec<&Row> = both.changed().collect();
        let is_scalar = both.members.len() == 1 && both.members.iter().all(|row| row.path.is_empty());
        let describe = |row: &&Row| {
            let name = row.wide.as_ref().or(row.narrow.as_ref()).map_or("", |spot| spot.of.as_str());
            if row.path.is_empty() { name.to_owned() } else { format!("{} ({name})", row.path) }
        };
        let side = |at: usize| {
            let size = [both.narrow, both.wide][at];
            let spot = first.and_then(|row| if at == 0 { row.narrow.as_ref() } else { row.wide.as_ref() }.zip(Some(row)));
            match spot {
                Some((spot, row)) if !is_scalar && row.moves() => {
                    format!("{size} bytes, `{}` at offset {}", row.path, spot.offset)
                }
                Some((spot, row)) if !is_scalar => format!("{size} bytes, `{}` has {}", row.path, spot.size),
                _ => format!("{size} bytes"),
            }
        };
        let only_first = matches!(changed.as_slice(), [only] if only.wide.as_ref().is_some_and(|spot| spot.offset == 0));
        Some(Self {
            name: both.name.clone(),
            because: blame::record(types),
            sizes: [both.narrow, both.wide],
            same_bytes: both.same_bytes(),
            sides: [side(0), side(1)],
            changed: changed.iter().take(NAMED).map(describe).collect(),
            changes: changed.len(),
            is_scalar,
            has_pointer: changed.iter().any(|row| row.is_pointer),
            has_function: has_function(types),
            is_time: both.members.first().is_some_and(|row| is_scalar && row.is_time)
                || !changed.is_empty() && changed.iter().all(|row| row.is_time),
            only_first: only_first && !is_scalar,
            has_room: !is_scalar && both.narrow == both.wide && !both.members.iter().any(|row| row.moves() && !row.is_pointer),
            is_kernel: is_kernel(types) || is_chosen(types, &both.members),
        })
    }

    /// Whether all that changes is a pointer, the last member.
    fn ends_in_pointer(&self) -> bool {
        !self.is_scalar
            && self.has_pointer
            && self.changes == 1
            && self.sizes[NARROW] - self.same_bytes.min(self.sizes[NARROW]) == 4
    }

    /// What changes in it: "`next` (struct node *) and 3 more".
    pub(crate) fn change(&self) -> String {
        let mut text = self.changed.iter().map(|one| format!("`{}", one.replacen(" (", "` (", 1))).collect::<Vec<_>>().join(", ");
        if self.changes > self.changed.len() {
            text.push_str(&format!(" and {} more", self.changes - self.changed.len()));
        }
        text
    }
}
