//! The display of a game's data: which attribute is the strength, which fact marks a siege.
//!
//! The host knows no game, so a game says in its `display:` section what its own names mean to a
//! reader.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    game::Translations,
    ids::PlaceId,
    value::{Attributes, Value},
};

/// The `display:` section of `game.yaml`. Everything is optional: what is not named is not shown.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Display {
    /// The attribute that is a unit's strength.
    pub strength: Option<String>,
    /// The attribute that counts a unit's hits.
    pub hits: Option<String>,
    /// From when on hits cost strength.
    pub weakened: Option<StrengthLoss>,
    /// The attribute that is a unit's strength once it is weakened, where that is no fixed number
    /// less.
    pub reduced: Option<String>,
    /// Attributes of units that are columns of tables, in this order.
    pub units: Vec<String>,
    /// Attributes of leaders that are listed with them, in this order.
    pub leaders: Vec<String>,
    /// Attributes that are notes when they have a certain value.
    pub marks: Vec<Mark>,
    /// The state of a space that names the side in control.
    pub control: Option<String>,
    /// True if dispatches list the towns that nobody controls.
    pub unheld: bool,
    /// The data of a space that names the side whose supply comes from there.
    pub supply: Option<String>,
    /// The attribute that says how many hexes a commander reaches.
    pub radius: Option<String>,
    /// The attribute that names the space on the other bank, of a piece that lies over a hexside as
    /// a bridge.
    pub span: Option<String>,
    /// The data of a scenario that name the region in which it is played, where that is not the
    /// whole map of hexes.
    pub limits: Option<String>,
    /// The attribute of a piece in a box that names the piece representing it on the map.
    pub kept_by: Option<String>,
    /// The attribute that is a unit's second number on a counter: how far it moves.
    pub pace: Option<String>,
    /// The attribute with the direction of a unit's front: 1 to 6, the hexside in that direction,
    /// clockwise from the top of the sheet. Counters have a wedge there, and are never stacked as
    /// one.
    pub facing: Option<String>,
    /// The attribute that orders a stack: the least is on top, and visible on the map.
    pub rank: Option<String>,
    /// The colours of formations on counters.
    pub bars: FormationBars,
    /// Events that are drawn as arrows on maps of hexes, from the news of their reader.
    pub arrows: Vec<EventArrow>,
    /// Events whose words are a heading in the news, above the events told after them.
    pub headings: Vec<EventHeading>,
    /// Events that are told in one line where several follow each other, with the words of
    /// `together` in the game's text.
    pub together: Vec<JoinedEvent>,
    /// The words for counters known only by number, after that number; without them they lie face
    /// down.
    pub unseen: Translations,
    /// The data of a road that tells of a bridge; `none` and nothing mean no bridge.
    pub bridge: Option<String>,
    /// The state of a road that tells that it is broken.
    pub broken: Option<String>,
    /// Facts that put a ring round a space.
    pub sieges: Vec<Siege>,
    /// The drawing of terrains; plain if not named.
    pub terrains: BTreeMap<String, Relief>,
}

/// A strength that goes down with hits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StrengthLoss {
    /// The number of hits from which it is reduced.
    pub from: i64,
    /// The reduction, unless an attribute holds the remaining strength (`reduced`).
    #[serde(default)]
    pub less: i64,
}

/// The colours of formations: a bar at the top of a counter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct FormationBars {
    /// The attribute that names a unit's formation.
    pub attribute: Option<String>,
    /// The bars, by that attribute's values.
    pub of: BTreeMap<String, FormationBar>,
}

/// The bar of a formation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FormationBar {
    /// Its colour, `#rrggbb`.
    pub colour: String,
    /// Its text, two letters at most: `IV`.
    pub sign: String,
}

/// An event that is a heading in the news.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EventHeading {
    /// The event, one of the game's `events`.
    pub event: String,
    /// True if it comes at the head of the news with the events below it, whenever it was told.
    #[serde(default)]
    pub first: bool,
}

/// An event that is told in one line if several come in a row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JoinedEvent {
    /// The event, one of the game's `events`.
    pub event: String,
    /// The arguments in which they must agree.
    #[serde(default)]
    pub by: Vec<String>,
}

/// An event that is drawn as an arrow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EventArrow {
    /// The event, one of the game's `events`.
    pub event: String,
    /// The style of the arrow.
    pub drawn: ArrowStyle,
    /// The argument with the piece or pieces that it is about.
    pub who: String,
    /// The argument with the space where it begins; an arrow from each if it is a list. Without the
    /// argument nothing is drawn.
    pub from: String,
    /// The argument with the space where it ends.
    pub to: String,
    /// The argument with the list of spaces between them, in order.
    #[serde(default)]
    pub via: Option<String>,
    /// Values of arguments for which nothing is drawn: fire without effect.
    #[serde(default)]
    pub unless: BTreeMap<String, Value>,
}

/// The drawing of an event.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum ArrowStyle {
    /// A move: an arrow in the side's colour. Moves of one piece are joined.
    Move,
    /// A retreat: a hollow one.
    Retreat,
    /// Fire: a thin line.
    Fire,
    /// An assault: a broad red arrow above the counters.
    Assault,
}

impl ArrowStyle {
    /// All styles, in the order in which they are drawn.
    pub const ALL: [ArrowStyle; 4] = [
        ArrowStyle::Move,
        ArrowStyle::Retreat,
        ArrowStyle::Fire,
        ArrowStyle::Assault,
    ];

    /// Its name in game files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            ArrowStyle::Move => "move",
            ArrowStyle::Retreat => "retreat",
            ArrowStyle::Fire => "fire",
            ArrowStyle::Assault => "assault",
        }
    }
}

/// A note on a piece: shown while an attribute has a value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Mark {
    /// The attribute.
    pub attribute: String,
    /// The value that is noted.
    pub is: Value,
    /// The note in tables: "out of command".
    pub words: Translations,
    /// The sign on the map: "C".
    pub sign: Translations,
    /// True if only the reader's own pieces bear it. It is explained only while one does.
    #[serde(default)]
    pub own: bool,
}

/// A ring round a space while a fact has a value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Siege {
    /// The fact.
    pub fact: String,
    /// The value that means a siege.
    pub is: Value,
    /// The space.
    pub at: PlaceId,
}

/// The drawing of a terrain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Relief {
    /// Open country.
    #[default]
    Plain,
    /// Mountains: tinted and hatched.
    Mountain,
    /// A town with walls.
    City,
    /// Woods; on maps of points like open country.
    Wood,
    /// Wet fields, marsh; on maps of points like open country.
    Wet,
    /// A village; on maps of points like open country.
    Village,
    /// Fields with light crops; on maps of points like open country.
    Crops,
    /// Vineyards, orchards; on maps of points like open country.
    Vines,
    /// A castle; on maps of points like open country.
    Castle,
}

impl Relief {
    /// All reliefs, in the order of a legend.
    pub const ALL: [Relief; 9] = [
        Relief::Plain,
        Relief::Crops,
        Relief::Vines,
        Relief::Wet,
        Relief::Wood,
        Relief::Mountain,
        Relief::Village,
        Relief::City,
        Relief::Castle,
    ];

    /// Its name in game files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Relief::Plain => "plain",
            Relief::Mountain => "mountain",
            Relief::City => "city",
            Relief::Wood => "wood",
            Relief::Wet => "wet",
            Relief::Village => "village",
            Relief::Crops => "crops",
            Relief::Vines => "vines",
            Relief::Castle => "castle",
        }
    }
}

impl Display {
    /// The attributes of pieces that it names.
    pub fn attributes(&self) -> impl Iterator<Item = &str> {
        let single = [
            &self.strength,
            &self.hits,
            &self.reduced,
            &self.radius,
            &self.span,
            &self.kept_by,
            &self.pace,
            &self.facing,
            &self.rank,
            &self.bars.attribute,
        ];
        let lists = self.units.iter().chain(&self.leaders);
        let marks = self.marks.iter().map(|mark| &mark.attribute);
        let single = single.into_iter().flatten();
        single.chain(lists).chain(marks).map(String::as_str)
    }

    /// The drawing of a terrain.
    #[must_use]
    pub fn relief(&self, terrain: &str) -> Relief {
        self.terrains.get(terrain).copied().unwrap_or_default()
    }

    /// Hits of a piece, as far as its attributes are known.
    #[must_use]
    pub fn hits_of(&self, attributes: &Attributes) -> Option<i64> {
        attributes.get(self.hits.as_deref()?)?.as_int()
    }

    /// Present strength of a piece, as far as its attributes are known.
    #[must_use]
    pub fn strength_of(&self, attributes: &Attributes) -> Option<i64> {
        let strength = attributes.get(self.strength.as_deref()?)?.as_int()?;
        let hits = self.hits_of(attributes).unwrap_or(0);
        let weakened = self.weakened.as_ref();
        let Some(weakened) = weakened.filter(|weakened| hits >= weakened.from) else {
            return Some(strength);
        };
        match &self.reduced {
            Some(reduced) => attributes.get(reduced)?.as_int(),
            None => Some((strength - weakened.less).max(0)),
        }
    }

    /// The marks that a piece shows: the reader's own piece, or another's.
    pub fn marks_of<'a>(
        &'a self,
        attributes: &'a Attributes,
        own: bool,
    ) -> impl Iterator<Item = &'a Mark> {
        self.marks.iter().filter(move |mark| {
            attributes.get(&mark.attribute) == Some(&mark.is) && (own || !mark.own)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strength_goes_down_with_hits() {
        let display = Display {
            strength: Some("men".into()),
            hits: Some("losses".into()),
            weakened: Some(StrengthLoss { from: 3, less: 1 }),
            ..Display::default()
        };
        let unit = |losses: i64| -> Attributes {
            let known = [("men".into(), 4.into()), ("losses".into(), losses.into())];
            known.into_iter().collect()
        };
        assert_eq!(display.strength_of(&unit(2)), Some(4));
        assert_eq!(display.strength_of(&unit(3)), Some(3));
        assert_eq!(display.strength_of(&Attributes::default()), None);
    }

    #[test]
    fn a_weakened_unit_may_have_a_strength_of_its_own() {
        let display = Display {
            strength: Some("men".into()),
            hits: Some("losses".into()),
            weakened: Some(StrengthLoss { from: 1, less: 0 }),
            reduced: Some("half".into()),
            ..Display::default()
        };
        let unit = |losses: i64| {
            let values = [("men", 3), ("half", 2), ("losses", losses)];
            values
                .map(|(name, value)| (name.into(), value.into()))
                .into_iter()
                .collect()
        };
        assert_eq!(display.strength_of(&unit(0)), Some(3));
        assert_eq!(display.strength_of(&unit(1)), Some(2));
    }
}
