//! Delivery reports (RFC 3464) on our letters.
//!
//! A report counts only if it returns the Message-ID of a letter that was really written. The mark
//! in it is a keyed digest, so nobody can forge a report on a letter that they have not seen.

use crate::{
    campaign::model::{
        context::Context,
        events::{Bounce, Event},
        replies::is_witness,
        state::State,
    },
    mail::{AutoReason, DeliveryReport, Incoming, MessageName},
};

/// The event of a delivery report on a letter of ours; none for any other mail.
pub(crate) fn judge_report(
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
        Event::Bounced(Bounce {
            to: name.seat.as_str().into(),
            number: name.number,
            permanent,
            first: permanent && is_news(context, state, &name),
            status,
            digest: incoming.digest,
            file: file.to_owned(),
        })
    })
}

/// Returns true if the umpire must hear at once that this letter came back for good.
fn is_news(context: &Context, state: &State, name: &MessageName) -> bool {
    let seat = name.seat.as_str();
    if let Some(entry) = state.seats.get(seat) {
        // Nothing has ever come from its present address, and no letter has come back from there
        // before: the address may be wrong.
        return !entry.answered && entry.failed.is_empty();
    }
    // The dice wait for a witness whom the letter does not reach.
    let last = state.came_back.get(seat);
    is_witness(context, seat)
        && !last.is_some_and(|last| last.permanent && last.letter == name.number)
}

/// Returns whether a report is of a permanent failure, and the status that says so: our letters
/// have one reader each.
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
