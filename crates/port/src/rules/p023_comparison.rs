//! A comparison turns out otherwise
//!
//! # What
//! A number is compared with a constant that it can have for 32 bits and cannot have for 64, or the other way round: a `long` with
//! `0xffffffff` or `0x80000000`, an `unsigned` with -1 of 64 bits, also where it was kept in a `long` before. A `long` that holds 32 bits
//! without sign, as those of ntohl(3), is asked whether it is negative. A `long` that may be negative is compared with an `unsigned`. What is
//! asserted when the program runs is so for 32 bits alone, `assert(sizeof(word) == 4)`, or it ends itself by abort(3) or exit(3).
//!
//! # Why
//! For 32 bits -1 and `0xffffffff` are the same bits. For 64 bits a `long` of -1 has 64 of them, and `0xffffffff` is 4294967295; an
//! `unsigned` is widened with zeros and is never `(size_t)-1`. The error that is asked for is not seen any more. A `long` and an `unsigned`
//! are compared without sign for 32 bits, where -1 is the largest number, and with it for 64.
//!
//! # Example
//! Bad:
//!
//! ```c
//! #include <assert.h>
//! #include <stddef.h>
//! int f(long result) { return result == 0xffffffff; }
//! int g(unsigned length) { return length == (size_t)-1; }
//! typedef unsigned long word;
//! int start(void) { assert(sizeof(word) == 4); return 0; }
//! ```
//!
//! Good:
//!
//! ```c
//! #include <arpa/inet.h>
//! #include <stddef.h>
//! #include <stdint.h>
//! int f(long result) { return result == -1; }
//! int g(unsigned length) { return length == (unsigned)-1; }
//! int h(uint32_t crc, unsigned long sum) { return crc == 0xffffffff || sum > 0xffffffff; }
//! int address(const char *text) { unsigned long to = inet_addr(text); return to == INADDR_NONE; }
//! int none(const char *text) { unsigned long to = -1; if (text) to = inet_addr(text); return to == -1; }
//! int length(uint32_t n) { long length = ntohl(n); return length < 0 || length > 4096 ? -1 : length; }
//! int signs(int n) { long number = n; return number < 0; }
//! int more(long left, unsigned n) { left = left < 0 ? 0 : left; return left > n; }
//! int below(unsigned n) { long at = -1; return at >= 0 && at < n; }
//! ```
//!
//! # Fix
//! Compare with a constant of the same type: `-1L`, `(size_t)-1`, `UINT_MAX`. 32 bits that may be a negative number are kept in an `int32_t`
//! before they are asked whether they are. What is asserted is to be made so, before that is taken away.
//!
//! # References
//! - CWE-195, CWE-570, CWE-571

use super::{Found, Visit};
use crate::ast::FileId;
use crate::ast::kind::{Kind, binary};
use crate::origin::Origin;
use crate::pair::{NARROW, WIDE};
use crate::tree::Expression;
use findings::Confidence;

pub(super) const VISIT: Visit =
    Visit::Several(&[Visit::Node(&[Kind::Binary], look), Visit::Node(&[Kind::If, Kind::Conditional], ends)]);

fn look(node: Expression<'_>, found: &mut Found<'_>) {
    if !(binary::LT..=binary::NE).contains(&node.operator()) {
        return;
    }
    let equality = matches!(node.operator(), binary::EQ | binary::NE);
    let (Some(left), Some(right)) = (node.child(0), node.child(1)) else { return };
    for (compared, constant) in [(left, right), (right, left)] {
        let [Some(small), Some(large)] = [NARROW, WIDE].map(|side| constant.value(side)) else { continue };
        if compared.value(WIDE).is_some() {
            continue;
        }
        let value = compared.strip();
        let (Some(of), Some(as_)) = (value.types().integers(), compared.types().integers()) else { continue };
        let widened = of.iter().all(|integer| integer.bits == 32) && as_[WIDE].bits == 64 && as_[NARROW].bits == 32;
        let unsigned_constant = (1 << 31..=0xffff_ffff).contains(&large);
        let found_here = if widened && equality && !of[WIDE].signed && as_[WIDE].fit(large) == as_[WIDE].fit(-1) {
            // An unsigned number of 32 bits, and -1 of 64.
            let confidence = if is_given_again(node, value, large) { Confidence::Possible } else { Confidence::Certain };
            Some((confidence, "it is never equal"))
        } else if widened && equality && of[WIDE].signed && unsigned_constant {
            Some((Confidence::Certain, "it is never equal"))
        } else if of[NARROW].bits == 32 && of[WIDE].bits == 64 && unsigned_constant && equality {
            let is_open = is_typed(constant) || is_mark(value, constant) || is_fields_mark(value, constant) || node.operator() == binary::NE && is_asserted(node);
            grown(value, large).map(|(sure, what)| (if is_open { Confidence::Possible } else { sure }, what))
        } else {
            None
        };
        let Some((confidence, what)) = found_here else {
            decided(node, compared, constant, found);
            continue;
        };
        // What the compiler does not know becomes an `int`, and has a sign only so.
        let is_guess = of[WIDE].signed && node.is_guessed();
        let confidence = if is_guess { Confidence::Possible } else { confidence };
        let text = |side: usize, constant: i128| format!("{} compared with {constant}", value.types().describe(side));
        let message = format!("{} is compared with {large:#x}: {what} for 64 bits", value.types().spelling());
        let shown = as_[NARROW].fit(small);
        let shown = if of[NARROW].signed { of[NARROW].fit(shown) } else { shown };
        found.report(node, confidence, message, [text(NARROW, shown), text(WIDE, large)]);
        return;
    }
    // A constant of which that is said is unsigned as well.
    mixed(node, left, right, found);
}

/// Whether all that happens is that it gets the value that it has then, for 32 bits: `if (at == std::string::npos) at = -1;`.
fn is_given_again(node: Expression<'_>, value: Expression<'_>, constant: i128) -> bool {
    let asks = |outer: &Expression<'_>| outer.kind() == Kind::If && outer.child(0).is_some_and(|asked| asked.contains(node));
    let Some(branch) = node.outer().filter(asks).filter(|of| of.child(2).is_none()).and_then(|of| of.child(1)) else { return false };
    let gives = if branch.kind() == Kind::Compound { branch.only_child().unwrap_or(branch) } else { branch };
    let is_same = |given: Expression<'_>| {
        let bits = value.types().integer(WIDE);
        bits.zip(given.value(WIDE)).is_some_and(|(bits, given)| bits.fit(given) == bits.fit(constant))
    };
    gives.kind() == Kind::Binary
        && gives.operator() == binary::ASSIGN
        && gives.child(0).is_some_and(|to| to.strip().same(value))
        && gives.child(1).is_some_and(is_same)
}

/// A condition that holds for 32 bits alone, without which the program ends: `assert(sizeof(word) == 4)`.
fn ends(node: Expression<'_>, found: &mut Found<'_>) {
    // In C++ assert(3) has a cast around it.
    let Some(condition) = node.child(0).map(Expression::strip_casts) else { return };
    let [Some(narrow), Some(wide)] = [NARROW, WIDE].map(|side| condition.value(side).map(|value| value != 0)) else { return };
    if narrow == wide {
        return;
    }
    let [before, after] = [narrow, wide].map(|holds| node.child(if holds { 1 } else { 2 }).and_then(end));
    let Some(confidence) = after.filter(|_| before.is_none()) else { return };
    let text = |side: usize, holds: bool| {
        let values = condition.child(0).and_then(|left| left.value(side)).zip(condition.child(1).and_then(|right| right.value(side)));
        values.map_or_else(|| holds.to_string(), |(left, right)| format!("{left} compared with {right}"))
    };
    let message = "what the program asks for is so for 32 bits alone: for 64 it ends here";
    found.report(condition, confidence, message, [text(NARROW, narrow), text(WIDE, wide)]);
}

/// How sure it is that the program ends by this statement because something is wrong.
fn end(statement: Expression<'_>) -> Option<Confidence> {
    let ends = |part: Expression<'_>| {
        let (name, arguments) = part.call()?;
        match name {
            "__assert_fail" | "abort" => Some(Confidence::Certain),
            // Without an error it has done what it had to.
            "exit" | "_exit" => arguments.first()?.value(WIDE).filter(|status| *status != 0).map(|_| Confidence::Probable),
            _ => None,
        }
    };
    std::iter::once(statement).chain(statement.descendants()).find_map(ends)
}

/// Whether a comparison with a constant holds for all of these values, or for none; nothing, if that depends on the value.
fn outcome(operator: u8, [least, most]: [i128; 2], constant: i128, is_left: bool) -> Option<bool> {
    let operator = match operator {
        binary::LT if !is_left => binary::GT,
        binary::GT if !is_left => binary::LT,
        binary::LE if !is_left => binary::GE,
        binary::GE if !is_left => binary::LE,
        other => other,
    };
    let (all, none) = match operator {
        binary::LT => (most < constant, least >= constant),
        binary::LE => (most <= constant, least > constant),
        binary::GT => (least > constant, most <= constant),
        binary::GE => (least >= constant, most < constant),
        binary::EQ => (least == constant && most == constant, constant < least || constant > most),
        _ => (constant < least || constant > most, least == constant && most == constant),
    };
    (all || none).then_some(all)
}

/// A number that has 64 bits now and only holds values of 32 without sign, compared with a negative constant, or with 0.
fn decided(node: Expression<'_>, compared: Expression<'_>, constant: Expression<'_>, found: &mut Found<'_>) {
    let Some([before, after]) = compared.types().integers() else { return };
    if before.bits != 32 || after.bits != 64 {
        return;
    }
    let is_left = node.child(0).is_some_and(|left| left.contains(compared));
    let side = |side: usize| {
        let (held, value) = (compared.held(side)?, constant.value(side)?);
        Some((held, value, outcome(node.operator(), held, value, is_left)))
    };
    let (Some((narrow, small, None)), Some((wide, large, Some(holds)))) = (side(NARROW), side(WIDE)) else { return };
    // All bits of 32, and no sign: what is smaller anyway is so for both.
    if wide[0] < 0 || wide[1] > 0xffff_ffff || wide[1] <= 0x7fff_ffff {
        return;
    }
    let equality = matches!(node.operator(), binary::EQ | binary::NE);
    let confidence = match equality {
        _ if holds && is_asserted(node) => Confidence::Possible,
        // A macro that is for all types, as `abs(x)`, asks of each.
        _ if !equality && is_of_macro(node, found.is_own) => Confidence::Possible,
        true => Confidence::Certain,
        // Too large a number is refused as well.
        false if is_limited(compared) => return,
        false => Confidence::Probable,
    };
    let value = compared.strip();
    let what = if holds { "always" } else { "never" };
    let shown = if after.signed { large } else { after.fit(large) };
    let message = format!(
        "32 bits without sign, kept in {}, are compared with {}: that is {what} true for 64 bits",
        value.types().spelling(),
        signed(shown)
    );
    let text = |[least, most]: [i128; 2], constant: i128| format!("{} to {} compared with {}", least, most, signed(constant));
    found.report(node, confidence, message, [text(narrow, small), text(wide, large)]);
}

/// Whether a macro of the project's has the operator.
fn is_of_macro(node: Expression<'_>, is_own: &dyn Fn(&str) -> bool) -> bool {
    let place = node.place();
    // What is an argument is written where the macro is used, behind its name.
    let is_argument = |(file, at): (FileId, u32)| file == place.file && at > place.start;
    let text = place.macro_text.filter(|text| text.0.0 != 0 && !is_argument(*text));
    text.is_some_and(|(file, _)| is_own(node.unit().file(file)))
}

/// Whether assert(3) asks: it is content with what always holds.
fn is_asserted(node: Expression<'_>) -> bool {
    let fails = |part: Expression<'_>| part.call().is_some_and(|(name, _)| name == "__assert_fail");
    node.ancestors()
        .take_while(|outer| outer.is_expression() || outer.kind() == Kind::If)
        .any(|outer| matches!(outer.kind(), Kind::Conditional | Kind::If) && outer.descendants().any(fails))
}

/// As people write it: all ones are -1.
fn signed(value: i128) -> String {
    if value > 0xffff_ffff { format!("{value:#x}") } else { value.to_string() }
}

/// Whether the function also compares it with a limit of its own.
fn is_limited(compared: Expression<'_>) -> bool {
    let (value, Some(function)) = (compared.strip_casts(), compared.function()) else { return false };
    function.descendants().any(|part| {
        let compares = part.kind() == Kind::Binary && (binary::LT..=binary::GE).contains(&part.operator());
        let (Some(left), Some(right)) = (part.child(0), part.child(1)) else { return false };
        // By 0, 1 and -1 it is asked for its sign, and not whether it is too large.
        let is_limit = |of: Expression<'_>| of.value(WIDE).is_none_or(|number| number > 1);
        let below = matches!(part.operator(), binary::LT | binary::LE);
        let (low, high) = if below { (left, right) } else { (right, left) };
        compares && (high.strip_casts().same(value) && is_limit(low) || low.strip_casts().same(value) && is_limit(high))
    })
}

/// A `long` that may be negative and an `unsigned`: compared without sign for 32 bits, and with it for 64.
fn mixed(node: Expression<'_>, left: Expression<'_>, right: Expression<'_>, found: &mut Found<'_>) {
    let signs = |of: Expression<'_>| of.types().integers().map(|both| both.map(|integer| (integer.bits, integer.signed)));
    let changes = Some([(32, false), (64, true)]);
    if signs(left) != changes || signs(right) != changes {
        return;
    }
    let is_long = |of: &Expression<'_>| {
        of.strip().types().grows() && of.strip().types().integer(WIDE).is_some_and(|integer| integer.signed)
    };
    let (Some(long), Some(other)) = (if is_long(&left) { (Some(left), Some(right)) } else { (Some(right), Some(left)) }) else {
        return;
    };
    let value = long.strip();
    let is_unsigned = other.strip().types().integers().is_some_and(|both| both.iter().all(|of| of.bits == 32 && !of.signed));
    if !is_long(&long) || !is_unsigned || value.value(WIDE).is_some() || is_asked_for_sign(value) {
        return;
    }
    let known = value.held(WIDE).is_some_and(|[least, _]| least < 0 && least > -(1 << 31));
    let confidence = match known || is_passed(value, |given| given < 0) {
        true => Confidence::Probable,
        false if becomes_negative(value) => Confidence::Possible,
        false => return,
    };
    let (signed, unsigned) = (value.types().spelling(), other.strip().types().spelling());
    let message = format!("{signed}, which may be negative, is compared with {unsigned}: with its sign for 64 bits only");
    let sides = ["-1 is compared as 4294967295".to_owned(), "-1 is compared as -1".to_owned()];
    found.report(node, confidence, message, sides);
}

/// Whether the function compares it with 0 before: `at >= 0 && at < n`.
fn is_asked_for_sign(value: Expression<'_>) -> bool {
    let Some(function) = value.function() else { return false };
    function.descendants().take_while(|part| part.precedes(value)).any(|part| {
        let compares = part.kind() == Kind::Binary && (binary::LT..=binary::NE).contains(&part.operator());
        let (Some(left), Some(right)) = (part.child(0), part.child(1)) else { return false };
        let is_zero = |of: Expression<'_>| of.value(WIDE).is_some_and(|value| (-1..=1).contains(&value));
        compares && (left.strip_casts().same(value) && is_zero(right) || right.strip_casts().same(value) && is_zero(left))
    })
}

/// Whether it is a parameter, for which the file gives such a constant somewhere.
fn is_passed(value: Expression<'_>, is_so: impl Fn(i128) -> bool) -> bool {
    let (Some(declaration), Some(function)) = (value.declaration(), value.function()) else { return false };
    let is_it = |part: &Expression<'_>| part.declaration().is_some_and(|of| std::ptr::eq(of, declaration));
    let Some((position, parameter)) =
        function.children().filter(|part| part.kind() == Kind::Parameter).enumerate().find(|(_, part)| is_it(part))
    else {
        return false;
    };
    let called = |call: &Expression<'_>| match (call.declaration(), function.declaration()) {
        (Some(a), Some(b)) => std::ptr::eq(a, b),
        (None, Some(b)) => call.overloaded() == Some(b.name.as_str()),
        _ => false,
    };
    let calls = value.tree().calls().filter(called);
    // What C++ takes where nothing is said comes with the parameter.
    let mut given = calls.filter_map(|call| call.child(position + 1)).chain(parameter.children().filter(|of| of.is_expression()));
    given.any(|given| given.value(WIDE).is_some_and(&is_so))
}

/// A number that has 64 bits now, compared with a constant of 32.
fn grown(value: Expression<'_>, constant: i128) -> Option<(Confidence, &'static str)> {
    let [least, most] = value.held(WIDE)?;
    // A field of a file, or a mask, is what it was.
    if most <= 0xffff_ffff {
        return (least < 0 && constant > most).then_some((Confidence::Certain, "it is never equal"));
    }
    // A mark of the project's own.
    if is_given(value, constant) {
        return None;
    }
    let signed = value.types().integer(WIDE)?.signed;
    match value.origin() {
        Origin::Address => Some((Confidence::Certain, "an address is something else")),
        Origin::Offset | Origin::Size | Origin::Transferred | Origin::Distance | Origin::Time if constant == 0xffff_ffff => {
            Some((Confidence::Certain, "-1 has 64 bits, and is not equal"))
        }
        // Other numbers than these are checksums and marks.
        _ if signed && becomes_negative(value) => Some((Confidence::Probable, "a negative number is not equal")),
        _ if signed => Some((Confidence::Possible, "a negative number is not equal")),
        _ => (constant == 0xffff_ffff).then_some((Confidence::Possible, "-1 has 64 bits, and is not equal")),
    }
}

/// Whether it is a constant that has a type of its own: a mark of 32 bits wherever it is kept.
fn is_typed(constant: Expression<'_>) -> bool {
    let constant = constant.strip_casts();
    constant.kind() == Kind::DeclRef && constant.declaration().is_some_and(|of| of.kind == Kind::Variable)
}

/// Whether the function gives it this very number, `size_t at = NONE`, or who calls that.
fn is_given(value: Expression<'_>, constant: i128) -> bool {
    let value = value.strip_casts();
    let (Some(declaration), Some(function)) = (value.declaration(), value.function()) else { return false };
    is_passed(value, |given| given == constant) || function.descendants().any(|part| {
        let given = match part.kind() {
            Kind::Binary if part.operator() == binary::ASSIGN && part.child(0).is_some_and(|left| left.same(value)) => {
                part.child(1)
            }
            Kind::Variable if part.declaration().is_some_and(|of| std::ptr::eq(of, declaration)) => {
                part.children().find(|of| of.is_expression())
            }
            _ => None,
        };
        given.and_then(|given| given.value(WIDE)) == Some(constant)
    })
}

/// Whether it is what a function of the project's returns, compared with a name for a number: the function most likely returns that.
fn is_mark(value: Expression<'_>, constant: Expression<'_>) -> bool {
    let is_own = |value: Expression<'_>| {
        let call = value.strip_casts();
        call.kind() == Kind::Call && call.declaration().is_some_and(|called| !called.in_system_header)
    };
    let value = value.strip_casts();
    let is_result = || {
        let Some(function) = value.function() else { return false };
        let assigns = |part: &Expression<'_>| part.kind() == Kind::Binary && part.operator() == binary::ASSIGN;
        let before = function.descendants().take_while(|part| part.precedes(value)).filter(assigns);
        let given = before.filter(|part| part.child(0).is_some_and(|left| left.same(value))).last();
        given.and_then(|given| given.child(1)).is_some_and(is_own)
    };
    constant.place().macro_text.is_some() && (is_own(value) || value.was_given(is_own) || is_result())
}

/// Whether it is a field, to which a name for a number is given elsewhere: this file gives it no -1.
fn is_fields_mark(value: Expression<'_>, constant: Expression<'_>) -> bool {
    value.strip_casts().kind() == Kind::Member && constant.place().macro_text.is_some() && !becomes_negative(value.strip_casts())
}

/// Whether the file gives it a negative constant somewhere.
fn becomes_negative(value: Expression<'_>) -> bool {
    let Some(declaration) = value.declaration() else { return false };
    value.tree().nodes().any(|node| {
        let (Some(left), Some(right)) = (node.child(0), node.child(1)) else { return false };
        let gives = node.kind() == Kind::Binary && node.operator() == binary::ASSIGN;
        gives
            && right.value(WIDE).is_some_and(|value| value < 0)
            && left.strip().declaration().is_some_and(|of| std::ptr::eq(of, declaration))
    })
}
