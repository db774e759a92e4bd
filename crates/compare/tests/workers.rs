//! The workers as they are: every benchmark comes to the same result on every side, and whoever waits for a process notices that it
//! is gone. No test depends on how long anything takes.
#![allow(clippy::print_stderr, reason = "what is skipped is said")]

use anyhow::{Context, Result, ensure};
use compare::side::{self, How, Side};
use compare::worker;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Long for everybody: what takes longer has hung.
const LIMIT: Duration = Duration::from_secs(50);

/// The sides that need no biarch, which this test is not.
fn sides() -> Option<Vec<Side>> {
    let rows = worker::rows().expect("the worker has rows");
    match side::find(false, &rows) {
        Ok(sides) => Some(sides.sides),
        Err(error) => {
            eprintln!("skipped: {error:#}");
            None
        }
    }
}

fn words(text: &[u8]) -> String {
    String::from_utf8_lossy(text).trim().to_owned()
}

#[test]
fn every_benchmark_comes_to_the_same_result_on_every_side() -> Result<()> {
    let Some(sides) = sides() else { return Ok(()) };
    for row in worker::rows()? {
        let mut results = Vec::new();
        for side in sides.iter().filter(|side| side.takes_part(&row)) {
            let output = side.worker()?.args([row.name, "3", "2"]).args(side.partner()?).output()?;
            let said = words(&output.stderr);
            if output.status.code() == Some(77) {
                eprintln!("skipped: {}: {}: {said}", row.name, side.name);
                continue;
            }
            ensure!(output.status.success(), "{}: {}: {}: {said}", row.name, side.name, output.status);
            let printed = words(&output.stdout);
            let times = printed.lines().filter_map(|line| line.strip_prefix("ns ")?.parse::<f64>().ok());
            ensure!(times.clone().count() == 2 && times.clone().all(|ns| ns > 0.0), "{}: {printed}", row.name);
            let result = printed.lines().find_map(|line| line.strip_prefix("check ")).context("a result")?.to_owned();
            results.push(result);
        }
        ensure!(results.windows(2).all(|pair| pair[0] == pair[1]), "{}: {results:?}", row.name);
    }
    Ok(())
}

/// Waits for the end of a process that ought to end.
fn end(mut command: Command) -> Result<Output> {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let start = Instant::now();
    while child.try_wait()?.is_none() {
        if start.elapsed() > LIMIT {
            child.kill()?;
            anyhow::bail!("{command:?} does not end");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    Ok(child.wait_with_output()?)
}

const MESSAGES: [&str; 5] = ["futex_same_4", "eventfd_same_4", "pipe_same_4", "socket_same_4", "mqueue_same_4"];

#[test]
fn a_process_whose_partner_is_killed_does_not_wait_for_it() -> Result<()> {
    let Some(sides) = sides() else { return Ok(()) };
    for side in sides.iter().filter(|side| side.name.contains("64")) {
        for name in MESSAGES {
            let mut command = side.worker()?;
            command.args([name, "1000000000", "1", "/usr/bin/timeout", "-s", "KILL", "0.2"]).args(side.partner()?);
            let output = end(command)?;
            let said = words(&output.stderr);
            ensure!(output.status.code() == Some(1) && said.contains("the other end"), "{name}: {}: {said}", output.status);
        }
    }
    Ok(())
}

#[test]
fn a_partner_that_cannot_be_run_or_does_nothing_is_said() -> Result<()> {
    let Some(sides) = sides() else { return Ok(()) };
    for (partner, says) in [("/nowhere/worker", "/nowhere/worker: No such file"), ("/bin/true", "the other end is gone")] {
        let mut command = sides[0].worker()?;
        command.args(["pipe_same_0", "1", "1", partner]);
        let output = end(command)?;
        let said = words(&output.stderr);
        ensure!(output.status.code() == Some(1) && said.contains(says), "{partner}: {}: {said}", output.status);
    }
    Ok(())
}

/// The children of a process, when it has as many as are wanted and they are what is wanted.
fn children(of: u32, count: usize, wanted: impl Fn(&str) -> bool) -> Result<Vec<String>> {
    let start = Instant::now();
    while start.elapsed() < LIMIT {
        let found = std::fs::read_to_string(format!("/proc/{of}/task/{of}/children")).unwrap_or_default();
        let found: Vec<String> = found.split_whitespace().filter(|child| wanted(child)).map(str::to_owned).collect();
        if found.len() == count {
            return Ok(found);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    anyhow::bail!("no such children of {of}")
}

fn kill(process: &str) -> Result<()> {
    ensure!(Command::new("/bin/sh").args(["-c", &format!("kill -9 {process}")]).status()?.success(), "cannot kill {process}");
    Ok(())
}

#[test]
fn both_ends_have_the_word_sizes_that_the_side_is_called_by() -> Result<()> {
    let Some(sides) = sides() else { return Ok(()) };
    // EI_CLASS of what the kernel executes.
    let bits = |pid: &str| std::fs::read(format!("/proc/{pid}/exe")).ok().and_then(|file| file.get(4).map(|class| class * 32));
    let named = |name: &str| if name.contains("64") { 64 } else { 32 };
    for side in &sides {
        if side.how != How::Native {
            eprintln!("skipped: {}: the kernel executes what runs it", side.name);
            continue;
        }
        let mut command = side.worker()?;
        command.args(["pipe_same_0", "1000000000", "1"]).args(side.partner()?).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        let partner = children(child.id(), 1, is_partner)?.remove(0);
        let ends = [child.id().to_string(), partner].map(|pid| bits(&pid));
        child.kill()?;
        child.wait()?;
        let (own, other) = side.name.split_once('/').unwrap_or((&side.name, &side.name));
        ensure!(ends == [Some(named(own)), Some(named(other))], "{}: {ends:?}", side.name);
    }
    Ok(())
}

fn is_partner(pid: &str) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/cmdline")).is_ok_and(|line| line.contains("\0partner\0"))
}

#[test]
fn a_partner_does_not_outlive_the_process_that_started_it() -> Result<()> {
    let Some(sides) = sides() else { return Ok(()) };
    for name in MESSAGES {
        let mut command = sides[0].worker()?;
        command.args([name, "1000000000", "1"]).args(sides[0].partner()?).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        let partner = children(child.id(), 1, is_partner)?.remove(0);
        child.kill()?;
        child.wait()?;
        let start = Instant::now();
        while is_partner(&partner) {
            ensure!(start.elapsed() < LIMIT, "{name}: {partner} is still there");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
    Ok(())
}

#[test]
fn without_a_second_processor_nothing_is_measured_on_two() -> Result<()> {
    let Some(sides) = sides() else { return Ok(()) };
    let status = std::fs::read_to_string("/proc/self/status")?;
    let allowed = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).context("allowed processors")?;
    let first = allowed.trim().split([',', '-']).next().context("a processor")?;
    let worker = sides[0].worker()?;
    let run = |name: &str| -> Result<Output> {
        let mut command = Command::new("/usr/bin/taskset");
        command.args(["-c", first]).arg(worker.get_program()).args(worker.get_args()).args([name, "3", "1"]);
        end(command)
    };
    let apart = run("pipe_apart_0")?;
    ensure!(apart.status.code() == Some(77) && words(&apart.stderr).contains("only one processor"), "{apart:?}");
    let same = run("pipe_same_0")?;
    ensure!(same.status.success(), "{same:?}");
    Ok(())
}

#[test]
fn a_user_of_the_mix_that_is_killed_ends_it_and_leaves_nothing_behind() -> Result<()> {
    let Some(sides) = sides() else { return Ok(()) };
    let mut command = sides[0].worker()?;
    command.args(["mix_2", "1000000000", "1"]).stdout(Stdio::null()).stderr(Stdio::piped());
    let child = command.spawn()?;
    // Each has changed to its own directory when it is one of the users.
    let home = |pid: &str| std::fs::read_link(format!("/proc/{pid}/cwd")).ok();
    let ready = |pid: &str| home(pid).is_some_and(|home| home.to_string_lossy().contains("/biarch-mix-"));
    let users = children(child.id(), 2, ready)?;
    let place = home(&users[0]).context("a directory")?;
    let place =
        place.ancestors().find(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("biarch-mix-")));
    let place = place.context("the directory of all")?.to_owned();
    kill(&users[0])?;
    let output = child.wait_with_output()?;
    let said = words(&output.stderr);
    ensure!(output.status.code() == Some(1) && said.contains("a user ended"), "{}: {said}", output.status);
    ensure!(!place.exists(), "{} is still there", place.display());
    ensure!(!users.iter().any(|user| Path::new("/proc").join(user).exists()), "a user is still there");
    Ok(())
}
