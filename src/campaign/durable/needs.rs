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

/// What of a campaign needs its umpire; nothing once all is done. Who has sent no orders he alone
/// is told, so a campaign without one says nothing of it. `sees`: it is for eyes that may see
/// positions, of which an error of the rules may tell.
#[must_use]
pub fn needs_of(context: &Context, state: &State, sees: bool) -> Vec<CampaignNeed> {
    let mut needs = Vec::new();
    if state.waiting == CurrentWait::Nothing {
        return needs;
    }
    if let Some(error) = state.stopped() {
        let why = if sees {
            clean_line(error.lines().next().unwrap_or_default())
        } else {
            "an error in the rules".to_owned()
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
    if context.settings.has_umpire() {
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
    // What is wrong may tell of positions and addresses: `status` says it to those who may know.
    if Alarm::of(directory)?.is_some() {
        return Ok(vec![CampaignNeed::Stopped {
            why: "it can't be opened".to_owned(),
        }]);
    }
    let text = directory.fetch(Blob::Needs)?.unwrap_or_default();
    Ok(serde_json::from_str(&text).unwrap_or_default())
}

impl Campaign {
    /// Writes down what needs the umpire.
    pub(crate) fn keep_needs(&self) -> Result<(), CampaignError> {
        // The club's umpire may play, and its journal keeps what he is told.
        let needs = needs_of(self.context(), self.state(), false);
        let text = (!needs.is_empty()).then(|| serde_json::to_string(&needs));
        let text = text.transpose().map_err(|error| StoreError::Unwritable {
            what: "needs",
            problem: error.to_string(),
        })?;
        self.keep_for_club(Blob::Needs, text)
    }
}
