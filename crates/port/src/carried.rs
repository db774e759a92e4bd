//! Pointers that carry numbers, as the casts of a file say it together.

use crate::ast::Declaration;
use crate::ast::kind::Kind;
use crate::pair::{NARROW, WIDE};
use crate::tree::{Expression, Tree, Types};
use std::collections::HashSet;

/// What is said by casts, each by where it lies in memory: a type for both word sizes, or a declaration.
#[derive(Debug, Default)]
pub(crate) struct Carried {
    /// Pointers that are made of small numbers.
    small: HashSet<[usize; 2]>,
    /// Arrays, by their names, of which an element is made of a number, as a pointer of this type.
    elements: HashSet<(String, [usize; 2])>,
    /// Arrays from which numbers are taken.
    popped: HashSet<usize>,
    /// Fields of pointers that are given numbers, and those from which numbers are taken.
    given: HashSet<usize>,
    taken: HashSet<usize>,
}

impl Carried {
    /// What the casts of this file say.
    pub(crate) fn new(tree: &Tree<'_>) -> Self {
        let mut new = Self::default();
        for cast in tree.casts() {
            let Some(from) = cast.converted() else { continue };
            if is_number(from) {
                if from.value(WIDE) != Some(0) && from.is_between(WIDE, -4096, 0xffff) {
                    new.small.insert(of_both(cast.types()));
                }
                let keeper = cast.keeper();
                new.elements.extend(keeper.and_then(array).map(|array| (array.name.clone(), of_both(cast.types()))));
                new.given.extend(keeper.and_then(field).filter(|_| cast.types().is_pointer()).map(address));
            }
            if is_number(cast) {
                new.popped.extend(array(from).map(address));
                let member = Some(from.strip_casts()).filter(|member| member.kind() == Kind::Member);
                new.taken.extend(member.and_then(field).map(address));
            }
        }
        new
    }
}

impl Expression<'_> {
    /// Whether small numbers are made pointers of the same type, elsewhere in the file: whoever does so carries numbers by them. So does who
    /// gives a field a number and takes a number from it, or does so with the elements of an array.
    pub(crate) fn carries_numbers(self) -> bool {
        let said = self.tree().carried();
        let types = of_both(self.types());
        // An element of `argv` that is given one, whatever function does so; and one of a stack from which a number is taken, as that of GNU's regex.
        let is_element = || array(self).is_some_and(|array| said.elements.contains(&(array.name.clone(), types)));
        let is_popped = || self.keeper().and_then(array).is_some_and(|array| said.popped.contains(&address(array)));
        let kept = Some(self.strip_casts()).filter(|part| part.kind() == Kind::Member).or_else(|| self.keeper());
        let is_both = |field: &Declaration| said.given.contains(&address(field)) && said.taken.contains(&address(field));
        said.small.contains(&types) || is_element() || is_popped() || kept.and_then(field).is_some_and(is_both)
    }
}

fn is_number(part: Expression<'_>) -> bool {
    part.types().integers().is_some()
}

/// The array of which this is an element.
fn array(element: Expression<'_>) -> Option<&Declaration> {
    let element = element.strip_casts();
    element.child(0).filter(|_| element.kind() == Kind::Subscript)?.strip_casts().declaration()
}

fn field(kept: Expression<'_>) -> Option<&Declaration> {
    kept.declaration().filter(|kept| kept.kind == Kind::Field)
}

/// What types without their typedefs are known by.
fn of_both(types: Types<'_>) -> [usize; 2] {
    [NARROW, WIDE].map(|side| address(types.canonical(side)))
}

fn address<T>(of: &T) -> usize {
    std::ptr::from_ref(of).addr()
}
