//! Letters that are no dispatches.

use crate::dispatch::fixture::{asked_question, deadline, document, game};
use estafette::{
    dispatch::{
        IgnoreReason, IgnoredLines, LineReading, OpeningLetter, OpeningOrder, OpeningSeat,
        ReceiptLetter, ReceiptLine, Words, WordsOrigin, letter, opening, question, receipt,
    },
    game::Lang,
};
use jiff::tz::TimeZone;
use minijinja::context;
use unicode_width::UnicodeWidthStr;

fn lines() -> Vec<ReceiptLine> {
    let shown = [
        "MOVE Rampom: Lonato - Castiglione",
        "     ^^^^^^ no such piece",
        "hint: Rampon?",
    ];
    vec![
        ReceiptLine {
            number: 1,
            reading: LineReading::Understood {
                printed: "MOVE Guyeux, Rusca: Rezzato - Gavardo FORCED".into(),
                remarks: vec!["Costs 3 of 2 movement points: a forced march, with a test for each unit on the way.".into()],
            },
        },
        ReceiptLine {
            number: 3,
            reading: LineReading::Wrong { shown: shown.map(str::to_owned).to_vec() },
        },
    ]
}

fn answer(lang: Lang, lines: &[ReceiptLine]) -> String {
    let game = game();
    let zone = TimeZone::get("Europe/Rome").unwrap();
    receipt(&ReceiptLetter {
        words: &Words::new(&game, lang),
        campaign: "castiglione-1796",
        title: "The Castiglione campaign",
        turn: 6,
        phases: &["movement.french".to_owned()],
        lines,
        from: &WordsOrigin {
            files: vec!["orders.txt".to_owned()],
            ignored: vec![
                IgnoredLines {
                    count: 2,
                    why: IgnoreReason::Quoted,
                },
                IgnoredLines {
                    count: 1,
                    why: IgnoreReason::Footer,
                },
            ],
            prose: vec!["nice start! Sorry for the delay".to_owned()],
            unread: vec!["plan.pdf".to_owned()],
            gone: vec!["PURSUE NEVER".to_owned()],
            ..WordsOrigin::default()
        },
        adds: false,
        carried: 0,
        canonical: "MOVE Guyeux, Rusca: - Gavardo FORCED\n\nMOVE Rampom: Lonato - Castiglione and then a long line that must not be wrapped\n",
        deadline: Some(deadline()),
        settles: None,
        ready: None,
        zone: &zone,
    })
    .text
}

#[test]
fn receipts_in_english() {
    insta::assert_snapshot!(answer(Lang::En, &lines()));
}

#[test]
fn receipts_in_french() {
    insta::assert_snapshot!(answer(Lang::Fr, &lines()));
}

#[test]
fn a_receipt_without_orders_says_so() {
    assert!(answer(Lang::En, &[]).contains("No order was found"));
    assert!(!answer(Lang::En, &[]).contains("NOT UNDERSTOOD"));
}

fn opened(lang: Lang, mode: &str) -> String {
    let game = game();
    opening(&OpeningLetter {
        dispatch_after: None,
        lang,
        game: &game,
        campaign: "castiglione-1796",
        title: "The Castiglione campaign",
        scenario: "Lonato and Castiglione",
        scenario_about: "",
        seat: "french",
        seats: &[
            OpeningSeat {
                seat: "french".into(),
                side: "French".into(),
                player: "Ada <ada@example.org>".into(),
            },
            OpeningSeat {
                seat: "austrian".into(),
                side: "Austrians".into(),
                player: String::new(),
            },
        ],
        address: "estafette@example.org",
        umpire: "umpire@example.org",
        questions_per_turn: 1,
        observers: None,
        has_page: true,
        options: &["fog: off".to_owned()],
        primers: &[],
        dice_mode: mode,
        orders: &[
            OpeningOrder {
                about: "Moves units and leaders.".into(),
                examples: vec!["MOVE Rampon: - Castiglione".into()],
                default: None,
                standing: false,
            },
            OpeningOrder {
                about: "Whether you pursue.".into(),
                examples: vec!["PURSUE ALWAYS".into(), "PURSUE NEVER".into()],
                default: Some("You pursue.".into()),
                standing: true,
            },
        ],
        topics: &["RETREAT".to_owned(), "EVADE".to_owned()],
        asked_topics: &[],
        conditions: &["IF ENEMY AT Lonato: PURSUE NEVER".to_owned()],
    })
    .text
}

#[test]
fn the_opening_explains_the_dice() {
    insta::assert_snapshot!(opened(Lang::En, "beacon"));
    assert!(opened(Lang::En, "mail").contains("does not protect you from an umpire"));
    assert!(opened(Lang::Fr, "witness").contains("un témoin"));
}

#[test]
fn questions_come_first() {
    let (document, _) = document("lonato", "french", Lang::En, asked_question());
    insta::assert_snapshot!(question(&document, None).text);
}

#[test]
fn whoever_is_asked_sees_what_he_has() {
    for (lang, heading) in [(Lang::En, "Your forces"), (Lang::Fr, "Vos forces")] {
        let (document, _) = document("lonato", "french", lang, asked_question());
        let text = question(&document, None).text;
        let forces = text.find(heading).unwrap();
        assert!(text.find("1. ").unwrap() < forces);
        for formation in &document.forces.formations {
            for unit in &formation.units {
                let row = text[forces..]
                    .lines()
                    .find(|line| line.contains(&unit.name));
                assert!(row.unwrap().contains(&unit.place), "{row:?}");
            }
        }
    }
}

fn refused(lang: Lang, why: &str) -> String {
    let args = context! {
        why,
        campaign => "castiglione-1796",
        address => "estafette+red@example.org",
        umpire => "umpire@example.org",
    };
    letter(lang, "refusal", args).text
}

#[test]
fn refusals_and_stops() {
    for lang in Lang::ALL {
        let mut seen = std::collections::BTreeSet::new();
        let reasons = [
            "too_large",
            "unreadable",
            "empty",
            "wrong_token",
            "old_token",
            "finished",
            "closed",
        ];
        for why in reasons {
            let text = refused(lang, why);
            assert!(text.contains("umpire@example.org"));
            assert!(seen.insert(text), "{why} says what another says");
        }
        let args = context! {
            campaign => "castiglione-1796",
            turn => 3,
            phase => "Combat at Lonato",
            error => "combat.rhai, line 12, column 3: no such table",
        };
        let text = letter(lang, "stopped", args).text;
        assert!(text.contains("combat.rhai, line 12, column 3") && text.contains("Lonato"));
    }
}

#[test]
fn letters_fit_in_a_mail() {
    let (document, _) = document("lonato", "austrian", Lang::Fr, asked_question());
    let texts = [
        opened(Lang::En, "beacon"),
        opened(Lang::Fr, "beacon"),
        question(&document, None).text,
        refused(Lang::Fr, "wrong_token"),
        answer(Lang::En, &lines()),
    ];
    for line in texts
        .iter()
        .flat_map(|text| text.lines())
        .filter(|line| !line.starts_with("| "))
    {
        assert!(line.width() <= 72, "{line}");
    }
}
