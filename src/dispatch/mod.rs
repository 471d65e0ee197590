//! View to mail: the document, events in words, templates, map pictures.
//!
//! Invariant: a [`Document`] is made from a seat's view and nothing else, and everything that goes
//! out is made from the document: no other way leads from the world to a player.

mod briefing;
mod build;

mod document;
mod forces;
mod html;
mod jinja;
mod layout;
mod letters;
mod lexicon;
pub mod map;
mod notices;
mod phrases;
mod proof;
mod receipt;
mod table;
mod text;
mod when;
mod words;

pub use crate::game::{Display, Mark, Relief, Siege, StrengthLoss};
pub use briefing::{Briefing, DiceText, NewsItem, OpenQuestion, OpenRoll, Request};
pub use document::{
    BoxSection, Control, DiceSection, Document, Enemy, EnemyPiece, EnemySpace, EventText,
    ForcesSection, FormationRows, Group, Heading, LeaderRow, MailWant, OldSighting, OthersStanding,
    QuestionText, RequestSection, UnitRow,
};
pub use html::{MAP_CID, Page, page};
pub use layout::wrap;
pub use letters::{
    OpeningLetter, OpeningOrder, OpeningSeat, RefusalLetter, SealLetter, StopLetter, disclosure,
    new_secret, opening, question, refusal, sealed, stopped,
};
pub use lexicon::FILTERS;
pub use notices::{
    AddressLetter, AddressMessage, AlarmNotice, BotNotice, BounceNotice, CheckFaultNotice,
    HeldMailNotice, MissingOrdersNotice, QuestionNotice, ReminderNotice, UmpireNotice, ValueNotice,
    about_address, alarm, bot_trouble, check_failed, decision_awaited, first_failure, held, names,
    orders_missing, reminder, umpires_word, unreachable, value_taken,
};
pub use proof::Proof;
pub use receipt::{
    IgnoreReason, IgnoredLines, LineReading, ReceiptLetter, ReceiptLine, WordsOrigin, left_out,
    receipt,
};
pub use text::body;
pub use when::{game_date, moment};
pub use words::{Words, WordsError};

/// The map of a document as SVG.
#[must_use]
pub fn map_svg(document: &Document) -> String {
    map::svg(&document.map)
}

/// A map's SVG as PNG.
///
/// # Errors
/// If the SVG can't be read or the picture can't be made.
pub fn map_png(svg: &str) -> Result<Vec<u8>, map::PictureError> {
    map::png(svg)
}
