//! What is made of core dumps that are small, of damaged ones, and of what is none.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "made here, or a test fails"
)]

#[allow(unreachable_pub, reason = "the fuzzer has them as well")]
mod made;

use dump::{Converted, Error, convert};
use made::{At, PROGRAM};
use object::LittleEndian;
use object::elf::{FileHeader32, PT_LOAD};
use object::read::elf::{FileHeader, ProgramHeader};
use std::io::Cursor;

type Header = FileHeader32<LittleEndian>;

fn converted(bytes: &[u8]) -> Result<(Converted, Vec<u8>), Error> {
    let mut out = Cursor::new(Vec::new());
    convert(bytes, &mut out).map(|converted| (converted, out.into_inner()))
}

/// The contents of all notes of a kind.
fn notes(core: &[u8], kind: u32) -> Vec<Vec<u8>> {
    let header = Header::parse(core).unwrap();
    let mut found = vec![];
    for segment in header.program_headers(LittleEndian, core).unwrap() {
        let Some(mut notes) = segment.notes(LittleEndian, core).unwrap() else { continue };
        while let Some(note) = notes.next().unwrap() {
            if note.n_type(LittleEndian) == kind {
                found.push(note.desc().to_vec());
            }
        }
    }
    found
}

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
}

/// ebx, ecx, edx, esi, edi, ebp, eax, ds, es, fs, gs, orig_eax, eip, cs, eflags, esp, ss.
fn registers(at: At) -> (Vec<u32>, Vec<String>) {
    let (converted, core) = converted(&made::dump(&[At::Guest, at])).unwrap();
    let status = notes(&core, 1);
    assert_eq!((status.len(), status[1].len()), (2, 144));
    (words(&status[1][72..140]), converted.doubts)
}

#[test]
fn the_registers_are_where_the_thread_was() {
    let tid = 101;
    let selectors = |regs: &[u32]| (regs[7], regs[8], regs[9], regs[10], regs[13], regs[16]);
    let (guest, _) = registers(At::Guest);
    assert_eq!(guest[..7], [0x22, 0xc, 0x44, 0x51, 0xd1, 0x77, 512u32.wrapping_neg()]);
    assert_eq!((guest[12], guest[15]), (PROGRAM + 0x10, 0xffff_1000));
    let (fast, doubts) = registers(At::Fast);
    assert_eq!(fast[..7], [0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 512u32.wrapping_neg()]);
    assert_eq!((fast[11], fast[12], fast[15]), (240, PROGRAM + tid, 0xffff_0000));
    assert!(doubts.is_empty(), "{doubts:?}");
    let (call, _) = registers(At::Call);
    assert_eq!(call[..7], [2, 3, 4, 5, 6, 7, 512u32.wrapping_neg()]);
    let (rust, _) = registers(At::Rust);
    assert_eq!(rust[..7], [2, 3, 4, 5, 6, 7, 38u32.wrapping_neg()]);
    let (new, doubts) = registers(At::New);
    assert!(new == rust && doubts.is_empty(), "{doubts:?}");
    for regs in [guest, fast, call, rust] {
        // The LDT entry stands for the first of the three.
        assert_eq!(selectors(&regs), (0x2b, 0x2b, 0, 0x63, 0x23, 0x2b));
    }
}

#[test]
fn the_low_halves_are_enough() {
    for at in [At::Fast, At::Call, At::Rust, At::Way, At::Vdso, At::New] {
        let whole = made::dump(&[At::Guest, at]);
        let mut narrow = whole.clone();
        made::narrow(&mut narrow);
        let [(_, whole), (said, narrow)] = [whole, narrow].map(|bytes| converted(&bytes).unwrap());
        let [mut whole, narrow] = [whole, narrow].map(|core| words(&notes(&core, 1)[1][72..140]));
        if matches!(at, At::Fast) {
            (whole[3], whole[4]) = (0, 0);
            assert_eq!(said.doubts.len(), 1);
        }
        assert_eq!(whole, narrow, "{at:?}");
    }
}

#[test]
fn what_cannot_be_told_is_said() {
    let (way, doubts) = registers(At::Way);
    assert_eq!((way[12], doubts.len()), (PROGRAM + 101, 1));
    let (vdso, doubts) = registers(At::Vdso);
    assert_eq!(vdso[..7], [0; 7]);
    assert_eq!((vdso[12], vdso[15], doubts.len()), (PROGRAM + 101, 0xffff_0000, 1));
    let (converted, core) = converted(&made::dump(&[At::Foreign, At::Guest])).unwrap();
    assert_eq!((notes(&core, 1).len(), converted.threads, converted.doubts.len()), (1, 1, 1));
}

#[test]
fn everything_has_the_layout_of_i386() {
    let (converted, core) = converted(&made::dump(&[At::Call, At::Guest])).unwrap();
    assert_eq!((converted.name.as_str(), converted.pid, converted.signal, converted.threads), ("cat", 100, 6, 2));
    assert_eq!(converted.program.as_deref(), Some("/bin/cat"));
    let lengths = |kind| notes(&core, kind).iter().map(Vec::len).collect::<Vec<_>>();
    assert_eq!(lengths(3), [124], "NT_PRPSINFO");
    assert_eq!(lengths(2), [108, 108], "NT_FPREGSET");
    assert_eq!(lengths(0x46e6_2b7f), [512, 512], "NT_PRXFPREG");
    assert_eq!(lengths(0x202), [832, 832], "NT_X86_XSTATE");
    assert_eq!(words(&notes(&core, 6)[0]), [3, PROGRAM + 0x34, 0, 0], "NT_AUXV");
    assert_eq!(words(&notes(&core, 0x200)[0])[..4], [12, 0xf7e0_0000, 0xfffff, 0x51], "NT_386_TLS");
    let info = &notes(&core, 0x5349_4749)[0];
    assert_eq!(words(info)[..3], [6, 0, 6u32.wrapping_neg()], "NT_SIGINFO");
    let files = &notes(&core, 0x4649_4c45)[0];
    assert_eq!(words(&files[..20]), [1, 4096, PROGRAM, PROGRAM + 0x1000, 1], "NT_FILE");
    assert_eq!(files[20..], *b"/bin/cat\0");
    // xmm0 is the block's where the thread was in the supervisor, the processor's elsewhere; xmm8 is none of i386's.
    let state = notes(&core, 0x202);
    assert_eq!((state[0][160], state[1][160], state[0][288]), (0xaa, 0x11, 0));
    let header = Header::parse(core.as_slice()).unwrap();
    let segments = header.program_headers(LittleEndian, core.as_slice()).unwrap();
    let loads: Vec<u32> =
        segments.iter().filter(|one| one.p_type(LittleEndian) == PT_LOAD).map(|one| one.p_vaddr(LittleEndian)).collect();
    assert_eq!(loads, [PROGRAM], "only what is below 4 GiB");
}

#[test]
fn what_is_none_is_refused() {
    let good = made::dump(&[At::Guest]);
    let with = |at: usize, value: &[u8]| {
        let mut bytes = good.clone();
        bytes[at..at + value.len()].copy_from_slice(value);
        converted(&bytes).unwrap_err()
    };
    assert!(matches!(converted(b"").unwrap_err(), Error::NotCore));
    assert!(matches!(converted(b"#!/bin/sh\n").unwrap_err(), Error::NotCore));
    assert!(matches!(converted(&[0x28, 0xb5, 0x2f, 0xfd, 0]).unwrap_err(), Error::Packed("zstd")));
    assert!(matches!(with(16, &[2]), Error::NotCore), "a program");
    assert!(matches!(with(18, &[183]), Error::Machine(183)));
    let (_, native) = converted(&good).unwrap();
    assert!(matches!(converted(&native).unwrap_err(), Error::Native));
    assert!(matches!(converted(&made::dump(&[At::Foreign])).unwrap_err(), Error::NoGuest));
    let at = good.windows(8).position(|bytes| bytes == b"biarch-d").unwrap();
    assert!(matches!(with(at + 8, &[99]), Error::Version(99)));
    assert!(matches!(with(at + 12, &[1]), Error::Damaged(_)));
    let cut = converted(&good[..good.len() - 1]).unwrap_err();
    assert!(matches!(cut, Error::Cut { end, .. } if end == good.len() as u64), "{cut}");
}

#[test]
fn no_damage_is_fatal() {
    let good = made::dump(&[At::Call, At::Fast, At::Vdso]);
    for length in 0..good.len() {
        assert!(converted(&good[..length]).is_err(), "cut at {length}");
    }
    for at in 0..good.len() {
        for value in [0, 1, 0x7f, 0xff] {
            let mut bytes = good.clone();
            bytes[at] = value;
            let _ = converted(&bytes);
        }
    }
}
