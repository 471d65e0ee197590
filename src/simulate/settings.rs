//! The settings of a simulated campaign.

use jiff::Timestamp;

use super::SimulationPlan;
use crate::{
    campaign::model::{
        clock::{Deadlines, Schedule},
        concerns::BouncePolicy,
        seats::{Seat, Seats},
        settings::{DiceSource, MailboxSetting, Settings},
        trust::TrustPolicy,
    },
    game::Lang,
    ids::SeatId,
};

/// Hours after which a wait ends.
const MOST_HOURS: u32 = 72;

/// The settings of a plan's campaign: the languages change from campaign to campaign, no map is drawn.
///
/// # Errors
/// What the campaign's own types refuse.
pub(super) fn settings(
    plan: &SimulationPlan,
    seats: &[SeatId],
    number: usize,
    now: Timestamp,
) -> Result<Settings, String> {
    let seat = |(index, id): (usize, &SeatId)| -> Result<Seat, String> {
        Ok(Seat {
            id: id.clone(),
            address: format!("{id}@example.org").parse()?,
            lang: Lang::ALL[(index + number) % Lang::ALL.len()],
            name: String::new(),
        })
    };
    let players = seats
        .iter()
        .enumerate()
        .map(seat)
        .collect::<Result<_, _>>()?;
    let deadlines = Deadlines::WhenAllIn {
        most_hours: Some(MOST_HOURS),
    };
    let settings = Settings {
        campaign: format!("simulated-{number}").parse()?,
        title: String::new(),
        game: plan.game.clone(),
        scenario: plan.scenario.clone(),
        options: plan.options.clone(),
        seats: Seats::new(players)?,
        umpire: None,
        host: MailboxSetting {
            local: "games".into(),
            domain: "example.org".into(),
            delimiter: '+',
        },
        schedule: Schedule::new("UTC".parse()?, deadlines, 0)?,
        dice: vec![DiceSource::Orders],
        questions_per_turn: plan.questions_per_turn,
        pictures: false,
        trust: TrustPolicy::default(),
        unreachable: BouncePolicy::default(),
        seed: Some(plan.seed.to_string()),
        created: now,
    };
    settings.check()?;
    Ok(settings)
}
