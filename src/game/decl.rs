//! The types of `game.yaml`: sides, seats, attributes, options, phases, the order language.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    model::{Lang, Translations},
    seating::{Party, SeatDecl, Side},
    sequence::Follower,
};
use crate::{
    ids::{PlaceId, SideId},
    ordered::IndexMap,
    value::Value,
};

/// The readers who learn a piece's attribute.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Visibility {
    /// Everyone who knows that the piece is there.
    Printed,
    /// Everyone who sees the piece whole.
    Whole,
    /// Its owner.
    Owner,
    /// The umpire only.
    Umpire,
}

/// An attribute that every piece has.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AttributeDecl {
    /// Its value where the force list gives none. Its type is the attribute's type.
    pub default: Value,
    /// The readers who learn it.
    pub shown: Visibility,
}

/// The readers who learn a box's contents, a space's or a road's state. Secret is the default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Audience {
    /// All seats.
    Public,
    /// The umpire only.
    #[default]
    Umpire,
}

/// The readers of a fact. Secret is the default.
///
/// A fact of sides, parties or seats is a map by their ids, and each learns only the value under
/// its own id. Everything is shown when the campaign is over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum FactAudience {
    /// All seats.
    Public,
    /// The seats of a party.
    Party,
    /// The seats that play a side.
    Side,
    /// A seat.
    Seat,
    /// The umpire only.
    #[default]
    Umpire,
}

impl FactAudience {
    /// Returns true if the fact is a map and each reader learns a part of it.
    #[must_use]
    pub fn is_shared_out(self) -> bool {
        matches!(self, Self::Party | Self::Side | Self::Seat)
    }
}

/// A fact of the game as a whole, with its value at the start.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FactDecl {
    /// The value at the start where the scenario gives none. Its type is the fact's type; `null`
    /// goes with any.
    pub default: Value,
    /// The readers who learn it.
    #[serde(default)]
    pub shown: FactAudience,
    /// The time for which it holds; then it returns to its default. No script needs to clear it.
    #[serde(default)]
    pub scope: Scope,
}

/// The time for which a fact holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(from = "String", into = "String")]
pub enum Scope {
    /// `campaign`: till a script changes it.
    #[default]
    Campaign,
    /// `turn`: till the turn is over, which is when the fact `turn` changes, or when a phase with
    /// `ends_turn` is over.
    Turn,
    /// `phase`: till another phase begins.
    Phase,
    /// The id of a phase: till a phase of that id begins.
    Until(String),
}

impl From<String> for Scope {
    fn from(text: String) -> Self {
        match text.as_str() {
            "campaign" => Self::Campaign,
            "turn" => Self::Turn,
            "phase" => Self::Phase,
            _ => Self::Until(text),
        }
    }
}

impl From<Scope> for String {
    fn from(scope: Scope) -> Self {
        match scope {
            Scope::Campaign => "campaign".to_owned(),
            Scope::Turn => "turn".to_owned(),
            Scope::Phase => "phase".to_owned(),
            Scope::Until(phase) => phase,
        }
    }
}

impl Scope {
    /// Returns true if a fact of this scope is its default again when a phase of this id begins.
    #[must_use]
    pub fn ends_before(&self, phase: &str) -> bool {
        match self {
            Self::Campaign | Self::Turn => false,
            Self::Phase => true,
            Self::Until(until) => until == phase,
        }
    }
}

/// A state of spaces or of roads, with its value at the start.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StateDecl {
    /// The value at the start where the scenario gives none. Its type is the state's type; `null`
    /// goes with any.
    pub default: Value,
    /// The readers who learn it.
    #[serde(default)]
    pub shown: Audience,
}

/// A box beside the map.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BoxDecl {
    /// The readers who see its contents.
    #[serde(default)]
    pub shown: Audience,
    /// True if its owner's dispatches leave it out: for counters that have no part in a campaign.
    #[serde(default)]
    pub unlisted: bool,
    /// The attribute that holds the turn in which a piece leaves it: dispatches list its contents
    /// turn by turn.
    #[serde(default)]
    pub until: Option<String>,
}

/// An option of a campaign (`--set fog=on`).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OptionDecl {
    /// The legal values; `on` and `off` for a switch; empty for a whole number.
    #[serde(default)]
    pub values: Vec<String>,
    /// The value when nothing is set.
    pub default: String,
    /// The reason why it can't be changed yet, while its rules are not written.
    #[serde(default)]
    pub closed: Option<String>,
}

/// The pictures that a kind of piece can have on the map.
pub const SYMBOLS: [&str; 9] = [
    "infantry",
    "light_infantry",
    "cavalry",
    "heavy_cavalry",
    "artillery",
    "horse_artillery",
    "headquarters",
    "fort",
    "decoy",
];

/// A kind of piece.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KindDecl {
    /// The picture on the map: `infantry`, `light_infantry`, `cavalry`, `heavy_cavalry`,
    /// `artillery`, `horse_artillery`, `headquarters`, `fort`; `decoy` for a false counter, which
    /// has no strength and does not count as a unit to its owner.
    pub symbol: String,
    /// True if it counts as strength on the map (leaders don't).
    #[serde(default)]
    pub unit: bool,
}

/// A phase of the sequence. `movement.red` runs `movement("red")`, `supply` runs `supply()`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PhaseDecl {
    /// The name before the dot; the script function's name too.
    pub id: String,
    /// The argument after the dot: `side`, `space`, or nothing.
    #[serde(default)]
    pub of: Option<String>,
    /// The phases that may follow it: `supply`, `march.red`, `march.{side}` or `battle.{space}`
    /// (the same as this phase's, or any if it has none), `march.{other}` (another one). A script
    /// that names another one has failed. Empty if the campaign always ends with it.
    #[serde(default)]
    pub then: Option<Vec<Follower>>,
    /// True if the turn ends with it, and facts of scope `turn` return to their defaults.
    #[serde(default)]
    pub ends_turn: bool,
    /// True if dispatches tell its events under the heading of the phase before, provided that had
    /// any.
    #[serde(default)]
    pub goes_on: bool,
}

/// An order, standing order or command of the order language.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VerbDecl {
    /// The phases (names before the dot) whose wait takes it; empty for a standing order, which is
    /// taken always.
    #[serde(default)]
    pub phases: Vec<String>,
    /// A standing order stays in force until its group is written anew or cancelled.
    #[serde(default)]
    pub standing: bool,
    /// A phase of a side that ends the campaign, for a standing order that is carried out as soon
    /// as it comes, whatever is waited for: CONCEDE. The phase is run for the sender's side.
    #[serde(default)]
    pub at_once: Option<String>,
    /// It is said beside orders: a mail with nothing else leaves its seat awaited.
    #[serde(default)]
    pub aside: bool,
    /// A standing order that is its player's own word, and goes when another player takes the seat.
    #[serde(default)]
    pub personal: bool,
    /// Its player leaves with it, as with the errand RESIGN: the umpire and the club hear of it.
    #[serde(default)]
    pub leaves: bool,
    /// Standing orders of one group replace each other together; the verb's own name if not given.
    #[serde(default)]
    pub group: Option<String>,
    /// The kind of block that it opens: the orders after it that stand `within` this kind belong to
    /// it.
    #[serde(default)]
    pub opens: Option<String>,
    /// The kinds of blocks in which it stands; a verb without any stands outside.
    #[serde(default)]
    pub within: Vec<String>,
    /// Its forms, in the pattern language of docs/orders.md. The first is the one that is printed.
    pub forms: Vec<String>,
    /// Script function that judges the order on the seat's view for the receipt.
    #[serde(default)]
    pub check: Option<String>,
    /// Script function that prints lines of this verb for the template of the dispatch, on the
    /// seat's view.
    #[serde(default)]
    pub template: Option<String>,
    /// Options that must be on for the verb to exist.
    #[serde(default)]
    pub option: Option<String>,
    /// The sides whose order it is; all if none is named. Others are refused it, and their help
    /// leaves it out.
    #[serde(default)]
    pub only: Vec<SideId>,
    /// Like `only`, but without refusing it to others: campaigns of earlier versions have this.
    #[serde(default)]
    pub sides: Vec<SideId>,
    /// The scenarios in which it has a meaning; all if none is named. In other scenarios the help
    /// leaves it out.
    #[serde(default)]
    pub scenarios: Vec<String>,
}

impl VerbDecl {
    /// The sides whose help lists it; all if none is named.
    #[must_use]
    pub fn whose(&self) -> &[SideId] {
        if self.only.is_empty() {
            &self.sides
        } else {
            &self.only
        }
    }
}

/// How a question's options bind the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Offer {
    /// The answer names nothing else: another piece, space, number or word is a wrong line, which
    /// no script gets.
    Only,
    /// They are what the asked seat knows of; the answer may name others.
    Also,
}

/// A kind of question.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TopicDecl {
    /// The keyword that puts it on ASK, if a player may.
    #[serde(default)]
    pub keyword: Option<String>,
    /// The forms of an answer.
    pub forms: Vec<String>,
    /// True if an answer may take several lines: it then holds a list `lines`, each with the slots
    /// of its form.
    #[serde(default)]
    pub several: bool,
    /// How the options of its questions bind the answer; required if they have options.
    #[serde(default)]
    pub options: Option<Offer>,
    /// The script function that judges an answer when its mail comes in, on the seat's view as the
    /// phase began, and returns remarks like the check of a verb. It gets the slots of the answer,
    /// with the `topic`, what the question is `about`, and the `seat`. A refused answer leaves the
    /// question open; at the end of the wait the phase gets it if nothing better has come.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<String>,
    /// Option that must be on for the topic to be asked about.
    #[serde(default)]
    pub option: Option<String>,
    /// The sides that can be asked; all if none is named. The help of others leaves it out.
    #[serde(default)]
    pub sides: Vec<SideId>,
    /// True if seats are asked until they say DONT ASK, and questions on it do not count against
    /// `questions_per_turn`; else they are asked once they say ASK.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub asked: bool,
    /// True if everybody may know that a seat is asked, and so that it wants to be: such a question
    /// is a public wait, with an envelope of dice of its own (dice.md, section 9). Else only the
    /// seat that is asked learns of it.
    #[serde(default)]
    pub public: bool,
}

/// Couriers: letters between seats take their time, and may be taken on the way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CourierDecl {
    /// The script function `call(from, to)` that says of a letter from one seat to another, on the
    /// true world and without dice: `#{turns: 2}`, how many turns it takes (0: it comes with the
    /// next dispatches); `#{turns: 1, taken: "blue"}`, that another seat takes it instead; `()`,
    /// that it is lost. The sender is told none of this.
    pub call: String,
    /// Option that must be on for letters to go by courier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub option: Option<String>,
}

/// A condition of a guard.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConditionDecl {
    /// Its forms.
    pub forms: Vec<String>,
    /// The script function that judges it on the seat's view.
    pub call: String,
}

/// The order language of the game.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Language {
    /// The attribute that names the side now commanding a piece; empty while that is its own side.
    #[serde(default)]
    pub obeys: Option<String>,
    /// Keywords by id with their spellings in each language, the first of them printed.
    #[serde(default)]
    pub keywords: IndexMap<String, BTreeMap<Lang, Vec<String>>>,
    /// Small words by language that mean nothing where nothing else can be read: `the`, `in`.
    #[serde(default)]
    pub small_words: BTreeMap<Lang, Vec<String>>,
    /// Verbs in the order in which help and templates list them.
    #[serde(default)]
    pub verbs: IndexMap<String, VerbDecl>,
    /// Kinds of questions.
    #[serde(default)]
    pub topics: IndexMap<String, TopicDecl>,
    /// Conditions of guards.
    #[serde(default)]
    pub conditions: IndexMap<String, ConditionDecl>,
}

/// The file `game.yaml`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GameDecl {
    /// Its id, the folder's name.
    pub id: String,
    /// The game to inherit from: its files where this folder has none, its scripts besides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extends: Option<String>,
    /// Its title.
    pub title: Translations,
    /// A paragraph about it.
    #[serde(default)]
    pub about: Translations,
    /// The rulebook whose paragraphs the numbers in brackets name: title, author, edition. Openings
    /// name it.
    #[serde(default)]
    pub rulebook: Translations,
    /// Parties, where sides are allies.
    #[serde(default)]
    pub parties: Vec<Party>,
    /// Sides.
    pub sides: Vec<Side>,
    /// Seats. A game that has rosters leaves them out, and has those of the roster that is played.
    #[serde(default)]
    pub seats: Vec<SeatDecl>,
    /// Rosters, where it can be played by more or fewer: the seats, by a name that says how many
    /// (`"3"`). The first is played where none is named.
    #[serde(default)]
    pub rosters: IndexMap<String, Vec<SeatDecl>>,
    /// The scenario that `new` takes when none is named.
    pub default_scenario: String,
    /// Kinds of pieces.
    #[serde(default)]
    pub kinds: IndexMap<String, KindDecl>,
    /// Attributes of pieces.
    #[serde(default)]
    pub attributes: IndexMap<String, AttributeDecl>,
    /// States of spaces.
    #[serde(default)]
    pub space_attributes: IndexMap<String, StateDecl>,
    /// States of roads.
    #[serde(default)]
    pub road_attributes: IndexMap<String, StateDecl>,
    /// False if nothing in it is rolled or drawn: a script that does so has failed, and letters say
    /// nothing of dice.
    #[serde(default = "with_dice")]
    pub dice: bool,
    /// True if nothing on the map is hidden: after each phase every seat sees every piece there
    /// whole, and no script says so.
    #[serde(default)]
    pub open_map: bool,
    /// Boxes beside the map.
    #[serde(default)]
    pub boxes: IndexMap<PlaceId, BoxDecl>,
    /// Facts. `turn` is one of them.
    pub facts: IndexMap<String, FactDecl>,
    /// Date of each turn, for dispatches.
    #[serde(default)]
    pub dates: Vec<String>,
    /// Options.
    #[serde(default)]
    pub options: IndexMap<String, OptionDecl>,
    /// The most letters with questions that a seat gets in a turn, unless the campaign says
    /// otherwise.
    #[serde(default)]
    pub questions_per_turn: u32,
    /// How its names are shown to a reader.
    #[serde(default)]
    pub display: super::Display,
    /// Phases in their order.
    pub phases: Vec<PhaseDecl>,
    /// Keys of events that scripts tell; each has a text in each language.
    #[serde(default)]
    pub events: Vec<String>,
    /// Arguments of events and remarks that hold ids of spaces, or lists of them: they are printed
    /// as names, as if the script had written `space(id)`.
    #[serde(default)]
    pub space_arguments: Vec<String>,
    /// Couriers, who take letters between seats along where the campaign lets seats write.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub courier: Option<CourierDecl>,
    /// The order language.
    #[serde(default)]
    pub orders: Language,
}

/// Most games have dice.
fn with_dice() -> bool {
    true
}

impl GameDecl {
    /// Returns true if an answer on this topic names nothing but the options of the question.
    #[must_use]
    pub fn holds_to_options(&self, topic: &str) -> bool {
        let declared = self.orders.topics.get(topic);
        declared.is_some_and(|declared| declared.options == Some(Offer::Only))
    }

    /// Returns true if everybody may know of questions on this topic.
    #[must_use]
    pub fn is_public(&self, topic: &str) -> bool {
        let declared = self.orders.topics.get(topic);
        declared.is_some_and(|declared| declared.public)
    }
}
