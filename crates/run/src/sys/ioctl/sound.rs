//! ALSA: streams whose positions wrap where a long of 32 bits does, and elements of the mixer, whose values are longs.

use super::{Host, UNREADABLE};
use crate::dispatch::SysResult;
use crate::host::{self, low, nr};
use crate::mem::{self, Buf};
use crate::sys::fd::uninterrupted;
use crate::thread::Thread;
use abi::ioctl::sound::number;
use abi::structs::fs::stat;
use abi::structs::ioctl::{
    snd_ctl_elem_info, snd_ctl_elem_value, snd_pcm_hw_params, snd_pcm_status, snd_pcm_sw_params, snd_pcm_sync_ptr, snd_xferi,
    snd_xfern,
};
use abi::structs::{Narrow, Widen};
use abi::{Errno, GuestPtr};
use core::mem::offset_of;
use core::sync::atomic::{AtomicU64, Ordering};
use zerocopy::IntoBytes;

/// What only a function can convert; `None` where `request` is none of sound's.
pub(super) fn special(thread: &mut Thread, call: Host, request: u32, arg: GuestPtr<u8>) -> Option<SysResult> {
    Some(match request {
        number::SNDRV_PCM_IOCTL_HW_PARAMS => hw_params(thread, call, arg.cast()),
        number::SNDRV_PCM_IOCTL_SW_PARAMS => sw_params(thread, call, arg.cast()),
        number::SNDRV_PCM_IOCTL_STATUS | number::SNDRV_PCM_IOCTL_STATUS_EXT => status(thread, call, request, arg.cast()),
        number::SNDRV_PCM_IOCTL_SYNC_PTR => sync_ptr(thread, call, arg.cast()),
        number::SNDRV_PCM_IOCTL_REWIND | number::SNDRV_PCM_IOCTL_FORWARD => frames(thread, call, arg.cast()),
        number::SNDRV_PCM_IOCTL_WRITEI_FRAMES | number::SNDRV_PCM_IOCTL_READI_FRAMES => interleaved(thread, call, arg.cast()),
        number::SNDRV_PCM_IOCTL_WRITEN_FRAMES | number::SNDRV_PCM_IOCTL_READN_FRAMES => separate(thread, call, arg.cast()),
        number::SNDRV_CTL_IOCTL_ELEM_INFO => element_info(thread, call, arg.cast()),
        number::SNDRV_CTL_IOCTL_ELEM_READ | number::SNDRV_CTL_IOCTL_ELEM_WRITE => element_value(thread, call, arg.cast()),
        number::SNDRV_CTL_IOCTL_ELEM_ADD | number::SNDRV_CTL_IOCTL_ELEM_REPLACE => element_add(thread, call, arg.cast()),
        _ => return None,
    })
}

// ---- streams ----------------------------------------------------------------------------------------------------------------
//
// Positions count frames up to a boundary, a multiple of the buffer's size as large as a long can hold, and begin anew. The kernel gives
// a 32-bit task a boundary of its own (`recalculate_boundary` in sound/core/pcm_native.c). Here the kernel has the boundary of a
// 64-bit task, which is a multiple of the other, so that positions are the remainder.

/// Positions below this are the same for every boundary: none is smaller than a third of 2^31.
const SMALL: u64 = 1 << 29;

/// Where positions of a stream with a buffer of `size` frames begin anew, if a long goes up to `max`.
fn boundary(size: u32, max: u64) -> u64 {
    let size = u64::from(size.max(1));
    let mut boundary = size;
    while boundary <= max.saturating_sub(size) / 2 {
        boundary *= 2;
    }
    boundary
}

/// A stream's boundaries.
#[derive(Clone, Copy)]
struct Boundaries {
    guest: u64,
    host: u64,
}

/// Sizes of streams' buffers in frames, lower half; upper half, which stream ([`stream`]). 0 where this place is free.
static BUFFERS: [AtomicU64; 64] = [const { AtomicU64::new(0) }; 64];

/// Which stream `fd` is: the card, the device, the direction and the number, which have one opener.
fn stream(thread: &mut Thread, call: Host) -> Option<u32> {
    let mut info = [0u32; 72];
    Host { number: number::SNDRV_PCM_IOCTL_INFO, ..call }.make(thread, host::addr_mut(&mut info)).ok()?;
    let [device, subdevice, direction, card, ..] = info;
    Some(1 << 31 | (card & 0xff) << 20 | (device & 0xff) << 12 | (direction & 1) << 11 | subdevice & 0x7ff)
}

fn remember(thread: &mut Thread, call: Host, size: u32) {
    let Some(stream) = stream(thread, call) else { return };
    let new = u64::from(stream) << 32 | u64::from(size);
    for place in &BUFFERS {
        let there = place.load(Ordering::Relaxed);
        let same = there == 0 || there >> 32 == u64::from(stream);
        if same && place.compare_exchange(there, new, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
            return;
        }
    }
}

/// What is known of the stream from when its parameters were set; nothing where another program has done it.
fn boundaries(thread: &mut Thread, call: Host) -> Option<Boundaries> {
    let stream = stream(thread, call)?;
    let known = BUFFERS.iter().map(|place| place.load(Ordering::Relaxed)).find(|known| known >> 32 == u64::from(stream))?;
    let size = low(known);
    Some(Boundaries { guest: boundary(size, 0x7fff_ffff), host: boundary(size, 0x7fff_ffff_ffff_ffff) })
}

/// Positions as the guest counts them.
fn reduce<const N: usize>(thread: &mut Thread, call: Host, positions: [&mut u64; N]) {
    if positions.iter().all(|position| **position < SMALL) {
        return;
    }
    if let Some(boundaries) = boundaries(thread, call) {
        positions.into_iter().for_each(|position| *position %= boundaries.guest);
    }
}

/// Whether `fd` is a stream, and has one of the pages at `offset` that tell a program where it is and take where it wants to be: they are
/// for 64-bit programs, and no 32-bit one gets them (`snd_pcm_mmap` in sound/core/pcm_native.c).
pub(crate) fn is_position_page(fd: i32, offset: u64) -> bool {
    /// `SNDRV_PCM_MMAP_OFFSET_STATUS_OLD` and `SNDRV_PCM_MMAP_OFFSET_CONTROL_OLD`.
    const PAGES: [u64; 2] = [0x8000_0000, 0x8100_0000];
    const S_IFMT: u32 = 0o170_000;
    const S_IFCHR: u32 = 0o020_000;
    const SOUND_MAJOR: u64 = 116;
    if !PAGES.contains(&offset) {
        return false;
    }
    let mut file = stat::Host64::default();
    let known = uninterrupted(nr::FSTAT, [host::int(fd), host::addr_mut(&mut file)]).is_ok();
    if !known || file.st_mode & S_IFMT != S_IFCHR || file.st_rdev >> 8 & 0xfff != SOUND_MAJOR {
        return false;
    }
    let mut version = 0u32;
    let asked = [host::int(fd), u64::from(number::SNDRV_PCM_IOCTL_PVERSION), host::addr_mut(&mut version)];
    uninterrupted(nr::IOCTL, asked).is_ok()
}

/// `snd_pcm_ioctl_hw_params_compat`.
fn hw_params(thread: &mut Thread, call: Host, arg: GuestPtr<snd_pcm_hw_params::Guest32>) -> SysResult {
    /// `SNDRV_PCM_HW_PARAM_BUFFER_SIZE`, counted from `SNDRV_PCM_HW_PARAM_FIRST_INTERVAL`; an interval is of 12 bytes.
    const BUFFER_SIZE: usize = (17 - 8) * 12;
    let Ok(guest) = mem::read(arg) else {
        return call.make(thread, UNREADABLE);
    };
    let mut value = guest.widen();
    let result = call.make(thread, host::addr_mut(&mut value))?;
    let minimum = value.as_bytes().get(offset_of!(snd_pcm_hw_params::Host64, intervals) + BUFFER_SIZE..);
    if let Some(size) = minimum.and_then(|bytes| bytes.first_chunk()) {
        remember(thread, call, u32::from_ne_bytes(*size));
    }
    mem::write(arg, &value.truncate())?;
    Ok(result)
}

/// `snd_pcm_ioctl_sw_params_compat`. What the guest wants never to happen it puts off to its boundary.
fn sw_params(thread: &mut Thread, call: Host, arg: GuestPtr<snd_pcm_sw_params::Guest32>) -> SysResult {
    const BOUNDARY: u32 = 36;
    const { assert!(offset_of!(snd_pcm_sw_params::Guest32, boundary) == BOUNDARY as usize) };
    let Ok(guest) = mem::read(arg) else {
        return call.make(thread, UNREADABLE);
    };
    let mut value = guest.widen();
    let known = boundaries(thread, call);
    if let Some(known) = known {
        for threshold in [&mut value.stop_threshold, &mut value.silence_size] {
            if *threshold >= known.guest {
                *threshold = known.host;
            }
        }
    }
    let result = call.make(thread, host::addr_mut(&mut value))?;
    let boundary = known.map_or_else(
        || {
            let mut boundary = value.boundary;
            while boundary > 0x7fff_ffff && boundary % 2 == 0 {
                boundary /= 2;
            }
            boundary
        },
        |known| known.guest,
    );
    mem::write(arg.byte_add(BOUNDARY).ok_or(Errno::EFAULT)?.cast(), &low(boundary))?;
    Ok(result)
}

/// `snd_pcm_status_user32`.
fn status(thread: &mut Thread, call: Host, request: u32, arg: GuestPtr<snd_pcm_status::Guest32>) -> SysResult {
    const DATA: u32 = 48;
    const { assert!(offset_of!(snd_pcm_status::Guest32, audio_tstamp_data) == DATA as usize) };
    let mut value = snd_pcm_status::Host64::default();
    if request == number::SNDRV_PCM_IOCTL_STATUS_EXT {
        let Some(Ok(data)) = arg.byte_add(DATA).map(|at| mem::read::<u32>(at.cast())) else {
            return call.make(thread, UNREADABLE);
        };
        value.audio_tstamp_data = data;
    }
    let result = call.make(thread, host::addr_mut(&mut value))?;
    reduce(thread, call, [&mut value.appl_ptr, &mut value.hw_ptr]);
    mem::write(arg, &value.truncate())?;
    Ok(result)
}

/// `SNDRV_PCM_SYNC_PTR_APPL` and `SNDRV_PCM_SYNC_PTR_AVAIL_MIN`: these are asked for, not set.
const APPL: u32 = 1 << 1;
const AVAIL_MIN: u32 = 1 << 2;

/// `snd_pcm_ioctl_sync_ptr_compat`.
fn sync_ptr(thread: &mut Thread, call: Host, arg: GuestPtr<snd_pcm_sync_ptr::Guest32>) -> SysResult {
    let Ok(guest) = mem::read(arg) else {
        return call.make(thread, UNREADABLE);
    };
    let mut value = guest.widen();
    if guest.flags & APPL == 0 {
        value.appl_ptr = position(thread, call, value.appl_ptr)?;
    }
    let result = call.make(thread, host::addr_mut(&mut value))?;
    reduce(thread, call, [&mut value.appl_ptr, &mut value.hw_ptr]);
    let filled: snd_pcm_sync_ptr::Guest32 = value.truncate();
    // All but padding, which the kernel leaves as it is.
    for range in [4..8, 12..36, 68..76] {
        let at = u32::try_from(range.start).ok().and_then(|start| arg.cast().byte_add(start)).ok_or(Errno::EFAULT)?;
        mem::write_bytes(at, filled.as_bytes().get(range).unwrap_or_default())?;
    }
    Ok(result)
}

/// The position on the host that the guest calls `wanted`: the one next to where the stream is.
fn position(thread: &mut Thread, call: Host, wanted: u64) -> Result<u64, Errno> {
    let mut now = snd_pcm_sync_ptr::Host64 { flags: APPL | AVAIL_MIN, ..Default::default() };
    call.make(thread, host::addr_mut(&mut now))?;
    if now.appl_ptr < SMALL && wanted < SMALL {
        return Ok(wanted);
    }
    let Some(boundaries) = boundaries(thread, call) else { return Ok(wanted) };
    Ok(nearest(now.appl_ptr, wanted, boundaries))
}

fn nearest(now: u64, wanted: u64, Boundaries { guest, host }: Boundaries) -> u64 {
    if wanted >= guest {
        // Beyond the boundary, which is invalid on either side.
        return u64::MAX;
    }
    let forward = (wanted + guest - now % guest) % guest;
    let position = if forward <= guest / 2 { now + forward } else { now + host + forward - guest };
    position % host
}

/// `snd_pcm_ioctl_rewind_compat` and `snd_pcm_ioctl_forward_compat`: what comes out is written also if it is an error.
fn frames(thread: &mut Thread, call: Host, arg: GuestPtr<u32>) -> SysResult {
    let Ok(count) = mem::read(arg) else {
        return call.make(thread, UNREADABLE);
    };
    let mut value = u64::from(count);
    let result = call.make(thread, host::addr_mut(&mut value));
    if value != u64::from(count) {
        mem::write(arg, &low(value))?;
    }
    result
}

/// `snd_pcm_ioctl_xferi_compat`.
fn interleaved(thread: &mut Thread, call: Host, arg: GuestPtr<snd_xferi::Guest32>) -> SysResult {
    let Ok(guest) = mem::read(arg) else {
        return call.make(thread, UNREADABLE);
    };
    let mut value = guest.widen();
    let result = call.make(thread, host::addr_mut(&mut value))?;
    let moved: snd_xferi::Guest32 = value.truncate();
    mem::write(arg.cast(), &moved.result)?;
    Ok(result)
}

/// `snd_pcm_ioctl_xfern_compat`: a buffer for each channel. How many there are the kernel knows.
fn separate(thread: &mut Thread, call: Host, arg: GuestPtr<snd_xfern::Guest32>) -> SysResult {
    /// More channels than this the kernel does not take.
    const MOST: usize = 128;
    let Ok(guest) = mem::read(arg) else {
        return call.make(thread, UNREADABLE);
    };
    let mut value = guest.widen();
    let mut given = [0u32; MOST];
    let readable = mem::access::read_partial(guest.bufs.get(), given.as_mut_bytes()) / 4;
    let mut buffers = [UNREADABLE; MOST];
    for (to, from) in buffers.iter_mut().zip(&given[..readable]) {
        *to = u64::from(*from);
    }
    value.bufs = if readable == 0 { UNREADABLE } else { host::addr(&buffers) };
    let result = call.make(thread, host::addr_mut(&mut value))?;
    let moved: snd_xfern::Guest32 = value.truncate();
    mem::write(arg.cast(), &moved.result)?;
    Ok(result)
}

// ---- elements of the mixer --------------------------------------------------------------------------------------------------

/// `SNDRV_CTL_ELEM_TYPE_BOOLEAN` and so on.
const BOOLEAN: u32 = 1;
const INTEGER: u32 = 2;
const ENUMERATED: u32 = 3;
const BYTES: u32 = 4;
const IEC958: u32 = 5;
const INTEGER64: u32 = 6;

/// Where `value` is in `struct snd_ctl_elem_info`, on both sides.
const INFO_VALUE: usize = 80;

/// Makes longs of numbers of 32 bits, as many as there is room for.
fn widen_longs(guest: &[u8], host: &mut [u8]) {
    for (from, to) in guest.chunks_exact(4).zip(host.chunks_exact_mut(8)) {
        let value = from.first_chunk().map_or(0, |bytes| i32::from_ne_bytes(*bytes));
        to.copy_from_slice(&i64::from(value).to_ne_bytes());
    }
}

/// Takes the lower halves of longs.
fn cut_longs(host: &[u8], guest: &mut [u8]) {
    for (from, to) in host.chunks_exact(8).zip(guest.chunks_exact_mut(4)) {
        to.copy_from_slice(&from[..4]);
    }
}

/// `snd_ctl_elem_info_compat`.
fn element_info(thread: &mut Thread, call: Host, arg: GuestPtr<snd_ctl_elem_info::Guest32>) -> SysResult {
    let Ok(guest) = mem::read(arg) else {
        return call.make(thread, UNREADABLE);
    };
    let mut value = snd_ctl_elem_info::Host64 { id: guest.id, ..Default::default() };
    // Which name of an enumeration is asked for.
    value.value.as_mut_bytes()[4..8].copy_from_slice(&guest.value.as_bytes()[4..8]);
    let result = call.make(thread, host::addr_mut(&mut value))?;
    let bytes = value.as_bytes();
    mem::write_bytes(arg.cast(), &bytes[..INFO_VALUE])?;
    let mut range = [0; 12];
    let filled = match value.r#type {
        BOOLEAN | INTEGER => {
            cut_longs(&bytes[INFO_VALUE..INFO_VALUE + 24], &mut range);
            &range[..]
        }
        INTEGER64 => &bytes[INFO_VALUE..INFO_VALUE + 24],
        ENUMERATED => &bytes[INFO_VALUE..INFO_VALUE + 88],
        _ => &[],
    };
    let at = u32::try_from(INFO_VALUE).ok().and_then(|value| arg.cast().byte_add(value)).ok_or(Errno::EFAULT)?;
    mem::write_bytes(at, filled)?;
    Ok(result)
}

/// `snd_ctl_elem_value` for reading and writing, by what kind of element it is (`ctl_elem_read_user` and `ctl_elem_write_user`).
fn element_value(thread: &mut Thread, call: Host, arg: GuestPtr<snd_ctl_elem_value::Guest32>) -> SysResult {
    /// Where `indirect` and `value` are.
    const INDIRECT: usize = 64;
    const VALUE32: u32 = 68;
    const VALUE64: usize = 72;
    let mut head = [0u8; INDIRECT + 4];
    if mem::read_bytes(arg.cast(), &mut head).is_err() {
        return call.make(thread, UNREADABLE);
    }
    let mut info = snd_ctl_elem_info::Host64::default();
    info.as_mut_bytes()[..INDIRECT].copy_from_slice(&head[..INDIRECT]);
    let asked = Host { number: number::SNDRV_CTL_IOCTL_ELEM_INFO, ..call }.make(thread, host::addr_mut(&mut info));
    if head[INDIRECT..] != [0; 4] && !matches!(asked, Err(Errno::ENOTTY | Errno::EBADF)) {
        return Err(Errno::EINVAL);
    }
    asked?;
    let count = usize::try_from(info.count).unwrap_or(usize::MAX);
    let longs = matches!(info.r#type, BOOLEAN | INTEGER);
    let size = match info.r#type {
        BOOLEAN | INTEGER | ENUMERATED => count.saturating_mul(4),
        INTEGER64 => count.saturating_mul(8),
        BYTES => 512,
        IEC958 => 176,
        _ => return Err(Errno::EINVAL),
    };
    let mut guest = Buf::<u8>::zeroed(size.min(512))?;
    let values = arg.byte_add(VALUE32).ok_or(Errno::EFAULT)?.cast();
    mem::read_bytes(values, &mut guest)?;
    let mut value = Buf::<u8>::zeroed(size_of::<snd_ctl_elem_value::Host64>())?;
    value[..INDIRECT].copy_from_slice(&head[..INDIRECT]);
    if longs {
        widen_longs(&guest, &mut value[VALUE64..]);
    } else {
        value[VALUE64..VALUE64 + guest.len()].copy_from_slice(&guest);
    }
    let result = call.make(thread, host::addr_mut(&mut *value))?;
    if longs {
        cut_longs(&value[VALUE64..], &mut guest);
    } else {
        let length = guest.len();
        guest.copy_from_slice(&value[VALUE64..VALUE64 + length]);
    }
    mem::write_bytes(values, &guest)?;
    Ok(result)
}

/// `snd_ctl_elem_add_compat`.
fn element_add(thread: &mut Thread, call: Host, arg: GuestPtr<snd_ctl_elem_info::Guest32>) -> SysResult {
    let Ok(guest) = mem::read(arg) else {
        return call.make(thread, UNREADABLE);
    };
    let mut value = guest.widen();
    if matches!(guest.r#type, BOOLEAN | INTEGER) {
        widen_longs(guest.value.as_bytes(), &mut value.value.as_mut_bytes()[..24]);
    }
    call.make(thread, host::addr_mut(&mut value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_guests_boundary_divides_the_hosts() {
        for size in [1, 2, 3, 1000, 4096, 5513, 65_535, 1 << 20, 0x2aaa_aaab, 0x4000_0000] {
            let (guest, host) = (boundary(size, 0x7fff_ffff), boundary(size, 0x7fff_ffff_ffff_ffff));
            assert_eq!(host % guest, 0, "{size}");
            assert!((SMALL..=0x7fff_ffff).contains(&guest), "{size}: {guest}");
        }
    }

    #[test]
    fn a_position_of_the_guest_is_the_one_next_to_where_the_stream_is() {
        let boundaries = Boundaries { guest: boundary(1000, 0x7fff_ffff), host: boundary(1000, 0x7fff_ffff_ffff_ffff) };
        let (guest, host) = (boundaries.guest, boundaries.host);
        // Ahead, behind, over the guest's boundary in both directions, and over the host's.
        assert_eq!(nearest(5000, 5600, boundaries), 5600);
        assert_eq!(nearest(5000, 4000, boundaries), 4000);
        assert_eq!(nearest(guest - 10, 20, boundaries), guest + 20);
        assert_eq!(nearest(3 * guest + 10, guest - 20, boundaries), 3 * guest - 20);
        assert_eq!(nearest(host - 10, 20, boundaries), 20);
        assert_eq!(nearest(10, guest - 20, boundaries), host - 20);
        assert_eq!(nearest(10, guest, boundaries), u64::MAX);
    }
}
