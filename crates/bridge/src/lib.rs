pub mod annotation;
mod library;
