//! Timer wake-ups: how much later than it asked for a 32-bit and a 64-bit program runs again.
//!
//! A thread on each processor sleeps until an absolute time, again and again (`worker/latency.c`). Programs of both word sizes take
//! turns in fresh processes, while the load goes on; a third of the turns is the 64-bit program again, which shows what the machine
//! makes of two equal programs.

pub mod histogram;
pub mod load;
pub mod record;
pub mod tracer;

use crate::comparison::{Ratio, Verdict};
use crate::measure;
use crate::regular;
use crate::side::{self, Side};
use crate::stats::Random;
use anyhow::{Context, Result, bail, ensure};
use histogram::Histogram;
use load::{Load, Running};
use record::Record;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;
use std::time::Duration;

/// The version of what `--json` writes: it changes when a field goes away or changes its meaning.
pub const SCHEMA_VERSION: u32 = 1;
/// Turns of each program under each condition, at least: as many as an interval of their ratio needs.
const ROUNDS: u32 = 10;
/// A turn is not longer, so that whatever changes on the machine falls on all.
const LONGEST_TURN: Duration = Duration::from_secs(5);
/// Two buckets of the histogram: what is less apart cannot be told apart.
const BUCKETS: f64 = 2.0 / 64.0;
/// A result of a thousand processors has a tenth of this.
const LARGEST_FILE: u64 = 64 << 20;
/// Conditions in one file, and what is said of each.
const MOST_RUNS: usize = 10_000;

/// Which programs are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// Those of 32 bits.
    Narrow,
    /// Those of 64 bits.
    Wide,
    /// Both, by turns.
    Both,
}

/// What is to be measured.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The conditions: what goes on, and on how many processors; all are measured, one after the other.
    pub conditions: Vec<(Load, usize)>,
    /// Which programs.
    pub width: Width,
    /// From one wake-up to the next.
    pub interval: Duration,
    /// How long each program is measured under each condition.
    pub duration: Duration,
}

/// Results, of one kernel or of several.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    /// [`SCHEMA_VERSION`]
    pub schema_version: u32,
    /// Each kernel's, in the order in which they were given.
    pub kernels: Vec<Kernel>,
}

/// What was measured on one kernel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Kernel {
    /// Where.
    pub record: Record,
    /// Nanoseconds from one wake-up to the next.
    pub interval_ns: u64,
    /// Each condition.
    pub runs: Vec<Run>,
    /// What could not be had, and how it can.
    pub lost: Vec<String>,
}

/// One condition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// What went on.
    pub load: Load,
    /// The processors that were measured, and loaded.
    pub cpus: Vec<usize>,
    /// How much of their time went into work while this was measured; 1 for all of it.
    pub busy: Option<f64>,
    /// The programs; the 64-bit one is first, and is there again as the last where both are measured.
    pub sides: Vec<Taken>,
    /// Ratios of the second to the first.
    pub ratios: Vec<Claim>,
    /// The kernel's own part, where its tracer `timerlat` can be had.
    pub timerlat: Option<Timerlat>,
}

/// How many times as late the 32-bit program is, at a quantile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Claim {
    /// Such as 0.5 for the median.
    pub share: f64,
    /// 32 bits to 64.
    pub ratio: Ratio,
    /// The 64-bit program to itself.
    pub same: Ratio,
    /// What follows; nothing follows from emulated times.
    pub verdict: Option<Verdict>,
}

/// One program under one condition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Taken {
    /// The heading.
    pub name: String,
    /// Whether every thread had `SCHED_FIFO`.
    pub fifo: bool,
    /// Whether its memory was locked.
    pub locked: bool,
    /// Nanoseconds that reading the clock takes, at best: so much of every latency is the measurement's own.
    pub clock_ns: u64,
    /// Each processor's wake-ups.
    pub cpus: BTreeMap<usize, Histogram>,
}

impl Taken {
    /// All processors together.
    #[must_use]
    pub fn all(&self) -> Histogram {
        together(&self.cpus)
    }
}

/// The parts of a wake-up of a thread of the kernel's, which has no ABI.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timerlat {
    /// Until the timer's interrupt handler runs.
    pub irq: BTreeMap<usize, Histogram>,
    /// Until the thread runs.
    pub thread: BTreeMap<usize, Histogram>,
}

/// Histograms of several processors as one.
#[must_use]
pub fn together(cpus: &BTreeMap<usize, Histogram>) -> Histogram {
    let mut all = Histogram::default();
    cpus.values().for_each(|one| all.merge(one));
    all
}

/// At rest and under this load, on one processor, two, four and so on up to `most`.
#[must_use]
pub fn matrix(load: Load, most: usize) -> Vec<(Load, usize)> {
    let mut counts: Vec<usize> =
        std::iter::successors(Some(1), |count| Some(count * 2)).take_while(|count| *count < most).collect();
    counts.push(most);
    [Load::None, load].into_iter().flat_map(|load| counts.iter().map(move |count| (load, *count))).collect()
}

/// The processors that this process may use.
///
/// # Errors
/// Where the kernel does not say.
pub fn cpus() -> Result<Vec<usize>> {
    let set = rustix::thread::sched_getaffinity(None).context("sched_getaffinity")?;
    Ok((0..rustix::thread::CpuSet::MAX_CPU).filter(|cpu| set.is_set(*cpu)).collect())
}

/// Measures. `progress` is called before each turn: how many are done, how many there are, and what is next.
///
/// # Errors
/// Where programs of a word size do not run, or a load ends.
pub fn measure(plan: &Plan, progress: crate::comparison::Progress<'_>) -> Result<Report> {
    let usable = cpus()?;
    let period = plan.interval.as_nanos();
    ensure!((10_000..=1_000_000_000).contains(&period), "the interval is from 10 us to 1 s");
    let least = plan.interval * ROUNDS;
    ensure!(plan.duration >= least, "a duration of less than {} s has no wake-up in each of {ROUNDS} turns", least.as_secs_f64());
    for (_, count) in &plan.conditions {
        let most = usable.len();
        ensure!((1..=most).contains(count), "{count} processors were asked for, and this process may use {most}");
    }
    let sides = chosen(plan.width)?;
    let wide = Side::wide()?;
    let mut kernel = Kernel { record: Record::look(), interval_ns: u64::try_from(period)?, runs: Vec::new(), lost: Vec::new() };
    let tracing = tracer::find();
    let interrupts = record::management_interrupts(&usable);
    if let Err(lost) = &tracing {
        kernel.lost.push(format!("{lost:#}"));
    }
    let rounds = rounds(plan);
    let each = sides.len() + usize::from(tracing.is_ok()) + usize::from(sides.len() > 1);
    let turns = plan.conditions.len() * rounds as usize * each;
    let mut done = 0;
    for (load, count) in &plan.conditions {
        let cpus = usable.get(..*count).context("processors")?;
        let mut said = |what: &str| {
            progress(done, turns, what);
            done += 1;
        };
        let setup = Setup { plan, sides: &sides, wide: &wide, tracing: tracing.as_deref().ok() };
        let run = condition(&setup, *load, cpus, &mut kernel, &mut said)?;
        kernel.runs.push(run);
    }
    kernel.record.management_interrupts =
        interrupts.zip(record::management_interrupts(&usable)).map(|(a, b)| b.saturating_sub(a));
    if let Ok(tracing) = &tracing {
        match tracer::firmware(tracing, &wide) {
            Ok(firmware) => kernel.record.firmware = Some(firmware),
            Err(lost) => kernel.lost.push(format!("{lost:#}")),
        }
    }
    rights(&mut kernel);
    // Of each condition.
    kernel.lost.dedup();
    Ok(Report { schema_version: SCHEMA_VERSION, kernels: vec![kernel] })
}

fn rounds(plan: &Plan) -> u32 {
    let least = plan.duration.div_duration_f64(LONGEST_TURN).ceil();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` stays at the highest value")]
    let least = least as u32;
    least.max(ROUNDS)
}

fn chosen(width: Width) -> Result<Vec<Side>> {
    Ok(match width {
        Width::Wide => vec![Side::wide()?],
        Width::Narrow => side::find(false, &[])?.sides.into_iter().skip(1).take(1).collect(),
        Width::Both => side::find(false, &[])?.sides.into_iter().take(2).collect(),
    })
}

/// What would have made the measurement better, had this user the rights.
fn rights(kernel: &mut Kernel) {
    let taken = || kernel.runs.iter().flat_map(|run| &run.sides);
    let mut lost = Vec::new();
    if taken().any(|side| !side.fifo) {
        lost.push("SCHED_FIFO: other programs were in the way of these; run as root, or with `ulimit -r 80`");
    }
    if taken().any(|side| !side.locked) {
        lost.push("locked memory: a wake-up may include a page fault; run as root, or with `ulimit -l unlimited`");
    }
    if kernel.record.management_interrupts.is_none() && cfg!(target_arch = "x86_64") {
        lost.push("the count of system management interrupts: run as root after `modprobe msr`, on an Intel processor");
    }
    kernel.lost.extend(lost.into_iter().map(str::to_owned));
}

/// What all conditions share.
struct Setup<'a> {
    plan: &'a Plan,
    sides: &'a [Side],
    /// What runs the loads and the tracers, whoever is measured.
    wide: &'a Side,
    tracing: Option<&'a Path>,
}

fn condition(setup: &Setup<'_>, load: Load, cpus: &[usize], kernel: &mut Kernel, said: &mut dyn FnMut(&str)) -> Result<Run> {
    let Setup { plan, sides, wide, tracing } = *setup;
    // The last is the first again.
    let mut contenders: Vec<&Side> = sides.iter().collect();
    if let [first, _] = sides {
        contenders.push(first);
    }
    let mut random = Random::new(u64::from(std::process::id()));
    let mut taken: Vec<Option<Taken>> = vec![None; contenders.len()];
    let mut quantiles: Vec<[Vec<f64>; 2]> = vec![Default::default(); contenders.len()];
    let mut timerlat = tracing.map(|_| Timerlat::default());
    let turn = plan.duration / rounds(plan);
    let mut running = Running::start(load, cpus, wide)?;
    let before = busy_and_all(cpus);
    for _ in 0..rounds(plan) {
        for at in random.order(contenders.len() + usize::from(timerlat.is_some())) {
            let Some(side) = contenders.get(at) else {
                said(&format!("{}, timerlat", load.title()));
                let (Some(tracing), Some(parts)) = (tracing, &mut timerlat) else { continue };
                if let Err(error) = tracer::timerlat(tracing, wide, cpus, plan.interval, turn, parts) {
                    kernel.lost.push(format!("{error:#}"));
                    timerlat = None;
                }
                continue;
            };
            said(&format!("{}, {}", load.title(), side.name));
            let (mut own, hypervisor) = one_turn(side, cpus, plan.interval, turn)?;
            kernel.record.emulated = record::emulated(hypervisor.as_deref(), &kernel.record.machine);
            let all = own.all();
            for (share, values) in SHARES.iter().zip(quantiles.get_mut(at).context("a contender")?) {
                #[expect(clippy::cast_precision_loss, reason = "nanoseconds of seconds")]
                values.extend(all.quantile(*share).map(|quantile| quantile.found as f64));
            }
            let slot = taken.get_mut(at).context("a contender")?;
            if let Some(sum) = slot.take() {
                own.fifo &= sum.fifo;
                own.locked &= sum.locked;
                own.clock_ns = own.clock_ns.min(sum.clock_ns);
                for (cpu, histogram) in sum.cpus {
                    own.cpus.entry(cpu).or_default().merge(&histogram);
                }
            }
            *slot = Some(own);
            running.check()?;
        }
    }
    let busy = before.zip(busy_and_all(cpus)).map(|((busy, all), (busy2, all2))| (busy2 - busy) / (all2 - all).max(1.0));
    drop(running);
    let emulated = kernel.record.emulated.is_some();
    let ratios = SHARES.iter().enumerate().filter_map(|(at, share)| claim(*share, &quantiles, at, emulated)).collect();
    let mut sides: Vec<Taken> = taken.into_iter().flatten().collect();
    if let [_, _, again] = sides.as_mut_slice() {
        again.name.push_str(" again");
    }
    Ok(Run { load, cpus: cpus.to_vec(), busy, sides, ratios, timerlat })
}

/// The quantiles that are compared.
const SHARES: [f64; 2] = [0.5, 0.99];

fn claim(share: f64, quantiles: &[[Vec<f64>; 2]], at: usize, emulated: bool) -> Option<Claim> {
    let [wide, narrow, again] = [0, 1, 2].map(|side| quantiles.get(side)?.get(at));
    let (wide, narrow, again) = (wide?, narrow?, again?);
    // A turn without the quantile leaves a gap, and the turns after it would be paired wrongly.
    if wide.len() != narrow.len() || wide.len() != again.len() || wide.len() < ROUNDS as usize {
        return None;
    }
    let (ratio, same) = (Ratio::of(narrow, wide)?, Ratio::of(again, wide)?);
    Some(Claim { share, ratio, same, verdict: verdict(&ratio, &same, emulated) })
}

/// What follows from a ratio where two equal programs have this one. Theirs counts at the far end of its interval: tails are noisier
/// than medians.
fn verdict(ratio: &Ratio, same: &Ratio, emulated: bool) -> Option<Verdict> {
    let own = same.low.ln().abs().max(same.high.ln().abs()).max(BUCKETS);
    (!emulated).then(|| ratio.verdict(own))
}

/// One process: what it says, and the hypervisor's name.
fn one_turn(side: &Side, cpus: &[usize], interval: Duration, turn: Duration) -> Result<(Taken, Option<String>)> {
    let list: Vec<String> = cpus.iter().map(usize::to_string).collect();
    let periods = turn.as_nanos() / interval.as_nanos();
    let mut command = side.worker()?;
    command.args(["latency", &list.join(","), &interval.as_nanos().to_string(), &periods.to_string()]);
    let output = measure::run(&mut command, 0).with_context(|| format!("the {} program", side.name))?;
    parse(&side.name, &output).with_context(|| format!("the {} program said:\n{output}", side.name))
}

fn parse(name: &str, output: &str) -> Result<(Taken, Option<String>)> {
    let mut taken = Taken { name: name.to_owned(), fifo: true, locked: false, clock_ns: 0, cpus: BTreeMap::new() };
    let mut hypervisor = None;
    let mut current = None;
    for line in output.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        match words.as_slice() {
            ["clock", ns] => taken.clock_ns = ns.parse()?,
            ["locked", locked] => taken.locked = *locked == "1",
            ["hypervisor", rest @ ..] => hypervisor = Some(rest.join(" ")),
            ["cpu", cpu, policy, count, missed, min, max, sum] => {
                taken.fifo &= *policy == "fifo";
                let min = if *count == "0" { 0 } else { min.parse()? };
                let new =
                    Histogram { min, max: max.parse()?, sum: sum.parse()?, missed: missed.parse()?, buckets: BTreeMap::new() };
                current = Some(taken.cpus.entry(cpu.parse()?).or_insert(new));
            }
            ["bucket", upper, count] => {
                let histogram = current.as_mut().context("a bucket of no processor")?;
                histogram.buckets.insert(upper.parse()?, count.parse()?);
            }
            _ => bail!("a line that means nothing: {line}"),
        }
    }
    taken.cpus.values().try_for_each(Histogram::check)?;
    Ok((taken, hypervisor))
}

/// Ticks of work and ticks at all of these processors since the machine started.
fn busy_and_all(cpus: &[usize]) -> Option<(f64, f64)> {
    let stat = std::fs::read_to_string("/proc/stat").ok()?;
    let mut sums = (0.0, 0.0);
    for cpu in cpus {
        let name = format!("cpu{cpu} ");
        let line = stat.lines().find_map(|line| line.strip_prefix(&name))?;
        // user nice system idle iowait irq softirq steal; guests' time is part of user's.
        let ticks: Vec<f64> = line.split_whitespace().take(8).filter_map(|word| word.parse().ok()).collect();
        let all: f64 = ticks.iter().sum();
        let idle: f64 = ticks.get(3..5)?.iter().sum();
        sums = (sums.0 + all - idle, sums.1 + all);
    }
    Some(sums)
}

/// Reads results that `--json` wrote, and puts them together.
///
/// # Errors
/// Where a file is none of these.
pub fn merge(files: &[impl AsRef<Path>]) -> Result<Report> {
    let mut report = Report { schema_version: SCHEMA_VERSION, kernels: Vec::new() };
    for file in files {
        let path = file.as_ref();
        let read = read(path).with_context(|| format!("{}: no result of `biarch latency --json`", path.display()))?;
        for kernel in read.kernels {
            // The same result twice is one.
            if !report.kernels.contains(&kernel) {
                report.kernels.push(kernel);
            }
        }
    }
    Ok(report)
}

fn read(path: &Path) -> Result<Report> {
    let file = regular::open(path)?;
    let metadata = file.metadata()?;
    ensure!(metadata.is_file(), "it is not a regular file");
    ensure!(metadata.len() <= LARGEST_FILE, "it is larger than {} MiB", LARGEST_FILE >> 20);
    let mut text = Vec::new();
    file.take(LARGEST_FILE).read_to_end(&mut text)?;
    // Before the rest, which another version may have differently.
    let version: Version = serde_json::from_slice(&text)?;
    ensure!(
        version.schema_version == SCHEMA_VERSION,
        "it has version {} of the format, and this biarch knows {SCHEMA_VERSION}",
        version.schema_version
    );
    let mut report: Report = serde_json::from_slice(&text)?;
    ensure!(report.kernels.iter().all(|kernel| !kernel.runs.is_empty()) && !report.kernels.is_empty(), "there is nothing in it");
    let runs = || report.kernels.iter().flat_map(|kernel| &kernel.runs);
    ensure!(
        runs().count() <= MOST_RUNS && runs().all(|run| run.sides.len() <= 3),
        "it has more conditions or programs than a result has"
    );
    for run in runs() {
        let timerlat = run.timerlat.iter().flat_map(|parts| parts.irq.values().chain(parts.thread.values()));
        let sides = run.sides.iter().flat_map(|side| side.cpus.values());
        sides.chain(timerlat).try_for_each(Histogram::check)?;
    }
    // Nobody is believed that something follows.
    for kernel in &mut report.kernels {
        let emulated = kernel.record.emulated.is_some();
        for claim in kernel.runs.iter_mut().flat_map(|run| &mut run.ratios) {
            claim.verdict = verdict(&claim.ratio, &claim.same, emulated);
        }
    }
    Ok(report)
}

#[derive(Deserialize)]
struct Version {
    schema_version: u32,
}

impl Kernel {
    /// Its name, for a heading.
    #[must_use]
    pub fn name(&self) -> String {
        let mut name = self.record.machine.kernel.clone();
        if self.record.preemption.as_deref() == Some("PREEMPT_RT") && !name.contains("rt") {
            name.push_str(" RT");
        }
        if self.record.pseudo_nmi.as_deref() == Some("on") {
            name.push_str(" pseudo-NMI");
        }
        name
    }
}
