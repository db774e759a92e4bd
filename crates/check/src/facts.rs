//! What rules judge: everything that was learned about the targets, and nothing that can be asked for later.

pub mod machine;

use crate::config::{Config, Setting};
use crate::root::Root;
use crate::tree::Tree;
use elf::kernel::Image;
use elf::module::Module;
use elf::{Class, Details};
use findings::{Guest, Report, Target};
use machine::{Machine, Outcome, Probe};
use std::sync::Arc;

/// All targets together. Rules that join two kinds find both here.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// Kernels, given or found in a root file system.
    pub kernels: Vec<Kernel>,
    /// ELF files that were given by themselves.
    pub objects: Vec<Object>,
    /// Root file systems.
    pub roots: Vec<Root>,
    /// Build trees.
    pub trees: Vec<Tree>,
    /// The programs in question; none means all.
    pub guests: Vec<Guest>,
}

impl Facts {
    /// Leaves out the files that have nothing to do with `guests`; the report says which of those that were given.
    pub fn only(&mut self, guests: &[Guest], report: &mut Report) {
        let wanted = |object: &Object| object.abi().guest().is_some_and(|guest| guests.contains(&guest));
        self.guests = guests.to_vec();
        self.objects.retain(|object| {
            if !wanted(object) {
                let description = format!("{} {}; left out", object.abi().name(), object.kind());
                report.targets.push(Target { name: object.name(), description });
            }
            wanted(object)
        });
        for root in &mut self.roots {
            root.only(wanted);
        }
    }
}

/// A kernel's architecture, as far as there are rules about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Architecture {
    /// AArch64
    Arm64,
    /// 32-bit ARM
    Arm,
    /// x86-64
    X86_64,
    /// i386
    X86,
}

impl Architecture {
    /// What the kernel calls it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Arm64 => "arm64",
            Self::Arm => "arm",
            Self::X86_64 => "x86-64",
            Self::X86 => "i386",
        }
    }

    /// Whether such a kernel can be built so that it runs these programs.
    #[must_use]
    pub fn may_run(self, guest: Guest) -> bool {
        match guest {
            Guest::Armhf => matches!(self, Self::Arm64 | Self::Arm),
            Guest::I386 => matches!(self, Self::X86_64 | Self::X86),
        }
    }
}

/// One kernel: its configuration, its image, or both.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// The file, or the files.
    pub name: String,
    /// Its configuration, from a file or from inside the image.
    pub config: Option<Config>,
    /// What its image holds.
    pub image: Option<Image>,
    /// The machine that it is running on.
    pub machine: Option<Machine>,
}

impl Kernel {
    /// What it is for.
    #[must_use]
    pub fn architecture(&self) -> Option<Architecture> {
        let set = |name: &str| self.option(name) == Some(Setting::Yes);
        if set("ARM64") {
            return Some(Architecture::Arm64);
        } else if set("X86_64") {
            return Some(Architecture::X86_64);
        } else if set("X86_32") {
            return Some(Architecture::X86);
        } else if set("ARM") {
            return Some(Architecture::Arm);
        }
        if let Some(machine) = &self.machine {
            return machine.architecture();
        }
        match self.image.as_ref()?.machine? {
            elf::EM_AARCH64 => Some(Architecture::Arm64),
            elf::EM_ARM => Some(Architecture::Arm),
            elf::EM_X86_64 => Some(Architecture::X86_64),
            elf::EM_386 => Some(Architecture::X86),
            _ => None,
        }
    }

    /// What its configuration says about an option; nothing, if there is no configuration.
    #[must_use]
    pub fn option(&self, name: &str) -> Option<Setting<'_>> {
        self.config.as_ref().map(|config| config.get(name))
    }

    /// Whether the option is known to be built in.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.option(name) == Some(Setting::Yes)
    }

    /// Whether the option is known not to be on.
    #[must_use]
    pub fn lacks(&self, name: &str) -> bool {
        self.option(name).is_some_and(|setting| !setting.is_on())
    }

    /// The lines of its configuration about these options.
    #[must_use]
    pub fn quote(&self, names: &[&str]) -> String {
        self.config.as_ref().map(|config| config.quote(names)).unwrap_or_default()
    }

    /// The release, such as `6.12.43+deb13-arm64`, or the version of a configuration.
    #[must_use]
    pub fn release(&self) -> Option<&str> {
        let running = self.machine.as_ref().map(|machine| machine.release.as_str());
        let image = running.or_else(|| self.image.as_ref().and_then(Image::release));
        image.or_else(|| self.config.as_ref().and_then(|config| config.version.as_deref()))
    }

    /// The first two numbers of the release.
    #[must_use]
    pub fn version(&self) -> Option<(u32, u32)> {
        version(self.release()?).map(|(major, minor, _)| (major, minor))
    }

    /// Whether it is known to be older than this.
    #[must_use]
    pub fn is_before(&self, major: u32, minor: u32) -> bool {
        self.version().is_some_and(|version| version < (major, minor))
    }

    /// Whether it is arm64 and runs 32-bit programs.
    #[must_use]
    pub fn is_arm64_with_compat(&self) -> bool {
        self.architecture() == Some(Architecture::Arm64) && self.runs_narrow().unwrap_or_else(|| self.has("COMPAT"))
    }

    /// The lowest address that a program may map, unless it is root's, as far as the machine or the configuration says it.
    #[must_use]
    pub fn lowest_address(&self) -> Option<u64> {
        match (self.sysctl("vm.mmap_min_addr"), self.option("DEFAULT_MMAP_MIN_ADDR")) {
            (Some(value), _) => value.parse().ok(),
            (None, Some(Setting::Value(value))) => value.parse().ok(),
            _ => None,
        }
    }

    /// Whether 32-bit programs run, where it was tried.
    #[must_use]
    pub fn runs_narrow(&self) -> Option<bool> {
        self.machine.as_ref()?.runs_narrow()
    }

    /// What a 32-bit program found that this kernel ran.
    #[must_use]
    pub fn native(&self) -> Option<&Probe> {
        self.machine.as_ref()?.native()
    }

    /// What came of something that a 32-bit program tried.
    #[must_use]
    pub fn outcome(&self, key: &str) -> Option<Outcome> {
        self.native()?.outcome(key)
    }

    /// The value of a sysctl of the machine that it runs on.
    #[must_use]
    pub fn sysctl(&self, name: &str) -> Option<&str> {
        self.machine.as_ref()?.sysctl(name)
    }

    /// The words that it was started with.
    pub fn command_line(&self) -> impl Iterator<Item = &str> {
        self.machine.iter().flat_map(Machine::command_line)
    }

    /// Whether programs must do without something: as one has found that tried these, else as `configured` says.
    #[must_use]
    pub fn fails(&self, keys: &[&str], configured: bool) -> bool {
        let mut outcomes = keys.iter().filter_map(|key| self.outcome(key)).peekable();
        if outcomes.peek().is_none() { configured } else { outcomes.any(|outcome| outcome != Outcome::Works) }
    }

    /// Whether it may run on one of these processors of Arm: `(part, last)` with the last revision that counts, such as
    /// `(3, 1)` for r3p1. Where nobody knows what it runs on, it may.
    #[must_use]
    pub fn may_run_on(&self, parts: &[(u32, (u32, u32))]) -> bool {
        let processors = self.machine.as_ref().map(Machine::processors).unwrap_or_default();
        processors.is_empty() || processors.iter().any(|processor| processor.is_one_of(parts))
    }

    /// What was seen: by a 32-bit program, and in the configuration.
    #[must_use]
    pub fn evidence(&self, keys: &[&str], options: &[&str]) -> String {
        let seen = self.native().map(|probe| probe.quote(keys)).unwrap_or_default();
        [seen, self.quote(options)].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("; ")
    }

    /// The size of its pages in bytes, where a program or the configuration says it.
    #[must_use]
    pub fn page_size(&self) -> Option<u64> {
        if let Some(size) = self.native().and_then(|probe| probe.hexadecimal("auxv.AT_PAGESZ")) {
            return Some(size);
        }
        match self.architecture()? {
            Architecture::Arm64 => [("ARM64_4K_PAGES", 4), ("ARM64_16K_PAGES", 16), ("ARM64_64K_PAGES", 64)]
                .iter()
                .find(|(name, _)| self.has(name))
                .map(|(_, kib)| kib << 10),
            _ => Some(4 << 10),
        }
    }
}

/// Major, minor and patch level of a release; a missing patch level is 0.
#[must_use]
pub fn version(release: &str) -> Option<(u32, u32, u32)> {
    let mut numbers = release.split(|c: char| !c.is_ascii_digit()).map(|digits| digits.parse().ok());
    Some((numbers.next()??, numbers.next()??, numbers.next().flatten().unwrap_or(0)))
}

/// What a program and its libraries must agree about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Abi {
    /// i386
    I386,
    /// x86-64 with 32-bit pointers
    X32,
    /// x86-64
    X86_64,
    /// 32-bit ARM; whether floating-point arguments are in floating-point registers, where the file says it.
    Arm(Option<bool>),
    /// AArch64
    Arm64,
    /// `e_machine`, whether it is of 64 bits, whether the most significant byte comes first
    Other(u16, bool, bool),
}

impl Abi {
    /// Of this file.
    #[must_use]
    pub fn of(details: &Details) -> Self {
        // `EF_ARM_ABI_FLOAT_HARD` and `EF_ARM_ABI_FLOAT_SOFT` of the ARM ELF specification, set in programs and libraries.
        const HARD: u32 = 0x400;
        const SOFT: u32 = 0x200;
        let facts = &details.facts;
        let wide = facts.class == Class::Elf64;
        match facts.machine {
            elf::EM_386 if !wide && !facts.big_endian => Self::I386,
            elf::EM_X86_64 if wide && !facts.big_endian => Self::X86_64,
            elf::EM_X86_64 if !facts.big_endian => Self::X32,
            elf::EM_AARCH64 if wide && !facts.big_endian => Self::Arm64,
            elf::EM_ARM if !wide && !facts.big_endian => Self::Arm(match details.flags & (HARD | SOFT) {
                HARD => Some(true),
                SOFT => Some(false),
                _ => None,
            }),
            machine => Self::Other(machine, wide, facts.big_endian),
        }
    }

    /// Whether a program of one may load a library of the other.
    #[must_use]
    pub fn agrees(self, other: Self) -> bool {
        match (self, other) {
            (Self::Arm(one), Self::Arm(two)) => one.is_none() || two.is_none() || one == two,
            _ => self == other,
        }
    }

    /// Whether pointers have 4 bytes.
    #[must_use]
    pub fn is_narrow(self) -> bool {
        match self {
            Self::I386 | Self::X32 | Self::Arm(_) => true,
            Self::X86_64 | Self::Arm64 => false,
            Self::Other(_, wide, _) => !wide,
        }
    }

    /// The programs that it is of, where there are rules about them.
    #[must_use]
    pub fn guest(self) -> Option<Guest> {
        match self {
            Self::I386 => Some(Guest::I386),
            Self::Arm(_) => Some(Guest::Armhf),
            _ => None,
        }
    }

    /// What people call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::I386 => "i386",
            Self::X32 => "x32",
            Self::X86_64 => "x86-64",
            Self::Arm(Some(true)) => "armhf",
            Self::Arm(Some(false)) => "armel",
            Self::Arm(None) => "32-bit ARM",
            Self::Arm64 => "arm64",
            Self::Other(_, true, _) => "another 64-bit processor",
            Self::Other(_, false, _) => "another 32-bit processor",
        }
    }

    /// The directory of Debian's multiarch, where there is one.
    #[must_use]
    pub fn triplet(self) -> Option<&'static str> {
        match self {
            Self::I386 => Some("i386-linux-gnu"),
            Self::X32 => Some("x86_64-linux-gnux32"),
            Self::X86_64 => Some("x86_64-linux-gnu"),
            Self::Arm(Some(false)) => Some("arm-linux-gnueabi"),
            Self::Arm(_) => Some("arm-linux-gnueabihf"),
            Self::Arm64 => Some("aarch64-linux-gnu"),
            Self::Other(..) => None,
        }
    }
}

/// One ELF file.
#[derive(Clone, Debug)]
pub struct Object {
    /// Its path, in the root file system or as given, in bytes: names need not be UTF-8.
    pub path: Vec<u8>,
    /// What it says about itself; its symbols are left out, for they are many.
    /// A file with many names has it once.
    pub details: Arc<Details>,
    /// Functions that it imports and that have a 32-bit `time_t` in their interface.
    pub time32: Arc<[String]>,
    /// The same with a 64-bit `time_t`.
    pub time64: Arc<[String]>,
    /// What it says about itself, if it is a kernel module.
    pub module: Option<Module>,
}

impl Object {
    /// Takes from `details` what rules need.
    #[must_use]
    pub fn new(path: Vec<u8>, mut details: Details) -> Self {
        let imports = std::mem::take(&mut details.imports);
        details.exports = Vec::new();
        let (mut time32, mut time64) = (Vec::new(), Vec::new());
        if Abi::of(&details).is_narrow() {
            for name in imports {
                if is_time32(&name) {
                    time32.push(name);
                } else if is_time64(&name) {
                    time64.push(name);
                }
            }
        }
        Self { path, details: Arc::new(details), time32: time32.into(), time64: time64.into(), module: None }
    }

    /// What it must agree about with its libraries.
    #[must_use]
    pub fn abi(&self) -> Abi {
        Abi::of(&self.details)
    }

    /// Its path as it can be shown.
    #[must_use]
    pub fn name(&self) -> String {
        shown(&self.path)
    }

    /// What it is, in a word or two.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        if self.details.is_program() { "program" } else { "ELF file" }
    }
}

/// A path for a person: what a terminal would not show as it is becomes `\xNN`.
#[must_use]
pub fn shown(path: &[u8]) -> String {
    let mut text = String::new();
    for chunk in path.utf8_chunks() {
        for c in chunk.valid().chars() {
            if c.is_control() || is_invisible(c) { text.extend(c.escape_default()) } else { text.push(c) }
        }
        for byte in chunk.invalid() {
            text.push_str(&format!("\\x{byte:02x}"));
        }
    }
    text
}

/// What takes no room and may show other characters in another order: Unicode's formats and separators.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// A text from a file for a person: control characters, which could talk to the terminal, are written out.
#[must_use]
pub fn plain(text: &str) -> String {
    shown(text.as_bytes())
}

/// Functions of the C library whose interface has a `time_t`, and that glibc has twice on 32-bit architectures since 2.34.
/// ioctl(2), fcntl(2) and recvmsg(2) also have a second version; but nearly every program imports them without a time in sight.
const TIMED: &[&str] = &[
    "adjtime",
    "aio_suspend",
    "clock_getres",
    "clock_gettime",
    "clock_nanosleep",
    "clock_settime",
    "cnd_timedwait",
    "ctime",
    "ctime_r",
    "difftime",
    "fstat",
    "fstatat",
    "ftime",
    "futimens",
    "futimes",
    "getitimer",
    "getrusage",
    "gettimeofday",
    "gmtime",
    "gmtime_r",
    "localtime",
    "localtime_r",
    "lstat",
    "lutimes",
    "mktime",
    "mq_timedreceive",
    "mq_timedsend",
    "mtx_timedlock",
    "nanosleep",
    "ppoll",
    "pselect",
    "pthread_clockjoin_np",
    "pthread_cond_clockwait",
    "pthread_cond_timedwait",
    "pthread_mutex_clocklock",
    "pthread_mutex_timedlock",
    "pthread_rwlock_timedrdlock",
    "pthread_rwlock_timedwrlock",
    "pthread_timedjoin_np",
    "recvmmsg",
    "sched_rr_get_interval",
    "select",
    "sem_clockwait",
    "sem_timedwait",
    "semtimedop",
    "setitimer",
    "settimeofday",
    "sigtimedwait",
    "stat",
    "thrd_sleep",
    "time",
    "timegm",
    "timer_gettime",
    "timer_settime",
    "timerfd_gettime",
    "timerfd_settime",
    "timespec_get",
    "utime",
    "utimensat",
    "utimes",
    "wait3",
    "wait4",
];

fn is_timed(name: &str) -> bool {
    TIMED.binary_search(&name).is_ok()
}

/// glibc's names with a 32-bit `time_t`: the plain ones, those for large files, and what stat(2) was before 2.33.
fn is_time32(name: &str) -> bool {
    const STAT: [&str; 4] = ["stat", "lstat", "fstat", "fstatat"];
    const OLD_STAT: [&str; 4] = ["__xstat", "__lxstat", "__fxstat", "__fxstatat"];
    let small = name.strip_suffix("64").unwrap_or(name);
    is_timed(name) || STAT.contains(&small) || OLD_STAT.contains(&small)
}

/// glibc's names with a 64-bit `time_t`: `__clock_gettime64`, `__localtime64_r`, `__stat64_time64`.
fn is_time64(name: &str) -> bool {
    let Some(name) = name.strip_prefix("__").filter(|name| name.contains("64")) else { return false };
    let plain = name.replace("64", "");
    is_timed(&plain) || plain.strip_suffix("_time").is_some_and(is_timed)
}

#[cfg(test)]
mod tests {
    use super::{TIMED, is_time32, is_time64, shown, version};

    #[test]
    fn the_list_is_sorted_for_the_search() {
        assert!(TIMED.is_sorted());
    }

    #[test]
    fn the_two_widths_have_different_names() {
        for name in ["time", "clock_gettime", "stat64", "__xstat64", "__fxstat", "__lxstat64", "__fxstatat64", "ctime"] {
            assert!(is_time32(name) && !is_time64(name), "{name}");
        }
        for name in ["__time64", "__clock_gettime64", "__stat64_time64", "__fstatat64_time64", "__ctime64", "__localtime64_r"] {
            assert!(is_time64(name) && !is_time32(name), "{name}");
        }
        for name in ["printf", "ioctl", "timeline", "__stat_chk"] {
            assert!(!is_time32(name) && !is_time64(name), "{name}");
        }
    }

    #[test]
    fn releases_have_numbers() {
        assert_eq!(version("6.12.43+deb13-arm64"), Some((6, 12, 43)));
        assert_eq!(version("6.16-rc1"), Some((6, 16, 0)));
        assert_eq!(version("next"), None);
    }

    #[test]
    fn names_cannot_talk_to_the_terminal() {
        assert_eq!(shown(b"/a\x1b[31m\xff\xc3\xa4"), "/a\\u{1b}[31m\\xff\u{e4}");
        assert_eq!(shown("a\u{202e}cod.exe\n".as_bytes()), "a\\u{202e}cod.exe\\n");
    }
}
