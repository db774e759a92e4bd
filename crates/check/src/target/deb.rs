//! A Debian package, deb(5): an ar archive, whose member `data.tar` is what is installed.

use super::file::unpacked;
use super::intake::Intake;
use super::tar;
use std::io::{self, BufReader, Read};

const MAGIC: &[u8] = b"!<arch>\n";
/// Name, time, user, group, mode, size, end.
const HEADER: usize = 60;

/// Whether this is the beginning of a package.
pub(super) fn is_deb(start: &[u8]) -> bool {
    start.strip_prefix(MAGIC).is_some_and(|member| member.starts_with(b"debian-binary"))
}

/// Reads what the package installs.
///
/// # Errors
/// What is wrong with it; what comes before that has been read.
pub(super) fn read(input: &mut dyn Read, intake: &mut Intake) -> Result<(), String> {
    let cut = |error: io::Error| format!("it is cut off ({error}) before what it installs");
    input.read_exact(&mut [0; MAGIC.len()]).map_err(cut)?;
    loop {
        let mut header = [0; HEADER];
        input.read_exact(&mut header).map_err(cut)?;
        let size = std::str::from_utf8(&header[48..58]).ok().and_then(|digits| digits.trim_end().parse::<u64>().ok());
        let size = size.filter(|_| header.ends_with(b"`\n")).ok_or("it is damaged: a header of ar has no size")?;
        if header.starts_with(b"data.tar") {
            return unpacked(BufReader::new(input.take(size)), |data| tar::read(data, intake));
        }
        let padded = size.saturating_add(size % 2);
        io::copy(&mut input.take(padded), &mut io::sink()).map_err(cut)?;
    }
}
