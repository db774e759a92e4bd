//! Charts as SVG, without a script and without a size of their own: they take the width of what they are in.
//!
//! Marks are strokes that keep their width (`vector-effect`), points are strokes without a length: so a chart can be stretched to
//! any shape, as in a cell of a table, and its points stay round. Colours are classes, which the page's style sheet has.

use crate::writers::html::Text;
use std::fmt::{self, Display, Formatter};

/// The width of every chart, in its own units.
const WIDTH: f64 = 1000.0;
/// The least part of the axis between two labels.
const APART: f64 = 0.1;

/// An axis on which equal factors are equally far apart.
#[derive(Clone, Debug)]
pub(crate) struct LogAxis {
    low: f64,
    high: f64,
}

impl LogAxis {
    /// One that has all of these numbers, and at least those from `least.0` to `least.1`. Numbers that have no logarithm are left
    /// out.
    pub(crate) fn of(values: impl Iterator<Item = f64>, least: (f64, f64)) -> Self {
        let usable = values.filter(|value| *value > 0.0 && value.is_finite());
        let (low, high) = usable.fold(least, |(low, high), value| (value.min(low), value.max(high)));
        // Marks at the ends are not cut off.
        let margin = (high / low).powf(0.04);
        Self { low: low / margin, high: high * margin }
    }

    /// Where a number is, from 0 to 1.
    pub(crate) fn at(&self, value: f64) -> f64 {
        ((value / self.low).ln() / (self.high / self.low).ln()).clamp(0.0, 1.0)
    }

    /// Round numbers to be written at the axis: as many as there is room for.
    pub(crate) fn ticks(&self) -> Vec<f64> {
        const MULTIPLES: [(usize, &[f64]); 6] = [
            (6, &[1.0]),
            (3, &[1.0]),
            (1, &[1.0]),
            (1, &[1.0, 3.0]),
            (1, &[1.0, 2.0, 5.0]),
            (1, &[1.0, 1.5, 2.0, 3.0, 5.0, 7.0]),
        ];
        let decades = |(step, multiples): (usize, &[f64])| -> Vec<f64> {
            let powers = (-12..=18).step_by(step);
            let all = powers.flat_map(|power| multiples.iter().map(move |multiple| multiple * 10f64.powi(power)));
            all.filter(|value| (self.low..=self.high).contains(value)).collect()
        };
        let steps = |step: f64| -> Vec<f64> {
            if (self.high - self.low) / step > 20.0 {
                return Vec::new();
            }
            let first = (self.low / step).ceil();
            (0..20).map(|at| (first + f64::from(at)) * step).filter(|value| *value <= self.high).collect()
        };
        let fits = |ticks: &Vec<f64>| ticks.windows(2).all(|pair| matches!(pair, [a, b] if self.at(*b) - self.at(*a) >= APART));
        let all = MULTIPLES.into_iter().map(decades).chain([1.0, 0.5, 0.2, 0.1, 0.05, 0.02].map(steps));
        all.filter(fits).max_by_key(Vec::len).unwrap_or_default()
    }
}

/// The shape of a point, so that colour does not have to tell alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Round,
    Square,
}

/// One thing in a chart that is as wide as its cell; positions are from 0 to 1.
#[derive(Clone, Debug)]
pub(crate) enum Mark {
    /// A vertical line: class, where.
    Rule(&'static str, f64),
    /// A vertical band: class, from, to.
    Band(&'static str, f64, f64),
    /// A horizontal line: class, from, to, height.
    Bar(String, f64, f64, f64),
    /// Points: class, shape, each where and at what height.
    Points(String, Shape, Vec<(f64, f64)>),
}

/// A chart that fills its cell.
pub(crate) struct Cell<'a>(pub(crate) &'a [Mark]);

impl Display for Cell<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "<svg viewBox=\"0 0 {WIDTH} 100\" preserveAspectRatio=\"none\" aria-hidden=\"true\">")?;
        for mark in self.0 {
            match mark {
                Mark::Rule(class, x) => write!(f, "<path class=\"{class}\" d=\"M{:.1} 0v100\"/>", x * WIDTH)?,
                Mark::Band(class, from, to) => {
                    let (x, width) = (from * WIDTH, (to - from) * WIDTH);
                    write!(f, "<path class=\"{class}\" d=\"M{x:.1} 0h{width:.1}v100h-{width:.1}z\"/>")?;
                }
                Mark::Bar(class, from, to, y) => {
                    let (x, y, width) = (from * WIDTH, y * 100.0, (to - from) * WIDTH);
                    write!(f, "<path class=\"{class}\" d=\"M{x:.1} {y:.0}h{width:.1}\"/>")?;
                }
                Mark::Points(class, shape, points) => {
                    let square = if *shape == Shape::Square { " square" } else { "" };
                    write!(f, "<path class=\"point{square} {class}\" d=\"")?;
                    points.iter().try_for_each(|(x, y)| write!(f, "M{:.1} {:.0}h0", x * WIDTH, y * 100.0))?;
                    write!(f, "\"/>")?;
                }
            }
        }
        write!(f, "</svg>")
    }
}

/// A curve: its class, and its points with the ends of their spread: x, y, low, high.
pub(crate) type Curve = (String, Vec<(f64, f64, f64, f64)>);

/// How something depends on a number: a chart with axes, as it stands in a figure.
pub(crate) struct Curves<'a> {
    /// The names of places on the x axis.
    pub(crate) labels: &'a [(f64, String)],
    pub(crate) curves: &'a [Curve],
    /// Writes a number at the y axis.
    pub(crate) unit: fn(f64) -> String,
}

impl Curves<'_> {
    /// The left, top, right and bottom of the area in which the curves are.
    const AREA: (f64, f64, f64, f64) = (70.0, 10.0, 470.0, 220.0);

    /// Where an x is: numbers that are many times each other are on a logarithmic axis.
    fn x(&self, x: f64) -> f64 {
        let (low, high) = ends(self.labels.iter().map(|(x, _)| *x));
        let share = if low > 0.0 && high / low > 16.0 { (x / low).ln() / (high / low).ln() } else { (x - low) / (high - low) };
        Self::AREA.0 + 12.0 + share * (Self::AREA.2 - Self::AREA.0 - 24.0)
    }
}

/// The least and the largest; these differ.
fn ends(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
    if low < high { (low, high) } else { (low, low + 1.0) }
}

impl Display for Curves<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (left, top, right, bottom) = Self::AREA;
        let axis = LogAxis::of(self.curves.iter().flat_map(|(_, points)| points.iter().flat_map(|point| [point.2, point.3])), {
            let (low, high) = ends(self.curves.iter().flat_map(|(_, points)| points.iter().map(|point| point.1)));
            (low / 1.3, high * 1.1)
        });
        let y = |value: f64| bottom - axis.at(value) * (bottom - top);
        write!(f, "<svg viewBox=\"0 0 480 250\" aria-hidden=\"true\">")?;
        for tick in axis.ticks() {
            write!(f, "<path class=\"grid\" d=\"M{left} {:.1}H{right}\"/>", y(tick))?;
            write!(f, "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>", left - 6.0, y(tick) + 4.0, (self.unit)(tick))?;
        }
        let mut free = f64::NEG_INFINITY;
        for (x, label) in self.labels {
            let x = self.x(*x);
            write!(f, "<path class=\"grid\" d=\"M{x:.1} {top}V{bottom}\"/>")?;
            // A label that would be over the one before is left out.
            if x >= free {
                write!(f, "<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>", bottom + 18.0, Text(label))?;
                free = x + 12.0 + 8.0 * f64::from(u32::try_from(label.len()).unwrap_or(u32::MAX));
            }
        }
        for (class, points) in self.curves {
            write!(f, "<path class=\"curve {class}\" d=\"")?;
            for (at, point) in points.iter().enumerate() {
                write!(f, "{}{:.1} {:.1}", if at == 0 { 'M' } else { 'L' }, self.x(point.0), y(point.1))?;
            }
            write!(f, "\"/><path class=\"spread {class}\" d=\"")?;
            points.iter().try_for_each(|point| write!(f, "M{:.1} {:.1}V{:.1}", self.x(point.0), y(point.2), y(point.3)))?;
            write!(f, "\"/><path class=\"dot {class}\" d=\"")?;
            points.iter().try_for_each(|point| write!(f, "M{:.1} {:.1}h0", self.x(point.0), y(point.1)))?;
            write!(f, "\"/>")?;
        }
        write!(f, "</svg>")
    }
}

/// The style that charts need.
pub(crate) const STYLE: &str = "\
:root { --gain: #0b62a4; --loss: #b8500c; --wide: #0b62a4; --narrow: #8a3ffc }
@media (prefers-color-scheme: dark) { :root { --gain: #6cb8f5; --loss: #ff9d57; --wide: #6cb8f5; --narrow: #c7a0ff } }
.side0 { color: var(--wide) } .side1 { color: var(--narrow) } .side2 { color: var(--loss) } .side3 { color: var(--soft) }
.plot { position: relative; min-height: 1.2rem; padding: 0 }
.plot svg { position: absolute; inset: 0; width: 100%; height: 100%; overflow: visible }
.plot path { fill: none; stroke: currentColor; stroke-width: 2px; vector-effect: non-scaling-stroke }
.plot .grid { stroke: var(--line); stroke-width: 1px }
.plot .one { stroke: var(--soft); stroke-width: 1px }
.plot .own { fill: var(--line); fill-opacity: .5; stroke: none }
.plot .point { stroke-width: 9px; stroke-linecap: round }
.plot .point.square { stroke-linecap: square; stroke-width: 7px }
.plot .sum { stroke-width: 8px; stroke-opacity: .45 }
.plot .sample { stroke-width: 5px; stroke-opacity: .4 }
.plot .box { stroke-width: 14px; stroke-opacity: .18 }
.plot .median { stroke-width: 3px; stroke-linecap: square }
.curves svg { display: block; width: 100% }
.curves path { fill: none; stroke: currentColor }
.curves .grid { stroke: var(--line); stroke-width: 1px }
.curves text { fill: var(--soft); font-size: 12px }
.curves .curve { stroke-width: 2px }
.curves .curve.side1 { stroke-dasharray: 7 4 } .curves .curve.side2 { stroke-dasharray: 2 4 }
.curves .curve.side3 { stroke-dasharray: 9 3 2 3 }
.curves .spread { stroke-width: 1.5px; stroke-opacity: .6 }
.curves .dot { stroke-width: 7px; stroke-linecap: round }
.curves .dot.side1 { stroke-linecap: square; stroke-width: 6px }
.ticks { position: relative; display: block; height: 1.2rem }
.ticks span { position: absolute; transform: translateX(-50%); white-space: nowrap }
";

#[cfg(test)]
mod tests {
    use super::LogAxis;

    #[test]
    fn ticks_are_round_numbers_that_are_not_too_near() {
        for (low, high) in [(0.8, 1.25), (0.97, 1.04), (0.5, 3.0), (0.01, 40.0), (1e-6, 1e9), (1.0, 1.0)] {
            let axis = LogAxis::of([low, high].into_iter(), (0.9, 1.1));
            let ticks = axis.ticks();
            assert!((2..=11).contains(&ticks.len()), "{low} to {high}: {ticks:?}");
            assert!(ticks.windows(2).all(|pair| axis.at(pair[1]) - axis.at(pair[0]) >= super::APART), "{ticks:?}");
            let digits = ticks.iter().map(|tick| format!("{tick:.0e}").len().max(format!("{tick:.2}").len())).max();
            assert!(digits.is_some_and(|digits| digits < 14), "{ticks:?}");
        }
    }

    #[test]
    fn an_axis_has_all_numbers_and_no_others_hurt_it() {
        let axis = LogAxis::of([2.0, 8.0, f64::NAN, f64::INFINITY, 0.0, -1.0].into_iter(), (4.0, 4.0));
        assert!(axis.at(2.0) > 0.0 && axis.at(8.0) < 1.0);
        assert!((axis.at(4.0) - 0.5).abs() < 1e-9);
        assert_eq!(axis.at(1e9), 1.0);
    }
}
