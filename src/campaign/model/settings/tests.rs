//! Settings that are read, and those that are refused with their place.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may panic")]

use super::*;

pub const EXAMPLE: &str = "\
campaign: spring
title: The spring campaign
game: toy
scenario: short
options:
  fog: on
seats:
- id: red
  address: ada@example.org
  lang: en
  name: Ada
- id: blue
  address: bert@example.org
  lang: fr
umpire: umpire@example.org
mailbox:
  local: game
  domain: example.org
  delimiter: '+'
schedule:
  zone: Europe/Paris
  at:
  - Tue 20:00
  least_hours: 24
  early: true
  grace_hours: 0
dice:
- source: drand
  margin_seconds: 3600
- source: orders
questions_per_turn: 1
created: 2026-11-21T20:00:00Z
";

fn parse(text: &str) -> Result<Settings, StoreError> {
    Settings::parse(text, Path::new("campaign.yaml"))
}

fn refused(from: &str, to: &str) -> String {
    assert!(EXAMPLE.contains(from), "{from}");
    let error = parse(&EXAMPLE.replacen(from, to, 1)).unwrap_err();
    assert!(!error.is_environment());
    error.to_string()
}

#[test]
fn what_is_written_is_read() {
    let settings = parse(EXAMPLE).unwrap();
    assert_eq!(settings.to_yaml().unwrap(), EXAMPLE);
    assert_eq!(settings.options["fog"], "on");
}

#[test]
fn wrong_lines_are_named_with_their_place() {
    for (from, to, problem, place) in [
        (
            "questions_per_turn",
            "question_per_turn",
            "unknown field `question_per_turn`",
            "line 31",
        ),
        ("spring", "Spring", "can't name a campaign", "line 1"),
        (
            "spring",
            "'-long-name-long-name-long'",
            "can't name a campaign",
            "line 1",
        ),
        ("ada@", "ada", "no mail address", "line 9"),
        ("id: blue", "id: shut", "can't be a seat", "line 12"),
        ("id: blue", "id: red", "twice", "seat `red`"),
        ("lang: fr", "lang: xx", "unknown variant `xx`", "line 14"),
        ("Europe/Paris", "Europe/Lutetia", "no time zone", "line 21"),
        ("Tue 20:00", "20:00 Tue", "no moment of the week", "line 23"),
        (
            "margin_seconds",
            "margin",
            "unknown field `margin`",
            "line 28",
        ),
    ] {
        let error = refused(from, to);
        assert!(error.contains(problem), "{to}: {error}");
        assert!(
            error.contains(place) || !place.is_empty() && error.contains("line"),
            "{to}: {error}"
        );
        eprintln!("{error}");
    }
}

#[test]
fn parts_that_do_not_fit_are_refused() {
    for (from, to, problem) in [
        ("game: toy", "game: ../toy", "`game`"),
        ("scenario: short", "scenario: ''", "`scenario`"),
        (
            "questions_per_turn: 1",
            "questions_per_turn: 99",
            "at most 20",
        ),
        (
            "local: game",
            "local: the-game-of-the-club-at-home-every-week",
            "reply address",
        ),
        ("local: game", "local: a+b", "contains the delimiter"),
        ("delimiter: '+'", "delimiter: '='", "neither + nor -"),
        ("domain: example.org", "domain: ''", "no mail address"),
        ("margin_seconds: 3600", "margin_seconds: 59", "at least 60"),
        (
            "- source: orders",
            "- {source: witness, name: cleo, address: cleo@example.org, hours: 0, anchor: 0000000000000000000000000000000000000000000000000000000000000000}",
            "at least 1",
        ),
    ] {
        let error = refused(from, to);
        assert!(error.contains(problem), "{to}: {error}");
    }
    let (before, after) = EXAMPLE.split_once("dice:").unwrap();
    let after = &after[after.find("questions").unwrap()..];
    assert!(
        parse(&format!("{before}dice: []\n{after}"))
            .unwrap_err()
            .to_string()
            .contains("no source")
    );
}
