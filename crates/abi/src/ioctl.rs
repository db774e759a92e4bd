//! A row per ioctl, one file per device family.
//!
//! ```text
//! ioctl_rows! {
//!     ["HEADER", …] {
//!         NUMBER [/ NUMBER64] NAME none;                      // no argument
//!         NUMBER [/ NUMBER64] NAME value;                     // an integer, or a descriptor, in the register
//!         NUMBER [/ NUMBER64] NAME in|out|inout (SIZE "C TYPE"); // a pointer to something of the same layout
//!         NUMBER [/ NUMBER64] NAME in|out|inout [row];        // a pointer to a structure row, converted
//!         NUMBER [/ NUMBER64] NAME = "C EXPRESSION" …;        // where the headers' macro takes arguments, or do not have it
//!         NUMBER [/ NUMBER64] NAME special [row];             // a function of its own in `run/src/sys/ioctl.rs`
//!         NUMBER [/ NUMBER64] NAME refused "WHY";             // its argument differs and is not converted
//!     }
//! }
//! ```
//! `NUMBER` is what an i386 program passes, `NUMBER64` what the host's kernel wants; they differ where the number encodes the
//! size of a type that differs. The headers are those that must be included, in this order, for the name and the C types to
//! be known; `cargo xtask verify-abi` compiles each row against them for i686 and for x86-64.
//!
//! An ioctl number belongs to a driver, not to the kernel as a whole, so a number may mean something else to another one.
//! No two rows may share a number. A number without a row is passed on where it says itself that its argument holds neither a
//! pointer nor a long ([`holds_no_long`]), or is one of a graphics driver ([`drm::is_of_a_driver`]), and refused elsewhere.

use crate::structs::{Layout, Narrow, Overflow, Row, Widen};
use crate::trace::TraceValue;
use core::fmt;
use zerocopy::{FromBytes, FromZeros, Immutable, IntoBytes};

/// Which way the argument's bytes travel, seen from the guest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// The kernel reads it.
    In,
    /// The kernel fills it.
    Out,
    /// The kernel reads it and then fills it.
    InOut,
}

/// Converts the bytes of a guest structure to those of the host's.
pub type WidenBytes = fn(&[u8], &mut [u8]);
/// Converts the bytes of a host structure to those of the guest's.
pub type NarrowBytes = fn(&[u8], &mut [u8]) -> Result<(), Overflow>;
/// Prints the bytes of a guest structure.
pub type TraceBytes = fn(&[u8], &mut dyn fmt::Write) -> fmt::Result;

/// A structure row, as functions on bytes.
#[derive(Clone, Copy)]
pub struct Structure {
    /// Both layouts.
    pub layout: Layout,
    /// To the host's layout.
    pub widen: WidenBytes,
    /// To the guest's layout.
    pub narrow: NarrowBytes,
    /// Prints it.
    pub trace: TraceBytes,
}

/// What the third argument is.
#[derive(Clone, Copy)]
pub enum Argument {
    /// Ignored by the kernel.
    None,
    /// An integer.
    Value,
    /// A pointer to something whose layout is the same on both sides.
    Same {
        /// Which way it travels.
        direction: Direction,
        /// Size in bytes on both sides; of the fixed part, where an array follows.
        size: usize,
        /// The C type.
        c: &'static str,
    },
    /// A pointer to a structure that is converted.
    Struct {
        /// Which way it travels.
        direction: Direction,
        /// How it is converted.
        structure: Structure,
    },
    /// A pointer to something that only a function of its own can convert; the structure it begins with.
    Special(Structure),
    /// Its layouts differ, and nobody converts it; why.
    Refused(&'static str),
}

/// One ioctl.
#[derive(Clone, Copy)]
pub struct Ioctl {
    /// Its name in the headers.
    pub name: &'static str,
    /// The C expression for its number: the name, or a macro with arguments; empty where no UAPI header has one.
    pub c: &'static str,
    /// The headers to include, in this order, for the name and the types to be known.
    pub headers: &'static [&'static str],
    /// The number in the guest's ABI.
    pub number32: u32,
    /// The number in the host's ABI.
    pub number64: u32,
    /// What the third argument is.
    pub argument: Argument,
}

/// [`Structure::widen`] of the row `G`. Nothing is written where a slice has not the size of the layout.
pub fn widen_bytes<G>(guest: &[u8], host: &mut [u8])
where
    G: Row + Widen<G::Host> + FromBytes,
    G::Host: IntoBytes + Immutable,
{
    if let Ok(value) = G::read_from_bytes(guest) {
        let _ = value.widen().write_to(host);
    }
}

/// [`Structure::narrow`] of the row `G`. Nothing is written where a slice has not the size of the layout.
///
/// # Errors
/// The field that does not fit.
pub fn narrow_bytes<G>(host: &[u8], guest: &mut [u8]) -> Result<(), Overflow>
where
    G: Row + IntoBytes + Immutable,
    G::Host: FromBytes + Narrow<G>,
{
    if let Ok(value) = G::Host::read_from_bytes(host) {
        let _ = value.narrow()?.write_to(guest);
    }
    Ok(())
}

/// [`Structure::trace`] of the row `G`.
///
/// # Errors
/// Whatever `out` returns.
pub fn trace_bytes<G>(guest: &[u8], out: &mut dyn fmt::Write) -> fmt::Result
where
    G: Row + FromZeros + FromBytes + TraceValue,
{
    G::read_from_bytes(guest).map_or(Ok(()), |value| value.trace(out))
}

/// Builds `ROWS` and a constant for every number; the syntax is described in this module's documentation.
#[macro_export]
macro_rules! ioctl_rows {
    ( $( $headers:tt { $( $number:literal $(/ $number64:literal)? $name:ident $(= $expression:literal)?
         $kind:ident $(($size:literal $c:literal))? $([$row:ident])? $($why:literal)? ; )* } )* ) => {
        /// The numbers that an i386 program passes.
        pub mod number {
            $( $( #[doc = concat!("`", stringify!($name), "`")] pub const $name: u32 = $number; )* )*
        }
        /// Every row of this file.
        pub const ROWS: &[$crate::ioctl::Ioctl] = &[ $( $( $crate::ioctl::Ioctl {
            name: stringify!($name),
            c: $crate::ioctl_rows!(@c $name $($expression)?),
            headers: &$headers,
            number32: $number,
            number64: $crate::ioctl_rows!(@number $number $($number64)?),
            argument: $crate::ioctl_rows!(@argument $kind $(($size $c))? $([$row])? $($why)?),
        }, )* )* ];
    };
    (@c $name:ident) => { stringify!($name) };
    (@c $name:ident $expression:literal) => { $expression };
    (@number $number:literal) => { $number };
    (@number $number:literal $number64:literal) => { $number64 };
    (@direction in) => { $crate::ioctl::Direction::In };
    (@direction out) => { $crate::ioctl::Direction::Out };
    (@direction inout) => { $crate::ioctl::Direction::InOut };
    (@argument none) => { $crate::ioctl::Argument::None };
    (@argument value) => { $crate::ioctl::Argument::Value };
    (@argument refused $why:literal) => { $crate::ioctl::Argument::Refused($why) };
    (@argument special [$row:ident]) => { $crate::ioctl::Argument::Special($crate::ioctl_rows!(@structure $row)) };
    (@argument $direction:ident ($size:literal $c:literal)) => {
        $crate::ioctl::Argument::Same { direction: $crate::ioctl_rows!(@direction $direction), size: $size, c: $c }
    };
    (@argument $direction:ident [$row:ident]) => {
        $crate::ioctl::Argument::Struct {
            direction: $crate::ioctl_rows!(@direction $direction),
            structure: $crate::ioctl_rows!(@structure $row),
        }
    };
    (@structure $row:ident) => {
        $crate::ioctl::Structure {
            layout: <$row::Guest32 as $crate::structs::Row>::LAYOUT,
            widen: $crate::ioctl::widen_bytes::<$row::Guest32>,
            narrow: $crate::ioctl::narrow_bytes::<$row::Guest32>,
            trace: $crate::ioctl::trace_bytes::<$row::Guest32>,
        }
    };
}

pub mod autofs;
pub mod block;
pub mod btrfs;
pub mod cec;
pub mod comedi;
pub mod device_mapper;
pub mod drm;
pub mod dvb;
pub mod fs;
pub mod fuse;
pub mod gpio;
pub mod hid;
pub mod i2c;
pub mod input;
pub mod ipmi;
pub mod joystick;
pub mod kvm;
pub mod lirc;
pub mod r#loop;
pub mod md;
pub mod mtd;
pub mod nbd;
pub mod nvme;
pub mod oss;
pub mod parport;
pub mod perf;
pub mod ppp;
pub mod ptp;
pub mod random;
pub mod rtc;
pub mod scsi;
pub mod socket;
pub mod sound;
pub mod spi;
pub mod tape;
pub mod tty;
pub mod tun;
pub mod uinput;
pub mod usb;
pub mod usbtmc;
pub mod video;
pub mod vt;
pub mod watchdog;

/// Every file's rows.
pub const IOCTLS: &[&[Ioctl]] = &[
    tty::ROWS,
    vt::ROWS,
    socket::ROWS,
    tun::ROWS,
    block::ROWS,
    r#loop::ROWS,
    scsi::ROWS,
    fs::ROWS,
    rtc::ROWS,
    random::ROWS,
    perf::ROWS,
    input::ROWS,
    uinput::ROWS,
    hid::ROWS,
    usb::ROWS,
    sound::ROWS,
    video::ROWS,
    drm::ROWS,
    fuse::ROWS,
    watchdog::ROWS,
    i2c::ROWS,
    spi::ROWS,
    gpio::ROWS,
    kvm::ROWS,
    btrfs::ROWS,
    device_mapper::ROWS,
    md::ROWS,
    nbd::ROWS,
    nvme::ROWS,
    mtd::ROWS,
    tape::ROWS,
    autofs::ROWS,
    ppp::ROWS,
    joystick::ROWS,
    oss::ROWS,
    cec::ROWS,
    lirc::ROWS,
    dvb::ROWS,
    comedi::ROWS,
    usbtmc::ROWS,
    parport::ROWS,
    ipmi::ROWS,
    ptp::ROWS,
];

/// How many rows there are.
pub const COUNT: usize = {
    let mut count = 0;
    let mut file = 0;
    while file < IOCTLS.len() {
        count += IOCTLS[file].len();
        file += 1;
    }
    count
};

/// Every row, sorted by the guest's number. A number used twice does not compile.
#[allow(long_running_const_eval, reason = "a thousand rows")]
static SORTED: [&Ioctl; COUNT] = {
    let mut sorted: [&Ioctl; COUNT] = [&tty::ROWS[0]; COUNT];
    let mut count = 0;
    let mut file = 0;
    while file < IOCTLS.len() {
        let mut row = 0;
        while row < IOCTLS[file].len() {
            let new = &IOCTLS[file][row];
            let mut at = count;
            while at > 0 && sorted[at - 1].number32 >= new.number32 {
                assert!(sorted[at - 1].number32 != new.number32, "ioctl number used twice");
                sorted[at] = sorted[at - 1];
                at -= 1;
            }
            sorted[at] = new;
            count += 1;
            row += 1;
        }
        file += 1;
    }
    sorted
};

/// Bits 16 to 29 of a number: the argument's size (`_IOC_SIZE`), where the number encodes one.
pub const SIZE_MASK: u32 = 0x3fff_0000;

/// The row for the number that a guest passes. Where there is none, a row of size 0 matches any size: numbers such as
/// `EVIOCGNAME(len)`, in which the program itself writes the length of its buffer.
#[must_use]
pub fn lookup(number: u32) -> Option<&'static Ioctl> {
    let exact = |number| SORTED.binary_search_by_key(&number, |row: &&Ioctl| row.number32).ok().map(|at| SORTED[at]);
    exact(number).or_else(|| if number >> 30 == 0 { None } else { exact(number & !SIZE_MASK) })
}

/// Whether a number without a row says that its argument is the same on both sides.
///
/// The guest's number is the one that a 64-bit driver compares with its own, so a driver that knows it has encoded the size of its
/// own 64-bit type. A type of less than 8 bytes holds neither a pointer nor a long there. Size 0 says nothing: such numbers are
/// from before sizes were encoded. Nor does a number that is a row's on the host only, since a 32-bit program does not mean it.
#[must_use]
pub fn holds_no_long(number: u32) -> bool {
    const DIRECTION: u32 = 0xc000_0000;
    let size = (number & SIZE_MASK) >> 16;
    number & DIRECTION != 0 && matches!(size, 1..=7) && !SORTED.iter().any(|row| row.number64 == number)
}

/// Whether a number without a row is passed on as it is.
#[must_use]
pub fn passes(number: u32) -> bool {
    holds_no_long(number) || drm::is_of_a_driver(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_pointer(row: &Ioctl) -> bool {
        row.number32 & SIZE_MASK == 4 << 16 && row.number64 & SIZE_MASK == 8 << 16
    }

    #[test]
    fn the_size_in_a_number_is_the_size_of_the_layout() {
        for row in IOCTLS.iter().copied().flatten() {
            let (size32, size64) = match row.argument {
                Argument::Same { size, .. } => (size, size),
                Argument::Struct { structure, .. } | Argument::Special(structure) => {
                    (structure.layout.size32, structure.layout.size64)
                }
                Argument::None | Argument::Value | Argument::Refused(_) => continue,
            };
            for (number, size) in [(row.number32, size32), (row.number64, size64)] {
                let encoded = usize::try_from((number & SIZE_MASK) >> 16).unwrap();
                // Some numbers encode the wrong type, and the kernel keeps them; those are the ones whose two sides differ
                // though their layouts do not, and those that were numbered with `int` for want of anything better, or with a pointer.
                let historic = size32 == size64 && row.number32 != row.number64 || encoded == 4 || is_pointer(row);
                assert!(encoded == 0 || encoded == size || historic, "{}: {encoded} in the number, {size} in the row", row.name);
            }
        }
    }

    #[test]
    fn only_small_arguments_of_a_known_size_are_passed_on_without_a_row() {
        let number = |direction: u32, size: u32| direction << 30 | size << 16 | 0xf5 << 8 | 0x77;
        for direction in 0..4 {
            for size in [0, 1, 2, 4, 7, 8, 12, 0x3fff] {
                let wanted = direction != 0 && (1..=7).contains(&size);
                assert_eq!(holds_no_long(number(direction, size)), wanted, "{direction} {size}");
            }
        }
        // BLKBSZGET of a 64-bit program has a size of 8; of UI_SET_PHYS the host's number is the guest's for nothing.
        assert!(!holds_no_long(0x8008_1270) && !holds_no_long(0x4008_556c));
    }

    #[test]
    fn a_graphics_drivers_own_numbers_are_passed_on() {
        // DRM_IOCTL_AMDGPU_CS, DRM_IOCTL_I915_GEM_EXECBUFFER2 and the last; not DRM's own, and not another device's.
        for number in [0xc018_6444, 0x4040_6469, 0xc010_649f] {
            assert!(lookup(number).is_none() && drm::is_of_a_driver(number), "{number:#x}");
        }
        for number in [0xc018_643f, 0xc018_64a0, 0xc018_6544, 0x6444] {
            assert!(!drm::is_of_a_driver(number), "{number:#x}");
        }
        assert_eq!(lookup(0xc008_6446).map(|row| row.name), Some("DRM_IOCTL_I915_GETPARAM"));
    }

    #[test]
    fn lookup_finds_every_row_and_nothing_else() {
        for row in IOCTLS.iter().copied().flatten() {
            assert_eq!(lookup(row.number32).map(|found| found.name), Some(row.name));
        }
        assert!(lookup(0xdead_beef).is_none());
        assert_eq!(lookup(0x80ff_4506).map(|row| row.name), Some("EVIOCGNAME"));
    }
}
