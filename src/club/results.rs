//! What the club remembers of campaigns that have ended: who played what, how it ended, and how
//! each attends. Of a campaign that goes on nothing stands here.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::Serialize;

use super::{
    ended::{PlayedSeat, SeatOutcome, SeatPlayer, TableResult, Tally},
    people::People,
    rating::{ClubRatings, MemberRating, SeatHandicap},
    state::{ClubState, MemberNumber},
    table::{ClubTable, TableStanding},
};
use crate::{
    campaign::model::stints::{CampaignResult, Stint, StintOrigin},
    game::{Lang, said},
    ids::SeatId,
};

/// How a table's campaign has ended, if that is not what the journal says; an inner none if it goes
/// on again.
pub(super) fn changed(
    state: &ClubState,
    club: &str,
    number: u32,
    read: Option<CampaignResult>,
) -> Option<Option<TableResult>> {
    let table = state.tables.get(&number)?;
    let result = read.map(|read| of_members(table, club, read));
    let known = table.ended.as_ref().map(|ended| &ended.result);
    (result.as_ref() != known).then_some(result)
}

/// A campaign's result, with members for its players.
fn of_members(table: &ClubTable, club: &str, read: CampaignResult) -> TableResult {
    let seats = read.seats.into_iter().map(|seat| {
        let players = seat.players.iter();
        let players = players.map(|stint| SeatPlayer {
            member: who(table, club, &seat.seat, stint),
            kept: stint.kept,
            missed: stint.missed,
        });
        PlayedSeat {
            players: players.collect(),
            seat: seat.seat,
            team: seat.team,
            won: seat.won,
            bot: seat.bot,
        }
    });
    TableResult {
        turn: read.turn,
        level: read.level,
        seats: seats.collect(),
    }
}

/// The member behind a player of a campaign: whom the draw has put there, or who has taken the
/// seat over by a word of the club.
fn who(table: &ClubTable, club: &str, seat: &SeatId, stint: &Stint) -> Option<MemberNumber> {
    match &stint.origin {
        StintOrigin::Beginning => {
            let TableStanding::Begun(drawn, _) = &table.standing else {
                return None;
            };
            let mut seated = drawn.seated.iter();
            seated.find(|(_, drawn)| drawn == seat).map(|(it, _)| *it)
        }
        StintOrigin::Club(word) => {
            let rest = word.strip_prefix(club)?.strip_prefix('-')?;
            let record: u64 = rest.split('-').next()?.parse().ok()?;
            let mut takers = table.takers.iter();
            takers
                .find(|taker| taker.record == record && taker.seat == *seat)
                .map(|taker| taker.member)
        }
        StintOrigin::Opponent | StintOrigin::Umpire => None,
    }
}

/// All that the club remembers, for members to read.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClubResults {
    /// Campaigns that have ended, the newest first.
    pub campaigns: Vec<EndedCampaign>,
    /// How strong members are, by game, the strongest first.
    pub ratings: Vec<MemberRating>,
    /// How good seats are, by game and scenario.
    pub seats: Vec<SeatHandicap>,
    /// How members keep their deadlines.
    pub reliability: Vec<Reliability>,
    /// How members have played against each other.
    pub head_to_head: Vec<HeadToHead>,
}

/// A campaign that has ended.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EndedCampaign {
    /// Its table.
    pub table: u32,
    /// Its name.
    pub campaign: String,
    /// The game's id.
    pub game: String,
    /// The scenario's id.
    pub scenario: String,
    /// When it ended.
    pub ended: Timestamp,
    /// Its last turn.
    pub turn: i64,
    /// The level of the victory, in words.
    pub level: String,
    /// Who played what.
    pub seats: Vec<EndedSeat>,
}

/// A seat of a campaign that has ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EndedSeat {
    /// The seat.
    pub seat: SeatId,
    /// How it came out.
    pub outcome: SeatOutcome,
    /// Its players in order, as others may know them; empty for a bot.
    pub players: Vec<String>,
}

/// How a member keeps his deadlines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reliability {
    /// The member.
    pub member: MemberNumber,
    /// As others may know him.
    pub name: String,
    /// How many waits have ended with his words in.
    pub kept: u32,
    /// How many deadlines he has missed.
    pub missed: u32,
}

/// How two members have played against each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HeadToHead {
    /// One of them.
    pub member: MemberNumber,
    /// As others may know him.
    pub name: String,
    /// The other one.
    pub against: MemberNumber,
    /// As others may know him.
    pub against_name: String,
    /// What the one has won, drawn and lost against the other.
    #[serde(flatten)]
    pub tally: Tally,
}

/// Tables that have ended, in the order in which they did.
pub(super) fn ended(state: &ClubState) -> Vec<(u32, &ClubTable)> {
    let tables = state.tables.iter();
    let mut ended: Vec<(Timestamp, u32, &ClubTable)> = tables
        .filter_map(|(number, table)| Some((table.ended.as_ref()?.at, *number, table)))
        .collect();
    ended.sort_by_key(|(at, number, _)| (*at, *number));
    let ended = ended.into_iter();
    ended.map(|(_, number, table)| (number, table)).collect()
}

impl ClubResults {
    /// What is remembered; of one game alone, if one is named.
    pub(super) fn of(state: &ClubState, people: &People, game: Option<&str>, lang: Lang) -> Self {
        let mut tables = ended(state);
        tables.retain(|(_, table)| game.is_none_or(|game| table.plan.game == game));
        let results = || {
            let tables = tables.iter();
            tables.filter_map(|(_, table)| table.ended.as_ref().map(|it| &it.result))
        };
        let (mut attended, mut met) = (BTreeMap::new(), BTreeMap::new());
        for result in results() {
            attend(result, &mut attended);
            meet(result, &mut met);
        }
        let ratings = ClubRatings::of(tables.iter().map(|(_, table)| *table));
        let reliability = attended.into_iter();
        let reliability = reliability.map(|(member, (kept, missed))| Reliability {
            member,
            name: people.shown(member),
            kept,
            missed,
        });
        let head_to_head = met.into_iter();
        let head_to_head = head_to_head.map(|((member, against), tally)| HeadToHead {
            member,
            name: people.shown(member),
            against,
            against_name: people.shown(against),
            tally,
        });
        let campaigns = tables.iter().rev();
        Self {
            campaigns: campaigns
                .filter_map(|(number, table)| EndedCampaign::of(*number, table, people, lang))
                .collect(),
            ratings: ratings.of_members(people),
            seats: ratings.of_seats(),
            reliability: reliability.collect(),
            head_to_head: head_to_head.collect(),
        }
    }
}

/// Adds how members have kept their deadlines in a campaign.
fn attend(result: &TableResult, attended: &mut BTreeMap<MemberNumber, (u32, u32)>) {
    for player in result.seats.iter().flat_map(|seat| &seat.players) {
        if let Some(member) = player.member {
            let (kept, missed) = attended.entry(member).or_default();
            *kept = kept.saturating_add(player.kept);
            *missed = missed.saturating_add(player.missed);
        }
    }
}

/// Adds who has met whom in a campaign, both ways round.
fn meet(result: &TableResult, met: &mut BTreeMap<(MemberNumber, MemberNumber), Tally>) {
    for one in &result.seats {
        for other in result.seats.iter().filter(|it| it.team != one.team) {
            let (Some(member), Some(against)) = (one.member(), other.member()) else {
                continue;
            };
            // Of two who have both lost to a third none has beaten the other.
            let outcome = match (one.won, other.won) {
                (true, false) => SeatOutcome::Won,
                (false, true) => SeatOutcome::Lost,
                _ => SeatOutcome::Drawn,
            };
            met.entry((member, against)).or_default().count(outcome);
        }
    }
}

impl EndedCampaign {
    fn of(number: u32, table: &ClubTable, people: &People, lang: Lang) -> Option<Self> {
        let ended = table.ended.as_ref()?;
        let result = &ended.result;
        let seats = result.seats.iter().map(|seat| {
            let members = seat.players.iter().filter_map(|player| player.member);
            EndedSeat {
                seat: seat.seat.clone(),
                outcome: result.outcome(seat),
                players: members.map(|member| people.shown(member)).collect(),
            }
        });
        Some(Self {
            table: number,
            campaign: table.begun_as()?.to_string(),
            game: table.plan.game.clone(),
            scenario: table.plan.scenario.clone(),
            ended: ended.at,
            turn: result.turn,
            level: said(&result.level, lang).to_owned(),
            seats: seats.collect(),
        })
    }
}
