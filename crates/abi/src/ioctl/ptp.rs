//! Clocks: linux/ptp_clock.h and linux/pps.h.

use crate::structs::ioctl::pps_fdata;

ioctl_rows! {
    ["linux/types.h", "linux/ioctl.h", "linux/ptp_clock.h"] {
        0x80503d01 PTP_CLOCK_GETCAPS out(80 "struct ptp_clock_caps");
        0x40103d02 PTP_EXTTS_REQUEST in(16 "struct ptp_extts_request");
        0x40383d03 PTP_PEROUT_REQUEST in(56 "struct ptp_perout_request");
        0x40043d04 PTP_ENABLE_PPS in(4 "int");
        0x43403d05 PTP_SYS_OFFSET in(832 "struct ptp_sys_offset");
        0xc0603d06 PTP_PIN_GETFUNC inout(96 "struct ptp_pin_desc");
        0x40603d07 PTP_PIN_SETFUNC in(96 "struct ptp_pin_desc");
        0xc0403d08 PTP_SYS_OFFSET_PRECISE inout(64 "struct ptp_sys_offset_precise");
        0xc4c03d09 PTP_SYS_OFFSET_EXTENDED inout(1216 "struct ptp_sys_offset_extended");
        0x80503d0a PTP_CLOCK_GETCAPS2 out(80 "struct ptp_clock_caps");
        0x40103d0b PTP_EXTTS_REQUEST2 in(16 "struct ptp_extts_request");
        0x40383d0c PTP_PEROUT_REQUEST2 in(56 "struct ptp_perout_request");
        0x40043d0d PTP_ENABLE_PPS2 in(4 "int");
        0x43403d0e PTP_SYS_OFFSET2 in(832 "struct ptp_sys_offset");
        0xc0603d0f PTP_PIN_GETFUNC2 inout(96 "struct ptp_pin_desc");
        0x40603d10 PTP_PIN_SETFUNC2 in(96 "struct ptp_pin_desc");
        0xc0403d11 PTP_SYS_OFFSET_PRECISE2 inout(64 "struct ptp_sys_offset_precise");
        0xc4c03d12 PTP_SYS_OFFSET_EXTENDED2 inout(1216 "struct ptp_sys_offset_extended");
    }
    ["linux/types.h", "linux/ioctl.h", "linux/pps.h"] {
        0x800470a1 / 0x800870a1 PPS_GETPARAMS out(40 "struct pps_kparams");
        0x400470a2 / 0x400870a2 PPS_SETPARAMS in(40 "struct pps_kparams");
        0x800470a3 / 0x800870a3 PPS_GETCAP out(4 "int");
        0xc00470a4 / 0xc00870a4 PPS_FETCH inout[pps_fdata];
        0x400470a5 / 0x400870a5 PPS_KC_BIND in(12 "struct pps_bind_args");
    }
}
