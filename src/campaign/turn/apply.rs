//! Working an input off: from one state and one record to the next state, and what has to be
//! written. Reads no clock and no disk, and leaves the register alone.

use crate::{
    campaign::{
        model::{
            context::Context,
            events::{Creation, Event},
            renewal,
            state::State,
            verdicts::Verdicts,
            work_error::WorkError,
        },
        turn::{
            beginning, bots, bounces, deadlines, dice_values, exchange, overdue, phases,
            plan::{EntryPlan, SeatLetter, UmpireLetter},
            planning, refusals, rulings, running, taking,
            value::Turn,
        },
    },
    dice::Note,
    store::journal::Record,
};

/// Applies an input. [`Event::Done`] is not an input and changes nothing.
///
/// # Errors
/// See [`WorkError`].
pub(crate) fn apply<'a>(
    context: &'a Context,
    state: Option<State>,
    record: &Record<Event>,
    verdicts: Verdicts,
) -> Result<Turn<'a>, WorkError> {
    let order = |why| Err(WorkError::Order { n: record.n, why });
    let mut state = match (state, &record.event) {
        (None, Event::Created(created)) => {
            let state = beginning::beginning(context, record.time)?;
            let mut turn = Turn::new(context, state, verdicts);
            open(&mut turn, created)?;
            phases::run_on(&mut turn)?;
            return Ok(turn);
        }
        (Some(state), _) => state,
        (None, _) => return order("a journal begins with `created`"),
    };
    may_follow(context, &state, record)?;
    state.time = record.time;
    state.sealed_now = false;
    if let Some((file, _)) = record.event.mail() {
        // A held mail has been released, or is held anew.
        state.held.forget(file);
    }
    let mut turn = Turn::new(context, state, verdicts);
    match &record.event {
        Event::Created(_) => return order("a campaign is made once"),
        Event::Mail(mail) => taking::take(&mut turn, mail)?,
        Event::Bot(written) => bots::write(&mut turn, written)?,
        Event::Refused(refused) => refusals::refuse(&mut turn, refused),
        Event::Bounced(bounced) => bounces::bounced(&mut turn, bounced),
        Event::Address(given) => exchange::exchange(&mut turn, given)?,
        Event::Zone(given) => exchange::tell_in_zone(&mut turn, given)?,
        Event::Screen(given) => exchange::draw_for_screen(&mut turn, given)?,
        Event::Value(value) => dice_values::bring(&mut turn, value)?,
        Event::Deadline => deadlines::deadline(&mut turn)?,
        Event::Reminder => overdue::remind(&mut turn),
        Event::Umpire(ruling) => rulings::rule(&mut turn, ruling)?,
        Event::Done(_) => {}
    }
    if let Some(entry) = (record.event.answers()).and_then(|seat| turn.state.seats.get_mut(seat)) {
        entry.answered = true;
    }
    if !turn.verdicts.faults.is_empty() {
        let faults = turn.verdicts.faults.clone();
        planning::notice(&mut turn, UmpireLetter::ChecksFailed(faults));
    }
    Ok(turn)
}

/// Checks that a record may follow a state at its time.
pub(crate) fn may_follow(
    context: &Context,
    state: &State,
    record: &Record<Event>,
) -> Result<(), WorkError> {
    let order = |why| Err(WorkError::Order { n: record.n, why });
    if state.next_moment(record.time) != record.time {
        return order("it is older than the record before it, or no second after a seal");
    }
    if matches!(record.event, Event::Deadline) && !deadlines::is_due(context, state, record.time) {
        return order("no deadline had passed at its time");
    }
    let reminds = matches!(record.event, Event::Reminder);
    if reminds && overdue::reminder_due(context, state, record.time).is_none() {
        return order("no reminder was due at its time");
    }
    Ok(())
}

/// The state before an input, stopped by an error that came up while the input was worked off.
pub(crate) fn stopped_before<'a>(
    context: &'a Context,
    mut before: State,
    record: &Record<Event>,
    error: &str,
) -> Turn<'a> {
    before.time = record.time;
    before.sealed_now = false;
    let mut turn = Turn::new(context, before, Verdicts::default());
    running::stop(&mut turn, error, true);
    turn
}

fn open(turn: &mut Turn<'_>, created: &Creation) -> Result<(), WorkError> {
    (turn.state.rules, turn.state.form) = (created.rules, created.form);
    let opening = renewal::opening(turn.context, &turn.state, 0)?;
    planning::enter(turn, EntryPlan::Opening(opening));
    if let Some(seed) = &turn.context.settings.seed {
        let text = format!("the master comes from the seed {seed}: these dice are not secret");
        planning::enter(turn, EntryPlan::Seed(Note::new(&text)?));
    }
    for seat in turn.state.seats.values_mut() {
        seat.token += 1;
    }
    planning::send_to_all(turn, || SeatLetter::Opening);
    Ok(())
}
