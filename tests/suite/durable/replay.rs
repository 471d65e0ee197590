//! The same inputs give the same bytes: journal and letters, in one process or in many, with
//! snapshots or without.

use std::{fs, sync::LazyLock};

use crate::support::{Test, tree};
use estafette::{
    audit::{self, Verdict},
    campaign::{
        self,
        durable::{
            self,
            replay::{JournalStep, Steps},
        },
        model::{
            events::{Done, Event},
            state::CurrentWait,
        },
    },
    store::{Position, read_journal},
};

/// A short play: set-up, a wrong line, an order that the checks refuse, a battle with a question.
const PLAY: &[(&str, &str)] = &[
    ("french", "RIEN"),
    ("austrian", "ASK RETREAT\nPURSUE NEVER"),
    ("austrian", "MOVE Davidovich: Nowhere"),
    (
        "either",
        "DÉPLACER Rampon : Castiglione\nDÉPLACER Rampon : Castiglione",
    ),
    (
        "either",
        "DÉPLACER Bonaparte, Massena, Rampon, Victor, Pijon : Castiglione",
    ),
    ("austrian", "1: FIGHT"),
];

/// The play that the others are compared with.
static PLAYED: LazyLock<Test> = LazyLock::new(|| play(|_, _| {}));

/// Who writes next: `either` is the seat that is waited for.
fn writer(test: &Test, seat: &str) -> String {
    match (seat, test.state().waiting) {
        ("either", estafette::campaign::CurrentWait::Orders { seats, .. }) => seats[0].to_string(),
        ("either", _) => "austrian".to_owned(),
        (seat, _) => seat.to_owned(),
    }
}

/// Plays it with a pass for each mail; `between` is done after every pass, and told its number.
fn play(between: impl Fn(&Test, usize)) -> Test {
    let mut test = Test::campaign("castiglione")
        .with_pictures()
        .scenario("lonato")
        .begin();
    for (minute, (seat, words)) in PLAY.iter().enumerate() {
        test.clock(&format!("2026-11-21T13:{minute:02}:00Z"));
        let seat = writer(&test, seat);
        test.mail(&seat, words).run();
        between(&test, minute);
    }
    test
}

#[test]
fn the_same_inputs_give_the_same_bytes() {
    assert_same(&PLAYED, &play(|_, _| {}));
}

#[test]
fn snapshots_are_a_cache_and_nothing_else() {
    let without = play(|test, number| {
        if number == 3 {
            let snapshots = test.root().join("snapshots");
            fs::remove_dir_all(&snapshots).unwrap();
            fs::create_dir(&snapshots).unwrap();
        }
    });
    assert_same(&PLAYED, &without);
}

#[test]
fn what_is_recalled_is_what_was_worked_off() {
    let (_, context, _) = durable::look(&PLAYED.root()).unwrap();
    let journal = PLAYED.root().join("journal.jsonl");
    let records = read_journal::<Event>(&journal, Position::START).unwrap();
    let (mut worked, mut recalled, mut refused) = (None, None, 0);
    for step in Steps::new(&records.records, false) {
        let JournalStep { input, done } = step.unwrap();
        let (_, done) = done.unwrap();
        refused += done.verdicts.iter().flat_map(|it| &it.refused).count();
        worked = Some(campaign::work_off(&context, worked, input).unwrap().0);
        recalled = Some(campaign::recall(&context, recalled, input, done).unwrap());
        assert_eq!(worked, recalled, "after the record {}", input.n);
    }
    assert_eq!(refused, 1, "the second order for one piece");
}

#[test]
fn one_process_gives_what_many_give() {
    let mut test = Test::campaign("castiglione")
        .with_pictures()
        .scenario("lonato")
        .begin();
    let mut campaign = test.open();
    for (minute, (seat, words)) in PLAY.iter().enumerate() {
        test.clock(&format!("2026-11-21T13:{minute:02}:00Z"));
        let seat = writer(&test, seat);
        test.mail(&seat, words);
        campaign.pass(test.now()).unwrap();
    }
    assert_same(&PLAYED, &test);
}

#[test]
fn a_stop_by_letter_outlasts_a_restart() {
    let (context, _) = PLAYED.context();
    let path = PLAYED.root().join("journal.jsonl");
    let records = read_journal::<Event>(&path, Position::START)
        .unwrap()
        .records;
    let mut state = None;
    let steps: Vec<_> = Steps::new(&records, false).map(Result::unwrap).collect();
    let (last, before) = steps.split_last().unwrap();
    for step in before {
        state = Some(campaign::work_off(&context, state, step.input).unwrap().0);
    }
    // What the journal says if a map could not be drawn: nothing was entered into the register, and
    // the letters are not made again, so nothing else tells of it.
    let mut done = last.done.unwrap().1.clone();
    done.stopped = Some("the map can't be drawn".to_owned());
    done.entries.clear();
    done.undone = true;
    let before_versions = Done {
        undone: false,
        version: None,
        ..done.clone()
    };
    let stopped = campaign::recall(&context, state.clone(), last.input, &done).unwrap();
    let state_then = campaign::recall(&context, state.clone(), last.input, &before_versions);
    assert_eq!(state_then.unwrap(), stopped);
    assert_eq!(
        stopped.waiting,
        CurrentWait::Repair {
            error: "the map can't be drawn".to_owned(),
            waited: Box::new(state.as_ref().unwrap().waiting.clone()),
            undone: true,
        }
    );
    let before = state.unwrap();
    assert_eq!(
        (
            &stopped.world,
            &stopped.phase,
            &stopped.seats,
            &stopped.dice
        ),
        (&before.world, &before.phase, &before.seats, &before.dice)
    );
    assert_eq!(stopped.time, last.input.time);
    assert_eq!(stopped.mails["umpire"], 1, "the umpire was told");
}

#[test]
fn a_journal_that_is_older_than_its_letters_is_found() {
    let mut test = play(|_, _| {});
    let journal = String::from_utf8(test.journal()).unwrap();
    let lines: Vec<&str> = journal.split_inclusive('\n').collect();
    fs::write(
        test.root().join("journal.jsonl"),
        lines[..lines.len() - 2].concat(),
    )
    .unwrap();
    let report = estafette::audit::campaign(&test.root()).unwrap();
    assert!(
        report.wrong[0].contains("the journal was cut short"),
        "{report:#?}"
    );
    assert!(report.wrong[0].starts_with("outbox of "), "{report:#?}");

    // Going on from there would give a letter that is already there, with another text.
    test.clock("2026-11-21T14:00:00Z")
        .mail("austrian", "1: RETREAT");
    let error = test.open().pass(test.now()).unwrap_err().to_string();
    assert!(
        error.contains("the journal is older than the outbox"),
        "{error}"
    );
}

/// The journal binds a letter with the source of its picture. What lies in an outbox is compared
/// with the picture itself.
#[test]
fn a_changed_picture_in_an_outbox_is_found() {
    let test = play(|_, _| {});
    let report = audit::campaign(&test.root()).unwrap();
    assert_eq!(report.verdict(), Verdict::Fits, "{report:#?}");
    let letter = test.dispatch("austrian");
    let (name, png) = &letter.attached[0];
    assert!(name.ends_with(".png") && png[1..4] == *b"PNG", "{name}");
    let outbox = fs::read_dir(test.root().join("outbox/austrian/new")).unwrap();
    let mut paths = outbox.map(|file| file.unwrap().path());
    let path = paths.find(|path| fs::read(path).unwrap() == letter.bytes);
    let path = path.unwrap();
    let text = String::from_utf8(letter.bytes.clone()).unwrap();
    let middle = text.find("image/png").unwrap() + 5000;
    let place = middle + text[middle..].find('A').unwrap();
    let mut changed = letter.bytes;
    changed[place] = b'B';
    fs::write(path, changed).unwrap();
    let wrong = audit::campaign(&test.root()).unwrap().wrong;
    let says = format!("other from byte {place} on");
    assert!(wrong[0].contains("a letter in an outbox") && wrong[0].contains(&says));
}

/// Letters are compared on all cores while the replay goes on. Of many that differ the first is
/// named, as if it were the only one, and nothing is said of what comes after it.
#[test]
fn of_many_changed_letters_the_first_is_named() {
    let wrong = |most: usize| {
        let test = play(|_, _| {});
        let outbox = |seat: &str| test.root().join("outbox").join(seat).join("new");
        let letters = test.letters("french").into_iter();
        let is_picture = |(_, bytes): &(String, Vec<u8>)| bytes.starts_with(b"\x89PNG");
        let drawn = letters.filter(|letter| letter.attached.iter().any(is_picture));
        let mut names: Vec<_> = drawn.map(|letter| letter.message_id).collect();
        assert!(names.len() > 2, "{names:?}");
        names.truncate(most);
        for file in fs::read_dir(outbox("french")).unwrap().map(Result::unwrap) {
            let bytes = fs::read(file.path()).unwrap();
            let text = String::from_utf8(bytes).unwrap();
            if names
                .iter()
                .any(|name| text.contains(&format!("Message-ID: <{name}>")))
            {
                let middle = text.find("image/png").unwrap() + 5000;
                let place = middle + text[middle..].find('A').unwrap();
                let changed = format!("{}B{}", &text[..place], &text[place + 1..]);
                fs::write(file.path(), changed).unwrap();
            }
        }
        audit::campaign(&test.root()).unwrap().wrong
    };
    let first = wrong(1);
    assert_eq!(first.len(), 1, "{first:#?}");
    assert!(first[0].contains("a letter in an outbox"), "{first:#?}");
    assert_eq!(wrong(usize::MAX), first);
}

#[test]
fn letters_of_an_input_that_was_not_closed_are_known() {
    let test = play(|_, _| {});
    let journal = String::from_utf8(test.journal()).unwrap();
    let lines: Vec<&str> = journal.split_inclusive('\n').collect();
    fs::write(
        test.root().join("journal.jsonl"),
        lines[..lines.len() - 1].concat(),
    )
    .unwrap();
    let report = estafette::audit::campaign(&test.root()).unwrap();
    // Its letters may have gone out or not: nothing is wrong, and not everything could be compared.
    assert_eq!(report.verdict(), Verdict::Incomplete, "{report:#?}");
    assert_eq!(report.unproven.len(), 1, "{report:#?}");
    test.open();
    assert_same(&PLAYED, &test);
}

#[track_caller]
fn assert_same(one: &Test, other: &Test) {
    let (one, other) = (tree(&one.root()), tree(&other.root()));
    assert_eq!(
        one.keys().collect::<Vec<_>>(),
        other.keys().collect::<Vec<_>>()
    );
    for (name, bytes) in &one {
        assert!(bytes == &other[name], "{name} differs");
    }
}
