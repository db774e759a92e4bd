//! How an argument of each type looks in a trace, and what it becomes when a handler receives it.
//!
//! The types named in the syscall rows are the types here: a row's argument list is its signature and its trace format.

use crate::scalar::Signed as _;
use crate::scalar::{Chars, GuestPtr, I64, Long, Pad, Ptr32, U16As32, U16As64, U64, ULong, UnalignedPtr32};
use core::fmt::{self, Write};
use core::marker::PhantomData;
use zerocopy::{FromBytes, IntoBytes};

mod control;
mod fd;
mod fs;
mod identity;
mod ioctl;
mod ipc;
mod poll;
mod sched;
mod security;
mod socket;
mod system;
mod time;

pub use control::*;
pub use fd::*;
pub use fs::*;
pub use identity::*;
pub use ioctl::*;
pub use ipc::*;
pub use poll::*;
pub use sched::*;
pub use security::*;
pub use socket::*;
pub use system::*;
pub use time::*;

/// Reads the guest's memory for the tracer.
pub trait Memory {
    /// Copies from `address` into `out`; returns how many bytes could be read before an unmapped one.
    fn read(&self, address: u32, out: &mut [u8]) -> usize;
}

/// One system call as the tracer sees it.
pub struct Call<'a> {
    /// The argument registers: ebx, ecx, edx, esi, edi, ebp.
    pub args: [u32; 6],
    /// The result, once there is one: the value of eax as a signed number.
    pub result: Option<i32>,
    /// The guest's memory.
    pub memory: &'a dyn Memory,
}

/// When an argument is worth printing: what the kernel reads before the call, what it fills in after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// Before the call.
    Entry,
    /// After the call: the kernel has written it. Printed as an address where the call failed.
    Exit,
}

/// A type that may stand in a syscall row's argument list.
pub trait Arg {
    /// What the handler receives.
    type Value;
    /// Whether zero-extending the register gives what the host's kernel expects, so that the row may be `native`.
    const ZERO_EXTENDS: bool = true;
    /// Whether it is a file descriptor.
    const DESCRIPTOR: bool = false;
    /// When it is printed.
    const WHEN: When = When::Entry;
    /// The register's value as the handler's type. Sign is in the type, never at the call.
    fn from_register(register: u32) -> Self::Value;
    /// Prints argument `index` of `call`. One that prints nothing, as it means nothing in this call, is left out.
    ///
    /// # Errors
    /// Whatever `out` returns.
    fn trace(call: &Call<'_>, index: usize, out: &mut dyn Write) -> fmt::Result;
}

/// A value that can be printed: a scalar, or a structure row's guest type.
pub trait TraceValue {
    /// Prints the value.
    ///
    /// # Errors
    /// Whatever `out` returns.
    fn trace(&self, out: &mut dyn Write) -> fmt::Result;
}

macro_rules! trace_value_by_display {
    ($($t:ty),*) => { $( impl TraceValue for $t { fn trace(&self, out: &mut dyn Write) -> fmt::Result { let value = *self; write!(out, "{value}") } } )* };
}
trace_value_by_display!(i8, u8, i16, u16, i32, u32, Long, ULong, I64, U64, U16As32, U16As64);
impl TraceValue for Ptr32 {
    fn trace(&self, out: &mut dyn Write) -> fmt::Result {
        pointer(self.0, out)
    }
}
impl TraceValue for UnalignedPtr32 {
    fn trace(&self, out: &mut dyn Write) -> fmt::Result {
        pointer(self.0, out)
    }
}
impl<T> TraceValue for GuestPtr<T> {
    fn trace(&self, out: &mut dyn Write) -> fmt::Result {
        pointer(self.address(), out)
    }
}
impl<const N: usize> TraceValue for Pad<N> {
    fn trace(&self, out: &mut dyn Write) -> fmt::Result {
        out.write_str("0")
    }
}
impl<const N: usize> TraceValue for Chars<N> {
    fn trace(&self, out: &mut dyn Write) -> fmt::Result {
        write!(out, "{self:?}")
    }
}
impl<T: TraceValue, const N: usize> TraceValue for [T; N] {
    fn trace(&self, out: &mut dyn Write) -> fmt::Result {
        for (i, value) in self.iter().enumerate() {
            out.write_str(if i == 0 { "[" } else { ", " })?;
            value.trace(out)?;
        }
        out.write_str("]")
    }
}

/// Prints `{name=value, …}`; used by the structure rows.
pub struct Fields<'a> {
    out: &'a mut dyn Write,
    first: bool,
}
impl<'a> Fields<'a> {
    /// Begins the braces.
    #[must_use]
    pub fn new(out: &'a mut dyn Write) -> Self {
        Self { out, first: true }
    }
    /// Prints one field, unless it is padding.
    ///
    /// # Errors
    /// Whatever the writer returns.
    pub fn field(&mut self, name: &str, value: &dyn TraceValue) -> fmt::Result {
        if name.starts_with("__") {
            return Ok(());
        }
        // A field that is a keyword of Rust.
        let name = name.trim_start_matches("r#");
        self.out.write_str(if self.first { "{" } else { ", " })?;
        self.first = false;
        write!(self.out, "{name}=")?;
        value.trace(self.out)
    }
    /// Closes the braces.
    ///
    /// # Errors
    /// Whatever the writer returns.
    pub fn end(self) -> fmt::Result {
        self.out.write_str(if self.first { "{}" } else { "}" })
    }
}

/// Prints an address.
fn pointer(address: u32, out: &mut dyn Write) -> fmt::Result {
    if address == 0 { out.write_str("NULL") } else { write!(out, "{address:#x}") }
}

macro_rules! plain_arg {
    ($(#[$doc:meta])* $t:ident($inner:ty), $format:literal) => {
        $(#[$doc])*
        pub struct $t;
        impl Arg for $t {
            type Value = $inner;
            fn from_register(register: u32) -> $inner { <$inner>::from_ne_bytes(register.to_ne_bytes()) }
            fn trace(call: &Call<'_>, index: usize, out: &mut dyn Write) -> fmt::Result {
                write!(out, $format, Self::from_register(call.args[index]))
            }
        }
    };
}
plain_arg!(/** `int`. */ Int(i32), "{}");
plain_arg!(/** `unsigned int`, `size_t` and every other unsigned word. */ Uint(u32), "{}");
plain_arg!(/** A word best read in hexadecimal. */ Hex(u32), "{:#x}");
plain_arg!(/** `mode_t`. */ Mode(u32), "{:#05o}");
plain_arg!(/** `pid_t`. */ Pid(i32), "{}");

/// `long`: signed, so it must be sign-extended and a row with it cannot be `native`.
pub struct SignedLong;
impl Arg for SignedLong {
    type Value = i32;
    const ZERO_EXTENDS: bool = false;
    fn from_register(register: u32) -> i32 {
        register.signed()
    }
    fn trace(call: &Call<'_>, index: usize, out: &mut dyn Write) -> fmt::Result {
        write!(out, "{}", call.args[index].signed())
    }
}

/// A file descriptor.
pub struct Fd;
impl Arg for Fd {
    type Value = i32;
    const DESCRIPTOR: bool = true;
    fn from_register(register: u32) -> i32 {
        register.signed()
    }
    fn trace(call: &Call<'_>, index: usize, out: &mut dyn Write) -> fmt::Result {
        write!(out, "{}", call.args[index].signed())
    }
}

/// A directory file descriptor, where -100 means the working directory.
pub struct DirFd;
impl Arg for DirFd {
    type Value = i32;
    const DESCRIPTOR: bool = true;
    fn from_register(register: u32) -> i32 {
        register.signed()
    }
    fn trace(call: &Call<'_>, index: usize, out: &mut dyn Write) -> fmt::Result {
        match call.args[index].signed() {
            -100 => out.write_str("AT_FDCWD"),
            fd => write!(out, "{fd}"),
        }
    }
}

/// An address that is not read by the tracer.
pub struct Addr;
impl Arg for Addr {
    type Value = GuestPtr<u8>;
    fn from_register(register: u32) -> GuestPtr<u8> {
        GuestPtr::new(register)
    }
    fn trace(call: &Call<'_>, index: usize, out: &mut dyn Write) -> fmt::Result {
        pointer(call.args[index], out)
    }
}

/// Longest piece of a string or buffer that a trace shows, in bytes; the same as strace's `-s` default would be too short
/// for paths.
const SHOWN: usize = 64;

/// A NUL-terminated string.
pub struct Path;
impl Arg for Path {
    type Value = GuestPtr<u8>;
    fn from_register(register: u32) -> GuestPtr<u8> {
        GuestPtr::new(register)
    }
    fn trace(call: &Call<'_>, index: usize, out: &mut dyn Write) -> fmt::Result {
        let mut text = [0; 256];
        let got = call.memory.read(call.args[index], &mut text);
        let Some(end) = text[..got].iter().position(|&byte| byte == 0) else {
            if got < text.len() {
                return pointer(call.args[index], out);
            }
            return quoted(&text[..got], true, out);
        };
        quoted(&text[..end], false, out)
    }
}

/// Up to this many elements of an array of strings are printed.
const SHOWN_STRINGS: usize = 32;

/// Where the strings of an array are that ends with a null pointer.
struct StringArray<'a> {
    memory: &'a dyn Memory,
    next: u32,
}
impl Iterator for StringArray<'_> {
    type Item = u32;
    fn next(&mut self) -> Option<u32> {
        let mut word = [0; 4];
        let whole = self.next != 0 && self.memory.read(self.next, &mut word) == word.len();
        self.next = self.next.checked_add(4)?;
        Some(u32::from_le_bytes(word)).filter(|&string| whole && string != 0)
    }
}

/// An array of strings that ends with a null pointer: `argv`.
pub struct Strings;
impl Arg for Strings {
    type Value = GuestPtr<u8>;
    fn from_register(register: u32) -> GuestPtr<u8> {
        GuestPtr::new(register)
    }
    fn trace(call: &Call<'_>, index: usize, out: &mut dyn Write) -> fmt::Result {
        if call.args[index] == 0 {
            return pointer(0, out);
        }
        out.write_char('[')?;
        for (i, string) in (StringArray { memory: call.memory, next: call.args[index] }).enumerate() {
            if i > 0 {
                out.write_str(", ")?;
            }
            if i == SHOWN_STRINGS {
                out.write_str("...")?;
                break;
            }
            Path::trace(&Call { args: [string; 6], result: None, memory: call.memory }, 0, out)?;
        }
        out.write_char(']')
    }
}

/// An array of strings of which only the number is of interest: the environment.
pub struct StringCount;
impl Arg for StringCount {
    type Value = GuestPtr<u8>;
    fn from_register(register: u32) -> GuestPtr<u8> {
        GuestPtr::new(register)
    }
    fn trace(call: &Call<'_>, index: usize, out: &mut dyn Write) -> fmt::Result {
        pointer(call.args[index], out)?;
        if call.args[index] == 0 {
            return Ok(());
        }
        /// As many as the kernel takes in 128 KiB of pointers; an array without an end must not keep the tracer.
        const MOST: usize = 0x8000;
        let count = StringArray { memory: call.memory, next: call.args[index] }.take(MOST).count();
        write!(out, " /* {count} vars */")
    }
}

/// A buffer that the kernel reads; its length is argument `LEN`.
pub struct InBuf<const LEN: usize>;
impl<const LEN: usize> Arg for InBuf<LEN> {
    type Value = GuestPtr<u8>;
    fn from_register(register: u32) -> GuestPtr<u8> {
        GuestPtr::new(register)
    }
    fn trace(call: &Call<'_>, index: usize, out: &mut dyn Write) -> fmt::Result {
        buffer(call, index, call.args[LEN], out)
    }
}

/// A buffer that the kernel fills; the call's result is the length.
pub struct OutBuf;
impl Arg for OutBuf {
    type Value = GuestPtr<u8>;
    const WHEN: When = When::Exit;
    fn from_register(register: u32) -> GuestPtr<u8> {
        GuestPtr::new(register)
    }
    fn trace(call: &Call<'_>, index: usize, out: &mut dyn Write) -> fmt::Result {
        match call.result.map(u32::try_from) {
            Some(Ok(length)) => buffer(call, index, length, out),
            _ => pointer(call.args[index], out),
        }
    }
}

fn buffer(call: &Call<'_>, index: usize, length: u32, out: &mut dyn Write) -> fmt::Result {
    let mut bytes = [0; SHOWN];
    let length = usize::try_from(length).unwrap_or(usize::MAX);
    let shown = length.min(SHOWN);
    if call.args[index] == 0 || call.memory.read(call.args[index], &mut bytes[..shown]) < shown {
        return pointer(call.args[index], out);
    }
    quoted(&bytes[..shown], length > shown, out)
}

/// Prints a string as C would write it, with dots behind it where it is cut.
///
/// # Errors
/// Whatever `out` returns.
pub fn quoted(bytes: &[u8], cut: bool, out: &mut dyn Write) -> fmt::Result {
    out.write_char('"')?;
    for &byte in bytes {
        match byte {
            b'\'' => out.write_char('\'')?,
            _ => write!(out, "{}", byte.escape_ascii())?,
        }
    }
    out.write_str(if cut { "\"..." } else { "\"" })
}

/// A pointer to a `T` that the kernel reads.
pub struct In<T>(PhantomData<fn() -> T>);
/// A pointer to a `T` that the kernel fills.
pub struct Out<T>(PhantomData<fn() -> T>);
/// A pointer to a `T` that the kernel reads and then fills.
pub struct InOut<T>(PhantomData<fn() -> T>);

macro_rules! pointer_arg {
    ($($t:ident $when:ident;)*) => { $(
        impl<T: TraceValue + FromBytes + IntoBytes> Arg for $t<T> {
            type Value = GuestPtr<T>;
            const WHEN: When = When::$when;
            fn from_register(register: u32) -> GuestPtr<T> { GuestPtr::new(register) }
            fn trace(call: &Call<'_>, index: usize, out: &mut dyn Write) -> fmt::Result {
                let mut value = T::new_zeroed();
                let failed = Self::WHEN == When::Exit && call.result.is_none_or(|result| result < 0);
                let bytes = value.as_mut_bytes();
                let size = bytes.len();
                if failed || call.args[index] == 0 || call.memory.read(call.args[index], bytes) < size {
                    return pointer(call.args[index], out);
                }
                value.trace(out)
            }
        }
    )* };
}
pointer_arg! { In Entry; Out Exit; InOut Entry; }

/// Declares a type for a flags or enumeration argument, with the names that a trace prints.
///
/// `flags!` joins the names of the bits that are set; `choice` prints the one name that matches.
#[macro_export]
macro_rules! named_arg {
    ($(#[$doc:meta])* flags $t:ident { $($name:ident = $value:expr),* $(,)? }) => {
        $(#[$doc])*
        pub struct $t;
        #[allow(missing_docs)]
        impl $t { $( pub const $name: u32 = $value; )* }
        impl $crate::trace::Arg for $t {
            type Value = u32;
            fn from_register(register: u32) -> u32 { register }
            fn trace(call: &$crate::trace::Call<'_>, index: usize, out: &mut dyn core::fmt::Write) -> core::fmt::Result {
                $crate::trace::flag_names(call.args[index], &[$((stringify!($name), $value)),*], out)
            }
        }
    };
    ($(#[$doc:meta])* choice $t:ident { $($name:ident = $value:expr),* $(,)? }) => {
        $(#[$doc])*
        pub struct $t;
        #[allow(missing_docs)]
        impl $t { $( pub const $name: u32 = $value; )* }
        impl $crate::trace::Arg for $t {
            type Value = u32;
            fn from_register(register: u32) -> u32 { register }
            fn trace(call: &$crate::trace::Call<'_>, index: usize, out: &mut dyn core::fmt::Write) -> core::fmt::Result {
                let value = call.args[index];
                $( if value == $value { return out.write_str(stringify!($name)); } )*
                write!(out, "{value:#x}")
            }
        }
    };
}

/// Prints the names of the bits in `value`, joined by `|`, and what is left over in hexadecimal.
///
/// # Errors
/// Whatever `out` returns.
pub fn flag_names(value: u32, names: &[(&str, u32)], out: &mut dyn Write) -> fmt::Result {
    let mut rest = value;
    let mut first = true;
    for &(name, bits) in names {
        let matches = if bits == 0 { value == 0 } else { rest & bits == bits };
        if matches {
            if !first {
                out.write_char('|')?;
            }
            out.write_str(name)?;
            rest &= !bits;
            first = false;
        }
    }
    if rest != 0 || first {
        if !first {
            out.write_char('|')?;
        }
        if value == 0 {
            return out.write_char('0');
        }
        write!(out, "{rest:#x}")?;
    }
    Ok(())
}
