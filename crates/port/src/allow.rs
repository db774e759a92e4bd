//! Findings that somebody has looked at and allowed: in a comment beside them, or in a file of its own.
//!
//! ```c
//! int key = (int)p; // biarch: allow P001 only the hash of the address is kept
//! ```
//!
//! The comment stands in a line of the finding or above it. A line of a file is a rule, the files' paths (`*` is any text, also
//! with slashes), and the reason: `P010 src/gui/*.c no window has so many pixels`.

use anyhow::{Context, Result, ensure};
use findings::{Suppression, SuppressionKind};
use glob::Pattern;
use std::ops::RangeInclusive;

/// A line of a file that allows findings.
#[derive(Clone, Debug)]
pub struct Allowed {
    rule: String,
    files: Pattern,
    reason: String,
    /// Of the line itself.
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) text: String,
}

impl Allowed {
    /// Reads a file, which is called `name`.
    ///
    /// # Errors
    /// Where a line is none of these.
    pub fn parse(name: &str, text: &str) -> Result<Vec<Self>> {
        let mut all = Vec::new();
        for (line, text) in (1..).zip(text.lines()) {
            let trimmed = text.trim();
            if trimmed.is_empty() || trimmed.starts_with('#') {
                continue;
            }
            let mut words = trimmed.split_whitespace();
            let (rule, files) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
            let reason = words.collect::<Vec<_>>().join(" ");
            ensure!(
                !reason.is_empty(),
                "{name}:{line}: a line is a rule, a path and a reason: `P010 src/*.c sizes are small here`"
            );
            let files = Pattern::new(files).with_context(|| format!("{name}:{line}: {files} is no pattern of paths"))?;
            all.push(Self { rule: rule.to_owned(), files, reason, file: name.to_owned(), line, text: text.to_owned() });
        }
        Ok(all)
    }

    /// What it says of a finding of this rule in a file that is known by these paths.
    pub(crate) fn allows(&self, rule: &str, paths: &[&str]) -> Option<Suppression> {
        let is_meant = rule == self.rule && paths.iter().any(|path| self.files.matches(path));
        is_meant.then(|| Suppression { kind: SuppressionKind::External, reason: self.reason.clone() })
    }

    /// Why it can never do anything.
    pub(crate) fn fault(&self) -> Option<String> {
        unknown(&self.rule)
    }

    pub(crate) fn rule(&self) -> &str {
        &self.rule
    }
}

fn unknown(rule: &str) -> Option<String> {
    crate::rules().all(|known| known.id != rule).then(|| format!("there is no rule {rule}"))
}

/// A comment that allows findings, or tries to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Comment {
    /// Bytes from the beginning of the file.
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// The lines that it speaks of.
    lines: RangeInclusive<u32>,
    pub(crate) rules: Vec<String>,
    reason: String,
}

impl Comment {
    /// What it says of a finding in these lines.
    pub(crate) fn allows(&self, rule: &str, lines: &RangeInclusive<u32>) -> Option<Suppression> {
        let is_there = self.lines.start() <= lines.end() && lines.start() <= self.lines.end();
        let is_meant = is_there && self.rules.iter().any(|allowed| allowed == rule);
        (is_meant && !self.reason.is_empty())
            .then(|| Suppression { kind: SuppressionKind::InSource, reason: self.reason.clone() })
    }

    /// Why it can never do anything.
    pub(crate) fn fault(&self) -> Option<String> {
        if self.rules.is_empty() {
            return Some("`biarch:` is followed by `allow`, a rule and a reason".to_owned());
        }
        self.rules.iter().find_map(|rule| unknown(rule)).or_else(|| {
            let no_reason = || format!("{} is allowed without a reason, and so is not", self.rules.join(", "));
            self.reason.is_empty().then(no_reason)
        })
    }
}

/// The text of a file of C with blanks for its comments.
pub(crate) fn without_comments(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for Span { start, end, .. } in lex(text.as_bytes()).0 {
        let inner = bytes.get_mut(start..end).into_iter().flatten();
        inner.filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// What the comments of a file allow.
pub(crate) fn comments(text: &[u8]) -> Vec<Comment> {
    // Most files say nothing, and need not be read closely.
    if !contains(text, MARK) {
        return Vec::new();
    }
    let (spans, code) = lex(text);
    let mut found = Vec::new();
    for Span { start, end, first, last } in spans {
        let inner = String::from_utf8_lossy(text.get(start..end).unwrap_or_default());
        let inner = inner.replace("\\\n", " ").replace("\\\r\n", " ");
        let inner = inner.trim_start_matches(|c: char| "/*!<".contains(c) || c.is_whitespace()).trim_end_matches("*/");
        let Some(said) = inner.lines().next().and_then(|line| line.strip_prefix("biarch:")) else { continue };
        let beside = [first, last].iter().any(|line| code.binary_search(line).is_ok());
        let below = code.get(code.partition_point(|line| *line <= last)).copied();
        let lines = if beside { first..=last } else { below.map_or(last..=last, |line| line..=line) };
        let (rules, reason) = said.trim_start().strip_prefix("allow ").map(split).unwrap_or_default();
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        found.push(Comment { start: offset(start), end: offset(end), lines, rules, reason });
    }
    found
}

const MARK: &[u8] = b"biarch:";

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

/// `P014, P015 the reason`
fn split(said: &str) -> (Vec<String>, String) {
    let mut rules = Vec::new();
    let mut rest = said.trim_start();
    loop {
        let end = rest.find(|c: char| c == ',' || c.is_whitespace()).unwrap_or(rest.len());
        let (rule, more) = rest.split_at(end);
        rules.extend((!rule.is_empty()).then(|| rule.to_owned()));
        let more = more.trim_start();
        match more.strip_prefix(',') {
            Some(more) => rest = more.trim_start(),
            None => return (rules, more.split_whitespace().collect::<Vec<_>>().join(" ")),
        }
    }
}

/// A comment: its bytes and its lines.
struct Span {
    start: usize,
    end: usize,
    first: u32,
    last: u32,
}

/// The comments of a file, and the lines that have something else.
fn lex(text: &[u8]) -> (Vec<Span>, Vec<u32>) {
    let (mut spans, mut code) = (Vec::new(), Vec::new());
    let (mut at, mut line) = (0, 1_u32);
    let find = |from: usize, part: &[u8]| {
        let rest = text.get(from..).unwrap_or_default();
        rest.windows(part.len()).position(|window| window == part).map_or(text.len(), |found| from + found + part.len())
    };
    while let Some(&byte) = text.get(at) {
        let rest = text.get(at..).unwrap_or_default();
        let is_comment = rest.starts_with(b"//") || rest.starts_with(b"/*");
        let end = match byte {
            b'/' if rest.starts_with(b"/*") => find(at + 2, b"*/"),
            b'/' if is_comment => {
                let mut end = at;
                loop {
                    let next = find(end, b"\n");
                    end = next;
                    // A backslash joins the next line.
                    let before = text.get(at..next.saturating_sub(1)).unwrap_or_default();
                    if next == text.len() || !before.strip_suffix(b"\r").unwrap_or(before).ends_with(b"\\") {
                        break if text.get(at..next).is_some_and(|all| all.ends_with(b"\n")) { next - 1 } else { next };
                    }
                }
            }
            b'"' if text.get(..at).is_some_and(|before| before.ends_with(b"R")) => {
                let delimiter = rest.get(1..).unwrap_or_default().split(|byte| *byte == b'(').next().unwrap_or_default();
                if delimiter.len() <= 16 { find(at, &[b")", delimiter, b"\""].concat()) } else { at + 1 }
            }
            // 1'000 is a number.
            b'\'' if text.get(..at).is_some_and(is_number) => at + 1,
            b'"' | b'\'' => literal(text, at),
            _ => at + 1,
        };
        let first = line;
        let ends = text.get(at..end).map_or(0, |part| part.iter().filter(|byte| **byte == b'\n').count());
        line = line.saturating_add(u32::try_from(ends).unwrap_or(u32::MAX));
        if is_comment {
            spans.push(Span { start: at, end, first, last: line });
        } else if !byte.is_ascii_whitespace() {
            code.extend((first..=line).filter(|line| code.last() != Some(line)).collect::<Vec<_>>());
        }
        at = end;
    }
    (spans, code)
}

/// Whether this ends in the middle of a number.
fn is_number(before: &[u8]) -> bool {
    let word = before.rsplit(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_' && *byte != b'\'').next();
    word.and_then(<[u8]>::first).is_some_and(u8::is_ascii_digit)
}

/// The end of a string or character that begins here; that of the line, if it has none.
fn literal(text: &[u8], start: usize) -> usize {
    let (quote, mut at) = (text.get(start), start + 1);
    while let Some(byte) = text.get(at) {
        match byte {
            b'\\' => at += 2,
            b'\n' => return at,
            byte if Some(byte) == quote => return at + 1,
            _ => at += 1,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::{Allowed, comments};

    fn lines(text: &str, rule: &str) -> Vec<u32> {
        let comments = comments(text.as_bytes());
        (1..=20).filter(|line| comments.iter().any(|comment| comment.allows(rule, &(*line..=*line)).is_some())).collect()
    }

    #[test]
    fn a_comment_speaks_of_its_line_or_of_the_one_below() {
        for (text, wanted) in [
            ("x; // biarch: allow P001 why\ny;\n", vec![1]),
            ("x; /* biarch: allow P001 why */ y;\nz;", vec![1]),
            ("// biarch: allow P001 why\n\n// more\nx;\ny;\n", vec![4]),
            ("// biarch: allow P001 why\n/* biarch: allow P002 why */\nx;\ny;\n", vec![3]),
            ("/*\n * biarch: allow P001 why\n * and why\n */\nx;\n", vec![5]),
            ("x; // biarch: allow P002, P001 why\r\ny;\r\n", vec![1]),
            ("x; // biarch: allow P002,P001\n", vec![]),
            ("x; // biarch: allow P001 \\\n why\ny;\n", vec![1, 2]),
            ("x; // biarch:allow P001 why", vec![1]),
            ("x; // biarch: allow P0011 why", vec![]),
            ("x(\"// biarch: allow P001 why\");\n", vec![]),
            ("x('\"'); // biarch: allow P001 why\n", vec![1]),
            ("x(1'000'000); // biarch: allow P001 why\n", vec![1]),
            ("x(R\"(\" // )\"); // biarch: allow P001 why\n", vec![1]),
            ("it's; // biarch: allow P001 why\ny;\nx; // biarch: allow P001 why\n", vec![3]),
            ("#define X \\\n  x // biarch: allow P001 why\n", vec![2]),
            ("// see biarch: allow P001 why\nx;\n", vec![]),
        ] {
            assert_eq!(lines(text, "P001"), wanted, "{text:?}");
        }
    }

    #[test]
    fn what_does_nothing_says_why() {
        let fault = |text: &str| comments(text.as_bytes()).remove(0).fault();
        assert_eq!(fault("// biarch: allow P001 why"), None);
        for (text, part) in [("// biarch: allow P999 why", "no rule P999"), ("// biarch: allow P001", "without a reason")] {
            assert!(fault(text).is_some_and(|fault| fault.contains(part)), "{text}: {:?}", fault(text));
        }
        assert!(fault("// biarch: ignore this").is_some_and(|fault| fault.contains("`allow`")));
    }

    #[test]
    fn any_bytes_have_comments_or_not() {
        for text in
            ["biarch: /", "biarch: /*", "biarch: //", "biarch: \"\\", "biarch: '", "biarch: R\"", "biarch: R\"(", "//biarch:\\"]
        {
            for end in 0..=text.len() {
                comments(&text.as_bytes()[..end]);
            }
        }
    }

    #[test]
    fn a_file_allows_by_rule_and_path() {
        let all = Allowed::parse("allowed", "# no\n\nP010 src/*.c sizes are small\nP001 *x.h by design\n").unwrap_or_default();
        let allows = |rule: &str, path: &str| all.iter().any(|one| one.allows(rule, &[path]).is_some());
        assert!(allows("P010", "src/a.c") && allows("P010", "src/b/a.c") && allows("P001", "a/x.h"));
        assert!(!allows("P001", "src/a.c") && !allows("P010", "lib/src/a.c") && !allows("P010", "src/a.cc"));
        let error = Allowed::parse("allowed", "P010 *\n").map_err(|error| error.to_string()).err();
        assert!(error.is_some_and(|error| error.starts_with("allowed:1: ")));
        assert!(Allowed::parse("allowed", "P010 [ why\n").is_err());
    }
}
