//! What the first bytes of a file say how it is executed (`load_elf_binary`, `load_script` in `fs/binfmt_script.c`).

/// What the kernel reads to recognise a program (`BINPRM_BUF_SIZE`).
pub const HEAD: usize = 256;
/// Scripts that run scripts, before the kernel gives up.
pub const DEPTH: usize = 5;

/// What a file's first bytes say it is.
pub enum Kind {
    /// An i386 program: for us.
    Guest,
    /// A script; where its interpreter's name and the one argument are in the first line.
    Script {
        /// The interpreter's name.
        interpreter: core::ops::Range<usize>,
        /// The rest of the line, without blanks around it; perhaps empty.
        argument: core::ops::Range<usize>,
    },
    /// The kernel's.
    Other,
}

/// Looks at the first [`HEAD`] bytes of a file, or all of it.
#[must_use]
pub fn classify(head: &[u8]) -> Kind {
    // e_machine (System V gABI, chapter 4); the kernel looks neither at the class nor at the byte order (`elf_check_arch_ia32`).
    const EM_386: u8 = 3;
    const EM_486: u8 = 6;
    if head.starts_with(b"\x7fELF") && matches!(head.get(18..20), Some([EM_386 | EM_486, 0])) {
        return Kind::Guest;
    }
    if head.len() < 2 || &head[..2] != b"#!" {
        return Kind::Other;
    }
    let line_end = head.iter().position(|&byte| byte == b'\n' || byte == 0).unwrap_or(head.len());
    let blank = |byte: u8| byte == b' ' || byte == b'\t';
    let skip = |mut at: usize| {
        while at < line_end && blank(head[at]) {
            at += 1;
        }
        at
    };
    let start = skip(2);
    let mut end = start;
    while end < line_end && !blank(head[end]) {
        end += 1;
    }
    // A name that is cut off is not one (load_script).
    if start == end || (end == line_end && line_end == head.len() && head.len() == HEAD) {
        return Kind::Other;
    }
    let argument = skip(end);
    let mut argument_end = line_end;
    while argument_end > argument && blank(head[argument_end - 1]) {
        argument_end -= 1;
    }
    Kind::Script { interpreter: start..end, argument: argument..argument_end }
}
