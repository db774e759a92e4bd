//! What differs between two sides that each agree with themselves.

use crate::accepted::ACCEPTED;
use crate::case::{Call, Case, Value};
use crate::execute::{Executor, Kind, Outcome, Place, Side};
use abi::Errno;
use anyhow::Result;
use std::collections::BTreeSet;

/// One thing that differs.
#[derive(Clone, Debug)]
pub(crate) struct Difference<'a> {
    /// The case.
    pub(crate) case: &'a Case,
    /// Where.
    pub(crate) place: Place,
    /// What it is natively; nothing where it did not change.
    pub(crate) native: Option<u32>,
    /// What it is under biarch.
    pub(crate) biarch: Option<u32>,
}

impl std::fmt::Debug for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.listing())
    }
}

/// The end of the process, as a place.
pub(crate) const END: Place = (u32::MAX, Kind::Final, 0);
/// The call that it was in.
pub(crate) const CURSOR: Place = (u32::MAX, Kind::Final, 1);

/// What a call returns that fails so.
pub(crate) fn returned(errno: Errno) -> u32 {
    u32::from(errno.0).wrapping_neg()
}

impl Difference<'_> {
    /// The call that it is about, if it is about one.
    pub(crate) fn call(&self) -> Option<&Call> {
        self.case.calls.get(usize::try_from(self.place.0).ok()?)
    }

    /// The name of the call, or of what it is about.
    pub(crate) fn name(&self) -> &'static str {
        match self.call() {
            Some(call) => call.row.name,
            None if self.place == END || self.place == CURSOR => "the end",
            None if self.place.1 == Kind::Signal => "signals",
            None => "what is left",
        }
    }

    /// Whether it is what one of these calls has returned.
    pub(crate) fn is_result_of(&self, names: &[&str]) -> bool {
        self.place.1 == Kind::Return && names.contains(&self.name())
    }

    /// The number that is this argument of its call.
    pub(crate) fn argument(&self, index: usize) -> Option<u32> {
        self.call()?.argument(index)
    }

    /// Whether each side has failed, so.
    pub(crate) fn errors(&self, native: Errno, biarch: Errno) -> bool {
        self.native == Some(returned(native)) && self.biarch == Some(returned(biarch))
    }

    /// Whether one of these calls is in the case.
    pub(crate) fn case_has(&self, names: &[&str]) -> bool {
        self.case.calls.iter().any(|call| names.contains(&call.row.name))
    }

    /// Whether this holds for what is there on both sides.
    pub(crate) fn both(&self, holds: fn(u32) -> bool) -> bool {
        self.native.is_some_and(holds) && self.biarch.is_some_and(holds)
    }

    /// Whether it is decided.
    pub(crate) fn is_accepted(&self) -> bool {
        ACCEPTED.iter().any(|accepted| (accepted.is)(self))
    }

    /// For a person.
    pub(crate) fn text(&self) -> String {
        let what = match (self.place, self.place.1) {
            (END, _) => "the process ended with".to_owned(),
            (CURSOR, _) => "the process came to call".to_owned(),
            (_, Kind::Return) => format!("r{} ({})", self.place.0, self.name()),
            (_, Kind::Register) => format!("register {} after r{} ({})", register(self.place.2), self.place.0, self.name()),
            (_, Kind::Memory) => format!("memory at {:#x} after r{} ({})", self.place.2, self.place.0, self.name()),
            (_, Kind::Signal) => format!("calls of the handler for signal {}", self.place.2),
            (_, Kind::Final) => format!("at the end, {}", left(self.place.2)),
        };
        let shown = |value: Option<u32>| value.map_or("unchanged".to_owned(), |value| Value::Plain(value).to_string());
        format!("{what}: native {}, biarch {}", shown(self.native), shown(self.biarch))
    }

    /// What two differences have in common that are likely to be one.
    pub(crate) fn group(&self) -> String {
        let value = |value: Option<u32>| match value {
            Some(value) if value > 0xffff_f000 => format!("-{}", value.wrapping_neg()),
            Some(_) => "value".to_owned(),
            None => "unchanged".to_owned(),
        };
        format!("{} {:?} {} {}", self.name(), self.place.1, value(self.native), value(self.biarch))
    }
}

fn register(number: u32) -> &'static str {
    const NAMES: &[&str] = &["", "ebx", "ecx", "edx", "esi", "edi", "ebp", "eflags", "esp", "ds", "es", "fs", "xmm"];
    usize::try_from(number).ok().and_then(|number| NAMES.get(number)).copied().unwrap_or("?")
}

fn left(detail: u32) -> String {
    match detail {
        0..100 => format!("flags of descriptor {detail}"),
        100..200 => format!("status of descriptor {}", detail - 100),
        200..300 => format!("position of descriptor {}", detail - 200),
        300..400 => "size or mode of a file".to_owned(),
        400..500 => format!("page {} of the mappings at 0x28000000", detail - 400),
        500..502 => "signal mask".to_owned(),
        502..504 => "pending signals".to_owned(),
        _ => "umask".to_owned(),
    }
}

fn value(outcome: &Outcome, place: Place) -> Option<u32> {
    match place {
        END => Some(outcome.end),
        CURSOR => Some(outcome.cursor),
        _ => outcome.seen.get(&place).copied(),
    }
}

/// How long a call may take before it is taken for one that waits for ever, in milliseconds. Most cases that wait do so on both sides.
pub(crate) const MILLISECONDS: u32 = 300;

/// All that differs where every run of a side says the same, and is not decided.
pub(crate) fn differences<'a>(case: &'a Case, native: &[Outcome], biarch: &[Outcome]) -> Vec<Difference<'a>> {
    let places: BTreeSet<Place> =
        native.iter().chain(biarch).flat_map(|outcome| outcome.seen.keys().copied()).chain([END, CURSOR]).collect();
    let stable = |side: &[Outcome], place| {
        let first = side.first().map(|outcome| value(outcome, place))?;
        side.iter().all(|outcome| value(outcome, place) == first).then_some(first)
    };
    // What an earlier call has returned may be different every time, such as a process's id, or on both sides: from where it is used
    // on, nothing is known.
    let is_known = |call: u32| {
        let place = (call, Kind::Return, 0);
        stable(native, place).is_some_and(|result| stable(biarch, place) == Some(result))
    };
    let known =
        case.calls.iter().take_while(|call| call.args.iter().all(|arg| !matches!(arg, Value::Result(of) if !is_known(*of))));
    let known = u32::try_from(known.count()).unwrap_or(0);
    let all_known = usize::try_from(known).is_ok_and(|known| known == case.calls.len());
    let mut found = vec![];
    // After a case has ended early on one side there is nothing to compare.
    for place in places.into_iter().filter(|place| all_known || place.0 < known) {
        let (Some(native), Some(biarch)) = (stable(native, place), stable(biarch, place)) else { continue };
        let difference = Difference { case, place, native, biarch };
        if native != biarch && !difference.is_accepted() {
            found.push(difference);
        }
    }
    found.sort_by_key(|difference| (difference.place.0, difference.place.1));
    found
}

/// Runs the case `times` times on both sides in turn, and compares. Where both wait for ever in one call, `waits`, it is not worth
/// waiting for long.
pub(crate) fn repeated<'a>(
    executor: &Executor,
    sides: &[Side; 2],
    case: &'a Case,
    times: usize,
    waits: bool,
) -> Result<Vec<Difference<'a>>> {
    let milliseconds = if waits { MILLISECONDS } else { 20 * MILLISECONDS };
    let (mut native, mut biarch) = (vec![], vec![]);
    for _ in 0..times {
        let one = std::slice::from_ref(case);
        native.extend(executor.run(&sides[0], one, milliseconds)?);
        biarch.extend(executor.run(&sides[1], one, milliseconds)?);
        // Most of what is suspicious is different every time.
        if differences(case, &native, &biarch).is_empty() {
            return Ok(vec![]);
        }
    }
    // A last native run, so that what only grows with time is not taken for stable.
    native.extend(executor.run(&sides[0], std::slice::from_ref(case), milliseconds)?);
    Ok(differences(case, &native, &biarch))
}

/// The smallest case that still differs, by trying.
pub(crate) fn shrunk(executor: &Executor, sides: &[Side; 2], case: &Case, group: &str, waits: bool) -> Result<Case> {
    let mut best = case.swept();
    let differs = |case: &Case| -> Result<bool> {
        Ok(repeated(executor, sides, case, 2, waits)?.first().is_some_and(|difference| difference.group() == group))
    };
    let mut index = best.calls.len();
    while index > 0 {
        index -= 1;
        let mut smaller = best.clone();
        smaller.calls.remove(index);
        // What later calls refer to has moved.
        for value in smaller.calls.iter_mut().flat_map(|call| call.args.iter_mut()) {
            if let Value::Result(call) = value {
                if usize::try_from(*call).is_ok_and(|call| call > index) {
                    *call -= 1;
                }
            }
        }
        if !smaller.calls.is_empty() && differs(&smaller)? {
            best = smaller.swept();
        }
    }
    for index in 0..best.calls.len() {
        for argument in 0..6 {
            if best.calls[index].args[argument] == Value::Plain(0) {
                continue;
            }
            let mut smaller = best.clone();
            smaller.calls[index].args[argument] = Value::Plain(0);
            if differs(&smaller)? {
                best = smaller.swept();
            }
        }
    }
    Ok(best)
}
