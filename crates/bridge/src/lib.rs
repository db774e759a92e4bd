//! 32-bit libraries in 64-bit programs: from a header, a 32-bit library and an annotation file, a 64-bit library with the same interface.

pub mod annotation;
mod bindings;
pub mod build;
pub mod call;
mod convention;
mod debug_info;
mod emit;
mod expression;
pub mod ipc;
pub mod library;
pub mod model;
mod python;
pub mod questions;
pub mod runtime;
mod rust;
mod suggest;
