//! A small core dump of a 64-bit process in which an i386 program runs, as the kernel would write it.

use abi::dump::{BLOCK, Component, Description, MAGIC, OFFSET, Registers, VERSION};
use zerocopy::IntoBytes;

/// Address of the supervisor's assembly.
pub const TEXT: u64 = 0x5555_0000_1000;
/// Where calls return to.
pub const CALL_RETURN: u64 = TEXT + 0x20;
/// Where calls on the fast path return to.
pub const FAST_RETURN: u64 = TEXT + 0x40;
/// The two pages below 4 GiB.
pub const LOW: u32 = 0xf7f0_0000;
/// What `__kernel_vsyscall` ends with.
pub const SYSINFO_RETURN: u32 = 0xf7f0_200c;
/// The first thread's block.
pub const FIRST_BLOCK: u64 = 0x7f00_0000_0000;
/// Where the program is.
pub const PROGRAM: u32 = 0x0804_8000;

/// Where a thread is when the process dies.
#[derive(Clone, Copy, Debug)]
pub enum At {
    /// In 32-bit code.
    Guest,
    /// In a call on the fast path.
    Fast,
    /// In a call that Rust code makes.
    Call,
    /// In Rust code.
    Rust,
    /// On the way.
    Way,
    /// In the 64-bit vDSO.
    Vdso,
    /// Just made.
    New,
    /// Not in biarch's hands.
    Foreign,
}

/// The guest's registers of a thread that is in the supervisor.
#[must_use]
pub fn saved(tid: u32) -> Registers {
    Registers {
        eax: 1,
        ebx: 2,
        ecx: 3,
        edx: 4,
        esi: 5,
        edi: 6,
        ebp: 7,
        esp: 0xffff_0000,
        eip: PROGRAM + tid,
        cs: 0x23,
        ss: 0x2b,
        ds: 0x2b,
        es: 0x2b,
        fs: 0,
        gs: 0x107,
        eflags: 0x246,
        orig_eax: 240,
        restart_eip: PROGRAM,
    }
}

fn description() -> Description {
    let mut components = [Component::default(); abi::dump::COMPONENTS];
    components[2] = Component { offset: 576, length: 256 };
    Description {
        magic: MAGIC,
        version: VERSION,
        length: size_of::<Description>() as u32,
        entry_text: [TEXT, TEXT + 0x1000],
        call_return: CALL_RETURN,
        fast_return: FAST_RETURN,
        low_pages: [LOW, LOW + 0x2000],
        stub: [LOW + 0x40, LOW + 0x46],
        sysinfo_return: SYSINFO_RETURN,
        auxv: [PROGRAM + 0x100, 16],
        tid: 0x180,
        registers: 0x100,
        segments_valid: 0x184,
        image_valid: 0x188,
        image: [0x800, 832],
        vectors_in_use: 0x18c,
        vectors: 0x500,
        handler_stack: [0x1_0000, 0x3_0000],
        passing: 0x190,
        areas: 0x480,
        area: [20, 0, 16, 18],
        features: 7,
        components,
    }
}

fn block(tid: u32) -> Vec<u8> {
    let mut bytes = vec![0; 0x1000];
    let mut put = |at: usize, value: &[u8]| bytes[at..at + value.len()].copy_from_slice(value);
    put(OFFSET as usize, description().as_bytes());
    put(0x100, saved(tid).as_bytes());
    put(0x180, &tid.to_le_bytes());
    put(0x184, &1u32.to_le_bytes());
    // xmm0 of a thread in the supervisor.
    put(0x500, &[0xaa; 16]);
    for (index, word) in [12u32, 0xf7e0_0000, 0xfffff, 0x51].iter().enumerate() {
        put(0x480 + 4 * index, &word.to_le_bytes());
    }
    put(0x490, &[1, 0, 32, 0]);
    bytes
}

fn registers(tid: u32, at: At, block: u64) -> [u64; 27] {
    let mut regs = [0u64; 27];
    let stack = block + BLOCK - 64;
    let (cs, ip, sp) = match at {
        At::Guest => (0x23, u64::from(PROGRAM) + 0x10, 0xffff_1000),
        At::Fast => (0x33, FAST_RETURN, block + BLOCK),
        At::Call => (0x33, CALL_RETURN, stack),
        At::Rust => (0x33, 0x5555_0010_0000, stack),
        At::Way => (0x33, TEXT + 4, block + BLOCK),
        At::Vdso => (0x33, 0x7fff_0000_0100, stack),
        At::New => (0x33, 0x5555_0010_0000, block + BLOCK),
        At::Foreign => (0x33, 0x7fff_0000_0100, 0x7fff_0001_0000),
    };
    regs[0] = if matches!(at, At::Guest | At::Fast) { block } else { 0 };
    // r12, r10, r8 hold ecx, esi, edi on the fast path.
    (regs[3], regs[7], regs[9]) = (0x33, 0x55, 0x66);
    (regs[4], regs[5]) = (0x77, 0x22);
    regs[10] = (-512i64) as u64;
    (regs[11], regs[12], regs[13], regs[14]) = (0xc, 0x44, if matches!(at, At::Fast) { 0x33 } else { 0x51 }, 0xd1);
    regs[15] = u64::from(tid);
    (regs[16], regs[17], regs[18], regs[19], regs[20]) = (ip, cs, 0x202, sp, 0x2b);
    (regs[23], regs[24], regs[26]) = (0x2b, 0x2b, 0x107);
    regs
}

fn note(notes: &mut Vec<u8>, owner: &[u8], kind: u32, content: &[u8]) {
    for word in [owner.len() + 1, content.len(), kind as usize] {
        notes.extend((word as u32).to_le_bytes());
    }
    notes.extend(owner);
    notes.push(0);
    notes.resize(notes.len().next_multiple_of(4), 0);
    notes.extend(content);
    notes.resize(notes.len().next_multiple_of(4), 0);
}

/// Makes the registers of all threads in a dump those of 32-bit tasks, as the kernel does where the first thread is one.
pub fn narrow(dump: &mut [u8]) {
    // bx, cx, dx, si, di, bp, ax, ds, es, fs, gs, orig_ax, ip, cs, flags, sp, ss
    const ORDER: [usize; 17] = [5, 11, 12, 13, 14, 4, 10, 23, 24, 25, 26, 15, 16, 17, 18, 19, 20];
    dump[18] = 3;
    let start = |at: usize| dump[at..].starts_with(&[5, 0, 0, 0, 0x50, 1, 0, 0, 1, 0, 0, 0]);
    let places: Vec<usize> = (0..dump.len()).filter(|&at| start(at)).collect();
    for place in places {
        let regs = place + 20 + 112;
        let words = ORDER.map(|index| <[u8; 4]>::try_from(&dump[regs + 8 * index..regs + 8 * index + 4]).unwrap_or_default());
        dump[regs..regs + 216].fill(0);
        for (index, word) in words.iter().enumerate() {
            dump[regs + 4 * index..regs + 4 * index + 4].copy_from_slice(word);
        }
    }
}

/// A process with a thread at each of `places`, killed by signal 6; its threads are numbered from 100 on.
#[must_use]
pub fn dump(places: &[At]) -> Vec<u8> {
    let mut notes = Vec::new();
    let blocks: Vec<u64> = (0..places.len() as u64).map(|number| FIRST_BLOCK + number * BLOCK).collect();
    for ((tid, &at), &block) in (100u32..).zip(places).zip(&blocks) {
        let mut status = vec![0; 336];
        status[12..14].copy_from_slice(&6u16.to_le_bytes());
        status[32..36].copy_from_slice(&tid.to_le_bytes());
        for (index, word) in registers(tid, at, block).iter().enumerate() {
            status[112 + 8 * index..120 + 8 * index].copy_from_slice(&word.to_le_bytes());
        }
        note(&mut notes, b"CORE", 1, &status);
        if tid == 100 {
            let mut process = vec![0; 136];
            process[24..28].copy_from_slice(&100u32.to_le_bytes());
            process[40..44].copy_from_slice(b"cat\0");
            note(&mut notes, b"CORE", 3, &process);
            let mut info = vec![0; 128];
            (info[0], info[8]) = (6, 0xfa);
            info[9..12].fill(0xff);
            note(&mut notes, b"CORE", 0x5349_4749, &info);
            let mut files: Vec<u8> = [2, 4096, u64::from(PROGRAM), u64::from(PROGRAM) + 0x1000, 1, TEXT, TEXT + 0x1000, 0]
                .iter()
                .flat_map(|word: &u64| word.to_le_bytes())
                .collect();
            files.extend(b"/bin/cat\0/usr/bin/biarch\0");
            note(&mut notes, b"CORE", 0x4649_4c45, &files);
        }
        let mut xstate = vec![0; 832];
        xstate[0..2].copy_from_slice(&0x37fu16.to_le_bytes());
        xstate[160..176].fill(0x11);
        xstate[288..304].fill(0x22);
        xstate[512] = 3;
        note(&mut notes, b"CORE", 2, &xstate[..512]);
        note(&mut notes, b"LINUX", 0x202, &xstate);
    }
    let mut program = vec![0; 0x1000];
    program[0..4].copy_from_slice(b"\x7fELF");
    program[0x100..0x104].copy_from_slice(&3u32.to_le_bytes());
    program[0x104..0x108].copy_from_slice(&(PROGRAM + 0x34).to_le_bytes());
    let mut memory: Vec<(u64, Vec<u8>)> = vec![(PROGRAM.into(), program)];
    for ((tid, &at), &start) in (100u32..).zip(places).zip(&blocks) {
        if matches!(at, At::Foreign) {
            continue;
        }
        let mut block = block(tid);
        if matches!(at, At::New) {
            block[0x180..0x184].fill(0);
        }
        memory.push((start, block));
        let mut stack = vec![0; 64];
        if !matches!(at, At::Vdso | At::New) {
            stack[56..64].copy_from_slice(&(TEXT + 0x10).to_le_bytes());
        }
        memory.push((start + BLOCK - 64, stack));
    }
    let count = memory.len() + 1;
    let mut bytes = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x04\0\x3e\0\x01\0\0\0".to_vec();
    for word in [0, 64u64, 0] {
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend(0u32.to_le_bytes());
    for half in [64, 56, count as u16, 0, 0, 0] {
        bytes.extend(u16::to_le_bytes(half));
    }
    let mut offset = 64 + 56 * count as u64;
    let mut header = |kind: u32, address: u64, length: u64| {
        bytes.extend(kind.to_le_bytes());
        bytes.extend(6u32.to_le_bytes());
        for word in [offset, address, 0, length, length, 4096] {
            bytes.extend(word.to_le_bytes());
        }
        offset += length;
    };
    header(4, 0, notes.len() as u64);
    for (address, content) in &memory {
        header(1, *address, content.len() as u64);
    }
    bytes.extend(notes);
    bytes.extend(memory.iter().flat_map(|(_, content)| content));
    bytes
}
