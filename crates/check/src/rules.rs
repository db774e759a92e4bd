//! The rules: one file each, registered by one row here. A rule is a function of the facts.
//!
//! The documentation at the head of a rule's file is what `biarch explain` prints, and its example is a test: what is under
//! "Bad" must give a finding and what is under "Good" must not (`tests/rules.rs`).

use crate::facts::{Facts, plain};
use findings::{Documentation, Finding, Guest, Report, Rule, Severity, Unchecked};

/// A rule and the function that applies it.
pub(crate) struct Row {
    pub(crate) rule: Rule,
    pub(crate) apply: fn(&Facts, &mut Found<'_>),
}

/// Where a rule puts what it has found.
pub(crate) struct Found<'a> {
    rule: &'a Rule,
    report: &'a mut Report,
}

impl Found<'_> {
    /// Adds a finding about `target`; why and fix are the rule's own, unless the rule changes them in what is returned.
    pub(crate) fn add(&mut self, target: &str, message: impl Into<String>, evidence: impl Into<String>) -> &mut Finding {
        let at = self.report.findings.len();
        self.report.findings.push(Finding {
            rule: self.rule.id,
            fingerprint: String::new(),
            baseline_state: None,
            severity: self.rule.severity,
            target: target.to_owned(),
            message: plain(&message.into()),
            evidence: plain(&evidence.into()),
            cause: self.rule.documentation.section("Why"),
            fix: self.rule.documentation.section("Fix"),
            patch: None,
            source: None,
        });
        &mut self.report.findings[at]
    }

    /// Says that something of `target` could not be judged.
    pub(crate) fn not_checked(&mut self, target: &str, because: &str) {
        self.report.not_checked.push(Unchecked { what: target.to_owned(), because: because.to_owned() });
    }
}

/// Applies every rule that concerns the programs in question to the facts.
pub(crate) fn apply(facts: &Facts, report: &mut Report) {
    let concerned = |row: &&Row| facts.guests.is_empty() || row.rule.guests.iter().any(|guest| facts.guests.contains(guest));
    for row in ROWS.iter().filter(concerned) {
        (row.apply)(facts, &mut Found { rule: &row.rule, report });
    }
}

/// A row: id, file, severity; and the programs that it concerns, if not all.
macro_rules! rules {
    ($($id:ident $module:ident $severity:ident $($guest:ident)?;)*) => {
        $(mod $module;)*
        pub(crate) const ROWS: &[Row] = &[$(Row {
            rule: Rule {
                id: stringify!($id),
                severity: Severity::$severity,
                guests: rules!(@guests $($guest)?),
                documentation: Documentation { source: include_str!(concat!("rules/", stringify!($module), ".rs")) },
            },
            apply: $module::apply,
        },)*];
    };
    (@guests) => { &Guest::ALL };
    (@guests $guest:ident) => { &[Guest::$guest] };
}

rules! {
    K001 k001_compat_vdso Slow Armhf;
    K002 k002_compat Fails Armhf;
    K003 k003_vdso_symbols Slow;
    K004 k004_erratum_1418040_vdso Note Armhf;
    K005 k005_kuser_helpers Risk Armhf;
    K006 k006_alignment_fixups Risk Armhf;
    K007 k007_swp_emulation Risk Armhf;
    K008 k008_swp_default Note Armhf;
    K009 k009_cp15_barrier_emulation Risk Armhf;
    K010 k010_setend_emulation Note Armhf;
    K011 k011_erratum_845719 Risk Armhf;
    K012 k012_compat_32bit_time Fails;
    K013 k013_erratum_1418040 Risk Armhf;
    K014 k014_erratum_1742098 Risk Armhf;
    K015 k015_big_endian Fails Armhf;
    K016 k016_page_size Risk Armhf;
    K017 k017_ia32_emulation Fails I386;
    K018 k018_ia32_default_disabled Fails I386;
    K019 k019_x32 Note I386;
    K020 k020_compat_brk Note;
    K021 k021_x86_compat_vdso Slow I386;
    K022 k022_modify_ldt Risk I386;
    K023 k023_uid16 Risk;
    K024 k024_x86_16bit Note I386;
    K025 k025_arm_vdso Slow Armhf;
    K026 k026_arm_vdso_clock64 Fails Armhf;
    K027 k027_arm_eabi Fails Armhf;
    K028 k028_arm_vfp Fails Armhf;
    K029 k029_x86_vdso32 Slow I386;
    K030 k030_command_line Fails;
    K031 k031_boot_loader Fails;
    K032 k032_mismatched_el0 Note Armhf;
    K033 k033_sysctl Slow;
    K034 k034_erratum_2658417 Risk Armhf;
    K035 k035_mmap_min_addr Note Armhf;
    K040 k040_interpreter Fails;
    K041 k041_needed Fails;
    K042 k042_needed_abi Fails;
    K043 k043_directory Risk;
    K044 k044_time_mix Risk;
    K045 k045_rpath Risk;
    K046 k046_text_relocations Note;
    K047 k047_executable_stack Risk;
    K048 k048_page_alignment Note Armhf;
    K050 k050_damaged Risk;
    K051 k051_program_kernel Fails;
    K052 k052_program_time32 Fails;
    K053 k053_float_abi Risk Armhf;
    K054 k054_program_kuser Fails Armhf;
    K055 k055_program_cp15 Risk Armhf;
    K056 k056_program_address Fails;
    K060 k060_refused Fails;
    K061 k061_vdso_without_use Slow;
    K062 k062_time64_refused Fails;
    K063 k063_no_loader Note;
    K064 k064_emulated_instructions Note Armhf;
    K065 k065_int80 Note I386;
    K066 k066_some_cores Note Armhf;
    K070 k070_module_ioctl Risk;
    K080 k080_compat_compiler Slow Armhf;
    K081 k081_clang_without_lld Slow Armhf;
    K082 k082_arm_toolchain Fails Armhf;
    K083 k083_fragment Risk Armhf;
    K084 k084_multilib Fails;
    K085 k085_multilib_packages Fails;
    K086 k086_old_variable Risk Armhf;
    K087 k087_time32_build Risk;
}
