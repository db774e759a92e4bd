//! Memory mappings: the names of their flags. No structure of mmap(2) and its kin differs.

use crate::named_arg;
use crate::structs::Layout;

named_arg! { /** Protection of a mapping, mmap(2). */ flags Prot {
    PROT_NONE = 0, PROT_READ = 1, PROT_WRITE = 2, PROT_EXEC = 4, PROT_GROWSDOWN = 0x0100_0000, PROT_GROWSUP = 0x0200_0000,
} }
named_arg! { /** Flags of a mapping, mmap(2). */ flags MapFlags {
    MAP_SHARED_VALIDATE = 3, MAP_SHARED = 1, MAP_PRIVATE = 2, MAP_FIXED = 0x10, MAP_ANONYMOUS = 0x20, MAP_32BIT = 0x40, MAP_GROWSDOWN = 0x100,
    MAP_DENYWRITE = 0x800, MAP_EXECUTABLE = 0x1000, MAP_LOCKED = 0x2000, MAP_NORESERVE = 0x4000, MAP_POPULATE = 0x8000,
    MAP_NONBLOCK = 0x1_0000, MAP_STACK = 0x2_0000, MAP_HUGETLB = 0x4_0000, MAP_SYNC = 0x8_0000, MAP_FIXED_NOREPLACE = 0x10_0000,
} }
named_arg! { /** Flags of mremap(2). */ flags RemapFlags { MREMAP_MAYMOVE = 1, MREMAP_FIXED = 2, MREMAP_DONTUNMAP = 4 } }
named_arg! { /** Flags of msync(2). */ flags SyncFlags { MS_ASYNC = 1, MS_INVALIDATE = 2, MS_SYNC = 4 } }
named_arg! { /** Advice of madvise(2). */ choice Advice {
    MADV_NORMAL = 0, MADV_RANDOM = 1, MADV_SEQUENTIAL = 2, MADV_WILLNEED = 3, MADV_DONTNEED = 4, MADV_FREE = 8, MADV_REMOVE = 9,
    MADV_DONTFORK = 10, MADV_DOFORK = 11, MADV_MERGEABLE = 12, MADV_UNMERGEABLE = 13, MADV_HUGEPAGE = 14, MADV_NOHUGEPAGE = 15,
    MADV_DONTDUMP = 16, MADV_DODUMP = 17, MADV_WIPEONFORK = 18, MADV_KEEPONFORK = 19, MADV_COLD = 20, MADV_PAGEOUT = 21,
    MADV_POPULATE_READ = 22, MADV_POPULATE_WRITE = 23, MADV_COLLAPSE = 25,
} }

/// Every row of this file.
pub const LAYOUTS: &[Layout] = &[];
