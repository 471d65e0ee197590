//! Hearsay: mails that are no letters of the host, where there are such letters. They are
//! quotations, or what other players sent.
//!
//! Anybody can write such a mail, so it convicts nobody. Where it agrees with the letters it adds
//! nothing; where it does not, the difference is named with its mail, for people to clear up. Two
//! kinds of entries count all the same. One that a letter vouches for, because its head stands at
//! the letter's foot or in the entry after it, fills a gap. And one that has the number of a
//! letter's entry but another head is shown, since the register exists to reveal two entries with
//! one number; it is evidence of nothing else.

use std::collections::HashSet;

use super::evidence::{Evidence, Testimony};
use crate::dice::Entry;

/// Sentences about claims that were left out.
#[derive(Debug, Default)]
pub(super) struct Hearsay(pub Vec<String>);

impl Evidence {
    /// Takes in the claims of other mails.
    pub(super) fn hear(&mut self, others: Evidence) {
        self.damaged.extend(others.damaged);
        self.hear_entries(others.entries);
        for Testimony { what, mail, .. } in others.feet {
            let (n, head) = what;
            if !self.heads.names(n, &head) && !self.heads.has(&head) {
                let why = "no letter has this head; compare it with the letter it was taken from";
                self.left_out(format!("`register {n} {head}`"), &mail, why);
            }
        }
        let own = self.receipts.iter();
        let own: HashSet<String> = own.map(|own| own.what.receipt.to_string()).collect();
        for Testimony { what, mail, .. } in others.receipts {
            if !own.contains(&what.receipt.to_string()) {
                let why = "receipts count in the host's letters as they were sent";
                self.left_out(format!("`{}`", what.receipt), &mail, why);
            }
        }
        for Testimony { what, mail, .. } in others.private {
            if !self.has_block(&what) {
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
    fn hear_entries(&mut self, mut others: Vec<Testimony<Entry>>) {
        others.sort_by_key(|said| std::cmp::Reverse(said.what.n));
        for said in others {
            let Entry { n, head, .. } = said.what;
            if self.has(&said.what) {
                continue;
            }
            let heads = self.heads.of(n);
            let contradicts = heads.is_some_and(|heads| !heads.has(&head));
            if said.what.true_head() != head {
                let why = "its head is not that of its lines; a damaged copy";
                self.left_out(format!("`{}`", said.what.heading()), &said.mail, why);
            } else if contradicts {
                self.contradicting.push(said);
            } else if self.heads.names(n, &head) {
                self.add(said);
            } else {
                let why = "no letter has it or names its head";
                self.left_out(format!("`{}`", said.what.heading()), &said.mail, why);
            }
        }
    }

    fn left_out(&mut self, what: String, mail: &str, why: &str) {
        self.hearsay.0.push(format!(
            "{what} in {mail}, which is no letter of the host: {why}"
        ));
    }
}
