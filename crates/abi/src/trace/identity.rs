//! User and group ids.

use crate::scalar::Signed as _;
use crate::trace::{Arg, Call};
use core::fmt::{self, Write};

/// A user or group id of 16 bits (`old_uid_t`), -1 meaning "do not change".
pub struct Id16;
impl Arg for Id16 {
    /// The id in 32 bits, as `low2highuid` makes it: 0xffff becomes -1.
    type Value = u32;
    const ZERO_EXTENDS: bool = false;
    fn from_register(register: u32) -> u32 {
        match register & 0xffff {
            0xffff => u32::MAX,
            id => id,
        }
    }
    fn trace(call: &Call<'_>, index: usize, out: &mut dyn Write) -> fmt::Result {
        write!(out, "{}", Self::from_register(call.args[index]).signed())
    }
}

/// A user or group id of 32 bits, -1 meaning "do not change".
pub struct Id32;
impl Arg for Id32 {
    type Value = u32;
    fn from_register(register: u32) -> u32 {
        register
    }
    fn trace(call: &Call<'_>, index: usize, out: &mut dyn Write) -> fmt::Result {
        write!(out, "{}", call.args[index].signed())
    }
}
