//! i386 and x86-64, by iced-x86.

use super::{Class, Code, Instruction};
use iced_x86::{
    Code as Op, ConditionCode, CpuidFeature, Decoder, DecoderOptions, FlowControl, Formatter, GasFormatter,
    Instruction as Decoded, Mnemonic, OpKind, Register,
};

pub(super) fn walk(bits: u32, code: &Code<'_>, text: bool, visit: &mut dyn FnMut(Instruction)) {
    let mut formatter = text.then(GasFormatter::new);
    let mut decoder = Decoder::with_ip(bits, code.bytes, code.address, DecoderOptions::NONE);
    let mut decoded = Decoded::default();
    // Whether the frame pointer is one, or a register like others: what was last written to it says.
    let mut framed = false;
    while decoder.can_decode() {
        decoder.decode_out(&mut decoded);
        if decoded.op0_register().full_register() == Register::RBP && writes_first(&decoded) {
            framed = match decoded.mnemonic() {
                Mnemonic::Mov => decoded.op1_register().full_register() == Register::RSP,
                Mnemonic::Lea => decoded.memory_base().full_register() == Register::RSP,
                // The caller's comes back, at an end of the function that need not be its last.
                Mnemonic::Pop => framed,
                _ => false,
            };
        }
        let slot = slot(&decoded, framed);
        let mut instruction = Instruction {
            address: decoded.ip(),
            length: decoded.len() as u64,
            class: class(bits, &decoded, code, slot),
            slot,
            vector: has_register(&decoded, vector),
            target: (decoded.op0_kind() == near(bits)).then(|| decoded.near_branch_target()),
            text: String::new(),
        };
        if let Some(formatter) = &mut formatter {
            formatter.format(&decoded, &mut instruction.text);
        }
        visit(instruction);
    }
}

fn near(bits: u32) -> OpKind {
    if bits == 64 { OpKind::NearBranch64 } else { OpKind::NearBranch32 }
}

/// Whether there is a first operand that is written.
fn writes_first(decoded: &Decoded) -> bool {
    decoded.op0_kind() == OpKind::Register && !matches!(decoded.mnemonic(), Mnemonic::Cmp | Mnemonic::Test | Mnemonic::Push)
}

fn has_memory(decoded: &Decoded) -> bool {
    (0..decoded.op_count()).any(|at| decoded.op_kind(at) == OpKind::Memory)
}

fn slot(decoded: &Decoded, framed: bool) -> bool {
    let based = match decoded.memory_base().full_register() {
        Register::RSP => true,
        Register::RBP => framed,
        _ => false,
    };
    // `lea` computes an address, `or $0,(%esp)` is a fence or a probe of the stack.
    based
        && has_memory(decoded)
        && decoded.mnemonic() != Mnemonic::Lea
        && !matches!(decoded.flow_control(), FlowControl::IndirectCall | FlowControl::IndirectBranch)
        && !(decoded.mnemonic() == Mnemonic::Or && decoded.op1_kind() != OpKind::Register)
}

fn class(bits: u32, decoded: &Decoded, code: &Code<'_>, slot: bool) -> Class {
    use Mnemonic as M;
    match decoded.flow_control() {
        FlowControl::ConditionalBranch | FlowControl::UnconditionalBranch | FlowControl::IndirectBranch => return Class::Branch,
        FlowControl::Call | FlowControl::IndirectCall if !matches!(decoded.mnemonic(), M::Syscall | M::Sysenter) => {
            return Class::Call;
        }
        FlowControl::Return if matches!(decoded.mnemonic(), M::Ret | M::Retf) => return Class::Call,
        _ => {}
    }
    if fills(bits, decoded) || zeros(decoded, code) {
        return Class::Padding;
    }
    if decoded.code() == Op::INVALID {
        return Class::Data;
    }
    if decoded.is_string_instruction() {
        return Class::String;
    }
    if float(decoded) {
        return Class::Float;
    }
    match decoded.mnemonic() {
        M::Push
        | M::Pop
        | M::Pusha
        | M::Pushad
        | M::Popa
        | M::Popad
        | M::Pushf
        | M::Pushfd
        | M::Pushfq
        | M::Popf
        | M::Popfd
        | M::Popfq
        | M::Leave
        | M::Enter => Class::Stack,
        M::Mov | M::Movzx | M::Movsx | M::Movsxd | M::Movbe | M::Xchg | M::Xlatb if has_memory(decoded) => {
            if slot {
                Class::Stack
            } else if decoded.op0_kind() == OpKind::Memory {
                Class::Store
            } else {
                Class::Load
            }
        }
        M::Mov | M::Movzx | M::Movsx | M::Movsxd | M::Xchg | M::Bswap => Class::Move,
        M::Endbr32
        | M::Endbr64
        | M::Int
        | M::Syscall
        | M::Sysenter
        | M::Ud2
        | M::Ud0
        | M::Ud1
        | M::Hlt
        | M::Cpuid
        | M::Rdtsc
        | M::Rdtscp
        | M::Xgetbv
        | M::Lfence
        | M::Mfence
        | M::Sfence
        | M::Pause
        | M::Prefetcht0
        | M::Prefetcht1
        | M::Prefetcht2
        | M::Prefetchnta
        | M::Prefetchw
        | M::Cld
        | M::Std
        | M::Clc
        | M::Stc
        | M::Cmc
        | M::Iret
        | M::Iretd
        | M::Iretq
        | M::Xbegin
        | M::Xend
        | M::Xabort
        | M::Xtest
        | M::In
        | M::Out
        | M::Cli
        | M::Sti
        | M::Rdpkru
        | M::Wrpkru
        | M::Rdsspd
        | M::Rdsspq
        | M::Incsspd
        | M::Incsspq
        | M::Clflush
        | M::Clflushopt
        | M::Rdrand
        | M::Rdseed
        | M::Wait
        | M::Rdfsbase
        | M::Wrfsbase => Class::Other,
        // `cmov`, which has two operands, unlike `set`.
        _ if decoded.condition_code() != ConditionCode::None && decoded.op_count() == 2 => {
            if slot {
                Class::Stack
            } else if has_memory(decoded) {
                Class::Load
            } else {
                Class::Move
            }
        }
        _ => Class::Arithmetic,
    }
}

/// What assemblers fill with: nops of any length, traps, and in 32-bit code moves of a register to itself, which clear the upper
/// half in 64-bit code.
fn fills(bits: u32, decoded: &Decoded) -> bool {
    let first = decoded.op0_register();
    match decoded.mnemonic() {
        Mnemonic::Nop | Mnemonic::Int3 => true,
        Mnemonic::Lea => {
            let same = decoded.memory_base() == first && decoded.memory_index() == Register::None;
            bits == 32 && same && decoded.memory_displacement64() == 0
        }
        Mnemonic::Mov => bits == 32 && first != Register::None && first == decoded.op1_register(),
        _ => false,
    }
}

/// Zeros, which would be an addition to memory.
fn zeros(decoded: &Decoded, code: &Code<'_>) -> bool {
    let at = usize::try_from(decoded.ip().wrapping_sub(code.address)).ok();
    at.and_then(|at| code.bytes.get(at..at + decoded.len())).is_some_and(|own| own.iter().all(|byte| *byte == 0))
}

fn float(decoded: &Decoded) -> bool {
    let unit = |register: Register| vector(register) || register.is_st();
    has_register(decoded, unit)
        || decoded.code().cpuid_features().iter().any(|feature| {
            matches!(
                feature,
                CpuidFeature::FPU | CpuidFeature::FPU287 | CpuidFeature::FPU387 | CpuidFeature::MMX | CpuidFeature::AVX
            )
        })
        || matches!(decoded.mnemonic(), Mnemonic::Ldmxcsr | Mnemonic::Stmxcsr)
}

fn vector(register: Register) -> bool {
    register.is_vector_register() || register.is_mm() || register.is_k() || register.is_tmm()
}

fn has_register(decoded: &Decoded, wanted: fn(Register) -> bool) -> bool {
    (0..decoded.op_count()).any(|at| decoded.op_kind(at) == OpKind::Register && wanted(decoded.op_register(at)))
}
