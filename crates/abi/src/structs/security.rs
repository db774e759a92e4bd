//! Keys, `keyrings(7)`, and filters of system calls, seccomp(2).

use crate::structs::{Layout, Pad, Ptr32, Row, SameLayout};

abi_struct! {
    /// Key derivation after a Diffie-Hellman exchange, `KEYCTL_DH_COMPUTE`, keyctl(2).
    pub struct keyctl_kdf_params ("struct keyctl_kdf_params" / "struct keyctl_kdf_params" in "linux/keyctl.h"): 44 / 56 {
        hashname @ 0 / 0: Ptr32;
        otherinfo @ 4 / 8: Ptr32;
        otherinfolen @ 8 / 16: u32;
        __spare @ 12 / 20: [u32; 8];
        __pad @ 44 / 52: Pad<0> => Pad<4>;
    }
}

abi_struct! {
    /// `struct sock_filter`: one instruction of a filter, seccomp(2).
    pub struct sock_filter ("struct sock_filter" / "struct sock_filter" in "linux/filter.h"): 8 / 8 {
        code @ 0 / 0: u16;
        jt @ 2 / 2: u8;
        jf @ 3 / 3: u8;
        k @ 4 / 4: u32;
    }
}
impl SameLayout for sock_filter::Guest32 {}

/// Every row of this file.
pub const LAYOUTS: &[Layout] = &[keyctl_kdf_params::Guest32::LAYOUT, sock_filter::Guest32::LAYOUT];
