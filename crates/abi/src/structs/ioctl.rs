//! The structures of ioctls whose two layouts differ: terminals, consoles, disks, file systems, SCSI, clocks. Those of sockets
//! are in [`super::socket`].

use crate::structs::{Chars, I64, Layout, Pad, Ptr32, Row, U16As64, ULong};

abi_struct! {
    /// One `unsigned long` of which the kernel cuts what does not fit.
    pub struct ulong ("" / "" in ""): 4 / 8 {
        value @ 0 / 0: ULong, truncate;
    }
}

abi_struct! {
    /// `struct serial_struct`: a serial port's settings, ioctl_tty(2).
    pub struct serial_struct ("struct serial_struct" / "struct serial_struct" in "linux/serial.h"): 60 / 72 {
        r#type @ 0 / 0: i32;
        line @ 4 / 4: i32;
        port @ 8 / 8: u32;
        irq @ 12 / 12: i32;
        flags @ 16 / 16: i32;
        xmit_fifo_size @ 20 / 20: i32;
        custom_divisor @ 24 / 24: i32;
        baud_base @ 28 / 28: i32;
        close_delay @ 32 / 32: u16;
        io_type @ 34 / 34: u8;
        reserved_char @ 35 / 35: [u8; 1];
        hub6 @ 36 / 36: i32;
        closing_wait @ 40 / 40: u16;
        closing_wait2 @ 42 / 42: u16;
        __pad1 @ 44 / 44: Pad<0> => Pad<4>;
        iomem_base @ 44 / 48: Ptr32, saturate;
        iomem_reg_shift @ 48 / 56: u16;
        __pad2 @ 50 / 58: Pad<2> => Pad<2>;
        port_high @ 52 / 60: u32;
        iomap_base @ 56 / 64: ULong, truncate;
    }
}

abi_struct! {
    /// `struct console_font_op`: a console's font, ioctl_console(2).
    pub struct console_font_op ("struct console_font_op" / "struct console_font_op" in "linux/kd.h"): 24 / 32 {
        op @ 0 / 0: u32;
        flags @ 4 / 4: u32;
        width @ 8 / 8: u32;
        height @ 12 / 12: u32;
        charcount @ 16 / 16: u32;
        __pad @ 20 / 20: Pad<0> => Pad<4>;
        data @ 20 / 24: Ptr32;
    }
}

abi_struct! {
    /// `struct consolefontdesc`: a console's font, the older form.
    pub struct consolefontdesc ("struct consolefontdesc" / "struct consolefontdesc" in "linux/kd.h"): 8 / 16 {
        charcount @ 0 / 0: u16;
        charheight @ 2 / 2: u16;
        __pad @ 4 / 4: Pad<0> => Pad<4>;
        chardata @ 4 / 8: Ptr32;
    }
}

abi_struct! {
    /// `struct unimapdesc`: a console's map from Unicode to its font.
    pub struct unimapdesc ("struct unimapdesc" / "struct unimapdesc" in "linux/kd.h"): 8 / 16 {
        entry_ct @ 0 / 0: u16;
        __pad @ 2 / 2: Pad<2> => Pad<6>;
        entries @ 4 / 8: Ptr32;
    }
}

abi_struct! {
    /// `struct hd_geometry`: a disk's geometry.
    pub struct hd_geometry ("struct hd_geometry" / "struct hd_geometry" in "linux/hdreg.h"): 8 / 16 {
        heads @ 0 / 0: u8;
        sectors @ 1 / 1: u8;
        cylinders @ 2 / 2: u16;
        __pad @ 4 / 4: Pad<0> => Pad<4>;
        start @ 4 / 8: ULong, truncate;
    }
}

abi_struct! {
    /// `struct blkpg_ioctl_arg`: an operation on partitions.
    pub struct blkpg_ioctl_arg ("struct blkpg_ioctl_arg" / "struct blkpg_ioctl_arg" in "linux/blkpg.h"): 16 / 24 {
        op @ 0 / 0: i32;
        flags @ 4 / 4: i32;
        datalen @ 8 / 8: i32;
        __pad @ 12 / 12: Pad<0> => Pad<4>;
        data @ 12 / 16: Ptr32;
    }
}

abi_struct! {
    /// `struct loop_info`: a loop device's settings, loop(4). What does not fit is an error (`loop_info64_to_compat`).
    pub struct loop_info ("struct loop_info" / "struct loop_info" in "linux/loop.h"): 140 / 168 {
        lo_number @ 0 / 0: i32;
        __pad1 @ 4 / 4: Pad<0> => Pad<4>;
        lo_device @ 4 / 8: U16As64;
        __pad2 @ 6 / 16: Pad<2> => Pad<0>;
        lo_inode @ 8 / 16: ULong;
        lo_rdevice @ 12 / 24: U16As64;
        __pad3 @ 14 / 32: Pad<2> => Pad<0>;
        lo_offset @ 16 / 32: i32;
        lo_encrypt_type @ 20 / 36: i32;
        lo_encrypt_key_size @ 24 / 40: i32;
        lo_flags @ 28 / 44: i32;
        lo_name @ 32 / 48: Chars<64>;
        lo_encrypt_key @ 96 / 112: Chars<32>;
        lo_init @ 128 / 144: [ULong; 2];
        reserved @ 136 / 160: [u8; 4];
        __pad4 @ 140 / 164: Pad<0> => Pad<4>;
    }
}

abi_struct! {
    /// `struct space_resv`: a range of a file, of `FS_IOC_RESVSP` (`linux/falloc.h` inside the kernel, `xfs_fs.h` outside).
    pub struct space_resv ("" / "" in "linux/falloc.h"): 44 / 48 {
        l_type @ 0 / 0: i16;
        l_whence @ 2 / 2: i16;
        __pad1 @ 4 / 4: Pad<0> => Pad<4>;
        l_start @ 4 / 8: I64;
        l_len @ 12 / 16: I64;
        l_sysid @ 20 / 24: i32;
        l_pid @ 24 / 28: u32;
        l_pad @ 28 / 32: [i32; 4];
    }
}

abi_struct! {
    /// `struct sg_io_hdr`: a SCSI command, `SG_IO`.
    pub struct sg_io_hdr ("struct sg_io_hdr" / "struct sg_io_hdr" in "scsi/sg.h"): 64 / 88 {
        interface_id @ 0 / 0: i32;
        dxfer_direction @ 4 / 4: i32;
        cmd_len @ 8 / 8: u8;
        mx_sb_len @ 9 / 9: u8;
        iovec_count @ 10 / 10: u16;
        dxfer_len @ 12 / 12: u32;
        dxferp @ 16 / 16: Ptr32;
        cmdp @ 20 / 24: Ptr32;
        sbp @ 24 / 32: Ptr32;
        timeout @ 28 / 40: u32;
        flags @ 32 / 44: u32;
        pack_id @ 36 / 48: i32;
        __pad1 @ 40 / 52: Pad<0> => Pad<4>;
        usr_ptr @ 40 / 56: Ptr32;
        status @ 44 / 64: u8;
        masked_status @ 45 / 65: u8;
        msg_status @ 46 / 66: u8;
        sb_len_wr @ 47 / 67: u8;
        host_status @ 48 / 68: u16;
        driver_status @ 50 / 70: u16;
        resid @ 52 / 72: i32;
        duration @ 56 / 76: u32;
        info @ 60 / 80: u32;
        __pad2 @ 64 / 84: Pad<0> => Pad<4>;
    }
}

/// Every row of this file.
pub const LAYOUTS: &[Layout] = &[
    ulong::Guest32::LAYOUT,
    serial_struct::Guest32::LAYOUT,
    console_font_op::Guest32::LAYOUT,
    consolefontdesc::Guest32::LAYOUT,
    unimapdesc::Guest32::LAYOUT,
    hd_geometry::Guest32::LAYOUT,
    blkpg_ioctl_arg::Guest32::LAYOUT,
    loop_info::Guest32::LAYOUT,
    space_resv::Guest32::LAYOUT,
    sg_io_hdr::Guest32::LAYOUT,
];
