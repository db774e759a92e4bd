//! execve(2): a 32-bit program runs under a new biarch in this process, everything else is the kernel's business.
//!
//! The new biarch is told what to do by its arguments, in the form that [`crate::reexec`] describes; the guest's own arguments and
//! environment are passed on where they are, below 4 GiB.

use super::{release_robust_lists, take_back_robust_lists};
use crate::dispatch::SysResult;
use crate::host;
use crate::mem::{self, Buf};
use crate::path::{self, Last};
use crate::process_view::PATH_MAX;
use crate::reexec;
use crate::script::{DEPTH, HEAD, Kind, classify};
use crate::seccomp;
use crate::signal;
use crate::thread::Thread;
use abi::{Errno, GuestPtr};

const AT_FDCWD: i32 = -100;
const AT_SYMLINK_NOFOLLOW: u32 = 0x100;
const AT_EMPTY_PATH: u32 = 0x1000;
/// Only look whether it may be executed; Linux 6.14.
const AT_EXECVE_CHECK: u32 = 0x1_0000;

/// execve(2)
pub(crate) fn execve(thread: &mut Thread, path: GuestPtr<u8>, argv: GuestPtr<u8>, envp: GuestPtr<u8>) -> SysResult {
    execveat(thread, AT_FDCWD, path, argv, envp, 0)
}

/// execveat(2)
pub(crate) fn execveat(
    thread: &mut Thread,
    dirfd: i32,
    path: GuestPtr<u8>,
    argv: GuestPtr<u8>,
    envp: GuestPtr<u8>,
    flags: u32,
) -> SysResult {
    let mut name = [0; PATH_MAX];
    let name = mem::read_cstr(path, &mut name)?;
    if flags & !(AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH | AT_EXECVE_CHECK) != 0 {
        return Err(Errno::EINVAL);
    }
    let mut elsewhere = [0; PATH_MAX];
    let file = path::elsewhere(name, Last::keep_if(flags & AT_SYMLINK_NOFOLLOW != 0), thread, &mut elsewhere).unwrap_or(name);
    let (argv, envp) = match Strings::count(argv).and_then(|argv| Ok((argv, Strings::count(envp)?))) {
        Ok(both) => both,
        // The file is opened before the strings are looked at (`alloc_bprm` in fs/exec.c).
        Err(errno) => {
            close(open(dirfd, file, flags)?);
            return Err(errno);
        }
    };
    let request = Request { dirfd, name, file, flags, argv, envp };
    if flags & AT_EXECVE_CHECK != 0 {
        // Whether it might be executed does not depend on what it is; a kernel that does not know the flag says so.
        return request.native(thread, false);
    }
    request.run(thread)
}

/// A guest's array of string pointers.
struct Strings {
    start: GuestPtr<u32>,
    count: usize,
}

impl Strings {
    fn count(start: GuestPtr<u8>) -> Result<Self, Errno> {
        /// `MAX_ARG_STRINGS` is greater; no address space holds more.
        const MAX: usize = 1 << 24;
        let start: GuestPtr<u32> = start.cast();
        let mut count = 0;
        if !start.is_null() {
            let mut at = start;
            while mem::read(at)? != 0 {
                count += 1;
                if count > MAX {
                    return Err(Errno::E2BIG);
                }
                at = at.byte_add(4).ok_or(Errno::EFAULT)?;
            }
        }
        Ok(Self { start, count })
    }
    /// Appends the pointers from number `skip` on, and a null pointer.
    fn put(&self, out: &mut [u64], skip: usize) -> Result<(), Errno> {
        let mut at = self.start;
        for index in 0..self.count {
            let value = mem::read(at)?;
            if index >= skip {
                *out.get_mut(index - skip).ok_or(Errno::E2BIG)? = u64::from(value);
            }
            at = at.byte_add(4).ok_or(Errno::EFAULT)?;
        }
        Ok(())
    }
}

struct Request<'a> {
    dirfd: i32,
    /// As the guest said, with its NUL.
    name: &'a [u8],
    /// Where that leads, with its NUL.
    file: &'a [u8],
    flags: u32,
    argv: Strings,
    envp: Strings,
}

/// Opens a program for reading, if it may be executed.
pub(crate) fn open(dirfd: i32, name: &[u8], flags: u32) -> Result<u64, Errno> {
    const O_CLOEXEC: u64 = 0o2_000_000;
    const O_NOFOLLOW: u64 = 0o400_000;
    const O_NONBLOCK: u64 = 0o4_000;
    const X_OK: u64 = 1;
    const AT_EACCESS: u64 = 0x200;
    const NO_FLAGS: u64 = 0;
    if name == b"\0" && flags & AT_EMPTY_PATH == 0 {
        return Err(Errno::ENOENT);
    }
    let nofollow = if flags & AT_SYMLINK_NOFOLLOW != 0 { O_NOFOLLOW } else { 0 };
    // SAFETY: the names outlive the calls.
    unsafe {
        let fd = if name == b"\0" {
            // An open descriptor, perhaps O_PATH: opened anew through /proc, or used as it is.
            let mut link = reexec::fd_path(dirfd);
            match host::call(host::nr::OPENAT, [host::int(AT_FDCWD), host::addr(link.with_nul()), O_CLOEXEC | O_NONBLOCK, 0]) {
                Ok(fd) => fd,
                Err(_) => host::call(host::nr::FCNTL, [host::int(dirfd), 1030, 3])?,
            }
        } else {
            host::call(host::nr::OPENAT, [host::int(dirfd), host::addr(name), O_CLOEXEC | O_NONBLOCK | nofollow, 0])?
        };
        let close = |errno| {
            let _ = host::call(host::nr::CLOSE, [fd]);
            Err(errno)
        };
        let mut status = [0u64; 18];
        if let Err(errno) = host::call(host::nr::FSTAT, [fd, host::addr_mut(&mut status)]) {
            return close(errno);
        }
        const S_IFMT: u64 = 0o170_000;
        const S_IFREG: u64 = 0o100_000;
        // st_mode is the 32-bit word at offset 24 of the host's struct stat.
        if status[3] & S_IFMT != S_IFREG {
            return close(Errno::EACCES);
        }
        let empty = b"\0";
        match host::call(host::nr::FACCESSAT2, [fd, host::addr(empty), X_OK, u64::from(AT_EMPTY_PATH) | AT_EACCESS]) {
            Err(Errno::ENOSYS | Errno::EINVAL) if name != b"\0" => {
                if let Err(errno) = host::call(host::nr::FACCESSAT, [host::int(dirfd), host::addr(name), X_OK, NO_FLAGS]) {
                    return close(errno);
                }
            }
            Err(Errno::ENOSYS | Errno::EINVAL) => {}
            Err(errno) => return close(errno),
            Ok(_) => {}
        }
        Ok(fd)
    }
}

/// Makes everything ready for another program, which `execute` executes, and undoes it if that does not work. Where it is `likely`
/// to work, other processes are told of the locks that go with the old program: somebody may take them at once.
fn leave(thread: &mut Thread, likely: bool, execute: impl FnOnce() -> Result<u64, Errno>) -> SysResult {
    let mask = signal::prepare_exec(thread)?;
    if likely {
        release_robust_lists(thread);
    }
    let result = execute();
    if likely {
        take_back_robust_lists(thread);
    }
    signal::abandon_exec(thread, mask);
    result.map(host::low)
}

fn close(fd: u64) {
    // SAFETY: a descriptor of our own.
    let _ = unsafe { host::call(host::nr::CLOSE, [fd]) };
}

fn read_head(fd: u64, head: &mut [u8; HEAD]) -> usize {
    // SAFETY: the kernel writes into `head`.
    let got = unsafe { host::call(host::nr::PREAD64, [fd, host::addr_mut(head), HEAD as u64, 0]) };
    usize::try_from(got.unwrap_or(0)).unwrap_or(0)
}

/// One line `#!` that has been followed.
struct Shebang {
    head: [u8; HEAD],
    interpreter: core::ops::Range<usize>,
    argument: core::ops::Range<usize>,
}

impl Request<'_> {
    fn run(&self, thread: &mut Thread) -> SysResult {
        let mut scripts: [Option<Shebang>; DEPTH] = [const { None }; DEPTH];
        let mut depth = 0;
        let mut fd = match open(self.dirfd, self.file, self.flags) {
            Ok(fd) => fd,
            // It may be executable all the same; the kernel knows, and says what is wrong if it is not.
            Err(Errno::EACCES) if !thread.seccomp.is_on() => return self.native(thread, false),
            Err(errno) => return Err(errno),
        };
        loop {
            let mut head = [0; HEAD];
            let length = read_head(fd, &mut head);
            match classify(&head[..length]) {
                // Of a library: there is no biarch that could run it, for this process is another program.
                Kind::Guest if crate::embed::active() => {
                    close(fd);
                    return self.native(thread, true);
                }
                Kind::Guest => return self.guest(thread, fd, &scripts[..depth]),
                Kind::Other if thread.seccomp.is_on() => {
                    close(fd);
                    return self.filtered(thread, &head[..length]);
                }
                Kind::Other => {
                    close(fd);
                    let elf = head.starts_with(b"\x7fELF");
                    if elf {
                        crate::trace::leaves(thread, self.name);
                    }
                    return self.native(thread, elf);
                }
                Kind::Script { interpreter, argument } => {
                    close(fd);
                    if depth == DEPTH {
                        return Err(Errno::ELOOP);
                    }
                    head[interpreter.end..].iter_mut().take(1).for_each(|byte| *byte = 0);
                    let name = interpreter.start..interpreter.end + 1;
                    let mut elsewhere = [0; PATH_MAX];
                    let name = &head[name];
                    fd = open(AT_FDCWD, path::elsewhere(name, Last::Follow, thread, &mut elsewhere).unwrap_or(name), 0)?;
                    if argument.end < HEAD {
                        head[argument.end] = 0;
                    }
                    scripts[depth] = Some(Shebang { head, interpreter, argument });
                    depth += 1;
                }
            }
        }
    }

    /// Leaves it to the kernel, which is `likely` to execute it.
    fn native(&self, thread: &mut Thread, likely: bool) -> SysResult {
        let mut argv = Buf::<u64>::zeroed(self.argv.count + 1)?;
        let mut envp = Buf::<u64>::zeroed(self.envp.count + 1)?;
        self.argv.put(&mut argv, 0)?;
        self.envp.put(&mut envp, 0)?;
        let args = [host::int(self.dirfd), host::addr(self.file), host::addr(&*argv), host::addr(&*envp), u64::from(self.flags)];
        leave(thread, likely, || {
            // SAFETY: all strings are the guest's or outlive the call.
            unsafe { host::call(host::nr::EXECVEAT, args) }
        })
    }

    /// Executes an x86-64 program with the filters of system calls that this one has, by way of another biarch, which installs them
    /// in the kernel. Anything else would get away from them.
    fn filtered(&self, thread: &mut Thread, head: &[u8]) -> SysResult {
        const CLASS_64: u8 = 2;
        const EM_X86_64: &[u8] = &[62, 0];
        const F_GETFD: u64 = 1;
        const F_DUPFD: u64 = 0;
        if !head.starts_with(b"\x7fELF") || head.get(4) != Some(&CLASS_64) || head.get(18..20) != Some(EM_X86_64) {
            return Err(Errno::ENOEXEC);
        }
        let Some(filters) = seccomp::to_file(thread)? else { return Err(Errno::EPERM) };
        crate::trace::leaves(thread, self.name);
        // A directory that is closed on exec would be gone when the name is looked up.
        // SAFETY: a descriptor is asked about, and duplicated.
        let duplicate = unsafe {
            match host::call(host::nr::FCNTL, [host::int(self.dirfd), F_GETFD]) {
                Ok(closed) if closed != 0 => host::call(host::nr::FCNTL, [host::int(self.dirfd), F_DUPFD, 0]).ok(),
                _ => None,
            }
        }
        .and_then(|fd| i32::try_from(fd).ok());
        let result = self.reexecute_filtered(thread, filters, duplicate);
        for fd in duplicate.into_iter().chain([filters]) {
            close(host::int(fd));
        }
        result
    }

    fn reexecute_filtered(&self, thread: &mut Thread, filters: i32, duplicate: Option<i32>) -> SysResult {
        let dirfd = duplicate.unwrap_or(self.dirfd);
        let mut options = seccomp::filtered_options(filters, dirfd, duplicate.is_some(), self.flags);
        let first = [
            host::addr(reexec::NAME),
            host::addr(options.with_nul()),
            host::addr(c"".to_bytes_with_nul()),
            host::addr(self.file),
        ];
        let mut argv = Buf::<u64>::zeroed(first.len() + self.argv.count + 1)?;
        argv[..first.len()].copy_from_slice(&first);
        self.argv.put(&mut argv[first.len()..], 0)?;
        let mut envp = Buf::<u64>::zeroed(self.envp.count + 1)?;
        self.envp.put(&mut envp, 0)?;
        leave(thread, true, || reexec::execute_self(host::addr(&*argv), host::addr(&*envp)))
    }

    /// Runs the i386 program `fd`, with the arguments that the followed `scripts` put in front.
    fn guest(&self, thread: &mut Thread, fd: u64, scripts: &[Option<Shebang>]) -> SysResult {
        if let Err(errno) = reexec::check_interpreter(fd) {
            close(fd);
            return Err(errno);
        }
        // The kernel gives set-user-id programs their privileges, and needs no /proc to find biarch. It does not find it in a user
        // namespace with a binfmt_misc of its own (ENOEXEC), nor for a descriptor that is closed on exec (ENOENT), and it does not
        // hand filters of system calls on.
        let by_kernel = reexec::kernel_can() && !thread.seccomp.is_on();
        let mut result = if by_kernel { self.native(thread, true) } else { Err(Errno::ENOEXEC) };
        if matches!(result, Err(Errno::ENOEXEC | Errno::ENOENT)) {
            result = seccomp::to_file(thread).and_then(|filters| {
                let result = self.reexecute(thread, fd, scripts, filters);
                if let Some(filters) = filters {
                    close(host::int(filters));
                }
                result
            });
        }
        close(fd);
        result
    }

    fn reexecute(&self, thread: &mut Thread, fd: u64, scripts: &[Option<Shebang>], filters: Option<i32>) -> SysResult {
        // AT_EXECFN is the name that was asked for, also for a script (`bprm->filename`).
        let mut through_fd = reexec::dev_fd_path(self.dirfd);
        let mut joined = [0u8; PATH_MAX + 32];
        let execfn: &[u8] = if self.dirfd == AT_FDCWD || self.name.first() == Some(&b'/') {
            self.name
        } else {
            if self.name == b"\0" {
                through_fd.with_nul()
            } else {
                let base = through_fd.bytes();
                joined[..base.len()].copy_from_slice(base);
                joined[base.len()] = b'/';
                let end = base.len() + 1 + self.name.len();
                joined.get_mut(base.len() + 1..end).ok_or(Errno::ENAMETOOLONG)?.copy_from_slice(self.name);
                &joined[..end]
            }
        };
        let mut options = reexec::options(fd, filters);
        // biarch, options, sysroot, execfn, then the guest's: for each script from the innermost, interpreter and argument.
        let extra = 4 + 2 * scripts.len() + 1;
        let mut argv = Buf::<u64>::zeroed(extra + self.argv.count + 2)?;
        let mut count = 0;
        let mut push = |argv: &mut Buf<u64>, address: u64| {
            if let Some(slot) = argv.get_mut(count) {
                *slot = address;
                count += 1;
            }
        };
        push(&mut argv, host::addr(reexec::NAME));
        push(&mut argv, host::addr(options.with_nul()));
        push(&mut argv, host::addr(path::sysroot().unwrap_or_default().to_bytes_with_nul()));
        push(&mut argv, host::addr(execfn));
        for script in scripts.iter().rev().flatten() {
            push(&mut argv, host::addr(&script.head[script.interpreter.start..]));
            if !script.argument.is_empty() {
                push(&mut argv, host::addr(&script.head[script.argument.start..]));
            }
        }
        let mut skip = 0;
        if !scripts.is_empty() {
            push(&mut argv, host::addr(execfn));
            skip = 1;
        }
        // Each script but the outermost is the argument of the next one's interpreter; see load_script's remove_arg_zero.
        if self.argv.count > skip {
            self.argv.put(&mut argv[count..], skip)?;
        }
        let mut envp = Buf::<u64>::zeroed(self.envp.count + 1)?;
        self.envp.put(&mut envp, 0)?;
        leave(thread, true, || reexec::execute(fd, host::addr(&*argv), host::addr(&*envp)))
    }
}
