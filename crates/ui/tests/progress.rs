//! The line that says how far it is, on a terminal: script(1) gives this program one, and runs it again as the one that works.
#![allow(missing_docs)]

use libtest_mimic::{Arguments, Failed, Trial};
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use ui::Progress;

/// What the second program is to do.
const ROLE: &str = "PROGRESS_ROLE";
const CLEAR: &str = "\r\x1b[K";

fn main() {
    if let Ok(role) = std::env::var(ROLE) {
        return work(&role);
    }
    let trials = vec![
        Trial::test("a_long_work_has_a_line_that_goes_away", || {
            let (text, status) = on_a_terminal("long", None)?;
            let line = format!("{CLEAR}disk.img: 25 %");
            let wanted = text.contains(&line) && text.contains("the report") && status == 0;
            let (before, after) = text.split_at(text.find("the report").unwrap_or_default());
            ensure(wanted && before.trim_end().ends_with("\x1b[K") && !after.contains('%'), &text)
        }),
        Trial::test("a_short_work_has_none", || {
            let (text, status) = on_a_terminal("short", None)?;
            ensure(text.trim() == "the report" && status == 0, &text)
        }),
        Trial::test("an_interrupt_leaves_an_empty_line_and_is_an_end_by_that_signal", || {
            let (text, status) = on_a_terminal("for ever", Some("disk.img: 25 %"))?;
            ensure(text.trim_end().ends_with("\x1b[K") && !text.contains("the report") && status == 130, &text)
        }),
        Trial::test("where_there_is_no_terminal_nothing_is_written", || {
            let output = Command::new(std::env::current_exe()?).env(ROLE, "long").output()?;
            ensure(output.stderr.is_empty() && output.stdout == b"the report\n", &format!("{output:?}"))
        }),
    ];
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

/// What somebody does who shows how far it is.
fn work(role: &str) {
    let progress = Progress::start();
    progress.at(1, Some(4), "disk.img");
    std::thread::sleep(match role {
        "short" => Duration::ZERO,
        "long" => Duration::from_millis(1500),
        _ => Duration::from_secs(120),
    });
    drop(progress);
    let _ = writeln!(std::io::stdout(), "the report");
}

fn ensure(holds: bool, text: &str) -> Result<(), Failed> {
    if holds { Ok(()) } else { Err(format!("{text:?}").into()) }
}

/// What this program in that role writes to a terminal, and its exit status. Once `interrupt` is there, Ctrl-C is pressed.
fn on_a_terminal(role: &str, interrupt: Option<&str>) -> Result<(String, i32), Failed> {
    let own = std::env::current_exe()?;
    let mut script = Command::new("script");
    script.args(["--quiet", "--return", "--flush", "--command"]).arg(format!("'{}'", own.display())).arg("/dev/null");
    let script = script.env(ROLE, role).env("TERM", "vt100").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut script = script.map_err(|error| format!("script(1) of bsdutils: {error}"))?;
    let (mut input, mut output) = (script.stdin.take(), script.stdout.take().ok_or("no output")?);
    let (mut text, mut pressed) = (String::new(), false);
    let start = Instant::now();
    let mut bytes = [0; 4096];
    while let Ok(count @ 1..) = output.read(&mut bytes) {
        text.push_str(&String::from_utf8_lossy(bytes.get(..count).unwrap_or_default()));
        if !pressed && interrupt.is_some_and(|wanted| text.contains(wanted)) {
            input.as_mut().ok_or("no input")?.write_all(b"\x03")?;
            pressed = true;
        }
        if start.elapsed() > Duration::from_secs(100) {
            break;
        }
    }
    drop(input);
    Ok((text, script.wait()?.code().unwrap_or(-1)))
}
