//! What a call at the boundary does, as its arguments show it: which channel it opens, and whether what goes through that matters.

use super::sinks::{self, Channel};
use crate::ast::kind::{Kind, binary, unary};
use crate::bits::{is_changed, is_target};
use crate::pair::{NARROW, WIDE};
use crate::tree::{Expression, Types};

/// Whether it is a number that may be a descriptor, however small, or a stream of stdio(3).
pub(super) fn is_descriptor(types: Types<'_>) -> bool {
    let is_stream = |to: Types<'_>| to.record().is_some_and(|of| of[WIDE].name == "_IO_FILE");
    types.integer(WIDE).is_some_and(|integer| integer.bits <= 32) || types.is_pointer() && types.inner().is_some_and(is_stream)
}

/// The two descriptors of a pipe, where it is one of them.
pub(super) fn one_of_two(of: Expression<'_>) -> Expression<'_> {
    if of.kind() == Kind::Subscript { of.child(0).map_or(of, Expression::strip) } else { of }
}

/// What has the descriptor or the stream that this is, or one like it: `fds[0]` is one of two, `fileno(f)` and `fdopen(fd)` are another form of
/// one, `accept(fd, ..)` is for another end of one.
pub(super) fn holder(of: Expression<'_>) -> Expression<'_> {
    let inner = of
        .call()
        .filter(|(name, _)| ["accept", "accept4", "fdopen", "fileno"].contains(name))
        .and_then(|(_, arguments)| arguments.first().copied());
    one_of_two(inner.map_or(of, Expression::strip_casts))
}

/// A socket for packets whose heads the program makes, packet(7), raw(7).
const SOCK_RAW: i128 = 3;

/// A socket of this machine's processes, unix(7).
const AF_UNIX: i128 = 1;

/// Whether a call names a device of [`sinks::MEANINGLESS`], whoever opens it.
pub(super) fn is_meaningless(call: Expression<'_>) -> bool {
    let is_it = |of: &Expression<'_>| of.strip_casts().texts().is_some_and(|[_, path]| sinks::MEANINGLESS.contains(&path));
    call.call().is_some_and(|(_, arguments)| arguments.iter().any(is_it))
}

/// What a call opens.
pub(super) fn opened(call: Expression<'_>) -> Option<Channel> {
    let (name, arguments) = call.call()?;
    let is_own = || is_temporary(call, name, &arguments);
    let is_socket = |at: usize, kind: i128| name == "socket" && arguments.get(at).and_then(|of| of.value(WIDE)) == Some(kind);
    sinks::opened(name).map(|channel| match channel {
        _ if is_meaningless(call) || is_own() => Channel::Meaningless,
        _ if is_socket(1, SOCK_RAW) => Channel::Raw,
        _ if is_socket(0, AF_UNIX) => Channel::Local,
        channel => channel,
    })
}

/// A file that is not there yet, open(2).
const O_EXCL: i128 = 0x80;

/// Whether a file begins empty, is read again, and the same program deletes it, as `tmpfile()` does.
fn is_temporary(call: Expression<'_>, name: &str, arguments: &[Expression<'_>]) -> bool {
    let mode = || arguments.get(1).and_then(|mode| mode.strip_casts().texts()).map_or("", |[_, mode]| mode);
    let flags = || arguments.get(1).and_then(|flags| flags.value(WIDE)).unwrap_or_default();
    let is_made = match name {
        "mkstemp" => true,
        "fopen" => mode().starts_with('w') && mode().contains('+'),
        "open" | "open64" => flags() & O_EXCL != 0,
        _ => false,
    };
    let Some(path) = arguments.first().map(|path| path.strip_casts()).filter(|_| is_made) else { return false };
    let is_it = |other: Expression<'_>| match (path.texts(), other.texts()) {
        (Some([_, path]), Some([_, other])) => path == other,
        _ => other.same(path),
    };
    call.tree()
        .calls()
        .filter_map(Expression::call)
        .any(|(name, of)| matches!((name, of.as_slice()), ("unlink" | "remove", [other]) if is_it(other.strip_casts())))
}

/// Whether an argument is a number of bytes that somebody else knows: one of bits by 8, the length of a text, what the structure says that is
/// passed on, or without a `sizeof` that of a single number.
pub(super) fn is_byte_count(argument: Expression<'_>, arguments: &[Expression<'_>]) -> bool {
    if argument.types().integers().is_none() {
        return false;
    }
    let is_single = |of: &Expression<'_>| {
        of.addressed().is_some_and(|object| matches!(object.kind(), Kind::DeclRef | Kind::Member | Kind::Subscript))
    };
    let is_of_bits = |part: Expression<'_>| {
        let by = part.child(1).and_then(|by| by.value(WIDE));
        let operator = (part.operator(), by);
        part.kind() == Kind::Binary && (operator == (binary::DIV, Some(8)) || operator == (binary::SHR, Some(3)))
    };
    let parts = || std::iter::once(argument).chain(argument.descendants());
    // What a function or its caller has computed may have been computed with `sizeof`.
    let is_known = |part: Expression<'_>| match part.kind() {
        Kind::SizeOf | Kind::Call => false,
        Kind::DeclRef if part.types().integers().is_some() => part.declaration().is_some_and(|of| {
            of.kind != Kind::Parameter && !part.was_given(|value| std::iter::once(value).chain(value.descendants()).any(is_size))
        }),
        _ => true,
    };
    let is_said = |value: Expression<'_>| {
        let members = std::iter::once(value).chain(value.descendants()).filter(|part| part.kind() == Kind::Member);
        members.filter_map(owner).any(|owner| arguments.iter().any(|of| !of.is(argument) && of.strip_casts().same(owner)))
    };
    let is_of_text = |part: Expression<'_>| part.call().is_some_and(|(name, _)| name == "strlen");
    parts().any(|part| is_of_bits(part) || is_of_text(part))
        || is_said(argument)
        || argument.was_given(is_said)
        || arguments.iter().any(is_single) && parts().all(is_known)
}

/// A number of bytes for both, where it is known: a constant, or how far a member is from the beginning, also by way of a variable.
pub(super) fn count(of: Expression<'_>) -> Option<[i128; 2]> {
    let both = |value: &dyn Fn(usize) -> Option<i128>| Some([value(NARROW)?, value(WIDE)?]);
    let known = |number: Expression<'_>| {
        let far = || both(&|side| up_to_member(number.strip_casts(), side));
        both(&|side| number.value(side)).or_else(far)
    };
    let is_number = of.types().integers().is_some();
    let by_variable = || of.last_given().and_then(known).filter(|_| is_given_once(of));
    // `size * 1`, as a macro has it for write(2) and fwrite(3).
    let product = || {
        let factors = Some(of.strip_casts()).filter(|of| of.kind() == Kind::Binary && of.operator() == binary::MUL)?;
        let (one, other) = (count(factors.child(0)?)?, count(factors.child(1)?)?);
        both(&|side| one[side].checked_mul(other[side]))
    };
    known(of).or_else(|| is_number.then(by_variable).flatten()).or_else(product)
}

/// Whether a local variable gets a value only once in its function.
fn is_given_once(variable: Expression<'_>) -> bool {
    let Some((declaration, function)) = variable.strip_casts().declaration().zip(variable.function()) else { return false };
    let is_it = |part: &Expression<'_>| part.declaration().is_some_and(|of| std::ptr::eq(of, declaration));
    let gives = |part: &Expression<'_>| match part.kind() {
        Kind::DeclRef => is_changed(*part),
        kind => kind == Kind::Variable && part.children().any(Expression::is_expression),
    };
    declaration.kind == Kind::Variable
        && function.declares(declaration)
        && function.descendants().filter(is_it).filter(gives).count() == 1
}

/// How many bytes it is, on one side, from the beginning of a structure to one of its members, `(char *)&of->end - (char *)of`, or to behind that.
fn up_to_member(of: Expression<'_>, side: usize) -> Option<i128> {
    let (left, right) = of.child(0).zip(of.child(1)).filter(|_| of.kind() == Kind::Binary)?;
    if of.operator() == binary::ADD {
        return Some(up_to_member(left.strip_casts(), side)? + right.value(side)?);
    }
    let is_of_bytes = |address: Expression<'_>| {
        let types = address.types();
        types.integers().is_some() || types.inner().is_some_and(Types::is_bytes)
    };
    let member =
        left.addressed().filter(|member| member.kind() == Kind::Member && of.operator() == binary::SUB && is_of_bytes(left))?;
    let start = right.strip_casts();
    let is_start = member.child(0).map_or(start.kind() == Kind::This, |base| base.strip().same(start));
    let offset = member.declarations()?[side].offset.filter(|_| is_start)?;
    Some(i128::from(offset / 8))
}

/// Whether the other branch of an `if` around a call calls the same function with a number of bytes that is the same on both sides, where this one
/// has another: `if (portable) put(bytes, sizeof bytes); else put(numbers, n * sizeof *numbers);`.
pub(super) fn is_choice(call: Expression<'_>, arguments: &[Expression<'_>]) -> bool {
    let differs = |of: Expression<'_>| of.value(NARROW).zip(of.value(WIDE)).map(|(narrow, wide)| narrow != wide);
    let grows = |argument: Expression<'_>| {
        let mut parts = std::iter::once(argument).chain(argument.descendants());
        parts.any(|part| part.kind() == Kind::SizeOf && differs(part) == Some(true))
    };
    let Some(position) = arguments.iter().position(|of| grows(*of)) else { return false };
    let is_other = |part: Expression<'_>| {
        part.kind() == Kind::Call
            && part.declaration_id().is_some_and(|id| Some(id) == call.declaration_id())
            && part.child(position + 1).is_some_and(|size| differs(size) == Some(false))
    };
    let has_other = |branch: &Expression<'_>| branch.descendants().any(is_other);
    // By a function of the system's anything is written: what stands beside it in its own branch is no other way.
    let is_systems = call.declaration().is_none_or(|called| called.in_system_header);
    let is_one_way = |outer: Expression<'_>| {
        let branches: Vec<Expression<'_>> = outer.children().skip(1).collect();
        let (own, other): (Vec<_>, Vec<_>) = branches.into_iter().partition(|branch| branch.contains(call));
        !own.is_empty() && other.iter().any(has_other) && !(is_systems && own.iter().any(has_other))
    };
    call.ancestors().take_while(|outer| !outer.kind().is_function()).filter(|outer| outer.kind() == Kind::If).any(is_one_way)
}

/// The variable of which it is a member.
fn owner(member: Expression<'_>) -> Option<Expression<'_>> {
    std::iter::successors(Some(member), |part| part.child(0)).last()
}

/// Whether it is the address of a number of which nobody but the functions of the system knows what they write there; or of a structure that is read
/// and written back as it is, so that its file is new.
pub(super) fn is_thrown_away(argument: Expression<'_>) -> bool {
    let is_whole = |of: Types<'_>| of.integers().is_some() || of.record().is_some();
    let object = argument.addressed().filter(|object| object.kind() == Kind::DeclRef && is_whole(object.types()));
    let Some((object, function)) = object.zip(argument.function()) else { return false };
    let is_systems = |call: Expression<'_>| call.kind() == Kind::Call && call.declaration().is_some_and(|of| of.in_system_header);
    let is_renewed = || {
        let is_for_it =
            |call: &Expression<'_>| call.children().skip(1).any(|part| part.addressed().is_some_and(|of| of.same(object)));
        let names: Vec<&str> = function.descendants().filter(is_for_it).filter_map(|call| Some(call.call()?.0)).collect();
        ["read", "write"].iter().all(|verb| names.iter().any(|name| name.ends_with(verb)))
    };
    if object.types().record().is_some() && !is_renewed() {
        return false;
    }
    let is_given = |part: Expression<'_>| {
        let outer = part.outer();
        outer.is_some_and(|outer| outer.kind() == Kind::SizeOf)
            || outer.filter(|outer| outer.takes_address()).and_then(Expression::outer).is_some_and(is_systems)
    };
    let is_local = function.descendants().any(|part| {
        let declares = part.kind() == Kind::Variable && part.declaration_id() == object.declaration_id();
        declares && !part.children().any(Expression::is_expression)
    });
    is_local && function.descendants().filter(|part| part.kind() == Kind::DeclRef && part.same(object)).all(is_given)
}

/// Whether nobody has named a local variable before the call that reads into it, and who does so next sets it, whatever was read: that a request
/// came is all that mattered.
pub(super) fn is_set_afterwards(argument: Expression<'_>, call: Expression<'_>) -> bool {
    let object = argument.strip_casts().addressed().filter(|object| object.kind() == Kind::DeclRef);
    let Some((object, function)) = object.zip(call.function()) else { return false };
    let is_local = object.declaration().is_some_and(|of| of.kind == Kind::Variable && function.declares(of));
    let mut mentions =
        function.descendants().filter(|part| part.kind() == Kind::DeclRef && part.same(object) && !part.is_measured());
    let is_first = mentions.next().is_some_and(|first| call.contains(first));
    let next = mentions.find(|part| !call.contains(*part));
    let set = next.and_then(Expression::outer).filter(|set| set.kind() == Kind::Binary && set.operator() == binary::ASSIGN);
    let is_set = set.is_some_and(|set| {
        let is_left = set.child(0).is_some_and(|left| left.strip().same(object));
        let is_kept = set.child(1).is_some_and(|value| !value.descendants().any(|part| part.same(object)));
        // In the same block, or one around it, whether it is a loop or not.
        is_left && is_kept && set.parent().is_some_and(|block| block.kind() == Kind::Compound && block.contains(call))
    });
    is_local && is_first && is_set
}

/// Whether a call reads into a local pointer of which the function then looks at what is there, or which it compares with another: an address of
/// this process.
pub(super) fn is_followed_afterwards(argument: Expression<'_>, call: Expression<'_>) -> bool {
    let object = argument.strip_casts().addressed().filter(|of| of.kind() == Kind::DeclRef && of.types().is_pointer());
    let Some((object, function)) = object.zip(call.function()) else { return false };
    let mentions = function.descendants().skip_while(|part| !part.is(call)).filter(|part| !call.contains(*part));
    let mut mentions = mentions
        .filter(|part| part.kind() == Kind::DeclRef && part.same(object) && !part.is_measured())
        // Until it gets another value.
        .take_while(|part| !is_target(*part));
    let is_local = object.declaration().is_some_and(|of| of.kind == Kind::Variable && function.declares(of));
    is_local
        && mentions.any(|part| {
            let Some(outer) = part.outer() else { return false };
            let is_base = || outer.child(0).is_some_and(|base| base.contains(part));
            match (outer.kind(), outer.operator()) {
                (Kind::Member | Kind::Subscript, _) => is_base(),
                (Kind::Unary, operator) => operator == unary::DEREFERENCE,
                (Kind::Binary, binary::EQ | binary::NE) => outer
                    .children()
                    .any(|other| !other.contains(part) && other.strip().types().is_pointer() && other.value(WIDE).is_none()),
                _ => false,
            }
        })
}

fn is_size(part: Expression<'_>) -> bool {
    matches!(part.kind(), Kind::SizeOf | Kind::Call)
}

/// Whether it hands out memory or takes it back, by its name: what was in it for one caller is nothing to another.
pub(super) fn is_allocator(name: &str) -> bool {
    let name = name.to_lowercase();
    name.contains("alloc") || name.contains("free")
}

/// What ioctl(2) asks of a screen, linux/fb.h: FBIOGET_VSCREENINFO, FBIOGET_FSCREENINFO.
const SCREEN_REQUESTS: [i128; 2] = [0x4600, 0x4602];

/// Whether a call maps the memory of a screen: of its descriptor is asked how many points that has.
pub(super) fn maps_screen(call: Expression<'_>) -> bool {
    let Some((_, given)) = call.call().filter(|(name, _)| ["mmap", "mmap64"].contains(name)) else { return false };
    let asks = |other: Expression<'_>| {
        let arguments = other.call().filter(|(name, _)| *name == "ioctl").map(|(_, arguments)| arguments).unwrap_or_default();
        let is_of_it = arguments.first().zip(given.get(4)).is_some_and(|(asked, mapped)| asked.strip().same(mapped.strip()));
        is_of_it
            && arguments.get(1).and_then(|request| request.value(WIDE)).is_some_and(|request| SCREEN_REQUESTS.contains(&request))
    };
    call.tree().calls().any(asks)
}

/// Whether it is memory that mmap(2) takes from no file.
pub(super) fn is_anonymous_mapping(call: Expression<'_>) -> bool {
    const MAP_ANONYMOUS: i128 = 0x20;
    let flags = call.call().filter(|(name, _)| name.starts_with("mmap")).and_then(|(_, arguments)| arguments.get(3)?.value(WIDE));
    flags.is_some_and(|flags| flags & MAP_ANONYMOUS != 0)
}
