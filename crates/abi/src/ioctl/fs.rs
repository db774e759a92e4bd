//! Files and file systems: ioctl(2) on any file, ioctl_fs(2), and what file systems share.

use crate::structs::ioctl::{fat_dirent_pair, space_resv};

ioctl_rows! {
    ["asm/ioctls.h"] {
        0x541b FIONREAD out(4 "int");
        0x5421 FIONBIO in(4 "int");
        0x5452 FIOASYNC in(4 "int");
        0x5451 FIOCLEX none;
        0x5450 FIONCLEX none;
        0x5460 FIOQSIZE out(8 "long long");
    }
    ["linux/types.h", "linux/fs.h"] {
        0x0001 FIBMAP inout(4 "int");
        0x0002 FIGETBSZ out(4 "int");
        0xc0045877 FIFREEZE inout(4 "int");
        0xc0045878 FITHAW inout(4 "int");
        0xc0185879 FITRIM inout(24 "struct fstrim_range");
        0x40049409 FICLONE value;
        0x4020940d FICLONERANGE in(32 "struct file_clone_range");
        0xc0189436 FIDEDUPERANGE inout(24 "struct file_dedupe_range");
        0x801c581f FS_IOC_FSGETXATTR out(28 "struct fsxattr");
        0x401c5820 FS_IOC_FSSETXATTR in(28 "struct fsxattr");
        0x81009431 FS_IOC_GETFSLABEL out(256 "char[256]");
        0x41009432 FS_IOC_SETFSLABEL in(256 "char[256]");
        0x80046601 / 0x80086601 FS_IOC_GETFLAGS out(4 "int");
        0x80047601 / 0x80087601 FS_IOC_GETVERSION out(4 "int");
        0x40046602 / 0x40086602 FS_IOC_SETFLAGS in(4 "int");
        0x40047602 / 0x40087602 FS_IOC_SETVERSION in(4 "int");
    }
    ["linux/types.h", "linux/fiemap.h", "linux/fs.h"] {
        0xc020660b FS_IOC_FIEMAP inout(32 "struct fiemap");
    }
    ["linux/types.h", "linux/fscrypt.h"] {
        0x800c6613 FS_IOC_SET_ENCRYPTION_POLICY in(12 "struct fscrypt_policy_v1");
        0x40106614 FS_IOC_GET_ENCRYPTION_PWSALT out(16 "__u8[16]");
        0x400c6615 FS_IOC_GET_ENCRYPTION_POLICY out(12 "struct fscrypt_policy_v1");
        0xc0096616 FS_IOC_GET_ENCRYPTION_POLICY_EX inout(9 "__u8[9]");
        0xc0506617 FS_IOC_ADD_ENCRYPTION_KEY inout(80 "struct fscrypt_add_key_arg");
        0xc0406618 FS_IOC_REMOVE_ENCRYPTION_KEY inout(64 "struct fscrypt_remove_key_arg");
        0xc0406619 FS_IOC_REMOVE_ENCRYPTION_KEY_ALL_USERS inout(64 "struct fscrypt_remove_key_arg");
        0xc080661a FS_IOC_GET_ENCRYPTION_KEY_STATUS inout(128 "struct fscrypt_get_key_status_arg");
        0x8010661b FS_IOC_GET_ENCRYPTION_NONCE out(16 "__u8[16]");
    }
    ["linux/types.h", "linux/fsverity.h"] {
        0x40806685 FS_IOC_ENABLE_VERITY in(128 "struct fsverity_enable_arg");
        0xc0046686 FS_IOC_MEASURE_VERITY inout(4 "struct fsverity_digest");
        0xc0286687 FS_IOC_READ_VERITY_METADATA inout(40 "struct fsverity_read_metadata_arg");
    }
    ["linux/types.h", "linux/nsfs.h"] {
        0xb701 NS_GET_USERNS none;
        0xb702 NS_GET_PARENT none;
        0xb703 NS_GET_NSTYPE none;
        0xb704 NS_GET_OWNER_UID out(4 "unsigned int");
    }
    ["linux/ioctl.h", "linux/types.h", "linux/userfaultfd.h"] {
        0xaa00 USERFAULTFD_IOC_NEW value;
        0xc018aa3f UFFDIO_API inout(24 "struct uffdio_api");
        0xc020aa00 UFFDIO_REGISTER inout(32 "struct uffdio_register");
        0x8010aa01 UFFDIO_UNREGISTER in(16 "struct uffdio_range");
        0x8010aa02 UFFDIO_WAKE in(16 "struct uffdio_range");
        0xc028aa03 UFFDIO_COPY inout(40 "struct uffdio_copy");
        0xc020aa04 UFFDIO_ZEROPAGE inout(32 "struct uffdio_zeropage");
        0xc018aa06 UFFDIO_WRITEPROTECT inout(24 "struct uffdio_writeprotect");
        0xc020aa07 UFFDIO_CONTINUE inout(32 "struct uffdio_continue");
    }
    ["linux/types.h", "linux/ioctl.h", "linux/fsmap.h"] {
        0xc0c0583b FS_IOC_GETFSMAP inout(192 "struct fsmap_head");
    }
    ["linux/types.h", "linux/ioctl.h", "linux/msdos_fs.h"] {
        0x82187201 / 0x82307201 VFAT_IOCTL_READDIR_BOTH inout[fat_dirent_pair];
        0x82187202 / 0x82307202 VFAT_IOCTL_READDIR_SHORT inout[fat_dirent_pair];
        0x80047210 FAT_IOCTL_GET_ATTRIBUTES out(4 "__u32");
        0x40047211 FAT_IOCTL_SET_ATTRIBUTES in(4 "__u32");
        0x80047213 FAT_IOCTL_GET_VOLUME_ID out(4 "__u32");
    }
    // Newer than the headers of some distributions.
    ["linux/types.h", "linux/fs.h"] {
        0x80111500 FS_IOC_GETFSUUID = "" out(17 "struct fsuuid2");
        0x80811501 FS_IOC_GETFSSYSFSPATH = "" out(129 "struct fs_sysfs_path");
    }
    // The kernel defines these for its own use; outside, only `xfs_fs.h` does.
    ["linux/falloc.h"] {
        0x402c5828 / 0x40305828 FS_IOC_RESVSP = "" special[space_resv];
        0x402c5829 / 0x40305829 FS_IOC_UNRESVSP = "" special[space_resv];
        0x402c582a / 0x4030582a FS_IOC_RESVSP64 = "" special[space_resv];
        0x402c582b / 0x4030582b FS_IOC_UNRESVSP64 = "" special[space_resv];
        0x402c5839 / 0x40305839 FS_IOC_ZERO_RANGE = "" special[space_resv];
    }
}
