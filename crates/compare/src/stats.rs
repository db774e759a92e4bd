//! Medians, their spread, and how far a median can be trusted.

/// Draws of a bootstrap: enough for the tails of an interval of 99 %, ten in each.
pub(crate) const DRAWS: usize = 2000;

/// The middle of the samples; the mean of the two middle ones when their number is even. `None` without samples.
#[must_use]
pub fn median(samples: &[f64]) -> Option<f64> {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    middle(&sorted)
}

/// The median absolute deviation from the median: a spread that a few disturbed samples do not move.
#[must_use]
pub fn mad(samples: &[f64]) -> Option<f64> {
    let center = median(samples)?;
    median(&samples.iter().map(|sample| (sample - center).abs()).collect::<Vec<_>>())
}

/// An interval of the median, by the percentile bootstrap: the median of many draws with replacement. `confidence` is a share,
/// such as 0.95.
///
/// The draws come from a fixed seed, so that the same samples give the same interval.
#[must_use]
pub fn interval(samples: &[f64], confidence: f64) -> Option<(f64, f64)> {
    let medians = bootstrap(samples);
    Some((quantile(&medians, (1.0 - confidence) / 2.0)?, quantile(&medians, f64::midpoint(1.0, confidence))?))
}

/// The medians of many draws with replacement, in order; none without samples.
pub(crate) fn bootstrap(samples: &[f64]) -> Vec<f64> {
    let mut random = Random::new(0x6269_6172_6368);
    let mut draw = vec![0.0; samples.len()];
    let mut medians = Vec::with_capacity(DRAWS);
    if samples.is_empty() {
        return medians;
    }
    for _ in 0..DRAWS {
        draw.fill_with(|| samples[random.below(samples.len())]);
        draw.sort_unstable_by(f64::total_cmp);
        medians.extend(middle(&draw));
    }
    medians.sort_by(f64::total_cmp);
    medians
}

/// What this share of `sorted` is below: of a low share rounded down, of a high one rounded up.
pub(crate) fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "an index, rounded down"
    )]
    let tail = (sorted.len() as f64 * share.min(1.0 - share)) as usize;
    let at = if share < 0.5 { tail } else { sorted.len().checked_sub(tail + 1)? };
    sorted.get(at).copied()
}

fn middle(sorted: &[f64]) -> Option<f64> {
    let half = sorted.len() / 2;
    match sorted.len() {
        0 => None,
        n if n % 2 == 1 => Some(sorted[half]),
        _ => Some(f64::midpoint(sorted[half - 1], sorted[half])),
    }
}

/// Numbers that are the same on every machine: `SplitMix64` (Steele, Lea, Flood 2014).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Begins with this seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    #[expect(clippy::should_implement_trait, reason = "it never ends")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// An index below `bound`. The bias is at most `bound` / 2^64.
    pub fn below(&mut self, bound: usize) -> usize {
        let wide = u128::from(self.next()) * bound as u128;
        usize::try_from(wide >> 64).expect("the high half of a product with a usize is below that usize")
    }

    /// The indices below `count`, each order as likely as any other (Fisher and Yates).
    pub fn order(&mut self, count: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..count).collect();
        for at in (1..count).rev() {
            order.swap(at, self.below(at + 1));
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_is_the_middle_whatever_the_order() {
        assert_eq!(median(&[9.0, 1.0, 5.0]), Some(5.0));
        assert_eq!(median(&[4.0, 1.0, 3.0, 2.0]), Some(2.5));
        assert_eq!(median(&[7.0]), Some(7.0));
        assert_eq!(median(&[]), None);
    }

    #[test]
    fn one_disturbed_sample_moves_neither_median_nor_mad() {
        let quiet = [10.0, 11.0, 9.0, 10.0, 10.5];
        let disturbed = [10.0, 1000.0, 9.0, 10.0, 10.5];
        assert_eq!(median(&quiet), median(&disturbed));
        assert_eq!(mad(&quiet), Some(0.5));
        assert_eq!(mad(&disturbed), Some(0.5));
    }

    #[test]
    fn mad_of_equal_samples_is_zero() {
        assert_eq!(mad(&[3.0; 7]), Some(0.0));
        assert_eq!(mad(&[]), None);
    }

    #[test]
    fn interval_surrounds_the_median_and_stays_within_the_samples() {
        let samples = [1.00, 1.02, 0.99, 1.01, 1.05, 0.97, 1.00];
        let (low, high) = interval(&samples, 0.95).expect("there are samples");
        let center = median(&samples).expect("there are samples");
        assert!(low <= center && center <= high, "{low} {center} {high}");
        assert!((0.97..=1.05).contains(&low) && (0.97..=1.05).contains(&high));
        assert!(low < high);
    }

    #[test]
    fn interval_narrows_with_more_samples() {
        let few: Vec<f64> = (0..5).map(|i| f64::from(i % 5)).collect();
        let many: Vec<f64> = (0..500).map(|i| f64::from(i % 5)).collect();
        let width = |samples: &[f64]| interval(samples, 0.95).map(|(low, high)| high - low).expect("there are samples");
        assert!(width(&many) < width(&few));
        assert_eq!(interval(&[], 0.95), None);
        assert_eq!(interval(&[2.0; 9], 0.95), Some((2.0, 2.0)));
    }

    #[test]
    fn interval_repeats() {
        let samples = [1.0, 4.0, 2.0, 8.0, 5.0, 7.0];
        assert_eq!(interval(&samples, 0.95), interval(&samples, 0.95));
    }

    /// The first outputs for seed 0, as published with the generator.
    #[test]
    fn random_is_splitmix64() {
        let mut random = Random::new(0);
        assert_eq!(random.next(), 0xe220_a839_7b1d_cdaf);
        assert_eq!(random.next(), 0x6e78_9e6a_a1b9_65f4);
        assert!((0..1000).all(|_| random.below(7) < 7));
    }
}
