//! Findings in source text: where exactly, how sure, and what it is for either word size.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
    /// How sure it is.
    pub confidence: Confidence,
    /// What it is for 32 bits.
    pub narrow: String,
    /// What it is for 64.
    pub wide: String,
}
