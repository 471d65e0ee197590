//! Dispatches that have their moment (`dispatch_after`): what comes of a seal is told so long after
//! it, neither sooner nor later, whatever is asked in between, answered late or not at all, held by
//! the umpire or broken off by a kill. That the times and bytes of letters are the same whether
//! another seat is asked or not is proved in `fog/times.rs`.

use std::{
    collections::BTreeMap,
    fs,
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use crate::support::{
    ATTACK, Letter, Plan, ROUND_42, Test, asked, awaited, decides, is_refused, is_sound,
    public_retreats, rules_that_recover_with, sealed_in, status, tree,
};
use estafette::campaign::{self, model::state::CurrentWait};
use jiff::Timestamp;

const SCHEDULE: &str = "{zone: UTC, most_hours: 48, dispatch_after: 24h}";

fn plan() -> Plan {
    Test::campaign("castiglione")
        .scenario("lonato")
        .deadlines(SCHEDULE)
        .questions(3)
}

fn waits_for_dispatch(test: &Test) -> bool {
    matches!(test.state().waiting, CurrentWait::Dispatch { .. })
}

fn at(test: &mut Test, time: &str) {
    test.clock(time).run();
}

fn time(time: &str) -> Timestamp {
    time.parse().unwrap()
}

/// When a letter was written.
fn date(letter: &Letter) -> &str {
    let mut lines = letter.header.lines();
    lines.find_map(|line| line.strip_prefix("Date: ")).unwrap()
}

/// Both set-ups are given, with these standing orders of the Austrians, and the French are to move:
/// a day later for each wait.
fn set_up(plan: Plan, standing: &str) -> Test {
    let mut test = plan.begin();
    test.clock("2026-11-21T13:00:00Z");
    test.mail("french", "RIEN").mail("austrian", standing).run();
    at(&mut test, "2026-11-22T13:00:00Z");
    if awaited(&test.state()) == ["austrian"] {
        test.mail("austrian", "NOTHING").run();
    }
    at(&mut test, "2026-11-23T13:00:00Z");
    assert_eq!(awaited(&test.state()), ["french"]);
    test.clock("2026-11-24T09:00:00Z");
    test
}

/// The same, and the French attack on the 24th at 9: the dispatches are due on the 25th at 9.
fn attacked(plan: Plan) -> Test {
    attacked_with(plan, "ASK RETREAT\nPURSUE NEVER")
}

fn attacked_with(plan: Plan, standing: &str) -> Test {
    let mut test = set_up(plan, standing);
    test.mail("french", ATTACK).run();
    test
}

#[test]
fn dispatches_go_out_at_their_moment_and_not_before() {
    let mut test = plan().begin();
    let told = |test: &Test| test.letters("french").len() + test.letters("austrian").len();
    test.clock("2026-11-21T13:00:00Z");
    test.mail("french", "RIEN")
        .mail("austrian", "NOTHING")
        .run();
    // Opening, first dispatch, receipt, for each.
    assert_eq!(told(&test), 6);
    assert!(waits_for_dispatch(&test));
    let (json, text) = status(&test);
    assert_eq!(json["dispatch_at"], "2026-11-22T13:00:00Z");
    assert_eq!(json["waiting"]["for"], "dispatch");
    assert!(text.contains("nobody is asked anything"), "{text}");
    assert!(
        text.contains("dispatches go out at Sun 2026-11-22 13:00 (UTC)"),
        "{text}"
    );
    is_sound(&test);

    at(&mut test, "2026-11-22T12:59:59Z");
    assert_eq!(told(&test), 6);
    at(&mut test, "2026-11-22T13:00:00Z");
    assert_eq!(told(&test), 8);
    assert!(matches!(test.state().waiting, CurrentWait::Orders { .. }));
    assert_eq!(test.state().dispatch_at, None);
    assert_eq!(
        date(&test.dispatch("french")),
        "Sun, 22 Nov 2026 13:00:00 +0000"
    );
    let (json, text) = status(&test);
    assert!(json.get("dispatch_at").is_none() && !text.contains("dispatches"));
    is_sound(&test);
}

#[test]
fn a_question_is_open_until_the_dispatches() {
    let mut test = attacked(plan());
    assert_eq!(asked(&test.state()), Some(false));
    test.newest("austrian")
        .contains("Do you fight on or retreat?")
        .contains("Wednesday 25 November 2026, 09:00");
    let french = test.letters("french").len();
    assert!(status(&test).1.contains("until Wed 2026-11-25 09:00 (UTC)"));

    at(&mut test, "2026-11-25T08:59:00Z");
    assert_eq!(asked(&test.state()), Some(false));
    assert_eq!(test.letters("french").len(), french);
    at(&mut test, "2026-11-25T09:05:00Z");
    for seat in ["french", "austrian"] {
        let letter = test.newest(seat);
        assert!(letter.html.is_some(), "{}", letter.subject);
        assert_eq!(date(&letter), "Wed, 25 Nov 2026 09:05:00 +0000");
    }
    assert_eq!(test.letters("french").len(), french + 1);
    is_sound(&test);
}

/// An answer that came in time counts, though it is read after the moment. What it leads to is
/// decided without its seat, and the mail of another seat that came in time as well finds the wait
/// that it was written for.
#[test]
fn a_question_that_comes_up_at_the_moment_is_put_to_nobody() {
    let questions = |test: &Test| {
        let letters = test.letters("austrian");
        let asks = |letter: &&Letter| letter.text.contains("Your answer to 1 question");
        letters.iter().filter(asks).count()
    };
    let play = |answered: &str, read: &str| {
        let mut test = attacked_with(plan(), "ASK LOSSES, RETREAT\nPURSUE NEVER");
        let question = test.newest("austrian");
        question.contains("Your answer to 1 question");
        test.clock(answered)
            .mail_at("austrian", &question.reply_to, "1: SPREAD");
        test.clock("2026-11-25T08:59:00Z");
        test.mail("french", "POURSUIVRE JAMAIS");
        let known = test.letters("french").len();
        test.clock(read).run();
        (
            questions(&test),
            test.letters("french").split_off(known),
            test,
        )
    };
    let (twice, ..) = play("2026-11-24T10:00:00Z", "2026-11-24T10:00:00Z");
    assert_eq!(twice, 2, "there is a second question");
    let (once, french, test) = play("2026-11-25T08:58:00Z", "2026-11-25T09:05:00Z");
    assert_eq!(once, 1);
    assert_eq!(awaited(&test.state()).len(), 1);
    let subjects: Vec<&str> = french.iter().map(|it| it.subject.as_str()).collect();
    assert_eq!(french.len(), 3, "{subjects:?}");
    french[0]
        .contains("\nreceipt ")
        .contains("POURSUIVRE JAMAIS");
    assert!(french[1].html.is_some(), "{subjects:?}");
    french[2].contains("\nreceipt ");
    is_sound(&test);
}

/// Whoever was asked knows that orders are closed, and is told the truth: what he writes now is too
/// late for them.
#[test]
fn who_has_answered_is_not_told_that_orders_are_still_open() {
    let mut test = attacked(plan().questions(1));
    test.clock("2026-11-24T10:00:00Z");
    test.mail("austrian", "1: FIGHT").run();
    assert!(waits_for_dispatch(&test));
    let open = "You may change these orders until";
    test.mail("austrian", "RETREAT NEVER").run();
    test.newest("austrian")
        .contains("RETREAT NEVER")
        .lacks(open);
    at(&mut test, "2026-11-25T09:00:00Z");
    let letters = test.letters("austrian");
    let [.., dispatch, receipt] = letters.as_slice() else {
        panic!("{} letters", letters.len())
    };
    assert!(dispatch.html.is_some());
    receipt.contains("RETREAT NEVER").contains("\nreceipt ");
    is_sound(&test);
}

/// The pass at the moment is killed, and its journal and letters are cut where a crash could cut
/// them: the same bytes come of it.
#[test]
fn a_kill_at_the_moment_changes_nothing() {
    let ready = || {
        let mut test = attacked(plan());
        test.clock("2026-11-25T09:00:00Z");
        test
    };
    let mut whole = ready();
    let before = tree(&whole.root());
    whole.run();
    let after = tree(&whole.root());
    let journal = String::from_utf8(after["journal.jsonl"].clone()).unwrap();
    let lines: Vec<&str> = journal.split_inclusive('\n').collect();
    let kinds: Vec<String> = (lines.iter())
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .map(|record| record["kind"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(kinds[kinds.len() - 2..], ["deadline", "done"]);
    let new: Vec<&String> = after
        .keys()
        .filter(|it| !before.contains_key(*it))
        .collect();
    assert_eq!(new.len(), 2);
    let torn = journal.len() - lines[lines.len() - 1].len() / 2;
    let undone = journal.len() - lines[lines.len() - 1].len();
    for (length, letters) in [(undone, 0), (undone, 1), (undone, 2), (torn, 2)] {
        let test = ready();
        fs::write(test.root().join("journal.jsonl"), &journal[..length]).unwrap();
        for name in &new[..letters] {
            let (seat, file) = name.split_once('/').unwrap();
            let path = test.root().join("outbox").join(seat).join("new").join(file);
            fs::write(path, &after[*name]).unwrap();
        }
        test.open().pass(test.now()).unwrap();
        assert_same(&tree(&test.root()), &after);
        is_sound(&test);
    }

    // Real processes, killed after more and more time.
    let test = ready();
    for pause in 0.. {
        let mut child = Command::new(env!("CARGO_BIN_EXE_estafette"))
            .args(["run", "--quiet", "--now", &test.now().to_string()])
            .arg(test.root())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        thread::sleep(Duration::from_millis(5 * pause));
        if child.try_wait().unwrap().is_some() {
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let now = tree(&test.root());
        let known = &now["journal.jsonl"];
        assert!(after["journal.jsonl"].starts_with(known) || known.len() > journal.len() - 200);
    }
    assert_same(&tree(&test.root()), &after);
}

#[track_caller]
fn assert_same(found: &BTreeMap<String, Vec<u8>>, wanted: &BTreeMap<String, Vec<u8>>) {
    let names = |tree: &BTreeMap<String, Vec<u8>>| tree.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(found), names(wanted));
    for (name, bytes) in wanted {
        assert!(found[name] == *bytes, "{name} differs");
    }
}

const HOLD: [&str; 3] = ["hold", "--why", "Ada is ill"];
const RESUME: [&str; 3] = ["resume", "--why", "Ada is well again"];

fn extend(until: &str) -> [&str; 5] {
    ["extend", "--until", until, "--why", "a strike of the post"]
}

/// The umpire can't move the moment of the dispatches for one seat's sake; he can hold the campaign
/// for all.
#[test]
fn the_umpire_moves_the_moment_for_all_or_not_at_all() {
    let mut test = attacked(plan());
    is_refused(
        &test,
        &extend("2026-11-26T09:00:00Z"),
        "go out at 2026-11-25T09:00:00Z",
    );
    let mut idle = set_up(plan(), "NOTHING");
    idle.mail("french", "RIEN").run();
    assert!(waits_for_dispatch(&idle));
    is_refused(&idle, &extend("2026-11-26T09:00:00Z"), "no deadline");

    for test in [&mut test, &mut idle] {
        test.clock("2026-11-25T08:00:00Z");
        decides(test, &HOLD);
        at(test, "2026-11-27T12:00:00Z");
        assert!(test.state().waits_in_quiet());
        decides(test, &RESUME);
        assert_eq!(test.state().dispatch_at, Some(time("2026-11-28T12:00:00Z")));
        at(test, "2026-11-28T11:00:00Z");
        assert!(test.state().waits_in_quiet());
        at(test, "2026-11-28T12:00:00Z");
        assert!(!test.state().waits_in_quiet());
        is_sound(test);
    }
    let question = test.letters("austrian");
    let told = question
        .iter()
        .rev()
        .find(|it| it.text.contains("The campaign goes on: Ada"));
    told.unwrap().contains("Saturday 28 November 2026, 12:00");
    // The French are told the same in both, whatever their opponents are asked.
    let words = |test: &Test| {
        let letters = test.letters("french").into_iter();
        let words = letters.filter(|it| it.html.is_none() && it.text.contains("Ada is"));
        words.map(|it| it.text).collect::<Vec<_>>()
    };
    assert_eq!(words(&test).len(), 2);
    for (asked, idle) in words(&test).iter().zip(words(&idle)) {
        let shown = |text: &str| text.split("\nregister ").next().unwrap().to_owned();
        assert_eq!(shown(asked), shown(&idle));
    }
}

/// Whoever has seen a deadline pass is not told of a new one for the same orders when the campaign
/// goes on.
#[test]
fn orders_known_to_be_closed_stay_closed_over_a_hold() {
    let fixed = "{zone: UTC, at: [Mon 20:00, Wed 20:00, Fri 20:00], dispatch_after: 24h}";
    let held_at = |time: &str| {
        let mut test = plan().deadlines(fixed).begin();
        test.mail("french", "RIEN")
            .mail("austrian", "NOTHING")
            .run();
        at(&mut test, "2026-11-23T20:00:00Z");
        assert!(waits_for_dispatch(&test));
        test.clock(time);
        decides(&test, &HOLD);
        test.clock("2026-11-25T21:00:00Z");
        decides(&test, &RESUME);
        test
    };
    let mut test = held_at("2026-11-24T12:00:00Z");
    test.newest("austrian")
        .contains("The campaign goes on")
        .lacks("deadline");
    test.mail("austrian", "PURSUE NEVER").run();
    test.newest("austrian").lacks("You may change these orders");
    assert_eq!(test.state().dispatch_at, Some(time("2026-11-26T21:00:00Z")));
    is_sound(&test);
}

#[test]
fn a_rollback_sends_the_old_dispatch_at_once() {
    for mut test in [attacked(plan()), {
        let mut test = set_up(plan(), "NOTHING");
        test.mail("french", "RIEN").run();
        test
    }] {
        let envelope = test.state().dice.envelope.to_string();
        let back = [
            "rollback",
            "--envelope",
            &envelope,
            "--why",
            "a mail misread",
        ];
        decides(&test, &back);
        assert_eq!(awaited(&test.state()), ["french"]);
        assert_eq!(test.state().dispatch_at, None);
        test.dispatch("austrian").contains("a mail misread");
        test.clock("2026-11-24T10:00:00Z");
        test.mail("french", "RIEN").run();
        assert!(waits_for_dispatch(&test));
        assert_eq!(test.state().dispatch_at, Some(time("2026-11-25T10:00:00Z")));
        is_sound(&test);
    }
}

#[test]
fn the_time_counts_from_the_dice_where_they_wait() {
    let mut test = sealed_in(plan().dice("[{source: drand, margin_seconds: 60}]"));
    assert!(matches!(test.state().waiting, CurrentWait::Dice { .. }));
    assert_eq!(test.state().dispatch_at, None);
    test.newest("french").contains("\nsd1 spring 2 seal\n");
    test.clock("2023-08-23T18:00:00Z");
    test.mail("french", &format!("BEACON 42 {ROUND_42}")).run();
    assert!(waits_for_dispatch(&test));
    at(&mut test, "2023-08-24T17:59:00Z");
    assert!(waits_for_dispatch(&test));
    at(&mut test, "2023-08-24T18:00:00Z");
    test.dispatch("french").contains("\nsd1 spring 3 dice\n");
    is_sound(&test);
}

/// That somebody is asked in public is told to all, and so has its moment like a dispatch: the time
/// that it took to come to it would tell of questions in quiet.
#[test]
fn questions_in_public_are_put_at_the_moment_of_the_dispatches() {
    let mut test = attacked(public_retreats().deadlines(SCHEDULE).questions(3));
    assert!(waits_for_dispatch(&test));
    at(&mut test, "2026-11-25T09:00:00Z");
    assert_eq!(asked(&test.state()), Some(true));
    test.newest("austrian")
        .contains("Do you fight on or retreat?");
    test.newest("french").contains("(austrian)");
    test.clock("2026-11-25T10:00:00Z");
    test.mail("austrian", "1: RETREAT").run();
    assert!(waits_for_dispatch(&test));
    assert_eq!(test.state().dispatch_at, Some(time("2026-11-26T10:00:00Z")));
    is_sound(&test);
    at(&mut test, "2026-11-26T10:00:00Z");
    assert!(!test.state().waits_in_quiet());
    is_sound(&test);
}

/// A script that failed leaves nobody less time, and the dispatches that tell of the ruling have
/// their moment too.
#[test]
fn a_stopped_phase_that_goes_on_has_its_whole_time() {
    let fails = r#"if piece("guillaume").hits != 2 { throw "planted"; }"#;
    let rules = rules_that_recover_with(fails).keep();
    let mut test = set_up(plan().rules(&rules), "NOTHING");
    let mut day = 24;
    while test.state().stopped().is_none() {
        let seats = awaited(&test.state());
        for seat in seats {
            let words = if seat == "french" { "RIEN" } else { "NOTHING" };
            test.mail(&seat, words);
        }
        test.run();
        day += 1;
        assert!(day < 30, "nothing fails");
        if test.state().stopped().is_none() {
            at(&mut test, &format!("2026-11-{day}T09:00:00Z"));
        }
    }
    at(&mut test, "2026-12-05T09:00:00Z");
    assert!(test.state().stopped().is_some(), "nothing is due");
    let file = test.root().join("change.yaml");
    fs::write(&file, "pieces: {guillaume: {hits: 2}}").unwrap();
    let why = "the recovery fails without hits";
    decides(
        &test,
        &["rule", "--change", file.to_str().unwrap(), "--why", why],
    );
    assert!(waits_for_dispatch(&test));
    at(&mut test, "2026-12-06T09:00:00Z");
    test.dispatch("french").contains(why);
    is_sound(&test);
}

/// The clock of a campaign may wait for a seat that can't be reached; the moment of the dispatches
/// does not.
#[test]
fn the_moment_waits_for_nobody() {
    let plan = plan().settings_line("unreachable: wait\n");
    let test = attacked(plan);
    let (context, mut state) = test.context();
    state.seats.get_mut("austrian").unwrap().failed = [1, 2, 3].into();
    assert!(!campaign::is_due(
        &context,
        &state,
        time("2026-11-25T08:59:00Z")
    ));
    assert!(campaign::is_due(
        &context,
        &state,
        time("2026-11-25T09:00:00Z")
    ));
    state.dispatch_at = None;
    assert!(
        !campaign::is_due(&context, &state, time("2026-12-25T09:00:00Z")),
        "the clock waits"
    );
}

#[test]
fn the_last_dispatch_has_its_moment_too() {
    let mut test = set_up(plan().questions(0), "NOTHING");
    let mut now = test.now();
    for _ in 0..40 {
        if test.state().world.ended.is_some() {
            break;
        }
        for seat in awaited(&test.state()) {
            let words = if seat == "french" { "RIEN" } else { "NOTHING" };
            test.mail(&seat, words);
        }
        test.run();
        if test.state().world.ended.is_none() {
            now += jiff::SignedDuration::from_hours(24);
            at(&mut test, &now.to_string());
        }
    }
    assert!(test.state().world.ended.is_some());
    assert!(waits_for_dispatch(&test));
    let told = test.letters("french").len();
    now += jiff::SignedDuration::from_hours(24);
    at(&mut test, &now.to_string());
    assert!(matches!(
        test.state().waiting,
        CurrentWait::Disclosure { .. }
    ));
    assert_eq!(test.letters("french").len(), told + 1);
    is_sound(&test);
}

/// The opening letter says when dispatches come, and `new` takes the setting.
#[test]
fn players_and_umpires_are_told() {
    let test = plan().begin();
    test.letters("french")[0].contains("24 h");
    test.letters("austrian")[0].contains("24 h after");
    let plain = plan().deadlines("{zone: UTC, most_hours: 48}").begin();
    plain.letters("austrian")[0].lacks("24 h after");

    let folder = tempfile::tempdir().unwrap();
    let new = |name: &str, after: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_estafette"));
        command.args(["new", "castiglione", "--into"]);
        command.arg(folder.path().join(name));
        for seat in ["french=ada@example.org", "austrian=bert@example.org"] {
            command.args(["--seat", seat]);
        }
        command.args(["--at", "Tue 20:00", "--no-pictures"]);
        let output = command.args(after).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        let settings = folder.path().join(name).join("campaign.yaml");
        (output.status.code(), error, fs::read_to_string(settings))
    };
    let (code, _, settings) = new("with", &["--dispatch-after", "24h"]);
    assert_eq!(code, Some(0));
    assert!(settings.unwrap().contains("dispatch_after: 24h"));
    let (code, _, settings) = new("without", &[]);
    assert_eq!(code, Some(0));
    assert!(!settings.unwrap().contains("dispatch_after"));
    for (wrong, why) in [
        ("5m", "at least 1h"),
        ("9999h", "at most"),
        ("tomorrow", "write it as `24h`"),
    ] {
        let (code, error, _) = new("wrong", &["--dispatch-after", wrong]);
        assert_eq!(code, Some(2), "{error}");
        assert!(error.contains(why), "{error}");
    }
}
