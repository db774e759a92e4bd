//! What the workers say of themselves, and what their machine code says, where it is known beforehand.
#![allow(clippy::unwrap_used, missing_docs)]
#![allow(clippy::print_stderr, reason = "what is skipped is said")]

use compare::evidence::Evidence;
use compare::functions;
use compare::side::{self, How, Sides};
use compare::worker::{self, Abi};
use std::path::Path;
use std::process::Command;

/// The two native sides; `None`, said on standard error, where this machine runs no 32-bit programs.
fn native() -> Option<Sides> {
    let sides = side::find(false, &[]).unwrap();
    let native = sides.sides.iter().all(|side| side.how == How::Native);
    if !native {
        eprintln!("skipped: this machine runs no {} programs", Abi::pair().0.name());
    }
    native.then_some(sides)
}

fn evidence(sides: &Sides, name: &str) -> Option<[Evidence; 2]> {
    let all: Vec<Evidence> = sides.sides.iter().map(|side| Evidence::of(side, name).unwrap()).collect();
    let all = <[Evidence; 2]>::try_from(all).unwrap();
    if all.iter().any(|one| one.calls.is_none()) {
        eprintln!("skipped: ptrace(2) is refused here");
        return None;
    }
    Some(all)
}

#[test]
fn system_calls_are_counted_as_often_as_they_are_made() {
    let Some(sides) = native() else { return };
    for (name, calls) in
        [("null_call", 1.0), ("clock_gettime_syscall", 1.0), ("open_close", 2.0), ("direct", 0.0), ("list_1k", 0.0)]
    {
        let Some(all) = evidence(&sides, name) else { return };
        for one in all {
            assert_eq!((one.calls, one.refused), (Some(calls), 0.0), "{name} as {}", one.name);
        }
    }
}

#[test]
fn the_data_of_lists_and_trees_have_twice_the_size() {
    let Some(sides) = native() else { return };
    for (name, bytes) in [("list_1k", [24_000, 12_000]), ("tree_1k", [24_000, 12_000]), ("latency_16k", [0, 0])] {
        let Some(all) = evidence(&sides, name) else { return };
        assert_eq!(all.map(|one| one.bytes), bytes, "{name}");
    }
}

/// Without a vDSO the clock costs a system call: either the one is there, or the other is counted.
#[test]
fn the_clock_is_read_by_the_vdso_or_by_a_system_call() {
    let Some(sides) = native() else { return };
    let Some(all) = evidence(&sides, "clock_gettime") else { return };
    for one in all {
        let vdso = one.vdso.iter().any(|name| name.contains("clock_gettime"));
        assert_eq!(one.calls == Some(0.0), vdso, "{}: {:?}", one.name, one.vdso);
    }
}

/// A kernel without the call with 64-bit times: the C library tries that first.
#[test]
fn a_call_that_is_made_twice_is_seen() {
    if native().is_none() || cfg!(not(target_arch = "x86_64")) {
        return;
    }
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let wrapper = directory.join("refuse_statx");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/refuse_statx.c");
    let built = Command::new("x86_64-linux-gnu-gcc").arg("-static").arg("-o").arg(&wrapper).arg(source).status().unwrap();
    assert!(built.success());
    let program = worker::Program::new(Abi::I386).unwrap();
    let run = |command: &mut Command| {
        let output = command.args(["stat_file", "evidence", "16"]).output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        let figure = |name: &str| said.lines().find_map(|line| line.strip_prefix(name)?.trim().parse::<f64>().ok());
        (figure("calls "), figure("refused "))
    };
    let plain = run(&mut Command::new(program.path()));
    let refused = run(Command::new(&wrapper).arg(program.path()));
    if refused.0.is_none() {
        eprintln!("skipped: seccomp(2) or ptrace(2) is refused here");
        return;
    }
    assert_eq!((plain, refused), ((Some(1.0), Some(0.0)), (Some(2.0), Some(1.0))));
}

#[test]
fn the_code_of_every_benchmark_is_found_for_every_abi() {
    for abi in [Abi::I386, Abi::X86_64, Abi::Armhf, Abi::Arm64] {
        if worker::Program::new(abi).is_err() {
            eprintln!("skipped: this biarch was built without the programs for {}", abi.name());
            continue;
        }
        for row in worker::rows().unwrap() {
            let found = functions::of(abi, row.name).unwrap();
            let own = found.first().unwrap();
            assert!(own.name.starts_with("run_"), "{}: {}", row.name, own.name);
            assert!(functions::mix(&found).instructions > 1, "{} as {}: no work", row.name, abi.name());
            // A function begins and ends with something that is known.
            assert!(own.instructions.iter().all(|one| one.length > 0 && !one.text.is_empty()), "{}", row.name);
        }
    }
}

#[test]
fn what_is_known_of_the_abis_is_seen_in_their_code() {
    let mix = |abi, name| functions::mix(&functions::of(abi, name).unwrap());
    let (narrow, wide) = (mix(Abi::I386, "six_arguments"), mix(Abi::X86_64, "six_arguments"));
    // Six arguments are pushed, and five are read again from the stack; the sixth is added in place.
    assert_eq!((narrow.pushes, wide.pushes, wide.slots), (6, 0, 0));
    assert!(narrow.slots >= 6, "{narrow:?}");
    let calls = |abi| functions::of(abi, "divide64").unwrap().into_iter().flat_map(|one| one.elsewhere).collect::<Vec<_>>();
    assert_eq!((calls(Abi::I386), calls(Abi::X86_64)), (vec!["__udivdi3".to_owned()], vec![]));
    let (narrow, wide) = (mix(Abi::I386, "floating"), mix(Abi::X86_64, "floating"));
    assert!(narrow.vectors == 0 && wide.vectors >= 2, "{narrow:?} {wide:?}");
}

/// The same machine code is executed as often in every run.
#[test]
fn callgrind_counts_what_the_machine_code_says() {
    let Some(sides) = native() else { return };
    if Command::new("valgrind").arg("--version").output().is_err() {
        eprintln!("skipped: there is no valgrind");
        return;
    }
    // Loops without a branch in them: one repetition is all of their instructions.
    for name in ["six_arguments", "multiply64"] {
        for side in &sides.sides {
            let mut one = Evidence::of(side, name).unwrap();
            one.instructions = None;
            one.count(side, name).unwrap();
            #[expect(clippy::cast_precision_loss, reason = "a few dozen")]
            let wanted = one.mix.instructions as f64;
            assert_eq!(one.instructions, Some((wanted, "callgrind")), "{name} as {}", one.name);
        }
    }
}
