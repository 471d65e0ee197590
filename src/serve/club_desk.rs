//! The club's passes, in a thread of its own.

use std::{sync::mpsc::Receiver, time::Duration};

use jiff::Timestamp;

use super::{ClubPlace, HostClock, service::wait_for_ring};
use crate::{
    club::{Club, ClubError, ClubPass},
    mail::transport::{Backoff, Stop},
};

/// How long to wait for another process that has the club.
const PATIENCE: Duration = Duration::from_secs(2);
/// After so many looks at the inbox the club has a pass without news: for applicants who have let
/// the time pass.
const LOOKS: u32 = 60;

/// A pass over the club.
///
/// # Errors
/// If it can't be opened, or the disk refuses.
pub fn work_on_club(place: &ClubPlace, now: Timestamp) -> Result<ClubPass, ClubError> {
    let mut club = Club::open(place.directory.root(), PATIENCE)?;
    let pass = club.pass(now)?;
    for line in &pass.lines {
        tracing::info!(club = place.settings.club.as_str(), "{line}");
    }
    Ok(pass)
}

/// Works on the club until the end; `wrote` is told of letters.
pub(super) fn at_club(
    place: &ClubPlace,
    rung: &Receiver<usize>,
    wrote: &dyn Fn(),
    clock: &HostClock,
    stop: &Stop,
) {
    let (mut backoff, mut looks) = (Backoff::default(), LOOKS);
    while !stop.is_set() {
        looks += 1;
        let is_rung = rung.try_iter().count() > 0;
        if is_rung || looks > LOOKS || place.directory.inbox().has_new() {
            looks = 0;
            match work_on_club(place, clock()) {
                Ok(pass) => {
                    backoff.worked();
                    if pass.letters > 0 {
                        wrote();
                    }
                }
                Err(error) => {
                    let wait = backoff.failed();
                    tracing::error!(seconds = wait.as_secs(), "the club has no pass: {error}");
                    stop.sleep(wait);
                }
            }
        }
        // A ring ends the wait; when nobody can ring any more, the time does.
        if !is_rung && let Some(place) = wait_for_ring(rung, stop) {
            tracing::debug!(place, "a mail for the club");
            looks = LOOKS;
        }
    }
}
