//! The kernel's own tracers: `timerlat` splits a wake-up into the interrupt's part and the thread's, `hwlat` finds gaps that no kernel
//! made. Root's alone; a process (`worker/trace.c`) puts everything back as it was.

use super::Timerlat;
use super::record::Firmware;
use crate::measure;
use crate::side::Side;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Where the kernel's tracers are, if there is one that is used here.
///
/// # Errors
/// Why there is none, and what to do.
pub fn find() -> Result<PathBuf> {
    const PLACES: [&str; 2] = ["/sys/kernel/tracing", "/sys/kernel/debug/tracing"];
    const WITHOUT: &str = "the interrupt's and the thread's part (timerlat), and gaps of the firmware (hwlat)";
    for place in PLACES {
        match std::fs::read_to_string(Path::new(place).join("available_tracers")) {
            Ok(tracers) if tracers.split_whitespace().any(|one| one == "timerlat" || one == "hwlat") => return Ok(place.into()),
            Ok(_) => bail!("{WITHOUT}: this kernel is built without CONFIG_TIMERLAT_TRACER and CONFIG_HWLAT_TRACER"),
            Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => bail!("{WITHOUT}: run as root"),
            Err(_) => {}
        }
    }
    bail!("{WITHOUT}: there is no tracefs; mount -t tracefs tracefs /sys/kernel/tracing")
}

/// Adds what `timerlat` measures for so long.
///
/// # Errors
/// Where this kernel does not have it.
pub fn timerlat(
    tracing: &Path,
    side: &Side,
    cpus: &[usize],
    interval: Duration,
    turn: Duration,
    parts: &mut Timerlat,
) -> Result<()> {
    let list: Vec<String> = cpus.iter().map(usize::to_string).collect();
    let options = [
        format!("osnoise/cpus={}", list.join(",")),
        format!("osnoise/timerlat_period_us={}", interval.as_micros().max(100)),
        // Nothing is to be stopped, and no stack to be written.
        "osnoise/stop_tracing_us=0".to_owned(),
        "osnoise/stop_tracing_total_us=0".to_owned(),
        "osnoise/print_stack=0".to_owned(),
    ];
    for line in trace(tracing, side, "timerlat", turn, &options)?.lines() {
        if let Some((cpu, part, ns)) = timerlat_line(line) {
            let histograms = if part == "irq" { &mut parts.irq } else { &mut parts.thread };
            histograms.entry(cpu).or_default().add(ns);
        }
    }
    Ok(())
}

/// `timerlat/1-868   [001] .....    54.029339: #1     context thread timer_latency     11700 ns`
fn timerlat_line(line: &str) -> Option<(usize, &str, u64)> {
    let (task, rest) = line.split_once(": #")?;
    let cpu = task.split_once('[')?.1.split_once(']')?.0.parse().ok()?;
    let mut words = rest.split_whitespace();
    words.find(|word| *word == "context")?;
    let part = words.next().filter(|part| ["irq", "thread"].contains(part))?;
    words.next().filter(|word| *word == "timer_latency")?;
    Some((cpu, part, words.next()?.parse().ok()?))
}

/// Looks for two seconds, half of the time with interrupts off, as the tracer does it.
///
/// # Errors
/// Where this kernel does not have it.
pub fn firmware(tracing: &Path, side: &Side) -> Result<Firmware> {
    const LOOK: Duration = Duration::from_secs(2);
    // Short, for whatever waits for an interrupt meanwhile waits so long.
    let options = ["hwlat_detector/width=20000".to_owned(), "hwlat_detector/window=40000".to_owned()];
    let mut found = Firmware { looked_ms: u64::try_from(LOOK.as_millis())? / 2, ..Firmware::default() };
    for line in trace(tracing, side, "hwlat", LOOK, &options)?.lines() {
        if let Some(longest) = hwlat_line(line) {
            found.gaps += 1;
            found.longest_us = found.longest_us.max(longest);
        }
    }
    Ok(found)
}

/// `<...>-1729   [001] d....   678.473449: #1     inner/outer(us):   11/12    ts:1581527483.343962693 count:6`
fn hwlat_line(line: &str) -> Option<u64> {
    let both = line.split_once("inner/outer(us):")?.1.split_whitespace().next()?;
    let (inner, outer) = both.split_once('/')?;
    Some(inner.parse::<u64>().ok()?.max(outer.parse().ok()?))
}

fn trace(tracing: &Path, side: &Side, tracer: &str, turn: Duration, options: &[String]) -> Result<String> {
    let tracers = std::fs::read_to_string(tracing.join("available_tracers"))?;
    if !tracers.split_whitespace().any(|one| one == tracer) {
        bail!("the kernel's tracer {tracer}: this kernel is built without CONFIG_{}_TRACER", tracer.to_uppercase());
    }
    let mut command = side.worker()?;
    command.arg("trace").arg(tracing).arg(turn.as_millis().to_string()).arg(tracer).args(options);
    measure::run(&mut command, 0).with_context(|| format!("the kernel's tracer {tracer}"))
}

#[cfg(test)]
mod tests {
    use super::{hwlat_line, timerlat_line};

    /// As in the kernel's Documentation/trace/timerlat-tracer.rst and hwlat_detector.rst.
    #[test]
    fn the_tracers_lines_are_understood() {
        let irq = "          <idle>-0       [000] d.h1    54.029328: #1     context    irq timer_latency       932 ns";
        assert_eq!(timerlat_line(irq), Some((0, "irq", 932)));
        let thread = "           <...>-868     [001] ....    54.029339: #1     context thread timer_latency     11700 ns";
        assert_eq!(timerlat_line(thread), Some((1, "thread", 11700)));
        assert_eq!(timerlat_line("# entries-in-buffer/entries-written: 0/0   #P:2"), None);
        assert_eq!(timerlat_line("CPU:1 [LOST 12 EVENTS]"), None);
        let gap =
            "           <...>-1729  [001] d...   678.473449: #1     inner/outer(us):   11/12    ts:1581527483.343962693 count:6";
        assert_eq!(hwlat_line(gap), Some(12));
        assert_eq!(hwlat_line("# tracer: hwlat"), None);
    }
}
