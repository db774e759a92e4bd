//! From the end of a command to its exit status.

use anstyle::{AnsiColor, Style};
use std::error::Error;
use std::io::{self, ErrorKind, Write};

/// Whether the reader of our output has had enough, as `head` does: that is the user's wish and no failure.
#[must_use]
pub fn is_broken_pipe(error: &(dyn Error + 'static)) -> bool {
    let mut cause = Some(error);
    while let Some(error) = cause {
        let io = error.downcast_ref::<io::Error>();
        if io.is_some_and(|error| error.kind() == ErrorKind::BrokenPipe) {
            return true;
        }
        // An io::Error made from another error is that error with a kind: its source is the other's source.
        cause = match io.and_then(io::Error::get_ref) {
            Some(inner) => Some(inner),
            None => error.source(),
        };
    }
    false
}

/// As many bytes are shown of what went wrong: a damaged file is quoted by whatever reads it, all of it.
const LONGEST: usize = 8000;

/// Says on standard error what went wrong, each cause after the other, and returns `status`; 0 for a broken pipe.
#[must_use]
pub fn failure(error: &(dyn Error + 'static), status: u8) -> u8 {
    if is_broken_pipe(error) {
        return 0;
    }
    let red = Style::new().bold().fg_color(Some(AnsiColor::Red.into()));
    let said = |error: &dyn Error| findings::brief(&error.to_string(), LONGEST);
    let mut message = format!("{red}error{red:#}: {}", said(error));
    let mut cause = error.source();
    while let Some(error) = cause {
        message.push_str(&format!(": {}", said(error)));
        cause = error.source();
    }
    // Where even that cannot be written there is nobody to tell.
    let _ = writeln!(crate::color::stderr(), "{message}");
    status
}

/// Says something on standard error. Where that cannot be written there is nobody to tell.
pub fn say(message: &str) {
    let _ = writeln!(crate::color::stderr(), "{message}");
}

#[cfg(test)]
mod tests {
    use super::is_broken_pipe;
    use std::io::{Error, ErrorKind};

    #[test]
    fn a_broken_pipe_is_found_below_other_errors() {
        assert!(is_broken_pipe(&Error::from(ErrorKind::BrokenPipe)));
        assert!(is_broken_pipe(&Error::other(Error::from(ErrorKind::BrokenPipe))));
        assert!(!is_broken_pipe(&Error::from(ErrorKind::NotFound)));
    }
}
