//! The command line: one file per subcommand, registered in [`Command`].

mod binfmt;
mod bridge;
mod check;
mod compare;
mod completions;
mod core;
mod explain;
mod latency;
mod list;
mod man;
mod port;
pub(crate) mod run;

use clap::{Parser, Subcommand, ValueEnum};

/// The exit status of a command that failed.
const FAILED: u8 = 1;
/// The exit status after a wrong command line, but that of `biarch run`: any status may be the guest's, so it has 125 as for
/// everything else that biarch cannot do.
const USAGE: u8 = 2;

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
    Binfmt(binfmt::Binfmt),
    Check(check::Check),
    Compare(compare::Compare),
    Port(Box<port::Port>),
    Bridge(bridge::Bridge),
    Latency(latency::Latency),
    Core(core::Core),
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

/// The rules of all commands.
fn rules() -> impl Iterator<Item = &'static findings::Rule> {
    ::check::rules().chain(::port::rules())
}

/// Does what the command line says; the result is the exit status.
pub(crate) fn main() -> u8 {
    // A build that is observed starts biarch in the place of its compilers.
    if let Some(status) = ::port::observe::instead_of_compiler() {
        return status;
    }
    Cli::try_parse().map_or_else(|error| usage(&error), Cli::run)
}

/// Shows what is wrong with the command line, or the help or version that it asks for; the result is the exit status.
fn usage(error: &clap::Error) -> u8 {
    // Where nobody can be told, the status still says it.
    let _ = error.print();
    match (error.use_stderr(), std::env::args_os().nth(1)) {
        (false, _) => 0,
        (true, Some(command)) if command == "run" => run::OWN_FAILURE,
        (true, _) => USAGE,
    }
}

impl Cli {
    fn run(self) -> u8 {
        match self.color {
            ColorArgument::Auto => ui::Color::Auto,
            ColorArgument::Always => ui::Color::Always,
            ColorArgument::Never => ui::Color::Never,
        }
        .set();
        let result = match self.command {
            Command::Run(run) => return run.run(),
            Command::Binfmt(binfmt) => return binfmt.run(),
            Command::Check(check) => return check.run(),
            Command::Port(port) => return port.run(),
            Command::Bridge(bridge) => return bridge.run(),
            Command::Compare(compare) => compare.run(),
            Command::Latency(latency) => latency.run(),
            Command::Core(core) => core.run(),
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
