//! What a process sets about itself, and asks or does about another.

use super::fd::events;
use crate::dispatch::SysResult;
use crate::host::{self, nr};
use crate::thread::Thread;
use abi::trace::{ArchPrctlOption, PrctlOption};
use abi::{Errno, GuestPtr};

/// prctl(2). Numbers and structures are the same in both widths; what would act on the supervisor instead of the guest is
/// refused with the errno of a kernel that is built without it.
pub(crate) fn prctl(thread: &mut Thread, option: u32, arg2: u32, arg3: u32, arg4: u32, arg5: u32) -> SysResult {
    match option {
        // The layout of the process in memory, as /proc shows it: a matter of CAP_SYS_RESOURCE.
        PrctlOption::PR_SET_MM => Err(Errno::EPERM),
        PrctlOption::PR_SET_SECCOMP => super::security::set_seccomp(thread, arg2, arg3),
        // It would catch the supervisor's calls.
        PrctlOption::PR_SET_SYSCALL_USER_DISPATCH => Err(Errno::EINVAL),
        // The auxiliary vector of the supervisor.
        PrctlOption::PR_GET_AUXV => Err(Errno::EINVAL),
        _ => thread.sys(nr::PRCTL, [option, arg2, arg3, arg4, arg5].map(u64::from)).map(host::low),
    }
}

/// arch_prctl(2). A 32-bit task may ask about the processor, not about segments (`compat_sys_arch_prctl` in
/// arch/x86/kernel/process_64.c).
pub(crate) fn arch_prctl(thread: &mut Thread, option: u32, arg2: GuestPtr<u8>) -> SysResult {
    match option {
        ArchPrctlOption::ARCH_GET_CPUID
        | ArchPrctlOption::ARCH_SET_CPUID
        | ArchPrctlOption::ARCH_GET_XCOMP_SUPP
        | ArchPrctlOption::ARCH_GET_XCOMP_PERM
        | ArchPrctlOption::ARCH_REQ_XCOMP_PERM
        | ArchPrctlOption::ARCH_GET_XCOMP_GUEST_PERM
        | ArchPrctlOption::ARCH_REQ_XCOMP_GUEST_PERM => {
            thread.sys(nr::ARCH_PRCTL, [u64::from(option), u64::from(arg2.address())]).map(host::low)
        }
        _ => Err(Errno::EINVAL),
    }
}

/// pidfd_getfd(2).
pub(crate) fn pidfd_getfd(thread: &mut Thread, pidfd: i32, targetfd: i32, flags: u32) -> SysResult {
    let args = [host::int(pidfd), host::int(targetfd), u64::from(flags)];
    events::noticed(thread.sys(host::nr::PIDFD_GETFD, args).map(host::low))
}
