//! What an address leads to, as its file shows it: one object or what is behind it, bytes or words that are laid over them.

use crate::ast::kind::{Kind, TypeKind, binary, unary};
use crate::blocks::head;
use crate::pair::{NARROW, WIDE};
use crate::tree::{Expression, Types};

/// Whether it is the address of a parameter that is one of bytes itself, `iov.iov_base = &data`: the bytes were meant, for 32 bits as well.
pub(super) fn is_slip(address: Expression<'_>) -> bool {
    let named = address.addressed().filter(|of| of.declaration().is_some_and(|of| of.kind == Kind::Parameter));
    named.and_then(|of| pointee(of.types())).is_some_and(is_bytes)
}

/// The union of which an array is a member: the name of its bytes, or a text that is short enough to be kept in the place of what leads to a
/// long one.
pub(super) fn overlaid(member: Expression<'_>) -> Option<Types<'_>> {
    let member = member.strip_casts();
    let is_array = member.kind() == Kind::Member && member.types().is(TypeKind::ConstantArray);
    let around = member.child(0).filter(|_| is_array)?.types();
    let around = if around.is_pointer() { around.inner()? } else { around };
    around.record().is_some_and(|of| of[WIDE].kind == Kind::Union).then_some(around)
}

/// Whether it is `char *buffer[512]` of which no element is ever used: meant are as many bytes, or more.
pub(super) fn is_buffer(array: Expression<'_>) -> bool {
    let types = array.types();
    // Or `size_t buffer[512]`, which somebody fills byte by byte: `fread(buffer, 1, n, file)`.
    let is_of_texts = types.is(TypeKind::ConstantArray)
        && types.inner().is_some_and(|element| {
            element.is_pointer() && element.inner().is_some_and(is_bytes)
                || element.grows()
                    && array.function().is_some_and(|function| function.descendants().any(|call| is_filled(call, array)))
        });
    let is_local = array.declaration().is_some_and(|of| of.kind == Kind::Variable && !of.is_external);
    let is_element =
        |part: Expression<'_>| part.kind() == Kind::Subscript && part.child(0).is_some_and(|base| base.strip_casts().same(array));
    is_of_texts && is_local && array.function().is_some_and(|function| !function.descendants().any(is_element))
}

/// Whether something is assigned to what a pointer leads to.
pub(super) fn is_written(pointer: Expression<'_>) -> bool {
    let given = pointer
        .followed()
        .and_then(Expression::outer)
        .filter(|outer| outer.kind() == Kind::Binary && outer.operator() == binary::ASSIGN);
    given.and_then(|given| given.child(0)).is_some_and(|left| left.contains(pointer))
}

/// Whether it is a place in or behind an array: memory for several things is cut up like this.
pub(super) fn is_behind(address: Expression<'_>) -> bool {
    let address = address.strip_casts();
    let is_element = |inner: Expression<'_>| inner.strip().kind() == Kind::Subscript;
    match address.kind() {
        Kind::Unary => address.operator() == unary::ADDRESS_OF && address.child(0).is_some_and(is_element),
        kind => kind == Kind::Binary && matches!(address.operator(), binary::ADD | binary::SUB),
    }
}

/// Whether it is the memory behind the one structure that a pointer leads to, `&header[1]` or `header + 1`, and not the next one: nobody asks
/// beside it how large those are.
pub(super) fn is_behind_one(address: Expression<'_>) -> bool {
    let one = head(address).map(Expression::types).filter(|of| of.is_pointer());
    let Some(to) = one.and_then(Types::inner).filter(|to| to.record().is_some() && to.size(WIDE).is_some()) else {
        return false;
    };
    let call = address.ancestors().take_while(|outer| outer.is_expression()).find(|outer| outer.kind() == Kind::Call);
    call.is_some_and(|call| !call.descendants().any(|part| part.is_size_of(to)))
}

/// Whether it is where one of many structures points: each to something else.
pub(super) fn is_of_many(address: Expression<'_>) -> bool {
    let member = address.strip_casts();
    member.kind() == Kind::Member && member.child(0).is_some_and(|around| around.strip().kind() == Kind::Subscript)
}

/// Whether it is a variable that was made of one that points to bytes, as a sum takes them word by word: what is behind it is not of its
/// type in the file.
pub(super) fn is_view(address: Expression<'_>) -> bool {
    let is_of_bytes = |value: Expression<'_>| {
        let Some(of) = value.converted().map(Expression::strip_casts) else { return false };
        of.kind() == Kind::DeclRef && pointee(of.types()).is_some_and(|to| is_bytes(to) && !to.is(TypeKind::Void))
    };
    address.strip_casts().was_given(is_of_bytes)
}

/// Whether it is a variable that was made of a `void *`, or has got so many bytes, to take bytes word by word: how many words there are, the
/// function counts.
pub(super) fn is_word_view(address: Expression<'_>) -> bool {
    if !pointee(address.types()).is_some_and(|to| to.integer(WIDE).is_some() && to.grows()) {
        return false;
    }
    let is_untyped = |value: Expression<'_>| {
        let of = value.strip_casts();
        of.kind() == Kind::DeclRef && pointee(of.types()).is_some_and(|to| to.is(TypeKind::Void))
    };
    let counts = |part: Expression<'_>| {
        let sizes = [NARROW, WIDE].map(|side| part.child(1).and_then(|size| size.held(side)));
        part.kind() == Kind::Binary && part.operator() == binary::DIV && sizes == [Some([4, 4]), Some([8, 8])]
    };
    // `at = words + n`
    let base = |of: Expression<'_>| {
        let of = of.strip_casts();
        let base = of.child(0).filter(|_| of.kind() == Kind::Binary);
        base.map_or(of, Expression::strip_casts).was_given(is_untyped)
    };
    let is_made = base(address) || address.strip_casts().was_given(|value| is_untyped(value) || base(value));
    let function = address.function().filter(|_| is_made || address.strip_casts().kind() == Kind::DeclRef);
    function.is_some_and(|function| {
        (is_made || function.descendants().any(|call| is_filled(call, address))) && function.descendants().any(counts)
    })
}

/// Whether it leads to numbers that are taken byte by byte, `bytes = (char *)words` or `(char *)words + done`, in a function that does not ask how
/// large one is: words that only are compared or searched faster than bytes.
pub(super) fn is_byte_view(address: Expression<'_>) -> bool {
    let types = address.types();
    let Some(word) = pointee(types).filter(|to| types.is_pointer() && to.integer(WIDE).is_some() && to.grows()) else {
        return false;
    };
    let Some(cast) = address.outer().filter(|cast| cast.kind().is_explicit_cast()) else { return false };
    if !pointee(cast.types()).is_some_and(|to| is_bytes(to) && !to.is(TypeKind::Void)) {
        return false;
    }
    let is_stepped = cast.outer().is_some_and(|outer| match outer.kind() {
        Kind::Binary => matches!(outer.operator(), binary::ADD | binary::SUB | binary::ASSIGN),
        kind => kind == Kind::Variable,
    });
    // What is missing to a whole word, `sizeof *words - n % sizeof *words`, is a number of bytes; and `sizeof(off_t) * CHAR_BIT` one of bits.
    let is_of_rest = |part: Expression<'_>| {
        let outer = part.outer().filter(|outer| outer.kind() == Kind::Binary);
        let is_bits = |outer: Expression<'_>| outer.children().any(|by| by.value(WIDE) == Some(8) && !by.contains(part));
        outer.is_some_and(|outer| match outer.operator() {
            binary::ADD | binary::SUB | binary::REM => true,
            operator => operator == binary::MUL && is_bits(outer),
        })
    };
    let asks = |part: Expression<'_>| part.is_size_of(word) && !is_of_rest(part);
    is_stepped && address.function().is_some_and(|function| !function.descendants().any(asks))
}

/// Whether a call reads into it byte by byte, or writes it: `fread(buffer, 1, n, file)`.
fn is_filled(call: Expression<'_>, buffer: Expression<'_>) -> bool {
    call.call()
        .is_some_and(|(_, of)| of.len() > 3 && of[0].strip_casts().same(buffer.strip_casts()) && of[1].value(WIDE) == Some(1))
}

pub(super) fn is_byte(kind: TypeKind) -> bool {
    matches!(kind, TypeKind::Void | TypeKind::CharS | TypeKind::CharU | TypeKind::SChar | TypeKind::UChar)
}

pub(super) fn is_bytes(types: Types<'_>) -> bool {
    is_byte(types.canonical(WIDE).kind)
}

pub(super) fn is_pointer(types: Types<'_>) -> bool {
    pointee(types).is_some()
}

/// What a pointer points to, or an array has; of arrays of arrays the innermost.
pub(super) fn pointee(types: Types<'_>) -> Option<Types<'_>> {
    match types.canonical(WIDE).kind {
        TypeKind::Pointer | TypeKind::ConstantArray | TypeKind::IncompleteArray | TypeKind::VariableArray => {
            // A number keeps the name that it is given.
            let named = types.pointee().filter(|named| named.integers().is_some());
            named.or_else(|| types.inner()).map(element)
        }
        _ => None,
    }
}

pub(super) fn element(types: Types<'_>) -> Types<'_> {
    match types.canonical(WIDE).kind {
        TypeKind::ConstantArray | TypeKind::IncompleteArray => types.inner().map_or(types, element),
        _ => types,
    }
}
