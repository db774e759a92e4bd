//! Who a process is: `credentials(7)`, `capabilities(7)`.

use crate::structs::{Layout, Row, SameLayout};

abi_struct! {
    /// Which layout of capabilities, and whose, capget(2).
    pub struct cap_user_header ("struct __user_cap_header_struct" / "struct __user_cap_header_struct" in "linux/capability.h"): 8 / 8 {
        version @ 0 / 0: u32;
        pid @ 4 / 4: i32;
    }
}
impl SameLayout for cap_user_header::Guest32 {}

abi_struct! {
    /// 32 capabilities in three sets, capget(2). There are two of them where the version says so.
    pub struct cap_user_data ("struct __user_cap_data_struct" / "struct __user_cap_data_struct" in "linux/capability.h"): 12 / 12 {
        effective @ 0 / 0: u32;
        permitted @ 4 / 4: u32;
        inheritable @ 8 / 8: u32;
    }
}
impl SameLayout for cap_user_data::Guest32 {}

/// Every row of this file.
pub const LAYOUTS: &[Layout] = &[cap_user_header::Guest32::LAYOUT, cap_user_data::Guest32::LAYOUT];
