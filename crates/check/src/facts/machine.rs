//! A machine that runs: what its kernel says about itself, and what a 32-bit program found on it.

use super::Architecture;
use std::collections::BTreeMap;

/// One machine, this one or the one that a kit was run on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Machine {
    /// uname(2)'s `release`
    pub release: String,
    /// uname(2)'s `machine`
    pub hardware: String,
    /// Files of `/proc` and `/sys`, by their paths.
    pub files: BTreeMap<String, String>,
    /// 32-bit dynamic loaders that are there; nothing, where nobody looked.
    pub loaders: Option<Vec<String>>,
    /// Lines of the kernel's log that have to do with 32-bit programs or with the clock.
    pub log: Vec<String>,
    /// The probes that were run, or were to be.
    pub probes: Vec<Probe>,
}

/// A 32-bit program that was started to see what it finds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Probe {
    /// Which one: `i386` or `armhf`.
    pub name: String,
    /// Whether `biarch run` ran it, not the kernel.
    pub by_biarch: bool,
    /// What it said, by its keys.
    pub readings: BTreeMap<String, String>,
    /// The symbols of the vDSO.
    pub symbols: Vec<String>,
    /// Whether it came to its end.
    pub complete: bool,
    /// A shell's exit status and message, where it did not.
    pub failure: Option<(u32, String)>,
}

/// What came of something that a probe tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It works.
    Works,
    /// It was carried out, and with another result than it should have.
    Wrong,
    /// A system call's error
    Errno(u32),
    /// The program got a signal.
    Signal(u32),
}

/// `ENOSYS`: there is no such system call.
pub(crate) const ENOSYS: Outcome = Outcome::Errno(38);
/// Symbols of a vDSO that are kept; real ones have a dozen.
const MAX_SYMBOLS: usize = 64;
const SIGSYS: u32 = 31;
/// What a shell adds to the number of a signal that ended a program.
const BY_SIGNAL: u32 = 128;

/// How a probe was prevented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The kernel does not run such programs: `ENOEXEC`.
    NoSuchFormat,
    /// A filter of system calls ended it.
    Filtered,
    /// Something else, which says nothing about other programs.
    Other,
}

impl Probe {
    /// Adds a line `KEY VALUE`.
    pub(crate) fn read(&mut self, line: &str) {
        let (key, value) = line.split_once(' ').unwrap_or((line, ""));
        match key {
            "end" => self.complete = true,
            "vdso.symbol" if self.symbols.len() < MAX_SYMBOLS => self.symbols.extend(value.split(' ').next().map(str::to_owned)),
            _ => drop(self.readings.insert(key.to_owned(), value.to_owned())),
        }
    }

    /// The value of a key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&str> {
        self.readings.get(key).map(String::as_str)
    }

    /// Nanoseconds.
    #[must_use]
    pub fn nanoseconds(&self, key: &str) -> Option<f64> {
        self.get(key)?.parse().ok().filter(|value: &f64| value.is_finite() && *value > 0.0)
    }

    /// What came of a try.
    #[must_use]
    pub fn outcome(&self, key: &str) -> Option<Outcome> {
        let value = self.get(key)?;
        match value.split_once(' ') {
            None if value == "ok" => Some(Outcome::Works),
            None if value == "wrong" => Some(Outcome::Wrong),
            Some(("errno", number)) => number.parse().ok().map(Outcome::Errno),
            Some(("signal", number)) => number.parse().ok().map(Outcome::Signal),
            _ => None,
        }
    }

    /// A number that is said in hexadecimal.
    #[must_use]
    pub fn hexadecimal(&self, key: &str) -> Option<u64> {
        u64::from_str_radix(self.get(key)?.strip_prefix("0x")?, 16).ok()
    }

    /// The lines with these keys, for a person.
    #[must_use]
    pub fn quote(&self, keys: &[&str]) -> String {
        let lines = keys.iter().filter_map(|key| Some(format!("{key} {}", self.get(key)?)));
        let lines = lines.collect::<Vec<_>>().join(", ");
        if lines.is_empty() { lines } else { format!("an {} program finds: {lines}", self.name) }
    }

    /// Whether the auxiliary vector names a vDSO.
    #[must_use]
    pub fn has_vdso(&self) -> bool {
        self.get("auxv.AT_SYSINFO_EHDR").is_some_and(|address| address != "0x0")
    }

    /// The call that reads the clock, with the nanoseconds that it takes by the vDSO and by a system call. Of the two that there
    /// are the one that gains more: a disturbance only takes away.
    #[must_use]
    pub fn clock(&self) -> Option<(&'static str, f64, f64)> {
        let times = |call: &str| {
            let [vdso, kernel] = ["vdso", "syscall"].map(|way| self.nanoseconds(&format!("ns.{way}.{call}")));
            Some((vdso?, kernel?))
        };
        let found = ["clock_gettime64", "clock_gettime"].into_iter().filter_map(|call| Some((call, times(call)?)));
        found.map(|(call, (vdso, kernel))| (call, vdso, kernel)).max_by(|a, b| (a.2 / a.1).total_cmp(&(b.2 / b.1)))
    }

    /// How many times as long a reading of the clock takes by a system call as by the vDSO.
    #[must_use]
    pub fn clock_ratio(&self) -> Option<f64> {
        self.clock().map(|(_, vdso, kernel)| kernel / vdso)
    }

    /// How it was prevented, if it was.
    #[must_use]
    pub fn refusal(&self) -> Option<Refusal> {
        let (status, message) = self.failure.as_ref().filter(|_| !self.complete)?;
        Some(match status {
            _ if *status == BY_SIGNAL + SIGSYS => Refusal::Filtered,
            _ if !self.readings.is_empty() => Refusal::Other,
            _ if message.contains("ermission denied") => Refusal::Other,
            // strerror(3) says the first; a shell that takes it for a script finds no command of the second name, `\x7fELF`; mksh
            // says the third.
            _ if ["ormat error", "\u{7f}ELF", "Magic 7F454C46"].iter().any(|words| message.contains(words)) => {
                Refusal::NoSuchFormat
            }
            _ => Refusal::Other,
        })
    }
}

/// One processor, as `/proc/cpuinfo` describes it on ARM.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Processor {
    /// Who made it: 0x41 is Arm.
    pub implementer: u32,
    /// Which one: 0xd0b is Cortex-A76.
    pub part: u32,
    /// The major revision, the `1` of r1p2.
    pub variant: u32,
    /// The minor revision, the `2` of r1p2.
    pub revision: u32,
}

impl Processor {
    /// Whether it is one of these of Arm: `(part, last)` with the last revision that counts.
    #[must_use]
    pub fn is_one_of(&self, parts: &[(u32, (u32, u32))]) -> bool {
        const ARM: u32 = 0x41;
        let revision = (self.variant, self.revision);
        self.implementer == ARM && parts.iter().any(|(part, last)| *part == self.part && revision <= *last)
    }
}

/// Whether this is the path of a dynamic loader for programs of the architecture of a probe, `i386` or `armhf`; the latter stands
/// for all 32-bit ARM programs.
pub(crate) fn is_loader_of(path: &str, name: &str) -> bool {
    match name {
        "i386" => matches!(path, "/lib/ld-linux.so.2" | "/lib/ld-musl-i386.so.1"),
        _ => matches!(
            path,
            "/lib/ld-linux-armhf.so.3" | "/lib/ld-linux.so.3" | "/lib/ld-musl-armhf.so.1" | "/lib/ld-musl-arm.so.1"
        ),
    }
}

/// What a program without a vDSO has seen, for a person.
pub(crate) fn without_vdso(probe: Option<&Probe>) -> String {
    let times = probe.map(|probe| probe.quote(&["ns.syscall.clock_gettime", "ns.syscall.clock_gettime64"])).unwrap_or_default();
    let separator = if times.is_empty() { "" } else { "; " };
    format!("AT_SYSINFO_EHDR is not in the auxiliary vector of a 32-bit program{separator}{times}")
}

/// What erratum 1418040 concerns: Cortex-A76 and Neoverse N1 up to r3p1.
pub(crate) const ERRATUM_1418040: &[(u32, (u32, u32))] = &[(0xd0b, (3, 1)), (0xd0c, (3, 1))];

impl Machine {
    /// What its processor is.
    #[must_use]
    pub fn architecture(&self) -> Option<Architecture> {
        match self.hardware.as_str() {
            "x86_64" => Some(Architecture::X86_64),
            "i386" | "i486" | "i586" | "i686" => Some(Architecture::X86),
            "aarch64" => Some(Architecture::Arm64),
            hardware if hardware.starts_with("arm") => Some(Architecture::Arm),
            _ => None,
        }
    }

    /// Whether its processor is one of ARM's architectures.
    #[must_use]
    pub fn has_arm(&self) -> bool {
        matches!(self.architecture(), Some(Architecture::Arm64 | Architecture::Arm))
    }

    /// The first line of a file; nearly all of them have one only.
    #[must_use]
    pub fn file(&self, path: &str) -> Option<&str> {
        self.files.get(path).map(|text| text.lines().next().unwrap_or_default().trim())
    }

    /// The value of a sysctl, such as `abi.swp`.
    #[must_use]
    pub fn sysctl(&self, name: &str) -> Option<&str> {
        self.file(&format!("/proc/sys/{}", name.replace('.', "/")))
    }

    /// The words of the kernel's command line.
    pub fn command_line(&self) -> impl Iterator<Item = &str> {
        self.file("/proc/cmdline").unwrap_or_default().split_ascii_whitespace()
    }

    /// What the clock is read from.
    #[must_use]
    pub fn clocksource(&self) -> Option<&str> {
        self.file("/sys/devices/system/clocksource/clocksource0/current_clocksource")
    }

    /// The processors, each kind once, and nothing where `/proc/cpuinfo` does not have these numbers.
    #[must_use]
    pub fn processors(&self) -> Vec<Processor> {
        let text = self.files.get("/proc/cpuinfo").map_or("", String::as_str);
        let mut found = Vec::new();
        let mut now = Processor { implementer: 0, part: 0, variant: 0, revision: 0 };
        for (name, value) in text.lines().filter_map(|line| line.split_once(':')) {
            let value = value.trim();
            let number = value.strip_prefix("0x").map_or_else(|| value.parse().ok(), |hex| u32::from_str_radix(hex, 16).ok());
            let Some(number) = number else { continue };
            match name.trim() {
                "CPU implementer" => now.implementer = number,
                "CPU variant" => now.variant = number,
                "CPU part" => now.part = number,
                // The last of a processor's lines.
                "CPU revision" => {
                    now.revision = number;
                    found.push(now);
                }
                _ => {}
            }
        }
        found.sort();
        found.dedup();
        found
    }

    /// The probe that the kernel itself ran, or was to run.
    #[must_use]
    pub fn tried(&self) -> Option<&Probe> {
        self.probes.iter().find(|probe| !probe.by_biarch && !self.is_translated(probe))
    }

    /// What a 32-bit program found that the kernel itself ran, to its end: what is missing in half a text may be in the other.
    #[must_use]
    pub fn native(&self) -> Option<&Probe> {
        self.tried().filter(|probe| probe.complete)
    }

    /// Whether the kernel runs 32-bit programs, where one was tried.
    #[must_use]
    pub fn runs_narrow(&self) -> Option<bool> {
        let tried = self.tried()?;
        match tried.refusal() {
            Some(Refusal::NoSuchFormat) => Some(false),
            _ => (!tried.readings.is_empty()).then_some(true),
        }
    }

    /// What it found under `biarch run`.
    #[must_use]
    pub fn by_biarch(&self) -> Option<&Probe> {
        self.probes.iter().find(|probe| probe.by_biarch && probe.complete)
    }

    /// Why nothing is known of what 32-bit programs find here, where nothing is.
    #[must_use]
    pub fn untried(&self) -> Option<String> {
        let Some(probe) = self.tried() else {
            return Some(match self.probes.first() {
                Some(_) => "an emulator runs them, and would be what is found and timed".to_owned(),
                None => "none was tried".to_owned(),
            });
        };
        let message = probe.failure.as_ref().map(|(status, message)| format!("exit status {status} {message}"));
        match probe.refusal() {
            Some(Refusal::Other) => {
                let message = message?;
                let next = if message.contains("ermission") {
                    "; may programs be executed there? TMPDIR can name another directory, and a kit can be copied elsewhere"
                } else {
                    ""
                };
                Some(format!("probe-{} could not be run to its end: {message}{next}", probe.name))
            }
            // Rules say so.
            Some(Refusal::NoSuchFormat | Refusal::Filtered) => None,
            None if probe.complete => None,
            None => Some(format!("what probe-{} has said is not all there", probe.name)),
        }
    }

    /// What it is, in a few words, with what was measured.
    #[must_use]
    pub fn description(&self) -> String {
        let mut text = match self.tried() {
            Some(probe) if self.runs_narrow() == Some(true) => format!("it runs {} programs", probe.name),
            Some(probe) if self.runs_narrow() == Some(false) => format!("it does not run {} programs", probe.name),
            _ => "it is not known whether it runs 32-bit programs".to_owned(),
        };
        let by_biarch = self.by_biarch();
        if by_biarch.is_some() {
            text.push_str("; `biarch run` does");
        }
        let Some(probe) = self.native().or(by_biarch) else { return text };
        if let Some((call, vdso, kernel)) = probe.clock() {
            text.push_str(&format!("; {call} takes {vdso} ns by the vDSO, {kernel} ns by a system call"));
        } else if let Some(kernel) = probe.nanoseconds("ns.syscall.clock_gettime") {
            text.push_str(&format!("; clock_gettime takes {kernel} ns, by a system call"));
        }
        text
    }

    /// Whether an emulator ran it, of whose making its times are. qemu-arm says `armv7l` where the kernel says `aarch64` or
    /// `armv8l`; and what is of another processor altogether cannot run by itself.
    #[must_use]
    pub fn is_translated(&self, probe: &Probe) -> bool {
        let own = match self.architecture() {
            Some(Architecture::X86_64 | Architecture::X86) => "i386",
            _ => "armhf",
        };
        let ran_as = probe.get("uname.machine").unwrap_or_default();
        probe.complete
            && (probe.name != own
                || self.architecture() == Some(Architecture::Arm64) && !matches!(ran_as, "" | "aarch64" | "armv8l" | "armv8b"))
    }
}
