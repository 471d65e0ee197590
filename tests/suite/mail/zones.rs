//! Each reader is told times in his own zone.

use crate::support::{Test, is_sound};

fn begin(seats: &'static str) -> Test {
    Test::campaign("castiglione")
        .scenario("lonato")
        .deadlines(seats)
        .begin()
}

#[test]
fn a_seat_names_its_zone_by_mail() {
    let mut test = begin("{zone: Europe/Paris, most_hours: 48}");
    for (seat, line) in [
        ("austrian", "ZONE Europe/Rome"),
        ("french", "FUSEAU Europe/Rome"),
    ] {
        // The opening tells how.
        let opening = test.letters(seat).remove(0);
        assert!(opening.text.contains(line), "{}", opening.text);
    }
    test.dispatch("austrian")
        .contains("Monday 23 November 2026, 13:00 (Europe/Paris)");
    test.mail("austrian", "ZONE America/new_york\nPURSUE NEVER")
        .run();
    let letters = test.letters("austrian");
    let told = &letters[letters.len() - 2];
    told.contains("America/New_York from now on.");
    told.contains("07:00 (America/New_York)");
    // The orders beside it count, and the line is none of them.
    let receipt = test.newest("austrian");
    receipt
        .contains("PURSUE NEVER")
        .contains("(America/New_York)");
    receipt.lacks("NOT UNDERSTOOD").lacks("ZONE");
    // Nobody else is told otherwise, and the journal gives the same again.
    test.mail("french", "RIEN").run();
    test.newest("french").contains("(Europe/Paris)");
    is_sound(&test);
    // In French, and for whoever plays the seat by then.
    test.mail("french", "FUSEAU UTC").run();
    test.newest("french").contains("dans le fuseau UTC");
    is_sound(&test);
}

#[test]
fn a_zone_that_there_is_not_changes_nothing() {
    let mut test = begin("{zone: UTC, most_hours: 48}");
    test.mail("austrian", "ZONE Middle/Earth").run();
    test.newest("austrian")
        .contains("Europe/Rome: the continent");
    assert!(test.state().contacts.is_empty());
    is_sound(&test);
}

#[test]
fn new_and_replace_name_zones() {
    let folder = tempfile::tempdir().unwrap();
    let into = folder.path().join("campaign");
    let new = |zone: &str| {
        let seat = format!("french=ada@example.org,zone={zone}");
        let args = ["new", "castiglione", "--into", into.to_str().unwrap()];
        let more = ["--seat", &seat, "--seat", "austrian=bert@example.org"];
        crate::support::program::estafette(&[&args[..], &more, &["--no-pictures"]].concat(), b"")
    };
    let wrong = new("Middle/Earth");
    assert_eq!(wrong.code, 2, "{wrong:?}");
    assert!(wrong.err.contains("there is no time zone"), "{wrong:?}");
    assert_eq!(new("Asia/Tokyo").code, 0);
    let yaml = std::fs::read_to_string(into.join("campaign.yaml")).unwrap();
    assert!(yaml.contains("zone: Asia/Tokyo"), "{yaml}");
}

#[test]
fn a_seat_names_its_screen_by_mail() {
    let mut test = Test::campaign("castiglione")
        .with_pictures()
        .scenario("lonato")
        .deadlines("{zone: UTC, most_hours: 48}")
        .begin();
    for (seat, line) in [("austrian", "PICTURE PHONE"), ("french", "IMAGE TÉLÉPHONE")] {
        let opening = test.letters(seat).remove(0);
        assert!(opening.text.contains(line), "{}", opening.text);
    }
    let wide = test.dispatch("austrian");
    let shows = |letter: &crate::support::Letter, width: &str| {
        let html = letter.html.as_deref().unwrap_or_default();
        html.contains(&format!(r#" width="{width}""#))
    };
    assert!(shows(&wide, "744") && !shows(&wide, "370"));
    test.mail("austrian", "Picture phone!\nPURSUE NEVER").run();
    let letters = test.letters("austrian");
    letters[letters.len() - 2].contains("laid out for a telephone");
    let receipt = test.newest("austrian");
    receipt.contains("PURSUE NEVER").lacks("NOT UNDERSTOOD");
    test.mail("austrian", "ADD\nNOTHING").run();
    test.mail("french", "RIEN").run();
    let narrow = test.dispatch("austrian");
    assert_ne!(narrow.message_id, wide.message_id);
    assert!(shows(&narrow, "370") && !shows(&narrow, "744"));
    assert!(shows(&test.dispatch("french"), "744"));
    is_sound(&test);
    test.mail("austrian", "IMAGE LARGE").run();
    test.newest("austrian")
        .contains("as wide as a letter again");
    is_sound(&test);
}

/// Two wishes in one mail are both granted.
#[test]
fn a_seat_names_zone_and_screen_in_one_mail() {
    let mut test = begin("{zone: UTC, most_hours: 48}");
    test.mail("austrian", "ZONE Europe/Paris\nPICTURE PHONE\n")
        .run();
    let letters = test.letters("austrian");
    let told = |words: &str| letters.iter().any(|letter| letter.text.contains(words));
    assert!(told("Europe/Paris") && told("laid out for a telephone"));
    is_sound(&test);
}
