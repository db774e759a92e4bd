//! Where arguments and results are: the words that `biarch_call` takes, see runtime/biarch.h.

use port::interface::{Record, Shape, Type};

/// How functions of an architecture are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Convention {
    /// i386: all on the stack (System V ABI, Intel386 supplement, "Function Calling Sequence").
    Cdecl,
    /// 32-bit ARM with arguments in floating-point registers (AAPCS32, 6.5 and 7.1.2): s0 to s15, r0 to r3, the stack.
    AapcsVfp,
}

/// Where a result is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In one or two registers for integers.
    Integer,
    /// In the register of the x87.
    X87,
    /// In the first floating-point register of ARM.
    Vfp,
    /// Where the caller says, by a word before the first argument.
    Memory,
}

/// The first word that is a register for integers, or on the stack.
const CORE: u64 = 16;
/// The first word that is on the stack.
const STACK: u64 = 20;
/// Floating-point registers for arguments, as `float`.
const VFP: u64 = 16;

/// What matters of a type when it is passed by ARM.
struct Passed {
    bytes: u64,
    /// Whether it begins at an even word.
    is_even: bool,
    /// Bytes and number of its parts, where these are all floating-point numbers, and at most four.
    floating: Option<(u64, u64)>,
}

/// Bytes to which a type is aligned on 32-bit ARM; nothing where a structure lies otherwise than its members would have it.
fn alignment(of: &Type, records: &[Record]) -> Option<u64> {
    match &of.shape {
        Shape::Array(element, _) => alignment(element, records),
        Shape::Record(at) => {
            let record = records.get(*at)?;
            let (mut most, mut end) = (1, 0);
            for member in &record.members {
                let one = alignment(&member.of, records)?;
                end = end.max(member.offsets[0] + member.bits.unwrap_or(member.of.sizes[0] * 8));
                if member.bits.is_none() && member.offsets[0] % (one * 8) != 0 {
                    return None;
                }
                most = one.max(most);
            }
            (end.div_ceil(8).next_multiple_of(most) == record.sizes[0]).then_some(most)
        }
        _ => Some(of.sizes[0].clamp(1, 8)),
    }
}

/// Bytes and number of the floating-point numbers that a type consists of (a homogeneous aggregate, AAPCS32 6.3.4).
fn homogeneous(of: &Type, records: &[Record]) -> Option<(u64, u64)> {
    match &of.shape {
        Shape::Floating => Some((of.sizes[0], 1)),
        Shape::Array(element, Some(count)) => {
            homogeneous(element, records).map(|(size, each)| (size, each.saturating_mul(*count)))
        }
        Shape::Record(at) => {
            let record = records.get(*at)?;
            let mut found: Option<(u64, u64)> = None;
            for member in &record.members {
                let (size, count) = homogeneous(&member.of, records).filter(|_| member.bits.is_none())?;
                let (before, sum) = found.unwrap_or((size, 0));
                if before != size {
                    return None;
                }
                found = Some((size, if record.is_union { sum.max(count) } else { sum.saturating_add(count) }));
            }
            found.filter(|(size, count)| size.saturating_mul(*count) == record.sizes[0])
        }
        _ => None,
    }
}

impl Passed {
    fn new(of: &Type, records: &[Record]) -> Result<Self, String> {
        let Some(alignment) = alignment(of, records) else {
            return Err(format!("`{}` is packed or aligned, and passed by value, which is not known of ARM", of.spelling));
        };
        let floating = homogeneous(of, records).filter(|(_, count)| (1..=4).contains(count));
        if floating.is_some_and(|(size, _)| size != 4 && size != 8) {
            return Err(format!(
                "`{}` is a floating-point number of another size than float and double, which is not known of ARM",
                of.spelling
            ));
        }
        Ok(Self { bytes: of.sizes[0], is_even: alignment > 4, floating })
    }
}

/// The places of a function's arguments, one after the other.
pub(crate) struct Arguments<'a> {
    convention: Convention,
    records: &'a [Record],
    /// Whether floating-point registers are used.
    has_vfp: bool,
    /// A bit for each that is taken.
    vfp: u64,
    /// The next register for integers; of cdecl the next word.
    core: u64,
    /// The next word on the stack.
    stack: u64,
}

impl<'a> Arguments<'a> {
    /// `place` is that of the result.
    pub(crate) fn new(convention: Convention, is_variadic: bool, place: Place, records: &'a [Record]) -> Self {
        let core = Self::hidden(convention) + u64::from(place == Place::Memory);
        Self { convention, records, has_vfp: !is_variadic, vfp: 0, core, stack: STACK }
    }

    /// The first word for integers: that of the address of the result, if it is in memory.
    pub(crate) fn hidden(convention: Convention) -> u64 {
        if convention == Convention::Cdecl { 0 } else { CORE }
    }

    /// The first word of the next argument.
    ///
    /// # Errors
    /// Why nobody knows.
    pub(crate) fn place(&mut self, of: &Type) -> Result<u64, String> {
        let words = of.sizes[0].div_ceil(4);
        if self.convention == Convention::Cdecl {
            self.core += words;
            return Ok(self.core - words);
        }
        let passed = Passed::new(of, self.records)?;
        if passed.bytes == 0 {
            return Ok(self.core);
        }
        if let Some((size, count)) = passed.floating.filter(|_| self.has_vfp) {
            let words = size / 4 * count;
            let step = size / 4;
            let taken = (1 << words) - 1;
            let free = (0..=VFP - words).filter(|at| at % step == 0).find(|at| self.vfp & taken << at == 0);
            if let Some(at) = free {
                self.vfp |= taken << at;
                return Ok(at);
            }
            self.vfp = (1 << VFP) - 1;
            return Ok(self.on_stack(words, passed.is_even));
        }
        if self.core < STACK {
            self.core = if passed.is_even { self.core.next_multiple_of(2) } else { self.core };
            // One that is not on the stack as a whole is followed there by nothing else yet.
            if self.core + words <= STACK || self.stack == STACK && self.core < STACK {
                let at = self.core;
                self.core = STACK.min(at + words);
                self.stack = self.stack.max(at + words);
                return Ok(at);
            }
            self.core = STACK;
        }
        Ok(self.on_stack(words, passed.is_even))
    }

    fn on_stack(&mut self, words: u64, is_even: bool) -> u64 {
        let at = if is_even { self.stack.next_multiple_of(2) } else { self.stack };
        self.stack = at + words;
        at
    }

    /// How many words there are.
    pub(crate) fn words(&self) -> u64 {
        match self.convention {
            Convention::Cdecl => self.core,
            Convention::AapcsVfp if self.core < STACK && self.stack == STACK => self.core,
            Convention::AapcsVfp => self.stack,
        }
    }
}

impl Convention {
    /// Where a result of this type is.
    ///
    /// # Errors
    /// Why it cannot be taken from there.
    pub(crate) fn result(self, of: &Type, is_variadic: bool, records: &[Record]) -> Result<Place, String> {
        let is_record = matches!(of.shape, Shape::Record(_));
        match self {
            _ if matches!(of.shape, Shape::Void) => Ok(Place::Integer),
            Self::Cdecl if is_record => Ok(Place::Memory),
            Self::Cdecl if matches!(of.shape, Shape::Floating) => Ok(Place::X87),
            Self::Cdecl => Ok(Place::Integer),
            Self::AapcsVfp => {
                let passed = Passed::new(of, records)?;
                match passed.floating {
                    Some((size, count)) if !is_variadic => match size * count {
                        0..=8 => Ok(Place::Vfp),
                        _ => Err(format!("`{}` is returned in more than one floating-point register", of.spelling)),
                    },
                    _ if is_record && passed.bytes > 4 => Ok(Place::Memory),
                    _ => Ok(Place::Integer),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test ends by a panic")]

    use super::{Arguments, Convention, Place};
    use port::interface::{Shape, Type};

    fn plain(size: u64, shape: Shape) -> Type {
        Type { spelling: String::new(), typedef: None, sizes: [size; 2], is_const: false, shape }
    }

    fn places(sizes: &[(char, u64)], is_variadic: bool, place: Place) -> (Vec<u64>, u64) {
        let mut arguments = Arguments::new(Convention::AapcsVfp, is_variadic, place, &[]);
        let shape = |kind| if kind == 'f' { Shape::Floating } else { Shape::Integer(true) };
        let found = sizes.iter().map(|&(kind, size)| arguments.place(&plain(size, shape(kind))).unwrap()).collect();
        (found, arguments.words())
    }

    /// AAPCS32, 6.5 and 7.1.2.
    #[test]
    fn arm_passes_numbers_in_registers_of_their_kind() {
        let integer = Place::Integer;
        assert_eq!(places(&[('i', 4), ('i', 8), ('i', 4)], false, integer), (vec![16, 18, 20], 21));
        assert_eq!(places(&[('i', 4), ('i', 4), ('i', 4), ('i', 8), ('i', 4)], false, integer), (vec![16, 17, 18, 20, 22], 23));
        // A float fills the gap that a double has left.
        assert_eq!(places(&[('f', 4), ('f', 8), ('f', 4), ('i', 4)], false, integer), (vec![0, 2, 1, 16], 17));
        let many = [('f', 8); 9];
        assert_eq!(places(&many, false, integer), (vec![0, 2, 4, 6, 8, 10, 12, 14, 20], 22));
        assert_eq!(places(&[('i', 4), ('f', 8), ('i', 4)], true, integer), (vec![16, 18, 20], 21));
        assert_eq!(places(&[('i', 8), ('i', 4)], false, Place::Memory), (vec![18, 20], 21));
        assert_eq!(places(&[], false, integer), (vec![], 16));
    }
}
