//! The rules: one file each, registered by one row here.
//!
//! The documentation at the head of a rule's file is what `biarch explain` prints, and its example is a test: what is under "Bad"
//! must give a finding and what is under "Good" must not.

use crate::ast::Diagnostic;
use crate::ast::Place;
use crate::ast::kind::Kind;
use crate::blame::{self, Because};
use crate::boundary::Crossing;
use crate::files::File;
use crate::fix::Proposal;
use crate::pair::{NARROW, WIDE};
use crate::sources::Sources;
use crate::symbols::{Candidate, Lookup, Signature};
use crate::tree::{Expression, Tree};
use findings::{Confidence, Documentation, Guest, Rule, Severity};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

/// What a rule wants to see.
pub(crate) enum Visit {
    /// Every expression that is converted to another type, written or not; the argument is the conversion.
    Conversion(fn(Expression<'_>, &mut Found<'_>)),
    /// The whole tree, where what is in one place says something of another.
    Tree(fn(&Tree<'_>, &mut Found<'_>)),
    /// Every node of these kinds.
    Node(&'static [Kind], fn(Expression<'_>, &mut Found<'_>)),
    /// What leaves the program; the first rule that wants it has it.
    Crossing(fn(&Crossing<'_>) -> bool),
    /// What is looked up by its name and called, with the functions that it may be.
    Lookup(for<'a> fn(&'a Tree<'a>) -> Vec<Asked<'a>>, fn(&Lookup, &[Candidate]) -> Option<Hit>),
    /// What the compiler says for 64 bits and not for 32.
    Diagnostic(fn(&Tree<'_>, &Diagnostic, &mut Found<'_>)),
    /// Every file of the project that says something about how it is built, and every source as text: all branches of its `#if`s.
    File(fn(&File<'_>, &mut Found<'_>)),
    /// What is wrong with what allows findings: `allow.rs` looks at it when all findings are known.
    Allowance,
    /// More than one of these.
    Several(&'static [Visit]),
}

/// A rule, and what it does.
pub(crate) struct Row {
    pub(crate) rule: Rule,
    pub(crate) visit: Visit,
    /// Whether it speaks of the build: whoever builds the project for the new architecture meets it.
    is_of_build: bool,
}

/// Whether whoever builds the project for the new architecture meets what this rule speaks of.
pub(crate) fn is_of_build(rule: &Rule) -> bool {
    ROWS.iter().any(|row| row.is_of_build && row.rule.id == rule.id)
}

/// Whether it is about what the compiler says.
pub(crate) fn is_of_compiler(rule: &Rule) -> bool {
    ROWS.iter().any(|row| matches!(row.visit, Visit::Diagnostic(_)) && row.rule.id == rule.id)
}

/// All that rules want to see.
fn visits() -> impl Iterator<Item = (&'static Rule, &'static Visit)> {
    ROWS.iter().flat_map(|row| {
        let visits = if let Visit::Several(all) = &row.visit { all } else { std::slice::from_ref(&row.visit) };
        visits.iter().map(|visit| (&row.rule, visit))
    })
}

/// Something that a rule has found in one file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Hit {
    #[serde(with = "by_id")]
    pub(crate) rule: &'static Rule,
    pub(crate) severity: Severity,
    pub(crate) confidence: Confidence,
    pub(crate) path: String,
    /// Bytes from the beginning of the file.
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) message: String,
    /// What it is for 32 bits, and for 64.
    pub(crate) sides: [String; 2],
    /// The file and offset of the text, where a macro has put it here.
    pub(crate) macro_text: Option<(String, u32)>,
    /// The declaration that is to blame.
    pub(crate) because: Option<Because>,
    /// Whether others with the same words in the same file are shown as one with it.
    pub(crate) folds: bool,
    /// What repairs it, if all of it is done; `--fix` offers it if it compiles for both sides.
    pub(crate) edits: Vec<Proposal>,
}

impl Hit {
    /// What a rule has found there, as sure and as bad as it mostly is.
    pub(crate) fn new(rule: &'static Rule, path: &str, place: Range<u32>, message: impl Into<String>) -> Self {
        Self {
            rule,
            severity: rule.severity,
            confidence: Confidence::Probable,
            path: path.to_owned(),
            start: place.start,
            end: place.end,
            message: message.into(),
            sides: Default::default(),
            macro_text: None,
            because: None,
            folds: false,
            edits: Vec::new(),
        }
    }
}

/// A rule in what is kept of earlier runs.
mod by_id {
    use super::{ROWS, Rule};
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::Serializer;

    pub(super) fn serialize<S: Serializer>(rule: &&'static Rule, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(rule.id)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<&'static Rule, D::Error> {
        let id = String::deserialize(from)?;
        let found = ROWS.iter().map(|row| &row.rule).find(|rule| rule.id == id);
        found.ok_or_else(|| D::Error::custom("no such rule"))
    }
}

/// A function of another file that a rule asks for, and how sure it is if that has another type than what is called.
pub(crate) struct Asked<'a> {
    pub(crate) at: Expression<'a>,
    pub(crate) name: &'a str,
    pub(crate) called: Signature,
    pub(crate) confidence: Confidence,
}

/// Where a rule puts what it has found.
pub(crate) struct Found<'a> {
    rule: &'static Rule,
    is_own: &'a dyn Fn(&str) -> bool,
    hits: &'a mut Vec<Hit>,
}

impl Found<'_> {
    /// Adds a finding at an expression, unless it is in a file of the system, or was put here by a macro of the system.
    pub(crate) fn add(&mut self, at: Expression<'_>, message: impl Into<String>, sides: [String; 2]) -> Option<&mut Hit> {
        let is_own = self.is_own;
        if at.is_measured() || at.is_dead(WIDE) {
            return None;
        }
        let hit = self.add_at(at.unit(), at.place(), message, sides)?;
        hit.because = blame::of(at, is_own);
        if !blame::is_macros_own(at) {
            hit.macro_text = None;
        }
        Some(hit)
    }

    /// The same, with how sure it is where all types are known.
    pub(crate) fn report(
        &mut self,
        at: Expression<'_>,
        confidence: Confidence,
        message: impl Into<String>,
        sides: [String; 2],
    ) -> Option<&mut Hit> {
        let hit = self.add(at, message, sides)?;
        // What is for 64 bits alone was mostly written with them in mind. Of a function that is damaged it is not known what it does before.
        let is_statement = |outer: Expression<'_>| outer.kind() >= Kind::UnexposedStatement && outer.kind() != Kind::Other;
        let is_open = at.is_dead(NARROW) || at.is_damaged() || at.ancestors().last().is_some_and(is_statement);
        hit.confidence = if is_open { Confidence::Possible } else { at.doubt(confidence) };
        Some(hit)
    }

    /// The same, at a place.
    pub(crate) fn add_at(
        &mut self,
        unit: &crate::ast::Unit,
        place: Place,
        message: impl Into<String>,
        sides: [String; 2],
    ) -> Option<&mut Hit> {
        let path = unit.file(place.file);
        let own = (self.is_own)(path) && place.macro_text.is_none_or(|(file, _)| file.0 == 0 || (self.is_own)(unit.file(file)));
        if !own {
            return None;
        }
        self.hits.push(Hit {
            sides,
            macro_text: place.macro_text.filter(|(file, _)| file.0 != 0).map(|(file, at)| (unit.file(file).to_owned(), at)),
            ..Hit::new(self.rule, path, place.start..place.end, message)
        });
        self.hits.last_mut()
    }
}

impl Found<'_> {
    /// The same, in a file that was not parsed.
    pub(crate) fn add_text(
        &mut self,
        file: &File<'_>,
        (start, end): (usize, usize),
        message: impl Into<String>,
        sides: [String; 2],
    ) -> Option<&mut Hit> {
        let place = u32::try_from(start).ok()?..u32::try_from(end).ok()?;
        self.hits.push(Hit { sides, ..Hit::new(self.rule, file.path, place, message) });
        self.hits.last_mut()
    }
}

/// Applies every rule about files as text.
pub(crate) fn apply_to_file(file: &File<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for (rule, visit) in visits() {
        if let Visit::File(look) = visit {
            look(file, &mut Found { rule, is_own: &|_| true, hits: &mut hits });
        }
    }
    hits
}

/// Applies every rule to a file. `is_own` says of a path whether it belongs to what is analysed.
pub(crate) fn apply(tree: &Tree<'_>, new: &[Diagnostic], is_own: &dyn Fn(&str) -> bool) -> Vec<Hit> {
    let mut hits = Vec::new();
    let (mut of_conversion, mut of_kind) = (Vec::new(), HashMap::<Kind, Vec<_>>::new());
    for (rule, visit) in visits() {
        match visit {
            Visit::Conversion(look) => of_conversion.push((rule, look)),
            Visit::Node(kinds, look) => kinds.iter().for_each(|&kind| of_kind.entry(kind).or_default().push((rule, look))),
            _ => {}
        }
    }
    for node in tree.nodes() {
        // To read a variable is a conversion too, to its own type.
        let is_conversion = node.converted().is_some_and(|inner| !node.types().is_same(inner.types()));
        let looks = if is_conversion { Some(&of_conversion) } else { of_kind.get(&node.kind()) };
        for (rule, look) in looks.into_iter().flatten() {
            look(node, &mut Found { rule, is_own, hits: &mut hits });
        }
    }
    for (rule, visit) in visits() {
        if let Visit::Tree(look) = visit {
            look(tree, &mut Found { rule, is_own, hits: &mut hits });
        }
    }
    for diagnostic in new {
        for (rule, visit) in visits() {
            if let Visit::Diagnostic(look) = visit {
                look(tree, diagnostic, &mut Found { rule, is_own, hits: &mut hits });
            }
        }
    }
    hits
}

/// What is looked up in a file and called, where it is the project's: what is found there depends on other files.
pub(crate) fn lookups(tree: &Tree<'_>, is_own: &dyn Fn(&str) -> bool) -> Vec<Lookup> {
    let mut waiting = Vec::new();
    for (rule, visit) in visits() {
        let Visit::Lookup(find, _) = visit else { continue };
        for Asked { at, name, called, confidence } in find(tree) {
            let mut hits = Vec::new();
            Found { rule, is_own, hits: &mut hits }.report(at, confidence, "", [String::new(), String::new()]);
            waiting.extend(hits.into_iter().map(|hit| Lookup { name: name.to_owned(), called: called.clone(), hit }));
        }
    }
    waiting
}

/// The findings about what is looked up, when all files are known.
pub(crate) fn apply_to_lookups(lookups: &[(&Lookup, Vec<Candidate>)]) -> Vec<Hit> {
    let of = |(lookup, candidates): &(&Lookup, Vec<Candidate>)| {
        let looks = |(rule, visit): (&Rule, &Visit)| match visit {
            Visit::Lookup(_, look) if rule.id == lookup.hit.rule.id => look(lookup, candidates),
            _ => None,
        };
        visits().filter_map(looks).collect::<Vec<_>>()
    };
    lookups.iter().flat_map(of).collect()
}

/// The findings about what leaves the program, one for each place and type: each of them is to be repaired, and allowed, by itself.
pub(crate) fn apply_to_crossings(crossings: &[Crossing<'_>]) -> Vec<Hit> {
    let mut known = BTreeSet::new();
    let mut hits = Vec::new();
    for crossing in crossings {
        let wants = |(_, visit): &(_, &Visit)| matches!(visit, Visit::Crossing(wants) if wants(crossing));
        let Some((rule, _)) = visits().find(wants) else { continue };
        let (path, start, end) = crossing.place();
        let hit = Hit {
            confidence: crossing.confidence(),
            sides: crossing.object.sides.clone(),
            because: crossing.object.because.clone(),
            folds: true,
            ..Hit::new(rule, path, start..end, crossing.message())
        };
        if known.insert((hit.path.clone(), hit.start, hit.message.clone())) {
            hits.push(hit);
        }
    }
    hits
}

/// What two rules have found in one line for one reason is one finding.
pub(crate) fn fold(hits: Vec<Hit>, sources: &mut Sources) -> Vec<Hit> {
    let hits = p083_refused::fold(hits, sources);
    p040_magic_size::fold(hits, sources)
}

/// A row: id, file, severity, and `build` where it speaks of that.
macro_rules! rules {
    (@) => { false };
    (@ build) => { true };
    ($($id:ident $module:ident $severity:ident $($of:ident)?;)*) => {
        $(mod $module;)*
        pub(crate) static ROWS: &[Row] = &[$(Row {
            rule: Rule {
                id: stringify!($id),
                severity: Severity::$severity,
                guests: &Guest::ALL,
                documentation: Documentation { source: include_str!(concat!("rules/", stringify!($module), ".rs")) },
            },
            visit: $module::VISIT,
            is_of_build: rules!(@ $($of)?),
        },)*];
    };
}

rules! {
    P001 p001_pointer_to_int Fails;
    P002 p002_int_to_pointer Fails;
    P003 p003_implicit_declaration Fails;
    P004 p004_variadic Fails;
    P005 p005_out_parameter Fails;
    P006 p006_union Fails;
    P007 p007_no_prototype Fails;
    P008 p008_kernel_width Fails;
    P009 p009_x11_property Fails;
    P010 p010_narrowed Risk;
    P011 p011_compound Risk;
    P012 p012_time Risk;
    P020 p020_shift Fails;
    P021 p021_product Risk;
    P022 p022_mask Fails;
    P023 p023_comparison Fails;
    P024 p024_constant Fails;
    P025 p025_sign Fails;
    P026 p026_word Fails;
    P027 p027_hash Fails;
    P028 p028_difference Fails;
    P029 p029_limits Risk;
    P030 p030_format Fails;
    P031 p031_own_format Fails;
    P032 p032_text Fails;
    P040 p040_magic_size Fails;
    P041 p041_sizeof Fails;
    P042 p042_copied Fails;
    P043 p043_function_type Fails;
    P044 p044_thread Fails;
    P045 p045_word_view Fails;
    P046 p046_va_list Fails;
    P050 p050_layout_leaves Fails;
    P051 p051_value_leaves Fails;
    P052 p052_time_leaves Fails;
    P053 p053_ioctl_number Risk;
    P054 p054_packed Fails;
    P055 p055_char_sign Fails;
    P056 p056_union Fails;
    P057 p057_fixed_offset Fails;
    P058 p058_structure_cast Fails;
    P060 p060_overload Risk;
    P061 p061_archive Fails;
    P062 p062_override Fails;
    P070 p070_config_guess Fails;
    P071 p071_loader_path Fails;
    P072 p072_host_directory Risk;
    P073 p073_machine_flag Fails build;
    P074 p074_libtool Fails build;
    P075 p075_uname Fails build;
    P077 p077_host_library Fails;
    P078 p078_library_directory Risk build;
    P080 p080_assembly_file Fails build;
    P081 p081_inline_assembly Fails build;
    P082 p082_architecture_list Fails build;
    P083 p083_refused Fails build;
    P084 p084_assembly_operand Fails build;
    P090 p090_allowance Note;
}
