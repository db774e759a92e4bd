//! Scalars of the i386 ABI, and how each becomes its LP64 counterpart and back.
//!
//! i386 aligns 8-byte integers to 4 (System V psABI, Intel386 supplement, table 2.1), every LP64 ABI to 8; `long` and
//! pointers are 4 bytes here and 8 there. So each of them is a type of its own and never a bare integer.

use core::fmt;
use core::marker::PhantomData;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// The low 32 bits: what a 32-bit task sees of a register.
#[inline]
#[must_use]
#[allow(clippy::cast_possible_truncation, reason = "that is what it is for")]
pub const fn low(value: u64) -> u32 {
    value as u32
}

/// A guest type that has a counterpart of the LP64 ABI.
pub trait Guest: Sized {
    /// The LP64 counterpart.
    type Host;
}

/// Conversion of a guest value to the host type `H`. Total: every 32-bit value exists in 64 bits.
pub trait Widen<H> {
    /// The same value in the host's type.
    fn widen(self) -> H;
}

/// Conversion of a host value to the guest type `G`; what to do with a value that does not fit is the row's policy.
pub trait Narrow<G>: Sized {
    /// The same value in the guest's type, or [`Overflow`] where it does not fit.
    fn narrow(self) -> Result<G, Overflow>;
    /// The nearest value of the guest's type.
    fn saturate(self) -> G;
    /// The low bits, as a C assignment does.
    fn truncate(self) -> G;
}

/// A host value does not fit the guest's type. The structure row adds the field's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Overflow {
    /// The field that did not fit; empty for a bare scalar.
    pub field: &'static str,
}

macro_rules! guest_scalar {
    ($(#[$doc:meta])* $name:ident($inner:ty) => $host:ty, $repr:meta) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, FromBytes, IntoBytes, Immutable, KnownLayout)]
        #[$repr]
        pub struct $name(pub $inner);
        impl $name {
            /// The bare value.
            #[must_use]
            pub const fn get(self) -> $inner { self.0 }
        }
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { let value = self.0; write!(f, "{value}") }
        }
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { let value = self.0; write!(f, "{value}") }
        }
        impl From<$inner> for $name { fn from(value: $inner) -> Self { Self(value) } }
        impl Guest for $name { type Host = $host; }
        impl Widen<$host> for $name { fn widen(self) -> $host { <$host>::from(self.0) } }
        impl Narrow<$name> for $host {
            fn narrow(self) -> Result<$name, Overflow> { <$inner>::try_from(self).map($name).map_err(|_| Overflow::default()) }
            #[allow(irrefutable_let_patterns, unused_comparisons)]
            fn saturate(self) -> $name {
                match <$inner>::try_from(self) {
                    Ok(value) => $name(value),
                    Err(_) if self < 0 => $name(<$inner>::MIN),
                    Err(_) => $name(<$inner>::MAX),
                }
            }
            #[allow(clippy::cast_possible_truncation)]
            fn truncate(self) -> $name { $name(self as $inner) }
        }
    };
}

guest_scalar!(/** `long`: 4 bytes, 8 on the host. */ Long(i32) => i64, repr(transparent));
guest_scalar!(/** `unsigned long`, `size_t`: 4 bytes, 8 on the host. */ ULong(u32) => u64, repr(transparent));
guest_scalar!(/** A pointer: 4 bytes, 8 on the host. */ Ptr32(u32) => u64, repr(transparent));
guest_scalar!(/** `long long`: 8 bytes, aligned to 4 (to 8 on the host). */ I64(i64) => i64, repr(C, packed(4)));
guest_scalar!(/** `unsigned long long`: 8 bytes, aligned to 4 (to 8 on the host). */ U64(u64) => u64, repr(C, packed(4)));
guest_scalar!(/** `unsigned short` that the host holds as `unsigned int` (16-bit uid and gid). */ U16As32(u16) => u32, repr(transparent));
guest_scalar!(/** `unsigned short` that the host holds as `unsigned long` (`st_nlink`, old `st_ino`). */ U16As64(u16) => u64, repr(transparent));

/// A pointer in a packed structure: 4 bytes, 8 on the host, aligned to 4.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(transparent)]
pub struct UnalignedPtr32(pub u32);
impl Guest for UnalignedPtr32 {
    type Host = U64;
}
impl Widen<U64> for UnalignedPtr32 {
    fn widen(self) -> U64 {
        U64(self.0.into())
    }
}
impl Narrow<UnalignedPtr32> for U64 {
    fn narrow(self) -> Result<UnalignedPtr32, Overflow> {
        u32::try_from(self.get()).map(UnalignedPtr32).map_err(|_| Overflow::default())
    }
    fn saturate(self) -> UnalignedPtr32 {
        UnalignedPtr32(u32::try_from(self.get()).unwrap_or(u32::MAX))
    }
    #[allow(clippy::cast_possible_truncation)]
    fn truncate(self) -> UnalignedPtr32 {
        UnalignedPtr32(self.get() as u32)
    }
}

macro_rules! same_on_both_sides {
    ($($t:ty),*) => { $(
        impl Guest for $t { type Host = $t; }
        impl Widen<$t> for $t { fn widen(self) -> $t { self } }
        impl Narrow<$t> for $t {
            fn narrow(self) -> Result<$t, Overflow> { Ok(self) }
            fn saturate(self) -> $t { self }
            fn truncate(self) -> $t { self }
        }
    )* };
}
same_on_both_sides!(i8, u8, i16, u16, i32, u32);

impl<T: Guest, const N: usize> Guest for [T; N] {
    type Host = [T::Host; N];
}
impl<G: Widen<H>, H, const N: usize> Widen<[H; N]> for [G; N] {
    fn widen(self) -> [H; N] {
        self.map(Widen::widen)
    }
}
impl<G: Copy + Default, H: Narrow<G>, const N: usize> Narrow<[G; N]> for [H; N] {
    fn narrow(self) -> Result<[G; N], Overflow> {
        let mut out = [G::default(); N];
        for (slot, value) in out.iter_mut().zip(self) {
            *slot = value.narrow()?;
        }
        Ok(out)
    }
    fn saturate(self) -> [G; N] {
        self.map(Narrow::saturate)
    }
    fn truncate(self) -> [G; N] {
        self.map(Narrow::truncate)
    }
}

/// Padding of `N` bytes: zero when written, ignored when read, and its size may differ between the two sides.
#[derive(Clone, Copy, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(transparent)]
pub struct Pad<const N: usize>([u8; N]);
impl<const N: usize> Default for Pad<N> {
    fn default() -> Self {
        Self([0; N])
    }
}
impl<const N: usize> fmt::Debug for Pad<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{N}]")
    }
}
impl<const N: usize, const M: usize> Widen<Pad<M>> for Pad<N> {
    fn widen(self) -> Pad<M> {
        Pad::default()
    }
}
impl<const N: usize, const M: usize> Narrow<Pad<N>> for Pad<M> {
    fn narrow(self) -> Result<Pad<N>, Overflow> {
        Ok(Pad::default())
    }
    fn saturate(self) -> Pad<N> {
        Pad::default()
    }
    fn truncate(self) -> Pad<N> {
        Pad::default()
    }
}

/// A C array of `N` characters that holds a NUL-terminated string, or fills the array.
#[derive(Clone, Copy, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(transparent)]
pub struct Chars<const N: usize>(pub [u8; N]);
impl<const N: usize> Chars<N> {
    /// The characters before the first NUL.
    #[must_use]
    pub fn text(&self) -> &[u8] {
        self.0.split(|&byte| byte == 0).next().unwrap_or(&[])
    }
}
impl<const N: usize> Default for Chars<N> {
    fn default() -> Self {
        Self([0; N])
    }
}
impl<const N: usize> fmt::Debug for Chars<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.text().escape_ascii())
    }
}
impl<const N: usize> Guest for Chars<N> {
    type Host = Chars<N>;
}
impl<const N: usize> Widen<Chars<N>> for Chars<N> {
    fn widen(self) -> Chars<N> {
        self
    }
}
impl<const N: usize> Narrow<Chars<N>> for Chars<N> {
    fn narrow(self) -> Result<Chars<N>, Overflow> {
        Ok(self)
    }
    fn saturate(self) -> Chars<N> {
        self
    }
    fn truncate(self) -> Chars<N> {
        self
    }
}

/// An address in the guest's memory where a `T` is expected. Says nothing about whether anything is mapped there:
/// only `run` can read or write through it, and gets `EFAULT` like the kernel's `copy_from_user`.
#[derive(FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(transparent)]
pub struct GuestPtr<T> {
    address: u32,
    pointee: PhantomData<fn() -> T>,
}
impl<T> GuestPtr<T> {
    /// The pointer with this address.
    #[must_use]
    pub const fn new(address: u32) -> Self {
        Self { address, pointee: PhantomData }
    }
    /// The address, in the guest's address space.
    #[must_use]
    pub const fn address(self) -> u32 {
        self.address
    }
    /// Whether this is the null pointer.
    #[must_use]
    pub const fn is_null(self) -> bool {
        self.address == 0
    }
    /// The same address, seen as another type.
    #[must_use]
    pub const fn cast<U>(self) -> GuestPtr<U> {
        GuestPtr::new(self.address)
    }
    /// The pointer `bytes` further on, or `None` past the end of the address space.
    #[must_use]
    pub const fn byte_add(self, bytes: u32) -> Option<Self> {
        match self.address.checked_add(bytes) {
            Some(address) => Some(Self::new(address)),
            None => None,
        }
    }
}
impl<T> Clone for GuestPtr<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for GuestPtr<T> {}
impl<T> PartialEq for GuestPtr<T> {
    fn eq(&self, other: &Self) -> bool {
        self.address == other.address
    }
}
impl<T> Eq for GuestPtr<T> {}
impl<T> Default for GuestPtr<T> {
    fn default() -> Self {
        Self::new(0)
    }
}
impl<T> fmt::Debug for GuestPtr<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.address)
    }
}
impl<T> Guest for GuestPtr<T> {
    type Host = u64;
}
impl<T> Widen<u64> for GuestPtr<T> {
    fn widen(self) -> u64 {
        u64::from(self.address)
    }
}
impl<T> Narrow<GuestPtr<T>> for u64 {
    fn narrow(self) -> Result<GuestPtr<T>, Overflow> {
        u32::try_from(self).map(GuestPtr::new).map_err(|_| Overflow::default())
    }
    fn saturate(self) -> GuestPtr<T> {
        GuestPtr::new(u32::try_from(self).unwrap_or(u32::MAX))
    }
    #[allow(clippy::cast_possible_truncation)]
    fn truncate(self) -> GuestPtr<T> {
        GuestPtr::new(self as u32)
    }
}

/// The same bits with a sign: what `cast_signed` is from Rust 1.87 on.
pub trait Signed {
    /// The signed type of the same width.
    type Result;
    /// The same bits with a sign.
    fn signed(self) -> Self::Result;
}

/// The same bits without a sign: what `cast_unsigned` is from Rust 1.87 on.
pub trait Unsigned {
    /// The unsigned type of the same width.
    type Result;
    /// The same bits without a sign.
    fn unsigned(self) -> Self::Result;
}

macro_rules! same_bits {
    ($($signed:ident $unsigned:ident)*) => { $(
        impl Signed for $unsigned {
            type Result = $signed;
            #[inline]
            fn signed(self) -> $signed { $signed::from_ne_bytes(self.to_ne_bytes()) }
        }
        impl Unsigned for $signed {
            type Result = $unsigned;
            #[inline]
            fn unsigned(self) -> $unsigned { $unsigned::from_ne_bytes(self.to_ne_bytes()) }
        }
    )* };
}
same_bits! { i8 u8 i16 u16 i32 u32 i64 u64 isize usize }
