//! Consoles and keyboards: ioctl_console(2).

use crate::structs::ioctl::{console_font_op, consolefontdesc, unimapdesc};

ioctl_rows! {
    ["linux/kd.h", "linux/vt.h"] {
        0x4b6c PIO_FONTX in[consolefontdesc];
        0x4b6b GIO_FONTX inout[consolefontdesc];
        0x4b6d PIO_FONTRESET none;
        0x4b70 GIO_CMAP out(48 "char[48]");
        0x4b71 PIO_CMAP in(48 "char[48]");
        0x4b2f KIOCSOUND value;
        0x4b30 KDMKTONE value;
        0x4b31 KDGETLED out(1 "char");
        0x4b32 KDSETLED value;
        0x4b33 KDGKBTYPE out(1 "char");
        0x4b34 KDADDIO value;
        0x4b35 KDDELIO value;
        0x4b36 KDENABIO none;
        0x4b37 KDDISABIO none;
        0x4b3a KDSETMODE value;
        0x4b3b KDGETMODE out(4 "int");
        0x4b3c KDMAPDISP value;
        0x4b3d KDUNMAPDISP value;
        0x4b40 GIO_SCRNMAP out(256 "unsigned char[256]");
        0x4b41 PIO_SCRNMAP in(256 "unsigned char[256]");
        0x4b69 GIO_UNISCRNMAP out(512 "unsigned short[256]");
        0x4b6a PIO_UNISCRNMAP in(512 "unsigned short[256]");
        0x4b66 GIO_UNIMAP inout[unimapdesc];
        0x4b67 PIO_UNIMAP in[unimapdesc];
        0x4b68 PIO_UNIMAPCLR in(6 "struct unimapinit");
        0x4b44 KDGKBMODE out(4 "int");
        0x4b45 KDSKBMODE value;
        0x4b62 KDGKBMETA out(4 "int");
        0x4b63 KDSKBMETA value;
        0x4b64 KDGKBLED out(1 "char");
        0x4b65 KDSKBLED value;
        0x4b46 KDGKBENT inout(4 "struct kbentry");
        0x4b47 KDSKBENT in(4 "struct kbentry");
        0x4b48 KDGKBSENT inout(513 "struct kbsentry");
        0x4b49 KDSKBSENT in(513 "struct kbsentry");
        0x4b4a KDGKBDIACR out(772 "struct kbdiacrs");
        0x4b4b KDSKBDIACR in(772 "struct kbdiacrs");
        0x4bfa KDGKBDIACRUC out(3076 "struct kbdiacrsuc");
        0x4bfb KDSKBDIACRUC in(3076 "struct kbdiacrsuc");
        0x4b4c KDGETKEYCODE inout(8 "struct kbkeycode");
        0x4b4d KDSETKEYCODE in(8 "struct kbkeycode");
        0x4b4e KDSIGACCEPT value;
        0x4b52 KDKBDREP inout(8 "struct kbd_repeat");
        0x4b72 KDFONTOP inout[console_font_op];
        0x5600 VT_OPENQRY out(4 "int");
        0x5601 VT_GETMODE out(8 "struct vt_mode");
        0x5602 VT_SETMODE in(8 "struct vt_mode");
        0x5603 VT_GETSTATE out(6 "struct vt_stat");
        0x5604 VT_SENDSIG value;
        0x5605 VT_RELDISP value;
        0x5606 VT_ACTIVATE value;
        0x5607 VT_WAITACTIVE value;
        0x5608 VT_DISALLOCATE value;
        0x5609 VT_RESIZE in(6 "struct vt_sizes");
        0x560a VT_RESIZEX in(12 "struct vt_consize");
        0x560b VT_LOCKSWITCH none;
        0x560c VT_UNLOCKSWITCH none;
        0x560d VT_GETHIFONTMASK out(2 "short");
        0x560e VT_WAITEVENT inout(28 "struct vt_event");
        0x560f VT_SETACTIVATE in(12 "struct vt_setactivate");
    }
}
