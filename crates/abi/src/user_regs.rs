//! `struct user_regs_struct`: the general registers, as ptrace(2) and core dumps have them.

use crate::scalar::low;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// That of x86-64 (asm/user_64.h).
#[repr(C)]
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[allow(missing_docs, reason = "they are the registers of these names")]
pub struct Host {
    pub r15: u64,
    pub r14: u64,
    pub r13: u64,
    pub r12: u64,
    pub bp: u64,
    pub bx: u64,
    pub r11: u64,
    pub r10: u64,
    pub r9: u64,
    pub r8: u64,
    pub ax: u64,
    pub cx: u64,
    pub dx: u64,
    pub si: u64,
    pub di: u64,
    pub orig_ax: u64,
    pub ip: u64,
    pub cs: u64,
    pub flags: u64,
    pub sp: u64,
    pub ss: u64,
    pub fs_base: u64,
    pub gs_base: u64,
    pub ds: u64,
    pub es: u64,
    pub fs: u64,
    pub gs: u64,
}

/// That of i386 (asm/user_32.h).
#[repr(C)]
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[allow(missing_docs, reason = "they are the registers of these names")]
pub struct Guest {
    pub ebx: u32,
    pub ecx: u32,
    pub edx: u32,
    pub esi: u32,
    pub edi: u32,
    pub ebp: u32,
    pub eax: u32,
    pub ds: u32,
    pub es: u32,
    pub fs: u32,
    pub gs: u32,
    pub orig_eax: u32,
    pub eip: u32,
    pub cs: u32,
    pub eflags: u32,
    pub esp: u32,
    pub ss: u32,
}

impl Guest {
    /// The low halves, which are what a 32-bit tracer sees of a 64-bit task (`getreg32` in arch/x86/kernel/ptrace.c).
    #[must_use]
    pub fn narrow(regs: &Host) -> Self {
        Self {
            ebx: low(regs.bx),
            ecx: low(regs.cx),
            edx: low(regs.dx),
            esi: low(regs.si),
            edi: low(regs.di),
            ebp: low(regs.bp),
            eax: low(regs.ax),
            ds: low(regs.ds),
            es: low(regs.es),
            fs: low(regs.fs),
            gs: low(regs.gs),
            orig_eax: low(regs.orig_ax),
            eip: low(regs.ip),
            cs: low(regs.cs),
            eflags: low(regs.flags),
            esp: low(regs.sp),
            ss: low(regs.ss),
        }
    }
}
