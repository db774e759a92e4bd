//! Little-endian numbers in the tables of file systems. What is not there is 0, as in a field that is not used.

/// The number of 2 bytes at `at`.
pub(super) fn half(bytes: &[u8], at: usize) -> u16 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |field| u16::from_le_bytes(*field))
}

/// The number of 4 bytes at `at`.
pub(super) fn word(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |field| u32::from_le_bytes(*field))
}
