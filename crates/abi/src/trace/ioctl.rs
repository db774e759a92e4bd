//! Arguments of ioctl(2): the number's name, and what the number says of the argument.

use crate::ioctl::{Argument, Direction, SIZE_MASK, lookup};
use crate::scalar::GuestPtr;
use crate::scalar::Signed as _;
use crate::trace::{Arg, Call, When};
use core::fmt::{self, Write};

/// The number of an ioctl.
pub struct IoctlNumber;
impl Arg for IoctlNumber {
    type Value = u32;
    fn from_register(register: u32) -> u32 {
        register
    }
    fn trace(call: &Call<'_>, index: usize, out: &mut dyn Write) -> fmt::Result {
        let number = call.args[index];
        match lookup(number) {
            Some(row) if row.number32 == number => out.write_str(row.name),
            Some(row) => write!(out, "{}({})", row.name, (number & SIZE_MASK) >> 16),
            None => write!(out, "{number:#x}"),
        }
    }
}

/// The argument of an ioctl, whose number is the argument before it.
pub struct IoctlArgument;
impl Arg for IoctlArgument {
    type Value = GuestPtr<u8>;
    // An argument may be either; what the kernel fills can only be shown afterwards, and what it reads is still there.
    const WHEN: When = When::Exit;
    fn from_register(register: u32) -> GuestPtr<u8> {
        GuestPtr::new(register)
    }
    fn trace(call: &Call<'_>, index: usize, out: &mut dyn Write) -> fmt::Result {
        let argument = call.args[index];
        let row = index.checked_sub(1).and_then(|number| lookup(call.args[number]));
        let done = call.result.is_some_and(|result| result >= 0);
        match row.map(|row| row.argument) {
            Some(Argument::None) => out.write_char('0'),
            Some(Argument::Value) => write!(out, "{}", argument.signed()),
            Some(Argument::Same { direction, size: 4, c: "int" }) if done || direction != Direction::Out => {
                let mut value = [0; 4];
                if call.memory.read(argument, &mut value) < value.len() {
                    return write!(out, "{argument:#x}");
                }
                write!(out, "[{}]", i32::from_ne_bytes(value))
            }
            Some(Argument::Struct { structure, direction }) if done || direction != Direction::Out => {
                let mut bytes = [0; 256];
                let size = structure.layout.size32.min(bytes.len());
                if call.memory.read(argument, &mut bytes[..size]) < size {
                    return write!(out, "{argument:#x}");
                }
                (structure.trace)(&bytes[..size], out)
            }
            _ => write!(out, "{argument:#x}"),
        }
    }
}
