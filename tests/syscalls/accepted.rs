//! Differences that are decided: what docs/known-gaps.md says, and what no program can mind. As narrow as can be.

use crate::difference::Difference;
use crate::execute::Kind;

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
            const EINVAL: u32 = 22u32.wrapping_neg();
            const SIGXFSZ: u32 = 25;
            it.is_result_of(&["ftruncate64"]) && it.native == Some(EINVAL)
                || it.place.1 == Kind::Signal && it.place.2 == SIGXFSZ && it.case_has(&["ftruncate64"])
        },
    },
    Accepted {
        why: "the position in a directory after a getdents or readdir that gave no entry: natively perhaps that of the entry, here unchanged",
        is: |it| it.place.1 == Kind::Final && (200..300).contains(&it.place.2) && it.case_has(&["getdents", "readdir"]),
    },
    Accepted {
        why: "the position that readdir(2) shows of the first entry of a directory of ext4: a hash, which only a 32-bit task is told",
        is: |it| it.place.1 == Kind::Memory && it.name() == "readdir" && it.biarch == Some(0),
    },
];
