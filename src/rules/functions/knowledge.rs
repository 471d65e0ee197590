//! Knowledge: which seat sees what. Secret is the default; a script adds what a seat comes to know.

use rhai::{
    Dynamic,
    plugin::{NativeCallContext, export_module},
};

use super::lists::{equal, handle};
use crate::{
    game::Visibility,
    ids::SideId,
    rules::{
        convert::{from_dynamic, text_of},
        stage::{Licence, ScriptResult, Stage, error},
    },
};

/// How many values of a run are remembered at once: with more, all are forgotten. The run's limit
/// of memory bounds how large they may be.
const MOST_REMEMBERED: usize = 1024;

fn degree(name: &str) -> ScriptResult<Visibility> {
    match name {
        "printed" => Ok(Visibility::Printed),
        "whole" => Ok(Visibility::Whole),
        _ => Err(error(format!(
            "a piece is seen `printed` or `whole`, not `{name}`"
        ))),
    }
}

fn side(stage: &Stage, name: &str) -> ScriptResult<SideId> {
    let found = stage.game.decl.sides.iter().find(|side| side.id == *name);
    found
        .map(|side| side.id.clone())
        .ok_or_else(|| error(format!("there is no side `{name}`")))
}

/// Notes something about spaces for a seat.
fn noted(
    stage: &Stage,
    seat: &str,
    spaces: &[Dynamic],
    key: &str,
    value: &Dynamic,
) -> ScriptResult<()> {
    let seat = stage.seat(seat)?;
    let value = from_dynamic(value, &mut |_| Err("a piece".to_owned()))
        .map_err(|kind| error(format!("a note can't hold {kind}")))?;
    stage.strictly(
        || stage.game.decl.space_attributes.contains_key(key),
        || format!("spaces have no state `{key}` that could be noted; game.yaml declares them"),
    )?;
    let mut run = stage.run_to_show()?;
    for space in spaces {
        let space = super::map::space(&stage.game, &text_of(space).unwrap_or_default())?;
        run.keep(&value).map_err(error)?;
        let knowledge = run.world.knowledge_mut(&seat);
        let notes = knowledge.spaces.entry(space.id.clone()).or_default();
        notes.insert(key.to_owned(), value.clone());
    }
    Ok(())
}

#[export_module]
pub mod functions {
    use std::mem::replace;

    use rhai::{Array, FnPtr, ImmutableString};

    use crate::rules::{
        look,
        stage::{PieceHandle, stage},
    };

    /// All seats, in the order of game.yaml.
    #[rhai_fn(return_raw)]
    pub fn seats(ctx: NativeCallContext) -> ScriptResult<Array> {
        let stage = stage(&ctx)?;
        Ok(stage
            .game
            .decl
            .seats
            .iter()
            .map(|seat| seat.id.as_str().into())
            .collect())
    }

    /// All sides, in the order of game.yaml.
    #[rhai_fn(return_raw)]
    pub fn sides(ctx: NativeCallContext) -> ScriptResult<Array> {
        let stage = stage(&ctx)?;
        Ok(stage
            .game
            .decl
            .sides
            .iter()
            .map(|side| side.id.as_str().into())
            .collect())
    }

    /// The first seat that plays a side.
    #[rhai_fn(return_raw)]
    pub fn seat_of(ctx: NativeCallContext, side: &str) -> ScriptResult<ImmutableString> {
        let stage = stage(&ctx)?;
        let side = super::side(&stage, side)?;
        let seat = stage.game.decl.seats.iter().find(|seat| seat.plays(&side));
        seat.map(|seat| seat.id.as_str().into())
            .ok_or_else(|| error(format!("the side `{side}` has no seat")))
    }

    /// The side of a seat, the first where it plays several.
    #[rhai_fn(return_raw)]
    pub fn side_of(ctx: NativeCallContext, seat: &str) -> ScriptResult<ImmutableString> {
        let stage = stage(&ctx)?;
        let found = stage.game.decl.seat(seat);
        found
            .and_then(|seat| Some(seat.first_side()?.as_str().into()))
            .ok_or_else(|| error(format!("there is no seat `{seat}`")))
    }

    /// All sides that a seat plays.
    #[rhai_fn(return_raw)]
    pub fn sides_of(ctx: NativeCallContext, seat: &str) -> ScriptResult<Array> {
        let stage = stage(&ctx)?;
        let found = stage.game.decl.seat(seat);
        let found = found.ok_or_else(|| error(format!("there is no seat `{seat}`")))?;
        Ok(found
            .sides
            .iter()
            .map(|side| side.as_str().into())
            .collect())
    }

    /// The party of a side; its own id if it stands alone.
    #[rhai_fn(return_raw)]
    pub fn party_of(ctx: NativeCallContext, side: &str) -> ScriptResult<ImmutableString> {
        let stage = stage(&ctx)?;
        let side = super::side(&stage, side)?;
        let party = stage.game.decl.party_of(&side);
        Ok(party.map_or(side.as_str(), |party| party.as_str()).into())
    }

    /// Returns true if two sides are one, or of one party.
    #[rhai_fn(return_raw)]
    pub fn are_allies(ctx: NativeCallContext, side: &str, other: &str) -> ScriptResult<bool> {
        let stage = stage(&ctx)?;
        let (side, other) = (super::side(&stage, side)?, super::side(&stage, other)?);
        Ok(stage.game.decl.are_allies(&side, &other))
    }

    /// The other side, in a game of two.
    #[rhai_fn(return_raw)]
    pub fn enemy_of(ctx: NativeCallContext, side: &str) -> ScriptResult<ImmutableString> {
        let stage = stage(&ctx)?;
        let side = super::side(&stage, side)?;
        match stage.game.decl.sides.as_slice() {
            [a, b] => Ok(if a.id == side {
                b.id.as_str()
            } else {
                a.id.as_str()
            }
            .into()),
            _ => Err(error("enemy_of() is for games of two sides")),
        }
    }

    /// A seat sees a piece now: `"printed"` (the face of the counter) or `"whole"` (its markers
    /// too).
    #[rhai_fn(return_raw)]
    pub fn spot(
        ctx: NativeCallContext,
        seat: &str,
        piece: PieceHandle,
        how: &str,
    ) -> ScriptResult<()> {
        let stage = stage(&ctx)?;
        let (seat, degree) = (stage.seat(seat)?, degree(how)?);
        let mut run = stage.run_to_show()?;
        let id = run.piece(&piece).map_err(error)?.id.clone();
        let seen = run.seen();
        run.world.spot(&stage.game, &seat, &id, degree, seen);
        Ok(())
    }

    /// A seat sees every piece of a list now, as with `spot`.
    #[rhai_fn(name = "spot", return_raw)]
    pub fn spot_all(
        ctx: NativeCallContext,
        seat: &str,
        pieces: Array,
        how: &str,
    ) -> ScriptResult<()> {
        let stage = stage(&ctx)?;
        let (seat, degree) = (stage.seat(seat)?, degree(how)?);
        let mut run = stage.run_to_show()?;
        let ids = pieces
            .iter()
            .map(|item| Ok(run.piece(&handle(item)?).map_err(error)?.id.clone()))
            .collect::<ScriptResult<Vec<_>>>()?;
        let seen = run.seen();
        run.world.spot_all(&stage.game, &seat, &ids, degree, &seen);
        Ok(())
    }

    /// Returns true if a seat sees a piece of others at present.
    #[rhai_fn(return_raw)]
    pub fn sees(ctx: NativeCallContext, seat: &str, piece: PieceHandle) -> ScriptResult<bool> {
        let stage = stage(&ctx)?;
        let run = stage.run()?;
        let id = &run.piece(&piece).map_err(error)?.id;
        Ok(run.world.sees(seat, id))
    }

    /// A seat's sighting of a piece is gone (it is known to be out of play).
    #[rhai_fn(return_raw)]
    pub fn forget(ctx: NativeCallContext, seat: &str, piece: PieceHandle) -> ScriptResult<()> {
        let stage = stage(&ctx)?;
        let seat = stage.seat(seat)?;
        let mut run = stage.run_to_show()?;
        let id = run.piece(&piece).map_err(error)?.id.clone();
        run.world.forget(&seat, &id);
        Ok(())
    }

    /// Lets a seat look again in the middle of a phase. Until then it knows what it saw before the
    /// phase and what has been shown to it since, so a look is for a phase in which nobody else has
    /// anything half done.
    #[rhai_fn(return_raw)]
    pub fn look_again(ctx: NativeCallContext, seat: &str) -> ScriptResult<()> {
        let stage = stage(&ctx)?;
        let seat = stage.seat(seat)?;
        look::again(&ctx, &stage, &seat)
    }

    /// The result of a function that works on a seat's present knowledge: `on_view("red", ||
    /// ways_out("a1"))`. Pieces of the true world mean nothing there, nor those of the view here:
    /// hand over ids.
    #[rhai_fn(return_raw)]
    pub fn on_view(ctx: NativeCallContext, seat: &str, function: FnPtr) -> ScriptResult<Dynamic> {
        let stage = stage(&ctx)?;
        let seat = stage.seat(seat)?;
        look::on_view(&ctx, &stage, &seat, |ctx| {
            function.call_within_context(ctx, ())
        })
    }

    /// The value of a function that is the same for all seats: while all seats look one after the
    /// other it is called by the first that wants it, and the others get its value, by this name.
    /// Outside of looks it is called each time.
    #[rhai_fn(return_raw)]
    pub fn once(ctx: NativeCallContext, name: &str, function: FnPtr) -> ScriptResult<Dynamic> {
        let stage = stage(&ctx)?;
        let looks = stage.run()?.licence == Licence::Knowledge;
        if looks && let Some(known) = stage.run()?.in_common.get(name) {
            return Ok(known.clone());
        }
        let value: Dynamic = function.call_within_context(&ctx, ())?;
        if looks {
            let mut run = stage.run()?;
            run.in_common.insert(name.to_owned(), value.clone());
        }
        Ok(value)
    }

    /// The value of a function, remembered by a name as long as its mark is the same: then the
    /// function is not called again. The mark says what the value depends on; nothing is remembered
    /// from one phase, look or list of orders to the next.
    #[rhai_fn(return_raw)]
    pub fn remembered(
        ctx: NativeCallContext,
        name: &str,
        mark: &str,
        function: FnPtr,
    ) -> ScriptResult<Dynamic> {
        let stage = stage(&ctx)?;
        let known = {
            let run = stage.run()?;
            let known = run.remembered.get(name);
            known.and_then(|(known, value)| (known == mark).then(|| value.clone()))
        };
        if let Some(value) = known {
            if stage.recheck.get() {
                // It may change nothing, or the game would not be the same with it.
                let licence = replace(&mut stage.run()?.licence, Licence::Nothing);
                let call = || function.call_within_context(&ctx, ());
                let luck = stage.chance.borrow().clone();
                let again: ScriptResult<Dynamic> = stage.meter.free_of_charge(call);
                stage.chance.replace(luck);
                stage.run()?.licence = licence;
                if !equal(&value, &again?) {
                    return Err(error(format!(
                        "`{name}` is no longer what is remembered, though its mark `{mark}` is \
                         the same: the mark must say all that it depends on"
                    )));
                }
            }
            return Ok(value);
        }
        let value: Dynamic = function.call_within_context(&ctx, ())?;
        let mut run = stage.run()?;
        let is_new = !run.remembered.contains_key(name);
        if is_new && run.remembered.len() >= MOST_REMEMBERED {
            run.remembered.clear();
        }
        let entry = (mark.to_owned(), value.clone());
        run.remembered.insert(name.to_owned(), entry);
        Ok(value)
    }

    /// A seat notes something about a space until its next look (`more_below`, true).
    #[rhai_fn(return_raw)]
    pub fn note(
        ctx: NativeCallContext,
        seat: &str,
        space: &str,
        key: &str,
        value: Dynamic,
    ) -> ScriptResult<()> {
        noted(&*stage(&ctx)?, seat, &[space.into()], key, &value)
    }

    /// Notes the same about every space of a list.
    #[rhai_fn(name = "note", return_raw)]
    pub fn note_all(
        ctx: NativeCallContext,
        seat: &str,
        spaces: Array,
        key: &str,
        value: Dynamic,
    ) -> ScriptResult<()> {
        noted(&*stage(&ctx)?, seat, &spaces, key, &value)
    }
}
