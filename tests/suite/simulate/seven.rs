//! Seven bots play a game without dice to its end: one plays by chance, one to win.

use std::collections::BTreeMap;

use crate::support::shipped_with_bots;
use estafette::simulate::{self, SimulationPlan};

const GAME: &str = "diplomacy";

fn played(bot: &str, campaigns: usize, options: &[(&str, &str)]) -> simulate::SimulationReport {
    let loaded = shipped_with_bots(GAME);
    let seats = loaded.game.decl.seats.iter();
    let pairing = seats.map(|seat| (seat.id.clone(), bot.to_owned()));
    let set = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    let plan = SimulationPlan {
        roster: None,
        game: GAME.into(),
        scenario: "classic".into(),
        options: options.iter().map(set).collect::<BTreeMap<_, _>>(),
        questions_per_turn: loaded.game.decl.questions_per_turn,
        pairings: vec![pairing.collect()],
        campaigns,
        seed: 18,
        threads: 2,
        trace: false,
        out: None,
        keep_all: false,
        recheck: false,
        pictures: false,
    };
    simulate::run(&plan, &loaded, &mut |_| ()).unwrap()
}

#[test]
fn games_by_chance_end_with_their_last_year() {
    let report = played("random", 4, &[("last_year", "1906")]);
    assert_eq!(report.faults, BTreeMap::new(), "{report:#?}");
}

#[test]
fn games_to_win_end_with_a_victory_or_their_last_year() {
    let report = played(
        "sensible",
        2,
        &[("last_year", "1925"), ("victory_centres", "12")],
    );
    assert_eq!(report.faults, BTreeMap::new(), "{report:#?}");
}
