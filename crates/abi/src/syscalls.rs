//! A row per system call: [`i386`] holds the table.
//!
//! ```text
//! area NAME {
//!     NUMBER name native[HOST_NUMBER] (argument: Type, …), full;
//!     NUMBER name call                (argument: Type, …), partial "what is missing";
//!     NUMBER name refuse[ENOSYS]      (argument: Type, …), refused "why";
//! }
//! ```
//! `native`: the host takes the same arguments, zero-extended. `call`: the function of the same name in
//! `run/src/sys/<area>.rs`. `refuse`: the errno that Linux gives. The argument types are those of [`crate::trace`].
//! `-> RESULT` after the arguments says how a result is printed that is not a plain number: a variant of [`ResultKind`].

use crate::Errno;
use crate::trace::{Call, When};
use core::fmt::{self, Write};

pub mod i386;

/// What happens when the guest makes the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// The host's system call of this number takes the same arguments, zero-extended.
    Native(u16),
    /// A function of `run` translates it.
    Call,
    /// It fails with this errno.
    Refuse(Errno),
}

/// How much of the call works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Support {
    /// All that the kernel's own 32-bit layer does.
    Full,
    /// What is missing, for a user to read.
    Partial(&'static str),
    /// Why it is refused, for a user to read.
    Refused(&'static str),
}

/// What a call's result is, for a reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultKind {
    /// A count, a descriptor, an id: decimal.
    Number,
    /// An address, or bits.
    Hex,
    /// File mode bits.
    Octal,
    /// It does not return where it succeeds.
    Never,
}

/// Prints one argument of a call.
pub type TraceArg = fn(&Call<'_>, usize, &mut dyn Write) -> fmt::Result;

/// One argument of a row.
#[derive(Clone, Copy)]
pub struct ArgRow {
    /// Its name, as in the man page.
    pub name: &'static str,
    /// Its type, as in the row.
    pub type_name: &'static str,
    /// Whether it is a file descriptor.
    pub descriptor: bool,
    /// When it is printed.
    pub when: When,
    /// Prints it.
    pub trace: TraceArg,
}

/// One system call.
#[derive(Clone, Copy)]
pub struct Syscall {
    /// The number in the guest's ABI.
    pub number: u16,
    /// The name in the guest's ABI, as in the kernel's `syscall_32.tbl`.
    pub name: &'static str,
    /// The area, which is the name of the file in `run/src/sys/`.
    pub area: &'static str,
    /// What happens.
    pub action: Action,
    /// The arguments.
    pub args: &'static [ArgRow],
    /// What the result is.
    pub result: ResultKind,
    /// How much of it works.
    pub support: Support,
}

/// One more than the highest number that a table can hold.
pub const TABLE_LENGTH: usize = 512;

/// Builds a table from rows; a number used twice does not compile.
#[macro_export]
macro_rules! syscall_table {
    ($( area $area:ident { $( $number:literal $name:ident $kind:ident $([$what:tt])? ( $($arg:ident : $t:ty),* $(,)? ) $(-> $result:ident)?, $support:ident $($note:literal)? ; )* } )*) => {
        /// The table, by number.
        pub static TABLE: [Option<$crate::syscalls::Syscall>; $crate::syscalls::TABLE_LENGTH] = {
            let mut table: [Option<$crate::syscalls::Syscall>; $crate::syscalls::TABLE_LENGTH] = [const { None }; $crate::syscalls::TABLE_LENGTH];
            $( $(
                assert!(table[$number].is_none(), concat!("system call number used twice: ", stringify!($name)));
                $crate::syscall_table!(@check $kind $name $($t)*);
                table[$number] = Some($crate::syscalls::Syscall {
                    number: $number,
                    name: stringify!($name),
                    area: stringify!($area),
                    action: $crate::syscall_table!(@action $kind $($what)?),
                    args: &[ $( $crate::syscalls::ArgRow {
                        name: stringify!($arg),
                        type_name: stringify!($t),
                        descriptor: <$t as $crate::trace::Arg>::DESCRIPTOR,
                        when: <$t as $crate::trace::Arg>::WHEN,
                        trace: <$t as $crate::trace::Arg>::trace,
                    }, )* ],
                    result: $crate::syscall_table!(@result $($result)?),
                    support: $crate::syscall_table!(@support $support $($note)?),
                });
            )* )*
            table
        };
    };
    (@check native $name:ident $($t:ty)*) => {
        $( assert!(<$t as $crate::trace::Arg>::ZERO_EXTENDS, concat!(stringify!($name), ": a signed long cannot be passed on zero-extended")); )*
    };
    (@check $kind:ident $name:ident $($t:ty)*) => {};
    (@action native $host:literal) => { $crate::syscalls::Action::Native($host) };
    (@action call) => { $crate::syscalls::Action::Call };
    (@action refuse $errno:ident) => { $crate::syscalls::Action::Refuse($crate::Errno::$errno) };
    (@result) => { $crate::syscalls::ResultKind::Number };
    (@result $result:ident) => { $crate::syscalls::ResultKind::$result };
    (@support full) => { $crate::syscalls::Support::Full };
    (@support partial $note:literal) => { $crate::syscalls::Support::Partial($note) };
    (@support refused $note:literal) => { $crate::syscalls::Support::Refused($note) };
}
