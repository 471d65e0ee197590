//! The position of a case.

use std::sync::Arc;

use thiserror::Error;

use super::case::Case;
use crate::{
    game::{Game, Visibility},
    ids::{PieceId, SeatId, SideId},
    value::{Fields, Value},
    world::{Piece, SightingTime, World, names, unmarked},
};

/// A case that can't be set up as written.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct CaseError(pub String);

/// An error of a case's author.
pub fn wrong<T>(message: impl Into<String>) -> Result<T, CaseError> {
    Err(CaseError(message.into()))
}

/// The world that a case starts from.
///
/// # Errors
/// If the case names something that the game does not have.
pub fn set_up(game: &Game, case: &Case) -> Result<World, CaseError> {
    let mut world = match case.scenario.as_str() {
        "none" => World::empty(game),
        name => World::set_up(game, name).map_err(|error| CaseError(error.to_string()))?,
    };
    if let Some(kinds) = &case.given.only {
        for piece in world
            .pieces
            .values_mut()
            .filter(|piece| !kinds.contains(&piece.kind))
        {
            Arc::make_mut(piece).at = None;
        }
    }
    if let Some(name) = &case.given.scenario {
        if !game.scenarios.contains_key(name) {
            return wrong(format!("given.scenario: there is no scenario `{name}`"));
        }
        world.scenario = Some(name.clone());
    }
    if let Some(turn) = case.given.turn {
        world.set_fact("turn", turn.into());
    }
    for (name, value) in &case.given.facts {
        if !game.decl.facts.contains_key(name) {
            return wrong(format!("given.facts: the game has no fact `{name}`"));
        }
        world.set_fact(name, value.clone());
    }
    for (name, state) in &case.given.spaces {
        let Some(space) = names::place(game, name) else {
            return wrong(format!("given.spaces: there is no space `{name}`"));
        };
        world
            .spaces_mut()
            .entry(space)
            .or_default()
            .extend(state.clone());
    }
    for (name, state) in &case.given.roads {
        let Some(road) = names::road(game, name) else {
            return wrong(format!("given.roads: there is no road `{name}`"));
        };
        world
            .roads_mut()
            .entry(road)
            .or_default()
            .extend(state.clone());
    }
    for (name, fields) in &case.given.pieces {
        let id = match names::piece(&world, game, name) {
            Some(id) => id,
            None => new_piece(game, &mut world, name, fields)?,
        };
        place_piece(game, &mut world, &id, fields)?;
    }
    sight(game, case, &mut world)?;
    Ok(world)
}

/// Words that describe a piece as a whole and are no attributes.
const WHOLE: [&str; 5] = ["name", "side", "kind", "formation", "at"];

fn new_piece(
    game: &Game,
    world: &mut World,
    id: &str,
    fields: &Fields,
) -> Result<PieceId, CaseError> {
    let text = |name: &str| fields.get(name).and_then(Value::as_text);
    let (Some(side), Some(kind)) = (text("side"), text("kind")) else {
        return wrong(format!(
            "given.pieces: the game has no piece `{id}`; a new one needs at least `side` and `kind`"
        ));
    };
    let piece = Piece {
        id: id.into(),
        name: text("name").unwrap_or(id).to_owned(),
        side: SideId::from(side),
        formation: text("formation").map(str::to_owned),
        kind: kind.to_owned(),
        at: None,
        attributes: unmarked(game),
        ghost: None,
    };
    world.pieces.insert(id.into(), piece.into());
    Ok(id.into())
}

fn place_piece(
    game: &Game,
    world: &mut World,
    id: &PieceId,
    fields: &Fields,
) -> Result<(), CaseError> {
    if let Some(at) = fields.get("at") {
        let place = match at {
            Value::Null => None,
            Value::Text(name) => match names::place(game, name) {
                Some(place) => Some(place),
                None => {
                    return wrong(format!(
                        "given.pieces.{id}: there is no space or box `{name}`"
                    ));
                }
            },
            _ => return wrong(format!("given.pieces.{id}.at must be a name")),
        };
        if let Some(piece) = world.piece_mut(id) {
            piece.at = place;
        }
    }
    for (name, value) in fields
        .iter()
        .filter(|(name, _)| !WHOLE.contains(&name.as_str()))
    {
        if !game.decl.attributes.contains_key(name) {
            return wrong(format!(
                "given.pieces.{id}: pieces have no attribute `{name}`"
            ));
        }
        if let Some(piece) = world.piece_mut(id) {
            piece.attributes.set(name, value.clone());
        }
    }
    Ok(())
}

fn sight(game: &Game, case: &Case, world: &mut World) -> Result<(), CaseError> {
    for (seat, pieces) in &case.given.sighted {
        let seat = SeatId::from(seat.as_str());
        for (name, how) in pieces {
            let Some(id) = names::piece(world, game, name) else {
                return wrong(format!("given.sighted: there is no piece `{name}`"));
            };
            let degree = if how == "whole" {
                Visibility::Whole
            } else {
                Visibility::Printed
            };
            let seen = SightingTime {
                turn: world.turn(),
                phase: case.given.phase.as_str().into(),
            };
            world.spot(game, &seat, &id, degree, seen);
            if let Some(sighting) = world
                .knowledge
                .get_mut(&seat)
                .and_then(|knowledge| Arc::make_mut(knowledge).sightings.get_mut(&id))
            {
                sighting.current = false;
            }
        }
    }
    Ok(())
}
