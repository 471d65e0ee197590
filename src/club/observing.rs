//! Members who look on at campaigns that they do not play: the campaign lays down sheets, and the
//! club hands them out as the table says.

use std::path::Path;

use minijinja::{Value, context};

use super::{
    apply::{ClubNews, ClubWork, RequestOutcome},
    state::{ClubReader, ClubState, MemberNumber},
    table::{ClubTable, TableStanding},
};
use crate::{
    campaign::{durable::observed, model::observers::ObserverRule},
    mail::{Image, ImageKind, Parts, parts},
    store::Directory,
};

use RequestOutcome::{Done, NotDone};

/// Checks that a member may look on at a table.
///
/// # Errors
/// The key of why not.
pub(super) fn may_observe(table: &ClubTable, member: MemberNumber) -> Result<(), &'static str> {
    if matches!(
        table.standing,
        TableStanding::Closed | TableStanding::Failed
    ) {
        return Err("closed");
    }
    if table.plan.observers.is_none() {
        return Err("not_watched");
    }
    // Whoever plays would learn what his enemies see.
    if table.knows(member) {
        return Err("observes_own");
    }
    Ok(())
}

/// The tables with sheets that those who look on have not got; of several the newest.
pub(super) fn sheets(state: &ClubState, folder: &Path) -> Vec<(u32, String)> {
    let tables = state.tables.iter();
    let tables = tables.filter(|(_, table)| !table.observers.is_empty());
    let found = tables.filter_map(|(number, table)| {
        let campaign = table.begun_as()?;
        let directory = Directory::at(&folder.join(campaign.as_str()));
        // A campaign that can't be read says so itself.
        let released = observed::released(&directory, &table.plan.observers).ok()?;
        let newest = released.into_iter().next_back()?;
        let is_new = table.last_sheet.as_ref().is_none_or(|last| newest > *last);
        is_new.then_some((*number, newest))
    });
    found.collect()
}

/// A sheet of a table's campaign, as its letter tells it; none if it was taken away.
pub(super) fn sheet(
    state: &ClubState,
    folder: &Path,
    (table, sheet): (u32, &str),
) -> Option<Parts> {
    let campaign = state.tables.get(&table)?.begun_as()?;
    let directory = Directory::at(&folder.join(campaign.as_str()));
    let bytes = directory.observed().find(sheet).ok()??;
    parts(&bytes)
}

/// Who may look on: the kind of the rule, with its seat and turns; none if nobody may.
pub(super) fn watched(rule: &ObserverRule) -> Option<Value> {
    Some(match rule {
        ObserverRule::None => return None,
        ObserverRule::Public => context! { kind => "public" },
        ObserverRule::Delayed { seat, turns } => {
            context! { kind => "delayed", seat => seat.as_str(), turns }
        }
        ObserverRule::Ended => context! { kind => "ended" },
    })
}

/// The pictures of a sheet.
pub(super) fn pictures(sheet: &Parts) -> Vec<Image> {
    let images = sheet.images.iter().zip(1..);
    let images = images.map(|(bytes, number)| Image {
        cid: format!("map{number}"),
        file_name: format!("map-{number}.png"),
        bytes: bytes.clone(),
        kind: ImageKind::Shown,
    });
    images.collect()
}

impl ClubWork<'_> {
    /// A member would like to look on, or not to any more.
    pub(super) fn observe(
        &mut self,
        member: MemberNumber,
        number: u32,
        on: bool,
    ) -> RequestOutcome {
        let Some(table) = self.state.tables.get_mut(&number) else {
            return NotDone("no_table");
        };
        if !on {
            let was = table.observers.remove(&member);
            return if was {
                Done(None)
            } else {
                NotDone("not_observing")
            };
        }
        if let Err(why) = may_observe(table, member) {
            return NotDone(why);
        }
        table.observers.insert(member);
        Done(None)
    }

    /// Hands a sheet out.
    pub(super) fn observed(&mut self, number: u32, sheet: &str) {
        let Some(table) = self.state.tables.get_mut(&number) else {
            return;
        };
        table.last_sheet = Some(sheet.to_owned());
        let readers: Vec<MemberNumber> = table.observers.iter().copied().collect();
        if matches!(table.plan.observers, ObserverRule::Delayed { .. }) {
            table.watched.extend(&readers);
        }
        for member in readers {
            self.tell(ClubReader::Member(member), ClubNews::Observed(number));
        }
    }
}
