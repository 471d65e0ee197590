//! The plans of an input's work: letters and register entries to be written, in their order.
//!
//! A letter is counted once, when its plan is made: its cover holds its Message-ID, its address and
//! its token. Its text is made later, from the state at that moment, and only by the room that
//! writes it. So a recall just drops plans, and nothing is done in two ways.

use std::{collections::BTreeMap, rc::Rc};

use jiff::Timestamp;

use crate::{
    campaign::{
        model::{
            errands::{ErrandLine, SentKind, SentLetter},
            events::{Bounce, RefusedMail},
            leeway::MissedRule,
            missing_values::MissingValues,
            player_address::BotName,
            recipient::Recipient,
            seats::{Screen, Seat},
            state::State,
            umpire_acts::ActLine,
            understanding::Understanding,
        },
        words::moment::Moment,
    },
    dice::{End, Note, Opening, ReceiptNumber},
    game::Lang,
    ids::SeatId,
    mail::NamedAddress,
    rules::Suspension,
};

/// A letter or entry to be written.
#[derive(Debug)]
pub enum Plan {
    /// An entry of the register, which goes out with the next circular.
    Entry(EntryPlan),
    /// A letter to one recipient.
    Letter(LetterPlan),
    /// Letters with all entries that have not gone out.
    Circular(Circular),
}

/// An entry of the register, other than that of the dice.
#[derive(Debug)]
pub enum EntryPlan {
    /// An opening entry: an era begins.
    Opening(Opening),
    /// The master comes from a seed.
    Seed(Note),
    /// Orders or answers are sealed.
    Seal(SealPlan),
    /// The umpire has ruled.
    Note(Note),
    /// The masters are published.
    End(End),
}

impl EntryPlan {
    /// Returns true if a seat's opening letter brings it.
    #[must_use]
    pub fn opens(&self) -> bool {
        matches!(self, Self::Opening(_) | Self::Seed(_))
    }
}

/// The seal of an envelope.
#[derive(Debug)]
pub struct SealPlan {
    /// The envelope.
    pub envelope: u32,
    /// The beacon's round, if the dice wait for one.
    pub round: Option<u64>,
    /// The orders of each seat, in the order of the seats.
    pub orders: Vec<(SeatId, String)>,
}

/// Letters that are written together. Every entry that has not gone out yet goes out with each.
#[derive(Debug)]
pub struct Circular {
    /// The letters.
    pub letters: Vec<LetterPlan>,
    /// The dice entry that closes the envelope in use: it binds these letters and all before them.
    pub dice: Option<DicePlan>,
    /// Notes that are entered after the dice.
    pub notes: Vec<Note>,
    /// Seats that get none of these letters because there is nothing in it for them: what proves
    /// the dice comes with their next one.
    pub passed_over: Vec<SeatId>,
}

impl Circular {
    /// Letters, with the entries made before them.
    #[must_use]
    pub fn of(letters: Vec<LetterPlan>) -> Self {
        Self {
            letters,
            dice: None,
            notes: Vec::new(),
            passed_over: Vec::new(),
        }
    }
}

/// The dice entry that closes an envelope.
#[derive(Debug)]
pub struct DicePlan {
    /// The state before it was closed.
    pub state: Rc<State>,
    /// Its key and rolls are kept back.
    pub keep_back: bool,
}

/// The plan of a letter.
#[derive(Debug)]
pub struct LetterPlan {
    /// The content of its header.
    pub cover: Cover,
    /// The recipient and the subject.
    pub to: Addressee,
    /// The state as it stood when the letter was planned.
    pub state: Rc<State>,
}

impl LetterPlan {
    /// The seat that it goes to, or concerns.
    #[must_use]
    pub fn seat(&self) -> Option<&SeatId> {
        match &self.to {
            Addressee::Seat(seat, _) => Some(seat),
            Addressee::Witness(..) | Addressee::Umpire(..) => None,
        }
    }

    /// To whom it goes.
    #[must_use]
    pub fn recipient(&self) -> Recipient {
        match &self.to {
            Addressee::Seat(seat, _) => Recipient::Seat(seat.clone()),
            Addressee::Witness(name, _) => Recipient::Witness(name.clone()),
            Addressee::Umpire(name, _) => Recipient::of_umpire(name),
        }
    }
}

/// The header of a letter, except for what depends on its content.
#[derive(Debug)]
pub struct Cover {
    /// The language of its reader.
    pub lang: Lang,
    /// The address that it goes to.
    pub address: NamedAddress,
    /// The address for answers.
    pub reply_to: Option<String>,
    /// The letter that it belongs to.
    pub thread: Option<String>,
    /// Its Message-ID.
    pub message_id: String,
    /// True if it is kept and not sent.
    pub aside: bool,
}

/// The recipient of a letter, and its subject.
#[derive(Debug)]
pub enum Addressee {
    /// A letter to a seat.
    Seat(SeatId, SeatLetter),
    /// To a witness of the dice.
    Witness(SeatId, WitnessLetter),
    /// A letter to an umpire.
    Umpire(SeatId, UmpireLetter),
}

/// The subject of a letter to a seat, with what it needs beside the state.
#[derive(Debug)]
pub enum SeatLetter {
    /// The campaign begins, or begins for a new player; has all openings of the register.
    Opening,
    /// What happened, and the questions.
    Dispatch {
        /// The umpire's ruling, if that is why it goes out.
        ruled: Option<RulingNotice>,
        /// A receipt of an empty text, if orders were laid aside.
        receipt: Option<ReceiptNumber>,
    },
    /// The newest dispatch again.
    Again(RepeatReason),
    /// The questions of a phase.
    Questions(Rc<Suspension>),
    /// Questions to others that everybody may know of.
    QuestionsToOthers(Rc<[SeatId]>),
    /// A receipt for words that were read.
    Receipt(Box<ReceiptPlan>),
    /// Carried words now count for the next seal.
    Carried {
        /// The words.
        words: String,
        /// The receipt for these words.
        receipt: ReceiptNumber,
    },
    /// A mail was not accepted.
    Refusal(RefusedMail),
    /// An envelope is sealed.
    Seal,
    /// A value for the dice was taken, and others are missing.
    ValueTaken(MissingValues),
    /// The dice come from another secret.
    NewSecret {
        /// The umpire's reason.
        why: String,
    },
    /// The master is published.
    Disclosure,
    /// About the address of the seat.
    Address(Box<AddressPlan>),
    /// Its orders have not come, and the deadline is near.
    Reminder,
    /// The deadline has passed, and the wait for orders goes on for a while.
    Overdue,
    /// Nothing is awaited before another deadline.
    Later,
    /// Another seat's player has gone, and its opponent has asked for something.
    Remedy {
        /// The seat; perhaps the reader's own.
        gone: SeatId,
        /// The key of what has come of it.
        what: &'static str,
    },
    /// The outcome of errands.
    Errands(Box<ErrandsPlan>),
    /// Another seat has written.
    Press {
        /// The seat; none if the reader is not told.
        from: Option<SeatId>,
        /// All seats that it went to.
        to: Vec<SeatId>,
        /// The words.
        words: String,
        /// True if its courier was taken: the reader is none of those whom it was for.
        taken: bool,
    },
    /// The umpire has decided or written.
    UmpiresWord {
        /// The key of the umpire's action.
        what: &'static str,
        /// The umpire's words.
        words: String,
    },
}

impl SeatLetter {
    /// Returns true if the umpire writes it, so that answers go to the umpire.
    #[must_use]
    pub fn is_umpires(&self) -> bool {
        matches!(self, Self::UmpiresWord { .. })
    }

    /// Returns true if an answer to it goes to the address of receipts, which stays good while the
    /// next letter is on its way.
    #[must_use]
    pub fn is_beside(&self) -> bool {
        matches!(
            self,
            Self::Receipt(_) | Self::Errands(_) | Self::Press { .. }
        )
    }

    /// Its kind, if the seat may ask for it again.
    #[must_use]
    pub fn sent_kind(&self) -> Option<SentKind> {
        match self {
            Self::Opening => Some(SentKind::Opening),
            Self::Dispatch { .. } | Self::Again(_) => Some(SentKind::Dispatch),
            Self::Questions(_) => Some(SentKind::Questions),
            Self::Press { .. } => Some(SentKind::Press),
            Self::Disclosure => Some(SentKind::Disclosure),
            _ => None,
        }
    }

    /// Returns true if later letters belong to it.
    #[must_use]
    pub fn starts_thread(&self) -> bool {
        matches!(self, Self::Dispatch { .. } | Self::Again(_))
    }
}

/// The subject of a letter to a witness.
#[derive(Debug)]
pub enum WitnessLetter {
    /// An envelope is sealed: the witness is asked for a token.
    Seal,
    /// The witness's answer was taken, and other values are missing.
    ValueTaken(MissingValues),
    /// The witness's answer was not accepted.
    Refusal(RefusedMail),
}

/// The subject of a letter to an umpire.
#[derive(Clone, Debug)]
pub enum UmpireLetter {
    /// An error has stopped the campaign.
    Stopped {
        /// The error.
        error: String,
    },
    /// Check functions of the rules have failed over the words of seats.
    ChecksFailed(Vec<(SeatId, String)>),
    /// Template functions of the rules have failed over letters to seats.
    TemplatesFailed(Vec<(SeatId, String)>),
    /// A letter came back from an address that has never answered.
    FirstFailure(Bounce),
    /// A letter to a witness came back: the dice wait for that witness.
    WitnessFailure(Bounce),
    /// A seat's letters come back.
    Unreachable(Bounce),
    /// A mail is held.
    Held(RefusedMail),
    /// Orders did not come in time.
    OrdersMissing {
        /// The seats whose orders are missing, or have a fault.
        seats: Vec<SeatId>,
        /// The seats among them that have sent nothing.
        silent: Vec<SeatId>,
        /// The deadline that has passed.
        passed: Timestamp,
        /// The rule that applies.
        follows: MissedRule,
    },
    /// A bot has not written what its seat owes.
    Bot(BotTrouble),
    /// A seat has written, has left, or stays after all.
    FromSeat(WordFromSeat),
    /// The campaign has begun: how to rule by mail.
    Opening,
    /// Another umpire has written.
    Note {
        /// His name.
        from: SeatId,
        /// His words.
        words: String,
    },
    /// What came of a mail of his.
    Answer(UmpireAnswer),
}

/// What came of an umpire's mail.
#[derive(Clone, Debug)]
pub struct UmpireAnswer {
    /// The id of the mail.
    pub answers: Option<String>,
    /// His acts, each with what came of it.
    pub done: Vec<(ActLine, ActOutcome)>,
}

/// What came of an umpire's act.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ActOutcome {
    /// It is done, or answered.
    Done,
    /// It could not be done, for this reason.
    NotDone(String),
}

/// Word from a seat to the umpire.
#[derive(Clone, Debug)]
pub struct WordFromSeat {
    /// The seat.
    pub seat: SeatId,
    /// The key of its action.
    pub what: &'static str,
    /// Its words; may be empty.
    pub words: String,
}

/// The outcome of a mail's errands.
#[derive(Debug)]
pub struct ErrandsPlan {
    /// The numbers of letters that are kept no longer.
    pub gone: Vec<u64>,
    /// The id of the mail that asked.
    pub answers: Option<String>,
    /// True if orders stand in the same mail; they have their own receipt.
    pub has_orders: bool,
    /// The errands, each with its outcome.
    pub done: Vec<(ErrandLine, ErrandOutcome)>,
}

/// The outcome of an errand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ErrandOutcome {
    /// It is done, or answered.
    Done,
    /// It is done, in the way of this key.
    DoneAs(&'static str),
    /// It could not be done, for this reason.
    NotDone(&'static str),
    /// These letters go out again.
    Again(Vec<SentLetter>),
}

/// A bot that has left its seat without orders or answers.
#[derive(Clone, Debug)]
pub struct BotTrouble {
    /// The seat.
    pub seat: SeatId,
    /// The bot.
    pub bot: BotName,
    /// The error of its script; none if its orders were merely not enough.
    pub failed: Option<String>,
}

/// A ruling by the umpire, as dispatches report it.
#[derive(Clone, Debug)]
pub struct RulingNotice {
    /// The key of the words at the head of the dispatch.
    pub notice: &'static str,
    /// The reason.
    pub why: String,
}

/// Why a seat gets its dispatch again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RepeatReason {
    /// Another player has it now.
    NewPlayer,
    /// The player has another address.
    NewAddress,
}

/// The receipt of a mail.
#[derive(Debug)]
pub struct ReceiptPlan {
    /// The mail's own id.
    pub answers: Option<String>,
    /// The attached files whose words count.
    pub files: Vec<String>,
    /// The number of lines left out, by reason.
    pub ignored: BTreeMap<String, usize>,
    /// The attached files that can't be read.
    pub unread: Vec<String>,
    /// The lines around the orders that are no orders.
    pub prose: Vec<String>,
    /// The number of lines of the words that came with earlier mails.
    pub earlier: usize,
    /// The seat's earlier words that this mail replaces.
    pub gone: Vec<String>,
    /// The seat's earlier words that still count, if nothing of this mail was taken.
    pub stands: Option<Vec<String>>,
    /// The moment at which the words were read.
    pub moment: Rc<Moment>,
    /// What the words mean.
    pub understood: Understanding,
    /// The text that the receipt quotes.
    pub words: String,
    /// Its number; none if nothing was taken.
    pub receipt: Option<ReceiptNumber>,
}

/// A letter about the address of a seat.
#[derive(Debug)]
pub struct AddressPlan {
    /// The seat's player.
    pub player: Seat,
    /// The news.
    pub news: AddressNews,
    /// The id of the mail that it answers.
    pub answers: Option<String>,
}

/// News about the address of a seat.
#[derive(Debug)]
pub enum AddressNews {
    /// To a new address: a code that makes the change when it comes back.
    Code {
        /// The code.
        code: String,
        /// Until when it is good.
        until: Timestamp,
    },
    /// To the present one: a code has gone to a new one.
    Asked {
        /// The new address.
        new: String,
        /// Until when the code is good.
        until: Timestamp,
    },
    /// To the present one: nothing is changed after all.
    Kept,
    /// To the present one: times are told in another zone from now on.
    Zone {
        /// The zone.
        zone: String,
        /// The present moment, for its reader to compare with a clock.
        now: Timestamp,
    },
    /// To the present one: maps are laid out for this screen from now on.
    Screen(Screen),
    /// To the one before: letters go elsewhere now.
    Moved,
    /// To the player before: another one has the seat now.
    Replaced {
        /// The reason.
        why: String,
    },
}
