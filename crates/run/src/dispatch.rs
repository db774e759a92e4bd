//! From a system call's number to what is done: the rows of `abi::syscalls::i386` as a table of functions.

use crate::sys;
use crate::thread::Thread;
use crate::traced;
use abi::Errno;
use abi::syscalls::TABLE_LENGTH;

/// What a handler returns: the value for eax, or the errno.
pub(crate) type SysResult = Result<u32, Errno>;

/// A handler with its arguments still in registers.
pub(crate) type Handler = fn(&mut Thread) -> SysResult;

/// Builds `HANDLERS` from the rows: for a `call` row, the function of the same name in `sys/<area>.rs`, its arguments
/// converted by the row's types; for the others, what the row says.
macro_rules! handlers {
    ($( area $area:ident { $( $number:literal $name:ident $kind:ident $([$what:tt])? ( $($arg:ident : $t:ty),* $(,)? ) $(-> $result:ident)?, $support:ident $($note:literal)? ; )* } )*) => {
        /// What each number does.
        pub(crate) static HANDLERS: [Option<Handler>; TABLE_LENGTH] = {
            use abi::structs::*;
            use abi::trace::*;
            let mut table: [Option<Handler>; TABLE_LENGTH] = [None; TABLE_LENGTH];
            $( $( table[$number] = Some(handlers!(@handler $kind $([$what])? $area $name $($t)*)); )* )*
            table
        };
    };
    (@handler native [$host:literal] $area:ident $name:ident $($t:ty)*) => {
        |thread| native(thread, $host)
    };
    (@handler refuse [$errno:ident] $area:ident $name:ident $($t:ty)*) => {
        |thread| refuse(thread, Errno::$errno)
    };
    (@handler call $area:ident $name:ident $($t:ty)*) => {
        |_thread| {
            let mut _registers = arguments(_thread).into_iter();
            sys::$area::$name(_thread, $( <$t as Arg>::from_register(_registers.next().unwrap_or(0)) ),*)
        }
    };
}
abi::i386_syscalls!(handlers);

/// The argument registers, in the kernel's order.
pub(crate) fn arguments(thread: &Thread) -> [u32; 6] {
    let regs = &thread.regs;
    [regs.ebx, regs.ecx, regs.edx, regs.esi, regs.edi, regs.ebp]
}

/// A `native` row: the same arguments, zero-extended.
fn native(thread: &mut Thread, number: u32) -> SysResult {
    let args = arguments(thread);
    let intercepted = crate::hidden::intercept(thread, number, args)
        .or_else(|| sys::fd::events::intercept(thread, number, args))
        .or_else(|| sys::ioctl::usb::intercept(thread, number, args));
    match intercepted {
        Some(result) => result,
        None => thread.sys(number, args.map(u64::from)).map(crate::host::low),
    }
}

/// A `refuse` row, or a number that is not in the table.
fn refuse(thread: &Thread, errno: Errno) -> SysResult {
    crate::log::call(thread.regs.orig_eax);
    Err(errno)
}

/// Makes the system call whose number is in `orig_eax`, and puts what it returns into eax.
pub(crate) unsafe extern "C" fn dispatch(thread: &mut Thread) {
    let begun = traced::call_begins(thread);
    let number = thread.regs.orig_eax;
    thread.overflow = "";
    if begun && number == u32::MAX {
        // The tracer wants no call, and has set what it returns.
        return traced::call_ends(thread, begun);
    }
    let result = crate::trace::around(thread, number, |thread| {
        if let Some(result) = crate::seccomp::check(thread, number) {
            return result;
        }
        if crate::hidden::among(number, arguments(thread)) {
            return Err(Errno::EBADF);
        }
        if let Some(result) = crate::embed::intercept(thread, number, arguments(thread)) {
            return result;
        }
        let handler = usize::try_from(number).ok().and_then(|number| HANDLERS.get(number).copied().flatten());
        match handler {
            Some(handler) => handler(thread),
            None => refuse(thread, Errno::ENOSYS),
        }
    });
    thread.regs.eax = match result {
        Ok(value) => value,
        Err(errno) => u32::from(errno.0).wrapping_neg(),
    };
    traced::call_ends(thread, begun);
}
