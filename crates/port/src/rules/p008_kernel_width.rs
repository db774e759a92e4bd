//! The kernel reads or writes a number of another width than the variable has
//!
//! # What
//! The address of a number is given to ioctl(2), getsockopt(2) or prctl(2), whose parameter does not say what it points to, and the request is
//! one of which it is known: `FIONREAD`, `TIOCMGET`, `SO_ERROR` and `PR_GET_PDEATHSIG` are about an `int`, `BLKGETSIZE` and `HDIO_GET_DMA` about a
//! `long`, `PR_GET_TID_ADDRESS` is about a pointer; others have the size in their number. The variable is as large for 32 bits and not for 64.
//!
//! # Why
//! The kernel writes 4 bytes of a `long`, and the upper half is what was there before; or it writes 8 bytes over an `int` and over what is
//! behind it. What it only reads is the lower half on little-endian machines, so that is only possible, and so is a variable that was set
//! to 0 before.
//!
//! # Example
//! Bad:
//!
//! ```c
//! #include <linux/fs.h>
//! #include <sys/ioctl.h>
//! long waiting(int fd) { long count; ioctl(fd, FIONREAD, &count); return count; }
//! unsigned sectors(int fd) { unsigned count; ioctl(fd, BLKGETSIZE, &count); return count; }
//! ```
//!
//! Good:
//!
//! ```c
//! #include <linux/fs.h>
//! #include <sys/ioctl.h>
//! int waiting(int fd) { int count; ioctl(fd, FIONREAD, &count); return count; }
//! unsigned long sectors(int fd) { unsigned long count; ioctl(fd, BLKGETSIZE, &count); return count; }
//! ```
//!
//! # Fix
//! Declare the variable as ioctl_list(2), the header of the driver or socket(7) says, and convert its value afterwards.
//!
//! # References
//! - CWE-843, CWE-787
//! - man 2 ioctl, ioctl_tty, getsockopt, prctl

use super::{Found, Visit};
use crate::ast::kind::{Kind, binary, unary};
use crate::pair::{NARROW, WIDE};
use crate::tree::{Expression, Types};
use findings::Confidence;
use std::fs;

pub(super) const VISIT: Visit = Visit::Node(&[Kind::Call], look);

/// Requests about an `int` whose numbers do not say it, which the kernel writes: FIONREAD, TIOCOUTQ, TIOCMGET, TIOCGPGRP, TIOCGSID,
/// TIOCGETD, TIOCGSOFTCAR, SIOCATMARK, SIOCGPGRP, FIOGETOWN, BLKROGET, BLKSSZGET, KDGKBMODE; and FS_IOC_GETFLAGS,
/// FS_IOC_GETVERSION, BLKBSZGET and PPS_GETCAP, whose numbers say `long`, `size_t` or a pointer against the truth.
const WRITES_INT: [u32; 17] = [
    0x541b, 0x5411, 0x5415, 0x540f, 0x5429, 0x5424, 0x5419, 0x8905, 0x8904, 0x8903, 0x125e, 0x1268, 0x4b44, 0x8008_6601, 0x8008_7601,
    0x8008_1270, 0x8008_70a3,
];
/// Those that it reads: FIONBIO, FIOASYNC, TIOCMSET, TIOCMBIS, TIOCMBIC, TIOCSPGRP, TIOCSETD, TIOCPKT, TIOCSSOFTCAR, SIOCSPGRP, FIOSETOWN,
/// BLKROSET; FS_IOC_SETFLAGS, FS_IOC_SETVERSION and BLKBSZSET against their numbers.
const READS_INT: [u32; 15] = [
    0x5421, 0x5452, 0x5418, 0x5416, 0x5417, 0x5410, 0x5423, 0x5420, 0x541a, 0x8902, 0x8901, 0x125d, 0x4008_6602, 0x4008_7602, 0x4008_1271,
];
/// Its number says `size_t`, and 8 bytes are written for programs of both word sizes.
const BLKGETSIZE64: u32 = 0x8008_1272;
/// Those about a `long`, which the kernel writes: BLKGETSIZE, BLKRAGET, BLKFRAGET and HDIO_GET_UNMASKINTR to HDIO_GET_DMA.
const WRITES_LONG: [u32; 10] = [0x1260, 0x1263, 0x1265, 0x0302, 0x0304, 0x0305, 0x0308, 0x0309, 0x030a, 0x030b];

/// What a request is about.
struct Wanted {
    sizes: [u64; 2],
    is_written: bool,
    /// Whether only the number says so, and not what is known of the request.
    is_coded: bool,
}

fn look(node: Expression<'_>, found: &mut Found<'_>) {
    let Some((name, arguments)) = node.call() else { return };
    let (position, wanted) = match (name, arguments.as_slice()) {
        ("ioctl", [_, request, ..]) => (2, of_request(*request)),
        ("getsockopt", [_, level, option, ..]) => (3, of_option(*level, *option)),
        ("prctl", [operation, ..]) => (1, of_operation(*operation)),
        _ => return,
    };
    let (Some(wanted), Some(argument)) = (wanted, arguments.get(position)) else { return };
    let address = argument.strip_casts();
    let Some(object) = pointee(address) else { return };
    let Some(has) = object.integers().and(object.sizes()) else { return };
    if has[NARROW] != wanted.sizes[NARROW] || has[WIDE] == wanted.sizes[WIDE] {
        return;
    }
    let larger = wanted.sizes[WIDE] > has[WIDE];
    let verb = if wanted.is_written { "writes" } else { "reads" };
    let message = format!("{name} {verb} {} bytes of {}, which has {}", wanted.sizes[WIDE], object.spelling(), has[WIDE]);
    let sides = [NARROW, WIDE].map(|side| format!("{} bytes of {}", wanted.sizes[side], object.describe(side)));
    let confidence = match (larger, wanted.is_written) {
        // Drivers have numbers that say another size than they read.
        (true, _) if wanted.is_coded => Confidence::Probable,
        (true, _) => Confidence::Certain,
        (false, true) if !is_zero_before(address) => Confidence::Certain,
        _ => Confidence::Possible,
    };
    found.report(*argument, confidence, message, sides);
}

fn of_request(request: Expression<'_>) -> Option<Wanted> {
    let [narrow, wide] = [known_bits(request, NARROW)?, known_bits(request, WIDE)?].map(|value| u32::try_from(value & 0xffff_ffff).unwrap_or_default());
    let (int, long) = ([4, 4], [4, 8]);
    let known = |list: &[u32]| list.contains(&wide);
    if known(&WRITES_INT) {
        return Some(Wanted { sizes: int, is_written: true, is_coded: false });
    } else if known(&READS_INT) {
        return Some(Wanted { sizes: int, is_written: false, is_coded: false });
    } else if known(&WRITES_LONG) {
        return Some(Wanted { sizes: long, is_written: true, is_coded: false });
    }
    // _IOC of Linux: 2 bits of direction, 14 of size, 8 of type. Without a letter for the type it is none of those.
    let size = |number: u32| u64::from(number >> 16 & 0x3fff);
    let letter = wide >> 8 & 0xff;
    let is_coded = wide >> 30 != 0 && letter != 0 && narrow & 0xffff == wide & 0xffff && narrow >> 30 == wide >> 30;
    let sizes = [size(narrow), size(wide)];
    // A size of 4 that becomes 8 is that of the type itself, whatever is given.
    (is_coded && wide != BLKGETSIZE64 && sizes.iter().all(|size| [4, 8].contains(size))).then_some(Wanted { sizes, is_written: wide >> 30 & 2 != 0, is_coded })
}

/// The number of a request, without what is only known later: `MIXER_READ(device)`, which is `_SIOR('M', device, int)`.
fn known_bits(request: Expression<'_>, side: usize) -> Option<i128> {
    let request = request.strip_casts();
    request.value(side).or_else(|| {
        let parts = request.child(0).zip(request.child(1)).filter(|_| request.kind() == Kind::Binary && request.operator() == binary::OR);
        let (left, right) = parts.map(|(left, right)| (known_bits(left, side), known_bits(right, side)))?;
        (left.is_some() || right.is_some()).then_some(left.unwrap_or_default() | right.unwrap_or_default())
    })
}

/// Options of SOL_SOCKET that are an `int`: what is a structure there has another size for 32 bits already.
fn of_option(level: Expression<'_>, option: Expression<'_>) -> Option<Wanted> {
    const SOL_SOCKET: i128 = 1;
    // SO_TYPE, SO_ERROR, SO_SNDBUF, SO_RCVBUF, SO_ACCEPTCONN, SO_PROTOCOL, SO_DOMAIN.
    const INTS: [i128; 7] = [3, 4, 7, 8, 30, 38, 39];
    let is_int = level.value(WIDE) == Some(SOL_SOCKET) && INTS.contains(&option.value(WIDE)?);
    is_int.then_some(Wanted { sizes: [4, 4], is_written: true, is_coded: false })
}

/// Operations of prctl(2) that write an `int`, or an address.
fn of_operation(operation: Expression<'_>) -> Option<Wanted> {
    // PR_GET_PDEATHSIG, PR_GET_UNALIGN, PR_GET_FPEMU, PR_GET_FPEXC, PR_GET_ENDIAN, PR_GET_TSC, PR_GET_CHILD_SUBREAPER.
    const INTS: [i128; 7] = [2, 5, 9, 11, 19, 25, 37];
    const PR_GET_TID_ADDRESS: i128 = 40;
    let sizes = match operation.value(WIDE)? {
        PR_GET_TID_ADDRESS => [4, 8],
        of if INTS.contains(&of) => [4, 4],
        _ => return None,
    };
    Some(Wanted { sizes, is_written: true, is_coded: false })
}

/// What an address is of; an array's name is not one of a number.
fn pointee(address: Expression<'_>) -> Option<Types<'_>> {
    if address.takes_address() {
        return address.child(0).map(|object| object.strip().types());
    }
    address.types().inner().filter(|_| address.types().is_pointer())
}

/// Whether the variable was set before, so that its upper half is that of a small number.
fn is_zero_before(address: Expression<'_>) -> bool {
    let Some(object) = address.child(0).map(Expression::strip).filter(|object| object.kind() == Kind::DeclRef) else { return false };
    let (Some(declaration), Some(function)) = (object.declaration(), address.function()) else { return false };
    let is_it = |part: Expression<'_>| part.declaration().is_some_and(|other| std::ptr::eq(other, declaration));
    // One that is no local, or is static, is 0 when the program starts.
    let local = function.descendants().find(|part| part.kind() == Kind::Variable && is_it(*part));
    local.is_none_or(is_static)
        || function.descendants().take_while(|part| part.precedes(address)).any(|part| match part.kind() {
            Kind::Variable => is_it(part) && part.children().any(Expression::is_expression),
            Kind::Binary if part.operator() == binary::ASSIGN => part.child(0).map(Expression::strip).is_some_and(is_it),
            // Another call may have written all of it.
            Kind::Unary if part.operator() == unary::ADDRESS_OF => part.child(0).map(Expression::strip).is_some_and(is_it),
            _ => false,
        })
}

fn is_static(variable: Expression<'_>) -> bool {
    let place = variable.place();
    let start = usize::try_from(place.start).ok();
    let text = fs::read(variable.unit().file(place.file)).ok();
    text.zip(start).is_some_and(|(text, start)| text.get(start..).is_some_and(|text| text.starts_with(b"static")))
}
