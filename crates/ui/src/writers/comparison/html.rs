//! A comparison as one HTML file that needs nothing else: what follows first, then each suite with every benchmark's interval, how
//! times depend on sizes and every sample, and at the end how it was measured, where, and what was left out.

use super::{duration, interval, method, own, rows_beside, sentence, word};
use crate::charts::{self, Cell, Curves, LogAxis, Mark, Shape};
use crate::writers::causes;
use crate::writers::html::{Text, begin, definitions, end};
use compare::comparison::{Comparison, Outcome, Ratio, Verdict};
use compare::stats;
use compare::verdict::{self, Summary};
use std::io::{self, Write};

/// Writes all that is known about these comparisons, each of a machine of its own.
///
/// # Errors
/// Whatever `out` returns.
pub fn write(comparisons: &[Comparison], out: &mut dyn Write) -> io::Result<()> {
    let overall: Vec<Option<Summary>> = comparisons.iter().map(verdict::overall).collect();
    let summary = match overall.as_slice() {
        [Some(one)] => sentence(one),
        [None] => "nothing was measured".to_owned(),
        several => format!("{} machines", several.len()),
    };
    begin("biarch compare", &summary, &format!("{}{STYLE}", charts::STYLE), out)?;
    if comparisons.len() > 1 {
        beside(comparisons, &overall, out)?;
    }
    for (comparison, overall) in comparisons.iter().zip(&overall) {
        one(comparison, overall.as_ref(), comparisons.len() > 1, out)?;
    }
    writeln!(out, "<h2>How it was measured</h2>")?;
    method().iter().try_for_each(|paragraph| writeln!(out, "<p>{}</p>", Text(paragraph)))?;
    end(out)
}

fn one(comparison: &Comparison, overall: Option<&Summary>, named: bool, out: &mut dyn Write) -> io::Result<()> {
    if named {
        writeln!(out, "<h2 class=\"machine\">{}</h2>", Text(&comparison.machine.line()))?;
        if let Some(overall) = overall {
            writeln!(out, "<p class=\"summary\">{}</p>", Text(&sentence(overall)))?;
        }
    }
    for caveat in verdict::caveats(comparison).iter().chain(&comparison.notes) {
        writeln!(out, "<p class=\"caveat\">{}</p>", Text(caveat))?;
    }
    let suites = verdict::suites(comparison);
    if let Some(overall) = overall.filter(|_| suites.len() > 1) {
        let rows: Vec<Row<'_>> = suites.iter().chain([overall]).map(Row::Summary).collect();
        forest(comparison, &rows, out)?;
    }
    for name in verdict::names(comparison) {
        let outcomes: Vec<&Outcome> = comparison.outcomes.iter().filter(|outcome| outcome.suite == name).collect();
        let mut rows: Vec<Row<'_>> = outcomes.iter().map(|outcome| Row::Outcome(outcome)).collect();
        writeln!(out, "<h2>{}</h2>", Text(name))?;
        // Where nothing may be claimed, there is nothing to sum up.
        if let Some(suite) = suites.iter().find(|suite| suite.name == name) {
            writeln!(out, "<p>{}</p>", Text(&sentence(suite)))?;
            if outcomes.len() > 1 {
                rows.push(Row::Summary(suite));
            }
        }
        forest(comparison, &rows, out)?;
        others(comparison, &outcomes, out)?;
        curves(comparison, &outcomes, out)?;
        samples(comparison, &outcomes, out)?;
    }
    every_cause(comparison, out)?;
    machine(comparison, out)
}

/// All machines on one axis.
fn beside(comparisons: &[Comparison], overall: &[Option<Summary>], out: &mut dyn Write) -> io::Result<()> {
    let suites: Vec<Vec<Summary>> = comparisons.iter().map(verdict::suites).collect();
    let rows = rows_beside(comparisons, &suites, overall);
    let each = rows.iter().flat_map(|row| row.each.iter().flatten());
    let axis = LogAxis::of(each.flat_map(|(ratio, _)| [ratio.low, ratio.high]), (0.8, 1.25));
    writeln!(out, "<h2>Side by side</h2>\n<ol class=\"machines\">")?;
    for (at, comparison) in comparisons.iter().enumerate() {
        writeln!(out, "<li class=\"side{}\">{}</li>", at % 4, Text(&comparison.machine.line()))?;
    }
    writeln!(out, "</ol>\n<table class=\"forest\">\n<thead><tr><th></th>")?;
    axis_heading(&axis, out)?;
    (1..=comparisons.len()).try_for_each(|at| writeln!(out, "<th class=\"wide\">{at}.</th>"))?;
    writeln!(out, "</tr></thead>\n<tbody>")?;
    for row in &rows {
        write!(out, "<tr{}><td>{}</td>", if row.sum { " class=\"summary-row\"" } else { "" }, Text(row.name))?;
        let mut marks = grid(&axis);
        let count = u32::try_from(row.each.len()).unwrap_or(u32::MAX);
        for ((at, own), place) in row.each.iter().enumerate().zip(1u32..) {
            let Some((ratio, _)) = own else { continue };
            let (class, y) = (format!("side{}", at % 4), f64::from(place) / f64::from(count + 1));
            let sum = if row.sum { "sum " } else { "" };
            marks.push(Mark::Bar(format!("{sum}{class}"), axis.at(ratio.low), axis.at(ratio.high), y));
            let shape = if at % 2 == 1 { Shape::Square } else { Shape::Round };
            marks.push(Mark::Points(class, shape, vec![(axis.at(ratio.median), y)]));
        }
        write!(out, "<td class=\"plot\" style=\"height:{:.1}rem\">{}</td>", 1.0 + 0.5 * f64::from(count), Cell(&marks))?;
        for own in &row.each {
            match own {
                Some((ratio, verdict)) => {
                    let class = verdict_class(Some(*verdict));
                    write!(
                        out,
                        "<td class=\"ratio\">{}<small class=\"{class}\">{}</small></td>",
                        interval(ratio),
                        word(*verdict)
                    )?;
                }
                None => write!(out, "<td>-</td>")?,
            }
        }
        writeln!(out, "</tr>")?;
    }
    writeln!(out, "</tbody>\n</table>")
}

/// The heading of a column with plots.
fn axis_heading(axis: &LogAxis, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "<th class=\"axis\"><span class=\"ends\"><i>64-bit slower</i><i>64-bit faster</i></span><span class=\"ticks\">")?;
    for tick in axis.ticks() {
        write!(out, "<span style=\"left:{:.1}%\">{}</span>", axis.at(tick) * 100.0, round(tick))?;
    }
    writeln!(out, "</span></th>")
}

/// The lines behind the marks of a row.
fn grid(axis: &LogAxis) -> Vec<Mark> {
    let mut marks: Vec<Mark> = axis.ticks().into_iter().map(|tick| Mark::Rule("grid", axis.at(tick))).collect();
    marks.push(Mark::Rule("one", axis.at(1.0)));
    marks
}

/// A row of a forest plot.
enum Row<'a> {
    Outcome(&'a Outcome),
    Summary(&'a Summary),
}

impl Row<'_> {
    fn ratio(&self) -> Option<Ratio> {
        match self {
            Self::Outcome(outcome) => outcome.ratios.get(1).copied().flatten(),
            Self::Summary(summary) => Some(summary.ratio),
        }
    }

    fn verdict(&self) -> Option<Verdict> {
        match self {
            Self::Outcome(outcome) => outcome.verdict,
            Self::Summary(summary) => Some(summary.verdict),
        }
    }
}

/// A table with an interval in each row, all on one axis.
fn forest(comparison: &Comparison, rows: &[Row<'_>], out: &mut dyn Write) -> io::Result<()> {
    let [wide, narrow, ..] = comparison.sides.as_slice() else { return Ok(()) };
    let ends = rows.iter().filter_map(Row::ratio).flat_map(|ratio| [ratio.low, ratio.high]);
    let axis = LogAxis::of(ends, (0.8, 1.25));
    let times = rows.iter().any(|row| matches!(row, Row::Outcome(_)));
    writeln!(out, "<table class=\"forest\">\n<thead><tr><th></th>")?;
    if times {
        writeln!(out, "<th class=\"number\">{}</th><th class=\"number\">{}</th>", Text(narrow), Text(wide))?;
    }
    axis_heading(&axis, out)?;
    writeln!(out, "<th class=\"wide\">{} / {}</th><th class=\"word\"></th>", Text(narrow), Text(wide))?;
    writeln!(out, "</tr></thead>\n<tbody>")?;
    for row in rows {
        let class = verdict_class(row.verdict());
        match row {
            Row::Outcome(outcome) => {
                write!(out, "<tr><td>{}<small>{}</small></td>", Text(&outcome.name), Text(&outcome.title))?;
                for side in [1, 0] {
                    let time = outcome.median(side).map_or_else(|| "-".to_owned(), duration);
                    write!(out, "<td class=\"number\">{time}</td>")?;
                }
            }
            Row::Summary(summary) => {
                let columns = if times { 3 } else { 1 };
                write!(out, "<tr class=\"summary-row\"><td colspan=\"{columns}\">{}", Text(&summary.name))?;
                if summary.benchmarks() > 1 {
                    let Summary { faster, slower, same, .. } = summary;
                    write!(out, "<small>{faster} gain, {slower} lose, {same} without a difference</small>")?;
                }
                write!(out, "</td>")?;
            }
        }
        let mut marks = grid(&axis);
        let own = comparison.self_check.resolution.exp().max(1.01);
        marks.push(Mark::Band("own", axis.at(1.0 / own), axis.at(own)));
        if let Some(ratio) = row.ratio() {
            let sum = if matches!(row, Row::Summary(_)) { "sum " } else { "" };
            marks.push(Mark::Bar(format!("{sum}{class}"), axis.at(ratio.low), axis.at(ratio.high), 0.5));
            let shape = if row.verdict() == Some(Verdict::Stay) { Shape::Square } else { Shape::Round };
            marks.push(Mark::Points(class.to_owned(), shape, vec![(axis.at(ratio.median), 0.5)]));
        }
        write!(out, "<td class=\"plot\">{}</td>", Cell(&marks))?;
        write!(out, "<td class=\"ratio\">{}</td>", row.ratio().map_or_else(|| "-".to_owned(), |ratio| interval(&ratio)))?;
        write!(
            out,
            "<td class=\"verdict {class}\">{}</td>",
            row.verdict().map_or(if row.ratio().is_some() { "only shown" } else { "not measured" }, word)
        )?;
        writeln!(out, "</tr>")?;
    }
    writeln!(out, "</tbody>\n</table>")
}

/// The further sides that took part: how many times as long as the first.
fn others(comparison: &Comparison, outcomes: &[&Outcome], out: &mut dyn Write) -> io::Result<()> {
    let took_part = |side: &usize| outcomes.iter().any(|outcome| outcome.ratios.get(*side).is_some_and(Option::is_some));
    let others: Vec<(usize, &String)> = (2..).zip(comparison.sides.iter().skip(2)).filter(|(side, _)| took_part(side)).collect();
    let (Some(wide), false) = (comparison.sides.first(), others.is_empty()) else { return Ok(()) };
    writeln!(out, "<details open><summary>Other ways: how many times as long as {}</summary>\n<table>", Text(wide))?;
    write!(out, "<thead><tr><th></th>")?;
    others.iter().try_for_each(|(_, name)| write!(out, "<th class=\"number\">{}</th>", Text(name)))?;
    writeln!(out, "</tr></thead>\n<tbody>")?;
    for outcome in outcomes {
        write!(out, "<tr><td>{}</td>", Text(&outcome.name))?;
        for (side, _) in &others {
            let ratio = outcome.ratios.get(*side).copied().flatten();
            let ratio = ratio.map_or_else(|| "-".to_owned(), |ratio| interval(&ratio));
            write!(out, "<td class=\"number\">{ratio}</td>")?;
        }
        writeln!(out, "</tr>")?;
    }
    writeln!(out, "</tbody>\n</table></details>")
}

/// The number that the end of a benchmark's name is, and what is before: `latency_16k` is `latency` at 16,000.
fn place(name: &str) -> Option<(&str, f64)> {
    let (family, place) = name.rsplit_once('_')?;
    let digits = place.trim_end_matches(['k', 'm']);
    let factor = match place.strip_prefix(digits)? {
        "" => 1.0,
        "k" => 1e3,
        "m" => 1e6,
        _ => return None,
    };
    Some((family, f64::from(digits.parse::<u32>().ok()?) * factor))
}

/// How times depend on a size, where benchmarks differ in nothing else.
fn curves(comparison: &Comparison, outcomes: &[&Outcome], out: &mut dyn Write) -> io::Result<()> {
    let mut families: Vec<(&str, Vec<(f64, &Outcome)>)> = Vec::new();
    for outcome in outcomes {
        let Some((family, x)) = place(&outcome.name) else { continue };
        match families.iter_mut().find(|(known, _)| *known == family) {
            Some((_, members)) => members.push((x, outcome)),
            None => families.push((family, vec![(x, outcome)])),
        }
    }
    families.retain(|(_, members)| members.len() > 2);
    if families.is_empty() {
        return Ok(());
    }
    writeln!(out, "<div class=\"curves\">")?;
    for (family, mut members) in families {
        members.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        let label = |(x, outcome): &(f64, &Outcome)| (*x, outcome.name.rsplit('_').next().unwrap_or_default().to_owned());
        let labels: Vec<(f64, String)> = members.iter().map(label).collect();
        let mut legend = String::new();
        let mut all = Vec::new();
        for (side, name) in comparison.sides.iter().enumerate() {
            let point = |(x, outcome): &(f64, &Outcome)| {
                let own = outcome.samples.get(side)?;
                let sorted = sorted(own);
                Some((*x, stats::median(own)?, quartile(&sorted, 1)?, quartile(&sorted, 3)?))
            };
            let points: Vec<_> = members.iter().filter_map(point).collect();
            if !points.is_empty() {
                legend.push_str(&format!(" <span class=\"side{side}\">{}</span>", Text(name)));
                all.push((format!("side{side}"), points));
            }
        }
        writeln!(out, "<figure><figcaption>{}{legend}</figcaption>", Text(family))?;
        writeln!(out, "{}</figure>", Curves { labels: &labels, curves: &all, unit: duration })?;
    }
    writeln!(out, "</div>")
}

fn sorted(samples: &[f64]) -> Vec<f64> {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// A quartile of sorted samples.
fn quartile(sorted: &[f64], number: usize) -> Option<f64> {
    sorted.get((sorted.len() * number / 4).min(sorted.len().checked_sub(1)?)).copied()
}

/// Every sample of the two sides.
fn samples(comparison: &Comparison, outcomes: &[&Outcome], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "<details class=\"samples\"><summary>Every sample</summary>\n<div class=\"strips\">")?;
    for outcome in outcomes {
        let sides: Vec<(usize, &Vec<f64>)> =
            outcome.samples.iter().enumerate().take(2).filter(|(_, own)| !own.is_empty()).collect();
        let all = || sides.iter().flat_map(|(_, own)| own.iter().copied());
        let Some(middle) = stats::median(&all().collect::<Vec<_>>()) else { continue };
        let axis = LogAxis::of(all(), (middle * 0.98, middle * 1.02));
        writeln!(out, "<figure><figcaption>{}</figcaption>", Text(&outcome.name))?;
        for (side, own) in sides.iter().rev() {
            let mut sorted = (*own).clone();
            sorted.sort_by(f64::total_cmp);
            let quartile =
                |numerator: usize| sorted.get((sorted.len() * numerator / 4).min(sorted.len() - 1)).copied().unwrap_or(middle);
            let class = format!("side{side}");
            // Heights that are never the same twice in a row.
            let points = own.iter().zip(1u32..).map(|(ns, at)| (axis.at(*ns), 0.2 + 0.6 * (f64::from(at) * 0.618_034).fract()));
            let median = stats::median(own).unwrap_or(middle);
            let marks = [
                Mark::Bar(format!("box {class}"), axis.at(quartile(1)), axis.at(quartile(3)), 0.5),
                Mark::Points(format!("sample {class}"), Shape::Round, points.collect()),
                Mark::Rule("median", axis.at(median)),
            ];
            let name = comparison.sides.get(*side).map_or("", String::as_str);
            writeln!(
                out,
                "<span class=\"{class}\">{}</span><span class=\"plot {class}\">{}</span><span class=\"number\">{}</span>",
                Text(name),
                Cell(&marks),
                duration(median)
            )?;
        }
        writeln!(out, "</figure>")?;
    }
    writeln!(out, "</div></details>")
}

/// Why sides differ: each cause with the works that it slows down.
fn every_cause(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    for (at, (row, works)) in causes::found(&comparison.outcomes).enumerate() {
        if at == 0 {
            writeln!(out, "<h2>Why</h2>")?;
        }
        writeln!(out, "<h3>{}</h3>", Text(row.title))?;
        let works: Vec<(String, String)> = works.iter().map(|(name, seen)| (name.clone(), (*seen).to_owned())).collect();
        definitions(works.iter().map(|(name, seen)| (name, seen)), out)?;
    }
    Ok(())
}

fn machine(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "<h2>Machine</h2>\n<p>{}</p>\n<p>{}</p>", Text(&comparison.machine.line()), Text(&own(comparison)))?;
    if !comparison.machine.mitigations.is_empty() {
        writeln!(out, "<details><summary>Mitigations</summary><ul>")?;
        comparison.machine.mitigations.iter().try_for_each(|text| writeln!(out, "<li>{}</li>", Text(text)))?;
        writeln!(out, "</ul></details>")?;
    }
    let missing: Vec<(String, String)> = comparison
        .outcomes
        .iter()
        .flat_map(|outcome| outcome.missing.iter().map(|why| (outcome.name.clone(), why.clone())))
        .chain(
            comparison
                .left_out
                .iter()
                .map(|why| why.split_once(": ").map_or((why.clone(), String::new()), |(a, b)| (a.to_owned(), b.to_owned()))),
        )
        .collect();
    if !missing.is_empty() {
        writeln!(out, "<h2>Not measured</h2>")?;
        definitions(missing.iter().map(|(what, why)| (what, why)), out)?;
    }
    Ok(())
}

fn verdict_class(verdict: Option<Verdict>) -> &'static str {
    match verdict {
        Some(Verdict::Move) => "gain",
        Some(Verdict::Stay) => "loss",
        Some(Verdict::NoDifference) | None => "none",
    }
}

/// A number at an axis.
fn round(value: f64) -> String {
    let text = format!("{value:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

const STYLE: &str = "\
body { max-width: 70rem }
table { width: 100%; border-collapse: collapse; font-size: .88rem }
th { font-weight: 600; text-align: left; vertical-align: bottom; padding: 0 .5rem .25rem; white-space: nowrap; font-size: .8rem;
  color: var(--soft) }
td { padding: .18rem .5rem; border-top: 1px solid var(--line); vertical-align: middle }
th, td { overflow-wrap: break-word }
table { table-layout: fixed }
th:first-child { width: 27% }
.forest th.number { width: 6rem }
th.wide { width: 10.7rem } th.word { width: 7.6rem }
td small { display: block; color: var(--soft); font-size: .78rem; line-height: 1.25 }
td.plot { padding: 0 }
.ends { display: flex; justify-content: space-between; font-weight: 400 }
.ends i { font-style: normal }
.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums }
.ratio, .verdict { white-space: nowrap; font-variant-numeric: tabular-nums }
.summary-row td { font-weight: 600; background: var(--box) }
.summary-row small { font-weight: 400 }
.gain { color: var(--gain) } .loss { color: var(--loss) } .none { color: var(--soft) }
.curves { display: grid; grid-template-columns: repeat(auto-fill, minmax(22rem, 1fr)); gap: .5rem 1.5rem; margin-top: .75rem }
.curves figure, .strips figure { margin: 0; font-size: .8rem; break-inside: avoid }
.curves figcaption span { margin-left: .75rem; font-weight: 600 }
.machines { padding-left: 1.5rem } .machines li { font-weight: 600 }
.caveat { border-left: .25rem solid var(--loss); padding: .1rem .75rem }
.samples { margin: .75rem 0 }
.strips { display: grid; grid-template-columns: repeat(auto-fill, minmax(19rem, 1fr)); gap: .5rem 1.5rem; margin-top: .5rem }
.strips figure { display: grid; grid-template-columns: max-content 1fr max-content; gap: 0 .5rem }
figcaption { font-weight: 600 }
.strips figcaption { grid-column: 1 / -1 }
@media print {
  @page { margin: 14mm }
  html { font-size: 9pt }
  .summary-row td { background: none }
  tr, figure { break-inside: avoid }
  h2 { break-after: avoid }
  .plot { print-color-adjust: exact }
}
";

#[cfg(test)]
mod tests {
    use super::super::tests::comparison;
    use crate::writers::html::tests::open;
    use compare::comparison::Comparison;

    fn html(comparisons: &[Comparison]) -> String {
        let mut out = Vec::new();
        super::write(comparisons, &mut out).expect("memory takes it");
        String::from_utf8(out).expect("it is text")
    }

    #[test]
    fn nothing_of_a_name_is_markup() {
        let name = "<script>alert('1')</script>\"&amp; <img src=x onerror=y> \u{1b}[31m --> ]]>_1";
        let mut foreign = comparison(name, name);
        foreign.sides = vec![name.to_owned(); 3];
        foreign.machine.cpu = name.to_owned();
        foreign.machine.board = Some(name.to_owned());
        foreign.machine.mitigations.push(name.to_owned());
        foreign.left_out.push(name.to_owned());
        foreign.outcomes.iter_mut().for_each(|outcome| outcome.missing.push(name.to_owned()));
        for html in [html(std::slice::from_ref(&foreign)), html(&[foreign.clone(), comparison("time", "time")])] {
            for part in ["<script", "<img", "alert('", "&amp; <", "\u{1b}"] {
                assert!(!html.contains(part), "{part:?} in {html}");
            }
            assert_eq!(open(&html), Vec::<&str>::new());
        }
    }

    #[test]
    fn it_needs_nothing_else_and_says_first_what_follows() {
        let html = html(&[comparison("time", "latency")]);
        for part in ["http:", "https:", "src=", "<link", "<script", "url(", "@import"] {
            assert!(!html.contains(part), "{part:?} in {html}");
        }
        let at = |part: &str| html.find(part).unwrap_or_else(|| panic!("no {part:?} in {html}"));
        let order = [
            "move: 32-bit programs take 2.00",
            "latency_1k",
            "class=\"curves\"",
            "Every sample",
            "<h2>Machine",
            "How it was measured",
        ];
        assert!(order.map(at).is_sorted(), "{:?}", order.map(at));
        assert!(!html.contains("NaN") && !html.contains("inf"), "{html}");
    }

    #[test]
    fn a_family_of_sizes_is_one_curve() {
        assert_eq!(super::place("latency_16k"), Some(("latency", 16e3)));
        assert_eq!(super::place("pipe_same_60"), Some(("pipe_same", 60.0)));
        assert_eq!(super::place("latency_4m"), Some(("latency", 4e6)));
        for name in ["md5", "null_call", "latency_k", "latency_16kk", "sha_99999999999999999999"] {
            assert_eq!(super::place(name), None, "{name}");
        }
    }

    #[test]
    fn nothing_measured_is_said() {
        let mut empty = comparison("time", "time");
        empty.outcomes.clear();
        assert!(html(&[empty]).contains("nothing was measured"));
    }
}
