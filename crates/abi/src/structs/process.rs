//! Processes: the names of their flags.

use crate::named_arg;
use crate::structs::Layout;

named_arg! { /** Flags of clone(2); the low byte is the signal that tells the parent of the end. */ flags CloneFlags {
    CLONE_VM = 0x100, CLONE_FS = 0x200, CLONE_FILES = 0x400, CLONE_SIGHAND = 0x800, CLONE_PIDFD = 0x1000, CLONE_PTRACE = 0x2000,
    CLONE_VFORK = 0x4000, CLONE_PARENT = 0x8000, CLONE_THREAD = 0x1_0000, CLONE_NEWNS = 0x2_0000, CLONE_SYSVSEM = 0x4_0000,
    CLONE_SETTLS = 0x8_0000, CLONE_PARENT_SETTID = 0x10_0000, CLONE_CHILD_CLEARTID = 0x20_0000, CLONE_DETACHED = 0x40_0000,
    CLONE_UNTRACED = 0x80_0000, CLONE_CHILD_SETTID = 0x100_0000, CLONE_NEWCGROUP = 0x200_0000, CLONE_NEWUTS = 0x400_0000,
    CLONE_NEWIPC = 0x800_0000, CLONE_NEWUSER = 0x1000_0000, CLONE_NEWPID = 0x2000_0000, CLONE_NEWNET = 0x4000_0000,
    CLONE_IO = 0x8000_0000, SIGCHLD = 17,
} }
named_arg! { /** Options of waitpid(2) and waitid(2). */ flags WaitOptions {
    WNOHANG = 1, WUNTRACED = 2, WEXITED = 4, WCONTINUED = 8, WNOWAIT = 0x100_0000, __WNOTHREAD = 0x2000_0000, __WALL = 0x4000_0000,
    __WCLONE = 0x8000_0000,
} }
named_arg! { /** Flags of execveat(2). */ flags ExecveatFlags { AT_SYMLINK_NOFOLLOW = 0x100, AT_EMPTY_PATH = 0x1000 } }

/// Every row of this file.
pub const LAYOUTS: &[Layout] = &[];
