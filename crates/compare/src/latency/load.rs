//! What a machine does while latencies are measured.

use crate::side::Side;
use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use std::io::Read;
use std::process::{Child, Stdio};

/// A condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Load {
    /// Nothing but what is there anyway.
    None,
    /// A computation on each processor.
    Cpu,
    /// The start-up of processes in a loop on each processor.
    Fork,
    /// Files written, forced to the device and read.
    Io,
    /// Page faults.
    Page,
    /// All of these.
    All,
}

impl Load {
    /// Every one, in the order in which they are shown.
    pub const EVERY: [Self; 6] = [Self::None, Self::Cpu, Self::Fork, Self::Io, Self::Page, Self::All];

    /// As on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Cpu => "cpu",
            Self::Fork => "fork",
            Self::Io => "io",
            Self::Page => "page",
            Self::All => "all",
        }
    }

    /// What goes on.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::None => "idle",
            Self::Cpu => "computing",
            Self::Fork => "starting processes in a loop",
            Self::Io => "writing and reading files",
            Self::Page => "page faults",
            Self::All => "computing, starting processes, files and page faults",
        }
    }

    fn kinds(self) -> Vec<Self> {
        match self {
            Self::None => Vec::new(),
            Self::All => vec![Self::Cpu, Self::Fork, Self::Io, Self::Page],
            one => vec![one],
        }
    }
}

/// The processes that are a load. They end with this, and by themselves when this process ends, however it does.
#[derive(Debug)]
pub struct Running(Vec<(Load, Child)>);

impl Running {
    /// Starts one of each kind on each processor; 64-bit programs, whoever is measured.
    ///
    /// # Errors
    /// Where they do not start.
    pub fn start(load: Load, cpus: &[usize], side: &Side) -> Result<Self> {
        let mut running = Self(Vec::new());
        for cpu in cpus {
            for kind in load.kinds() {
                let mut command = side.worker()?;
                command.args(["load", kind.name(), &cpu.to_string()]).stdout(Stdio::null()).stderr(Stdio::piped());
                running.0.push((kind, command.spawn().context("cannot start a load")?));
            }
        }
        Ok(running)
    }

    /// Whether all of it is still there.
    ///
    /// # Errors
    /// What one that has ended said.
    pub fn check(&mut self) -> Result<()> {
        for (kind, child) in &mut self.0 {
            if let Some(status) = child.try_wait()? {
                let mut said = String::new();
                if let Some(error) = &mut child.stderr {
                    error.take(4096).read_to_string(&mut said)?;
                }
                bail!("the load `{}` has ended: {status}: {}", kind.name(), said.trim());
            }
        }
        Ok(())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        for (_, child) in &mut self.0 {
            // One that has ended cannot be killed, which is as good.
            let _ = child.kill();
        }
        for (_, child) in &mut self.0 {
            let _ = child.wait();
        }
    }
}
