//! The umpires of a campaign: the first, and those beside him, each with an address and a token of
//! his own.
//!
//! A *blind* umpire runs the game without seeing it: his letters and the command line show him who
//! is awaited, what is held and what came back, and neither positions nor orders.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::{
    campaign::model::{
        recipient::{FIRST_UMPIRE, Recipient},
        seats::{Address, Seats},
    },
    ids::SeatId,
    mail::Mailbox,
};

/// The longest name of an umpire: with `u-` before it, it has the form of a seat's.
const LONGEST: usize = 22;

/// An umpire.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Umpire {
    /// His name, in the form of a seat's.
    pub name: SeatId,
    /// The address of his letters, and from which he rules by mail.
    pub address: Address,
    /// True if he sees neither positions nor orders.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub blind: bool,
    /// True if he gets no letters but the answers to his own mails, and other umpires' notes.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub silent: bool,
}

impl Umpire {
    /// The one that a plain address in the settings means.
    #[must_use]
    pub fn first(address: Address) -> Self {
        Self {
            name: SeatId::from(FIRST_UMPIRE),
            address,
            blind: false,
            silent: false,
        }
    }

    /// Whom letters to him go to.
    #[must_use]
    pub fn recipient(&self) -> Recipient {
        Recipient::of_umpire(&self.name)
    }
}

/// Checks the names and addresses of umpires who have names.
///
/// # Errors
/// The fault.
pub(crate) fn check(umpires: &[Umpire], seats: &Seats, mailbox: &Mailbox) -> Result<(), String> {
    let mut names = BTreeSet::new();
    for umpire in umpires {
        let Umpire { name, address, .. } = umpire;
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        let fits = (1..=LONGEST).contains(&name.len()) && name.bytes().all(plain);
        if !fits || **name == *FIRST_UMPIRE {
            return Err(format!(
                "`umpires`: `{name}` can't name an umpire: 1 to {LONGEST} of a-z, 0-9 and -, and not `{FIRST_UMPIRE}`"
            ));
        }
        if !names.insert(name) {
            return Err(format!("`umpires`: `{name}` stands twice"));
        }
        let folder = umpire.recipient().address_name();
        if seats.get(name).is_some() {
            return Err(format!(
                "`umpires`: `{name}` is a seat, and can't name an umpire"
            ));
        }
        if seats.ids().any(|seat| **seat == *folder) {
            return Err(format!(
                "`umpires`: the umpire `{name}` and the seat `{folder}` would share an address"
            ));
        }
        if mailbox.owns(address.as_str()) {
            return Err(format!(
                "`umpires`: `{address}` is an address of the campaign's own mailbox"
            ));
        }
    }
    Ok(())
}
