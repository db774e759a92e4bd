//! What earlier runs have found out.

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};
use std::env;
use std::fmt;
use std::path::PathBuf;

/// The directory for what can be made again, of the XDG Base Directory Specification.
///
/// # Errors
/// Where the environment names none.
pub(crate) fn directory() -> Result<PathBuf> {
    let absolute = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")));
    Ok(cache.context("there is no HOME: set XDG_CACHE_HOME to a directory that can be written")?.join("biarch/port"))
}

/// What stands for a text of any length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key([u8; 16]);

impl Key {
    /// That of a text.
    pub(crate) fn of(text: &(impl AsRef<[u8]> + ?Sized)) -> Self {
        let mut key = [0; 16];
        key.copy_from_slice(&Sha256::digest(text.as_ref())[..16]);
        Self(key)
    }
}

impl fmt::Display for Key {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(out, "{byte:02x}"))
    }
}
