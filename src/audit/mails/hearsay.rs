//! What stands in mails that are no letters of the host, while there are letters: quotations, what other players sent.
//!
//! Anybody can write such a mail, so it convicts nobody: what agrees with the letters adds nothing, what does not is named,
//! with its mail, for people to clear up. Two kinds of entries count all the same. One that a letter vouches for, because
//! its head stands at the letter's foot or in the entry after it, fills a gap. And one with the number of a letter's entry
//! and another head is shown, for two entries with one number are what the register is there to show; it bears witness of
//! nothing else.

use super::evidence::{Evidence, Said};
use crate::dice::{Digest, Entry};

/// Sentences for what is left out.
#[derive(Debug, Default)]
pub(super) struct Hearsay(pub Vec<String>);

impl Evidence {
    /// Takes in what other mails say.
    pub(super) fn hear(&mut self, others: Evidence) {
        self.damaged.extend(others.damaged);
        self.hear_entries(others.entries);
        for Said { what, mail, .. } in others.feet {
            let (n, head) = what;
            let is_known = self.names(n, &head) || self.entries.iter().any(|e| e.what.head == head);
            if !is_known {
                let why = "no letter has this head; compare it with the letter it was taken from";
                self.left_out(format!("`register {n} {head}`"), &mail, why);
            }
        }
        for Said { what, mail, .. } in others.receipts {
            let own = self.receipts.iter();
            if !own
                .map(|own| &own.what.receipt)
                .any(|own| *own == what.receipt)
            {
                let why = "receipts count in the host's letters as they were sent";
                self.left_out(format!("`{}`", what.receipt), &mail, why);
            }
        }
        for Said { what, mail, .. } in others.private {
            if !self.private.iter().any(|own| own.what == what) {
                let heading = format!(
                    "`sd1-private {} {} {}`",
                    what.campaign, what.seat, what.envelope
                );
                let why = "keys and rolls count in the host's letters as they were sent";
                self.left_out(heading, &mail, why);
            }
        }
    }

    /// From the newest back, so that an entry which is vouched for can vouch for the one before it.
    fn hear_entries(&mut self, mut others: Vec<Said<Entry>>) {
        others.sort_by_key(|said| std::cmp::Reverse(said.what.n));
        for said in others {
            let Entry { n, head, .. } = said.what;
            if self.entries.iter().any(|known| known.what == said.what) {
                continue;
            }
            let heads = self.entries.iter().filter(|known| known.what.n == n);
            let heads: Vec<Digest> = heads.map(|known| known.what.head).collect();
            let contradicts = !heads.is_empty() && !heads.contains(&head);
            if said.what.true_head() != head {
                let why = "its head is not that of its lines; a damaged copy";
                self.left_out(format!("`{}`", said.what.heading()), &said.mail, why);
            } else if contradicts {
                self.contradicting.push(said);
            } else if self.names(n, &head) {
                self.entries.push(said);
            } else {
                let why = "no letter has it or names its head";
                self.left_out(format!("`{}`", said.what.heading()), &said.mail, why);
            }
        }
    }

    /// Whether a foot of a letter, or the entry after it, names this entry's head.
    fn names(&self, n: u32, head: &Digest) -> bool {
        let after = n.checked_add(1);
        let mut feet = self.feet.iter().map(|foot| &foot.what);
        let mut entries = self.entries.iter().map(|said| &said.what);
        feet.any(|foot| *foot == (n, *head))
            || entries.any(|entry| Some(entry.n) == after && entry.prev == *head)
    }

    fn left_out(&mut self, what: String, mail: &str, why: &str) {
        self.hearsay.0.push(format!(
            "{what} in {mail}, which is no letter of the host: {why}"
        ));
    }
}
