//! Block devices and disks: linux/fs.h, linux/hdreg.h, linux/blkpg.h.

use crate::structs::ioctl::{blkpg_ioctl_arg, hd_geometry, ulong};

ioctl_rows! {
    ["linux/types.h", "linux/fs.h"] {
        0x125d BLKROSET in(4 "int");
        0x125e BLKROGET out(4 "int");
        0x125f BLKRRPART none;
        0x1260 BLKGETSIZE special[ulong];
        0x1261 BLKFLSBUF none;
        0x1262 BLKRASET value;
        0x1264 BLKFRASET value;
        0x1263 BLKRAGET out[ulong];
        0x1265 BLKFRAGET out[ulong];
        0x1267 BLKSECTGET out(2 "unsigned short");
        0x1268 BLKSSZGET out(4 "int");
        0x80041270 / 0x80081270 BLKBSZGET out(4 "int");
        0x40041271 / 0x40081271 BLKBSZSET in(4 "int");
        0x80041272 / 0x80081272 BLKGETSIZE64 out(8 "__u64");
        0x1277 BLKDISCARD in(16 "__u64[2]");
        0x127d BLKSECDISCARD in(16 "__u64[2]");
        0x127f BLKZEROOUT in(16 "__u64[2]");
        0x1278 BLKIOMIN out(4 "unsigned int");
        0x1279 BLKIOOPT out(4 "unsigned int");
        0x127b BLKPBSZGET out(4 "unsigned int");
        0x127c BLKDISCARDZEROES out(4 "unsigned int");
        0x127a BLKALIGNOFF out(4 "int");
        0x127e BLKROTATIONAL out(2 "unsigned short");
        0x80081280 BLKGETDISKSEQ out(8 "__u64");
    }
    ["linux/blkpg.h"] {
        0x1269 BLKPG in[blkpg_ioctl_arg];
    }
    ["linux/types.h", "linux/blkzoned.h"] {
        0xc0101282 BLKREPORTZONE inout(16 "struct blk_zone_report");
        0x40101283 BLKRESETZONE in(16 "struct blk_zone_range");
        0x40101286 BLKOPENZONE in(16 "struct blk_zone_range");
        0x40101287 BLKCLOSEZONE in(16 "struct blk_zone_range");
        0x40101288 BLKFINISHZONE in(16 "struct blk_zone_range");
        0x80041284 BLKGETZONESZ out(4 "__u32");
        0x80041285 BLKGETNRZONES out(4 "__u32");
    }
    ["linux/hdreg.h"] {
        0x0301 HDIO_GETGEO out[hd_geometry];
        0x0302 HDIO_GET_UNMASKINTR out[ulong];
        0x0304 HDIO_GET_MULTCOUNT out[ulong];
        0x0308 HDIO_GET_KEEPSETTINGS out[ulong];
        0x0309 HDIO_GET_32BIT out[ulong];
        0x030a HDIO_GET_NOWERR out[ulong];
        0x030b HDIO_GET_DMA out[ulong];
        0x030c HDIO_GET_NICE out[ulong];
        0x030e HDIO_GET_WCACHE out[ulong];
        0x030f HDIO_GET_ACOUSTIC out[ulong];
        0x0310 HDIO_GET_ADDRESS out[ulong];
        0x030d HDIO_GET_IDENTITY out(512 "struct hd_driveid");
        0x0321 HDIO_SET_MULTCOUNT value;
        0x0322 HDIO_SET_UNMASKINTR value;
        0x0323 HDIO_SET_KEEPSETTINGS value;
        0x0324 HDIO_SET_32BIT value;
        0x0325 HDIO_SET_NOWERR value;
        0x0326 HDIO_SET_DMA value;
        0x0327 HDIO_SET_PIO_MODE value;
        0x0329 HDIO_SET_NICE value;
        0x032b HDIO_SET_WCACHE value;
        0x032c HDIO_SET_ACOUSTIC value;
        0x031f HDIO_DRIVE_CMD inout(4 "unsigned char[4]");
    }
}
