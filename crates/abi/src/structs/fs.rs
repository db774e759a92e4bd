//! `stat(2)`, `statfs(2)`, directory entries, quotas: what the kernel says about files.
//!
//! The two `struct stat` of i386 and the one of x86-64 hold the same fields in different orders, so their rows name the host's
//! order too. Whether a value that does not fit is an error differs from field to field (`cp_compat_stat` in `fs/stat.c`,
//! `cp_stat64` in `arch/x86/kernel/sys_ia32.c`): that is each field's policy.

use crate::scalar::Unsigned as _;
use crate::scalar::U16As32;
use crate::structs::{I64, Layout, Long, Narrow, Overflow, Pad, Row, SameLayout, U16As64, U64, ULong, Widen};
use crate::trace::TraceValue;
use core::fmt;

/// A structure row whose host type has its fields in another order. Where only one side has a field, the other side has it as
/// `Pad<0>`.
macro_rules! reordered_struct {
    ( $(#[$doc:meta])* pub struct $name:ident ($c32:literal / $c64:literal in $header:literal): $size32:literal / $size64:literal {
        $( $field:ident @ $o32:literal / $o64:literal : $g:ty => $h:ty $(, $policy:ident)? ; )*
    } host { $( $host_field:ident: $host_type:ty ),* $(,)? } ) => {
        $(#[$doc])*
        pub mod $name {
            use super::*;
            use crate::structs::{Guest, FieldLayout};

            /// The layout in the 32-bit guest.
            #[derive(Clone, Copy, Default, Debug, PartialEq, Eq,
                     ::zerocopy::FromBytes, ::zerocopy::IntoBytes, ::zerocopy::Immutable, ::zerocopy::KnownLayout)]
            #[repr(C)]
            #[allow(missing_docs)]
            pub struct Guest32 { $(pub $field: $g,)* }

            /// The layout on the 64-bit host.
            #[derive(Clone, Copy, Default, Debug, PartialEq, Eq,
                     ::zerocopy::FromBytes, ::zerocopy::IntoBytes, ::zerocopy::Immutable, ::zerocopy::KnownLayout)]
            #[repr(C)]
            #[allow(missing_docs)]
            pub struct Host64 { $(pub $host_field: $host_type,)* }

            const _: () = {
                assert!(size_of::<Guest32>() == $size32, concat!(stringify!($name), ": wrong 32-bit size"));
                assert!(size_of::<Host64>() == $size64, concat!(stringify!($name), ": wrong 64-bit size"));
                $( assert!(core::mem::offset_of!(Guest32, $field) == $o32, concat!(stringify!($name), ".", stringify!($field), ": wrong 32-bit offset"));
                   assert!(core::mem::offset_of!(Host64, $field) == $o64, concat!(stringify!($name), ".", stringify!($field), ": wrong 64-bit offset")); )*
            };

            impl Guest for Guest32 { type Host = Host64; }
            impl Row for Guest32 {
                const LAYOUT: Layout = Layout {
                    name: stringify!($name), c32: $c32, c64: $c64, header: $header, size32: $size32, size64: $size64,
                    fields: &[ $( FieldLayout {
                        name: stringify!($field), offset32: $o32, offset64: $o64, size32: size_of::<$g>(), size64: size_of::<$h>(),
                    }, )* ],
                    comes_back: crate::structs::there_and_back::<Guest32, Host64>,
                };
            }
            impl Widen<Host64> for Guest32 {
                fn widen(self) -> Host64 {
                    let mut host = Host64::default();
                    $( let $field: $h = self.$field.widen(); host.$field = $field; )*
                    host
                }
            }
            impl Narrow<Guest32> for Host64 {
                fn narrow(self) -> Result<Guest32, Overflow> {
                    Ok(Guest32 { $( $field: $crate::abi_struct!(@narrow self.$field, $field $(, $policy)?), )* })
                }
                fn saturate(self) -> Guest32 { Guest32 { $( $field: self.$field.saturate(), )* } }
                fn truncate(self) -> Guest32 { Guest32 { $( $field: self.$field.truncate(), )* } }
            }
            impl TraceValue for Guest32 {
                fn trace(&self, out: &mut dyn fmt::Write) -> fmt::Result {
                    let mut fields = crate::trace::Fields::new(out);
                    $( fields.field(stringify!($field), &{ self.$field })?; )*
                    fields.end()
                }
            }
        }
    };
}

/// What a 16-bit user or group id shows where the real one has more bits (`DEFAULT_OVERFLOWUID` in `linux/highuid.h`).
pub const OVERFLOW_ID: u32 = 65534;

/// Largest file that a program without large-file support may see (`MAX_NON_LFS` in `linux/fs.h`).
pub const MAX_NON_LFS: i64 = 0x7fff_ffff;

/// `high2lowuid` in `linux/highuid.h`.
fn low_id(id: u32) -> u32 {
    if id > 0xffff { OVERFLOW_ID } else { id }
}

reordered_struct! {
    /// The `struct stat` of the calls `stat`, `lstat` and `fstat`, stat(2).
    pub struct stat ("struct stat" / "struct stat" in "asm/stat.h"): 64 / 144 {
        st_dev @ 0 / 0: ULong => u64, truncate;
        st_ino @ 4 / 8: ULong => u64;
        st_mode @ 8 / 24: U16As32 => u32, truncate;
        st_nlink @ 10 / 16: U16As64 => u64;
        st_uid @ 12 / 28: U16As32 => u32, truncate;
        st_gid @ 14 / 32: U16As32 => u32, truncate;
        st_rdev @ 16 / 40: ULong => u64, truncate;
        st_size @ 20 / 48: Long => i64;
        st_blksize @ 24 / 56: Long => i64, truncate;
        st_blocks @ 28 / 64: Long => i64, truncate;
        st_atime @ 32 / 72: Long => i64, truncate;
        st_atime_nsec @ 36 / 80: ULong => u64, truncate;
        st_mtime @ 40 / 88: Long => i64, truncate;
        st_mtime_nsec @ 44 / 96: ULong => u64, truncate;
        st_ctime @ 48 / 104: Long => i64, truncate;
        st_ctime_nsec @ 52 / 112: ULong => u64, truncate;
        __unused4 @ 56 / 120: Pad<4> => Pad<0>;
        __unused5 @ 60 / 120: Pad<4> => Pad<0>;
    } host {
        st_dev: u64, st_ino: u64, st_nlink: u64, st_mode: u32, st_uid: u32, st_gid: u32, __pad0: Pad<4>, st_rdev: u64, st_size: i64,
        st_blksize: i64, st_blocks: i64, st_atime: i64, st_atime_nsec: u64, st_mtime: i64, st_mtime_nsec: u64, st_ctime: i64,
        st_ctime_nsec: u64, __unused4: Pad<0>, __unused5: Pad<0>, __unused: [Pad<8>; 3],
    }
}

impl stat::Guest32 {
    /// As `cp_compat_stat` in `fs/stat.c` fills it: inode number, link count and size must fit.
    ///
    /// # Errors
    /// The field that does not fit, for `EOVERFLOW`.
    pub fn from_host(mut host: stat::Host64) -> Result<Self, Overflow> {
        host.st_uid = low_id(host.st_uid);
        host.st_gid = low_id(host.st_gid);
        host.narrow()
    }
}

/// The low half of an inode number, which `struct stat64` has in the place where the inode number once was.
#[derive(
    Clone,
    Copy,
    Default,
    Debug,
    PartialEq,
    Eq,
    zerocopy::FromBytes,
    zerocopy::IntoBytes,
    zerocopy::Immutable,
    zerocopy::KnownLayout,
)]
#[repr(transparent)]
pub struct LowInode(pub u32);
impl Widen<Pad<0>> for LowInode {
    fn widen(self) -> Pad<0> {
        Pad::default()
    }
}
impl Narrow<LowInode> for Pad<0> {
    fn narrow(self) -> Result<LowInode, Overflow> {
        Ok(LowInode(0))
    }
    fn saturate(self) -> LowInode {
        LowInode(0)
    }
    fn truncate(self) -> LowInode {
        LowInode(0)
    }
}
impl TraceValue for LowInode {
    fn trace(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        self.0.trace(out)
    }
}

reordered_struct! {
    /// The `struct stat64` of the calls `stat64`, `lstat64`, `fstat64` and `fstatat64`, stat(2). Nothing in it overflows: sizes and
    /// inode numbers have 64 bits, and the times are cut off.
    pub struct stat64 ("struct stat64" / "struct stat" in "asm/stat.h"): 96 / 144 {
        st_dev @ 0 / 0: U64 => u64;
        __pad0 @ 8 / 36: Pad<4> => Pad<4>;
        __st_ino @ 12 / 120: LowInode => Pad<0>;
        st_mode @ 16 / 24: u32 => u32;
        st_nlink @ 20 / 16: ULong => u64, truncate;
        st_uid @ 24 / 28: u32 => u32;
        st_gid @ 28 / 32: u32 => u32;
        st_rdev @ 32 / 40: U64 => u64;
        __pad3 @ 40 / 120: Pad<4> => Pad<0>;
        st_size @ 44 / 48: I64 => i64;
        st_blksize @ 52 / 56: Long => i64, truncate;
        st_blocks @ 56 / 64: I64 => i64;
        st_atime @ 64 / 72: Long => i64, truncate;
        st_atime_nsec @ 68 / 80: ULong => u64, truncate;
        st_mtime @ 72 / 88: Long => i64, truncate;
        st_mtime_nsec @ 76 / 96: ULong => u64, truncate;
        st_ctime @ 80 / 104: Long => i64, truncate;
        st_ctime_nsec @ 84 / 112: ULong => u64, truncate;
        st_ino @ 88 / 8: U64 => u64;
    } host {
        st_dev: u64, st_ino: u64, st_nlink: u64, st_mode: u32, st_uid: u32, st_gid: u32, __pad0: Pad<4>, st_rdev: u64, st_size: i64,
        st_blksize: i64, st_blocks: i64, st_atime: i64, st_atime_nsec: u64, st_mtime: i64, st_mtime_nsec: u64, st_ctime: i64,
        st_ctime_nsec: u64, __st_ino: Pad<0>, __pad3: Pad<0>, __unused: [Pad<8>; 3],
    }
}

impl stat64::Guest32 {
    /// As `cp_stat64` in `arch/x86/kernel/sys_ia32.c` fills it.
    #[must_use]
    pub fn from_host(host: stat64::Host64) -> Self {
        let inode: ULong = host.st_ino.truncate();
        Self { __st_ino: LowInode(inode.0), ..host.truncate() }
    }
}

abi_struct! {
    /// The first `struct stat`, of the calls `oldstat`, `oldlstat` and `oldfstat`.
    pub struct __old_kernel_stat ("struct __old_kernel_stat" / "struct __old_kernel_stat" in "asm/stat.h"): 32 / 32 {
        st_dev @ 0 / 0: u16;
        st_ino @ 2 / 2: u16;
        st_mode @ 4 / 4: u16;
        st_nlink @ 6 / 6: u16;
        st_uid @ 8 / 8: u16;
        st_gid @ 10 / 10: u16;
        st_rdev @ 12 / 12: u16;
        __pad0 @ 14 / 14: Pad<2> => Pad<2>;
        st_size @ 16 / 16: u32;
        st_atime @ 20 / 20: u32;
        st_mtime @ 24 / 24: u32;
        st_ctime @ 28 / 28: u32;
    }
}
impl SameLayout for __old_kernel_stat::Guest32 {}

impl __old_kernel_stat::Guest32 {
    /// As `cp_old_stat` in `fs/stat.c` of a 64-bit kernel fills it: inode number and link count must fit, the size is cut off.
    ///
    /// # Errors
    /// The field that does not fit, for `EOVERFLOW`.
    pub fn from_host(host: &stat::Host64) -> Result<Self, Overflow> {
        let short = |value: u32| -> u16 { Narrow::<U16As32>::truncate(value).0 };
        let word = |value: i64| -> u32 { Narrow::<ULong>::truncate(value.unsigned()).0 };
        let fits = |value: u64, field| u16::try_from(value).map_err(|_| Overflow { field });
        Ok(Self {
            st_dev: old_device(host.st_dev),
            st_ino: fits(host.st_ino, "st_ino")?,
            st_mode: short(host.st_mode),
            st_nlink: fits(host.st_nlink, "st_nlink")?,
            st_uid: short(low_id(host.st_uid)),
            st_gid: short(low_id(host.st_gid)),
            st_rdev: old_device(host.st_rdev),
            st_size: word(host.st_size),
            st_atime: word(host.st_atime),
            st_mtime: word(host.st_mtime),
            st_ctime: word(host.st_ctime),
            ..Self::default()
        })
    }
}

/// `old_encode_dev` of what `new_encode_dev` made (`linux/kdev_t.h`): 8 bits of major and minor number each, the rest lost.
fn old_device(new: u64) -> u16 {
    let major = new >> 8 & 0xff;
    let minor = new & 0xff;
    u16::try_from(major << 8 | minor).unwrap_or(u16::MAX)
}

abi_struct! {
    /// `struct statfs`, statfs(2).
    pub struct statfs ("struct statfs" / "struct statfs" in "asm/statfs.h"): 64 / 120 {
        f_type @ 0 / 0: ULong, truncate;
        f_bsize @ 4 / 8: ULong;
        f_blocks @ 8 / 16: ULong;
        f_bfree @ 12 / 24: ULong;
        f_bavail @ 16 / 32: ULong;
        f_files @ 20 / 40: ULong;
        f_ffree @ 24 / 48: ULong;
        f_fsid @ 28 / 56: [i32; 2];
        f_namelen @ 36 / 64: ULong, truncate;
        f_frsize @ 40 / 72: ULong;
        f_flags @ 44 / 80: ULong, truncate;
        f_spare @ 48 / 88: Pad<16> => Pad<32>;
    }
}

impl statfs::Guest32 {
    /// As `put_compat_statfs` in `fs/statfs.c` fills it: counts and sizes must fit, but a number of files of -1 ("unknown") stays -1.
    ///
    /// # Errors
    /// The field that does not fit, for `EOVERFLOW`.
    pub fn from_host(mut host: statfs::Host64) -> Result<Self, Overflow> {
        for files in [&mut host.f_files, &mut host.f_ffree] {
            if *files == u64::MAX {
                *files = u64::from(u32::MAX);
            }
        }
        host.narrow()
    }
}

abi_struct! {
    /// `struct statfs64`, statfs(2).
    pub struct statfs64 ("struct statfs64" / "struct statfs64" in "asm/statfs.h"): 84 / 120 {
        f_type @ 0 / 0: ULong, truncate;
        f_bsize @ 4 / 8: ULong;
        f_blocks @ 8 / 16: U64;
        f_bfree @ 16 / 24: U64;
        f_bavail @ 24 / 32: U64;
        f_files @ 32 / 40: U64;
        f_ffree @ 40 / 48: U64;
        f_fsid @ 48 / 56: [i32; 2];
        f_namelen @ 56 / 64: ULong, truncate;
        f_frsize @ 60 / 72: ULong;
        f_flags @ 64 / 80: ULong, truncate;
        f_spare @ 68 / 88: Pad<16> => Pad<32>;
    }
}

abi_struct! {
    /// `struct ustat`, ustat(2).
    pub struct ustat ("" / "" in ""): 20 / 32 {
        f_tfree @ 0 / 0: i32;
        __pad0 @ 4 / 4: Pad<0> => Pad<4>;
        f_tinode @ 4 / 8: ULong, truncate;
        f_fname @ 8 / 16: [u8; 6];
        f_fpack @ 14 / 22: [u8; 6];
        __pad1 @ 20 / 28: Pad<0> => Pad<4>;
    }
}

abi_struct! {
    /// The head of a directory entry of `getdents` and `readdir`; the name begins at [`LINUX_DIRENT_NAME32`].
    pub struct linux_dirent ("" / "" in ""): 12 / 24 {
        d_ino @ 0 / 0: ULong;
        d_off @ 4 / 8: ULong, truncate;
        d_reclen @ 8 / 16: u16;
        __d_name @ 10 / 18: Pad<2> => Pad<6>;
    }
}
/// Offset of the name in a directory entry of `getdents` and `readdir`.
pub const LINUX_DIRENT_NAME32: usize = 10;

abi_struct! {
    /// The head of a directory entry of `getdents64`; the name begins at offset 19 on both sides.
    pub struct linux_dirent64 ("" / "" in ""): 20 / 24 {
        d_ino @ 0 / 0: U64;
        d_off @ 8 / 8: I64;
        d_reclen @ 16 / 16: u16;
        d_type @ 18 / 18: u8;
        __d_name @ 19 / 19: Pad<1> => Pad<5>;
    }
}
/// Offset of the name in a directory entry of `getdents64`.
pub const LINUX_DIRENT64_NAME: usize = 19;

abi_struct! {
    /// `struct utimbuf`, utime(2).
    pub struct utimbuf ("struct utimbuf" / "struct utimbuf" in "linux/utime.h"): 8 / 16 {
        actime @ 0 / 0: Long;
        modtime @ 4 / 8: Long;
    }
}

abi_struct! {
    /// Limits and use of a user or group, quotactl(2) `Q_GETQUOTA` and `Q_SETQUOTA`.
    pub struct if_dqblk ("struct if_dqblk" / "struct if_dqblk" in "linux/quota.h"): 68 / 72 {
        dqb_bhardlimit @ 0 / 0: U64;
        dqb_bsoftlimit @ 8 / 8: U64;
        dqb_curspace @ 16 / 16: U64;
        dqb_ihardlimit @ 24 / 24: U64;
        dqb_isoftlimit @ 32 / 32: U64;
        dqb_curinodes @ 40 / 40: U64;
        dqb_btime @ 48 / 48: U64;
        dqb_itime @ 56 / 56: U64;
        dqb_valid @ 64 / 64: u32;
        __pad0 @ 68 / 68: Pad<0> => Pad<4>;
    }
}

abi_struct! {
    /// Quota file of an XFS file system, part of [`fs_quota_stat`].
    pub struct fs_qfilestat ("struct fs_qfilestat" / "struct fs_qfilestat" in "linux/dqblk_xfs.h"): 20 / 24 {
        qfs_ino @ 0 / 0: U64;
        qfs_nblks @ 8 / 8: U64;
        qfs_nextents @ 16 / 16: u32;
        __pad0 @ 20 / 20: Pad<0> => Pad<4>;
    }
}

abi_struct! {
    /// State of an XFS file system's quotas, quotactl(2) `Q_XGETQSTAT`.
    pub struct fs_quota_stat ("struct fs_quota_stat" / "struct fs_quota_stat" in "linux/dqblk_xfs.h"): 68 / 80 {
        qs_version @ 0 / 0: i8;
        __pad0 @ 1 / 1: Pad<1> => Pad<1>;
        qs_flags @ 2 / 2: u16;
        qs_pad @ 4 / 4: i8;
        __pad1 @ 5 / 5: Pad<3> => Pad<3>;
        qs_uquota @ 8 / 8: fs_qfilestat::Guest32;
        qs_gquota @ 28 / 32: fs_qfilestat::Guest32;
        qs_incoredqs @ 48 / 56: u32;
        qs_btimelimit @ 52 / 60: i32;
        qs_itimelimit @ 56 / 64: i32;
        qs_rtbtimelimit @ 60 / 68: i32;
        qs_bwarnlimit @ 64 / 72: u16;
        qs_iwarnlimit @ 66 / 74: u16;
        __pad2 @ 68 / 76: Pad<0> => Pad<4>;
    }
}

abi_struct! {
    /// A point in time of [`struct statx`](statx).
    pub struct statx_timestamp ("struct statx_timestamp" / "struct statx_timestamp" in "linux/stat.h"): 16 / 16 {
        tv_sec @ 0 / 0: I64;
        tv_nsec @ 8 / 8: u32;
        __reserved @ 12 / 12: Pad<4> => Pad<4>;
    }
}
impl SameLayout for statx_timestamp::Guest32 {}

abi_struct! {
    /// `struct statx`, statx(2): made so that every ABI has the same.
    pub struct statx ("struct statx" / "struct statx" in "linux/stat.h"): 256 / 256 {
        stx_mask @ 0 / 0: u32;
        stx_blksize @ 4 / 4: u32;
        stx_attributes @ 8 / 8: U64;
        stx_nlink @ 16 / 16: u32;
        stx_uid @ 20 / 20: u32;
        stx_gid @ 24 / 24: u32;
        stx_mode @ 28 / 28: u16;
        __spare0 @ 30 / 30: Pad<2> => Pad<2>;
        stx_ino @ 32 / 32: U64;
        stx_size @ 40 / 40: U64;
        stx_blocks @ 48 / 48: U64;
        stx_attributes_mask @ 56 / 56: U64;
        stx_atime @ 64 / 64: statx_timestamp::Guest32;
        stx_btime @ 80 / 80: statx_timestamp::Guest32;
        stx_ctime @ 96 / 96: statx_timestamp::Guest32;
        stx_mtime @ 112 / 112: statx_timestamp::Guest32;
        stx_rdev_major @ 128 / 128: u32;
        stx_rdev_minor @ 132 / 132: u32;
        stx_dev_major @ 136 / 136: u32;
        stx_dev_minor @ 140 / 140: u32;
        stx_mnt_id @ 144 / 144: U64;
        stx_dio_mem_align @ 152 / 152: u32;
        stx_dio_offset_align @ 156 / 156: u32;
        __spare3 @ 160 / 160: Pad<96> => Pad<96>;
    }
}
impl SameLayout for statx::Guest32 {}

abi_struct! {
    /// How to open, openat2(2).
    pub struct open_how ("struct open_how" / "struct open_how" in "linux/openat2.h"): 24 / 24 {
        flags @ 0 / 0: U64;
        mode @ 8 / 8: U64;
        resolve @ 16 / 16: U64;
    }
}
impl SameLayout for open_how::Guest32 {}

abi_struct! {
    /// What to change of a mount, mount_setattr(2).
    pub struct mount_attr ("struct mount_attr" / "struct mount_attr" in "linux/mount.h"): 32 / 32 {
        attr_set @ 0 / 0: U64;
        attr_clr @ 8 / 8: U64;
        propagation @ 16 / 16: U64;
        userns_fd @ 24 / 24: U64;
    }
}
impl SameLayout for mount_attr::Guest32 {}

abi_struct! {
    /// The head of a file handle, name_to_handle_at(2).
    pub struct file_handle ("" / "" in ""): 8 / 8 {
        handle_bytes @ 0 / 0: u32;
        handle_type @ 4 / 4: i32;
    }
}
impl SameLayout for file_handle::Guest32 {}

/// Every row of this file.
pub const LAYOUTS: &[Layout] = &[
    stat::Guest32::LAYOUT,
    stat64::Guest32::LAYOUT,
    __old_kernel_stat::Guest32::LAYOUT,
    statfs::Guest32::LAYOUT,
    statfs64::Guest32::LAYOUT,
    ustat::Guest32::LAYOUT,
    linux_dirent::Guest32::LAYOUT,
    linux_dirent64::Guest32::LAYOUT,
    utimbuf::Guest32::LAYOUT,
    if_dqblk::Guest32::LAYOUT,
    fs_qfilestat::Guest32::LAYOUT,
    fs_quota_stat::Guest32::LAYOUT,
    statx_timestamp::Guest32::LAYOUT,
    statx::Guest32::LAYOUT,
    open_how::Guest32::LAYOUT,
    mount_attr::Guest32::LAYOUT,
    file_handle::Guest32::LAYOUT,
];
