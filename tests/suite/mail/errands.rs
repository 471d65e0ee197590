//! What a player asks of the host beside orders, in any mail.

use std::fs;

use estafette::campaign::model::errands::SentKind;

use crate::support::{Letter, Test, deposit, is_sound, mail_to, pass};

fn begin(more: &'static str) -> Test {
    Test::campaign("castiglione")
        .scenario("lonato")
        .deadlines("{zone: UTC, most_hours: 48}")
        .settings_line(more)
        .begin()
}

const OPEN: &str = "press: {goes: at_once}\n";

/// The copies that have gone out to a seat, as they lie in its outbox.
fn copies(test: &Test, seat: &str) -> Vec<Vec<u8>> {
    let folder = test.root().join("outbox").join(seat).join("new");
    let files = fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path());
    let mut files: Vec<_> = files
        .filter(|path| {
            path.file_name()
                .unwrap()
                .to_string_lossy()
                .starts_with("again-")
        })
        .collect();
    files.sort();
    files
        .into_iter()
        .map(|path| fs::read(path).unwrap())
        .collect()
}

#[test]
fn every_line_is_answered_in_one_letter() {
    let mut test = begin("");
    let before = test.letters("austrian").len();
    test.mail(
        "austrian",
        "STATUS\nDeadlin\nWHO\nORDERS\nHELP\nHELP press\nHISTORY\nRESEND yesterday\nLANGUAGE Latin",
    )
    .run();
    assert_eq!(test.letters("austrian").len(), before + 1);
    let answer = test.newest("austrian");
    answer
        .contains("1 | STATUS")
        .contains("You are asked for orders")
        .contains("None of yours are in.")
        .contains("by Monday 23 November 2026, 12:00")
        .contains("french: ")
        .contains("Ada")
        .contains("No orders of yours are in.")
        .contains("RESEND, RESEND 3, RESEND OPENING: letters")
        .contains("do not write to each other through the host")
        .contains("letter 1: turn")
        .contains("RESEND 3 brings the letters")
        .contains("LANGUAGE ENGLISH, LANGUAGE")
        .lacks("@example.org\n    ")
        .lacks("ada@example.org");
    assert!(answer.header.contains("auto-replied"));
    // Nobody else is sent anything, and all can be done again.
    is_sound(&test);
    test.mail("french", "\u{c9}TAT\nAIDE renvoyer\nQUI").run();
    test.newest("french")
        .contains("On attend vos ordres")
        .contains("RENVOYER OUVERTURE")
        .contains("Bert");
    is_sound(&test);
}

#[test]
fn orders_stay_as_they_are_unless_some_stand_beside() {
    let mut test = begin("");
    test.mail("austrian", "PURSUE NEVER").run();
    let words = |test: &Test| test.state().seats["austrian"].words.clone();
    let ordered = words(&test);
    assert!(ordered.contains("PURSUE NEVER"));
    test.mail("austrian", "Hello,\n\nORDERS\n\nThank you,\nBert")
        .run();
    assert_eq!(words(&test), ordered);
    let answer = test.newest("austrian");
    answer.contains("1 | PURSUE NEVER");
    // Only one letter: the greeting is not mistaken for orders.
    assert_eq!(answer.number(), 4);
    // Above orders the word is a heading; what can't be understood is still told.
    test.mail(
        "austrian",
        "Orders:\nSTATUS\nPURSUE ALWAYS\nMOVE Nobody: Nowhere",
    )
    .run();
    assert!(words(&test).contains("PURSUE ALWAYS"));
    test.newest("austrian")
        .contains("PURSUE ALWAYS")
        .contains("Nobody");
    let letters = test.letters("austrian");
    letters[letters.len() - 2]
        .contains("Orders of yours are in.")
        .lacks("PURSUE");
    is_sound(&test);
}

#[test]
fn a_lost_letter_comes_as_it_was_sent() {
    let mut test = begin("");
    pass(&mut test, "2026-11-22T12:00:00Z");
    let dispatch = test.dispatch("austrian");
    test.mail("austrian", "RESEND").run();
    test.newest("austrian")
        .contains("This letter comes once more")
        .contains("a dispatch");
    let found = copies(&test, "austrian");
    assert_eq!(found.len(), 1);
    let copy = Letter::read(&found[0]);
    assert_eq!(copy.message_id, dispatch.message_id);
    assert_eq!(
        (copy.text, copy.html),
        (dispatch.text.clone(), dispatch.html.clone())
    );
    // Its address has not changed, nor his token: not a byte is another.
    let path = test
        .root()
        .join("outbox/austrian/new")
        .join(&dispatch.message_id);
    assert_eq!(fs::read(path).unwrap(), found[0]);
    is_sound(&test);
    // A later one has the token of its day, and the audit finds in it what the register binds.
    pass(&mut test, "2026-11-23T12:00:00Z");
    let sent = test.state().seats["austrian"].sent.clone();
    let first = sent
        .iter()
        .find(|it| it.kind == SentKind::Dispatch)
        .unwrap();
    test.mail("austrian", &format!("RESEND LETTER {}", first.number))
        .run();
    let found = copies(&test, "austrian");
    let copy = Letter::read(&found[1]);
    assert!(
        copy.header.contains("X-Estafette-Sent-Reply-To"),
        "{}",
        copy.header
    );
    assert_eq!(copy.reply_to, test.dispatch("austrian").reply_to);
    is_sound(&test);
    // Answers to it count.
    let to = copy.reply_to.clone();
    test.mail_at("austrian", &to, "PURSUE NEVER").run();
    test.newest("austrian").contains("PURSUE NEVER");
    test.mail("austrian", "RESEND 99").run();
    test.newest("austrian").contains("There is no such letter");
    is_sound(&test);
}

#[test]
fn a_letter_that_is_kept_no_longer_is_not_promised() {
    let mut test = begin("");
    let opening = test.letters("austrian")[0].header.clone();
    let id = opening
        .lines()
        .find_map(|line| line.strip_prefix("Message-ID: "));
    let name = id.unwrap().trim().trim_matches(['<', '>']).to_owned();
    let file = test.root().join("outbox/austrian/new").join(&name);
    fs::remove_file(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    test.mail("austrian", "RESEND OPENING\nRESEND").run();
    let answer = test.newest("austrian");
    answer.contains("these letters are no longer kept here");
    answer.contains("as it was sent");
    assert_eq!(
        copies(&test, "austrian").len(),
        1,
        "the dispatch comes all the same"
    );
}

#[test]
fn a_part_of_the_map_comes_where_there_are_hexes() {
    let mut areas = begin("");
    areas.mail("austrian", "MAP 3929-4636").run();
    let answer = areas.newest("austrian");
    answer.contains("This map has no part of that kind");
    assert!(!answer.header.contains("multipart"));
    is_sound(&areas);
    let mut hexes = Test::campaign("novara").begin();
    hexes.mail("austrian", "MAP 3929-4636").run();
    let answer = hexes.newest("austrian");
    answer.contains("comes with this letter");
    assert!(answer.header.contains("multipart"));
    hexes.mail("austrian", "MAP 0101-9999").run();
    assert!(!hexes.newest("austrian").header.contains("multipart"));
    is_sound(&hexes);
}

#[test]
fn whoever_has_lost_his_token_asks_from_his_address() {
    let mut test = begin("");
    let to = "game+spring@example.org";
    test.mail_at("austrian", to, "RESEND OPENING").run();
    assert_eq!(copies(&test, "austrian").len(), 1);
    // Nobody else can, and nothing but questions.
    let others = test.letters("austrian").len();
    test.mail_at("Carol <carol@example.com>", to, "RESEND")
        .run();
    test.mail_at("austrian", to, "STATUS\nRESIGN").run();
    assert!(test.state().seats["austrian"].resigned.is_none());
    test.newest("austrian")
        .contains("not sent to your present reply address");
    assert_eq!(test.letters("austrian").len(), others + 1);
    for _ in 0..5 {
        test.mail_at("austrian", to, "STATUS").run();
    }
    // Two more within the hour.
    assert_eq!(test.letters("austrian").len(), others + 3);
    assert_eq!(copies(&test, "austrian").len(), 1);
    is_sound(&test);
}

#[test]
fn a_player_changes_his_language_and_leaves() {
    let mut test = begin("");
    test.mail("austrian", "LANGUAGE FRENCH").run();
    test.newest("austrian")
        .contains("Vos lettres sont d\u{e9}sormais en fran\u{e7}ais.");
    let theirs = test.letters("french").len();
    test.mail("austrian", "D\u{c9}MISSION").run();
    test.newest("austrian")
        .contains("averti de votre d\u{e9}part");
    test.newest("umpire")
        .contains("leaves the campaign")
        .contains("austrian");
    assert!(test.state().seats["austrian"].resigned.is_some());
    test.mail("austrian", "RETOUR\nRETOUR").run();
    test.newest("austrian").contains("rien \u{e0} annuler");
    test.newest("umpire").contains("stays after");
    assert!(test.state().seats["austrian"].resigned.is_none());
    test.mail("austrian", "ARBITRE:\nLa carte est fausse.\nNOTHING")
        .run();
    test.newest("umpire")
        .contains("| La carte est fausse.")
        .contains("| NOTHING");
    assert!(test.state().seats["austrian"].words.is_empty());
    assert_eq!(test.letters("french").len(), theirs);
    is_sound(&test);
}

#[test]
fn the_map_comes_as_the_seat_was_shown_it() {
    let mut test = begin("");
    test.mail("austrian", "MAP\nRULES").run();
    let answer = test.newest("austrian");
    answer.contains("The map as you were shown it last");
    assert!(answer.header.contains("multipart"), "{}", answer.header);
    answer.contains("What you can write:").contains("PURSUE");
    // With the guide to the game, in the language of the seat.
    let guide = |letter: &Letter| {
        let found = letter
            .attached
            .iter()
            .find(|(name, _)| name == "castiglione.txt");
        let (_, text) = found.unwrap_or_else(|| panic!("{}", letter.text));
        String::from_utf8(text.clone()).unwrap()
    };
    answer.contains("with this letter: castiglione.txt");
    let text = guide(&answer);
    assert!(
        text.contains("A short guide for those who") && !text.contains("]("),
        "{text}"
    );
    test.mail("french", "R\u{c8}GLES").run();
    assert!(guide(&test.newest("french")).contains("Un guide court"));
    // Whoever wants none gets none.
    test.mail("austrian", "STATUS").run();
    assert!(test.newest("austrian").attached.is_empty());
    is_sound(&test);
}

/// What only a club can do is told to be its matter, in one sentence each, and is no order.
#[test]
fn what_a_club_is_asked_is_shown_the_way_to_it() {
    let mut test = begin("club: game+tuesday@example.org\n");
    let asked = [
        "TABLES",
        "GAMES",
        "JOIN 3 AS blue",
        "NEW TABLE castiglione",
        "LEAVE CLUB",
    ];
    test.mail("austrian", &format!("{}\nPURSUE NEVER", asked.join("\n")))
        .run();
    let letters = test.letters("austrian");
    let answer = &letters[letters.len() - 2];
    let told = "for the club to answer: write it to game+tuesday@example.org";
    assert_eq!(answer.one_line().matches(told).count(), asked.len());
    test.newest("austrian")
        .contains("PURSUE NEVER")
        .lacks("TABLES");
    test.mail("french", "Rejoindre table 3").run();
    test.newest("french").contains("au club de r\u{e9}pondre");
    is_sound(&test);
    let mut alone = begin("");
    alone.mail("austrian", "TABLES").run();
    alone.newest("austrian").contains("belongs to none");
    // Sentences are none.
    let before = alone.letters("austrian").len();
    alone
        .mail(
            "austrian",
            "Games are fun.\nJoin us at Lonato\nPURSUE NEVER",
        )
        .run();
    assert_eq!(alone.letters("austrian").len(), before + 1);
}

#[test]
fn seats_write_to_each_other() {
    let mut test = begin(OPEN);
    let (token, envelope) = {
        let state = test.state();
        (state.seats["french"].token, state.dice.envelope)
    };
    test.mail(
        "austrian",
        "PRESS TO french\nYield, or burn.\n\nNOTHING\n<b>W.</b>\nEND\nPURSUE NEVER",
    )
    .run();
    let press = test.newest("french");
    press
        .contains("| Yield, or burn.\n|\n| NOTHING\n| <b>W.</b>")
        .contains("austrian");
    assert!(press.html.is_none());
    let state = test.state();
    assert_eq!(
        (state.seats["french"].token, state.dice.envelope),
        (token, envelope)
    );
    assert!(state.seats["french"].words.is_empty());
    // The orders below it count.
    assert!(state.seats["austrian"].words.contains("PURSUE NEVER"));
    assert!(!state.seats["austrian"].words.contains("NOTHING"));
    let letters = test.letters("austrian");
    letters[letters.len() - 2].contains("Your letter has gone out, 4 lines");
    for (words, told) in [
        ("PRESS TO austrian\nme\nEND", "to you alone"),
        ("PRESS TO nobody\nme\nEND", "has no seat here"),
        ("PRESS TO french\n\nEND", "no words"),
        (
            "PRESS TO french\nno end\nPURSUE ALWAYS",
            "END that closes the letter is missing",
        ),
        ("GREY PRESS TO french\nboo\nEND", "bear the name"),
    ] {
        let theirs = test.letters("french").len();
        test.mail("austrian", words).run();
        test.newest("austrian").contains(told);
        assert_eq!(test.letters("french").len(), theirs, "{words}");
    }
    let long = format!("PRESS TO french\n{}\nEND", "long words\n".repeat(1000));
    test.mail("austrian", &long).run();
    test.newest("austrian")
        .contains("more than 8000 characters");
    let huge = format!("PRESS TO french\n{}\nEND", "huge words\n".repeat(100_000));
    test.mail("austrian", &huge).run();
    test.newest("austrian").contains("larger than 1 MiB");
    assert!(!test.newest("french").text.contains("words"));
    is_sound(&test);
}

#[test]
fn press_waits_or_hides_its_author_where_it_is_so_agreed() {
    let mut off = begin("");
    off.mail("austrian", "PRESS TO french\nhello\nEND").run();
    off.newest("austrian")
        .contains("do not write to each other");
    let mut test = begin("press: {goes: with_dispatches, grey: true}\n");
    let theirs = test.letters("french").len();
    test.mail("austrian", "GREY PRESS TO french and umpire\nBeware.\nEND")
        .run();
    test.newest("austrian").contains("without your name");
    test.newest("umpire").contains("| Beware.");
    assert_eq!(test.letters("french").len(), theirs);
    pass(&mut test, "2026-11-22T12:00:00Z");
    let letters = test.letters("french");
    let press = letters
        .iter()
        .find(|it| it.text.contains("Beware."))
        .unwrap();
    press.lacks("Wurmser").lacks("austrian");
    assert!(!press.header.to_lowercase().contains("austrian"));
    is_sound(&test);
}

/// Copies of one mail, commands in a quotation or a signature, and the campaign's end.
#[test]
fn what_was_asked_is_done_once() {
    let mut test = begin(OPEN);
    let to = test.newest("austrian").reply_to.clone();
    let bytes = mail_to("austrian", &to, "PRESS TO french\nonce\nEND", 70);
    test.raw(&bytes).run();
    let theirs = test.letters("french").len();
    let other_way = [b"X-Way: another\r\n".as_slice(), &bytes].concat();
    test.raw(&bytes).raw(&other_way).run();
    assert_eq!(test.letters("french").len(), theirs);
    let mine = test.letters("austrian").len();
    test.mail(
        "austrian",
        "PURSUE NEVER\n\nOn Saturday the host wrote:\n> RESIGN\n> STATUS\n-- \nSTATUS",
    )
    .run();
    assert_eq!(
        test.letters("austrian").len(),
        mine + 1,
        "the receipt alone"
    );
    assert!(test.state().seats["austrian"].resigned.is_none());
    is_sound(&test);
}

#[test]
fn a_kill_before_anybody_is_told_loses_nothing() {
    let mut test = begin(OPEN);
    pass(&mut test, "2026-11-22T12:00:00Z");
    let to = test.newest("austrian").reply_to.clone();
    let words = "RESEND\nPRESS TO french\nonce\nEND\nPURSUE NEVER";
    let bytes = mail_to("austrian", &to, words, 70);
    test.raw(&bytes).run();
    let (whole, copied) = (test.letters("french"), copies(&test, "austrian"));
    assert_eq!(copied.len(), 1);
    // As if the host had been killed after the journal was on the disk: the mail lies in the inbox
    // still, and no letter has appeared.
    for seat in ["austrian", "french"] {
        let folder = test.root().join("outbox").join(seat).join("new");
        let newest = test.newest(seat).message_id.clone();
        let own = [newest.clone(), format!("again-1-{newest}")];
        for file in fs::read_dir(&folder).unwrap().map(Result::unwrap) {
            let name = file.file_name().to_string_lossy().into_owned();
            if own.contains(&name) || name.starts_with("again-") {
                fs::remove_file(file.path()).unwrap();
            }
        }
    }
    for folder in ["cur", "done"] {
        let path = test.root().join("inbox").join(folder);
        for file in fs::read_dir(path).into_iter().flatten().map(Result::unwrap) {
            if fs::read(file.path()).unwrap() == bytes {
                fs::remove_file(file.path()).unwrap();
            }
        }
    }
    let snapshots = test.root().join("snapshots");
    fs::remove_dir_all(&snapshots).unwrap();
    fs::create_dir(&snapshots).unwrap();
    let number = test.records("errands")[0]["file"].as_str().unwrap()[..6]
        .parse()
        .unwrap();
    deposit(&test.root(), number, test.now(), &bytes);
    drop(test.open());
    assert_eq!(test.letters("french").len(), whole.len());
    assert_eq!(copies(&test, "austrian"), copied);
    is_sound(&test);
}
