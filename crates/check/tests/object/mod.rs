//! ELF files as small as they can be, for tests.
// Not every test file needs all of it.
#![allow(dead_code)]

/// What is to be in the file.
pub struct Object {
    pub wide: bool,
    pub machine: u16,
    pub flags: u32,
    /// `ET_DYN` is 3, `ET_EXEC` 2.
    pub kind: u16,
    pub interpreter: Option<&'static str>,
    pub needed: &'static [&'static str],
    /// Tags of the dynamic section with strings: 14 is `DT_SONAME`, 15 `DT_RPATH`, 29 `DT_RUNPATH`.
    pub strings: &'static [(u64, &'static str)],
    /// Other tags and their values.
    pub tags: &'static [(u64, u64)],
    pub imports: &'static [&'static str],
    pub exports: &'static [&'static str],
    pub align: u64,
    /// Words of code.
    pub code: &'static [u32],
    /// The flags of `PT_GNU_STACK`.
    pub stack: Option<u32>,
}

pub const EM_386: u16 = 3;
pub const EM_ARM: u16 = 40;
pub const EM_X86_64: u16 = 62;
pub const HARD_FLOAT: u32 = 0x0500_0400;
pub const SOFT_FLOAT: u32 = 0x0500_0200;

impl Default for Object {
    fn default() -> Self {
        Self {
            wide: false,
            machine: EM_386,
            flags: 0,
            kind: 3,
            interpreter: None,
            needed: &[],
            strings: &[],
            tags: &[],
            imports: &[],
            exports: &[],
            align: 0x1000,
            code: &[],
            stack: Some(6),
        }
    }
}

impl Object {
    /// The file, little-endian.
    pub fn bytes(&self) -> Vec<u8> {
        let word = |value: u64| if self.wide { value.to_le_bytes().to_vec() } else { value.to_le_bytes()[..4].to_vec() };
        let half = |value: u16| value.to_le_bytes().to_vec();
        let full = |value: u32| value.to_le_bytes().to_vec();
        let long = |length: usize| u64::try_from(length).expect("it is small");
        let mut strings = vec![0];
        let mut string = |text: &str| {
            let at = long(strings.len());
            strings.extend_from_slice(text.as_bytes());
            strings.push(0);
            at
        };
        let mut tags: Vec<(u64, u64)> = self.needed.iter().map(|name| (1, string(name))).collect();
        tags.extend(self.strings.iter().map(|(tag, text)| (*tag, string(text))));
        tags.extend(self.tags);
        let symbol_size = if self.wide { 24 } else { 16 };
        let mut symbols = vec![0; symbol_size];
        let named = self.imports.iter().map(|name| (name, 0)).chain(self.exports.iter().map(|name| (name, 1)));
        for (name, section) in named {
            let at = u32::try_from(string(name)).expect("it is small");
            let mut symbol = full(at);
            symbol.resize(symbol_size, 0);
            let place = if self.wide { 6 } else { 14 };
            symbol[place] = section;
            symbols.extend(symbol);
        }
        let count = u32::try_from(symbols.len() / symbol_size).expect("there are few");

        let (header, entry) = if self.wide { (64, 56) } else { (52, 32) };
        let segments = 2 + usize::from(self.interpreter.is_some()) + usize::from(self.stack.is_some());
        let mut at = header + entry * segments;
        let mut place = |length: usize| {
            let start = at;
            at += length.next_multiple_of(8);
            start
        };
        let mut interpreter = self.interpreter.unwrap_or_default().as_bytes().to_vec();
        interpreter.push(0);
        let interpreter_at = place(interpreter.len());
        let strings_at = place(strings.len());
        let symbols_at = place(symbols.len());
        let hash = [full(1), full(count)].concat();
        let hash_at = place(hash.len());
        tags.extend([(5, long(strings_at)), (10, long(strings.len())), (6, long(symbols_at)), (4, long(hash_at)), (0, 0)]);
        let dynamic: Vec<u8> = tags.iter().flat_map(|(tag, value)| [word(*tag), word(*value)].concat()).collect();
        let dynamic_at = place(dynamic.len());
        let code: Vec<u8> = self.code.iter().flat_map(|word| word.to_le_bytes()).collect();
        let code_at = place(code.len());
        // One section, the code's, behind the empty one; only in files of 32 bits.
        let sections = if self.code.is_empty() || self.wide {
            Vec::new()
        } else {
            let number = |value: usize| full(u32::try_from(value).expect("it is small"));
            let section = [full(0), full(1), full(6), number(code_at), number(code_at), number(code.len()), vec![0; 16]];
            [vec![0; 40], section.concat()].concat()
        };
        let sections_at = place(sections.len());
        let size = at;

        let mut file = vec![0x7f, b'E', b'L', b'F', if self.wide { 2 } else { 1 }, 1, 1, 0];
        file.resize(16, 0);
        file.extend(
            [
                half(self.kind),
                half(self.machine),
                full(1),
                word(0),
                word(long(header)),
                word(long(sections_at)),
                full(self.flags),
            ]
            .concat(),
        );
        let halves = [header, entry, segments].map(|value| half(u16::try_from(value).expect("it is small")));
        file.extend(halves.concat());
        file.extend(
            [half(if self.wide { 64 } else { 40 }), half(u16::try_from(sections.len() / 40).expect("there are two"))].concat(),
        );
        file.resize(header, 0);
        let segment = |kind: u32, flags: u32, at: usize, size: usize, align: u64| {
            let (at, size) = (long(at), long(size));
            if self.wide {
                [full(kind), full(flags), word(at), word(at), word(at), word(size), word(size), word(align)].concat()
            } else {
                [full(kind), word(at), word(at), word(at), word(size), word(size), full(flags), word(align)].concat()
            }
        };
        file.extend(segment(1, 5, 0, size, self.align));
        file.extend(segment(2, 6, dynamic_at, dynamic.len(), 8));
        if self.interpreter.is_some() {
            file.extend(segment(3, 4, interpreter_at, interpreter.len(), 1));
        }
        if let Some(flags) = self.stack {
            file.extend(segment(0x6474_e551, flags, 0, 0, 16));
        }
        let parts = [
            (interpreter_at, interpreter),
            (strings_at, strings),
            (symbols_at, symbols),
            (hash_at, hash),
            (dynamic_at, dynamic),
            (code_at, code),
            (sections_at, sections),
        ];
        file.resize(size, 0);
        for (start, bytes) in parts {
            file[start..start + bytes.len()].copy_from_slice(&bytes);
        }
        file
    }
}
