//! Files that somebody names.

use rustix::fs::{Mode, OFlags};
use std::fs::File;
use std::io;
use std::path::Path;

/// Opens what is to be a regular file, which has still to be looked at. A pipe would wait for a writer, and a device might do something.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    Ok(rustix::fs::open(path, OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC, Mode::empty())?.into())
}
