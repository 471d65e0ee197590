//! Bots that are not the program's own run where rules of others do, and what they do to their
//! process is told to the umpire: the campaign goes on.

use std::fs;

use estafette::{audit, campaign::model::state::CurrentWait};

use super::{DEEP, OVERFLOWED, estafette, overflows, plan, roomy, run, said};
use crate::support::{Test, copied_rules};

/// A campaign with the program's own rules, against a bot that does this.
fn against(what: &str) -> Test {
    let rules = copied_rules();
    let folder = rules.path().join("castiglione/bots");
    fs::create_dir_all(&folder).unwrap();
    let script = format!("fn strange(seat, asked) {{ {what}; [[\"NOTHING\"]] }}{DEEP}");
    fs::write(folder.join("strange.rhai"), script).unwrap();
    plan("spring")
        .rules(rules.path())
        .against("bot:strange")
        .begin()
}

fn hour(test: &mut Test, hour: u32) {
    test.clock(&format!("2026-11-21T{hour}:00:00Z"));
    test.mail("french", "RIEN");
    let output = run(test);
    assert!(output.status.success(), "{}", said(&output));
}

#[test]
fn a_bot_of_somebody_elses_plays_in_a_process_of_its_own() {
    let mut test = against("let others = true");
    for at in 13..16 {
        hour(&mut test, at);
    }
    assert!(test.records("bot").len() >= 2);
    assert!(test.letters("umpire").is_empty());
    let output = estafette(&["audit"], &test);
    assert!(output.status.success(), "{}", said(&output));
}

#[test]
fn a_bot_that_ends_its_process_is_told_to_the_umpire() {
    let mut test = against(&overflows());
    hour(&mut test, 13);
    let records = test.records("bot");
    assert_eq!(records.len(), 1, "{records:?}");
    let failed = records[0]["failed"].as_str().unwrap();
    assert!(failed.contains(OVERFLOWED), "{failed}");
    test.newest("umpire").contains(OVERFLOWED);
    // It is not run again, and whoever is asked instead plays on.
    hour(&mut test, 14);
    assert_eq!(test.records("bot").len(), 1);
    let state = roomy(|| test.state());
    assert!(matches!(state.waiting, CurrentWait::Orders { .. }));
    let report = roomy(|| audit::campaign(&test.root()).unwrap());
    assert!(report.wrong.is_empty(), "{report:#?}");
}
