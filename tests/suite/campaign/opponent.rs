//! A player whose opponent has gone is never punished: he may ask for another one, a bot, or the
//! win, as the campaign allows.

use estafette::campaign::model::state::CurrentWait;

use crate::support::{Test, decides, is_sound};

fn begin(more: &'static str) -> Test {
    Test::campaign("castiglione")
        .scenario("lonato")
        .deadlines("{zone: UTC, most_hours: 24}")
        .settings_line(more)
        .begin()
}

const ALL: &str =
    "absence: {offered_after: 1, opponent: {replacement: true, bot: true, win: true}}\n";

/// The French pass until the Austrians have missed a deadline.
fn until_missed(test: &mut Test) {
    for day in 22..30 {
        test.clock(&format!("2026-11-{day}T13:00:00Z"));
        test.mail("french", "RIEN").run();
        let state = test.state();
        if state.seats["austrian"].attendance.missed > 0 {
            return;
        }
        assert!(!matches!(state.waiting, CurrentWait::Nothing), "{day}");
    }
    panic!("no deadline was missed");
}

#[test]
fn what_is_not_allowed_or_too_early_is_answered() {
    let mut test = begin("absence: {offered_after: 1, opponent: {bot: true}}\n");
    let told = test.letters("austrian").len();
    test.mail("french", "DEMANDER AUTOMATE\nDEMANDER VICTOIRE")
        .run();
    test.newest("french")
        .contains("aucun de vos adversaires n'a disparu")
        .contains("vous pouvez demander un automate");
    assert_eq!(test.letters("austrian").len(), told);
    until_missed(&mut test);
    test.mail(
        "french",
        "DEMANDER REMPLA\u{c7}ANT POUR austrian\nDEMANDER AUTOMATE POUR personne",
    )
    .run();
    test.newest("french")
        .contains("vous pouvez demander un automate");
    assert!(test.state().contacts.is_empty());
    is_sound(&test);
    let mut test = begin("");
    test.mail("austrian", "REQUEST WIN").run();
    test.newest("austrian").contains("asks the umpire");
    // A sentence is none.
    test.mail("austrian", "Request a bot please\nPURSUE NEVER")
        .run();
    assert!(
        test.state().seats["austrian"]
            .words
            .contains("PURSUE NEVER")
    );
    is_sound(&test);
}

#[test]
fn another_player_is_looked_for_until_the_old_one_writes() {
    let mut test = begin(ALL);
    until_missed(&mut test);
    test.mail("french", "DEMANDER REMPLA\u{c7}ANT").run();
    test.newest("french")
        .contains("On cherche un autre joueur.");
    test.newest("umpire")
        .contains("the opponent asks for another one");
    test.newest("austrian")
        .contains("nothing has come from you for several deadlines");
    test.mail("french", "DEMANDER REMPLACEMENT").run();
    test.newest("french")
        .contains("On cherche d\u{e9}j\u{e0} un autre joueur.");
    assert!(test.state().seats["austrian"].attendance.sought);
    test.mail("austrian", "STATUS").run();
    assert!(!test.state().seats["austrian"].attendance.sought);
    test.mail("french", "DEMANDER REMPLACEMENT").run();
    test.newest("french")
        .contains("aucun de vos adversaires n'a disparu");
    is_sound(&test);
}

#[test]
fn a_bot_plays_at_once_and_everybody_is_told() {
    let mut test = begin(ALL);
    until_missed(&mut test);
    test.mail("french", "DEMANDER AUTOMATE").run();
    let state = test.state();
    let player = state.contacts["austrian"].player.clone().unwrap();
    assert!(player.address.bot().is_some());
    test.newest("umpire").contains("has asked for a bot");
    let farewell = test.letters("austrian");
    assert!(
        farewell
            .iter()
            .any(|letter| letter.text.contains("asks for a bot"))
    );
    let answer = test.letters("french");
    assert!(
        answer
            .iter()
            .any(|it| it.text.contains("Un automate joue la place"))
    );
    // It writes: no wait for the Austrians ends by the clock.
    let wrote = test.records("bot");
    assert!(wrote.iter().all(|it| it["failed"].is_null()), "{wrote:?}");
    is_sound(&test);
}

#[test]
fn the_win_is_as_if_the_seat_had_given_up() {
    let mut test = begin(ALL);
    until_missed(&mut test);
    test.mail("french", "DEMANDER VICTOIRE").run();
    let state = test.state();
    let ended = state.world.ended.clone().unwrap();
    assert_eq!(ended.side.to_string(), "french");
    assert!(matches!(state.waiting, CurrentWait::Disclosure { .. }));
    let letters = test.letters("austrian");
    assert!(
        letters
            .iter()
            .any(|it| it.text.contains("counts as given up"))
    );
    test.newest("umpire").contains("counts as given up");
    test.mail("austrian", "STATUS").run();
    test.mail("french", "DEMANDER VICTOIRE").run();
    test.newest("french")
        .contains("la campagne est termin\u{e9}e");
    is_sound(&test);
}

#[test]
fn a_player_who_left_counts_as_gone_and_a_new_one_does_not() {
    let mut test = begin(ALL);
    test.mail("austrian", "RESIGN").run();
    test.mail("french", "DEMANDER REMPLACEMENT").run();
    test.newest("french")
        .contains("On cherche un autre joueur.");
    decides(
        &test,
        &[
            "replace",
            "austrian=carol@example.org",
            "--why",
            "Carol plays",
        ],
    );
    test.mail("french", "DEMANDER AUTOMATE").run();
    test.newest("french")
        .contains("aucun de vos adversaires n'a disparu");
    is_sound(&test);
}
