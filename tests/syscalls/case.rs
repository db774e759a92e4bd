//! A case: what is put into memory, and the calls that are made after it. As the executor reads it, and as a person does.

use abi::syscalls::Syscall;
use std::fmt::Write as _;

/// A word that is known only when the case runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// This number.
    Plain(u32),
    /// The process's own id.
    Pid,
    /// The address of the executor's signal handler.
    Handler,
    /// The id of a message queue, of semaphores, of a segment of shared memory.
    Queue,
    /// See `Queue`.
    Semaphores,
    /// See `Queue`.
    Segment,
    /// What the call of this index has returned.
    Result(u32),
}

impl Value {
    /// The two words of the executor.
    fn words(self) -> [u32; 2] {
        match self {
            Self::Plain(value) => [0, value],
            Self::Pid => [1, 0],
            Self::Handler => [2, 0],
            Self::Queue => [3, 0],
            Self::Semaphores => [4, 0],
            Self::Segment => [5, 0],
            Self::Result(call) => [6, call],
        }
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Plain(value @ 0..=0xffff) => write!(f, "{value}"),
            Self::Plain(value) if *value > 0xffff_ff00 => write!(f, "-{}", value.wrapping_neg()),
            Self::Plain(value) => write!(f, "{value:#x}"),
            Self::Pid => f.write_str("getpid()"),
            Self::Handler => f.write_str("handler"),
            Self::Queue => f.write_str("queue"),
            Self::Semaphores => f.write_str("semaphores"),
            Self::Segment => f.write_str("segment"),
            Self::Result(call) => write!(f, "r{call}"),
        }
    }
}

/// Bytes that are in memory before the first call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Blob {
    pub(crate) address: u32,
    pub(crate) bytes: Vec<u8>,
    /// Words in it that are known only when the case runs, by offset.
    pub(crate) references: Vec<(u32, Value)>,
}

/// One call.
#[derive(Clone, Copy)]
pub(crate) struct Call {
    pub(crate) row: &'static Syscall,
    pub(crate) args: [Value; 6],
}

impl Call {
    /// The number that is this argument.
    pub(crate) fn argument(&self, index: usize) -> Option<u32> {
        match self.args.get(index)? {
            Value::Plain(number) => Some(*number),
            _ => None,
        }
    }
}

/// A sequence of calls.
#[derive(Clone, Default)]
pub(crate) struct Case {
    pub(crate) blobs: Vec<Blob>,
    pub(crate) calls: Vec<Call>,
}

impl Case {
    /// As the executor reads it, without the length in front.
    pub(crate) fn words(&self) -> Vec<u32> {
        let count = |length: usize| u32::try_from(length).unwrap_or(0);
        let mut words = vec![count(self.blobs.len())];
        for blob in &self.blobs {
            words.extend([blob.address, count(blob.bytes.len())]);
            for bytes in blob.bytes.chunks(4) {
                let mut word = [0; 4];
                word[..bytes.len()].copy_from_slice(bytes);
                words.push(u32::from_le_bytes(word));
            }
            words.push(count(blob.references.len()));
            for (offset, value) in &blob.references {
                let [kind, plain] = value.words();
                words.extend([*offset, kind, plain]);
            }
        }
        words.push(count(self.calls.len()));
        for call in &self.calls {
            words.push(u32::from(call.row.number));
            words.extend(call.args.iter().flat_map(|value| value.words()));
        }
        words
    }

    /// Whether anything in the case leads to this address: memory that nobody uses need not be printed or kept.
    fn uses(&self, blob: &Blob) -> bool {
        let end = blob.address + u32::try_from(blob.bytes.len()).unwrap_or(0);
        let inside = |value: u32| value >= blob.address.saturating_sub(8) && value <= end;
        let argument = |value: &Value| matches!(value, Value::Plain(value) if inside(*value));
        let in_memory = |other: &Blob| {
            let words = other.bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
            other.address != blob.address && words.into_iter().any(inside)
        };
        self.calls.iter().any(|call| call.args.iter().any(argument)) || self.blobs.iter().any(in_memory)
    }

    /// Without the memory that nothing leads to.
    pub(crate) fn swept(&self) -> Self {
        let blobs = self.blobs.iter().filter(|blob| self.uses(blob)).cloned().collect();
        Self { blobs, calls: self.calls.clone() }
    }

    /// As a person reads it.
    pub(crate) fn listing(&self) -> String {
        let mut text = String::new();
        for blob in &self.blobs {
            let _ = write!(text, "    memory({:#x}, {} bytes) = \"{}\";", blob.address, blob.bytes.len(), shown(&blob.bytes));
            for (offset, value) in &blob.references {
                let _ = write!(text, " [{offset}] = {value};");
            }
            text.push('\n');
        }
        for (index, call) in self.calls.iter().enumerate() {
            let shown =
                call.row.args.len().max(call.args.iter().rposition(|value| *value != Value::Plain(0)).map_or(0, |last| last + 1));
            let args: Vec<String> = call.args.iter().take(shown).map(ToString::to_string).collect();
            let _ = writeln!(text, "    r{index} = {}({});", call.row.name, args.join(", "));
        }
        text
    }
}

fn shown(bytes: &[u8]) -> String {
    const MOST: usize = 96;
    let text: String = bytes.iter().take(MOST).map(|byte| byte.escape_ascii().to_string()).collect();
    if bytes.len() > MOST { format!("{text}...") } else { text }
}
