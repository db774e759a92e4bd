//! Keys.

use super::input::Input;
use crate::dispatch::SysResult;
use crate::host::{self, nr};
use crate::thread::Thread;
use abi::GuestPtr;
use abi::structs::security::keyctl_kdf_params;
use abi::trace::KeyctlOperation;

/// keyctl(2): of its many operations two take structures that differ (`compat_sys_keyctl` in security/keys/compat.c).
pub(crate) fn keyctl(thread: &mut Thread, operation: u32, arg2: u32, arg3: u32, arg4: u32, arg5: u32) -> SysResult {
    let args = [operation, arg2, arg3, arg4, arg5].map(u64::from);
    match operation {
        KeyctlOperation::KEYCTL_DH_COMPUTE => {
            let derivation = Input::read(GuestPtr::<keyctl_kdf_params::Guest32>::new(arg5));
            thread.sys(nr::KEYCTL, [args[0], args[1], args[2], args[3], derivation.address()])
        }
        _ => thread.sys(nr::KEYCTL, args),
    }
    .map(host::low)
}
