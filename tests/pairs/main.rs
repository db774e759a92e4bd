//! Pairs of real programs in `biarch compare`: commands that cannot be compared, each with what is said about it, and Debian's
//! packages of both architectures. No test depends on how long anything takes.

use anyhow::{Context, Result, bail, ensure};
use biarch_tests::process::Scratch;
use biarch_tests::under_test;
use libtest_mimic::{Arguments, Failed, Trial};
use std::fs::{self, File, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output, Stdio};
use std::sync::{Arc, OnceLock};

/// What is refused: a name, the words after `biarch compare --quick --budget 0`, and what must be said.
const REFUSED: &[(&str, &[&str], &[&str])] = &[
    ("the wrong way round", &["--", "./c64", "--", "./c32"], &["an x86-64 program", "wrong way round"]),
    ("both of 64 bits", &["--", "./c64", "--", "./c64"], &["first command", "./c64 is an x86-64 program", "--any-abi"]),
    ("both of 32 bits", &["--", "./c32", "--", "./c32"], &["second command", "./c32 is an i386 program", "--any-abi"]),
    ("a script", &["--", "./script", "--", "./c64"], &["./script is a script for /bin/sh", "--any-abi"]),
    ("a text", &["--", "./text", "--", "./c64"], &["./text is neither an ELF program", "--any-abi"]),
    ("a script without interpreter", &["--", "./orphan", "--", "./c64"], &["/nowhere/sh, is not there", "install it"]),
    ("a program that is here and not on the PATH", &["--", "c32", "--", "./c64"], &["the one here is ./c32"]),
    ("no such program", &["--", "no-such-program", "--", "./c64"], &["no program no-such-program", "give its path"]),
    ("no such file", &["--", "./nowhere/c32", "--", "./c64"], &["cannot run ./nowhere/c32", "No such file"]),
    ("below a file", &["--", "./c32/c32", "--", "./c64"], &["cannot run ./c32/c32", "Not a directory"]),
    ("a directory", &["--", "./directory", "--", "./c64"], &["./directory is a directory", "name a program in it"]),
    ("a pipe", &["--", "./pipe", "--", "./c64"], &["./pipe is no file that could be executed"]),
    ("a loop of links", &["--", "./loop", "--", "./c64"], &["cannot run ./loop", "links"]),
    ("not executable", &["--", "./plain", "--", "./c64"], &["may not be executed", "chmod +x ./plain"]),
    ("empty", &["--", "./empty", "--", "./c64"], &["it is empty"]),
    ("an empty word", &["--", "", "--", "./c64"], &["empty word"]),
    ("an object file", &["--", "./object", "--", "./c64"], &["to be linked"]),
    ("a header that is cut off", &["--", "./cut", "--", "./c64"], &["its ELF header is damaged"]),
    ("another processor", &["--", "./foreign", "--", "./c64"], &["Exec format error", "does not run it"]),
    (
        "no loader",
        &["--", "./no-loader", "--", "./c64"],
        &["its loader /lib/ld-nowhere.2 is not there", "apt-file search /lib/ld-nowhere.2", "biarch run --sysroot"],
    ),
    (
        "no library",
        &["--", "./no-library", "--", "./c64"],
        &["its library libbiarch-nowhere.so.1 is not there", "apt-file search libbiarch-nowhere.so.1"],
    ),
    ("it fails", &["--", "./c32", "fail", "--", "./c64", "fail"], &["exit status: 3", "it cannot be done", "--ignore-status"]),
    (
        "it fails in another way",
        &["--ignore-status", "--", "./c32", "status", "--", "./c64", "status"],
        &["status: 4", "status: 8"],
    ),
    ("it crashes", &["--", "./c32", "segv", "--", "./c64", "segv"], &["SIGSEGV", "Run it by itself"]),
    ("it crashes, and may fail", &["--ignore-status", "--", "./c32", "segv", "--", "./c64", "segv"], &["SIGSEGV"]),
    ("it is killed", &["--", "./c32", "kill", "--", "./c64", "kill"], &["SIGKILL", "memory"]),
    (
        "it hangs",
        &["--timeout", "0.2", "--", "./c32", "hang", "--", "./c64", "hang"],
        &["longer than 0.2 s", "--timeout SECONDS"],
    ),
    (
        "other results",
        &["--", "./c32", "size", "--", "./c64", "size"],
        &["different results", "line 2", "32-bit command: \"4\"", "64-bit command: \"8\"", "--ignore-output"],
    ),
    (
        "one prints more",
        &["--", "./c32", "shorter", "--", "./c64", "shorter"],
        &["different results", "printed 262144 bytes", "524288 bytes", "cmp"],
    ),
    (
        "other results, far behind",
        &["--", "./c32", "late", "--", "./c64", "late"],
        &["different results", "behind the first 65536 bytes"],
    ),
    (
        "another result each time",
        &["--", "./c32", "process", "--", "./c64", "process"],
        &["not come to the same result each time", "it first", "and then", "--ignore-output"],
    ),
    (
        "another result each time, on the other side",
        &["--", "./c32", "--", "./c64", "process"],
        &["the 64-bit command does not come to the same result each time"],
    ),
    (
        "it uses up its input",
        &["--", "./c32", "use-up", "./plain-2", "--", "./c64"],
        &["worked once and not again", "use up its input"],
    ),
    (
        "a package's name with an architecture",
        &["--package", "gzip:i386", "--", "gzip"],
        &["no name of a package", "apt-cache search"],
    ),
    ("a package's name that is a path", &["--package", "../gzip", "--", "gzip"], &["no name of a package"]),
    ("a package's name that is an option", &["--package=-oDir=x", "--", "gzip"], &["no name of a package"]),
    ("a package's name that is a pattern", &["--package", "g*", "--", "gzip"], &["no name of a package"]),
    ("a package without a command", &["--package", "gzip"], &["biarch compare --package NAME -- COMMAND"]),
    ("a package that was not fetched", &["--package", "gzip", "--", "gzip"], &["gzip", "has not been fetched", "--fetch"]),
    ("a package and benchmarks", &["time", "--package", "gzip", "--", "gzip"], &["not both"]),
];

/// What is measured, and what the output must have.
const MEASURED: &[(&str, &[&str], &[&str])] = &[
    ("relative paths", &["--", "./c32", "--", "directory/../c64"], &["commands", "starting and ending a program"]),
    ("other words on standard error", &["--", "./c32", "stderr", "--", "./c64", "stderr"], &["standard error", "\"4\"", "\"8\""]),
    ("results that may differ", &["--ignore-output", "--", "./c32", "process", "--", "./c64", "size"], &["commands"]),
    ("failures that are wanted", &["--ignore-status", "--", "./c32", "fail", "--", "./c64", "fail"], &["commands"]),
    ("a script that is wanted", &["--any-abi", "--", "./script", "--", "./c64"], &["commands"]),
    (
        "what goes on in the background",
        &["--timeout", "5", "--", "./c32", "background", "--", "./c64", "background"],
        &["commands"],
    ),
    (
        "benchmarks whose packages were not fetched",
        &["openssl_md5", "openssl_rsa2048", "gcc"],
        &["openssl_md5, openssl_rsa2048: Debian's openssl", "gcc: Debian's gcc", "--fetch"],
    ),
];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let place = match Place::new() {
        Ok(place) => Arc::new(place),
        Err(error) => panic!("{error:#}"),
    };
    let trial = |name: String, skip: Option<&str>, run: fn(&Place) -> Result<()>| {
        let place = Arc::clone(&place);
        let trial = Trial::test(name, move || run(&place).map_err(|error| Failed::from(format!("{error:#}"))));
        skipped(trial, skip)
    };
    let no_32 = place.no_32.as_deref();
    let rows = |kind: &'static str, rows: &'static [(&str, &[&str], &[&str])], succeeds: bool| {
        let place = Arc::clone(&place);
        rows.iter().map(move |(name, words, says)| {
            let place = Arc::clone(&place);
            let run = move || place.row(words, says, succeeds).map_err(|error| Failed::from(format!("{error:#}")));
            skipped(Trial::test(format!("{kind}/{name}"), run), place_needs(words, no_32))
        })
    };
    let full = std::env::var_os("BIARCH_TEST_FULL").is_some();
    let long = (!full).then_some("takes minutes: make test-full");
    let mut trials: Vec<Trial> = rows("refused", REFUSED, false).chain(rows("measured", MEASURED, true)).collect();
    trials.extend([
        trial("refused/a directory that must not be entered".to_owned(), no_32.or(place.not_for_everybody()), forbidden),
        trial("refused/standard input that only one run could read".to_owned(), no_32, piped),
        trial("refused/a library of a package that is known".to_owned(), no_32.or(place.no_apt_library()), library),
        trial("refused/packages without apt".to_owned(), None, without_apt),
        trial("refused/packages without a network".to_owned(), no_apt(), without_network),
        trial("measured/each run has the whole of standard input".to_owned(), no_32, each_reads),
        trial("measured/outputs larger than memory".to_owned(), no_32, huge),
        trial("what a command has started ends with it".to_owned(), no_32, descendants),
        trial("packages/both architectures".to_owned(), no_packages(&place), packages),
        trial("packages/openssl and gcc".to_owned(), long.or(no_apt()), programs),
    ]);
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn skipped(trial: Trial, reason: Option<&str>) -> Trial {
    match reason {
        Some(reason) => trial.with_kind(reason).with_ignored_flag(true),
        None => trial,
    }
}

/// Only what runs the 32-bit command needs it.
fn place_needs<'a>(words: &[&str], no_32: Option<&'a str>) -> Option<&'a str> {
    no_32.filter(|_| words.contains(&"--") && !words.iter().any(|word| word.starts_with("--package")))
}

fn no_apt() -> Option<&'static str> {
    let there = |name: &str| Command::new(name).arg("--version").output().is_ok();
    (!there("apt-get") || !there("dpkg-deb")).then_some("no apt-get and dpkg-deb")
}

/// Why there are no packages, if there are none: nothing is in the cache of earlier runs, and nothing can be fetched.
fn no_packages(place: &Place) -> Option<&'static str> {
    no_apt().or_else(|| {
        let output = fetched(place, &["--", "gzip", "--version"]).and_then(|mut command| Ok(command.output()?)).ok()?;
        text(&output.stderr).contains("cannot fetch").then_some("no packages: they cannot be fetched")
    })
}

/// With these packages, in the cache that is kept.
fn fetched(place: &Place, words: &[&str]) -> Result<Command> {
    let mut command = place.biarch(&["--fetch", "--package", "gzip", "--package", "libc-bin"])?;
    command.args(words).env("XDG_CACHE_HOME", cache());
    Ok(command)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Files that commands are tried with.
struct Place {
    scratch: Scratch,
    no_32: Option<String>,
}

impl Place {
    fn new() -> Result<Self> {
        let scratch = Scratch::new(&root().join("target/pairs"))?;
        let path = scratch.path();
        let source = root().join("tests/pairs/command.c");
        let compile = |compiler: &str, words: &[&str]| -> Result<bool> {
            match Command::new(compiler).args(["-O1", "-w"]).args(words).current_dir(path).output() {
                Ok(output) if output.status.success() => Ok(true),
                Ok(output) => bail!("{compiler}: {}", text(&output.stderr)),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
                Err(error) => Err(error.into()),
            }
        };
        let source = source.to_string_lossy();
        ensure!(compile("cc", &["-static", "-o", "c64", &source])?, "no cc");
        let cross = "i686-linux-gnu-gcc";
        let no_32 = if !compile(cross, &["-static", "-o", "c32", &source])? {
            Some(format!("no {cross}"))
        } else if Command::new(path.join("c32")).output().is_err() {
            Some("this kernel does not run i386 programs".to_owned())
        } else if !Path::new("/lib/ld-linux.so.2").exists() {
            Some("no /lib/ld-linux.so.2 (libc6:i386)".to_owned())
        } else {
            None
        };
        if no_32.is_none() {
            fs::write(path.join("library.c"), "int nothing;\n")?;
            compile(cross, &["-c", "-o", "object", "library.c"])?;
            compile(cross, &["-o", "no-loader", "-Wl,--dynamic-linker=/lib/ld-nowhere.2", &source])?;
            needs(path, "libbiarch-nowhere.so.1", "no-library")?;
        }
        let wide = fs::read(path.join("c64"))?;
        let mut foreign = fs::read(path.join("c32")).unwrap_or_else(|_| wide.clone());
        // e_machine: none that there is, so that no emulator is registered for it.
        foreign.splice(18..20, [0x34, 0x12]);
        let files: [(&str, &[u8], u32); 8] = [
            ("script", b"#!/bin/sh\necho done\n", 0o755),
            ("orphan", b"#! /nowhere/sh -e\n", 0o755),
            ("text", b"echo done\n", 0o755),
            ("empty", b"", 0o755),
            ("plain", b"x", 0o644),
            ("plain-2", b"x", 0o644),
            ("cut", wide.get(..40).unwrap_or_default(), 0o755),
            ("foreign", &foreign, 0o755),
        ];
        for (name, contents, mode) in files {
            fs::write(path.join(name), contents)?;
            fs::set_permissions(path.join(name), Permissions::from_mode(mode))?;
        }
        if path.join("object").exists() {
            fs::set_permissions(path.join("object"), Permissions::from_mode(0o755))?;
        }
        fs::create_dir(path.join("directory"))?;
        symlink("loop", path.join("loop"))?;
        ensure!(Command::new("mkfifo").args(["-m", "755", "pipe"]).current_dir(path).status()?.success(), "mkfifo");
        Ok(Self { scratch, no_32 })
    }

    fn path(&self) -> &Path {
        self.scratch.path()
    }

    /// With a cache that has nothing.
    fn biarch(&self, words: &[&str]) -> Result<Command> {
        let mut command = Command::new(under_test::biarch()?);
        command.args(["compare", "--quick", "--budget", "0"]).args(words).current_dir(self.path()).stdin(Stdio::null());
        command.env("XDG_CACHE_HOME", self.path().join("cache")).env_remove("LD_PRELOAD");
        Ok(command)
    }

    fn row(&self, words: &[&str], says: &[&str], succeeds: bool) -> Result<()> {
        expect(&self.biarch(words)?.output()?, says, succeeds)?;
        ensure!(!self.path().join("cache").exists(), "something was written to the cache, and nobody asked for that");
        Ok(())
    }

    /// Whoever is root becomes nobody, for whom the directories above must be open.
    fn not_for_everybody(&self) -> Option<&'static str> {
        let mut command = Command::new(under_test::biarch().ok()?);
        let reached = as_a_user(&mut command).arg("--version").current_dir(self.path()).output();
        reached.is_err().then_some("not everybody can reach this directory")
    }

    fn no_apt_library(&self) -> Option<&'static str> {
        apt_library().is_none().then_some("no library of apt, as an example of one whose package is known")
    }
}

fn root() -> &'static Path {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests.parent().unwrap_or(tests)
}

/// Links a 32-bit program to a library that is there while it is linked.
fn needs(path: &Path, library: &str, program: &str) -> Result<()> {
    let source = root().join("tests/pairs/command.c");
    for words in [
        vec!["-shared", "-o", library, "-Wl,-soname", "-Wl,NAME", "library.c"],
        vec!["-o", program, "-Wl,--no-as-needed", "SOURCE", library],
    ] {
        let words = words.into_iter().map(|word| word.replace("NAME", library).replace("SOURCE", &source.to_string_lossy()));
        let output = Command::new("i686-linux-gnu-gcc").arg("-w").args(words).current_dir(path).output()?;
        ensure!(output.status.success(), "{}", text(&output.stderr));
    }
    Ok(fs::remove_file(path.join(library))?)
}

fn expect(output: &Output, says: &[&str], succeeds: bool) -> Result<()> {
    let (out, error) = (text(&output.stdout), text(&output.stderr));
    let code = output.status.code();
    ensure!(code == Some(i32::from(!succeeds)), "{}: {out}{error}", output.status);
    ensure!(!error.contains("panic"), "{error}");
    let said = if succeeds { &out } else { &error };
    for word in says {
        ensure!(said.contains(word), "it does not say {word:?}: {said}");
    }
    Ok(())
}

/// Of apt, which is on every Debian, and nearly nowhere for i386.
fn apt_library() -> Option<String> {
    let name = |directory: &str| {
        let entries = fs::read_dir(directory).ok()?.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
        entries.filter(|name| name.starts_with("libapt-pkg.so.")).min_by_key(String::len)
    };
    if name("/usr/lib/i386-linux-gnu").is_some() { None } else { name("/usr/lib/x86_64-linux-gnu") }
}

fn library(place: &Place) -> Result<()> {
    let library = apt_library().context("a library of apt")?;
    needs(place.path(), &library, "no-apt")?;
    let output = place.biarch(&["--", "./no-apt", "--", "./c64"])?.output()?;
    expect(
        &output,
        &[&format!("its library {library} is not there"), "dpkg --add-architecture i386", "apt install libapt-pkg", ":i386"],
        false,
    )
}

/// Nothing is closed to root.
fn as_a_user(command: &mut Command) -> &mut Command {
    // SAFETY: it has no arguments and cannot fail.
    if unsafe { libc::geteuid() } == 0 {
        command.uid(65534).gid(65534);
    }
    command
}

fn forbidden(place: &Place) -> Result<()> {
    let closed = place.path().join("closed");
    fs::create_dir(&closed)?;
    fs::copy(place.path().join("c32"), closed.join("c32"))?;
    fs::set_permissions(&closed, Permissions::from_mode(0o600))?;
    let mut command = place.biarch(&["--", "closed/c32", "--", "./c64"])?;
    let output = as_a_user(&mut command).output()?;
    expect(&output, &["cannot run closed/c32", "Permission denied", "ls -l"], false)
}

fn piped(place: &Place) -> Result<()> {
    let mut command = place.biarch(&["--", "./c32", "read", "--", "./c64", "read"])?;
    let mut pipe = File::options().read(true).write(true).open(place.path().join("pipe"))?;
    std::io::Write::write_all(&mut pipe, b"something")?;
    expect(&command.stdin(pipe).output()?, &["standard input is a pipe", "<FILE"], false)
}

fn each_reads(place: &Place) -> Result<()> {
    let mut file = File::open(root().join("Cargo.lock"))?;
    // Somebody has read from it before.
    std::io::Read::read_exact(&mut file, &mut [0; 100])?;
    let mut command = place.biarch(&["--", "./c32", "read", "--", "./c64", "read"])?;
    expect(&command.stdin(file).output()?, &["commands"], true)
}

/// 100 MiB, by a biarch that may not have as many.
fn huge(place: &Place) -> Result<()> {
    let own = place.biarch(&["--", "./c32", "huge", "--", "./c64", "huge"])?;
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -v 90000; exec \"$@\"", "sh"]).arg(own.get_program()).args(own.get_args());
    expect(&command.current_dir(place.path()).stdin(Stdio::null()).output()?, &["commands"], true)
}

fn descendants(place: &Place) -> Result<()> {
    let mark = format!("mark-of-{}", std::process::id());
    let script = format!("./c64 hang {mark}; true");
    let output = place.biarch(&["--timeout", "0.3", "--any-abi", "--", "sh", "-c", &script, "--", "./c64"])?.output()?;
    expect(&output, &["longer than 0.3 s"], false)?;
    let left =
        |process: &PathBuf| fs::read(process.join("cmdline")).is_ok_and(|line| text(&line).contains(&format!("hang\0{mark}")));
    for _ in 0..100 {
        if !fs::read_dir("/proc")?.flatten().map(|entry| entry.path()).any(|process| left(&process)) {
            return Ok(());
        }
        // What was killed goes away when it is scheduled.
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    bail!("what the command had started is still there")
}

fn without_apt(place: &Place) -> Result<()> {
    let mut command = place.biarch(&["--fetch", "--package", "gzip", "--", "gzip"])?;
    let output = command.env("XDG_CACHE_HOME", place.path().join("cache-2")).env("PATH", "/nowhere").output()?;
    expect(&output, &["there is no apt-get", "biarch compare -- COMMAND32 -- COMMAND64"], false)
}

fn without_network(place: &Place) -> Result<()> {
    let try_it = |mirror: &str, cache: &str| -> Result<Output> {
        let mut command = place.biarch(&["--fetch", "--package", "gzip", "--", "gzip"])?;
        Ok(command.env("BIARCH_MIRROR", mirror).env("XDG_CACHE_HOME", cache).output()?)
    };
    let cache = place.path().join("cache-3");
    let cache = cache.to_string_lossy();
    // The second time, what is left of the first does not pass for packages.
    for _ in 0..2 {
        expect(&try_it("http://localhost:1/debian", &cache)?, &["cannot fetch Debian's gzip", "a network"], false)?;
    }
    expect(&try_it("http://localhost:1/debian", "/proc/nowhere")?, &["set XDG_CACHE_HOME"], false)
}

/// Fetched once, and kept for the next run of the tests.
fn cache() -> &'static Path {
    static CACHE: OnceLock<PathBuf> = OnceLock::new();
    CACHE.get_or_init(|| root().join("target/pairs-cache"))
}

fn packages(place: &Place) -> Result<()> {
    let gzip = |words: &[&str]| -> Result<Output> { Ok(fetched(place, words)?.output()?) };
    let lock = root().join("Cargo.lock");
    let output = gzip(&["--json", "--", "gzip", "-9c", &lock.to_string_lossy()])?;
    expect(&output, &[], true)?;
    let found: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    let outcome = &found["outcomes"][0];
    ensure!(outcome["title"].as_str().is_some_and(|title| title.contains("gzip 1.")), "{}", outcome["title"]);
    ensure!(outcome["ratios"][1]["median"].as_f64().is_some_and(|ratio| ratio > 0.0), "{outcome}");
    ensure!(outcome["overhead"].as_array().is_some_and(|both| both.iter().all(|ns| ns.as_f64() > Some(0.0))), "{outcome}");
    ensure!(found["sides"][0] == "x86-64" && found["sides"][1].as_str().is_some_and(|side| side.starts_with("i386")), "{found}");
    // It is the programs of both architectures that are run, with libraries of their own.
    expect(&gzip(&["--", "getconf", "LONG_BIT"])?, &["command for i386: \"32\"", "command for amd64: \"64\""], false)?;
    expect(&gzip(&["--", "zcat"])?, &["not a program but a script"], false)?;
    expect(&gzip(&["--", "no-such-program"])?, &["no program no-such-program among the packages", "gzip"], false)?;
    expect(&gzip(&["--", "../bin/gzip"])?, &["without a directory, or from /"], false)?;
    expect(&gzip(&["--", "/usr/bin/gzip", "--no-such-option"])?, &["exit status: 1", "no-such-option"], false)
}

fn programs(place: &Place) -> Result<()> {
    let mut command = place.biarch(&["--fetch", "--json", "openssl_aes_128_gcm", "openssl_ed25519", "compile"])?;
    let output = command.env("XDG_CACHE_HOME", cache()).output()?;
    expect(&output, &[], true)?;
    let found: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    let names: Vec<_> =
        found["outcomes"].as_array().context("outcomes")?.iter().map(|outcome| outcome["name"].as_str()).collect();
    ensure!(names == [Some("openssl_aes_128_gcm"), Some("openssl_ed25519"), Some("gcc")], "{names:?}: {}", found["left_out"]);
    for outcome in found["outcomes"].as_array().context("outcomes")? {
        ensure!(outcome["ratios"][1]["median"].as_f64().is_some_and(|ratio| ratio > 0.0), "{outcome}");
    }
    Ok(())
}
