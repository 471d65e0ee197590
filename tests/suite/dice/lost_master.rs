//! The umpire's secret is lost: what was rolled stays provable, and the campaign goes on with a new
//! one, for all to see.

use std::{fs, process::Output};

use crate::support::{NAME, Plan, Test, is_sound, pass, umpire};
use estafette::{
    audit::{self, Verdict, bundle},
    campaign::model::state::CurrentWait,
    dice::Master,
};

fn new_master(test: &Test) -> Output {
    umpire(test, &["new-master", "--why", "the disk broke"])
}

#[track_caller]
fn renews(test: &Test) {
    let output = new_master(test);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{error}");
    let drawer = String::from_utf8(output.stdout).unwrap();
    let master = fs::read_to_string(test.root().join("secret/master")).unwrap();
    assert!(drawer.contains(master.trim()), "{drawer}");
}

#[track_caller]
fn is_refused(test: &Test, why: &str) {
    let output = new_master(test);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains(why), "{why}: {error}");
}

fn lose(test: &Test) {
    fs::remove_file(test.root().join("secret/master")).unwrap();
}

/// Why a pass can't be made.
fn trouble(test: &Test) -> String {
    match test.open().pass(test.now()) {
        Err(error) => error.to_string(),
        Ok(pass) => panic!("{pass:?}"),
    }
}

/// A short campaign; pictures have nothing to do with its secrets.
fn plan() -> Plan {
    Test::campaign("castiglione").scenario("lonato")
}

/// A campaign with an envelope that is rolled.
fn begun() -> Test {
    let mut test = plan().begin();
    test.clock("2026-11-21T13:00:00Z");
    test.mail("french", "RIEN")
        .mail("austrian", "PURSUE NEVER")
        .run();
    test
}

#[test]
fn a_campaign_goes_on_with_a_new_master() {
    let mut test = begun();
    is_refused(&test, "the campaign has its secret");
    lose(&test);
    is_sound(&test);
    // The kept keys are enough for the orders that are waited for, and no further.
    pass(&mut test, "2026-11-21T14:00:00Z");
    assert_eq!(test.state().dice.envelope, 2);
    let CurrentWait::Orders { seats, .. } = test.state().waiting else {
        panic!("no orders are waited for");
    };
    let words = if seats[0] == "french" {
        "RIEN"
    } else {
        "NOTHING"
    };
    test.mail(&seats[0], words);
    let before = test.journal();
    assert!(trouble(&test).contains("nobody can seal envelope 3 without it"));
    assert_eq!(test.journal(), before, "no receipt was issued");

    renews(&test);
    for seat in ["french", "austrian"] {
        test.newest(seat)
            .contains("\ntext the master is lost after envelope 2; a new opening follows: the disk broke\n")
            .contains("\nsd1 spring 7 open\n")
            .contains("\nregister 7 ");
    }
    assert_eq!(test.state().lost, 1);
    is_refused(&test, "the campaign has its secret");
    test.clock("2026-11-21T15:00:00Z").run();
    assert_eq!(
        test.state().dice.envelope,
        3,
        "the mail that lay there was taken"
    );
    is_sound(&test);

    // The same can happen again.
    lose(&test);
    renews(&test);
    pass(&mut test, "2026-11-21T16:00:00Z");
    assert_eq!((test.state().dice.envelope, test.state().lost), (4, 2));
    is_sound(&test);
}

#[test]
fn a_new_master_begins_between_two_envelopes() {
    let mut test = begun();
    let CurrentWait::Orders { seats, .. } = test.state().waiting else {
        panic!("no orders are waited for");
    };
    let other = if seats[0] == "french" {
        "austrian"
    } else {
        "french"
    };
    let words = if other == "french" {
        "POURSUIVRE JAMAIS"
    } else {
        "PURSUE NEVER"
    };
    test.mail(other, words).run();
    lose(&test);
    // A receipt has been issued whose code comes from the lost master.
    is_refused(&test, "the kept keys are enough for envelope 2");
    pass(&mut test, "2026-11-21T14:00:00Z");
    renews(&test);
    is_sound(&test);
}

#[test]
fn what_was_interrupted_is_brought_to_its_end() {
    let secret = |test: &Test, name: &str| test.root().join("secret").join(name);
    // After the old keys were laid aside; after the master was drawn; with the old keys gone.
    for step in 0..3 {
        let mut test = begun();
        lose(&test);
        fs::copy(secret(&test, "keys"), secret(&test, "lost-1")).unwrap();
        if step > 0 {
            let master = Master::simulated("new", &NAME.parse().unwrap());
            fs::write(secret(&test, "master"), master.to_hex()).unwrap();
        }
        if step > 1 {
            fs::remove_file(secret(&test, "keys")).unwrap();
        }
        test.mail("french", "POURSUIVRE JAMAIS");
        assert!(trouble(&test).contains("new-master"), "{step}");
        renews(&test);
        pass(&mut test, "2026-11-21T14:00:00Z");
        is_sound(&test);
    }
}

#[test]
fn a_false_master_is_refused() {
    let test = begun();
    let master = Master::simulated("another", &NAME.parse().unwrap());
    fs::write(test.root().join("secret/master"), master.to_hex()).unwrap();
    let error = audit::campaign(&test.root()).unwrap_err().to_string();
    assert!(
        error.contains("not the secret with which the campaign goes on"),
        "{error}"
    );
    // Without the keys beside it, the journal's first record tells.
    fs::remove_file(test.root().join("secret/keys")).unwrap();
    let report = audit::campaign(&test.root()).unwrap();
    assert_eq!(report.verdict(), Verdict::Wrong);
    lose(&test);
    let error = audit::campaign(&test.root()).unwrap_err().to_string();
    assert!(
        error.contains("neither are the keys of used envelopes"),
        "{error}"
    );
}

#[test]
fn a_lost_master_leaves_every_die_proven() {
    let mut test = plan()
        .deadlines("{zone: UTC, at: [Mon 20:00, Wed 20:00, Fri 20:00]}")
        .questions(0)
        .begin();
    let mut now = test.now();
    for _ in 0..100 {
        let state = test.state();
        if state.waiting == CurrentWait::Nothing {
            break;
        }
        if state.dice.envelope == 3 && state.lost == 0 {
            lose(&test);
            renews(&test);
        }
        now += jiff::SignedDuration::from_hours(48);
        test.clock(&now.to_string());
        test.run();
    }
    assert_eq!(test.state().waiting, CurrentWait::Nothing);
    let out = tempfile::tempdir().unwrap();
    assert!(bundle::write(&test.root(), out.path()).unwrap().complete);
    let register = fs::read_to_string(out.path().join("dice/register.txt")).unwrap();
    assert!(register.contains("\nmaster -\nmaster "));
    let report = || bundle::audit(out.path(), &mut |_, _| {}).unwrap();
    let whole = report();
    assert_eq!(whole.verdict(), Verdict::Fits, "{whole:#?}");
    let rolls = |report: &audit::AuditReport| {
        let shut = report.unchecked.iter().filter(|line| line.contains("roll"));
        shut.count()
    };
    assert_eq!(rolls(&whole), 0, "{whole:#?}");
    let lost = out.path().join("secret/lost-1");
    let text = fs::read_to_string(&lost).unwrap();
    let key = text
        .lines()
        .find(|line| line.starts_with("key shut"))
        .unwrap();
    let other = format!("key shut {}", "ab".repeat(32));
    fs::write(&lost, text.replace(key, &other)).unwrap();
    let wrong = report().wrong;
    assert!(wrong[0].contains("key shut of envelope 3"), "{wrong:#?}");
}
