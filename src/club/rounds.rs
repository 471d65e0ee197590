//! What a club does by itself in a pass: it notes what campaigns have left for it, hands out what
//! there is to see, and writes by the clock.

use jiff::Timestamp;

use super::{
    calendar,
    club_files::{Club, ClubError, ClubPass},
    events::ClubEvent,
    needs::{self, ClubNeed},
    observing,
    results::{self, ClubResults},
    settings::ClubSettings,
};
use crate::{
    campaign::durable::from_club,
    disk::DiskSpace,
    store::{Directory, OfferMarks},
};

impl Club {
    /// Notes which seats of campaigns look for another player. Only campaigns that have marked a
    /// change are looked at, but for the first time.
    pub(super) fn note_offers(
        &mut self,
        now: Timestamp,
        pass: &mut ClubPass,
    ) -> Result<(), ClubError> {
        let folder = self.settings.campaigns_of(self.directory.root());
        let marks = OfferMarks::of_folder(&folder);
        let (all, marked) = if marks.are_kept() {
            (false, marks.all()?)
        } else {
            marks.keep()?;
            (true, Vec::new())
        };
        if !all && marked.is_empty() {
            return Ok(());
        }
        let is_marked = |campaign: &str| all || marked.iter().any(|(name, _)| name == campaign);
        let tables = self.state.tables.iter();
        let looked = tables.filter_map(|(number, table)| {
            let campaign = table.begun_as().filter(|it| is_marked(it.as_str()))?;
            let directory = Directory::at(&folder.join(campaign.as_str()));
            // A campaign that can't be read says so itself.
            let (mut seats, says) = from_club::offered(&directory).ok()?;
            seats.retain(|seat| table.plan.seats.contains(seat));
            let is_new = seats != table.listed;
            Some((*number, campaign.to_string(), says, is_new.then_some(seats)))
        });
        let looked: Vec<_> = looked.collect();
        for (table, campaign, says, seats) in looked {
            if let Some(seats) = seats {
                pass.lines.push(format!(
                    "table {table}: {} seats look for another player",
                    seats.len()
                ));
                let event = ClubEvent::Offers { table, seats };
                self.work(event, None, None, now, pass)?;
            }
            // The mark of something that it does not say yet stays.
            marks.remove(&campaign, says)?;
        }
        Ok(())
    }

    /// Notes which campaigns have ended, and how.
    pub(super) fn note_results(
        &mut self,
        now: Timestamp,
        pass: &mut ClubPass,
    ) -> Result<(), ClubError> {
        let folder = self.settings.campaigns_of(self.directory.root());
        let club = self.settings.club.as_str();
        for (table, result) in results::changed(&self.state, club, &folder, now) {
            let what = if result.is_some() {
                "has ended"
            } else {
                "goes on again"
            };
            pass.lines
                .push(format!("table {table}: its campaign {what}"));
            let result = result.map(Box::new);
            self.work(ClubEvent::Ended { table, result }, None, None, now, pass)?;
        }
        Ok(())
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

    /// Writes by the clock: to the umpire once a day, if something needs him, and to members once a
    /// month. `troubles` looks at the host, and is asked once a day.
    ///
    /// # Errors
    /// If the disk refuses.
    pub fn write_regularly(
        &mut self,
        now: Timestamp,
        troubles: &dyn Fn() -> Vec<String>,
    ) -> Result<ClubPass, ClubError> {
        let mut pass = ClubPass::default();
        let ClubSettings {
            zone,
            letters_at,
            created,
            ..
        } = &self.settings;
        let is_due = |at: Option<Timestamp>, last: Option<Timestamp>| {
            at.is_some_and(|at| at > last.unwrap_or(*created))
        };
        let daily = calendar::last_daily(now, zone, *letters_at);
        let monthly = calendar::last_monthly(now, zone, *letters_at);
        let is_daily = self.settings.umpire.is_some() && is_due(daily, self.state.daily);
        let is_monthly = self.settings.monthly && is_due(monthly, self.state.monthly);
        if is_daily {
            let needs = self.needs(&troubles());
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
