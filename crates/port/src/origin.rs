//! Where a number comes from that has 8 bytes where it had 4.

use crate::ast::kind::{Kind, binary, unary};
use crate::tree::Expression;

/// What a number counts, or names. A later one decides where one is computed of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Origin {
    /// A `long` of which nothing is known.
    Unknown,
    /// A handle whose values have 32 bits on every system, as those of X11.
    Handle,
    /// The length of a text.
    Length,
    /// What read(2) and the like return: no more than what was asked for.
    Transferred,
    /// The size of an object.
    Size,
    /// How far two pointers are from each other.
    Distance,
    /// Seconds between two times.
    Duration,
    /// The position in a file, or its size.
    Offset,
    /// Seconds since 1970.
    Time,
    /// A thread, whose number is an address.
    Thread,
    /// An address.
    Address,
}

impl Origin {
    /// What it is called.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Unknown => "a number",
            Self::Handle => "a handle",
            Self::Length => "a length",
            Self::Transferred => "a number of bytes read or written",
            Self::Size => "a size",
            Self::Distance => "a pointer difference",
            Self::Duration => "a duration",
            Self::Offset => "a file's size or offset",
            Self::Time => "a time",
            Self::Thread => "a thread",
            Self::Address => "an address",
        }
    }
}

/// By typedef.
const TYPES: [(&[&str], Origin); 6] = [
    (&["pthread_t"], Origin::Thread),
    (&["time_t", "__time_t"], Origin::Time),
    (&["off_t", "__off_t", "off64_t", "fpos_t", "loff_t"], Origin::Offset),
    (&["ptrdiff_t"], Origin::Distance),
    (&["XID", "Atom", "KeySym", "VisualID", "Time", "Pixel", "XtIntervalId"], Origin::Handle),
    (&["ssize_t", "__ssize_t"], Origin::Transferred),
];

/// By function.
const FUNCTIONS: [(&[&str], Origin); 4] = [
    (&["ftell", "ftello", "lseek", "tell", "telldir", "filelength"], Origin::Offset),
    (&["time", "mktime", "timegm", "timelocal"], Origin::Time),
    (
        &["read", "write", "recv", "send", "recvfrom", "sendto", "readlink", "fread", "fwrite", "pread", "pwrite"],
        Origin::Transferred,
    ),
    (
        &["strlen", "strnlen", "strspn", "strcspn", "wcslen", "mbstowcs", "wcstombs", "strftime", "strlcpy", "strlcat"],
        Origin::Length,
    ),
];

impl Expression<'_> {
    /// Where its value comes from.
    pub(crate) fn origin(self) -> Origin {
        let types = self.types();
        if types.is_pointer() {
            return Origin::Address;
        }
        // What was cut before is what fits.
        if types.integer(crate::pair::WIDE).is_some_and(|integer| integer.bits <= 32) {
            return Origin::Unknown;
        }
        let typed = TYPES.iter().find(|(names, _)| types.has_typedef(names)).map(|(_, origin)| *origin);
        if let Some(origin) = typed.filter(|_| !matches!(self.strip().kind(), Kind::Binary | Kind::Unary | Kind::Conditional)) {
            return origin;
        }
        let own = if types.has_typedef(&["size_t"]) { Origin::Size } else { Origin::Unknown };
        match self.kind() {
            Kind::Paren => self.only_child().map_or(own, Self::origin),
            Kind::Binary => {
                let (Some(left), Some(right)) = (self.child(0), self.child(1)) else { return own };
                let both = [left.strip(), right.strip()];
                let origins = both.map(Self::origin);
                match self.operator() {
                    binary::SUB if both.iter().all(|side| side.types().is_pointer() || side.types().inner().is_some()) => {
                        Origin::Distance
                    }
                    // From a time, wherever it was kept; an hour ago is a time.
                    binary::SUB if origins[0] == Origin::Time && is_kept(both[1]) => Origin::Duration,
                    binary::MUL if origins.contains(&Origin::Time) => Origin::Duration,
                    binary::REM => Origin::Duration.min(origins[0]),
                    binary::DIV | binary::SHR if origins[0] == Origin::Time => Origin::Duration,
                    binary::DIV | binary::SHR | binary::AND => origins[0],
                    binary::ASSIGN | binary::COMMA => origins[1],
                    _ => origins[0].max(origins[1]).max(own),
                }
            }
            Kind::Conditional => {
                let branches = self.children().skip(1).map(|branch| branch.strip().origin());
                branches.max().unwrap_or(own)
            }
            Kind::Call => {
                let (name, _) = self.call().unwrap_or_default();
                FUNCTIONS.iter().find(|(names, _)| names.contains(&name)).map_or(own, |(_, origin)| *origin)
            }
            Kind::SizeOf => Origin::Size,
            Kind::Unary => match (self.operator(), self.only_child()) {
                // A negative time is the difference to another one.
                (unary::MINUS | unary::NOT, Some(inner)) => inner.origin().min(Origin::Duration),
                _ => typed.unwrap_or(own),
            },
            _ => self.converted().map_or(own, |inner| inner.origin().max(own)),
        }
    }
}

/// Whether it is a variable, a field or a function's result.
fn is_kept(value: Expression<'_>) -> bool {
    matches!(value.strip_casts().kind(), Kind::DeclRef | Kind::Member | Kind::Subscript | Kind::Call)
}
