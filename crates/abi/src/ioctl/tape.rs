//! Tapes: linux/mtio.h.

use crate::structs::ioctl::{mtget, ulong};

ioctl_rows! {
    ["linux/types.h", "linux/ioctl.h", "linux/mtio.h"] {
        0x40086d01 MTIOCTOP in(8 "struct mtop");
        0x801c6d02 / 0x80306d02 MTIOCGET out[mtget];
        0x80046d03 / 0x80086d03 MTIOCPOS out[ulong];
    }
}
