//! The machine: a ratio without it cannot be set beside anybody else's.

use serde::{Deserialize, Serialize};
use std::fs;

/// A file of this directory is a fault of processors, and says what is done about it.
pub(crate) const VULNERABILITIES: &str = "/sys/devices/system/cpu/vulnerabilities/";

/// What is read of a machine, here and by a kit; a file that is not there says nothing.
pub(crate) const FILES: [&str; 7] = [
    "/proc/cpuinfo",
    "/proc/loadavg",
    "/proc/device-tree/model",
    "/sys/class/dmi/id/sys_vendor",
    "/sys/class/dmi/id/product_name",
    "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
    "/sys/devices/system/clocksource/clocksource0/current_clocksource",
];

/// What figures depend on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// The processor's name, as the kernel has it.
    pub cpu: String,
    /// Processors that this process may use.
    pub cpus: usize,
    /// Whether it is a virtual machine, as far as the processor says so.
    pub hypervisor: bool,
    /// What the firmware calls the machine.
    #[serde(default)]
    pub board: Option<String>,
    /// The kernel's release.
    pub kernel: String,
    /// The frequency governor of the first processor.
    pub governor: Option<String>,
    /// The clock that the kernel reads.
    pub clocksource: Option<String>,
    /// The load average of the last minute, when the measurement began.
    pub load: String,
    /// Mitigations of processor faults that are on, each a name and what is done.
    pub mitigations: Vec<String>,
}

impl Machine {
    /// Looks at this one.
    #[must_use]
    pub fn look() -> Self {
        let names = fs::read_dir(VULNERABILITIES).into_iter().flatten();
        let names = names.filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()));
        let release = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
        let cpus = std::thread::available_parallelism().map_or(1, usize::from);
        Self::of(&|path| fs::read_to_string(path).ok(), release.trim(), cpus, names.collect())
    }

    /// The machine with these files, the kernel's release and processors, and with files of these names in [`VULNERABILITIES`].
    pub(crate) fn of(read: &dyn Fn(&str) -> Option<String>, release: &str, cpus: usize, mut names: Vec<String>) -> Self {
        let line = |path: &str| {
            // The device tree's texts end with a zero.
            let text = read(path)?.replace('\0', " ").trim().to_owned();
            (!text.is_empty()).then_some(text)
        };
        let cpuinfo = line("/proc/cpuinfo").unwrap_or_default();
        let field = |name: &str| {
            let line = cpuinfo.lines().find(|line| line.split(':').next().is_some_and(|key| key.trim() == name))?;
            Some(line.split_once(':')?.1.trim().to_owned())
        };
        let part = || Some(format!("implementer {} part {}", field("CPU implementer")?, field("CPU part")?));
        let dmi = || Some(format!("{} {}", line("/sys/class/dmi/id/sys_vendor")?, line("/sys/class/dmi/id/product_name")?));
        names.sort();
        let mitigation = |name: String| {
            let text = line(&format!("{VULNERABILITIES}{name}"))?;
            Some(format!("{name}: {}", text.strip_prefix("Mitigation: ")?))
        };
        Self {
            cpu: field("model name").or_else(part).unwrap_or_else(|| "unknown processor".to_owned()),
            cpus,
            hypervisor: field("flags").is_some_and(|flags| flags.split(' ').any(|flag| flag == "hypervisor")),
            board: line("/proc/device-tree/model").or_else(dmi),
            kernel: release.to_owned(),
            governor: line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
            clocksource: line("/sys/devices/system/clocksource/clocksource0/current_clocksource"),
            load: line("/proc/loadavg").and_then(|text| text.split(' ').next().map(str::to_owned)).unwrap_or_default(),
            mitigations: names.into_iter().filter_map(mitigation).collect(),
        }
    }

    /// Where it is not known to be hardware, what it is. What an emulator computes has times of its own; nothing about hardware
    /// follows from them.
    #[must_use]
    pub fn virtual_kind(&self) -> Option<&'static str> {
        let board = self.board.as_deref().unwrap_or_default();
        if self.cpu.contains("TCG") {
            Some("an emulated machine")
        } else if board.contains("dummy-virt") || (board.contains("QEMU") && !self.hypervisor) {
            // An Arm processor does not say whether it is one.
            Some("a virtual or emulated machine")
        } else {
            self.hypervisor.then_some("a virtual machine")
        }
    }

    /// What has to be known before times of it are believed.
    #[must_use]
    pub fn caveat(&self) -> Option<String> {
        let kind = self.virtual_kind()?;
        let because = if kind.contains("emulated") {
            "times of an emulated processor are not those of hardware, nor are their ratios"
        } else {
            "what enters the kernel, faults or misses the caches costs more there than on hardware"
        };
        Some(format!("measured in {kind}: {because}"))
    }

    /// In one line.
    #[must_use]
    pub fn line(&self) -> String {
        let mut line = format!("{} x {}", self.cpus, self.cpu);
        if let Some(kind) = self.virtual_kind() {
            line.push_str(&format!(" in {kind}"));
        }
        if let Some(board) = &self.board {
            line.push_str(&format!(" ({board})"));
        }
        line.push_str(&format!(", Linux {}", self.kernel));
        if let Some(clocksource) = &self.clocksource {
            line.push_str(&format!(", clock {clocksource}"));
        }
        if let Some(governor) = &self.governor {
            line.push_str(&format!(", governor {governor}"));
        }
        format!("{line}, load {}", self.load)
    }
}
