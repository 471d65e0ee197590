//! The events that the journal records: what came in, and what came of it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use super::{
    done::{Done, LetterRecord},
    ruling::Ruling,
};
use crate::{
    campaign::model::{
        absence::ClubNotice,
        clock::ClockZone,
        errands::ErrandLine,
        player_address::BotName,
        seats::Address,
        settings::Settings,
        umpire_acts::{ActLine, UmpireAct, UmpireMail},
    },
    dice::{Form, Lane, SourceValue},
    digest::Digest,
    ids::SeatId,
    mail::Screen,
};

/// One record's event. Every input is followed by one [`Event::Done`]. If that is missing, the host
/// was stopped in between; it does the work again when it starts, and makes the same bytes, since
/// the work depends on the inputs alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Event {
    /// The campaign was made.
    Created(Box<Creation>),
    /// A mail of a seat was accepted.
    Mail(Box<SeatMail>),
    /// The bot of a seat has written, or failed to.
    Bot(Box<BotMails>),
    /// A mail was not accepted.
    Refused(RefusedMail),
    /// A letter came back.
    Bounced(Bounce),
    /// A seat asks for another address, or has confirmed it.
    Address(Box<AddressMail>),
    /// A seat asks for times in another zone.
    Zone(Box<ZoneMail>),
    /// A seat names the screen that its letters are read on.
    Screen(Box<ScreenMail>),
    /// A seat asks something of the host beside orders.
    Errands(Box<ErrandMail>),
    /// The beacon or a witness has spoken.
    Value(Box<DiceValue>),
    /// A wait is over by the clock.
    Deadline,
    /// A deadline is near, and seats have sent nothing.
    Reminder,
    /// The umpire has ruled.
    Umpire(Ruling),
    /// An umpire has done something under his name.
    UmpireActs(Box<UmpireActs>),
    /// The club around the campaigns has told something.
    Club(Box<ClubNotice>),
    /// The outcome of the input before.
    Done(Box<Done>),
}

impl Event {
    /// The seat whose letters were read, as this event proves.
    #[must_use]
    pub fn answers(&self) -> Option<&SeatId> {
        match self {
            Self::Mail(mail) => Some(&mail.seat),
            Self::Address(given) => Some(&given.seat),
            Self::Zone(given) => Some(&given.seat),
            Self::Screen(given) => Some(&given.seat),
            Self::Errands(given) => given.proven.then_some(&given.seat),
            Self::Value(value) => value.mail.as_ref().map(|mail| &mail.who),
            Self::Refused(refused) if refused.reason.is_proven() => refused.seat.as_ref(),
            _ => None,
        }
    }

    /// Returns true if it takes the campaign back: what no snapshot holds is needed then.
    #[must_use]
    pub fn takes_back(&self) -> bool {
        let is_back = |ruling: &Ruling| matches!(ruling, Ruling::Rollback { .. });
        match self {
            Self::Umpire(ruling) => is_back(ruling),
            Self::UmpireActs(acts) => acts.rulings().any(is_back),
            _ => false,
        }
    }

    /// The mail that caused it: the name of its file in the inbox, and its digest.
    #[must_use]
    pub fn mail(&self) -> Option<(&str, Digest)> {
        let (file, digest) = match self {
            Self::Mail(mail) => (&mail.file, &mail.digest),
            Self::Refused(refused) => (&refused.file, &refused.digest),
            Self::Bounced(bounced) => (&bounced.file, &bounced.digest),
            Self::Address(given) => (&given.file, &given.digest),
            Self::Zone(given) => (&given.file, &given.digest),
            Self::Screen(given) => (&given.file, &given.digest),
            Self::Errands(given) => (&given.file, &given.digest),
            Self::Value(value) => value.mail.as_ref().map(|mail| (&mail.file, &mail.digest))?,
            Self::UmpireActs(acts) => acts.mail.as_ref().map(|mail| (&mail.file, &mail.digest))?,
            Self::Created(_)
            | Self::Bot(_)
            | Self::Deadline
            | Self::Reminder
            | Self::Umpire(_)
            | Self::Club(_)
            | Self::Done(_) => return None,
        };
        Some((file, *digest))
    }
}

/// The beginning of a campaign.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Creation {
    /// The settings; the file beside the journal must agree.
    pub settings: Settings,
    /// The digest of the pinned rules and data.
    pub rules: Digest,
    /// The anchors of the dice by lane, in the order of the register's opening.
    pub anchors: Vec<(Lane, Digest)>,
    /// The form of what the register binds, from the opening on.
    #[serde(default, skip_serializing_if = "Form::is_first")]
    pub form: Form,
    /// The version of the program that began it. Words and layout of letters belong to the program,
    /// so an audit by another version may get other bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
}

/// A mail of a seat, as far as it counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeatMail {
    /// The seat that the words are from.
    pub seat: SeatId,
    /// The mail's own id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message_id: Option<String>,
    /// SHA-256 of the mail as it came.
    pub digest: Digest,
    /// The name of the file in the inbox, so that a mail in hand when the host was stopped is not
    /// taken twice.
    pub file: String,
    /// The address that it claims to come from.
    pub from: String,
    /// The player's own words in canonical form (dice.md, section 8).
    pub words: String,
    /// The number of lines left out, by kind.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub ignored: BTreeMap<String, usize>,
    /// The names of the attached files whose words count.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// The names of the attached files that can't be read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<String>,
}

/// The mails of a seat's bot in answer to the seat's newest letter. Like a mail they are an input:
/// neither working them off nor an audit runs the bot again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BotMails {
    /// The seat that the words are from.
    pub seat: SeatId,
    /// The bot.
    pub bot: BotName,
    /// The words of its mails in canonical form (dice.md, section 8), in the order in which they
    /// count; empty if it has nothing to say.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mails: Vec<String>,
    /// Why it could not write, if it could not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
}

/// A checked value that the dice were waiting for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DiceValue {
    /// Written as the register writes it: `drand <round> <signature>`,
    /// `witness <name> <token or ->`.
    pub value: SourceValue,
    /// The mail that brought it; none if it came from a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mail: Option<ValueMail>,
    /// The orders beside it in the mail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub orders: Option<Box<SeatMail>>,
}

/// The mail that brought a value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ValueMail {
    /// The seat, or the witness as `w-<name>`.
    pub who: SeatId,
    /// SHA-256 of the mail as it came.
    pub digest: Digest,
    /// The name of the file in the inbox.
    pub file: String,
}

/// A report on a letter of ours.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bounce {
    /// The recipient of the letter: a seat, `umpire`, or a witness as `w-<name>`.
    pub to: SeatId,
    /// Its number among the letters to that recipient.
    pub number: u64,
    /// True if trying again is useless.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub permanent: bool,
    /// True if the umpire hears of it at once: it is the first permanent failure at an address from
    /// which nothing has ever come, or one on a letter to a witness.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub first: bool,
    /// The status in the report: `failed 5.1.1`, `delayed 4.4.1`.
    pub status: String,
    /// SHA-256 of the report as it came.
    pub digest: Digest,
    /// The name of the file in the inbox.
    pub file: String,
}

/// A step of the exchange that changes a seat's address (`turn/exchange.rs`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AddressMail {
    /// The seat that the words are from.
    pub seat: SeatId,
    /// The step that the mail asks for.
    pub step: AddressStep,
    /// The address that it speaks of.
    pub address: Address,
    /// The mail's own id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message_id: Option<String>,
    /// SHA-256 of the mail as it came.
    pub digest: Digest,
    /// The name of the file in the inbox.
    pub file: String,
    /// The orders beside it in the mail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub orders: Option<Box<SeatMail>>,
}

/// A mail that names the time zone for its seat's letters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ZoneMail {
    /// The seat that the words are from.
    pub seat: SeatId,
    /// The zone.
    pub zone: ClockZone,
    /// The screen, if the mail names one too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub screen: Option<Screen>,
    /// The mail's own id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message_id: Option<String>,
    /// SHA-256 of the mail as it came.
    pub digest: Digest,
    /// The name of the file in the inbox.
    pub file: String,
    /// The orders beside it in the mail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub orders: Option<Box<SeatMail>>,
}

/// A mail that names the screen on which its seat's letters are read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScreenMail {
    /// The seat that the words are from.
    pub seat: SeatId,
    /// The screen.
    pub screen: Screen,
    /// The mail's own id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message_id: Option<String>,
    /// SHA-256 of the mail as it came.
    pub digest: Digest,
    /// The name of the file in the inbox.
    pub file: String,
    /// The orders beside it in the mail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub orders: Option<Box<SeatMail>>,
}

/// A mail with errands. The rest of it is judged as if it had come alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ErrandMail {
    /// The seat that the words are from.
    pub seat: SeatId,
    /// The errands, in their order.
    pub errands: Vec<ErrandLine>,
    /// True if its token is good. Without one only questions are answered, and only to the seat's
    /// registered address.
    pub proven: bool,
    /// The mail's own id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message_id: Option<String>,
    /// SHA-256 of the mail as it came.
    pub digest: Digest,
    /// The digest that copies of the mail share, even if they came by different ways.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub copy: Option<Digest>,
    /// The name of the file in the inbox.
    pub file: String,
    /// The numbers of letters that it asks for once more, and that are kept no longer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gone: Vec<u64>,
    /// The event of the rest of the mail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beside: Option<Box<Event>>,
}

/// A step in changing a seat's address, taken by mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AddressStep {
    /// Letters are to go to this address.
    Asked,
    /// The code sent there has come back from there.
    Confirmed,
    /// Letters are to go on as before: the request is off.
    Kept,
}

/// A mail that was not accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RefusedMail {
    /// The reason for refusing it.
    pub reason: Reason,
    /// The seat that it claims to come from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<SeatId>,
    /// The mail's own id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message_id: Option<String>,
    /// SHA-256 of the mail as it came (or of the part that was read, if it is too large).
    pub digest: Digest,
    /// The name of the file in the inbox.
    pub file: String,
    /// More about it, for the umpire.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
}

/// Why a mail was not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The mail is larger than the limit.
    TooLarge,
    /// The mail can't be read as one.
    Unreadable,
    /// The mail has no words of the player's own.
    Empty,
    /// Only who holds the key can read its words.
    Encrypted,
    /// The mail came from a program.
    Automatic,
    /// Nothing in it belongs to the campaign.
    Stranger,
    /// The mail names a seat, but has no token.
    NoToken,
    /// Its token was never this seat's.
    WrongToken,
    /// Its token is that of an earlier dispatch.
    OldToken,
    /// Its token is good, but the campaign asks for more: it is held for the umpire.
    Held,
    /// The seat has sent more mails in an hour than are taken. Told while a mail is worked off;
    /// never the reason of a record.
    TooMany,
    /// The same mail came before.
    Duplicate,
    /// The campaign has ended.
    Finished,
    /// The value of a round before the one that the seal names, or of an envelope before the sealed
    /// one.
    ValueEarly,
    /// The value of a round after the one that the seal names, or of a later envelope.
    ValueLate,
    /// The value of a round of the beacon before that round's moment.
    ValueTooSoon,
    /// No genuine signature, or no token of the witness.
    ValueWrong,
    /// A value that the dice do not wait for.
    ValueNotAsked,
    /// Letters can't go to the address that it names, or go there already.
    AddressUnfit,
    /// The mail names an unknown time zone.
    ZoneUnknown,
    /// No more changes of address are taken now, or the address has been sent a code before.
    AddressTooOften,
    /// The mail's code was not sent to this sender's address, or has expired.
    AddressCode,
    /// Nothing is awaited: the phase is being resolved, or the campaign is stopped.
    Closed,
}

impl Reason {
    /// The key of its text.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::TooLarge => "too_large",
            Self::Unreadable => "unreadable",
            Self::Empty => "empty",
            Self::Encrypted => "encrypted",
            Self::Automatic => "automatic",
            Self::Stranger => "stranger",
            Self::NoToken => "no_token",
            Self::WrongToken => "wrong_token",
            Self::OldToken => "old_token",
            Self::Held => "held",
            Self::TooMany => "too_many",
            Self::Duplicate => "duplicate",
            Self::Finished => "finished",
            Self::ValueEarly => "value_early",
            Self::ValueLate => "value_late",
            Self::ValueTooSoon => "value_too_soon",
            Self::ValueWrong => "value_wrong",
            Self::ValueNotAsked => "value_not_asked",
            Self::AddressUnfit => "address_unfit",
            Self::ZoneUnknown => "zone_unknown",
            Self::AddressTooOften => "address_too_often",
            Self::AddressCode => "address_code",
            Self::Closed => "closed",
        }
    }

    /// Returns true if the seat's registered address gets an answer. Programs and strangers get
    /// none, so that no loop starts.
    #[must_use]
    pub fn is_answered(self) -> bool {
        !matches!(self, Self::Automatic | Self::Stranger | Self::Duplicate)
    }

    /// Returns true if only a reader of our letters can have sent such a mail: its token is or was
    /// good.
    #[must_use]
    pub fn is_proven(self) -> bool {
        !matches!(
            self,
            Self::TooLarge
                | Self::Unreadable
                | Self::Automatic
                | Self::Stranger
                | Self::NoToken
                | Self::WrongToken
                | Self::Held
                | Self::AddressCode
                | Self::Finished
        )
    }
}

/// What an umpire does under his name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UmpireActs {
    /// The umpire's name.
    pub by: SeatId,
    /// His acts, in their order.
    pub acts: Vec<ActLine>,
    /// What held mails that he releases come to now, by their files.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub released: BTreeMap<String, Event>,
    /// The mail that they came in; none from the shell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mail: Option<UmpireMail>,
}

impl UmpireActs {
    /// One act from the shell.
    #[must_use]
    pub fn one(by: &SeatId, act: UmpireAct) -> Self {
        let line = String::new();
        Self {
            by: by.clone(),
            acts: vec![ActLine { line, act }],
            released: BTreeMap::new(),
            mail: None,
        }
    }

    /// The rulings among them.
    pub fn rulings(&self) -> impl Iterator<Item = &Ruling> {
        self.acts.iter().filter_map(|line| match &line.act {
            UmpireAct::Rules { ruling } => Some(ruling),
            _ => None,
        })
    }
}
