//! A pointer is kept in an integer that is too small for it
//!
//! # What
//! A pointer is converted to an integer type of 4 bytes, by a cast or without one, also by way of a `long`. It is certain where the
//! integer is kept, passed or made a pointer again; it is only possible by way of a `long`, which is how numbers are taken out of
//! pointers, where the lowest bits are enough, as for a hash, and for a pointer that may have carried a number all the time: a
//! `void *`, one that becomes an `enum`, or a type that small numbers are converted to in the same file. What is kept for bits, differences and comparisons
//! only is possible as well, and what is divided.
//!
//! # Why
//! On 32-bit systems an `int` or `long` holds a pointer. Where pointers have 8 bytes, an `int` keeps the lower half: whoever makes a
//! pointer of it again reads or writes somewhere else, or is killed by SIGSEGV. It works as long as the pointer happens to be
//! below 4 GiB, as with some allocators at the start of a program.
//!
//! # Example
//! Bad:
//!
//! ```c
//! extern int key(int);
//! int f(char *p) { return key((int)p); }
//! char *up(char *p) { return (char *)(((int)p + 7) & ~7); }
//! ```
//!
//! Good:
//!
//! ```c
//! #include <stdint.h>
//! extern int key(uintptr_t);
//! int f(char *p) { return key((uintptr_t)p); }
//! int low(char *p) { return (int)(uintptr_t)p & 7; }
//! struct s { char c; int i; };
//! int offset(void) { return (int)&((struct s *)0)->i; }
//! ```
//!
//! # Fix
//! Keep it in `intptr_t` or `uintptr_t` (stdint.h), and change the type of all that it goes through: variables, fields,
//! parameters. Where only the lowest bits are looked at, as for alignment, `(int)(uintptr_t)p` says so.
//!
//! # References
//! - CWE-466, CWE-704
//! - C11 6.3.2.3 paragraph 6

use super::{Found, Visit, p002_int_to_pointer, p007_no_prototype};
use crate::ast::kind::{Kind, TypeKind, binary};
use crate::destination::Destination;
use crate::fix;
use crate::pair::{NARROW, WIDE};
use crate::tree::{Expression, Tree};
use findings::Confidence;

pub(super) const VISIT: Visit = Visit::Conversion(look);

fn look(conversion: Expression<'_>, found: &mut Found<'_>) {
    let Some(from) = pointer(conversion) else { return };
    // Where an `int` stands for a list of arguments, that is of another system: `__va_list`.
    if from.types().spelling().contains("va_list") {
        return;
    }
    // Where a type is not known, nobody knows what is converted.
    if !conversion.is_written() && conversion.is_guessed() || p007_no_prototype::is_argument(conversion) {
        return;
    }
    // In a template that nobody uses the compiler does not say that C++ has no such conversion.
    let of_cxx = |outer: Expression<'_>| matches!(outer.kind(), Kind::Method | Kind::ClassTemplate | Kind::FunctionTemplate);
    if !conversion.is_written() && conversion.ancestors().any(of_cxx) {
        return;
    }
    let types = from.types();
    let text = |side: usize| format!("{} in {}", types.describe(side), conversion.types().describe(side));
    let message = format!("a pointer is cut to {}: its upper 32 bits are lost", conversion.types().spelling());
    if let Some(hit) = found.report(conversion, confidence(conversion, from), message, [text(NARROW), text(WIDE)]) {
        hit.edits = fix::cast(conversion);
    }
}

/// The pointer that this conversion cuts.
pub(super) fn pointer(conversion: Expression<'_>) -> Option<Expression<'_>> {
    let mut from = conversion.converted()?;
    let (to, wide) = (conversion.types(), conversion.types().integer(WIDE)?);
    // `#if SIZEOF_CHAR_P == 4`: what is a pointer for 32 bits, and for 64 a number that is to have as many.
    let is_large_enough = to.integer(NARROW).map_or(to.canonical(NARROW).kind == TypeKind::Pointer, |narrow| narrow.bits >= 32);
    // What is too small for both sides, as a char, was a decision.
    if wide.bits >= 64 || !is_large_enough || to.is(TypeKind::Bool) {
        return None;
    }
    // By way of a long: `(int)(long)p`. Whoever names `uintptr_t` knows what is done, but for `request.buffer = (uintptr_t)&block`.
    if from.types().grows() {
        from = from.strip();
        let is_known = || conversion.is_written() || !from.strip_casts().takes_address();
        if from.types().has_typedef(&["intptr_t", "uintptr_t"]) && is_known() {
            return None;
        }
        from = from.converted().filter(|_| from.kind().is_explicit_cast())?;
    }
    // `(unsigned)(word_t)count`, where the type is a pointer on this system: all that goes through it is the count.
    let made_of = Some(from.strip()).filter(|cast| cast.kind().is_explicit_cast()).and_then(Expression::converted);
    if made_of.and_then(|number| number.types().integer(WIDE)).is_some_and(|number| number.bits <= 32) {
        return None;
    }
    // A number is never a pointer that was there before, and `&((struct s *)0)->member` is an offset.
    (from.types().is_pointer() && from.strip_casts().value(WIDE).is_none() && !is_offset(from)).then_some(from)
}

/// Whether a cast in this file cuts a pointer for sure.
pub(super) fn cuts(tree: &Tree<'_>) -> bool {
    let is_cut = |cast: Expression<'_>| pointer(cast).is_some_and(|from| confidence(cast, from) == Confidence::Certain);
    // In C++ what a cast does is below it.
    *tree.cuts.get_or_init(|| tree.casts().any(|cast| is_cut(cast) || cast.child(0).is_some_and(is_cut)))
}

/// `&((struct s *)0)->member`
fn is_offset(pointer: Expression<'_>) -> bool {
    let mut at = pointer.strip_casts();
    if !at.takes_address() {
        return false;
    }
    while matches!(at.kind(), Kind::Unary | Kind::Member | Kind::Subscript) {
        let Some(inner) = at.children().find(|part| part.is_expression()) else { return false };
        at = inner.strip_casts();
    }
    at.value(WIDE).is_some()
}

fn confidence(conversion: Expression<'_>, from: Expression<'_>) -> Confidence {
    // What becomes a pointer again; a remainder is none, but a number that the pointer carries, `(char *)((int)(p + 1) % 2)`.
    let is_rest = |outer: Expression<'_>| outer.kind() == Kind::Binary && outer.operator() == binary::REM;
    let is_within = |outer: Expression<'_>| outer.is_expression() && outer.kind() != Kind::Call && !is_rest(outer);
    let again = conversion.ancestors().take_while(|outer| is_within(*outer));
    // `text + ((int)end - (int)begin)` is one all the way.
    let is_number = |of: Expression<'_>| !of.types().is_pointer();
    if again.into_iter().any(|outer| outer.types().is_pointer() && outer.converted().is_some_and(is_number)) {
        return Confidence::Certain;
    }
    // Whether there is one: what is at a multiple of 4 GiB is hardly ever meant.
    if conversion.types().spelling().to_lowercase().contains("bool") {
        return Confidence::Possible;
    }
    let is_choice = conversion.is_written() && conversion.types().is(TypeKind::Enum);
    let carries = is_choice || from.strip_casts().types().inner().is_some_and(|to| to.is(TypeKind::Void)) && !leads_to_object(from);
    let hashes = conversion.function().and_then(Expression::declaration).is_some_and(|function| {
        let name = function.name.to_lowercase();
        name.contains("hash") || name.contains("rand") || name.contains("seed")
    });
    if hashes || conversion.is_written() && carries {
        return Confidence::Possible;
    }
    if from.carries_numbers() || is_of_systems_union(from.strip_casts()) {
        return Confidence::Possible;
    }
    // strerror_r(3) returns an `int` as well, and configure finds out which.
    if !conversion.is_written() && !conversion.tree().is_configured && p002_int_to_pointer::is_systems(from) {
        return Confidence::Possible;
    }
    let by_way = conversion.converted().is_some_and(|long| long.types().grows());
    match conversion.destination() {
        Destination::Kept(_) if is_kept_for_bits(conversion) => Confidence::Possible,
        // `request.buffer = (intptr_t)&block`: nobody has said that the address is cut.
        Destination::Kept(_) if by_way && !conversion.is_written() && from.strip_casts().takes_address() => Confidence::Probable,
        // A compiler for 64 bits warns of `(int)p`, and is told so that the number in it is small.
        Destination::Kept(_) | Destination::Returned if by_way => Confidence::Possible,
        Destination::Returned if is_answer(conversion) => Confidence::Possible,
        Destination::Kept(_) | Destination::Returned => Confidence::Certain,
        // printf only shows it; P030 speaks of the format.
        Destination::Argument(..) if conversion.is_variadic() => Confidence::Possible,
        // What is given to the system as an `int`, as a descriptor, is no address.
        Destination::Argument(..) if is_of_system(conversion) => Confidence::Possible,
        Destination::Argument(..) => Confidence::Certain,
        Destination::Compared | Destination::Dropped | Destination::Tested => Confidence::Possible,
        Destination::Index => Confidence::Probable,
        Destination::Computed => match conversion.outer() {
            // Bits, remainders and differences are right in the lower half. The quotient of an address means nothing: what is divided
            // is a number that the pointer carries.
            Some(outer)
                if outer.kind() == Kind::Binary
                    && matches!(
                        outer.operator(),
                        binary::AND | binary::REM | binary::XOR | binary::SHR | binary::SUB | binary::DIV
                    ) =>
            {
                Confidence::Possible
            }
            Some(outer) if is_taken_away(outer) => Confidence::Possible,
            // `at + (unsigned)(size_t)p`, of which the lower half is right.
            _ if by_way && !conversion.types().integer(WIDE).is_some_and(|of| of.signed) => Confidence::Possible,
            _ => Confidence::Probable,
        },
    }
}

/// Whether it is a variable that the function takes for a pointer to a structure as well, whatever else it is told: `struct node *node = data`.
fn leads_to_object(pointer: Expression<'_>) -> bool {
    let variable = Some(pointer.strip_casts()).filter(|of| of.kind() == Kind::DeclRef).and_then(Expression::declaration);
    let Some((variable, function)) = variable.zip(pointer.function()) else { return false };
    let is_object = |mention: Expression<'_>| {
        let conversions = mention.ancestors().take_while(|outer| outer.converted().is_some() || outer.is_wrapping());
        let is_structure = |outer: Expression<'_>| outer.types().is_pointer() && outer.types().inner().is_some_and(|to| to.record().is_some());
        // `(int)(struct node *)data` is a number in the end.
        conversions.last().is_some_and(is_structure)
    };
    // Where something is asked before, another argument may say what it is: `case SET_NODE:`.
    let is_always = |mention: Expression<'_>| {
        !mention.ancestors().take_while(|outer| !outer.is(function)).any(|outer| outer.kind().is_branch())
    };
    pointer.tree().named(variable).any(|mention| function.contains(mention) && is_object(mention) && is_always(mention))
}

/// Whether it is returned for an answer, as that of `int is_separator(int c) { return (int)strchr(separators, c); }`.
fn is_answer(conversion: Expression<'_>) -> bool {
    const QUESTIONS: [&str; 3] = ["is_", "has_", "can_"];
    let name = conversion.function().and_then(Expression::declaration).map_or("", |function| function.name.as_str());
    let uses = conversion.uses();
    let is_tested = |part: &Expression<'_>| part.destination() == Destination::Tested;
    QUESTIONS.iter().any(|question| name.to_lowercase().starts_with(question)) || !uses.is_empty() && uses.iter().all(is_tested)
}

/// Whether it is a pointer in a union of the system's, in which some requests leave a number: `ifr_data`.
fn is_of_systems_union(member: Expression<'_>) -> bool {
    let union = member.child(0).filter(|_| member.kind() == Kind::Member).and_then(|whole| whole.types().record());
    union.is_some_and(|[_, union]| union.kind == Kind::Union && union.in_system_header)
}

/// Whether it is an argument of a function of the system's, which takes a descriptor mostly: one that turns bytes around takes any number. What
/// the project includes in angles clang takes for a header of the system's too.
fn is_of_system(argument: Expression<'_>) -> bool {
    // Somebody has said so: `(int)handle`, `(long)handle`.
    let is_said = argument.is_written() || argument.converted().is_some_and(|long| long.types().grows() && !long.strip_casts().takes_address());
    let Some(call) = argument.ancestors().find(|outer| outer.kind() == Kind::Call).filter(|_| is_said) else { return false };
    let is_systems = |path: &str| path.starts_with("/usr/");
    let turns = |name: &str| name.contains("bswap") || ["htonl", "htons", "ntohl", "ntohs"].contains(&name);
    let called = call.declaration().filter(|called| called.in_system_header && !turns(&called.name));
    called.is_some_and(|called| is_systems(call.unit().file(called.place.file)))
}

/// Whether another pointer that is cut is taken away from a sum, `base + (int)p - (int)q`: the lower half of a difference is right.
fn is_taken_away(sum: Expression<'_>) -> bool {
    let is = |part: Expression<'_>, operator: u8| part.kind() == Kind::Binary && part.operator() == operator;
    let mut outer = sum;
    while is(outer, binary::ADD) {
        let Some(next) = outer.outer() else { return false };
        let right = next.child(1).filter(|_| is(next, binary::SUB));
        if right.is_some_and(|right| pointer(right.strip()).is_some()) {
            return true;
        }
        outer = next;
    }
    false
}

/// Whether only bits, differences, comparisons and text are made of what keeps it, until that gets another value.
fn is_kept_for_bits(conversion: Expression<'_>) -> bool {
    let is_given = |part: &Expression<'_>| {
        let outer = part.outer().filter(|outer| outer.kind() == Kind::Binary && outer.operator() == binary::ASSIGN);
        outer.and_then(|outer| outer.child(0)).is_some_and(|left| left.contains(*part))
    };
    let kept = conversion.keeper().and_then(Expression::declaration);
    let is_local = kept.is_some_and(|kept| kept.kind == Kind::Variable && !kept.is_external);
    let uses: Vec<_> = conversion.later().filter(|part| conversion.precedes(*part)).take_while(|part| !is_given(part)).collect();
    // `while (more = (int)fgets(…))`
    let is_asked = || conversion.outer().is_some_and(|outer| outer.kind() == Kind::Binary && outer.destination() == Destination::Tested);
    is_local
        && (!uses.is_empty() || is_asked())
        && uses.iter().all(|part| match part.destination() {
            Destination::Compared | Destination::Tested => true,
            Destination::Computed => part.outer().is_some_and(keeps_low),
            Destination::Argument(..) => part.is_variadic(),
            _ => false,
        })
}

/// Whether the lower half of the result is that of the operands' lower halves.
fn keeps_low(outer: Expression<'_>) -> bool {
    let bits = [binary::AND, binary::OR, binary::XOR, binary::REM, binary::SUB];
    outer.kind() == Kind::Binary && bits.contains(&outer.operator())
}
