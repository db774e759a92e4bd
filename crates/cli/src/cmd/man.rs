//! `biarch man DIRECTORY`, for packagers; `cargo xtask man` runs it.

use super::Cli;
use anyhow::{Context, Result};
use clap::{Args, CommandFactory};
use std::path::PathBuf;

/// Write a man page for biarch and for each subcommand
#[derive(Args)]
#[command(hide = true)]
pub(crate) struct Man {
    /// Where to write them
    directory: PathBuf,
}

impl Man {
    pub(crate) fn run(self) -> Result<()> {
        let directory = &self.directory;
        clap_mangen::generate_to(Cli::command(), directory)
            .with_context(|| format!("cannot write the man pages to {}", directory.display()))
    }
}
