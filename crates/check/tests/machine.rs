//! A machine that runs: what it shows counts for more than its configuration, however it was brought here.
#![allow(clippy::unwrap_used, missing_docs)]

use findings::{Report, Severity};
use proptest::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn file(name: &str, text: impl AsRef<[u8]>) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("machine");
    fs::create_dir_all(&directory).unwrap();
    let path = directory.join(name);
    fs::write(&path, text).unwrap();
    path
}

/// An arm64 board as a kit describes it, with `config` and what else is given.
fn board(name: &str, config: &str, rest: &str) -> Report {
    let config: String = config.lines().map(|line| format!("| {line}\n")).collect();
    let text = format!(
        "biarch-kit 1\n[uname]\n| release 6.12.43-v8\n| machine aarch64\n[/proc/cmdline]\n| quiet\n{}\n\
         [config /proc/config.gz]\n| CONFIG_ARM64=y\n| CONFIG_ARM64_4K_PAGES=y\n| CONFIG_COMPAT=y\n{config}{rest}[end]\n",
        if rest.contains("[/proc/cpuinfo]") { "" } else { "[/proc/cpuinfo]\n| processor : 0" },
    );
    check::check(&[file(name, text)])
}

fn rules(report: &Report) -> Vec<&str> {
    report.findings.iter().map(|finding| finding.rule).collect()
}

/// Every option that rules about arm64 want.
const WHOLE: &str = "CONFIG_COMPAT_VDSO=y\nCONFIG_KUSER_HELPERS=y\nCONFIG_COMPAT_ALIGNMENT_FIXUPS=y\nCONFIG_SWP_EMULATION=y\n\
                     CONFIG_CP15_BARRIER_EMULATION=y\nCONFIG_SETEND_EMULATION=y\nCONFIG_COMPAT_32BIT_TIME=y";
/// None of them.
const BARE: &str = "# CONFIG_KUSER_HELPERS is not set\n# CONFIG_COMPAT_32BIT_TIME is not set";

/// What a program finds where all is well.
const FINE: &str = "[loaders]\n| /lib/ld-linux-armhf.so.3\n[probe armhf]\n| probe 1 armhf\n| uname.machine armv8l\n\
    | auxv.AT_PAGESZ 0x1000\n| auxv.AT_SYSINFO_EHDR 0xf7f6b000\n| vdso.symbol __vdso_clock_gettime64 LINUX_2.6\n\
    | ns.resolution 1\n| call.clock_gettime ok\n| call.clock_gettime64 ok\n| call.futex ok\n| call.futex_time64 ok\n\
    | ns.syscall.clock_gettime64 480.0\n| ns.vdso.clock_gettime64 40.0\n| does.kuser.version ok\n\
    | does.kuser.memory_barrier ok\n| does.swp ok\n| does.cp15_barrier ok\n| does.setend ok\n| does.unaligned_ldm ok\n\
    | does.unaligned_ldrd ok\n| end armhf\n";

#[test]
fn what_works_works_whatever_the_configuration_says() {
    for config in [WHOLE, BARE] {
        let report = board("fine", config, FINE);
        assert_eq!((rules(&report), report.not_checked.len()), (vec![], 0), "{report:#?}");
        assert!(report.targets[0].description.contains("40 ns by the vDSO, 480 ns by a system call"), "{report:#?}");
    }
}

#[test]
fn what_does_not_work_is_one_finding_with_what_was_seen() {
    for (change, to, rule, part) in [
        ("| auxv.AT_SYSINFO_EHDR 0xf7f6b000\n", "", "K001", "ns.syscall.clock_gettime64 480.0"),
        ("__vdso_clock_gettime64", "__vdso_clock_gettime", "K003", "has __vdso_clock_gettime"),
        ("does.kuser.version ok", "does.kuser.version signal 11", "K005", "does.kuser.version signal 11"),
        ("does.unaligned_ldrd ok", "does.unaligned_ldrd signal 7", "K006", "does.unaligned_ldrd signal 7"),
        ("does.swp ok", "does.swp signal 4", "K007", "does.swp signal 4"),
        ("does.cp15_barrier ok", "does.cp15_barrier signal 4", "K009", "signal 4"),
        ("does.setend ok", "does.setend wrong", "K010", "does.setend wrong"),
        ("call.futex ok", "call.futex errno 38", "K012", "call.futex errno 38"),
        ("AT_PAGESZ 0x1000", "AT_PAGESZ 0x4000", "K016", "AT_PAGESZ 0x4000"),
        ("vdso.clock_gettime64 40.0", "vdso.clock_gettime64 470.0", "K061", "the clock source is not known"),
        ("call.futex_time64 ok", "call.futex_time64 errno 1", "K062", "call.futex_time64 errno 1"),
        ("ld-linux-armhf.so.3", "ld-linux.so.2", "K063", "there is /lib/ld-linux.so.2"),
    ] {
        assert!(FINE.contains(change), "{change}");
        let report = board("broken", WHOLE, &FINE.replace(change, to));
        assert_eq!(rules(&report), [rule], "{change}: {report:#?}");
        assert!(report.findings[0].evidence.contains(part), "{change}: {report:#?}");
    }
}

#[test]
fn swp_that_is_only_turned_off_is_another_matter() {
    let dead = FINE.replace("does.swp ok", "does.swp signal 4");
    let report = board("swp", WHOLE, &format!("[/proc/sys/abi/swp]\n| 0\n{dead}"));
    assert_eq!(rules(&report), ["K008"], "{report:#?}");
}

#[test]
fn the_lowest_address_is_the_one_that_is_set_and_not_the_configured_one() {
    for (configured, set, found) in [(4096, 65536, &["K035"] as &[&str]), (65536, 4096, &[])] {
        let config = format!("{WHOLE}\nCONFIG_DEFAULT_MMAP_MIN_ADDR={configured}");
        let report = board("lowest", &config, &format!("[/proc/sys/vm/mmap_min_addr]\n| {set}\n{FINE}"));
        assert_eq!(rules(&report), found, "{report:#?}");
    }
}

#[test]
fn a_clock_that_is_too_coarse_says_nothing_about_the_vdso() {
    let coarse =
        FINE.replace("vdso.clock_gettime64 40.0", "vdso.clock_gettime64 470.0").replace("resolution 1", "resolution 4000000");
    assert_eq!(rules(&board("coarse", WHOLE, &coarse)), [""; 0]);
}

/// `/proc/cpuinfo` with these processors, `implementer part variant revision`.
fn processors(list: &[[&str; 4]]) -> String {
    let mut text = "[/proc/cpuinfo]\n".to_owned();
    for [implementer, part, variant, revision] in list {
        text.push_str(&format!(
            "| CPU implementer\t: {implementer}\n| CPU architecture: 8\n| CPU variant\t: {variant}\n| CPU part\t: {part}\n\
             | CPU revision\t: {revision}\n|\n"
        ));
    }
    text
}

#[test]
fn errata_are_about_the_processors_that_are_there() {
    let config = format!(
        "{WHOLE}\n# CONFIG_ARM64_ERRATUM_845719 is not set\n# CONFIG_ARM64_ERRATUM_1418040 is not set\n\
         # CONFIG_ARM64_ERRATUM_1742098 is not set\n# CONFIG_ARM64_ERRATUM_2658417 is not set"
    );
    for (list, found) in [
        (vec![["0x41", "0xd03", "0x0", "4"]], vec!["K011"]),
        (vec![["0x41", "0xd03", "0x1", "0"]], vec![]),
        (vec![["0x41", "0xd0b", "0x3", "1"], ["0x41", "0xd05", "0x1", "0"]], vec!["K013"]),
        (vec![["0x41", "0xd0b", "0x4", "0"]], vec![]),
        (vec![["0x61", "0xd0b", "0x0", "0"]], vec![]),
        (vec![["0x41", "0xd03", "0x0", "4"], ["0x41", "0xd08", "0x0", "2"]], vec!["K011", "K014"]),
        (vec![["0x41", "0xd46", "0x1", "1"]], vec!["K034"]),
        (vec![["0x41", "0xd46", "0x1", "2"]], vec![]),
        (vec![], vec!["K011", "K013", "K014", "K034"]),
    ] {
        let report = board("errata", &config, &format!("{}{FINE}", processors(&list)));
        assert_eq!(rules(&report), found, "{list:?}");
    }
}

#[test]
fn a_vdso_without_use_has_its_cause() {
    let slow = FINE.replace("vdso.clock_gettime64 40.0", "vdso.clock_gettime64 470.0");
    let config = format!("{WHOLE}\nCONFIG_ARM64_ERRATUM_1418040=y");
    let report = board("erratum", &config, &format!("{}{slow}", processors(&[["0x41", "0xd0c", "0x3", "1"]])));
    assert_eq!(rules(&report), ["K061"], "K004 is the same, and less certain: {report:#?}");
    assert!(report.findings[0].evidence.contains("erratum 1418040"), "{report:#?}");
    let log = "[/sys/devices/system/clocksource/clocksource0/current_clocksource]\n| hpet\n\
               [log]\n| clocksource: timekeeping watchdog on CPU1: Marking clocksource 'tsc' as unstable\n";
    let report = board("hpet", WHOLE, &format!("{slow}{log}"));
    assert!(report.findings[0].evidence.contains("the clock source is hpet"), "{report:#?}");
    assert!(report.findings[0].evidence.contains("Marking clocksource 'tsc'"), "{report:#?}");
}

fn pc(name: &str, config: &str, line: &str, probes: &str) -> Report {
    let text = format!(
        "biarch-kit 1\n[uname]\n| release 6.12.43\n| machine x86_64\n[/proc/cmdline]\n| {line}\n[/proc/cpuinfo]\n| flags : fpu\n\
         [config /boot/config-6.12.43]\n| CONFIG_X86_64=y\n{config}[loaders]\n| /lib/ld-linux.so.2\n{probes}[end]\n"
    );
    check::check(&[file(name, text)])
}

#[test]
fn a_refusal_is_one_finding_with_its_cause() {
    const ON: &str = "| CONFIG_IA32_EMULATION=y\n| CONFIG_COMPAT=y\n| CONFIG_MODIFY_LDT_SYSCALL=y\n";
    const OFF: &str = "| # CONFIG_IA32_EMULATION is not set\n| CONFIG_MODIFY_LDT_SYSCALL=y\n";
    let default_off = format!("{ON}| CONFIG_IA32_EMULATION_DEFAULT_DISABLED=y\n");
    const REFUSED: &str = "[probe i386]\n! exit 126 Exec format error (os error 8)\n";
    // dash and busybox take the program for a script.
    const SCRIPT: &str = "[probe i386]\n| ./probe-i386: 1: \u{7f}ELF\u{1}\u{1}: not found\n! exit 127 ./probe-i386: 1: \u{7f}ELF\u{1}\u{1}: not found\n";
    const FILTERED: &str = "[probe i386]\n| Bad system call\n! exit 159 Bad system call\n";
    const RAN: &str = "[probe i386]\n| probe 1 i386\n| auxv.AT_SYSINFO_EHDR 0xf7f98000\n| end i386\n";
    for (config, line, probe, rule, part) in [
        (ON, "quiet ia32_emulation=0", REFUSED, Some("K060"), "started with ia32_emulation=0"),
        (ON, "quiet ia32_emulation=0", SCRIPT, Some("K060"), "started with ia32_emulation=0"),
        (OFF, "quiet", REFUSED, Some("K017"), "CONFIG_IA32_EMULATION is not set"),
        (&default_off, "quiet", REFUSED, Some("K018"), "DEFAULT_DISABLED=y"),
        (&default_off, "ia32_emulation=1", RAN, None, ""),
        (ON, "quiet", FILTERED, Some("K060"), "a filter of system calls"),
        (ON, "quiet", RAN, None, ""),
    ] {
        let report = pc("refused", config, line, probe);
        assert_eq!(rules(&report), rule.into_iter().collect::<Vec<_>>(), "{line} {probe}: {report:#?}");
        let said: String = report.findings.iter().map(|f| format!("{} {}", f.message, f.evidence)).collect();
        assert!(said.contains(part), "{said}");
        assert_eq!(report.not_checked, [], "{probe}");
    }
}

#[test]
fn a_program_that_could_not_be_tried_is_not_a_refusal() {
    const ON: &str = "| CONFIG_IA32_EMULATION=y\n| CONFIG_MODIFY_LDT_SYSCALL=y\n";
    for probe in [
        "[probe i386]\n| sh: ./probe-i386: Permission denied\n! exit 126 sh: ./probe-i386: Permission denied\n",
        "[probe i386]\n| sh: ./probe-i386: not found\n! exit 127 sh: ./probe-i386: No such file or directory\n",
        "[probe i386]\n! exit 126 Read-only file system (os error 30)\n",
        "[probe i386]\n| probe 1 i386\n| uname.machine x86_64\n",
        "",
    ] {
        let report = pc("untried", ON, "quiet", probe);
        assert_eq!((rules(&report), report.not_checked.len()), (vec![], 1), "{probe}: {report:#?}");
        assert_eq!(report.exit_status(Severity::Risk), 2);
    }
}

#[test]
fn what_an_emulator_says_is_not_the_machines() {
    let translated = FINE.replace("armv8l", "armv7l").replace("does.unaligned_ldm ok", "does.unaligned_ldm signal 7");
    let report = board("translated", WHOLE, &translated);
    assert!(!rules(&report).contains(&"K006"), "{report:#?}");
    assert!(report.not_checked.iter().any(|unchecked| unchecked.because.contains("an emulator")), "{report:#?}");
    assert!(!report.targets[0].description.contains(" ns"), "{report:#?}");
}

#[test]
fn a_text_that_travelled_says_the_same() {
    let broken = FINE.replace("does.swp ok", "does.swp signal 4");
    let plain = board("plain", WHOLE, &broken);
    let text = fs::read_to_string(Path::new(env!("CARGO_TARGET_TMPDIR")).join("machine/plain")).unwrap();
    for (name, other) in [
        ("crlf", text.replace('\n', "\r\n")),
        ("blanks", text.replace('\n', "  \n")),
        ("bom", format!("\u{feff}{text}")),
        ("comments", text.replace("[loaders]", "a person wrote here\n# and there\n[loaders]")),
    ] {
        let report = check::check(&[file(name, other)]);
        assert_eq!(rules(&report), rules(&plain), "{name}: {report:#?}");
        assert_eq!(report.not_checked, [], "{name}");
    }
}

#[test]
fn a_text_that_is_cut_off_is_said_to_be() {
    board("whole", WHOLE, FINE);
    let text = fs::read_to_string(Path::new(env!("CARGO_TARGET_TMPDIR")).join("machine/whole")).unwrap();
    for length in (0..text.len()).step_by(97) {
        let report = check::check(&[file("cut", &text[..length])]);
        assert_eq!(report.exit_status(Severity::Fails), 2, "{length}: {report:#?}");
    }
}

#[test]
fn a_configuration_may_come_separately() {
    let text =
        "biarch-kit 1\n[uname]\n| release 6.12.43\n| machine aarch64\n[/proc/cmdline]\n|\n[/proc/cpuinfo]\n|\n[config]\n! gone\n";
    let kit = file("kit-without", format!("{text}{}[end]\n", FINE.replace("does.swp ok", "does.swp signal 4")));
    let config = file("config-6.12.43", "CONFIG_ARM64=y\n# CONFIG_SWP_EMULATION is not set\n");
    let report = check::check(&[kit, config]);
    assert_eq!(report.targets.len(), 1, "{report:#?}");
    assert!(report.findings[0].evidence.contains("CONFIG_SWP_EMULATION is not set"), "{report:#?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_does_harm(bytes: Vec<u8>, lines in prop::collection::vec("[\\[|! ][a-z0-9./ ]{0,20}[\\]:=]?[ -~\u{1b}]{0,12}", 0..40)) {
        let mut text = b"biarch-kit 1\n[uname]\n| release 1\n| machine aarch64\n[probe armhf]\n| probe 1 x\n".to_vec();
        text.extend(lines.join("\n").bytes());
        text.extend(&bytes);
        let report = check::check(&[file("hostile", text)]);
        for text in report.findings.iter().flat_map(|f| [&f.message, &f.evidence]).chain(report.targets.iter().map(|t| &t.description)) {
            prop_assert!(!text.contains(char::is_control), "{text:?}");
        }
        for unchecked in &report.not_checked {
            prop_assert!(!format!("{}{}", unchecked.what, unchecked.because).contains(char::is_control), "{unchecked:?}");
        }
    }

    #[test]
    fn no_change_of_a_text_does_harm(at in 0usize..4000, byte: u8) {
        let path = file("changed-from", "");
        let mut text = format!("biarch-kit 1\n[uname]\n| release 6.1\n| machine aarch64\n{}{FINE}", processors(&[["0x41", "0xd0b", "0x3", "1"]])).into_bytes();
        let length = text.len();
        text[at % length] = byte;
        fs::write(&path, text).unwrap();
        let _ = check::check(&[path]);
    }
}

#[test]
fn what_is_shown_of_a_text_has_an_end() {
    let long = "9".repeat(300_000);
    let ranges = "0-4294967295,".repeat(200_000);
    let symbols: String = (0..100_000).map(|n| format!("| vdso.symbol s{n}\n")).collect();
    let log: String = (0..100_000).map(|n| format!("| \"p{n}\" (1) uses deprecated CP15 Barrier {n}\n")).collect();
    let rest = format!(
        "[/sys/devices/system/cpu/aarch32_el0]\n| 0\n[/sys/devices/system/cpu/online]\n| {ranges}\n[log]\n{log}| \"{long}\" (1) uses \
         deprecated {long}\n{}",
        FINE.replace("| vdso.symbol __vdso_clock_gettime64 LINUX_2.6\n", &symbols)
            .replace("does.swp ok", &format!("does.swp {long}"))
    );
    let report = board("long", WHOLE, &rest);
    assert_eq!(rules(&report), ["K003", "K064", "K066"], "{report:?}");
    let shown: usize = report.findings.iter().map(|f| f.message.len() + f.evidence.len()).sum();
    assert!(shown < 100_000, "{shown}");
}

#[test]
fn numbers_of_any_size_are_only_numbers() {
    for value in [
        "1e999",
        "-1",
        "nan",
        "inf",
        "0",
        "99999999999999999999999999",
        "0x",
        "0xfffffffffffffffff",
        "signal",
        "errno 4294967296",
    ] {
        let text: String = FINE
            .lines()
            .map(|line| match line.rsplit_once(' ') {
                Some((key, _)) if key.starts_with("| ") && !key.contains("probe") => format!("{key} {value}\n"),
                _ => format!("{line}\n"),
            })
            .collect();
        let _ = board("numbers", WHOLE, &text);
    }
}

/// A kit in a directory of its own.
fn kit(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&directory);
    check::target::kit::write(&directory).unwrap();
    directory
}

/// What is found by a kit with `shell`, and where the kit's text is.
fn by_kit(name: &str, shell: &[&str]) -> Report {
    let directory = kit(name);
    let status = Command::new(shell[0]).args(&shell[1..]).arg("check.sh").current_dir(&directory).status().unwrap();
    assert!(status.success(), "{shell:?}: {status}");
    check::check(&[directory.join("biarch-kit.txt")])
}

/// A finding without what is another each time: the target's name, and what was measured.
fn comparable(report: &Report) -> Vec<(&str, Severity, &str)> {
    // These two compare times, which another program can disturb.
    let timed = ["K061", "K065"];
    let findings = report.findings.iter().filter(|finding| !timed.contains(&finding.rule));
    findings.map(|finding| (finding.rule, finding.severity, finding.message.as_str())).collect()
}

#[test]
fn this_machine_and_its_kit_say_the_same() {
    let live = check::this_machine(&[], &[]);
    assert_eq!(live.targets.len(), 1);
    for (name, shell) in [("kit-sh", &["sh"][..]), ("kit-busybox", &["busybox", "sh"])] {
        let report = by_kit(name, shell);
        assert_eq!(comparable(&report), comparable(&live), "{shell:?}");
        let unchecked = |report: &Report| -> Vec<String> {
            let names = report.not_checked.iter().map(|unchecked| unchecked.what.clone());
            names.filter_map(|what| Some(what.split_once(": ")?.1.to_owned())).collect()
        };
        assert_eq!(unchecked(&report), unchecked(&live), "{shell:?}");
    }
}

/// No kernel runs the probe of another processor: what is left is a shell, which must not take it for a script.
#[test]
fn a_refused_program_is_no_script() {
    let directory = kit("kit-refused");
    let name = if cfg!(target_arch = "x86_64") { "probe-armhf" } else { "probe-i386" };
    // A command that a shell would come to.
    let mut program = fs::read(directory.join(name)).unwrap();
    program.extend(b"\necho a shell was here\n");
    fs::write(directory.join(name), program).unwrap();
    for shell in [&["sh"][..], &["busybox", "sh"], &["bash"]] {
        let output =
            Command::new(shell[0]).args(&shell[1..]).arg("-c").arg(format!("./{name}")).current_dir(&directory).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(matches!(output.status.code(), Some(126 | 127)), "{shell:?}: {said}");
        assert!(output.stdout.is_empty() && said.lines().count() <= 2, "{shell:?}: {said}");
    }
}
