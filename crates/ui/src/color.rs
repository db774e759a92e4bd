//! When to use colour.

use anstream::ColorChoice;
use std::io::Write;

/// The values of `--color`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Color {
    /// On a terminal, unless `NO_COLOR` is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Color {
    /// Makes this the choice for [`stdout`] and [`stderr`].
    pub fn set(self) {
        match self {
            Self::Auto => ColorChoice::Auto,
            Self::Always => ColorChoice::Always,
            Self::Never => ColorChoice::Never,
        }
        .write_global();
    }
}

/// Standard output; styles are taken out where there is to be no colour.
#[must_use]
pub fn stdout() -> impl Write {
    anstream::stdout().lock()
}

/// Standard error; styles are taken out where there is to be no colour.
#[must_use]
pub fn stderr() -> impl Write {
    anstream::stderr().lock()
}
