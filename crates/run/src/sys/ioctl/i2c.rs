//! `I2C_RDWR`: several messages, each with a buffer of its own.

use super::{Host, UNREADABLE, widened};
use crate::dispatch::SysResult;
use crate::host;
use crate::mem;
use crate::thread::Thread;
use abi::GuestPtr;
use abi::structs::Widen;
use abi::structs::ioctl::{i2c_msg, i2c_rdwr_ioctl_data};

/// `I2C_RDWR_IOCTL_MAX_MSGS`
const MOST: u32 = 42;

/// `compat_i2cdev_ioctl` in `drivers/i2c/i2c-dev.c`. What is read goes into the buffers; the kernel does not fill the messages.
pub(super) fn messages(thread: &mut Thread, call: Host, arg: GuestPtr<i2c_rdwr_ioctl_data::Guest32>) -> SysResult {
    let Ok(list) = mem::read(arg) else {
        return call.make(thread, UNREADABLE);
    };
    let (_messages, msgs) = widened::<i2c_msg::Guest32>(list.msgs.get(), list.nmsgs, MOST)?;
    let value = i2c_rdwr_ioctl_data::Host64 { msgs, ..list.widen() };
    call.make(thread, host::addr(&value))
}
