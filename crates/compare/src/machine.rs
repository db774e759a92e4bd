//! The machine: a ratio without it cannot be set beside anybody else's.

use serde::{Deserialize, Serialize};
use std::fs;

/// What figures depend on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// The processor's name, as the kernel has it.
    pub cpu: String,
    /// Processors that this process may use.
    pub cpus: usize,
    /// Whether it is a virtual machine, as far as the processor says so.
    pub hypervisor: bool,
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
        let read = |path: &str| fs::read_to_string(path).ok().map(|text| text.trim().to_owned());
        let cpuinfo = read("/proc/cpuinfo").unwrap_or_default();
        let field = |name: &str| {
            let line = cpuinfo.lines().find(|line| line.split(':').next().is_some_and(|key| key.trim() == name))?;
            Some(line.split_once(':')?.1.trim().to_owned())
        };
        let mut mitigations: Vec<String> = fs::read_dir("/sys/devices/system/cpu/vulnerabilities")
            .into_iter()
            .flatten()
            .filter_map(|entry| {
                let entry = entry.ok()?;
                let text = fs::read_to_string(entry.path()).ok()?;
                let what = text.trim().strip_prefix("Mitigation: ")?.to_owned();
                Some(format!("{}: {what}", entry.file_name().to_string_lossy()))
            })
            .collect();
        mitigations.sort();
        Self {
            cpu: field("model name").or_else(|| field("CPU part")).unwrap_or_else(|| "unknown processor".to_owned()),
            cpus: std::thread::available_parallelism().map_or(1, usize::from),
            hypervisor: field("flags").is_some_and(|flags| flags.split(' ').any(|flag| flag == "hypervisor")),
            kernel: read("/proc/sys/kernel/osrelease").unwrap_or_else(|| "unknown".to_owned()),
            governor: read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
            clocksource: read("/sys/devices/system/clocksource/clocksource0/current_clocksource"),
            load: read("/proc/loadavg").and_then(|text| text.split(' ').next().map(str::to_owned)).unwrap_or_default(),
            mitigations,
        }
    }

    /// In one line.
    #[must_use]
    pub fn line(&self) -> String {
        let mut line = format!("{} x {}", self.cpus, self.cpu);
        if self.hypervisor {
            line.push_str(" in a virtual machine");
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
