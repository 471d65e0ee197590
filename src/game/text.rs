//! Words of a game in one language: `text/<lang>.yaml`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ordered::IndexMap;

/// Words of a verb for help and templates.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VerbText {
    /// A sentence on what it does.
    pub help: String,
    /// Lines that a player could write; each must parse (with the game's own names).
    pub examples: Vec<String>,
    /// Examples that are for some scenarios alone, with these: other openings leave them out.
    #[serde(default)]
    pub fits: IndexMap<String, Vec<String>>,
    /// The outcome while no such order is given. Standing orders have one.
    #[serde(default)]
    pub default: Option<String>,
}

/// Words of a condition that orders may have.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConditionText {
    /// A sentence on when it holds.
    pub help: String,
    /// Whole orders under this condition; each must parse.
    pub examples: Vec<String>,
}

/// Words of a kind of question.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TopicText {
    /// The question, a template over its `about` fields.
    pub question: String,
    /// The form of an answer, in one line.
    pub answer: String,
    /// Answers that a player could write; each must parse.
    #[serde(default)]
    pub examples: Vec<String>,
}

/// Gender and number of a name, for the words that agree with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Agreement {
    /// Masculine, or without a gender, and one.
    #[default]
    #[serde(rename = "m")]
    Masculine,
    /// Feminine singular.
    #[serde(rename = "f")]
    Feminine,
    /// Masculine, or without a gender, and many.
    #[serde(rename = "mp")]
    ManyMasculine,
    /// Feminine plural.
    #[serde(rename = "fp")]
    ManyFeminine,
}

/// Things that the host draws on maps and explains in their legends.
pub const LEGEND: [&str; 64] = [
    "tried",
    "driven_out",
    "atlas_square",
    "atlas_hull",
    "atlas_free",
    "atlas_held",
    "tried_move",
    "tried_failed",
    "tried_retreat",
    "tried_support",
    "tried_cut",
    "tried_convoy",
    "tried_broken",
    "tried_hold",
    "supply",
    "siege",
    "bridge",
    "broken",
    "river",
    "stream",
    "slope",
    "ford",
    "road",
    "radius",
    "limits",
    "counter",
    "leader",
    "more",
    "hidden",
    "ghost",
    "fort",
    "works",
    "works_strong",
    "points",
    "town",
    "depot",
    "stretch",
    "infantry",
    "light_infantry",
    "cavalry",
    "heavy_cavalry",
    "artillery",
    "horse_artillery",
    "group",
    "unknown",
    "star",
    "ridge",
    "cliff",
    "uphill",
    "value",
    "canal",
    "crest",
    "steep",
    "sharp",
    "track",
    "main",
    "rail",
    "bar",
    "badge",
    "facing",
    "arrow_move",
    "arrow_retreat",
    "arrow_fire",
    "arrow_assault",
];

/// All words of a game in one language. Values are templates (minijinja) over the arguments of the
/// event.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Text {
    /// Kinds of pieces: `infantry`.
    pub kinds: IndexMap<String, String>,
    /// Kinds as the narrow column of a table has them, four letters at most; a kind that is not
    /// named is cut.
    pub short_kinds: IndexMap<String, String>,
    /// Terrains.
    pub terrains: IndexMap<String, String>,
    /// Attributes as column headings: `sp: SP`.
    pub attributes: IndexMap<String, String>,
    /// Boxes.
    pub boxes: IndexMap<String, String>,
    /// Formations.
    pub formations: IndexMap<String, String>,
    /// Phases, templates over `side` or `space`.
    pub phases: IndexMap<String, String>,
    /// Names for a piece that the reader does not know, by side.
    pub unknown: IndexMap<String, String>,
    /// Options, a sentence or two each: what it changes, and what each value means.
    pub options: IndexMap<String, String>,
    /// Facts in the dispatches of all who know them: templates over `value`, and over `of` (the
    /// side, party or seat) where a fact is shared out. Facts that are not listed are not shown.
    pub facts: IndexMap<String, String>,
    /// Events.
    pub events: IndexMap<String, String>,
    /// Events that are told in one line if there are several (`display.together`): templates over
    /// `list`, the arguments of each.
    pub together: IndexMap<String, String>,
    /// The outcome of an event that is told with all its dice: one short line, which letters print
    /// first and bold; over the arguments of the event, by its key. It says no more than the
    /// event's words.
    pub outcomes: IndexMap<String, String>,
    /// Modifiers of results: "+2 {{ who }}" without the number.
    pub modifiers: IndexMap<String, String>,
    /// Remarks of order checks.
    pub remarks: IndexMap<String, String>,
    /// The purposes of dice: the second part of their labels (`t3/combat/ford`).
    pub dice: IndexMap<String, String>,
    /// The words in a picture's legend: kinds of hexsides by their ids, and things that the host
    /// draws ([`LEGEND`]) where the game has a word of its own for them.
    pub legend: IndexMap<String, String>,
    /// Abbreviations and headings of columns as letters print them, each explained for the opening:
    /// `SP`. Several that are explained together stand with commas: `A1, A2`.
    pub glossary: IndexMap<String, String>,
    /// Gender and number of names, by the ids of pieces and of kinds of pieces, and of pieces that
    /// the reader does not know by `unknown`: `m`, `f`, `mp`, `fp`. A piece that is not named has
    /// those of its kind, else it is masculine and one.
    pub agreements: IndexMap<String, Agreement>,
    /// The effect of an option's value on play, a paragraph for the opening: `masks: {on: ...}`.
    pub primers: IndexMap<String, IndexMap<String, String>>,
    /// Verbs.
    pub verbs: IndexMap<String, VerbText>,
    /// Kinds of questions.
    pub topics: IndexMap<String, TopicText>,
    /// Conditions of orders.
    pub conditions: IndexMap<String, ConditionText>,
    /// Codes that tables give as results, in plain words: `A2`.
    pub results: IndexMap<String, String>,
    /// Victory levels.
    pub levels: IndexMap<String, String>,
    /// Scenarios, a paragraph each.
    pub scenarios: IndexMap<String, String>,
}
