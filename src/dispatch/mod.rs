//! From views to letters: the document, events in words, templates, map pictures.
//!
//! Invariant: a [`Document`] is made from a seat's view and nothing else, and everything that goes
//! out is made from the document: there is no other way from the world to a player.

mod boxes;
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
mod phrases;
mod places;
mod proof;
mod receipt;
mod shape;
mod table;
mod text;
mod weight;
mod when;
mod words;

pub use crate::game::{Display, Mark, Relief, Siege, StrengthLoss};
pub use briefing::{Briefing, DiceText, NewsItem, OpenQuestion, OpenRoll, Request};
pub use document::{
    BoxSection, Control, DiceSection, Document, Enemy, EnemyPiece, EnemySpace, EventText,
    ForcesSection, FormationRows, Group, Heading, LeaderRow, MailWant, OldSighting, OthersStanding,
    QuestionText, RequestSection, UnitRow,
};
pub use html::{LetterPage, Page, page, question_page};
pub use layout::wrap;
pub use letters::{
    LetterText, OpeningLetter, OpeningOrder, OpeningSeat, PublicQuestion, letter, opening, question,
};
pub use lexicon::FILTERS;
pub use map::{DrawnPicture, MapPicture, Paper};
pub use proof::Proof;
pub use receipt::{
    IgnoreReason, IgnoredLines, LineReading, ReceiptLetter, ReceiptLine, WordsOrigin, left_out,
    receipt,
};
pub use text::body;
pub use when::{game_date, moment};
pub use words::{Wordings, Words, WordsError};

use crate::game::Game;

/// The map of a document as SVG; empty if the document has none.
#[must_use]
pub fn map_svg(document: &Document) -> String {
    document.map.as_ref().map_or_else(String::new, map::svg)
}

/// The pictures that a letter with this document shows of its map.
#[must_use]
pub fn map_pictures(document: &Document) -> Vec<DrawnPicture> {
    let map = document.map.as_ref();
    map.map_or_else(Vec::new, |map| {
        map::picture_svgs(map, weight::room_for_pictures(document))
    })
}

/// Limits the drawing of a hex map to one part: between two hexes, or the whole. A map of areas or
/// points is always drawn whole.
///
/// # Errors
/// The corner that is not a hex of the map.
pub fn show_part<'l>(
    document: &mut Document,
    game: &Game,
    corners: Option<[&'l str; 2]>,
) -> Result<(), &'l str> {
    let section = document.map.as_mut().and_then(|map| map.hexes.as_mut());
    match (section, game.map.hexes(), corners) {
        (Some(section), Some(map), _) => map::hexes::show(section, map, corners),
        (_, _, Some([corner, _])) => Err(corner),
        _ => Ok(()),
    }
}

/// Limits the drawing to the whole ground of a map without pieces: what everybody may know before a
/// campaign begins.
pub fn show_ground(document: &mut Document, game: &Game) {
    // Without corners the whole map is shown, which never fails.
    let _ = show_part(document, game, None);
    if let Some(map) = &mut document.map {
        map.clear_pieces();
    }
}

/// Returns true if a map's SVG is so high that a PNG of it is narrower than others.
///
/// # Errors
/// If the SVG can't be read.
pub fn is_too_high(svg: &str) -> Result<bool, map::PictureError> {
    map::is_too_high(svg)
}

/// The map of a document on a page, as SVG; empty if the document has none.
#[must_use]
pub fn map_page(document: &Document, paper: Paper) -> String {
    let map = document.map.as_ref();
    map.map_or_else(String::new, |map| map::page(map, paper))
}

/// A map's SVG as PDF.
///
/// # Errors
/// If the SVG can't be read or the PDF can't be made.
pub fn map_pdf(svg: &str) -> Result<Vec<u8>, map::PictureError> {
    map::pdf(svg)
}

/// A map's SVG as PNG, `times` as large as in a letter.
///
/// # Errors
/// As [`map_png`], or if it would be too large.
pub fn map_png_times(svg: &str, times: u32) -> Result<Vec<u8>, map::PictureError> {
    map::png_times(svg, times)
}

/// A map's SVG as PNG.
///
/// # Errors
/// If the SVG can't be read or the picture can't be made.
pub fn map_png(svg: &str) -> Result<Vec<u8>, map::PictureError> {
    map::png(svg)
}
