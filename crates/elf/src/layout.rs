//! How types lie in memory for two word sizes, beside each other: offsets, sizes, holes, and whether one can be made of the other.

use serde::Serialize;
use std::fmt;

/// Rows of one comparison above this number are left out: nobody reads them.
const MAX_ROWS: usize = 4096;
/// Structures in structures that are followed; hostile ones are in themselves.
pub const MAX_DEPTH: usize = 32;

/// A structure, class or union, for one word size.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// Whether all members are at its beginning.
    pub is_union: bool,
    /// In the order in which they are declared.
    pub members: Vec<Member>,
    /// What lies in it and has no name in the source: bases, a pointer to the table of virtual functions.
    pub hidden: Option<&'static str>,
}

/// A member of a structure.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Member {
    /// Empty where it has none.
    pub name: String,
    /// Bits from the beginning of the structure.
    pub offset: u64,
    /// Of a bit-field.
    pub bits: Option<u64>,
    /// Its type.
    pub of: Of,
}

/// A type, for one word size.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Of {
    /// As the source calls it.
    pub name: String,
    /// Bytes; 0 where it is not known.
    pub size: u64,
    /// Whether it is a time, by its name.
    pub is_time: bool,
    /// What it is.
    pub shape: Shape,
    /// Of a pointer in debugging information, where in that is what it points to.
    pub to: Option<usize>,
}

/// What a type is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// A whole number, or something else that is one piece.
    #[default]
    Scalar,
    /// An approximate number.
    Floating,
    /// A pointer, and whether it is known what it points to.
    Pointer(bool),
    /// An array; without a number of elements it is as long as somebody says elsewhere.
    Array(Box<Of>, Option<u64>),
    /// A structure or union.
    Record(Box<Record>),
}

/// The names of times.
pub const TIMES: [&str; 16] = [
    "time_t",
    "timeval",
    "timespec",
    "timeb",
    "utmp",
    "utmpx",
    "stat",
    "stat64",
    "itimerval",
    "itimerspec",
    "rusage",
    "utimbuf",
    "clock_t",
    "suseconds_t",
    "timex",
    "lastlog",
];

impl Of {
    /// Whether a value is in one piece.
    fn is_leaf(&self) -> bool {
        match &self.shape {
            Shape::Record(_) => false,
            Shape::Array(of, _) => of.is_leaf(),
            _ => true,
        }
    }

    /// What an array, or an array of arrays, is made of.
    fn element(&self) -> &Self {
        match &self.shape {
            Shape::Array(of, _) => of.element(),
            _ => self,
        }
    }

    fn record(&self) -> Option<&Record> {
        match &self.shape {
            Shape::Record(record) => Some(record),
            _ => None,
        }
    }
}

/// Whether what lies in memory for one word size can be used for the other; the words of [`abi::structs::Verdict`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The same layout on both sides.
    Full,
    /// Every member has a counterpart that it can be converted to.
    Repackable,
    /// A person must decide.
    None,
}

impl fmt::Display for Verdict {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(match self {
            Self::Full => "Full",
            Self::Repackable => "Repackable",
            Self::None => "None",
        })
    }
}

/// Where something is on one side. Offsets are from the beginning of the outermost structure.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Spot {
    /// As the source calls it.
    #[serde(rename = "type")]
    pub of: String,
    /// Bytes; with [`Spot::bit`] more.
    pub offset: u64,
    /// Bits behind the offset, of a bit-field.
    #[serde(skip_serializing_if = "is_zero")]
    pub bit: u64,
    /// Bytes.
    pub size: u64,
    /// The bits of a bit-field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bits: Option<u64>,
    /// Bytes before it that nothing uses.
    pub hole: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde wants it so")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// A member on both sides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Row {
    /// With those around it: `header.time`.
    pub path: String,
    /// How many structures it is in, but for the outermost.
    pub depth: usize,
    /// Whether it has no members itself.
    pub leaf: bool,
    /// For 32 bits; nothing where there is none.
    pub narrow: Option<Spot>,
    /// For 64 bits.
    pub wide: Option<Spot>,
    /// Whether it holds pointers.
    #[serde(skip)]
    pub is_pointer: bool,
    /// Whether it holds approximate numbers.
    #[serde(skip)]
    pub is_floating: bool,
    /// Whether it is a time.
    #[serde(skip)]
    pub is_time: bool,
}

impl Row {
    /// Whether it begins elsewhere.
    #[must_use]
    pub fn moves(&self) -> bool {
        matches!((&self.narrow, &self.wide), (Some(one), Some(two)) if (one.offset, one.bit) != (two.offset, two.bit))
    }

    /// Whether it has another size, or is on one side only.
    #[must_use]
    pub fn changes(&self) -> bool {
        match (&self.narrow, &self.wide) {
            (Some(one), Some(two)) => (one.size, one.bits) != (two.size, two.bits),
            _ => true,
        }
    }
}

/// A type on both sides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Comparison {
    /// Its name.
    pub name: String,
    /// Bytes for 32 bits.
    pub narrow: u64,
    /// Bytes for 64 bits.
    pub wide: u64,
    /// Bytes at the end that nothing uses, for 32 bits and for 64.
    pub padding: [u64; 2],
    /// Whether one can be made of the other.
    pub verdict: Verdict,
    /// Why not.
    pub because: Vec<String>,
    /// Its members, those of structures in it behind them.
    pub members: Vec<Row>,
}

impl Comparison {
    /// Compares a type for 32 bits with the same for 64.
    #[must_use]
    pub fn new(narrow: &Of, wide: &Of) -> Self {
        let mut new = Self {
            name: wide.name.clone(),
            narrow: narrow.size,
            wide: wide.size,
            padding: [0; 2],
            verdict: Verdict::Full,
            because: Vec::new(),
            members: Vec::new(),
        };
        if let (Some(one), Some(two)) = (narrow.record(), wide.record()) {
            new.padding = new.members([one, two], [narrow.size, wide.size], "", [0, 0], 0);
        } else {
            new.row([Some(narrow), Some(wide)], String::new(), [0, 0], [None, None], [0, 0], 0);
        }
        let differs = new.narrow != new.wide || new.members.iter().any(|row| row.moves() || row.changes());
        new.because.sort();
        new.because.dedup();
        new.verdict = match (differs, new.because.is_empty()) {
            (false, _) => Verdict::Full,
            (true, true) => Verdict::Repackable,
            (true, false) => Verdict::None,
        };
        if !differs {
            new.because.clear();
        }
        new
    }

    /// The first member that begins elsewhere; where none does, the first that has another size.
    #[must_use]
    pub fn first(&self) -> Option<&Row> {
        let mut leaves = self.members.iter().filter(|row| row.leaf);
        leaves.clone().find(|row| row.moves()).or_else(|| leaves.find(|row| row.changes()))
    }

    /// The members that have another size.
    pub fn changed(&self) -> impl Iterator<Item = &Row> {
        self.members.iter().filter(|row| row.leaf && row.changes())
    }

    /// How many bytes, from the beginning, are the same on both sides.
    #[must_use]
    pub fn same_bytes(&self) -> u64 {
        let start = |spot: &Option<Spot>| spot.as_ref().map_or(u64::MAX, |spot| spot.offset);
        let other = self.members.iter().filter(|row| row.leaf && (row.moves() || row.changes()));
        other.map(|row| start(&row.narrow).min(start(&row.wide))).min().unwrap_or(self.narrow.min(self.wide))
    }

    /// Adds the members of a structure, and returns the bytes behind the last.
    fn members(&mut self, records: [&Record; 2], sizes: [u64; 2], path: &str, start: [u64; 2], depth: usize) -> [u64; 2] {
        let mut ends = start;
        let pairs = pairs(records.map(|record| record.members.as_slice()));
        for pair in pairs {
            let either = pair[1].or(pair[0]);
            let name = either.map_or("", |member| member.name.as_str());
            let path = match (path.is_empty(), name.is_empty()) {
                (_, true) => path.to_owned(),
                (true, false) => name.to_owned(),
                (false, false) => format!("{path}.{name}"),
            };
            let mut holes = [0; 2];
            let mut at = [0; 2];
            for side in 0..2 {
                let Some(member) = pair[side] else { continue };
                at[side] = start[side] + member.offset;
                if !records[side].is_union {
                    holes[side] = at[side].saturating_sub(ends[side]) / 8;
                }
                ends[side] = ends[side].max(at[side] + member.bits.unwrap_or(member.of.size.saturating_mul(8)));
            }
            let bits = pair.map(|member| member.and_then(|member| member.bits));
            self.row(pair.map(|member| member.map(|member| &member.of)), path, at, bits, holes, depth);
        }
        let hidden = records.iter().filter_map(|record| record.hidden).filter(|_| sizes[0] != sizes[1]);
        self.because.extend(hidden.map(|hidden| format!("it has {hidden}")));
        if records.iter().any(|record| record.is_union) && self.differs_below(depth) {
            let what = match (path.is_empty(), depth) {
                (false, _) => path,
                (true, 0) => "it",
                (true, _) => "what has no name in it",
            };
            self.because.push(format!("{what} is a union: which member counts is known elsewhere"));
        }
        [0, 1].map(|side| (start[side] + sizes[side] * 8).saturating_sub(ends[side]) / 8)
    }

    /// Whether the members that came last, of this depth or a greater one, differ.
    fn differs_below(&self, depth: usize) -> bool {
        self.members.iter().rev().take_while(|row| row.depth >= depth).any(|row| row.leaf && row.changes())
    }

    fn row(&mut self, of: [Option<&Of>; 2], path: String, at: [u64; 2], bits: [Option<u64>; 2], holes: [u64; 2], depth: usize) {
        if self.members.len() >= MAX_ROWS || depth > MAX_DEPTH {
            return;
        }
        let spot = |side: usize| {
            of[side].map(|of| Spot {
                of: of.name.clone(),
                offset: at[side] / 8,
                bit: at[side] % 8,
                size: of.size,
                bits: bits[side],
                hole: holes[side],
            })
        };
        let any = of[1].or(of[0]);
        let is_pointer = any.is_some_and(|of| matches!(of.element().shape, Shape::Pointer(_)));
        let is_floating = any.is_some_and(|of| of.element().shape == Shape::Floating);
        let is_time = any.is_some_and(|of| of.is_time || of.element().is_time);
        let elements = of.map(|of| of.map(Of::element));
        let both = match elements {
            [Some(one), Some(two)] => one.record().zip(two.record()),
            _ => None,
        };
        let leaf = both.is_none() || of.iter().all(|of| of.is_none_or(Of::is_leaf));
        for of in of.into_iter().flatten() {
            match &of.shape {
                Shape::Pointer(false) => self.because.push(format!("{path} is a pointer to something unknown")),
                Shape::Array(_, None) => self.because.push(format!("{path} is an array whose length is known elsewhere")),
                _ => {}
            }
        }
        if let [Some(one), Some(two)] = of {
            if std::mem::discriminant(&one.element().shape) != std::mem::discriminant(&two.element().shape) {
                self.because.push(format!("{path} is {} on one side and {} on the other", one.name, two.name));
            }
        } else {
            self.because.push(format!("{path} is on one side only"));
        }
        let name = match of[1].or(of[0]).map(|of| &of.shape) {
            Some(Shape::Array(..)) if !leaf => format!("{path}[]"),
            _ => path.clone(),
        };
        self.members.push(Row { path, depth, leaf, narrow: spot(0), wide: spot(1), is_pointer, is_floating, is_time });
        if let (Some((one, two)), [Some(first), Some(second)]) = (both, elements) {
            let from = self.members.len();
            self.members([one, two], [first.size, second.size], &name, at, depth + 1);
            if is_time {
                self.members.iter_mut().skip(from).for_each(|row| row.is_time = true);
            }
        }
    }
}

/// The members of both, those of one name beside each other; what has no name goes by its position.
fn pairs([narrow, wide]: [&[Member]; 2]) -> Vec<[Option<&Member>; 2]> {
    let mut pairs = Vec::new();
    let mut from = 0;
    for one in narrow {
        let rest = wide.get(from..).unwrap_or_default();
        let Some(at) = rest.iter().position(|two| two.name == one.name) else {
            pairs.push([Some(one), None]);
            continue;
        };
        pairs.extend(rest.iter().take(at).map(|two| [None, Some(two)]));
        pairs.push([Some(one), rest.get(at)]);
        from += at + 1;
    }
    pairs.extend(wide.iter().skip(from).map(|two| [None, Some(two)]));
    pairs
}
