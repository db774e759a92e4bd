//! A kernel module, as it is or compressed: `.ko`, `.ko.gz`, `.ko.xz`, `.ko.zst`.

use crate::facts::Object;
use elf::compression::{Compression, Members, reader};
use elf::module::{MAX_MODULE, mentions_ioctl, module};
use elf::{Depth, Kind, Source, details};
use std::io::Read;

/// Whether the name is that of a compressed module.
pub(super) fn is_compressed(path: &[u8]) -> bool {
    [b".ko.gz".as_slice(), b".ko.xz", b".ko.zst"].iter().any(|ending| path.ends_with(ending))
}

/// Whether the name is that of a compressed module which did not come with the kernel. Those that did are four thousand, and take
/// half a minute to unpack.
pub(super) fn is_added(path: &[u8]) -> bool {
    is_compressed(path) && memchr::memmem::find(path, b"/kernel/").is_none()
}

/// The object file, with what it says about itself if it is a module: only then it has to be read as a whole.
pub(super) fn noted<S: Source + ?Sized>(mut object: Object, source: &S) -> Object {
    let may_be = object.details.facts.kind == Kind::Object && !object.abi().is_narrow() && source.size() <= MAX_MODULE;
    if may_be && mentions_ioctl(source) {
        let mut contents = vec![0; usize::try_from(source.size()).unwrap_or_default()];
        object.module = source.read_at(0, &mut contents).ok().and_then(|()| module(&contents));
    }
    object
}

/// The module that is compressed in `input`. What cannot be unpacked, or is no ELF file, is only a file.
pub(super) fn unpacked(path: Vec<u8>, input: impl Read) -> Option<Object> {
    let mut packed = Vec::new();
    input.take(MAX_MODULE).read_to_end(&mut packed).ok()?;
    let mut contents = Vec::new();
    let reader = reader(packed.as_slice(), Compression::of(&packed)?, Members::All).ok()?;
    reader.take(MAX_MODULE).read_to_end(&mut contents).ok()?;
    let details = details(contents.as_slice(), Depth::Headers).ok()?;
    Some(noted(Object::new(path, details), contents.as_slice()))
}
