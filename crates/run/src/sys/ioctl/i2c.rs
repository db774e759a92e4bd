//! `I2C_RDWR`: several messages, each with a buffer of its own.

use super::{Host, UNREADABLE};
use crate::dispatch::SysResult;
use crate::host;
use crate::mem::{self, Buf};
use crate::thread::Thread;
use abi::structs::Widen;
use abi::structs::ioctl::{i2c_msg, i2c_rdwr_ioctl_data};
use abi::{Errno, GuestPtr};

/// `I2C_RDWR_IOCTL_MAX_MSGS`
const MOST: u32 = 42;

/// `compat_i2cdev_ioctl` in `drivers/i2c/i2c-dev.c`. What is read goes into the buffers; the kernel does not fill the messages.
pub(super) fn messages(thread: &mut Thread, call: Host, arg: GuestPtr<i2c_rdwr_ioctl_data::Guest32>) -> SysResult {
    let Ok(list) = mem::read(arg) else {
        return call.make(thread, UNREADABLE);
    };
    let mut value = list.widen();
    // The kernel complains about others before it looks at them, and first of all on a device that has no messages.
    let count = if list.nmsgs > MOST { 0 } else { list.nmsgs };
    let count = usize::try_from(count).map_err(|_| Errno::EINVAL)?;
    let mut given = Buf::<i2c_msg::Guest32>::zeroed(count)?;
    let mut messages = Buf::<i2c_msg::Host64>::zeroed(count)?;
    if count > 0 {
        value.msgs = if mem::read_slice(GuestPtr::new(list.msgs.get()), &mut given).is_err() {
            UNREADABLE
        } else {
            messages.iter_mut().zip(given.iter()).for_each(|(to, from)| *to = from.widen());
            host::addr(&*messages)
        };
    }
    call.make(thread, host::addr(&value))
}
