//! Members who look on at campaigns that they do not play: the campaign lays down sheets, and the
//! club hands them out as the table says.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use minijinja::{Value, context};

use super::{
    apply::{ClubNews, ClubPlan, ClubWork, RequestOutcome},
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

/// Sheets of tables' campaigns by their names.
pub(super) type ToldSheets = BTreeMap<(u32, String), Parts>;

/// The sheets that letters tell, without those that are gone, or that nobody may see any more: an
/// end may have been taken back.
pub(super) fn told(state: &ClubState, folder: &Path, plans: &[ClubPlan]) -> ToldSheets {
    let told = plans.iter().filter_map(|plan| match &plan.news {
        ClubNews::Observed(table, sheet) => Some((*table, sheet.clone())),
        _ => None,
    });
    let told: BTreeSet<(u32, String)> = told.collect();
    let sheet = |(number, sheet): (u32, String)| {
        let table = state.tables.get(&number)?;
        let directory = Directory::at(&folder.join(table.begun_as()?.as_str()));
        let released = observed::released(&directory, &table.plan.observers).ok()?;
        let bytes = directory.observed().find(&sheet).ok()??;
        let parts = parts(&bytes).filter(|_| released.contains(&sheet))?;
        Some(((number, sheet), parts))
    };
    told.into_iter().filter_map(sheet).collect()
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
        if table.observers.is_empty() {
            // The newest sheet is his as soon as sheets are looked for.
            table.last_sheet = None;
        }
        if table.observers.insert(member)
            && let Some(sheet) = table.last_sheet.clone()
        {
            // What the others have read last he reads now.
            self.show(number, &sheet, &[member]);
        }
        Done(None)
    }

    /// Hands a sheet out.
    pub(super) fn observed(&mut self, number: u32, sheet: &str) {
        let Some(table) = self.state.tables.get_mut(&number) else {
            return;
        };
        table.last_sheet = Some(sheet.to_owned());
        let readers: Vec<MemberNumber> = table.observers.iter().copied().collect();
        self.show(number, sheet, &readers);
    }

    /// Tells a sheet to these, once in all that comes of an event.
    fn show(&mut self, number: u32, sheet: &str, readers: &[MemberNumber]) {
        if let Some(table) = self.state.tables.get_mut(&number)
            && matches!(table.plan.observers, ObserverRule::Delayed { .. })
        {
            table.watched.extend(readers);
        }
        for member in readers {
            let (to, news) = (
                ClubReader::Member(*member),
                ClubNews::Observed(number, sheet.to_owned()),
            );
            if !self.tells(to, &news) {
                self.tell(to, news);
            }
        }
    }
}
