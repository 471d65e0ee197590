//! Campaigns in which everybody may know of questions about a retreat.

use estafette::campaign::model::state::{CurrentWait, State};

use super::{Plan, Test, change, copied_games};

/// The French attack.
pub const ATTACK: &str = "DÉPLACER Bonaparte, Massena, Rampon, Victor, Pijon : Castiglione";

/// The short scenario of a game in which everybody may know of questions about a retreat.
pub fn public_retreats() -> Plan {
    let games = copied_games();
    change(
        &games.path().join("castiglione/game.yaml"),
        "      keyword: RETREAT\n",
        "      keyword: RETREAT\n      public: true\n",
    );
    // The campaign pins its own copy: the folder may go.
    let folder = games.keep();
    // Pictures take most of the time, and say nothing here.
    Test::campaign("castiglione")
        .scenario("lonato")
        .games(&folder)
}

/// Both set-ups are given, with these standing orders of the Austrians, and the French are to move.
pub fn set_up_with(test: &mut Test, standing: &str) {
    test.clock("2026-11-21T13:00:00Z");
    test.mail("french", "RIEN").mail("austrian", standing).run();
    test.clock("2026-11-21T14:00:00Z");
    if awaited(&test.state()) == ["austrian"] {
        test.mail("austrian", "NOTHING").run();
        test.clock("2026-11-21T15:00:00Z");
    }
    assert_eq!(awaited(&test.state()), ["french"]);
}

/// The seats whose orders are waited for.
pub fn awaited(state: &State) -> Vec<String> {
    match &state.waiting {
        CurrentWait::Orders { seats, .. } => seats.iter().map(ToString::to_string).collect(),
        _ => Vec::new(),
    }
}

/// Returns true if answers are waited for, in public or in quiet.
pub fn asked(state: &State) -> Option<bool> {
    match &state.waiting {
        CurrentWait::Answers { public, .. } => Some(*public),
        _ => None,
    }
}
