//! Members who are away, and seats that look for another player. The campaigns are told; they know
//! nothing of each other.

use super::{
    apply::{CampaignNews, CampaignPlan, ClubNews, ClubWork, RequestOutcome},
    settings::TakeoverRule,
    state::{ClubReader, MemberNumber, days_of},
    table::{ClubTable, SeatTaker},
};
use crate::{
    campaign::model::{
        absence::{Absence, AbsenceAct},
        settings::CampaignId,
    },
    ids::SeatId,
};

use RequestOutcome::{Done, NotDone};

impl ClubWork<'_> {
    /// A member is away. A new absence ends the one before.
    pub(super) fn absent(&mut self, member: MemberNumber, absence: &Absence) -> RequestOutcome {
        let now = self.state.time;
        let Some(entry) = self.state.members.get_mut(&member) else {
            return NotDone("waiting");
        };
        let mut after = entry.clone();
        after.end_absence(now);
        after.forget_absences(now);
        let more = match absence.acts {
            AbsenceAct::Waits => days_of(absence),
            AbsenceAct::StandingOrders | AbsenceAct::Bot(_) => 0,
        };
        if more > 0 && after.days_away(now).saturating_add(more) > self.settings.absence_days {
            return NotDone("absence_quota");
        }
        after.absences.push(absence.clone());
        *entry = after;
        self.tell_campaigns(member, &CampaignNews::Absent(absence.clone()));
        Done(None)
    }

    /// A member is back before his time.
    pub(super) fn back(&mut self, member: MemberNumber) -> RequestOutcome {
        let now = self.state.time;
        match self.state.members.get_mut(&member) {
            Some(entry) if entry.absence(now).is_some() => entry.end_absence(now),
            _ => return NotDone("not_away"),
        }
        self.tell_campaigns(member, &CampaignNews::Back);
        Done(None)
    }

    /// Tells all campaigns in which a member plays.
    fn tell_campaigns(&mut self, member: MemberNumber, news: &CampaignNews) {
        let tables = self.state.tables.values();
        let own = tables.filter(|table| table.knows(member));
        let words = own.filter_map(|table| {
            Some(CampaignPlan {
                campaign: table.begun_as()?.clone(),
                member,
                news: news.clone(),
            })
        });
        self.words.extend(words);
    }

    /// Tells a campaign that begins who of its players is away.
    pub(super) fn tell_of_absences(&mut self, campaign: &CampaignId, members: &[MemberNumber]) {
        let now = self.state.time;
        for member in members {
            let entry = self.state.members.get(member);
            if let Some(absence) = entry.and_then(|entry| entry.absence(now)) {
                self.words.push(CampaignPlan {
                    campaign: campaign.clone(),
                    member: *member,
                    news: CampaignNews::Absent(absence.clone()),
                });
            }
        }
    }

    /// A campaign says which of its seats look for a player.
    pub(super) fn offers(&mut self, number: u32, seats: &[SeatId]) {
        if let Some(table) = self.state.tables.get_mut(&number) {
            for taker in &mut table.takers {
                taker.is_new &= seats.contains(&taker.seat);
            }
            table.listed = seats.to_vec();
        }
    }

    /// A member asks for a seat.
    pub(super) fn would_take_over(
        &mut self,
        member: MemberNumber,
        number: u32,
        seat: Option<&SeatId>,
    ) -> RequestOutcome {
        let Some(table) = self.state.tables.get(&number) else {
            return NotDone("no_table");
        };
        let seat = match seat {
            Some(seat) => seat.clone(),
            None => match table.offered().collect::<Vec<_>>().as_slice() {
                [only] => (*only).clone(),
                [] => return NotDone("not_offered"),
                _ => return NotDone("which_seat"),
            },
        };
        if let Err(why) = may_take_over(table, member, &seat) {
            return NotDone(why);
        }
        if self.settings.takeover == TakeoverRule::Umpire && self.settings.umpire.is_some() {
            self.tell_umpire(ClubNews::WouldTakeOver(number, seat, member));
            return NotDone("umpire_asked");
        }
        self.take_over(member, number, &seat);
        Done(None)
    }

    /// A member takes over a seat.
    pub(super) fn take_over(&mut self, member: MemberNumber, number: u32, seat: &SeatId) {
        let Some(table) = self.state.tables.get_mut(&number) else {
            return;
        };
        let Some(campaign) = table.begun_as().cloned() else {
            return;
        };
        table.observers.remove(&member);
        table.takers.push(SeatTaker {
            member,
            seat: seat.clone(),
            is_new: true,
            record: self.record,
        });
        self.words.push(CampaignPlan {
            campaign,
            member,
            news: CampaignNews::TakesOver(seat.clone()),
        });
        let news = ClubNews::TakesOver(number, seat.clone());
        self.tell(ClubReader::Member(member), news);
    }
}

/// Checks that a member may take over a seat.
///
/// # Errors
/// The key of why not.
pub(super) fn may_take_over(
    table: &ClubTable,
    member: MemberNumber,
    seat: &SeatId,
) -> Result<(), &'static str> {
    if table.knows(member) {
        return Err("plays_there");
    }
    // He has been told what a seat sees.
    if table.watched.contains(&member) {
        return Err("has_watched");
    }
    let is_offered = table.offered().any(|offered| offered == seat);
    is_offered.then_some(()).ok_or("not_offered")
}
