//! The assembly of both directions.
//!
//! Four ranges of addresses matter to the signal handler ([`Place`]), because a signal that arrives in them must not be
//! lost, nor wait for the guest's next system call:
//! - *before the kernel*: the last look at `work` and the `syscall` instruction itself, where the kernel also leaves rip to
//!   restart a call: continue at *interrupted* instead;
//! - *leaving*: from the last look at `work` to the jump into the guest: continue at the work loop; everything that is
//!   loaded there is loaded from [`Thread`], or from a register that stays as it is, so it can be loaded again.

use crate::thread::{Regs, Thread, VectorSave};
use crate::vdso::own::operation;
use core::arch::global_asm;
use core::mem::offset_of;
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// What the fast path does with each number: the host's number, or [`SLOW`].
pub(crate) static FAST: [core::sync::atomic::AtomicU16; abi::syscalls::TABLE_LENGTH] = {
    let mut table = [const { core::sync::atomic::AtomicU16::new(SLOW) }; abi::syscalls::TABLE_LENGTH];
    let mut number = 0;
    while number < table.len() {
        if let Some(abi::syscalls::Syscall { action: abi::syscalls::Action::Native(host), .. }) =
            &abi::syscalls::i386::TABLE[number]
        {
            table[number] = core::sync::atomic::AtomicU16::new(*host);
        }
        number += 1;
    }
    table
};

/// Not for the fast path.
pub(crate) const SLOW: u16 = u16::MAX;

/// Takes a number off the fast path.
pub(crate) fn slow(number: u16) {
    if let Some(entry) = FAST.get(usize::from(number)) {
        entry.store(SLOW, core::sync::atomic::Ordering::Relaxed);
    }
}

/// Takes everything off the fast path.
pub(crate) fn slow_all() {
    for entry in &FAST {
        entry.store(SLOW, core::sync::atomic::Ordering::Relaxed);
    }
}

/// Vector registers that this CPU and kernel have, bits of XCR0 with what `xgetbv(1)` can tell: 0 where only SSE is to be
/// saved, 4 AVX, 0xe4 AVX-512. Set once at the start.
pub(crate) static VECTOR_FEATURES: AtomicU32 = AtomicU32::new(0);

#[allow(improper_ctypes)] // the assembly takes the offsets of the fields that it touches from the compiler
unsafe extern "C" {
    /// `(work, number, arguments)`: the host's system call, unless `*work` is not zero at the last moment.
    pub(crate) fn biarch_safe_syscall(work: *const AtomicU32, number: u64, args: *const u64) -> u64;
    fn biarch_enter(thread: *mut Thread) -> !;
    /// Puts the guest's saved vector registers into the processor, and then the whole extended state into `image`.
    pub(crate) fn biarch_save_image(thread: *mut Thread, image: *mut u8);
    static biarch_safe_start: u8;
    static biarch_entry_text: u8;
    static biarch_entry_text_end: u8;
    static biarch_safe_insn: u8;
    static biarch_safe_interrupted: u8;
    static biarch_safe_not_made: u8;
    static biarch_fast_start: u8;
    static biarch_fast_insn: u8;
    static biarch_fast_interrupted: u8;
    static biarch_fast_not_made: u8;
    static biarch_fast_done: u8;
    static biarch_fast_end: u8;
    static biarch_fast_patched_done: u8;
    static biarch_fast_patched_end: u8;
    static biarch_leave_start: u8;
    static biarch_leave_end: u8;
    static biarch_vdso_done: u8;
    static biarch_vdso_end: u8;
    static biarch_vdso_work: u8;
    static biarch_work: u8;
    static biarch_fast_work: u8;
    pub(crate) static biarch_entry_stub: u8;
    pub(crate) static biarch_entry_patched: u8;
    pub(crate) static biarch_entry_trap: u8;
    pub(crate) static biarch_entry_vdso: u8;
    pub(crate) static biarch_signal_from_guest: u8;
}

/// Runs the guest from the registers in `thread`.
///
/// # Safety
/// On a stack that nothing needs any more but what is below `host_stack` of this thread.
pub(crate) unsafe fn enter(thread: *mut Thread) -> ! {
    // SAFETY: the caller vouches for the stack; `full_restore` makes the registers complete.
    unsafe {
        (*thread).full_restore = 1;
        (*thread).segments_valid = 1;
        biarch_enter(thread)
    }
}

/// Whether `syscall` changes rcx on this processor.
static RCX_TELLS: AtomicBool = AtomicBool::new(false);

/// Finds out whether `syscall` changes rcx.
pub(crate) fn detect_rcx() {
    let rcx: u64;
    // SAFETY: getpid has no arguments.
    unsafe {
        core::arch::asm!("syscall", inlateout("rax") u64::from(crate::host::nr::GETPID) => _, inlateout("rcx") 0u64 => rcx, lateout("r11") _, options(nostack))
    };
    RCX_TELLS.store(rcx != 0, Ordering::Relaxed);
}

/// Where in the assembly a signal has found the supervisor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// About to enter the kernel, or in it and to be restarted. Continue at this address: the call has not been made.
    BeforeKernel(u64),
    /// On the way to the guest with nothing left to look at `work`. Continue at this address, on the host stack.
    Leaving(u64),
    /// Anywhere else: `work` will be looked at.
    Elsewhere,
}

/// Where [`biarch_safe_syscall`]'s call returns to: the instruction pointer that the kernel's filters see.
pub(crate) fn safe_return() -> u64 {
    (&raw const biarch_safe_insn).addr() as u64 + SYSCALL_LENGTH
}

/// Where the calls that can be interrupted return to: those of [`biarch_safe_syscall`], and those of the fast path.
pub(crate) fn call_returns() -> [u64; 2] {
    [safe_return(), (&raw const biarch_fast_insn).addr() as u64 + SYSCALL_LENGTH]
}

/// All of the assembly: where it begins and ends.
pub(crate) fn text() -> [u64; 2] {
    [(&raw const biarch_entry_text).addr() as u64, (&raw const biarch_entry_text_end).addr() as u64]
}

/// Length of the `syscall` instruction in bytes.
const SYSCALL_LENGTH: u64 = 2;

/// Whether `rip` is on the way from the guest to Rust code, to the kernel, or back, where the stack may be anybody's.
pub(crate) fn is_on_the_way(rip: u64) -> bool {
    let [start, end] = text();
    (start..end).contains(&rip) || super::lowpage::contains(rip)
}

/// Classifies the supervisor's address `rip`; `rcx` tells a `syscall` instruction that is still to be executed from one that the
/// kernel wants to restart: executing it puts the next instruction's address there. Under FRED it does not, and then the
/// call is taken for one that was made.
pub(crate) fn place(rip: u64, rcx: u64) -> Place {
    let at = |label: *const u8| label.addr() as u64;
    let (safe, safe_insn) = (at(&raw const biarch_safe_start), at(&raw const biarch_safe_insn));
    let (fast, fast_insn) = (at(&raw const biarch_fast_start), at(&raw const biarch_fast_insn));
    let made = |insn: u64| rip == insn && (rcx == insn + SYSCALL_LENGTH || !RCX_TELLS.load(Ordering::Relaxed));
    if (safe..=safe_insn).contains(&rip) {
        let interrupted = if made(safe_insn) { &raw const biarch_safe_interrupted } else { &raw const biarch_safe_not_made };
        return Place::BeforeKernel(at(interrupted));
    }
    if (fast..=fast_insn).contains(&rip) {
        let interrupted = if made(fast_insn) { &raw const biarch_fast_interrupted } else { &raw const biarch_fast_not_made };
        return Place::BeforeKernel(at(interrupted));
    }
    if (at(&raw const biarch_fast_done)..at(&raw const biarch_fast_end)).contains(&rip)
        || (at(&raw const biarch_fast_patched_done)..at(&raw const biarch_fast_patched_end)).contains(&rip)
    {
        return Place::Leaving(at(&raw const biarch_fast_work));
    }
    if (at(&raw const biarch_vdso_done)..at(&raw const biarch_vdso_end)).contains(&rip) {
        return Place::Leaving(at(&raw const biarch_vdso_work));
    }
    if (at(&raw const biarch_leave_start)..at(&raw const biarch_leave_end)).contains(&rip) {
        return Place::Leaving(at(&raw const biarch_work));
    }
    Place::Elsewhere
}

global_asm!(
    // ---------------------------------------------------------------------------------------------------------------
    // A system call for the guest, made by Rust code: rdi = &work, rsi = number, rdx = &args[6].
    ".globl biarch_entry_text, biarch_entry_text_end",
    "biarch_entry_text:",
    ".globl biarch_safe_syscall, biarch_safe_start, biarch_safe_insn, biarch_safe_interrupted, biarch_safe_not_made",
    "biarch_safe_syscall:",
    "mov r11, rdi",
    "mov rax, rsi",
    "mov rcx, rdx",
    "mov rdi, [rcx]",
    "mov rsi, [rcx + 8]",
    "mov rdx, [rcx + 16]",
    "mov r10, [rcx + 24]",
    "mov r8, [rcx + 32]",
    "mov r9, [rcx + 40]",
    "biarch_safe_start:",
    "cmp dword ptr [r11], 0",
    "jne biarch_safe_not_made",
    "biarch_safe_insn:",
    "syscall",
    "ret",
    "biarch_safe_interrupted:",
    "mov rax, -{erestartsys}",
    "ret",
    "biarch_safe_not_made:",
    "mov rax, -{erestartnointr}",
    "ret",
    // ---------------------------------------------------------------------------------------------------------------
    // From the stub below 4 GiB: the guest has called __kernel_vsyscall. Flags are the caller's to lose, as after any call.
    ".globl biarch_entry_stub, biarch_entry_patched, biarch_entry_trap",
    "biarch_entry_stub:",
    "mov [r15 + {esp}], esp",
    "mov r13d, [rip + {sysinfo_return}]",
    "mov [r15 + {eip}], r13d",
    "mov rsp, [r15 + {host_stack}]",
    "cmp eax, {table_length}",
    "jae biarch_slow",
    "lea r14, [rip + {fast}]",
    "mov eax, eax",
    "movzx r13d, word ptr [r14 + rax * 2]",
    "cmp r13d, {slow}",
    "je biarch_slow",
    "mov [r15 + {orig_eax}], eax",
    // r12 = ecx, r10 = esi, r8 = edi: the kernel keeps all three, and what is restored below can be restored twice.
    "mov r12d, ecx",
    "mov r10d, esi",
    "mov r8d, edi",
    "mov r9d, ebp",
    "mov edi, ebx",
    "mov esi, ecx",
    "mov edx, edx",
    "mov eax, r13d",
    // No flags to keep: biarch_entry_patched has them here. In the six argument registers the kernel reads all 64 bits where it
    // takes a size, so there is no room for it.
    "xor r14d, r14d",
    ".globl biarch_fast_start, biarch_fast_insn, biarch_fast_interrupted, biarch_fast_done, biarch_fast_end, biarch_fast_work",
    ".globl biarch_fast_not_made",
    ".globl biarch_fast_patched_done, biarch_fast_patched_end",
    "biarch_fast_start:",
    "cmp dword ptr [r15 + {work}], 0",
    "jne biarch_fast_not_made",
    "biarch_fast_insn:",
    "syscall",
    "test r14d, r14d", // the flags to keep, of which bit 1 is always set; 0 from the stub
    "jnz biarch_fast_patched_done",
    "biarch_fast_done:",
    "cmp dword ptr [r15 + {work}], 0",
    "jne biarch_fast_work",
    "mov ecx, r12d",
    "mov esi, r10d",
    "mov edi, r8d",
    "mov esp, [r15 + {esp}]",
    "jmp fword ptr [r15 + {eip}]",
    "biarch_fast_end:",
    "biarch_fast_patched_done:",
    "cmp dword ptr [r15 + {work}], 0",
    "jne biarch_fast_work",
    "mov ecx, r12d",
    "mov esi, r10d",
    "mov edi, r8d",
    "mov rsp, [r15 + {host_stack}]",
    "mov r14d, [r15 + {eflags}]",
    "push r14",
    "popfq",
    "mov esp, [r15 + {esp}]",
    "jmp fword ptr [r15 + {eip}]",
    "biarch_fast_patched_end:",
    "biarch_fast_not_made:",
    "mov rax, -{erestartnointr}",
    "jmp biarch_fast_work",
    "biarch_fast_interrupted:",
    "mov rax, -{erestartsys}",
    "biarch_fast_work:", // rax = the result; a signal waits. Save what the slow path would have saved.
    "mov ecx, r12d",
    "mov esi, r10d",
    "mov edi, r8d",
    "mov rsp, [r15 + {host_stack}]",
    "mov dword ptr [r15 + {full_restore}], 0",
    "mov dword ptr [r15 + {segments_valid}], 0",
    "call biarch_save_registers",
    "test r14d, r14d",
    "jnz 2f",
    "call biarch_stub_flags",
    "jmp 9f",
    "2:",
    "call biarch_patched_restart",
    "9:",
    "call biarch_save_vectors",
    "jmp biarch_work",
    "biarch_patched_restart:",
    "mov r13d, [r15 + {eip}]",
    "sub r13d, 2",
    "mov [r15 + {restart_eip}], r13d",
    "ret",
    // What the slow path knows only now: the stub's flags, and where its caller's call is made again.
    "biarch_stub_flags:",
    "pushfq",
    "pop r14",
    "mov [r15 + {eflags}], r14d",
    "mov r13d, [rip + {sysinfo}]",
    "mov [r15 + {restart_eip}], r13d",
    "ret",
    // ---------------------------------------------------------------------------------------------------------------
    // From a rewritten int $0x80: eip is set. All registers and flags are to survive.
    "biarch_entry_patched:",
    "mov [r15 + {esp}], esp",
    "mov rsp, [r15 + {host_stack}]",
    "pushfq",
    "pop r14",
    "mov [r15 + {eflags}], r14d",
    "cmp eax, {table_length}",
    "jae biarch_slow_keep_flags",
    "lea r13, [rip + {fast}]",
    "mov eax, eax",
    "movzx r13d, word ptr [r13 + rax * 2]",
    "cmp r13d, {slow}",
    "je biarch_slow_keep_flags",
    "mov [r15 + {orig_eax}], eax",
    "mov r12d, ecx",
    "mov r10d, esi",
    "mov r8d, edi",
    "mov r9d, ebp",
    "mov edi, ebx",
    "mov esi, ecx",
    "mov edx, edx",
    "mov eax, r13d",
    "jmp biarch_fast_start",
    // ---------------------------------------------------------------------------------------------------------------
    // From our own vDSO (`vdso/own.rs`), which wants something of the 64-bit one: eax says what, ecx a clock. It is no system
    // call: flags, eax, ecx and edx are the caller's to lose, and the answer is in these three. A signal that arrives here
    // waits for the end, as in Rust code, and its handler then returns to the answer.
    ".globl biarch_entry_vdso, biarch_vdso_done, biarch_vdso_end, biarch_vdso_work",
    "biarch_entry_vdso:",
    "mov [r15 + {esp}], esp",
    "mov r13d, [rip + {vdso_return}]",
    "mov [r15 + {eip}], r13d",
    "mov rsp, [r15 + {host_stack}]",
    // The function keeps these, and ebx and ebp.
    "mov r12d, esi",
    "mov r13d, edi",
    "mov r14d, eax",
    "push 0",
    "push 0",
    "cmp r14d, {operations}",
    "jae 22f",
    "lea rax, [rip + {functions}]",
    "mov rax, [rax + r14 * 8]",
    "test rax, rax",
    "jz 22f",
    // (clock, &result), the first two operations
    "mov edi, ecx",
    "mov rsi, rsp",
    "cmp r14d, {op_gettimeofday}",
    "jb 20f",
    // (&result, NULL)
    "mov rdi, rsp",
    "xor esi, esi",
    "cmp r14d, {op_time_zone}",
    "jb 20f",
    // (&cpu, &node, NULL)
    "lea rsi, [rsp + 4]",
    "xor edx, edx",
    "cmp r14d, {op_time_zone}",
    "jne 20f",
    // (NULL, &result)
    "xor edi, edi",
    "mov rsi, rsp",
    "20:",
    "call rax",
    "cmp r14d, {op_time}", // which returns the time, not whether there is one
    "je 21f",
    "test eax, eax",
    "jnz 22f",
    "21:",
    "mov eax, [rsp]",
    "mov edx, [rsp + 4]",
    "mov ecx, [rsp + 8]",
    "jmp biarch_vdso_done",
    "22:",
    "mov ecx, -1",
    "biarch_vdso_done:",
    "cmp dword ptr [r15 + {work}], 0",
    "jne biarch_vdso_work",
    "mov esi, r12d",
    "mov edi, r13d",
    "mov esp, [r15 + {esp}]",
    "jmp fword ptr [r15 + {eip}]",
    "biarch_vdso_end:",
    "biarch_vdso_work:",
    "mov esi, r12d",
    "mov edi, r13d",
    "mov rsp, [r15 + {host_stack}]",
    "mov dword ptr [r15 + {orig_eax}], -1",
    "mov dword ptr [r15 + {segments_valid}], 0",
    // From here on also for a function of the host that returns to a library (`cross`).
    ".globl biarch_entry_work",
    "biarch_entry_work:",
    "mov dword ptr [r15 + {full_restore}], 0",
    "call biarch_save_registers",
    "call biarch_stub_flags",
    // As on the slow path; the work itself loads all registers.
    "push 2",
    "popfq",
    "call biarch_save_vectors",
    "jmp biarch_work",
    // ---------------------------------------------------------------------------------------------------------------
    // Through Rust: everything that is not the same call with the same arguments.
    "biarch_slow:",
    "mov dword ptr [r15 + {keep_flags}], 0",
    "call biarch_stub_flags",
    "jmp 3f",
    "biarch_slow_keep_flags:",
    "mov dword ptr [r15 + {keep_flags}], 1",
    "call biarch_patched_restart",
    "3:",
    "mov [r15 + {orig_eax}], eax",
    "mov dword ptr [r15 + {full_restore}], 0",
    "mov dword ptr [r15 + {segments_valid}], 0",
    "call biarch_save_registers",
    // Direction, alignment check, trap, nested task: not for the supervisor, and only iretq brings them back.
    "test r14d, 0x44500",
    "jz 4f",
    "push 2",
    "popfq",
    "mov dword ptr [r15 + {full_restore}], 1",
    "4:",
    "call biarch_save_vectors",
    "mov rdi, r15",
    "call {dispatch}",
    "biarch_check:",
    "cmp dword ptr [r15 + {work}], 0",
    "jne biarch_work",
    "cmp dword ptr [r15 + {full_restore}], 0",
    "jne biarch_leave_full",
    "call biarch_load_vectors",
    ".globl biarch_leave_start, biarch_leave_end, biarch_work",
    "biarch_leave_start:",
    "cmp dword ptr [r15 + {work}], 0",
    "jne biarch_work",
    "mov ebx, [r15 + {ebx}]",
    "mov ecx, [r15 + {ecx}]",
    "mov edx, [r15 + {edx}]",
    "mov esi, [r15 + {esi}]",
    "mov edi, [r15 + {edi}]",
    "mov ebp, [r15 + {ebp}]",
    "cmp dword ptr [r15 + {keep_flags}], 0",
    "je 8f",
    "mov eax, [r15 + {eflags}]",
    "push rax",
    "popfq",
    "8:",
    "mov eax, [r15 + {eax}]",
    "mov esp, [r15 + {esp}]",
    "jmp fword ptr [r15 + {eip}]",
    // All registers, by iretq.
    "biarch_leave_full_loaded:",
    "cmp dword ptr [r15 + {work}], 0",
    "jne biarch_work",
    "mov eax, [r15 + {eip}]",
    "mov [r15 + {iret}], rax",
    "movzx eax, word ptr [r15 + {cs}]",
    "mov [r15 + {iret} + 8], rax",
    "mov eax, [r15 + {eflags}]",
    "mov [r15 + {iret} + 16], rax",
    "mov eax, [r15 + {esp}]",
    "mov [r15 + {iret} + 24], rax",
    "movzx eax, word ptr [r15 + {ss}]",
    "mov [r15 + {iret} + 32], rax",
    "cmp dword ptr [r15 + {segments_valid}], 0",
    "je 6f",
    "mov ds, word ptr [r15 + {ds}]",
    "mov es, word ptr [r15 + {es}]",
    // Loading fs or gs resets its base, so only where the selector is another one.
    "mov eax, fs",
    "cmp ax, [r15 + {fs}]",
    "je 5f",
    "mov fs, word ptr [r15 + {fs}]",
    "5:",
    "mov eax, gs",
    "cmp ax, [r15 + {gs}]",
    "je 6f",
    "mov gs, word ptr [r15 + {gs}]",
    "6:",
    "mov ebx, [r15 + {ebx}]",
    "mov ecx, [r15 + {ecx}]",
    "mov edx, [r15 + {edx}]",
    "mov esi, [r15 + {esi}]",
    "mov edi, [r15 + {edi}]",
    "mov ebp, [r15 + {ebp}]",
    "mov eax, [r15 + {eax}]",
    "lea rsp, [r15 + {iret}]",
    "iretq",
    "biarch_leave_end:",
    "biarch_leave_full:",
    "cmp dword ptr [r15 + {image_valid}], 0",
    "jne 7f",
    "call biarch_load_vectors",
    "jmp biarch_leave_full_loaded",
    "7:",
    "lea rdi, [r15 + {image}]",
    "call {load_image}",
    "jmp biarch_leave_full_loaded",
    // A signal waits, or the guest's state has been replaced.
    "biarch_work:",
    "mov rsp, [r15 + {host_stack}]",
    "mov rdi, r15",
    "call {exit_work}",
    "jmp biarch_check",
    // ---------------------------------------------------------------------------------------------------------------
    // From the signal handler, by sigreturn: a trapped int $0x80, or a signal that found 32-bit code. The guest's general
    // registers are in Thread already, its vector registers in the processor.
    ".globl biarch_signal_from_guest",
    "biarch_entry_trap:",
    "mov dword ptr [r15 + {full_restore}], 1",
    "mov dword ptr [r15 + {image_valid}], 0",
    "call biarch_save_vectors",
    "mov rdi, r15",
    "call {trapped}",
    "jmp biarch_check",
    "biarch_signal_from_guest:",
    "mov dword ptr [r15 + {full_restore}], 1",
    "mov dword ptr [r15 + {image_valid}], 0",
    "call biarch_save_vectors",
    "jmp biarch_work",
    ".globl biarch_enter",
    "biarch_enter:",
    "mov r15, rdi",
    "mov rsp, [r15 + {host_stack}]",
    "jmp biarch_check",
    // ---------------------------------------------------------------------------------------------------------------
    "biarch_save_registers:",
    "mov [r15 + {eax}], eax",
    "mov [r15 + {ebx}], ebx",
    "mov [r15 + {ecx}], ecx",
    "mov [r15 + {edx}], edx",
    "mov [r15 + {esi}], esi",
    "mov [r15 + {edi}], edi",
    "mov [r15 + {ebp}], ebp",
    "ret",
    // Rust code uses the vector registers freely; i386 has eight of them, and the kernel promises to keep them.
    // What is in use decides how much is saved, so that a guest that uses SSE only never pays for AVX-512.
    "biarch_save_vectors:",
    "mov dword ptr [r15 + {image_valid}], 0",
    "xor eax, eax",
    "cmp dword ptr [rip + {vector_features}], 0",
    "je 20f",
    "mov ecx, 1",
    "xgetbv",
    "and eax, [rip + {vector_features}]",
    "20:",
    "mov [r15 + {vectors_in_use}], eax",
    "lea rdx, [r15 + {vectors}]",
    "test eax, 0x20",
    "jz 21f",
    "kmovq [rdx + 512], k0",
    "kmovq [rdx + 520], k1",
    "kmovq [rdx + 528], k2",
    "kmovq [rdx + 536], k3",
    "kmovq [rdx + 544], k4",
    "kmovq [rdx + 552], k5",
    "kmovq [rdx + 560], k6",
    "kmovq [rdx + 568], k7",
    "21:",
    "test eax, 0x40",
    "jz 22f",
    "vmovups [rdx], zmm0",
    "vmovups [rdx + 64], zmm1",
    "vmovups [rdx + 128], zmm2",
    "vmovups [rdx + 192], zmm3",
    "vmovups [rdx + 256], zmm4",
    "vmovups [rdx + 320], zmm5",
    "vmovups [rdx + 384], zmm6",
    "vmovups [rdx + 448], zmm7",
    "ret",
    "22:",
    "test eax, 4",
    "jz 23f",
    "vmovups [rdx], ymm0",
    "vmovups [rdx + 64], ymm1",
    "vmovups [rdx + 128], ymm2",
    "vmovups [rdx + 192], ymm3",
    "vmovups [rdx + 256], ymm4",
    "vmovups [rdx + 320], ymm5",
    "vmovups [rdx + 384], ymm6",
    "vmovups [rdx + 448], ymm7",
    "ret",
    "23:",
    "movups [rdx], xmm0",
    "movups [rdx + 64], xmm1",
    "movups [rdx + 128], xmm2",
    "movups [rdx + 192], xmm3",
    "movups [rdx + 256], xmm4",
    "movups [rdx + 320], xmm5",
    "movups [rdx + 384], xmm6",
    "movups [rdx + 448], xmm7",
    "ret",
    "biarch_load_vectors:",
    "mov eax, [r15 + {vectors_in_use}]",
    "lea rdx, [r15 + {vectors}]",
    "test eax, 0x20",
    "jz 31f",
    "kmovq k0, [rdx + 512]",
    "kmovq k1, [rdx + 520]",
    "kmovq k2, [rdx + 528]",
    "kmovq k3, [rdx + 536]",
    "kmovq k4, [rdx + 544]",
    "kmovq k5, [rdx + 552]",
    "kmovq k6, [rdx + 560]",
    "kmovq k7, [rdx + 568]",
    "31:",
    "test eax, 0x40",
    "jz 32f",
    "vmovups zmm0, [rdx]",
    "vmovups zmm1, [rdx + 64]",
    "vmovups zmm2, [rdx + 128]",
    "vmovups zmm3, [rdx + 192]",
    "vmovups zmm4, [rdx + 256]",
    "vmovups zmm5, [rdx + 320]",
    "vmovups zmm6, [rdx + 384]",
    "vmovups zmm7, [rdx + 448]",
    "ret",
    "32:",
    "test eax, 4",
    "jz 33f",
    "vzeroupper",
    "vmovups ymm0, [rdx]",
    "vmovups ymm1, [rdx + 64]",
    "vmovups ymm2, [rdx + 128]",
    "vmovups ymm3, [rdx + 192]",
    "vmovups ymm4, [rdx + 256]",
    "vmovups ymm5, [rdx + 320]",
    "vmovups ymm6, [rdx + 384]",
    "vmovups ymm7, [rdx + 448]",
    "ret",
    "33:",
    "cmp dword ptr [rip + {vector_features}], 0",
    "je 34f",
    "vzeroupper", // the guest's upper halves were unused: leave them so, or its SSE code would run slower
    "34:",
    "movups xmm0, [rdx]",
    "movups xmm1, [rdx + 64]",
    "movups xmm2, [rdx + 128]",
    "movups xmm3, [rdx + 192]",
    "movups xmm4, [rdx + 256]",
    "movups xmm5, [rdx + 320]",
    "movups xmm6, [rdx + 384]",
    "movups xmm7, [rdx + 448]",
    "ret",
    // rdi = thread, rsi = image, which is zeroed or an earlier image
    ".globl biarch_save_image",
    "biarch_save_image:",
    "push r15",
    "mov r15, rdi",
    "call biarch_load_vectors",
    "pop r15",
    "mov rdi, rsi",
    "jmp {store_image}",
    "biarch_entry_text_end:",
    erestartsys = const 512,
    erestartnointr = const 513,
    table_length = const abi::syscalls::TABLE_LENGTH,
    slow = const SLOW,
    fast = sym FAST,
    vector_features = sym VECTOR_FEATURES,
    dispatch = sym crate::dispatch::dispatch,
    trapped = sym super::trap::trapped,
    exit_work = sym crate::signal::exit_work,
    load_image = sym crate::signal::xstate::load_image,
    store_image = sym crate::signal::xstate::store_image,
    sysinfo = sym super::lowpage::SYSINFO,
    sysinfo_return = sym super::lowpage::SYSINFO_RETURN,
    vdso_return = sym crate::vdso::own::RETURN,
    functions = sym crate::vdso::own::FUNCTIONS,
    operations = const operation::COUNT,
    op_gettimeofday = const operation::GETTIMEOFDAY,
    op_time = const operation::TIME,
    op_time_zone = const operation::TIME_ZONE,
    keep_flags = const offset_of!(Thread, keep_flags),
    host_stack = const offset_of!(Thread, host_stack),
    work = const offset_of!(Thread, work),
    full_restore = const offset_of!(Thread, full_restore),
    segments_valid = const offset_of!(Thread, segments_valid),
    image_valid = const offset_of!(Thread, image_valid),
    vectors_in_use = const offset_of!(Thread, vectors_in_use),
    vectors = const offset_of!(Thread, vectors),
    image = const crate::thread::XSAVE,
    iret = const offset_of!(Thread, iret),
    eax = const REGS + offset_of!(Regs, eax),
    ebx = const REGS + offset_of!(Regs, ebx),
    ecx = const REGS + offset_of!(Regs, ecx),
    edx = const REGS + offset_of!(Regs, edx),
    esi = const REGS + offset_of!(Regs, esi),
    edi = const REGS + offset_of!(Regs, edi),
    ebp = const REGS + offset_of!(Regs, ebp),
    esp = const REGS + offset_of!(Regs, esp),
    eip = const REGS + offset_of!(Regs, eip),
    cs = const REGS + offset_of!(Regs, cs),
    ss = const REGS + offset_of!(Regs, ss),
    ds = const REGS + offset_of!(Regs, ds),
    es = const REGS + offset_of!(Regs, es),
    fs = const REGS + offset_of!(Regs, fs),
    gs = const REGS + offset_of!(Regs, gs),
    eflags = const REGS + offset_of!(Regs, eflags),
    orig_eax = const REGS + offset_of!(Regs, orig_eax),
    restart_eip = const REGS + offset_of!(Regs, restart_eip),
);

const REGS: usize = offset_of!(Thread, regs);
const _: () = {
    assert!(offset_of!(Regs, cs) == offset_of!(Regs, eip) + 4, "eip and cs are one far pointer");
    assert!(offset_of!(VectorSave, opmasks) == 512);
    // What biarch_entry_vdso tells the arguments by.
    assert!(operation::CLOCK_GETTIME < operation::GETTIMEOFDAY && operation::CLOCK_GETRES < operation::GETTIMEOFDAY);
    assert!(operation::GETTIMEOFDAY < operation::TIME_ZONE && operation::TIME < operation::TIME_ZONE);
    assert!(operation::TIME_ZONE < operation::GETCPU);
};
