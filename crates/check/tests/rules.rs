//! Every rule: its documentation is whole, and its example is one.
#![allow(clippy::unwrap_used, missing_docs)]

use check::config::Config;
use check::facts::{Facts, Kernel};
use check::{judge, rules};
use findings::{Documentation, Guest, Report, Severity};
use std::collections::BTreeSet;
use std::path::Path;

/// Rules about what no configuration says; their tests are in `roots.rs` and `kernels.rs`.
const WITHOUT_EXAMPLE: &[&str] = &["K003", "K029"];

#[test]
fn the_documentation_of_every_rule_is_whole() {
    for rule in rules() {
        let sections = rule.documentation.sections();
        for name in Documentation::SECTIONS {
            assert!(sections.contains(&name), "{}: no section {name}", rule.id);
            assert!(!rule.documentation.section(name).is_empty(), "{}: nothing under {name}", rule.id);
        }
        let title = rule.documentation.title();
        assert!((10..=100).contains(&title.len()), "{}: a title of one line: {title:?}", rule.id);
        assert!(!title.ends_with('.'), "{}: a title has no full stop", rule.id);
    }
}

#[test]
fn ids_are_unique_and_in_order() {
    let ids: Vec<&str> = rules().map(|rule| rule.id).collect();
    assert!(ids.is_sorted_by(|a, b| a < b), "{ids:?}");
    assert!(ids.len() >= 40, "there are {}", ids.len());
}

#[test]
fn a_rule_about_an_architecture_concerns_its_programs() {
    for rule in rules() {
        let guests: &[Guest] = match rule.documentation.title().split_once(": ").map(|(architecture, _)| architecture) {
            Some("arm64" | "32-bit ARM") => &[Guest::Armhf],
            Some("x86" | "x86-64") => &[Guest::I386],
            _ => continue,
        };
        assert_eq!(rule.guests, guests, "{}: its row says other programs than its title", rule.id);
    }
}

#[test]
fn every_file_is_registered_under_its_id() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/rules");
    let files: BTreeSet<String> = std::fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap().split('_').next().unwrap().to_uppercase())
        .collect();
    let ids: BTreeSet<String> = rules().map(|rule| rule.id.to_owned()).collect();
    assert_eq!(files, ids);
}

/// What is under `heading` of an example, without its indentation.
fn example(text: &str, heading: &str) -> String {
    let below = text.lines().skip_while(|line| *line != heading).skip(1);
    let lines = below.take_while(|line| line.is_empty() || line.starts_with("    "));
    lines.map(|line| line.trim_start_matches(' ')).collect::<Vec<_>>().join("\n")
}

fn judged(config: &str) -> Report {
    let config = config.trim_start();
    if config.starts_with("biarch-kit ") {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("example-kit.txt");
        std::fs::write(&path, config).unwrap();
        return check::check(&[path]);
    }
    let config = Config::parse(config).expect("an example has options");
    let kernel = Kernel { name: "example".to_owned(), config: Some(config), image: None, machine: None };
    let mut report = Report::default();
    judge(&Facts { kernels: vec![kernel], ..Facts::default() }, &mut report);
    report
}

#[test]
fn the_bad_example_has_a_finding_and_the_good_one_has_none() {
    for rule in rules().filter(|rule| !("K040".."K060").contains(&rule.id)) {
        let text = rule.documentation.section("Example");
        if WITHOUT_EXAMPLE.contains(&rule.id) {
            assert!(text.is_empty(), "{} has an example after all", rule.id);
            continue;
        }
        let found = |heading: &str| {
            let report = judged(&example(&text, heading));
            report.findings.into_iter().filter(|finding| finding.rule == rule.id).collect::<Vec<_>>()
        };
        let bad = found("Bad:");
        assert_eq!(bad.len(), 1, "{}: {bad:?}", rule.id);
        assert!(!bad[0].evidence.is_empty(), "{}: a finding shows what was seen", rule.id);
        assert_eq!(found("Good:"), [], "{}", rule.id);
    }
}

#[test]
fn a_missing_vdso_has_its_cause() {
    let compat = "CONFIG_ARM64=y\nCONFIG_COMPAT=y\n";
    for (lines, cause) in [
        ("CONFIG_CC_IS_GCC=y\n", "CROSS_COMPILE_COMPAT, which was empty"),
        ("CONFIG_CC_IS_CLANG=y\n# CONFIG_LD_IS_LLD is not set\n", "clang without LLD"),
        ("CONFIG_CC_IS_CLANG=y\nCONFIG_LD_IS_LLD=y\n", "clang and LLD could have built it"),
        ("CONFIG_CC_IS_GCC=y\nCONFIG_CPU_BIG_ENDIAN=y\n", "big-endian"),
        ("# CONFIG_COMPAT_VDSO is not set\n", "somebody turned it off"),
        ("# Linux/arm64 4.19.0 Kernel Configuration\n", "since 5.3"),
    ] {
        let report = judged(&format!("{lines}{compat}"));
        let finding = report.findings.iter().find(|finding| finding.rule == "K001").expect("there is no vDSO");
        assert!(finding.evidence.contains(cause), "{lines}: {}", finding.evidence);
        assert_eq!(finding.severity, Severity::Slow);
    }
}

#[test]
fn another_architecture_is_not_blamed() {
    // The same name means the opposite there.
    let report =
        judged("CONFIG_X86_64=y\nCONFIG_IA32_EMULATION=y\nCONFIG_MODIFY_LDT_SYSCALL=y\n# CONFIG_COMPAT_VDSO is not set\n");
    assert_eq!(report.findings, []);
}
