//! Looks of seats. After each phase every seat looks anew. In the middle of a phase a seat knows
//! what it saw before the phase and what it has been shown since: others' half-done moves stay
//! hidden until the phase is over. A phase in which a look reveals no such moves may let a seat
//! look again.

use std::collections::BTreeMap;

use rhai::{NativeCallContext, Variant};

use super::stage::{Licence, Run, ScriptResult, Stage};
use crate::{ids::SeatId, world::World};

/// The script function that says what a seat sees: `fn look(seat)`.
pub(crate) const LOOK: &str = "look";

/// Makes all sightings old, and lets each seat look through `call(function, seat)`.
pub(super) fn everyone(
    stage: &Stage,
    mut call: impl FnMut(&str, &str) -> ScriptResult<()>,
) -> ScriptResult<()> {
    stage.run()?.in_common.clear();
    if stage.game.decl.open_map {
        return show_map(stage, &stage.everybody);
    }
    for seat in &stage.game.decl.seats {
        begin(stage, &seat.id)?;
        call(LOOK, &seat.id)?;
        end(stage, Licence::World)?;
    }
    Ok(())
}

/// Lets seats see the whole map, where nothing on it is hidden.
fn show_map(stage: &Stage, seats: &[SeatId]) -> ScriptResult<()> {
    let mut run = stage.run()?;
    let seen = run.seen();
    run.world.show_map(&stage.game, seats, &seen);
    Ok(())
}

/// Makes a seat's sightings old. Until its look is over, the world stays as it is. What was
/// remembered before is no part of the look.
fn begin(stage: &Stage, seat: &SeatId) -> ScriptResult<()> {
    let mut run = stage.run()?;
    run.world.look_away(seat);
    run.remembered.clear();
    run.licence = Licence::Knowledge;
    Ok(())
}

/// Ends a look: nothing of it is remembered.
fn end(stage: &Stage, licence: Licence) -> ScriptResult<()> {
    let mut run = stage.run()?;
    run.remembered.clear();
    run.licence = licence;
    Ok(())
}

/// Lets a seat look in the middle of a phase.
pub(super) fn again(ctx: &NativeCallContext, stage: &Stage, seat: &SeatId) -> ScriptResult<()> {
    if stage.run()?.world.viewer.is_some() {
        return Ok(());
    }
    // Within a look it stays a look.
    let licence = stage.run_to_show()?.licence;
    if stage.game.decl.open_map {
        return show_map(stage, std::slice::from_ref(seat));
    }
    stage.run()?.in_common.clear();
    begin(stage, seat)?;
    ctx.call_fn::<rhai::Dynamic>(LOOK, (seat.as_str().to_owned(),))
        .map(|_| ())?;
    end(stage, licence)
}

/// Judges something on what a seat knows at this moment, while the true run waits.
pub(super) fn on_view<T: Variant + Clone>(
    ctx: &NativeCallContext,
    stage: &Stage,
    seat: &SeatId,
    judge: impl FnOnce(&NativeCallContext) -> ScriptResult<T>,
) -> ScriptResult<T> {
    let number = stage.next_number();
    let glance = {
        let run = stage.run()?;
        if run.world.viewer.is_some() {
            drop(run);
            return judge(ctx);
        }
        scratch(&run, run.world.seen_by(&stage.game, seat), number)
    };
    let true_run = stage.set(Some(glance));
    let judged = judge(ctx);
    stage.set(true_run);
    judged
}

/// A run on another world, without dice, whose events nobody hears.
fn scratch(run: &Run, world: World, number: u64) -> Run {
    Run {
        number,
        world,
        board: None,
        phase: run.phase.clone(),
        turn: run.turn,
        options: run.options.clone(),
        decisions: run.decisions.clone(),
        rounds_used: 0,
        dice: None,
        licence: Licence::World,
        events: Vec::new(),
        refused: Vec::new(),
        pending: None,
        kept: run.kept,
        in_common: BTreeMap::new(),
        remembered: BTreeMap::new(),
    }
}
