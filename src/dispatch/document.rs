//! The document: everything that one seat gets, in words and as data.
//!
//! Text, HTML and the map are made from it alone, so that nothing can reach a letter that is not in
//! here.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::map::MapSection;
use crate::{game::Lang, value::Fields};

/// Everything that a dispatch says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// The reader's language.
    pub lang: Lang,
    /// The letter's subject.
    pub subject: String,
    /// The heading: place and time.
    pub heading: Heading,
    /// Notices of the umpire or the host.
    pub notices: Vec<String>,
    /// How the campaign ended, once it has.
    pub ending: Option<String>,
    /// The events, phase by phase.
    pub happened: Vec<Group>,
    /// The request to the reader.
    pub asked: RequestSection,
    /// The reader's own pieces.
    pub forces: ForcesSection,
    /// Allies' pieces as known.
    #[serde(default, skip_serializing_if = "Enemy::is_nothing")]
    pub allies: Enemy,
    /// Enemies' pieces as known.
    pub enemy: Enemy,
    /// Public facts, in words.
    pub facts: Vec<String>,
    /// The towns that each side controls.
    pub control: Vec<Control>,
    /// Boxes beside the map that hold something.
    pub boxes: Vec<BoxSection>,
    /// Standing orders in force.
    pub standing: Vec<String>,
    /// The others' standing orders, once the campaign is over.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub standing_of_others: Vec<OthersStanding>,
    /// Topics that the reader wants to be asked about.
    pub asks: Vec<String>,
    /// Lines of the order template, without their comment sign.
    pub template: Vec<String>,
    /// The section about dice.
    pub dice: DiceSection,
    /// All that the drawing needs; none where no map is drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub map: Option<MapSection>,
}

/// The head of a dispatch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heading {
    /// The campaign's title.
    pub campaign: String,
    /// The campaign's title.
    pub title: String,
    /// The game's title.
    pub game: String,
    /// The seat.
    pub seat: String,
    /// Its side's name.
    pub side: String,
    /// Its side's colour.
    pub colour: String,
    /// The turn.
    pub turn: i64,
    /// The turn's date in the game's world, in words; empty if it has none.
    pub date: String,
    /// The phase that comes next, in words.
    pub phase: String,
}

/// The events of one phase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Group {
    /// The turn.
    pub turn: i64,
    /// The phase's id.
    pub phase: String,
    /// The phase in words.
    pub title: String,
    /// How it ended, where the events tell it with all its dice: short lines, before them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outcomes: Vec<String>,
    /// The events.
    pub events: Vec<EventText>,
}

/// An event in words, and as it was told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventText {
    /// Its key.
    pub key: String,
    /// Its words.
    pub text: String,
    /// Its arguments.
    pub args: Arc<Fields>,
}

/// The kind of mail wanted from the reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MailWant {
    /// Orders.
    Orders,
    /// Answers.
    Answers,
    /// Nothing for now.
    Nothing,
    /// The campaign is over.
    Over,
}

/// The request made of the reader, and its deadline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequestSection {
    /// The kind of mail that is wanted.
    pub want: MailWant,
    /// A sentence that states the request.
    pub what: String,
    /// The deadline in words; empty without one.
    pub deadline: String,
    /// The deadline, RFC 3339, UTC.
    pub until: Option<jiff::Timestamp>,
    /// Another sentence, on how to comply.
    pub how: String,
    /// The questions.
    pub questions: Vec<QuestionText>,
}

/// A question in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuestionText {
    /// Its number.
    pub number: usize,
    /// Its topic.
    pub topic: String,
    /// The question.
    pub text: String,
    /// How to answer.
    pub answer: String,
    /// Answers that are possible.
    pub options: Vec<String>,
    /// The outcome without an answer.
    pub otherwise: String,
}

/// The reader's own pieces on the map.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForcesSection {
    /// Headings of the value columns, from the game's text.
    pub columns: Vec<String>,
    /// Formation by formation, in file order.
    pub formations: Vec<FormationRows>,
    /// The number of units.
    pub units: usize,
    /// Their total present strength.
    pub strength: i64,
    /// True if units of the game have a strength.
    pub has_strength: bool,
}

/// A formation with its pieces.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormationRows {
    /// Its name.
    pub name: String,
    /// Its leader with his values, while he is off the map; else empty.
    pub led_by: String,
    /// Its leaders.
    pub leaders: Vec<LeaderRow>,
    /// Its units.
    pub units: Vec<UnitRow>,
}

/// A leader of the reader's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeaderRow {
    /// The piece's id.
    pub id: String,
    /// Name.
    pub name: String,
    /// The place.
    pub place: String,
    /// Values with their headings.
    pub values: Vec<(String, String)>,
    /// Notes.
    pub notes: Vec<String>,
}

/// A unit of the reader's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnitRow {
    /// The piece's id.
    pub id: String,
    /// Name.
    pub name: String,
    /// Its kind in words.
    pub kind: String,
    /// Its kind for a narrow column, if the game has a short word for it.
    #[serde(default)]
    pub short_kind: String,
    /// The place.
    pub place: String,
    /// The values, one for each column.
    pub values: Vec<String>,
    /// Hits, if the game counts them.
    pub hits: Option<i64>,
    /// Present strength, if the game has one.
    pub strength: Option<i64>,
    /// Notes: "out of command".
    pub notes: Vec<String>,
}

/// Other sides' pieces as the reader knows them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Enemy {
    /// Pieces in sight now, space by space in map order.
    pub seen: Vec<EnemySpace>,
    /// Earlier sightings that may be out of date, in map order.
    pub old: Vec<OldSighting>,
    /// The words after the number of counters known only by number.
    #[serde(default)]
    pub unseen: String,
    /// True if they are no enemies as such.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub neutral: bool,
}

impl Enemy {
    /// Returns true if no piece is known.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        self.seen.is_empty() && self.old.is_empty()
    }
}

/// The enemy seen in one space.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EnemySpace {
    /// The space.
    pub place: String,
    /// The side, where it has to be said.
    pub side: String,
    /// The pieces.
    pub pieces: Vec<EnemyPiece>,
    /// True if there is more below.
    pub more: bool,
    /// How many counters are there face down.
    pub hidden: i64,
}

/// A piece of another side as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EnemyPiece {
    /// Name.
    pub name: String,
    /// Its kind in words.
    pub kind: String,
    /// Known values with their headings.
    pub values: Vec<(String, String)>,
    /// Hits, if known.
    pub hits: Option<i64>,
    /// Notes.
    pub notes: Vec<String>,
}

/// A piece that was seen before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OldSighting {
    /// The place.
    pub place: String,
    /// The piece as it was known.
    pub piece: EnemyPiece,
    /// The turn.
    pub turn: i64,
    /// The phase in words.
    pub phase: String,
}

/// The standing orders of another seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OthersStanding {
    /// Whose they are, in a heading.
    pub title: String,
    /// The lines.
    pub lines: Vec<String>,
}

/// The spaces that one side controls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Control {
    /// The side's name, or "nobody".
    pub side: String,
    /// The places.
    pub places: Vec<String>,
}

/// A box beside the map with its contents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoxSection {
    /// Its name.
    pub name: String,
    /// The pieces.
    pub pieces: Vec<String>,
}

/// The dice of a dispatch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiceSection {
    /// Open rolls, in human words.
    pub open: Vec<String>,
    /// The reader's own secret rolls, in human words.
    pub own: Vec<String>,
}
