//! `--sysroot`: what is read comes from there, also of the programs that the guest executes; what is written does not go there.

use anyhow::{Context, Result, ensure};
use biarch_tests::process::{self, Scratch};
use biarch_tests::{diff, under_test};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Looks at things in every way, and at last executes its next argument.
const LOOKER: &str = r#"
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <dirent.h>
static const char *error(int result) { return result < 0 ? strerrorname_np(errno) : "well"; }
int main(int argc, char **argv) {
    char text[4096];
    struct stat status;
    struct statx more;
    struct statfs system;
    const char *names[] = {"/only-here/file", "/only-here/absolute", "/only-here/relative", "/only-here/../only-here/./up",
                           "/only-here/loop", "/only-here/file/", "/only-here/directory/", "/nowhere/at/all", 0};
    for (int i = 0; names[i]; i++) {
        int fd = open(names[i], O_RDONLY), length = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
        printf("%s\n  open: %s", names[i], error(fd));
        if (length > 0) printf(" %.*s", length - 1, text);
        close(fd);
        int result = stat(names[i], &status);
        printf("\n  stat: %s %o", error(result), result < 0 ? 0 : status.st_mode & S_IFMT);
        result = lstat(names[i], &status);
        printf(", lstat: %s %o", error(result), result < 0 ? 0 : status.st_mode & S_IFMT);
        result = statx(AT_FDCWD, names[i], AT_SYMLINK_NOFOLLOW, STATX_TYPE, &more);
        printf(", statx: %s %o\n", error(result), result < 0 ? 0 : more.stx_mode & S_IFMT);
        printf("  access: %s", error(access(names[i], R_OK)));
        printf(", statfs: %s", error(statfs(names[i], &system)));
        length = readlink(names[i], text, sizeof text);
        printf(", readlink: %s %.*s\n", error(length), length < 0 ? 0 : length, text);
        printf("  getxattr: %s", error(getxattr(names[i], "user.none", text, 1)));
        printf(", llistxattr: %s\n", error(llistxattr(names[i], text, sizeof text)));
        printf("  to write: %s\n", error(open(names[i], O_WRONLY)));
    }
    DIR *directory = opendir("/only-here/directory");
    for (struct dirent *entry; directory && (entry = readdir(directory));)
        if (entry->d_name[0] != '.') printf("in the directory: %s\n", entry->d_name);
    printf("make: %s\n", error(open("/only-here/directory/new", O_CREAT | O_WRONLY, 0600)));
    printf("proc: %s\n", error(open("/proc/self/status", O_RDONLY)));
    FILE *maps = fopen("/proc/self/maps", "r");
    for (const char *name; maps && fgets(text, sizeof text, maps);)
        if ((name = strstr(text, "libc.so.6"))) { printf("C library: %s", strchr(text, '/')); break; }
    fflush(stdout);
    if (argc > 1 && strncmp(argv[0], "/only-here/", 11)) { execv(argv[1], argv + 1); printf("exec: %s\n", error(-1)); }
    return 0;
}
"#;

/// The directory of i386 libraries on this machine.
fn libraries() -> Option<PathBuf> {
    ["/usr/lib/i386-linux-gnu", "/lib/i386-linux-gnu"]
        .map(PathBuf::from)
        .into_iter()
        .find(|directory| directory.join("ld-linux.so.2").exists())
}

/// A root directory with nothing in it but the C library and what the looker looks for. Its links lead nowhere but inside.
fn make(root: &Path, libraries: &Path) -> Result<()> {
    let own = root.join("usr/lib/i386-linux-gnu");
    for directory in [&own, &root.join("lib"), &root.join("only-here/directory"), &root.join("proc/self")] {
        std::fs::create_dir_all(directory)?;
    }
    for file in ["ld-linux.so.2", "libc.so.6"] {
        std::fs::copy(libraries.join(file), own.join(file)).with_context(|| format!("{file} of libc6:i386"))?;
    }
    symlink("/usr/lib/i386-linux-gnu", root.join("lib/i386-linux-gnu"))?;
    symlink("i386-linux-gnu/ld-linux.so.2", root.join("lib/ld-linux.so.2"))?;
    std::fs::write(root.join("only-here/file"), "contents\n")?;
    std::fs::write(root.join("only-here/directory/inside"), "")?;
    // /proc is the machine's own, whatever is in the sysroot.
    std::fs::write(root.join("proc/self/status"), "")?;
    symlink("/only-here/file", root.join("only-here/absolute"))?;
    symlink("./file", root.join("only-here/relative"))?;
    symlink("../../../../only-here/absolute", root.join("only-here/up"))?;
    symlink("loop", root.join("only-here/loop"))?;
    Ok(())
}

/// A program whose interpreter is not where it says, but where Debian's i386 packages put it.
#[test]
fn an_interpreter_among_the_libraries() -> Result<()> {
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/sysroot");
    let scratch = Scratch::new(&target)?;
    if libraries().is_none() {
        under_test::left_out("libc6:i386 is not installed");
        return Ok(());
    }
    let options = ["-Wl,--dynamic-linker=/nowhere/ld-linux.so.2"];
    let Some(program) = under_test::compile_32(scratch.path(), "program", "int main(void) { return 42; }", &options)? else {
        under_test::left_out("no cross compiler (gcc-i686-linux-gnu)");
        return Ok(());
    };
    let words = [PathBuf::from(env!("CARGO_BIN_EXE_launcher")), under_test::biarch()?, "run".into(), program];
    let outcome = process::run(&words, "", Duration::from_secs(30), &target)?;
    ensure!(outcome.end == biarch_tests::program::End::Exit(42), "{}", outcome.text());
    Ok(())
}

#[test]
fn what_is_read_is_read_from_there() -> Result<()> {
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/sysroot");
    let scratch = Scratch::new(&target)?;
    let Some(libraries) = libraries() else {
        under_test::left_out("libc6:i386 is not installed");
        return Ok(());
    };
    let directory = scratch.path().canonicalize()?;
    // A blank in the name must not matter to the children.
    let root = directory.join("a root");
    make(&root, &libraries)?;
    let Some(looker) = under_test::compile_32(&directory, "looker", LOOKER, &[])? else {
        under_test::left_out("no cross compiler (gcc-i686-linux-gnu)");
        return Ok(());
    };
    // The second looker exists in the sysroot only, and is reached through a script whose interpreter is there too.
    std::fs::copy(&looker, root.join("only-here/looker"))?;
    let script = root.join("only-here/script");
    std::fs::write(&script, "#!/only-here/looker\n")?;
    std::fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;

    let launcher = PathBuf::from(env!("CARGO_BIN_EXE_launcher"));
    let words =
        [launcher, under_test::biarch()?, "run".into(), "--sysroot".into(), root.clone(), looker, "/only-here/script".into()];
    let outcome = process::run(&words, "", Duration::from_secs(30), &target)?;
    let said = outcome.text().replace(&root.display().to_string(), "ROOT");
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("sysroot.txt");
    if std::env::var_os("BIARCH_TEST_BLESS").is_some() {
        std::fs::write(&golden, &said)?;
    }
    let expected = std::fs::read_to_string(&golden).context("tests/sysroot.txt")?;
    if let Some(text) = diff::unified(&expected, &said, "tests/sysroot.txt", "biarch") {
        anyhow::bail!("{text}");
    }
    ensure!(!root.join("only-here/directory/new").exists(), "a file was made in the sysroot");
    Ok(())
}
