//! What a bridge needs beside it when it runs, as files.

/// Name and contents of each: the runtime, and the server of the transport `process`.
pub const FILES: [(&str, &[u8]); 2] = [
    ("libbiarch.so.0", include_bytes!(concat!(env!("OUT_DIR"), "/libbiarch.so.0"))),
    (SERVER, include_bytes!(concat!(env!("OUT_DIR"), "/server"))),
];

#[cfg(target_arch = "aarch64")]
const SERVER: &str = "biarch-server-armhf";
#[cfg(not(target_arch = "aarch64"))]
const SERVER: &str = "biarch-server-i386";
