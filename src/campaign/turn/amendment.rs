//! A ruling on the position: the umpire changes pieces or facts by hand, without dice (dice.md,
//! section 9).

use crate::{
    campaign::{
        model::{
            context::Context,
            ruling_error::RulingError,
            state::{CurrentWait, State},
            work_error::WorkError,
        },
        turn::{
            phases,
            plan::RulingNotice,
            planning,
            publishing::{self, Word},
            work::Work,
        },
    },
    dice::Note,
    rules::Start,
    world::{Changes, World},
};

/// The world after these changes, as every seat then sees it.
///
/// # Errors
/// If a phase is half done, the game lacks something that the changes name, or a seat's look fails.
pub(crate) fn changed(
    context: &Context,
    state: &State,
    changes: &Changes,
) -> Result<World, RulingError> {
    PositionPlace::of(state).ok_or(RulingError::HalfDone)?;
    if changes.is_empty() {
        return Err(RulingError::Change("it changes nothing".to_owned()));
    }
    let mut world = state.world.clone();
    world
        .change(&context.game, changes)
        .map_err(RulingError::Change)?;
    let start = Start {
        phase: &state.phase,
        world: &world,
        options: &context.settings.options,
        decisions: &state.decisions,
    };
    let looked = context.program.look(&start);
    looked.map_err(|error| RulingError::Change(error.to_string()))
}

/// Changes the world, in a wait for orders or for a phase that an error has stopped.
pub(crate) fn amend(work: &mut Work<'_>, changes: &Changes, why: &str) -> Result<(), WorkError> {
    let context = work.context;
    let world = changed(context, &work.state, changes)?;
    let place = PositionPlace::of(&work.state).ok_or(RulingError::HalfDone)?;
    if let CurrentWait::Repair { waited, .. } = &work.state.waiting {
        work.state.waiting = waited.as_ref().clone();
    }
    work.state.world = world;
    match place {
        PositionPlace::Orders => amended(work, why),
        PositionPlace::Phase => run_amended(work, why),
    }
}

/// Runs the stopped phase again from the changed position, with the dice of its envelope. The note
/// goes out with the result.
fn run_amended(work: &mut Work<'_>, why: &str) -> Result<(), WorkError> {
    let context = work.context;
    let note =
        format!("after an error of the rules the umpire has changed the position by hand: {why}");
    planning::note(work, Note::new(&note)?);
    // A seat that is asked now has the usual time to answer.
    work.state.dispatch_at = context.settings.schedule.dispatch_at(work.state.time);
    phases::run_on(work)
}

/// Tells everybody of the change. Every seat gets a dispatch of what it sees now, with the reason
/// and a note; the change itself stays as secret as it is on the map. Orders that have come still
/// count.
fn amended(work: &mut Work<'_>, why: &str) -> Result<(), WorkError> {
    // A rollback to this wait restores the position as ruled.
    work.state.checkpoints.ruled(&work.state.world);
    let note = format!("the umpire has changed the position by hand: {why}");
    let word = Word {
        note: Note::new(&note)?,
        ruled: RulingNotice {
            notice: "ruled",
            why: why.to_owned(),
        },
        receipts: std::collections::BTreeMap::new(),
    };
    publishing::publish(work, Some(&word))
}

/// Where a position can be changed.
enum PositionPlace {
    /// Orders are waited for.
    Orders,
    /// An error has stopped a phase whose dice are ready.
    Phase,
}

impl PositionPlace {
    fn of(state: &State) -> Option<Self> {
        let rolled = state.dice.mix.is_some();
        match (&state.waiting, state.missing()) {
            (_, CurrentWait::Orders { .. }) => Some(Self::Orders),
            (CurrentWait::Repair { .. }, CurrentWait::Repair { .. }) => Some(Self::Phase),
            (CurrentWait::Repair { .. }, CurrentWait::Dice { .. }) if rolled => Some(Self::Phase),
            (CurrentWait::Repair { .. }, CurrentWait::Dispatch { .. }) => Some(Self::Phase),
            _ => None,
        }
    }
}
