//! Structures of both programs: how large each is, and which members make it grow.

use elf::dwarf::Structure;
use serde::Serialize;
use std::collections::BTreeMap;

/// A structure that both programs have, and that does not have the same size.
#[derive(Clone, Debug, Serialize)]
pub struct Growth {
    /// Its name, with its namespaces.
    pub name: String,
    /// Bytes.
    pub size: super::Both,
    /// What makes it grow, in the order of the members.
    pub members: Vec<MemberGrowth>,
    /// Bytes of what lies between and behind members, for their alignment; not of unions.
    pub padding: Option<super::Both>,
}

/// A member that does not have the same size.
#[derive(Clone, Debug, Serialize)]
pub struct MemberGrowth {
    /// Its name; empty where it has none.
    pub name: String,
    /// What it is in the program of 64 bits.
    pub of: String,
    /// Bytes.
    pub size: super::Both,
}

/// The structures of both programs.
#[derive(Clone, Debug, Serialize)]
pub struct Types {
    /// Those whose sizes differ, those first that grow most.
    pub grown: Vec<Growth>,
    /// How many have the same size in both.
    pub same: usize,
    /// How many only one of them has, or the two differently.
    pub unpaired: usize,
}

pub(super) fn compare(narrow: Vec<Structure>, wide: Vec<Structure>) -> Types {
    // Two types of one name in different C files are told apart by their members.
    let key = |one: &Structure| (one.name.clone(), one.members.iter().map(|member| member.name.clone()).collect::<Vec<_>>());
    let mut others: BTreeMap<_, Vec<Structure>> = BTreeMap::new();
    let mut unpaired = narrow.len();
    narrow.into_iter().for_each(|one| others.entry(key(&one)).or_default().push(one));
    let (mut grown, mut same) = (Vec::new(), 0);
    for wide in wide {
        let Some(narrow) = others.get_mut(&key(&wide)).filter(|all| !all.is_empty()).map(|all| all.remove(0)) else {
            unpaired += 1;
            continue;
        };
        unpaired -= 1;
        if narrow.size == wide.size {
            same += 1;
        } else {
            grown.push(growth(&narrow, &wide));
        }
    }
    grown.sort_by_key(|one| (std::cmp::Reverse(one.size.wide.saturating_sub(one.size.narrow)), one.name.clone()));
    Types { grown, same, unpaired }
}

fn growth(narrow: &Structure, wide: &Structure) -> Growth {
    let pairs = narrow.members.iter().zip(&wide.members);
    let members = pairs.filter(|(one, two)| one.size != two.size).map(|(one, two)| MemberGrowth {
        name: two.name.clone(),
        of: two.of.clone(),
        size: super::Both { narrow: one.size, wide: two.size },
    });
    // Bit fields, which share their bytes, are in it; bases of C++ may lie in each other's padding.
    let padding =
        |own: &Structure| own.size.saturating_sub(own.members.iter().map(|member| member.size).fold(0, u64::saturating_add));
    Growth {
        name: wide.name.clone(),
        size: super::Both { narrow: narrow.size, wide: wide.size },
        members: members.collect(),
        padding: (!wide.union).then(|| super::Both { narrow: padding(narrow), wide: padding(wide) }),
    }
}
