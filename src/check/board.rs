//! The map's board: lines with holes, pieces that are in no scenario.

use std::collections::BTreeSet;

use super::{
    flow::{Flow, NameUse},
    names::Sort,
};
use crate::game::{Game, Problem};

/// Warnings: lines with holes, and pieces in no scenario.
pub(super) fn look(flow: &Flow<'_>) -> Vec<Problem> {
    let mut found = Vec::new();
    for theatre in flow.names.game.in_theatres() {
        found.extend(holes(&theatre));
    }
    // This function alone gives pieces that are not in play: scripts may bring any of them.
    if !flow.report.called.contains("all_pieces") {
        for theatre in flow.names.game.in_theatres() {
            found.extend(left_out(flow, &theatre));
        }
    }
    found
}

/// Lines of hexsides that stop and go on elsewhere.
fn holes(game: &Game) -> Vec<Problem> {
    let file = format!("games/{}/{}", game.decl.id, game.theatre_file("map.yaml"));
    let Some(hexes) = game.map.hexes() else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (number, line) in hexes.file().lines.iter().enumerate() {
        for (place, pair) in line.sides.windows(2).enumerate() {
            let [before, after] = pair else { continue };
            if !meet(game, (&before.a, &before.b), (&after.a, &after.b)) {
                let message = format!(
                    "{} has a hole: {}-{} does not touch {}-{} before it",
                    line.name, after.a, after.b, before.a, before.b
                );
                let path = format!("lines[{number}].sides[{}]", place + 1);
                found.push(Problem::new(&file, path, message).warning());
            }
        }
    }
    found
}

/// Returns true if two hexsides touch: they have a hex in common, and the others are neighbours.
fn meet(game: &Game, first: (&str, &str), second: (&str, &str)) -> bool {
    let adjacent = |a: &str, b: &str| {
        let (a, b) = (game.map.number(a), game.map.number(b));
        matches!((a, b), (Some(a), Some(b)) if game.map.neighbours(a).contains(&b))
    };
    let ways = [
        (first.0, first.1, second.0, second.1),
        (first.0, first.1, second.1, second.0),
        (first.1, first.0, second.0, second.1),
        (first.1, first.0, second.1, second.0),
    ];
    ways.into_iter()
        .any(|(common, one, also, other)| common == also && adjacent(one, other))
}

/// Pieces that no scenario brings into play, and no script names.
fn left_out(flow: &Flow<'_>, game: &Game) -> Vec<Problem> {
    let file = format!(
        "games/{}/{}",
        game.decl.id,
        game.theatre_file("forces.yaml")
    );
    let placed: BTreeSet<&str> = game
        .scenarios
        .values()
        .filter(|scenario| scenario.theatre == game.theatre)
        .flat_map(|scenario| scenario.positions.values().flatten())
        .map(|piece| piece.as_str())
        .collect();
    let pieces = game.forces.pieces.iter().enumerate();
    pieces
        .filter(|(_, piece)| !placed.contains(piece.id.as_str()))
        .filter(|(_, piece)| {
            let named = (Sort::Piece, piece.id.to_string(), NameUse::Named);
            !flow.report.used.contains(&named)
        })
        .map(|(number, piece)| {
            let message = format!("`{}` is in no scenario", piece.id);
            Problem::new(&file, format!("pieces[{number}]"), message).warning()
        })
        .collect()
}
