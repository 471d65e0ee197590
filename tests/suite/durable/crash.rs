//! The host is killed, again and again, at every kind of moment; nothing is lost and nothing is
//! said in two versions.
//!
//! A short campaign is played once undisturbed. Then it is played again from the same mails, and
//! each pass is killed as soon as so many files have changed, or after a part of the time that it
//! took undisturbed, until the step is done. At every moment the journal must be a beginning of the
//! undisturbed one, every letter equal to the undisturbed one, and in the end all bytes the same. A
//! pass may be too quick for the killer: the campaign is played again until enough kills have hit.
#![cfg(unix)]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    sync::LazyLock,
    thread,
    time::{Duration, Instant},
};

use crate::support::{Test, deposit, mail_to, tree};
use estafette::{
    campaign::{
        durable::{Campaign, from_club},
        model::absence::{Absence, AbsenceAct, ClubWord},
    },
    store::Directory,
};

/// Most kills in one step: then it may go on to its end.
const KILLS_A_STEP: usize = 10;

/// Most plays to get enough kills in: a machine on which so few of them hit is no machine for this
/// test.
const PLAYS: usize = 20;

/// What the players send at each step. In the last one both send an attack; that of the seat that
/// is waited for is fought.
const STEPS: [&[(&str, &str)]; 3] = [
    &[
        ("french", "RIEN"),
        ("austrian", "ASK RETREAT\nPURSUE NEVER"),
    ],
    &[
        ("french", "POURSUIVRE JAMAIS\nMARCHE Nulle Part"),
        (
            "austrian",
            "RESEND\nPRESS TO french\nYield.\nEND\nMOVE Nobody: Nowhere",
        ),
    ],
    &[
        (
            "french",
            "DÉPLACER Bonaparte, Massena, Rampon, Victor, Pijon : Castiglione",
        ),
        ("austrian", "MOVE Quasdanovich, Ott, Spork, Klenau: Lonato"),
    ],
];

/// When a pass is killed.
#[derive(Clone, Copy, Debug)]
enum Kill {
    /// As soon as the files of the campaign have been seen to change so many times.
    Changes(usize),
    /// After so many hundredths of the time of the undisturbed pass.
    Hundredths(u32),
}

/// One step of the undisturbed play.
struct Step {
    now: String,
    /// The mails that came, with the numbers of their files.
    mails: Vec<(u32, Vec<u8>)>,
    /// What the club has told.
    word: Option<ClubWord>,
    /// How long its pass took.
    took: Duration,
    /// What there was after it.
    after: BTreeMap<String, Vec<u8>>,
}

/// A play that nothing disturbs.
struct Play {
    begin: fn() -> Test,
    steps: Vec<Step>,
}

static UNDISTURBED: LazyLock<Play> = LazyLock::new(|| {
    let (test, play) = undisturbed(begin, &STEPS);
    assert!(
        test.letters("austrian")
            .iter()
            .any(|letter| letter.text.contains("Combat at")),
        "a battle is part of it"
    );
    play
});

/// Against a bot, which writes in the same passes.
static AGAINST_A_BOT: LazyLock<Play> = LazyLock::new(|| {
    let begin = || {
        let plan = Test::campaign("castiglione")
            .with_pictures()
            .scenario("lonato");
        plan.against("bot").begin()
    };
    let steps: [&[(&str, &str)]; 3] = [
        &[("french", "RIEN")],
        &[("french", "POURSUIVRE JAMAIS")],
        &[("french", "RIEN")],
    ];
    let (test, play) = undisturbed(begin, &steps);
    assert!(test.records("bot").len() >= steps.len());
    play
});

/// Players who are away, and one who leaves and whose seat a member of a club takes over.
static ABSENCES: LazyLock<Play> = LazyLock::new(|| {
    let begin = || {
        let plan = Test::campaign("castiglione").scenario("lonato");
        let plan = plan.deadlines("{zone: UTC, most_hours: 48}");
        plan.settings_line("absence: {days: 10}\n").begin()
    };
    let steps: [&[(&str, &str)]; 4] = [
        &[
            ("austrian", "ABSENT until 28 Nov hiking\nPURSUE NEVER"),
            ("french", "POURSUIVRE JAMAIS"),
        ],
        &[
            ("austrian", "BACK\nSTATUS"),
            ("french", "ABSENT JUSQU'AU 30 NOV"),
        ],
        &[("austrian", "RESIGN")],
        &[("french", "RIEN")],
    ];
    let absence = Absence {
        from: "2026-11-21T14:00:00Z".parse().unwrap(),
        until: "2026-11-29T00:00:00Z".parse().unwrap(),
        acts: AbsenceAct::Waits,
    };
    let player = "{id: austrian, address: carol@example.net, lang: en, name: Carol}";
    let words = [
        None,
        Some(ClubWord::Absent {
            addresses: vec!["ada@example.org".parse().unwrap()],
            absence,
        }),
        None,
        Some(ClubWord::TakeOver {
            player: serde_yaml::from_str(player).unwrap(),
        }),
    ];
    let (test, play) = undisturbed_with(begin, &steps, &words);
    assert_eq!(test.records("club").len(), 2);
    assert!(test.newest("austrian").to.contains("carol"));
    assert_ne!(
        test.state().deadline().unwrap().to_string(),
        "2026-11-23T12:00:00Z"
    );
    play
});

/// Orders close by a word that is no order.
static BY_READY: LazyLock<Play> = LazyLock::new(|| {
    let begin = || {
        let plan = Test::campaign("castiglione").scenario("lonato");
        plan.deadlines("{zone: UTC, most_hours: 48, when_ready: true}")
            .begin()
    };
    let steps: [&[(&str, &str)]; 2] = [
        &[("french", "RIEN\nPRÊT"), ("austrian", "PURSUE NEVER")],
        &[("austrian", "READY")],
    ];
    let (test, play) = undisturbed(begin, &steps);
    assert!(test.state().dice.envelope > 0, "the word has closed them");
    play
});

fn undisturbed(begin: fn() -> Test, written: &[&[(&str, &str)]]) -> (Test, Play) {
    let nothing: Vec<_> = written.iter().map(|_| None).collect();
    undisturbed_with(begin, written, &nothing)
}

fn undisturbed_with(
    begin: fn() -> Test,
    written: &[&[(&str, &str)]],
    words: &[Option<ClubWord>],
) -> (Test, Play) {
    let test = begin();
    let mut number = 0;
    let mut steps = Vec::new();
    for (hour, written) in written.iter().enumerate() {
        let now = format!("2026-11-21T{}:00:00Z", 13 + hour);
        let mut mails = Vec::new();
        for (seat, words) in *written {
            number += 1;
            mails.push((
                number,
                mail_to(seat, &test.newest(seat).reply_to, words, number),
            ));
        }
        let word = words[hour].clone();
        send(&test.root(), &now, &mails);
        tell(&test.root(), hour, word.as_ref());
        let start = Instant::now();
        assert!(pass(&test.root(), &now).wait().unwrap().success());
        let took = start.elapsed();
        assert!(
            test.records("mail").len()
                + test.records("refused").len()
                + test.records("errands").len()
                == usize::try_from(number).unwrap()
        );
        steps.push(Step {
            now,
            mails,
            word,
            took,
            after: tree(&test.root()),
        });
    }
    (test, Play { begin, steps })
}

fn begin() -> Test {
    Test::campaign("castiglione")
        .with_pictures()
        .scenario("lonato")
        .settings_line("press: {goes: at_once}\n")
        .begin()
}

fn send(root: &Path, now: &str, mails: &[(u32, Vec<u8>)]) {
    for (number, bytes) in mails {
        deposit(root, *number, now.parse().unwrap(), bytes);
    }
}

/// The club tells something.
fn tell(root: &Path, step: usize, word: Option<&ClubWord>) {
    if let Some(word) = word {
        let directory = Directory::open(root).unwrap();
        from_club::tell(&directory, &format!("tuesday-{step}"), word).unwrap();
    }
}

/// Starts a pass of the host.
fn pass(root: &Path, now: &str) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_estafette"));
    command
        .arg("run")
        .arg(root)
        .args(["--now", now])
        .stdout(Stdio::null());
    command.spawn().unwrap()
}

/// Everything about a campaign's files that can be seen from outside while a pass works: names, and
/// the journal's length.
fn seen(root: &Path) -> (u64, BTreeSet<String>) {
    let mut names = BTreeSet::new();
    for folder in ["inbox", "outbox", "snapshots"] {
        gather(&root.join(folder), &mut names);
    }
    (
        fs::metadata(root.join("journal.jsonl")).unwrap().len(),
        names,
    )
}

fn gather(folder: &Path, names: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        names.insert(entry.path().display().to_string());
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            gather(&entry.path(), names);
        }
    }
}

/// Kills a pass at its moment; undisturbed it took so long. Gives how it ended if it came to its
/// end before.
fn kill(root: &Path, mut child: Child, when: Kill, took: Duration) -> Option<ExitStatus> {
    let start = Instant::now();
    let (mut last, mut changes) = (seen(root), 0);
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return Some(status);
        }
        let is_time = match when {
            Kill::Hundredths(part) => start.elapsed() >= took * part / 100,
            Kill::Changes(most) => {
                let now = seen(root);
                if now != last {
                    (last, changes) = (now, changes + 1);
                }
                changes >= most
            }
        };
        if is_time {
            child.kill().unwrap();
            child.wait().unwrap();
            return None;
        }
        thread::sleep(Duration::from_micros(200));
    }
}

/// What killed passes have left half-written.
fn unfinished(root: &Path) -> Vec<String> {
    let (mut names, root_length) = (BTreeSet::new(), root.display().to_string().len());
    gather(root, &mut names);
    let inside = names.iter().filter_map(|name| name.get(root_length..));
    let is_left = |name: &&str| name.contains(".unfinished-") || name.contains("/tmp/");
    inside.filter(is_left).map(str::to_owned).collect()
}

/// What is there now is a part of what there will be: no record and no letter in two versions.
#[track_caller]
fn assert_part(now: &BTreeMap<String, Vec<u8>>, then: &BTreeMap<String, Vec<u8>>, when: Kill) {
    for (name, bytes) in now {
        let whole = then
            .get(name)
            .unwrap_or_else(|| panic!("{when:?}: {name} is a letter that nobody should get"));
        let fits = if name == "journal.jsonl" {
            whole.starts_with(bytes)
        } else {
            whole == bytes
        };
        assert!(
            fits,
            "{when:?}: {name} is another than in the undisturbed play"
        );
    }
}

/// Plays the campaign with these kills in turn, and says how many there were.
fn disturbed(play: &Play, kills: &[Kill]) -> usize {
    let test = (play.begin)();
    let root = test.root();
    let mut kills = kills.iter().cycle();
    let mut killed = 0;
    for (number, step) in play.steps.iter().enumerate() {
        send(&root, &step.now, &step.mails);
        tell(&root, number, step.word.as_ref());
        for when in kills.by_ref().take(KILLS_A_STEP) {
            if let Some(status) = kill(&root, pass(&root, &step.now), *when, step.took) {
                assert!(status.success());
                break;
            }
            killed += 1;
            assert_part(&tree(&root), &step.after, *when);
        }
        assert!(pass(&root, &step.now).wait().unwrap().success());
        let after = tree(&root);
        assert_part(&after, &step.after, Kill::Changes(0));
        assert!(
            after == step.after,
            "something is missing after the step at {}",
            step.now
        );
        assert!(unfinished(&root).is_empty(), "{:?}", unfinished(&root));
    }
    killed
}

/// Plays with these kills again and again until at least so many of them have hit.
#[track_caller]
fn disturbed_until(play: &Play, enough: usize, kills: &[Kill]) {
    let mut killed = 0;
    for _ in 0..PLAYS {
        killed += disturbed(play, kills);
        if killed >= enough {
            return;
        }
    }
    panic!("only {killed} kills hit in {PLAYS} plays");
}

#[test]
fn killed_at_every_change_of_its_files() {
    use Kill::Changes;
    disturbed_until(
        &UNDISTURBED,
        20,
        &[Changes(1), Changes(1), Changes(2), Changes(1), Changes(3)],
    );
}

#[test]
fn killed_after_a_while() {
    use Kill::{Changes, Hundredths};
    disturbed_until(
        &UNDISTURBED,
        20,
        &[
            Hundredths(30),
            Changes(2),
            Hundredths(60),
            Changes(1),
            Hundredths(90),
            Changes(3),
        ],
    );
}

#[test]
fn a_bot_plays_once_whenever_the_host_is_killed() {
    use Kill::{Changes, Hundredths};
    disturbed_until(
        &AGAINST_A_BOT,
        12,
        &[Changes(1), Hundredths(50), Changes(2), Hundredths(80)],
    );
}

#[test]
fn absences_and_takeovers_count_once_in_spite_of_kills() {
    use Kill::{Changes, Hundredths};
    disturbed_until(
        &ABSENCES,
        12,
        &[
            Changes(1),
            Changes(2),
            Hundredths(50),
            Changes(3),
            Hundredths(80),
        ],
    );
}

#[test]
fn a_word_closes_orders_once_whenever_the_host_is_killed() {
    use Kill::{Changes, Hundredths};
    disturbed_until(
        &BY_READY,
        8,
        &[Changes(1), Hundredths(50), Changes(2), Hundredths(80)],
    );
}

#[test]
fn what_was_recorded_and_not_told_is_told_by_the_next_pass() {
    let step = &UNDISTURBED.steps[0];
    let test = begin();
    send(&test.root(), &step.now, &step.mails);
    // The moment at which all records are on the disk and nothing else is.
    fs::write(
        test.root().join("journal.jsonl"),
        &step.after["journal.jsonl"],
    )
    .unwrap();
    assert!(pass(&test.root(), &step.now).wait().unwrap().success());
    assert!(tree(&test.root()) == step.after);
    let inbox = test.root().join("inbox");
    let count = |part: &str| fs::read_dir(inbox.join(part)).unwrap().count();
    assert_eq!((count("new"), count("done")), (0, step.mails.len()));
    // Another mail under the name of one that is in the journal is a mail of its own.
    let (number, bytes) = &step.mails[0];
    let other = [bytes.as_slice(), b"\r\nNOTHING\r\n"].concat();
    send(&test.root(), &step.now, &[(*number, other)]);
    fs::remove_dir_all(test.root().join("snapshots")).unwrap();
    assert!(pass(&test.root(), &step.now).wait().unwrap().success());
    let taken = test.records("mail").len() + test.records("refused").len();
    assert_eq!(taken, step.mails.len() + 1);
}

#[test]
fn two_passes_at_once_do_the_work_once() {
    let test = begin();
    let step = &UNDISTURBED.steps[0];
    send(&test.root(), &step.now, &step.mails);
    let passes = [(); 3].map(|()| pass(&test.root(), &step.now));
    for mut started in passes {
        let status = started.wait().unwrap();
        // On a slow machine one may not want to wait any longer for the others.
        let waited_long = status.code() == Some(3);
        assert!(status.success() || waited_long, "{status}");
    }
    assert!(pass(&test.root(), &step.now).wait().unwrap().success());
    assert!(tree(&test.root()) == step.after);
}

#[test]
fn a_campaign_in_work_is_locked() {
    let test = begin();
    let held = test.open();
    let refused = Campaign::open(&test.root(), Duration::ZERO)
        .err()
        .expect("it is open already");
    assert!(
        refused.is_environment() && refused.to_string().contains("process"),
        "{refused}"
    );
    drop(held);
    test.open();
}
