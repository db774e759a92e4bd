//! `biarch run` on x86-64: becomes the program.

mod program;
mod refusal;

use super::{CANNOT_EXECUTE, EntryArgument, Failure, NOT_FOUND, OWN_FAILURE, Run, VdsoArgument};
use anyhow::{Context, Result};
use clap::ValueEnum;
use std::ffi::{CStr, CString, OsStr, c_char};
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

impl From<EntryArgument> for run::Entry {
    fn from(argument: EntryArgument) -> Self {
        match argument {
            EntryArgument::Stub => Self::Stub,
            EntryArgument::Patched => Self::Patched,
            EntryArgument::Trap => Self::Trap,
            EntryArgument::Kernel => Self::Kernel,
        }
    }
}

impl From<VdsoArgument> for run::Vdso {
    fn from(argument: VdsoArgument) -> Self {
        match argument {
            VdsoArgument::Kernel => Self::Kernel,
            VdsoArgument::Own => Self::Own,
            VdsoArgument::None => Self::None,
        }
    }
}

impl Run {
    pub(super) fn start(self) -> Result<std::convert::Infallible, Failure> {
        let trace = self.tracing()?;
        if matches!((self.entry, self.vdso), (EntryArgument::Kernel, Some(VdsoArgument::Own))) {
            return Err(own(anyhow::anyhow!(
                "--entry kernel leaves signals to the kernel, whose handlers return through its own vDSO: not with --vdso own"
            )));
        }
        let log = log()?;
        if let Some(directory) = &self.chroot {
            enter_root(directory)?;
        }
        if let Some(directory) = &self.sysroot {
            let found = directory
                .canonicalize()
                .with_context(|| format!("cannot use {} as --sysroot", directory.display()))
                .map_err(own)?;
            set_sysroot(&c_string(found.as_os_str())?)?;
        }
        let (name, arguments) = self.program();
        let mut found = program::resolve(name)?;
        let mut argv = std::mem::take(&mut found.before);
        if argv.is_empty() {
            argv.push(c_string(name)?);
        }
        for argument in arguments {
            argv.push(c_string(argument)?);
        }
        let execfn = c_string(found.path.as_os_str())?;
        start(
            found.fd,
            &execfn,
            &argv,
            &run::Options { entry: self.entry.into(), vdso: self.vdso.map(Into::into), trace, log, seccomp: None },
        )
    }

    /// What is to be traced, with the output open.
    fn tracing(&self) -> Result<Option<run::trace::Config<'_>>, Failure> {
        if self.trace.is_none() && !self.trace_summary {
            return Ok(None);
        }
        if matches!(self.entry, EntryArgument::Kernel) {
            return Err(own(anyhow::anyhow!(
                "--entry kernel leaves system calls to the kernel, so biarch cannot trace them: use strace"
            )));
        }
        let filter = self.trace.as_deref().unwrap_or("all");
        if let Err(item) = run::trace::Filter::parse(filter) {
            let hint = "`biarch list syscalls` shows areas and names";
            return Err(own(anyhow::anyhow!("--trace: {item:?} is no area, class or name of a system call: {hint}")));
        }
        let output = match &self.output {
            Some(path) => keep(open_for_appending(path, true)?.as_raw_fd())?,
            None => keep(libc::STDERR_FILENO)?,
        };
        let (lines, summary, json) = (self.trace.is_some(), self.trace_summary, self.json);
        Ok(Some(run::trace::Config { filter, lines, summary, json, output, table: None }))
    }
}

/// A copy of `fd` that the guest does not see.
fn keep(fd: RawFd) -> Result<RawFd, Failure> {
    run::hidden::keep(fd).map_err(|errno| own(anyhow::anyhow!("cannot keep a descriptor for messages: {errno}")))
}

/// Every writer appends, so that children do not overwrite each other's lines.
fn open_for_appending(path: &Path, anew: bool) -> Result<std::fs::File, Failure> {
    if anew {
        std::fs::File::create(path).with_context(|| format!("cannot write {}", path.display())).map_err(own)?;
    }
    let file = std::fs::OpenOptions::new().append(true).create(true).open(path);
    file.with_context(|| format!("cannot write {}", path.display())).map_err(own)
}

/// Where `BIARCH_LOG` wants what the program asks for in vain to be recorded.
fn log() -> Result<Option<RawFd>, Failure> {
    match std::env::var_os("BIARCH_LOG") {
        None => Ok(None),
        Some(value) if value.is_empty() || value == "0" => Ok(None),
        Some(value) if value == "1" => keep(libc::STDERR_FILENO).map(Some),
        Some(path) => keep(open_for_appending(Path::new(&path), false)?.as_raw_fd()).map(Some),
    }
}

fn set_sysroot(directory: &CStr) -> Result<(), Failure> {
    let set = run::path::set_sysroot(directory);
    set.map_err(|errno| own(anyhow::anyhow!("cannot use {} as --sysroot: {errno}", directory.to_string_lossy())))
}

/// Makes `directory` the root. biarch itself is held open: its path leads nowhere there, and children need it.
fn enter_root(directory: &Path) -> Result<(), Failure> {
    let held = std::fs::OpenOptions::new().read(true).custom_flags(libc::O_PATH).open("/proc/self/exe");
    let held = held.context("cannot open /proc/self/exe: is /proc mounted?").map_err(own)?;
    run::reexec::hold_self(hold(held.as_raw_fd()).context("cannot keep a descriptor of biarch itself").map_err(own)?);
    let change = || std::os::unix::fs::chroot(directory).and_then(|()| std::env::set_current_dir("/"));
    change().with_context(|| format!("cannot make {} the root directory", directory.display())).map_err(own)
}

/// Whether `path` is the file that is open as `fd`: not where that was deleted, or never had a name. Where `/proc` is not there to
/// tell, the path is all there is.
fn leads_to(path: &Path, fd: RawFd) -> bool {
    let Ok(open) = std::fs::metadata(format!("/proc/self/fd/{fd}")) else { return true };
    std::fs::metadata(path).is_ok_and(|there| there.dev() == open.dev() && there.ino() == open.ino())
}

/// Duplicates a descriptor of our own to where programs do not look.
fn hold(fd: RawFd) -> std::io::Result<RawFd> {
    // SAFETY: a new descriptor for an open file touches nothing else.
    let high = unsafe { libc::fcntl(fd, libc::F_DUPFD_CLOEXEC, HELD_FROM) };
    if high < 0 { Err(std::io::Error::last_os_error()) } else { Ok(high) }
}

/// A descriptor that is held for biarch itself is at least this: above what programs use, below the usual limit of 1024.
const HELD_FROM: RawFd = 1000;

fn own(error: anyhow::Error) -> Failure {
    Failure { status: OWN_FAILURE, error }
}

fn c_string(text: &OsStr) -> Result<CString, Failure> {
    CString::new(text.as_bytes()).context("an argument contains a NUL byte").map_err(own)
}

/// Loads and enters the program that is open as `fd`.
fn start(fd: RawFd, execfn: &CStr, argv: &[CString], options: &run::Options<'_>) -> Result<std::convert::Infallible, Failure> {
    let exe =
        std::fs::read_link(format!("/proc/self/fd/{fd}")).unwrap_or_else(|_| PathBuf::from(OsStr::from_bytes(execfn.to_bytes())));
    let exe_file = if leads_to(&exe, fd) { None } else { hold(fd).ok() };
    let exe = c_string(exe.as_os_str())?;
    let path = Path::new(OsStr::from_bytes(execfn.to_bytes()));
    let interpreter = interpreter(fd, path)?;
    let environment = environment();
    let argv: Vec<&CStr> = argv.iter().map(CString::as_c_str).collect();
    let envp: Vec<&CStr> = environment.iter().map(CString::as_c_str).collect();
    let program = run::Program {
        fd,
        interpreter,
        execfn,
        exe: &exe,
        exe_file,
        argv: &argv,
        envp: &envp,
        auxv: AUXV.get().copied().unwrap_or_default(),
    };
    let error = run::start(&program, options);
    Err(refusal::start(path, error))
}

fn environment() -> Vec<CString> {
    std::env::vars_os().filter_map(|(name, value)| CString::new([name.into_vec(), value.into_vec()].join(&b'=')).ok()).collect()
}

fn interpreter(fd: RawFd, path: &Path) -> Result<Option<RawFd>, Failure> {
    let mut name = [0; 4096];
    run::open_interpreter(fd, &mut name).map_err(|error| {
        let name = CStr::from_bytes_until_nul(&name).unwrap_or_default().to_string_lossy();
        refusal::interpreter(path, &name, error)
    })
}

/// The kernel's auxiliary vector for this process. getauxval(3) is no use: the C library puts its own ideas into `AT_HWCAP`.
static AUXV: OnceLock<run::HostAuxv> = OnceLock::new();

/// Takes from the auxiliary vector what the guest's needs.
///
/// # Safety
/// `environment` must be the environment that the kernel has put on the stack: the auxiliary vector follows it.
pub(crate) unsafe fn note_auxv(environment: *const *const c_char) {
    let mut auxv = run::HostAuxv::default();
    let mut at = environment;
    // SAFETY: both arrays end with a null word, and AT_EXECFN is a string on the same stack.
    unsafe {
        while !(*at).is_null() {
            at = at.add(1);
        }
        let mut entry: *const [libc::c_ulong; 2] = at.add(1).cast();
        let (mut fd, mut keeps_argv0, mut execfn) = (None, false, std::ptr::null::<c_char>());
        while (*entry)[0] != libc::AT_NULL {
            let whole = (*entry)[1];
            let value = u32::try_from(whole & 0xffff_ffff).unwrap_or(0);
            match (*entry)[0] {
                libc::AT_EXECFD => fd = i32::try_from(value).ok(),
                libc::AT_FLAGS => {
                    keeps_argv0 = value & AT_FLAGS_PRESERVE_ARGV0 != 0;
                    auxv.traced = value & run::AT_FLAGS_TRACED != 0;
                }
                libc::AT_EXECFN => execfn = std::ptr::with_exposed_provenance(usize::try_from(whole).unwrap_or(0)),
                libc::AT_SYSINFO_EHDR => auxv.vdso = whole,
                libc::AT_MINSIGSTKSZ => auxv.minimum_signal_stack = value,
                libc::AT_HWCAP => auxv.hwcap = value,
                libc::AT_HWCAP2 => auxv.hwcap2 = value,
                libc::AT_CLKTCK => auxv.clock_ticks = value,
                libc::AT_SECURE => auxv.secure = value != 0,
                _ => {}
            }
            entry = entry.add(1);
        }
        if let Some(fd) = fd.filter(|_| !execfn.is_null()) {
            let _ = GIVEN.set(Given { fd, keeps_argv0, execfn: CStr::from_ptr(execfn).to_owned() });
        }
    }
    let _ = AUXV.set(auxv);
}

/// A program that the kernel gives to biarch, because binfmt_misc has an entry that says so: `load_misc_binary` in `fs/binfmt_misc.c`.
pub(crate) struct Given {
    /// `AT_EXECFD`: the program. Only the kernel says that, and only to whom binfmt_misc gives an open program (flag `O`).
    fd: RawFd,
    /// In `AT_FLAGS`, since Linux 5.12: biarch's name and the program's are followed by the program's own `argv[0]` (flag `P`).
    keeps_argv0: bool,
    /// `AT_EXECFN`: what was executed; of a script, its name.
    execfn: CString,
}

/// `AT_FLAGS_PRESERVE_ARGV0` of `linux/binfmts.h`.
const AT_FLAGS_PRESERVE_ARGV0: u32 = 1;

/// The program that the kernel gives.
static GIVEN: OnceLock<Given> = OnceLock::new();

/// The program that the kernel gives to this biarch, if that is why it was executed.
pub(crate) fn given() -> Option<&'static Given> {
    GIVEN.get()
}

impl Given {
    /// Becomes the program, or says why not. The result is the exit status.
    pub(crate) fn run(&self, arguments: std::env::ArgsOs) -> u8 {
        let failure = match self.start(arguments) {
            Ok(never) => match never {},
            Err(failure) => failure,
        };
        ui::exit::failure(failure.error.as_ref(), failure.status)
    }

    fn start(&self, arguments: std::env::ArgsOs) -> Result<std::convert::Infallible, Failure> {
        let before = if self.keeps_argv0 { 2 } else { 1 };
        let argv = arguments.skip(before).map(|argument| c_string(&argument)).collect::<Result<Vec<_>, _>>()?;
        // A program with more rights than whoever starts it does not open files for them.
        let log = if AUXV.get().is_some_and(|auxv| auxv.secure) { None } else { log()? };
        run::reexec::kernel_gives_programs();
        let options = run::Options { entry: run::Entry::Patched, vdso: None, trace: None, log, seccomp: None };
        start(self.fd, &self.execfn, &argv, &options)
    }
}

/// What a biarch that was executed by a guest does: see `run::reexec`.
pub(crate) fn reexecuted(mut arguments: std::env::ArgsOs) -> u8 {
    let failure = match start_reexecuted(&mut arguments) {
        Ok(never) => match never {},
        Err(failure) => failure,
    };
    let status = ui::exit::failure(failure.error.as_ref(), failure.status);
    if status == CANNOT_EXECUTE {
        // execve(2) has succeeded, as far as the guest knows; the kernel ends a program that fails after that by SIGSEGV.
        // SAFETY: the process ends here, or goes on to end with the status.
        unsafe {
            libc::signal(libc::SIGSEGV, libc::SIG_DFL);
            libc::raise(libc::SIGSEGV);
        }
    }
    status
}

fn start_reexecuted(arguments: &mut std::env::ArgsOs) -> Result<std::convert::Infallible, Failure> {
    let missing = || own(anyhow::anyhow!("{} is for biarch's own use", String::from_utf8_lossy(run::reexec::NAME)));
    let options = arguments.nth(1).ok_or_else(missing)?;
    set_sysroot(&c_string(&arguments.next().ok_or_else(missing)?)?)?;
    let execfn = c_string(&arguments.next().ok_or_else(missing)?)?;
    let argv = arguments.map(|argument| c_string(&argument)).collect::<Result<Vec<_>, _>>()?;
    let mut fd = None;
    let mut entry = run::Entry::Patched;
    let mut vdso = None;
    let mut log = None;
    let mut seccomp = None;
    let (mut dirfd, mut temporary, mut flags) = (None, false, 0);
    let mut trace: Option<run::trace::Config<'_>> = None;
    let number = |value: &str| value.parse::<RawFd>().map_err(|_| missing());
    let options = options.to_string_lossy();
    for option in options.split(' ') {
        match option.split_once('=') {
            Some(("fd", value)) => fd = value.parse().ok(),
            Some(("self", value)) => run::reexec::hold_self(value.parse().unwrap_or(-1)),
            Some(("log", value)) => log = Some(number(value)?).filter(|fd| *fd >= 0),
            Some(("seccomp", value)) => seccomp = Some(number(value)?),
            Some((name @ ("dirfd" | "temporary"), value)) => (dirfd, temporary) = (Some(number(value)?), name == "temporary"),
            Some(("flags", value)) => flags = value.parse().map_err(|_| missing())?,
            Some(("trace", filter)) => {
                trace = Some(run::trace::Config { filter, lines: false, summary: false, json: false, output: -1, table: None });
            }
            Some((name @ ("tracemode" | "traceto" | "tracetable"), value)) => {
                let (trace, value) = (trace.as_mut().ok_or_else(missing)?, number(value)?);
                match name {
                    "tracemode" => {
                        (trace.lines, trace.summary, trace.json) = run::trace::mode_of(u8::try_from(value).unwrap_or(0))
                    }
                    "traceto" => trace.output = value,
                    _ => trace.table = Some(value),
                }
            }
            Some(("entry", value)) => entry = EntryArgument::from_str(value, false).map_err(|_| missing())?.into(),
            Some(("vdso", value)) => vdso = Some(VdsoArgument::from_str(value, false).map_err(|_| missing())?.into()),
            _ => return Err(missing()),
        }
    }
    if let Some(dirfd) = dirfd {
        return Err(execute_filtered(seccomp.ok_or_else(missing)?, (dirfd, temporary), flags, &execfn, &argv));
    }
    start(fd.ok_or_else(missing)?, &execfn, &argv, &run::Options { entry, vdso, trace, log, seccomp })
}

/// Executes a 64-bit program for a guest with filters of system calls; returns why it cannot be.
fn execute_filtered(seccomp: RawFd, directory: (RawFd, bool), flags: u32, name: &CStr, argv: &[CString]) -> Failure {
    let (dirfd, temporary) = directory;
    let environment = environment();
    let argv: Vec<&CStr> = argv.iter().map(CString::as_c_str).collect();
    let envp: Vec<&CStr> = environment.iter().map(CString::as_c_str).collect();
    let program = run::seccomp::Filtered { seccomp, dirfd, temporary, flags, name, argv: &argv, envp: &envp };
    let errno = run::seccomp::execute_filtered(&program);
    let error = anyhow::anyhow!(
        "cannot execute {} with the filters of system calls of the program before it: {errno}",
        name.to_string_lossy()
    );
    Failure { status: CANNOT_EXECUTE, error }
}
