//! The floating-point and vector state: its image in memory, and its form in an i386 signal frame.
//!
//! The image is what `xsave` writes (Intel SDM vol. 1, 13.4). A signal frame of i386 has the old 108-byte `fsave` form in front
//! of it, which wins on return (`arch/x86/kernel/fpu/regset.c`, `convert_to_fxsr`).

use core::arch::x86_64::{__cpuid, __cpuid_count, _xgetbv, _xrstor, _xsave};
use core::sync::atomic::{AtomicU32, Ordering};

/// x87, SSE, AVX, opmasks and both halves of AVX-512. Protection keys and AMX tiles belong to the host's side.
const WANTED: u64 = 0b1110_0111;

/// The components that are saved: `WANTED` as far as the kernel has enabled them.
static FEATURES: AtomicU32 = AtomicU32::new(3);
/// Length of the image in bytes.
static LENGTH: AtomicU32 = AtomicU32::new(576);

/// The saved components, as bits of XCR0.
pub(crate) fn features() -> u64 {
    u64::from(FEATURES.load(Ordering::Relaxed))
}

/// Length of the image in bytes.
pub(crate) fn length() -> usize {
    LENGTH.load(Ordering::Relaxed) as usize
}

/// Looks what the processor has. False where it has no `xsave`, which every x86-64-v2 processor in use has.
#[allow(unused_unsafe)] // cpuid is a safe function from Rust 1.87 on
pub(crate) fn detect() -> bool {
    const OSXSAVE: u32 = 1 << 27;
    // SAFETY: every x86-64 processor has cpuid.
    let osxsave = unsafe { __cpuid(1) }.ecx & OSXSAVE != 0;
    if !osxsave {
        return false;
    }
    // SAFETY: OSXSAVE says that xgetbv may be used.
    let features = unsafe { enabled() } & WANTED;
    let mut length = 576;
    for component in 2..8 {
        if features & 1 << component != 0 {
            // SAFETY: leaf 0xd exists where xsave does.
            let leaf = unsafe { __cpuid_count(0xd, component) };
            length = length.max(leaf.ebx.saturating_add(leaf.eax));
        }
    }
    FEATURES.store(crate::host::low(features), Ordering::Relaxed);
    LENGTH.store(length, Ordering::Relaxed);
    const XGETBV1: u32 = 1 << 2;
    // SAFETY: leaf 0xd exists where xsave does.
    let can_tell = unsafe { __cpuid_count(0xd, 1) }.eax & XGETBV1 != 0;
    // Without xgetbv(1) nobody can tell what is in use, and saving it all would be slow: so were those processors.
    let vectors = if can_tell { crate::host::low(features) & 0x64 } else { 0 };
    super::super::switch::entry::VECTOR_FEATURES.store(vectors, Ordering::Relaxed);
    true
}

#[target_feature(enable = "xsave")]
unsafe fn enabled() -> u64 {
    // SAFETY: the caller has looked at OSXSAVE.
    unsafe { _xgetbv(0) }
}

/// Loads the whole state from the image.
pub(crate) unsafe extern "C" fn load_image(image: *const u8) {
    // SAFETY: the image is 64-byte aligned and at least `length()` long, its header has been checked, and the processor has
    // xsave, or the guest would not have been started.
    unsafe { xrstor(image) }
}

/// Saves the whole state to the image.
pub(crate) unsafe extern "C" fn store_image(image: *mut u8) {
    // SAFETY: as above.
    unsafe { xsave(image) }
}

#[target_feature(enable = "xsave")]
unsafe fn xrstor(image: *const u8) {
    // SAFETY: the caller vouches for the image.
    unsafe { _xrstor(image, features()) }
}

#[target_feature(enable = "xsave")]
unsafe fn xsave(image: *mut u8) {
    // SAFETY: the caller vouches for the image.
    unsafe { _xsave(image, features()) }
}

/// Offsets in the image (Intel SDM vol. 1, table 10-2 and 13.4.2).
mod offset {
    pub(super) const FCW: usize = 0;
    pub(super) const FSW: usize = 2;
    pub(super) const FTW: usize = 4;
    pub(super) const FOP: usize = 6;
    pub(super) const FIP: usize = 8;
    pub(super) const FCS: usize = 12;
    pub(super) const FDP: usize = 16;
    pub(super) const FDS: usize = 20;
    pub(super) const MXCSR: usize = 24;
    pub(super) const ST: usize = 32;
    /// `struct _fpx_sw_bytes`, in the part of the image that the processor leaves to software.
    pub(super) const SOFTWARE: usize = 464;
    pub(super) const HEADER: usize = 512;
}

/// Makes the image that of a fresh program: every component in its initial state.
pub(crate) fn initialise(image: &mut [u8]) {
    image[..offset::HEADER + 64].fill(0);
    put16(image, offset::FCW, 0x37f);
    put32(image, offset::MXCSR, 0x1f80);
}

fn get16(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}
fn get32(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}
fn put16(bytes: &mut [u8], at: usize, value: u16) {
    bytes[at..at + 2].copy_from_slice(&value.to_le_bytes());
}
fn put32(bytes: &mut [u8], at: usize, value: u32) {
    bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
}
fn put64(bytes: &mut [u8], at: usize, value: u64) {
    bytes[at..at + 8].copy_from_slice(&value.to_le_bytes());
}

/// Length of the `fsave` form in front of the image, `struct _fpstate_32` without the extended part.
pub(crate) const FSAVE_LENGTH: usize = 112;
const MAGIC1: u32 = 0x4650_5853;
const MAGIC2: u32 = 0x4650_5845;
/// Length of the number behind the image that says that the image is whole.
pub(crate) const MAGIC2_LENGTH: usize = 4;
/// `X86_FXSR_MAGIC`: the extended state follows.
const FXSR_MAGIC: u16 = 0;

/// The tag of each x87 register as `fsave` has it: 0 valid, 1 zero, 2 special, 3 empty (Intel SDM vol. 1, 8.1.7).
fn full_tags(image: &[u8]) -> u16 {
    let top = usize::from(get16(image, offset::FSW) >> 11 & 7);
    let mut tags = 0;
    for register in 0..8 {
        let in_use = image[offset::FTW] & 1 << register != 0;
        let at = offset::ST + ((register + 8 - top) & 7) * 16;
        let (mantissa_low, mantissa_high) = (get32(image, at), get32(image, at + 4));
        let exponent = get16(image, at + 8) & 0x7fff;
        let tag = match exponent {
            _ if !in_use => 3,
            0x7fff => 2,
            0 if mantissa_low == 0 && mantissa_high == 0 => 1,
            0 => 2,
            _ if mantissa_high & 1 << 31 != 0 => 0,
            _ => 2,
        };
        tags |= tag << (2 * register);
    }
    tags
}

/// Writes the signal frame's header for `image` to `fsave`, and prepares the image's own software bytes.
pub(crate) fn to_frame(image: &mut [u8], fsave: &mut [u8; FSAVE_LENGTH]) {
    let (cw, sw) = (get16(image, offset::FCW), get16(image, offset::FSW));
    put32(fsave, 0, u32::from(cw) | 0xffff_0000);
    put32(fsave, 4, u32::from(sw) | 0xffff_0000);
    put32(fsave, 8, u32::from(full_tags(image)) | 0xffff_0000);
    put32(fsave, 12, get32(image, offset::FIP));
    put32(fsave, 16, u32::from(get16(image, offset::FCS)) | u32::from(get16(image, offset::FOP)) << 16);
    put32(fsave, 20, get32(image, offset::FDP));
    put32(fsave, 24, u32::from(get16(image, offset::FDS)) | 0xffff_0000);
    for register in 0..8 {
        let from = offset::ST + register * 16;
        fsave[28 + register * 10..][..10].copy_from_slice(&image[from..from + 10]);
    }
    put16(fsave, 108, sw);
    put16(fsave, 110, FXSR_MAGIC);

    let image_length = length();
    let extended = u32::try_from(FSAVE_LENGTH + image_length + MAGIC2_LENGTH).unwrap_or(0);
    put32(image, offset::SOFTWARE, MAGIC1);
    put32(image, offset::SOFTWARE + 4, extended);
    put64(image, offset::SOFTWARE + 8, features());
    put32(image, offset::SOFTWARE + 16, LENGTH.load(Ordering::Relaxed));
    put32(image, image_length, MAGIC2);
}

/// How much of a frame's extended state is the whole image, judged by its software bytes (`check_xstate_in_sigframe`): the
/// image's length, or `None` where there is only the 512-byte part.
pub(crate) fn whole_image(legacy: &[u8; 512]) -> bool {
    let magic = get32(legacy, offset::SOFTWARE);
    let extended = get32(legacy, offset::SOFTWARE + 4) as usize;
    let image_length = get32(legacy, offset::SOFTWARE + 16) as usize;
    magic == MAGIC1 && image_length == length() && extended > image_length
}

/// Whether the number behind the image is there.
pub(crate) fn is_magic2(bytes: [u8; 4]) -> bool {
    u32::from_le_bytes(bytes) == MAGIC2
}

/// Takes over an image that the guest's handler may have changed: the x87 part comes from the `fsave` form, and whatever the
/// processor would reject is cleared. `whole`: the image has its extended part.
pub(crate) fn from_frame(image: &mut [u8], fsave: &[u8; FSAVE_LENGTH], whole: bool) {
    if whole {
        let present = u64::from(get32(image, offset::HEADER)) & features();
        put64(image, offset::HEADER, present | 3);
        // The compaction field and all reserved ones must be zero.
        image[offset::HEADER + 8..offset::HEADER + 64].fill(0);
    } else {
        image[offset::HEADER..offset::HEADER + 64].fill(0);
        put64(image, offset::HEADER, 3);
    }
    let mxcsr = get32(image, offset::MXCSR) & 0xffff;
    put32(image, offset::MXCSR, mxcsr);
    put16(image, offset::FCW, get16(fsave, 0));
    put16(image, offset::FSW, get16(fsave, 4));
    let tags = get16(fsave, 8);
    let mut in_use = 0;
    for register in 0..8 {
        if tags >> (2 * register) & 3 != 3 {
            in_use |= 1 << register;
        }
    }
    image[offset::FTW] = in_use;
    put16(image, offset::FOP, get16(fsave, 18));
    put32(image, offset::FIP, get32(fsave, 12));
    put32(image, offset::FCS, u32::from(get16(fsave, 16)));
    put32(image, offset::FDP, get32(fsave, 20));
    put32(image, offset::FDS, u32::from(get16(fsave, 24)));
    for register in 0..8 {
        let to = offset::ST + register * 16;
        image[to..to + 10].copy_from_slice(&fsave[28 + register * 10..][..10]);
    }
}

/// Where the part of the image is that belongs to software.
pub(crate) const SOFTWARE: usize = offset::SOFTWARE;

/// Where a component of the image is: offset and length.
#[allow(unused_unsafe)] // cpuid is a safe function from Rust 1.87 on
pub(crate) fn component(number: u32) -> core::ops::Range<usize> {
    // SAFETY: leaf 0xd exists where xsave does.
    let leaf = unsafe { __cpuid_count(0xd, number) };
    let start = leaf.ebx as usize;
    start..start + leaf.eax as usize
}

fn get64(bytes: &[u8], at: usize) -> u64 {
    u64::from(get32(bytes, at)) | u64::from(get32(bytes, at + 4)) << 32
}

/// Puts the components of `image` into `whole`, which has the processor's others, as the kernel shows them: a component in its
/// initial state is zero.
pub(crate) fn overlay(whole: &mut [u8], image: &[u8]) {
    let present = get64(image, offset::HEADER) & features();
    let others = get64(whole, offset::HEADER) & !features();
    whole[..offset::SOFTWARE].copy_from_slice(&image[..offset::SOFTWARE]);
    put64(whole, offset::HEADER, present | others);
    for number in (2..8).filter(|number| features() & 1 << number != 0) {
        let range = component(number);
        if present & 1 << number != 0 {
            whole[range.clone()].copy_from_slice(&image[range]);
        } else {
            whole[range].fill(0);
        }
    }
}

/// Puts the guest's vector registers into `whole`, where those of the supervisor are.
pub(crate) fn overlay_vectors(whole: &mut [u8], registers: &[[u64; 8]; 8], opmasks: &[u64; 8], in_use: u32) {
    const XMM: usize = 160;
    const SSE: u64 = 2;
    const CHANGED: u64 = 0x66;
    const AVX: u32 = 4;
    const OPMASKS: u32 = 0x20;
    const ZMM: u32 = 0x40;
    let has = |bit: u32| features() & u64::from(bit) != 0;
    for (index, register) in registers.iter().enumerate() {
        put64(whole, XMM + 16 * index, register[0]);
        put64(whole, XMM + 16 * index + 8, register[1]);
        if has(AVX) {
            let at = component(2).start + 16 * index;
            let live = in_use & (AVX | ZMM) != 0;
            put64(whole, at, if live { register[2] } else { 0 });
            put64(whole, at + 8, if live { register[3] } else { 0 });
        }
        if has(ZMM) {
            let at = component(6).start + 32 * index;
            for (word, &value) in register[4..].iter().enumerate() {
                put64(whole, at + 8 * word, if in_use & ZMM != 0 { value } else { 0 });
            }
        }
        if has(OPMASKS) {
            put64(whole, component(5).start + 8 * index, if in_use & OPMASKS != 0 { opmasks[index] } else { 0 });
        }
    }
    let present = get64(whole, offset::HEADER) & !(CHANGED & features());
    put64(whole, offset::HEADER, present | SSE | u64::from(in_use & (AVX | OPMASKS | ZMM)));
}

/// Makes `image` what of `whole` it holds, without what the processor would reject.
pub(crate) fn take(image: &mut [u8], whole: &[u8]) {
    let length = image.len();
    image.copy_from_slice(&whole[..length]);
    let mxcsr = get32(image, offset::MXCSR) & 0xffff;
    put32(image, offset::MXCSR, mxcsr);
    let present = get64(image, offset::HEADER) & features();
    image[offset::HEADER..offset::HEADER + 64].fill(0);
    // The part that is always there is loaded, whatever its bits say of it.
    put64(image, offset::HEADER, present | 3);
}

/// Sets the x87 part from its `fsave` form.
pub(crate) fn set_fsave(whole: &mut [u8], fsave: &[u8; FSAVE_LENGTH]) {
    let others = get64(whole, offset::HEADER) & !features();
    from_frame(whole, fsave, true);
    let present = get64(whole, offset::HEADER);
    put64(whole, offset::HEADER, present | others);
}

/// Sets the 512 bytes of `fxsave`.
///
/// # Errors
/// `EINVAL` where bits of mxcsr are set that do not exist.
pub(crate) fn set_fxsave(whole: &mut [u8], fxsave: &[u8]) -> Result<(), abi::Errno> {
    if get32(fxsave, offset::MXCSR) & 0xffff_0000 != 0 {
        return Err(abi::Errno::EINVAL);
    }
    whole[..offset::SOFTWARE].copy_from_slice(&fxsave[..offset::SOFTWARE]);
    let present = get64(whole, offset::HEADER);
    put64(whole, offset::HEADER, present | 3);
    Ok(())
}
