//! `biarch latency` as a user sees it. No test depends on how late anything is: what is tried is that it is measured, counted, cleaned
//! up after, and said.

use anyhow::{Context, Result, ensure};
use biarch_tests::under_test;
use serde_json::Value;
use std::collections::BTreeMap;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

fn biarch(words: &[&str]) -> Result<Command> {
    let mut command = Command::new(under_test::biarch()?);
    command.arg("latency").args(words).env_remove("NO_COLOR").stdin(Stdio::null());
    Ok(command)
}

fn run(words: &[&str]) -> Result<Output> {
    Ok(biarch(words)?.output()?)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Without the ends of lines, which are where the width of the terminal has put them.
fn joined(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn json(words: &[&str]) -> Result<Value> {
    let output = run(&[words, &["--json"]].concat())?;
    ensure!(output.status.success(), "{}", text(&output.stderr));
    Ok(serde_json::from_slice(&output.stdout)?)
}

fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value[name].as_array().map_or(&[], Vec::as_slice)
}

/// The first kernel's conditions.
fn runs(report: &Value) -> &[Value] {
    list(&report["kernels"][0], "runs")
}

/// The wake-ups of one program, and those that it missed.
fn counted(side: &Value) -> (u64, u64) {
    let cpus = side["cpus"].as_object().into_iter().flat_map(|cpus| cpus.values());
    cpus.fold((0, 0), |(count, missed), cpu| {
        let buckets = cpu["buckets"].as_object().into_iter().flat_map(|buckets| buckets.values());
        (count + buckets.filter_map(Value::as_u64).sum::<u64>(), missed + cpu["missed"].as_u64().unwrap_or(0))
    })
}

/// A directory that is gone afterwards.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Result<Self> {
        let path = std::env::temp_dir().join(format!("biarch-latency-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path)?;
        Ok(Self(path))
    }

    fn file(&self, name: &str, text: &str) -> Result<String> {
        let path = self.0.join(name);
        std::fs::write(&path, text)?;
        path.into_os_string().into_string().ok().context("a path that is text")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn every_period_has_its_wake_up_or_is_counted_as_missed() -> Result<()> {
    let report = json(&["--duration", "0.5", "--interval", "2000", "--cores", "1"])?;
    let [run] = runs(&report) else { anyhow::bail!("one condition: {report}") };
    let sides = list(run, "sides");
    let names: Vec<_> = sides.iter().filter_map(|side| side["name"].as_str()).collect();
    ensure!(names[0] == "x86-64" && names[1].starts_with("i386") && names[2] == "x86-64 again", "{names:?}");
    for side in sides {
        // Ten turns of 25 periods.
        let (count, missed) = counted(side);
        ensure!(count > 0 && count + missed == 250, "{count} and {missed} of 250: {}", side["name"]);
        ensure!(side["clock_ns"].as_u64().is_some_and(|ns| ns > 0), "reading the clock takes time");
    }
    ensure!(run["cpus"].as_array().map(Vec::len) == Some(1), "{run}");
    Ok(())
}

#[test]
fn every_load_does_its_work_and_is_gone_afterwards() -> Result<()> {
    for load in ["cpu", "fork", "io", "page", "all"] {
        let report = json(&["--load", load, "--duration", "0.2", "--cores", "1", "--abi", "64"])?;
        let run = &runs(&report)[0];
        ensure!(run["load"] == load && counted(&run["sides"][0]).0 > 0, "{run}");
        ensure!(run["busy"].as_f64().is_some_and(|busy| busy > 0.0), "{load}: {run}");
    }
    Ok(())
}

/// Processes whose parent is or was this one: a load's name has the number of the process that holds its program.
fn children_of(process: u32) -> Vec<String> {
    let start = format!("/proc/{process}/fd/");
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let lines = entries.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    lines.map(|line| text(&line)).filter(|line| line.starts_with(&start) && line.contains("\0load\0")).collect()
}

fn until(what: &str, holds: impl Fn() -> bool) -> Result<()> {
    let start = Instant::now();
    while !holds() {
        ensure!(start.elapsed() < Duration::from_secs(60), "{what}: not within a minute");
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(())
}

#[test]
fn loads_end_however_biarch_ends() -> Result<()> {
    for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGKILL] {
        let mut command = biarch(&["--load", "all", "--duration", "600"])?;
        // What a shell starts in the background ignores SIGINT, and so would this.
        // SAFETY: only signal(2) between fork and exec.
        unsafe {
            command.pre_exec(|| match libc::signal(libc::SIGINT, libc::SIG_DFL) {
                libc::SIG_ERR => Err(std::io::Error::last_os_error()),
                _ => Ok(()),
            });
        }
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        until("the loads start", || children_of(child.id()).len() >= 4)?;
        // SAFETY: the process is there until it is waited for.
        unsafe { libc::kill(i32::try_from(child.id())?, signal) };
        child.wait()?;
        until("the loads end", || children_of(child.id()).is_empty())?;
    }
    Ok(())
}

#[test]
fn the_matrix_is_rest_and_stress_on_one_processor_and_more() -> Result<()> {
    let report = json(&["--matrix", "--duration", "0.1", "--abi", "64", "--load", "page"])?;
    let conditions: Vec<_> = runs(&report).iter().map(|run| (run["load"].as_str(), list(run, "cpus").len())).collect();
    let most = std::thread::available_parallelism()?.get();
    ensure!(conditions.first() == Some(&(Some("none"), 1)) && conditions.last() == Some(&(Some("page"), most)), "{conditions:?}");
    ensure!(conditions.len() % 2 == 0, "{conditions:?}");
    Ok(())
}

#[test]
fn the_table_says_what_it_is_of_and_what_is_missing() -> Result<()> {
    let output = run(&["--duration", "0.3", "--cores", "1"])?;
    ensure!(output.status.success() && output.stderr.is_empty(), "{}", text(&output.stderr));
    let table = text(&output.stdout);
    for part in ["idle, 1 processor", "p99.999", "x86-64 again", "≤", "1 in ", "95 % confidence", "locked memory", "Linux "] {
        ensure!(table.contains(part), "no {part:?} in\n{table}");
    }
    ensure!(table.lines().all(|line| line.chars().count() <= 100), "{table}");
    Ok(())
}

/// Nobody's rights: no real-time priority, no tracer.
#[test]
fn without_rights_it_measures_and_says_what_was_lost() -> Result<()> {
    // SAFETY: no arguments and no failure.
    if unsafe { libc::geteuid() } == 0 {
        // Where anybody may execute it.
        let scratch = Scratch::new("nobody")?;
        let program = scratch.0.join("biarch");
        std::fs::copy(under_test::biarch()?, &program)?;
        std::fs::set_permissions(&scratch.0, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
        let mut command = Command::new(&program);
        command.args(["latency", "--duration", "0.2", "--cores", "1", "--load", "all"]).uid(65534).gid(65534);
        return lost(&command.current_dir("/").output()?);
    }
    lost(&run(&["--duration", "0.2", "--cores", "1", "--load", "all"])?)
}

fn lost(output: &Output) -> Result<()> {
    let said = joined(&text(&output.stdout));
    ensure!(output.status.success() && output.stderr.is_empty(), "{said}{}", text(&output.stderr));
    ensure!(said.contains("not measured: ") && said.contains("timerlat"), "{said}");
    // A user with such limits has lost nothing there.
    ensure!(said.contains("with SCHED_FIFO") || said.contains("`ulimit -r 80`"), "{said}");
    ensure!(said.contains("with locked memory") || said.contains("`ulimit -l unlimited`"), "{said}");
    Ok(())
}

#[test]
fn results_of_several_kernels_are_one_report() -> Result<()> {
    let scratch = Scratch::new("merge")?;
    let mut one = json(&["--duration", "0.2", "--cores", "1"])?;
    // A machine with much to do may have too few wake-ups for one.
    let ratio = serde_json::json!({"median": 1.5, "low": 1.4, "high": 1.6});
    one["kernels"][0]["runs"][0]["ratios"] =
        serde_json::json!([{"share": 0.5, "ratio": ratio, "same": {"median": 1.0, "low": 0.9, "high": 1.1}, "verdict": "move"}]);
    let mut other = one.clone();
    let record = &mut other["kernels"][0]["record"];
    record["machine"]["kernel"] = "5.10.0-escape\u{1b}[31m".into();
    record["emulated"] = "a translator".into();
    let (one, other) = (scratch.file("one", &one.to_string())?, scratch.file("other", &other.to_string())?);

    let merged = json(&[&one, &other, &one])?;
    ensure!(list(&merged, "kernels").len() == 2, "the same result twice is one");
    let both = scratch.file("both", &merged.to_string())?;
    ensure!(json(&[&both, &other])? == merged, "a merged result is a result");

    let table = text(&run(&[&one, &other])?.stdout);
    ensure!(table.matches("idle, 1 processor").count() == 1, "both kernels are in one table:\n{table}");
    ensure!(table.contains("5.10.0-escape\\u{1b}[31m, x86-64") && !table.contains('\u{1b}'), "{table}");
    ensure!(table.contains("EMULATED (a translator)"), "{table}");
    let table = joined(&table);
    let claims: Vec<&str> = table.split(" as itself: ").skip(1).collect();
    let [first, second] = claims.as_slice() else { anyhow::bail!("two claims: {table}") };
    ensure!(first.starts_with("sooner as 64-bit") && second.starts_with("emulated"), "{table}");
    Ok(())
}

#[test]
fn what_is_no_result_is_refused_and_named() -> Result<()> {
    let scratch = Scratch::new("damaged")?;
    let good = json(&["--duration", "0.1", "--cores", "1", "--abi", "64"])?;
    let changed = |path: &str, value: Value| {
        let mut bad = good.clone();
        if let Some(place) = bad.pointer_mut(path) {
            *place = value;
        }
        bad.to_string()
    };
    let histogram =
        runs(&good)[0]["sides"][0]["cpus"].as_object().and_then(|cpus| cpus.keys().next().cloned()).context("a processor")?;
    let histogram = format!("/kernels/0/runs/0/sides/0/cpus/{histogram}");
    let huge: BTreeMap<&str, u64> = BTreeMap::from([("7", u64::MAX), ("8", u64::MAX)]);
    let fifo = scratch.0.join("fifo");
    ensure!(Command::new("mkfifo").arg(&fifo).status()?.success(), "mkfifo");
    let large = scratch.0.join("large");
    std::fs::File::create(&large)?.set_len(1 << 40)?;
    let path = |path: &Path| path.to_string_lossy().into_owned();
    for (file, says) in [
        (scratch.file("empty", "")?, "EOF"),
        (scratch.file("deep", &"[".repeat(1 << 20))?, "line 1"),
        (scratch.file("compare", r#"{"schema_version": 1, "machine": {}}"#)?, "kernels"),
        (scratch.file("newer", r#"{"schema_version": 99}"#)?, "version 99"),
        (scratch.file("nothing", r#"{"schema_version": 1, "kernels": []}"#)?, "nothing in it"),
        (scratch.file("huge", &changed(&format!("{histogram}/buckets"), serde_json::to_value(huge)?))?, "too many wake-ups"),
        (scratch.file("sum", &changed(&format!("{histogram}/sum"), 1.into()))?, "a sum"),
        (scratch.file("max", &changed(&format!("{histogram}/max"), u64::MAX.into()))?, "in no bucket"),
        (path(&fifo), "not a regular file"),
        (path(&large), "larger than 64 MiB"),
        ("/dev/zero".to_owned(), "not a regular file"),
        ("/nowhere".to_owned(), "No such file"),
    ] {
        let output = run(&[&file])?;
        let said = text(&output.stderr);
        ensure!(output.status.code() == Some(1) && output.stdout.is_empty(), "{file}: {}", output.status);
        ensure!(said.contains(says) && said.contains(&file), "{file}: {said}");
    }
    Ok(())
}

#[test]
fn a_wrong_command_line_says_what_is_right() -> Result<()> {
    for (words, status, says) in [
        (["--cores", "0"], 1, "this process may use"),
        (["--cores", "100000"], 1, "this process may use"),
        (["--duration", "0"], 1, "duration"),
        (["--duration", "0.009"], 1, "less than 0.01 s"),
        (["--duration", "1e30"], 2, "duration"),
        (["--interval", "0"], 1, "10 us to 1 s"),
        (["--interval", "18446744073709551615"], 1, "10 us to 1 s"),
        (["--load", "much"], 2, "fork"),
        (["--matrix", "--cores=1"], 2, "--cores"),
        (["--matrix", "--load=none"], 1, "--load none"),
        (["--matrix", "some.json"], 2, "FILE"),
    ] {
        let output = run(&words)?;
        let said = text(&output.stderr);
        ensure!(output.status.code() == Some(status) && said.contains(says), "{words:?}: {}: {said}", output.status);
    }
    Ok(())
}
