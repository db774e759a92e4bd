//! The guest's memory: reaching it ([`access`]), laying it out ([`space`]), and scratch space for handlers ([`buf`]).

pub(crate) mod access;
pub(crate) mod buf;
pub(crate) mod space;

pub(crate) use access::{read, read_bytes, read_cstr, read_slice, write, write_bytes, write_slice};
pub(crate) use buf::Buf;
