//! `biarch check`, `explain` and `list rules` as a user or a script sees them: formats, exit statuses, what goes where. What is
//! found, and that it is right, is tested in `crates/check/tests`.

use anyhow::{Context, Result, ensure};
use biarch_tests::schema::{sarif, violations};
use biarch_tests::under_test;
use serde_json::Value;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::{Mutex, PoisonError};

fn biarch(words: &[&str]) -> Result<Output> {
    Ok(Command::new(under_test::biarch()?).args(words).env_remove("NO_COLOR").stdin(Stdio::null()).output()?)
}

/// A kernel configuration in a file.
fn config(name: &str, text: &str) -> Result<PathBuf> {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("check");
    std::fs::create_dir_all(&directory)?;
    let path = directory.join(name);
    std::fs::write(&path, text)?;
    Ok(path)
}

const SLOW: &str = "# Linux/arm64 6.17.5 Kernel Configuration\nCONFIG_ARM64=y\nCONFIG_COMPAT=y\nCONFIG_CC_IS_GCC=y\n\
                    CONFIG_KUSER_HELPERS=y\nCONFIG_COMPAT_ALIGNMENT_FIXUPS=y\nCONFIG_SWP_EMULATION=y\n\
                    CONFIG_CP15_BARRIER_EMULATION=y\nCONFIG_SETEND_EMULATION=y\n";

#[test]
fn the_report_of_the_best_known_fault() -> Result<()> {
    let path = config("slow", SLOW)?;
    let name = path.to_str().context("a test's path is text")?;
    let output = biarch(&["check", name])?;
    let text = String::from_utf8(output.stdout)?;
    ensure!(output.status.code() == Some(1), "{text}");
    ensure!(output.stderr.is_empty(), "standard error is for talk");
    ensure!(!text.contains('\x1b'), "no colour where there is no terminal: {text}");
    let lines = "slow   K001  32-bit programs make a system call whenever they read the clock, 25\n             times slower\n";
    ensure!(text.contains(lines), "{text}");
    for part in ["CONFIG_COMPAT_VDSO has no line", "CROSS_COMPILE_COMPAT=arm-linux-gnueabihf-", "1 slow, 1 note"] {
        ensure!(text.contains(part), "no {part:?} in {text}");
    }
    Ok(())
}

#[test]
fn the_exit_status_says_it_all() -> Result<()> {
    let slow = config("status", SLOW)?;
    let slow = slow.to_str().context("a test's path is text")?;
    for (words, status) in [
        (vec!["check", slow], 1),
        (vec!["check", slow, "--fail-on", "slow"], 1),
        (vec!["check", slow, "--fail-on", "fails"], 0),
        (vec!["check", "/dev/null"], 2),
        (vec!["check", "/dev/null", slow], 1),
        (vec!["check", "/dev/null", slow, "--fail-on", "fails"], 2),
        (vec!["check", "--kit", "/dev/null/kit"], 2),
        (vec!["check", "--kit", "kit", slow], 2),
        (vec!["check", slow, "--fail-on", "never"], 2),
        (vec!["check", "--json", "--html", slow], 2),
        (vec!["check", "--arch", "arm", slow], 2),
        (vec!["check", "--arch", "armhf", slow], 1),
        (vec!["check", "--arch", "i386", "--fail-on", "fails", slow], 1),
        (vec!["check", "--baseline", "/dev/null", slow], 2),
        (vec!["check", "--baseline", "/nowhere", slow], 2),
        (vec!["check", "--json-schema"], 0),
        (vec!["check", "--json-schema", slow], 2),
        (vec!["explain", "k001"], 0),
        (vec!["explain", "K999"], 1),
    ] {
        let output = biarch(&words)?;
        ensure!(output.status.code() == Some(status), "{words:?}: {output:?}");
    }
    Ok(())
}

#[test]
fn machine_formats_are_the_same_twice() -> Result<()> {
    let path = config("twice", SLOW)?;
    let name = path.to_str().context("a test's path is text")?;
    for format in ["--json", "--sarif", "--html"] {
        let [one, two] = [biarch(&["check", format, name])?, biarch(&["check", format, name])?];
        ensure!(one.stdout == two.stdout && one.status.code() == Some(1) && one.stderr.is_empty());
        let text = String::from_utf8(one.stdout)?;
        ensure!(text.ends_with("\n") && text.contains("K001"), "{text}");
    }
    Ok(())
}

/// A root file system whose names mean no good, with something wrong about each. Several tests look at it, at the same time.
fn hostile() -> Result<PathBuf> {
    static MADE: Mutex<bool> = Mutex::new(false);
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("check").join("a <b>\u{1b}[31m\u{202e}%20日本");
    if std::mem::replace(&mut *made, true) {
        return Ok(root);
    }
    if root.exists() {
        std::fs::remove_dir_all(&root)?;
    }
    let names = [b"\"><script>alert(1)<!--".as_slice(), b"\xff\xfe", b"\x1b]0;title\x07", b"a\nfails  K001", b"&amp;'`--%0a"];
    for name in names {
        // The beginning of an i386 program, and no more: a damaged file.
        let directory = root.join("usr/bin");
        std::fs::create_dir_all(&directory)?;
        let mut header = b"\x7fELF\x01\x01\x01".to_vec();
        header.resize(52, 0);
        (header[16], header[18], header[20], header[28], header[40], header[42], header[44]) = (2, 3, 1, 52, 52, 32, 9);
        std::fs::write(directory.join(std::ffi::OsStr::from_bytes(name)), header)?;
    }
    Ok(root)
}

/// What `biarch check` writes about this target.
fn written(words: &[&str], target: &Path) -> Result<Vec<u8>> {
    let output = Command::new(under_test::biarch()?).arg("check").args(words).arg(target).stdin(Stdio::null()).output()?;
    ensure!(output.status.code() == Some(1) && output.stderr.is_empty(), "{words:?}: {output:?}");
    Ok(output.stdout)
}

#[test]
fn json_is_what_its_schema_says() -> Result<()> {
    let schema: Value = serde_json::from_slice(&biarch(&["check", "--json-schema"])?.stdout)?;
    let slow = config("schema", SLOW)?;
    let known = slow.with_file_name("schema.json");
    std::fs::write(&known, written(&["--json"], &hostile()?)?)?;
    let known = known.to_str().context("a test's path is text")?;
    for words in [vec!["--json"], vec!["--json", "--explain"], vec!["--json", "--baseline", known]] {
        let document = serde_json::from_slice(&written(&words, &slow)?)?;
        ensure!(violations(schema.clone(), &document)?.is_none(), "{words:?}: {:?}", violations(schema, &document)?);
    }
    let mut document: Value = serde_json::from_slice(&written(&["--json"], &hostile()?)?)?;
    ensure!(violations(schema.clone(), &document)?.is_none());
    for (place, value) in [("/schema_version", 2.into()), ("/findings/0/severity", "bad".into()), ("/findings/0/rule", 1.into())]
    {
        let value = std::mem::replace(document.pointer_mut(place).context(place)?, value);
        ensure!(violations(schema.clone(), &document)?.is_some(), "the schema allows anything at {place}");
        document.pointer_mut(place).map(|place| std::mem::replace(place, value));
    }
    Ok(())
}

#[test]
fn sarif_is_what_the_standard_says() -> Result<()> {
    let schema = sarif()?;
    let slow = config("sarif", SLOW)?;
    let known = slow.with_file_name("sarif.json");
    std::fs::write(&known, written(&["--json"], &hostile()?)?)?;
    let known = known.to_str().context("a test's path is text")?;
    for (words, target) in
        [(vec!["--sarif"], slow.clone()), (vec!["--sarif"], hostile()?), (vec!["--sarif", "--baseline", known], slow)]
    {
        let mut document: Value = serde_json::from_slice(&written(&words, &target)?)?;
        let found = violations(schema.clone(), &document)?;
        ensure!(found.is_none(), "{words:?}: {found:?}");
        document["runs"][0]["results"][0]["level"] = "fails".into();
        ensure!(violations(schema.clone(), &document)?.is_some(), "the schema allows anything");
    }
    Ok(())
}

#[test]
fn names_are_only_names_in_every_format() -> Result<()> {
    let root = hostile()?;
    let text = String::from_utf8(written(&[], &root)?)?;
    ensure!(!text.contains(|c: char| c.is_control() && c != '\n' || c == '\u{202e}'), "{text:?}");
    ensure!(!text.lines().any(|line| line.starts_with("fails  K001")), "{text}");
    let html = String::from_utf8(written(&["--html"], &root)?)?;
    ensure!(!html.contains("<script") && !html.contains("<b>\\u") && !html.contains('\u{1b}'), "{html}");
    ensure!(html.contains("&gt;&lt;script&gt;alert(1)&lt;!--"), "{html}");
    let sarif: Value = serde_json::from_slice(&written(&["--sarif"], &root)?)?;
    let uri = sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].as_str();
    let uri = uri.context("no location")?;
    ensure!(uri.ends_with("/a%20%3Cb%3E%5Cu%7B1b%7D%5B31m%5Cu%7B202e%7D%2520%E6%97%A5%E6%9C%AC"), "{uri}");
    let json: Value = serde_json::from_slice(&written(&["--json"], &root)?)?;
    ensure!(json["findings"][0]["target"].as_str().is_some_and(|target| target.ends_with("a <b>\\u{1b}[31m\\u{202e}%20日本")));
    Ok(())
}

#[test]
fn what_an_earlier_report_has_does_not_count() -> Result<()> {
    let slow = config("known", SLOW)?;
    let known = slow.with_file_name("known.json");
    std::fs::write(&known, written(&["--json"], &slow)?)?;
    let known = known.to_str().context("a test's path is text")?;
    // The same kernel elsewhere, then one with another fault, then one that is repaired.
    let moved = config("moved", SLOW)?;
    let worse = config("worse", &SLOW.replace("CONFIG_KUSER_HELPERS=y", "# CONFIG_KUSER_HELPERS is not set"))?;
    let better = config("better", &format!("{SLOW}CONFIG_COMPAT_VDSO=y\n"))?;
    for (path, status, last) in [
        (moved, 0, "2 findings of the baseline left out, 0 of it gone\nnothing new found\n"),
        (worse, 1, "2 findings of the baseline left out, 0 of it gone\n1 risk; `biarch explain K005` says more\n"),
        (better, 0, "1 finding of the baseline left out, 1 of it gone\nnothing new found\n"),
    ] {
        let path = path.to_str().context("a test's path is text")?;
        let output = biarch(&["check", "--baseline", known, path])?;
        let text = String::from_utf8(output.stdout)?;
        ensure!(text.ends_with(last) && output.status.code() == Some(status) && !text.contains("K001"), "{text}");
        // What is written with a baseline is one again.
        let output = biarch(&["check", "--json", "--baseline", known, path])?;
        let next = Path::new(known).with_file_name("next.json");
        std::fs::write(&next, output.stdout)?;
        let output = biarch(&["check", "--baseline", next.to_str().context("a test's path is text")?, path])?;
        ensure!(output.status.code() == Some(0), "{output:?}");
    }
    let damaged = config("damaged.json", "{\"schema_version\": 1, \"findings\": [{\"rule\"")?;
    let output = biarch(&["check", "--baseline", damaged.to_str().context("a test's path is text")?, known])?;
    let error = String::from_utf8(output.stderr)?;
    ensure!(output.status.code() == Some(2) && output.stdout.is_empty());
    for part in ["cannot read the baseline", "damaged.json", "biarch check --json TARGET > FILE", "line 1 column"] {
        ensure!(error.contains(part), "no {part:?} in {error}");
    }
    Ok(())
}

#[test]
fn a_kernel_for_another_processor_is_named() -> Result<()> {
    let slow = config("arch", SLOW)?;
    let name = slow.to_str().context("a test's path is text")?;
    let text = String::from_utf8(biarch(&["check", "--arch", "i386", name])?.stdout)?;
    ensure!(text.contains("fails  K051  an arm64 kernel runs no i386 programs\n") && !text.contains("K001"), "{text}");
    let text = String::from_utf8(biarch(&["check", "--arch", "armhf", name])?.stdout)?;
    ensure!(text.contains("K001") && !text.contains("K051"), "{text}");
    let text = String::from_utf8(biarch(&["check", "--arch", "armhf", "--arch", "i386", name])?.stdout)?;
    ensure!(text.contains("K001") && text.contains("K051"), "{text}");
    // biarch itself is of neither.
    let own = under_test::biarch()?;
    let output = biarch(&["check", "--arch", "armhf", own.to_str().context("a path of text")?])?;
    let text = String::from_utf8(output.stdout)?.split_whitespace().collect::<Vec<_>>().join(" ");
    ensure!(text.contains("; left out") && output.status.code() == Some(0), "{text}");
    Ok(())
}

#[test]
fn explanations_are_whole_where_they_are_wanted() -> Result<()> {
    let slow = config("explain", SLOW)?;
    let text = String::from_utf8(written(&["--explain"], &slow)?)?;
    for part in ["  What\n", "  Example\n", "  References\n", "        CONFIG_CC_IS_GCC=y\n"] {
        ensure!(text.contains(part), "no {part:?} in {text}");
    }
    for (id, near) in [("K12", "K012 ("), ("K001x", "K001 ("), ("vdso", "K001 ("), ("1", "K001 (")] {
        let error = String::from_utf8(biarch(&["explain", id])?.stderr)?;
        ensure!(error.contains(&format!("did you mean {near}")), "{id}: {error}");
    }
    let error = String::from_utf8(biarch(&["explain", "no such thing"])?.stderr)?;
    ensure!(error.contains("there is no rule 'no such thing'; `biarch list rules`"), "{error}");
    Ok(())
}

#[test]
fn what_cannot_be_written_is_an_error() -> Result<()> {
    let slow = config("full", SLOW)?;
    for words in [vec![], vec!["--json"], vec!["--sarif"], vec!["--html"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full")?;
        let output = Command::new(under_test::biarch()?).arg("check").args(&words).arg(&slow).stdout(full).output()?;
        let error = String::from_utf8(output.stderr)?;
        ensure!(output.status.code() == Some(2) && error.contains("No space left on device"), "{words:?}: {error}");
    }
    Ok(())
}

/// The report in README.md is what is written today, but for what it leaves out with an ellipsis.
#[test]
fn the_report_in_the_readme_is_a_real_one() -> Result<()> {
    let readme = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md"))?;
    let (_, shown) = readme.split_once("$ biarch check config-6.17.5\n").context("README.md has no report")?;
    let (shown, _) = shown.split_once("```").context("the report in README.md has no end")?;
    let path = config("config-6.17.5", &SLOW.replace("CONFIG_COMPAT_ALIGNMENT_FIXUPS=y\n", ""))?;
    let directory = path.parent().context("a file is in a directory")?;
    let output = Command::new(under_test::biarch()?).args(["check", "config-6.17.5"]).current_dir(directory).output()?;
    let text = String::from_utf8(output.stdout)?;
    let mut rest = text.as_str();
    // A real configuration has more options.
    for part in shown.split("…\n").map(|part| part.replace("; 10957 options", "; 7 options")) {
        let at = rest.find(&part).with_context(|| format!("README.md has\n{part}\nand biarch writes\n{text}"))?;
        rest = rest.get(at + part.len()..).unwrap_or_default();
    }
    Ok(())
}

#[test]
fn every_rule_can_be_explained() -> Result<()> {
    let list = String::from_utf8(biarch(&["list", "rules"])?.stdout)?;
    let ids: Vec<&str> = list.lines().skip(1).filter_map(|line| line.split(' ').next()).collect();
    ensure!(ids.len() >= 40, "{list}");
    for id in ids {
        let output = biarch(&["explain", id])?;
        let text = String::from_utf8(output.stdout)?;
        ensure!(text.contains("; programs: "), "{id}: it does not say whose programs");
        for heading in ["\nWhat\n", "\nWhy\n", "\nFix\n", "\nReferences\n"] {
            ensure!(output.status.success() && text.contains(heading), "{id}: no {heading:?} in {text}");
        }
    }
    Ok(())
}

#[test]
fn a_reader_that_goes_away_is_no_failure() -> Result<()> {
    let path = config("pipe", SLOW)?;
    let mut child =
        Command::new(under_test::biarch()?).arg("check").arg(path).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    drop(child.stdout.take());
    let output = child.wait_with_output()?;
    ensure!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    // As with every other program: the signal, unless all was written before.
    let status = output.status;
    ensure!(status.code() == Some(1) || status.signal() == Some(libc::SIGPIPE), "{status:?}");
    Ok(())
}

/// What is measured, and where something is, is another each time.
fn is_steady(line: &str) -> bool {
    !line.starts_with("ns.") && !line.starts_with("address.") && !line.starts_with("auxv.")
}

#[test]
fn this_machine_is_looked_at_where_nothing_is_given() -> Result<()> {
    let output = biarch(&["check", "--json"])?;
    let found: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    ensure!(found["targets"][0]["name"] == "this machine", "{found}");
    let worst = found["findings"].as_array().context("no findings")?.iter().any(|finding| finding["severity"] != "note");
    let unchecked = found["not_checked"].as_array().context("nothing about what is not checked")?;
    let status = if worst {
        1
    } else if unchecked.is_empty() {
        0
    } else {
        2
    };
    ensure!(output.status.code() == Some(status) && output.stderr.is_empty(), "{output:?}");
    Ok(())
}

#[test]
fn a_probe_finds_the_same_under_biarch() -> Result<()> {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("check/kit");
    let name = directory.to_str().context("a test's path is text")?;
    ensure!(biarch(&["check", "--kit", name])?.status.success());
    for file in ["README.txt", "check.sh", "probe-armhf", "probe-i386"] {
        ensure!(directory.join(file).is_file(), "no {file} in the kit");
    }
    let probe = directory.join("probe-i386");
    let said = |output: Output| -> Result<Vec<String>> {
        let text = String::from_utf8(output.stdout)?;
        ensure!(output.status.success() && text.ends_with("end i386\n"), "{:?}: {text}", output.status);
        Ok(text.lines().filter(|line| is_steady(line)).map(str::to_owned).collect())
    };
    let under = said(biarch(&["run", probe.to_str().context("a test's path is text")?])?)?;
    ensure!(under.iter().any(|line| line == "call.clock_gettime64 ok"), "{under:?}");
    match Command::new(&probe).output() {
        Ok(native) => ensure!(said(native)? == under, "{under:?}"),
        Err(error) if error.raw_os_error() == Some(8) => {
            under_test::left_out("this kernel does not run i386 programs: not compared with it")
        }
        Err(error) => return Err(error.into()),
    }
    Ok(())
}

#[test]
fn a_build_tree_is_repaired() -> Result<()> {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("check").join("build");
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(directory.join("conf"))?;
    std::fs::write(directory.join("conf/bblayers.conf"), "BBPATH = \"${TOPDIR}\"\nBBLAYERS = \"\"\n")?;
    std::fs::create_dir_all(directory.join("conf/machine"))?;
    std::fs::write(directory.join("conf/machine/qemuarm64.conf"), "DEFAULTTUNE ?= \"armv8a\"\n")?;
    std::fs::write(
        directory.join("conf/local.conf"),
        "MACHINE = \"qemuarm64\"\nrequire conf/multilib.conf\nMULTILIBS = \"multilib:lib32\"\n\
         DEFAULTTUNE:virtclass-multilib-lib32 = \"armv7athf-neon\"\n",
    )?;
    let name = directory.to_str().context("a test's path is text")?;
    let text = |output: &Output| String::from_utf8_lossy(&output.stdout).into_owned();
    // --write alone may be a slip of the hand.
    ensure!(biarch(&["check", "--write", name])?.status.code() == Some(2));
    let printed = biarch(&["check", "--fix", name])?;
    for part in ["create classes/compat-vdso.bbclass:", "add to conf/local.conf:", "    INHERIT += \"compat-vdso\""] {
        ensure!(text(&printed).contains(part), "no {part:?} in {}", text(&printed));
    }
    ensure!(!directory.join("classes").exists(), "--fix alone writes nothing");
    let json = text(&biarch(&["check", "--json", name])?);
    ensure!(json.contains("\"action\": \"append\",") && json.contains("\"path\": \"conf/local.conf\","), "{json}");
    let written = biarch(&["check", "--fix", "--write", name])?;
    let said = String::from_utf8_lossy(&written.stderr).into_owned();
    ensure!(written.status.code() == Some(1) && said.lines().count() == 2, "{said}");
    ensure!(said.starts_with("created ") && said.contains("\nadded lines to "), "{said}");
    let after = biarch(&["check", "--fix", "--write", name])?;
    ensure!(!text(&after).contains("K080") && after.stderr.is_empty(), "{after:?}");
    // What is refused is said, and is no success.
    std::fs::write(directory.join("classes/compat-vdso.bbclass"), "# another\n")?;
    let refused = biarch(&["check", "--fix", "--write", "--fail-on", "fails", name])?;
    ensure!(refused.status.code() == Some(1), "{refused:?}");
    ensure!(String::from_utf8_lossy(&refused.stderr).contains("was left alone: "), "{refused:?}");
    Ok(())
}
