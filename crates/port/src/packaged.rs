//! What is known of the build: what would stop it, a distribution that builds the project for the new architecture has met; and where nobody
//! has observed it, the compiler refuses what was guessed.

use crate::directory;
use crate::pair::{Abi, Pair, WIDE};
use crate::project::Project;
use crate::rules::{self, Hit};
use findings::Confidence;
use std::fs;
use std::path::{Path, PathBuf};

/// How Debian calls it.
fn debian_name(abi: Abi) -> &'static str {
    match abi.name {
        "x86-64" => "amd64",
        name => name,
    }
}

/// Makes what rules about the build say no more than possible in trees that Debian builds for the new architecture; and what the compiler says,
/// in those of which options are guessed, although something is there that builds them.
pub(crate) fn lower(hits: &mut [Hit], project: &Project, pair: Pair, is_guessed: bool) {
    let name = debian_name(pair.sides[WIDE]);
    let built = |tree: &&PathBuf| is_built_for(tree, name);
    let guessed = |tree: &&PathBuf| is_guessed && directory::build_of(tree).is_some();
    let (built, guessed): (Vec<_>, Vec<_>) =
        (project.trees().iter().filter(built).collect(), project.trees().iter().filter(guessed).collect());
    let is_in = |trees: &[&PathBuf], path: &str| trees.iter().any(|tree| Path::new(path).starts_with(tree));
    for hit in hits {
        if rules::is_of_build(hit.rule) && is_in(&built, &hit.path)
            || rules::is_of_compiler(hit.rule) && is_in(&guessed, &hit.path)
        {
            hit.confidence = Confidence::Possible;
        }
    }
}

/// Whether Debian does.
fn is_built_for(tree: &Path, name: &str) -> bool {
    fs::read(tree.join("debian/control")).is_ok_and(|control| says(&String::from_utf8_lossy(&control), name))
}

/// Whether `debian/control` says so: `Architecture` has `any`, or a part of it, or the name, as in deb-src-control(5).
fn says(control: &str, name: &str) -> bool {
    let is_part = |word: &str| word.strip_suffix(name).is_some_and(|of| ["", "any-", "linux-"].contains(&of));
    let is = |word: &str| ["any", "linux-any"].contains(&word) || is_part(word);
    // A field goes on in lines that begin with a space.
    let control = control.replace("\n ", " ");
    control.lines().filter_map(|line| line.strip_prefix("Architecture:")).any(|of| of.split_whitespace().any(is))
}

#[cfg(test)]
mod tests {
    use super::says;

    #[test]
    fn debian_builds_for_what_its_control_names() {
        for (architecture, is) in [
            ("any", true),
            ("linux-any kfreebsd-any", true),
            ("i386 amd64", true),
            ("i386\n amd64", true),
            ("any-amd64", true),
            ("i386", false),
            ("all", false),
            ("any-i386 hurd-any", false),
            ("i386\nX-Was: amd64", false),
        ] {
            let control = format!("Source: toy\n\nPackage: toy\nArchitecture: {architecture}\nDescription: toy\n");
            assert_eq!(says(&control, "amd64"), is, "{architecture}");
        }
    }
}
