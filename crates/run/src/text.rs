//! Text being made, in a fixed piece of memory: lines for people, paths and options for the kernel.

use crate::host::{self, nr};
use abi::Errno;
use core::fmt;

/// Up to `N` bytes of text. What does not fit is cut off, and shown as three dots by [`Text::end_limit`].
pub(crate) struct Text<const N: usize> {
    bytes: [u8; N],
    length: usize,
    limit: usize,
    cut: bool,
}

impl<const N: usize> Text<N> {
    pub(crate) const fn new() -> Self {
        Self { bytes: [0; N], length: 0, limit: N, cut: false }
    }

    /// A text for [`Text::with_nul`].
    pub(crate) fn of(arguments: fmt::Arguments<'_>) -> Self {
        let mut text = Self::new();
        text.keep_free(1);
        let _ = fmt::Write::write_fmt(&mut text, arguments);
        text
    }

    /// Room for at least `rest` bytes is kept free until [`Text::end_limit`].
    pub(crate) fn keep_free(&mut self, rest: usize) {
        self.limit = N.saturating_sub(rest);
    }

    /// Makes all the room available.
    pub(crate) fn end_limit(&mut self) {
        self.limit = N;
        if core::mem::take(&mut self.cut) {
            let _ = fmt::Write::write_str(self, "...");
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.length
    }

    /// Takes back everything from `length` on.
    pub(crate) fn truncate(&mut self, length: usize) {
        self.length = self.length.min(length);
    }

    /// The text in bytes; the last character may be cut.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    /// The text with a NUL behind it, which takes the place of the last byte where there is no room for both.
    pub(crate) fn with_nul(&mut self) -> &[u8] {
        self.length = self.length.min(N - 1);
        self.bytes[self.length] = 0;
        &self.bytes[..=self.length]
    }

    /// Appends bytes.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        let room = self.limit.saturating_sub(self.length);
        let taken = bytes.len().min(room);
        self.cut |= taken < bytes.len();
        self.bytes[self.length..self.length + taken].copy_from_slice(&bytes[..taken]);
        self.length += taken;
    }

    /// Writes all of it, in one piece where the kernel lets us. There is nobody to tell of a failure.
    pub(crate) fn write_to(&self, fd: i32) {
        const POLLOUT: u64 = 4 << 32;
        let mut rest = self.bytes();
        while !rest.is_empty() {
            // SAFETY: the bytes outlive the call.
            match unsafe { host::call(nr::WRITE, [host::int(fd), host::addr(rest), rest.len() as u64]) } {
                Ok(written) => rest = usize::try_from(written).ok().and_then(|written| rest.get(written..)).unwrap_or_default(),
                Err(Errno::EINTR) => {}
                Err(Errno::EAGAIN) => {
                    // A pipe or terminal that somebody has made non-blocking: wait until it takes more.
                    let mut poll = host::int(fd) & 0xffff_ffff | POLLOUT;
                    // SAFETY: one `struct pollfd`, which outlives the call.
                    let _ = unsafe { host::call(nr::POLL, [host::addr_mut(&mut poll), 1, u64::MAX]) };
                }
                Err(_) => return,
            }
        }
    }
}

impl<const N: usize> fmt::Write for Text<N> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push(text.as_bytes());
        Ok(())
    }
}
