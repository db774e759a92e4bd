//! Keys, and filters of system calls.

use super::fd::IoVecs;
use super::input::Input;
use crate::dispatch::SysResult;
use crate::host::{self, nr};
use crate::mem;
use crate::seccomp;
use crate::thread::Thread;
use abi::structs::security::keyctl_kdf_params;
use abi::trace::{KeyctlOperation, SeccompOperation};
use abi::{Errno, GuestPtr};

/// keyctl(2): of its many operations these take structures that differ (`compat_sys_keyctl` in security/keys/compat.c).
pub(crate) fn keyctl(thread: &mut Thread, operation: u32, arg2: u32, arg3: u32, arg4: u32, arg5: u32) -> SysResult {
    let args = [operation, arg2, arg3, arg4, arg5].map(u64::from);
    match operation {
        KeyctlOperation::KEYCTL_DH_COMPUTE => {
            let derivation = Input::read(GuestPtr::<keyctl_kdf_params::Guest32>::new(arg5));
            thread.sys(nr::KEYCTL, [args[0], args[1], args[2], args[3], derivation.address()])
        }
        // `keyctl_instantiate_key_iov`: without an array the count means nothing.
        KeyctlOperation::KEYCTL_INSTANTIATE_IOV if arg3 != 0 => {
            let vectors = IoVecs::read(GuestPtr::new(arg3), arg4)?;
            thread.sys(nr::KEYCTL, [args[0], args[1], vectors.host_address(), args[3], args[4]])
        }
        _ => thread.sys(nr::KEYCTL, args),
    }
    .map(host::low)
}

/// seccomp(2)
pub(crate) fn seccomp(thread: &mut Thread, operation: u32, flags: u32, args: GuestPtr<u8>) -> SysResult {
    const SECCOMP_RET_USER_NOTIF: u32 = 0x7fc0_0000;
    if crate::embed::active() {
        // The filters would be the program's, not the library's.
        return Err(Errno::ENOSYS);
    }
    match operation {
        SeccompOperation::SECCOMP_SET_MODE_STRICT if flags == 0 && args.is_null() => seccomp::set_strict(thread),
        SeccompOperation::SECCOMP_SET_MODE_FILTER => seccomp::set_filter(thread, flags, args.cast()),
        SeccompOperation::SECCOMP_GET_ACTION_AVAIL if flags == 0 && mem::read(args.cast::<u32>())? == SECCOMP_RET_USER_NOTIF => {
            Err(Errno::EOPNOTSUPP)
        }
        SeccompOperation::SECCOMP_GET_ACTION_AVAIL | SeccompOperation::SECCOMP_GET_NOTIF_SIZES => {
            thread.sys(nr::SECCOMP, [operation, flags, args.address()].map(u64::from)).map(host::low)
        }
        _ => Err(Errno::EINVAL),
    }
}

/// prctl(2) with `PR_SET_SECCOMP`: the same as seccomp(2) without flags (`prctl_set_seccomp`).
pub(super) fn set_seccomp(thread: &mut Thread, mode: u32, filter: u32) -> SysResult {
    const SECCOMP_MODE_STRICT: u32 = 1;
    const SECCOMP_MODE_FILTER: u32 = 2;
    match mode {
        _ if crate::embed::active() => Err(Errno::EINVAL),
        SECCOMP_MODE_STRICT => self::seccomp(thread, SeccompOperation::SECCOMP_SET_MODE_STRICT, 0, GuestPtr::default()),
        SECCOMP_MODE_FILTER => self::seccomp(thread, SeccompOperation::SECCOMP_SET_MODE_FILTER, 0, GuestPtr::new(filter)),
        _ => Err(Errno::EINVAL),
    }
}
