//! How kernels and archives are compressed, and reading what is inside. What unpacking takes in memory is limited, whatever the
//! data say; how much there is to read is not, and is for the caller to limit.

use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::io::{self, BufRead, Read};

/// Memory that a zstd frame may ask for, in bytes: kernels are packed with `zstd -22 --ultra`, whose window has 128 MiB.
const MAX_ZSTD_WINDOW: u64 = 160 << 20;
/// Memory that an xz stream may ask for, in KiB: kernels are packed with a dictionary of 128 MiB.
const MAX_XZ_KIB: u32 = 160 << 10;
/// A block of the legacy frame of lz4, unpacked, in bytes.
const LZ4_BLOCK: usize = 8 << 20;
/// A block of lzop, in bytes: `MAX_BLOCK_SIZE` of lzop, which makes blocks of 256 KiB.
const MAX_LZO_BLOCK: usize = 64 << 20;
/// What is unpacked of a zstd frame at a time, in bytes.
const ZSTD_PIECE: usize = 1 << 20;

/// How a kernel image, a part of it, or an archive is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// gzip, RFC 1952
    Gzip,
    /// The xz format
    Xz,
    /// Zstandard, RFC 8878
    Zstd,
    /// The frame of lz4 that `lz4` makes.
    Lz4,
    /// The legacy frame of lz4, which is what `CONFIG_KERNEL_LZ4` makes.
    Lz4Legacy,
    /// The format of `lzma` and of LZMA Utils
    Lzma,
    /// lzop
    Lzo,
    /// bzip2
    Bzip2,
}

/// What is behind the first of several streams in one file, all compressed alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Members {
    /// Something else, which is not read.
    First,
    /// More of the same, as in what `cat a.gz b.gz` makes.
    All,
}

impl Compression {
    /// What people call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Xz => "xz",
            Self::Zstd => "zstd",
            Self::Lz4 | Self::Lz4Legacy => "lz4",
            Self::Lzma => "lzma",
            Self::Lzo => "lzo",
            Self::Bzip2 => "bzip2",
        }
    }

    /// What the first bytes say.
    #[must_use]
    pub fn of(contents: &[u8]) -> Option<Self> {
        MAGIC.iter().find(|(magic, _)| contents.starts_with(magic)).map(|(_, compression)| *compression)
    }
}

pub(crate) const MAGIC: &[(&[u8], Compression)] = &[
    (b"\x1f\x8b\x08", Compression::Gzip),
    (b"\xfd7zXZ\0", Compression::Xz),
    (b"\x28\xb5\x2f\xfd", Compression::Zstd),
    (b"\x04\x22\x4d\x18", Compression::Lz4),
    (b"\x02\x21\x4c\x18", Compression::Lz4Legacy),
    (b"\x5d\0\0\0", Compression::Lzma),
    (b"\x5d\0\0\x80", Compression::Lzma),
    (b"\x89LZO\0\r\n\x1a\n", Compression::Lzo),
    (b"BZh", Compression::Bzip2),
];

/// Reads what `packed` unpacks to.
///
/// # Errors
/// Where already the beginning cannot be unpacked, or asks for more memory than any kernel or archive does. Reading fails
/// where the rest is damaged.
pub fn reader<'a>(mut packed: impl BufRead + 'a, compression: Compression, members: Members) -> io::Result<Box<dyn Read + 'a>> {
    let all = members == Members::All;
    Ok(match compression {
        Compression::Gzip if all => Box::new(flate2::bufread::MultiGzDecoder::new(packed)),
        Compression::Gzip => Box::new(flate2::bufread::GzDecoder::new(packed)),
        Compression::Xz => Box::new(lzma_rust2::XzReader::new_mem_limit(packed, all, MAX_XZ_KIB)),
        Compression::Lzma => Box::new(lzma_rust2::LzmaReader::new_mem_limit(packed, MAX_XZ_KIB, None)?),
        Compression::Zstd => {
            let mut decoder = FrameDecoder::new();
            zstd_frame(&mut packed, &mut decoder)?;
            Box::new(Blocks::new(move |block| zstd(&mut packed, &mut decoder, all, block)))
        }
        Compression::Lz4 => Box::new(lz4_flex::frame::FrameDecoder::new(packed)),
        Compression::Lz4Legacy => {
            packed.read_exact(&mut [0; 4])?;
            Box::new(Blocks::new(move |block| lz4_block(&mut packed, block)))
        }
        Compression::Lzo => {
            let checksums = lzop_header(&mut packed)?;
            Box::new(Blocks::new(move |block| lzo_block(&mut packed, checksums, block)))
        }
        Compression::Bzip2 if all => Box::new(bzip2::bufread::MultiBzDecoder::new(packed)),
        Compression::Bzip2 => Box::new(bzip2::bufread::BzDecoder::new(packed)),
    })
}

fn damaged(why: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

/// What is unpacked block by block. `next` puts the next block into what it gets, and leaves it empty at the end.
struct Blocks<F> {
    next: F,
    block: Vec<u8>,
    at: usize,
}

impl<F: FnMut(&mut Vec<u8>) -> io::Result<()>> Blocks<F> {
    fn new(next: F) -> Self {
        Self { next, block: Vec::new(), at: 0 }
    }
}

impl<F: FnMut(&mut Vec<u8>) -> io::Result<()>> Read for Blocks<F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at >= self.block.len() {
            self.at = 0;
            self.block.clear();
            (self.next)(&mut self.block)?;
        }
        let count = self.block.get(self.at..).unwrap_or_default().read(buffer)?;
        self.at += count;
        Ok(count)
    }
}

/// A number of 4 bytes, or nothing at the end.
fn number(packed: &mut impl Read) -> io::Result<Option<[u8; 4]>> {
    let mut field = Vec::new();
    packed.take(4).read_to_end(&mut field)?;
    Ok(field.try_into().ok())
}

/// A number of 4 bytes with the most significant first, as a size in memory.
fn big(packed: &mut impl Read) -> io::Result<usize> {
    let field = number(packed)?.ok_or(io::ErrorKind::UnexpectedEof)?;
    usize::try_from(u32::from_be_bytes(field)).map_err(io::Error::other)
}

fn bytes(packed: &mut impl Read, count: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    packed.take(count as u64).read_to_end(&mut bytes)?;
    if bytes.len() == count { Ok(bytes) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

/// Begins a frame. Others than of data are passed over (RFC 8878, 3.1.2), such as pzstd's.
fn zstd_frame(packed: &mut impl BufRead, decoder: &mut FrameDecoder) -> io::Result<()> {
    use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
    loop {
        // A decoder has no limit of its own.
        if zstd_window(packed.fill_buf()?).is_some_and(|window| window > MAX_ZSTD_WINDOW) {
            return Err(damaged("it asks for more memory to be unpacked than any kernel does"));
        }
        match decoder.reset(&mut *packed) {
            Ok(()) => return Ok(()),
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame { length, .. })) => {
                io::copy(&mut packed.by_ref().take(u64::from(length)), &mut io::sink())?;
            }
            Err(_) => return Err(damaged("a frame of zstd is damaged")),
        }
    }
}

fn zstd(packed: &mut impl BufRead, decoder: &mut FrameDecoder, all: bool, block: &mut Vec<u8>) -> io::Result<()> {
    while block.is_empty() {
        if decoder.is_finished() {
            if !all || packed.fill_buf()?.is_empty() {
                return Ok(());
            }
            zstd_frame(packed, decoder)?;
        }
        decoder
            .decode_blocks(&mut *packed, BlockDecodingStrategy::UptoBytes(ZSTD_PIECE))
            .map_err(|_| damaged("a block of zstd is damaged"))?;
        decoder.collect_to_writer(&mut *block)?;
    }
    Ok(())
}

/// The memory that a zstd frame asks for, in bytes: RFC 8878, 3.1.1.1.
fn zstd_window(frame: &[u8]) -> Option<u64> {
    let descriptor = *frame.get(4).filter(|_| frame.starts_with(b"\x28\xb5\x2f\xfd"))?;
    let single_segment = descriptor & 0x20 != 0;
    if !single_segment {
        let window = *frame.get(5)?;
        let base = 1u64 << (10 + (window >> 3));
        return Some(base + base / 8 * u64::from(window & 7));
    }
    // Then it is the size of the contents, which comes behind the identifier of the dictionary.
    let at = 5 + [0, 1, 2, 4][usize::from(descriptor & 3)];
    let number = |length: usize| {
        let field = frame.get(at..at + length)?;
        Some(field.iter().rev().fold(0, |sum: u64, byte| sum << 8 | u64::from(*byte)))
    };
    match descriptor >> 6 {
        0 => number(1),
        1 => number(2).map(|size| size + 256),
        2 => number(4),
        _ => number(8),
    }
}

/// One block of the legacy frame: up to 8 MiB, behind its compressed size. The frame has no end of its own: behind the last
/// block of a kernel is its unpacked size, for the code that unpacks it.
fn lz4_block(packed: &mut impl Read, block: &mut Vec<u8>) -> io::Result<()> {
    let Some(size) = number(packed)? else { return Ok(()) };
    let size = usize::try_from(u32::from_le_bytes(size)).map_err(io::Error::other)?;
    if size > lz4_flex::block::get_maximum_output_size(LZ4_BLOCK) {
        return Ok(());
    }
    let Ok(input) = bytes(packed, size) else { return Ok(()) };
    block.resize(LZ4_BLOCK, 0);
    let length = lz4_flex::block::decompress_into(&input, block).map_err(|_| damaged("a block of lz4 is damaged"))?;
    block.truncate(length);
    Ok(())
}

/// Reads the header of lzop; says which checksums come with each block: of what is unpacked, and of what is packed.
fn lzop_header(packed: &mut impl Read) -> io::Result<(usize, usize)> {
    // Flags of lzop.h: F_ADLER32_D, F_ADLER32_C, F_CRC32_D, F_CRC32_C, F_H_EXTRA_FIELD, F_MULTIPART, F_H_FILTER.
    const ADLER: [u32; 2] = [0x1, 0x2];
    const CRC: [u32; 2] = [0x100, 0x200];
    const EXTRA: u32 = 0x40;
    const PARTS_OR_FILTER: u32 = 0x400 | 0x800;
    packed.read_exact(&mut [0; 9])?;
    let mut start = [0; 4];
    packed.read_exact(&mut start)?;
    let new = u16::from_be_bytes([start[0], start[1]]) >= 0x940;
    // The version that is needed, method and level; before 0.94 only the method.
    bytes(packed, if new { 4 } else { 1 })?;
    let flags = u32::try_from(big(packed)?).map_err(io::Error::other)?;
    if flags & PARTS_OR_FILTER != 0 {
        return Err(damaged("it was made by lzop in parts or with a filter"));
    }
    // Mode and time, the name, and a checksum.
    bytes(packed, if new { 12 } else { 8 })?;
    let name = bytes(packed, 1)?;
    bytes(packed, name.iter().map(|length| usize::from(*length)).sum())?;
    big(packed)?;
    if flags & EXTRA != 0 {
        let length = big(packed)? as u64;
        io::copy(&mut packed.take(length.saturating_add(4)), &mut io::sink())?;
    }
    let count = |of: usize| [ADLER[of], CRC[of]].iter().filter(|flag| flags & **flag != 0).count();
    Ok((count(0), count(1)))
}

fn lzo_block(packed: &mut impl Read, checksums: (usize, usize), block: &mut Vec<u8>) -> io::Result<()> {
    let size = big(packed)?;
    if size == 0 {
        return Ok(());
    }
    let packed_size = big(packed)?;
    if size > MAX_LZO_BLOCK || packed_size > size {
        return Err(damaged("a block of lzop is larger than any"));
    }
    let packed_checksums = if packed_size < size { checksums.1 } else { 0 };
    bytes(packed, 4 * (checksums.0 + packed_checksums))?;
    *block = bytes(packed, packed_size)?;
    if packed_size < size {
        let mut unpacked = vec![0; size];
        let length = lzokay::decompress::decompress(block, &mut unpacked).map_err(|_| damaged("a block of lzop is damaged"))?;
        unpacked.truncate(length);
        *block = unpacked;
    }
    Ok(())
}

/// Unpacks one block of a file system, which unpacks to at most `limit` bytes. Of squashfs gzip means the zlib format of
/// RFC 1950, and lz4 and LZO have no frame around them.
///
/// # Errors
/// Where it is damaged, or unpacks to more.
pub fn block(packed: &[u8], compression: Compression, limit: usize) -> io::Result<Vec<u8>> {
    let mut unpacked = Vec::new();
    let length = match compression {
        Compression::Lz4 | Compression::Lz4Legacy => {
            unpacked.resize(limit, 0);
            lz4_flex::block::decompress_into(packed, &mut unpacked).map_err(|_| damaged("a block of lz4 is damaged"))?
        }
        Compression::Lzo => {
            unpacked.resize(limit, 0);
            lzokay::decompress::decompress(packed, &mut unpacked).map_err(|_| damaged("a block of LZO is damaged"))?
        }
        Compression::Gzip => flate2::bufread::ZlibDecoder::new(packed).take(limit as u64 + 1).read_to_end(&mut unpacked)?,
        _ => reader(packed, compression, Members::First)?.take(limit as u64 + 1).read_to_end(&mut unpacked)?,
    };
    if length > limit {
        return Err(damaged("a block is larger than any"));
    }
    unpacked.truncate(length);
    Ok(unpacked)
}
