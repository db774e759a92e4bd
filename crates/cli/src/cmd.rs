//! The command line: one file per subcommand, registered in [`Command`].

mod check;
mod completions;
mod explain;
mod list;
mod man;
mod run;

pub(crate) use run::{note_auxv, reexecuted};

use clap::{Parser, Subcommand, ValueEnum};

/// The exit status of a command that failed; 2 is for a wrong command line.
const FAILED: u8 = 1;

/// 32-bit software on 64-bit Linux
#[derive(Parser)]
#[command(name = "biarch", version, arg_required_else_help = true)]
pub(crate) struct Cli {
    /// When to use colour; NO_COLOR is honoured
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    color: ColorArgument,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Run(run::Run),
    Check(check::Check),
    Explain(explain::Explain),
    List(list::List),
    Completions(completions::Completions),
    Man(man::Man),
}

#[derive(Clone, Copy, ValueEnum)]
enum ColorArgument {
    Auto,
    Always,
    Never,
}

impl Cli {
    /// Does what the command line says; the result is the exit status.
    pub(crate) fn run(self) -> u8 {
        match self.color {
            ColorArgument::Auto => ui::Color::Auto,
            ColorArgument::Always => ui::Color::Always,
            ColorArgument::Never => ui::Color::Never,
        }
        .set();
        let result = match self.command {
            Command::Run(run) => return run.run(),
            Command::Check(check) => return check.run(),
            Command::Explain(explain) => explain.run(),
            Command::List(list) => list.run(),
            Command::Completions(completions) => completions.run(),
            Command::Man(man) => man.run(),
        };
        match result {
            Ok(()) => 0,
            Err(error) => ui::exit::failure(error.as_ref(), FAILED),
        }
    }
}
