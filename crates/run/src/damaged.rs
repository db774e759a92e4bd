//! For fuzz: what reads bytes of strangers and needs no program in memory to do so.

use crate::loader::elf32;
use crate::process_view::PATH_MAX;
use crate::seccomp::bpf;
use crate::signal::xstate;
use crate::switch::decode;
use abi::structs::security::sock_filter;

/// Reads what the loader reads of a file, and looks at where its segments would be, with `bias` added: whether it would be mapped.
///
/// # Panics
/// Where the loader would map pages outside of those that it has reserved.
#[must_use]
pub fn program(fd: i32, bias: u32) -> bool {
    let Ok(elf) = elf32::read(fd) else { return false };
    let _ = (elf.alignment(), elf.read_implies_exec(), elf.stack_is_executable(), elf.is_position_independent());
    let _ = elf.interpreter(fd, &mut [0; PATH_MAX]).is_ok();
    let Ok((low, high)) = elf32::check(&elf) else { return false };
    let bias = if elf.is_position_independent() { elf32::floor(bias) } else { 0 };
    // As where they are reserved: from the first page on, without a way around the end of the address space.
    let Some((start, end)) = low.checked_add(bias).zip(high.checked_add(bias)) else { return false };
    for pages in elf.pages(bias) {
        assert!(start <= pages.start && pages.start <= pages.file_end && pages.file_end <= pages.end && pages.end <= end);
    }
    true
}

/// What a guest's filter says of a system call, if it may be installed. `code`: its instructions, 8 bytes each.
#[must_use]
pub fn filter(code: &[sock_filter::Guest32], data: &[u32; bpf::DATA]) -> Option<u32> {
    bpf::is_valid(code).then(|| bpf::run(code, data))
}

/// Walks over machine code from its first instruction on: how far it gets.
///
/// # Panics
/// Where an instruction has no length, or more bytes than there are.
#[must_use]
pub fn code(bytes: &[u8]) -> usize {
    let mut at = 0;
    while let Some(instruction) = decode::decode(&bytes[at..]) {
        assert!(instruction.length > 0 && at + instruction.length <= bytes.len());
        at += instruction.length;
    }
    at
}

/// The registers of a signal frame that a handler has written over: `image` has the length of [`frame_length`], and may be whole or not.
///
/// # Panics
/// Where something is left that the processor would reject.
pub fn frame(image: &mut [u8], fsave: &mut [u8; xstate::FSAVE_LENGTH]) {
    let whole = image.first_chunk().is_some_and(xstate::whole_image);
    xstate::from_frame(image, fsave, whole);
    assert!(is_loadable(image), "the processor would not load it");
    xstate::to_frame(image, fsave);
}

/// Whether `xrstor` takes it (Intel SDM vol. 1, 13.8): nothing in mxcsr or among the components that there is not, and zero where
/// nothing may be.
fn is_loadable(image: &[u8]) -> bool {
    let word = |at: usize| u32::from_le_bytes([image[at], image[at + 1], image[at + 2], image[at + 3]]);
    let components = u64::from(word(512)) | u64::from(word(516)) << 32;
    word(24) & 0xffff_0000 == 0 && components & !xstate::features() == 0 && image[520..576].iter().all(|byte| *byte == 0)
}

/// How long the image of [`frame`] is, with what is behind it; `None` where there is no xsave.
#[must_use]
pub fn frame_length() -> Option<usize> {
    xstate::detect().then(|| xstate::length() + xstate::MAGIC2_LENGTH)
}
