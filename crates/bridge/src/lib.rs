pub mod annotation;
mod library;
pub mod runtime;
