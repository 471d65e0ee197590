//! A rule case as its file declares it.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::value::{Fields, Value};

/// A rule case, as one file has it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// A line that says what it shows.
    pub case: String,
    /// The entries of the rule checklist that it proves.
    pub rules: Vec<String>,
    /// The game.
    pub game: String,
    /// `none` for an empty map, or a scenario of the game.
    #[serde(default = "none")]
    pub scenario: String,
    /// The roster, if the game has several and it is not the first.
    #[serde(default)]
    pub roster: Option<String>,
    /// Options of the campaign that are not at their defaults.
    #[serde(default)]
    pub options: BTreeMap<String, OptionValue>,
    /// The position that it starts from.
    pub given: CaseSetup,
    /// Orders, as text by seat or as a list by phase.
    #[serde(default)]
    pub orders: Orders,
    /// Standing orders in force, as text by seat.
    #[serde(default)]
    pub standing: BTreeMap<String, String>,
    /// Answers to the questions, in the order asked.
    #[serde(default)]
    pub answers: Vec<Answer>,
    /// Dice in the order rolled.
    #[serde(default)]
    pub dice: Vec<u32>,
    /// The phase before which it stops; only the first phase is run if not given.
    #[serde(default)]
    pub until: Option<String>,
    /// The expected outcome.
    pub expect: Expectation,
}

impl Case {
    /// The options that are not at their defaults, as the campaign keeps them.
    #[must_use]
    pub fn settings(&self) -> BTreeMap<String, String> {
        let options = self.options.iter();
        options
            .map(|(name, value)| (name.clone(), value.text()))
            .collect()
    }
}

fn none() -> String {
    "none".to_owned()
}

/// An option's value; `true` and `false` are read as `on` and `off`.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum OptionValue {
    /// A switch.
    Switch(bool),
    /// A number.
    Number(i64),
    /// A word.
    Word(String),
}

impl OptionValue {
    /// The value as the campaign keeps it.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Switch(true) => "on".to_owned(),
            Self::Switch(false) => "off".to_owned(),
            Self::Number(number) => number.to_string(),
            Self::Word(word) => word.clone(),
        }
    }
}

/// The position of a case.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseSetup {
    /// The turn.
    #[serde(default)]
    pub turn: Option<i64>,
    /// The first phase that is run.
    pub phase: String,
    /// With a scenario: only pieces of these kinds stay, unless they are named below.
    #[serde(default)]
    pub only: Option<Vec<String>>,
    /// For a case without a scenario: the scenario whose `data` scripts read nevertheless.
    #[serde(default)]
    pub scenario: Option<String>,
    /// Facts.
    #[serde(default)]
    pub facts: Fields,
    /// States of spaces.
    #[serde(default)]
    pub spaces: BTreeMap<String, Fields>,
    /// State of roads, as `A-B`.
    #[serde(default)]
    pub roads: BTreeMap<String, Fields>,
    /// Pieces by id or name: where they are (`at`), and attributes. A piece that the game does not
    /// have is given in full.
    #[serde(default)]
    pub pieces: BTreeMap<String, Fields>,
    /// What seats knew before: seat, piece, `printed` or `whole`, as old sightings of the piece's
    /// present place.
    #[serde(default)]
    pub sighted: BTreeMap<String, BTreeMap<String, String>>,
    /// The number of letters with questions that each seat may still get; no limit if not given.
    #[serde(default)]
    pub questions_left: Option<u32>,
}

/// Orders of a case.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Orders {
    /// By seat, for every phase that waits for it.
    BySeat(BTreeMap<String, String>),
    /// By phase and seat.
    ByPhase(Vec<PhaseOrders>),
}

impl Default for Orders {
    fn default() -> Self {
        Self::BySeat(BTreeMap::new())
    }
}

/// Orders of one seat for one phase.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PhaseOrders {
    /// The phase (`movement` or `movement.red`).
    pub phase: String,
    /// The seat.
    pub seat: String,
    /// The text.
    pub text: String,
}

/// An answer to a question.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// The seat.
    pub seat: String,
    /// The topic.
    pub topic: String,
    /// The answer as the player writes it.
    pub answer: String,
}

/// The result that a case demands. Anything left out is not checked.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expectation {
    /// Pieces: `at` (null: not in play) and attributes.
    #[serde(default)]
    pub pieces: BTreeMap<String, Fields>,
    /// Facts.
    #[serde(default)]
    pub facts: Fields,
    /// States of spaces.
    #[serde(default)]
    pub spaces: BTreeMap<String, Fields>,
    /// States of roads.
    #[serde(default)]
    pub roads: BTreeMap<String, Fields>,
    /// The phase after the last one that was run.
    #[serde(default)]
    pub next: Option<String>,
    /// Events that happened, in this order, others between them.
    #[serde(default)]
    pub events: Vec<Fields>,
    /// Events that did not happen.
    #[serde(default)]
    pub absent: Vec<Fields>,
    /// Labels of dice that were rolled, in this order, others between them.
    #[serde(default)]
    pub rolls: Vec<String>,
    /// The seats whose orders were waited for, in that order.
    #[serde(default)]
    pub waits: Option<Vec<String>>,
    /// All questions that were asked, in this order.
    #[serde(default)]
    pub questions: Option<Vec<Fields>>,
    /// All orders that were refused.
    #[serde(default)]
    pub rejected: Option<Vec<ExpectedRefusal>>,
    /// The end of the campaign: `{side, level}`; null for no end.
    #[serde(default, deserialize_with = "given")]
    pub ended: Option<Value>,
    /// What each seat sees afterwards: piece, then attributes with `at`, `ghost` (true or false);
    /// null for a piece that it doesn't know.
    #[serde(default)]
    pub views: BTreeMap<String, BTreeMap<String, Value>>,
    /// The seats' notes of spaces: space, note, value.
    #[serde(default)]
    pub notes: BTreeMap<String, BTreeMap<String, Fields>>,
    /// The text of the dispatch to a seat.
    #[serde(default)]
    pub mail: BTreeMap<String, ExpectedText>,
    /// The order form proposed to each seat for the phase after the last one that was run.
    #[serde(default)]
    pub form: BTreeMap<String, ExpectedText>,
    /// The text of the receipt for a seat's orders.
    #[serde(default)]
    pub receipt: BTreeMap<String, ExpectedText>,
}

fn given<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// An order that must have been refused.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExpectedRefusal {
    /// The seat.
    pub seat: String,
    /// A part of the order as written.
    #[serde(default)]
    pub order: String,
    /// The reason's key.
    pub reason: String,
}

/// Phrases that a text must or must not contain.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExpectedText {
    /// Texts that it must contain.
    #[serde(default)]
    pub contains: Vec<String>,
    /// Texts that it must not contain.
    #[serde(default)]
    pub lacks: Vec<String>,
}
