//! From what the user wrote to a program that is open: along `PATH`, and along the first lines of scripts.

use super::{Failure, NOT_FOUND, c_string, refusal};
use run::script::{self, Kind};
use run::{Errno, path::open_program};
use std::ffi::{CString, OsStr, OsString};
use std::fs::File;
use std::io::Read;
use std::os::fd::{FromRawFd, IntoRawFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// A program, ready to be loaded.
pub(super) struct Program {
    /// Open for reading.
    pub(super) fd: RawFd,
    /// The name that it was executed by: that of the script, where it is one.
    pub(super) path: PathBuf,
    /// What the first lines of scripts put in the place of `argv[0]`; empty where there is no script.
    pub(super) before: Vec<CString>,
}

fn open(path: &Path) -> Result<File, Errno> {
    let name = CString::new(path.as_os_str().as_bytes()).map_err(|_| Errno::ENOENT)?;
    let fd = open_program(&name)?;
    // SAFETY: the descriptor has just been opened, and is nobody else's.
    Ok(unsafe { File::from_raw_fd(fd) })
}

/// Finds the program as execvp(3) does.
fn find(program: &OsStr) -> Result<(PathBuf, File), Failure> {
    // An empty name is that of no file.
    if program.is_empty() || program.as_bytes().contains(&b'/') {
        let path = PathBuf::from(program);
        return open(&path).map(|file| (path.clone(), file)).map_err(|errno| refusal::cannot_open(&path, errno));
    }
    let path = std::env::var_os("PATH").unwrap_or_else(|| OsString::from("/usr/local/bin:/usr/bin:/bin"));
    let mut denied = None;
    for directory in std::env::split_paths(&path) {
        let candidate = directory.join(program);
        match open(&candidate) {
            Ok(file) => return Ok((candidate, file)),
            Err(Errno::EACCES) => denied = denied.or(Some(candidate)),
            Err(_) => {}
        }
    }
    if let Some(path) = denied {
        return Err(refusal::cannot_open(&path, Errno::EACCES));
    }
    let error = anyhow::anyhow!("{}: not found on PATH", Path::new(program).display());
    Err(Failure { status: NOT_FOUND, error })
}

/// Opens the program that the user means, or the one that interprets it (`load_script` in `fs/binfmt_script.c`).
pub(super) fn resolve(program: &OsStr) -> Result<Program, Failure> {
    let (path, mut file) = find(program)?;
    let mut before = vec![];
    let mut current = path.clone();
    for _ in 0..=script::DEPTH {
        let mut head = [0; script::HEAD];
        let length = file.read_at(&mut head, 0).map_err(|error| {
            refusal::cannot_open(
                &current,
                Errno(error.raw_os_error().and_then(|number| u16::try_from(number).ok()).unwrap_or(Errno::EIO.0)),
            )
        })?;
        match script::classify(&head[..length]) {
            Kind::Guest => return Ok(Program { fd: file.into_raw_fd(), path, before }),
            Kind::Other => {
                let mut contents = vec![];
                // As much as it takes to say what it is.
                let _ = file.by_ref().take(1 << 20).read_to_end(&mut contents);
                return Err(refusal::not_a_guest(&current, &contents, (current != path).then_some(&path)));
            }
            Kind::Script { interpreter, argument } => {
                let name = OsStr::from_bytes(&head[interpreter]);
                let mut words = vec![c_string(name)?];
                if !argument.is_empty() {
                    words.push(c_string(OsStr::from_bytes(&head[argument]))?);
                }
                words.push(c_string(current.as_os_str())?);
                // The script itself was already put there by the one that it runs.
                before.splice(..before.len().min(1), words);
                let next = PathBuf::from(name);
                file = open(&next).map_err(|errno| refusal::no_script_interpreter(&current, &next, errno))?;
                current = next;
            }
        }
    }
    Err(refusal::too_many_scripts(&path))
}
