//! Working an input off: from one state and one record to the next state, and what has to be
//! written. Reads no clock and no disk, and leaves the register alone.

use crate::{
    campaign::{
        model::{
            context::Context,
            events::{Creation, Event, UmpireActs},
            renewal,
            state::State,
            umpire_acts::UmpireAct,
            verdicts::Verdicts,
            work_error::WorkError,
        },
        turn::{
            absence, beginning, bots, bounces, deadlines, dice_values, errands, exchange, overdue,
            phases,
            plan::{ActOutcome, EntryPlan, SeatLetter, UmpireLetter},
            planning, refusals, rulings, running, sealing, taking, umpire_acts,
            work::{Work, WorkOutcome},
        },
    },
    dice::Note,
    store::Record,
};

/// Applies an input. [`Event::Done`] is not an input and changes nothing.
///
/// # Errors
/// See [`WorkError`].
pub(crate) fn apply(
    context: &Context,
    state: Option<State>,
    record: &Record<Event>,
    verdicts: Verdicts,
) -> Result<(State, WorkOutcome), WorkError> {
    let order = |why| Err(WorkError::Order { n: record.n, why });
    let mut state = match (state, &record.event) {
        (None, Event::Created(created)) => {
            let state = beginning::beginning(context, record.time)?;
            let mut work = Work::new(context, state, verdicts);
            open(&mut work, created)?;
            phases::run_on(&mut work)?;
            return Ok(work.finish());
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
    let mut work = Work::new(context, state, verdicts);
    input(&mut work, record.n, &record.event)?;
    answered(&mut work, &record.event);
    if !work.verdicts.faults.is_empty() {
        let faults = work.verdicts.faults.clone();
        planning::notice(&mut work, UmpireLetter::ChecksFailed(faults));
    }
    Ok(work.finish())
}

/// Works off what an event says. A mail with errands holds what the rest of it comes to.
fn input(work: &mut Work<'_>, n: u64, event: &Event) -> Result<(), WorkError> {
    match event {
        Event::Created(_) => {
            let why = "a campaign is made once";
            return Err(WorkError::Order { n, why });
        }
        Event::Mail(mail) => taking::take(work, mail)?,
        Event::Bot(written) => bots::write(work, written)?,
        Event::Refused(refused) => refusals::refuse(work, refused),
        Event::Bounced(bounced) => bounces::bounced(work, bounced),
        Event::Address(given) => exchange::exchange(work, given)?,
        Event::Zone(given) => exchange::tell_in_zone(work, given)?,
        Event::Screen(given) => exchange::draw_for_screen(work, given)?,
        Event::Value(value) => dice_values::bring(work, value)?,
        Event::Deadline => deadlines::deadline(work)?,
        Event::Reminder => overdue::remind(work),
        Event::Umpire(ruling) => rulings::rule(work, ruling)?,
        Event::UmpireActs(acts) => umpire_acts(work, n, acts)?,
        Event::Club(notice) => absence::hear(work, notice)?,
        Event::Errands(given) => {
            errands::run(work, given)?;
            // One level deep: the rest of a mail has no errands.
            match given.beside.as_deref() {
                Some(Event::Errands(_)) | None => {}
                // An errand has ended it.
                Some(Event::Mail(_)) if work.state.is_over() => {}
                Some(beside) => input(work, n, beside)?,
            }
            if work.context.settings.schedule.when_ready() {
                sealing::close_if_ready(work)?;
            }
        }
        Event::Done(_) => {}
    }
    Ok(())
}

/// Does what an umpire says, in its order, and answers his mail.
fn umpire_acts(work: &mut Work<'_>, n: u64, acts: &UmpireActs) -> Result<(), WorkError> {
    if !umpire_acts::may_act(work, acts) {
        return Ok(());
    }
    let mut done = Vec::new();
    for (place, line) in acts.acts.iter().enumerate() {
        let outcome = match &line.act {
            UmpireAct::Release { file } => match acts.released.get(file) {
                // Acts of acts are nobody's.
                None | Some(Event::UmpireActs(_)) => umpire_acts::no_such_mail(file),
                Some(_) if !umpire_acts::may_release(work, file) => umpire_acts::too_late(file),
                Some(event) => {
                    work.state.held.forget(file);
                    input(work, n, event)?;
                    answered(work, event);
                    ActOutcome::Done
                }
            },
            act => umpire_acts::act(work, &acts.by, act)?,
        };
        if outcome != ActOutcome::Done {
            work.not_done.push(place);
        }
        done.push((line.clone(), outcome));
    }
    umpire_acts::answer(work, acts, done);
    Ok(())
}

/// Notes that somebody has read a seat's letters, if the event proves it.
fn answered(work: &mut Work<'_>, event: &Event) {
    if let Some(entry) = event
        .answers()
        .and_then(|seat| work.state.seats.get_mut(seat))
    {
        entry.answered = true;
        (entry.attendance.missed, entry.attendance.sought) = (0, false);
    }
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
pub(crate) fn stopped_before(
    context: &Context,
    mut before: State,
    record: &Record<Event>,
    error: &str,
) -> (State, WorkOutcome) {
    before.time = record.time;
    before.sealed_now = false;
    let mut work = Work::new(context, before, Verdicts::default());
    running::stop(&mut work, error, true);
    work.finish()
}

fn open(work: &mut Work<'_>, created: &Creation) -> Result<(), WorkError> {
    (work.state.rules, work.state.form) = (created.rules, created.form);
    let opening = renewal::opening(work.context, &work.state, 0)?;
    planning::enter(work, EntryPlan::Opening(opening));
    if let Some(seed) = &work.context.settings.seed {
        let text = format!("the master comes from the seed {seed}: these dice are not secret");
        planning::enter(work, EntryPlan::Seed(Note::new(&text)?));
    }
    for seat in work.state.seats.values_mut() {
        seat.token += 1;
    }
    planning::send_to_all(work, || SeatLetter::Opening);
    if !work.context.settings.umpires.is_empty() {
        for umpire in work.context.settings.all_umpires() {
            planning::send_to_this_umpire(work, &umpire, UmpireLetter::Opening);
        }
    }
    Ok(())
}
