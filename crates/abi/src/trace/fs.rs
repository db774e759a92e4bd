//! Argument types of the area `fs`.

use crate::named_arg;
use crate::scalar::Signed as _;
use crate::trace::{Arg, Call, flag_names};
use core::fmt::{self, Write};

/// `flags` of open(2): the access mode is a number in the two lowest bits, the rest is flags.
pub struct OpenFlags;
#[allow(missing_docs)]
impl OpenFlags {
    pub const O_CREAT: u32 = 0o100;
    pub const O_EXCL: u32 = 0o200;
    pub const O_TRUNC: u32 = 0o1000;
    pub const O_LARGEFILE: u32 = 0o100_000;
    pub const O_DIRECTORY: u32 = 0o200_000;
    pub const O_NOFOLLOW: u32 = 0o400_000;
    pub const O_PATH: u32 = 0o10_000_000;
}
impl Arg for OpenFlags {
    type Value = u32;
    fn from_register(register: u32) -> u32 {
        register
    }
    fn trace(call: &Call<'_>, index: usize, out: &mut dyn Write) -> fmt::Result {
        open_flags(call.args[index], out)
    }
}

/// `mode` of open(2) and openat(2), which means something only for a file that is made; it follows the flags.
pub struct OpenMode;
impl Arg for OpenMode {
    type Value = u32;
    fn from_register(register: u32) -> u32 {
        register
    }
    fn trace(call: &Call<'_>, index: usize, out: &mut dyn Write) -> fmt::Result {
        const O_TMPFILE_ALONE: u32 = 0o20_000_000;
        let flags = index.checked_sub(1).map_or(0, |flags| call.args[flags]);
        if flags & (OpenFlags::O_CREAT | O_TMPFILE_ALONE) == 0 { Ok(()) } else { super::Mode::trace(call, index, out) }
    }
}

/// Prints the flags of open(2).
///
/// # Errors
/// Whatever `out` returns.
pub fn open_flags(flags: u32, out: &mut dyn Write) -> fmt::Result {
    const NAMES: &[(&str, u32)] = &[
        ("O_TMPFILE", 0o20_200_000),
        ("O_SYNC", 0o4_010_000),
        ("O_CREAT", 0o100),
        ("O_EXCL", 0o200),
        ("O_NOCTTY", 0o400),
        ("O_TRUNC", 0o1000),
        ("O_APPEND", 0o2000),
        ("O_NONBLOCK", 0o4000),
        ("O_DSYNC", 0o10_000),
        ("FASYNC", 0o20_000),
        ("O_DIRECT", 0o40_000),
        ("O_LARGEFILE", 0o100_000),
        ("O_DIRECTORY", 0o200_000),
        ("O_NOFOLLOW", 0o400_000),
        ("O_NOATIME", 0o1_000_000),
        ("O_CLOEXEC", 0o2_000_000),
        ("O_PATH", 0o10_000_000),
    ];
    out.write_str(["O_RDONLY", "O_WRONLY", "O_RDWR", "O_ACCMODE"][(flags & 3) as usize])?;
    if flags & !3 != 0 {
        out.write_char('|')?;
        flag_names(flags & !3, NAMES, out)?;
    }
    Ok(())
}

/// A device number as `mknod` takes it.
pub struct Device;
impl Arg for Device {
    type Value = u32;
    fn from_register(register: u32) -> u32 {
        register
    }
    fn trace(call: &Call<'_>, index: usize, out: &mut dyn Write) -> fmt::Result {
        let device = call.args[index];
        write!(out, "makedev({}, {})", device >> 8 & 0xfff, device & 0xff | device >> 12 & 0xfff00)
    }
}

/// The low half of a 64-bit argument that i386 passes in two registers. Prints the whole number.
pub struct Low64;
impl Arg for Low64 {
    type Value = u32;
    fn from_register(register: u32) -> u32 {
        register
    }
    fn trace(call: &Call<'_>, index: usize, out: &mut dyn Write) -> fmt::Result {
        let high = call.args.get(index + 1).copied().unwrap_or(0);
        write!(out, "{}", (u64::from(call.args[index]) | u64::from(high) << 32).signed())
    }
}

/// The high half that follows a [`Low64`].
pub struct High64;
impl Arg for High64 {
    type Value = u32;
    fn from_register(register: u32) -> u32 {
        register
    }
    fn trace(call: &Call<'_>, index: usize, out: &mut dyn Write) -> fmt::Result {
        // The low half shows both.
        let _ = (call, index, out);
        Ok(())
    }
}

named_arg! {
    /// `mode` of access(2).
    flags AccessMode { F_OK = 0, R_OK = 4, W_OK = 2, X_OK = 1 }
}
named_arg! {
    /// `flags` of the calls ending in `at`.
    flags AtFlags {
        AT_SYMLINK_NOFOLLOW = 0x100, AT_SYMLINK_FOLLOW = 0x400, AT_NO_AUTOMOUNT = 0x800, AT_EMPTY_PATH = 0x1000,
        AT_STATX_FORCE_SYNC = 0x2000, AT_STATX_DONT_SYNC = 0x4000, AT_RECURSIVE = 0x8000,
    }
}
named_arg! {
    /// `flags` of unlinkat(2).
    flags UnlinkFlags { AT_REMOVEDIR = 0x200 }
}
named_arg! {
    /// `flags` of faccessat2(2).
    flags AccessFlags { AT_SYMLINK_NOFOLLOW = 0x100, AT_EACCESS = 0x200, AT_EMPTY_PATH = 0x1000 }
}
named_arg! {
    /// `flags` of name_to_handle_at(2).
    flags HandleFlags { AT_HANDLE_MNT_ID_UNIQUE = 1, AT_HANDLE_CONNECTABLE = 2, AT_HANDLE_FID = 0x200, AT_SYMLINK_FOLLOW = 0x400, AT_EMPTY_PATH = 0x1000 }
}
named_arg! {
    /// `mask` of statx(2).
    flags StatxMask {
        STATX_ALL = 0xfff, STATX_BASIC_STATS = 0x7ff, STATX_TYPE = 1, STATX_MODE = 2, STATX_NLINK = 4, STATX_UID = 8, STATX_GID = 0x10,
        STATX_ATIME = 0x20, STATX_MTIME = 0x40, STATX_CTIME = 0x80, STATX_INO = 0x100, STATX_SIZE = 0x200, STATX_BLOCKS = 0x400,
        STATX_BTIME = 0x800, STATX_MNT_ID = 0x1000, STATX_DIOALIGN = 0x2000, STATX_MNT_ID_UNIQUE = 0x4000, STATX_SUBVOL = 0x8000,
        STATX_WRITE_ATOMIC = 0x1_0000, STATX_DIO_READ_ALIGN = 0x2_0000,
    }
}
named_arg! {
    /// `flags` of renameat2(2).
    flags RenameFlags { RENAME_NOREPLACE = 1, RENAME_EXCHANGE = 2, RENAME_WHITEOUT = 4 }
}
named_arg! {
    /// `flags` of mount(2).
    flags MountFlags {
        MS_MGC_VAL = 0xc0ed_0000, MS_RDONLY = 1, MS_NOSUID = 2, MS_NODEV = 4, MS_NOEXEC = 8, MS_SYNCHRONOUS = 16, MS_REMOUNT = 32,
        MS_MANDLOCK = 64, MS_DIRSYNC = 128, MS_NOSYMFOLLOW = 256, MS_NOATIME = 1024, MS_NODIRATIME = 2048, MS_BIND = 4096,
        MS_MOVE = 8192, MS_REC = 16384, MS_SILENT = 32768, MS_POSIXACL = 0x1_0000, MS_UNBINDABLE = 0x2_0000, MS_PRIVATE = 0x4_0000,
        MS_SLAVE = 0x8_0000, MS_SHARED = 0x10_0000, MS_RELATIME = 0x20_0000, MS_I_VERSION = 0x80_0000, MS_STRICTATIME = 0x100_0000,
        MS_LAZYTIME = 0x200_0000,
    }
}
named_arg! {
    /// `flags` of umount2(2).
    flags UmountFlags { MNT_FORCE = 1, MNT_DETACH = 2, MNT_EXPIRE = 4, UMOUNT_NOFOLLOW = 8 }
}
named_arg! {
    /// `mode` of fallocate(2).
    flags FallocateMode {
        FALLOC_FL_KEEP_SIZE = 1, FALLOC_FL_PUNCH_HOLE = 2, FALLOC_FL_NO_HIDE_STALE = 4, FALLOC_FL_COLLAPSE_RANGE = 8,
        FALLOC_FL_ZERO_RANGE = 0x10, FALLOC_FL_INSERT_RANGE = 0x20, FALLOC_FL_UNSHARE_RANGE = 0x40, FALLOC_FL_WRITE_ZEROES = 0x80,
    }
}
named_arg! {
    /// `operation` of flock(2).
    flags FlockOperation { LOCK_SH = 1, LOCK_EX = 2, LOCK_NB = 4, LOCK_UN = 8 }
}
named_arg! {
    /// `flags` of setxattr(2).
    flags XattrFlags { XATTR_CREATE = 1, XATTR_REPLACE = 2 }
}
named_arg! {
    /// `flags` of inotify_init1(2).
    flags InotifyInitFlags { IN_NONBLOCK = 0o4000, IN_CLOEXEC = 0o2_000_000 }
}
named_arg! {
    /// `mask` of inotify_add_watch(2).
    flags InotifyMask {
        IN_ALL_EVENTS = 0xfff, IN_ACCESS = 1, IN_MODIFY = 2, IN_ATTRIB = 4, IN_CLOSE_WRITE = 8, IN_CLOSE_NOWRITE = 0x10, IN_OPEN = 0x20,
        IN_MOVED_FROM = 0x40, IN_MOVED_TO = 0x80, IN_CREATE = 0x100, IN_DELETE = 0x200, IN_DELETE_SELF = 0x400, IN_MOVE_SELF = 0x800,
        IN_ONLYDIR = 0x100_0000, IN_DONT_FOLLOW = 0x200_0000, IN_EXCL_UNLINK = 0x400_0000, IN_MASK_CREATE = 0x1000_0000,
        IN_MASK_ADD = 0x2000_0000, IN_ONESHOT = 0x8000_0000,
    }
}
named_arg! {
    /// `flags` of fanotify_init(2).
    flags FanotifyInitFlags {
        FAN_CLOEXEC = 1, FAN_NONBLOCK = 2, FAN_CLASS_CONTENT = 4, FAN_CLASS_PRE_CONTENT = 8, FAN_UNLIMITED_QUEUE = 0x10,
        FAN_UNLIMITED_MARKS = 0x20, FAN_ENABLE_AUDIT = 0x40, FAN_REPORT_PIDFD = 0x80, FAN_REPORT_TID = 0x100, FAN_REPORT_FID = 0x200,
        FAN_REPORT_DIR_FID = 0x400, FAN_REPORT_NAME = 0x800, FAN_REPORT_TARGET_FID = 0x1000,
    }
}
named_arg! {
    /// `flags` of fanotify_mark(2).
    flags FanotifyMarkFlags {
        FAN_MARK_ADD = 1, FAN_MARK_REMOVE = 2, FAN_MARK_DONT_FOLLOW = 4, FAN_MARK_ONLYDIR = 8, FAN_MARK_MOUNT = 0x10,
        FAN_MARK_IGNORED_MASK = 0x20, FAN_MARK_IGNORED_SURV_MODIFY = 0x40, FAN_MARK_FLUSH = 0x80, FAN_MARK_FILESYSTEM = 0x100,
        FAN_MARK_EVICTABLE = 0x200, FAN_MARK_IGNORE = 0x400,
    }
}
named_arg! {
    /// `swapflags` of swapon(2).
    flags SwapFlags { SWAP_FLAG_PREFER = 0x8000, SWAP_FLAG_DISCARD = 0x1_0000, SWAP_FLAG_DISCARD_ONCE = 0x2_0000, SWAP_FLAG_DISCARD_PAGES = 0x4_0000 }
}
named_arg! {
    /// `flags` of open_tree(2).
    flags OpenTreeFlags { OPEN_TREE_CLONE = 1, OPEN_TREE_CLOEXEC = 0o2_000_000, AT_SYMLINK_NOFOLLOW = 0x100, AT_NO_AUTOMOUNT = 0x800, AT_EMPTY_PATH = 0x1000, AT_RECURSIVE = 0x8000 }
}
named_arg! {
    /// `flags` of move_mount(2).
    flags MoveMountFlags {
        MOVE_MOUNT_F_SYMLINKS = 1, MOVE_MOUNT_F_AUTOMOUNTS = 2, MOVE_MOUNT_F_EMPTY_PATH = 4, MOVE_MOUNT_T_SYMLINKS = 0x10,
        MOVE_MOUNT_T_AUTOMOUNTS = 0x20, MOVE_MOUNT_T_EMPTY_PATH = 0x40, MOVE_MOUNT_SET_GROUP = 0x100, MOVE_MOUNT_BENEATH = 0x200,
    }
}
named_arg! {
    /// `cmd` of fsconfig(2).
    choice FsconfigCommand {
        FSCONFIG_SET_FLAG = 0, FSCONFIG_SET_STRING = 1, FSCONFIG_SET_BINARY = 2, FSCONFIG_SET_PATH = 3, FSCONFIG_SET_PATH_EMPTY = 4,
        FSCONFIG_SET_FD = 5, FSCONFIG_CMD_CREATE = 6, FSCONFIG_CMD_RECONFIGURE = 7, FSCONFIG_CMD_CREATE_EXCL = 8,
    }
}
named_arg! {
    /// `flags` of fsopen(2) and fsmount(2).
    flags FsmountFlags { FSMOUNT_CLOEXEC = 1 }
}
named_arg! {
    /// `flags` of fspick(2).
    flags FspickFlags { FSPICK_CLOEXEC = 1, FSPICK_SYMLINK_NOFOLLOW = 2, FSPICK_NO_AUTOMOUNT = 4, FSPICK_EMPTY_PATH = 8 }
}
named_arg! {
    /// `attr_flags` of fsmount(2).
    flags MountAttrFlags {
        MOUNT_ATTR_RDONLY = 1, MOUNT_ATTR_NOSUID = 2, MOUNT_ATTR_NODEV = 4, MOUNT_ATTR_NOEXEC = 8, MOUNT_ATTR_NOATIME = 0x10,
        MOUNT_ATTR_STRICTATIME = 0x20, MOUNT_ATTR_NODIRATIME = 0x80, MOUNT_ATTR_IDMAP = 0x10_0000, MOUNT_ATTR_NOSYMFOLLOW = 0x20_0000,
    }
}
named_arg! {
    /// `cmd` of quotactl(2): the operation, and the type of quota in the lowest byte.
    choice QuotaCommand {
        Q_SYNC_USR = 0x8000_0100, Q_SYNC_GRP = 0x8000_0101, Q_QUOTAON_USR = 0x8000_0200, Q_QUOTAON_GRP = 0x8000_0201,
        Q_QUOTAOFF_USR = 0x8000_0300, Q_QUOTAOFF_GRP = 0x8000_0301, Q_GETFMT_USR = 0x8000_0400, Q_GETFMT_GRP = 0x8000_0401,
        Q_GETINFO_USR = 0x8000_0500, Q_GETINFO_GRP = 0x8000_0501, Q_SETINFO_USR = 0x8000_0600, Q_SETINFO_GRP = 0x8000_0601,
        Q_GETQUOTA_USR = 0x8000_0700, Q_GETQUOTA_GRP = 0x8000_0701, Q_SETQUOTA_USR = 0x8000_0800, Q_SETQUOTA_GRP = 0x8000_0801,
    }
}
