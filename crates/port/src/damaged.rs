//! For fuzz: what a worker answers, as bytes, and what is made of such bytes.

use crate::ast::decode::Decoder;
use crate::pair::Pair;
use crate::tree::Tree;
use crate::worker::Worker;
use crate::{
    arguments, headers,
    project::{Built, Compilation},
    rules,
};
use anyhow::Result;
use std::path::Path;

/// What a worker answers for this file, for both word sizes of the first pair, one after the other.
///
/// # Errors
/// Where there is no libclang, or no C library.
pub fn answers(path: &Path) -> Result<Vec<u8>> {
    let options = crate::Options::new(Vec::new(), Pair::ALL[0]);
    let headers = headers::Headers::find(options.pair, None)?;
    let compilation = Compilation {
        file: path.to_string_lossy().into_owned(),
        directory: path.parent().unwrap_or(Path::new("/")).to_path_buf(),
        compiler: String::new(),
        arguments: Vec::new(),
        is_cxx: false,
        built: Built::Named,
    };
    let requests = [0, 1].map(|side| arguments::for_clang(&options, &compilation, &headers, side));
    Worker::start(options.input.time_limit)?.raw(&compilation.file, &requests)
}

/// Reads both answers, lays the trees on each other, and applies the rules: how many findings there are.
///
/// # Errors
/// Where the bytes are no two answers.
pub fn judge(bytes: &[u8]) -> Result<usize> {
    let mut decoder = Decoder(bytes);
    let units = [decoder.unit()?, decoder.unit()?];
    let tree = Tree::new(Pair::ALL[0], [&units[0], &units[1]], true);
    Ok(rules::apply(&tree, &crate::new(&units[0], &units[1]), &|_| true).len())
}
