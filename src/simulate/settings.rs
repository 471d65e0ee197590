//! The settings of a simulated campaign.

use jiff::Timestamp;

use super::SimulationPlan;
use crate::{
    campaign::model::{
        clock::{Deadlines, Schedule},
        concerns::BouncePolicy,
        dispatch_policy::DispatchPolicy,
        errands::PressRules,
        seats::{Seat, Seats},
        settings::{DiceSource, Settings},
        trust::TrustPolicy,
    },
    game::{Game, Lang, SeatDecl, Seating},
    mail::Mailbox,
};

/// Hours after which a wait ends.
const MOST_HOURS: u32 = 72;

/// The settings of a plan's campaign: the game's languages change from round to round of the
/// pairings.
///
/// # Errors
/// The refusal of the campaign's own types.
pub(super) fn settings(
    plan: &SimulationPlan,
    game: &Game,
    number: usize,
    now: Timestamp,
) -> Result<Settings, String> {
    // They change when all pairings have had their turn, so that each plays in all languages.
    let round = number.saturating_sub(1) / plan.pairings.len().max(1);
    let languages = game.languages().cycle();
    let mut languages = languages.skip(round % game.text.len().max(1));
    let mut seat = |declared: &SeatDecl| -> Result<Seat, String> {
        let id = declared.id.clone();
        Ok(Seat {
            address: format!("{id}@example.org").parse()?,
            id,
            lang: languages.next().unwrap_or(Lang::En),
            name: String::new(),
            zone: None,
            screen: Default::default(),
        })
    };
    let seats = game.decl.seats.iter();
    let players = seats.map(&mut seat).collect::<Result<_, _>>()?;
    let deadlines = Deadlines::WhenAllIn {
        most_hours: Some(MOST_HOURS),
    };
    let settings = Settings {
        campaign: format!("simulated-{number}").parse()?,
        title: String::new(),
        press: PressRules::default(),
        absence: Default::default(),
        observers: Default::default(),
        club: None,
        game: plan.game.clone(),
        scenario: plan.scenario.clone(),
        options: plan.options.clone(),
        seats: Seats::new(players)?,
        seating: Seating {
            roster: plan.roster.clone(),
            ..Seating::default()
        },
        umpire: None,
        umpires: Vec::new(),
        mailbox: Mailbox {
            local: "games".into(),
            domain: "example.org".into(),
            delimiter: '+',
        },
        schedule: Schedule::new("UTC".parse()?, deadlines, 0)?,
        dice: vec![DiceSource::Orders],
        questions_per_turn: plan.questions_per_turn,
        pictures: plan.pictures,
        trust: TrustPolicy::default(),
        unreachable: BouncePolicy::default(),
        dispatches: DispatchPolicy::default(),
        seed: Some(plan.seed.to_string()),
        created: now,
    };
    settings.check()?;
    Ok(settings)
}
