//! What latencies depend on, besides what every figure does.

use crate::machine::Machine;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::{self, Read};
use std::os::unix::fs::FileExt;
use std::path::Path;

/// A machine and its kernel, as far as this user may know them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// What every figure depends on.
    pub machine: Machine,
    /// Why no time of this machine is one of hardware: it is emulated, or may be.
    pub emulated: Option<String>,
    /// `PREEMPT_RT`, `PREEMPT_DYNAMIC`, `PREEMPT`, or none of them, as the kernel's version says.
    pub preemption: Option<String>,
    /// Idle states that are on, each with the time that the processor takes to leave it, in microseconds.
    pub idle_states: Vec<(String, u64)>,
    /// Processors that the scheduler leaves alone (`isolcpus`).
    pub isolated: Option<String>,
    /// Processors without a tick (`nohz_full`).
    pub nohz_full: Option<String>,
    /// Microseconds of each second that real-time tasks may use, `sched_rt_runtime_us`; -1 for all.
    pub realtime_us: Option<i64>,
    /// Of an AArch64 machine: whether its interrupts can be masked by priority (`irqchip.gicv3_pseudo_nmi=1`).
    pub pseudo_nmi: Option<String>,
    /// System management interrupts of all processors while this was measured, as they count them (`MSR_SMI_COUNT`).
    pub management_interrupts: Option<u64>,
    /// What the `hwlat` tracer found.
    pub firmware: Option<Firmware>,
}

/// Gaps in which neither the kernel nor an interrupt ran.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Firmware {
    /// For how long was looked, in milliseconds.
    pub looked_ms: u64,
    /// Gaps of more than 10 microseconds.
    pub gaps: u64,
    /// The longest, in microseconds.
    pub longest_us: u64,
}

fn read(path: impl AsRef<Path>) -> Option<String> {
    fs::read_to_string(path).ok().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}

impl Record {
    /// Looks at this machine.
    #[must_use]
    pub fn look() -> Self {
        let system = Path::new("/sys/devices/system/cpu");
        Self {
            machine: Machine::look(),
            emulated: None,
            preemption: preemption(),
            idle_states: idle_states(system),
            isolated: read(system.join("isolated")),
            nohz_full: read(system.join("nohz_full")).filter(|text| text != "(null)"),
            realtime_us: read("/proc/sys/kernel/sched_rt_runtime_us").and_then(|text| text.parse().ok()),
            pseudo_nmi: cfg!(target_arch = "aarch64").then(pseudo_nmi),
            management_interrupts: None,
            firmware: None,
        }
    }
}

/// Why this machine is emulated, if it is; `hypervisor` is what the worker was told by an x86 processor. Another one does not say.
#[must_use]
pub fn emulated(hypervisor: Option<&str>, machine: &Machine) -> Option<String> {
    if hypervisor.is_some_and(|name| name.starts_with("TCG")) {
        return Some("QEMU's translator, TCG".to_owned());
    }
    machine.virtual_kind().filter(|kind| kind.contains("emulated")).map(str::to_owned)
}

fn preemption() -> Option<String> {
    // Older patches of PREEMPT_RT write "PREEMPT RT" into the version.
    if read("/sys/kernel/realtime").is_some_and(|text| text == "1") {
        return Some("PREEMPT_RT".to_owned());
    }
    let version = read("/proc/sys/kernel/version")?;
    version.split_whitespace().find(|word| word.starts_with("PREEMPT")).map(str::to_owned)
}

/// Those of the first processor; the others have the same, as far as anybody knows.
fn idle_states(system: &Path) -> Vec<(String, u64)> {
    let mut states: Vec<_> = fs::read_dir(system.join("cpu0/cpuidle"))
        .into_iter()
        .flatten()
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            let number = |name| read(path.join(name))?.parse::<u64>().ok();
            (number("disable")? == 0).then_some((read(path.join("name"))?, number("latency")?))
        })
        .collect();
    states.sort_by_key(|(_, latency)| *latency);
    states
}

fn pseudo_nmi() -> String {
    let asked = read("/proc/cmdline").is_some_and(|text| {
        let value = text.split_whitespace().filter_map(|word| word.strip_prefix("irqchip.gicv3_pseudo_nmi=")).next_back();
        value.is_some_and(|value| matches!(value, "1" | "y" | "Y" | "on"))
    });
    // The kernel counts interrupts of each way to deliver them only where there are any; its log is what says it.
    match (asked, kernel_log().is_some_and(|log| log.contains("Pseudo-NMIs enabled"))) {
        (_, true) => "on".to_owned(),
        (true, false) => "asked for by irqchip.gicv3_pseudo_nmi=1; the kernel's log does not say that it is on".to_owned(),
        (false, false) => "off".to_owned(),
    }
}

/// The kernel's log, where this user may read it.
fn kernel_log() -> Option<String> {
    use rustix::fs::{Mode, OFlags};
    // Without this it would wait for more.
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let mut log = fs::File::from(rustix::fs::open("/dev/kmsg", flags, Mode::empty()).ok()?);
    let (mut text, mut line) = (String::new(), [0; 8192]);
    loop {
        match log.read(&mut line) {
            Ok(length @ 1..) => text.push_str(&String::from_utf8_lossy(line.get(..length)?)),
            // The line was overwritten by a later one.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
            _ => return Some(text),
        }
    }
}

/// How often each of these processors was interrupted by its firmware; none where they do not count it, or root's rights or the
/// module `msr` are missing.
#[must_use]
pub fn management_interrupts(cpus: &[usize]) -> Option<u64> {
    const MSR_SMI_COUNT: u64 = 0x34;
    let mut sum = 0_u64;
    for cpu in cpus {
        let mut count = [0; 8];
        fs::File::open(format!("/dev/cpu/{cpu}/msr")).ok()?.read_exact_at(&mut count, MSR_SMI_COUNT).ok()?;
        sum = sum.checked_add(u64::from_le_bytes(count))?;
    }
    Some(sum)
}
