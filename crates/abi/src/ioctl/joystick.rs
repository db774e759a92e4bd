//! Joysticks: linux/joystick.h.

ioctl_rows! {
    ["linux/types.h", "linux/ioctl.h", "linux/joystick.h"] {
        0x80046a01 JSIOCGVERSION out(4 "__u32");
        0x80016a11 JSIOCGAXES out(1 "__u8");
        0x80016a12 JSIOCGBUTTONS out(1 "__u8");
        0x40246a21 JSIOCSCORR in(36 "struct js_corr");
        0x80246a22 JSIOCGCORR out(36 "struct js_corr");
        0x80406a32 JSIOCGAXMAP out(64 "__u8[ABS_CNT]");
        0x40406a31 JSIOCSAXMAP in(64 "__u8[ABS_CNT]");
        0x84006a34 JSIOCGBTNMAP out(1024 "__u16[KEY_MAX - BTN_MISC + 1]");
        0x44006a33 JSIOCSBTNMAP in(1024 "__u16[KEY_MAX - BTN_MISC + 1]");
        0x80006a13 JSIOCGNAME = "JSIOCGNAME(0)" out(0 "char");
    }
}
