//! Runs cases in the executor, natively or under biarch, and reads what it says. Layouts as in executor.c.

use crate::case::Case;
use anyhow::{Context, Result, ensure};
use biarch_tests::process::Scratch;
use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What was seen: of a call, of a kind, at a place.
pub(crate) type Place = (u32, Kind, u32);

/// What can be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// What eax holds after the call.
    Return,
    /// Another register that has changed.
    Register,
    /// A word of memory that has changed.
    Memory,
    /// How often the handler was called for a signal.
    Signal,
    /// What is left when all calls are made: descriptors, files, mappings, masks.
    Final,
}

/// What became of a case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// How the process ended: a status, 0x100 and a signal, 0x200 where it had to be killed, 0x201 where it was stopped.
    pub(crate) end: u32,
    /// The call it was in, from 1 on; 2000 where it came to its end.
    pub(crate) cursor: u32,
    /// All that was seen.
    pub(crate) seen: BTreeMap<Place, u32>,
}

impl Outcome {
    /// Whether it had to be killed, or was stopped.
    pub(crate) fn waits(&self) -> bool {
        self.end & 0x200 != 0
    }
}

/// One way to run the executor.
pub(crate) struct Side {
    /// The words before the executor's.
    pub(crate) words: Vec<PathBuf>,
    /// A call of which another result is shown than it had, to see that a difference is found.
    pub(crate) planted: Option<String>,
}

/// The executor, and where it works.
pub(crate) struct Executor {
    program: PathBuf,
    scratch: PathBuf,
}

impl Executor {
    /// Compiles it. `None` where there is no cross compiler.
    pub(crate) fn new(scratch: &Path) -> Result<Option<Self>> {
        std::fs::create_dir_all(scratch)?;
        let options = ["-std=gnu11", "-static", "-no-pie", "-fno-pie", "-fno-stack-protector"];
        let name = format!("executor-{}", std::process::id());
        let program = biarch_tests::under_test::compile_32(scratch, &name, include_str!("executor.c"), &options)?;
        Ok(program.map(|program| Self { program, scratch: scratch.to_owned() }))
    }

    /// Runs the cases on one side; a process has `milliseconds` for each.
    pub(crate) fn run(&self, side: &Side, cases: &[Case], milliseconds: u32) -> Result<Vec<Outcome>> {
        let scratch = Scratch::new(&self.scratch)?;
        // The executor works as nobody where it would be root.
        let work = scratch.path().join("work");
        std::fs::create_dir(&work)?;
        std::fs::set_permissions(&work, std::fs::Permissions::from_mode(0o777))?;
        let input = scratch.path().join("cases");
        let mut bytes = vec![];
        for case in cases {
            let words = case.words();
            bytes.extend(u32::try_from(words.len())?.to_le_bytes());
            bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        }
        std::fs::write(&input, bytes)?;
        let (output, errors) = (scratch.path().join("output"), scratch.path().join("errors"));
        let mut words = side.words.clone();
        words.push(self.program.clone());
        let (program, arguments) = words.split_first().context("nothing to run")?;
        let mut command = Command::new(program);
        command.args(arguments).arg(&input).arg(milliseconds.to_string()).arg(&work);
        command.env_clear().env("LC_ALL", "C").stdin(Stdio::null());
        command.stdout(std::fs::File::create(&output)?).stderr(std::fs::File::create(&errors)?);
        let mut child = command.spawn().with_context(|| program.display().to_string())?;
        let status = child.wait()?;
        let said = String::from_utf8_lossy(&std::fs::read(&errors)?).into_owned();
        ensure!(status.success(), "{}: {status}: {said}", program.display());
        let mut outcomes = decode(&std::fs::read(&output)?)?;
        ensure!(outcomes.len() == cases.len(), "{} cases, {} outcomes: {said}", cases.len(), outcomes.len());
        if let Some(planted) = &side.planted {
            for (case, outcome) in cases.iter().zip(&mut outcomes) {
                for ((call, _, _), value) in outcome.seen.iter_mut().filter(|((_, kind, _), _)| *kind == Kind::Return) {
                    let row = usize::try_from(*call).ok().and_then(|call| case.calls.get(call)).map(|call| call.row);
                    *value ^= u32::from(row.is_some_and(|row| row.name == planted));
                }
            }
        }
        Ok(outcomes)
    }
}

impl Drop for Executor {
    fn drop(&mut self) {
        // What cannot be deleted stays in the build directory.
        let _ = std::fs::remove_file(&self.program);
        let _ = std::fs::remove_file(self.program.with_extension("c"));
    }
}

fn decode(bytes: &[u8]) -> Result<Vec<Outcome>> {
    let words: Vec<u32> = bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect();
    let mut rest = words.as_slice();
    let mut outcomes = vec![];
    while let [length, end, cursor, more @ ..] = rest {
        let length = usize::try_from(*length)?;
        ensure!(more.len() >= length, "the executor's output is cut off");
        let (own, after) = more.split_at(length);
        let mut outcome = Outcome { end: *end, cursor: *cursor, ..Outcome::default() };
        for entry in own.chunks_exact(4) {
            let kind = match entry[1] {
                1 => Kind::Return,
                2 => Kind::Register,
                3 => Kind::Memory,
                4 => Kind::Signal,
                _ => Kind::Final,
            };
            outcome.seen.insert((entry[0], kind, entry[2]), entry[3]);
        }
        outcomes.push(outcome);
        rest = after;
    }
    Ok(outcomes)
}
