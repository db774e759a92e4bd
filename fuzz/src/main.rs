//! `fuzz TARGET --seconds N`: damages files and feeds them to one target, in a process of its own that may die.
//!
//! Built with `--cfg fuzzing` it is libFuzzer, and BIARCH_FUZZ names the target.
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    static TARGET: std::sync::OnceLock<&fuzz::Target> = std::sync::OnceLock::new();
    let name = || std::env::var("BIARCH_FUZZ").unwrap_or_default();
    (TARGET.get_or_init(|| fuzz::target(&name()).expect("BIARCH_FUZZ names no target")).run)(bytes);
});

#[cfg(not(fuzzing))]
mod stable {
    use anyhow::{Context, Result, bail};
    use clap::Parser;
    use fuzz::mutation::{Random, damaged};
    use std::fs;
    use std::io::Write;
    use std::path::PathBuf;
    use std::process::{Command, ExitCode};
    use std::time::{Duration, Instant};

    /// Feed damaged files to what reads files of strangers
    ///
    /// What makes the target panic, take too long or too much memory is saved below target/fuzz. Exit status 1 if there was such an
    /// input. For a search that is led by what the inputs reach see fuzz/coverage.
    #[derive(Parser)]
    pub(crate) struct Options {
        /// What to feed; without it a list is printed
        target: Option<String>,
        /// Feed these files, as they are
        files: Vec<PathBuf>,
        /// How long
        #[arg(long, default_value_t = 60)]
        seconds: u64,
        /// Other damage
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// The longest that one input may take, in seconds
        #[arg(long, default_value_t = 10)]
        limit: u64,
        /// The most memory, in MiB
        #[arg(long, default_value_t = 2048)]
        memory: u64,
        /// Write the seeds into this directory and stop
        #[arg(long)]
        write_seeds: Option<PathBuf>,
        #[arg(long, hide = true)]
        worker: Option<PathBuf>,
    }

    pub(crate) fn run(options: &Options) -> Result<ExitCode> {
        let Some(name) = &options.target else {
            let names: Vec<_> = fuzz::TARGETS.iter().map(|target| target.name).collect();
            writeln!(std::io::stdout(), "{}", names.join("\n"))?;
            return Ok(ExitCode::SUCCESS);
        };
        let target = fuzz::target(name).with_context(|| format!("there is no target {name}; `fuzz` lists them"))?;
        if let Some(directory) = &options.write_seeds {
            fs::create_dir_all(directory)?;
            for (number, seed) in (target.seeds)().iter().enumerate() {
                fs::write(directory.join(format!("seed-{number:03}")), seed)?;
            }
            return Ok(ExitCode::SUCCESS);
        }
        for path in &options.files {
            (target.run)(&fs::read(path).with_context(|| path.display().to_string())?);
        }
        match &options.worker {
            _ if !options.files.is_empty() => Ok(ExitCode::SUCCESS),
            Some(current) => feed(target, options, current),
            None => watch(name, options),
        }
    }

    /// Feeds damaged seeds until the time is over; `current` always holds the input that is being read.
    fn feed(target: &fuzz::Target, options: &Options, current: &PathBuf) -> Result<ExitCode> {
        let seeds = (target.seeds)();
        let mut random = Random::new(options.seed);
        let end = Instant::now() + Duration::from_secs(options.seconds);
        let mut count = 0u64;
        while Instant::now() < end {
            let [seed, other] = [&seeds[random.below(seeds.len())], &seeds[random.below(seeds.len())]];
            let bytes = damaged(seed, other, &mut random);
            fs::write(current, &bytes)?;
            (target.run)(&bytes);
            count += 1;
        }
        writeln!(std::io::stderr(), "{}: {count} inputs", target.name)?;
        Ok(ExitCode::SUCCESS)
    }

    /// Runs a worker, and keeps the input that it dies of.
    fn watch(name: &str, options: &Options) -> Result<ExitCode> {
        let directory = PathBuf::from("target/fuzz");
        fs::create_dir_all(&directory)?;
        let current = fuzz::scratch();
        let own = std::env::current_exe()?;
        let mut command = Command::new("sh");
        command.args(["-c", "ulimit -v $0 && exec \"$@\"", &(options.memory << 10).to_string()]);
        command.arg(own).args([name, "--worker"]).arg(&current);
        command.args(["--seconds", &options.seconds.to_string(), "--seed", &options.seed.to_string()]);
        let mut worker = command.spawn()?;
        let mut last = (Instant::now(), None);
        let died = loop {
            if let Some(status) = worker.try_wait()? {
                if status.success() {
                    let _ = fs::remove_file(&current);
                    return Ok(ExitCode::SUCCESS);
                }
                break status.to_string();
            }
            // The file is written for each input: where its time stands still one takes too long.
            let written = fs::metadata(&current).and_then(|data| data.modified()).ok();
            if written != last.1 {
                last = (Instant::now(), written);
            } else if last.0.elapsed() > Duration::from_secs(options.limit) {
                worker.kill()?;
                worker.wait()?;
                break format!("it took more than {} seconds", options.limit);
            }
            std::thread::sleep(Duration::from_millis(200));
        };
        let kept = directory.join(format!("{name}-{}", std::process::id()));
        fs::copy(&current, &kept)?;
        let _ = fs::remove_file(&current);
        bail!("{died}; the input is {0}: cargo run -p biarch-fuzz -- {name} {0}", kept.display())
    }
}

#[cfg(not(fuzzing))]
fn main() -> anyhow::Result<std::process::ExitCode> {
    stable::run(&clap::Parser::parse())
}
