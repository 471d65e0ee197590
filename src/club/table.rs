//! A table: a campaign that looks for its players.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{draw::SeatDraw, ended::EndedTable, member_number::MemberNumber};
use crate::{
    campaign::model::{
        absence::AbsenceRules, clock::Schedule, errands::PressRules, observers::ObserverRule,
        settings::CampaignId,
    },
    digest::Digest,
    ids::SeatId,
};

/// What is to be played, as the founder has said it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TablePlan {
    /// The game's id.
    pub game: String,
    /// The scenario's id.
    pub scenario: String,
    /// The roster, in a game that has several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub roster: Option<String>,
    /// Options of the game that differ from its defaults.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
    /// How many letters with questions a seat may get in a turn.
    pub questions: u32,
    /// The seats for members, in the game's order.
    pub seats: Vec<SeatId>,
    /// The seats for bots.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bots: Vec<SeatId>,
    /// When orders close.
    pub schedule: Schedule,
    /// Whether players may write to each other through the host.
    #[serde(default, skip_serializing_if = "PressRules::is_default")]
    pub press: PressRules,
    /// What is done about players who are away, or gone.
    #[serde(default, skip_serializing_if = "AbsenceRules::is_default")]
    pub absence: AbsenceRules,
    /// Who may look on, and at what.
    #[serde(default, skip_serializing_if = "ObserverRule::is_none")]
    pub observers: ObserverRule,
}

/// A table of the club.
#[derive(Clone, Debug, PartialEq)]
pub struct ClubTable {
    /// What is to be played.
    pub plan: TablePlan,
    /// Who has founded it.
    pub founder: MemberNumber,
    /// When.
    pub founded: Timestamp,
    /// Binds the key of its draw, from the beginning on.
    pub anchor: Digest,
    /// Who has joined, in order.
    pub players: Vec<TablePlayer>,
    /// Whether it is open.
    pub standing: TableStanding,
    /// The seats that look for another player, as the campaign has last said.
    pub listed: Vec<SeatId>,
    /// Who has taken over a seat, in order.
    pub takers: Vec<SeatTaker>,
    /// How its campaign ended, if it has.
    pub ended: Option<EndedTable>,
    /// Who looks on.
    pub observers: BTreeSet<MemberNumber>,
    /// Who has ever been sent what a seat sees: he knows too much to play there.
    pub watched: BTreeSet<MemberNumber>,
    /// The last sheet that was handed out to those who look on.
    pub last_sheet: Option<String>,
}

/// Who has taken over a seat of a campaign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatTaker {
    /// The member.
    pub member: MemberNumber,
    /// The seat.
    pub seat: SeatId,
    /// True until the campaign has taken it in.
    pub is_new: bool,
    /// The number of the record that gave it to him.
    pub record: u64,
}

/// Who has joined a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TablePlayer {
    /// The member.
    pub member: MemberNumber,
    /// The seats that he would like, the best first.
    pub wishes: Vec<SeatId>,
}

/// Where a table stands.
#[derive(Clone, Debug, PartialEq)]
pub enum TableStanding {
    /// It looks for players.
    Open,
    /// Everybody is there, seats are drawn, and the campaign is about to begin.
    Full(SeatDraw),
    /// The campaign has begun.
    Begun(SeatDraw, CampaignId),
    /// Its founder or the umpire has given it up.
    Closed,
    /// The campaign could not be begun.
    Failed,
}

impl ClubTable {
    /// Returns true if it looks for players.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.standing == TableStanding::Open
    }

    /// Its campaign, once it has begun.
    #[must_use]
    pub fn begun_as(&self) -> Option<&CampaignId> {
        match &self.standing {
            TableStanding::Begun(_, campaign) => Some(campaign),
            _ => None,
        }
    }

    /// How many players are missing.
    #[must_use]
    pub fn missing(&self) -> usize {
        self.plan.seats.len().saturating_sub(self.players.len())
    }

    /// The seats that look for another player, and have not been given to one.
    pub fn offered(&self) -> impl Iterator<Item = &SeatId> {
        let given = |seat: &SeatId| {
            let mut takers = self.takers.iter();
            takers.any(|taker| taker.is_new && taker.seat == *seat)
        };
        self.listed.iter().filter(move |seat| !given(seat))
    }

    /// Returns true if a member has played in its campaign, or is going to: he knows what his seat
    /// does.
    #[must_use]
    pub fn knows(&self, member: MemberNumber) -> bool {
        self.has(member) || self.takers.iter().any(|taker| taker.member == member)
    }

    /// Returns true if something of a member is kept with it.
    #[must_use]
    pub fn concerns(&self, member: MemberNumber) -> bool {
        let looks_on = self.observers.contains(&member) || self.watched.contains(&member);
        self.founder == member || self.knows(member) || looks_on
    }

    /// Returns true if a member has joined it.
    #[must_use]
    pub fn has(&self, member: MemberNumber) -> bool {
        self.players.iter().any(|player| player.member == member)
    }
}
