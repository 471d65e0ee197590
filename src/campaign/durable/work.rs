//! The whole work of an input: works it off, then writes its plans.

use std::collections::VecDeque;

use crate::{
    campaign::{
        model::{
            context::Context,
            errands::LetterCopy,
            events::{Done, Event},
            state::State,
            understanding::Understanding,
            verdicts::{OrderVerdict, Verdicts},
            version::Version,
            work_error::WorkError,
        },
        post::{self, Mailing, Step},
        turn::{
            apply,
            plan::{Plan, UmpireLetter},
            planning,
            work::{Work, WorkOutcome},
        },
    },
    dice::{self, LedgerLine},
    ids::SeatId,
    store::Record,
};

/// The effects of an input.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    /// Letters and entries written, in order.
    pub mailing: Mailing,
    /// True if the input was laid aside without being worked off.
    pub laid_aside: bool,
    /// True if the input was undone because it caused an error.
    pub undone: bool,
    /// Letters that go out again.
    pub copies: Vec<LetterCopy>,
    /// New lines of the ledger.
    pub ledger: Vec<LedgerLine>,
    /// The verdicts of the checks on each text of orders that was taken.
    pub verdicts: Vec<OrderVerdict>,
    /// Errors of the rules' check functions over seats' words, each once.
    pub faults: Vec<(SeatId, String)>,
    /// How a mail's words were understood, for statistics.
    pub understood: Option<Understanding>,
    /// The acts of an umpire that could not be done, by their places in his mail.
    pub not_done: Vec<usize>,
}

impl Effects {
    /// Those of an input that was worked off, with what was written of it.
    fn new(outcome: WorkOutcome, mailing: Mailing) -> Self {
        Self {
            mailing,
            laid_aside: false,
            undone: false,
            copies: outcome.copies,
            ledger: outcome.ledger,
            verdicts: outcome.verdicts.reached,
            faults: outcome.verdicts.faults,
            understood: outcome.understood,
            not_done: outcome.not_done,
        }
    }
}

/// Works off an input. [`Event::Done`] is not an input and changes nothing.
///
/// # Errors
/// See [`WorkError`]. In that case neither state nor disk has changed.
pub fn work_off(
    context: &Context,
    state: Option<State>,
    record: &Record<Event>,
) -> Result<(State, Effects), WorkError> {
    work(context, state, record, &VecDeque::new())
}

/// Works off an input again, letters included, or lays it aside. Only the digests of pictures come
/// from the record, so that none has to be drawn; a caller that has a letter at hand compares them
/// with `Letter::sent`.
///
/// # Errors
/// See [`WorkError`].
pub fn redo(
    context: &Context,
    state: Option<State>,
    record: &Record<Event>,
    done: &Done,
) -> Result<(State, Effects), WorkError> {
    match (state, done.why_laid_aside()) {
        (Some(before), Some(error)) => lay_aside(context, before, record, error),
        (state, _) => work(context, state, record, &done.pictures.clone().into()),
    }
}

/// Works off an input again whose letters another version of the program wrote. Only the letters
/// are taken from the record, by their digests.
///
/// # Errors
/// See [`WorkError`].
pub fn redo_recorded(
    context: &Context,
    state: Option<State>,
    record: &Record<Event>,
    done: &Done,
) -> Result<(State, Effects), WorkError> {
    let (state, mut outcome) = resumed(context, state, record, done, Verdicts::default())?;
    let (mut state, told) = told_of_templates(context, state, &done.unproposed);
    outcome.plans.extend(told);
    let (step, plans) = (Step::of(record), &outcome.plans);
    let mut mailing = post::write_recorded(context, step, &mut state.register, plans, done)?;
    mailing.unproposed.clone_from(&done.unproposed);
    let effects = Effects {
        laid_aside: done.laid_aside,
        undone: done.undone,
        ..Effects::new(outcome, mailing)
    };
    Ok((state, effects))
}

/// Lays an input aside without working it off, because the rules killed the process that tried, or
/// never finished. No script is run. The campaign stops for the umpire, in the state before the
/// input.
///
/// # Errors
/// See [`WorkError`].
pub fn lay_aside(
    context: &Context,
    before: State,
    record: &Record<Event>,
    error: &str,
) -> Result<(State, Effects), WorkError> {
    apply::may_follow(context, &before, record)?;
    let stopped = apply::stopped_before(context, before, record, error);
    let (state, mut effects) = write(context, stopped, record, VecDeque::new())?;
    (effects.laid_aside, effects.undone) = (true, true);
    Ok((state, effects))
}

/// Works an input off. Nothing from outside may leave a campaign that can't be opened any more: if
/// the work fails, the campaign stops for the umpire, in the state before the input. Only a machine
/// that can't keep up is an error, since another try may succeed.
fn work(
    context: &Context,
    state: Option<State>,
    record: &Record<Event>,
    pictures: &VecDeque<dice::Digest>,
) -> Result<(State, Effects), WorkError> {
    let before = state.clone();
    let written = |applied| write(context, applied, record, pictures.clone());
    let worked = apply::apply(context, state, record, Verdicts::default()).and_then(written);
    match (worked, before) {
        (Err(error), Some(before)) if error.stops_the_campaign() => {
            let error = error.to_string();
            let stopped = apply::stopped_before(context, before, record, &error);
            let (state, mut effects) = written(stopped)?;
            effects.undone = true;
            Ok((state, effects))
        }
        (worked, _) => worked,
    }
}

/// Writes what was planned in working an input off, and moves the register on. If a template
/// function of the rules fails over it, the umpire is told in one more letter.
fn write(
    context: &Context,
    (mut state, outcome): (State, WorkOutcome),
    record: &Record<Event>,
    pictures: VecDeque<dice::Digest>,
) -> Result<(State, Effects), WorkError> {
    let (step, plans) = (Step::of(record), &outcome.plans);
    let mut mailing = post::write(context, step, &mut state.register, plans, pictures)?;
    if !mailing.unproposed.is_empty() {
        let (stands, told) = told_of_templates(context, state, &mailing.unproposed);
        state = stands;
        let told = post::write(context, step, &mut state.register, &told, VecDeque::new())?;
        mailing.letters.extend(told.letters);
        mailing.mails.extend(told.mails);
    }
    Ok((state, Effects::new(outcome, mailing)))
}

/// Plans the letter that tells the umpire of failed template functions, if any failed.
fn told_of_templates(
    context: &Context,
    state: State,
    faults: &[(SeatId, String)],
) -> (State, Vec<Plan>) {
    let mut work = Work::new(context, state, Verdicts::default());
    if !faults.is_empty() {
        planning::notice(&mut work, UmpireLetter::TemplatesFailed(faults.to_vec()));
    }
    let (state, outcome) = work.finish();
    (state, outcome.plans)
}

/// Applies an input whose outcome is on record: reaches the same state without writing its letters
/// again. An audit trusts no record and does all the work with [`redo`].
///
/// # Errors
/// See [`WorkError`].
pub fn recall(
    context: &Context,
    state: Option<State>,
    record: &Record<Event>,
    done: &Done,
) -> Result<State, WorkError> {
    let verdicts = Verdicts::on_record(&done.verdicts);
    let (state, mut outcome) = resumed(context, state, record, done, verdicts)?;
    let (mut state, told) = told_of_templates(context, state, &done.unproposed);
    outcome.plans.extend(told);
    post::bind(context, &mut state.register, &outcome.plans, done)?;
    Ok(state)
}

/// The work on an input whose outcome is on record: worked off, tried, or laid aside, as the record
/// says.
fn resumed(
    context: &Context,
    state: Option<State>,
    record: &Record<Event>,
    done: &Done,
    verdicts: Verdicts,
) -> Result<(State, WorkOutcome), WorkError> {
    let Some(error) = &done.stopped else {
        return apply::apply(context, state, record, verdicts);
    };
    let before = match (state.clone(), done.undone || done.laid_aside) {
        (Some(before), true) => {
            apply::may_follow(context, &before, record)?;
            return Ok(apply::stopped_before(context, before, record, error));
        }
        (before, _) => before,
    };
    let applied = apply::apply(context, state, record, verdicts);
    match (applied, before) {
        // The version that did the work words the error in its own way.
        (Ok((mut state, outcome)), _) if done.version.is_some() => {
            state.stopped_with(error);
            Ok((state, outcome))
        }
        (Ok((state, outcome)), _) if state.stopped() == Some(error) => Ok((state, outcome)),
        (Err(error), _) if done.version.is_some() || !error.stops_the_campaign() => Err(error),
        // From before undone inputs were noted: perhaps a letter that could not be made stopped it,
        // and letters are not made again here.
        (_, Some(before)) => Ok(apply::stopped_before(context, before, record, error)),
        (applied, None) => applied,
    }
}

/// The record that closes an input.
#[must_use]
pub fn done(state: &State, effects: &Effects) -> Done {
    let mailing = &effects.mailing;
    Done {
        world: state.world.digest(),
        phase: state.phase.clone(),
        envelope: state.dice.envelope,
        ledger: effects.ledger.clone(),
        entries: mailing.entries.clone(),
        foot: state.register.foot,
        mails: mailing.mails.clone(),
        pictures: mailing.pictures.clone(),
        copies: effects.copies.clone(),
        verdicts: effects.verdicts.clone(),
        unproposed: mailing.unproposed.clone(),
        not_done: effects.not_done.clone(),
        stopped: state.stopped().cloned(),
        laid_aside: effects.laid_aside,
        undone: effects.undone,
        version: Some(Version::running()),
    }
}
