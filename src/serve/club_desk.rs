//! The club's passes, in a thread of its own.

use std::{
    panic::{self, AssertUnwindSafe},
    sync::mpsc::Receiver,
    time::Duration,
};

use jiff::Timestamp;

use super::{
    ClubPlace, HostClock,
    bell::{LOOK, wait_for_ring},
};
use crate::{
    club::{Club, ClubError, ClubPass},
    mail::transport::{Backoff, Stop},
};

/// How long to wait for another process that has the club.
const PATIENCE: Duration = Duration::from_secs(2);
/// After so many looks at the inbox the club has a pass without news: for applicants who have let
/// the time pass.
const LOOKS: u32 = 60;

/// A pass over the club, with what it writes by the clock if `troubles` is there, which looks
/// at the host and is asked once a day.
///
/// # Errors
/// If it can't be opened, or the disk refuses.
pub fn work_on_club(
    place: &ClubPlace,
    now: Timestamp,
    troubles: Option<&dyn Fn() -> Vec<String>>,
) -> Result<ClubPass, ClubError> {
    let open = || Club::open(place.directory.root(), PATIENCE);
    let (mut club, mut found) = (open()?, Vec::new());
    if let Some(troubles) = troubles
        && club.is_daily_due(now)
    {
        // Servers may take long to answer: meanwhile others may have the club.
        drop(club);
        found = troubles();
        club = open()?;
    }
    let mut pass = club.pass(now)?;
    if troubles.is_some() {
        let regular = club.write_regularly(now, &found)?;
        pass.lines.extend(regular.lines);
        pass.letters += regular.letters;
    }
    for line in &pass.lines {
        tracing::info!(club = place.settings.club.as_str(), "{line}");
    }
    Ok(pass)
}

/// Works on the club until the end; `wrote` is told of letters, and `troubles` looks at the host.
pub(super) fn at_club(
    place: &ClubPlace,
    rung: &Receiver<usize>,
    (wrote, troubles): (&dyn Fn(), &dyn Fn() -> Vec<String>),
    clock: &HostClock,
    stop: &Stop,
) {
    let (mut backoff, mut looks) = (Backoff::default(), LOOKS);
    while !stop.is_set() {
        looks += 1;
        let is_rung = rung.try_iter().count() > 0;
        if is_rung || looks > LOOKS || place.directory.inbox().has_new() {
            looks = 0;
            // The club's error must not end the campaigns; what is in its journal is safe.
            let worked = panic::catch_unwind(AssertUnwindSafe(|| {
                work_on_club(place, clock(), Some(troubles))
            }));
            let trouble = match worked {
                Ok(Ok(pass)) => {
                    backoff.worked();
                    if pass.letters > 0 {
                        wrote();
                    }
                    None
                }
                Ok(Err(error)) => Some(error.to_string()),
                Err(_) => Some("the program has an error, told above".to_owned()),
            };
            if let Some(trouble) = trouble {
                let wait = backoff.failed();
                tracing::error!(seconds = wait.as_secs(), "the club has no pass: {trouble}");
                stop.sleep(wait);
            }
        }
        // A ring ends the wait; when nobody can ring any more, the time does.
        if !is_rung && let Some(place) = wait_for_ring(rung, LOOK, stop) {
            tracing::debug!(place, "a mail for the club");
            looks = LOOKS;
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests may panic")]
mod tests {
    use std::sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
        mpsc,
    };

    use super::*;
    use crate::{club::ClubSettings, dice::Master};

    /// A club at which the first pass comes to an error of the program.
    #[test]
    fn a_panic_in_a_pass_ends_neither_the_thread_nor_the_club() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("club");
        let settings: ClubSettings = crate::yaml::from_str(
            "{club: tuesday, mailbox: {local: game, domain: example.org}, zone: UTC, lang: en, campaigns: ., \
             created: '2026-11-21T12:00:00Z'}",
        )
        .unwrap();
        let master = Master::simulated("a club", &"tuesday".parse().unwrap());
        Club::found(&root, &settings, &master, settings.created).unwrap();
        let place = ClubPlace::read(&root).unwrap();
        let mail = "From: <a@example.net>\r\nTo: <game+tuesday@example.org>\r\n\
                    Message-ID: <1@example.net>\r\n\r\nHELP\r\n";
        place.directory.inbox().put("1", mail.as_bytes()).unwrap();
        let passes = Arc::new(AtomicU32::new(0));
        let counted = Arc::clone(&passes);
        let now = settings.created;
        let clock: HostClock = Arc::new(move || {
            let is_first = counted.fetch_add(1, Ordering::SeqCst) == 0;
            assert!(!is_first, "an error of the program");
            now
        });
        let stop = Stop::new();
        let (_ring, rung) = mpsc::channel();
        let wrote = || stop.stop();
        at_club(&place, &rung, (&wrote, &Vec::new), &clock, &stop);
        assert!(passes.load(Ordering::SeqCst) > 1);
        assert_eq!(place.directory.outboxes().unwrap(), ["others"]);
    }
}
