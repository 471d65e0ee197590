//! Audits of directories, bundles and mails, and the page that checks them in a browser.

mod bundle;
mod guide;
mod mails;
mod page;

use estafette::campaign::model::state::CurrentWait;

use crate::support::Test;

/// The French attack on the sixth turn, if they are waited for.
fn attack_castiglione(test: &mut Test) {
    let CurrentWait::Orders { seats, .. } = test.state().waiting else {
        return;
    };
    if seats[0] == "french" && test.state().world.turn() == 6 {
        let attack = "DÉPLACER Bonaparte, Massena, Rampon, Victor, Pijon : Castiglione";
        test.mail("french", attack).run();
    }
}

/// A campaign with fixed deadlines, an hour after its beginning.
fn lonato() -> Test {
    let mut test = Test::campaign("castiglione")
        .with_pictures()
        .scenario("lonato")
        .deadlines("{zone: UTC, at: [Mon 20:00, Wed 20:00, Fri 20:00]}")
        .begin();
    test.clock("2026-11-21T13:00:00Z");
    test
}

/// A campaign in which the Austrian has had more letters before the first dispatch than its list
/// names one by one.
fn talkative() -> Test {
    let mut test = Test::campaign("castiglione")
        .with_pictures()
        .scenario("lonato")
        .begin();
    test.clock("2026-11-21T13:00:00Z");
    for number in 0..120 {
        let turn = if number % 2 == 0 { "ALWAYS" } else { "NEVER" };
        test.mail("austrian", &format!("RETREAT {turn}")).run();
        let now = test.now() + jiff::SignedDuration::from_mins(20);
        test.clock(&now.to_string());
    }
    test.mail("french", "RIEN").run();
    test.mail("austrian", "RETREAT NEVER\nPURSUE NEVER").run();
    test
}
