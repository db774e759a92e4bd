//! Puts a program into memory as the kernel's `load_elf_binary` does for a compat task (`fs/binfmt_elf.c`,
//! `fs/compat_binfmt_elf.c`): segments, interpreter, stack, auxiliary vector.

pub(crate) mod elf32;
pub(crate) mod stack;

use crate::host;
use crate::mem::space::{PAGE, SPACE, TASK_SIZE};
use abi::Errno;
use core::ffi::CStr;
use core::fmt;
use core::sync::atomic::{AtomicU32, Ordering};

static HWCAP2: AtomicU32 = AtomicU32::new(0);

/// `AT_HWCAP2` of this process.
pub(crate) fn hwcap2() -> u32 {
    HWCAP2.load(Ordering::Relaxed)
}

/// What is needed from this process's own auxiliary vector, getauxval(3).
#[derive(Clone, Copy, Debug, Default)]
pub struct HostAuxv {
    /// `AT_HWCAP`.
    pub hwcap: u32,
    /// `AT_HWCAP2`.
    pub hwcap2: u32,
    /// `AT_CLKTCK`.
    pub clock_ticks: u32,
    /// `AT_MINSIGSTKSZ`.
    pub minimum_signal_stack: u32,
    /// `AT_SYSINFO_EHDR`: where the 64-bit vDSO is.
    pub vdso: u64,
    /// `AT_SECURE`.
    pub secure: bool,
    /// [`AT_FLAGS_TRACED`] is in `AT_FLAGS`.
    pub traced: bool,
}

/// A guest that traces this process sets this bit in `AT_FLAGS` of the auxiliary vector, for it to stop when its program begins. The
/// kernel does not use it (linux/binfmts.h).
pub const AT_FLAGS_TRACED: u32 = 1 << 30;

/// What to run. Everything is already opened and looked at: failures from here on are those of the kernel.
pub struct Program<'a> {
    /// The program, open for reading.
    pub fd: i32,
    /// Its interpreter, open for reading, where it has one.
    pub interpreter: Option<i32>,
    /// `AT_EXECFN`: the name it was executed by.
    pub execfn: &'a CStr,
    /// Where it is: what `/proc/self/exe` shows. Absolute.
    pub exe: &'a CStr,
    /// A further descriptor of it, to be kept open, where that path does not lead to it.
    pub exe_file: Option<i32>,
    /// Arguments.
    pub argv: &'a [&'a CStr],
    /// Environment.
    pub envp: &'a [&'a CStr],
    /// Of this process.
    pub auxv: HostAuxv,
}

/// Why a program could not be loaded.
#[derive(Clone, Copy, Debug)]
pub enum LoadError {
    /// It is not an i386 ELF program that can be loaded; what is wrong with it.
    Malformed(&'static str),
    /// Something else is where its segments must go, or the kernel lets nothing be there.
    AddressTaken {
        /// The first address.
        start: u32,
        /// How many bytes.
        length: u32,
    },
    /// The kernel's errno, and during what.
    Host(Errno, &'static str),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(what) => f.write_str(what),
            Self::AddressTaken { start, length } => {
                write!(f, "its addresses {start:#x} to {:#x} are not free", u64::from(*start) + u64::from(*length))
            }
            Self::Host(errno, during) => write!(f, "{during}: {errno}"),
        }
    }
}

impl core::error::Error for LoadError {}

/// Registers to start with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Start {
    pub(crate) eip: u32,
    pub(crate) esp: u32,
}

const ADDR_NO_RANDOMIZE: u32 = 0x0004_0000;
const ADDR_LIMIT_3GB: u32 = 0x0800_0000;
const READ_IMPLIES_EXEC: u32 = 0x0040_0000;

fn random(bits: u32) -> u32 {
    let mut bytes = [0; 4];
    // SAFETY: the bytes outlive the call. Without randomness the program runs at the fixed addresses.
    let _ = unsafe { host::call(host::nr::GETRANDOM, [host::addr_mut(&mut bytes), 4, 0]) };
    u32::from_le_bytes(bytes) & ((1 << bits) - 1)
}

/// personality(2); 0 where whoever confines this process does not let it be asked for.
pub(crate) fn personality(value: u32) -> u32 {
    // SAFETY: no memory is touched.
    host::low(unsafe { host::call(host::nr::PERSONALITY, [u64::from(value)]) }.unwrap_or(0))
}

/// The soft limit on the stack, in bytes.
fn stack_limit() -> u64 {
    const RLIMIT_STACK: u64 = 3;
    let mut limit = [0u64; 2];
    // SAFETY: the limit outlives the call.
    match unsafe { host::call(host::nr::PRLIMIT64, [0, RLIMIT_STACK, 0, host::addr_mut(&mut limit)]) } {
        Ok(_) => limit[0],
        Err(_) => 8 << 20,
    }
}

/// Chooses where stack and mappings begin (`mmap_base` and `arch_rnd` in `arch/x86/mm/mmap.c`, `randomize_stack_top`).
/// Returns the stack's top and whether addresses are randomised.
pub(crate) fn lay_out() -> (u32, bool) {
    const MIN_GAP: u64 = 128 << 20;
    const MAX_GAP: u64 = (TASK_SIZE as u64) / 6 * 5;
    const STACK_GUARD_GAP: u32 = 256 * PAGE;
    const STACK_MAX_RANDOM: u32 = 0x7ff * PAGE;
    /// `vm.mmap_rnd_compat_bits`.
    const MMAP_RANDOM_BITS: u32 = 8;
    let persona = personality(u32::MAX);
    let randomise = persona & ADDR_NO_RANDOMIZE == 0;
    let task_size = if persona & ADDR_LIMIT_3GB != 0 { 0xc000_0000 } else { TASK_SIZE };
    let mut floor = 65536;
    if let Some(minimum) = mmap_min_addr() {
        floor = minimum.max(PAGE);
    }
    let limit = stack_limit();
    let pad = STACK_GUARD_GAP + if randomise { STACK_MAX_RANDOM } else { 0 };
    let gap = limit.saturating_add(u64::from(pad)).clamp(MIN_GAP, MAX_GAP);
    let gap = u32::try_from(gap).unwrap_or(u32::MAX);
    let shift = if randomise { random(MMAP_RANDOM_BITS) * PAGE } else { 0 };
    let base = (task_size - gap - shift) & !(PAGE - 1);
    let stack_shift = if randomise { random(11) * PAGE } else { 0 };
    let top = task_size - stack_shift;
    let mut space = SPACE.lock();
    space.lay_out(floor, base);
    // What the stack may grow to stays free; where the limit is high, as much as the gap holds.
    let reserve = u32::try_from(limit).unwrap_or(u32::MAX).clamp(128 * 1024, gap - STACK_GUARD_GAP) & !(PAGE - 1);
    space.reserve(top - reserve, reserve);
    (top, randomise)
}

/// `vm.mmap_min_addr`, where `/proc` is there to say it.
fn mmap_min_addr() -> Option<u32> {
    const AT_FDCWD: i32 = -100;
    const O_CLOEXEC: u64 = 0o2_000_000;
    let name = c"/proc/sys/vm/mmap_min_addr";
    let mut text = [0u8; 16];
    // SAFETY: the name and the buffer outlive their calls.
    let got = unsafe {
        let fd = host::call(host::nr::OPENAT, [host::int(AT_FDCWD), host::addr(name.to_bytes_with_nul()), O_CLOEXEC, 0]).ok()?;
        let got = host::call(host::nr::READ, [fd, host::addr_mut(&mut text), text.len() as u64]);
        let _ = host::call(host::nr::CLOSE, [fd]);
        usize::try_from(got.ok()?).ok()?
    };
    text[..got]
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .try_fold(0u32, |value, &digit| value.checked_mul(10)?.checked_add(u32::from(digit - b'0')))
}

/// Loads the program.
///
/// # Errors
/// See [`LoadError`].
pub(crate) fn load(program: &Program<'_>, stack_top: u32, randomise: bool) -> Result<Start, LoadError> {
    /// `ELF_ET_DYN_BASE` of a compat task.
    const ET_DYN_BASE: u32 = 0x5655_5000;
    const RANDOM_BITS: u32 = 8;
    HWCAP2.store(program.auxv.hwcap2, Ordering::Relaxed);
    let main = elf32::read(program.fd)?;
    let bias = match (main.is_position_independent(), program.interpreter) {
        (false, _) => elf32::Place::Fixed,
        (true, Some(_)) => {
            let base = ET_DYN_BASE + if randomise { random(RANDOM_BITS) * PAGE } else { 0 };
            elf32::Place::At(base & !(main.alignment() - 1))
        }
        // Static and position-independent, or an interpreter that was called by name: like a library.
        (true, None) => elf32::Place::Anywhere(main.alignment()),
    };
    // i386 without PT_GNU_STACK is from before data could be kept from being executed (`elf_read_implies_exec`).
    if main.read_implies_exec() {
        personality(personality(u32::MAX) | READ_IMPLIES_EXEC);
    }
    let image = elf32::map(program.fd, &main, bias)?;
    let (entry, interpreter_base) = match program.interpreter {
        Some(fd) => {
            let interpreter = elf32::read(fd)?;
            let place = if interpreter.is_position_independent() { elf32::Place::Anywhere(PAGE) } else { elf32::Place::Fixed };
            let loaded = elf32::map(fd, &interpreter, place)?;
            (loaded.entry, loaded.bias)
        }
        None => (image.entry, 0),
    };
    // The heap begins after the program, or after ET_DYN_BASE where the program is like a library.
    let heap = if matches!(bias, elf32::Place::Anywhere(_)) { ET_DYN_BASE } else { image.end };
    let heap = heap.checked_next_multiple_of(PAGE).ok_or(LoadError::Malformed("it ends beyond the address space"))?;
    let shift = if randomise { random(13) * PAGE } else { 0 };
    SPACE.lock().start_brk(heap.saturating_add(shift));
    let executable = main.stack_is_executable();
    let esp = stack::build(program, &image, interpreter_base, stack_top, executable, randomise)?;
    Ok(Start { eip: entry, esp })
}
