//! The mails that must go out, as pure data: it is part of the state that a replay of the journal gives.
//!
//! A mail is planned when the journal's records make it, and struck off when the journal says that it was delivered. A
//! crash between delivery and that record delivers it again, with the same Message-ID and the same bytes: every mail
//! goes out at least once, and mailboxes keep one of each.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    str::FromStr,
};

use serde::{Deserialize, Serialize};

use super::{by_text::written_as_text, digest::Digest, error::CampaignError, seats::Address};
use crate::ids::SeatId;

/// To whom a mail goes. Written `red`, `umpire`, `ada@example.org`; no seat is called `umpire` or has an @.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Recipient {
    /// Whoever sits there when it is sent.
    Seat(SeatId),
    /// The umpire.
    Umpire,
    /// Somebody who is neither: the answer to a stranger's mail.
    Other(String),
}

/// A mail that must go out. Its bytes are made anew when it is sent; the digest proves that they are the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Planned {
    /// To whom.
    pub to: Recipient,
    /// Its Message-ID, the same whenever it is sent.
    pub message_id: String,
    /// The SHA-256 of its bytes.
    pub digest: Digest,
}

/// All mails of a campaign: those that wait, and a digest of each that ever was planned.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outbox {
    waiting: Vec<Planned>,
    digests: BTreeMap<String, Digest>,
    counts: BTreeMap<Recipient, u64>,
}

/// What became of the mails that waited.
#[derive(Debug)]
pub struct Delivery<E> {
    /// The Message-IDs of those that were delivered: to be written into the journal.
    pub delivered: Vec<String>,
    /// Those that were not, each with the reason. They and the later ones to the same recipients wait on.
    pub failed: Vec<(Planned, E)>,
}

impl Outbox {
    /// The number of the next mail to this recipient, from 1. A Message-ID is made from it and not from a number that
    /// all seats share: that would tell each of them how many mails the others get.
    #[must_use]
    pub fn next_number(&self, to: &Recipient) -> u64 {
        self.counts.get(to).copied().unwrap_or(0) + 1
    }

    /// Plans a mail. Returns false, and does nothing, if it was planned before.
    ///
    /// # Errors
    /// [`CampaignError::MailChanged`] when another mail has the same Message-ID.
    pub fn plan(&mut self, mail: Planned) -> Result<bool, CampaignError> {
        match self.digests.get(&mail.message_id) {
            Some(first) if *first == mail.digest => return Ok(false),
            Some(first) => {
                let Planned {
                    message_id,
                    digest: second,
                    ..
                } = mail;
                return Err(CampaignError::MailChanged {
                    message_id,
                    first: *first,
                    second,
                });
            }
            None => {}
        }
        *self.counts.entry(mail.to.clone()).or_default() += 1;
        self.digests.insert(mail.message_id.clone(), mail.digest);
        self.waiting.push(mail);
        Ok(true)
    }

    /// The mails that wait, in the order planned.
    #[must_use]
    pub fn waiting(&self) -> &[Planned] {
        &self.waiting
    }

    /// Strikes off a mail that was delivered. Returns false if it did not wait.
    pub fn strike(&mut self, message_id: &str) -> bool {
        let before = self.waiting.len();
        self.waiting.retain(|mail| mail.message_id != message_id);
        self.waiting.len() < before
    }

    /// Delivers the mails that wait, in order. If one fails, the later ones to the same recipient are left for the next
    /// time, so that each gets them in order; other recipients' mails go on.
    ///
    /// Nothing is struck off: write the delivered ones into the journal, then [`Outbox::strike`] them.
    pub fn deliver<E>(&self, mut deliver: impl FnMut(&Planned) -> Result<(), E>) -> Delivery<E> {
        let mut delivery = Delivery {
            delivered: Vec::new(),
            failed: Vec::new(),
        };
        let mut blocked = BTreeSet::new();
        for mail in &self.waiting {
            if blocked.contains(&mail.to) {
                continue;
            }
            match deliver(mail) {
                Ok(()) => delivery.delivered.push(mail.message_id.clone()),
                Err(error) => {
                    blocked.insert(&mail.to);
                    delivery.failed.push((mail.clone(), error));
                }
            }
        }
        delivery
    }
}

impl FromStr for Recipient {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "" => Err("a mail has no recipient".into()),
            "umpire" => Ok(Self::Umpire),
            address if address.contains('@') => address
                .parse::<Address>()
                .map(|address| Self::Other(address.to_string())),
            seat => Ok(Self::Seat(seat.into())),
        }
    }
}

written_as_text!(Recipient);

impl fmt::Display for Recipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Seat(seat) => seat,
            Self::Umpire => "umpire",
            Self::Other(address) => address,
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)] // tests may panic
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn mail(to: &str, number: u64) -> Planned {
        let message_id = format!("{to}.{number}");
        Planned {
            to: to.parse().unwrap(),
            digest: Digest::of(message_id.as_bytes()),
            message_id,
        }
    }

    fn outbox(recipients: &[&str]) -> Outbox {
        let mut outbox = Outbox::default();
        for to in recipients {
            let number = outbox.next_number(&to.parse().unwrap());
            assert!(outbox.plan(mail(to, number)).unwrap());
        }
        outbox
    }

    #[test]
    fn a_mail_is_planned_once_even_when_it_has_gone() {
        let mut outbox = outbox(&["red", "blue", "red"]);
        assert!(!outbox.plan(mail("red", 1)).unwrap());
        assert!(outbox.strike("red.1") && !outbox.strike("red.1"));
        assert!(!outbox.plan(mail("red", 1)).unwrap());
        assert_eq!(outbox.waiting(), [mail("blue", 1), mail("red", 2)]);
        assert_eq!(outbox.next_number(&Recipient::Umpire), 1);
    }

    #[test]
    fn another_mail_under_the_same_name_is_an_error() {
        let mut outbox = outbox(&["red"]);
        let other = Planned {
            digest: Digest::of(b"other"),
            ..mail("red", 1)
        };
        assert!(matches!(
            outbox.plan(other),
            Err(CampaignError::MailChanged { .. })
        ));
        assert_eq!(outbox.waiting(), [mail("red", 1)]);
    }

    #[test]
    fn one_bad_mailbox_does_not_hold_up_the_others() {
        let outbox = outbox(&["red", "blue", "red", "blue", "umpire"]);
        let delivery = outbox.deliver(|mail| {
            if mail.message_id == "red.1" {
                Err("full")
            } else {
                Ok(())
            }
        });
        assert_eq!(delivery.delivered, ["blue.1", "blue.2", "umpire.1"]);
        assert_eq!(delivery.failed, [(mail("red", 1), "full")]);
        assert_eq!(outbox.waiting().len(), 5, "until the journal has it");
    }

    #[test]
    fn it_is_written_and_read() {
        let outbox = outbox(&["red", "umpire", "eve@example.net"]);
        let text = serde_json::to_string(&outbox).unwrap();
        assert_eq!(serde_json::from_str::<Outbox>(&text).unwrap(), outbox);
        assert!("".parse::<Recipient>().is_err() && "a@b@c".parse::<Recipient>().is_err());
    }

    proptest! {
        /// Passes that fail or crash anywhere: in the end each recipient has got every mail, in order.
        #[test]
        fn every_mail_arrives_at_least_once_and_in_order(
            recipients in prop::collection::vec(prop::sample::select(vec!["red", "blue", "umpire"]), 0..12),
            passes in prop::collection::vec((prop::collection::vec(any::<bool>(), 12), 0usize..12), 0..5),
        ) {
            let mut outbox = outbox(&recipients);
            let mut arrived: Vec<Planned> = Vec::new();
            for (works, journalled) in passes {
                let mut works = works.into_iter();
                let delivery = outbox.deliver(|mail| {
                    let works = works.next().unwrap_or(true);
                    if works && !arrived.contains(mail) {
                        arrived.push(mail.clone());
                    }
                    works.then_some(()).ok_or(())
                });
                // A crash after some records: the rest was delivered, but the journal does not know.
                delivery.delivered.iter().take(journalled).for_each(|id| assert!(outbox.strike(id)));
            }
            let last = outbox.deliver(|mail| {
                if !arrived.contains(mail) {
                    arrived.push(mail.clone());
                }
                Ok::<(), ()>(())
            });
            prop_assert!(last.failed.is_empty());
            for to in ["red", "blue", "umpire"] {
                let to: Recipient = to.parse().unwrap();
                let count = recipients.iter().filter(|other| to.to_string() == **other).count() as u64;
                let got: Vec<Planned> = arrived.iter().filter(|mail| mail.to == to).cloned().collect();
                let wanted: Vec<Planned> = (1..=count).map(|number| mail(&to.to_string(), number)).collect();
                prop_assert_eq!(got, wanted);
            }
        }
    }
}
