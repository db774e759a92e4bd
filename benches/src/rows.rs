//! The table's rows: what is measured, and what is asked of it. A row is registered here and nowhere else.

use crate::rows::Baseline::{Native, NativeLessTrap, OwnStub};
use crate::rows::Work::{Compile, Cpu, Inside, Openssl, Resident, Startup};

/// One line of the table.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) work: Work,
    pub(crate) target: Target,
}

/// How a row's figure comes about.
#[derive(Clone, Copy)]
pub(crate) enum Work {
    /// A guest of `benches/guest` that measures inside and prints nanoseconds per operation.
    Inside(&'static str, &'static [&'static str]),
    /// The same, with a further guest as the command it executes: `fork_exec`.
    InsideExec(&'static str, &'static str),
    /// From spawning a guest to having waited for it.
    Startup(&'static str),
    /// What a guest has resident while it sleeps.
    Resident(&'static str, Residence),
    /// `openssl speed` with these arguments.
    Openssl(&'static [&'static str]),
    /// A command in the i386 root directory: its processor time. `{work}` stands for the directory of the data.
    Cpu { argv: &'static [&'static str], stdin: Option<&'static str> },
    /// A server in the i386 root directory, which a 64-bit program asks as often as it can: the time of a request.
    Server(Server),
    /// The same, of gcc: of its compiler proper alone, or of the driver with everything it starts.
    Compile(Compiler),
}

/// Which server; `servers.rs` has the commands.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Server {
    Nginx,
    Postgresql,
}

/// Which part of gcc.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Compiler {
    Cc1,
    Driver,
}

/// Which measure of memory, all in KiB.
#[derive(Clone, Copy)]
pub(crate) enum Residence {
    /// `VmHWM` of proc_pid_status(5): the peak.
    Peak,
    /// `Pss` of `smaps_rollup`: pages shared with other processes count in part.
    Proportional,
}

/// What biarch is compared with.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Baseline {
    Native,
    /// Native, less what the kernel's `int $0x80` costs more than its vDSO entry. sigreturn in the kernel's 32-bit vDSO is an
    /// `int $0x80`, which some hypervisors make fifty times slower than it is on the processor itself.
    NativeLessTrap,
    /// biarch itself, through its stub: for `int $0x80`, for the same reason.
    OwnStub,
}

/// What is asked of a row.
#[derive(Clone, Copy)]
pub(crate) enum Target {
    /// Time relative to the baseline, at most; without a bound the ratio is only shown.
    Time(Baseline, Option<f64>),
    /// Speed relative to native, at least, and relative to qemu-i386, at least.
    Speed { native: f64, qemu: f64 },
    /// Above native by at most this, in the row's unit; without a bound the difference is only shown.
    Above(Option<f64>),
}

const CPU_BOUND: Target = Target::Speed { native: 0.98, qemu: 5.0 };

const SYSTEM_BOUND: Target = Target::Speed { native: 0.8, qemu: 1.0 };

/// 0.9 of the native requests per second.
const SERVER: Target = Target::Time(Native, Some(1.11));

const fn at_most(ratio: f64) -> Target {
    Target::Time(Native, Some(ratio))
}

const SHOWN: Target = Target::Time(Native, None);

/// Every row, in the order of the table.
pub(crate) const ROWS: &[Row] = &[
    Row { name: "getpid, __kernel_vsyscall", work: Inside("getpid_stub", &[]), target: at_most(2.0) },
    Row { name: "getpid, int $0x80", work: Inside("getpid_int80", &[]), target: Target::Time(OwnStub, Some(1.3)) },
    Row { name: "clock_gettime, vDSO", work: Inside("clock_vdso", &["__vdso_clock_gettime"]), target: at_most(1.15) },
    Row { name: "clock_gettime64, vDSO", work: Inside("clock_vdso", &["__vdso_clock_gettime64"]), target: at_most(1.15) },
    Row { name: "pipe, write + read 4 KiB", work: Inside("pipe_rw", &[]), target: at_most(1.4) },
    Row { name: "stat (statx)", work: Inside("stat", &[]), target: at_most(1.4) },
    Row { name: "stat64", work: Inside("stat64", &[]), target: at_most(1.4) },
    Row { name: "open + close", work: Inside("open_close", &[]), target: at_most(1.4) },
    Row { name: "fork + exec + wait", work: Work::InsideExec("fork_exec", "exit"), target: at_most(2.5) },
    Row { name: "signal, old frame", work: Inside("signal", &["old"]), target: Target::Time(NativeLessTrap, Some(3.0)) },
    Row { name: "signal, rt frame", work: Inside("signal", &["rt"]), target: Target::Time(NativeLessTrap, Some(3.0)) },
    Row { name: "start-up, static hello", work: Startup("hello"), target: Target::Above(Some(3e6)) },
    Row { name: "resident peak, static hello", work: Resident("sleeper", Residence::Peak), target: Target::Above(Some(6144.0)) },
    Row { name: "resident Pss, static hello", work: Resident("sleeper", Residence::Proportional), target: Target::Above(None) },
    Row { name: "fork + wait", work: Inside("fork_wait", &[]), target: SHOWN },
    Row { name: "thread create + join", work: Inside("thread_create", &[]), target: SHOWN },
    Row { name: "pipe ping-pong, processes", work: Inside("pipe_ping_pong", &[]), target: SHOWN },
    Row { name: "futex ping-pong, threads", work: Inside("futex_ping_pong", &[]), target: SHOWN },
    Row { name: "futex wake, nobody waits", work: Inside("futex_wake", &[]), target: SHOWN },
    Row { name: "mmap + munmap", work: Inside("mmap_munmap", &[]), target: SHOWN },
    Row { name: "page fault", work: Inside("page_fault", &[]), target: SHOWN },
    Row { name: "openssl md5", work: Openssl(&["-evp", "md5"]), target: CPU_BOUND },
    Row { name: "openssl sha256", work: Openssl(&["-evp", "sha256"]), target: CPU_BOUND },
    Row { name: "openssl aes-128-cbc", work: Openssl(&["-evp", "aes-128-cbc"]), target: CPU_BOUND },
    Row { name: "openssl chacha20-poly1305", work: Openssl(&["-evp", "chacha20-poly1305"]), target: CPU_BOUND },
    Row { name: "openssl rsa2048", work: Openssl(&["rsa2048"]), target: CPU_BOUND },
    Row { name: "openssl ecdsap256", work: Openssl(&["ecdsap256"]), target: CPU_BOUND },
    Row { name: "gcc, cc1 of a large file", work: Compile(Compiler::Cc1), target: CPU_BOUND },
    Row { name: "gcc, driver + cc1 + as", work: Compile(Compiler::Driver), target: CPU_BOUND },
    Row {
        name: "sqlite3, 100,000 rows",
        work: Cpu { argv: &["/usr/bin/sqlite3", ":memory:"], stdin: Some("rows.sql") },
        target: CPU_BOUND,
    },
    Row {
        name: "xz -1, 20 MB",
        work: Cpu { argv: &["/usr/bin/xz", "-1", "-T1", "-c", "{work}/text"], stdin: None },
        target: CPU_BOUND,
    },
    Row {
        name: "find, 100,000 files",
        work: Cpu { argv: &["/usr/bin/find", "{work}/files", "-newermt", "2000-01-01", "-printf", "%f %s\n"], stdin: None },
        target: SYSTEM_BOUND,
    },
    Row {
        name: "git status, 20,000 files",
        work: Cpu { argv: &["/usr/bin/git", "-C", "{work}/repository", "status", "--short"], stdin: None },
        target: SYSTEM_BOUND,
    },
    Row { name: "nginx, a request", work: Work::Server(Server::Nginx), target: SERVER },
    Row { name: "PostgreSQL, a transaction", work: Work::Server(Server::Postgresql), target: SERVER },
];

impl Work {
    /// Whether it needs the i386 root directory.
    pub(crate) fn in_root(self) -> bool {
        matches!(self, Openssl(_) | Cpu { .. } | Compile(_) | Work::Server(_))
    }

    /// Whether qemu-i386 can do the same: the kernel would run what the gcc driver starts, natively, and servers want a root
    /// directory.
    pub(crate) fn by_qemu(self) -> bool {
        !matches!(self, Compile(Compiler::Driver) | Work::Server(_))
    }

    /// The unit of its figures.
    pub(crate) fn unit(self) -> Unit {
        if matches!(self, Resident(..)) { Unit::Kibibytes } else { Unit::Nanoseconds }
    }
}

/// What a figure counts.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Unit {
    Nanoseconds,
    Kibibytes,
}

impl Unit {
    /// The unit's name in JSON.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Unit::Nanoseconds => "ns",
            Unit::Kibibytes => "KiB",
        }
    }

    /// The figure with three digits that matter and a unit of fitting size.
    pub(crate) fn show(self, figure: f64) -> String {
        let steps: &[(f64, &str)] = match self {
            Unit::Nanoseconds => &[(1e9, "s"), (1e6, "ms"), (1e3, "us"), (1.0, "ns")],
            Unit::Kibibytes => &[(1024.0, "MiB"), (1.0, "KiB")],
        };
        let (size, name) = steps.iter().find(|(size, _)| figure.abs() >= *size).or(steps.last()).copied().unwrap_or((1.0, ""));
        let scaled = figure / size;
        let digits = if scaled.abs() >= 100.0 {
            0
        } else if scaled.abs() >= 10.0 {
            1
        } else {
            2
        };
        format!("{scaled:.digits$} {name}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_shown_with_a_fitting_unit() {
        assert_eq!(Unit::Nanoseconds.show(23.129), "23.1 ns");
        assert_eq!(Unit::Nanoseconds.show(456_050.25), "456 us");
        assert_eq!(Unit::Nanoseconds.show(-1_234_567.0), "-1.23 ms");
        assert_eq!(Unit::Nanoseconds.show(0.25), "0.25 ns");
        assert_eq!(Unit::Kibibytes.show(6144.0), "6.00 MiB");
        assert_eq!(Unit::Kibibytes.show(712.0), "712 KiB");
    }

    #[test]
    fn names_are_unique() {
        for (index, row) in ROWS.iter().enumerate() {
            assert!(ROWS[..index].iter().all(|other| other.name != row.name), "{}", row.name);
        }
    }

    /// Every guest source is used by a row, and every row's guest has a source.
    #[test]
    fn rows_and_guest_sources_agree() {
        let mut used = Vec::new();
        for row in ROWS {
            match row.work {
                Work::Inside(guest, _) | Work::Startup(guest) | Work::Resident(guest, _) => used.push(guest),
                Work::InsideExec(guest, command) => used.extend([guest, command]),
                Work::Openssl(_) | Work::Cpu { .. } | Work::Compile(_) | Work::Server(_) => {}
            }
        }
        used.sort_unstable();
        used.dedup();
        let mut sources: Vec<String> = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/guest"))
            .expect("the sources are next to this package")
            .filter_map(|entry| Some(entry.ok()?.file_name().into_string().ok()?.strip_suffix(".c")?.to_owned()))
            .collect();
        sources.sort_unstable();
        assert_eq!(used, sources);
    }
}
