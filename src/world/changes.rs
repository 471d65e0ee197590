//! Changes of a world by hand: an umpire's ruling, written as the position of a case is.

use std::{collections::BTreeMap, sync::Arc};

use serde::{Deserialize, Serialize};

use super::{World, names};
use crate::{
    game::Game,
    value::{Fields, Value},
};

/// The changes to make; anything not named stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Changes {
    /// Facts.
    #[serde(default, skip_serializing_if = "Fields::is_empty")]
    pub facts: Fields,
    /// State of spaces, by id or name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub spaces: BTreeMap<String, Fields>,
    /// State of roads, as `A-B`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub roads: BTreeMap<String, Fields>,
    /// Pieces that exist, by id or name: their place (`at`, null for off the map), and attributes.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub pieces: BTreeMap<String, Fields>,
}

impl Changes {
    /// Returns true if nothing is changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl World {
    /// Makes changes.
    ///
    /// # Errors
    /// The first that can't be made, in words: the game has no such thing, or its values are of
    /// another kind. Some may have been made before it.
    pub fn change(&mut self, game: &Game, changes: &Changes) -> Result<(), String> {
        for (name, value) in &changes.facts {
            let declared = game.decl.facts.get(name).map(|fact| &fact.default);
            check(&format!("facts.{name}"), declared, value)?;
            self.set_fact(name, value.clone());
        }
        for (name, state) in &changes.spaces {
            let space = names::place(game, name)
                .ok_or_else(|| format!("spaces: there is no space `{name}`"))?;
            for (attribute, value) in state {
                let declared = game.decl.space_attributes.get(attribute);
                let path = format!("spaces.{name}.{attribute}");
                check(&path, declared.map(|fact| &fact.default), value)?;
            }
            let spaces = Arc::make_mut(&mut self.spaces);
            spaces.entry(space).or_default().extend(state.clone());
        }
        for (name, state) in &changes.roads {
            let road = names::road(game, name)
                .ok_or_else(|| format!("roads: there is no road `{name}`"))?;
            for (attribute, value) in state {
                let declared = game.decl.road_attributes.get(attribute);
                let path = format!("roads.{name}.{attribute}");
                check(&path, declared.map(|fact| &fact.default), value)?;
            }
            let roads = Arc::make_mut(&mut self.roads);
            roads.entry(road).or_default().extend(state.clone());
        }
        (changes.pieces.iter()).try_for_each(|(name, fields)| self.change_piece(game, name, fields))
    }

    fn change_piece(&mut self, game: &Game, name: &str, fields: &Fields) -> Result<(), String> {
        let id = names::piece(self, game, name)
            .ok_or_else(|| format!("pieces: there is no piece `{name}`"))?;
        for (attribute, value) in fields {
            let path = format!("pieces.{name}.{attribute}");
            let place = match (attribute.as_str(), value) {
                ("at", Value::Null) => Some(None),
                ("at", value) => {
                    let place = value.as_text().and_then(|place| names::place(game, place));
                    let wrong = || format!("{path}: `{value:?}` is no space or box");
                    Some(Some(place.ok_or_else(wrong)?))
                }
                _ => {
                    let declared = game.decl.attributes.get(attribute);
                    check(&path, declared.map(|declared| &declared.default), value)?;
                    None
                }
            };
            let Some(piece) = self.piece_mut(&id) else {
                continue;
            };
            match place {
                Some(place) => piece.at = place,
                None => {
                    piece
                        .attributes
                        .insert(attribute.as_str().into(), value.clone());
                }
            }
        }
        Ok(())
    }
}

/// A value must be of the kind of the declared one, where that says a kind.
fn check(path: &str, declared: Option<&Value>, value: &Value) -> Result<(), String> {
    use std::mem::discriminant;
    let declared = declared.ok_or_else(|| format!("{path}: the game declares no such thing"))?;
    let fits = *declared == Value::Null
        || *value == Value::Null
        || discriminant(declared) == discriminant(value);
    if fits {
        Ok(())
    } else {
        Err(format!(
            "{path}: {value:?} is another kind of value than {declared:?}, with which it begins"
        ))
    }
}
