//! The floating-point and vector registers of a thread: as `xsave` writes them (Intel SDM vol. 1, 13.4), and as i386 has them.

use crate::Error;
use crate::host::{self, Dump};
use abi::dump::Description;
use elf::Source;

/// Length of what `fxsave` writes, and of `struct user_fxsr_struct`.
const FXSAVE: usize = 512;
/// Length of `struct user_i387_struct` of i386.
pub(crate) const FSAVE: usize = 108;
/// What is not the processor's in the 512 bytes begins here.
const SOFTWARE: usize = 416;
/// `XSTATE_BV`: which components are not in their initial state.
const HEADER: usize = 512;
const XMM: usize = 160;
/// The largest image that a processor writes: that of AMX is 11 KiB.
const MOST: u32 = 64 << 10;

/// Bits of XCR0, and numbers of components.
const AVX: u32 = 4;
const OPMASKS: u32 = 0x20;
const ZMM: u32 = 0x40;
const AVX_COMPONENT: usize = 2;
const OPMASK_COMPONENT: usize = 5;
const ZMM_COMPONENT: usize = 6;
const HIGH_ZMM_COMPONENT: usize = 7;

/// What the block of a thread has of them.
pub(crate) enum Saved {
    /// All, as `xsave` writes them.
    Image(Vec<u8>),
    /// The vector registers that calls may change: eight of 64 bytes, the opmasks, and which parts were in use.
    Vectors(Vec<u8>, u32),
}

impl Saved {
    /// Reads them; `None` where they are not in the dump.
    pub(crate) fn read<S: Source + ?Sized>(
        dump: &Dump<'_, S>,
        block: u64,
        description: &Description,
    ) -> Result<Option<Self>, Error> {
        const VECTORS: u32 = 8 * 64 + 8 * 8;
        let word = |offset: u32| dump.value::<u32>(block + u64::from(offset));
        let Some(image_valid) = word(description.image_valid)? else { return Ok(None) };
        let [offset, length] = description.image;
        let (offset, length) = if image_valid != 0 { (offset, length) } else { (description.vectors, VECTORS) };
        if length > MOST {
            return Ok(None);
        }
        let mut bytes = vec![0; length as usize];
        if !dump.memory(block + u64::from(offset), &mut bytes)? {
            return Ok(None);
        }
        if image_valid != 0 {
            return Ok(Some(Self::Image(bytes)));
        }
        Ok(word(description.vectors_in_use)?.map(|in_use| Self::Vectors(bytes, in_use)))
    }
}

/// The registers of one thread.
pub(crate) struct State {
    /// As `xsave` writes them, or the first 512 bytes only; empty where there are none.
    bytes: Vec<u8>,
    whole: bool,
}

fn get<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    bytes.get(at..at + N).and_then(|part| part.try_into().ok()).unwrap_or([0; N])
}

/// What does not fit is not there.
fn put(bytes: &mut [u8], at: usize, value: &[u8]) {
    if let Some(part) = at.checked_add(value.len()).and_then(|end| bytes.get_mut(at..end)) {
        part.copy_from_slice(value);
    }
}

fn clear(bytes: &mut [u8], at: usize, length: usize) {
    if let Some(part) = at.checked_add(length).and_then(|end| bytes.get_mut(at..end)) {
        part.fill(0);
    }
}

impl State {
    /// Those of `thread`, of which the block has `saved`.
    pub(crate) fn new(thread: &host::Thread, description: &Description, saved: Option<&Saved>) -> Self {
        let whole = thread.xstate.as_ref().is_some_and(|state| state.len() > HEADER + 64);
        let bytes = if whole { thread.xstate.clone() } else { thread.fxsave.clone().filter(|state| state.len() == FXSAVE) };
        let mut state = Self { bytes: bytes.unwrap_or_default(), whole };
        match saved {
            Some(Saved::Image(image)) => state.take_image(image, description),
            Some(Saved::Vectors(registers, in_use)) => state.take_vectors(registers, *in_use, description),
            None => {}
        }
        state.only_eight(description);
        state
    }

    fn component(description: &Description, number: usize) -> (usize, usize) {
        let component = description.components.get(number).copied().unwrap_or_default();
        (component.offset as usize, component.length as usize)
    }

    fn present(&self) -> u64 {
        u64::from_le_bytes(get(&self.bytes, HEADER))
    }

    fn set_present(&mut self, present: u64) {
        put(&mut self.bytes, HEADER, &present.to_le_bytes());
    }

    /// Those of the supervisor's time are the image's.
    fn take_image(&mut self, image: &[u8], description: &Description) {
        let features = u64::from(description.features);
        if let Some(legacy) = image.get(..SOFTWARE) {
            put(&mut self.bytes, 0, legacy);
        }
        if !self.whole {
            return;
        }
        let present = u64::from_le_bytes(get(image, HEADER)) & features;
        self.set_present(self.present() & !features | present);
        for number in (2..abi::dump::COMPONENTS).filter(|number| features & 1 << number != 0) {
            let (offset, length) = Self::component(description, number);
            match offset.checked_add(length).and_then(|end| image.get(offset..end)) {
                Some(part) if present & 1 << number != 0 => put(&mut self.bytes, offset, part),
                _ => clear(&mut self.bytes, offset, length),
            }
        }
    }

    /// The vector registers are the saved ones; the supervisor leaves the others alone.
    fn take_vectors(&mut self, saved: &[u8], in_use: u32, description: &Description) {
        const SSE: u64 = 2;
        let [avx, opmasks, zmm] =
            [AVX_COMPONENT, OPMASK_COMPONENT, ZMM_COMPONENT].map(|number| Self::component(description, number).0);
        let has = |bit: u32| description.features & bit != 0;
        let live = |bits: u32, value: &[u8], zero: &'static [u8]| if in_use & bits != 0 { value.to_vec() } else { zero.to_vec() };
        for index in 0..8 {
            let register: [u8; 64] = get(saved, 64 * index);
            put(&mut self.bytes, XMM + 16 * index, &register[..16]);
            if !self.whole {
                continue;
            }
            if has(AVX) {
                put(&mut self.bytes, avx + 16 * index, &live(AVX | ZMM, &register[16..32], &[0; 16]));
            }
            if has(ZMM) {
                put(&mut self.bytes, zmm + 32 * index, &live(ZMM, &register[32..], &[0; 32]));
            }
            if has(OPMASKS) {
                put(&mut self.bytes, opmasks + 8 * index, &live(OPMASKS, &get::<8>(saved, 512 + 8 * index), &[0; 8]));
            }
        }
        if self.whole {
            let changed = u64::from((2 | AVX | OPMASKS | ZMM) & description.features);
            let used = u64::from(in_use & (AVX | OPMASKS | ZMM));
            self.set_present(self.present() & !changed | SSE | used);
        }
    }

    /// i386 has eight vector registers: what the others hold is biarch's.
    fn only_eight(&mut self, description: &Description) {
        clear(&mut self.bytes, XMM + 8 * 16, SOFTWARE - XMM - 8 * 16);
        if !self.whole {
            return;
        }
        for (number, register) in [(AVX_COMPONENT, 16), (ZMM_COMPONENT, 32)] {
            let (offset, length) = Self::component(description, number);
            if length == 16 * register {
                clear(&mut self.bytes, offset + 8 * register, 8 * register);
            }
        }
        let (offset, length) = Self::component(description, HIGH_ZMM_COMPONENT);
        clear(&mut self.bytes, offset, length);
        self.set_present(self.present() & !(1 << HIGH_ZMM_COMPONENT));
    }

    /// `NT_X86_XSTATE`.
    pub(crate) fn xstate(&self) -> Option<&[u8]> {
        self.whole.then_some(&self.bytes)
    }

    /// `NT_PRXFPREG`.
    pub(crate) fn fxsave(&self) -> Option<[u8; FXSAVE]> {
        let mut bytes: [u8; FXSAVE] = self.bytes.get(..FXSAVE)?.try_into().ok()?;
        bytes[SOFTWARE..].fill(0);
        Some(bytes)
    }

    /// `NT_FPREGSET`, in the form of `fsave` (`__convert_from_fxsr` in arch/x86/kernel/fpu/regset.c).
    pub(crate) fn fsave(&self, cs: u32, ds: u32) -> Option<[u8; FSAVE]> {
        const HIGH: u32 = 0xffff_0000;
        let image = self.fxsave()?;
        let half = |at: usize| u32::from(u16::from_le_bytes(get(&image, at)));
        let word = |at: usize| u32::from_le_bytes(get(&image, at));
        let words = [half(0) | HIGH, half(2) | HIGH, u32::from(tags(&image)) | HIGH, word(8), cs, word(16), ds | HIGH];
        let mut fsave = [0; FSAVE];
        for (index, word) in words.iter().enumerate() {
            put(&mut fsave, 4 * index, &word.to_le_bytes());
        }
        for register in 0..8 {
            put(&mut fsave, 28 + 10 * register, &get::<10>(&image, 32 + 16 * register));
        }
        Some(fsave)
    }
}

/// The tag of each x87 register as `fsave` has it: 0 valid, 1 zero, 2 special, 3 empty (Intel SDM vol. 1, 8.1.7).
fn tags(image: &[u8; FXSAVE]) -> u16 {
    let top = usize::from(u16::from_le_bytes(get(image, 2)) >> 11 & 7);
    let mut tags = 0;
    for register in 0..8 {
        let at = 32 + ((register + 8 - top) & 7) * 16;
        let mantissa = u64::from_le_bytes(get(image, at));
        let exponent = u16::from_le_bytes(get(image, at + 8)) & 0x7fff;
        let tag = match exponent {
            _ if image[4] & 1 << register == 0 => 3,
            0 if mantissa == 0 => 1,
            1..0x7fff if mantissa >> 63 != 0 => 0,
            _ => 2,
        };
        tags |= tag << (2 * register);
    }
    tags
}
