//! A report on many campaigns.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{CampaignFault, PlayedCampaign, SimulationPlan, TurnTally, play::milliseconds};
use crate::ids::SeatId;

/// The results of many campaigns.
#[derive(Clone, Debug, Serialize)]
pub struct SimulationReport {
    /// The game.
    pub game: String,
    /// The scenario.
    pub scenario: String,
    /// The options.
    pub options: BTreeMap<String, String>,
    /// The seed.
    pub seed: u64,
    /// How many campaigns were played.
    pub campaigns: usize,
    /// How they ended, for each pairing of bots.
    pub results: Vec<Results>,
    /// The habits of each seat in a turn.
    pub seats: BTreeMap<SeatId, Habits>,
    /// The habits of each bot in a turn.
    pub bots: BTreeMap<String, Habits>,
    /// Phases run in all.
    pub phases: usize,
    /// Letters sent in all.
    pub letters: usize,
    /// Milliseconds to play a campaign.
    pub play: Spread,
    /// Milliseconds to audit one.
    pub audit: Spread,
    /// The faults found, by the campaign's number.
    pub faults: BTreeMap<usize, Vec<CampaignFault>>,
}

/// How campaigns of the same bots ended.
#[derive(Clone, Debug, Serialize)]
pub struct Results {
    /// The bot of each seat.
    pub bots: BTreeMap<SeatId, String>,
    /// The number of campaigns.
    pub campaigns: usize,
    /// How often each ending came about: `side level`, or `broken off`.
    pub endings: BTreeMap<String, usize>,
    /// In which turn they ended.
    pub turns: Spread,
}

/// The activity per turn.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Habits {
    /// Mails sent.
    pub mails: Spread,
    /// Mails with questions received.
    pub questions: Spread,
    /// Orders of all campaigns.
    pub orders: usize,
    /// Orders that a check refused, in all.
    pub refused: usize,
    /// Lines not understood, in all.
    pub wrong: usize,
}

/// The middle and the ends of many numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Spread {
    /// The smallest.
    pub least: u64,
    /// Half of them are not larger.
    pub median: u64,
    /// The largest.
    pub most: u64,
}

impl Spread {
    /// The spread of numbers; zeros if there are none.
    #[must_use]
    pub fn of(mut numbers: Vec<u64>) -> Self {
        numbers.sort_unstable();
        let at = |index: usize| numbers.get(index).copied().unwrap_or(0);
        Self {
            least: at(0),
            median: at(numbers.len().saturating_sub(1) / 2),
            most: at(numbers.len().saturating_sub(1)),
        }
    }
}

impl Habits {
    fn of<'a>(tallies: impl Iterator<Item = &'a TurnTally>) -> Self {
        let tallies: Vec<&TurnTally> = tallies.collect();
        let sum = |of: fn(&TurnTally) -> usize| tallies.iter().map(|tally| of(tally)).sum();
        Self {
            mails: Spread::of(tallies.iter().map(|tally| tally.mails as u64).collect()),
            questions: Spread::of(
                tallies
                    .iter()
                    .map(|tally| u64::from(tally.questions))
                    .collect(),
            ),
            orders: sum(|tally| tally.orders),
            refused: sum(|tally| tally.refused),
            wrong: sum(|tally| tally.wrong),
        }
    }
}

impl SimulationReport {
    pub(super) fn of(plan: &SimulationPlan, seats: &[SeatId], played: &[PlayedCampaign]) -> Self {
        let tallies = |wanted: &dyn Fn(&PlayedCampaign, &SeatId) -> bool| {
            let each = played.iter().flat_map(|campaign| {
                let turns = campaign.turns.values().flatten();
                turns
                    .filter(|(seat, _)| wanted(campaign, seat))
                    .map(|(_, tally)| tally)
            });
            Habits::of(each)
        };
        let mut bots: Vec<&String> = (played.iter())
            .flat_map(|campaign| campaign.bots.values())
            .collect();
        bots.sort();
        bots.dedup();
        let times = |of: fn(&PlayedCampaign) -> std::time::Duration| {
            Spread::of(
                played
                    .iter()
                    .map(|campaign| milliseconds(of(campaign)))
                    .collect(),
            )
        };
        let faulty = played.iter().filter(|campaign| !campaign.faults.is_empty());
        Self {
            game: plan.game.clone(),
            scenario: plan.scenario.clone(),
            options: plan.options.clone(),
            seed: plan.seed,
            campaigns: played.len(),
            results: plan
                .pairings
                .iter()
                .map(|bots| results(bots, played))
                .filter(|results| results.campaigns > 0)
                .collect(),
            seats: seats
                .iter()
                .map(|seat| (seat.clone(), tallies(&|_, known| known == seat)))
                .collect(),
            bots: bots
                .into_iter()
                .map(|bot| {
                    (
                        bot.clone(),
                        tallies(&|campaign, seat| campaign.bots.get(seat) == Some(bot)),
                    )
                })
                .collect(),
            phases: played.iter().map(|campaign| campaign.phases).sum(),
            letters: played.iter().map(|campaign| campaign.letters).sum(),
            play: times(|campaign| campaign.time),
            audit: times(|campaign| campaign.audit),
            faults: faulty
                .map(|campaign| (campaign.number, campaign.faults.clone()))
                .collect(),
        }
    }

    /// Returns true if nothing was found wrong.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.faults.is_empty()
    }
}

fn results(bots: &BTreeMap<SeatId, String>, played: &[PlayedCampaign]) -> Results {
    let own: Vec<&PlayedCampaign> = played
        .iter()
        .filter(|campaign| campaign.bots == *bots)
        .collect();
    let mut endings = BTreeMap::new();
    for campaign in &own {
        let ending = match &campaign.ending {
            Some(ending) => format!("{} {}", ending.side, ending.level),
            None => "broken off".to_owned(),
        };
        *endings.entry(ending).or_insert(0) += 1;
    }
    let turns = own
        .iter()
        .map(|campaign| u64::try_from(campaign.last_turn).unwrap_or(0));
    Results {
        bots: bots.clone(),
        campaigns: own.len(),
        endings,
        turns: Spread::of(turns.collect()),
    }
}
