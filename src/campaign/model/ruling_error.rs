//! Why a ruling can't be made.

use crate::{campaign::model::ruling::Ruling, ids::SeatId};
use jiff::Timestamp;
use thiserror::Error;

/// Why a ruling can't be made.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RulingError {
    /// The dice do not wait for this witness.
    #[error("the dice do not wait for a witness {0}; `estafette status` says for what they wait")]
    Witness(SeatId),
    /// There is no such checkpoint.
    #[error(
        "there is no wait for the orders of envelope {envelope} to go back to; there are: {known}"
    )]
    Checkpoint {
        /// The envelope asked for.
        envelope: u32,
        /// The existing ones, in words.
        known: String,
    },
    /// A snapshot does not hold the position of that wait.
    #[error(
        "what stood at that wait is not at hand: the journal must be replayed from its beginning"
    )]
    NotAtHand,
    /// A sealed envelope must be rolled, but can't be yet.
    #[error(
        "envelope {0} is sealed and its dice still wait for the beacon or a witness: a sealed envelope is always rolled, so the \
         campaign can be taken back only after that"
    )]
    Unrolled(u32),
    /// The secrets are out.
    #[error("the campaign is over and its secrets are published")]
    Over,
    /// No master is lost, or no new one was drawn.
    #[error("the campaign has its secret: there is nothing to replace")]
    NotLost,
    /// A master can be replaced only in a wait in which nothing has come yet.
    #[error(
        "a new secret begins between two envelopes, when orders or answers in public are waited for and none have come: keep \
         `estafette run` going until then; the kept keys are enough for envelope {0}"
    )]
    NotYet(u32),
    /// The anchors are not those of the secret files.
    #[error("the anchors of the new opening are not those of the campaign's secret files")]
    Anchors,
    /// It is on hold already.
    #[error("the campaign is on hold already; `estafette umpire resume` lets it go on")]
    Held,
    /// It is not on hold.
    #[error("the campaign is not on hold: there is nothing to resume")]
    NotHeld,
    /// There is no deadline to extend.
    #[error(
        "the present wait has no deadline to extend; `estafette status` says what is waited for"
    )]
    NoDeadline,
    /// The new deadline has passed.
    #[error("the deadline was {0} and has passed: an extension must be noted before")]
    Passed(Timestamp),
    /// The new deadline would not be later.
    #[error("the deadline is {0}; name a later time")]
    NoExtension(Timestamp),
    /// The dispatches would have to wait, which would reveal that somebody is asked.
    #[error(
        "the dispatches go out at {0}, whether somebody is asked or not, and a later deadline would tell that somebody is; \
         `estafette umpire hold` stops the clock for everybody"
    )]
    AfterDispatch(Timestamp),
    /// The position can't be changed now.
    #[error(
        "the position can be changed only while orders are waited for, or where an error has stopped a phase: one that is half \
         done would not be the same again; `estafette umpire rollback` leads to a wait for orders"
    )]
    HalfDone,
    /// A change can't be made.
    #[error("{0}")]
    Change(String),
    /// The letter is empty, too long or has control characters.
    #[error("the letter must have 1 to {longest} characters and no control characters", longest = Ruling::LONGEST_LETTER)]
    Letter,
    /// There is no such umpire.
    #[error("there is no umpire `{name}`; there are: {known}")]
    NoUmpire {
        /// The name asked for.
        name: SeatId,
        /// The names of all.
        known: String,
    },
    /// There is nobody to write a note to.
    #[error("the campaign has no other umpire to write to")]
    Alone,
    /// There is no such held mail.
    #[error("there is no held mail `{0}`")]
    NotHeldMail(String),
    /// What stands above in the same mail has closed the orders that a held mail is for, or taken
    /// it.
    #[error(
        "what stands above leaves the held mail `{0}` no place; release it in another mail, if it is still wanted"
    )]
    ReleasedTooLate(String),
    /// There is no such seat.
    #[error("there is no seat `{0}`; `estafette status` lists them")]
    NoSeat(SeatId),
    /// The host would write to itself.
    #[error("`{0}` is an address of this campaign's own mailbox; a player needs one of his own")]
    OwnAddress(String),
    /// The reason does not fit into a note.
    #[error("the reason must be one line of 1 to {longest} characters without spaces at its ends", longest = Ruling::LONGEST)]
    Why,
}
