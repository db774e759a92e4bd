//! Containers of i386: the programs in them know nothing of biarch, which is registered outside. The runtimes are 64-bit programs, and
//! everything happens in a user namespace with a binfmt_misc of its own: nothing is registered on the machine.

use anyhow::{Result, bail, ensure};
use biarch_tests::process::{self, Outcome, Scratch};
use biarch_tests::program::End;
use biarch_tests::{diff, machine, under_test};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// What a program in a container finds, and does: threads, children, itself executed anew, its own files in /proc.
const INSIDE: &str = r#"
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static _Thread_local int local = 1;
static volatile int signals;
static void on(int signal) { signals++; }
static void *work(void *argument) { local += 41; return (void *)(long)local; }
int main(int count, char **words) {
    if (count > 1 && !strcmp(words[1], "child")) return printf("executed as %s by %s\n", words[0], words[2]) < 0;
    struct utsname name;
    uname(&name);
    char exe[256] = "";
    readlink("/proc/self/exe", exe, sizeof exe - 1);
    // EPERM of the profile, EFAULT without.
    int key = syscall(SYS_add_key, 0, 0, 0, 0, 0) ? errno : 0;
    printf("%s on %s, %d-bit pointers, user %d, process %d, no new privileges %d, add_key %d\n", exe, name.nodename,
           (int)sizeof(void *) * 8, getuid(), getpid() < 99, prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0), key);
    pthread_t thread;
    void *result = 0;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, &result);
    signal(SIGUSR1, on);
    raise(SIGUSR1);
    printf("a thread says %ld, signals %d\n", (long)result, signals);
    fflush(stdout);
    for (int i = 0; i < 2; i++) {
        int status = 0;
        pid_t child = fork();
        if (!child) execl(i ? "/bin/script" : "/proc/self/exe", "another", "child", "a guest", NULL), perror("execl"), _exit(9);
        waitpid(child, &status, 0);
        printf("child: %x\n", status);
        fflush(stdout);
    }
    char line[512] = "";
    int high = 0, file = open("/written", O_CREAT | O_RDWR | O_TRUNC, 0600);
    printf("written: %d\n", (int)write(file, "text", 4));
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps)) high += strcspn(line, "-") > 8;
    printf("mappings above 4 GiB: %d\n", high);
    return 0;
}
"#;

/// What the default profile of container engines (containers-common's and Docker's `seccomp.json`) keeps from programs without
/// capabilities on x86-64.
const DENIED: &str = "uselib ustat sysfs vhangup _sysctl acct settimeofday swapon swapoff sethostname setdomainname iopl ioperm \
    create_module init_module delete_module get_kernel_syms query_module quotactl nfsservctl lookup_dcookie clock_settime kexec_load \
    add_key request_key keyctl migrate_pages vmsplice move_pages perf_event_open fanotify_init open_by_handle_at kcmp finit_module \
    kexec_file_load bpf userfaultfd io_pgetevents io_uring_setup io_uring_enter io_uring_register process_madvise personality mount \
    umount2 unshare setns pivot_root chroot reboot syslog";

/// One way to run `/bin/NAME` in the root directory `root`.
struct Runtime {
    name: &'static str,
    /// The script's lines; `$NAME` is the program.
    run: &'static str,
}

const RUNTIMES: &[Runtime] = &[
    // Which wants to see all hierarchies of control groups that the machine has, and lives without where they cannot be written.
    Runtime {
        name: "runc",
        run: "hierarchies=$(ls /sys/fs/cgroup)
              mount -t tmpfs none /sys/fs/cgroup
              (cd /sys/fs/cgroup; [ -z \"$hierarchies\" ] || mkdir -p $hierarchies)
              mount -o remount,ro /sys/fs/cgroup
              runc --rootless=true --root \"$WORK/state\" run --bundle . \"$NAME-$$\"",
    },
    Runtime {
        name: "crun",
        run: "mount -t tmpfs none /sys/fs/cgroup
              crun --root \"$WORK/state\" --cgroup-manager=disabled run --bundle . \"$NAME-$$\"",
    },
    Runtime {
        name: "bwrap",
        run: "bwrap --bind root / --proc /proc --dev /dev --unshare-pid --unshare-uts --hostname cell \"/bin/$NAME\"",
    },
    Runtime { name: "chroot", run: "mount -t proc proc root/proc; hostname cell; chroot root \"/bin/$NAME\"" },
];

const BEGIN: &str = r#"
set -eu
mount -t proc proc /proc
mount -t binfmt_misc none /proc/sys/fs/binfmt_misc
mount -t tmpfs -o mode=755 none /etc
cd "$WORK"
[ -z "$INSTALL" ] || "$BIARCH" binfmt install 2> said || { cat said >&2; exit 1; }
mkdir -p state
"#;

/// A container's configuration, as `runc spec` and engines write it.
fn configuration(program: &str) -> Value {
    let denied: Vec<&str> = DENIED.split_whitespace().collect();
    json!({
        "ociVersion": "1.0.2",
        "process": {
            "terminal": false, "user": {"uid": 0, "gid": 0}, "args": [format!("/bin/{program}")], "env": ["PATH=/bin"], "cwd": "/",
            "capabilities": {"bounding": [], "effective": [], "permitted": []}, "noNewPrivileges": true,
        },
        "root": {"path": "root"},
        "hostname": "cell",
        "mounts": [
            {"destination": "/proc", "type": "proc", "source": "proc"},
            {"destination": "/dev", "type": "tmpfs", "source": "tmpfs"},
        ],
        "linux": {
            "namespaces": [{"type": "pid"}, {"type": "ipc"}, {"type": "uts"}, {"type": "mount"}],
            "seccomp": {
                "defaultAction": "SCMP_ACT_ALLOW",
                "architectures": ["SCMP_ARCH_X86_64", "SCMP_ARCH_X86", "SCMP_ARCH_X32"],
                "syscalls": [{"names": denied, "action": "SCMP_ACT_ERRNO"}],
            },
        },
    })
}

/// Where the 32-bit loader and C library of the cross compiler are.
const LIBRARIES: &str = "/usr/i686-linux-gnu/lib";

/// A root file system with the program, static and dynamic, and a script.
fn fill(here: &Path) -> Result<bool> {
    let root = here.join("root");
    for directory in ["bin", "lib", "proc", "dev"] {
        std::fs::create_dir_all(root.join(directory))?;
    }
    for (name, options) in [("static", &["-static", "-pthread"][..]), ("dynamic", &["-pthread"])] {
        let Some(program) = under_test::compile_32(here, name, INSIDE, options)? else {
            under_test::left_out("no cross compiler (gcc-i686-linux-gnu)");
            return Ok(false);
        };
        std::fs::copy(&program, root.join("bin").join(name))?;
    }
    for library in ["ld-linux.so.2", "libc.so.6"] {
        std::fs::copy(Path::new(LIBRARIES).join(library), root.join("lib").join(library))?;
    }
    let script = root.join("bin/script");
    std::fs::write(&script, "#!/bin/static child\n")?;
    ensure!(Command::new("chmod").arg("755").arg(&script).status()?.success(), "chmod");
    Ok(true)
}

/// Runs `name` in a container; with biarch registered, nobody makes a 32-bit system call.
fn contained(here: &Path, runtime: &Runtime, name: &str, biarch: Option<&Path>) -> Result<Outcome> {
    std::fs::write(here.join("config.json"), configuration(name).to_string())?;
    let mut words: Vec<PathBuf> =
        ["unshare", "--user", "--map-root-user", "--mount", "--uts", "--pid", "--fork", "env"].map(PathBuf::from).to_vec();
    words.push(format!("WORK={}", here.display()).into());
    words.push(format!("NAME={name}").into());
    words.push(format!("INSTALL={}", if biarch.is_some() { "yes" } else { "" }).into());
    words.push(format!("BIARCH={}", biarch.unwrap_or(Path::new("")).display()).into());
    if biarch.is_some() {
        words.push(env!("CARGO_BIN_EXE_launcher").into());
    }
    words.extend(["sh".into(), "-c".into(), format!("{BEGIN}{}", runtime.run).into()]);
    process::run(&words, "", Duration::from_secs(120), here)
}

#[test]
fn programs_in_containers_are_as_they_are_natively() -> Result<()> {
    let scratch = Scratch::new(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/containers"))?;
    let here = scratch.path().canonicalize()?;
    if !fill(&here)? {
        return Ok(());
    }
    if !machine::has_ia32(&here)? {
        under_test::left_out("needs the kernel's 32-bit support to compare with");
        return Ok(());
    }
    let biarch = under_test::biarch()?;
    for runtime in RUNTIMES {
        for name in ["static", "dynamic"] {
            let native = contained(&here, runtime, name, None)?;
            if native.end != End::Exit(0) || !native.stdout.contains("mappings above 4 GiB: 0") {
                // Not there, or not in such a namespace.
                under_test::left_out(format_args!("{} does not run here\n{}", runtime.name, native.text()));
                continue;
            }
            let given = contained(&here, runtime, name, Some(&biarch))?;
            if let Some(text) = diff::unified(&native.text(), &given.text(), "native", "biarch") {
                bail!("{} {name}:\n{text}", runtime.name);
            }
        }
    }
    Ok(())
}
