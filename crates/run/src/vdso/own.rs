//! A 32-bit vDSO of our own, for kernels that have none to give, with the symbols and versions of the kernel's.
//!
//! It is written in assembly, header and tables included, and copied into the guest's address space at the start. The clocks are
//! the kernel's: the functions cross into 64-bit code, which calls the 64-bit vDSO (`switch/entry.rs`). What that says comes
//! back in registers and is stored by 32-bit code, so a bad pointer is the guest's own fault, as in the kernel's vDSO.
//! Like that one, it makes the system call where it has no answer.
//!
//! `__kernel_vsyscall` and the two ways back from a handler are as the kernel's are, for [`super::adopt`] to rewrite.

use super::symbols;
use crate::mem::{self, space, space::SPACE};
use crate::switch::{USER_CS, entry, lowpage};
use abi::{Errno, GuestPtr};
use core::arch::global_asm;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// What the 64-bit side is asked for, in eax: index into [`FUNCTIONS`]. `switch/entry.rs` prepares the arguments by number.
pub(crate) mod operation {
    pub(crate) const CLOCK_GETTIME: u32 = 0;
    pub(crate) const CLOCK_GETRES: u32 = 1;
    pub(crate) const GETTIMEOFDAY: u32 = 2;
    pub(crate) const TIME: u32 = 3;
    /// gettimeofday(2) with the time zone only.
    pub(crate) const TIME_ZONE: u32 = 4;
    pub(crate) const GETCPU: u32 = 5;
    pub(crate) const COUNT: usize = 6;
}

/// The functions of the 64-bit vDSO, or 0 where it has none of that name.
pub(crate) static FUNCTIONS: [AtomicU64; operation::COUNT] = [const { AtomicU64::new(0) }; operation::COUNT];

/// Where 32-bit code goes on after a crossing.
pub(crate) static RETURN: AtomicU32 = AtomicU32::new(0);

/// Clocks that a vDSO may know (`VDSO_HRES`, `VDSO_RAW`, `VDSO_COARSE`, `VDSO_AUX` in `include/vdso/datapage.h`). The 64-bit one
/// would make the system call for the others itself, unseen by `--trace`.
const KNOWN_CLOCKS: u32 = 0x00ff_08f3;

/// The hash of a name in ELF tables (System V gABI, chapter 5).
const fn elf_hash(name: &[u8]) -> u32 {
    let mut hash = 0u32;
    let mut index = 0;
    while index < name.len() {
        hash = (hash << 4).wrapping_add(name[index] as u32);
        let high = hash & 0xf000_0000;
        hash = (hash ^ high >> 24) & !high;
        index += 1;
    }
    hash
}

unsafe extern "C" {
    static biarch_vdso_image: u8;
    static biarch_vdso_crossing: u8;
    static biarch_vdso_crossing_return: u8;
    static biarch_vdso_64: u8;
    static biarch_vdso_64_target: u8;
    static biarch_vdso_image_end: u8;
}

/// Maps it; `wide` is where the 64-bit vDSO is, or was. Returns where it begins, and its length in whole pages.
///
/// # Errors
/// The kernel's errno.
pub(super) fn map(wide: u64) -> Result<(u32, u32), Errno> {
    const READ_WRITE: u32 = 3;
    const PRIVATE_ANONYMOUS: u32 = 0x22;
    find_functions(wide);
    let start = &raw const biarch_vdso_image;
    let offset = |label: *const u8| u32::try_from(label.addr() - start.addr()).map_err(|_| Errno::ENOEXEC);
    let bytes = offset(&raw const biarch_vdso_image_end)?;
    let length = space::page_align(bytes)?;
    let base = SPACE.lock().map(0, length, READ_WRITE, PRIVATE_ANONYMOUS, -1, 0)?;
    // SAFETY: the image is constant data between these two labels.
    let image = unsafe { core::slice::from_raw_parts(start, bytes as usize) };
    mem::write_bytes(GuestPtr::new(base), image)?;
    // A far jump names its target, and its selector behind that.
    let crossing = base + offset(&raw const biarch_vdso_crossing)?;
    mem::write_bytes(GuestPtr::new(crossing), &lowpage::far_jump(base + offset(&raw const biarch_vdso_64)?))?;
    let target = (&raw const entry::biarch_entry_vdso).addr() as u64;
    mem::write_bytes(GuestPtr::new(base + offset(&raw const biarch_vdso_64_target)?), &target.to_le_bytes())?;
    RETURN.store(base + offset(&raw const biarch_vdso_crossing_return)?, Ordering::Relaxed);
    lowpage::make_executable(base, length)?;
    Ok((base, length))
}

/// Looks for the functions of the 64-bit vDSO at `wide`. What is not there stays 0, and the system call is made instead.
fn find_functions(wide: u64) {
    if wide == 0 {
        return;
    }
    // An attempt to map the kernel's 32-bit one may have unmapped it, its code first: then nothing is found.
    let _ = symbols::each(wide, mem::access::read_host, |name, symbol| {
        let operations: &[u32] = match name {
            b"__vdso_clock_gettime\0" => &[operation::CLOCK_GETTIME],
            b"__vdso_clock_getres\0" => &[operation::CLOCK_GETRES],
            b"__vdso_gettimeofday\0" => &[operation::GETTIMEOFDAY, operation::TIME_ZONE],
            b"__vdso_time\0" => &[operation::TIME],
            b"__vdso_getcpu\0" => &[operation::GETCPU],
            _ => &[],
        };
        for &operation in operations {
            FUNCTIONS[operation as usize].store(symbol.address, Ordering::Relaxed);
        }
    });
}

global_asm!(
    ".pushsection .rodata.biarch_vdso, \"a\", @progbits",
    ".code32",
    ".balign 16",
    ".globl biarch_vdso_image, biarch_vdso_image_end",
    ".globl biarch_vdso_crossing, biarch_vdso_crossing_return, biarch_vdso_64, biarch_vdso_64_target",
    "biarch_vdso_image:",
    // --- ELF header ------------------------------------------------------------------------------------------------
    ".byte 0x7f, 0x45, 0x4c, 0x46, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0", // 32 bits, least significant byte first, System V
    ".short 3, 3",     // ET_DYN, EM_386
    ".long 1, 0",      // EV_CURRENT; no entry point
    ".long .Lvdso_program_headers - biarch_vdso_image",
    ".long .Lvdso_sections - biarch_vdso_image, 0", // no flags
    ".short 52, 32, 3, 40, 6, 5",
    ".Lvdso_program_headers:",
    ".long 1, 0, 0, 0", // PT_LOAD: everything
    ".long biarch_vdso_image_end - biarch_vdso_image, biarch_vdso_image_end - biarch_vdso_image, 5, 0x1000",
    ".long 2, .Lvdso_dynamic - biarch_vdso_image, .Lvdso_dynamic - biarch_vdso_image, .Lvdso_dynamic - biarch_vdso_image",
    ".long .Lvdso_dynamic_end - .Lvdso_dynamic, .Lvdso_dynamic_end - .Lvdso_dynamic, 4, 4", // PT_DYNAMIC
    ".long 0x6474e550, .Lvdso_eh_header - biarch_vdso_image, .Lvdso_eh_header - biarch_vdso_image, .Lvdso_eh_header - biarch_vdso_image",
    ".long .Lvdso_eh_header_end - .Lvdso_eh_header, .Lvdso_eh_header_end - .Lvdso_eh_header, 4, 4", // PT_GNU_EH_FRAME
    // Sections, by which gdb finds symbols and unwind information, as in the kernel's. Symbols are defined in the first one.
    ".macro biarch_vdso_section name, kind, flags, start, end, link, info, align, entry",
    ".long .Lvdso_name_\\name - .Lvdso_section_names, \\kind, \\flags, \\start - biarch_vdso_image, \\start - biarch_vdso_image",
    ".long \\end - \\start, \\link, \\info, \\align, \\entry",
    ".endm",
    ".Lvdso_sections:",
    ".fill 10, 4, 0",
    "biarch_vdso_section text, 1, 6, .Lvdso_plain, biarch_vdso_image_end, 0, 0, 32, 0",
    "biarch_vdso_section dynsym, 11, 2, .Lvdso_symbols, .Lvdso_strings, 3, 1, 4, 16",
    "biarch_vdso_section dynstr, 3, 2, .Lvdso_strings, .Lvdso_strings_end, 0, 0, 1, 0",
    "biarch_vdso_section eh_frame, 1, 2, .Lvdso_eh_frame, .Lvdso_eh_frame_end, 0, 0, 4, 0",
    "biarch_vdso_section shstrtab, 3, 0, .Lvdso_section_names, .Lvdso_section_names_end, 0, 0, 1, 0",
    ".Lvdso_section_names:",
    ".byte 0",
    ".Lvdso_name_text: .asciz \".text\"",
    ".Lvdso_name_dynsym: .asciz \".dynsym\"",
    ".Lvdso_name_dynstr: .asciz \".dynstr\"",
    ".Lvdso_name_eh_frame: .asciz \".eh_frame\"",
    ".Lvdso_name_shstrtab: .asciz \".shstrtab\"",
    ".Lvdso_section_names_end:",
    ".balign 4",
    // --- Dynamic section and its tables ----------------------------------------------------------------------------
    ".Lvdso_hash:", // one bucket: a chain of all symbols
    ".long 1, 12, 1",
    ".long 0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0",
    // Symbols: name, value, size; FUNC or OBJECT, GLOBAL; a section index that says `defined`, or SHN_ABS.
    ".macro biarch_vdso_symbol name, start, end",
    ".long .Lvdso_name_\\name - .Lvdso_strings, \\start - biarch_vdso_image, \\end - \\start",
    ".byte 0x12, 0",
    ".short 1",
    ".endm",
    ".Lvdso_symbols:",
    ".long 0, 0, 0, 0",
    "biarch_vdso_symbol vsyscall, .Lvdso_vsyscall, .Lvdso_vsyscall_end",
    "biarch_vdso_symbol sigreturn, .Lvdso_sigreturn, .Lvdso_sigreturn_end",
    "biarch_vdso_symbol rt_sigreturn, .Lvdso_rt_sigreturn, .Lvdso_rt_sigreturn_end",
    "biarch_vdso_symbol clock_gettime, .Lvdso_clock_gettime, .Lvdso_clock_gettime_end",
    "biarch_vdso_symbol clock_gettime64, .Lvdso_clock_gettime64, .Lvdso_clock_gettime64_end",
    "biarch_vdso_symbol gettimeofday, .Lvdso_gettimeofday, .Lvdso_gettimeofday_end",
    "biarch_vdso_symbol time, .Lvdso_time, .Lvdso_time_end",
    "biarch_vdso_symbol clock_getres, .Lvdso_clock_getres, .Lvdso_clock_getres_end",
    "biarch_vdso_symbol getcpu, .Lvdso_getcpu, .Lvdso_getcpu_end",
    ".long .Lvdso_name_2_5 - .Lvdso_strings, 0, 0",
    ".byte 0x11, 0",
    ".short 0xfff1",
    ".long .Lvdso_name_2_6 - .Lvdso_strings, 0, 0",
    ".byte 0x11, 0",
    ".short 0xfff1",
    ".Lvdso_strings:",
    ".byte 0",
    ".Lvdso_name_vsyscall: .asciz \"__kernel_vsyscall\"",
    ".Lvdso_name_sigreturn: .asciz \"__kernel_sigreturn\"",
    ".Lvdso_name_rt_sigreturn: .asciz \"__kernel_rt_sigreturn\"",
    ".Lvdso_name_clock_gettime: .asciz \"__vdso_clock_gettime\"",
    ".Lvdso_name_clock_gettime64: .asciz \"__vdso_clock_gettime64\"",
    ".Lvdso_name_gettimeofday: .asciz \"__vdso_gettimeofday\"",
    ".Lvdso_name_time: .asciz \"__vdso_time\"",
    ".Lvdso_name_clock_getres: .asciz \"__vdso_clock_getres\"",
    ".Lvdso_name_getcpu: .asciz \"__vdso_getcpu\"",
    ".Lvdso_name_2_5: .asciz \"LINUX_2.5\"",
    ".Lvdso_name_2_6: .asciz \"LINUX_2.6\"",
    ".Lvdso_name_gate: .asciz \"linux-gate.so.1\"",
    ".Lvdso_strings_end:",
    ".balign 4",
    ".Lvdso_versions:", // of each symbol: 2 is LINUX_2.6, 3 is LINUX_2.5
    ".short 0, 3, 3, 3, 2, 2, 2, 2, 2, 2, 3, 2",
    ".Lvdso_definitions:", // Elf32_Verdef and its Elf32_Verdaux, three times
    ".short 1, 1, 1, 1", // VER_FLG_BASE
    ".long {gate_hash}, 20, 28, .Lvdso_name_gate - .Lvdso_strings, 0",
    ".short 1, 0, 2, 1",
    ".long {hash_2_6}, 20, 28, .Lvdso_name_2_6 - .Lvdso_strings, 0",
    ".short 1, 0, 3, 1",
    ".long {hash_2_5}, 20, 0, .Lvdso_name_2_5 - .Lvdso_strings, 0",
    ".Lvdso_dynamic:",
    ".long 14, .Lvdso_name_gate - .Lvdso_strings",     // DT_SONAME
    ".long 16, 0",                                     // DT_SYMBOLIC
    ".long 4, .Lvdso_hash - biarch_vdso_image",        // DT_HASH
    ".long 5, .Lvdso_strings - biarch_vdso_image",     // DT_STRTAB
    ".long 6, .Lvdso_symbols - biarch_vdso_image",     // DT_SYMTAB
    ".long 10, .Lvdso_strings_end - .Lvdso_strings",   // DT_STRSZ
    ".long 11, 16",                                    // DT_SYMENT
    ".long 0x6ffffffc, .Lvdso_definitions - biarch_vdso_image", // DT_VERDEF
    ".long 0x6ffffffd, 3",                             // DT_VERDEFNUM
    ".long 0x6ffffff0, .Lvdso_versions - biarch_vdso_image", // DT_VERSYM
    ".long 0, 0",
    ".Lvdso_dynamic_end:",
    // --- Unwind information (Linux Standard Base, chapter 10.6; DWARF 5, section 6.4) --------------------------------
    ".Lvdso_eh_header:",
    ".byte 1, 0x1b, 3, 0x3b", // version; encodings: pcrel sdata4, udata4, datarel sdata4
    ".long .Lvdso_eh_frame - .",
    ".long 4", // the table: where each begins, sorted
    ".long .Lvdso_plain - .Lvdso_eh_header, .Lvdso_plain_fde - .Lvdso_eh_header",
    ".long .Lvdso_call - .Lvdso_eh_header, .Lvdso_call_fde - .Lvdso_eh_header",
    ".long .Lvdso_sigreturn - 1 - .Lvdso_eh_header, .Lvdso_sigreturn_fde - .Lvdso_eh_header",
    ".long .Lvdso_rt_sigreturn - 1 - .Lvdso_eh_header, .Lvdso_rt_sigreturn_fde - .Lvdso_eh_header",
    ".Lvdso_eh_header_end:",
    ".Lvdso_eh_frame:",
    // CIE of what has been called: zR.
    ".long .Lvdso_cie_end - .Lvdso_cie",
    ".Lvdso_cie:",
    ".long 0",
    ".byte 1, 0x7a, 0x52, 0, 1, 0x7c, 8, 1, 0x1b", // alignments 1 and -4; the return address is in column 8, eip
    ".byte 0x0c, 4, 4", // DW_CFA_def_cfa esp + 4
    ".byte 0x88, 1",    // DW_CFA_offset eip at cfa - 4
    ".balign 4, 0",
    ".Lvdso_cie_end:",
    // Nothing moves esp.
    ".Lvdso_plain_fde:",
    ".long .Lvdso_plain_fde_end - .Lvdso_plain_fde_id",
    ".Lvdso_plain_fde_id:",
    ".long .Lvdso_plain_fde_id - .Lvdso_eh_frame",
    ".long .Lvdso_plain - ., .Lvdso_call - .Lvdso_plain",
    ".byte 0",
    ".balign 4, 0",
    ".Lvdso_plain_fde_end:",
    // ebx is pushed and popped.
    ".Lvdso_call_fde:",
    ".long .Lvdso_call_fde_end - .Lvdso_call_fde_id",
    ".Lvdso_call_fde_id:",
    ".long .Lvdso_call_fde_id - .Lvdso_eh_frame",
    ".long .Lvdso_call - ., .Lvdso_call_end - .Lvdso_call",
    ".byte 0",
    ".byte 0x40 + .Lvdso_call_pushed - .Lvdso_call", // DW_CFA_advance_loc
    ".byte 0x0e, 8, 0x83, 2",                        // DW_CFA_def_cfa_offset; DW_CFA_offset ebx at cfa - 8
    ".byte 0x40 + .Lvdso_call_popped - .Lvdso_call_pushed",
    ".byte 0x0e, 4, 0xc3", // DW_CFA_restore ebx
    ".balign 4, 0",
    ".Lvdso_call_fde_end:",
    // CIE of signal frames: zRS. The program counter is that of the next instruction, not of a call.
    ".Lvdso_signal_cie:",
    ".long .Lvdso_signal_cie_end - .Lvdso_signal_cie_id",
    ".Lvdso_signal_cie_id:",
    ".long 0",
    ".byte 1, 0x7a, 0x52, 0x53, 0, 1, 0x7c, 8, 1, 0x1b",
    ".balign 4, 0",
    ".Lvdso_signal_cie_end:",
    // Where the registers are in a struct sigcontext at esp + \at. Each offset takes two bytes: signed LEB128.
    ".macro biarch_vdso_at register, offset",
    ".byte 0x10, \\register, 3, 0x74, ((\\offset) & 0x7f) | 0x80, (\\offset) >> 7", // DW_CFA_expression: DW_OP_breg4 offset
    ".endm",
    ".macro biarch_vdso_sigcontext at",
    ".byte 0x0f, 4, 0x74, ((\\at + 28) & 0x7f) | 0x80, (\\at + 28) >> 7, 6", // DW_CFA_def_cfa_expression: DW_OP_deref
    "biarch_vdso_at 0, \\at + 44",
    "biarch_vdso_at 1, \\at + 40",
    "biarch_vdso_at 2, \\at + 36",
    "biarch_vdso_at 3, \\at + 32",
    "biarch_vdso_at 5, \\at + 24",
    "biarch_vdso_at 6, \\at + 20",
    "biarch_vdso_at 7, \\at + 16",
    "biarch_vdso_at 8, \\at + 56",
    ".endm",
    // Both begin a byte early: unwinders that do not know S look up the byte before the return address.
    ".Lvdso_sigreturn_fde:",
    ".long .Lvdso_sigreturn_fde_end - .Lvdso_sigreturn_fde_id",
    ".Lvdso_sigreturn_fde_id:",
    ".long .Lvdso_sigreturn_fde_id - .Lvdso_signal_cie",
    ".long .Lvdso_sigreturn - 1 - ., .Lvdso_sigreturn_end - .Lvdso_sigreturn + 1",
    ".byte 0",
    "biarch_vdso_sigcontext 4", // after the signal's number
    ".byte 0x42",               // pop eax, and the byte early
    "biarch_vdso_sigcontext 0",
    ".balign 4, 0",
    ".Lvdso_sigreturn_fde_end:",
    ".Lvdso_rt_sigreturn_fde:",
    ".long .Lvdso_rt_sigreturn_fde_end - .Lvdso_rt_sigreturn_fde_id",
    ".Lvdso_rt_sigreturn_fde_id:",
    ".long .Lvdso_rt_sigreturn_fde_id - .Lvdso_signal_cie",
    ".long .Lvdso_rt_sigreturn - 1 - ., .Lvdso_rt_sigreturn_end - .Lvdso_rt_sigreturn + 1",
    ".byte 0",
    "biarch_vdso_sigcontext 160", // after the number, two pointers, a siginfo_t, and the beginning of the ucontext
    ".balign 4, 0",
    ".Lvdso_rt_sigreturn_fde_end:",
    ".long 0", // no more
    ".Lvdso_eh_frame_end:",
    // --- 32-bit code -----------------------------------------------------------------------------------------------
    ".balign 32, 0x90",
    ".Lvdso_plain:",
    ".Lvdso_vsyscall:",
    "int 0x80",
    ".byte 0x0f, 0x1f, 0x44, 0x00, 0x00", // a nop of five bytes: room for a far jump
    "ret",
    ".Lvdso_vsyscall_end:",
    ".balign 16, 0x90",
    // Into 64-bit code: eax is an operation, ecx its argument. Back come eax, edx and ecx, which is negative if there is no answer.
    "biarch_vdso_crossing:",
    ".Lvdso_crossing:",
    ".byte 0xea", // ljmp
    ".long 0",
    ".short {user_cs}",
    "biarch_vdso_crossing_return:",
    "ret",
    // The arguments' places on the stack are the callee's own, and serve as temporaries.
    ".balign 16, 0x90",
    ".Lvdso_clock_gettime:",
    "mov ecx, [esp + 4]",
    "cmp ecx, 32",
    "jae 8f",
    "mov eax, {known_clocks}",
    "bt eax, ecx",
    "jnc 8f",
    "mov eax, {op_clock_gettime}",
    "call .Lvdso_crossing",
    "test ecx, ecx",
    "js 8f",
    "mov edx, [esp + 8]",
    "mov [edx], eax",
    "mov [edx + 4], ecx",
    "xor eax, eax",
    "ret",
    "8: mov eax, 265",
    "jmp .Lvdso_call",
    ".Lvdso_clock_gettime_end:",
    ".balign 16, 0x90",
    ".Lvdso_clock_gettime64:",
    "mov ecx, [esp + 4]",
    "cmp ecx, 32",
    "jae 8f",
    "mov eax, {known_clocks}",
    "bt eax, ecx",
    "jnc 8f",
    "mov eax, {op_clock_gettime}",
    "call .Lvdso_crossing",
    "test ecx, ecx",
    "js 8f",
    "mov [esp + 4], ecx",
    "mov ecx, [esp + 8]",
    "mov [ecx], eax",
    "mov [ecx + 4], edx",
    "mov eax, [esp + 4]",
    "mov [ecx + 8], eax",
    "xor eax, eax",
    "mov [ecx + 12], eax",
    "ret",
    "8: mov eax, 403",
    "jmp .Lvdso_call",
    ".Lvdso_clock_gettime64_end:",
    ".balign 16, 0x90",
    ".Lvdso_clock_getres:",
    "mov ecx, [esp + 4]",
    "cmp ecx, 32",
    "jae 8f",
    "mov eax, {known_clocks}",
    "bt eax, ecx",
    "jnc 8f",
    "mov eax, {op_clock_getres}",
    "call .Lvdso_crossing",
    "test ecx, ecx",
    "js 8f",
    "mov edx, [esp + 8]",
    "test edx, edx",
    "jz 2f",
    "mov [edx], eax",
    "mov [edx + 4], ecx",
    "2: xor eax, eax",
    "ret",
    "8: mov eax, 266",
    "jmp .Lvdso_call",
    ".Lvdso_clock_getres_end:",
    ".balign 16, 0x90",
    ".Lvdso_gettimeofday:",
    "cmp dword ptr [esp + 4], 0",
    "je 2f",
    "mov eax, {op_gettimeofday}",
    "call .Lvdso_crossing",
    "test ecx, ecx",
    "js 8f",
    "mov edx, [esp + 4]",
    "mov [edx], eax",
    "mov [edx + 4], ecx",
    "2: cmp dword ptr [esp + 8], 0",
    "je 3f",
    "mov eax, {op_time_zone}",
    "call .Lvdso_crossing",
    "test ecx, ecx",
    "js 8f",
    "mov ecx, [esp + 8]",
    "mov [ecx], eax",
    "mov [ecx + 4], edx",
    "3: xor eax, eax",
    "ret",
    "8: mov eax, 78",
    "jmp .Lvdso_call",
    ".Lvdso_gettimeofday_end:",
    ".balign 16, 0x90",
    ".Lvdso_time:",
    "mov eax, {op_time}",
    "call .Lvdso_crossing",
    "test ecx, ecx",
    "js 8f",
    "mov ecx, [esp + 4]",
    "test ecx, ecx",
    "jz 2f",
    "mov [ecx], eax",
    "2: ret",
    "8: mov eax, 13",
    "jmp .Lvdso_call",
    ".Lvdso_time_end:",
    ".balign 16, 0x90",
    ".Lvdso_getcpu:",
    "mov eax, {op_getcpu}",
    "call .Lvdso_crossing",
    "test ecx, ecx",
    "js 8f",
    "mov ecx, [esp + 4]",
    "test ecx, ecx",
    "jz 2f",
    "mov [ecx], eax",
    "2: mov ecx, [esp + 8]",
    "test ecx, ecx",
    "jz 3f",
    "mov [ecx], edx",
    "3: xor eax, eax",
    "ret",
    "8: mov eax, 318",
    "xor edx, edx",
    ".Lvdso_getcpu_end:", // and on, into the system call
    // The system call eax with the two arguments of whoever jumped here.
    ".Lvdso_call:",
    "push ebx",
    ".Lvdso_call_pushed:",
    "mov ebx, [esp + 8]",
    "mov ecx, [esp + 12]",
    "call .Lvdso_vsyscall",
    "pop ebx",
    ".Lvdso_call_popped:",
    "ret",
    ".Lvdso_call_end:",
    ".balign 32, 0x90",
    "nop",
    ".balign 32, 0x90",
    ".Lvdso_sigreturn:",
    "pop eax",
    "mov eax, 119",
    "int 0x80",
    ".byte 0x0f, 0x1f, 0x44, 0x00, 0x00",
    ".Lvdso_sigreturn_end:",
    ".balign 32, 0x90",
    ".Lvdso_rt_sigreturn:",
    "mov eax, 173",
    "int 0x80",
    ".byte 0x0f, 0x1f, 0x44, 0x00, 0x00",
    ".Lvdso_rt_sigreturn_end:",
    // --- 64-bit code -----------------------------------------------------------------------------------------------
    ".balign 16, 0x90",
    ".code64",
    "biarch_vdso_64:",
    ".byte 0xff, 0x25", // jmp [rip + 0]
    ".long 0",
    "biarch_vdso_64_target:",
    ".quad 0",
    "biarch_vdso_image_end:",
    ".popsection",
    gate_hash = const elf_hash(b"linux-gate.so.1"),
    hash_2_5 = const elf_hash(b"LINUX_2.5"),
    hash_2_6 = const elf_hash(b"LINUX_2.6"),
    known_clocks = const KNOWN_CLOCKS,
    user_cs = const USER_CS,
    op_clock_gettime = const operation::CLOCK_GETTIME,
    op_clock_getres = const operation::CLOCK_GETRES,
    op_gettimeofday = const operation::GETTIMEOFDAY,
    op_time = const operation::TIME,
    op_time_zone = const operation::TIME_ZONE,
    op_getcpu = const operation::GETCPU,
);
