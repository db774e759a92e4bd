//! How late wake-ups were: how many in each bucket, and what may be said of the rare ones.

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The confidence of every bound.
pub const CONFIDENCE: f64 = 0.95;

/// Latencies in nanoseconds, in buckets that are a 64th of their value wide.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Histogram {
    /// The shortest.
    pub min: u64,
    /// The longest.
    pub max: u64,
    /// Of all.
    pub sum: u64,
    /// Periods that went by while a wake-up was late, and so had none of their own.
    pub missed: u64,
    /// How many were not above this and above the one before.
    pub buckets: BTreeMap<u64, u64>,
}

/// A latency that a share of all wake-ups does not exceed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Quantile {
    /// That of the wake-ups that were measured.
    pub found: u64,
    /// An upper bound of that of all wake-ups under these conditions, with [`CONFIDENCE`].
    pub bound: u64,
}

impl Histogram {
    /// The wake-ups.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.buckets.values().sum()
    }

    /// Adds a latency.
    pub fn add(&mut self, ns: u64) {
        let one = Self { min: ns, max: ns, sum: ns, missed: 0, buckets: BTreeMap::from([(ns, 1)]) };
        self.merge(&one);
    }

    /// Adds what was measured elsewhere or at another time. Numbers that no measurement can reach stay at the highest one.
    pub fn merge(&mut self, other: &Self) {
        if other.buckets.is_empty() {
            self.missed = self.missed.saturating_add(other.missed);
            return;
        }
        self.min = if self.buckets.is_empty() { other.min } else { self.min.min(other.min) };
        self.max = self.max.max(other.max);
        self.sum = self.sum.saturating_add(other.sum);
        self.missed = self.missed.saturating_add(other.missed);
        for (upper, count) in &other.buckets {
            let own = self.buckets.entry(*upper).or_default();
            *own = own.saturating_add(*count);
        }
    }

    /// The latency that this share of the wake-ups does not exceed, such as 0.99. None where there are too few of them for a
    /// bound: then the longest that was seen says nothing about it.
    #[must_use]
    pub fn quantile(&self, share: f64) -> Option<Quantile> {
        let count = self.count();
        let beyond = beyond_bound(count, share)?;
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a rank, rounded up, is not above the count"
        )]
        let rank = (count as f64 * share).ceil() as u64;
        Some(Quantile { found: self.at(rank.max(1))?, bound: self.at(count - beyond)? })
    }

    /// The latency of this rank, from 1 on: the upper end of its bucket, but never more than the longest.
    fn at(&self, rank: u64) -> Option<u64> {
        let mut seen = 0;
        let bucket = self.buckets.iter().find(|(_, count)| {
            seen += **count;
            seen >= rank
        });
        bucket.map(|(upper, _)| (*upper).min(self.max))
    }

    /// One in so many wake-ups takes longer than the longest that was seen, at most, with [`CONFIDENCE`]: the rule of three.
    #[must_use]
    pub fn beyond_max(&self) -> u64 {
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a count, divided by about three"
        )]
        let once_in = (self.count() as f64 / -(1.0 - CONFIDENCE).ln()) as u64;
        once_in
    }

    /// Whether the numbers can be of one measurement.
    ///
    /// # Errors
    /// What cannot be.
    pub fn check(&self) -> Result<()> {
        let count = self.buckets.values().try_fold(0_u64, |sum, count| sum.checked_add(*count)).context("too many wake-ups")?;
        ensure!(self.buckets.values().all(|count| *count > 0), "an empty bucket");
        let (first, last) = (self.buckets.keys().next(), self.buckets.keys().next_back());
        let within = |bucket: Option<&u64>, ns| bucket.is_none_or(|upper| ns <= *upper);
        ensure!(
            self.min <= self.max && within(first, self.min) && within(last, self.max),
            "a shortest or longest that is in no bucket"
        );
        let sums = u128::from(count) * u128::from(self.min)..=u128::from(count) * u128::from(self.max);
        ensure!(sums.contains(&u128::from(self.sum)), "a sum that is none of these latencies");
        Ok(())
    }
}

/// How many of `count` observations may lie beyond a bound of the quantile `share`: with [`CONFIDENCE`] that many of all lie beyond
/// the quantile itself, whatever the distribution, for the number of those is binomial. None where even the largest observation is
/// no such bound, which takes about 3 / (1 - share) of them.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "counts of wake-ups are far below 2^53; a rank is rounded down"
)]
fn beyond_bound(count: u64, share: f64) -> Option<u64> {
    let (n, p) = (count as f64, 1.0 - share);
    let expected = n * p;
    let mut probability = share.powf(n);
    // There the first probabilities are too small to be written, and the normal distribution is as good.
    if expected > 600.0 || probability < f64::MIN_POSITIVE {
        return Some((expected - 0.5 - 1.644_854 * (expected * share).sqrt()) as u64);
    }
    let mut sum = probability;
    let mut beyond = None;
    for k in 0..count {
        if sum > 1.0 - CONFIDENCE {
            break;
        }
        beyond = Some(k);
        probability *= (n - k as f64) / (k as f64 + 1.0) * p / share;
        sum += probability;
    }
    beyond
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(all: impl IntoIterator<Item = u64>) -> Histogram {
        let mut histogram = Histogram::default();
        all.into_iter().for_each(|ns| histogram.add(ns));
        histogram
    }

    /// Wilks 1941: 59, 93 and 124 observations for the 95th percentile with 95 %, by the largest, second and third largest.
    #[test]
    fn the_bounds_are_those_of_order_statistics() {
        for (enough, beyond) in [(59, 0), (93, 1), (124, 2)] {
            assert_eq!(beyond_bound(enough, 0.95), Some(beyond));
            assert_eq!(beyond_bound(enough - 1, 0.95), u64::checked_sub(beyond, 1));
        }
        for (share, enough) in [(0.99, 299), (0.999, 2995), (0.9999, 29_956), (0.99999, 299_572)] {
            assert_eq!((beyond_bound(enough, share), beyond_bound(enough - 1, share)), (Some(0), None), "{share}");
        }
        assert_eq!(beyond_bound(0, 0.5), None);
    }

    #[test]
    fn where_the_probabilities_become_too_small_the_bounds_go_on() {
        for (share, counts) in [(0.5, 900..1400), (0.9, 5500..6500), (0.99, 59_000..61_000), (0.999, 599_000..601_000)] {
            let mut last = None;
            for count in counts {
                let beyond = beyond_bound(count, share).expect("there are enough");
                // One observation more moves the bound by one at most, and the change of method by no more than that either.
                assert!(last.is_none_or(|last| beyond + 1 >= last && beyond <= last + 1), "{share} {count}: {last:?} {beyond}");
                last = Some(beyond);
            }
        }
        assert!(beyond_bound(100_000_000, 0.5).is_some_and(|beyond| (49_990_000..50_000_000).contains(&beyond)));
    }

    #[test]
    fn a_quantile_is_only_given_where_there_are_enough() {
        let few = of(1..=200);
        assert_eq!(few.quantile(0.5), Some(Quantile { found: 100, bound: 113 }));
        assert_eq!(few.quantile(0.9).map(|quantile| quantile.found), Some(180));
        assert_eq!(few.quantile(0.99), None, "the largest of 200 says nothing about one in a hundred");
        assert_eq!(of(1..=299).quantile(0.99).map(|quantile| quantile.bound), Some(299));
        assert_eq!(of([]).quantile(0.5), None);
        assert_eq!(of(1..=3000).beyond_max(), 1001);
    }

    #[test]
    fn the_bound_is_above_the_true_quantile_as_often_as_it_says() {
        // Uniform numbers below 10,000, of which the 99th percentile is 9,900.
        let mut random = crate::stats::Random::new(1);
        let held = (0..2000).filter(|_| {
            let sample = of((0..1000).map(|_| random.below(10_000) as u64));
            sample.quantile(0.99).is_some_and(|quantile| quantile.bound >= 9899)
        });
        let held = held.count();
        assert!((1880..=2000).contains(&held), "{held} of 2000");
    }

    #[test]
    fn merging_loses_nothing_whatever_the_order() {
        let (a, b) = (of([5, 7, 900]), of([3, 7]));
        let all = of([5, 7, 900, 3, 7]);
        let mut ab = a.clone();
        ab.merge(&b);
        let mut ba = b.clone();
        ba.merge(&a);
        ba.merge(&Histogram::default());
        assert_eq!((&ab, &ba), (&all, &all));
        assert_eq!((all.min, all.max, all.sum, all.count()), (3, 900, 922, 5));
        all.check().expect("it is one");
    }

    #[test]
    fn numbers_that_belong_to_no_measurement_are_refused() {
        let good = of([5, 7, 900]);
        let damaged = |change: fn(&mut Histogram)| {
            let mut bad = good.clone();
            change(&mut bad);
            bad.check().is_err()
        };
        good.check().expect("it is good");
        assert!(damaged(|bad| bad.max = 901));
        assert!(damaged(|bad| bad.min = 6));
        assert!(damaged(|bad| bad.sum = 1));
        assert!(damaged(|bad| {
            bad.buckets.insert(6, 0);
        }));
        assert!(damaged(|bad| bad.buckets.extend([(6, u64::MAX), (8, u64::MAX)])));
    }
}
