//! What a bridge needs beside it when it runs, as files.

use crate::library::ARM;
use port::pair::Pair;

/// Name and contents of each: the runtime, and the server of the transport `process`.
pub type Files = [(&'static str, &'static [u8]); 2];

const FOR_ARM: Files = [
    ("libbiarch.so.0", include_bytes!(concat!(env!("OUT_DIR"), "/aarch64/libbiarch.so.0"))),
    ("biarch-server-armhf", include_bytes!(concat!(env!("OUT_DIR"), "/aarch64/server"))),
];

#[cfg(target_arch = "aarch64")]
const FOR_X86: Files = FOR_ARM;
#[cfg(not(target_arch = "aarch64"))]
const FOR_X86: Files = [
    ("libbiarch.so.0", include_bytes!(concat!(env!("OUT_DIR"), "/x86_64/libbiarch.so.0"))),
    ("biarch-server-i386", include_bytes!(concat!(env!("OUT_DIR"), "/x86_64/server"))),
];

/// Those for programs of the pair's 64-bit side. A biarch for AArch64 has those for AArch64 only.
#[must_use]
pub fn files(pair: Pair) -> Files {
    if pair == ARM { FOR_ARM } else { FOR_X86 }
}
