//! What a rule has found, and how bad it is. The rules are in the crates that know the facts; the formats are in `ui`.

pub mod baseline;
pub mod patch;
mod progress;
pub mod source;

use baseline::BaselineState;
pub use patch::{Patch, Step};
pub use progress::Progress;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
pub use source::{Because, Confidence, Edit, Place, Source, Suppression, SuppressionKind};
use std::cmp::Reverse;
use std::collections::HashMap;

/// How bad a finding is: what the user will feel. A later one is worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing; nothing goes wrong.
    Note,
    /// Some programs fail, or may.
    Risk,
    /// Programs work, and take many times longer than they need.
    Slow,
    /// Programs do not start, or stop, or compute wrong results.
    Fails,
}

impl Severity {
    /// All of them, the worst first.
    pub const ALL: [Self; 4] = [Self::Fails, Self::Slow, Self::Risk, Self::Note];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Risk => "risk",
            Self::Slow => "slow",
            Self::Fails => "fails",
        }
    }
}

/// The 32-bit programs that somebody may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Guest {
    /// 32-bit ARM, whatever its calling convention.
    Armhf,
    /// i386
    I386,
}

impl Guest {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Armhf, Self::I386];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Armhf => "armhf",
            Self::I386 => "i386",
        }
    }
}

/// What is said about a rule, all of it in one text: a title, then sections, each a heading with text below it.
///
/// The text is the documentation of the rule's own file, so that there is one place for it.
#[derive(Clone, Copy, Debug)]
pub struct Documentation {
    /// The source file, which begins with lines of `//!`.
    pub source: &'static str,
}

impl Documentation {
    /// The sections that every rule has.
    pub const SECTIONS: [&'static str; 4] = ["What", "Why", "Fix", "References"];

    fn lines(self) -> impl Iterator<Item = &'static str> {
        let lines = self.source.lines().map_while(|line| line.strip_prefix("//!"));
        lines.map(|line| line.strip_prefix(' ').unwrap_or(line))
    }

    /// The first line.
    #[must_use]
    pub fn title(self) -> &'static str {
        self.lines().next().unwrap_or_default()
    }

    /// The text below the heading `name`, with its line breaks. What is between fences is indented instead.
    #[must_use]
    pub fn section(self, name: &str) -> String {
        let heading = |line: &'static str| line.strip_prefix("# ");
        let below = self.lines().skip_while(|line| heading(line) != Some(name)).skip(1);
        let mut text = String::new();
        let mut fenced = false;
        // A line of a fenced configuration may look like a heading.
        for line in below {
            if line.starts_with("```") {
                fenced = !fenced;
                continue;
            } else if !fenced && heading(line).is_some() {
                break;
            }
            if fenced && !line.is_empty() {
                text.push_str("    ");
            }
            text.push_str(line);
            text.push('\n');
        }
        text.trim_matches('\n').to_owned()
    }

    /// The names of the sections, in order.
    #[must_use]
    pub fn sections(self) -> Vec<&'static str> {
        let mut fenced = false;
        let outside = self.lines().filter(move |line| {
            fenced ^= line.starts_with("```");
            !fenced
        });
        outside.filter_map(|line| line.strip_prefix("# ")).collect()
    }
}

/// A rule as it is registered.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// Its stable name, such as `K001`. A rule that is given up takes its id with it.
    pub id: &'static str,
    /// How bad its findings are, unless a finding says otherwise.
    pub severity: Severity,
    /// The programs that it concerns.
    pub guests: &'static [Guest],
    /// What it says about itself.
    pub documentation: Documentation,
}

/// One thing that goes wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Finding {
    /// The rule's id.
    pub rule: &'static str,
    /// The same in every run that finds the same thing, wherever the target is; see [`baseline`].
    pub fingerprint: String,
    /// Whether it was found before; nothing, where there is no baseline to tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline_state: Option<BaselineState>,
    /// How bad it is here.
    pub severity: Severity,
    /// The file, or the kernel, that it is about.
    pub target: String,
    /// What is wrong, in one line.
    pub message: String,
    /// What was seen.
    pub evidence: String,
    /// Why it matters.
    pub cause: String,
    /// What to do about it.
    pub fix: String,
    /// The same as something that can be applied, where there is such a thing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub patch: Option<Patch>,
    /// Where exactly, if it is in source text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
}

impl Finding {
    /// How sure it is; what is not in source text is.
    #[must_use]
    pub fn confidence(&self) -> Confidence {
        self.source.as_ref().map_or(Confidence::Certain, |source| source.confidence)
    }

    /// What is to blame for it, where that is one thing.
    #[must_use]
    pub fn because(&self) -> Option<&Because> {
        self.source.as_ref()?.because.as_ref()
    }

    /// Whether both are shown to a person as one.
    #[must_use]
    pub fn folds_with(&self, other: &Self) -> bool {
        self.folded().is_some() && self.folded() == other.folded()
    }

    /// What those have in common that are shown as one, and have no cause that is one.
    fn folded(&self) -> Option<(&'static str, &str, &str)> {
        let folds = self.source.as_ref().is_some_and(|source| source.folds && source.because.is_none());
        folds.then_some((self.rule, self.target.as_str(), self.message.as_str()))
    }

    /// Whether it counts: no baseline has it, and nobody has allowed it.
    #[must_use]
    pub fn is_open(&self) -> bool {
        let is_allowed = self.source.as_ref().is_some_and(|source| source.suppression.is_some());
        self.baseline_state != Some(BaselineState::Unchanged) && !is_allowed
    }
}

/// What could not be looked at.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Unchecked {
    /// What was not.
    pub what: String,
    /// Why.
    pub because: String,
}

/// What was looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Target {
    /// As it was given.
    pub name: String,
    /// What it is, in one line.
    pub description: String,
}

/// The result of a look at some targets.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Report {
    /// What was looked at.
    pub targets: Vec<Target>,
    /// What was found, the worst first.
    pub findings: Vec<Finding>,
    /// What was not looked at.
    pub not_checked: Vec<Unchecked>,
    /// What the baseline has and is not found any more; nothing, where there is no baseline.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub absent: Option<Vec<Absent>>,
}

/// A finding of an earlier report that is gone.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Absent {
    /// The rule's id.
    pub rule: String,
    /// That of the finding.
    pub fingerprint: String,
    /// The file, or the kernel, that it was about.
    pub target: String,
    /// What was wrong.
    pub message: String,
}

impl Report {
    /// Puts everything in the order in which it is shown: the same facts give the same bytes.
    pub fn sort(&mut self) {
        // Of what is to blame for much, one repair is worth more than any other.
        let mut places: HashMap<(&'static str, Because), usize> = HashMap::new();
        let mut folded: HashMap<(&'static str, String, String), usize> = HashMap::new();
        let owned = |(rule, target, message): (&'static str, &str, &str)| (rule, target.to_owned(), message.to_owned());
        for finding in self.findings.iter().filter(|finding| finding.is_open()) {
            if let Some(because) = finding.because() {
                *places.entry((finding.rule, because.clone())).or_default() += 1;
            } else if let Some(same) = finding.folded() {
                *folded.entry(owned(same)).or_default() += 1;
            }
        }
        self.findings.sort_by_cached_key(|finding| {
            let sure = (finding.severity == Severity::Note, Reverse(finding.confidence()), Reverse(finding.severity));
            let because = finding.because().cloned();
            let same = finding.folded().map(owned);
            let group = because.as_ref().and_then(|because| places.get(&(finding.rule, because.clone())));
            let group = group.or_else(|| folded.get(same.as_ref()?));
            // Those that are the same are beside each other.
            let same = same.filter(|_| group.is_some_and(|count| *count > 1));
            let place = finding.source.as_ref().map(|source| (source.line, source.column));
            let place = (finding.target.clone(), place, finding.message.clone());
            (sure, finding.rule, Reverse(group.copied().unwrap_or(1)), because.is_none(), because, same, place)
        });
        self.findings.dedup();
        self.not_checked.sort();
        self.not_checked.dedup();
    }

    /// The patches, each once, with the ids of the rules that it is for.
    #[must_use]
    pub fn patches(&self) -> Vec<(&Patch, Vec<&'static str>)> {
        let mut patches: Vec<(&Patch, Vec<&'static str>)> = Vec::new();
        for finding in &self.findings {
            let Some(patch) = &finding.patch else { continue };
            match patches.iter_mut().find(|(other, _)| *other == patch) {
                Some((_, rules)) if rules.contains(&finding.rule) => {}
                Some((_, rules)) => rules.push(finding.rule),
                None => patches.push((patch, vec![finding.rule])),
            }
        }
        patches
    }

    /// The findings that count.
    pub fn new_findings(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.is_open())
    }

    /// 1 where a finding that counts is at least `level`, else 2 where something could not be looked at, else 0.
    #[must_use]
    pub fn exit_status(&self, level: Severity) -> u8 {
        self.exit_status_of(level, Confidence::Possible)
    }

    /// The same, where only what is at least so sure counts.
    #[must_use]
    pub fn exit_status_of(&self, level: Severity, least: Confidence) -> u8 {
        if self.new_findings().any(|finding| finding.severity >= level && finding.confidence() >= least) {
            1
        } else if self.not_checked.is_empty() {
            0
        } else {
            2
        }
    }
}

/// A text that somebody else has written, for a message: of a long one about `most` bytes are left, for its beginning says what it is
/// and its end what is wrong with it.
#[must_use]
pub fn brief(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let up = |at: usize| (at..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
    let (head, tail) = (up(most / 2), up(text.len() - most / 2));
    format!("{} … {}", text.get(..head).unwrap_or_default(), text.get(tail..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::brief;

    #[test]
    fn of_a_long_text_the_beginning_and_the_end_are_left() {
        assert_eq!(brief("short", 5), "short");
        let long = format!("begin{}end", "ä".repeat(1000));
        let short = brief(&long, 21);
        assert!(short.starts_with("begin") && short.ends_with("end") && short.contains(" … ") && short.len() < 40, "{short}");
        assert!(brief("äää", 0).len() < 10);
    }
}
