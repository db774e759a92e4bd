//! The machine in one line: a ratio without it cannot be compared with anybody else's.

use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde::Serialize;

use crate::measure::Sleeper;

/// What the figures depend on.
#[derive(Serialize)]
pub(crate) struct Machine {
    #[serde(flatten)]
    pub(crate) host: compare::machine::Machine,
    /// Whether the kernel runs i386 programs itself.
    pub(crate) ia32: bool,
    /// Whether biarch has turned syscall user dispatch on in its guests, which makes every system call slower; `None` if the
    /// kernel does not tell (before Linux 6.4) or there is no biarch.
    pub(crate) syscall_user_dispatch: Option<bool>,
}

impl Machine {
    /// Looks at the machine. `sleeper` is the command of a guest under biarch.
    pub(crate) fn look(ia32: bool, sleeper: Option<Command>) -> Self {
        Self {
            host: compare::machine::Machine::look(),
            ia32,
            syscall_user_dispatch: sleeper.and_then(|mut command| dispatch_in_use(&mut command).ok()),
        }
    }

    /// The line.
    pub(crate) fn line(&self) -> String {
        format!(
            "{}, ia32 {}, syscall user dispatch {}",
            self.host.line(),
            if self.ia32 { "on" } else { "off" },
            match self.syscall_user_dispatch {
                Some(true) => "in use",
                Some(false) => "not in use",
                None => "unknown",
            },
        )
    }
}

/// Starts the guest, attaches to it, and asks the kernel for its dispatch configuration.
fn dispatch_in_use(command: &mut Command) -> Result<bool> {
    /// `PTRACE_GET_SYSCALL_USER_DISPATCH_CONFIG` of ptrace(2).
    const GET_CONFIG: libc::c_uint = 0x4211;
    /// `struct ptrace_sud_config` of `<linux/ptrace.h>`: mode, selector, offset, len. Mode 0 is off.
    type Config = [u64; 4];

    let mut sleeper = Sleeper::start(command)?;
    let process = libc::pid_t::try_from(sleeper.id())?;
    let mut config: Config = [0; 4];
    let mut status = 0;
    // SAFETY: the process is a child of ours that nobody else waits for, and PTRACE_SEIZE and PTRACE_INTERRUPT take no
    // pointer.
    let stopped = unsafe {
        libc::ptrace(libc::PTRACE_SEIZE, process, 0_usize, 0_usize) == 0
            && libc::ptrace(libc::PTRACE_INTERRUPT, process, 0_usize, 0_usize) == 0
            && libc::waitpid(process, &raw mut status, libc::__WALL) == process
    };
    ensure!(stopped && libc::WIFSTOPPED(status), "cannot stop {process}: {}", std::io::Error::last_os_error());
    // SAFETY: the kernel writes at most the size given into the array, which has that size.
    let result = unsafe { libc::ptrace(GET_CONFIG, process, size_of::<Config>(), &raw mut config) };
    let error = std::io::Error::last_os_error();
    sleeper.end()?;
    ensure!(result == 0, "PTRACE_GET_SYSCALL_USER_DISPATCH_CONFIG: {error}");
    Ok(config.first().copied().context("four words")? != 0)
}
