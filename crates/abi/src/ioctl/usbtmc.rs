//! Instruments for test and measurement: linux/usb/tmc.h.

use crate::structs::ioctl::{usbtmc_ctrlrequest, usbtmc_message};

ioctl_rows! {
    ["linux/types.h", "linux/ioctl.h", "linux/usb/tmc.h"] {
        0x5b01 USBTMC_IOCTL_INDICATOR_PULSE none;
        0x5b02 USBTMC_IOCTL_CLEAR none;
        0x5b03 USBTMC_IOCTL_ABORT_BULK_OUT none;
        0x5b04 USBTMC_IOCTL_ABORT_BULK_IN none;
        0x5b06 USBTMC_IOCTL_CLEAR_OUT_HALT none;
        0x5b07 USBTMC_IOCTL_CLEAR_IN_HALT none;
        0xc00c5b08 / 0xc0105b08 USBTMC_IOCTL_CTRL_REQUEST in[usbtmc_ctrlrequest];
        0x80045b09 USBTMC_IOCTL_GET_TIMEOUT out(4 "__u32");
        0x40045b0a USBTMC_IOCTL_SET_TIMEOUT in(4 "__u32");
        0x40015b0b USBTMC_IOCTL_EOM_ENABLE in(1 "__u8");
        0x40025b0c USBTMC_IOCTL_CONFIG_TERMCHAR in(2 "struct usbtmc_termchar");
        0xc0105b0d / 0xc0145b0d USBTMC_IOCTL_WRITE inout[usbtmc_message];
        0xc0105b0e / 0xc0145b0e USBTMC_IOCTL_READ inout[usbtmc_message];
        0xc0045b0f USBTMC_IOCTL_WRITE_RESULT inout(4 "__u32");
        0x80045b10 USBTMC_IOCTL_API_VERSION out(4 "__u32");
        0x80015b11 USBTMC488_IOCTL_GET_CAPS out(1 "unsigned char");
        0x80015b12 USBTMC488_IOCTL_READ_STB out(1 "unsigned char");
        0x40015b13 USBTMC488_IOCTL_REN_CONTROL in(1 "unsigned char");
        0x5b14 USBTMC488_IOCTL_GOTO_LOCAL none;
        0x5b15 USBTMC488_IOCTL_LOCAL_LOCKOUT none;
        0x5b16 USBTMC488_IOCTL_TRIGGER none;
        0x40045b17 USBTMC488_IOCTL_WAIT_SRQ in(4 "__u32");
        0x80015b18 USBTMC_IOCTL_MSG_IN_ATTR out(1 "__u8");
        0x40015b19 USBTMC_IOCTL_AUTO_ABORT in(1 "__u8");
        0x80015b1a USBTMC_IOCTL_GET_STB out(1 "__u8");
        0x80015b1b USBTMC_IOCTL_GET_SRQ_STB out(1 "__u8");
        0x5b23 USBTMC_IOCTL_CANCEL_IO none;
        0x5b24 USBTMC_IOCTL_CLEANUP_IO none;
    }
}
