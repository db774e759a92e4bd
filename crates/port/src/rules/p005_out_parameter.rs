//! A pointer leads to an object of another size
//!
//! # What
//! The address of a number or pointer is taken for that of another one, which is as large for 32 bits and not for 64: `(long *)&number`
//! with an `int`, an `int *` for a `socklen_t *` that is a `size_t *`, `time(&seconds)` with `int seconds`, also where it is one of bytes in
//! between, `pthread_join(thread, (void *)&number)`; and a number of 32 bits for the
//! set of descriptors of select(2), of which the kernel writes whole `long`s: `(fd_set *)&mask`. A `size_t` that was set before
//! keeps an upper half of 0, and is only possible. So are the bits of a `float` read as a `long`, `*(long *)&x`, and those of a `double`,
//! which are two `long`s for 32 bits and one for 64.
//!
//! The type of what an allocator returns says nothing, and P040 and P041 look at its size. Where a pointer and a number are taken for each
//! other, something else may well say which it is, and it is only possible: a constant beside it in the call or in the row of a table
//! (`get(INTEGER, (void **)&number)`), a condition before it (`case INTEGER: *(int *)to = number;`), a parameter of handlers that a macro
//! declares, or that others take for a structure. A pointer of a union that has one of the other type as well is only possible too, and so are
//! a parameter of which the function takes bytes, and one that was moved on before. What no name says, but a pointer, `*(int *)slot`, or what is
//! kept as another, `words = (long *)numbers`, may be a part of a block of memory for several things, as of a stack of words: it is only possible
//! as well, unless a function gets it. One block of memory may be for several arrays, where its size says so.
//!
//! # Why
//! Whoever writes through the pointer writes 8 bytes over an object of 4, and over what is behind it; or 4 bytes of 8, and the upper half
//! is what was there before. Bits of a number that are computed with are others, or those of what is beside it.
//!
//! # Example
//! Bad:
//!
//! ```c
//! #include <sys/select.h>
//! #include <time.h>
//! int f(void) { int now; time((time_t *)&now); return now; }
//! long bits(float x) { return *(long *)&x; }
//! int ready(void) { int mask = 1; return select(1, (fd_set *)&mask, 0, 0, 0) && mask; }
//! unsigned long upper(double x) { return ((unsigned long *)&x)[1]; }
//! ```
//!
//! Good:
//!
//! ```c
//! #include <sys/select.h>
//! #include <time.h>
//! int ready(void) { long mask = 1; return select(1, (fd_set *)&mask, 0, 0, 0) && mask; }
//! int f(void) { time_t now; time((time_t *)&now); return now != 0; }
//! int first(char *text) { return *(int *)text; }
//! int *behind(char **names, int n) { return (int *)&names[n]; }
//! int bits(float x) { return *(int *)&x; }
//! unsigned lower(double x) { return *(unsigned *)&x; }
//! long long whole(double x) { return *(long long *)&x; }
//! int *new_memory(unsigned long bytes);
//! char **names(int n) { return (char **)new_memory(n * sizeof(char *)); }
//! ```
//!
//! # Fix
//! Declare the object as the function wants it, and convert the value afterwards; a member or a variable that leads to it gets the type of
//! what it leads to, and `void *` where that differs from one to another. What a function returns is converted only where it returns
//! `void *` or `char *`: another type of its result is to be repaired there. A cast of the address repairs nothing. The bits of a `float`
//! are a `uint32_t` and those of a `double` a `uint64_t`, into which memcpy(3) copies them.
//!
//! # References
//! - CWE-843, CWE-787, CWE-704
//! - man 2 accept, about `socklen_t`

use super::{Found, Visit, p030_format};
use crate::ast::Declaration;
use crate::ast::kind::{Kind, TypeKind, binary, unary};
use crate::bits::{read, reads_low};
use crate::blocks;
use crate::destination::Destination;
use crate::pair::{NARROW, WIDE};
use crate::tree::{Expression, Tree, Types};
use findings::Confidence;

pub(super) const VISIT: Visit = Visit::Conversion(look);

fn look(conversion: Expression<'_>, found: &mut Found<'_>) {
    let Some(converted) = conversion.converted().map(of_bytes) else { return };
    let (from, to) = (converted.types(), conversion.types());
    let (Some(object), Some(taken)) = (from.inner(), to.inner()) else { return };
    if from.is_pointer() && to.pointee().is_some_and(|set| set.has_typedef(&["fd_set"])) {
        return descriptors(conversion, object, found);
    }
    if !from.is_pointer() || !to.is_pointer() || !is_scalar(object) || !is_scalar(taken) {
        return;
    }
    let (Some(was), Some(is)) = (object.sizes(), taken.sizes()) else { return };
    if object.is(TypeKind::Double) && taken.grows() {
        return halves(conversion, [object, taken], found);
    }
    if was[NARROW] != is[NARROW] || was[WIDE] == is[WIDE] {
        return;
    }
    if !conversion.is_written() && conversion.is_guessed() {
        return;
    }
    // Nothing is accessed of what is given back, or whose address is compared, as macros do that ask for one type.
    if matches!(conversion.destination(), Destination::Argument("free" | "realloc", 0) | Destination::Compared) {
        return;
    }
    // `scan((int *)&whole)`, where that takes what is as large as `whole`: the cast says something else on the way.
    let leads_to = |of: Expression<'_>, sizes: [u64; 2]| of.types().inner().and_then(Types::sizes) == Some(sizes);
    let is_way = match conversion.is_written() {
        true => conversion.parent().is_some_and(|outer| outer.kind() == Kind::Unexposed && leads_to(outer, was)),
        false => converted.kind().is_explicit_cast() && leads_to(converted.strip_casts(), is),
    };
    if is_way {
        return;
    }
    let address = converted.strip();
    if blocks::is_new(address, taken) || blocks::is_room_for(address, taken) {
        return;
    }
    let text = |side: usize| format!("{} taken for {}", object.describe(side), taken.describe(side));
    let is_object = address.takes_address();
    let (confidence, message) = if is[WIDE] > was[WIDE] {
        let confidence = match is_object || !conversion.is_written() {
            _ if reads_low(conversion) || is_carried(conversion, taken) || is_mark_of_stack(conversion, address) => Confidence::Possible,
            _ if is_taken_for_bytes(conversion) || is_moved(address) => Confidence::Possible,
            _ if read(conversion).is_none() && p030_format::is_filled_behind(address) => Confidence::Possible,
            true => Confidence::Certain,
            false => Confidence::Probable,
        };
        (
            confidence,
            format!("a pointer to {} leads to {}: 8 bytes are accessed where 4 are", taken.spelling(), object.spelling()),
        )
    } else if is_behind(address) || is_moved(address) || is_before(conversion) {
        return;
    } else {
        let message =
            format!("a pointer to {} leads to {}: only the lower half is accessed", taken.spelling(), object.spelling());
        // Where the object was set before, its upper half is 0, and stays so.
        let is_whole = || address.child(0).is_some_and(|object| is_set(object.strip(), address));
        // A caller's length has a value mostly, that of the room that there is.
        let is_length = |of: &Declaration| of.kind == Kind::Parameter && ["len", "size"].iter().any(|part| of.name.to_lowercase().contains(part));
        let is_given = address.kind() == Kind::DeclRef && address.declaration().is_some_and(is_length);
        let is_right = is_object && (is_read(conversion) || is_whole() || is_never_whole(conversion, address) || is_address_length(conversion, address)) || is_given;
        let confidence = if is_right { Confidence::Possible } else { Confidence::Probable };
        (confidence, message)
    };
    let is_open = is_told(conversion, address, [object, taken], found) || conversion.is_written() && is_part(conversion, address, object);
    let confidence = if is_open { Confidence::Possible } else { confidence };
    found.report(conversion, confidence, message, [text(NARROW), text(WIDE)]);
}

/// Whether it is where a pointer leads, or where an element of an array is, and not an object with a name: mostly that begins there which is behind
/// others in one block of memory, as in a stack of words. What a function gets is as it says. The bits of a real number are nothing else.
fn is_part(conversion: Expression<'_>, address: Expression<'_>, object: Types<'_>) -> bool {
    let destination = conversion.destination();
    let is_named = address.addressed().is_some_and(|of| matches!(of.kind(), Kind::DeclRef | Kind::Member));
    let is_element = || !matches!(destination, Destination::Kept(_)) && address.array_element().is_some();
    let is_passed = matches!(destination, Destination::Argument(..));
    !is_passed && !is_named && !is_element() && !object.canonical(WIDE).kind.is_floating()
}

/// What a pointer to bytes is the address of, `pthread_join(thread, (void *)&number)`.
fn of_bytes(pointer: Expression<'_>) -> Expression<'_> {
    let is_bytes = pointer.types().inner().is_some_and(|to| to.is(TypeKind::Void) || to.sizes() == Some([1, 1]));
    Some(pointer.strip_casts()).filter(|address| is_bytes && address.takes_address()).unwrap_or(pointer)
}

/// Whether a local variable is only there for its address to say how far the stack goes, and that is kept.
fn is_mark_of_stack(conversion: Expression<'_>, address: Expression<'_>) -> bool {
    let is_asked = |mention: Expression<'_>| mention.outer().is_some_and(Expression::takes_address);
    matches!(conversion.destination(), Destination::Kept(_))
        && local(conversion, address).is_some_and(|of| conversion.tree().named(of).all(is_asked))
}

/// Whether it is a local variable of which nobody looks at more than the same lower half.
fn is_never_whole(conversion: Expression<'_>, address: Expression<'_>) -> bool {
    let is_half = |mention: Expression<'_>| {
        let address = mention.outer().filter(|outer| outer.takes_address());
        let cast = address.and_then(|address| address.ancestors().find(|outer| !outer.is_wrapping()));
        cast.is_some_and(|cast| cast.kind().is_explicit_cast() && cast.types().is_same(conversion.types()))
    };
    local(conversion, address).is_some_and(|of| conversion.tree().named(of).all(is_half))
}

/// The local variable of which it is the address.
fn local<'a>(conversion: Expression<'a>, address: Expression<'a>) -> Option<&'a Declaration> {
    let variable = address.child(0)?.strip().declaration().filter(|of| of.kind == Kind::Variable)?;
    conversion.function()?.declares(variable).then_some(variable)
}

/// Functions of sockets that are told how much room there is for an address, or a value, and say how long it is, and by which argument.
const LENGTHS: [(&str, usize); 6] =
    [("accept", 2), ("accept4", 2), ("getpeername", 2), ("getsockname", 2), ("getsockopt", 4), ("recvfrom", 5)];

/// Whether it is such a length, which is never negative, and had a value before that is not.
fn is_address_length(conversion: Expression<'_>, address: Expression<'_>) -> bool {
    let is_it = matches!(conversion.destination(), Destination::Argument(name, at) if LENGTHS.contains(&(name, at)));
    is_it && address.child(0).is_some_and(|object| object.strip().was_given(|room| room.is_between(WIDE, 0, 0x7fff_ffff)))
}

/// A number whose bits are descriptors for select(2): the kernel reads and writes whole `long`s.
fn descriptors(conversion: Expression<'_>, object: Types<'_>, found: &mut Found<'_>) {
    let is_number = object.integers().is_some_and(|both| both.iter().all(|integer| integer.bits == 32));
    let Some(converted) = conversion.converted().filter(|of| is_number && of.strip().takes_address()) else { return };
    let is_asked = matches!(conversion.destination(), Destination::Argument("select" | "pselect", _));
    let confidence = match is_asked {
        // `#ifdef FD_SETSIZE`: a project has another type where no header has said what a set is.
        _ if conversion.tree().misses_header() => Confidence::Possible,
        true => Confidence::Certain,
        false => Confidence::Probable,
    };
    let text = |side: usize| format!("{}, of which select(2) writes {} bytes", object.describe(side), [4, 8][side]);
    let spelling = converted.types().inner().map_or("", Types::spelling);
    let message = format!("a set of descriptors is kept in {spelling}: 8 bytes are accessed where 4 are");
    found.report(conversion, confidence, message, [text(NARROW), text(WIDE)]);
}

/// Whether a number is read as an untyped pointer, to be read back as a number: `data = *(void **)&index`.
fn is_carried(conversion: Expression<'_>, taken: Types<'_>) -> bool {
    taken.is_pointer() && taken.inner().is_some_and(|inner| inner.is(TypeKind::Void)) && read(conversion).is_some()
}

/// Whether something else says what it leads to: nobody takes a pointer for a number, or a number for a pointer, by mistake.
fn is_told(conversion: Expression<'_>, address: Expression<'_>, [object, taken]: [Types<'_>; 2], found: &Found<'_>) -> bool {
    if conversion.is_written() && is_of_union(address, taken) {
        return true;
    }
    if object.is_pointer() == taken.is_pointer() || !conversion.is_written() {
        return false;
    }
    if !address.takes_address() {
        return is_several(conversion, address, object) || is_generic(address);
    }
    let Some(outer) = conversion.outer() else { return false };
    match outer.kind() {
        // A function in the same line of a table knows what it gets.
        Kind::InitList => outer.children().any(|part| is_named_number(part) || is_function(part)),
        // Who gets the address of a number for that of a pointer, and is told so or takes it back.
        Kind::Call if taken.is_pointer() => {
            let Some((function, (_, arguments))) = outer.declaration().zip(outer.call()) else { return false };
            let is_own = (found.is_own)(outer.tree().units[WIDE].file(function.place.file));
            let is_said = || arguments.iter().copied().any(is_named_number);
            is_own && (is_said() || takes_back(conversion, object))
        }
        _ => false,
    }
}

/// Whether it is a constant that has a name.
fn is_named_number(part: Expression<'_>) -> bool {
    let number = part.strip_casts();
    part.types().integers().is_some()
        && number.value(WIDE).is_some()
        && (number.kind() == Kind::DeclRef || number.place().macro_text.is_some())
}

/// Whether it is only read by who gets it: the lower half of a number is the number.
fn is_read(conversion: Expression<'_>) -> bool {
    let wraps = std::iter::once(conversion).chain(conversion.ancestors().take_while(|outer| outer.kind() == Kind::Unexposed));
    wraps.filter_map(|outer| outer.types().inner()).any(|to| to.canonical(WIDE).is_const)
}

/// Whether it is the name of a function.
fn is_function(part: Expression<'_>) -> bool {
    part.strip_casts().declaration().is_some_and(|of| of.kind == Kind::Function)
}

/// Whether the function that gets it is in the same file, and converts its parameter to a pointer to `object`.
fn takes_back(argument: Expression<'_>, object: Types<'_>) -> bool {
    let Some((body, parameter)) = argument.parameter() else { return false };
    let is_back = |cast: Expression<'_>| {
        let of = cast.converted().and_then(|inner| inner.strip().declaration());
        cast.types().inner().is_some_and(|to| to.is_same(object)) && of.is_some_and(|of| std::ptr::eq(of, parameter))
    };
    argument.tree().casts().any(|cast| body.contains(cast) && is_back(cast))
}

/// Whether the function that gets it is in the same file, and makes a pointer to bytes of its parameter wherever it names it.
fn is_taken_for_bytes(argument: Expression<'_>) -> bool {
    let Some((body, parameter)) = argument.parameter() else { return false };
    let is_of_bytes = |to: Types<'_>| to.sizes() == Some([1, 1]) || to.is(TypeKind::Void);
    let is_converted = |mention: Expression<'_>| {
        let mut conversions = mention.ancestors().take_while(|outer| outer.converted().is_some() || outer.kind() == Kind::Paren);
        conversions.any(|outer| outer.types().inner().is_some_and(is_of_bytes))
    };
    argument.tree().named(parameter).filter(|mention| body.contains(*mention)).all(is_converted)
}

/// Whether a condition was asked before a pointer is converted that leads to several types: a parameter `void **`, or one that is also used
/// as what it is.
fn is_several(conversion: Expression<'_>, address: Expression<'_>, object: Types<'_>) -> bool {
    let (Some(pointer), Some(function)) = (address.declaration(), conversion.function()) else { return false };
    if !conversion.ancestors().take_while(|outer| !outer.kind().is_function()).any(|outer| outer.kind().is_branch()) {
        return false;
    }
    let is_followed = |part: Expression<'_>| {
        let is_it = part.declaration().is_some_and(|other| std::ptr::eq(other, pointer));
        // `*(char **)to`, where it is that.
        let casts = part.ancestors().take_while(|outer| outer.is_wrapping() || outer.kind().is_explicit_cast() && outer.types().is_same(part.types()));
        is_it
            && casts.last().unwrap_or(part).outer().is_some_and(|outer| match outer.kind() {
                Kind::Unary => outer.operator() == unary::DEREFERENCE,
                kind => kind == Kind::Subscript,
            })
    };
    match pointer.kind {
        Kind::Field => conversion.tree().nodes().any(|part| part.kind() == Kind::Member && is_followed(part)),
        Kind::Parameter if object.inner().is_some_and(|inner| inner.is(TypeKind::Void)) => true,
        _ => function.descendants().any(|part| part.kind() == Kind::DeclRef && is_followed(part)),
    }
}

/// Whether it is a pointer in a union that has one to `taken` as well, in the same place.
fn is_of_union(address: Expression<'_>, taken: Types<'_>) -> bool {
    let member = if address.kind() == Kind::Subscript { address.child(0).map_or(address, Expression::strip) } else { address };
    let whole = member.child(0).filter(|_| member.kind() == Kind::Member).map(Expression::types);
    let whole = whole.and_then(|whole| if whole.is_pointer() { whole.inner() } else { Some(whole) });
    let Some([_, union]) = whole.and_then(Types::record).filter(|[_, record]| record.kind == Kind::Union) else { return false };
    let unit = address.tree().units[WIDE];
    let size = taken.size(WIDE);
    let mut members = union.fields.iter().map(|field| unit.canonical(unit.declaration(*field).type_id));
    members.any(|of| {
        // An array of pointers, or one.
        let pointer = if of.kind == TypeKind::Pointer { of } else { unit.canonical(of.inner) };
        let inner = unit.canonical(pointer.inner);
        pointer.kind == TypeKind::Pointer && inner.kind.is_integer() && inner.size == size
            || std::ptr::eq(inner, taken.canonical(WIDE))
    })
}

/// Whether it is a parameter of a handler: a macro declares the same for all of them, or another one in this file takes it for a structure.
/// What it is then is in the table that has the handlers.
fn is_generic(address: Expression<'_>) -> bool {
    let Some(parameter) = address.declaration().filter(|of| of.kind == Kind::Parameter) else { return false };
    let is_like = |of: Expression<'_>| {
        let other = of.declaration().filter(|other| other.kind == Kind::Parameter && other.name == parameter.name);
        other.is_some() && of.types().is_same(address.types())
    };
    parameter.place.macro_text.is_some()
        || is_of_table(address)
        || address.tree().casts().any(|cast| {
            let to = cast.types().inner();
            to.is_some_and(|to| to.record().is_some()) && cast.converted().map(Expression::strip).is_some_and(is_like)
        })
}

/// Whether the function is named in a table of this file: what it gets is in the same line.
fn is_of_table(address: Expression<'_>) -> bool {
    let Some(function) = address.function().and_then(Expression::declaration) else { return false };
    let is_named = |part: Expression<'_>| {
        part.kind() == Kind::DeclRef
            && part.declaration().is_some_and(|of| of.kind == Kind::Function && of.name == function.name)
            && part.outer().is_some_and(|outer| outer.kind() == Kind::InitList)
    };
    address.tree().nodes().any(is_named)
}

/// Whether a number without a sign, of which a part is written at this place, has a value already: the caller has given it, or the function
/// has, or has read it; or a time is 0.
pub(super) fn is_set(object: Expression<'_>, address: Expression<'_>) -> bool {
    if !matches!(object.kind(), Kind::DeclRef | Kind::Member) {
        return false;
    }
    let (Some(declaration), Some(function)) = (object.declaration(), address.function()) else { return false };
    // A time that is 0 at first is right, for it is not negative.
    if object.types().integer(WIDE).is_none_or(|integer| integer.signed) {
        return object.types().has_typedef(&["time_t"]) && object.was_given(|value| value.value(WIDE) == Some(0));
    }
    let base = object.child(0).map(Expression::strip).filter(|_| object.kind() == Kind::Member);
    let call = address.ancestors().find(|outer| outer.kind() == Kind::Call);
    let is_before = |part: Expression<'_>| part.precedes(address) || call.is_some_and(|call| call.contains(part));
    let gives = |part: Expression<'_>| match part.kind() {
        Kind::Variable => {
            part.declaration().is_some_and(|other| std::ptr::eq(other, declaration)) && part.children().any(Expression::is_expression)
        }
        // Whatever is read was written before; `sizeof` reads nothing.
        Kind::DeclRef | Kind::Member => {
            part.same(object) && !part.is(object) && !part.outer().is_some_and(Expression::takes_address) && !part.is_measured()
        }
        Kind::Call => part.call().is_some_and(|(name, arguments)| {
            let cleared = arguments.first().map(|first| first.strip_casts()).filter(|_| name == "memset");
            let cleared = cleared.map(|of| if of.takes_address() { of.child(0).map_or(of, Expression::strip) } else { of });
            cleared.zip(base).is_some_and(|(cleared, base)| cleared.same(base))
        }),
        _ => false,
    };
    // What has its place for as long as the program runs is 0 at first.
    let is_kept = declaration.kind == Kind::Variable && (declaration.is_static || declaration.is_external);
    is_kept || declaration.kind == Kind::Parameter || function.descendants().any(|part| is_before(part) && gives(part))
}

/// Whether it is a place in or behind an array: memory for several arrays is cut up like this.
fn is_behind(address: Expression<'_>) -> bool {
    let inner = address.only_child().map(Expression::strip);
    match address.kind() {
        Kind::Unary => address.operator() == unary::ADDRESS_OF && inner.is_some_and(|inner| inner.kind() == Kind::Subscript),
        kind => kind == Kind::Binary,
    }
}

/// Whether it is a pointer that was moved on before: where it leads then, something else begins, for which there is room mostly.
fn is_moved(pointer: Expression<'_>) -> bool {
    let Some(function) = pointer.function().filter(|_| pointer.kind() == Kind::DeclRef) else { return false };
    let moves = |part: Expression<'_>| part.is_step() || part.kind() == Kind::CompoundAssign && part.operator() == binary::ADD_ASSIGN;
    let mut before = function.descendants().take_while(|part| part.precedes(pointer));
    before.any(|part| moves(part) && part.child(0).is_some_and(|moved| moved.strip().same(pointer)))
}

/// Whether what lies before it is looked at: `((int *)elements - 2)`, where an array has a head.
fn is_before(conversion: Expression<'_>) -> bool {
    let outer = conversion.ancestors().find(|outer| !outer.is_wrapping());
    outer.is_some_and(|outer| match outer.kind() {
        Kind::Binary => outer.operator() == binary::SUB && outer.types().is_pointer(),
        Kind::Subscript => outer.child(1).and_then(|index| index.value(WIDE)).is_some_and(|index| index < 0),
        _ => false,
    })
}

/// The bits of a `double` are taken for `long`s, of which it has two for 32 bits and is one for 64.
fn halves(conversion: Expression<'_>, [object, taken]: [Types<'_>; 2], found: &mut Found<'_>) {
    let text = |side: usize| {
        let (whole, part) = (object.size(side).unwrap_or_default(), taken.size(side).unwrap_or_default());
        format!("{} of {} bytes of {} in each {}", part.min(whole), whole, object.spelling(), taken.spelling())
    };
    let element = conversion.outer().filter(|outer| outer.kind() == Kind::Subscript).and_then(|outer| outer.child(1));
    let is_behind = element.and_then(|element| element.value(WIDE)).is_some_and(|element| element != 0);
    let (confidence, message) = if is_behind {
        let message = format!("the second half of a {} as {}: that is behind it", object.spelling(), taken.spelling());
        (Confidence::Certain, message)
    } else {
        let written = conversion.converted().and_then(|address| address.types().pointee());
        let is_place = written.is_some_and(|of| is_place(of, conversion.tree()));
        (
            if is_place { Confidence::Possible } else { Confidence::Probable },
            format!("the bits of a {} as {}: two of them for 32 bits, one for 64", object.spelling(), taken.spelling()),
        )
    };
    found.report(conversion, confidence, message, [text(NARROW), text(WIDE)]);
}

/// Whether a type of the project's is only a place that is large enough for anything: nobody computes with it.
fn is_place(of: Types<'_>, tree: &Tree<'_>) -> bool {
    let is_it = |part: Expression<'_>| part.types().spelling() == of.spelling();
    let computes = |part: Expression<'_>| {
        let is_computed = matches!(part.kind(), Kind::Binary | Kind::CompoundAssign | Kind::Call | Kind::FloatingLiteral);
        is_computed && part.types().canonical(WIDE).kind.is_floating() && (is_it(part) || part.children().any(is_it))
    };
    of.spelling() != of.canonical(WIDE).spelling && !tree.nodes().any(computes)
}

/// A number or a pointer: structures are taken for each other on purpose, and text is read as whatever it is.
fn is_scalar(types: Types<'_>) -> bool {
    let is_real = types.is(TypeKind::Float) || types.is(TypeKind::Double);
    types.integers().is_some() && !types.is(TypeKind::Bool) || types.is_pointer() || is_real
}
