//! The bots that play to win: they beat the one that plays by chance, and order nothing that their
//! own receipt would refuse.

use std::collections::BTreeMap;

use crate::support::shipped_with_bots;
use estafette::{
    ids::SeatId,
    simulate::{self, SimulationPlan, SimulationReport},
};

/// So few campaigns that the test is quick: docs/bots.md has the long tables.
const CAMPAIGNS: usize = 2;

/// The sensible bot of a seat wins each of these campaigns against the random one.
#[track_caller]
fn beats_chance(game: &str, scenario: &str, option: Option<(&str, &str)>, winner: &str) {
    let bot = |seat: &SeatId| match *seat == *winner {
        true => "sensible".to_owned(),
        false => "random".to_owned(),
    };
    let report = played(game, scenario, option, CAMPAIGNS, bot);
    let endings = &report.results[0].endings;
    let won = endings
        .iter()
        .filter(|(ending, _)| ending.starts_with(winner));
    assert_eq!(
        won.map(|(_, count)| count).sum::<usize>(),
        CAMPAIGNS,
        "{endings:?}"
    );
    let sensible = &report.bots["sensible"];
    assert!(sensible.orders > 0);
    assert_eq!((sensible.refused, sensible.wrong), (0, 0));
}

/// Campaigns played to their end without a fault; what scripts remember is worked out anew.
#[track_caller]
fn played(
    game: &str,
    scenario: &str,
    option: Option<(&str, &str)>,
    campaigns: usize,
    bot: impl Fn(&SeatId) -> String,
) -> SimulationReport {
    let loaded = shipped_with_bots(game);
    let seats = loaded.game.decl.seats.iter().map(|seat| &seat.id);
    let options = option.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let plan = SimulationPlan {
        game: game.into(),
        scenario: scenario.into(),
        roster: None,
        options: options.into_iter().collect(),
        questions_per_turn: loaded.game.decl.questions_per_turn,
        pairings: vec![seats.map(|seat| (seat.clone(), bot(seat))).collect()],
        campaigns,
        seed: 7,
        threads: 2,
        trace: false,
        out: None,
        keep_all: false,
        recheck: true,
        pictures: false,
    };
    let report = simulate::run(&plan, &loaded, &mut |_| ()).unwrap();
    assert_eq!(report.faults, BTreeMap::new());
    report
}

/// The game that remembers most: what units control, where they could step, who rests.
#[test]
fn a_battle_remembers_nothing_that_is_no_longer_so() {
    for bot in ["sensible", "random"] {
        played("risorgimento", "canal_bridge", None, 1, |_| bot.to_owned());
    }
}

#[test]
fn sense_beats_chance_in_castiglione() {
    for winner in ["french", "austrian"] {
        beats_chance("castiglione", "lonato", None, winner);
    }
}

#[test]
fn sense_beats_chance_in_the_fog() {
    for winner in ["french", "austrian"] {
        beats_chance("castiglione", "lonato", Some(("fog", "on")), winner);
    }
}

#[test]
fn sense_beats_chance_in_novara() {
    for winner in ["austrian", "sardinian"] {
        beats_chance("novara", "la_sforzesca", None, winner);
    }
}

/// The Austrians cut off the supply of the army at Novara.
#[test]
fn sense_beats_chance_before_novara() {
    beats_chance("novara", "novara", None, "austrian");
}
