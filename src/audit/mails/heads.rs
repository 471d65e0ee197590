//! The heads that mails give to the numbers of a campaign's entries.

use std::collections::{HashMap, HashSet};

use crate::dice::{Digest, Entry};

/// The heads that one number has, or is said to have: more than one is a fraud.
#[derive(Debug)]
pub(super) struct NumberHeads {
    /// The first that was found.
    pub first: Digest,
    all: HashSet<Digest>,
}

impl NumberHeads {
    pub(super) fn has(&self, head: &Digest) -> bool {
        self.all.contains(head)
    }
}

/// Heads by number.
#[derive(Debug, Default)]
pub(super) struct ByNumber(HashMap<u32, NumberHeads>);

impl ByNumber {
    pub(super) fn add(&mut self, n: u32, head: Digest) {
        let named = self.0.entry(n).or_insert_with(|| NumberHeads {
            first: head,
            all: HashSet::new(),
        });
        named.all.insert(head);
    }

    pub(super) fn of(&self, n: u32) -> Option<&NumberHeads> {
        self.0.get(&n)
    }
}

/// The heads of entries, and who names them.
#[derive(Debug, Default)]
pub(super) struct Heads {
    own: ByNumber,
    /// The heads that entries name for the number before theirs.
    before: ByNumber,
    all: HashSet<Digest>,
    feet: HashSet<(u32, Digest)>,
}

impl Heads {
    /// Takes in an entry.
    pub(super) fn entry(&mut self, entry: &Entry) {
        self.own.add(entry.n, entry.head);
        self.all.insert(entry.head);
        if let Some(before) = entry.n.checked_sub(1) {
            self.before.add(before, entry.prev);
        }
    }

    /// Takes in a foot. Says whether it is new.
    pub(super) fn foot(&mut self, foot: (u32, Digest)) -> bool {
        self.feet.insert(foot)
    }

    /// The heads of the entries with this number.
    pub(super) fn of(&self, n: u32) -> Option<&NumberHeads> {
        self.own.of(n)
    }

    /// The heads of the entries with this number, or else those that later entries name for it.
    pub(super) fn known(&self, n: u32) -> Option<&NumberHeads> {
        self.own.of(n).or_else(|| self.before.of(n))
    }

    /// Returns true if a foot, or an entry after it, names this head.
    pub(super) fn names(&self, n: u32, head: &Digest) -> bool {
        let after = self.before.of(n).is_some_and(|named| named.has(head));
        after || self.feet.contains(&(n, *head))
    }

    /// Returns true if any entry has this head.
    pub(super) fn has(&self, head: &Digest) -> bool {
        self.all.contains(head)
    }
}
