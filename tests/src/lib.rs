//! What the suites share: guest programs and their directives, compiling them, running them, showing what differs.

pub mod aarch64;
pub mod compile;
pub mod diff;
pub mod emulator;
pub mod initramfs;
pub mod machine;
pub mod process;
pub mod program;
pub mod schema;
pub mod under_test;
pub mod wire;
