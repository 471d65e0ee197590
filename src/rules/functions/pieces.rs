//! Pieces: which there are, where they stand, moving them.

use rhai::{
    Dynamic,
    plugin::{NativeCallContext, export_module},
};

use super::lists::WantedValue;
use crate::{
    game::Game,
    ids::PlaceId,
    rules::stage::{PieceHandle, Run, ScriptResult, error, stage},
    world::Piece,
};

/// Which pieces a script wants: every function that lists pieces is one of these. A ghost stands
/// nowhere and is never one.
#[derive(Clone, Copy)]
struct Selector<'a> {
    /// Of this side or party; of any side if none.
    owner: Option<&'a str>,
    place: PiecePlace<'a>,
    /// True if only units are meant.
    units: bool,
}

/// Where the pieces are.
#[derive(Clone, Copy)]
enum PiecePlace<'a> {
    Anywhere,
    OnMap,
    At(&'a str),
}

impl<'a> Selector<'a> {
    /// Pieces of a side or party.
    fn of(owner: &'a str, place: PiecePlace<'a>, units: bool) -> Self {
        Self {
            owner: Some(owner),
            place,
            units,
        }
    }

    /// Positions of the pieces, in file order.
    fn positions(&self, game: &Game, run: &mut Run) -> Vec<usize> {
        let (world, board) = run.board(game);
        let sides = &game.decl.sides;
        let of: Option<Vec<&str>> = self.owner.map(|owner| {
            let own = sides.iter().filter(|side| game.decl.is_of(&side.id, owner));
            own.map(|side| side.id.as_str()).collect()
        });
        let takes = |index: usize, piece: &Piece| {
            let is = board.piece(index);
            // Conditions that need no comparison of names come first.
            (!self.units || is.is_some_and(|is| is.unit))
                && match self.place {
                    PiecePlace::OnMap => is.is_some_and(|is| is.on_map),
                    PiecePlace::Anywhere | PiecePlace::At(_) => true,
                }
                && piece.ghost.is_none()
                && of
                    .as_ref()
                    .is_none_or(|of| of.iter().any(|side| piece.side == **side))
        };
        match self.place {
            PiecePlace::At(place) => {
                let there = board.at(place).iter().copied();
                let there =
                    there.filter_map(|index| Some((index, world.pieces.get_index(index)?.1)));
                let taken = there.filter(|(index, piece)| takes(*index, piece));
                taken.map(|(index, _)| index).collect()
            }
            _ => {
                let all = world.pieces.values().enumerate();
                let taken = all.filter(|(index, piece)| takes(*index, piece));
                taken.map(|(index, _)| index).collect()
            }
        }
    }

    /// Handles on the pieces, in file order.
    fn list(&self, ctx: &NativeCallContext) -> ScriptResult<rhai::Array> {
        let stage = stage(ctx)?;
        if let PiecePlace::At(name) = self.place {
            place(&stage.game, name).map_err(error)?;
        }
        if let Some(owner) = self.owner {
            stage.strict_owner(owner)?;
        }
        let mut run = stage.run()?;
        let positions = self.positions(&stage.game, &mut run);
        Ok(handles(&run, positions.into_iter()))
    }

    /// Handles on those of the pieces, anywhere or on the map, that have a value of a property.
    fn list_having(
        &self,
        ctx: &NativeCallContext,
        property: &str,
        value: &Dynamic,
    ) -> ScriptResult<rhai::Array> {
        let stage = stage(ctx)?;
        if let Some(owner) = self.owner {
            stage.strict_owner(owner)?;
        }
        let mut run = stage.run()?;
        let mut found = rhai::Array::new();
        let positions = self.positions(&stage.game, &mut run);
        stage.meter.spend(positions.len());
        let wanted = WantedValue::new(property, value);
        for index in positions {
            let handle = run.handle(index);
            if wanted.is_of(&stage.game, run.piece(&handle).map_err(error)?)? {
                found.push(Dynamic::from(handle));
            }
        }
        Ok(found)
    }
}

/// Handles on pieces.
fn handles(run: &Run, positions: impl Iterator<Item = usize>) -> rhai::Array {
    positions
        .map(|index| Dynamic::from(run.handle(index)))
        .collect()
}

fn on_map(game: &Game, piece: &Piece) -> bool {
    piece
        .at
        .as_deref()
        .is_some_and(|place| game.map.number(place).is_some())
}

/// Checks that a place exists: a space of the map, or a box.
pub(super) fn place(game: &Game, name: &str) -> Result<PlaceId, String> {
    if let Some(space) = game.map.space(name) {
        return Ok(space.id.clone());
    }
    let found = game
        .decl
        .boxes
        .get_key_value(name)
        .map(|(id, _)| id.clone());
    found.ok_or_else(|| format!("there is no space or box `{name}`"))
}

#[export_module]
#[allow(
    clippy::unwrap_used,
    reason = "in the code that the macro writes for arguments whose type Rhai has checked"
)]
pub mod functions {
    use std::collections::BTreeSet;

    use rhai::{Array, ImmutableString, Map};

    use super::super::lists::{handle, stage_for};
    use crate::rules::{convert::text_of, stage::stage};

    /// The piece with this id.
    #[rhai_fn(return_raw)]
    pub fn piece(ctx: NativeCallContext, id: &str) -> ScriptResult<PieceHandle> {
        let stage = stage(&ctx)?;
        let run = stage.run()?;
        let index = run
            .world
            .pieces
            .get_index_of(id)
            .ok_or_else(|| error(format!("there is no piece `{id}`")))?;
        Ok(run.handle(index))
    }

    /// All pieces on the map, in file order.
    #[rhai_fn(name = "pieces", return_raw)]
    pub fn all_on_map(ctx: NativeCallContext) -> ScriptResult<Array> {
        Selector {
            owner: None,
            place: PiecePlace::OnMap,
            units: false,
        }
        .list(&ctx)
    }

    /// The pieces of a side or party on the map, in file order.
    #[rhai_fn(name = "pieces", return_raw)]
    pub fn side_on_map(ctx: NativeCallContext, owner: &str) -> ScriptResult<Array> {
        Selector::of(owner, PiecePlace::OnMap, false).list(&ctx)
    }

    /// The pieces of a side or party wherever they are, boxes included, in file order.
    #[rhai_fn(return_raw)]
    pub fn all_pieces(ctx: NativeCallContext, owner: &str) -> ScriptResult<Array> {
        Selector::of(owner, PiecePlace::Anywhere, false).list(&ctx)
    }

    /// The pieces of a side or party wherever they are, boxes included, with this value of a
    /// property (as for `having`), in file order.
    #[rhai_fn(name = "all_pieces", return_raw)]
    pub fn all_having(
        ctx: NativeCallContext,
        owner: &str,
        property: &str,
        value: Dynamic,
    ) -> ScriptResult<Array> {
        Selector::of(owner, PiecePlace::Anywhere, false).list_having(&ctx, property, &value)
    }

    /// The pieces in a space or box, in file order.
    #[rhai_fn(name = "at", return_raw)]
    pub fn at_place(ctx: NativeCallContext, place: &str) -> ScriptResult<Array> {
        Selector {
            owner: None,
            place: PiecePlace::At(place),
            units: false,
        }
        .list(&ctx)
    }

    /// The pieces of a side or party in a space or box, in file order.
    #[rhai_fn(name = "at", return_raw)]
    pub fn at_place_of(ctx: NativeCallContext, place: &str, owner: &str) -> ScriptResult<Array> {
        Selector::of(owner, PiecePlace::At(place), false).list(&ctx)
    }

    /// The units in a space or box, in file order.
    #[rhai_fn(name = "units_at", return_raw)]
    pub fn units_at_place(ctx: NativeCallContext, place: &str) -> ScriptResult<Array> {
        Selector {
            owner: None,
            place: PiecePlace::At(place),
            units: true,
        }
        .list(&ctx)
    }

    /// The units of a side or party in a space or box, in file order.
    #[rhai_fn(name = "units_at", return_raw)]
    pub fn units_at_place_of(
        ctx: NativeCallContext,
        place: &str,
        owner: &str,
    ) -> ScriptResult<Array> {
        Selector::of(owner, PiecePlace::At(place), true).list(&ctx)
    }

    /// Returns true if units of a side or party stand in a space or box.
    #[rhai_fn(return_raw)]
    pub fn any_units(ctx: NativeCallContext, place: &str, owner: &str) -> ScriptResult<bool> {
        let stage = stage(&ctx)?;
        stage.strict_owner(owner)?;
        super::place(&stage.game, place).map_err(error)?;
        let wanted = Selector::of(owner, PiecePlace::At(place), true);
        let mut run = stage.run()?;
        Ok(!wanted.positions(&stage.game, &mut run).is_empty())
    }

    /// The units of a side or party on the map, in file order.
    #[rhai_fn(return_raw)]
    pub fn units(ctx: NativeCallContext, owner: &str) -> ScriptResult<Array> {
        Selector::of(owner, PiecePlace::OnMap, true).list(&ctx)
    }

    /// The units of a side or party on the map with this value of a property (as for `having`), in
    /// file order.
    #[rhai_fn(name = "units", return_raw)]
    pub fn units_having(
        ctx: NativeCallContext,
        owner: &str,
        property: &str,
        value: Dynamic,
    ) -> ScriptResult<Array> {
        Selector::of(owner, PiecePlace::OnMap, true).list_having(&ctx, property, &value)
    }

    /// Returns true if a piece stands in a space of the map.
    #[rhai_fn(return_raw)]
    pub fn is_on_map(ctx: NativeCallContext, piece: PieceHandle) -> ScriptResult<bool> {
        let stage = stage(&ctx)?;
        let run = stage.run()?;
        let piece = run.piece(&piece).map_err(error)?;
        Ok(piece.ghost.is_none() && on_map(&stage.game, piece))
    }

    /// Returns true if the piece's kind is a unit.
    #[rhai_fn(return_raw)]
    pub fn is_unit(ctx: NativeCallContext, piece: PieceHandle) -> ScriptResult<bool> {
        let stage = stage(&ctx)?;
        let run = stage.run()?;
        Ok(stage.game.is_unit(&run.piece(&piece).map_err(error)?.kind))
    }

    /// The leader of the piece's formation, or `()`.
    #[rhai_fn(return_raw)]
    pub fn formation_leader(ctx: NativeCallContext, piece: PieceHandle) -> ScriptResult<Dynamic> {
        let stage = stage(&ctx)?;
        let run = stage.run()?;
        let Some(formation) = &run.piece(&piece).map_err(error)?.formation else {
            return Ok(Dynamic::UNIT);
        };
        let declared = stage
            .game
            .forces
            .formations
            .iter()
            .find(|known| known.id == *formation);
        let leader = declared.and_then(|known| known.leader.as_ref());
        let index = leader.and_then(|id| run.world.pieces.get_index_of(id));
        Ok(index.map_or(Dynamic::UNIT, |index| Dynamic::from(run.handle(index))))
    }

    /// The sum of an attribute over pieces.
    #[rhai_fn(return_raw)]
    pub fn total(ctx: NativeCallContext, pieces: Array, attribute: &str) -> ScriptResult<i64> {
        let stage = stage_for(&ctx, &pieces)?;
        let run = stage.run()?;
        let mut sum = 0_i64;
        for item in &pieces {
            let piece = run.piece(&handle(item)?).map_err(error)?;
            sum = sum.saturating_add(piece.int(attribute));
        }
        Ok(sum)
    }

    /// Puts a piece in a space or a box.
    #[rhai_fn(return_raw)]
    pub fn move_to(ctx: NativeCallContext, piece: PieceHandle, place: &str) -> ScriptResult<()> {
        let stage = stage(&ctx)?;
        let place = super::place(&stage.game, place).map_err(error)?;
        let mut run = stage.run_to_change()?;
        run.put(&stage.game, &piece, place).map_err(error)
    }

    /// The pieces that an order's slot of type `pieces` means now, each once, in the order written;
    /// `ALL` in file order, those that are no units first.
    #[rhai_fn(return_raw)]
    pub fn expand(ctx: NativeCallContext, slot: Map, side: &str) -> ScriptResult<Array> {
        let stage = stage(&ctx)?;
        stage.strict_side(side)?;
        let mut run = stage.run()?;
        let names = |key: &str| -> Vec<String> {
            let list = slot.get(key).and_then(|value| value.read_lock::<Array>());
            list.map(|list| list.iter().filter_map(text_of).collect())
                .unwrap_or_default()
        };
        if !slot
            .get("all")
            .is_some_and(|all| all.as_bool().unwrap_or(false))
        {
            // A piece that is named again is still one piece: it moves, tests and counts once.
            let mut known = BTreeSet::new();
            let list = names("list");
            let indices = list
                .iter()
                .filter_map(|id| run.world.pieces.get_index_of(id.as_str()));
            let once = indices.filter(|index| known.insert(*index));
            return Ok(once.map(|index| Dynamic::from(run.handle(index))).collect());
        }
        let place = slot.get("at").and_then(text_of);
        let except = names("except");
        let from = Selector {
            owner: Some(side),
            place: place.as_deref().map_or(PiecePlace::OnMap, PiecePlace::At),
            units: false,
        };
        let mut wanted = from.positions(&stage.game, &mut run);
        let piece = |index: usize| run.world.pieces.get_index(index).map(|(_, piece)| piece);
        wanted.retain(|index| {
            piece(*index).is_some_and(|piece| !except.iter().any(|id| piece.id == *id.as_str()))
        });
        let unit = |index: &usize| piece(*index).is_some_and(|it| stage.game.is_unit(&it.kind));
        let (units, others): (Vec<_>, Vec<_>) = wanted.into_iter().partition(unit);
        let mut found = handles(&run, others.into_iter());
        found.extend(handles(&run, units.into_iter()));
        Ok(found)
    }

    /// Two handles of one piece are equal.
    #[rhai_fn(name = "==", pure)]
    pub fn equal(a: &mut PieceHandle, b: PieceHandle) -> bool {
        *a == b
    }

    /// Handles of different pieces differ.
    #[rhai_fn(name = "!=", pure)]
    pub fn different(a: &mut PieceHandle, b: PieceHandle) -> bool {
        *a != b
    }

    /// A piece in a script author's log: its id.
    #[rhai_fn(name = "to_debug", return_raw)]
    pub fn debug_text(
        ctx: NativeCallContext,
        piece: &mut PieceHandle,
    ) -> ScriptResult<ImmutableString> {
        let stage = stage(&ctx)?;
        let run = stage.run()?;
        Ok(run.piece(piece).map_err(error)?.id.as_str().into())
    }

    /// Returns true if a value is a piece.
    pub fn is_piece(value: Dynamic) -> bool {
        value.is::<PieceHandle>()
    }
}
