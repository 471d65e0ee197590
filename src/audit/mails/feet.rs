//! The foot of every mail names the newest entry and its head: two players who compare one line have compared everything.

use super::{
    Audit,
    evidence::{Evidence, Said},
};
use crate::dice::{Digest, verify::Check};

impl Evidence {
    /// The heads that entries give to this number: those of the entries with it, else what the next one says before it.
    fn heads(&self, n: u32) -> Vec<Digest> {
        let entries = || self.entries.iter().map(|said| &said.what);
        let own: Vec<Digest> = entries().filter(|e| e.n == n).map(|e| e.head).collect();
        if own.is_empty() {
            let after = n.checked_add(1);
            let next = entries().filter(|entry| Some(entry.n) == after);
            return next.map(|entry| entry.prev).collect();
        }
        own
    }
}

impl Audit<'_> {
    /// Each foot against the entry that it names. An entry that is in none of the mails is no fraud: mails are lost.
    pub(super) fn feet(&mut self) {
        let evidence = self.evidence;
        let newest = self.entries().map(|entry| entry.n).max().unwrap_or(0);
        let mut right = 0;
        let mut beyond: Option<(u32, &str)> = None;
        for (index, foot) in evidence.feet.iter().enumerate() {
            let Said {
                what: (n, head),
                mail,
                ..
            } = foot;
            let mut heads = evidence.heads(*n);
            if heads.is_empty() {
                // Then feet can still be compared with each other.
                let before = evidence.feet[..index].iter().map(|foot| foot.what);
                heads.extend(before.filter(|(other, _)| other == n).map(|(_, head)| head));
                if *n > newest && beyond.is_none_or(|(highest, _)| *n > highest) {
                    beyond = Some((*n, mail));
                }
            }
            match heads.first() {
                Some(_) if heads.contains(head) => right += 1,
                Some(known) => self.wrong(
                    Check::Head,
                    format!("the foot `register {n} ...`"),
                    known,
                    head,
                    vec![mail.clone()],
                ),
                None => {}
            }
        }
        self.report.checked.push(format!(
            "feet: {right} different lines `register ...` name the heads of their entries"
        ));
        if let Some((n, mail)) = beyond {
            self.report.unchecked.push(format!(
                "the entries after {newest} up to {n}, which the foot of {mail} names: no mail has them; ask another \
                 player for them"
            ));
        }
    }
}
