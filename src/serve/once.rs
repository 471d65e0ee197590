//! One round of a host, for cron: takes in all mails, does all that is due, sends all letters.

use std::path::PathBuf;

use super::{
    Desk, HostClock, HostConfig, Queue, QueueRound,
    doctor::troubles,
    service::{HostSetup, ServeError, ready},
    work_on_club,
};
use crate::{isolation, mail::transport::Stop};

/// The summary of a round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RoundSummary {
    /// Mails that were taken.
    pub taken: usize,
    /// The letters sent.
    pub out: QueueRound,
    /// Errors; everything else was still done.
    pub troubles: Vec<String>,
}

/// Runs one round.
///
/// # Errors
/// If it can't start.
pub fn once(
    config: &HostConfig,
    more: &[PathBuf],
    clock: &HostClock,
) -> Result<RoundSummary, ServeError> {
    let HostSetup {
        roster,
        collector,
        _lock,
    } = ready(config, more)?;
    let (mut came, stop) = (RoundSummary::default(), Stop::new());
    for mut source in config.open_sources(&stop) {
        loop {
            match collector.collect(source.as_mut(), &mut |_| {}) {
                Ok(0) => break,
                Ok(count) => came.taken += count,
                Err(error) => {
                    came.troubles.push(error.to_string());
                    break;
                }
            }
        }
    }
    let everybody = || 0..roster.members.len();
    let work_on_club = |came: &mut RoundSummary| {
        let club = roster
            .club
            .as_ref()
            .map(|club| work_on_club(club, clock(), Some(&|| troubles(config))));
        if let Some(Err(error)) = club {
            came.troubles.push(error.to_string());
        }
    };
    work_on_club(&mut came);
    let members = roster.members.clone().into_iter().enumerate();
    let mut desk = Desk::new(members).isolating(config.isolation.bounds(), stop.clone());
    // Campaigns with shipped rules have their pass first, whatever the rules of the others do.
    let (others, own): (Vec<usize>, Vec<usize>) = everybody().partition(|place| {
        let member = roster.members.get(*place);
        member.is_some_and(|member| isolation::is_needed(member.directory.root()))
    });
    for place in own.into_iter().chain(others) {
        desk.work(place, clock());
    }
    if let Some(mut sink) = config.open_sink() {
        let places = 0..roster.places();
        came.out = Queue::default().round(&roster, places, sink.as_mut(), clock(), &stop)?;
        came.troubles.extend(came.out.down.clone());
    }
    // Refused letters have become reports in the inboxes.
    for place in came.out.refused.clone() {
        desk.work(place, clock());
    }
    if came
        .out
        .refused
        .iter()
        .any(|place| Some(*place) == roster.club_place())
    {
        work_on_club(&mut came);
    }
    desk.close(clock());
    Ok(came)
}
