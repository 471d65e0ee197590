//! What a club does by itself in a pass: it notes what campaigns have left for it, hands out what
//! there is to see, and writes by the clock.

use jiff::Timestamp;

use super::{
    calendar,
    club_files::{Club, ClubError, ClubPass},
    events::ClubEvent,
    needs::{self, ClubNeed},
    observing,
    results::{ClubResults, changed},
};
use crate::{
    campaign::{
        durable::{from_club, results},
        model::stints::CampaignResult,
    },
    disk::DiskSpace,
    ids::SeatId,
    store::{ClubMarks, Directory},
};

impl Club {
    /// Notes what has become of campaigns. Only those that have marked a change are looked at, but
    /// for the first time.
    pub(super) fn note_changes(
        &mut self,
        now: Timestamp,
        pass: &mut ClubPass,
    ) -> Result<(), ClubError> {
        let folder = self.settings.campaigns_of(self.directory.root());
        let marks = ClubMarks::of_folder(&folder);
        let marked = match marks.are_kept() {
            true => Some(marks.campaigns()?),
            false => {
                marks.keep()?;
                None
            }
        };
        let is_marked = |campaign: &str| {
            let marked = marked.as_ref();
            marked.is_none_or(|marked| marked.contains(campaign))
        };
        let tables = self.state.tables.iter();
        let looked = tables.filter_map(|(number, table)| {
            let campaign = table.begun_as().filter(|it| is_marked(it.as_str()))?;
            Some((*number, campaign.clone()))
        });
        let looked: Vec<_> = looked.collect();
        for (table, campaign) in looked {
            let directory = Directory::at(&folder.join(campaign.as_str()));
            // One that is packed has told all before, unless it has left a mark.
            let known = self.state.tables.get(&table);
            let is_noted = known.is_some_and(|known| known.ended.is_some());
            if directory.is_packed()
                && (marked.is_none() && is_noted || Directory::open(directory.root()).is_err())
            {
                continue;
            }
            // A campaign that can't be read says so itself.
            let Ok((offers, of_offers)) = from_club::offered(&directory) else {
                continue;
            };
            let Ok((result, of_result)) = results::result(&directory) else {
                continue;
            };
            self.note_offers(table, offers, now, pass)?;
            if result.is_some() || directory.is_whole() {
                self.note_result(table, result, now, pass)?;
            }
            // The mark of something that it does not say yet stays.
            marks.remove(campaign.as_str(), of_offers)?;
            marks.remove(campaign.as_str(), of_result)?;
        }
        Ok(())
    }

    /// Notes which seats of a campaign look for another player.
    fn note_offers(
        &mut self,
        table: u32,
        mut seats: Vec<SeatId>,
        now: Timestamp,
        pass: &mut ClubPass,
    ) -> Result<(), ClubError> {
        let Some(known) = self.state.tables.get(&table) else {
            return Ok(());
        };
        seats.retain(|seat| known.plan.seats.contains(seat));
        if seats == known.listed {
            return Ok(());
        }
        let count = seats.len();
        pass.lines.push(format!(
            "table {table}: {count} seats look for another player"
        ));
        let event = ClubEvent::Offers { table, seats };
        self.work(event, None, None, now, pass)
    }

    /// Notes whether a campaign has ended, and how.
    fn note_result(
        &mut self,
        table: u32,
        result: Option<CampaignResult>,
        now: Timestamp,
        pass: &mut ClubPass,
    ) -> Result<(), ClubError> {
        let club = self.settings.club.as_str();
        let Some(result) = changed(&self.state, club, table, result) else {
            return Ok(());
        };
        let what = match result {
            Some(_) => "has ended",
            None => "goes on again",
        };
        pass.lines
            .push(format!("table {table}: its campaign {what}"));
        let result = result.map(Box::new);
        self.work(ClubEvent::Ended { table, result }, None, None, now, pass)
    }

    /// Hands out what there is to see to those who look on.
    pub(super) fn hand_out_sheets(
        &mut self,
        now: Timestamp,
        pass: &mut ClubPass,
    ) -> Result<(), ClubError> {
        let folder = self.settings.campaigns_of(self.directory.root());
        for (table, sheet) in observing::sheets(&self.state, &folder) {
            pass.lines
                .push(format!("table {table}: a sheet for those who look on"));
            let event = ClubEvent::Observed { table, sheet };
            self.work(event, None, None, now, pass)?;
        }
        Ok(())
    }

    /// All that needs the umpire now.
    #[must_use]
    pub fn needs(&self, troubles: &[String]) -> Vec<ClubNeed> {
        let root = self.directory.root();
        let folder = self.settings.campaigns_of(root);
        needs::of_club(&self.state, &folder, DiskSpace::of(root), troubles)
    }

    /// Returns true if the daily letter to the umpire is due, should something need him.
    #[must_use]
    pub fn is_daily_due(&self, now: Timestamp) -> bool {
        let settings = &self.settings;
        let at = calendar::last_daily(now, &settings.zone, settings.letters_at);
        settings.umpire.is_some() && self.is_due(at, self.state.daily)
    }

    fn is_monthly_due(&self, now: Timestamp) -> bool {
        let settings = &self.settings;
        let at = calendar::last_monthly(now, &settings.zone, settings.letters_at);
        settings.monthly && self.is_due(at, self.state.monthly)
    }

    fn is_due(&self, at: Option<Timestamp>, last: Option<Timestamp>) -> bool {
        at.is_some_and(|at| at > last.unwrap_or(self.settings.created))
    }

    /// Writes by the clock: to the umpire once a day, if something needs him, and to members once a
    /// month. `troubles`: what is wrong with the host.
    ///
    /// # Errors
    /// If the disk refuses.
    pub fn write_regularly(
        &mut self,
        now: Timestamp,
        troubles: &[String],
    ) -> Result<ClubPass, ClubError> {
        let mut pass = ClubPass::default();
        let (is_daily, is_monthly) = (self.is_daily_due(now), self.is_monthly_due(now));
        if is_daily {
            let needs = self.needs(troubles);
            let count = needs.len();
            pass.lines
                .push(format!("the umpire is needed in {count} matters"));
            self.work(ClubEvent::Daily { needs }, None, None, now, &mut pass)?;
        }
        if is_monthly {
            pass.lines.push("members are told what is new".to_owned());
            self.work(ClubEvent::Monthly, None, None, now, &mut pass)?;
        }
        Ok(pass)
    }

    /// What the club remembers of campaigns that have ended; of one game alone, if one is named.
    #[must_use]
    pub fn results(&self, game: Option<&str>) -> ClubResults {
        ClubResults::of(&self.state, &self.people, game, self.settings.lang)
    }
}
