//! Benchmarks that are programs of Debian, of both architectures: OpenSSL with all its assembly, and a compiler.

use crate::commands::{self, Invocation};
use crate::comparison::Outcome;
use crate::measure::{Contender, Effort, Sample, take_turns};
use crate::packages::{Packages, Tree};
use crate::side::Side;
use crate::stats::Random;
use crate::worker::{Abi, Row, held};
use anyhow::{Context, Result, ensure};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A run that takes longer has hung.
const LIMIT: Duration = Duration::from_secs(300);
/// What `openssl speed` works on at once, in bytes.
const BLOCK: u32 = 16384;
const KEY: &str = "000102030405060708090a0b0c0d0e0f";

/// What the program of a benchmark is, and how it is known that those of both sides do the same work.
#[derive(Clone, Copy)]
enum Work {
    /// `openssl speed` with these arguments, for a byte. What these commands of openssl print must be the same; `enc` has no modes
    /// that authenticate, so those are tried in two parts.
    Bytes(&'static str, &'static [&'static str]),
    /// `openssl speed` with these arguments, for an operation. With a key that openssl generates so, one side signs, and the
    /// other one verifies.
    Signature(&'static str, &'static str),
    /// A compiler, whose output must be the same.
    Compiler,
}

impl Work {
    fn packages(self) -> &'static [&'static str] {
        match self {
            // gcc for a target that is neither side's: the packages for both are built in the same way, from the same source, which
            // those of a native and a cross compiler are not. And something to compile.
            Self::Compiler => &["gcc-aarch64-linux-gnu", "libc6-dev-arm64-cross", "libstb-dev"],
            _ => &["openssl"],
        }
    }
}

const ROWS: [(Row, Work); 10] = [
    (row("crypto", "openssl_md5", "a byte in MD5, by OpenSSL"), Work::Bytes("-evp md5", &["dgst -r -md5 FILE"])),
    (row("crypto", "openssl_sha1", "a byte in SHA-1, by OpenSSL"), Work::Bytes("-evp sha1", &["dgst -r -sha1 FILE"])),
    (row("crypto", "openssl_sha256", "a byte in SHA-256, by OpenSSL"), Work::Bytes("-evp sha256", &["dgst -r -sha256 FILE"])),
    (
        row("crypto", "openssl_aes_128_cbc", "a byte encrypted with AES-128-CBC, by OpenSSL"),
        Work::Bytes("-evp aes-128-cbc", &["enc -aes-128-cbc -K KEY -iv KEY -in FILE"]),
    ),
    (
        row("crypto", "openssl_aes_128_gcm", "a byte encrypted with AES-128-GCM, by OpenSSL"),
        Work::Bytes(
            "-evp aes-128-gcm",
            &[
                "enc -aes-128-ctr -K KEY -iv KEY -in FILE",
                "mac -cipher AES-128-GCM -macopt hexkey:KEY -macopt hexiv:KEY -in FILE GMAC",
            ],
        ),
    ),
    (
        row("crypto", "openssl_chacha20_poly1305", "a byte encrypted with ChaCha20-Poly1305, by OpenSSL"),
        Work::Bytes(
            "-evp chacha20-poly1305",
            &["enc -chacha20 -K KEYKEY -iv KEY -in FILE", "mac -macopt hexkey:KEYKEY -in FILE Poly1305"],
        ),
    ),
    (
        row("crypto", "openssl_rsa2048", "a signature with RSA of 2048 bits, by OpenSSL"),
        Work::Signature("rsa2048", "-algorithm RSA -pkeyopt rsa_keygen_bits:2048"),
    ),
    (
        row("crypto", "openssl_ecdsap256", "a signature with ECDSA on P-256, by OpenSSL"),
        Work::Signature("ecdsap256", "-algorithm EC -pkeyopt ec_paramgen_curve:P-256"),
    ),
    (row("crypto", "openssl_ed25519", "a signature with Ed25519, by OpenSSL"), Work::Signature("ed25519", "-algorithm ED25519")),
    (row("compile", "gcc", "gcc -O2 on stb_truetype.h, for AArch64"), Work::Compiler),
];

/// They take seconds each time, so that somebody has to ask for them.
const fn row(suite: &'static str, name: &'static str, title: &'static str) -> Row {
    Row { suite, name, title, pair: false, entries: false, shown: false, asked: true }
}

/// The benchmarks that need packages.
pub fn rows() -> impl Iterator<Item = Row> {
    ROWS.into_iter().map(|(row, _)| row)
}

/// Whether it is one of them, which no kit has.
#[must_use]
pub fn has(row: &Row) -> bool {
    rows().any(|own| own == *row)
}

/// Does a benchmark of this file; `None` where it is none.
///
/// An error is why it was left out altogether.
pub(crate) fn outcome(
    row: &Row,
    sides: &[Side],
    fetch: bool,
    effort: &Effort,
    resolution: f64,
    random: &mut Random,
) -> Option<Result<Outcome>> {
    let (_, work) = ROWS.into_iter().find(|(own, _)| own.name == row.name)?;
    Some(measure(row, work, sides, fetch, effort, resolution, random))
}

fn measure(
    row: &Row,
    work: Work,
    sides: &[Side],
    fetch: bool,
    effort: &Effort,
    resolution: f64,
    random: &mut Random,
) -> Result<Outcome> {
    let packages = Packages::new(work.packages())?;
    let (narrow, wide) = Abi::pair();
    let (narrow, wide) = (packages.tree(narrow, fetch)?, packages.tree(wide, fetch)?);
    let versions = packages.versions(&wide);
    ensure!(packages.versions(&narrow) == versions, "the versions differ: {} and {versions}", packages.versions(&narrow));
    let (held, words) = match work {
        Work::Compiler => {
            let (source, path) = source(&wide)?;
            (Some(source), vec!["-quiet".into(), "-fpreprocessed".into(), "-O2".into(), path.into(), "-o".into(), "-".into()])
        }
        Work::Bytes(arguments, proofs) => {
            for proof in proofs {
                same(proof, &narrow, &wide)?;
            }
            (None, speed(&format!("-bytes {BLOCK} {arguments}")))
        }
        Work::Signature(arguments, key) => {
            let key = openssl(&wide, &format!("genpkey {key}"), &[])?;
            signs(&key, &narrow, &wide)?;
            signs(&key, &wide, &narrow)?;
            (None, speed(arguments))
        }
    };
    let mut missing = Vec::new();
    let mut ready: Vec<(usize, Box<dyn Contender>)> = Vec::new();
    for (at, side) in sides.iter().enumerate().filter(|(_, side)| side.takes_part(row)) {
        let Some(tree) = [&wide, &narrow].into_iter().find(|tree| tree.abi() == side.abi) else { continue };
        let program: PathBuf = if matches!(work, Work::Compiler) { cc1(tree)? } else { "openssl".into() };
        let command = [side.runner()?, tree.command(program.as_os_str())?, words.clone()].concat();
        let invocation = Invocation::packaged(side.name.clone(), command, LIMIT);
        let contender: Box<dyn Contender> = match work {
            Work::Compiler => Box::new(invocation),
            Work::Bytes(..) => Box::new(Speed { invocation, unit: f64::from(BLOCK) }),
            Work::Signature(..) => Box::new(Speed { invocation, unit: 1.0 }),
        };
        match contender.sample(0) {
            Ok(_) => ready.push((at, contender)),
            Err(error) => missing.push(format!("{}: {error:#}", side.name)),
        }
    }
    let contenders: Vec<&dyn Contender> = ready.iter().map(|(_, contender)| &**contender).collect();
    let mut samples = vec![Vec::new(); sides.len()];
    match take_turns(&contenders, effort, random) {
        Ok(taken) => ready.iter().zip(taken).for_each(|((at, _), taken)| samples[*at] = taken),
        Err(error) => missing.push(format!("{error:#}")),
    }
    drop(held);
    let title = format!("{} ({versions})", row.title);
    let mut outcome = Outcome::new(row.suite, row.name, &title, samples, missing, resolution);
    if matches!(work, Work::Compiler) {
        outcome.overhead = sides.iter().map(|side| commands::overhead(side, effort, random).ok()).collect();
    }
    Ok(outcome)
}

fn speed(arguments: &str) -> Vec<OsString> {
    // By the clock on the wall, and for machines.
    format!("speed -elapsed -mr -seconds 1 {arguments}").split(' ').map(OsString::from).collect()
}

/// `openssl speed`, which works for a second and says how often it was done.
struct Speed {
    invocation: Invocation,
    /// What it calls once is this often.
    unit: f64,
}

impl Contender for Speed {
    fn sample(&self, padding: usize) -> Result<Sample> {
        let said = self.invocation.run(padding)?.error.text();
        let (count, what, seconds) = counted(&said).with_context(|| format!("openssl speed printed no count: {said}"))?;
        Ok(Sample { ns: seconds * 1e9 / (count * self.unit), result: what.into_bytes() })
    }
}

/// The first count of `openssl speed -mr`: how often, what, in how many seconds. Of signatures, verification is the second.
///
/// `+R:COUNT:NAME:SECONDS`; of RSA `+R1:COUNT:BITS:SECONDS`, and others have a digit and a name as well (apps/speed.c, print_result
/// and `speed_main`).
fn counted(said: &str) -> Option<(f64, String, f64)> {
    said.lines().find_map(|line| {
        let (_, line) = line.strip_prefix("+R")?.split_once(':')?;
        let (count, line) = line.split_once(':')?;
        let (what, seconds) = line.rsplit_once(':')?;
        let (count, seconds): (f64, f64) = (count.parse().ok()?, seconds.parse().ok()?);
        (count > 0.0 && seconds > 0.0).then(|| (count, what.to_owned(), seconds))
    })
}

fn openssl(tree: &Tree, arguments: &str, more: &[&Path]) -> Result<Vec<u8>> {
    let mut words = tree.command(OsStr::new("openssl"))?;
    words.extend(arguments.split(' ').map(OsString::from));
    words.extend(more.iter().map(|path| path.as_os_str().to_owned()));
    Ok(Invocation::packaged(format!("openssl {arguments}"), words, LIMIT).run(0)?.out.head)
}

fn same(proof: &str, narrow: &Tree, wide: &Tree) -> Result<()> {
    // Something of some length that does not change.
    let file = wide.root().join("usr/bin/openssl");
    let arguments = proof.replace("KEY", KEY);
    let run = |tree: &Tree| {
        let mut words = tree.command(OsStr::new("openssl"))?;
        words.extend(arguments.split(' ').map(|word| if word == "FILE" { file.clone().into() } else { OsString::from(word) }));
        anyhow::Ok(Invocation::packaged(format!("openssl {arguments}"), words, LIMIT).run(0)?.out)
    };
    let (narrow, wide) = (run(narrow)?, run(wide)?);
    ensure!(wide.length > 0 && narrow == wide, "openssl {arguments} comes to different results on the two sides");
    Ok(())
}

fn signs(key: &[u8], signer: &Tree, verifier: &Tree) -> Result<()> {
    let (_key, key) = held(key)?;
    let key = key.display();
    let message = verifier.root().join("usr/bin/openssl");
    let (_signature, signature) = held(&openssl(signer, &format!("pkeyutl -sign -rawin -inkey {key} -in"), &[&message])?)?;
    // It fails where it does not verify.
    let signature = signature.display();
    openssl(verifier, &format!("pkeyutl -verify -rawin -inkey {key} -sigfile {signature} -in"), &[&message]).map(drop)
}

/// The compiler proper: gcc's driver would look for it, and for an assembler, on this machine.
fn cc1(tree: &Tree) -> Result<PathBuf> {
    let found = ["usr/libexec", "usr/lib"].iter().find_map(|directory| version(tree, directory).map(|path| path.join("cc1")));
    let found = found.filter(|path| path.exists()).context("there is no cc1 among the packages of gcc")?;
    Ok(Path::new("/").join(found.strip_prefix(tree.root())?))
}

/// The directory of gcc's version.
fn version(tree: &Tree, directory: &str) -> Option<PathBuf> {
    let of_target = tree.root().join(directory).join("gcc-cross/aarch64-linux-gnu");
    fs::read_dir(of_target).ok()?.flatten().map(|entry| entry.path()).find(|path| path.is_dir())
}

/// A C file of several thousand lines that needs nothing, which is there as long as the first part is.
fn source(tree: &Tree) -> Result<(fs::File, PathBuf)> {
    let (_text, text) = held(b"#define STB_TRUETYPE_IMPLEMENTATION\n#include <stb/stb_truetype.h>\n")?;
    let (source, path) = held(b"")?;
    let own = version(tree, "usr/lib").context("gcc's own headers are missing")?.join("include");
    let mut words = tree.command(cc1(tree)?.as_os_str())?;
    words.extend(["-E", "-P", "-quiet", "-nostdinc"].map(OsString::from));
    for directory in [own, tree.root().join("usr/aarch64-linux-gnu/include"), tree.root().join("usr/include")] {
        words.extend(["-isystem".into(), directory.into()]);
    }
    words.extend([text.into(), "-o".into(), path.clone().into()]);
    Invocation::packaged("the preprocessor".to_owned(), words, LIMIT).run(0)?;
    ensure!(source.metadata()?.len() > 0, "the preprocessor wrote nothing");
    Ok((source, path))
}

#[cfg(test)]
mod tests {
    use super::counted;

    #[test]
    fn counts_of_openssl_speed_are_those_of_the_first_operation() {
        let cipher = "+DT:AES-128-GCM:1:16384\n+R:81126:AES-128-GCM:1.010000\n";
        assert_eq!(counted(cipher), Some((81126.0, "AES-128-GCM".to_owned(), 1.01)));
        let rsa = "+DTP:2048:private:rsa:1\n+R1:1711:2048:1.00\n+DTP:2048:public:rsa:1\n+R2:61098:2048:1.00\n";
        assert_eq!(counted(rsa), Some((1711.0, "2048".to_owned(), 1.0)));
        let ed25519 = "+DTP:253:sign:Ed25519:1\n+R8:8284:253:Ed25519:1.00\n+R9:2890:253:Ed25519:1.00\n";
        assert_eq!(counted(ed25519), Some((8284.0, "253:Ed25519".to_owned(), 1.0)));
        for nothing in ["", "+R", "+R:", "+R:x:y:z", "+R:0:md5:1.0", "+R:5:md5:0.00", "+R:5", "speed: Unknown algorithm"] {
            assert_eq!(counted(nothing), None, "{nothing}");
        }
    }
}
