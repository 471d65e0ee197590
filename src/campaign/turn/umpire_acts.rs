//! What an umpire does under his name, from the shell or by mail. What can't be done is answered
//! with the reason, and the rest of his mail is done all the same.

use jiff::Timestamp;

use crate::{
    campaign::{
        model::{
            context::Context,
            events::{Ruling, UmpireActs},
            rate::{MAILS, RateKind},
            recipient::Recipient,
            ruling_error::RulingError,
            state::State,
            umpire_acts::{ActLine, UmpireAct},
            work_error::WorkError,
        },
        turn::{
            plan::{ActOutcome, UmpireAnswer, UmpireLetter},
            planning, rulings,
            work::Work,
        },
    },
    dice::Note,
    ids::SeatId,
};

/// Checks what the umpire of this name wants to do from the shell at this time.
///
/// # Errors
/// Why it can't be done.
pub(crate) fn check(
    context: &Context,
    state: &State,
    acts: &UmpireActs,
    at: Timestamp,
) -> Result<(), RulingError> {
    let names = || context.settings.all_umpires().map(|it| it.name.to_string());
    if !names().any(|name| *acts.by == *name) {
        return Err(RulingError::NoUmpire {
            name: acts.by.clone(),
            known: names().collect::<Vec<_>>().join(", "),
        });
    }
    acts.acts.iter().try_for_each(|line| match &line.act {
        UmpireAct::Rules { ruling } => rulings::check_ruling(context, state, ruling, at),
        UmpireAct::Reveal { why, .. } => rulings::check_why(why),
        UmpireAct::Release { file } => match state.releasable().any(|held| held.file == *file) {
            true => Ok(()),
            false => Err(RulingError::NotHeldMail(file.clone())),
        },
        UmpireAct::Note { words } => {
            rulings::check_words(words)?;
            let alone = names().count() < 2;
            (!alone).then_some(()).ok_or(RulingError::Alone)
        }
        UmpireAct::Status | UmpireAct::Help | UmpireAct::Faulty { .. } => Ok(()),
    })
}

/// Counts an umpire's mail, and marks it as taken. Returns true if there have not been too many.
pub(crate) fn may_act(work: &mut Work<'_>, acts: &UmpireActs) -> bool {
    let Some(mail) = &acts.mail else { return true };
    work.state.taken.insert(mail.digest);
    work.state.taken.extend(mail.copy);
    let name = Recipient::of_umpire(&acts.by).address_name();
    work.state.count(RateKind::Mails(&name)) <= MAILS
}

/// Does one thing for the umpire of this name.
pub(crate) fn act(
    work: &mut Work<'_>,
    by: &SeatId,
    act: &UmpireAct,
) -> Result<ActOutcome, WorkError> {
    match act {
        UmpireAct::Rules { ruling } => rule(work, ruling),
        UmpireAct::Release { file } => Ok(no_such_mail(file)),
        UmpireAct::Note { words } => Ok(note(work, by, words)),
        UmpireAct::Reveal { why, .. } => {
            let text = format!("the umpire {by} looks at positions and orders: {why}");
            planning::note(work, Note::new(&text)?);
            Ok(ActOutcome::Done)
        }
        UmpireAct::Status | UmpireAct::Help | UmpireAct::Faulty { .. } => Ok(ActOutcome::Done),
    }
}

fn rule(work: &mut Work<'_>, ruling: &Ruling) -> Result<ActOutcome, WorkError> {
    match rulings::check_ruling(work.context, &work.state, ruling, work.state.time) {
        Ok(()) => {
            rulings::rule(work, ruling)?;
            Ok(ActOutcome::Done)
        }
        Err(why) => Ok(ActOutcome::NotDone(why.to_string())),
    }
}

/// Writes to the other umpires, those too who get no other letters.
fn note(work: &mut Work<'_>, by: &SeatId, words: &str) -> ActOutcome {
    let all = work.context.settings.all_umpires();
    let others: Vec<_> = all.filter(|other| other.name != *by).collect();
    if others.is_empty() {
        return ActOutcome::NotDone(RulingError::Alone.to_string());
    }
    for other in others {
        let (from, words) = (by.clone(), words.to_owned());
        planning::send_to_this_umpire(work, &other, UmpireLetter::Note { from, words });
    }
    ActOutcome::Done
}

/// Returns true if a held mail can be released now: nothing is taken behind a seal in its second
/// (dice.md, section 8), nor once an act above has taken the mail or made its token old.
pub(crate) fn may_release(work: &Work<'_>, file: &str) -> bool {
    !work.state.sealed_now && work.state.releasable().any(|held| held.file == *file)
}

/// An act above has closed the orders that a held mail was for, or has taken it.
pub(crate) fn too_late(file: &str) -> ActOutcome {
    ActOutcome::NotDone(RulingError::ReleasedTooLate(file.to_owned()).to_string())
}

/// A held mail is released that there is not.
pub(crate) fn no_such_mail(file: &str) -> ActOutcome {
    ActOutcome::NotDone(RulingError::NotHeldMail(file.to_owned()).to_string())
}

/// Answers an umpire's mail.
pub(crate) fn answer(work: &mut Work<'_>, acts: &UmpireActs, done: Vec<(ActLine, ActOutcome)>) {
    let Some(mail) = &acts.mail else { return };
    if let Some(umpire) = work.context.settings.umpire_named(&acts.by) {
        let answers = mail.message_id.clone();
        let answer = UmpireLetter::Answer(UmpireAnswer { answers, done });
        planning::send_to_this_umpire(work, &umpire, answer);
    }
}
