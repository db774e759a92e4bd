//! One measurement: one row on one system, one figure in the row's unit.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use crate::rows::{Compiler, Residence, Work};
use crate::servers;
use crate::system::{System, Systems, WORK, gcc_version};
use compare::stats;

/// No measurement takes this long on any system; whatever does has hung.
const LIMIT: Duration = Duration::from_secs(300);
/// How many starts make one figure of [`Work::Startup`].
const STARTS: u32 = 30;

/// Measures, and keeps what the programs wrote, to see that all systems compute the same.
pub(crate) struct Meter<'a> {
    pub(crate) systems: &'a Systems,
    /// A directory for the programs' output.
    pub(crate) scratch: PathBuf,
}

impl Meter<'_> {
    /// The figure of one run.
    pub(crate) fn measure(&self, work: Work, system: System) -> Result<f64> {
        match work {
            Work::Inside(guest, arguments) => self.inside(self.systems.guest(system, guest, arguments)?),
            Work::InsideExec(guest, child) => self.inside(self.systems.guest_exec(system, guest, child)?),
            Work::Startup(guest) => self.startup(system, guest),
            Work::Resident(guest, residence) => self.resident(system, guest, residence),
            Work::Openssl(arguments) => self.openssl(system, arguments),
            Work::Cpu { argv, stdin } => self.cpu(system, argv, stdin, true),
            Work::Server(server) => servers::measure(self.systems, system, server),
            Work::Compile(compiler) => self.compile(system, compiler),
        }
    }

    fn inside(&self, mut command: Command) -> Result<f64> {
        self.run(command.stdin(Stdio::null()), "guest")?;
        let output = self.output("guest")?;
        output.trim().parse().with_context(|| format!("the guest printed {output:?}, not a number"))
    }

    /// The median of many starts, so that one preempted start is not the figure.
    fn startup(&self, system: System, guest: &str) -> Result<f64> {
        // The first is watched: the others must be waited for without looking at the clock in between.
        self.run(self.systems.guest(system, guest, &[])?.stdin(Stdio::null()), "start")?;
        let mut times = Vec::new();
        for _ in 0..STARTS {
            let mut command = self.systems.guest(system, guest, &[])?;
            command.stdin(Stdio::null()).stdout(Stdio::null());
            let start = Instant::now();
            let status = command.status().with_context(|| format!("cannot run {command:?}"))?;
            times.push(start.elapsed().as_secs_f64() * 1e9);
            ensure!(status.success(), "{command:?}: {status}");
        }
        stats::median(&times).context("no starts")
    }

    fn resident(&self, system: System, guest: &str, residence: Residence) -> Result<f64> {
        let mut command = self.systems.guest(system, guest, &[])?;
        let mut child = Sleeper::start(&mut command)?;
        let (file, field) = match residence {
            Residence::Peak => ("status", "VmHWM:"),
            Residence::Proportional => ("smaps_rollup", "Pss:"),
        };
        let path = format!("/proc/{}/{file}", child.id());
        let about = fs::read_to_string(&path).with_context(|| format!("cannot read {path}"))?;
        child.end()?;
        let line = about.lines().find_map(|line| line.strip_prefix(field)).with_context(|| format!("no {field} in {path}"))?;
        let kibibytes = line.trim().trim_end_matches("kB").trim();
        kibibytes.parse().with_context(|| format!("{path}: {field} {line:?}"))
    }

    /// `openssl speed` counts operations and ends each phase by a timer. Its own times have the resolution of times(2), a
    /// hundredth of a second, too coarse for two per cent; so the processor time comes from getrusage(2), less that of a start
    /// without work, since the busier the machine, the less of a phase is left beside it. Only the phases' shares of it
    /// (private and public key) are openssl's, and the figure is the sum of one operation of each.
    fn openssl(&self, system: System, arguments: &[&str]) -> Result<f64> {
        let mut start = self.systems.rooted(system, &["/usr/bin/openssl", "version"])?;
        let start = self.run(start.stdin(Stdio::null()), "openssl")?;
        let words = [&["/usr/bin/openssl", "speed", "-mr", "-seconds", "1", "-bytes", "8192"][..], arguments].concat();
        let mut command = self.systems.rooted(system, &words)?;
        let time = self.run(command.stdin(Stdio::null()), "openssl")? - start;
        let talk = fs::read_to_string(self.scratch.join("openssl.err")).context("cannot read what openssl said")?;
        let phases = speed_phases(&talk);
        let total: f64 = phases.iter().map(|(_, time)| time).sum();
        ensure!(total > 0.0 && time > 0.0, "openssl speed reported nothing: {talk:?}");
        Ok(phases.iter().map(|(count, share)| time * share / total / count).sum())
    }

    fn compile(&self, system: System, compiler: Compiler) -> Result<f64> {
        let version = gcc_version(self.systems.root.as_deref().context("no i386 root directory")?)?;
        match compiler {
            Compiler::Cc1 => {
                let cc1 = format!("/usr/lib/gcc/i686-linux-gnu/{version}/cc1");
                self.cpu(system, &[&cc1, "-quiet", "-O1", "{work}/large.c", "-o", "-"], None, true)
            }
            Compiler::Driver => {
                let gcc = format!("/usr/bin/i686-linux-gnu-gcc-{version}");
                self.cpu(system, &[&gcc, "-c", "-O1", "{work}/large.c", "-o", "{work}/large.o"], None, false)
            }
        }
    }

    /// Processor time of a command in the root directory. With `compare`, its output must be that of the native run.
    fn cpu(&self, system: System, argv: &[&str], stdin: Option<&str>, compare: bool) -> Result<f64> {
        let mut command = self.systems.rooted(system, argv)?;
        command.stdin(match stdin {
            None => Stdio::null(),
            Some(name) => {
                let root = self.systems.root.as_deref().context("no i386 root directory")?;
                let path = root.join(WORK.trim_start_matches('/')).join(name);
                Stdio::from(File::open(&path).with_context(|| format!("cannot open {}", path.display()))?)
            }
        });
        let time = self.run(&mut command, system.name())?;
        if compare && system != System::Native && self.systems.native {
            let [expected, found] = [System::Native, system].map(|system| fs::read(self.path(system.name())));
            ensure!(expected? == found?, "{command:?}: its output differs from the native run's");
        }
        Ok(time)
    }

    /// Runs a command to its end and gives the processor time, in nanoseconds, of it and of all it waited for. Its output
    /// goes to files, so that no full pipe holds it up.
    fn run(&self, command: &mut Command, name: &str) -> Result<f64> {
        let talk = self.path(name).with_extension("err");
        let open = |path: &Path| File::create(path).with_context(|| format!("cannot create {}", path.display()));
        command.stdout(open(&self.path(name))?).stderr(open(&talk)?);
        let before = children_time()?;
        let mut child = command.spawn().with_context(|| format!("cannot run {command:?}"))?;
        let start = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break status;
            }
            if start.elapsed() > LIMIT {
                child.kill()?;
                child.wait()?;
                bail!("{command:?} had not ended after {} s", LIMIT.as_secs());
            }
            std::thread::sleep(Duration::from_millis(2));
        };
        if !status.success() {
            let talk = fs::read(&talk)?;
            let talk = String::from_utf8_lossy(&talk);
            bail!("{command:?}: {status}: {}", talk.lines().last().unwrap_or("it said nothing"));
        }
        Ok(children_time()? - before)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.scratch.join(name)
    }

    fn output(&self, name: &str) -> Result<String> {
        fs::read_to_string(self.path(name)).with_context(|| format!("cannot read {}", self.path(name).display()))
    }
}

/// A guest that has said its line and sleeps; it is killed at the end of the value's life.
pub(crate) struct Sleeper(Child);

impl Sleeper {
    /// Starts the guest and waits for the line.
    pub(crate) fn start(command: &mut Command) -> Result<Self> {
        command.stdin(Stdio::null()).stdout(Stdio::piped());
        let mut sleeper = Self(command.spawn().with_context(|| format!("cannot run {command:?}"))?);
        let output = sleeper.0.stdout.take().context("the output is a pipe")?;
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line)?;
        if line.trim_end() != "hello" {
            sleeper.end()?;
            bail!("{command:?} said {line:?}, not hello");
        }
        Ok(sleeper)
    }

    /// The process.
    pub(crate) fn id(&self) -> u32 {
        self.0.id()
    }

    /// Kills it and waits for it.
    pub(crate) fn end(&mut self) -> Result<()> {
        self.0.kill()?;
        self.0.wait()?;
        Ok(())
    }
}

impl Drop for Sleeper {
    fn drop(&mut self) {
        // It may be gone already: that is what is wanted here.
        let _ = self.end();
    }
}

/// User and system time, in nanoseconds, of all children that have been waited for.
fn children_time() -> Result<f64> {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::uninit();
    // SAFETY: the pointer is to a rusage of our own, which the call only writes.
    let result = unsafe { libc::getrusage(libc::RUSAGE_CHILDREN, usage.as_mut_ptr()) };
    ensure!(result == 0, "getrusage: {}", std::io::Error::last_os_error());
    // SAFETY: getrusage(2) has filled it, since it succeeded.
    let usage = unsafe { usage.assume_init() };
    let nanoseconds = |time: libc::timeval| -> Result<f64> {
        Ok(Duration::new(time.tv_sec.try_into()?, u32::try_from(time.tv_usec)? * 1000).as_secs_f64() * 1e9)
    };
    Ok(nanoseconds(usage.ru_utime)? + nanoseconds(usage.ru_stime)?)
}

/// The operations and the time of each phase, from the lines `+R:COUNT:NAME:TIME` (`+R1:` … for keys) of `openssl speed -mr`.
fn speed_phases(talk: &str) -> Vec<(f64, f64)> {
    talk.lines()
        .filter(|line| line.starts_with("+R"))
        .filter_map(|line| {
            let mut fields = line.split(':').skip(1);
            Some((fields.next()?.parse().ok()?, fields.last()?.parse().ok()?))
        })
        .filter(|(count, _)| *count > 0.0)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_of_openssl_speed() {
        assert_eq!(speed_phases("+DT:md5:1:8192\n+R:92577:md5:1.000000\n"), [(92577.0, 1.0)]);
        let keys = "+DTP:256:sign:ecdsa:1\n+R5:12873:256:0.98\n+DTP:256:verify:ecdsa:1\n+R6:4440:256:0.97\n";
        assert_eq!(speed_phases(keys), [(12873.0, 0.98), (4440.0, 0.97)]);
        assert!(speed_phases("error\n+R:0:md5:1.0").is_empty());
    }

    #[test]
    fn processor_time_of_a_child_is_counted() {
        let meter = Meter {
            systems: &Systems { native: true, biarch: None, entry: None, qemu: None, guests: PathBuf::new(), root: None },
            scratch: std::env::temp_dir(),
        };
        let name = format!("biarch-bench-{}", std::process::id());
        let mut command = Command::new("/bin/sh");
        command.args(["-c", "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; echo done"]);
        let busy = meter.run(&mut command, &name).expect("sh runs");
        assert_eq!(meter.output(&name).expect("it was written"), "done\n");
        assert!(busy > 1e6, "{busy}");
        let error = meter.run(Command::new("/bin/sh").args(["-c", "echo why >&2; exit 3"]), &name).expect_err("status 3");
        assert!(error.to_string().ends_with("exit status: 3: why"), "{error}");
        for extension in ["", "err"] {
            let _ = fs::remove_file(meter.path(&name).with_extension(extension));
        }
    }
}
