//! One HTML file that needs nothing else: no script, no picture, no network. It has what the text report has, in its order, and
//! all of it: what is much is folded.

use super::report::{SHOWN, by_advice, counts, known, short_names, thousands};
use crate::wrap;
use findings::{Finding, Report, Rule, Severity};
use std::collections::HashSet;
use std::fmt::{self, Display, Formatter};
use std::io::{self, Write};

/// Writes `report`; `rules` are all that were applied. With `explain` it has all that they say about themselves.
///
/// # Errors
/// Whatever `out` returns.
pub fn write(report: &Report, rules: &[&Rule], explain: bool, out: &mut dyn Write) -> io::Result<()> {
    let findings: Vec<&Finding> = report.new_findings().collect();
    let summary = match findings.is_empty() {
        true if report.absent.is_some() => "nothing new found".to_owned(),
        true => "nothing found".to_owned(),
        false => counts(&findings),
    };
    begin("biarch check", &summary, "", out)?;
    if let Some(known) = known(report) {
        writeln!(out, "<p>{known}</p>")?;
    }
    definitions(report.targets.iter().map(|target| (&target.name, &target.description)), out)?;
    if !findings.is_empty() {
        writeln!(out, "<h2>Findings</h2>\n<ul class=\"findings\">")?;
        let names = short_names(report, &findings);
        for group in findings.chunk_by(|a, b| (a.severity, a.rule) == (b.severity, b.rule)) {
            folded(group, SHOWN, "li", &|finding, out| line(finding, names.get(finding.target.as_str()), out), out)?;
        }
        writeln!(out, "</ul>\n<h2>Causes and fixes</h2>")?;
    }
    // Where a rule has two pieces of advice, its name leads to the first.
    let mut anchors = HashSet::new();
    for group in by_advice(&findings) {
        explained(&group, rules, explain, &mut anchors, out)?;
    }
    if !report.not_checked.is_empty() {
        writeln!(out, "<h2>Not checked, because</h2>")?;
        definitions(report.not_checked.iter().map(|unchecked| (&unchecked.what, &unchecked.because)), out)?;
    }
    end(out)
}

/// The beginning of a page about what `command` has found; `style` is added to that of all pages.
pub(super) fn begin(command: &str, summary: &str, style: &str, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{HEAD}<title>{command}: {}</title>\n<style>\n{STYLE}{style}</style>\n</head>\n<body>", Text(summary))?;
    writeln!(out, "<h1>{command}</h1>\n<p class=\"summary\">{}</p>", Text(summary))
}

/// The end of a page.
pub(super) fn end(out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "<footer>biarch {}</footer>\n</body>\n</html>", env!("CARGO_PKG_VERSION"))
}

pub(super) fn definitions<'a>(all: impl Iterator<Item = (&'a String, &'a String)>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "<dl>")?;
    for (term, description) in all {
        writeln!(out, "<dt>{}</dt>\n<dd>{}</dd>", Text(term), Text(description))?;
    }
    writeln!(out, "</dl>")
}

/// Writes an `element` for each of `all`, those behind the first few folded.
pub(super) fn folded<T>(
    all: &[T],
    limit: usize,
    element: &str,
    content: &dyn Fn(&T, &mut dyn Write) -> io::Result<()>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (shown, rest) = all.split_at_checked(limit).filter(|(_, rest)| rest.len() > 1).unwrap_or((all, &[]));
    let each = |part: &[T], out: &mut dyn Write| {
        part.iter().try_for_each(|one| {
            write!(out, "<{element}>")?;
            content(one, out)?;
            writeln!(out, "</{element}>")
        })
    };
    each(shown, out)?;
    if !rest.is_empty() {
        writeln!(out, "<{element}><details><summary>and {} more like this</summary>\n<ul>", thousands(rest.len()))?;
        each(rest, out)?;
        writeln!(out, "</ul></details></{element}>")?;
    }
    Ok(())
}

/// One finding in one line.
fn line(finding: &Finding, target: Option<&&str>, out: &mut dyn Write) -> io::Result<()> {
    badge(finding.severity, out)?;
    let rule = Text(finding.rule);
    write!(out, " <a href=\"#{rule}\">{rule}</a> ")?;
    if let Some(target) = target {
        write!(out, "<span class=\"target\">{}</span> ", Text(target))?;
    }
    write!(out, "{}", Text(&finding.message))
}

pub(super) fn badge(severity: Severity, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "<b class=\"{0}\">{0}</b>", severity.name())
}

fn explained<'a>(
    group: &[&'a Finding],
    rules: &[&Rule],
    explain: bool,
    anchors: &mut HashSet<&'a str>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let Some(first) = group.first() else { return Ok(()) };
    let rule = rules.iter().find(|rule| rule.id == first.rule);
    // What is only worth knowing is folded.
    let open = if first.severity == Severity::Note { "" } else { " open" };
    let anchor = if anchors.insert(first.rule) { format!(" id=\"{}\"", Text(first.rule)) } else { String::new() };
    write!(out, "<details class=\"rule\"{anchor}{open}>\n<summary>")?;
    badge(first.severity, out)?;
    let title = rule.map_or("", |rule| rule.documentation.title());
    writeln!(out, " {} <span>{}</span></summary>", Text(first.rule), Text(title))?;
    let mut known = HashSet::new();
    let evidence = group.iter().map(|finding| finding.evidence.as_str());
    let evidence: Vec<&str> = evidence.filter(|text| !text.is_empty() && known.insert(*text)).collect();
    if !evidence.is_empty() {
        writeln!(out, "<h3>Seen</h3>\n<ul>")?;
        folded(&evidence, SHOWN, "li", &|text, out| write!(out, "{}", Text(text)), out)?;
        writeln!(out, "</ul>")?;
    }
    let whole = rule.filter(|_| explain);
    let own = |heading: &str| whole.map(|rule| rule.documentation.section(heading)).unwrap_or_default();
    for (heading, text) in [("Why", &first.cause), ("Fix", &first.fix)] {
        if *text != own(heading) {
            section(heading, text, out)?;
        }
    }
    for heading in whole.iter().flat_map(|rule| rule.documentation.sections()) {
        section(heading, &own(heading), out)?;
    }
    writeln!(out, "</details>")
}

pub(super) fn section(heading: &str, text: &str, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "<h3>{}</h3>", Text(heading))?;
    let paragraphs = wrap::paragraphs(text);
    for part in paragraphs.chunk_by(|a, b| kind(a) == kind(b)) {
        match part.first().map(|first| kind(first)) {
            Some("pre") => {
                let lines: Vec<&str> = part.iter().map(|line| line.get(4..).unwrap_or(line)).collect();
                writeln!(out, "<pre>{}</pre>", Text(&lines.join("\n")))?;
            }
            Some("ul") => {
                writeln!(out, "<ul>")?;
                for item in part {
                    writeln!(out, "<li>{}</li>", Prose(item.strip_prefix("- ").unwrap_or(item)))?;
                }
                writeln!(out, "</ul>")?;
            }
            _ => part.iter().try_for_each(|paragraph| writeln!(out, "<p>{}</p>", Prose(paragraph)))?,
        }
    }
    Ok(())
}

/// The element that a paragraph is in.
fn kind(paragraph: &str) -> &'static str {
    match paragraph {
        _ if paragraph.starts_with("    ") => "pre",
        _ if paragraph.starts_with("- ") => "ul",
        _ => "p",
    }
}

/// A text, of which nothing is markup, wherever in the file it is.
pub(crate) struct Text<'a>(pub(crate) &'a str);

impl Display for Text<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                // HTML has no way to write these.
                c if c.is_control() && c != '\n' => write!(f, "{}", c.escape_default())?,
                c => write!(f, "{c}")?,
            }
        }
        Ok(())
    }
}

/// A rule's own text, in which what is between backquotes is to be typed.
pub(super) struct Prose<'a>(pub(super) &'a str);

impl Display for Prose<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let parts: Vec<&str> = self.0.split('`').collect();
        let paired = parts.len() % 2 == 1;
        for (index, part) in parts.iter().enumerate() {
            match (paired, index % 2) {
                (true, 1) => write!(f, "<code>{}</code>", Text(part))?,
                (false, _) if index > 0 => write!(f, "`{}", Text(part))?,
                _ => write!(f, "{}", Text(part))?,
            }
        }
        Ok(())
    }
}

/// Nothing may be loaded or run, whatever gets into the file.
const HEAD: &str = r#"<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="script-src 'none'; object-src 'none'; img-src 'none';
 font-src 'none'; media-src 'none'; connect-src 'none'; frame-src 'none'; form-action 'none'; base-uri 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
"#;

const STYLE: &str = "\
:root { --text: #1d2125; --soft: #57606a; --page: #fff; --box: #f5f6f8; --line: #d5d9de; --link: #0a58ca;
  --fails: #b3261e; --slow: #9a4f00; --risk: #7a6200; --note: #1f6c86; --badge: #fff }
@media (prefers-color-scheme: dark) {
  :root { --text: #e3e6ea; --soft: #9aa4af; --page: #15181c; --box: #1f2329; --line: #363c44; --link: #7db1ff;
    --fails: #ff8a80; --slow: #ffb066; --risk: #e6cf5c; --note: #7fd0ea; --badge: #15181c }
}
* { box-sizing: border-box }
body { max-width: 62rem; margin: 0 auto; padding: 1.5rem 1rem; font: 1rem/1.5 system-ui, sans-serif; color: var(--text);
  background: var(--page); overflow-wrap: anywhere }
h1 { font-size: 1.5rem; margin: 0 }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem }
h3 { font-size: .8rem; margin: 1rem 0 .25rem; color: var(--soft); text-transform: uppercase; letter-spacing: .05em }
a { color: var(--link) }
.summary { font-size: 1.15rem; margin: .25rem 0 1rem; color: var(--soft) }
dl, p, ul, pre { margin: .25rem 0 }
dt { font-weight: 600 }
dd { margin: 0 0 .5rem; color: var(--soft) }
ul { padding-left: 1.25rem }
.findings { padding: 0; list-style: none; border-top: 1px solid var(--line) }
.findings ul { padding: 0; list-style: none }
.findings li { padding: .35rem 0; border-bottom: 1px solid var(--line) }
.findings li li:last-child { border-bottom: 0 }
li:has(> details) { list-style: none }
.target { color: var(--soft) }
.target::after { content: ':' }
b { display: inline-block; min-width: 3.25rem; padding: 0 .4rem; border-radius: .25rem; color: var(--badge); font-size: .85rem;
  text-align: center }
.fails { background: var(--fails) } .slow { background: var(--slow) } .risk { background: var(--risk) }
.note { background: var(--note) }
.rule { margin: .75rem 0; padding: .6rem .9rem; border: 1px solid var(--line); border-radius: .4rem }
.rule > summary { font-weight: 600 }
summary { cursor: pointer }
pre, code { font: .9rem/1.45 ui-monospace, monospace; background: var(--box); border-radius: .25rem }
pre { padding: .6rem .8rem; overflow-x: auto; overflow-wrap: normal }
code { padding: 0 .25rem }
footer { margin-top: 2rem; color: var(--soft); font-size: .85rem }
@media print {
  body { max-width: none; padding: 0 }
  details::details-content { content-visibility: visible; display: block; block-size: auto }
  pre { white-space: pre-wrap }
  b { print-color-adjust: exact }
}
";

#[cfg(test)]
pub(crate) mod tests {
    use super::super::report::tests::{finding, report, rule};
    use findings::{Finding, Report, Severity};

    fn html(report: &Report, explain: bool) -> String {
        let rules = [rule("K001"), rule("K002")];
        let mut out = Vec::new();
        super::write(report, &rules.each_ref(), explain, &mut out).expect("memory takes it");
        String::from_utf8(out).expect("it is text")
    }

    /// The elements that are open at the end; every end has to be that of the last beginning.
    pub(crate) fn open(html: &str) -> Vec<&str> {
        let mut open = Vec::new();
        for tag in html.split('<').skip(1).filter_map(|rest| rest.split('>').next()) {
            let name = tag.split([' ', '\n']).next().unwrap_or_default();
            match name.strip_prefix('/') {
                Some(name) => assert_eq!(open.pop(), Some(name), "</{name}> ends something else"),
                None if ["!doctype", "meta", "br"].contains(&name) => {}
                None if tag.ends_with('/') => {}
                None => open.push(name),
            }
        }
        open
    }

    #[test]
    fn nothing_of_a_name_is_markup() {
        let name = "<script>alert('1')</script>\"&amp; <img src=x onerror=y> \u{1b}[31m --> ]]>";
        let mut bad = finding("K001", Severity::Fails, name, name);
        bad.evidence = name.to_owned();
        bad.fix = format!("odd ` {name}\n\n    {name}\n- {name}");
        let mut report = report(vec![bad]);
        report.targets[0].name = name.to_owned();
        report.not_checked[0].because = name.to_owned();
        let html = html(&report, true);
        for part in ["<script", "<img", "alert('", "&amp; <", "\u{1b}"] {
            assert!(!html.contains(part), "{part:?} in {html}");
        }
        assert_eq!(open(&html), Vec::<&str>::new());
        assert!(html.contains("odd ` &lt;script&gt;"), "{html}");
    }

    #[test]
    fn it_has_the_order_of_the_text_and_needs_nothing_else() {
        let html = html(
            &report(vec![finding("K002", Severity::Note, "a", "later"), finding("K001", Severity::Slow, "a", "sooner")]),
            true,
        );
        let at = |part: &str| html.find(part).unwrap_or_else(|| panic!("no {part:?} in {html}"));
        let order = ["1 slow, 1 note", "<dt>t</dt>", "sooner", "later", "id=\"K001\" open>", "id=\"K002\">", "it is gone"];
        assert!(order.map(at).is_sorted(), "{html}");
        assert!(at("href=\"#K001\"") < at("id=\"K001\""));
        for part in ["http:", "https:", "src=", "<link", "<script", "url(", "@import"] {
            assert!(!html.contains(part), "{part:?} in {html}");
        }
        assert!(html.contains("<h3>References</h3>\n<ul>\n<li>man 7 it</li>"), "{html}");
        assert!(html.contains("<pre>make</pre>"), "{html}");
    }

    #[test]
    fn thousands_are_all_there_and_folded() {
        let many =
            (0..5000).map(|n| Finding { evidence: format!("e{n}"), ..finding("K001", Severity::Fails, "t", &n.to_string()) });
        let html = html(&report(many.collect()), false);
        assert_eq!(html.matches("<details").count(), 3, "of findings, of evidence, and of the rule");
        assert_eq!(html.matches("and 4,995 more like this").count(), 2);
        assert_eq!(html.matches("href=\"#K001\"").count(), 5000);
        assert_eq!(open(&html), Vec::<&str>::new());
    }
}
