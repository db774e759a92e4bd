//! What calls do with blocks of memory: which object, and how many bytes of it.

use crate::ast::kind::{Kind, binary};
use crate::pair::{NARROW, WIDE};
use crate::tree::{Expression, Types};

/// What is done with a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// It is new, and is as large.
    Allocated,
    /// All of it is written.
    Written,
    /// It is only looked at.
    Read,
    /// It goes to a file or socket.
    Sent,
}

/// A block.
pub(crate) struct Block<'a> {
    pub(crate) done: Use,
    /// What it is made of, without conversions to `void *` and `char *`.
    pub(crate) of: Types<'a>,
    /// The object, where it has a name: a variable, an array, a field.
    pub(crate) object: Option<Expression<'a>>,
    /// What the size is the product of.
    pub(crate) factors: Vec<Expression<'a>>,
}

/// A function, its blocks by argument, and the arguments whose product is the size.
type Row = (&'static str, &'static [(usize, Use)], &'static [usize]);

/// By function: the blocks by argument, and the arguments whose product is the size.
const FUNCTIONS: [Row; 17] = [
    ("memcpy", &[(0, Use::Written), (1, Use::Read)], &[2]),
    ("memmove", &[(0, Use::Written), (1, Use::Read)], &[2]),
    ("memcmp", &[(0, Use::Read), (1, Use::Read)], &[2]),
    ("bcmp", &[(0, Use::Read), (1, Use::Read)], &[2]),
    ("bcopy", &[(1, Use::Written), (0, Use::Read)], &[2]),
    ("memset", &[(0, Use::Written)], &[2]),
    ("bzero", &[(0, Use::Written)], &[1]),
    ("read", &[(1, Use::Written)], &[2]),
    ("recv", &[(1, Use::Written)], &[2]),
    ("write", &[(1, Use::Sent)], &[2]),
    ("send", &[(1, Use::Sent)], &[2]),
    ("fread", &[(0, Use::Written)], &[1, 2]),
    ("fwrite", &[(0, Use::Sent)], &[1, 2]),
    ("qsort", &[(0, Use::Written)], &[2, 1]),
    ("__builtin___memcpy_chk", &[(0, Use::Written), (1, Use::Read)], &[2]),
    ("__builtin___memmove_chk", &[(0, Use::Written), (1, Use::Read)], &[2]),
    ("__builtin___memset_chk", &[(0, Use::Written)], &[2]),
];

/// The blocks of a call.
pub(crate) fn blocks<'a>(call: Expression<'a>) -> Vec<Block<'a>> {
    let Some((name, arguments)) = call.call() else { return Vec::new() };
    if let Some((_, objects, sizes)) = FUNCTIONS.iter().find(|(known, ..)| *known == name) {
        let factors: Option<Vec<_>> = sizes.iter().map(|at| arguments.get(*at).copied()).collect();
        let Some(factors) = factors else { return Vec::new() };
        let factors: Vec<_> = factors.into_iter().flat_map(factors_of).collect();
        let block = |(at, done): &(usize, Use)| {
            let argument = *arguments.get(*at)?;
            let (of, object) = object(argument)?;
            let block = Block { done: *done, of, object, factors: factors.clone() };
            // `fread(&array[0], 8, 1, file)`, where the array has as many for 32 bits.
            let bytes = block.bytes(WIDE);
            let whole = beginning(argument).filter(|array| array.types().size(NARROW).map(i128::from) == bytes);
            Some(Block { object: block.object.or(whole), ..block })
        };
        return objects.iter().filter_map(block).collect();
    }
    allocated(call, name, &arguments).into_iter().collect()
}

/// What malloc(3) returns, where its size was computed before: `size = n * 4; words = malloc(size)`.
pub(crate) fn allocated_by_variable(call: Expression<'_>) -> Option<Block<'_>> {
    // Most calls allocate nothing, and to look for what a variable was given takes long.
    let (name, arguments) = call.call().filter(|(name, _)| is_allocator(name))?;
    let given: Vec<_> = arguments.iter().map(|size| size.last_given()).collect();
    let sizes: Vec<_> = arguments.iter().zip(&given).map(|(size, given)| given.unwrap_or(*size)).collect();
    if given.iter().any(Option::is_some) { allocated(call, name, &sizes) } else { None }
}

/// What malloc(3) and those like it, by their names, return.
fn allocated<'a>(call: Expression<'a>, name: &str, arguments: &[Expression<'a>]) -> Option<Block<'a>> {
    let returns = call.types();
    // One of the project's own that takes any number of arguments is one for tables of tables.
    let is_variadic = call.children().last().is_some_and(|last| last.is_variadic());
    let returned = returns.inner().filter(|_| returns.is_pointer() && is_allocator(name) && !is_variadic)?;
    let conversions = call.ancestors().take_while(|outer| outer.converted().is_some() || outer.kind() == Kind::Paren);
    let becomes = conversions.last()?.types();
    let of = becomes.inner().filter(|_| becomes.is_pointer())?;
    // Before there was `void *`, it was `char *` or `int *`. What is not converted may be counted in elements.
    if !returned.is_bytes() && (of.is_same(returned) || returned.integers().is_none()) {
        return None;
    }
    let numbers = arguments.iter().filter(|argument| argument.types().integers().is_some());
    let factors = numbers.flat_map(|argument| factors_of(*argument)).collect();
    Some(Block { done: Use::Allocated, of, object: None, factors })
}

/// Whether it is memory that a function has made for objects of this type: the type of its result says nothing.
pub(crate) fn is_new(pointer: Expression<'_>, of: Types<'_>) -> bool {
    let Some((name, arguments)) = pointer.call() else { return false };
    let is_size = |part: Expression<'_>| part.is_size_of(of);
    is_allocator(name) || arguments.into_iter().any(|size| is_size(size) || size.descendants().any(is_size))
}

/// Whether it is a place in memory that was made with room for objects of this type as well: one block for several arrays, as `(long *)&indices[n]`
/// after `indices = malloc(n * (sizeof(int) + sizeof(long)))`.
pub(crate) fn is_room_for(address: Expression<'_>, of: Types<'_>) -> bool {
    let has_room = |value: Expression<'_>| {
        let made = value.strip_casts();
        made.call().is_some_and(|(name, _)| is_allocator(name)) && made.descendants().any(|part| part.is_size_of(of))
    };
    // `rest = &indices[n]` is in it as well.
    let is_of_it = |base: Expression<'_>| {
        base.was_given(has_room) || base.was_given(|value| value.element().is_some_and(|(base, _)| base.was_given(has_room)))
    };
    address.element().is_some_and(|(base, _)| is_of_it(base))
}

/// Whether it is malloc(3) or one like it, by its name.
fn is_allocator(name: &str) -> bool {
    name.to_lowercase().contains("alloc")
}

fn factors_of(size: Expression<'_>) -> Vec<Expression<'_>> {
    let inner = size.strip_casts();
    match (inner.kind(), inner.operator(), inner.child(0), inner.child(1)) {
        // `#define SIZE (4 * 1024)` is one number.
        (Kind::Binary, binary::MUL, Some(left), Some(right)) if [left, right].iter().all(|part| is_of_macro(*part)) => vec![size],
        (Kind::Binary, binary::MUL, Some(left), Some(right)) => [factors_of(left), factors_of(right)].concat(),
        _ => vec![size],
    }
}

/// Whether it is a number that a macro says.
fn is_of_macro(number: Expression<'_>) -> bool {
    let number = number.strip_casts();
    number.kind() == Kind::IntegerLiteral && number.place().macro_text.is_some()
}

/// What a pointer leads to, and the whole object.
fn object<'a>(argument: Expression<'a>) -> Option<(Types<'a>, Option<Expression<'a>>)> {
    let whole = argument;
    let argument = Some(argument.strip_casts()).filter(|inner| is_resolved(whole, *inner))?;
    // `(struct entry *)(head + 1)` says itself what that is.
    if head(argument).is_some() {
        let own = argument.types().inner();
        let is_other = |of: &Types<'_>| !of.is_bytes() && !own.is_some_and(|own| of.is_same(own));
        let casts = argument.ancestors().take_while(|outer| whole.contains(*outer));
        if let Some(said) = casts.filter_map(|outer| outer.types().inner()).find(is_other) {
            return Some((said, None));
        }
    }
    if argument.takes_address() {
        let inside = argument.only_child()?;
        let object = Some(inside.strip()).filter(|inner| is_resolved(inside, *inner))?;
        // `&array[1]` is the middle of something larger.
        let whole = object.kind() != Kind::Subscript;
        return Some((object.types(), whole.then_some(object)));
    }
    let types = argument.types();
    let inner = types.inner()?;
    if types.is_pointer() {
        return Some((inner, None));
    }
    types.canonical(WIDE).count.map(|_| (inner, Some(argument)))
}

/// The array whose first element it is the address of.
fn beginning(pointer: Expression<'_>) -> Option<Expression<'_>> {
    let (array, index) = pointer.array_element()?;
    (index.value(WIDE) == Some(0)).then_some(array)
}

/// The pointer behind whose object this one leads, `head + 1`, `&head[1]`: mostly that is something else.
pub(crate) fn head(pointer: Expression<'_>) -> Option<Expression<'_>> {
    let element = || pointer.addressed().filter(|element| element.kind() == Kind::Subscript);
    let is_sum = pointer.kind() == Kind::Binary && pointer.operator() == binary::ADD && pointer.types().is_pointer();
    let (head, step) = Some(pointer).filter(|_| is_sum).or_else(element).and_then(|sum| sum.child(0).zip(sum.child(1)))?;
    (step.value(WIDE) == Some(1)).then(|| head.strip_casts())
}

/// Whether nothing but conversions is around `inner`. What the compiler could not resolve, as a member of an unknown type, looks like one
/// to a type of no size, and what is in that is something else.
fn is_resolved(outer: Expression<'_>, inner: Expression<'_>) -> bool {
    inner.ancestors().take_while(|part| outer.contains(*part)).all(|part| part.types().size(WIDE).is_some())
}

impl Block<'_> {
    /// The size, where it is known, on one side.
    pub(crate) fn bytes(&self, side: usize) -> Option<i128> {
        self.factors.iter().try_fold(1_i128, |product, factor| product.checked_mul(factor.value(side)?))
    }

    /// Whether any of it is computed by `sizeof`.
    pub(crate) fn has_sizeof(&self) -> bool {
        let is = |part: Expression<'_>| part.kind() == Kind::SizeOf;
        self.factors.iter().any(|factor| is(*factor) || factor.descendants().any(is))
    }

    /// The one `sizeof` that it is a multiple of.
    pub(crate) fn element(&self) -> Option<Expression<'_>> {
        let mut sizes = self.factors.iter().map(|factor| factor.strip_casts()).filter(|factor| factor.kind() == Kind::SizeOf);
        let only = sizes.next()?;
        let others = self.factors.iter().filter(|factor| factor.descendants().any(|part| part.kind() == Kind::SizeOf)).count();
        // That itself may be below a conversion.
        (sizes.next().is_none() && others <= 1).then_some(only)
    }
}
