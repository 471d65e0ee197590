//! Letters between seats that ride with couriers: they take their time, may be taken or be lost,
//! and their sender is told none of it.

use std::{collections::BTreeMap, fs};

use crate::{
    fog::table::masked,
    support::{Plan, Test, change, copied, is_sound, pass},
};

/// Two parties of two.
const SEATS: [&str; 4] = ["english", "spanish", "west", "east"];

/// What the couriers of the planted game do.
const COURIER: &str = r#"
fn courier(from, to) {
    if to == "spanish" { return #{turns: 0}; }
    if to == "west" { return #{turns: 0, taken: "east"}; }
    if to == "east" { return (); }
    throw "nobody rides to " + to;
}
"#;

fn with_couriers() -> Plan {
    let games = copied("games", &["toulon", "toulon/scenarios", "toulon/text"]).keep();
    let rules = copied("rules", &["lib", "toulon"]).keep();
    change(
        &games.join("toulon/game.yaml"),
        "\nphases:\n",
        "\ncourier: {call: courier}\nphases:\n",
    );
    fs::write(rules.join("toulon/couriers.rhai"), COURIER).unwrap();
    Test::campaign("toulon")
        .scenario("siege")
        .seats(&SEATS)
        .games(&games)
        .rules(&rules)
        .deadlines("{zone: UTC, most_hours: 48}")
        .settings_line("seating: {roster: '4'}\npress: {goes: with_dispatches, grey: true}\n")
}

fn press_of(test: &Test, seat: &str) -> Vec<String> {
    let letters = test.letters(seat).into_iter().map(|letter| letter.text);
    letters.filter(|text| text.contains("| Hold")).collect()
}

/// The deadline passes, with whatever is in.
fn dispatched(test: &mut Test) {
    test.clock("2026-11-23T13:00:00Z");
    test.run();
}

#[test]
fn a_letter_arrives_is_taken_or_lost_and_its_sender_not_told() {
    let mut test = with_couriers().begin();
    test.mail(
        "english",
        "PRESS TO spanish, west, east\nHold the bridge.\nEND",
    )
    .run();
    test.newest("english")
        .contains("A courier rides with your letter")
        .lacks("lost");
    for seat in SEATS {
        assert_eq!(press_of(&test, seat), <[String; 0]>::default(), "{seat}");
    }
    dispatched(&mut test);
    assert_eq!(press_of(&test, "spanish").len(), 1);
    assert_eq!(press_of(&test, "west"), <[String; 0]>::default());
    let taken = press_of(&test, "east");
    assert_eq!(taken.len(), 1);
    assert!(taken[0].contains("have taken a courier"), "{}", taken[0]);
    assert!(!taken[0].contains("PRESS TO"), "{}", taken[0]);
    assert!(press_of(&test, "spanish")[0].contains("PRESS TO english"));
    assert!(test.state().press.is_empty());
    is_sound(&test);
}

#[test]
fn a_script_that_fails_costs_no_letter_and_the_umpire_is_told() {
    let mut test = with_couriers().begin();
    test.mail("spanish", "PRESS TO english\nHold on.\nEND")
        .run();
    test.newest("umpire").contains("nobody rides to english");
    dispatched(&mut test);
    assert_eq!(press_of(&test, "english").len(), 1);
    is_sound(&test);
}

#[test]
fn third_seats_are_told_nothing_of_couriers() {
    let words = |test: &Test, seat: &str| -> BTreeMap<usize, String> {
        let letters = test.letters(seat).into_iter().enumerate();
        letters
            .map(|(n, letter)| (n, masked(&letter.text)))
            .collect()
    };
    let mut still = with_couriers().begin();
    let mut busy = with_couriers().begin();
    still.mail("english", "STATUS").run();
    busy.mail("english", "PRESS TO spanish, west\nHold the bridge.\nEND")
        .run();
    dispatched(&mut still);
    dispatched(&mut busy);
    // Nor is the one to whom it would have come.
    assert_eq!(words(&still, "west"), words(&busy, "west"));
    assert_ne!(words(&still, "east"), words(&busy, "east"));
}

#[test]
fn the_couriers_of_castiglione_ride_between_headquarters() {
    let mut test = Test::campaign("castiglione")
        .scenario("lonato")
        .option("couriers", "on")
        .settings_line("press: {goes: at_once}\n")
        .begin();
    let turn = |test: &Test| test.state().world.turn();
    test.mail("french", "PRESSE \u{c0} austrian\nHold your fire.\nFIN")
        .run();
    test.newest("french")
        .contains("Un courrier emporte votre lettre");
    let sent = turn(&test);
    let arrives = test.state().press[0].rides["austrian"].arrives;
    assert!(arrives >= sent);
    let mut hour = 13;
    while press_of(&test, "austrian").is_empty() {
        assert!(turn(&test) <= arrives && hour < 24, "it never arrives");
        pass(&mut test, &format!("2026-11-21T{hour}:00:00Z"));
        hour += 1;
    }
    assert!(turn(&test) >= arrives);
    is_sound(&test);
    // Without the option letters go out as the campaign says.
    let mut test = Test::campaign("castiglione")
        .scenario("lonato")
        .settings_line("press: {goes: at_once}\n")
        .begin();
    test.mail("french", "PRESSE \u{c0} austrian\nHold your fire.\nFIN")
        .run();
    assert_eq!(press_of(&test, "austrian").len(), 1);
}
