//! From a roll's key to its numbers: ChaCha20 words, exact rejection, dice and draws (dice.md,
//! section 6).

use rand_chacha::{
    ChaCha20Rng,
    rand_core::{Rng, SeedableRng},
};

use super::{
    hash::Key,
    spec::{Spec, SpecKind},
};

/// The 32-bit words of one roll, in order.
///
/// It uses `from_seed` and `next_u32` alone, so that any ChaCha20 of RFC 8439 (nonce and counter
/// zero, little-endian words) gives the same; and nothing of `rand`, whose ranges may change
/// between versions.
#[derive(Clone)]
pub struct RandomWords {
    generator: ChaCha20Rng,
    used: u64,
}

impl RandomWords {
    /// The words that belong to this roll key.
    #[must_use]
    pub fn new(roll_key: &Key) -> Self {
        Self {
            generator: ChaCha20Rng::from_seed(*roll_key.bytes()),
            used: 0,
        }
    }

    /// The next word.
    pub fn next_word(&mut self) -> u32 {
        self.used += 1;
        self.generator.next_u32()
    }

    /// How many words have been used.
    #[must_use]
    pub fn used(&self) -> u64 {
        self.used
    }

    /// A number from 0 to `n - 1`, each equally likely. For an `n` of 1 (or 0) it is 0 and takes no
    /// word.
    pub fn uniform(&mut self, n: u32) -> u32 {
        uniform(n, || self.next_word())
    }
}

/// [`RandomWords::uniform`] on any source of words.
pub(super) fn uniform(n: u32, mut next_word: impl FnMut() -> u32) -> u32 {
    if n <= 1 {
        return 0;
    }
    let limit = acceptance_limit(n);
    loop {
        let word = next_word();
        if u64::from(word) < limit {
            return word % n;
        }
    }
}

/// The largest multiple of `n` up to 2^32: words from this number on would favour low results, and
/// are rejected.
pub(super) fn acceptance_limit(n: u32) -> u64 {
    let all = 1_u64 << 32;
    all - all % u64::from(n.max(1))
}

/// Throws: returns the single dice in order, or positions (1 is the first) in the list drawn from.
#[must_use]
pub fn throw(spec: &Spec, words: &mut RandomWords) -> Vec<u32> {
    match spec.0 {
        SpecKind::Dice { count, faces } => (0..count).map(|_| 1 + words.uniform(faces)).collect(),
        SpecKind::Draw { count, of } => draw(count, of, words),
        SpecKind::Shuffle { of } => draw(of, of, words),
    }
}

/// The first `count` steps of a Fisher-Yates shuffle: a draw is the beginning of the shuffle with
/// the same key.
fn draw(count: u32, of: u32, words: &mut RandomWords) -> Vec<u32> {
    let mut positions: Vec<u32> = (1..=of).collect();
    for i in 0..count {
        let j = i + words.uniform(of - i);
        positions.swap(i as usize, j as usize);
    }
    positions.truncate(count as usize);
    positions
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)] // tests may panic
mod tests {
    use super::*;

    /// The table of dice.md, section 6: n, limit, words, result, words used.
    #[test]
    fn rejection_table() {
        let table: [(u32, u64, &[u32], u32, usize); 7] = [
            (6, 4_294_967_292, &[4_294_967_291], 5, 1),
            (6, 4_294_967_292, &[4_294_967_292, 7], 1, 2),
            (10, 4_294_967_290, &[4_294_967_290, 13], 3, 2),
            (3, 4_294_967_295, &[4_294_967_295, 4], 1, 2),
            (2_147_483_649, 2_147_483_649, &[2_147_483_649, 1], 1, 2),
            (
                3_000_000_000,
                3_000_000_000,
                &[3_000_000_000, 4_294_967_295, 17],
                17,
                3,
            ),
            (8, 4_294_967_296, &[4_294_967_295], 7, 1),
        ];
        for (n, limit, words, result, used) in table {
            let mut left = words.iter();
            assert_eq!(acceptance_limit(n), limit);
            assert_eq!(uniform(n, || *left.next().unwrap()), result);
            assert_eq!(words.len() - left.len(), used);
        }
    }

    #[test]
    fn one_face_takes_no_word() {
        let mut words = RandomWords::new(&Key::new([7; 32]));
        assert_eq!(throw(&"3d1".parse().unwrap(), &mut words), [1, 1, 1]);
        assert_eq!(words.used(), 0);
    }

    #[test]
    fn a_draw_is_the_beginning_of_the_shuffle() {
        let key = Key::new([9; 32]);
        let thrown = |spec: &str| throw(&spec.parse().unwrap(), &mut RandomWords::new(&key));
        let all = thrown("shuffle20");
        assert_eq!(all, thrown("draw20/20"));
        assert_eq!(all[..6], thrown("draw6/20"));
        assert!("shuffle20".parse::<Spec>().unwrap().can_give(&all));
    }
}
