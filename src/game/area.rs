//! Sets of spaces, by their numbers in the map file.

use std::sync::Arc;

/// A set of spaces. Two areas of one map are equal when they hold the same spaces. Scripts pass
/// them on by value all the time: copies share their words until one is changed.
#[derive(Clone, Debug, Default)]
pub struct Area {
    /// A bit for each space; missing words are empty.
    words: Arc<[u64]>,
}

/// The word and the bit of a number.
fn place(number: usize) -> (usize, u64) {
    (number / 64, 1 << (number % 64))
}

impl Area {
    /// Returns true if a space belongs to it.
    #[must_use]
    pub fn contains(&self, number: usize) -> bool {
        let (word, bit) = place(number);
        self.words.get(word).is_some_and(|word| word & bit != 0)
    }

    /// Adds a space; says whether it is new.
    pub fn insert(&mut self, number: usize) -> bool {
        if self.contains(number) {
            return false;
        }
        let (word, bit) = place(number);
        if self.words.len() <= word {
            let more = word + 1 - self.words.len();
            let words = self.words.iter().copied();
            self.words = words.chain(std::iter::repeat_n(0, more)).collect();
        }
        if let Some(found) = Arc::make_mut(&mut self.words).get_mut(word) {
            *found |= bit;
        }
        true
    }

    /// Takes a space out.
    pub fn remove(&mut self, number: usize) {
        let (word, bit) = place(number);
        if self.contains(number)
            && let Some(found) = Arc::make_mut(&mut self.words).get_mut(word)
        {
            *found &= !bit;
        }
    }

    /// The number of its spaces.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum()
    }

    /// Returns true if it has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// Its spaces in map-file order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(at, word)| {
            let mut rest = *word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
                rest &= rest - 1;
                Some(at * 64 + bit)
            })
        })
    }

    /// The spaces of either.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        self.joined(other, |a, b| a | b)
    }

    /// The spaces of both.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        self.joined(other, |a, b| a & b)
    }

    /// The spaces of this one that the other does not have.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Self {
        self.joined(other, |a, b| a & !b)
    }

    fn joined(&self, other: &Self, join: impl Fn(u64, u64) -> u64) -> Self {
        let length = self.words.len().max(other.words.len());
        let word = |area: &Self, at: usize| area.words.get(at).copied().unwrap_or(0);
        let words = (0..length).map(|at| join(word(self, at), word(other, at)));
        Self {
            words: words.collect(),
        }
    }
}

impl PartialEq for Area {
    fn eq(&self, other: &Self) -> bool {
        self.joined(other, |a, b| a ^ b).is_empty()
    }
}

impl Eq for Area {}

impl FromIterator<usize> for Area {
    fn from_iter<I: IntoIterator<Item = usize>>(numbers: I) -> Self {
        let mut words = Vec::new();
        for number in numbers {
            let (word, bit) = place(number);
            if words.len() <= word {
                words.resize(word + 1, 0);
            }
            if let Some(found) = words.get_mut(word) {
                *found |= bit;
            }
        }
        Self {
            words: words.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn numbers() -> impl Strategy<Value = BTreeSet<usize>> {
        proptest::collection::btree_set(0_usize..300, 0..40)
    }

    proptest! {
        #[test]
        fn an_area_is_a_set(a in numbers(), b in numbers(), one in 0_usize..300) {
            let (mut x, y): (Area, Area) = (a.iter().copied().collect(), b.iter().copied().collect());
            let list = |area: &Area| area.iter().collect::<Vec<_>>();
            prop_assert_eq!(list(&x), a.iter().copied().collect::<Vec<_>>());
            prop_assert_eq!(x.len(), a.len());
            prop_assert_eq!(x.is_empty(), a.is_empty());
            prop_assert_eq!(list(&x.union(&y)), a.union(&b).copied().collect::<Vec<_>>());
            prop_assert_eq!(list(&x.intersection(&y)), a.intersection(&b).copied().collect::<Vec<_>>());
            prop_assert_eq!(list(&x.difference(&y)), a.difference(&b).copied().collect::<Vec<_>>());
            prop_assert_eq!(x == y, a == b);
            prop_assert_eq!(x.contains(one), a.contains(&one));
            x.remove(one);
            prop_assert!(!x.contains(one));
            prop_assert!(x.insert(one) && !x.insert(one));
        }
    }
}
