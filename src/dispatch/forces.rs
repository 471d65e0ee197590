//! Own pieces in full, other sides' pieces as known.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    build::{Builder, place_name, spot_name},
    document::{
        Enemy, EnemyPiece, EnemySpace, ForcesSection, FormationRows, LeaderRow, OldSighting,
        UnitRow,
    },
};
use crate::{
    game::Space,
    ids::SideId,
    value::{Fields, Value},
    world::Piece,
};

/// A seat's note on a space: that more lies below the top counter.
pub(super) const MORE_BELOW: &str = "more_below";
/// A seat's note on a space: how many counters lie there face down.
pub(super) const HIDDEN: &str = "hidden";
/// The picture of a false counter.
pub(super) const DECOY: &str = "decoy";

/// The reader's own pieces that stand on the map, formation by formation.
pub(super) fn own(builder: &Builder<'_>) -> ForcesSection {
    let (game, display) = (builder.briefing.game, builder.briefing.display);
    let words = builder.words;
    let mut forces = ForcesSection {
        columns: display
            .units
            .iter()
            .map(|name| heading(builder, name))
            .collect(),
        has_strength: display.strength.is_some(),
        ..ForcesSection::default()
    };
    let groups = by_formation(builder);
    let formations = game.forces.formations.iter();
    let formations = formations.map(|formation| Some(formation.id.as_str()));
    for formation in formations.chain([None]) {
        let pieces = groups.get(&formation).map_or(&[][..], Vec::as_slice);
        let (units, leaders): (Vec<_>, Vec<_>) =
            (pieces.iter().copied()).partition(|piece| is_unit(builder, piece));
        if units.is_empty() && leaders.is_empty() {
            continue;
        }
        let name = match formation {
            Some(id) => words
                .text()
                .formations
                .get(id)
                .map_or(id, String::as_str)
                .to_owned(),
            // A game without formations needs no word for those outside of them.
            None if game.forces.formations.is_empty() => String::new(),
            None => words.fixed("no_formation"),
        };
        forces.units += units
            .iter()
            .filter(|piece| !is_decoy(builder, piece))
            .count();
        let rows = FormationRows {
            name,
            led_by: formation.map_or_else(String::new, |id| led_by(builder, id)),
            leaders: leaders
                .into_iter()
                .map(|piece| leader(builder, piece))
                .collect(),
            units: units
                .into_iter()
                .map(|piece| unit(builder, piece))
                .collect(),
        };
        forces.strength += rows
            .units
            .iter()
            .filter_map(|unit| unit.strength)
            .sum::<i64>();
        forces.formations.push(rows);
    }
    forces
}

/// The reader's own pieces on the map by their formations; one of a formation that the game does
/// not have counts as belonging to none.
fn by_formation<'a>(builder: &Builder<'a>) -> BTreeMap<Option<&'a str>, Vec<&'a Piece>> {
    let (game, view) = (builder.briefing.game, builder.briefing.view);
    let formations = game.forces.formations.iter();
    let formations: BTreeSet<&str> = formations.map(|known| known.id.as_str()).collect();
    let mut groups: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for piece in view.pieces.values() {
        let place = piece.at.as_deref();
        if builder.own(piece) && place.is_some_and(|at| game.map.number(at).is_some()) {
            let formation = piece.formation.as_deref();
            let formation = formation.filter(|id| formations.contains(id));
            groups.entry(formation).or_default().push(&**piece);
        }
    }
    groups
}

/// The leader of a formation who is off the map, with the values that players need for planning.
fn led_by(builder: &Builder<'_>, formation: &str) -> String {
    let (game, view) = (builder.briefing.game, builder.briefing.view);
    let mut formations = game.forces.formations.iter();
    let leader = formations
        .find(|known| known.id == formation)
        .and_then(|formation| view.piece(formation.leader.as_ref()?));
    let off_map = |piece: &&Piece| {
        let place = piece.at.as_deref();
        place.is_some_and(|at| game.map.number(at).is_none())
    };
    leader.filter(off_map).map_or_else(String::new, |piece| {
        let row = self::leader(builder, piece);
        let values = row.values.iter();
        let values = values.map(|(name, value)| format!(", {name} {value}"));
        format!("{}{}", row.name, values.collect::<String>())
    })
}

/// Allies' pieces on the map: seen now, and seen before.
pub(super) fn allies(builder: &mut Builder<'_>) -> Enemy {
    let allies = known(builder, true);
    if allies.is_nothing() {
        return Enemy::default();
    }
    allies
}

/// Enemies' pieces on the map: seen now, and seen before.
pub(super) fn enemy(builder: &mut Builder<'_>) -> Enemy {
    known(builder, false)
}

/// Pieces on the map of other sides, either the reader's friends or the others.
fn known(builder: &mut Builder<'_>, friends: bool) -> Enemy {
    let game = builder.briefing.game;
    let mut enemy = Enemy {
        unseen: unseen(builder),
        neutral: game.decl.is_each_for_itself(),
        ..Enemy::default()
    };
    let sides = game.decl.sides.iter().map(|side| side.id.clone());
    let others = |side: &SideId| !builder.plays(side) && builder.is_friend(side) == friends;
    let sides: Vec<_> = sides.filter(others).collect();
    for (_, space) in builder.busy() {
        let seen = sides.iter().filter_map(|side| seen(builder, space, side));
        let mut seen: Vec<_> = seen.collect();
        // An ally's nation is named wherever there are several, an enemy's where two stand
        // together.
        if seen.len() == 1 && !(friends && sides.len() > 1) {
            seen.iter_mut().for_each(|only| only.side.clear());
        }
        enemy.seen.extend(seen);
        let ghosts = (builder.places.ghosts_at(&space.id))
            .filter(|piece| !builder.own(piece))
            .filter(|piece| builder.is_friend(&piece.side) == friends);
        for piece in ghosts.collect::<Vec<_>>() {
            let Some(ghost) = &piece.ghost else { continue };
            let phase = builder.phase(&ghost.phase);
            enemy.old.push(OldSighting {
                place: spot_name(game, builder.words, space),
                piece: enemy_piece(builder, piece),
                turn: ghost.turn,
                phase,
            });
        }
    }
    enemy
}

/// The words for counters known only by number.
fn unseen(builder: &Builder<'_>) -> String {
    let words = builder.briefing.display.unseen.get(&builder.briefing.lang);
    words.map_or_else(|| builder.words.fixed("face_down"), Clone::clone)
}

/// The pieces of one side seen in one space; none if there are none.
fn seen(builder: &Builder<'_>, space: &Space, side: &SideId) -> Option<EnemySpace> {
    let (more, hidden) = below(builder, space, side);
    let pieces: Vec<_> = (builder.places.at(&space.id))
        .filter(|piece| piece.side == *side && !builder.own(piece))
        .map(|piece| enemy_piece(builder, piece))
        .collect();
    (more || hidden > 0 || !pieces.is_empty()).then(|| EnemySpace {
        place: spot_name(builder.briefing.game, builder.words, space),
        side: builder.words.name_of(side),
        pieces,
        more,
        hidden,
    })
}

/// Knowledge of a space beyond the pieces that are seen: whether more lies below, and how many
/// counters face down. A note on a space is about one enemy side: its own if the reader sees a
/// piece there, else the first.
pub(super) fn below(builder: &Builder<'_>, space: &Space, side: &SideId) -> (bool, i64) {
    let view = builder.briefing.view;
    let more = view.space_state(&space.id, MORE_BELOW).as_bool();
    let hidden = view.space_state(&space.id, HIDDEN).as_int();
    let noted = (more.unwrap_or(false), hidden.unwrap_or(0));
    if noted == (false, 0) {
        return noted;
    }
    let sides = builder.briefing.game.decl.sides.iter();
    let sides = sides.map(|known| &known.id);
    let others = || sides.clone().filter(|known| !builder.is_friend(known));
    let top = others().find(|known| {
        builder
            .places
            .at(&space.id)
            .any(|piece| piece.side == **known)
    });
    if top.or_else(|| others().next()) == Some(side) {
        noted
    } else {
        (false, 0)
    }
}

/// The numbers of spaces where others' pieces are known to be, though none is seen.
pub(super) fn noted(builder: &Builder<'_>) -> Vec<usize> {
    let known = |state: &Fields| {
        let more = state.get(MORE_BELOW).and_then(Value::as_bool);
        let hidden = state.get(HIDDEN).and_then(Value::as_int);
        more == Some(true) || hidden.unwrap_or(0) > 0
    };
    let spaces = builder.briefing.view.spaces.iter();
    let noted = spaces.filter(|(_, state)| known(state));
    noted
        .filter_map(|(space, _)| builder.briefing.game.map.number(space))
        .collect()
}

/// Returns true if a piece is a false counter.
fn is_decoy(builder: &Builder<'_>, piece: &Piece) -> bool {
    let kinds = &builder.briefing.game.decl.kinds;
    kinds
        .get(&piece.kind)
        .is_some_and(|kind| kind.symbol == DECOY)
}

/// Returns true if a piece is shown among the units: false counters are, whatever the rules take
/// them for.
pub(super) fn is_unit(builder: &Builder<'_>, piece: &Piece) -> bool {
    builder.briefing.game.is_unit(&piece.kind) || is_decoy(builder, piece)
}

pub(super) fn heading(builder: &Builder<'_>, attribute: &str) -> String {
    let headings = &builder.words.text().attributes;
    headings
        .get(attribute)
        .map_or(attribute, String::as_str)
        .to_owned()
}

fn kind(builder: &Builder<'_>, piece: &Piece) -> String {
    let kinds = &builder.words.text().kinds;
    kinds.get(&piece.kind).unwrap_or(&piece.kind).clone()
}

/// The kind in a narrow column: the game's own short word, else nothing.
fn short_kind(builder: &Builder<'_>, piece: &Piece) -> String {
    let words = &builder.words.text().short_kinds;
    words.get(&piece.kind).cloned().unwrap_or_default()
}

fn notes(builder: &Builder<'_>, piece: &Piece) -> Vec<String> {
    let display = builder.briefing.display;
    let marks = display.marks_of(&piece.attributes, builder.own(piece));
    marks
        .filter_map(|mark| mark.words.get(&builder.briefing.lang).cloned())
        .collect()
}

fn printed(builder: &Builder<'_>, value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => "-".to_owned(),
        Some(Value::Int(number)) => number.to_string(),
        Some(Value::Bool(true)) => builder.words.fixed("yes"),
        Some(Value::Bool(false)) => builder.words.fixed("no"),
        Some(Value::Text(text)) => builder.words.name_of(text),
        Some(other) => serde_json::to_string(other).unwrap_or_default(),
    }
}

/// Returns true if a value says nothing: a piece that is no leader has no grade.
fn is_blank(value: Option<&Value>) -> bool {
    matches!(value, Some(Value::Text(text)) if text.is_empty())
}

fn leader(builder: &Builder<'_>, piece: &Piece) -> LeaderRow {
    let values = builder.briefing.display.leaders.iter();
    LeaderRow {
        id: piece.id.to_string(),
        name: builder.words.piece_name(&piece.id, &piece.name),
        place: place_name(builder.briefing.game, builder.words, piece.at.as_deref()),
        values: values
            .filter(|name| !is_blank(piece.attributes.get(name)))
            .map(|name| {
                let value = printed(builder, piece.attributes.get(name));
                (heading(builder, name), value)
            })
            .collect(),
        notes: notes(builder, piece),
    }
}

fn unit(builder: &Builder<'_>, piece: &Piece) -> UnitRow {
    let display = builder.briefing.display;
    let decoy = is_decoy(builder, piece);
    UnitRow {
        id: piece.id.to_string(),
        name: builder.words.piece_name(&piece.id, &piece.name),
        kind: kind(builder, piece),
        short_kind: short_kind(builder, piece),
        place: place_name(builder.briefing.game, builder.words, piece.at.as_deref()),
        values: (display.units.iter())
            .map(|name| match piece.attributes.get(name) {
                Some(Value::Int(0)) if decoy => "-".to_owned(),
                value => printed(builder, value),
            })
            .collect(),
        hits: display.hits_of(&piece.attributes),
        strength: display.strength_of(&piece.attributes),
        notes: notes(builder, piece),
    }
}

/// A piece of another side with the values that the reader knows, and no others.
fn enemy_piece(builder: &Builder<'_>, piece: &Piece) -> EnemyPiece {
    let display = builder.briefing.display;
    let columns = if is_unit(builder, piece) {
        &display.units
    } else {
        &display.leaders
    };
    EnemyPiece {
        name: builder.words.piece_name(&piece.id, &piece.name),
        kind: kind(builder, piece),
        values: columns
            .iter()
            .filter(|_| !is_decoy(builder, piece))
            .filter_map(|name| {
                let value = piece.attributes.get(name)?;
                if is_blank(Some(value)) {
                    return None;
                }
                Some((heading(builder, name), printed(builder, Some(value))))
            })
            .collect(),
        hits: display
            .hits_of(&piece.attributes)
            .filter(|_| is_unit(builder, piece)),
        notes: notes(builder, piece),
    }
}
