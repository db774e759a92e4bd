//! Differences that are decided: what docs/known-gaps.md says, and what no program can mind. As narrow as can be.

use crate::case::Call;
use crate::difference::{Difference, returned};
use crate::execute::Kind;
use abi::Errno;

/// One decision.
pub(crate) struct Accepted {
    /// Why it may differ.
    pub(crate) why: &'static str,
    /// Whether this is such a difference.
    pub(crate) is: fn(&Difference<'_>) -> bool,
}

/// All of them.
pub(crate) const ACCEPTED: &[Accepted] = &[
    Accepted {
        why: "where the kernel puts a mapping is different in every run",
        is: |it| {
            it.is_result_of(&["mmap", "mmap2", "mremap", "shmat", "brk"])
                && it.both(|value| (0x1000..0xffff_e000).contains(&value))
        },
    },
    Accepted {
        why: "O_LARGEFILE, which the kernel sets for every file that a 64-bit process opens: F_GETFL shows it (docs/known-gaps.md)",
        is: |it| {
            const O_LARGEFILE: u32 = 0o100_000;
            it.is_result_of(&["fcntl", "fcntl64"])
                && it.native.zip(it.biarch).is_some_and(|(native, biarch)| native | O_LARGEFILE == biarch)
        },
    },
    Accepted {
        why: "how much of the processor and of memory a process has used so far, the supervisor included",
        is: |it| it.place.1 == Kind::Memory && matches!(it.name(), "getrusage" | "times"),
    },
    Accepted {
        why: "O_LARGEFILE again: ftruncate64 beyond 2 GiB is EINVAL natively, and here meets the limit on the size of files",
        is: |it| {
            const SIGXFSZ: u32 = 25;
            it.is_result_of(&["ftruncate64"]) && it.native == Some(returned(Errno::EINVAL))
                || it.place.1 == Kind::Signal && it.place.2 == SIGXFSZ && it.case_has(&["ftruncate64"])
        },
    },
    Accepted {
        why: "the position in a directory after a getdents or readdir that gave no entry: natively perhaps that of the entry, here unchanged",
        is: |it| it.place.1 == Kind::Final && (200..300).contains(&it.place.2) && it.case_has(&["getdents", "readdir"]),
    },
    Accepted {
        why: "personality(2) with the old layout of the address space, which is not reproduced: natively it has no room here (docs/known-gaps.md)",
        is: |it| {
            it.is_result_of(&["mmap", "mmap2"]) && it.native == Some(returned(Errno::ENOMEM)) && it.case_has(&["personality"])
        },
    },
    Accepted {
        why: "a mask of nodes with wrong bits at its end and nothing at its beginning: the kernel reads it from the end (docs/known-gaps.md)",
        is: |it| it.is_result_of(&["mbind", "set_mempolicy", "migrate_pages"]) && it.errors(Errno::EINVAL, Errno::EFAULT),
    },
    Accepted {
        why: "ioctls with the number that they have in 64-bit programs, which no 32-bit program is compiled with: the kernel takes some",
        is: |it| {
            const NUMBERS_64: &[u32] = &[0x8008_6601, 0x4008_6602];
            it.name() == "ioctl" && it.argument(1).is_some_and(|number| NUMBERS_64.contains(&number))
        },
    },
    Accepted {
        why: "what getdents leaves in a buffer that ends, or begins, inside its first entry: the position of an entry that does not come",
        is: |it| {
            let is_at_an_edge = it.argument(1).is_some_and(|buffer| buffer % 0x1000 > 0xfd0);
            it.place.1 == Kind::Memory && matches!(it.name(), "getdents" | "getdents64") && is_at_an_edge
        },
    },
    Accepted {
        why: "sockopts of iptables and its like, which are refused (docs/known-gaps.md): natively the error of who may not use them",
        is: |it| {
            let is_table = matches!(it.argument(1), Some(0 | 41)) && it.argument(2).is_some_and(|name| (64..96).contains(&name));
            it.is_result_of(&["getsockopt", "setsockopt"]) && is_table
        },
    },
    Accepted {
        why: "what becomes of a socket for the messages of IPsec, which is refused (docs/known-gaps.md)",
        is: |it| {
            let is_one = |call: &Call| call.row.name == "socket" && (call.argument(0), call.argument(2)) == (Some(16), Some(6));
            it.case.calls.iter().any(is_one)
        },
    },
    Accepted {
        why: "positions counted from the end of a directory of ext4, which are hashes (docs/known-gaps.md)",
        is: |it| {
            const SEEK_END: u32 = 2;
            const DIRECTORY: u32 = 16;
            let is_of_one = |call: &Call| {
                let whence = match call.row.name {
                    "lseek" => 2,
                    "_llseek" => 4,
                    _ => return false,
                };
                (call.argument(0), call.argument(whence)) == (Some(DIRECTORY), Some(SEEK_END))
            };
            let is_position = it.place == (it.place.0, Kind::Final, 200 + DIRECTORY);
            it.call().is_some_and(is_of_one) || is_position && it.case.calls.iter().any(is_of_one)
        },
    },
    Accepted {
        why: "the wireless extensions, where nothing has them (docs/known-gaps.md)",
        is: |it| {
            let is_wireless = it.argument(1).is_some_and(|number| number & !0xff == 0x8b00);
            it.is_result_of(&["ioctl"]) && is_wireless && it.errors(Errno::EINVAL, Errno::ENOTTY)
        },
    },
    Accepted {
        why: "PR_GET_SECCOMP is 2 where whoever started biarch has a filter, as the launcher has",
        is: |it| {
            const PR_GET_SECCOMP: u32 = 21;
            let is_asked = it.is_result_of(&["prctl"]) && it.argument(0) == Some(PR_GET_SECCOMP);
            is_asked && it.native == Some(0) && it.biarch == Some(2)
        },
    },
    Accepted {
        why: "the position that readdir(2) shows of the first entry of a directory of ext4: a hash, which only a 32-bit task is told",
        is: |it| it.place.1 == Kind::Memory && it.name() == "readdir" && it.biarch == Some(0),
    },
];
