//! The foot of every mail names the newest entry and its head: two players who compare one line
//! have compared everything.

use super::{campaign::Audit, evidence::Testimony, heads::ByNumber};
use crate::dice::verify::Check;

impl Audit<'_> {
    /// Each foot against the entry that it names. An entry that is in none of the mails is no
    /// fraud: mails are lost.
    pub(super) fn feet(&mut self) {
        let evidence = self.evidence;
        let newest = self.entries().map(|entry| entry.n).max().unwrap_or(0);
        let mut right = 0;
        let mut beyond: Option<(u32, &str)> = None;
        // Of entries that no mail has: then feet can still be compared with each other.
        let mut before = ByNumber::default();
        for Testimony {
            what: (n, head),
            mail,
            ..
        } in &evidence.feet
        {
            let known = evidence.heads.known(*n);
            if known.is_none() && *n > newest && beyond.is_none_or(|(highest, _)| *n > highest) {
                beyond = Some((*n, mail));
            }
            match known.or_else(|| before.of(*n)) {
                Some(known) if known.has(head) => right += 1,
                Some(known) => {
                    let expected = known.first;
                    let place = format!("the foot `register {n} ...`");
                    self.wrong(Check::Head, place, expected, head, vec![mail.clone()]);
                }
                None => {}
            }
            before.add(*n, *head);
        }
        self.report.checked.push(format!(
            "feet: {right} different lines `register ...` name the heads of their entries"
        ));
        if let Some((n, mail)) = beyond {
            self.report.unproven.push(format!(
                "the entries after {newest} up to {n}, which the foot of {mail} names: no mail has them; ask another \
                 player for them"
            ));
        }
    }
}
