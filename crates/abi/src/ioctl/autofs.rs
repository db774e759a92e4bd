//! Automounters: linux/auto_fs.h and linux/auto_dev-ioctl.h.

use crate::structs::ioctl::ulong;

ioctl_rows! {
    ["linux/types.h", "linux/ioctl.h", "linux/auto_fs.h"] {
        0x9360 AUTOFS_IOC_READY value;
        0x9361 AUTOFS_IOC_FAIL value;
        0x9362 AUTOFS_IOC_CATATONIC none;
        0x80049363 AUTOFS_IOC_PROTOVER out(4 "int");
        0xc0049364 / 0xc0089364 AUTOFS_IOC_SETTIMEOUT inout[ulong];
        0x40049366 AUTOFS_IOC_EXPIRE_MULTI in(4 "int");
        0x80049367 AUTOFS_IOC_PROTOSUBVER out(4 "int");
        0x80049370 AUTOFS_IOC_ASKUMOUNT out(4 "int");
    }
    ["linux/types.h", "linux/ioctl.h", "linux/auto_dev-ioctl.h"] {
        0xc0189371 AUTOFS_DEV_IOCTL_VERSION inout(24 "struct autofs_dev_ioctl");
        0xc0189372 AUTOFS_DEV_IOCTL_PROTOVER inout(24 "struct autofs_dev_ioctl");
        0xc0189373 AUTOFS_DEV_IOCTL_PROTOSUBVER inout(24 "struct autofs_dev_ioctl");
        0xc0189374 AUTOFS_DEV_IOCTL_OPENMOUNT inout(24 "struct autofs_dev_ioctl");
        0xc0189375 AUTOFS_DEV_IOCTL_CLOSEMOUNT inout(24 "struct autofs_dev_ioctl");
        0xc0189376 AUTOFS_DEV_IOCTL_READY inout(24 "struct autofs_dev_ioctl");
        0xc0189377 AUTOFS_DEV_IOCTL_FAIL inout(24 "struct autofs_dev_ioctl");
        0xc0189378 AUTOFS_DEV_IOCTL_SETPIPEFD inout(24 "struct autofs_dev_ioctl");
        0xc0189379 AUTOFS_DEV_IOCTL_CATATONIC inout(24 "struct autofs_dev_ioctl");
        0xc018937a AUTOFS_DEV_IOCTL_TIMEOUT inout(24 "struct autofs_dev_ioctl");
        0xc018937b AUTOFS_DEV_IOCTL_REQUESTER inout(24 "struct autofs_dev_ioctl");
        0xc018937c AUTOFS_DEV_IOCTL_EXPIRE inout(24 "struct autofs_dev_ioctl");
        0xc018937d AUTOFS_DEV_IOCTL_ASKUMOUNT inout(24 "struct autofs_dev_ioctl");
        0xc018937e AUTOFS_DEV_IOCTL_ISMOUNTPOINT inout(24 "struct autofs_dev_ioctl");
    }
}
