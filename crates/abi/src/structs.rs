//! A row per structure: both layouts, the conversions between them, and the compile-time proof of every size and offset.
//!
//! ```text
//! abi_struct! {
//!     /// What it is, man page section.
//!     pub struct NAME (C32 / C64 in HEADER): SIZE32 / SIZE64 {
//!         FIELD @ OFFSET32 / OFFSET64: GUEST_TYPE [=> HOST_TYPE] [, saturate | truncate];
//!         …
//!     }
//! }
//! ```
//! `C32` and `C64` are the C types in the UAPI header that `cargo xtask verify-abi` compares the row with, for i686 and for
//! x86-64. A field that does not fit the guest makes the narrowing fail (`EOVERFLOW` in most calls), unless its row says
//! `saturate` or `truncate`. Padding is a field of type `Pad<N> => Pad<M>`: no byte of a row is left unnamed.

use zerocopy::FromBytes;

pub use crate::scalar::{
    Chars, Guest, GuestPtr, I64, Long, Narrow, Overflow, Pad, Ptr32, U16As32, U16As64, U64, ULong, UnalignedPtr32, Widen,
};

/// The verdict on a type that crosses between the word sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The same layout on both sides, proven: it may pass by pointer.
    Full,
    /// Converted field by field.
    Repackable,
    /// A person must decide.
    None,
}

/// One field of a [`Layout`]. Offsets and sizes in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldLayout {
    /// Its name in the C header; padding fields begin with `__pad`.
    pub name: &'static str,
    /// Offset in the 32-bit layout.
    pub offset32: usize,
    /// Size in the 32-bit layout.
    pub size32: usize,
    /// Offset in the 64-bit layout.
    pub offset64: usize,
    /// Size in the 64-bit layout.
    pub size64: usize,
}

/// Both layouts of one structure, as data.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// The row's name.
    pub name: &'static str,
    /// The C type of the 32-bit layout, or empty where no UAPI header declares it.
    pub c32: &'static str,
    /// The C type of the 64-bit layout, or empty where no UAPI header declares it.
    pub c64: &'static str,
    /// The UAPI header that declares both.
    pub header: &'static str,
    /// Size of the 32-bit layout in bytes.
    pub size32: usize,
    /// Size of the 64-bit layout in bytes.
    pub size64: usize,
    /// Every field, in order.
    pub fields: &'static [FieldLayout],
    /// [`there_and_back`] of this row.
    pub comes_back: fn(&[u8]) -> bool,
}

impl Layout {
    /// [`Verdict::Full`] where both layouts are the same to the byte, else [`Verdict::Repackable`].
    #[must_use]
    pub const fn verdict(&self) -> Verdict {
        if self.size32 != self.size64 {
            return Verdict::Repackable;
        }
        let mut i = 0;
        while i < self.fields.len() {
            let field = &self.fields[i];
            if field.offset32 != field.offset64 || field.size32 != field.size64 {
                return Verdict::Repackable;
            }
            i += 1;
        }
        Verdict::Full
    }
}

/// Takes these bytes for the structure of either side and makes all of its conversions: whether what was the guest's comes back from
/// the host's the same. With fewer bytes than the structure has, there is nothing to convert.
pub fn there_and_back<G, H>(bytes: &[u8]) -> bool
where
    G: FromBytes + Copy + Widen<H>,
    H: FromBytes + Copy + PartialEq + Narrow<G>,
{
    if let Ok((host, _)) = H::read_from_prefix(bytes) {
        // Only what the guest has written must fit; none of these may panic.
        let _ = (host.narrow(), host.saturate(), host.truncate());
    }
    let Ok((guest, _)) = G::read_from_prefix(bytes) else { return true };
    let wide = guest.widen();
    wide.narrow().is_ok_and(|back| back.widen() == wide)
}

/// A structure row: its guest type, with its layout in both widths.
pub trait Row: Guest {
    /// Both layouts, as data.
    const LAYOUT: Layout;
}

/// Implemented for the structures whose two layouts are the same to the byte, which therefore pass by pointer.
pub trait SameLayout: Row {
    /// Fails to compile where the layouts differ.
    const PROOF: () = assert!(matches!(Self::LAYOUT.verdict(), Verdict::Full), "the layouts differ: convert this structure");
}

/// Declares a structure row; the syntax is described in this module's documentation.
#[macro_export]
macro_rules! abi_struct {
    ( $(#[$doc:meta])* pub struct $name:ident ($c32:literal / $c64:literal in $header:literal): $size32:literal / $size64:literal {
        $( $field:ident @ $o32:literal / $o64:literal : $g:ty $(=> $h:ty)? $(, $policy:ident)? ; )*
    } ) => {
        $(#[$doc])*
        pub mod $name {
            #[allow(unused_imports)]
            use super::*;
            #[allow(unused_imports)]
            use $crate::structs::{Guest, Layout, FieldLayout, Narrow, Overflow, Row, Widen};

            /// The layout in the 32-bit guest.
            #[derive(Clone, Copy, Default, Debug, PartialEq, Eq,
                     ::zerocopy::FromBytes, ::zerocopy::IntoBytes, ::zerocopy::Immutable, ::zerocopy::KnownLayout)]
            #[repr(C)]
            #[allow(missing_docs)]
            pub struct Guest32 { $(pub $field: $g,)* }

            /// The layout on the 64-bit host.
            #[derive(Clone, Copy, Default, Debug, PartialEq, Eq,
                     ::zerocopy::FromBytes, ::zerocopy::IntoBytes, ::zerocopy::Immutable, ::zerocopy::KnownLayout)]
            #[repr(C)]
            #[allow(missing_docs)]
            pub struct Host64 { $(pub $field: $crate::abi_struct!(@host $g $(=> $h)?),)* }

            const _: () = {
                assert!(size_of::<Guest32>() == $size32, concat!(stringify!($name), ": wrong 32-bit size"));
                assert!(size_of::<Host64>() == $size64, concat!(stringify!($name), ": wrong 64-bit size"));
                $( assert!(core::mem::offset_of!(Guest32, $field) == $o32, concat!(stringify!($name), ".", stringify!($field), ": wrong 32-bit offset"));
                   assert!(core::mem::offset_of!(Host64, $field) == $o64, concat!(stringify!($name), ".", stringify!($field), ": wrong 64-bit offset")); )*
            };

            impl Guest for Guest32 { type Host = Host64; }
            impl Row for Guest32 {
                const LAYOUT: Layout = Layout {
                    name: stringify!($name), c32: $c32, c64: $c64, header: $header, size32: $size32, size64: $size64,
                    fields: &[ $( FieldLayout {
                        name: stringify!($field), offset32: $o32, offset64: $o64,
                        size32: size_of::<$g>(), size64: size_of::<$crate::abi_struct!(@host $g $(=> $h)?)>(),
                    }, )* ],
                    comes_back: $crate::structs::there_and_back::<Guest32, Host64>,
                };
            }
            impl Widen<Host64> for Guest32 {
                fn widen(self) -> Host64 { Host64 { $( $field: self.$field.widen(), )* } }
            }
            impl Narrow<Guest32> for Host64 {
                fn narrow(self) -> Result<Guest32, Overflow> {
                    Ok(Guest32 { $( $field: $crate::abi_struct!(@narrow self.$field, $field $(, $policy)?), )* })
                }
                fn saturate(self) -> Guest32 { Guest32 { $( $field: self.$field.saturate(), )* } }
                fn truncate(self) -> Guest32 { Guest32 { $( $field: self.$field.truncate(), )* } }
            }
            impl $crate::trace::TraceValue for Guest32 {
                fn trace(&self, out: &mut dyn core::fmt::Write) -> core::fmt::Result {
                    let mut fields = $crate::trace::Fields::new(out);
                    $( fields.field(stringify!($field), &{ self.$field })?; )*
                    fields.end()
                }
            }
        }
    };
    (@host $g:ty) => { <$g as Guest>::Host };
    (@host $g:ty => $h:ty) => { $h };
    (@narrow $value:expr, $field:ident) => { $value.narrow().map_err(|_| Overflow { field: stringify!($field) })? };
    (@narrow $value:expr, $field:ident, saturate) => { $value.saturate() };
    (@narrow $value:expr, $field:ident, truncate) => { $value.truncate() };
}

/// Declares the areas and collects their rows, so that an area is named once.
macro_rules! areas {
    ($($area:ident)*) => {
        $(pub mod $area;)*
        /// Every structure row, for `verify-abi` and for printing.
        pub const LAYOUTS: &[&[Layout]] = &[$($area::LAYOUTS),*];
    };
}

areas! {
    fd
    fs
    identity
    io_uring
    ioctl
    ipc
    mem
    poll
    process
    sched
    security
    signal
    socket
    system
    thread
    time
}
