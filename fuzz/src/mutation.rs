//! Damage: what copying, cutting off and bad intent do to a file.

/// A generator of pseudo-random numbers, xorshift64*: the same seed gives the same damage.
pub struct Random(u64);

impl Random {
    /// Begins with `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `limit`; 0 if there is none.
    pub fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() >> 1).unwrap_or_default().checked_rem(limit).unwrap_or_default()
    }
}

/// Numbers that are the last of their kind, or the first.
const EXTREMES: &[u64] =
    &[0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, i64::MAX as u64, u64::MAX];

/// `seed` with some damage; parts of it may come from `other`.
#[must_use]
pub fn damaged(seed: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..=random.below(8) {
        // Half of the damage goes to the beginning, where the headers are.
        let reach = if random.below(2) == 0 { bytes.len().min(512) } else { bytes.len() };
        let at = random.below(reach);
        let length = (random.below(64) + 1).min(bytes.len() - at);
        match random.below(9) {
            0 => bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 1 << (length & 7)),
            1 => bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte = byte.wrapping_add(length.to_le_bytes()[0])),
            2 | 3 => {
                let value = EXTREMES[random.below(EXTREMES.len())].to_le_bytes();
                let width = 1 << random.below(4);
                bytes.iter_mut().skip(at & !(width - 1)).zip(value.into_iter().take(width)).for_each(|(byte, new)| *byte = new);
            }
            4 => bytes.truncate(at),
            5 => drop(bytes.drain(at..at + length)),
            6 => {
                let copy = bytes[at..at + length].to_vec();
                bytes.splice(at..at, copy);
            }
            7 => {
                let from = random.below(other.len());
                let end = (from + length).min(other.len());
                bytes.splice(at..at + length, other[from..end].iter().copied());
            }
            _ => {
                let value = bytes.get(random.below(bytes.len())).copied().unwrap_or_default();
                bytes.iter_mut().skip(at).take(length).for_each(|byte| *byte = value);
            }
        }
    }
    bytes
}
