//! What the club writes by itself, and what it remembers, as letters tell it.

use jiff::Timestamp;
use minijinja::{Value, context, value::Serde};
use serde::Serialize;

use super::{
    ended::SeatOutcome,
    needs::ClubNeed,
    post::ClubWriter,
    results::{ClubResults, EndedCampaign},
    state::{ClubReader, MemberNumber},
};
use crate::game::Lang;

/// The most campaigns that a letter lists, the newest first.
const MOST_LISTED: usize = 20;

/// Data as a template sees them.
fn data(of: &impl Serialize) -> Value {
    Value::from(Serde(of))
}

impl ClubWriter<'_> {
    /// What needs the umpire.
    pub(super) fn needs(&self, needs: &[ClubNeed]) -> Value {
        let needs = needs.iter().map(|need| {
            let member = match need {
                ClubNeed::Applicant { member } | ClubNeed::Unreachable { member } => Some(*member),
                _ => None,
            };
            let name = member.map(|member| self.club.people.shown(member));
            context! { name, ..data(need) }
        });
        context! { needs => needs.collect::<Vec<_>>() }
    }

    /// What is new in the club since a moment.
    pub(super) fn news_since(&self, since: Timestamp, lang: Lang) -> Value {
        let results = ClubResults::of(self.club.state, self.club.people, None, lang);
        let ended = results.campaigns.iter();
        let ended = ended.filter(|campaign| campaign.ended > since);
        context! {
            tables => self.open_tables(lang),
            seats => self.offers(lang),
            running => self.running(lang),
            ended => ended.map(|it| self.ended(it, lang)).collect::<Vec<_>>(),
        }
    }

    /// Campaigns that go on: what everybody may know of them is who plays.
    fn running(&self, lang: Lang) -> Vec<Value> {
        let tables = self.club.state.tables.values();
        let tables = tables.filter(|table| table.ended.is_none());
        let running = tables.filter_map(|table| {
            let campaign = table.begun_as()?;
            let (title, scenario) = self.titles(&table.plan, lang);
            let players = table.players.iter();
            let players = players.map(|player| self.club.people.shown(player.member));
            Some(context! {
                campaign => campaign.as_str(),
                title,
                scenario,
                players => players.collect::<Vec<_>>(),
            })
        });
        running.collect()
    }

    fn ended(&self, campaign: &EndedCampaign, lang: Lang) -> Value {
        let table = self.club.state.tables.get(&campaign.table);
        let titles = table.map(|table| self.titles(&table.plan, lang));
        let (title, scenario) = titles.unwrap_or_default();
        let seats = campaign.seats.iter().map(|seat| {
            let outcome = match seat.outcome {
                SeatOutcome::Won => "won",
                SeatOutcome::Drawn => "drawn",
                SeatOutcome::Lost => "lost",
            };
            context! { seat => seat.seat.as_str(), outcome, players => seat.players.clone() }
        });
        context! {
            campaign => campaign.campaign.as_str(),
            title,
            scenario,
            day => campaign.ended.strftime("%Y-%m-%d").to_string(),
            turn => campaign.turn,
            level => campaign.level.as_str(),
            seats => seats.collect::<Vec<_>>(),
        }
    }

    /// What the club remembers, for a member: all results, and his own record against others.
    pub(super) fn results(&self, reader: ClubReader, game: Option<&str>, lang: Lang) -> Value {
        let results = ClubResults::of(self.club.state, self.club.people, game, lang);
        let is_reader = |member: MemberNumber| ClubReader::Member(member) == reader;
        let listed = results.campaigns.iter().take(MOST_LISTED);
        let listed: Vec<Value> = listed.map(|it| self.ended(it, lang)).collect();
        let met = results.head_to_head.iter();
        let met = met.filter(|it| is_reader(it.member));
        context! {
            left_out => results.campaigns.len() - listed.len(),
            campaigns => listed,
            ratings => data(&results.ratings),
            worth => data(&results.seats),
            reliability => data(&results.reliability),
            met => met.map(data).collect::<Vec<_>>(),
        }
    }
}
