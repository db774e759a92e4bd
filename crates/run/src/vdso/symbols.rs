//! The dynamic symbols of a vDSO in memory, the kernel's 32- or 64-bit one or our own (System V gABI, chapters 4 and 5).

use abi::Errno;

/// A function in a vDSO.
#[derive(Clone, Copy)]
pub(crate) struct Symbol {
    pub(crate) address: u64,
    pub(crate) length: u64,
}

/// Where things are in the two classes of ELF files.
struct Layout {
    wide: bool,
    phoff: u64,
    phnum: u64,
    program_header: u64,
    p_offset: u64,
    p_vaddr: u64,
    symbol: u64,
    st_shndx: u64,
    st_value: u64,
    st_size: u64,
}

const ELF32: Layout = Layout {
    wide: false,
    phoff: 28,
    phnum: 44,
    program_header: 32,
    p_offset: 4,
    p_vaddr: 8,
    symbol: 16,
    st_shndx: 14,
    st_value: 4,
    st_size: 8,
};

const ELF64: Layout = Layout {
    wide: true,
    phoff: 32,
    phnum: 56,
    program_header: 56,
    p_offset: 8,
    p_vaddr: 16,
    symbol: 24,
    st_shndx: 6,
    st_value: 8,
    st_size: 16,
};

/// More symbols than any vDSO has.
const MOST: u64 = 256;

/// Calls `found` with each defined symbol of the image at `base` and its name, NUL included. `read` fetches bytes.
///
/// # Errors
/// `ENOEXEC` where the image is none, and what `read` fails with.
pub(super) fn each(
    base: u64,
    read: impl Fn(u64, &mut [u8]) -> Result<(), Errno>,
    mut found: impl FnMut(&[u8], Symbol),
) -> Result<(), Errno> {
    const PT_LOAD: u64 = 1;
    const PT_DYNAMIC: u64 = 2;
    const DT_HASH: u64 = 4;
    const DT_STRTAB: u64 = 5;
    const DT_SYMTAB: u64 = 6;
    let mut identification = [0; 5];
    read(base, &mut identification)?;
    let layout = match &identification {
        b"\x7fELF\x01" => ELF32,
        b"\x7fELF\x02" => ELF64,
        _ => return Err(Errno::ENOEXEC),
    };
    let number = |at: u64, size: usize| -> Result<u64, Errno> {
        let mut bytes = [0; 8];
        read(at, bytes.get_mut(..size).ok_or(Errno::ENOEXEC)?)?;
        Ok(u64::from_le_bytes(bytes))
    };
    let word_size = if layout.wide { 8 } else { 4 };
    let word = |at: u64| number(at, word_size);
    let headers = base.wrapping_add(word(base.wrapping_add(layout.phoff))?);
    let (mut bias, mut dynamic) = (base, None);
    for index in 0..number(base.wrapping_add(layout.phnum), 2)? {
        let header = headers.wrapping_add(index * layout.program_header);
        let offset = || word(header.wrapping_add(layout.p_offset));
        match number(header, 4)? {
            // Kernels before 3.16 linked theirs at a high address.
            PT_LOAD => bias = base.wrapping_add(offset()?).wrapping_sub(word(header.wrapping_add(layout.p_vaddr))?),
            PT_DYNAMIC => dynamic = Some(base.wrapping_add(offset()?)),
            _ => {}
        }
    }
    let mut at = dynamic.ok_or(Errno::ENOEXEC)?;
    let (mut symbols, mut strings, mut count) = (None, None, None);
    loop {
        let (tag, value) = (word(at)?, bias.wrapping_add(word(at.wrapping_add(word_size as u64))?));
        match tag {
            0 => break,
            DT_HASH => count = Some(number(value.wrapping_add(4), 4)?),
            DT_STRTAB => strings = Some(value),
            DT_SYMTAB => symbols = Some(value),
            _ => {}
        }
        at = at.wrapping_add(2 * word_size as u64);
    }
    let (symbols, strings) = (symbols.ok_or(Errno::ENOEXEC)?, strings.ok_or(Errno::ENOEXEC)?);
    // With DT_GNU_HASH alone: the string table directly follows the symbols.
    let count = count.unwrap_or_else(|| strings.saturating_sub(symbols) / layout.symbol).min(MOST);
    for index in 0..count {
        let symbol = symbols.wrapping_add(index * layout.symbol);
        if number(symbol.wrapping_add(layout.st_shndx), 2)? == 0 {
            continue;
        }
        let mut name = [0; 32];
        let start = strings.wrapping_add(number(symbol, 4)?);
        let Some(name) = string(&read, start, &mut name) else { continue };
        let address = bias.wrapping_add(word(symbol.wrapping_add(layout.st_value))?);
        found(name, Symbol { address, length: word(symbol.wrapping_add(layout.st_size))? });
    }
    Ok(())
}

/// The string at `at` with its NUL, if it fits.
fn string(read: impl Fn(u64, &mut [u8]) -> Result<(), Errno>, at: u64, out: &mut [u8]) -> Option<&[u8]> {
    for index in 0..out.len() {
        let byte = out.get_mut(index..=index)?;
        read(at.wrapping_add(index as u64), byte).ok()?;
        if byte == [0] {
            return out.get(..=index);
        }
    }
    None
}
