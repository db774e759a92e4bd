//! Layouts of types as the compiler has made them, for `elf::layout` to compare.

use crate::ast::kind::{Kind, TypeKind};
use crate::ast::{Type, TypeId, Unit};
use crate::pair::{NARROW, WIDE};
use crate::tree::Types;
use elf::layout::{Comparison, MAX_DEPTH, Member, Of, Record, Shape, TIMES};

/// Members of one structure above this number are left out.
const MAX_MEMBERS: usize = 4096;

/// A type on both sides, beside each other.
pub(crate) fn compare(types: Types<'_>) -> Comparison {
    let [narrow, wide] = [NARROW, WIDE].map(|side| of(types.tree.units[side], types.ids[side]));
    Comparison::new(&narrow, &wide)
}

/// How a type lies in memory, for one word size.
pub(crate) fn of(unit: &Unit, id: TypeId) -> Of {
    build(unit, id, 0)
}

fn build(unit: &Unit, id: TypeId, depth: usize) -> Of {
    let (spelled, canonical) = (unit.get_type(id), unit.canonical(id));
    let inner = || unit.canonical(canonical.inner);
    let shape = match canonical.kind {
        _ if depth > MAX_DEPTH => Shape::Scalar,
        TypeKind::Pointer | TypeKind::LValueReference | TypeKind::RValueReference | TypeKind::MemberPointer => {
            Shape::Pointer(inner().size.is_some() && inner().kind != TypeKind::Void || inner().kind == TypeKind::Function)
        }
        TypeKind::ConstantArray | TypeKind::Vector => array(unit, spelled, canonical, canonical.count, depth),
        TypeKind::IncompleteArray => array(unit, spelled, canonical, None, depth),
        TypeKind::Record => Shape::Record(Box::new(record(unit, canonical, depth))),
        kind if kind.is_floating() => Shape::Floating,
        _ => Shape::Scalar,
    };
    // What the compiler could not understand has a size all the same, but one that does not hold its members.
    let bytes = canonical.size.unwrap_or_default();
    let end = |one: &Member| one.offset.saturating_add(one.bits.unwrap_or(one.of.size.saturating_mul(8)));
    let ends = |record: &Record| record.members.iter().all(|one| end(one) <= bytes.saturating_mul(8));
    let whole = !matches!(&shape, Shape::Record(record) if !ends(record));
    Of {
        name: plain(&spelled.spelling),
        size: canonical.size.filter(|_| whole).unwrap_or_default(),
        is_time: is_time(unit, id),
        shape,
        to: None,
    }
}

/// The name of a type, without the place that clang gives those that have none.
fn plain(spelling: &str) -> String {
    let unnamed = spelling.split_once(" at ").filter(|(before, _)| before.contains("(unnamed") || before.contains("(anonymous"));
    match unnamed.and_then(|(before, place)| Some((before, place.split_once(')')?.1))) {
        Some((before, after)) => format!("{before}){after}"),
        None => spelling.to_owned(),
    }
}

/// An array; the elements' own name is kept, which may say that they are times.
fn array(unit: &Unit, spelled: &Type, canonical: &Type, count: Option<u64>, depth: usize) -> Shape {
    let own = spelled.kind == canonical.kind && spelled.inner.0 != 0;
    let inner = if own { spelled.inner } else { canonical.inner };
    Shape::Array(Box::new(build(unit, inner, depth + 1)), count)
}

fn record(unit: &Unit, canonical: &Type, depth: usize) -> Record {
    let declaration = unit.declaration(canonical.declaration);
    let members: Vec<Member> = declaration
        .fields
        .iter()
        .take(MAX_MEMBERS)
        .map(|field| {
            let field = unit.declaration(*field);
            Member {
                // clang makes a name for what has none.
                name: if field.name.contains('(') { String::new() } else { field.name.clone() },
                offset: field.offset.unwrap_or_default(),
                bits: field.bits,
                of: build(unit, field.type_id, depth + 1),
            }
        })
        .collect();
    // libclang says nothing of what C++ puts before the first member, but where that is.
    let before = members.first().map_or(canonical.size.is_some_and(|size| size > 1), |first| first.offset > 0);
    Record { is_union: declaration.kind == Kind::Union, members, hidden: before.then_some("bases or virtual functions") }
}

/// Whether a name on the way through typedefs, or that of the structure, is one of a time.
fn is_time(unit: &Unit, mut id: TypeId) -> bool {
    for _ in 0..MAX_DEPTH {
        let of = unit.get_type(id);
        let declaration = unit.declaration(of.declaration);
        if TIMES.contains(&declaration.name.trim_start_matches('_')) {
            return true;
        }
        id = match of.kind {
            TypeKind::Elaborated => of.inner,
            TypeKind::Typedef => declaration.underlying,
            _ => return false,
        };
    }
    false
}
