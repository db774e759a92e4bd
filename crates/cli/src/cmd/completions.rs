//! `biarch completions SHELL`

use super::Cli;
use anyhow::Result;
use clap::{Args, CommandFactory};
use clap_complete::Shell;
use std::io::Write;

/// Print the completions for a shell
///
/// bash: biarch completions bash > /usr/share/bash-completion/completions/biarch
#[derive(Args)]
pub(crate) struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(self) -> Result<()> {
        // clap_complete panics where it cannot write, so it writes to memory.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "biarch", &mut script);
        let mut out = ui::color::stdout();
        out.write_all(&script)?;
        Ok(out.flush()?)
    }
}
