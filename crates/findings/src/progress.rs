//! How far the work is, for whoever waits for it.

/// Somebody who wants to know how far the work is.
pub trait Progress: Sync {
    /// `done` of `total` of the target called `what` are done: bytes of a file, inodes of a file system, files of
    /// source. Without a total it is
    /// paths of a directory, and nobody knows how many there will be. Any thread calls this, and often: it must return soon.
    fn at(&self, done: u64, total: Option<u64>, what: &str);
}

/// Nobody wants to know.
impl Progress for () {
    fn at(&self, _: u64, _: Option<u64>, _: &str) {}
}
