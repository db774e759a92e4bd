//! How biarch talks to a person or a program: tables, machine formats, colour, exit status.
//!
//! Standard output is data and standard error is talk. A command says *what* it has as a [`Table`]; the format that the user
//! asked for is a [`writers`] module.

mod charts;
pub mod color;
pub mod exit;
mod progress;
pub mod table;
mod wrap;
pub mod writers;

pub use color::Color;
pub use progress::Progress;
pub use table::Table;
pub use wrap::columns;
