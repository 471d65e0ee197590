//! Seven seats that write at once in a game without dice: who is asked, who gets a letter, what a
//! year costs in mails, and that nobody learns before the time what others have written.

use std::collections::BTreeMap;

use crate::support::{Letter, Plan, Test, decides, is_sound, tree};
use estafette::campaign::model::state::CurrentWait;

const SEATS: [&str; 7] = [
    "austria", "england", "france", "germany", "italy", "russia", "turkey",
];

fn plan() -> Plan {
    Test::campaign("diplomacy")
        .scenario("classic")
        .seats(&SEATS)
        .questions(6)
        .settings_line("dispatches: news\n")
}

/// All seats write: these words, else NOTHING.
fn all_write(test: &mut Test, words: &[(&str, &str)]) {
    for seat in SEATS {
        let own = words.iter().find(|(of, _)| *of == seat);
        test.mail(seat, own.map_or("NOTHING", |(_, words)| words));
    }
    test.run();
}

/// The seats that are waited for, by the kind of wait.
fn awaited(test: &Test) -> (&'static str, Vec<String>) {
    let mut seats: Vec<String> = match test.state().waiting {
        CurrentWait::Orders { seats, .. } => {
            return ("orders", seats.iter().map(ToString::to_string).collect());
        }
        CurrentWait::Answers { questions, .. } => questions
            .iter()
            .map(|asked| asked.seat.to_string())
            .collect(),
        _ => Vec::new(),
    };
    seats.dedup();
    ("answers", seats)
}

fn counts(test: &Test) -> BTreeMap<&'static str, usize> {
    let count = |seat| (seat, test.letters(seat).len());
    SEATS.into_iter().map(count).collect()
}

/// What a letter says, above its proof.
fn said(letter: &Letter) -> String {
    let text = letter.text.split("\nsd1").next().unwrap_or_default();
    text.split("\nregister ")
        .next()
        .unwrap_or_default()
        .to_owned()
}

/// Winter 1901: Germany and Russia may build.
fn in_winter(plan: Plan) -> Test {
    let mut test = plan.begin();
    let spring = [
        ("england", "F Lon - NTH"),
        ("germany", "F Kie - Den"),
        ("russia", "F StP(sc) - Bot"),
    ];
    all_write(&mut test, &spring);
    all_write(&mut test, &[("russia", "F Bot - Swe")]);
    assert_eq!(
        awaited(&test),
        ("answers", vec!["germany".into(), "russia".into()])
    );
    test
}

/// Spring 1902: the German fleet is in Denmark, and will be dislodged.
fn before_the_retreat(plan: Plan) -> Test {
    let mut test = in_winter(plan);
    for seat in ["germany", "russia"] {
        test.newest(seat)
            .contains("You may build 1. What, and where?");
        test.mail(seat, "1: WAIVE");
    }
    test.run();
    assert_eq!(awaited(&test).0, "orders");
    test
}

const ATTACK: [(&str, &str); 2] = [
    ("england", "F NTH - Den"),
    ("russia", "F Swe S F NTH - Den"),
];

#[test]
fn retreats_are_asked_of_those_concerned_and_nobody_else_hears() {
    let mut test = before_the_retreat(plan());
    let before = counts(&test);
    all_write(&mut test, &ATTACK);
    assert_eq!(awaited(&test), ("answers", vec!["germany".into()]));
    // A receipt each, and one question.
    for (seat, letters) in counts(&test) {
        let more = 1 + usize::from(seat == "germany");
        assert_eq!(letters, before[seat] + more, "{seat}");
    }
    let asked = test.newest("germany");
    asked
        .contains("Where does your fleet go that is dislodged from Denmark?")
        .contains("Baltic Sea")
        .contains("Everybody is told that you are being asked, but not what you answer.");
    assert!(!said(&asked).contains("dice"));
    test.mail("germany", "1: Hel").run();
    assert_eq!(awaited(&test).0, "orders");
    for seat in SEATS {
        test.newest(seat)
            .contains("Germany: fleet Denmark retreats to Helgoland Bight.")
            .contains("England: fleet North Sea - Denmark.");
    }
    is_sound(&test);
}

/// The units in St Petersburg.
fn units_in_the_north(test: &Test) -> usize {
    let world = test.state().world;
    let places = world.pieces.values().filter_map(|piece| piece.at.as_ref());
    places.filter(|at| **at == *"stp").count()
}

#[test]
fn an_answer_that_names_no_coast_is_refused_and_put_right() {
    let mut test = in_winter(plan());
    test.mail("germany", "1: WAIVE");
    test.mail("russia", "1: F StP").run();
    test.newest("russia")
        .contains("Which coast of St Petersburg?");
    assert_eq!(awaited(&test).0, "answers", "the question is still open");
    test.mail("russia", "F StP (nc)").run();
    assert_eq!(awaited(&test).0, "orders");
    assert_eq!(units_in_the_north(&test), 1);
    is_sound(&test);
}

#[test]
fn a_refused_answer_replaces_none_that_was_taken() {
    let mut test = in_winter(plan());
    test.mail("russia", "1: F StP (nc)").run();
    test.mail("russia", "1: F StP").run();
    test.newest("russia")
        .contains("Which coast of St Petersburg?");
    test.mail("germany", "1: WAIVE").run();
    assert_eq!(awaited(&test).0, "orders");
    assert_eq!(units_in_the_north(&test), 1);
    is_sound(&test);
}

#[test]
fn a_refused_answer_counts_at_the_deadline_as_far_as_it_can() {
    let mut test = in_winter(plan().deadlines("{zone: UTC, most_hours: 20}"));
    test.mail("germany", "1: WAIVE");
    test.mail("russia", "1: A StP, A StP").run();
    test.newest("russia")
        .contains("St Petersburg is named twice.");
    assert_eq!(awaited(&test).0, "answers");
    let deadline = test.state().deadline().unwrap();
    test.clock(&deadline.to_string()).run();
    assert_eq!(awaited(&test).0, "orders");
    assert_eq!(units_in_the_north(&test), 1);
    is_sound(&test);
}

#[test]
fn a_game_without_dice_says_nothing_of_them() {
    let test = before_the_retreat(plan());
    for seat in SEATS {
        for letter in test.letters(seat) {
            let said = said(&letter).to_lowercase();
            let words = said
                .replace("this game has no dice", "")
                .replace("no dice: units", "");
            for word in ["dice", "envelope", "rolled", "strength:"] {
                assert!(!words.contains(word), "{word} in\n{said}");
            }
        }
    }
    test.letters("france")[0]
        .contains("WHY NOBODY NEEDS TO BE TRUSTED")
        .contains("you are asked by mail (RETREAT, WINTER)");
}

#[test]
fn with_lines_given_before_a_year_needs_two_mails() {
    let mut test = plan().begin();
    let spring = [
        ("england", "F Lon - NTH"),
        ("germany", "F Kie - Den\nBUILD A Kie"),
        ("russia", "F StP(sc) - Bot\nBUILD WAIVE"),
    ];
    all_write(&mut test, &spring);
    let autumn = [
        ("england", "F NTH - Den"),
        ("russia", "F Bot - Swe"),
        ("germany", "F Den H"),
    ];
    all_write(&mut test, &autumn);
    // Builds were carried out without a question: spring of the next year waits for all.
    assert_eq!(
        awaited(&test),
        ("orders", SEATS.map(str::to_owned).to_vec())
    );
    let next = [
        ("england", "F NTH - Den"),
        ("russia", "F Swe S F NTH - Den"),
        ("germany", "RETREAT F Den - Swe, Ska, DISBAND\nA Kie H"),
    ];
    all_write(&mut test, &next);
    assert_eq!(awaited(&test).0, "orders");
    let dispatch = test.newest("germany");
    dispatch
        .contains("Germany: fleet Denmark retreats to Skagerrak.")
        .contains("- Autumn\n");
    for seat in SEATS {
        let asked = test.letters(seat);
        let asked = asked
            .iter()
            .filter(|letter| letter.text.contains("Your answer to"));
        assert_eq!(asked.count(), 0, "{seat}");
    }
    for letter in test.letters("turkey") {
        letter.lacks("A Kiel, ").lacks("Skagerrak, DISBAND");
    }
}

#[test]
fn orders_for_a_season_to_come_are_not_waited_for() {
    let mut test = plan().begin();
    let spring = [(
        "france",
        "BUILD WAIVE\nA Par - Bur\nAUTUMN A Bur - Bel\nAUTUMN F Bre - MAO",
    )];
    all_write(&mut test, &spring);
    let (_, seats) = awaited(&test);
    assert!(!seats.contains(&"france".to_owned()), "{seats:?}");
    test.newest("france")
        .contains("you may send orders for: Autumn");
    for seat in SEATS.iter().filter(|seat| **seat != "france") {
        test.mail(seat, "NOTHING");
    }
    test.run();
    let dispatch = test.newest("austria");
    dispatch
        .contains("France: army Burgundy - Belgium.")
        .contains("France: fleet Brest - Mid-Atlantic Ocean.");
}

/// Everything that a seat is sent while orders are open is the same, whatever others write, vote,
/// say to each other, or leave unsaid.
#[test]
fn what_others_write_changes_no_byte_before_orders_close() {
    let play = |others: &[(&str, &str)]| {
        let plan = plan().settings_line("dispatches: news\npress: {goes: at_once, grey: true}\n");
        let mut test = plan
            .deadlines("{zone: UTC, most_hours: 72, when_ready: true}")
            .begin();
        all_write(
            &mut test,
            &[("england", "F Lon - NTH"), ("france", "A Par - Bur")],
        );
        for seat in SEATS {
            test.mail(seat, "READY");
        }
        test.run();
        assert_eq!(test.state().phase, "autumn_moves");
        for (seat, words) in others {
            test.mail(seat, words).run();
        }
        test.mail("france", "A Bur S A Mun - Ruh\nDRAW YES\nA Mar - Spa")
            .run();
        test.mail("france", "ADD\nF Bre - MAO\nCONCEDE TO England")
            .run();
        let mut sent = tree(&test.root());
        sent.retain(|name, _| name.starts_with("france/"));
        sent
    };
    let still = play(&[]);
    let busy = play(&[
        (
            "turkey",
            "PRESS TO russia, austria\nFrance moves to Burgundy.\nEND\nGREY PRESS TO england\nSo I hear.\nEND",
        ),
        ("austria", "READY\nPRESS TO turkey\nYes.\nEND"),
        ("germany", "A Mun - Ruh"),
        ("germany", "A Mun - Bur\nDRAW YES\nCONCEDE TO England"),
        (
            "england",
            "F NTH - Nor\nA York - Nowhere\nF NTH C A Bur - Bel",
        ),
        ("italy", "RESIGN"),
        ("turkey", "RETREAT A Con - Bul\nBUILD F Ank"),
    ]);
    assert!(still.len() > 5);
    let answered = regex::Regex::new(r"<\d+@players").unwrap();
    let names = |sent: &std::collections::BTreeMap<String, Vec<u8>>| {
        sent.keys().cloned().collect::<Vec<_>>()
    };
    assert_eq!(names(&still), names(&busy));
    for (name, letter) in &still {
        // How many mails there were before is the tests' own number.
        let [still, busy] = [letter, &busy[name]].map(|bytes| {
            let text = String::from_utf8_lossy(bytes);
            answered.replace_all(&text, "<mail@players").into_owned()
        });
        assert_eq!(still, busy, "{name}");
    }
}

/// A vote that does not pass shows nowhere, nor do lines that were not needed.
#[test]
fn votes_and_unused_lines_show_nowhere() {
    let play = |words: &str| {
        let mut test = plan().begin();
        all_write(&mut test, &[("italy", words), ("france", "A Par - Bur")]);
        let letters = SEATS.iter().filter(|seat| **seat != "italy");
        letters
            .map(|seat| said(&test.newest(seat)))
            .collect::<Vec<_>>()
    };
    let plain = play("A Ven H");
    for words in [
        "A Ven H\nDRAW YES",
        "A Ven H\nCONCEDE TO Turkey",
        "A Ven H\nRETREAT A Ven - Apu\nBUILD A Rom\nREMOVE A Ven",
        "A Ven H\nSPRING 1903 A Ven - Tri",
        "A Ven H\nDONT ASK RETREAT",
    ] {
        assert_eq!(plain, play(words), "{words}");
    }
}

#[test]
fn orders_close_at_the_deadline_and_the_silent_hold() {
    let mut test = plan()
        .deadlines("{zone: UTC, at: [Tue 20:00, Fri 20:00], least_hours: 24, early: true, missed: standing orders}")
        .begin();
    test.mail("france", "A Par - Bur").run();
    assert_eq!(awaited(&test).0, "orders");
    let deadline = test.state().deadline().unwrap();
    test.clock(&deadline.to_string()).run();
    let dispatch = test.newest("france");
    dispatch
        .contains("France: army Paris - Burgundy.")
        .contains("Germany: army Munich holds (no order).")
        .contains("- Autumn\n")
        .lacks("did not come");
    test.newest("germany")
        .contains("Your orders did not come by the deadline");
}

/// Votes and lines for later are no orders: the season does not close, and the seat is reminded.
#[test]
fn lines_beside_orders_leave_a_seat_awaited() {
    let mut test = plan().begin();
    for seat in SEATS.iter().filter(|seat| **seat != "austria") {
        test.mail(seat, "NOTHING");
    }
    for words in [
        "DRAW YES",
        "RETREAT A Vie - Tyr\nBUILD A Vie",
        "CONCEDE TO Turkey",
    ] {
        test.mail("austria", words).run();
        assert_eq!(test.state().phase, "spring_moves", "{words}");
    }
    test.mail("austria", "DRAW YES\nA Vie - Gal").run();
    assert_eq!(test.state().phase, "autumn_moves");
}

/// RESIGN is an order of this game: the host hears it too, and a vote or a farewell is not the next
/// player's word.
#[test]
fn who_resigns_leaves_and_takes_his_words_with_him() {
    let mut test = plan().begin();
    let verbs = |test: &Test| -> Vec<String> {
        let state = test.state();
        let standing = state.decisions.standing.get("italy");
        let standing = standing.into_iter().flatten();
        standing.map(|order| order.verb.clone()).collect()
    };
    all_write(
        &mut test,
        &[("italy", "A Ven H\nRETREAT A Ven - Apu\nDRAW YES\nRESIGN")],
    );
    assert!(test.state().seats["italy"].resigned.is_some());
    assert_eq!(verbs(&test), ["retreat", "draw", "resign"]);
    test.mail("italy", "BACK").run();
    assert!(test.state().seats["italy"].resigned.is_none());
    assert_eq!(verbs(&test), ["retreat", "draw"]);
    let new = ["replace", "italy=carol@example.net", "--why", "Bert moves"];
    decides(&test, &new);
    test.run();
    assert_eq!(verbs(&test), ["retreat"]);
}
