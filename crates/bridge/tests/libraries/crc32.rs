//! Calls a bridge by its Rust declarations.

mod z;

fn main() {
    let text = *b"hello";
    // SAFETY: the five bytes are there, and only read.
    println!("{:x}", unsafe { z::crc32(0, text.as_ptr(), 5) });
    println!("{:?} {}", z::ZLIB_VERSION, z::Z_BEST_COMPRESSION + z::Z_DATA_ERROR);
}
