//! View to mail: the document, events in words, templates, map pictures.
//!
//! Invariant: a [`Document`] is made from a seat's view and nothing else, and everything that goes out is made from
//! the document: no other way leads from the world to a player.

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

pub use crate::game::{Display, Mark, Relief, Siege, Weakened};
pub use briefing::{Asked, AskedQuestion, Briefing, DiceText, Heard, OpenRoll};
pub use document::{
    AskedSection, BoxSection, Control, Dice, Document, Enemy, EnemyPiece, EnemySpace, Forces,
    FormationRows, Group, Heading, LeaderRow, OldSighting, Question, Told, UnitRow, Want,
};
pub use html::{MAP_CID, Page, page};
pub use layout::wrap;
pub use letters::{
    Opening, OpeningOrder, OpeningSeat, Refusal, Sealed, Stopped, disclosure, new_secret, opening,
    question, refusal, sealed, stopped,
};
pub use lexicon::FILTERS;
pub use notices::{
    AddressLetter, AddressWhat, Alarm, Awaited, CheckFailed, GivenUp, Held, UmpiresWord,
    ValueTaken, about_address, alarm, check_failed, decision_awaited, held, umpires_word,
    unreachable, value_taken,
};
pub use proof::Proof;
pub use receipt::{Ignored, LineReading, ReadFrom, Receipt, ReceiptLine, Why, left_out, receipt};
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
