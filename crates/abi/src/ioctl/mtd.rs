//! Flash memory: mtd/mtd-abi.h and mtd/ubi-user.h.

use crate::structs::ioctl::mtd_oob_buf;

ioctl_rows! {
    ["linux/types.h", "linux/ioctl.h", "mtd/mtd-abi.h"] {
        0x80204d01 MEMGETINFO out(32 "struct mtd_info_user");
        0x40084d02 MEMERASE in(8 "struct erase_info_user");
        0xc00c4d03 / 0xc0104d03 MEMWRITEOOB inout[mtd_oob_buf];
        0xc00c4d04 / 0xc0104d04 MEMREADOOB inout[mtd_oob_buf];
        0x40084d05 MEMLOCK in(8 "struct erase_info_user");
        0x40084d06 MEMUNLOCK in(8 "struct erase_info_user");
        0x80044d07 MEMGETREGIONCOUNT out(4 "int");
        0xc0104d08 MEMGETREGIONINFO inout(16 "struct region_info_user");
        0x80c84d0a MEMGETOOBSEL out(200 "struct nand_oobinfo");
        0x40084d0b MEMGETBADBLOCK in(8 "__kernel_loff_t");
        0x40084d0c MEMSETBADBLOCK in(8 "__kernel_loff_t");
        0x80044d0d OTPSELECT out(4 "int");
        0x40044d0e OTPGETREGIONCOUNT in(4 "int");
        0x400c4d0f OTPGETREGIONINFO in(12 "struct otp_info");
        0x800c4d10 OTPLOCK out(12 "struct otp_info");
        0x81484d11 ECCGETLAYOUT out(328 "struct nand_ecclayout_user");
        0x80104d12 ECCGETSTATS out(16 "struct mtd_ecc_stats");
        0x4d13 MTDFILEMODE value;
        0x40104d14 MEMERASE64 in(16 "struct erase_info_user64");
        0xc0184d15 MEMWRITEOOB64 inout(24 "struct mtd_oob_buf64");
        0xc0184d16 MEMREADOOB64 inout(24 "struct mtd_oob_buf64");
        0x80084d17 MEMISLOCKED out(8 "struct erase_info_user");
        0xc0304d18 MEMWRITE inout(48 "struct mtd_write_req");
        0x400c4d19 OTPERASE in(12 "struct otp_info");
        0xc03c4d1a / 0xc0404d1a MEMREAD refused "natively the kernel does not know it either";
    }
    ["linux/types.h", "linux/ioctl.h", "mtd/ubi-user.h"] {
        0x40986f00 UBI_IOCMKVOL in(152 "struct ubi_mkvol_req");
        0x40046f01 UBI_IOCRMVOL in(4 "__s32");
        0x400c6f02 UBI_IOCRSVOL in(12 "struct ubi_rsvol_req");
        0x51106f03 UBI_IOCRNVOL in(4368 "struct ubi_rnvol_req");
        0x40046f04 UBI_IOCRPEB in(4 "__s32");
        0x40046f05 UBI_IOCSPEB in(4 "__s32");
        0x40186f40 UBI_IOCATT in(24 "struct ubi_attach_req");
        0x40046f41 UBI_IOCDET in(4 "__s32");
        0x40084f00 UBI_IOCVOLUP in(8 "__s64");
        0x40044f01 UBI_IOCEBER in(4 "__s32");
        0x40044f02 UBI_IOCEBCH in(4 "__s32");
        0x40084f03 UBI_IOCEBMAP in(8 "struct ubi_map_req");
        0x40044f04 UBI_IOCEBUNMAP in(4 "__s32");
        0x80044f05 UBI_IOCEBISMAP out(4 "__s32");
        0x40104f06 UBI_IOCSETVOLPROP in(16 "struct ubi_set_vol_prop_req");
        0x40804f07 UBI_IOCVOLCRBLK in(128 "struct ubi_blkcreate_req");
        0x4f08 UBI_IOCVOLRMBLK none;
    }
}
