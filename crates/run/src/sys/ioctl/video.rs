//! V4L2 structures whose layout depends on a type inside, `enum v4l2_buf_type`, or that have a pointer to more of them
//! (`drivers/media/v4l2-core/v4l2-compat-ioctl32.c`).

use super::{Host, UNREADABLE, refuse};
use crate::dispatch::SysResult;
use crate::host;
use crate::mem::{self, Buf};
use crate::thread::Thread;
use abi::ioctl::{Direction, Structure, video};
use abi::structs::ioctl::{v4l2_buffer, v4l2_ext_controls, v4l2_plane};
use abi::structs::{Narrow, Widen};
use abi::{Errno, GuestPtr};
use zerocopy::{FromBytes, Immutable, IntoBytes};

/// Where the type is in `struct v4l2_format`, and in `struct v4l2_buffer`.
const FORMAT_TYPE: u32 = 0;
const BUFFER_TYPE: u32 = 4;
/// Overlays, whose format has pointers to structures with pointers, and buffers of several planes, which have a pointer to them.
const OVERLAYS: [u32; 2] = [3, 8];
const PLANES: [u32; 2] = [9, 10];

/// By the row, unless the type is one that no row can describe.
pub(super) fn of_type(thread: &mut Thread, call: Host, request: u32, arg: GuestPtr<u8>, structure: &Structure) -> SysResult {
    use video::number::{
        VIDIOC_G_EXT_CTRLS, VIDIOC_G_FMT, VIDIOC_S_EXT_CTRLS, VIDIOC_S_FMT, VIDIOC_TRY_EXT_CTRLS, VIDIOC_TRY_FMT,
    };
    let kind_at = |offset| arg.byte_add(offset).and_then(|kind| mem::read(kind.cast::<u32>()).ok());
    match request {
        VIDIOC_G_EXT_CTRLS | VIDIOC_S_EXT_CTRLS | VIDIOC_TRY_EXT_CTRLS => controls(thread, call, arg.cast()),
        VIDIOC_G_FMT | VIDIOC_S_FMT | VIDIOC_TRY_FMT if kind_at(FORMAT_TYPE).is_some_and(|kind| OVERLAYS.contains(&kind)) => {
            refuse(thread, call.fd, request, "overlays are not converted")
        }
        VIDIOC_G_FMT | VIDIOC_S_FMT | VIDIOC_TRY_FMT => call.converted(thread, arg, Direction::InOut, structure),
        _ if kind_at(BUFFER_TYPE).is_some_and(|kind| PLANES.contains(&kind)) => planes(thread, call, arg.cast()),
        _ => call.converted(thread, arg, Direction::InOut, structure),
    }
}

/// A buffer of several planes, which are in an array of their own.
fn planes(thread: &mut Thread, call: Host, arg: GuestPtr<v4l2_buffer::Guest32>) -> SysResult {
    /// `VIDEO_MAX_PLANES`
    const MOST: u32 = 8;
    let Ok(guest) = mem::read(arg) else {
        return call.make(thread, UNREADABLE);
    };
    let mut value = guest.widen();
    // Of other numbers the kernel complains before it looks at them.
    let count = usize::try_from(guest.length).ok().filter(|_| guest.length <= MOST).unwrap_or(0);
    let at = GuestPtr::<v4l2_plane::Guest32>::new(guest.m.get());
    let mut given = [v4l2_plane::Guest32::default(); MOST as usize];
    let mut planes = [v4l2_plane::Host64::default(); MOST as usize];
    if count > 0 {
        if mem::read_slice(at, &mut given[..count]).is_err() {
            value.m = UNREADABLE;
        } else {
            planes.iter_mut().zip(&given).for_each(|(to, from)| *to = from.widen());
            value.m = host::addr_mut(&mut planes);
        }
    }
    let result = call.make(thread, host::addr_mut(&mut value))?;
    let mut filled: v4l2_buffer::Guest32 = value.truncate();
    // The address is the guest's own.
    filled.m = guest.m;
    given.iter_mut().zip(planes).for_each(|(to, from)| *to = from.truncate());
    mem::write_slice(at, &given[..count])?;
    mem::write(arg, &filled)?;
    Ok(result)
}

/// `struct v4l2_ext_control`, which is packed: id, size, `reserved2`, and 8 bytes for a number or a pointer.
#[derive(Clone, Copy, Default, FromBytes, IntoBytes, Immutable)]
#[repr(C)]
struct Control {
    id: u32,
    size: u32,
    reserved2: u32,
    /// Of a pointer the guest has only this half.
    low: u32,
    high: u32,
}

/// `VIDIOC_G_EXT_CTRLS` and its kin. What comes out is written also if it is an error: `error_idx` says which control it is about.
fn controls(thread: &mut Thread, call: Host, arg: GuestPtr<v4l2_ext_controls::Guest32>) -> SysResult {
    /// `V4L2_CID_MAX_CTRLS`
    const MOST: u32 = 1024;
    let Ok(guest) = mem::read(arg) else {
        return call.make(thread, UNREADABLE);
    };
    let mut value = guest.widen();
    // Of other numbers the kernel complains before it looks at them.
    let count = usize::try_from(guest.count).ok().filter(|_| guest.count <= MOST).unwrap_or(0);
    let at = GuestPtr::<Control>::new(guest.controls.get());
    let mut controls = Buf::<Control>::zeroed(count)?;
    let mut readable = true;
    if count > 0 {
        readable = mem::read_slice(at, &mut controls).is_ok();
        value.controls = if readable { host::addr_mut(&mut *controls) } else { UNREADABLE };
    }
    for control in controls.iter_mut().filter(|control| control.size > 0) {
        if has_payload(thread, call, control.id) {
            control.high = 0;
        }
    }
    let result = call.make(thread, host::addr_mut(&mut value));
    if readable && result != Err(Errno::ENOTTY) {
        let mut filled: v4l2_ext_controls::Guest32 = value.truncate();
        filled.controls = guest.controls;
        mem::write_slice(at, &controls)?;
        mem::write(arg, &filled)?;
    }
    result
}

/// Whether the value of the control `id` is behind a pointer.
fn has_payload(thread: &mut Thread, call: Host, id: u32) -> bool {
    const FLAGS: usize = 72;
    const V4L2_CTRL_FLAG_HAS_PAYLOAD: u32 = 0x100;
    // `struct v4l2_query_ext_ctrl`
    let mut query = [0u64; 29];
    query.as_mut_bytes()[..4].copy_from_slice(&id.to_ne_bytes());
    let asked = Host { number: video::number::VIDIOC_QUERY_EXT_CTRL, ..call }.make(thread, host::addr_mut(&mut query));
    let flags = query.as_bytes().get(FLAGS..).and_then(|bytes| bytes.first_chunk()).map_or(0, |flags| u32::from_ne_bytes(*flags));
    asked.is_ok() && flags & V4L2_CTRL_FLAG_HAS_PAYLOAD != 0
}
