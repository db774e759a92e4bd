//! USB devices: linux/usbdevice_fs.h. The directions in the numbers are the wrong way round.

use crate::structs::ioctl::{
    ulong, usbdevfs_bulktransfer, usbdevfs_ctrltransfer, usbdevfs_disconnectsignal, usbdevfs_ioctl, usbdevfs_urb,
};

ioctl_rows! {
    ["sys/ioctl.h", "linux/usbdevice_fs.h"] {
        0xc0105500 / 0xc0185500 USBDEVFS_CONTROL in[usbdevfs_ctrltransfer];
        0xc0105502 / 0xc0185502 USBDEVFS_BULK in[usbdevfs_bulktransfer];
        0x80045503 USBDEVFS_RESETEP in(4 "unsigned int");
        0x80085504 USBDEVFS_SETINTERFACE in(8 "struct usbdevfs_setinterface");
        0x80045505 USBDEVFS_SETCONFIGURATION in(4 "unsigned int");
        0x41045508 USBDEVFS_GETDRIVER inout(260 "struct usbdevfs_getdriver");
        0x802c550a / 0x8038550a USBDEVFS_SUBMITURB special[usbdevfs_urb];
        0x550b USBDEVFS_DISCARDURB special[usbdevfs_urb];
        0x4004550c / 0x4008550c USBDEVFS_REAPURB special[ulong];
        0x4004550d / 0x4008550d USBDEVFS_REAPURBNDELAY special[ulong];
        0x8008550e / 0x8010550e USBDEVFS_DISCSIGNAL in[usbdevfs_disconnectsignal];
        0x8004550f USBDEVFS_CLAIMINTERFACE in(4 "unsigned int");
        0x80045510 USBDEVFS_RELEASEINTERFACE in(4 "unsigned int");
        0x40085511 USBDEVFS_CONNECTINFO out(8 "struct usbdevfs_connectinfo");
        0xc00c5512 / 0xc0105512 USBDEVFS_IOCTL in[usbdevfs_ioctl];
        0x80805513 USBDEVFS_HUB_PORTINFO out(128 "struct usbdevfs_hub_portinfo");
        0x5514 USBDEVFS_RESET none;
        0x80045515 USBDEVFS_CLEAR_HALT in(4 "unsigned int");
        0x5516 USBDEVFS_DISCONNECT none;
        0x5517 USBDEVFS_CONNECT none;
        0x80045518 USBDEVFS_CLAIM_PORT in(4 "unsigned int");
        0x80045519 USBDEVFS_RELEASE_PORT in(4 "unsigned int");
        0x8004551a USBDEVFS_GET_CAPABILITIES out(4 "__u32");
        0x8108551b USBDEVFS_DISCONNECT_CLAIM in(264 "struct usbdevfs_disconnect_claim");
        0x8008551c USBDEVFS_ALLOC_STREAMS in(8 "struct usbdevfs_streams");
        0x8008551d USBDEVFS_FREE_STREAMS in(8 "struct usbdevfs_streams");
        0x4004551e USBDEVFS_DROP_PRIVILEGES in(4 "__u32");
        0x551f USBDEVFS_GET_SPEED none;
        0x5521 USBDEVFS_FORBID_SUSPEND none;
        0x5522 USBDEVFS_ALLOW_SUSPEND none;
        0x5523 USBDEVFS_WAIT_FOR_RESUME none;
    }
}
