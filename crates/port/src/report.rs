//! From what the rules have found in each file to the report: everything once, with what is to blame, and without what is allowed.

use crate::allow::{self, Comment};
use crate::blame::Because;
use crate::fix::{Repairs, Replacement};
use crate::project::{self, Project};
use crate::rules::{Hit, ROWS, Visit};
use crate::sources::{Sources, Text};
use crate::{Analysed, Options};
use crate::{automake, boundary, built, packaged, rules, symbols, uncalled};
use findings::{Confidence, Edit, Finding, Place, Report, Rule, Source, Suppression, Target};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// The report of what has been found.
pub(crate) fn of(options: &Options, project: &Project, version: &str, results: Vec<Analysed>, repairs: &Repairs) -> Report {
    let mut making =
        Making { options, project, repairs, sources: Sources::default(), comments: BTreeMap::new(), used: HashSet::new() };
    let mut report = Report::default();
    let failed = results.iter().filter(|result| result.failed).count();
    let partial = results.iter().filter(|result| !result.failed && result.is_partial()).count();
    let files = project.compilations.len();
    let count = match (files, project.named().len()) {
        // Build files alone: nothing of them is compiled.
        (0, 1) => "1 file as text".to_owned(),
        (0, named) => format!("{named} files as text"),
        // Nothing found in what could not be read is no good news.
        _ if partial > 0 => format!("{} of {files} files, {partial} of them only in part", files - failed),
        _ => format!("{} of {files} files", files - failed),
    };
    let description = format!("{count}, {}, {}", options.pair.name().replace(':', " to "), version);
    report.targets.push(Target { name: project.name.clone(), description });
    report.not_checked.extend(project.unchecked.iter().cloned());
    let (mut hits, mut summaries, mut symbols, mut names) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let in_part = results.iter().zip(&project.compilations).filter(|(result, _)| result.failed || result.is_partial());
    let in_part: HashSet<&str> = in_part.map(|(_, of)| of.file.as_str()).collect();
    let is_beside =
        |path: &str| project.trees().iter().any(|tree| Path::new(path).strip_prefix(tree).is_ok_and(built::is_beside));
    let programs =
        results.iter().zip(&project.compilations).filter(|(of, at)| of.summary.has_main() && !is_beside(&at.file)).count();
    let mut whole: HashSet<String> = HashSet::new();
    for result in results {
        report.not_checked.extend(result.unchecked);
        for path in result.files {
            if !in_part.contains(path.as_str()) {
                whole.insert(path.clone());
            }
            making.comments.entry(path).or_default();
        }
        hits.extend(result.hits);
        summaries.push(result.summary);
        symbols.push(result.symbols);
        names.push(result.names);
    }
    hits.extend(rules::apply_to_crossings(&boundary::join(&summaries, programs)));
    hits.extend(rules::apply_to_lookups(&symbols::join(&symbols)));
    let is_guessed = project.compilations.iter().any(|of| !of.is_configured(options));
    uncalled::lower(&mut hits, &names, project, &whole, is_guessed);
    packaged::lower(&mut hits, project, options.pair, is_guessed);
    // What is in a header is found by each file that includes it, and is as sure as where most is seen of how it is used.
    hits.sort_by_key(|hit| Reverse(hit.confidence));
    // What automake compiles for tests alone, by the directory.
    let mut tests: HashMap<PathBuf, HashSet<String>> = HashMap::new();
    let mut is_test = |path: &Path| {
        let (Some(directory), Some(name)) = (path.parent(), path.file_name()) else { return false };
        let read = |makefile: PathBuf| Some(automake::of_tests(&String::from_utf8_lossy(&fs::read(makefile).ok()?)));
        let of = |directory: &PathBuf| read(directory.join("Makefile.am")).unwrap_or_default();
        project.is_in_tree(path) && tests.entry(directory.to_owned()).or_insert_with_key(of).contains(&*name.to_string_lossy())
    };
    let sure = hits.iter_mut().filter(|hit| hit.confidence > Confidence::Possible);
    for hit in sure.filter(|hit| is_beside(&hit.path) || is_test(Path::new(&hit.path))) {
        hit.confidence = hit.confidence.lower();
    }
    let mut seen = HashSet::new();
    hits.retain(|hit: &Hit| seen.insert((hit.rule.id, hit.path.clone(), hit.start, hit.message.clone())));
    let mut hits = rules::fold(hits, &mut making.sources);
    hits.sort_by(|a, b| (&a.path, a.start).cmp(&(&b.path, b.start)));
    for path in making.comments.keys().cloned().collect::<Vec<_>>() {
        let comments = allow::comments(making.sources.text(&path).bytes());
        making.comments.insert(path, comments);
    }
    // What a macro does is one finding, wherever it is used.
    let mut by_macro = HashMap::new();
    for hit in &hits {
        let (finding, macro_text) = making.finding(hit);
        let Some(place) = macro_text.map(|place| (hit.rule.id, place, hit.message.clone())) else {
            report.findings.push(finding);
            continue;
        };
        match by_macro.get(&place).and_then(|at: &usize| report.findings.get_mut(*at)).and_then(|first| first.source.as_mut()) {
            Some(first) => add_use(first, finding),
            None => {
                by_macro.insert(place, report.findings.len());
                report.findings.push(finding);
            }
        }
    }
    report.findings.extend(making.unused());
    for unchecked in &mut report.not_checked {
        if unchecked.what.starts_with('/') {
            unchecked.what = project.relative_link(Path::new(&unchecked.what));
        }
        (unchecked.what, unchecked.because) = (project::brief(&unchecked.what), project::brief(&unchecked.because));
    }
    report.sort();
    findings::baseline::mark(&mut report, &project.shown());
    report
}

/// Adds a place to the finding of a macro, which is as sure as the surest place, and only allowed if every place is.
fn add_use(first: &mut Source, finding: Finding) {
    let Some(source) = finding.source else { return };
    let place = Place { file: finding.target, line: source.line };
    first.confidence = first.confidence.max(source.confidence);
    if !first.uses.contains(&place) {
        first.uses.push(place);
    }
    if source.suppression.is_none() {
        first.suppression = None;
    }
}

struct Making<'a> {
    options: &'a Options,
    project: &'a Project,
    /// What was tried, and is good.
    repairs: &'a Repairs,
    sources: Sources,
    /// Of each file that is the project's.
    comments: BTreeMap<String, Vec<Comment>>,
    /// What has allowed something: a file and its comment, or the position of a line of a file of its own; and the rule.
    used: HashSet<(Option<String>, usize, &'static str)>,
}

impl Making<'_> {
    /// The finding, and the place of the text of the macro that is to blame.
    fn finding(&mut self, hit: &Hit) -> (Finding, Option<(String, u32)>) {
        let mut start = hit.start;
        let mut macro_text = None;
        if let Some((path, at)) = &hit.macro_text {
            match defined(self.sources.text(path), *at) {
                Some((name, line)) => macro_text = Some((path.clone(), *at, name, line)),
                // An argument of a macro is where it is written.
                None if *path == hit.path && (hit.start..hit.end.max(hit.start + 1000)).contains(at) => start = *at,
                None => {}
            }
        }
        let text = self.sources.text(&hit.path);
        let (line, column) = text.position(start);
        let (end_line, end_column) = text.position(hit.end.max(start));
        let (shown, around) =
            (text.line(line), [line.saturating_sub(2).max(1)..line, line + 1..line + 3].map(|lines| text.lines(lines)));
        let end = if end_line == line { end_column } else { u32::try_from(shown.len() + 1).unwrap_or(u32::MAX) };
        let [narrow, wide] = hit.sides.clone();
        let documentation = hit.rule.documentation;
        let target = self.project.relative(Path::new(&hit.path));
        let because = match &macro_text {
            Some((path, _, name, line)) => Some(findings::Because {
                place: Place { file: self.project.relative(Path::new(path)), line: *line },
                what: format!("macro `{name}`"),
                is_macro: true,
            }),
            None => hit.because.as_ref().map(|because| self.because(because)),
        };
        let at = macro_text.as_ref().map(|(path, _, _, line)| (path.as_str(), *line));
        let suppression = self.suppression(hit.rule, (&hit.path, line..=end_line), &target, at);
        let edits = self.repairs.get(&(hit.rule.id, hit.path.clone(), hit.start, hit.message.clone()));
        let edit = |edit: &Replacement| Edit {
            file: self.project.relative(Path::new(&edit.path)),
            path: edit.path.clone().into(),
            start: edit.start,
            end: edit.end,
            text: edit.text.clone(),
        };
        let source = Source {
            line,
            column,
            end_column: end.max(column + 1),
            text: shown,
            around,
            confidence: hit.confidence,
            narrow,
            wide,
            because,
            uses: Vec::new(),
            folds: hit.folds,
            suppression,
            edits: edits.into_iter().flatten().map(edit).collect(),
        };
        let finding = Finding {
            rule: hit.rule.id,
            fingerprint: String::new(),
            baseline_state: None,
            severity: hit.severity,
            target,
            message: hit.message.clone(),
            evidence: format!("32-bit: {}; 64-bit: {}", source.narrow, source.wide),
            cause: documentation.section("Why"),
            fix: documentation.section("Fix"),
            patch: None,
            source: Some(source),
        };
        (finding, macro_text.map(|(path, at, _, _)| (path, at)))
    }

    fn because(&mut self, because: &Because) -> findings::Because {
        let (line, _) = self.sources.text(&because.path).position(because.start);
        let place = Place { file: self.project.relative(Path::new(&because.path)), line };
        findings::Because { place, what: because.what.clone(), is_macro: false }
    }

    /// Who allows a finding at this place, which may come from a macro at that line.
    fn suppression(
        &mut self,
        rule: &'static Rule,
        place: (&str, RangeInclusive<u32>),
        target: &str,
        of_macro: Option<(&str, u32)>,
    ) -> Option<Suppression> {
        let mut found = None;
        for (path, lines) in [Some(place), of_macro.map(|(path, line)| (path, line..=line))].into_iter().flatten() {
            for (at, comment) in self.comments.get(path).into_iter().flatten().enumerate() {
                if let Some(suppression) = comment.allows(rule.id, &lines) {
                    self.used.insert((Some(path.to_owned()), at, rule.id));
                    found.get_or_insert(suppression);
                }
            }
        }
        let within = self.project.within(target);
        for (at, allowed) in self.options.allowed.iter().enumerate() {
            if let Some(suppression) = allowed.allows(rule.id, &[target, within]) {
                self.used.insert((None, at, rule.id));
                found.get_or_insert(suppression);
            }
        }
        found
    }

    /// Findings about what allows nothing.
    fn unused(&mut self) -> Vec<Finding> {
        let Some(row) = ROWS.iter().find(|row| matches!(row.visit, Visit::Allowance)) else { return Vec::new() };
        let comments = std::mem::take(&mut self.comments);
        let mut notes = Vec::new();
        for (path, comments) in &comments {
            for (at, comment) in comments.iter().enumerate() {
                let idle = comment.rules.iter().find(|rule| {
                    !self.used.iter().any(|(file, number, used)| file.as_ref() == Some(path) && *number == at && used == rule)
                });
                let Some(message) = comment.fault().or_else(|| idle.map(|rule| format!("{rule} is allowed and not there")))
                else {
                    continue;
                };
                let hit =
                    Hit { confidence: Confidence::Certain, ..Hit::new(&row.rule, path, comment.start..comment.end, message) };
                notes.push(self.finding(&hit).0);
            }
        }
        for (at, allowed) in self.options.allowed.iter().enumerate() {
            let is_used = self.used.iter().any(|(file, number, _)| file.is_none() && *number == at);
            let idle = (!is_used).then(|| format!("{} is allowed and not there", allowed.rule()));
            let Some(message) = allowed.fault().or(idle) else { continue };
            let hit = Hit { confidence: Confidence::Certain, ..Hit::new(&row.rule, "", 0..0, message) };
            let (mut finding, _) = self.finding(&hit);
            finding.target.clone_from(&allowed.file);
            if let Some(source) = &mut finding.source {
                (source.line, source.text) = (allowed.line, allowed.text.clone());
                source.end_column = u32::try_from(allowed.text.len()).unwrap_or(u32::MAX).saturating_add(1);
            }
            notes.push(finding);
        }
        notes
    }
}

/// The name of the macro whose text has this offset, and the line where it is defined; nothing, if it is not in a macro's text.
fn defined(text: &Text, at: u32) -> Option<(String, u32)> {
    let (mut line, _) = text.position(at);
    while line > 1 && text.line(line - 1).ends_with('\\') {
        line -= 1;
    }
    let first = text.line(line);
    let rest = first.trim_start().strip_prefix('#')?.trim_start().strip_prefix("define")?.trim_start();
    let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    (!name.is_empty()).then_some((name, line))
}
