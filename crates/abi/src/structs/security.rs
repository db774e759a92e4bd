//! Keys, `keyrings(7)`, and security modules.

use crate::structs::{Layout, Pad, Ptr32, Row};

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

/// Every row of this file.
pub const LAYOUTS: &[Layout] = &[keyctl_kdf_params::Guest32::LAYOUT];
