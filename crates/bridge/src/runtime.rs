//! What a bridge needs beside it when it runs, as files.

/// Name and contents of each: the runtime.
pub const FILES: [(&str, &[u8]); 1] = [("libbiarch.so.0", include_bytes!(concat!(env!("OUT_DIR"), "/libbiarch.so.0")))];
