//! The structures of ioctls whose two layouts differ: terminals, consoles, disks, file systems, SCSI, clocks, USB, I2C,
//! sound, video, graphics. Those of sockets
//! are in [`super::socket`].

use crate::structs::{Chars, I64, Layout, Long, Pad, Ptr32, Row, U16As64, U64, ULong, UnalignedPtr32};

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

abi_struct! {
    /// `struct usbdevfs_ctrltransfer`: a transfer to a USB device's control endpoint.
    #[allow(non_snake_case, reason = "the header's names")]
    pub struct usbdevfs_ctrltransfer ("struct usbdevfs_ctrltransfer" / "struct usbdevfs_ctrltransfer" in "linux/usbdevice_fs.h"): 16 / 24 {
        bRequestType @ 0 / 0: u8;
        bRequest @ 1 / 1: u8;
        wValue @ 2 / 2: u16;
        wIndex @ 4 / 4: u16;
        wLength @ 6 / 6: u16;
        timeout @ 8 / 8: u32;
        __pad @ 12 / 12: Pad<0> => Pad<4>;
        data @ 12 / 16: Ptr32;
    }
}

abi_struct! {
    /// `struct usbdevfs_bulktransfer`: a transfer to or from a USB device.
    pub struct usbdevfs_bulktransfer ("struct usbdevfs_bulktransfer" / "struct usbdevfs_bulktransfer" in "linux/usbdevice_fs.h"): 16 / 24 {
        ep @ 0 / 0: u32;
        len @ 4 / 4: u32;
        timeout @ 8 / 8: u32;
        __pad @ 12 / 12: Pad<0> => Pad<4>;
        data @ 12 / 16: Ptr32;
    }
}

abi_struct! {
    /// `struct usbdevfs_urb`: a transfer in the background, without the packets that follow one of type `USBDEVFS_URB_TYPE_ISO`.
    pub struct usbdevfs_urb ("struct usbdevfs_urb" / "struct usbdevfs_urb" in "linux/usbdevice_fs.h"): 44 / 56 {
        r#type @ 0 / 0: u8;
        endpoint @ 1 / 1: u8;
        __pad1 @ 2 / 2: Pad<2> => Pad<2>;
        status @ 4 / 4: i32;
        flags @ 8 / 8: u32;
        __pad2 @ 12 / 12: Pad<0> => Pad<4>;
        buffer @ 12 / 16: Ptr32;
        buffer_length @ 16 / 24: i32;
        actual_length @ 20 / 28: i32;
        start_frame @ 24 / 32: i32;
        number_of_packets @ 28 / 36: i32;
        error_count @ 32 / 40: i32;
        signr @ 36 / 44: u32;
        usercontext @ 40 / 48: Ptr32;
    }
}

abi_struct! {
    /// `struct usbdevfs_ioctl`: a command to the driver of an interface.
    pub struct usbdevfs_ioctl ("struct usbdevfs_ioctl" / "struct usbdevfs_ioctl" in "linux/usbdevice_fs.h"): 12 / 16 {
        ifno @ 0 / 0: i32;
        ioctl_code @ 4 / 4: i32;
        data @ 8 / 8: Ptr32;
    }
}

abi_struct! {
    /// `struct usbdevfs_disconnectsignal`: the signal for a USB device that is pulled out.
    pub struct usbdevfs_disconnectsignal ("struct usbdevfs_disconnectsignal" / "struct usbdevfs_disconnectsignal" in "linux/usbdevice_fs.h"): 8 / 16 {
        signr @ 0 / 0: u32;
        __pad @ 4 / 4: Pad<0> => Pad<4>;
        context @ 4 / 8: Ptr32;
    }
}

abi_struct! {
    /// `struct i2c_smbus_ioctl_data`: a transfer on an SMBus.
    pub struct i2c_smbus_ioctl_data ("struct i2c_smbus_ioctl_data" / "struct i2c_smbus_ioctl_data" in "linux/types.h linux/i2c.h linux/i2c-dev.h"): 12 / 16 {
        read_write @ 0 / 0: u8;
        command @ 1 / 1: u8;
        __pad @ 2 / 2: Pad<2> => Pad<2>;
        size @ 4 / 4: u32;
        data @ 8 / 8: Ptr32;
    }
}

abi_struct! {
    /// `struct i2c_rdwr_ioctl_data`: several messages on an I2C bus.
    pub struct i2c_rdwr_ioctl_data ("struct i2c_rdwr_ioctl_data" / "struct i2c_rdwr_ioctl_data" in "linux/types.h linux/i2c.h linux/i2c-dev.h"): 8 / 16 {
        msgs @ 0 / 0: Ptr32;
        nmsgs @ 4 / 8: u32;
        __pad @ 8 / 12: Pad<0> => Pad<4>;
    }
}

abi_struct! {
    /// `struct i2c_msg`: a message on an I2C bus.
    pub struct i2c_msg ("struct i2c_msg" / "struct i2c_msg" in "linux/types.h linux/i2c.h"): 12 / 16 {
        addr @ 0 / 0: u16;
        flags @ 2 / 2: u16;
        len @ 4 / 4: u16;
        __pad @ 6 / 6: Pad<2> => Pad<2>;
        buf @ 8 / 8: Ptr32;
    }
}

abi_struct! {
    /// `struct media_links_enum`: what a part of a media device is connected to.
    pub struct media_links_enum ("struct media_links_enum" / "struct media_links_enum" in "linux/media.h"): 28 / 40 {
        entity @ 0 / 0: u32;
        __pad @ 4 / 4: Pad<0> => Pad<4>;
        pads @ 4 / 8: Ptr32;
        links @ 8 / 16: Ptr32;
        reserved @ 12 / 24: [u32; 4];
    }
}

abi_struct! {
    /// `struct v4l2_input`: an input of a video device.
    pub struct v4l2_input ("struct v4l2_input" / "struct v4l2_input" in "linux/videodev2.h"): 76 / 80 {
        index @ 0 / 0: u32;
        name @ 4 / 4: Chars<32>;
        r#type @ 36 / 36: u32;
        audioset @ 40 / 40: u32;
        tuner @ 44 / 44: u32;
        std @ 48 / 48: U64;
        status @ 56 / 56: u32;
        capabilities @ 60 / 60: u32;
        reserved @ 64 / 64: [u32; 3];
        __pad @ 76 / 76: Pad<0> => Pad<4>;
    }
}

abi_struct! {
    /// `struct v4l2_standard`: a television standard.
    pub struct v4l2_standard ("struct v4l2_standard" / "struct v4l2_standard" in "linux/videodev2.h"): 64 / 72 {
        index @ 0 / 0: u32;
        __pad1 @ 4 / 4: Pad<0> => Pad<4>;
        id @ 4 / 8: U64;
        name @ 12 / 16: Chars<24>;
        frameperiod @ 36 / 40: [u32; 2];
        framelines @ 44 / 48: u32;
        reserved @ 48 / 52: [u32; 4];
        __pad2 @ 64 / 68: Pad<0> => Pad<4>;
    }
}

abi_struct! {
    /// `struct v4l2_edid`: a display's description.
    pub struct v4l2_edid ("struct v4l2_edid" / "struct v4l2_edid" in "linux/videodev2.h"): 36 / 40 {
        pad @ 0 / 0: u32;
        start_block @ 4 / 4: u32;
        blocks @ 8 / 8: u32;
        reserved @ 12 / 12: [u32; 5];
        edid @ 32 / 32: Ptr32;
    }
}

abi_struct! {
    /// `struct v4l2_format`: what a video device records or plays. But for overlays, `fmt` has the same layout on both sides.
    pub struct v4l2_format ("struct v4l2_format" / "struct v4l2_format" in "linux/videodev2.h"): 204 / 208 {
        r#type @ 0 / 0: u32;
        __pad @ 4 / 4: Pad<0> => Pad<4>;
        fmt @ 4 / 8: Chars<200>;
    }
}

abi_struct! {
    /// `struct v4l2_buffer`: a buffer of a video device. `m` is an offset, a pointer or a descriptor; of a buffer of several planes, a pointer to
    /// structures.
    pub struct v4l2_buffer ("struct v4l2_buffer" / "struct v4l2_buffer" in "linux/videodev2.h"): 68 / 88 {
        index @ 0 / 0: u32;
        r#type @ 4 / 4: u32;
        bytesused @ 8 / 8: u32;
        flags @ 12 / 12: u32;
        field @ 16 / 16: u32;
        __pad1 @ 20 / 20: Pad<0> => Pad<4>;
        timestamp @ 20 / 24: [Long; 2], truncate;
        timecode @ 28 / 40: [u32; 4];
        sequence @ 44 / 56: u32;
        memory @ 48 / 60: u32;
        m @ 52 / 64: ULong, truncate;
        length @ 56 / 72: u32;
        reserved2 @ 60 / 76: u32;
        request_fd @ 64 / 80: i32;
        __pad2 @ 68 / 84: Pad<0> => Pad<4>;
    }
}

abi_struct! {
    /// `struct v4l2_plane`: one of a buffer of several planes. `m` is an offset, a pointer or a descriptor.
    pub struct v4l2_plane ("struct v4l2_plane" / "struct v4l2_plane" in "linux/videodev2.h"): 60 / 64 {
        bytesused @ 0 / 0: u32;
        length @ 4 / 4: u32;
        m @ 8 / 8: ULong, truncate;
        data_offset @ 12 / 16: u32;
        reserved @ 16 / 20: [u32; 11];
    }
}

abi_struct! {
    /// `struct v4l2_create_buffers`: further buffers of a video device, with the format of what goes into them.
    pub struct v4l2_create_buffers ("struct v4l2_create_buffers" / "struct v4l2_create_buffers" in "linux/videodev2.h"): 248 / 256 {
        index @ 0 / 0: u32;
        count @ 4 / 4: u32;
        memory @ 8 / 8: u32;
        __pad1 @ 12 / 12: Pad<0> => Pad<4>;
        __format_type @ 12 / 16: u32;
        __pad2 @ 16 / 20: Pad<0> => Pad<4>;
        __format @ 16 / 24: Chars<200>;
        __rest @ 216 / 224: [u32; 8];
    }
}

abi_struct! {
    /// `struct v4l2_event`: what has happened on a video device.
    pub struct v4l2_event ("struct v4l2_event" / "struct v4l2_event" in "linux/videodev2.h"): 120 / 136 {
        r#type @ 0 / 0: u32;
        __pad1 @ 4 / 4: Pad<0> => Pad<4>;
        u @ 4 / 8: Chars<64>;
        pending @ 68 / 72: u32;
        sequence @ 72 / 76: u32;
        timestamp @ 76 / 80: [Long; 2], truncate;
        id @ 84 / 96: u32;
        reserved @ 88 / 100: [u32; 8];
        __pad2 @ 120 / 132: Pad<0> => Pad<4>;
    }
}

abi_struct! {
    /// `struct v4l2_ext_controls`: a list of controls of a video device.
    pub struct v4l2_ext_controls ("struct v4l2_ext_controls" / "struct v4l2_ext_controls" in "linux/videodev2.h"): 24 / 32 {
        which @ 0 / 0: u32;
        count @ 4 / 4: u32;
        error_idx @ 8 / 8: u32;
        request_fd @ 12 / 12: i32;
        reserved @ 16 / 16: [u32; 1];
        __pad @ 20 / 20: Pad<0> => Pad<4>;
        controls @ 20 / 24: Ptr32;
    }
}

abi_struct! {
    /// `struct ff_effect`: an effect of force feedback. Its kinds are in a union; only the pointer to the samples of a periodic one differs,
    /// and that is at the end of both.
    pub struct ff_effect ("" / "" in "linux/input.h"): 44 / 48 {
        kind @ 0 / 0: [u32; 10];
        custom_data @ 40 / 40: Ptr32, truncate;
    }
}

abi_struct! {
    /// `struct uinput_ff_upload`: an effect of force feedback that the kernel wants to have, and the one in its place before.
    pub struct uinput_ff_upload ("" / "" in "linux/uinput.h"): 96 / 104 {
        request_id @ 0 / 0: u32;
        retval @ 4 / 4: i32;
        effect @ 8 / 8: [u32; 10];
        custom_data @ 48 / 48: Ptr32, truncate;
        old @ 52 / 56: [u32; 10];
        old_custom_data @ 92 / 96: Ptr32, truncate;
    }
}

abi_struct! {
    /// `struct snd_ctl_elem_list`: the names of a sound card's controls.
    pub struct snd_ctl_elem_list ("struct snd_ctl_elem_list" / "struct snd_ctl_elem_list" in "sys/ioctl.h sound/asound.h"): 72 / 80 {
        offset @ 0 / 0: u32;
        space @ 4 / 4: u32;
        used @ 8 / 8: u32;
        count @ 12 / 12: u32;
        pids @ 16 / 16: Ptr32;
        reserved @ 20 / 24: Chars<50>;
        __pad @ 70 / 74: Pad<2> => Pad<6>;
    }
}

abi_struct! {
    /// `struct snd_hwdep_dsp_image`: a program for a sound card's own processor.
    pub struct snd_hwdep_dsp_image ("struct snd_hwdep_dsp_image" / "struct snd_hwdep_dsp_image" in "sys/ioctl.h sound/asound.h"): 80 / 96 {
        index @ 0 / 0: u32;
        name @ 4 / 4: Chars<64>;
        __pad @ 68 / 68: Pad<0> => Pad<4>;
        image @ 68 / 72: Ptr32;
        length @ 72 / 80: ULong;
        driver_data @ 76 / 88: ULong;
    }
}

abi_struct! {
    /// `struct snd_pcm_hw_params`: what a stream of sound can be, or is to be.
    pub struct snd_pcm_hw_params ("struct snd_pcm_hw_params" / "struct snd_pcm_hw_params" in "sys/ioctl.h sound/asound.h"): 604 / 608 {
        flags @ 0 / 0: u32;
        masks @ 4 / 4: Chars<96>;
        mres @ 100 / 100: Chars<160>;
        intervals @ 260 / 260: Chars<144>;
        ires @ 404 / 404: Chars<108>;
        rmask @ 512 / 512: u32;
        cmask @ 516 / 516: u32;
        info @ 520 / 520: u32;
        msbits @ 524 / 524: u32;
        rate_num @ 528 / 528: u32;
        rate_den @ 532 / 532: u32;
        fifo_size @ 536 / 536: ULong, truncate;
        reserved @ 540 / 544: Chars<64>;
    }
}

abi_struct! {
    /// `struct snd_pcm_sw_params`: when a stream of sound starts, stops and wakes.
    pub struct snd_pcm_sw_params ("struct snd_pcm_sw_params" / "struct snd_pcm_sw_params" in "sys/ioctl.h sound/asound.h"): 104 / 136 {
        tstamp_mode @ 0 / 0: i32;
        period_step @ 4 / 4: u32;
        sleep_min @ 8 / 8: u32;
        __pad @ 12 / 12: Pad<0> => Pad<4>;
        avail_min @ 12 / 16: ULong, truncate;
        xfer_align @ 16 / 24: ULong, truncate;
        start_threshold @ 20 / 32: ULong, truncate;
        stop_threshold @ 24 / 40: ULong, truncate;
        silence_threshold @ 28 / 48: ULong, truncate;
        silence_size @ 32 / 56: ULong, truncate;
        boundary @ 36 / 64: ULong, truncate;
        proto @ 40 / 72: u32;
        tstamp_type @ 44 / 76: u32;
        reserved @ 48 / 80: Chars<56>;
    }
}

abi_struct! {
    /// `struct snd_pcm_status`: where a stream of sound is. The kernel cuts what does not fit (`snd_pcm_status_user32`).
    pub struct snd_pcm_status ("struct snd_pcm_status" / "struct snd_pcm_status" in "sys/ioctl.h sound/asound.h"): 108 / 152 {
        state @ 0 / 0: i32;
        __pad1 @ 4 / 4: Pad<0> => Pad<4>;
        trigger_tstamp @ 4 / 8: [Long; 2], truncate;
        tstamp @ 12 / 24: [Long; 2], truncate;
        appl_ptr @ 20 / 40: ULong, truncate;
        hw_ptr @ 24 / 48: ULong, truncate;
        delay @ 28 / 56: Long, truncate;
        avail @ 32 / 64: ULong, truncate;
        avail_max @ 36 / 72: ULong, truncate;
        overrange @ 40 / 80: ULong, truncate;
        suspended_state @ 44 / 88: i32;
        audio_tstamp_data @ 48 / 92: u32;
        audio_tstamp @ 52 / 96: [Long; 2], truncate;
        driver_tstamp @ 60 / 112: [Long; 2], truncate;
        audio_tstamp_accuracy @ 68 / 128: u32;
        __pad2 @ 72 / 132: Pad<36> => Pad<20>;
    }
}

abi_struct! {
    /// `struct snd_pcm_sync_ptr`: where a stream of sound is, for programs that cannot map the page that says so.
    pub struct snd_pcm_sync_ptr ("" / "" in "sound/asound.h"): 132 / 136 {
        flags @ 0 / 0: u32;
        __pad1 @ 4 / 4: Pad<0> => Pad<4>;
        state @ 4 / 8: i32;
        pad1 @ 8 / 12: i32;
        hw_ptr @ 12 / 16: ULong, truncate;
        tstamp @ 16 / 24: [Long; 2], truncate;
        suspended_state @ 24 / 40: i32;
        __pad2 @ 28 / 44: Pad<0> => Pad<4>;
        audio_tstamp @ 28 / 48: [Long; 2], truncate;
        __pad3 @ 36 / 64: Pad<32> => Pad<8>;
        appl_ptr @ 68 / 72: ULong, truncate;
        avail_min @ 72 / 80: ULong, truncate;
        __pad4 @ 76 / 88: Pad<56> => Pad<48>;
    }
}

abi_struct! {
    /// `struct snd_pcm_channel_info`: where the samples of a channel are in a mapped buffer.
    pub struct snd_pcm_channel_info ("struct snd_pcm_channel_info" / "struct snd_pcm_channel_info" in "sys/ioctl.h sound/asound.h"): 16 / 24 {
        channel @ 0 / 0: u32;
        __pad1 @ 4 / 4: Pad<0> => Pad<4>;
        offset @ 4 / 8: ULong, truncate;
        first @ 8 / 16: u32;
        step @ 12 / 20: u32;
    }
}

abi_struct! {
    /// `struct snd_xferi`: frames to be played, or recorded ones, all channels in one buffer.
    pub struct snd_xferi ("struct snd_xferi" / "struct snd_xferi" in "sys/ioctl.h sound/asound.h"): 12 / 24 {
        result @ 0 / 0: Long, truncate;
        buf @ 4 / 8: Ptr32;
        frames @ 8 / 16: ULong;
    }
}

abi_struct! {
    /// `struct snd_xfern`: frames to be played, or recorded ones, with a buffer for each channel.
    pub struct snd_xfern ("struct snd_xfern" / "struct snd_xfern" in "sys/ioctl.h sound/asound.h"): 12 / 24 {
        result @ 0 / 0: Long, truncate;
        bufs @ 4 / 8: Ptr32;
        frames @ 8 / 16: ULong;
    }
}

abi_struct! {
    /// `struct snd_rawmidi_params`: the buffer of a MIDI port.
    pub struct snd_rawmidi_params ("struct snd_rawmidi_params" / "struct snd_rawmidi_params" in "sys/ioctl.h sound/asound.h"): 32 / 48 {
        stream @ 0 / 0: i32;
        __pad1 @ 4 / 4: Pad<0> => Pad<4>;
        buffer_size @ 4 / 8: ULong;
        avail_min @ 8 / 16: ULong;
        flags @ 12 / 24: u32;
        mode @ 16 / 28: u32;
        reserved @ 20 / 32: Chars<12>;
        __pad2 @ 32 / 44: Pad<0> => Pad<4>;
    }
}

abi_struct! {
    /// `struct snd_rawmidi_status`: what is in the buffer of a MIDI port.
    pub struct snd_rawmidi_status ("struct snd_rawmidi_status" / "struct snd_rawmidi_status" in "sys/ioctl.h sound/asound.h"): 36 / 56 {
        stream @ 0 / 0: i32;
        __pad1 @ 4 / 4: Pad<0> => Pad<4>;
        tstamp @ 4 / 8: [Long; 2], truncate;
        avail @ 12 / 24: ULong, truncate;
        xruns @ 16 / 32: ULong, truncate;
        reserved @ 20 / 40: Chars<16>;
    }
}

abi_struct! {
    /// `struct snd_timer_gparams`: the period of a timer of a sound card.
    pub struct snd_timer_gparams ("struct snd_timer_gparams" / "struct snd_timer_gparams" in "sys/ioctl.h sound/asound.h"): 60 / 72 {
        tid @ 0 / 0: Chars<20>;
        __pad @ 20 / 20: Pad<0> => Pad<4>;
        period_num @ 20 / 24: ULong;
        period_den @ 24 / 32: ULong;
        reserved @ 28 / 40: Chars<32>;
    }
}

abi_struct! {
    /// `struct snd_timer_info`: a timer of a sound card.
    pub struct snd_timer_info ("struct snd_timer_info" / "struct snd_timer_info" in "sys/ioctl.h sound/asound.h"): 224 / 232 {
        flags @ 0 / 0: u32;
        card @ 4 / 4: i32;
        id @ 8 / 8: Chars<64>;
        name @ 72 / 72: Chars<80>;
        reserved0 @ 152 / 152: ULong, truncate;
        resolution @ 156 / 160: ULong, truncate;
        reserved @ 160 / 168: Chars<64>;
    }
}

abi_struct! {
    /// `struct snd_ctl_elem_info`: what values an element of a mixer may have; some kinds have longs in `value`.
    pub struct snd_ctl_elem_info ("struct snd_ctl_elem_info" / "struct snd_ctl_elem_info" in "sys/ioctl.h sound/asound.h"): 272 / 272 {
        id @ 0 / 0: Chars<64>;
        r#type @ 64 / 64: u32;
        access @ 68 / 68: u32;
        count @ 72 / 72: u32;
        owner @ 76 / 76: i32;
        value @ 80 / 80: Chars<128>;
        reserved @ 208 / 208: Chars<64>;
    }
}

abi_struct! {
    /// `struct snd_ctl_elem_value`: the values of an element of a mixer, of which some kinds are longs.
    pub struct snd_ctl_elem_value ("struct snd_ctl_elem_value" / "struct snd_ctl_elem_value" in "sys/ioctl.h sound/asound.h"): 708 / 1224 {
        id @ 0 / 0: Chars<64>;
        __pad @ 64 / 64: Pad<4> => Pad<8>;
        value @ 68 / 72: Pad<512> => Pad<1024>;
        reserved @ 580 / 1096: Chars<128>;
    }
}

abi_struct! {
    /// `struct snd_seq_port_info`: a port of the sequencer.
    pub struct snd_seq_port_info ("struct snd_seq_port_info" / "struct snd_seq_port_info" in "sys/ioctl.h sound/asound.h sound/asequencer.h"): 164 / 168 {
        addr @ 0 / 0: [u8; 2];
        name @ 2 / 2: Chars<64>;
        __pad1 @ 66 / 66: Pad<2> => Pad<2>;
        capability @ 68 / 68: u32;
        r#type @ 72 / 72: u32;
        midi_channels @ 76 / 76: i32;
        midi_voices @ 80 / 80: i32;
        synth_voices @ 84 / 84: i32;
        read_use @ 88 / 88: i32;
        write_use @ 92 / 92: i32;
        kernel @ 96 / 96: Ptr32, saturate;
        flags @ 100 / 104: u32;
        time_queue @ 104 / 108: u8;
        __reserved @ 105 / 109: Chars<59>;
    }
}

abi_struct! {
    /// `struct drm_version`: a graphics driver's name.
    pub struct drm_version ("struct drm_version" / "struct drm_version" in "drm/drm.h"): 36 / 64 {
        version_major @ 0 / 0: i32;
        version_minor @ 4 / 4: i32;
        version_patchlevel @ 8 / 8: i32;
        __pad @ 12 / 12: Pad<0> => Pad<4>;
        name_len @ 12 / 16: ULong;
        name @ 16 / 24: Ptr32;
        date_len @ 20 / 32: ULong;
        date @ 24 / 40: Ptr32;
        desc_len @ 28 / 48: ULong;
        desc @ 32 / 56: Ptr32;
    }
}

abi_struct! {
    /// `struct drm_unique`: where a graphics device is.
    pub struct drm_unique ("struct drm_unique" / "struct drm_unique" in "drm/drm.h"): 8 / 16 {
        unique_len @ 0 / 0: ULong;
        unique @ 4 / 8: Ptr32;
    }
}

abi_struct! {
    /// `struct drm_wait_vblank_reply`: waiting for the next picture. The request's `signal` is in the place of `tval_sec`.
    pub struct drm_wait_vblank ("struct drm_wait_vblank_reply" / "struct drm_wait_vblank_reply" in "drm/drm.h"): 16 / 24 {
        r#type @ 0 / 0: u32;
        sequence @ 4 / 4: u32;
        tval_sec @ 8 / 8: Long, truncate;
        tval_usec @ 12 / 16: Long;
    }
}

abi_struct! {
    /// `struct drm_mode_get_plane_res`: the planes of a graphics device.
    pub struct drm_mode_get_plane_res ("struct drm_mode_get_plane_res" / "struct drm_mode_get_plane_res" in "drm/drm.h"): 12 / 16 {
        plane_id_ptr @ 0 / 0: U64;
        count_planes @ 8 / 8: u32;
        __pad @ 12 / 12: Pad<0> => Pad<4>;
    }
}

abi_struct! {
    /// `struct drm_mode_fb_cmd2`: a picture in memory.
    pub struct drm_mode_fb_cmd2 ("struct drm_mode_fb_cmd2" / "struct drm_mode_fb_cmd2" in "drm/drm.h"): 100 / 104 {
        fb_id @ 0 / 0: u32;
        width @ 4 / 4: u32;
        height @ 8 / 8: u32;
        pixel_format @ 12 / 12: u32;
        flags @ 16 / 16: u32;
        handles @ 20 / 20: [u32; 4];
        pitches @ 36 / 36: [u32; 4];
        offsets @ 52 / 52: [u32; 4];
        __pad @ 68 / 68: Pad<0> => Pad<4>;
        modifier @ 68 / 72: [U64; 4];
    }
}

abi_struct! {
    /// `struct drm_mode_obj_get_properties`: the properties of a part of a graphics device.
    pub struct drm_mode_obj_get_properties ("struct drm_mode_obj_get_properties" / "struct drm_mode_obj_get_properties" in "drm/drm.h"): 28 / 32 {
        props_ptr @ 0 / 0: U64;
        prop_values_ptr @ 8 / 8: U64;
        count_props @ 16 / 16: u32;
        obj_id @ 20 / 20: u32;
        obj_type @ 24 / 24: u32;
        __pad @ 28 / 28: Pad<0> => Pad<4>;
    }
}

abi_struct! {
    /// `struct drm_mode_obj_set_property`: a property of a part of a graphics device.
    pub struct drm_mode_obj_set_property ("struct drm_mode_obj_set_property" / "struct drm_mode_obj_set_property" in "drm/drm.h"): 20 / 24 {
        value @ 0 / 0: U64;
        prop_id @ 8 / 8: u32;
        obj_id @ 12 / 12: u32;
        obj_type @ 16 / 16: u32;
        __pad @ 20 / 20: Pad<0> => Pad<4>;
    }
}

abi_struct! {
    /// `struct __fat_dirent`: a name in a directory of a FAT file system.
    pub struct fat_dirent ("struct __fat_dirent" / "struct __fat_dirent" in "linux/msdos_fs.h"): 268 / 280 {
        d_ino @ 0 / 0: Long;
        d_off @ 4 / 8: Long;
        d_reclen @ 8 / 16: u16;
        d_name @ 10 / 18: Chars<256>;
        __pad1 @ 266 / 274: Pad<2> => Pad<6>;
    }
}

abi_struct! {
    /// The short and the long name of a file there.
    pub struct fat_dirent_pair ("" / "" in ""): 536 / 560 {
        names @ 0 / 0: [fat_dirent::Guest32; 2];
    }
}

abi_struct! {
    /// `struct kvm_dirty_log`: which pages of a virtual machine's memory were written; `compat_kvm_dirty_log`.
    pub struct kvm_dirty_log ("struct kvm_dirty_log" / "struct kvm_dirty_log" in "linux/kvm.h"): 16 / 16 {
        slot @ 0 / 0: u32;
        padding1 @ 4 / 4: u32;
        dirty_bitmap @ 8 / 8: Ptr32;
        __pad1 @ 12 / 16: Pad<4> => Pad<0>;
    }
}

abi_struct! {
    /// `struct kvm_clear_dirty_log`: which of them are to be looked at again; `compat_kvm_clear_dirty_log`.
    pub struct kvm_clear_dirty_log ("struct kvm_clear_dirty_log" / "struct kvm_clear_dirty_log" in "linux/kvm.h"): 24 / 24 {
        slot @ 0 / 0: u32;
        num_pages @ 4 / 4: u32;
        first_page @ 8 / 8: U64;
        dirty_bitmap @ 16 / 16: Ptr32;
        __pad1 @ 20 / 24: Pad<4> => Pad<0>;
    }
}

abi_struct! {
    /// `struct kvm_msr_filter_range`: which model-specific registers a filter is about.
    pub struct kvm_msr_filter_range ("struct kvm_msr_filter_range" / "struct kvm_msr_filter_range" in "linux/kvm.h"): 16 / 24 {
        flags @ 0 / 0: u32;
        nmsrs @ 4 / 4: u32;
        base @ 8 / 8: u32;
        __pad1 @ 12 / 12: Pad<0> => Pad<4>;
        bitmap @ 12 / 16: Ptr32;
    }
}

abi_struct! {
    /// `struct kvm_msr_filter`: which accesses to model-specific registers the program decides; `kvm_msr_filter_compat`.
    pub struct kvm_msr_filter ("struct kvm_msr_filter" / "struct kvm_msr_filter" in "linux/kvm.h"): 260 / 392 {
        flags @ 0 / 0: u32;
        __pad1 @ 4 / 4: Pad<0> => Pad<4>;
        ranges @ 4 / 8: [kvm_msr_filter_range::Guest32; 16];
    }
}

abi_struct! {
    /// `struct btrfs_ioctl_timespec`: a time, which the kernel has without its last 4 bytes for 32-bit programs.
    pub struct btrfs_ioctl_timespec ("struct btrfs_ioctl_timespec" / "struct btrfs_ioctl_timespec" in "linux/btrfs.h"): 12 / 16 {
        sec @ 0 / 0: U64;
        nsec @ 8 / 8: u32;
        __pad1 @ 12 / 12: Pad<0> => Pad<4>;
    }
}

abi_struct! {
    /// `struct btrfs_ioctl_received_subvol_args`: from what a subvolume was received.
    pub struct btrfs_ioctl_received_subvol_args ("struct btrfs_ioctl_received_subvol_args" / "struct btrfs_ioctl_received_subvol_args" in "linux/btrfs.h"): 192 / 200 {
        uuid @ 0 / 0: [u8; 16];
        stransid @ 16 / 16: U64;
        rtransid @ 24 / 24: U64;
        stime @ 32 / 32: btrfs_ioctl_timespec::Guest32;
        rtime @ 44 / 48: btrfs_ioctl_timespec::Guest32;
        flags @ 56 / 64: U64;
        reserved @ 64 / 72: [U64; 16];
    }
}

abi_struct! {
    /// `struct btrfs_ioctl_send_args`: what is to be sent, and what the receiver has.
    pub struct btrfs_ioctl_send_args ("struct btrfs_ioctl_send_args" / "struct btrfs_ioctl_send_args" in "linux/btrfs.h"): 68 / 72 {
        send_fd @ 0 / 0: I64;
        clone_sources_count @ 8 / 8: U64;
        clone_sources @ 16 / 16: Ptr32;
        parent_root @ 20 / 24: U64;
        flags @ 28 / 32: U64;
        version @ 36 / 40: u32;
        reserved @ 40 / 44: [u8; 28];
    }
}

abi_struct! {
    /// `struct comedi_chaninfo`: the ranges of the channels of a subdevice.
    pub struct comedi_chaninfo ("struct comedi_chaninfo" / "struct comedi_chaninfo" in "linux/comedi.h"): 32 / 48 {
        subdev @ 0 / 0: u32;
        __pad1 @ 4 / 4: Pad<0> => Pad<4>;
        maxdata_list @ 4 / 8: Ptr32;
        flaglist @ 8 / 16: Ptr32;
        rangelist @ 12 / 24: Ptr32;
        unused @ 16 / 32: [u32; 4];
    }
}

abi_struct! {
    /// `struct comedi_rangeinfo`: what a range means.
    pub struct comedi_rangeinfo ("struct comedi_rangeinfo" / "struct comedi_rangeinfo" in "linux/comedi.h"): 8 / 16 {
        range_type @ 0 / 0: u32;
        __pad1 @ 4 / 4: Pad<0> => Pad<4>;
        range_ptr @ 4 / 8: Ptr32;
    }
}

abi_struct! {
    /// `struct comedi_cmd`: a measurement over time.
    pub struct comedi_cmd ("struct comedi_cmd" / "struct comedi_cmd" in "linux/comedi.h"): 64 / 80 {
        subdev @ 0 / 0: u32;
        flags @ 4 / 4: u32;
        start_src @ 8 / 8: u32;
        start_arg @ 12 / 12: u32;
        scan_begin_src @ 16 / 16: u32;
        scan_begin_arg @ 20 / 20: u32;
        convert_src @ 24 / 24: u32;
        convert_arg @ 28 / 28: u32;
        scan_end_src @ 32 / 32: u32;
        scan_end_arg @ 36 / 36: u32;
        stop_src @ 40 / 40: u32;
        stop_arg @ 44 / 44: u32;
        chanlist @ 48 / 48: Ptr32;
        chanlist_len @ 52 / 56: u32;
        __pad1 @ 56 / 60: Pad<0> => Pad<4>;
        data @ 56 / 64: Ptr32;
        data_len @ 60 / 72: u32;
        __pad2 @ 64 / 76: Pad<0> => Pad<4>;
    }
}

abi_struct! {
    /// `struct comedi_insn`: one reading or writing.
    pub struct comedi_insn ("struct comedi_insn" / "struct comedi_insn" in "linux/comedi.h"): 32 / 40 {
        insn @ 0 / 0: u32;
        n @ 4 / 4: u32;
        data @ 8 / 8: Ptr32;
        subdev @ 12 / 16: u32;
        chanspec @ 16 / 20: u32;
        unused @ 20 / 24: [u32; 3];
        __pad1 @ 32 / 36: Pad<0> => Pad<4>;
    }
}

abi_struct! {
    /// `struct comedi_insnlist`: several of them.
    pub struct comedi_insnlist ("struct comedi_insnlist" / "struct comedi_insnlist" in "linux/comedi.h"): 8 / 16 {
        n_insns @ 0 / 0: u32;
        __pad1 @ 4 / 4: Pad<0> => Pad<4>;
        insns @ 4 / 8: Ptr32;
    }
}

abi_struct! {
    /// `struct dtv_properties`: an array of `struct dtv_property`.
    pub struct dtv_properties ("struct dtv_properties" / "struct dtv_properties" in "linux/dvb/frontend.h"): 8 / 16 {
        num @ 0 / 0: u32;
        __pad1 @ 4 / 4: Pad<0> => Pad<4>;
        props @ 4 / 8: Ptr32;
    }
}

abi_struct! {
    /// The longest member of the union in `struct dtv_property`.
    pub struct dtv_property_buffer ("" / "" in ""): 52 / 56 {
        data @ 0 / 0: [u8; 32];
        len @ 32 / 32: u32;
        reserved1 @ 36 / 36: [u32; 3];
        reserved2 @ 48 / 48: UnalignedPtr32;
    }
}

abi_struct! {
    /// `struct dtv_property`: one property of a frontend.
    pub struct dtv_property ("struct dtv_property" / "struct dtv_property" in "linux/dvb/frontend.h"): 72 / 76 {
        cmd @ 0 / 0: u32;
        reserved @ 4 / 4: [u32; 3];
        u @ 16 / 16: dtv_property_buffer::Guest32;
        result @ 68 / 72: i32;
    }
}

abi_struct! {
    /// `struct ipmi_msg`: a message.
    pub struct ipmi_msg ("struct ipmi_msg" / "struct ipmi_msg" in "linux/ipmi.h"): 8 / 16 {
        netfn @ 0 / 0: u8;
        cmd @ 1 / 1: u8;
        data_len @ 2 / 2: u16;
        __pad1 @ 4 / 4: Pad<0> => Pad<4>;
        data @ 4 / 8: Ptr32;
    }
}

abi_struct! {
    /// `struct ipmi_req`: a message to a controller.
    pub struct ipmi_req ("struct ipmi_req" / "struct ipmi_req" in "linux/ipmi.h"): 20 / 40 {
        addr @ 0 / 0: Ptr32;
        addr_len @ 4 / 8: u32;
        __pad1 @ 8 / 12: Pad<0> => Pad<4>;
        msgid @ 8 / 16: Long;
        msg @ 12 / 24: ipmi_msg::Guest32;
    }
}

abi_struct! {
    /// `struct ipmi_req_settime`: a message with times of its own.
    pub struct ipmi_req_settime ("struct ipmi_req_settime" / "struct ipmi_req_settime" in "linux/ipmi.h"): 28 / 48 {
        req @ 0 / 0: ipmi_req::Guest32;
        retries @ 20 / 40: i32;
        retry_time_ms @ 24 / 44: u32;
    }
}

abi_struct! {
    /// `struct ipmi_recv`: a message from a controller.
    pub struct ipmi_recv ("struct ipmi_recv" / "struct ipmi_recv" in "linux/ipmi.h"): 24 / 48 {
        recv_type @ 0 / 0: i32;
        __pad1 @ 4 / 4: Pad<0> => Pad<4>;
        addr @ 4 / 8: Ptr32;
        addr_len @ 8 / 16: u32;
        __pad2 @ 12 / 20: Pad<0> => Pad<4>;
        msgid @ 12 / 24: Long, truncate;
        msg @ 16 / 32: ipmi_msg::Guest32;
    }
}

abi_struct! {
    /// `struct mtd_oob_buf`: data beside a page of flash memory.
    pub struct mtd_oob_buf ("struct mtd_oob_buf" / "struct mtd_oob_buf" in "mtd/mtd-abi.h"): 12 / 16 {
        start @ 0 / 0: u32;
        length @ 4 / 4: u32;
        ptr @ 8 / 8: Ptr32;
    }
}

abi_struct! {
    /// `struct nvme_user_io`: a reading or writing of blocks.
    pub struct nvme_user_io ("struct nvme_user_io" / "struct nvme_user_io" in "linux/nvme_ioctl.h"): 44 / 48 {
        opcode @ 0 / 0: u8;
        flags @ 1 / 1: u8;
        control @ 2 / 2: u16;
        nblocks @ 4 / 4: u16;
        rsvd @ 6 / 6: u16;
        metadata @ 8 / 8: U64;
        addr @ 16 / 16: U64;
        slba @ 24 / 24: U64;
        dsmgmt @ 32 / 32: u32;
        reftag @ 36 / 36: u32;
        apptag @ 40 / 40: u16;
        appmask @ 42 / 42: u16;
        __pad1 @ 44 / 44: Pad<0> => Pad<4>;
    }
}

abi_struct! {
    /// `struct ppp_option_data`: an option of a compressor.
    pub struct ppp_option_data ("struct ppp_option_data" / "struct ppp_option_data" in "linux/ppp-ioctl.h"): 12 / 16 {
        ptr @ 0 / 0: Ptr32;
        length @ 4 / 8: u32;
        transmit @ 8 / 12: i32;
    }
}

abi_struct! {
    /// `struct ppp_idle`: seconds since the last packet.
    pub struct ppp_idle ("struct ppp_idle32" / "struct ppp_idle64" in "linux/ppp_defs.h"): 8 / 16 {
        xmit_idle @ 0 / 0: Long, truncate;
        recv_idle @ 4 / 8: Long, truncate;
    }
}

abi_struct! {
    /// `struct usbtmc_ctrlrequest`: a control request.
    pub struct usbtmc_ctrlrequest ("struct usbtmc_ctrlrequest" / "struct usbtmc_ctrlrequest" in "linux/usb/tmc.h"): 12 / 16 {
        req @ 0 / 0: [u8; 8];
        data @ 8 / 8: Ptr32;
    }
}

abi_struct! {
    /// `struct usbtmc_message`: a transfer.
    pub struct usbtmc_message ("struct usbtmc_message" / "struct usbtmc_message" in "linux/usb/tmc.h"): 16 / 20 {
        transfer_size @ 0 / 0: u32;
        transferred @ 4 / 4: u32;
        flags @ 8 / 8: u32;
        message @ 12 / 12: UnalignedPtr32;
    }
}

abi_struct! {
    /// `struct pps_ktime`: a time.
    pub struct pps_ktime ("struct pps_ktime" / "struct pps_ktime" in "linux/pps.h"): 16 / 16 {
        sec @ 0 / 0: I64;
        nsec @ 8 / 8: i32;
        flags @ 12 / 12: u32;
    }
}

abi_struct! {
    /// `struct pps_kinfo`: the last pulses.
    pub struct pps_kinfo ("struct pps_kinfo" / "struct pps_kinfo" in "linux/pps.h"): 44 / 48 {
        assert_sequence @ 0 / 0: u32;
        clear_sequence @ 4 / 4: u32;
        assert_tu @ 8 / 8: pps_ktime::Guest32;
        clear_tu @ 24 / 24: pps_ktime::Guest32;
        current_mode @ 40 / 40: i32;
        __pad1 @ 44 / 44: Pad<0> => Pad<4>;
    }
}

abi_struct! {
    /// `struct pps_fdata`: the last pulses, and how long to wait for them; `pps_fdata_compat`.
    pub struct pps_fdata ("struct pps_fdata" / "struct pps_fdata" in "linux/pps.h"): 60 / 64 {
        info @ 0 / 0: pps_kinfo::Guest32;
        timeout @ 44 / 48: pps_ktime::Guest32;
    }
}

abi_struct! {
    /// `struct mtget`: a tape's state, st(4).
    pub struct mtget ("struct mtget" / "struct mtget" in "linux/mtio.h"): 28 / 48 {
        mt_type @ 0 / 0: Long, truncate;
        mt_resid @ 4 / 8: Long, truncate;
        mt_dsreg @ 8 / 16: Long, truncate;
        mt_gstat @ 12 / 24: Long, truncate;
        mt_erreg @ 16 / 32: Long, truncate;
        mt_fileno @ 20 / 40: i32;
        mt_blkno @ 24 / 44: i32;
    }
}

abi_struct! {
    /// `struct drm_i915_getparam`: a parameter of Intel's graphics driver, the one structure of a driver with a pointer.
    pub struct drm_i915_getparam ("struct drm_i915_getparam" / "struct drm_i915_getparam" in "drm/i915_drm.h"): 8 / 16 {
        param @ 0 / 0: i32;
        __pad1 @ 4 / 4: Pad<0> => Pad<4>;
        value @ 4 / 8: Ptr32;
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
    usbdevfs_ctrltransfer::Guest32::LAYOUT,
    usbdevfs_bulktransfer::Guest32::LAYOUT,
    usbdevfs_urb::Guest32::LAYOUT,
    usbdevfs_ioctl::Guest32::LAYOUT,
    usbdevfs_disconnectsignal::Guest32::LAYOUT,
    i2c_smbus_ioctl_data::Guest32::LAYOUT,
    i2c_rdwr_ioctl_data::Guest32::LAYOUT,
    i2c_msg::Guest32::LAYOUT,
    media_links_enum::Guest32::LAYOUT,
    v4l2_input::Guest32::LAYOUT,
    v4l2_standard::Guest32::LAYOUT,
    v4l2_edid::Guest32::LAYOUT,
    v4l2_format::Guest32::LAYOUT,
    v4l2_buffer::Guest32::LAYOUT,
    v4l2_plane::Guest32::LAYOUT,
    v4l2_create_buffers::Guest32::LAYOUT,
    v4l2_event::Guest32::LAYOUT,
    v4l2_ext_controls::Guest32::LAYOUT,
    ff_effect::Guest32::LAYOUT,
    uinput_ff_upload::Guest32::LAYOUT,
    snd_ctl_elem_list::Guest32::LAYOUT,
    snd_hwdep_dsp_image::Guest32::LAYOUT,
    snd_pcm_hw_params::Guest32::LAYOUT,
    snd_pcm_sw_params::Guest32::LAYOUT,
    snd_pcm_status::Guest32::LAYOUT,
    snd_pcm_sync_ptr::Guest32::LAYOUT,
    snd_pcm_channel_info::Guest32::LAYOUT,
    snd_xferi::Guest32::LAYOUT,
    snd_xfern::Guest32::LAYOUT,
    snd_rawmidi_params::Guest32::LAYOUT,
    snd_rawmidi_status::Guest32::LAYOUT,
    snd_timer_gparams::Guest32::LAYOUT,
    snd_timer_info::Guest32::LAYOUT,
    snd_ctl_elem_info::Guest32::LAYOUT,
    snd_ctl_elem_value::Guest32::LAYOUT,
    snd_seq_port_info::Guest32::LAYOUT,
    drm_version::Guest32::LAYOUT,
    drm_unique::Guest32::LAYOUT,
    drm_wait_vblank::Guest32::LAYOUT,
    drm_mode_get_plane_res::Guest32::LAYOUT,
    drm_mode_fb_cmd2::Guest32::LAYOUT,
    drm_mode_obj_get_properties::Guest32::LAYOUT,
    drm_mode_obj_set_property::Guest32::LAYOUT,
    fat_dirent::Guest32::LAYOUT,
    fat_dirent_pair::Guest32::LAYOUT,
    kvm_dirty_log::Guest32::LAYOUT,
    kvm_clear_dirty_log::Guest32::LAYOUT,
    kvm_msr_filter_range::Guest32::LAYOUT,
    kvm_msr_filter::Guest32::LAYOUT,
    btrfs_ioctl_timespec::Guest32::LAYOUT,
    btrfs_ioctl_received_subvol_args::Guest32::LAYOUT,
    btrfs_ioctl_send_args::Guest32::LAYOUT,
    comedi_chaninfo::Guest32::LAYOUT,
    comedi_rangeinfo::Guest32::LAYOUT,
    comedi_cmd::Guest32::LAYOUT,
    comedi_insn::Guest32::LAYOUT,
    comedi_insnlist::Guest32::LAYOUT,
    dtv_properties::Guest32::LAYOUT,
    dtv_property_buffer::Guest32::LAYOUT,
    dtv_property::Guest32::LAYOUT,
    ipmi_msg::Guest32::LAYOUT,
    ipmi_req::Guest32::LAYOUT,
    ipmi_req_settime::Guest32::LAYOUT,
    ipmi_recv::Guest32::LAYOUT,
    mtd_oob_buf::Guest32::LAYOUT,
    nvme_user_io::Guest32::LAYOUT,
    ppp_option_data::Guest32::LAYOUT,
    ppp_idle::Guest32::LAYOUT,
    usbtmc_ctrlrequest::Guest32::LAYOUT,
    usbtmc_message::Guest32::LAYOUT,
    pps_ktime::Guest32::LAYOUT,
    pps_kinfo::Guest32::LAYOUT,
    pps_fdata::Guest32::LAYOUT,
    mtget::Guest32::LAYOUT,
    drm_i915_getparam::Guest32::LAYOUT,
];
