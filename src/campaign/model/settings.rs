//! `campaign.yaml`: what the umpire decided when making the campaign. Strict: an unknown or wrong
//! line is an error with its place, never ignored.

use std::{collections::BTreeMap, fmt, path::Path, str::FromStr};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    bounded::FileError,
    by_text::written_as_text,
    campaign::model::{
        absence::AbsenceRules,
        clock::Schedule,
        concerns::BouncePolicy,
        dispatch_policy::DispatchPolicy,
        errands::PressRules,
        observers::ObserverRule,
        seats::{Address, Seats},
        trust::TrustPolicy,
        umpires::{self, Umpire},
    },
    dice::{Lane, source::witness_lane},
    digest::Digest,
    game::Seating,
    ids::SeatId,
    mail::Mailbox,
    store::{Blob, Directory, StoreError},
    yaml,
};

/// The longest part of an address before the @, in bytes (RFC 5321, 4.5.3.1.1).
const LONGEST_LOCAL: usize = 64;
/// Characters of the token in a reply address.
const TOKEN: usize = 16;
/// The longest name of a witness: with `w-` before it, it has the form of a seat's.
const LONGEST_WITNESS: usize = 22;
/// The least seconds between a seal and its round of the beacon: the seal must be on its way by
/// then.
const LEAST_MARGIN: u32 = 60;
/// With fewer seconds a letter may well arrive after the round, and then proves nothing to its
/// reader.
pub const SHORT_MARGIN: u32 = 900;
/// Nobody would answer more questions in one turn.
pub(crate) const MOST_QUESTIONS: u32 = 20;

/// A campaign's name: 1 to 24 of a-z, 0-9 and `-`. The dice allow 32 (dice.md, section 2), but it
/// stands in reply addresses.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CampaignId(String);

impl CampaignId {
    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for CampaignId {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        if (1..=24).contains(&text.len()) && text.bytes().all(plain) {
            return Ok(Self(text.to_owned()));
        }
        Err(format!(
            "`{text}` can't name a campaign: 1 to 24 of a-z, 0-9 and -"
        ))
    }
}

written_as_text!(CampaignId);

impl fmt::Display for CampaignId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for CampaignId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn yes() -> bool {
    true
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it")]
fn is_yes(value: &bool) -> bool {
    *value
}

/// A source of randomness that nobody controls (dice.md, section 5).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "source", rename_all = "lowercase", deny_unknown_fields)]
pub enum DiceSource {
    /// The public beacon drand, quicknet.
    Drand {
        /// Seconds from the seal to the round's moment.
        margin_seconds: u32,
        /// A relay to ask for the value when its moment has come: `https://api.drand.sh`. Without
        /// one, mails and the folder `beacon` bring it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        relay: Option<String>,
    },
    /// A person who does not play and has a chain of tokens.
    Witness(Witness),
    /// The players' orders: for play without a network.
    Orders,
}

/// A person who does not play and answers each seal with a token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Witness {
    /// The person's name in the register, in the form of a seat's.
    pub name: SeatId,
    /// The address to which seals are sent.
    pub address: Address,
    /// The end of the chain.
    pub anchor: Digest,
    /// After this many hours without an answer the token counts as refused.
    #[serde(default = "three_days")]
    pub hours: u32,
}

/// The hours that a witness has unless the umpire says otherwise.
pub const WITNESS_HOURS: u32 = 72;

fn three_days() -> u32 {
    WITNESS_HOURS
}

/// The settings of a campaign.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The campaign's name in addresses and hashes, new for every campaign.
    pub campaign: CampaignId,
    /// Its title in dispatches; if empty, the game's.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// The game's id.
    pub game: String,
    /// The scenario's id.
    pub scenario: String,
    /// The game's options that differ from its defaults.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
    /// The seats and their players.
    pub seats: Seats,
    /// The roster, and seats that one player holds together, where they differ from the game's
    /// defaults.
    #[serde(default, skip_serializing_if = "Seating::is_usual")]
    pub seating: Seating,
    /// The address for notices of trouble.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub umpire: Option<Address>,
    /// More umpires, or those of a campaign whose first one has a name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub umpires: Vec<Umpire>,
    /// The mailbox that its mails come from and go to; `host` in campaigns of earlier versions.
    #[serde(alias = "host")]
    pub mailbox: Mailbox,
    /// The schedule by which orders close.
    pub schedule: Schedule,
    /// The sources that the dice are mixed with; at least one.
    pub dice: Vec<DiceSource>,
    /// The most letters with questions that a seat may get in a turn; 0: standing orders and
    /// defaults decide everything.
    pub questions_per_turn: u32,
    /// True if dispatches and questions include a picture of the map.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub pictures: bool,
    /// The policy that decides who gets a dispatch.
    #[serde(default, skip_serializing_if = "DispatchPolicy::is_default")]
    pub dispatches: DispatchPolicy,
    /// Whether seats may write to each other through the host.
    #[serde(default, skip_serializing_if = "PressRules::is_default")]
    pub press: PressRules,
    /// What is done about players who are away, or gone.
    #[serde(default, skip_serializing_if = "AbsenceRules::is_default")]
    pub absence: AbsenceRules,
    /// Who may look on, and at what.
    #[serde(default, skip_serializing_if = "ObserverRule::is_none")]
    pub observers: ObserverRule,
    /// The club that it belongs to, where players ask what only a club can answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub club: Option<Address>,
    /// The trust that the host must have in the sender of orders.
    #[serde(default, skip_serializing_if = "TrustPolicy::is_default")]
    pub trust: TrustPolicy,
    /// How the clock treats a seat whose letters come back.
    #[serde(default, skip_serializing_if = "BouncePolicy::is_default")]
    pub unreachable: BouncePolicy,
    /// The seed of the master, in simulations and in the demo: such dice are not secret, and a note
    /// in the register says so (dice.md, section 5).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<String>,
    /// When the campaign was made.
    pub created: Timestamp,
}

impl Settings {
    /// Reads settings; `path` is for messages only.
    ///
    /// # Errors
    /// [`StoreError::Settings`], with line and column where the text itself is wrong.
    pub fn parse(text: &str, path: &Path) -> Result<Self, StoreError> {
        let wrong = |problem| StoreError::Settings {
            path: path.to_owned(),
            problem,
        };
        let settings: Self = yaml::from_str(text).map_err(|error| wrong(error.to_string()))?;
        settings.check().map_err(wrong)?;
        Ok(settings)
    }

    /// Reads the settings of a campaign.
    ///
    /// # Errors
    /// As [`Settings::parse`] and [`Directory::fetch`]; one of the environment, if there are none.
    pub fn of(directory: &Directory) -> Result<Self, StoreError> {
        let path = directory.place(Blob::Settings);
        let text = directory.fetch(Blob::Settings)?;
        let text = text.ok_or_else(|| FileError::missing(&path))?;
        Self::parse(&text, &path)
    }

    /// The settings as YAML. Reading it gives the same settings.
    ///
    /// # Errors
    /// [`StoreError::Unwritable`].
    pub fn to_yaml(&self) -> Result<String, StoreError> {
        serde_yaml::to_string(self).map_err(|error| StoreError::Unwritable {
            what: "settings",
            problem: error.to_string(),
        })
    }

    /// Checks what the types of the fields don't guarantee: that names are plain, and that the
    /// parts fit together.
    ///
    /// # Errors
    /// The fault, naming the field.
    pub fn check(&self) -> Result<(), String> {
        for (field, name) in [("game", &self.game), ("scenario", &self.scenario)] {
            if !is_plain_name(name) {
                return Err(format!(
                    "`{field}`: `{name}` is no name; use a-z, 0-9, - and _"
                ));
            }
        }
        if self.dice.is_empty() {
            return Err(
                "`dice` names no source; the dice would be settled by the opening alone".into(),
            );
        }
        self.check_sources()?;
        if self.questions_per_turn > MOST_QUESTIONS {
            return Err(format!(
                "`questions_per_turn` is {}; at most {MOST_QUESTIONS}",
                self.questions_per_turn
            ));
        }
        self.absence.check()?;
        self.observers.check(&self.seats)?;
        check_mailbox(&self.mailbox)?;
        self.trust.check(self.has_umpire())?;
        self.check_umpires()?;
        self.check_reply_addresses()
    }

    /// All umpires, the one that `umpire` names first.
    pub fn all_umpires(&self) -> impl Iterator<Item = Umpire> {
        let first = self.umpire.iter().cloned().map(Umpire::first);
        first.chain(self.umpires.iter().cloned())
    }

    /// The umpire with this name.
    #[must_use]
    pub fn umpire_named(&self, name: &str) -> Option<Umpire> {
        self.all_umpires().find(|umpire| *umpire.name == *name)
    }

    /// The address that players are told, if there is an umpire.
    #[must_use]
    pub fn umpires_address(&self) -> Option<&Address> {
        let mut named = self.umpires.iter();
        let answers = named.clone().find(|umpire| !umpire.silent);
        let first = answers.or_else(|| named.next());
        self.umpire.as_ref().or(first.map(|umpire| &umpire.address))
    }

    /// Returns true if there is an umpire.
    #[must_use]
    pub fn has_umpire(&self) -> bool {
        self.umpires_address().is_some()
    }

    fn check_umpires(&self) -> Result<(), String> {
        umpires::check(&self.umpires, &self.seats, &self.mailbox)?;
        if self.has_umpire() && self.all_umpires().all(|umpire| umpire.silent) {
            return Err("`umpires`: one of them at least must not be `silent`".into());
        }
        Ok(())
    }

    /// The witnesses of the dice, in their order.
    pub fn witnesses(&self) -> impl Iterator<Item = &Witness> {
        self.dice.iter().filter_map(|source| match source {
            DiceSource::Witness(witness) => Some(witness),
            _ => None,
        })
    }

    /// The beacon's margin if it is short (see [`SHORT_MARGIN`]), in seconds.
    #[must_use]
    pub fn short_margin(&self) -> Option<u32> {
        self.margin().filter(|margin| *margin < SHORT_MARGIN)
    }

    fn margin(&self) -> Option<u32> {
        self.dice.iter().find_map(|source| match source {
            DiceSource::Drand { margin_seconds, .. } => Some(*margin_seconds),
            _ => None,
        })
    }

    fn check_sources(&self) -> Result<(), String> {
        #[cfg(feature = "drand")]
        for source in &self.dice {
            if let DiceSource::Drand {
                relay: Some(relay), ..
            } = source
            {
                super::relay_address::check_address(relay)
                    .map_err(|why| format!("`dice`: {why}"))?;
            }
        }
        if let Some(margin) = self.margin().filter(|margin| *margin < LEAST_MARGIN) {
            return Err(format!(
                "`dice`: `margin_seconds` is {margin}; at least {LEAST_MARGIN}, or the beacon's value could be known before the seal has gone out"
            ));
        }
        let mut names = std::collections::BTreeSet::new();
        for witness in self.witnesses() {
            let name = &witness.name;
            if name.len() > LONGEST_WITNESS || witness_lane(name).parse::<Lane>().is_err() {
                return Err(format!(
                    "`dice`: `{name}` can't name a witness: 1 to {LONGEST_WITNESS} of a-z, 0-9 and -"
                ));
            }
            if witness.hours == 0 {
                return Err(format!(
                    "`dice`: the witness `{name}` has 0 `hours` to answer; at least 1"
                ));
            }
            if !names.insert(name) {
                return Err(format!("`dice`: the witness `{name}` stands twice"));
            }
            if self.seats.ids().any(|seat| **seat == *witness_lane(name)) {
                return Err(format!(
                    "`dice`: the witness `{name}` and the seat `{}` would share an address",
                    witness_lane(name)
                ));
            }
        }
        let single = |wanted: fn(&DiceSource) -> bool| {
            self.dice.iter().filter(|source| wanted(source)).count() < 2
        };
        let beacons = single(|source| matches!(source, DiceSource::Drand { .. }));
        if beacons && single(|source| *source == DiceSource::Orders) {
            return Ok(());
        }
        Err("`dice`: drand and orders can be named once each".into())
    }

    fn check_reply_addresses(&self) -> Result<(), String> {
        let shared = self.mailbox.local.len() + self.campaign.as_str().len() + TOKEN + 3;
        let witnesses = self.witnesses().map(|witness| witness_lane(&witness.name));
        // One without a name has been written to before umpires had addresses of their own.
        let umpires = self.umpires.iter();
        let umpires = umpires.map(|it| it.recipient().address_name());
        let seats = self.seats.ids().map(ToString::to_string);
        let mut names = seats.chain(witnesses).chain(umpires);
        match names.find(|name| shared + name.len() > LONGEST_LOCAL) {
            None => Ok(()),
            Some(seat) => Err(format!(
                "the reply address of the seat `{seat}` would have more than {LONGEST_LOCAL} characters before the @; \
                 shorten `campaign`, the seat's name or the host's `local`"
            )),
        }
    }
}

/// Checks a campaign's mailbox.
fn check_mailbox(mailbox: &Mailbox) -> Result<(), String> {
    (mailbox.to_string().parse::<Address>()).map_err(|problem| format!("`mailbox`: {problem}"))?;
    if !matches!(mailbox.delimiter, '+' | '-') {
        return Err(format!(
            "`mailbox`: the delimiter `{}` is neither + nor -",
            mailbox.delimiter
        ));
    }
    if mailbox.local.contains(mailbox.delimiter) {
        return Err(format!(
            "`mailbox`: `{}` contains the delimiter `{}`",
            mailbox.local, mailbox.delimiter
        ));
    }
    Ok(())
}

fn is_plain_name(name: &str) -> bool {
    let plain =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte);
    (1..=64).contains(&name.len()) && name.bytes().all(plain)
}

#[cfg(test)]
pub(crate) mod tests;
