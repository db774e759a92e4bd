//! Infrared remote controls: linux/lirc.h.

ioctl_rows! {
    ["linux/types.h", "linux/ioctl.h", "linux/lirc.h"] {
        0x80046900 LIRC_GET_FEATURES out(4 "__u32");
        0x80046901 LIRC_GET_SEND_MODE out(4 "__u32");
        0x80046902 LIRC_GET_REC_MODE out(4 "__u32");
        0x80046907 LIRC_GET_REC_RESOLUTION out(4 "__u32");
        0x80046908 LIRC_GET_MIN_TIMEOUT out(4 "__u32");
        0x80046909 LIRC_GET_MAX_TIMEOUT out(4 "__u32");
        0x8004690f LIRC_GET_LENGTH out(4 "__u32");
        0x40046911 LIRC_SET_SEND_MODE in(4 "__u32");
        0x40046912 LIRC_SET_REC_MODE in(4 "__u32");
        0x40046913 LIRC_SET_SEND_CARRIER in(4 "__u32");
        0x40046914 LIRC_SET_REC_CARRIER in(4 "__u32");
        0x40046915 LIRC_SET_SEND_DUTY_CYCLE in(4 "__u32");
        0x40046917 LIRC_SET_TRANSMITTER_MASK in(4 "__u32");
        0x40046918 LIRC_SET_REC_TIMEOUT in(4 "__u32");
        0x40046919 LIRC_SET_REC_TIMEOUT_REPORTS in(4 "__u32");
        0x4004691d LIRC_SET_MEASURE_CARRIER_MODE in(4 "__u32");
        0x40046923 LIRC_SET_WIDEBAND_RECEIVER in(4 "__u32");
        0x80046924 LIRC_GET_REC_TIMEOUT out(4 "__u32");
    }
}
