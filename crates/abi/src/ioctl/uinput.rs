//! Input devices that programs make: linux/uinput.h.

use crate::structs::ioctl::uinput_ff_upload;

ioctl_rows! {
    ["linux/uinput.h"] {
        0x5501 UI_DEV_CREATE none;
        0x5502 UI_DEV_DESTROY none;
        0x405c5503 UI_DEV_SETUP in(92 "struct uinput_setup");
        0x401c5504 UI_ABS_SETUP in(28 "struct uinput_abs_setup");
        0x40045564 UI_SET_EVBIT value;
        0x40045565 UI_SET_KEYBIT value;
        0x40045566 UI_SET_RELBIT value;
        0x40045567 UI_SET_ABSBIT value;
        0x40045568 UI_SET_MSCBIT value;
        0x40045569 UI_SET_LEDBIT value;
        0x4004556a UI_SET_SNDBIT value;
        0x4004556b UI_SET_FFBIT value;
        0x4004556c / 0x4008556c UI_SET_PHYS in(0 "char");
        0x4004556d UI_SET_SWBIT value;
        0x4004556e UI_SET_PROPBIT value;
        0xc06055c8 / 0xc06855c8 UI_BEGIN_FF_UPLOAD inout[uinput_ff_upload];
        0x406055c9 / 0x406855c9 UI_END_FF_UPLOAD in[uinput_ff_upload];
        0xc00c55ca UI_BEGIN_FF_ERASE inout(12 "struct uinput_ff_erase");
        0x400c55cb UI_END_FF_ERASE in(12 "struct uinput_ff_erase");
        0x8004552d UI_GET_VERSION out(4 "unsigned int");
        0x8000552c UI_GET_SYSNAME = "UI_GET_SYSNAME(0)" out(0 "char");
    }
}
