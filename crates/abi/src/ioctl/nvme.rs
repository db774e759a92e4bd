//! NVMe: linux/nvme_ioctl.h.

use crate::structs::ioctl::nvme_user_io;

ioctl_rows! {
    ["linux/ioctl.h", "linux/nvme_ioctl.h"] {
        0x4e40 NVME_IOCTL_ID none;
        0xc0484e41 NVME_IOCTL_ADMIN_CMD inout(72 "struct nvme_admin_cmd");
        0x402c4e42 / 0x40304e42 NVME_IOCTL_SUBMIT_IO in[nvme_user_io];
        0xc0484e43 NVME_IOCTL_IO_CMD inout(72 "struct nvme_passthru_cmd");
        0x4e44 NVME_IOCTL_RESET none;
        0x4e45 NVME_IOCTL_SUBSYS_RESET none;
        0x4e46 NVME_IOCTL_RESCAN none;
        0xc0504e47 NVME_IOCTL_ADMIN64_CMD inout(80 "struct nvme_passthru_cmd64");
        0xc0504e48 NVME_IOCTL_IO64_CMD inout(80 "struct nvme_passthru_cmd64");
        0xc0504e49 NVME_IOCTL_IO64_CMD_VEC inout(80 "struct nvme_passthru_cmd64");
    }
}
