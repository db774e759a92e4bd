//! Findings in source text: where exactly, how sure, and what it is for either word size.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// How sure it is that a finding is one. A later one is surer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Confidence {
    /// It depends on values that nobody knows; often it is harmless.
    Possible,
    /// It is wrong unless something unusual makes it right.
    Probable,
    /// It is wrong.
    Certain,
}

impl Confidence {
    /// All of them, the surest first.
    pub const ALL: [Self; 3] = [Self::Certain, Self::Probable, Self::Possible];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Possible => "possible",
            Self::Probable => "probable",
            Self::Certain => "certain",
        }
    }

    /// The next that is less sure; of the least the same.
    #[must_use]
    pub fn lower(self) -> Self {
        match self {
            Self::Certain => Self::Probable,
            Self::Possible | Self::Probable => Self::Possible,
        }
    }
}

/// A place in a file of source; the file is the finding's target.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
pub struct Source {
    /// From 1.
    pub line: u32,
    /// Bytes from the beginning of the line, from 1.
    pub column: u32,
    /// The column after the last one, in the same line.
    pub end_column: u32,
    /// The line.
    pub text: String,
    /// Those above and those below; for a person, and not part of the formats.
    #[serde(skip)]
    pub around: [Vec<String>; 2],
    /// How sure it is.
    pub confidence: Confidence,
    /// What it is for 32 bits.
    pub narrow: String,
    /// What it is for 64.
    pub wide: String,
    /// The declaration or macro that is to blame, where it is one: findings that share it are repaired there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<Because>,
    /// Where else a macro has put the same text: one repair, so one finding.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub uses: Vec<Place>,
    /// Whether those of the same rule with the same words in the same file are shown to a person as one with it.
    #[serde(skip)]
    pub folds: bool,
    /// Who has said that it is no fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suppression: Option<Suppression>,
    /// What repairs it, all of them together; nothing, where a person has to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edits: Vec<Edit>,
}

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
pub struct Place {
    /// As the target of a finding.
    pub file: String,
    /// From 1.
    pub line: u32,
}

/// What is to blame for a finding.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
pub struct Because {
    /// Where it is.
    #[serde(flatten)]
    pub place: Place,
    /// As "`int key`", in words and C.
    pub what: String,
    /// Whether it is a macro, which is then the finding's real place.
    pub is_macro: bool,
}

/// A finding that somebody has looked at and allowed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
pub struct Suppression {
    /// Where that is said.
    pub kind: SuppressionKind,
    /// Why, in the words of who has allowed it.
    pub reason: String,
}

/// Where a finding is allowed; the names are those of SARIF.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum SuppressionKind {
    /// In a comment beside it.
    InSource,
    /// In a file of its own.
    External,
}

impl SuppressionKind {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::InSource => "inSource",
            Self::External => "external",
        }
    }
}

/// A piece of a file that is to be replaced.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
pub struct Edit {
    /// As the target of a finding.
    pub file: String,
    /// Where the file is; not part of the formats, as it is another on every machine.
    #[serde(skip)]
    pub path: PathBuf,
    /// Bytes from the beginning of the file.
    pub start: u32,
    /// The byte after the last one; that of [`start`](Self::start), where something is only added.
    pub end: u32,
    /// What it is replaced by.
    pub text: String,
}
