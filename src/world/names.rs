//! Names in cases and rulings: ids, or names as players write them.

use crate::{
    game::Game,
    ids::{PieceId, PlaceId},
    world::World,
};

fn same(a: &str, b: &str) -> bool {
    a.to_lowercase() == b.to_lowercase()
}

/// The piece of that id or name.
pub fn piece(world: &World, game: &Game, name: &str) -> Option<PieceId> {
    if let Some((id, _)) = world.pieces.get_key_value(name) {
        return Some(id.clone());
    }
    let declared = game.forces.pieces.iter();
    let aliased = declared
        .filter(|piece| piece.aliases.iter().any(|alias| same(alias, name)))
        .map(|piece| piece.id.clone());
    let named = world
        .pieces
        .values()
        .filter(|piece| same(&piece.name, name))
        .map(|piece| piece.id.clone());
    named.chain(aliased).next()
}

/// The space or box of that id or name.
pub fn place(game: &Game, name: &str) -> Option<PlaceId> {
    if let Some(space) = game.map.space(name) {
        return Some(space.id.clone());
    }
    if let Some((id, _)) = game.decl.boxes.get_key_value(name) {
        return Some(id.clone());
    }
    let mut spaces = game.map.map().spaces.iter();
    let named =
        |space: &&crate::game::Space| space.spellings().any(|spelling| same(spelling, name));
    spaces.find(named).map(|space| space.id.clone())
}

/// The key of the road between two spaces, written `A-B` in either direction.
pub fn road(game: &Game, name: &str) -> Option<String> {
    name.char_indices()
        .filter(|(_, c)| *c == '-')
        .find_map(|(at, _)| {
            let (a, b) = (
                place(game, name[..at].trim())?,
                place(game, name[at + 1..].trim())?,
            );
            game.map
                .road(&a, &b)
                .map(|road| format!("{}-{}", road.a, road.b))
        })
}
