//! The machine as a whole: its name, its memory, its kernel.

use crate::structs::{Chars, Layout, Long, Pad, Ptr32, Row, SameLayout, ULong};

abi_struct! {
    /// The system's name, uname(2).
    pub struct new_utsname ("struct new_utsname" / "struct new_utsname" in "linux/utsname.h"): 390 / 390 {
        sysname @ 0 / 0: Chars<65>;
        nodename @ 65 / 65: Chars<65>;
        release @ 130 / 130: Chars<65>;
        version @ 195 / 195: Chars<65>;
        machine @ 260 / 260: Chars<65>;
        domainname @ 325 / 325: Chars<65>;
    }
}
impl SameLayout for new_utsname::Guest32 {}

abi_struct! {
    /// What uname(2) filled before Linux 2.0: no domain name.
    pub struct old_utsname ("struct old_utsname" / "struct old_utsname" in "linux/utsname.h"): 325 / 325 {
        sysname @ 0 / 0: Chars<65>;
        nodename @ 65 / 65: Chars<65>;
        release @ 130 / 130: Chars<65>;
        version @ 195 / 195: Chars<65>;
        machine @ 260 / 260: Chars<65>;
    }
}
impl SameLayout for old_utsname::Guest32 {}

abi_struct! {
    /// What uname(2) filled in Linux 0.x: 8 characters of each.
    pub struct oldold_utsname ("struct oldold_utsname" / "struct oldold_utsname" in "linux/utsname.h"): 45 / 45 {
        sysname @ 0 / 0: Chars<9>;
        nodename @ 9 / 9: Chars<9>;
        release @ 18 / 18: Chars<9>;
        version @ 27 / 27: Chars<9>;
        machine @ 36 / 36: Chars<9>;
    }
}
impl SameLayout for oldold_utsname::Guest32 {}

abi_struct! {
    /// Memory, swap and load, sysinfo(2). Amounts are in units of `mem_unit` bytes: call [`sysinfo::Host64::scaled`] before
    /// narrowing.
    pub struct sysinfo ("struct sysinfo" / "struct sysinfo" in "linux/sysinfo.h"): 64 / 112 {
        uptime @ 0 / 0: Long, truncate;
        loads @ 4 / 8: [ULong; 3], truncate;
        totalram @ 16 / 32: ULong, truncate;
        freeram @ 20 / 40: ULong, truncate;
        sharedram @ 24 / 48: ULong, truncate;
        bufferram @ 28 / 56: ULong, truncate;
        totalswap @ 32 / 64: ULong, truncate;
        freeswap @ 36 / 72: ULong, truncate;
        procs @ 40 / 80: u16;
        __pad0 @ 42 / 82: Pad<2> => Pad<6>;
        totalhigh @ 44 / 88: ULong, truncate;
        freehigh @ 48 / 96: ULong, truncate;
        mem_unit @ 52 / 104: u32;
        __pad1 @ 56 / 108: Pad<8> => Pad<4>;
    }
}

impl sysinfo::Host64 {
    /// The same amounts in a larger unit, up to a page, where memory or swap would not fit 32 bits (`compat_sys_sysinfo` in
    /// `kernel/sys.c`).
    #[must_use]
    pub fn scaled(mut self) -> Self {
        const PAGE_SIZE: u32 = 4096;
        if self.totalram <= u64::from(u32::MAX) && self.totalswap <= u64::from(u32::MAX) {
            return self;
        }
        let mut bits = 0;
        // A unit of 0 would never reach a page; the kernel gives at least 1.
        while self.mem_unit != 0 && self.mem_unit < PAGE_SIZE {
            self.mem_unit <<= 1;
            bits += 1;
        }
        for amount in [
            &mut self.totalram,
            &mut self.freeram,
            &mut self.sharedram,
            &mut self.bufferram,
            &mut self.totalswap,
            &mut self.freeswap,
            &mut self.totalhigh,
            &mut self.freehigh,
        ] {
            *amount >>= bits;
        }
        self
    }
}

abi_struct! {
    /// A piece of the next kernel, kexec_load(2).
    pub struct kexec_segment ("struct kexec_segment" / "struct kexec_segment" in "linux/kexec.h"): 16 / 32 {
        buf @ 0 / 0: Ptr32;
        bufsz @ 4 / 8: ULong;
        mem @ 8 / 16: ULong;
        memsz @ 12 / 24: ULong;
    }
}

/// Every row of this file.
pub const LAYOUTS: &[Layout] = &[
    new_utsname::Guest32::LAYOUT,
    old_utsname::Guest32::LAYOUT,
    oldold_utsname::Guest32::LAYOUT,
    sysinfo::Guest32::LAYOUT,
    kexec_segment::Guest32::LAYOUT,
];
