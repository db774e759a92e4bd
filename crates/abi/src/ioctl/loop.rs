//! Loop devices: loop(4).

use crate::structs::ioctl::loop_info;

ioctl_rows! {
    ["linux/loop.h"] {
        0x4c00 LOOP_SET_FD value;
        0x4c01 LOOP_CLR_FD none;
        0x4c02 LOOP_SET_STATUS in[loop_info];
        0x4c03 LOOP_GET_STATUS out[loop_info];
        0x4c04 LOOP_SET_STATUS64 in(232 "struct loop_info64");
        0x4c05 LOOP_GET_STATUS64 out(232 "struct loop_info64");
        0x4c06 LOOP_CHANGE_FD value;
        0x4c08 LOOP_SET_DIRECT_IO value;
        0x4c09 LOOP_SET_BLOCK_SIZE value;
        0x4c80 LOOP_CTL_ADD value;
        0x4c81 LOOP_CTL_REMOVE value;
        0x4c07 LOOP_SET_CAPACITY none;
        0x4c82 LOOP_CTL_GET_FREE none;
        0x4c0a LOOP_CONFIGURE in(304 "struct loop_config");
    }
}
