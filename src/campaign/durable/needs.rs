//! What of a campaign needs its umpire, in a file for the club. Nothing about quiet questions
//! stands there.

use serde::{Deserialize, Serialize};

use super::{Campaign, CampaignError, alarm::Alarm};
use crate::{
    campaign::model::{
        context::Context,
        state::{CurrentWait, State},
    },
    ids::SeatId,
    mail::clean_line,
    store::{Blob, Directory, StoreError},
};

/// Something that an umpire has to look after.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "need", rename_all = "snake_case", deny_unknown_fields)]
pub enum CampaignNeed {
    /// It has stopped, or can't be opened.
    Stopped {
        /// Why, in a line.
        why: String,
    },
    /// The umpire holds it.
    OnHold,
    /// Nothing more is sent to a seat, since its letters came back.
    Unreachable {
        /// The seat.
        seat: SeatId,
    },
    /// A letter to a seat came back.
    CameBack {
        /// The seat.
        seat: SeatId,
    },
    /// Mails wait for the umpire's word.
    Held {
        /// How many.
        count: usize,
    },
    /// A deadline has passed, and a seat has sent nothing.
    NoOrders {
        /// The seat.
        seat: SeatId,
        /// How many deadlines it has missed, one after the other; 0 if this one may still be kept.
        missed: u32,
    },
}

/// What of a campaign needs its umpire. Who has sent no orders he alone is told, so a campaign
/// without one says nothing of it.
#[must_use]
pub fn needs_of(context: &Context, state: &State) -> Vec<CampaignNeed> {
    let mut needs = Vec::new();
    if let Some(error) = state.stopped() {
        // An error of the rules may tell of the position.
        let first = context.settings.all_umpires().next();
        let blind = first.is_some_and(|umpire| umpire.blind);
        let why = match blind {
            true => "an error in the rules".to_owned(),
            false => clean_line(error.lines().next().unwrap_or_default()),
        };
        needs.push(CampaignNeed::Stopped { why });
    }
    if state.on_hold {
        needs.push(CampaignNeed::OnHold);
    }
    for (seat, entry) in &state.seats {
        let seat = seat.clone();
        if entry.is_unreachable() {
            needs.push(CampaignNeed::Unreachable { seat });
        } else if !entry.failed.is_empty() {
            needs.push(CampaignNeed::CameBack { seat });
        }
    }
    match state.releasable().count() {
        0 => {}
        count => needs.push(CampaignNeed::Held { count }),
    }
    if context.settings.umpire.is_some() {
        needs.extend(without_orders(state));
    }
    needs
}

/// The seats that have sent no orders in time. Whoever has answered in quiet or not is nobody's
/// business, so that nothing is said in a wait that not everybody knows of.
fn without_orders(state: &State) -> Vec<CampaignNeed> {
    let CurrentWait::Orders {
        seats, progress, ..
    } = &state.waiting
    else {
        return Vec::new();
    };
    let late = seats.iter().filter_map(|seat| {
        let entry = state.seats.get(seat)?;
        let missed = entry.attendance.missed;
        let is_late = entry.is_silent() && (progress.overdue || missed > 0);
        let seat = seat.clone();
        is_late.then_some(CampaignNeed::NoOrders { seat, missed })
    });
    late.collect()
}

/// What of a campaign needs its umpire, as its last pass has left it.
///
/// # Errors
/// The environment.
pub fn needs(directory: &Directory) -> Result<Vec<CampaignNeed>, StoreError> {
    if let Some(alarm) = Alarm::of(directory)? {
        let why = alarm.problem.lines().next().unwrap_or_default();
        return Ok(vec![CampaignNeed::Stopped {
            why: why.to_owned(),
        }]);
    }
    let text = directory.fetch(Blob::Needs)?.unwrap_or_default();
    Ok(serde_json::from_str(&text).unwrap_or_default())
}

impl Campaign {
    /// Writes down what needs the umpire, if that has changed and a club wants to know.
    pub(crate) fn keep_needs(&self) -> Result<(), CampaignError> {
        if self.context().settings.club.is_none() {
            return Ok(());
        }
        let needs = needs_of(self.context(), self.state());
        let text = serde_json::to_string(&needs).map_err(|error| StoreError::Unwritable {
            what: "needs",
            problem: error.to_string(),
        })?;
        let directory = self.directory();
        match directory.fetch(Blob::Needs)? {
            Some(before) if before == text => {}
            None if needs.is_empty() => {}
            _ => directory.keep(Blob::Needs, &text)?,
        }
        Ok(())
    }
}
