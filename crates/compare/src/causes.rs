//! Why a side takes longer: causes that can be established, each with what was seen. A row of [`CAUSES`] is a cause's registration.

use crate::comparison::{Outcome, Verdict};
use crate::disassembly::{Class, Mix};
use crate::evidence::Evidence;
use crate::side::{How, Side};
use serde::{Deserialize, Serialize};

/// A cause of a difference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cause {
    /// Which: the name of a row of [`CAUSES`].
    pub kind: String,
    /// The side that takes longer by it.
    pub side: String,
    /// What was seen.
    pub evidence: String,
}

/// What is known about a work whose sides differ.
#[derive(Clone, Debug)]
pub struct Seen {
    /// The benchmark.
    pub name: String,
    /// The side that takes longer.
    pub slow: Evidence,
    /// The other one.
    pub fast: Evidence,
    /// Nanoseconds that the slow one takes longer for one unit of work.
    pub longer: f64,
    /// Nanoseconds that the null call takes longer on the slow side, where it was measured in the same run.
    pub null_longer: Option<f64>,
}

/// A cause's name, what it is, and how it is told: the evidence, if this is one.
pub struct Row {
    /// Its name.
    pub kind: &'static str,
    /// For a person, in one line.
    pub title: &'static str,
    find: fn(&Seen) -> Option<String>,
}

/// What can be established, in the order in which it is told.
pub const CAUSES: [Row; 10] = [
    Row { kind: "translation", title: "the programs of one side are not run by the kernel", find: translation },
    Row { kind: "vdso", title: "the clock is read by system call, for want of a function of the vDSO", find: vdso },
    Row { kind: "time64", title: "calls are made twice, the first to a kernel that does not have it", find: refused },
    Row { kind: "system-call", title: "entering and leaving the kernel takes longer", find: system_call },
    Row { kind: "pointers", title: "pointers of twice the size make larger data", find: pointers },
    Row { kind: "cache", title: "the processor's cache is missed more often", find: cache },
    Row {
        kind: "long-arithmetic",
        title: "64-bit arithmetic is done by functions of the compiler's library",
        find: long_arithmetic,
    },
    Row { kind: "vectors", title: "vector registers are used on one side only", find: vectors },
    Row { kind: "stack", title: "values and arguments are on the stack, for want of registers", find: stack },
    Row { kind: "more-instructions", title: "the same work is more instructions", find: more_instructions },
];

/// All causes of what was seen.
#[must_use]
pub fn of(seen: &Seen) -> Vec<Cause> {
    let cause = |row: &Row| Some(Cause { kind: row.kind.to_owned(), side: seen.slow.name.clone(), evidence: (row.find)(seen)? });
    CAUSES.iter().filter_map(cause).collect()
}

/// Finds the causes of all outcomes whose sides differ. With `count`, the instructions of all are counted. What that lacks is
/// returned.
pub fn explain(outcomes: &mut [Outcome], sides: &[Side], count: bool) -> Vec<String> {
    let [wide, narrow, others @ ..] = sides else { return Vec::new() };
    let difference = |outcome: &Outcome| Some(outcome.median(1)? - outcome.median(0)?);
    let null = outcomes.iter().find(|outcome| outcome.name == "null_call").and_then(difference);
    let mut lacks = Vec::new();
    for outcome in outcomes {
        let Some(difference) = difference(outcome) else { continue };
        if !count && others.is_empty() && matches!(outcome.verdict, Some(Verdict::NoDifference) | None) {
            continue;
        }
        let mut evidence = Vec::new();
        for side in [wide, narrow] {
            let Ok(mut own) = Evidence::of(side, &outcome.name) else { continue };
            if count {
                let counted = own.count(side, &outcome.name).map_err(|error| format!("instructions: {error:#}"));
                let reason = own.uncounted.as_ref().map(|reason| format!("the processor's counters: {reason}"));
                lacks.extend(counted.err().into_iter().chain(reason));
            }
            evidence.push(own);
        }
        let Ok([wide, narrow]) = <[Evidence; 2]>::try_from(evidence) else { continue };
        if count {
            outcome.instructions = [&wide, &narrow].map(|own| own.instructions.map(|(count, _)| count)).to_vec();
        }
        outcome.causes = others.iter().enumerate().filter_map(|(at, side)| translated(outcome, at + 2, side, &narrow)).collect();
        let (slow, fast) = match outcome.verdict {
            Some(Verdict::Move) => (narrow, wide),
            Some(Verdict::Stay) => (wide, narrow),
            Some(Verdict::NoDifference) | None => continue,
        };
        let null_longer = null.map(|null| null * difference.signum());
        let mut causes = of(&Seen { name: outcome.name.clone(), slow, fast, longer: difference.abs(), null_longer });
        causes.append(&mut outcome.causes);
        outcome.causes = causes;
    }
    lacks.sort();
    lacks.dedup();
    lacks
}

/// Why a further side, on which the 32-bit program is run in another way, takes longer than the second.
fn translated(outcome: &Outcome, at: usize, side: &Side, narrow: &Evidence) -> Option<Cause> {
    let slow = Evidence { name: side.name.clone(), how: Some(side.how.clone()), ..narrow.clone() };
    let longer = outcome.median(at)? - outcome.median(1)?;
    let seen = Seen { name: outcome.name.clone(), slow, fast: narrow.clone(), longer, null_longer: None };
    let evidence = (longer > outcome.median(1)? * 0.1).then(|| translation(&seen))??;
    Some(Cause { kind: "translation".to_owned(), side: side.name.clone(), evidence })
}

fn translation(seen: &Seen) -> Option<String> {
    match &seen.slow.how {
        Some(How::Qemu(qemu)) => Some(format!("{} translates every instruction", qemu.display())),
        Some(How::BiarchRun) if seen.slow.calls != Some(0.0) => {
            Some("biarch run makes its system calls for it; what it computes runs as it is".to_owned())
        }
        _ => None,
    }
}

/// Benchmarks that read the clock through the C library, and the functions of the vDSO that do it: of 64-bit times, and older.
const CLOCKS: [(&str, &[&str]); 4] = [
    ("clock_gettime", &["__vdso_clock_gettime64", "__vdso_clock_gettime", "__kernel_clock_gettime"]),
    ("clock_gettime_coarse", &["__vdso_clock_gettime64", "__vdso_clock_gettime", "__kernel_clock_gettime"]),
    ("gettimeofday", &["__vdso_gettimeofday", "__kernel_gettimeofday", "__vdso_clock_gettime64"]),
    ("time", &["__vdso_time", "__vdso_clock_gettime64", "__vdso_gettimeofday"]),
];

fn vdso(seen: &Seen) -> Option<String> {
    let (_, functions) = CLOCKS.iter().find(|(name, _)| *name == seen.name)?;
    let has = |evidence: &Evidence| functions.iter().find(|name| evidence.vdso.iter().any(|own| own == *name));
    let (slow, fast) = (seen.slow.calls?, seen.fast.calls?);
    if slow < 0.9 || fast > 0.1 {
        return None;
    }
    let lacks = match (seen.slow.vdso.is_empty(), has(&seen.slow)) {
        (true, _) => "the kernel gives it no vDSO (AT_SYSINFO_EHDR)".to_owned(),
        (_, None) => format!("its vDSO has no {}", functions.first()?),
        (_, Some(function)) => format!("its C library does not call the vDSO's {function}"),
    };
    Some(format!("{} makes {slow:.0} system call for each, {} none: {lacks}", seen.slow.name, seen.fast.name))
}

fn refused(seen: &Seen) -> Option<String> {
    let (refused, other) = (seen.slow.refused, seen.fast.refused);
    (refused >= 0.5 && other < 0.5).then(|| {
        format!(
            "{refused:.1} of {:.1} system calls for each fail with ENOSYS on {}: the C library first tries the call with 64-bit times",
            seen.slow.calls.unwrap_or(refused),
            seen.slow.name
        )
    })
}

fn system_call(seen: &Seen) -> Option<String> {
    let (calls, null) = (seen.slow.calls?, seen.null_longer?);
    let share = calls * null / seen.longer;
    (calls >= 0.9 && (0.5..=1.5).contains(&share)).then(|| {
        format!(
            "{calls:.1} system calls for each, of which the null call takes {null:.0} ns longer on {}: {:.0} % of the difference of {:.0} ns",
            seen.slow.name,
            share * 100.0,
            seen.longer
        )
    })
}

fn pointers(seen: &Seen) -> Option<String> {
    let (slow, fast) = (seen.slow.bytes, seen.fast.bytes);
    (slow > fast && fast > 0).then(|| format!("the data have {slow} bytes on {}, {fast} on {}", seen.slow.name, seen.fast.name))
}

/// What compilers call for arithmetic that the processor has no instruction for: of libgcc, and of the ARM EABI.
const LONG_ARITHMETIC: [&str; 12] = [
    "__udivdi3",
    "__divdi3",
    "__umoddi3",
    "__moddi3",
    "__udivmoddi4",
    "__divmoddi4",
    "__muldi3",
    "__aeabi_uldivmod",
    "__aeabi_ldivmod",
    "__aeabi_lmul",
    "__udivmodti4",
    "__udivti3",
];

fn long_arithmetic(seen: &Seen) -> Option<String> {
    let calls = |evidence: &Evidence| LONG_ARITHMETIC.iter().find(|name| evidence.elsewhere.iter().any(|own| own == *name));
    let function = calls(&seen.slow)?;
    calls(&seen.fast)
        .is_none()
        .then(|| format!("{} calls {function}; {} has an instruction for it", seen.slow.name, seen.fast.name))
}

fn vectors(seen: &Seen) -> Option<String> {
    let (slow, fast) = (&seen.slow.mix, &seen.fast.mix);
    (fast.vectors > 0 && slow.vectors == 0).then(|| {
        let instead = match slow.count(Class::Float) {
            0 => "none".to_owned(),
            stack => format!("none, and {stack} of the floating-point stack"),
        };
        format!(
            "{} of {} instructions use vector registers on {}, {instead} on {}",
            fast.vectors, fast.instructions, seen.fast.name, seen.slow.name
        )
    })
}

/// Whether the work is the program's own: neither the kernel's nor a library's.
fn computes(seen: &Seen) -> bool {
    [&seen.slow, &seen.fast].iter().all(|side| side.calls.is_none_or(|calls| calls < 0.1) && side.elsewhere.is_empty())
}

fn stack(seen: &Seen) -> Option<String> {
    let (slow, fast) = (&seen.slow.mix, &seen.fast.mix);
    let at = |mix: &Mix| mix.slots + mix.pushes;
    (computes(seen) && at(slow) >= at(fast) + 3 && at(slow) * 2 >= at(fast) * 3).then(|| {
        format!(
            "{} of {} instructions use the stack on {}, {} of {} on {}",
            at(slow),
            slow.instructions,
            seen.slow.name,
            at(fast),
            fast.instructions,
            seen.fast.name
        )
    })
}

fn more_instructions(seen: &Seen) -> Option<String> {
    let (slow, fast) = (seen.slow.name.as_str(), seen.fast.name.as_str());
    if let (Some((more, who)), Some((fewer, _))) = (seen.slow.instructions, seen.fast.instructions) {
        return (more >= fewer * 1.1 && more >= fewer + 1.0)
            .then(|| format!("{more:.1} instructions are executed for each on {slow}, {fewer:.1} on {fast} ({who})"));
    }
    let (more, fewer) = (seen.slow.mix.instructions, seen.fast.mix.instructions);
    (computes(seen) && more * 4 >= fewer * 5).then(|| format!("{more} instructions of machine code on {slow}, {fewer} on {fast}"))
}

fn cache(seen: &Seen) -> Option<String> {
    let (slow, fast) = (seen.slow.cache_misses?, seen.fast.cache_misses?);
    (slow >= fast * 1.2 && slow >= fast + 0.01)
        .then(|| format!("{slow:.2} misses for each on {}, {fast:.2} on {} (hardware counters)", seen.slow.name, seen.fast.name))
}

#[cfg(test)]
mod tests {
    use super::{CAUSES, Seen, of};
    use crate::disassembly::Mix;
    use crate::evidence::Evidence;
    use crate::side::How;

    fn evidence(name: &str) -> Evidence {
        let mix = Mix { instructions: 20, ..Mix::default() };
        let vdso = vec!["__vdso_clock_gettime".to_owned()];
        Evidence { name: name.to_owned(), how: Some(How::Native), calls: Some(0.0), vdso, mix, ..Evidence::default() }
    }

    /// The same on both sides: nothing that is known makes one of them slow.
    fn seen() -> Seen {
        let (slow, fast) = (evidence("slow"), evidence("fast"));
        Seen { name: "clock_gettime".to_owned(), slow, fast, longer: 100.0, null_longer: None }
    }

    fn kinds(seen: &Seen) -> Vec<String> {
        of(seen).into_iter().map(|cause| cause.kind).collect()
    }

    /// A cause; what both sides have, so that one may have more of it or lack it; and what has to be so for the cause to be there.
    type Planted = (&'static str, fn(&mut Evidence), fn(&mut Seen));

    const PLANTED: [Planted; 13] = [
        ("translation", |_| (), |seen| seen.slow.how = Some(How::Qemu("/usr/bin/qemu-i386".into()))),
        ("translation", |side| side.calls = Some(0.5), |seen| seen.slow.how = Some(How::BiarchRun)),
        ("vdso", |_| (), |seen| (seen.slow.calls, seen.slow.vdso) = (Some(1.0), Vec::new())),
        ("vdso", |_| (), |seen| (seen.slow.calls, seen.slow.vdso) = (Some(1.0), vec!["__vdso_getcpu".to_owned()])),
        ("time64", |_| (), |seen| seen.slow.refused = 1.0),
        ("system-call", |side| side.calls = Some(2.0), |seen| seen.null_longer = Some(50.0)),
        ("pointers", |side| side.bytes = 12, |seen| seen.slow.bytes = 24),
        ("cache", |side| side.cache_misses = Some(0.1), |seen| seen.slow.cache_misses = Some(0.5)),
        ("long-arithmetic", |_| (), |seen| seen.slow.elsewhere = vec!["__udivdi3".to_owned()]),
        ("vectors", |side| side.mix.vectors = 4, |seen| seen.slow.mix.vectors = 0),
        ("stack", |_| (), |seen| seen.slow.mix.slots = 8),
        ("more-instructions", |_| (), |seen| seen.slow.mix.instructions = 30),
        (
            "more-instructions",
            |side| side.instructions = Some((20.0, "callgrind")),
            |seen| seen.slow.instructions = Some((30.0, "callgrind")),
        ),
    ];

    #[test]
    fn a_cause_is_named_where_it_is_and_nowhere_else() {
        for (kind, both, plant) in PLANTED {
            let mut seen = seen();
            [&mut seen.slow, &mut seen.fast].into_iter().for_each(both);
            assert_eq!(kinds(&seen), [""; 0], "before {kind} is there");
            plant(&mut seen);
            assert_eq!(kinds(&seen), [kind]);
            // As if the other side were the slow one.
            std::mem::swap(&mut seen.slow, &mut seen.fast);
            seen.null_longer = seen.null_longer.map(|null| -null);
            assert!(!kinds(&seen).iter().any(|own| own == kind), "{kind} is said of the side that does not have it");
        }
    }

    #[test]
    fn every_cause_has_been_planted() {
        let unplanted: Vec<_> =
            CAUSES.iter().map(|row| row.kind).filter(|kind| PLANTED.iter().all(|(own, ..)| own != kind)).collect();
        assert_eq!(unplanted, [""; 0]);
    }

    #[test]
    fn the_null_call_explains_a_difference_of_its_own_size_only() {
        let mut seen = seen();
        seen.name = "stat_file".to_owned();
        (seen.slow.calls, seen.fast.calls, seen.null_longer) = (Some(1.0), Some(1.0), Some(50.0));
        for (longer, explains) in [(50.0, true), (1000.0, false), (20.0, false)] {
            seen.longer = longer;
            assert_eq!(kinds(&seen), if explains { vec!["system-call"] } else { vec![] }, "{longer}");
        }
        // Where the null call is as fast or faster, it explains nothing.
        (seen.longer, seen.null_longer) = (50.0, Some(-50.0));
        assert_eq!(kinds(&seen), [""; 0]);
    }
}
