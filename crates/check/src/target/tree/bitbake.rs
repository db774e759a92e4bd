//! What is needed of BitBake's language: assignments with their operators and overrides, and what is included and inherited.
//! Functions are passed over, and Python in values is not evaluated.

use crate::tree::Said;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// Bytes of one value; a longer one is cut.
const MAX_VALUE: usize = 32 << 10;
/// Bytes that are put together for one value, with all that it refers to.
const MAX_WORK: usize = 1 << 20;
/// References inside references.
const MAX_DEPTH: usize = 8;

/// How a value is assigned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    /// `=`
    Set,
    /// `:=`, whose value is expanded at once
    Now,
    /// `?=`
    Default,
    /// `??=`
    Weak,
    /// `+=` and `.=`, with what goes between
    Behind(&'static str),
    /// `=+` and `=.`, with what goes between
    Before(&'static str),
    /// `:append`
    Append,
    /// `:prepend`
    Prepend,
    /// `:remove`
    Remove,
}

/// One assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Assignment {
    pub(super) name: String,
    /// What is behind the name: it only counts if all of them are active.
    pub(super) overrides: Vec<String>,
    pub(super) operator: Operator,
    pub(super) value: String,
    pub(super) exported: bool,
    /// Whether the overrides are in the syntax of before BitBake 1.52.
    pub(super) old: bool,
    pub(super) line: usize,
    /// The line as it is, for quoting.
    pub(super) text: String,
    /// The same with the name of its file, once that is known.
    pub(super) said: Option<Said>,
}

/// What a line says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Statement {
    Assignment(Assignment),
    /// `include` and `require`
    Include {
        path: String,
        line: usize,
        text: String,
    },
    /// `inherit`, or `INHERIT` as a statement of recipes
    Inherit {
        classes: String,
        line: usize,
        text: String,
    },
}

/// Reads a file.
pub(super) fn parse(text: &str) -> Vec<Statement> {
    let mut statements = Vec::new();
    let mut lines = text.lines().enumerate();
    let mut function = false;
    while let Some((number, line)) = lines.next() {
        if function {
            function = line.trim_end() != "}";
            continue;
        }
        if line.starts_with('#') || line.starts_with([' ', '\t']) || line.is_empty() {
            continue;
        }
        let mut whole = line.to_owned();
        while whole.ends_with('\\') && whole.len() < MAX_VALUE {
            whole.pop();
            match lines.next() {
                Some((_, next)) => whole.push_str(next),
                None => break,
            }
        }
        let text = line.trim_end_matches('\\').trim().to_owned();
        let number = number + 1;
        let argument = |word: &str| whole.strip_prefix(word).filter(|rest| rest.starts_with([' ', '\t'])).map(str::trim);
        if let Some(path) = argument("include").or_else(|| argument("require")).or_else(|| argument("include_all")) {
            statements.push(Statement::Include { path: path.to_owned(), line: number, text });
        } else if let Some(classes) = argument("inherit").or_else(|| argument("inherit_defer")) {
            statements.push(Statement::Inherit { classes: classes.to_owned(), line: number, text });
        } else if let Some(mut assignment) = assignment(&whole) {
            assignment.line = number;
            assignment.text = text;
            statements.push(Statement::Assignment(assignment));
        } else if whole.trim_end().ends_with('{') && whole.contains('(') {
            function = true;
        }
    }
    statements
}

fn assignment(line: &str) -> Option<Assignment> {
    let (exported, line) = match line.strip_prefix("export ") {
        Some(rest) => (true, rest.trim_start()),
        None => (false, line),
    };
    let is_name = |c: char| c.is_ascii_alphanumeric() || "-_+.${}/~:".contains(c);
    // The operator begins at the first character that is part of no name; the last one of `:=` and `.=` is in the name.
    let end = line.find(|c| !is_name(c)).unwrap_or(line.len());
    let (mut name, rest) = line.split_at_checked(end)?;
    let rest = rest.trim_start();
    let mut operator = None;
    for (sign, found) in [
        ("??=", Operator::Weak),
        ("?=", Operator::Default),
        (":=", Operator::Now),
        ("+=", Operator::Behind(" ")),
        (".=", Operator::Behind("")),
        ("=+", Operator::Before(" ")),
        ("=.", Operator::Before("")),
        ("=", Operator::Set),
    ] {
        // `A.="x"` without a blank: the sign's first character looks like a part of the name.
        let (first, last) = sign.split_at(sign.len() - 1);
        if let Some(after) = rest.strip_prefix(sign) {
            operator = Some((found, after));
            break;
        } else if let (Some(stem), Some(after)) = (name.strip_suffix(first), rest.strip_prefix(last)) {
            if !first.is_empty() && sign.len() == 2 && last == "=" {
                name = stem;
                operator = Some((found, after));
                break;
            }
        }
    }
    let (mut operator, value) = operator?;
    let value = value.trim();
    let quote = value.chars().next().filter(|c| *c == '"' || *c == '\'')?;
    let value = value.get(1..)?;
    let value = value.strip_suffix(quote).unwrap_or(value);
    let old =
        name.contains("_virtclass-multilib-") || ["_append", "_prepend", "_remove"].iter().any(|word| contains_word(name, word));
    let mut name = name.replace("_virtclass-multilib-", ":virtclass-multilib-");
    for word in ["append", "prepend", "remove"] {
        if contains_word(&name, &format!("_{word}")) {
            name = name.replacen(&format!("_{word}"), &format!(":{word}"), 1);
            if let Some((head, tail)) = name.split_once(&format!(":{word}_")) {
                name = format!("{head}:{word}:{tail}");
            }
        }
    }
    let mut parts = name.split(':').map(str::to_owned);
    let name = parts.next().filter(|name| !name.is_empty())?;
    let mut overrides = Vec::new();
    for part in parts {
        match part.as_str() {
            "append" => operator = Operator::Append,
            "prepend" => operator = Operator::Prepend,
            "remove" => operator = Operator::Remove,
            _ => overrides.push(part),
        }
    }
    let value = cut(&[value]);
    Some(Assignment { name, overrides, operator, value, exported, old, line: 0, text: String::new(), said: None })
}

/// Whether `word` is at the end of `name` or before an underscore: `_append` in `A_append` and `A_append_qemuarm64`.
fn contains_word(name: &str, word: &str) -> bool {
    name.ends_with(word) || name.contains(&format!("{word}_")) || name.contains(&format!("{word}:"))
}

/// The values of variables, from assignments in the order in which BitBake would read them.
#[derive(Clone, Debug, Default)]
pub(super) struct Values {
    assignments: BTreeMap<String, Vec<Assignment>>,
    /// The overrides that are known to be active.
    pub(super) active: BTreeSet<String>,
}

impl Values {
    pub(super) fn add(&mut self, mut assignment: Assignment) {
        if assignment.operator == Operator::Now {
            assignment.value = self.expand(&assignment.value);
            assignment.operator = Operator::Set;
        }
        self.assignments.entry(assignment.name.clone()).or_default().push(assignment);
    }

    /// All assignments to a variable, in order.
    pub(super) fn all(&self, name: &str) -> impl Iterator<Item = &Assignment> {
        self.assignments.get(name).into_iter().flatten()
    }

    /// The first assignment to `name` whose value has `word`.
    pub(super) fn with_word(&self, name: &str, word: &str) -> Option<&Assignment> {
        self.all(name).find(|assignment| assignment.value.split_ascii_whitespace().any(|other| other == word))
    }

    /// The value, references to other variables replaced. Nothing where it is not set.
    pub(super) fn get(&self, name: &str) -> Option<String> {
        self.value(name, &self.active, &Cell::new(MAX_WORK), 0)
    }

    /// The same with one more override active.
    pub(super) fn get_with(&self, name: &str, active: &str) -> Option<String> {
        let mut all = self.active.clone();
        all.insert(active.to_owned());
        self.value(name, &all, &Cell::new(MAX_WORK), 0)
    }

    /// Replaces `${NAME}`. What is unknown, or Python, stays as it is.
    pub(super) fn expand(&self, text: &str) -> String {
        self.expanded(text, &self.active, &Cell::new(MAX_WORK), 0)
    }

    fn value(&self, name: &str, active: &BTreeSet<String>, fuel: &Cell<usize>, depth: usize) -> Option<String> {
        let counts = |assignment: &&Assignment| assignment.overrides.iter().all(|part| active.contains(part));
        let all = self.assignments.get(name)?;
        fuel.set(fuel.get().saturating_sub(all.len() + 64));
        let all: Vec<&Assignment> = all.iter().filter(counts).collect();
        let (mut value, mut weak): (Option<String>, Option<&str>) = (None, None);
        // More overrides are more specific than fewer, wherever they are.
        let mut specific = 0;
        for assignment in &all {
            let text = assignment.value.as_str();
            match assignment.operator {
                Operator::Set if assignment.overrides.len() >= specific => {
                    specific = assignment.overrides.len();
                    value = Some(text.to_owned());
                }
                Operator::Default if value.is_none() => value = Some(text.to_owned()),
                Operator::Weak => weak = Some(text),
                Operator::Behind(blank) => value = Some(cut(&[value.as_deref().unwrap_or_default(), blank, text])),
                Operator::Before(blank) => value = Some(cut(&[text, blank, value.as_deref().unwrap_or_default()])),
                _ => {}
            }
        }
        let mut value = value.or_else(|| weak.map(str::to_owned));
        // These come when everything else is done.
        for assignment in &all {
            let (text, old) = (assignment.value.as_str(), value.as_deref().unwrap_or_default());
            match assignment.operator {
                Operator::Append => value = Some(cut(&[old, text])),
                Operator::Prepend => value = Some(cut(&[text, old])),
                _ => {}
            }
        }
        let value = value?;
        fuel.set(fuel.get().saturating_sub(value.len()));
        let mut value = self.expanded(&value, active, fuel, depth);
        for assignment in all.iter().filter(|assignment| assignment.operator == Operator::Remove) {
            let gone = self.expanded(&assignment.value, active, fuel, depth);
            let gone: BTreeSet<&str> = gone.split_ascii_whitespace().collect();
            value = value.split_ascii_whitespace().filter(|word| !gone.contains(word)).collect::<Vec<_>>().join(" ");
        }
        Some(value)
    }

    fn expanded(&self, text: &str, active: &BTreeSet<String>, fuel: &Cell<usize>, depth: usize) -> String {
        let mut done = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("${") {
            done.push_str(before);
            // Values that refer to each other many times over would take for ever.
            let reference = after.split_once('}').filter(|_| depth < MAX_DEPTH && fuel.get() > 0);
            let Some((name, tail)) = reference else {
                done.push_str("${");
                rest = after;
                continue;
            };
            match self.value(name, active, fuel, depth + 1) {
                Some(value) => done.push_str(&value),
                None => done.extend(["${", name, "}"]),
            }
            rest = tail;
        }
        cut(&[&done, rest])
    }
}

/// The parts as one value of limited length.
fn cut(parts: &[&str]) -> String {
    let mut value = parts.concat();
    if value.len() > MAX_VALUE {
        let end = (0..=MAX_VALUE).rev().find(|at| value.is_char_boundary(*at)).unwrap_or(0);
        value.truncate(end);
    }
    value
}

#[cfg(test)]
mod tests {
    use super::{Statement, Values, parse};

    fn values(text: &str, active: &[&str]) -> Values {
        let mut values = Values { active: active.iter().map(|part| (*part).to_owned()).collect(), ..Values::default() };
        for statement in parse(text) {
            if let Statement::Assignment(assignment) = statement {
                values.add(assignment);
            }
        }
        values
    }

    #[test]
    fn operators_do_what_bitbake_does() {
        let cases = include_str!("../../../tests/bitbake/values.txt").split("--- ").skip(1);
        for (wanted, text) in cases.filter_map(|case| case.split_once('\n')) {
            let value = values(text, &["arm"]).get("A").unwrap_or_default();
            assert!(value.split_whitespace().eq(wanted.split_whitespace()), "{value:?} of:\n{text}");
        }
    }

    #[test]
    fn names_of_before_1_52() {
        for (text, wanted) in [("A_append = \" 2\"\nA = \"1\"\n", "1 2"), ("A = \"1\"\nA_append_arm = \"2\"\n", "12")] {
            assert_eq!(values(text, &["arm"]).get("A").as_deref(), Some(wanted), "{text}");
        }
    }

    #[test]
    fn values_that_refer_to_themselves_end() {
        let mut text = String::from("A = \"${A}${B}\"\n");
        let many = "${A}".repeat(1000);
        text.push_str(&format!("B = \"{many}\"\n"));
        assert!(values(&text, &[]).get("A").is_some());
    }
}
