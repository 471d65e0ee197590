//! Pieces: their places, their attributes, moving them.

use std::{cell::Cell, rc::Rc};

use rhai::{
    Dynamic, Engine,
    plugin::{NativeCallContext, export_module},
};

use super::lists::has;
use crate::{
    game::Game,
    ids::PlaceId,
    rules::{
        convert::{from_dynamic, to_dynamic},
        stage::{PieceHandle, Run, ScriptResult, Stage, error, stage},
    },
    value::Value,
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

impl Selector<'_> {
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
        for index in self.positions(&stage.game, &mut run) {
            let handle = run.handle(index);
            if has(&stage, run.piece(&handle).map_err(error)?, property, value)? {
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

/// The properties of a piece that are text and no attributes.
const TEXT_PROPERTIES: [&str; 6] = ["id", "name", "side", "kind", "formation", "at"];

/// Gives each property a getter of its own, and each attribute a setter. Without one Rhai makes up
/// an error about it before it asks the indexer, which takes longer than all the rest; the indexer
/// stays for what has none, with an error that helps.
pub(super) fn register_properties(engine: &mut Engine, stage: &Rc<Stage>) {
    for name in TEXT_PROPERTIES {
        let stage = Rc::clone(stage);
        engine.register_get(name, move |piece: &mut PieceHandle| {
            let run = stage.run()?;
            property(&stage.game, run.piece(piece).map_err(error)?, name)
        });
    }
    for (name, declared) in &stage.game.decl.attributes {
        let (getter, getter_name) = (Rc::clone(stage), name.clone());
        let (last, default) = (Cell::default(), to_dynamic(&declared.default));
        let (setter, setter_name) = (Rc::clone(stage), name.clone());
        engine.register_get_set(
            name.clone(),
            move |piece: &mut PieceHandle| {
                let run = getter.run()?;
                let piece = run.piece(piece).map_err(error)?;
                let known = piece.attributes.get_where(&last, &getter_name);
                Ok(known.map_or_else(|| default.clone(), to_dynamic))
            },
            move |piece: &mut PieceHandle, value: Dynamic| {
                let value = attribute_value(&setter.game, &setter_name, &value)?;
                set_attribute(&mut *setter.run_to_show()?, piece, &setter_name, &value)
            },
        );
    }
}

/// A property of a piece that is text and no attribute.
pub(super) fn text_property<'a>(piece: &'a Piece, name: &str) -> Option<&'a str> {
    Some(match name {
        "id" => &piece.id,
        "name" => &piece.name,
        "side" => &piece.side,
        "kind" => &piece.kind,
        "formation" => piece.formation.as_deref().unwrap_or_default(),
        "at" => piece.at.as_deref().unwrap_or_default(),
        _ => return None,
    })
}

/// An attribute of a piece, its default where a view does not know it.
pub(super) fn attribute<'a>(
    game: &'a Game,
    piece: &'a Piece,
    name: &str,
) -> ScriptResult<&'a Value> {
    let default = || game.decl.attributes.get(name).map(|it| &it.default);
    piece.attributes.get(name).or_else(default).ok_or_else(|| {
        error(format!(
            "pieces have no attribute `{name}`; game.yaml declares them"
        ))
    })
}

/// A property of a piece as a script sees it.
pub(super) fn property(game: &Game, piece: &Piece, name: &str) -> ScriptResult<Dynamic> {
    match text_property(piece, name) {
        Some(text) => Ok(text.into()),
        None => attribute(game, piece, name).map(to_dynamic),
    }
}

/// A script's value for an attribute, if it is allowed: its type must be that of the default.
pub(super) fn attribute_value(game: &Game, name: &str, value: &Dynamic) -> ScriptResult<Value> {
    let declared = game.decl.attributes.get(name).ok_or_else(|| {
        error(format!(
            "`{name}` of a piece can't be set; game.yaml declares what can"
        ))
    })?;
    let value = from_dynamic(value, &mut |_| Err("a piece".to_owned()))
        .map_err(|kind| error(format!("an attribute can't hold {kind}")))?;
    if std::mem::discriminant(&value) == std::mem::discriminant(&declared.default) {
        return Ok(value);
    }
    Err(error(format!(
        "`{name}` must be of the type of its default, {:?}",
        declared.default
    )))
}

/// Sets an attribute of a piece to a value that may be kept.
pub(super) fn set_attribute(
    run: &mut Run,
    handle: &PieceHandle,
    name: &str,
    value: &Value,
) -> ScriptResult<()> {
    run.keep(value).map_err(error)?;
    if run.piece(handle).map_err(error)?.attributes.get(name) == Some(value) {
        return Ok(());
    }
    let piece = run.piece_mut(handle).map_err(error)?;
    piece.attributes.set(name, value.clone());
    Ok(())
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
        Selector {
            owner: Some(owner),
            place: PiecePlace::OnMap,
            units: false,
        }
        .list(&ctx)
    }

    /// The pieces of a side or party wherever they are, boxes included, in file order.
    #[rhai_fn(return_raw)]
    pub fn all_pieces(ctx: NativeCallContext, owner: &str) -> ScriptResult<Array> {
        Selector {
            owner: Some(owner),
            place: PiecePlace::Anywhere,
            units: false,
        }
        .list(&ctx)
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
        let wanted = Selector {
            owner: Some(owner),
            place: PiecePlace::Anywhere,
            units: false,
        };
        wanted.list_having(&ctx, property, &value)
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
        Selector {
            owner: Some(owner),
            place: PiecePlace::At(place),
            units: false,
        }
        .list(&ctx)
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
        Selector {
            owner: Some(owner),
            place: PiecePlace::At(place),
            units: true,
        }
        .list(&ctx)
    }

    /// Returns true if units of a side or party stand in a space or box.
    #[rhai_fn(return_raw)]
    pub fn any_units(ctx: NativeCallContext, place: &str, owner: &str) -> ScriptResult<bool> {
        let stage = stage(&ctx)?;
        stage.strict_owner(owner)?;
        super::place(&stage.game, place).map_err(error)?;
        let wanted = Selector {
            owner: Some(owner),
            place: PiecePlace::At(place),
            units: true,
        };
        let mut run = stage.run()?;
        Ok(!wanted.positions(&stage.game, &mut run).is_empty())
    }

    /// The units of a side or party on the map, in file order.
    #[rhai_fn(return_raw)]
    pub fn units(ctx: NativeCallContext, owner: &str) -> ScriptResult<Array> {
        Selector {
            owner: Some(owner),
            place: PiecePlace::OnMap,
            units: true,
        }
        .list(&ctx)
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
        let wanted = Selector {
            owner: Some(owner),
            place: PiecePlace::OnMap,
            units: true,
        };
        wanted.list_having(&ctx, property, &value)
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

    /// A property of a piece: `id`, `name`, `side`, `formation`, `kind`, `at` (its place, `""` when
    /// it is not in play), or one of the attributes that game.yaml declares.
    #[rhai_fn(index_get, return_raw)]
    pub fn get_property(
        ctx: NativeCallContext,
        piece: &mut PieceHandle,
        name: &str,
    ) -> ScriptResult<Dynamic> {
        let stage = stage(&ctx)?;
        let run = stage.run()?;
        property(&stage.game, run.piece(piece).map_err(error)?, name)
    }

    /// Sets an attribute of a piece; its type is that of its default.
    #[rhai_fn(index_set, return_raw)]
    pub fn set_property(
        ctx: NativeCallContext,
        piece: &mut PieceHandle,
        name: &str,
        value: Dynamic,
    ) -> ScriptResult<()> {
        let stage = stage(&ctx)?;
        let value = attribute_value(&stage.game, name, &value)?;
        let mut run = stage.run_to_show()?;
        set_attribute(&mut run, piece, name, &value)
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
