//! Tables from their founding until their campaign begins: who joins, leaves, and gives one up.

use std::collections::BTreeSet;

use super::{
    apply::{ClubNews, ClubWork, RequestOutcome, campaign_of},
    draw,
    settings::FounderRule,
    state::{ClubReader, MemberNumber},
    table::{ClubTable, TablePlan, TablePlayer, TableStanding},
};
use crate::{campaign::model::settings::CampaignId, ids::SeatId};

use RequestOutcome::{Done, NotDone};

/// The most tables of one founder that look for players.
const MOST_TABLES: usize = 3;

impl ClubWork<'_> {
    pub(super) fn new_table(&mut self, founder: MemberNumber, plan: &TablePlan) -> RequestOutcome {
        let named = self
            .state
            .member(founder)
            .is_some_and(|member| member.may_found);
        if self.settings.founders == FounderRule::Named && !named {
            return NotDone("may_not_found");
        }
        let own = self
            .state
            .open_tables()
            .filter(|(_, table)| table.founder == founder);
        if own.count() >= MOST_TABLES {
            return NotDone("too_many_tables");
        }
        let number = self
            .state
            .tables
            .keys()
            .next_back()
            .map_or(1, |last| last + 1);
        let table = ClubTable {
            plan: plan.clone(),
            founder,
            founded: self.state.time,
            anchor: draw::anchor(&campaign_of(self.settings, number), &self.draw_key(number)),
            players: Vec::new(),
            standing: TableStanding::Open,
            listed: Vec::new(),
            takers: Vec::new(),
            ended: None,
            observers: BTreeSet::new(),
            watched: BTreeSet::new(),
            last_sheet: None,
        };
        self.state.tables.insert(number, table);
        Done(Some(number))
    }

    /// The key of a table's draw.
    fn draw_key(&self, table: u32) -> crate::dice::Key {
        self.keys.draw.derive(&format!("table {table}"))
    }

    pub(super) fn join(
        &mut self,
        member: MemberNumber,
        number: u32,
        wishes: &[SeatId],
    ) -> RequestOutcome {
        let (campaign, key) = (campaign_of(self.settings, number), self.draw_key(number));
        let Some(table) = self.state.tables.get_mut(&number) else {
            return NotDone("no_table");
        };
        match table.standing {
            TableStanding::Open => {}
            TableStanding::Full(_) | TableStanding::Begun(..) => return NotDone("full"),
            TableStanding::Closed | TableStanding::Failed => return NotDone("closed"),
        }
        let known = |wish: &&SeatId| table.plan.seats.contains(wish);
        let wishes: Vec<SeatId> = wishes.iter().filter(known).cloned().collect();
        let mut players = table.players.iter_mut();
        if let Some(player) = players.find(|player| player.member == member) {
            player.wishes = wishes;
            return Done(None);
        }
        // Whoever plays sees his own side.
        table.observers.remove(&member);
        table.players.push(TablePlayer { member, wishes });
        if table.missing() == 0 {
            let drawn = draw::draw(&campaign, &key, &table.plan.seats, &table.players);
            table.standing = TableStanding::Full(drawn);
        }
        Done(None)
    }

    pub(super) fn leave(&mut self, member: MemberNumber, number: u32) -> RequestOutcome {
        match self.state.tables.get_mut(&number) {
            None => NotDone("no_table"),
            Some(table) if !table.has(member) => NotDone("not_there"),
            Some(table) if !table.is_open() => NotDone("begun"),
            Some(table) => {
                table.players.retain(|player| player.member != member);
                Done(None)
            }
        }
    }

    pub(super) fn close(&mut self, member: MemberNumber, number: u32) -> RequestOutcome {
        match self.state.tables.get(&number) {
            None => NotDone("no_table"),
            Some(table) if table.founder != member => NotDone("not_founder"),
            Some(table) if !table.is_open() => NotDone("begun"),
            Some(_) => {
                self.give_up(number, Some(member));
                Done(None)
            }
        }
    }

    /// Gives an open table up, and tells those who have joined it.
    pub(super) fn give_up(&mut self, number: u32, but: Option<MemberNumber>) {
        let told = self.players_of(number);
        self.set_standing(number, TableStanding::Closed);
        for member in told.into_iter().filter(|member| Some(*member) != but) {
            self.tell(ClubReader::Member(member), ClubNews::Closed(number));
        }
    }

    pub(super) fn players_of(&self, number: u32) -> Vec<MemberNumber> {
        let table = self.state.tables.get(&number).into_iter();
        let players = table.flat_map(|table| &table.players);
        players.map(|player| player.member).collect()
    }

    pub(super) fn set_standing(&mut self, number: u32, standing: TableStanding) {
        if let Some(table) = self.state.tables.get_mut(&number) {
            table.standing = standing;
        }
    }

    pub(super) fn begun(&mut self, number: u32, campaign: &CampaignId) {
        let Some(table) = self.state.tables.get_mut(&number) else {
            return;
        };
        if let TableStanding::Full(drawn) = &table.standing {
            table.standing = TableStanding::Begun(drawn.clone(), campaign.clone());
        }
        let players = self.players_of(number);
        self.tell_of_absences(campaign, &players);
        for member in players {
            self.tell(ClubReader::Member(member), ClubNews::Begun(number));
        }
        self.tell_umpire(ClubNews::Begun(number));
    }
}
