//! The rules: one file each, registered by one row here.
//!
//! The documentation at the head of a rule's file is what `biarch explain` prints, and its example is a test: what is under "Bad"
//! must give a finding and what is under "Good" must not.

use crate::ast::Diagnostic;
use crate::ast::Place;
use crate::files::File;
use crate::tree::{Expression, Tree};
use serde::{Deserialize, Serialize};
use findings::{Confidence, Documentation, Guest, Rule, Severity};

/// What a rule wants to see.
pub(crate) enum Visit {
    /// Every expression that is converted to another type, written or not; the argument is the conversion.
    Conversion(fn(Expression<'_>, &mut Found<'_>)),
    /// Every node of the tree.
    Node(fn(Expression<'_>, &mut Found<'_>)),
    /// What the compiler says for 64 bits and not for 32.
    Diagnostic(fn(&Tree<'_>, &Diagnostic, &mut Found<'_>)),
    /// Every file of the project that says something about how it is built, and every source as text: all branches of its `#if`s.
    File(fn(&File<'_>, &mut Found<'_>)),
}

/// A rule, and what it does.
pub(crate) struct Row {
    pub(crate) rule: Rule,
    pub(crate) visit: Visit,
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

/// Where a rule puts what it has found.
pub(crate) struct Found<'a> {
    rule: &'static Rule,
    is_own: &'a dyn Fn(&str) -> bool,
    hits: &'a mut Vec<Hit>,
}

impl Found<'_> {
    /// Adds a finding at an expression, unless it is in a file of the system, or was put here by a macro of the system.
    pub(crate) fn add(&mut self, at: Expression<'_>, message: impl Into<String>, sides: [String; 2]) -> Option<&mut Hit> {
        self.add_at(at.unit(), at.place(), message, sides)
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
            rule: self.rule,
            severity: self.rule.severity,
            confidence: Confidence::Probable,
            path: path.to_owned(),
            start: place.start,
            end: place.end,
            message: message.into(),
            sides,
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
        self.hits.push(Hit {
            rule: self.rule,
            severity: self.rule.severity,
            confidence: Confidence::Probable,
            path: file.path.to_owned(),
            start: u32::try_from(start).ok()?,
            end: u32::try_from(end).ok()?,
            message: message.into(),
            sides,
        });
        self.hits.last_mut()
    }
}

/// Applies every rule about files as text.
pub(crate) fn apply_to_file(file: &File<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for row in ROWS {
        if let Visit::File(look) = row.visit {
            look(file, &mut Found { rule: &row.rule, is_own: &|_| true, hits: &mut hits });
        }
    }
    hits
}

/// Applies every rule to a file. `is_own` says of a path whether it belongs to what is analysed.
pub(crate) fn apply(tree: &Tree<'_>, new: &[Diagnostic], is_own: &dyn Fn(&str) -> bool) -> Vec<Hit> {
    let mut hits = Vec::new();
    for node in tree.nodes() {
        let is_conversion = node.converted().is_some();
        for row in ROWS {
            let look = match row.visit {
                Visit::Conversion(look) if is_conversion => look,
                Visit::Node(look) => look,
                _ => continue,
            };
            look(node, &mut Found { rule: &row.rule, is_own, hits: &mut hits });
        }
    }
    for diagnostic in new {
        for row in ROWS {
            if let Visit::Diagnostic(look) = row.visit {
                look(tree, diagnostic, &mut Found { rule: &row.rule, is_own, hits: &mut hits });
            }
        }
    }
    hits
}

/// A row: id, file, severity.
macro_rules! rules {
    ($($id:ident $module:ident $severity:ident;)*) => {
        $(mod $module;)*
        pub(crate) static ROWS: &[Row] = &[$(Row {
            rule: Rule {
                id: stringify!($id),
                severity: Severity::$severity,
                guests: &Guest::ALL,
                documentation: Documentation { source: include_str!(concat!("rules/", stringify!($module), ".rs")) },
            },
            visit: $module::VISIT,
        },)*];
    };
}

rules! {
    P001 p001_pointer_to_int Fails;
    P002 p002_int_to_pointer Fails;
    P010 p010_narrowed Risk;
    P024 p024_constant Fails;
    P030 p030_format Fails;
    P070 p070_config_guess Fails;
    P071 p071_loader_path Fails;
    P072 p072_host_directory Risk;
    P073 p073_machine_flag Fails;
    P074 p074_libtool Fails;
    P075 p075_uname Fails;
    P077 p077_host_library Fails;
    P080 p080_assembly_file Fails;
    P081 p081_inline_assembly Fails;
    P082 p082_architecture_list Fails;
}
