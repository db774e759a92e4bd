//! `--trace-summary --json`: what a program has used, and how far each of it is supported.

use anyhow::{Context, Result, ensure};
use biarch_tests::process::{self, Scratch};
use biarch_tests::program::End;
use biarch_tests::under_test;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Asks a file for what only devices have; its second half runs in a child, which is counted as well.
const PROGRAM: &str = r#"
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv) {
    char bytes[8192];
    int fd = open("/dev/null", O_RDWR);
    if (argc == 1) {
        ioctl(fd, 0x5401 /* TCGETS */, bytes);
        ioctl(fd, 0x5401, bytes);
        ioctl(fd, 0xc0e05403 /* SNDRV_TIMER_IOCTL_GINFO */, bytes);
        ioctl(fd, _IOR(0xf5, 0x77, int), bytes);
        ioctl(fd, _IOR(0xf5, 0x77, char[64]), bytes);
        syscall(SYS_rseq, 0, 1, 2, 3);
        syscall(4444);
        if (vfork() == 0) execl(argv[0], argv[0], "child", (char *)0);
        wait(0);
    } else {
        ioctl(fd, 0x80ff4506 /* EVIOCGNAME(255) */, bytes);
        ioctl(fd, 0x5401, bytes);
    }
    return 0;
}
"#;

#[test]
fn calls_and_ioctls_are_listed_with_how_far_they_are_supported() -> Result<()> {
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/summary");
    let scratch = Scratch::new(&target)?;
    let Some(program) = under_test::compile_32(scratch.path(), "program", PROGRAM, &["-static"])? else {
        under_test::left_out("no cross compiler (gcc-i686-linux-gnu)");
        return Ok(());
    };
    let program = program.canonicalize()?;
    let file = scratch.path().canonicalize()?.join("summary.json");
    let words = [under_test::biarch()?, "run".into()]
        .into_iter()
        .chain(["--trace-summary", "--json", "-o"].map(PathBuf::from))
        .chain([file.clone(), program])
        .collect::<Vec<_>>();
    let outcome = process::run(&words, "", Duration::from_secs(60), &target)?;
    ensure!(outcome.end == End::Exit(0) && outcome.stderr.is_empty(), "{}", outcome.text());
    let text = std::fs::read_to_string(file)?;
    let whole: Value = serde_json::from_str(&text).with_context(|| text.clone())?;
    ensure!(whole["schema_version"] == 1, "{text}");

    let ioctls = whole["ioctls"].as_array().context("ioctls")?;
    let wanted = json!([
        {"name": "TCGETS", "number": 0x5401, "support": "full", "note": "", "calls": 3, "errors": 3},
        {"name": null, "number": 0x8004_f577_u32, "support": "partial", "calls": 1, "errors": 1,
         "note": "no row describes it; passed on, since it is too small to hold a long"},
        {"name": null, "number": 0x8040_f577_u32, "support": "refused", "note": "no row describes it", "calls": 1, "errors": 1},
        {"name": "EVIOCGNAME", "number": 0x80ff_4506_u32, "support": "full", "note": "", "calls": 1, "errors": 1},
        {"name": "SNDRV_TIMER_IOCTL_GINFO", "number": 0xc0e0_5403_u32, "support": "refused",
         "note": "sound: natively the kernel does not convert it either", "calls": 1, "errors": 1},
    ]);
    ensure!(ioctls == wanted.as_array().context("a list")?, "{text}");

    let calls = whole["calls"].as_array().context("calls")?;
    let call = |name: &str| calls.iter().find(|call| call["name"] == name).with_context(|| format!("no {name} in {text}"));
    ensure!(call("wait4").or_else(|_| call("waitpid"))?["support"] == "full", "{text}");
    let ioctl = call("ioctl")?;
    ensure!(ioctl["support"] == "partial" && ioctl["calls"] == 7 && ioctl["errors"] == 7, "{text}");
    let rseq = call("rseq")?;
    ensure!(rseq["support"] == "refused" && rseq["note"] != "", "{text}");
    let unknown = calls.iter().find(|call| call["name"].is_null()).context("the unknown one")?;
    ensure!(
        unknown["number"].is_null() && unknown["support"] == "refused" && unknown["note"] == "no such number is known",
        "{text}"
    );
    ensure!(calls.iter().all(|call| call["nanoseconds"].is_u64()), "{text}");
    Ok(())
}
