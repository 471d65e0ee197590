//! Letters that came back.

use crate::campaign::{
    model::{concerns::LastBounce, events::Bounce},
    turn::{exchange, plan::UmpireLetter, planning, work::Work},
};

/// Notes a letter that came back. The umpire is told at once if the address may be wrong or is a
/// witness's, and again at the third letter, when the address is given up.
pub(crate) fn bounced(work: &mut Work<'_>, bounced: &Bounce) {
    let report = LastBounce {
        letter: bounced.number,
        permanent: bounced.permanent,
        status: bounced.status.clone(),
        at: work.state.time,
    };
    work.state.came_back.insert(bounced.to.clone(), report);
    if exchange::bounced_elsewhere(work, bounced) {
        return;
    }
    let Some(entry) = work.state.seats.get_mut(&bounced.to) else {
        if bounced.first {
            planning::notice(work, UmpireLetter::WitnessFailure(bounced.clone()));
        }
        return;
    };
    if !bounced.permanent || entry.is_unreachable() {
        return;
    }
    entry.failed.insert(bounced.number);
    if bounced.first {
        planning::notice(work, UmpireLetter::FirstFailure(bounced.clone()));
    } else if entry.is_unreachable() {
        planning::notice(work, UmpireLetter::Unreachable(bounced.clone()));
    }
}
