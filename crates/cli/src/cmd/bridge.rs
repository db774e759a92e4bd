//! `biarch bridge`: 32-bit libraries in 64-bit programs.

mod build;
mod call;
mod init;
mod list;

use ::bridge::annotation::Transport;
use anyhow::Result;
use clap::{Args, Subcommand, ValueEnum};

/// The exit status where something cannot be converted, or built.
const FAILED: u8 = 2;

/// Use 32-bit libraries in 64-bit programs
///
/// From the library's header, the 32-bit library, and a file that says what C cannot say, a 64-bit library is made that has the same
/// functions, and calls the 32-bit one.
#[derive(Args)]
#[command(after_help = "Examples:
  biarch bridge init /usr/include/zlib.h /usr/lib/i386-linux-gnu/libz.so.1
  biarch bridge build z.toml -o bridge
  biarch bridge list z.toml
  biarch bridge call libm.so.6 'double cos(double)' 1.0")]
pub(crate) struct Bridge {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Init(init::Init),
    Build(build::Build),
    List(list::List),
    Call(call::Call),
}

/// How a library is reached
#[derive(Clone, Copy, ValueEnum)]
enum Reach {
    InProcess,
    Process,
}

impl Reach {
    fn transport(self) -> Transport {
        match self {
            Self::InProcess => Transport::InProcess,
            Self::Process => Transport::Process,
        }
    }
}

impl Bridge {
    pub(crate) fn run(self) -> u8 {
        let result: Result<()> = match self.command {
            Command::Init(init) => init.run(),
            Command::Build(build) => build.run(),
            Command::List(list) => list.run(),
            Command::Call(call) => call.run(),
        };
        match result {
            Ok(()) => 0,
            Err(error) if ui::exit::is_broken_pipe(error.as_ref()) => 0,
            Err(error) => ui::exit::failure(error.as_ref(), FAILED),
        }
    }
}
