//! Calls in both directions, for a guest that is a library of the host's program ([`crate::embed`]): the host calls a function of the
//! guest, and the guest a function of the host.
//!
//! What a call needs is on the host's own stack, so calls nest as the program nests them. [`Thread::host_sp`] is where the innermost
//! one keeps it:
//!
//! ```text
//! host_sp + 0   Thread::guest_sp, as it was before
//!         + 8   Thread::host_sp, as it was before
//!         + 16  1 where the result is in st(0); + 20 Thread::pending, as it was before
//!         + 24  where the result goes
//!         + 32  r15, r14, r13, r12, rbp, rbx, return address
//! ```
//! and of a call from the guest [`Thread::pending`] is where four words are kept on the guest's stack: rsp of the host, the
//! `pending` before, the `guest_sp` before, the `host_sp` around the innermost call.
//!
//! Upper halves of vector registers are left as they are: compilers clear them before every call and return, on both sides (`-mvzeroupper`
//! of GCC, which is the default).
//!
//! Either side may leave calls by longjmp(3). What the host has left is seen at its next call, by what the guest's stack keeps, which
//! nobody has written over. What the guest has left is seen when it returns or calls with a stack pointer above where the innermost
//! call has begun: that call and those around it end, up to the one that the stack pointer is in, as the guest's stack frames did.

use super::lowpage;
use crate::thread::{Regs, Thread};
use core::arch::global_asm;
use core::mem::offset_of;
use core::sync::atomic::AtomicU64;

/// A result: eax and edx, or st(0). `struct biarch_result` of the bridge.
#[repr(C, align(16))]
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct CallResult {
    /// The register eax.
    pub(crate) eax: u32,
    /// The register edx.
    pub(crate) edx: u32,
    reserved: [u32; 2],
    /// The register st(0), 80 bits, where the result is a floating-point number.
    pub(crate) st0: [u16; 8],
}
const _: () = assert!(offset_of!(CallResult, st0) == 16);

/// The function that [`biarch_cross_callback`] calls: `(number, words, result)`, which returns whether the result is in st(0).
pub(crate) static CALLED: AtomicU64 = AtomicU64::new(0);

#[allow(improper_ctypes)] // the assembly takes the offsets of the fields that it touches from the compiler
unsafe extern "C" {
    /// Calls the guest's `function` with `count` words on its stack: 0 where it has returned, what [`biarch_cross_leave`] says where not.
    pub(crate) fn biarch_cross_call(
        thread: *mut Thread,
        function: u32,
        words: *const u32,
        count: u32,
        result: *mut CallResult,
        in_st0: u32,
    ) -> u32;
    /// Lets the guest go on from the registers in `thread`, until it leaves.
    pub(crate) fn biarch_cross_resume(thread: *mut Thread) -> u32;
    /// Ends the innermost [`biarch_cross_call`] or [`biarch_cross_resume`], which returns `status`.
    pub(crate) fn biarch_cross_leave(thread: *mut Thread, status: u32) -> !;
    static biarch_cross_push: u8;
    static biarch_cross_push_end: u8;
    static biarch_cross_note: u8;
    static biarch_cross_note_end: u8;
    pub(crate) static biarch_cross_returned: u8;
    pub(crate) static biarch_cross_callback: u8;
    pub(crate) static biarch_cross_failed: u8;
}

/// Whether `rip` is where something is written to the guest's stack, which may have no room for it.
pub(crate) fn pushes(rip: u64) -> bool {
    let at = |label: *const u8| label.addr() as u64;
    (at(&raw const biarch_cross_push)..at(&raw const biarch_cross_push_end)).contains(&rip)
        || (at(&raw const biarch_cross_note)..at(&raw const biarch_cross_note_end)).contains(&rip)
}

global_asm!(
    ".globl biarch_cross_call, biarch_cross_resume, biarch_cross_leave, biarch_cross_returned, biarch_cross_callback",
    ".globl biarch_cross_push, biarch_cross_push_end, biarch_cross_note, biarch_cross_note_end, biarch_cross_failed",
    // (rdi: thread, esi: function, rdx: words, ecx: count, r8: result, r9d: in st(0)) -> eax
    "biarch_cross_call:",
    "push rbx",
    "push rbp",
    "push r12",
    "push r13",
    "push r14",
    "push r15",
    "mov r15, rdi",
    "mov r10, [r15 + {pending}]",
    "test r10, r10",
    "jnz biarch_cross_pending",
    "biarch_cross_prepared:",
    "push r8",
    "push r9",
    "mov r10, [r15 + {pending}]",
    "mov [rsp + 4], r10d",
    "push qword ptr [r15 + {host_sp}]",
    "push qword ptr [r15 + {guest_sp}]",
    "mov [r15 + {host_sp}], rsp",
    // The arguments begin at a multiple of 16 (i386 psABI, 2.2.2).
    "mov eax, [r15 + {guest_sp}]",
    "mov ecx, ecx",
    "lea r10, [rcx * 4]",
    "sub rax, r10",
    "js biarch_cross_full",
    "and eax, -16",
    "jmp 2f",
    "biarch_cross_push:",
    "1:",
    "mov r10d, [rdx + rcx * 4]",
    "mov [rax + rcx * 4], r10d",
    "2:",
    "sub ecx, 1",
    "jns 1b",
    "biarch_cross_push_end:",
    "xor ebp, ebp", // where a backtrace ends
    "mov esp, eax",
    "mov eax, esi",
    "jmp fword ptr [rip + {call32}]",
    // Calls of the guest's are pending, or the program has left them by longjmp(3). Those are where its stack is free by now; of
    // another stack than the thread's own, where coroutines are, that cannot be told.
    "biarch_cross_pending:",
    "mov r11, [r10]",
    "cmp r11, rsp",
    "ja biarch_cross_prepared",
    "cmp r11, [r15 + {stack}]",
    "jb biarch_cross_prepared",
    "cmp rsp, [r15 + {stack} + 8]",
    "jae biarch_cross_prepared",
    "mov r11, [r10 + 16]",
    "mov [r15 + {guest_sp}], r11",
    "mov r11, [r10 + 24]",
    "mov [r15 + {host_sp}], r11",
    "mov r10, [r10 + 8]",
    "mov [r15 + {pending}], r10",
    "test r10, r10",
    "jnz biarch_cross_pending",
    "jmp biarch_cross_prepared",
    // What is below 0 is no stack.
    "biarch_cross_full:",
    "mov esi, {no_stack}",
    "mov rdi, r15",
    "jmp biarch_cross_leave",
    // The guest's function has returned.
    "biarch_cross_returned:",
    "mov r11d, esp",
    "mov rsp, [r15 + {host_sp}]",
    "lea r13, [rip + biarch_cross_unwound]",
    "cmp r11, [rsp]",
    "ja biarch_cross_unwind",
    "biarch_cross_unwound:",
    "mov r10, [rsp + 24]",
    "mov [r10], eax",
    "mov [r10 + 4], edx",
    "cmp dword ptr [rsp + 16], 0",
    "je 4f",
    "fstp tbyte ptr [r10 + 16]",
    "4:",
    "xor eax, eax",
    "6:",
    "pop qword ptr [r15 + {guest_sp}]",
    "pop qword ptr [r15 + {host_sp}]",
    "add rsp, 16",
    "pop r15",
    "pop r14",
    "pop r13",
    "pop r12",
    "pop rbp",
    "pop rbx",
    "ret",
    // (rdi: thread) -> eax
    "biarch_cross_resume:",
    "push rbx",
    "push rbp",
    "push r12",
    "push r13",
    "push r14",
    "push r15",
    "mov r15, rdi",
    "push 0",
    "push 0",
    "push qword ptr [r15 + {host_sp}]",
    "push qword ptr [r15 + {guest_sp}]",
    "mov [r15 + {host_sp}], rsp",
    "jmp biarch_enter",
    // (rdi: thread, esi: status)
    "biarch_cross_leave:",
    "mov r15, rdi",
    "mov eax, esi",
    "mov rsp, [r15 + {host_sp}]",
    "jmp 6b",
    // From the signal handler: the guest has ended by a fault, in any state of the floating-point unit.
    "biarch_cross_failed:",
    "fninit",
    "push 0x1f80",
    "ldmxcsr dword ptr [rsp]",
    "mov rdi, r15",
    "mov esi, {failed}",
    "jmp biarch_cross_leave",
    // The guest's stack pointer, r11, is above where the call at rsp has begun: rsp becomes the call that it is in, and what is kept of
    // the thread what it was in that. On a stack of its own, as of a signal's handler, it may be in none: then nothing has been left.
    // (r13: where to go on)
    "biarch_cross_unwind:",
    "mov r10, rsp",
    "biarch_cross_outwards:",
    "mov r10, [r10 + 8]",
    "test r10, r10",
    "jz biarch_cross_in_none",
    "cmp r11, [r10]",
    "ja biarch_cross_outwards",
    "mov rsp, r10",
    "mov [r15 + {host_sp}], r10",
    "mov r11, [r10]",
    "mov [r15 + {guest_sp}], r11",
    "mov r11d, [r10 + 20]",
    "mov [r15 + {pending}], r11",
    "biarch_cross_in_none:",
    "jmp r13",
    // The guest calls a function of the host: eax is its number, and esp points to the return address.
    "biarch_cross_callback:",
    "mov r12d, esp",
    "mov r11d, esp",
    "mov rsp, [r15 + {host_sp}]",
    "lea r13, [rip + biarch_cross_called_back]",
    "cmp r11, [rsp]",
    "ja biarch_cross_unwind",
    "biarch_cross_called_back:",
    "push rbx",
    "push rbp",
    "push rsi",
    "push rdi",
    "push r12",
    "push qword ptr [r15 + {guest_sp}]",
    "push qword ptr [r15 + {host_sp}]",
    // What is needed after a longjmp(3) is on the guest's stack, which nobody writes over meanwhile.
    "lea r13, [r12 - 32]",
    "mov r11, [r15 + {host_sp}]",
    "mov r11, [r11 + 8]",
    "biarch_cross_note:",
    "mov [r13], rsp",
    "mov r14, [r15 + {pending}]",
    "mov [r13 + 8], r14",
    "mov r14, [r15 + {guest_sp}]",
    "mov [r13 + 16], r14",
    "mov [r13 + 24], r11",
    "biarch_cross_note_end:",
    "mov [r15 + {pending}], r13",
    "mov [r15 + {guest_sp}], r13",
    "sub rsp, 32",
    "mov edi, eax",
    "lea rsi, [r12 + 4]",
    "mov rdx, rsp",
    "call qword ptr [rip + {called}]",
    "mov ecx, eax",
    "mov eax, [rsp]",
    "mov edx, [rsp + 4]",
    "test ecx, ecx",
    "jz 8f",
    "fld tbyte ptr [rsp + 16]",
    "8:",
    "mov r13, [r13 + 8]",
    "mov [r15 + {pending}], r13",
    "add rsp, 32",
    "pop qword ptr [r15 + {host_sp}]",
    "pop qword ptr [r15 + {guest_sp}]",
    "pop r12",
    "pop rdi",
    "pop rsi",
    "pop rbp",
    "pop rbx",
    "cmp dword ptr [r15 + {work}], 0",
    "jne biarch_cross_work",
    "mov esp, r12d",
    "jmp fword ptr [rip + {return32}]",
    // A signal waits, or the guest is not to go on.
    "biarch_cross_work:",
    "mov ecx, [rip + {return32}]",
    "mov [r15 + {eip}], ecx",
    "mov [r15 + {esp}], r12d",
    "mov rsp, [r15 + {host_stack}]",
    "mov dword ptr [r15 + {orig_eax}], -1",
    "mov dword ptr [r15 + {segments_valid}], 0",
    "jmp biarch_entry_work",
    host_sp = const offset_of!(Thread, host_sp),
    guest_sp = const offset_of!(Thread, guest_sp),
    eip = const offset_of!(Thread, regs) + offset_of!(Regs, eip),
    work = const offset_of!(Thread, work),
    host_stack = const offset_of!(Thread, host_stack),
    segments_valid = const offset_of!(Thread, segments_valid),
    esp = const offset_of!(Thread, regs) + offset_of!(Regs, esp),
    orig_eax = const offset_of!(Thread, regs) + offset_of!(Regs, orig_eax),
    pending = const offset_of!(Thread, pending),
    stack = const offset_of!(Thread, program_stack),
    call32 = sym lowpage::CALL_ADDRESS,
    return32 = sym lowpage::RETURN_ADDRESS,
    called = sym CALLED,
    failed = const crate::embed::Left::Failed as u32,
    no_stack = const crate::embed::Left::NoStack as u32,
);
