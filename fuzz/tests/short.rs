//! A few thousand damaged files for each target; `BIARCH_TEST_FULL` makes it a minute each. `cargo run -p biarch-fuzz` goes on for
//! as long as somebody likes.
#![allow(missing_docs)]

use fuzz::mutation::{Random, damaged};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// What one input may take: a hundred times what it does on a busy machine.
const LIMIT: Duration = Duration::from_secs(20);

#[test]
fn no_damage_is_fatal() {
    let full = std::env::var_os("BIARCH_TEST_FULL").is_some();
    for target in fuzz::TARGETS {
        let seeds = (target.seeds)();
        assert!(!seeds.is_empty(), "{} has nothing to begin with", target.name);
        // What is not damaged is no exception.
        seeds.iter().for_each(|seed| (target.run)(seed));
        let mut random = Random::new(1);
        let start = Instant::now();
        for number in 0.. {
            if if full { start.elapsed() > Duration::from_secs(60) } else { number == 1000 } {
                break;
            }
            let [seed, other] = [&seeds[random.below(seeds.len())], &seeds[random.below(seeds.len())]];
            let bytes = damaged(seed, other, &mut random);
            let begin = Instant::now();
            let result = catch_unwind(AssertUnwindSafe(|| (target.run)(&bytes)));
            if result.is_err() || begin.elapsed() > LIMIT {
                let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{number}", target.name));
                let saved = std::fs::write(&path, &bytes);
                panic!("cargo run -p biarch-fuzz -- {} {} ({saved:?}; {:?})", target.name, path.display(), begin.elapsed());
            }
        }
    }
}
