//! Looking: after each phase every seat looks anew, and a condition is judged on what its seat sees at that moment.

use rhai::{NativeCallContext, Variant};

use super::stage::{RhaiResultOf, Run, Stage, error};
use crate::{game::Game, ids::SeatId, world::World};

/// The script function that says what a seat sees: `fn look(seat)`.
pub(super) const LOOK: &str = "look";

/// Makes all sightings old and lets each seat look, through `call(function, seat)`.
pub(super) fn everyone(
    stage: &Stage,
    mut call: impl FnMut(&str, &str) -> RhaiResultOf<()>,
) -> RhaiResultOf<()> {
    for seat in &stage.game.decl.seats {
        stage.run()?.world.look_away(&seat.id);
        call(LOOK, &seat.id)?;
    }
    Ok(())
}

/// Judges something on the view that a seat has at this moment. The true run waits meanwhile.
pub(super) fn on_view<T: Variant + Clone>(
    ctx: &NativeCallContext,
    stage: &Stage,
    seat: &SeatId,
    judge: impl FnOnce(&NativeCallContext) -> RhaiResultOf<T>,
) -> RhaiResultOf<T> {
    let number = stage.next_number();
    let glance = {
        let run = stage.run()?;
        if run.world.viewer.is_some() {
            drop(run);
            return judge(ctx);
        }
        scratch(&run, run.world.clone(), number)
    };
    let true_run = stage.set(Some(glance));
    let judged = look_and_judge(ctx, stage, seat, judge);
    stage.set(true_run);
    judged
}

fn look_and_judge<T: Variant + Clone>(
    ctx: &NativeCallContext,
    stage: &Stage,
    seat: &SeatId,
    judge: impl FnOnce(&NativeCallContext) -> RhaiResultOf<T>,
) -> RhaiResultOf<T> {
    stage.run()?.world.look_away(seat);
    let _ = ctx.call_fn::<rhai::Dynamic>(LOOK, (seat.as_str().to_owned(),))?;
    let Some(glance) = stage.set(None) else {
        return Err(error("the look lost its world"));
    };
    let view = view(&stage.game, &glance.world, seat);
    stage.set(Some(scratch(&glance, view, stage.next_number())));
    judge(ctx)
}

fn view(game: &Game, world: &World, seat: &SeatId) -> World {
    world.seen_by(game, seat)
}

/// A run on another world, without dice, whose events are nobody's.
fn scratch(run: &Run, world: World, number: u64) -> Run {
    Run {
        number,
        world,
        phase: run.phase.clone(),
        turn: run.turn,
        options: run.options.clone(),
        decisions: run.decisions.clone(),
        rounds_used: 0,
        dice: None,
        events: Vec::new(),
        refused: Vec::new(),
        pending: None,
        kept: run.kept,
    }
}
