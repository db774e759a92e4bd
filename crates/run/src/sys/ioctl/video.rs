//! V4L2 structures whose layout depends on a type inside: `enum v4l2_buf_type`.

use super::{Host, refuse};
use crate::dispatch::SysResult;
use crate::mem;
use crate::thread::Thread;
use abi::GuestPtr;
use abi::ioctl::{Direction, Structure, video};

/// Where the type is in `struct v4l2_format`, and in `struct v4l2_buffer`.
const FORMAT_TYPE: u32 = 0;
const BUFFER_TYPE: u32 = 4;
/// Overlays, whose format has pointers to structures with pointers, and buffers of several planes, which have a pointer to them.
const OVERLAYS: [u32; 2] = [3, 8];
const PLANES: [u32; 2] = [9, 10];

/// By the row, unless the type is one that no row can describe (`drivers/media/v4l2-core/v4l2-compat-ioctl32.c`).
pub(super) fn of_type(thread: &mut Thread, call: Host, request: u32, arg: GuestPtr<u8>, structure: &Structure) -> SysResult {
    use video::number::{VIDIOC_G_FMT, VIDIOC_S_FMT, VIDIOC_TRY_FMT};
    let (at, unfit, why) = if matches!(request, VIDIOC_G_FMT | VIDIOC_S_FMT | VIDIOC_TRY_FMT) {
        (FORMAT_TYPE, OVERLAYS, "overlays are not converted")
    } else {
        (BUFFER_TYPE, PLANES, "buffers of several planes are not converted")
    };
    let kind = arg.byte_add(at).and_then(|kind| mem::read(kind.cast::<u32>()).ok());
    if kind.is_some_and(|kind| unfit.contains(&kind)) {
        return refuse(thread, call.fd, request, why);
    }
    call.converted(thread, arg, Direction::InOut, structure)
}
