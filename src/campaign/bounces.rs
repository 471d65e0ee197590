//! Letters that came back: delivery reports (RFC 3464) on mails of ours.
//!
//! A report counts only if it returns the Message-ID of a letter that was really written. The mark in it is a keyed
//! digest, so nobody can make up a report on a letter that he has not seen.

use serde::{Deserialize, Serialize};

use super::{
    CameBack,
    context::Context,
    events::{Bounced, Event},
    exchange,
    plan::UmpireLetter,
    planning,
    state::{State, Waiting},
    turn::Turn,
};
use crate::{
    ids::SeatId,
    mail::{AutoReason, DeliveryReport, Incoming, MessageName},
};

/// So many letters must come back for good, without a mail of the seat between them, before nothing more is sent to it.
pub const HARD_FAILURES: usize = 3;

/// What the clock does about a seat whose letters come back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unreachable {
    /// Deadlines count as always.
    #[default]
    GoOn,
    /// A wait that lacks the seat does not end by the clock. (A player can bring this about: the reports on one's own letters
    /// can be made up by whoever has them.)
    Wait,
}

impl Unreachable {
    /// Whether it is what a campaign has that says nothing.
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it")]
    #[must_use]
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// The record of a delivery report on a letter of ours; none for any other mail.
pub(super) fn judge_report(
    context: &Context,
    state: &State,
    file: &str,
    incoming: &Incoming,
) -> Option<Event> {
    let Some(AutoReason::DeliveryReport(report)) = &incoming.automatic else {
        return None;
    };
    let name = MessageName::parse(report.about.as_deref()?)?;
    let written = state.mails.get(&name.seat).copied().unwrap_or(0);
    let genuine = name.campaign == context.settings.campaign.as_str()
        && (1..=written).contains(&name.number)
        && name.mark == context.mark(&name.seat, name.number);
    let (permanent, status) = outcome(report);
    genuine.then(|| {
        Event::Bounced(Bounced {
            to: name.seat.as_str().into(),
            number: name.number,
            permanent,
            status,
            digest: incoming.digest.clone(),
            file: file.to_owned(),
        })
    })
}

/// Takes note of a letter that came back. At the third the seat's address is given up, and the umpire told.
pub(super) fn bounced(turn: &mut Turn<'_>, bounced: &Bounced) {
    let report = CameBack {
        letter: bounced.number,
        status: bounced.status.clone(),
        at: turn.state.time,
    };
    turn.state.came_back.insert(bounced.to.clone(), report);
    if exchange::bounced_elsewhere(turn, bounced) {
        return;
    }
    let Some(entry) = turn.state.seats.get_mut(&bounced.to) else {
        return;
    };
    if !bounced.permanent || entry.is_unreachable() {
        return;
    }
    entry.failed.insert(bounced.number);
    if entry.is_unreachable() {
        planning::notice(turn, UmpireLetter::Unreachable(bounced.clone()));
    }
}

/// Whether the clock stands still because a seat that is waited for can't be reached.
pub(super) fn clock_waits(context: &Context, state: &State) -> bool {
    if context.settings.unreachable == Unreachable::GoOn {
        return false;
    }
    let missing: Vec<&SeatId> = match &state.waiting {
        Waiting::Orders { seats, .. } => seats
            .iter()
            .filter(|seat| state.seats.get(*seat).is_none_or(|seat| !seat.ready))
            .collect(),
        Waiting::Answers {
            questions, answers, ..
        } => (questions.iter().zip(answers))
            .filter(|(_, answer)| answer.is_none())
            .map(|(asked, _)| &asked.seat)
            .collect(),
        _ => Vec::new(),
    };
    let lost = |seat: &SeatId| {
        state
            .seats
            .get(seat)
            .is_some_and(|seat| seat.is_unreachable())
    };
    missing.into_iter().any(lost)
}

/// Whether a report is of a failure for good, and the status that says so: our letters have one reader each.
fn outcome(report: &DeliveryReport) -> (bool, String) {
    let failed = report
        .recipients
        .iter()
        .find(|status| status.is_permanent());
    let told = failed.or_else(|| report.recipients.first());
    let words = told.map(|status| format!("{} {}", status.action, status.status));
    let words: String = words.unwrap_or_default().chars().take(40).collect();
    (failed.is_some(), words.trim().to_owned())
}
