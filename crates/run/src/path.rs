//! Where the guest's paths lead: `--sysroot`, and `/proc/PID/exe`.
//!
//! With a sysroot, an absolute path that is only looked at (open for reading, stat, access, readlink, execve) leads below it where it
//! exists there, and where it says otherwise; whatever writes, and whatever is under `/proc`, `/sys` and `/dev`, is the machine's own.
//! The result is a path again, with every symbolic link followed as if the sysroot were the root directory, so that it can be given to
//! any system call, needs neither `/proc` nor `openat2`, and no descriptor comes and goes among the guest's. A symbolic link that is
//! exchanged meanwhile can lead outside, which is no matter: a sysroot says where things are and confines nobody.

use crate::host;
use crate::mem;
use crate::process_view::{self, PATH_MAX};
use crate::thread::Thread;
use abi::scalar::Signed as _;
use abi::{Errno, GuestPtr};
use core::ffi::CStr;
use core::sync::atomic::{AtomicBool, Ordering};

const AT_FDCWD: i32 = -100;

/// Whether there is a sysroot. Set once, before the guest starts, after the text.
static HAS_SYSROOT: AtomicBool = AtomicBool::new(false);
/// The sysroot, absolute, without a `/` at its end, with a NUL.
static SYSROOT: crate::sync::Lock<[u8; PATH_MAX]> = crate::sync::Lock::new([0; PATH_MAX]);

/// Where a process's own things are, which no sysroot has.
const KERNELS: [&[u8]; 3] = [b"/proc", b"/sys", b"/dev"];

/// Directories in which Debian and its descendants keep the interpreters that programs look for in `/lib`.
const MULTIARCH: [&[u8]; 2] = [b"/usr/lib/i386-linux-gnu", b"/lib/i386-linux-gnu"];

/// Makes `directory` the sysroot, also of the programs that the guest executes. It must be an absolute path without symbolic links;
/// `/` is none. To be called before the guest starts.
///
/// # Errors
/// `ENAMETOOLONG`.
pub fn set_sysroot(directory: &CStr) -> Result<(), Errno> {
    let bytes = directory.to_bytes();
    let length = bytes.iter().rposition(|&byte| byte != b'/').map_or(0, |last| last + 1);
    if length == 0 {
        return Ok(());
    }
    SYSROOT.lock().get_mut(..length).filter(|_| length < PATH_MAX).ok_or(Errno::ENAMETOOLONG)?.copy_from_slice(&bytes[..length]);
    HAS_SYSROOT.store(true, Ordering::Release);
    Ok(())
}

/// The sysroot.
pub(crate) fn sysroot() -> Option<&'static CStr> {
    if !HAS_SYSROOT.load(Ordering::Acquire) {
        return None;
    }
    // SAFETY: the text is written once, before the flag is set and before the guest starts.
    let bytes = unsafe { SYSROOT.peek(|bytes| &*bytes) };
    CStr::from_bytes_until_nul(bytes).ok()
}

/// What becomes of a symbolic link at the end of a path.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Last {
    /// It is followed.
    Follow,
    /// It is what is meant.
    Keep,
}

impl Last {
    /// For a call with `AT_SYMLINK_NOFOLLOW`, or a flag like it.
    pub(crate) fn keep_if(nofollow: bool) -> Self {
        if nofollow { Self::Keep } else { Self::Follow }
    }
}

/// A path that is being put together, with room for a NUL.
struct Text<'a> {
    bytes: &'a mut [u8],
    length: usize,
}

impl Text<'_> {
    fn push(&mut self, component: &[u8]) -> Option<()> {
        let start = self.length + 1;
        let end = start + component.len();
        // One byte more is for the NUL.
        self.bytes.get(end)?;
        self.bytes[self.length] = b'/';
        self.bytes[start..end].copy_from_slice(component);
        self.length = end;
        Some(())
    }
    /// Drops the last component, but nothing of the first `floor` bytes.
    fn pop(&mut self, floor: usize) {
        let above = &self.bytes[floor..self.length];
        self.length = floor + above.iter().rposition(|&byte| byte == b'/').unwrap_or(0);
    }
    fn terminate(&mut self) -> &[u8] {
        self.bytes[self.length] = 0;
        &self.bytes[..=self.length]
    }
}

/// What is at a path.
enum Entry {
    /// A symbolic link, with the length of its text.
    Link(usize),
    /// Anything else.
    Other,
}

/// Looks whether there is something at `path`, which ends with a NUL, and reads it if it is a symbolic link.
fn look(path: &[u8], link: &mut [u8; PATH_MAX]) -> Option<Entry> {
    // SAFETY: the path ends with a NUL, and the kernel writes into `link`.
    let result = unsafe {
        host::call(host::nr::READLINKAT, [host::int(AT_FDCWD), host::addr(path), host::addr_mut(link), PATH_MAX as u64])
    };
    match result {
        Ok(length) => usize::try_from(length).ok().filter(|&length| length < PATH_MAX).map(Entry::Link),
        Err(Errno::EINVAL) => Some(Entry::Other),
        Err(_) => None,
    }
}

/// Where the absolute path `name`, without a NUL, leads in `root`; `None` if there is no such thing. The result ends with a NUL.
fn resolve<'a>(root: &[u8], name: &[u8], last: Last, out: &'a mut [u8; PATH_MAX]) -> Option<&'a [u8]> {
    /// `MAXSYMLINKS`
    const MAX_LINKS: u32 = 40;
    let mut rest = [0; PATH_MAX];
    let mut link = [0; PATH_MAX];
    // What is still to be walked is at the end of `rest`, so that a link's text can be put before it.
    let mut from = PATH_MAX.checked_sub(name.len())?;
    rest[from..].copy_from_slice(name);
    let mut links = 0;
    out.get_mut(..root.len())?.copy_from_slice(root);
    let mut text = Text { bytes: out, length: root.len() };
    let slash_at_end = name.ends_with(b"/");
    loop {
        from += rest[from..].iter().take_while(|&&byte| byte == b'/').count();
        if from == PATH_MAX {
            break;
        }
        let component = &rest[from..];
        let component = &component[..component.iter().position(|&byte| byte == b'/').unwrap_or(component.len())];
        let after = from + component.len();
        match component {
            b"." => {}
            b".." => text.pop(root.len()),
            component => {
                text.push(component)?;
                let is_last = after == PATH_MAX;
                match look(text.terminate(), &mut link)? {
                    Entry::Link(length) if !is_last || last == Last::Follow => {
                        links += 1;
                        if links > MAX_LINKS || length == 0 {
                            return None;
                        }
                        if link[0] == b'/' {
                            text.length = root.len();
                        } else {
                            text.pop(root.len());
                        }
                        // The `/` after the component stays, if there is one.
                        from = after.checked_sub(length)?;
                        rest[from..after].copy_from_slice(&link[..length]);
                        continue;
                    }
                    Entry::Link(_) | Entry::Other => {}
                }
            }
        }
        from = after;
    }
    if slash_at_end && text.length > root.len() {
        text.push(b"")?;
    }
    let end = text.length;
    text.terminate();
    // The root itself, and what was left of a `..`, have not been looked at.
    look(&out[..=end], &mut link)?;
    Some(&out[..=end])
}

/// Where `name`, absolute and without a NUL, leads in the sysroot, if there is one and it has it.
fn in_sysroot<'a>(name: &[u8], last: Last, out: &'a mut [u8; PATH_MAX]) -> Option<&'a [u8]> {
    let root = sysroot()?;
    let kernels = |directory: &&[u8]| name.strip_prefix(*directory).is_some_and(|rest| rest.is_empty() || rest[0] == b'/');
    if name.first() != Some(&b'/') || KERNELS.iter().any(kernels) {
        return None;
    }
    resolve(root.to_bytes(), name, last, out)
}

/// Whether `name`, without a NUL, is this process's or this thread's `exe` in `/proc`.
pub(crate) fn is_own_exe(name: &[u8], thread: &Thread) -> bool {
    is_own(name, b"/exe", thread)
}

/// Whether `name`, without a NUL, is this process's or this thread's `file` in `/proc`.
fn is_own(name: &[u8], file: &[u8], thread: &Thread) -> bool {
    let Some(rest) = name.strip_prefix(b"/proc/").and_then(|name| name.strip_suffix(file)) else { return false };
    let is = |text: &[u8], number: u32| {
        let decimal = crate::text::Text::<16>::of(format_args!("{number}"));
        text == decimal.bytes()
    };
    let mut parts = rest.split(|&byte| byte == b'/');
    let process = match parts.next() {
        Some(b"self" | b"thread-self") => true,
        Some(text) => is(text, thread.pid) || is(text, thread.tid),
        None => false,
    };
    let task = match (parts.next(), parts.next()) {
        (None, _) => true,
        // Every thread's is the same; a thread that is not there has no business here.
        (Some(b"task"), Some(text)) => is(text, thread.tid) || is(text, thread.pid),
        _ => false,
    };
    process && task && parts.next().is_none()
}

/// The process whose `file` in `/proc` is `name`, without a NUL: its number, or that of one of its threads.
fn process_of(name: &[u8], file: &[u8]) -> Option<u32> {
    let rest = name.strip_prefix(b"/proc/")?.strip_suffix(file)?;
    core::str::from_utf8(rest).ok()?.parse().ok()
}

/// Where `name`, with its NUL, leads if that is not where it says. `Last::Keep` leaves the link `/proc/self/exe` what it is.
pub(crate) fn elsewhere<'a>(name: &[u8], last: Last, thread: &Thread, out: &'a mut [u8; PATH_MAX]) -> Option<&'a [u8]> {
    let bare = &name[..name.len().saturating_sub(1)];
    if bare.starts_with(b"/proc/") {
        if last == Last::Keep {
            return None;
        }
        if !is_own_exe(bare, thread) {
            let length = process_view::exe_of(process_of(bare, b"/exe")?, out)?;
            return out.get(..length);
        }
        if let Some(fd) = process_view::exe_file() {
            let mut link = crate::reexec::fd_path(fd);
            let link = link.with_nul();
            out[..link.len()].copy_from_slice(link);
            return Some(&out[..link.len()]);
        }
        return process_view::with_exe(|exe| {
            let exe = exe.to_bytes_with_nul();
            out.get_mut(..exe.len())?.copy_from_slice(exe);
            Some(&out[..exe.len()])
        });
    }
    in_sysroot(bare, last, out)
}

/// Of which process `/proc/PID/maps` is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum MapsOf {
    /// This one.
    Own,
    /// Another guest of this very biarch.
    Guest,
}

/// A file's name as the host's kernel is to see it.
pub(crate) struct PathArg {
    address: u64,
    /// Whether `address` is of a mapping of our own. A buffer in here would have to be copied around by calls that never use it.
    mapped: bool,
    maps: Option<MapsOf>,
}

impl PathArg {
    /// A copy of `name`, which ends with a NUL.
    fn of(name: &[u8]) -> Result<Self, Errno> {
        const READ_WRITE: u64 = 3;
        const PRIVATE_ANONYMOUS: u64 = 0x22;
        let name = name.get(..PATH_MAX).unwrap_or(name);
        // SAFETY: a new mapping at an address of the kernel's choosing, at least as long as the name.
        unsafe {
            let address = host::call(host::nr::MMAP, [0, PATH_MAX as u64, READ_WRITE, PRIVATE_ANONYMOUS, u64::MAX, 0])?;
            let at = usize::try_from(address).map_err(|_| Errno::ENOMEM)?;
            core::ptr::with_exposed_provenance_mut::<u8>(at).copy_from_nonoverlapping(name.as_ptr(), name.len());
            Ok(Self { address, mapped: true, maps: None })
        }
    }
    /// Where the name is, as a system call argument. For as long as this value lives.
    pub(crate) fn host_address(&self) -> u64 {
        self.address
    }

    /// Whether it is `/proc/PID/maps` of a guest.
    pub(crate) fn maps(&self) -> Option<MapsOf> {
        self.maps
    }
}

impl Drop for PathArg {
    fn drop(&mut self) {
        if self.mapped {
            // SAFETY: the mapping is this value's own.
            let _ = unsafe { host::call(host::nr::MUNMAP, [self.address, PATH_MAX as u64]) };
        }
    }
}

/// The name at the guest's `pointer` as it is, for the host's kernel, which copies it itself and finds what is wrong with it.
pub(crate) fn as_it_is(pointer: GuestPtr<u8>) -> PathArg {
    PathArg { address: u64::from(pointer.address()), mapped: false, maps: None }
}

/// The name at the guest's `pointer`, of something that the call only looks at.
///
/// # Errors
/// `ENOMEM`.
#[inline]
pub(crate) fn to_read(thread: &Thread, pointer: GuestPtr<u8>, last: Last) -> Result<PathArg, Errno> {
    const PROC: &[u8; 6] = b"/proc/";
    let mut start = [0; PROC.len()];
    let had = mem::access::read_partial(pointer.address(), &mut start);
    if had == 0 || start[0] != b'/' || (&start != PROC && !HAS_SYSROOT.load(Ordering::Relaxed)) {
        return Ok(as_it_is(pointer));
    }
    redirect(thread, pointer, last)
}

#[cold]
fn redirect(thread: &Thread, pointer: GuestPtr<u8>, last: Last) -> Result<PathArg, Errno> {
    let mut name = [0; PATH_MAX];
    let mut out = [0; PATH_MAX];
    // Whatever is wrong with the name, the kernel says so.
    let Ok(name) = mem::read_cstr(pointer, &mut name) else { return Ok(as_it_is(pointer)) };
    if let Some(name) = elsewhere(name, last, thread, &mut out) {
        return PathArg::of(name);
    }
    let bare = &name[..name.len().saturating_sub(1)];
    let maps = if is_own(bare, b"/maps", thread) {
        Some(MapsOf::Own)
    } else {
        process_of(bare, b"/maps").filter(|&pid| crate::sys::ptrace::is_biarch(pid)).map(|_| MapsOf::Guest)
    };
    Ok(PathArg { maps, ..as_it_is(pointer) })
}

/// What readlink(2) of the guest's `pointer` gives where that is the `exe` in `/proc` of this process, or of another guest: how many bytes were written.
pub(crate) fn read_exe_link(thread: &Thread, pointer: GuestPtr<u8>, buf: GuestPtr<u8>, size: u32) -> Option<Result<u32, Errno>> {
    /// Longer than the longest of the forms with numbers in them.
    const LONGEST: usize = 64;
    let mut name = [0; LONGEST];
    if mem::access::read_partial(pointer.address(), &mut name[..6]) != 6 || &name[..6] != b"/proc/" {
        return None;
    }
    let name = mem::read_cstr(pointer, &mut name).ok()?;
    let give = |exe: &CStr| {
        if size.signed() <= 0 {
            return Err(Errno::EINVAL);
        }
        let exe = exe.to_bytes();
        let length = exe.len().min(usize::try_from(size).unwrap_or(usize::MAX));
        mem::write_bytes(buf, &exe[..length])?;
        Ok(u32::try_from(length).unwrap_or(0))
    };
    let bare = &name[..name.len() - 1];
    if is_own_exe(bare, thread) {
        return Some(process_view::with_exe(give));
    }
    let mut out = [0; PATH_MAX];
    process_view::exe_of(process_of(bare, b"/exe")?, &mut out)?;
    CStr::from_bytes_until_nul(&out).ok().map(give)
}

/// Opens a program's interpreter, whose name ends with a NUL: in the sysroot if there is one and it has it, else where it says, else
/// among the libraries of Debian's i386 packages.
///
/// # Errors
/// The kernel's errno.
pub(crate) fn open_interpreter(name: &[u8]) -> Result<u64, Errno> {
    if name == b"\0" {
        // The working directory, to `getname_kernel`, and no directory can be executed.
        return Err(Errno::EACCES);
    }
    match open_executable(name) {
        Err(Errno::ENOENT) => {}
        result => return result,
    }
    let bare = &name[..name.len().saturating_sub(1)];
    let Some(file) = bare.rsplit(|&byte| byte == b'/').next().filter(|_| bare.first() == Some(&b'/')) else {
        return Err(Errno::ENOENT);
    };
    for directory in MULTIARCH {
        let mut bytes = [0; PATH_MAX];
        bytes[..directory.len()].copy_from_slice(directory);
        let mut text = Text { bytes: &mut bytes, length: directory.len() };
        if text.push(file).is_none() {
            break;
        }
        if let Ok(fd) = open_executable(text.terminate()) {
            return Ok(fd);
        }
    }
    Err(Errno::ENOENT)
}

fn open_executable(name: &[u8]) -> Result<u64, Errno> {
    let mut out = [0; PATH_MAX];
    let name = in_sysroot(&name[..name.len().saturating_sub(1)], Last::Follow, &mut out).unwrap_or(name);
    crate::sys::process::exec::open(AT_FDCWD, name, 0)
}

/// Opens a program, or the interpreter of a script, where a guest that executes it would find it. The status is that of execve(2).
///
/// # Errors
/// The kernel's errno; `EACCES` also for what is no regular file, or not executable.
pub fn open_program(name: &CStr) -> Result<i32, Errno> {
    open_executable(name.to_bytes_with_nul()).and_then(|fd| i32::try_from(fd).map_err(|_| Errno::EBADF))
}
