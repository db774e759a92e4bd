//! `biarch binfmt`, in a binfmt_misc that nobody else sees: a user namespace has one of its own since Linux 6.7. Nothing is registered
//! on the machine.

use anyhow::{Context, Result, ensure};
use biarch_tests::process::{self, Outcome, Scratch};
use biarch_tests::program::{End, Need};
use biarch_tests::{diff, machine, under_test};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Says how it was executed. With `exec NAME PROGRAM …` it executes that, with another `argv[0]`.
const PROGRAM: &str = r#"
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>
int main(int argc, char **argv) {
    if (argc > 3 && !strcmp(argv[1], "exec")) {
        char *program = argv[3];
        argv[3] = argv[2];
        execv(program, argv + 3);
        perror(program);
        return 1;
    }
    for (int i = 0; i < argc; i++) printf("%s[%s]", i ? " " : "", argv[i]);
    char exe[4096] = "";
    // Without /proc biarch has an answer all the same.
    int length = access("/proc/self/status", F_OK) ? -1 : readlink("/proc/self/exe", exe, sizeof exe - 1);
    printf("\n  AT_EXECFN %s, AT_FLAGS %lu, exe %s", (char *)getauxval(AT_EXECFN), getauxval(AT_FLAGS), length < 0 ? "?" : exe);
    printf(", user %d as %d, AT_SECURE %lu", getuid(), geteuid(), getauxval(AT_SECURE));
    for (int fd = 3; fd < 64; fd++) if (fcntl(fd, F_GETFD) >= 0) printf(", descriptor %d is open", fd);
    printf("\n");
    return 0;
}
"#;

/// Put before each script: all that it changes is its own. Without a register of its own nothing is done.
const NAMESPACE: &str = "set -eu
mount -t binfmt_misc none /proc/sys/fs/binfmt_misc
mount -t tmpfs -o mode=755 none /etc
cd \"$WORK\"
";

/// A directory with programs, and biarch.
struct Place {
    scratch: Scratch,
    biarch: PathBuf,
}

impl Place {
    /// `None`, with the reason on standard error, where this machine has no such namespaces.
    fn new() -> Result<Option<Self>> {
        let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/binfmt");
        let scratch = Scratch::new(&target)?;
        let place = Self { scratch, biarch: under_test::biarch()? };
        let tried = place.inside("echo there; cat /proc/sys/fs/binfmt_misc/status", &[])?;
        if tried.stdout == "there\nenabled\n" {
            return Ok(Some(place));
        }
        let what = "there is no binfmt_misc of one's own here (Linux 6.7, CONFIG_BINFMT_MISC, user namespaces)";
        under_test::left_out(format_args!("{what}\n{}", tried.text()));
        Ok(None)
    }

    fn path(&self) -> &Path {
        self.scratch.path()
    }

    /// Runs a script in its own user namespace, behind `words`.
    fn inside(&self, script: &str, words: &[PathBuf]) -> Result<Outcome> {
        let unshare = ["unshare", "--user", "--map-root-user", "--mount", "env"].map(PathBuf::from);
        let work = format!("WORK={}", self.path().canonicalize()?.display());
        let variables = [work, format!("BIARCH={}", self.biarch.display())].map(PathBuf::from);
        let shell = ["sh".into(), "-c".into(), PathBuf::from(format!("{NAMESPACE}{script}"))];
        let all = [&unshare, variables.as_slice(), words, &shell].concat();
        process::run(&all, "", Duration::from_secs(120), self.path())
    }

    /// Puts the program, scripts that it runs, and a root directory with both here. `false` where there is no compiler.
    fn fill(&self) -> Result<bool> {
        let here = self.path().canonicalize()?;
        let Some(program) = under_test::compile_32(&here, "prog32", PROGRAM, &["-static"])? else {
            under_test::left_out("no cross compiler (gcc-i686-linux-gnu)");
            return Ok(false);
        };
        let script = |path: &Path, text: &str| -> Result<()> {
            std::fs::write(path, text)?;
            Ok(std::fs::set_permissions(path, PermissionsExt::from_mode(0o755))?)
        };
        script(&here.join("script"), &format!("#!{} of the script\n", program.display()))?;
        script(&here.join("shell"), "#!/bin/sh\n./prog32 from \"$1\"\n")?;
        std::fs::write(here.join("makefile"), "all:\n\t@./prog32 made\n")?;
        let bin = here.join("root/bin");
        std::fs::create_dir_all(&bin)?;
        std::fs::copy(&program, bin.join("prog32"))?;
        script(&bin.join("script"), "#!/bin/prog32\n")?;
        Ok(true)
    }
}

/// Every way to start a program that needs nobody's help. The last lines are in a root directory without biarch and without /proc.
const STARTS: &str = r#"
./prog32 one "two words" ""
./script argument
./shell argument
env ./prog32 from env
if command -v make > make.path; then make -s; fi
./prog32 exec another ./prog32 from a guest
./prog32 exec another ./script from a guest
./prog32 exec another /bin/sh -c './prog32 from a shell that was started by a guest'
chroot root /bin/prog32 in a root directory
chroot root /bin/script in a root directory
chroot root /bin/prog32 exec another /bin/prog32 in a root directory, from a guest
chroot root /bin/prog32 exec another /bin/script in a root directory, from a guest
"#;

#[test]
fn programs_that_the_kernel_gives_to_biarch_are_as_they_are_natively() -> Result<()> {
    let Some(place) = Place::new()? else { return Ok(()) };
    if !place.fill()? {
        return Ok(());
    }
    if !machine::has_ia32(&place.path().join("ia32"))? {
        under_test::left_out("needs the kernel's 32-bit support to compare with");
        return Ok(());
    }
    let native = place.inside(STARTS, &[])?;
    ensure!(native.end == End::Exit(0) && native.stderr.is_empty(), "natively:\n{}", native.text());
    ensure!(native.stdout.contains("[another] [in] [a] [root] [directory,] [from] [a] [guest]"), "{}", native.text());
    // Whoever makes a 32-bit system call is killed.
    let launcher = [PathBuf::from(env!("CARGO_BIN_EXE_launcher"))];
    let given = place.inside(&format!("$BIARCH binfmt install 2> said\n{STARTS}"), &launcher)?;
    if let Some(text) = diff::unified(&native.text(), &given.text(), "native", "biarch") {
        anyhow::bail!("{text}");
    }
    Ok(())
}

/// Runs `$SCRIPT` in a user namespace with all the users of this one, for which another process has to write the map.
const WITH_USERS: &str = r#"
set -eu
mkfifo "$WORK/go"
unshare --user --mount sh -c 'read -r go; exec sh -c "$SCRIPT"' < "$WORK/go" &
child=$!
exec 3> "$WORK/go"
rm "$WORK/go"
while [ "$(readlink /proc/$child/ns/user)" = "$(readlink /proc/self/ns/user)" ]; do sleep 0.1; done
echo 0 0 65536 > /proc/$child/uid_map
echo 0 0 65536 > /proc/$child/gid_map
echo go >&3
wait $child
"#;

/// A set-user-id program, started by somebody else, by a guest of theirs, and with a variable that must not be obeyed.
const SET_USER_ID: &str = r#"
chmod 755 .
chmod 4755 prog32
test ! -e /etc/biarch || /etc/biarch binfmt install
setpriv --reuid 1000 --clear-groups ./prog32 by another user
setpriv --reuid 1000 --clear-groups root/bin/prog32 exec another ./prog32 by another user, from a guest
BIARCH_LOG=/etc/log setpriv --reuid 1000 --clear-groups ./prog32 with a log
test ! -e /etc/log && echo not obeyed
"#;

#[test]
fn a_set_user_id_program_has_its_privileges() -> Result<()> {
    let Some(place) = Place::new()? else { return Ok(()) };
    let ia32 = machine::has_ia32(&place.path().join("ia32"))?;
    if let Some(reason) = [Need::Root, Need::Ia32].into_iter().find_map(|need| machine::unmet(need, ia32)) {
        under_test::left_out(reason);
        return Ok(());
    }
    if !place.fill()? {
        return Ok(());
    }
    let inside = |script: &str| {
        let script = format!("SCRIPT={NAMESPACE}{script}");
        let work = format!("WORK={}", place.path().canonicalize()?.display());
        let variables = [work, format!("BIARCH={}", place.biarch.display()), script].map(PathBuf::from);
        let shell = ["sh", "-c", WITH_USERS].map(PathBuf::from);
        let words = [&["env".into()], variables.as_slice(), &shell].concat();
        process::run(&words, "", Duration::from_secs(120), place.path())
    };
    let native = inside(SET_USER_ID)?;
    if !native.stdout.contains("user 1000 as 0, AT_SECURE 1") {
        under_test::left_out(format_args!("set-user-id programs have no privileges here even natively:\n{}", native.text()));
        return Ok(());
    }
    // Where only root can change it: /etc is the namespace's own.
    let refused = "setpriv --reuid 1000 --clear-groups /etc/biarch binfmt install 2> refused || true";
    let given = inside(&format!("cp $BIARCH /etc/biarch\n{{ {SET_USER_ID} }} 2> said\n{refused}"))?;
    let said = std::fs::read_to_string(place.path().join("said"))?;
    if said.contains("set-user-id programs run without") {
        under_test::left_out("the root directory can be changed by others than root");
        return Ok(());
    }
    ensure!(said.lines().count() == 1 && said.starts_with("i386 programs are run by /etc/biarch"), "{said}\n{}", given.text());
    let refused = std::fs::read_to_string(place.path().join("refused"))?;
    ensure!(refused.contains("only root may: sudo biarch binfmt"), "{refused}");
    if let Some(text) = diff::unified(&native.text(), &given.text(), "native", "biarch") {
        anyhow::bail!("{text}");
    }
    Ok(())
}

/// One script, with what it must say in these words.
fn says(place: &Place, script: &str, words: &[&str]) -> Result<Outcome> {
    let outcome = place.inside(script, &[]).context("the namespace")?;
    for word in words {
        ensure!(outcome.text().contains(word), "no {word:?} in:\n{}", outcome.text());
    }
    Ok(outcome)
}

#[test]
fn install_registers_and_keeps_and_remove_undoes_both() -> Result<()> {
    let Some(place) = Place::new()? else { return Ok(()) };
    let script = r#"
files() { ls /etc/binfmt.d /proc/sys/fs/binfmt_misc; }
$BIARCH binfmt status && exit 1
$BIARCH binfmt install
files
grep -v '^#' /etc/binfmt.d/biarch.conf > line
cat /proc/sys/fs/binfmt_misc/biarch > entry
$BIARCH binfmt status
$BIARCH binfmt status --json
$BIARCH binfmt install && files
# What is kept is what was registered.
echo -1 > /proc/sys/fs/binfmt_misc/biarch
cat line > /proc/sys/fs/binfmt_misc/register
cmp entry /proc/sys/fs/binfmt_misc/biarch && echo the same
$BIARCH binfmt remove && $BIARCH binfmt remove
files
$BIARCH binfmt status --json && exit 1
echo end
"#;
    let biarch = place.biarch.display().to_string();
    let outcome = says(
        &place,
        script,
        &[
            "i386 programs are not run by biarch\n  to change that, as root: biarch binfmt install\n",
            &format!("i386 programs are run by {biarch}, and after a boot by /etc/binfmt.d/biarch.conf\n"),
            &format!("i386 programs are run by {biarch} (flags PO"),
            "after a boot /etc/binfmt.d/biarch.conf registers biarch\n",
            "\"configuration\":\"/etc/binfmt.d/biarch.conf\"",
            "the same\n",
            "i386 programs are no longer given to biarch\n",
            "biarch was not registered\n",
            "\"entries\": [\n]",
        ],
    )?;
    ensure!(outcome.stdout.ends_with("end\n"), "{}", outcome.text());
    let listed = "/etc/binfmt.d:\nbiarch.conf\n\n/proc/sys/fs/binfmt_misc:\nbiarch\nregister\nstatus\n";
    ensure!(outcome.stdout.matches(listed).count() == 2, "{}", outcome.text());
    ensure!(outcome.stdout.contains("/etc/binfmt.d:\n\n/proc/sys/fs/binfmt_misc:\nregister\nstatus\n"), "{}", outcome.text());
    Ok(())
}

#[test]
fn nothing_stays_registered_that_cannot_be_kept() -> Result<()> {
    let Some(place) = Place::new()? else { return Ok(()) };
    let script = "mount -o remount,ro /etc\n$BIARCH binfmt install || echo status $?\nls /proc/sys/fs/binfmt_misc";
    let wanted = ["cannot write /etc/binfmt.d/biarch.conf: ", "nothing is registered", "status 1\nregister\nstatus\n"];
    says(&place, script, &wanted)?;
    Ok(())
}

/// Registers what Debian's qemu-user registers, and says so in a file.
const QEMU: &str = r#"
mkdir /etc/binfmt.d
line=':qemu-i386:M::\x7fELF\x01\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\x03\x00:\xff\xff\xff\xff\xff\xfe\xfe\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:/bin/qemu-i386:P'
echo "$line" > /etc/binfmt.d/qemu-i386.conf
printf %s "$line" > /proc/sys/fs/binfmt_misc/register
printf ':other:E::i386::/bin/true:' > /proc/sys/fs/binfmt_misc/register
printf ':arm:M::\\x7fELF\\x01\\x01\\x01\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x02\\x00\\x28\\x00::/bin/true:' > /proc/sys/fs/binfmt_misc/register
"#;

#[test]
fn another_program_for_i386_is_explained() -> Result<()> {
    let Some(place) = Place::new()? else { return Ok(()) };
    let explained = [
        "i386 programs are given to another program already\n",
        "qemu-i386 gives them to /bin/qemu-i386, which translates them: they run, and several times slower; of two entries",
        "to switch it off, as root: echo -1 > /proc/sys/fs/binfmt_misc/qemu-i386\n",
        "/etc/binfmt.d/qemu-i386.conf registers it after a boot; to keep it off: ln -sf /dev/null /etc/binfmt.d/qemu-i386.conf\n",
    ];
    let script = format!("{QEMU}$BIARCH binfmt install || ls /proc/sys/fs/binfmt_misc");
    let outcome = says(&place, &script, &explained)?;
    ensure!(outcome.stdout == "arm\nother\nqemu-i386\nregister\nstatus\n", "{}", outcome.text());
    ensure!(!outcome.stderr.contains("/bin/true"), "{}", outcome.text());
    // Registered after biarch was: status tells both. Switched off, it is in nobody's way.
    let script = format!(
        "$BIARCH binfmt install; rmdir /etc/binfmt.d || rm /etc/binfmt.d/*; rmdir /etc/binfmt.d || true\n{QEMU}$BIARCH binfmt status"
    );
    says(
        &place,
        &script,
        &["i386 programs are run by ", "after a boot nothing registers biarch\n", explained[1], explained[2], explained[3]],
    )?;
    let script = format!("{QEMU}echo 0 > /proc/sys/fs/binfmt_misc/qemu-i386\n$BIARCH binfmt install && $BIARCH binfmt status");
    let outcome = says(&place, &script, &["i386 programs are run by "])?;
    ensure!(!outcome.text().contains("qemu"), "{}", outcome.text());
    let script = "$BIARCH binfmt install; echo 0 > /proc/sys/fs/binfmt_misc/status; $BIARCH binfmt status || echo status $?";
    says(
        &place,
        script,
        &["binfmt_misc is switched off as a whole\n", "echo 1 > /proc/sys/fs/binfmt_misc/status\n", "status 1\n"],
    )?;
    Ok(())
}

#[test]
fn what_is_missing_is_said() -> Result<()> {
    let Some(place) = Place::new()? else { return Ok(()) };
    let unmounted = "umount /proc/sys/fs/binfmt_misc\nmount -t tmpfs none /proc/sys/fs\nmkdir /proc/sys/fs/binfmt_misc\n";
    for action in ["install", "status"] {
        let script = format!("{unmounted}$BIARCH binfmt {action} || echo status $?");
        let mount = "mount it, as root: mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc\n";
        says(&place, &script, &["binfmt_misc is not mounted\n", mount, "status 1\n"])?;
        let script = format!("mount -t tmpfs none /proc/sys/fs\n$BIARCH binfmt {action} || echo status $?");
        says(&place, &script, &["this kernel has no binfmt_misc\n", "modprobe binfmt_misc\n", "status 1\n"])?;
    }
    let script = "mount -o remount,bind,ro /proc/sys/fs/binfmt_misc\n$BIARCH binfmt install || ls /proc/sys/fs/binfmt_misc";
    let outcome = says(&place, script, &["in a container /proc/sys is read-only: do it outside"])?;
    ensure!(outcome.stdout == "register\nstatus\n", "{}", outcome.text());
    Ok(())
}

#[test]
fn a_program_that_cannot_be_run_says_why() -> Result<()> {
    let Some(place) = Place::new()? else { return Ok(()) };
    let options = ["-Wl,--dynamic-linker=/nowhere/ld-linux-none.so.2"];
    let here = place.path().canonicalize()?;
    if under_test::compile_32(&here, "prog32", "int main(void) { return 0; }", &options)?.is_none() {
        under_test::left_out("no cross compiler (gcc-i686-linux-gnu)");
        return Ok(());
    }
    let script = "$BIARCH binfmt install\n./prog32 || echo status $?";
    says(&place, script, &["cannot run ./prog32: its interpreter /nowhere/ld-linux-none.so.2 cannot be opened", "status 126\n"])?;
    Ok(())
}
