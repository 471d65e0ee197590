//! Questions in the middle of a phase of which everybody may know: the envelope in use is closed
//! with its key held back, the answers are sealed into the next one, and the phase goes on with it.
//! Audits of directory, mails and bundle follow all of it, and find what is changed.

use std::{
    fs,
    process::{Child, Command, Stdio},
    sync::Arc,
    thread,
    time::Duration,
};

use crate::support::forger::{Texts, mail_of, mend, other_die};
use crate::support::{
    ATTACK, NAME, Plan, Test, awaited, deposit, mail_to, mails_fit, public_retreats as plan,
    set_up_with, tree,
};
use estafette::{
    audit::{self, Verdict, bundle, mails::mails},
    campaign::{
        self,
        model::{
            events::Ruling,
            state::{CurrentWait, ShownState, State},
        },
    },
    dice::{
        CampaignName, Chain, DiceEntry, Entry, EntryBody, LedgerLine, Master, PrivateBlock,
        Receipt, register::find_entries, source::witness_lane,
    },
    dispatch::WordsOrigin,
};

/// Both set-ups are given, the Austrians want to be asked, and the French attack.
fn attacked(plan: Plan) -> Test {
    let mut test = plan.questions(3).begin();
    set_up(&mut test);
    test.mail("french", ATTACK).run();
    test
}

fn set_up(test: &mut Test) {
    set_up_with(test, "ASK RETREAT\nPURSUE NEVER");
}

fn in_public(state: &State) -> bool {
    state.asked_in_public().is_some()
}

/// All register entries that a seat has been sent, in their order.
fn entries(test: &Test, seat: &str) -> Vec<Entry> {
    let letters = test.letters(seat);
    let entries = letters.iter().flat_map(|letter| find_entries(&letter.text));
    entries.map(Result::unwrap).collect()
}

/// The dice entries that a seat has been sent.
fn dice(test: &Test, seat: &str) -> Vec<DiceEntry> {
    let bodies = entries(test, seat).into_iter().map(|entry| entry.body);
    bodies
        .filter_map(|body| match body {
            EntryBody::Dice(dice) => Some(dice),
            _ => None,
        })
        .collect()
}

#[track_caller]
fn is_sound(test: &Test) {
    let report = audit::campaign(&test.root()).unwrap();
    assert_eq!(report.verdict(), Verdict::Fits, "{report:#?}");
    for seat in ["french", "austrian"] {
        let folder = test.root().join("outbox").join(seat);
        mails_fit(&folder);
        let found = mails(&folder).unwrap();
        let report = &found.campaigns[0];
        let own = format!("orders-{seat}.txt is not at hand");
        let missing = report.unproven.iter().find(|line| line.contains(&own));
        assert_eq!(missing, None, "{report:#?}");
    }
    // The journal alone gives the same state as the work did.
    let state = test.state();
    let snapshots = test.root().join("snapshots");
    fs::remove_dir_all(&snapshots).unwrap();
    fs::create_dir(&snapshots).unwrap();
    assert_eq!(test.state(), state);
}

#[test]
fn a_public_wait_holds_its_key_and_seals_the_answers() {
    let mut test = attacked(plan());
    let asking = test.state();
    assert!(in_public(&asking), "{:?}", asking.waiting);
    let used = asking.dice.envelope;
    assert!(asking.dice.spent && !asking.dice.kept_back.is_empty());
    for seat in ["french", "austrian"] {
        let closed = dice(&test, seat).pop().unwrap();
        assert_eq!((closed.envelope, closed.open_key), (used, None));
        assert_eq!(closed.rolls, []);
        let letter = test.newest(seat);
        let block = PrivateBlock::find(&letter.text).remove(0).unwrap();
        assert!(block.keys.is_empty() && block.rolls.is_empty());
        assert_eq!(block.blinds.len(), 3);
        let last = block.letters.iter().next_back().unwrap();
        assert_eq!(last.id, letter.message_id, "the letter itself is bound");
        let foot = format!("\n{}\n", asking.register.foot);
        letter.contains(&foot);
    }
    test.newest("austrian")
        .contains("Do you fight on or retreat?")
        .contains("Everybody is told that you are being asked");
    test.newest("french")
        .contains("(austrian)")
        .contains("Au milieu de la phase en cours")
        .lacks("Combat\u{a0}: Castiglione");
    is_sound(&test);

    test.clock("2026-11-21T16:00:00Z");
    test.mail("austrian", "1: FIGHT").run();
    let after = test.state();
    let receipt = receipt(&test, "austrian", "1: FIGHT");
    assert_eq!((receipt.number.envelope, receipt.number.k), (used + 1, 1));
    assert_eq!(after.dice.envelope, used + 1);
    assert!(after.dice.kept_back.is_empty() && after.dice.earlier.is_empty());
    let entries = entries(&test, "french");
    let EntryBody::Seal(seal) = &entries[entries.len() - 2].body else {
        panic!("the seal of the answers goes out with their dice");
    };
    assert_eq!(seal.envelope, used + 1);
    let shown = dice(&test, "french").pop().unwrap();
    assert!(shown.open_key.is_some());
    let of = |envelope: u32| {
        shown
            .rolls
            .iter()
            .filter(move |roll| roll.envelope == envelope)
    };
    let held = asking.dice.kept_back.iter();
    let held: Vec<LedgerLine> = held.filter(|line| line.lane.is_open()).cloned().collect();
    assert_eq!(of(used).cloned().collect::<Vec<_>>(), held);
    assert!(of(used + 1).count() > 0, "the fight goes on with new dice");
    assert!(shown.rolls.is_sorted_by_key(|roll| roll.envelope));
    test.dispatch("french").contains("Castiglione");
    is_sound(&test);
}

/// The receipt that a seat got for these words.
fn receipt(test: &Test, seat: &str, words: &str) -> Receipt {
    let letters = test.letters(seat);
    let lines = letters.iter().flat_map(|letter| letter.text.lines());
    let mut receipts = lines.filter_map(|line| line.parse::<Receipt>().ok());
    let words = format!("{words}\n");
    receipts.find(|receipt| receipt.is_for(&words)).unwrap()
}

#[test]
fn a_quiet_question_goes_on_in_the_same_envelope() {
    let mut test = attacked(Test::campaign("castiglione").scenario("lonato"));
    let asking = test.state();
    assert!(matches!(asking.waiting, CurrentWait::Answers { .. }) && !in_public(&asking));
    test.mail("austrian", "1: FIGHT").run();
    assert_eq!(test.state().dice.envelope, asking.dice.envelope);
}

/// What the French get while the Austrians fight on, asked about their losses in quiet or not.
fn fought(standing: &str) -> (Test, Vec<(bool, u32)>) {
    let mut test = plan().questions(9).begin();
    set_up_with(&mut test, standing);
    test.mail("french", ATTACK).run();
    let mut waits = Vec::new();
    while let CurrentWait::Answers { public, .. } = test.state().waiting {
        let envelope = test.state().dice.envelope;
        waits.push((public, envelope));
        assert!(waits.len() < 20);
        let hour = 16 + waits.len() / 2;
        let minute = 30 * (waits.len() % 2);
        test.clock(&format!("2026-11-21T{hour}:{minute:02}:00Z"));
        let answer = if public { "1: FIGHT" } else { "1: SPREAD" };
        test.mail("austrian", answer).run();
        is_sound(&test);
    }
    (test, waits)
}

#[test]
fn quiet_questions_around_a_public_one_stay_unseen() {
    let (test, waits) = fought("ASK RETREAT, LOSSES\nPURSUE NEVER");
    let kinds: Vec<bool> = waits.iter().map(|(public, _)| *public).collect();
    assert!(
        kinds.windows(2).any(|two| two == [true, false]),
        "{waits:?}"
    );
    for two in waits.windows(2) {
        let (before, after) = (two[0], two[1]);
        assert_eq!(after.1 - before.1, u32::from(before.0), "{waits:?}");
    }
    // The other seat gets the news of each public wait and then the dispatch, and nothing of the
    // rest.
    let letters = test.letters("french").into_iter();
    let subjects: Vec<String> = letters.map(|letter| letter.subject).collect();
    let is_news = |subject: &&String| subject.contains("Une décision est attendue");
    let public = waits.iter().filter(|(public, _)| *public).count();
    assert_eq!(subjects.iter().filter(is_news).count(), public);
    let first = subjects
        .iter()
        .position(|subject| is_news(&subject))
        .unwrap();
    assert_eq!(subjects.len(), first + public + 1, "{subjects:?}");
}

/// Two seats are asked in public. After the seal that neither has been told of, one is asked
/// something in quiet, in another phase: what the other sends is read as before.
#[test]
fn who_was_asked_in_public_learns_of_no_quiet_question() {
    let test = attacked(plan());
    let (context, mut open) = test.context();
    let CurrentWait::Answers {
        questions, answers, ..
    } = &mut open.waiting
    else {
        panic!("nothing is asked");
    };
    let mut second = questions[0].clone();
    second.seat = "french".into();
    questions.push(second.clone());
    answers.push(None);
    let mut quiet = open.clone();
    let shown = open.shown.clone().unwrap();
    quiet.shown = Some(Box::new(ShownState {
        seats: vec!["austrian".into(), "french".into()],
        told: false,
        aware: Default::default(),
        questions: open.asked_in_public().unwrap().to_vec(),
        asked_in: Some(Box::new(open.clone())),
        ..*shown
    }));
    quiet.phase = "recovery".to_owned();
    for piece in quiet.world.pieces.values_mut() {
        Arc::make_mut(piece).at = None;
    }
    if let CurrentWait::Answers {
        questions,
        answers,
        public,
        deadline,
        ..
    } = &mut quiet.waiting
    {
        (*questions, *answers, *public) = (vec![second], vec![None], false);
        *deadline = None;
    }
    let seat = "austrian".into();
    for words in ["1: FIGHT\n", "1: RETREAT TO Solferino\n", "PURSUE NEVER\n"] {
        let read = |state: &State| {
            let moment = campaign::moment(&context, state, &seat);
            assert!(moment.public && moment.questions.len() == 1);
            let joined = campaign::join(&context, state, &seat, &moment, words).unwrap();
            let (text, meaning) = (&joined.text, &joined.understood);
            let from = WordsOrigin::default();
            campaign::receipt(&context, state, &seat, &moment, meaning, text, &from).text
        };
        assert_eq!(read(&open), read(&quiet), "{words}");
    }
}

#[test]
fn what_others_send_meanwhile_counts_at_the_next_orders() {
    let mut test = attacked(plan());
    let used = test.state().dice.envelope;
    test.clock("2026-11-21T15:30:00Z");
    let old = test.newest("french").reply_to;
    test.mail_at(
        "french",
        &old,
        "POURSUIVRE JAMAIS\nDÉPLACER Guillaume : Lonato",
    )
    .run();
    test.newest("french").contains("POURSUIVRE JAMAIS");
    let proof = receipt(&test, "french", "POURSUIVRE JAMAIS");
    assert_eq!((proof.number.envelope, proof.number.k), (used + 1, 1));
    test.mail("austrian", "1: FIGHT").run();
    let state = test.state();
    assert_eq!(state.dice.envelope, used + 1);
    assert_eq!(state.dice.orders["french"], "POURSUIVRE JAMAIS\n");
    assert_eq!(state.seats["french"].counting(), "POURSUIVRE JAMAIS\n");
    is_sound(&test);
    test.clock("2026-11-21T17:00:00Z");
    for seat in awaited(&state) {
        test.mail(&seat, if seat == "french" { "RIEN" } else { "NOTHING" });
    }
    test.run();
    let standing = &test.state().decisions.standing["french"];
    assert!(standing.iter().any(|order| order.text.contains("JAMAIS")));
    is_sound(&test);
}

#[test]
fn without_an_answer_the_deadline_seals_what_there_is() {
    let plan = plan().deadlines("{zone: UTC, most_hours: 48}");
    let mut test = attacked(plan);
    let used = test.state().dice.envelope;
    test.newest("french")
        .contains("Avant lundi 23 novembre 2026");
    test.clock("2026-11-24T16:00:00Z").run();
    let state = test.state();
    assert!(state.dice.envelope > used);
    is_sound(&test);
}

#[test]
fn answers_can_be_given_again_until_the_wait_ends() {
    // Two battles: each asks on its own, one question a wait; the last answer is the one that
    // counts, and is sealed.
    let mut test = attacked(plan());
    let used = test.state().dice.envelope;
    test.mail("austrian", "1: NOWHERE").run();
    assert!(in_public(&test.state()));
    test.newest("austrian").contains("NOT UNDERSTOOD");
    test.mail("austrian", "1: RETREAT TO Solferino").run();
    let state = test.state();
    assert_eq!(state.dice.envelope, used + 1);
    assert_eq!(
        state.world.piece("schubirz").unwrap().at.as_deref(),
        Some("solferino")
    );
    is_sound(&test);
}

#[test]
fn a_rollback_over_a_public_wait_keeps_its_rolls() {
    let mut test = attacked(plan());
    let asking = test.state();
    let used = asking.dice.envelope;
    test.clock("2026-11-21T16:00:00Z");
    let why = "the map was read wrong".to_owned();
    let ruling = Ruling::Rollback {
        envelope: used,
        why,
    };
    test.open().rule(ruling, test.now()).unwrap();
    let state = test.state();
    assert_eq!(awaited(&state), ["french"]);
    assert_eq!(
        (state.dice.envelope, &state.dice.kept_back),
        (used, &asking.dice.kept_back)
    );
    assert!(state.dice.earlier.is_empty());
    is_sound(&test);
    test.clock("2026-11-21T17:00:00Z");
    test.mail("french", "RIEN").run();
    let shown = dice(&test, "austrian").pop().unwrap();
    assert_eq!(shown.envelope, used + 1);
    assert!(shown.open_key.is_some());
    assert!(shown.rolls.iter().any(|roll| roll.envelope == used));
    assert!(test.state().dice.kept_back.is_empty());
    is_sound(&test);
}

/// Real rounds of quicknet, one for each seal.
const ROUNDS: [(&str, &str, &str); 3] = [
    (
        "2023-08-23T15:10:30Z",
        "42",
        "95a9f9f5b231b7714de1553105d8ffdf3dcda24cfdb1e689319bccf79a9c8ce430a91b811fbfaf763900bc998b5d686a",
    ),
    (
        "2023-08-23T15:14:33Z",
        "123",
        "b75c69d0b72a5d906e854e808ba7e2accb1542ac355ae486d591aa9d43765482e26cd02df835d3546d23c4b13e0dfc92",
    ),
    (
        "2023-08-23T15:58:24Z",
        "1000",
        "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39",
    ),
];

#[test]
fn beacon_and_witness_are_asked_again_for_the_answers() {
    let name: CampaignName = NAME.parse().unwrap();
    let secret = Master::simulated("cleo", &name);
    let chain = Chain::of_master(&secret, &name, &witness_lane("cleo"), 1000);
    let sources = format!(
        "[{{source: drand, margin_seconds: 60}}, {{source: witness, name: cleo, address: cleo@example.org, anchor: {}}}]",
        chain.anchor()
    );
    let mut test = plan()
        .questions(3)
        .dice(&sources)
        .beginning("2023-08-23T15:00:00Z")
        .begin();
    let mut seals = ROUNDS.iter().zip(1..);
    let mut roll = |test: &mut Test| {
        let ((_, round, signature), envelope) = seals.next().unwrap();
        let to = test.newest("w-cleo").reply_to;
        let token = format!("TOKEN {envelope} {}", chain.key(envelope).unwrap().to_hex());
        test.mail_at("Cleo <cleo@example.org>", &to, &token).run();
        assert!(matches!(test.state().waiting, CurrentWait::Dice { .. }));
        let moment = test.now() + jiff::SignedDuration::from_mins(1);
        test.clock(&moment.to_string());
        test.mail("french", &format!("BEACON {round} {signature}"))
            .run();
        assert!(!matches!(test.state().waiting, CurrentWait::Dice { .. }));
    };
    test.clock(ROUNDS[0].0);
    test.mail("french", "RIEN")
        .mail("austrian", "ASK RETREAT\nPURSUE NEVER")
        .run();
    roll(&mut test);
    test.clock(ROUNDS[1].0);
    assert_eq!(
        awaited(&test.state()),
        ["french"],
        "as the dice of these rounds have it"
    );
    test.mail("french", ATTACK).run();
    roll(&mut test);
    assert!(in_public(&test.state()), "{:?}", test.state().waiting);
    is_sound(&test);
    test.clock(ROUNDS[2].0);
    test.mail("austrian", "1: FIGHT").run();
    test.newest("french")
        .contains("Les réponses sont scellées")
        .contains("\nround 1000\n");
    is_sound(&test);
    roll(&mut test);
    let shown = dice(&test, "austrian").pop().unwrap();
    assert_eq!((shown.envelope, shown.values.len()), (3, 2));
    let envelopes: Vec<u32> = shown.rolls.iter().map(|roll| roll.envelope).collect();
    assert!(
        envelopes.contains(&2) && envelopes.contains(&3),
        "{envelopes:?}"
    );
    is_sound(&test);
}

/// A campaign with a public wait, played to its end by deadlines.
fn played() -> Test {
    let plan = plan().deadlines("{zone: UTC, at: [Mon 20:00, Wed 20:00, Fri 20:00], early: true}");
    let mut test = attacked(plan);
    assert!(in_public(&test.state()));
    test.clock("2026-11-21T16:00:00Z");
    test.mail("austrian", "1: FIGHT").run();
    test.play_out(|_| ())
}

#[test]
fn a_changed_bundle_with_a_public_wait_is_found() {
    let test = played();
    is_sound(&test);
    let out = tempfile::tempdir().unwrap();
    assert!(bundle::write(&test.root(), out.path()).unwrap().complete);
    let wrong = || bundle::audit(out.path(), &mut |_, _| {}).unwrap().wrong;
    assert_eq!(wrong(), [] as [String; 0]);
    let path = out.path().join("dice/register.txt");
    let text = fs::read_to_string(&path).unwrap();
    let held = held_line(&text);
    let forged = |from: &str, to: &str| {
        let mut texts = [text.replace(from, to)];
        assert_ne!(texts[0], text);
        mend(&mut texts, NAME);
        fs::write(&path, &texts[0]).unwrap();
        let found = wrong().join("\n");
        assert!(!found.is_empty(), "{from} -> {to}");
        found
    };
    // A held line with another die, and one that is left out, by a forger who mends all heads.
    let found = forged(&held, &other_die(&held));
    assert!(found.contains(&question(&held)), "{found}");
    let found = forged(&format!("{held}\n"), "");
    assert!(found.contains("in the register"), "{found}");
    // The held envelope's rolls under the entry that has no key.
    let found = forged("key open -\n", &format!("key open {}\n", "ab".repeat(32)));
    assert!(found.contains("key"), "{found}");
}

/// The first open roll of a dice entry that is of an earlier envelope.
fn held_line(register: &str) -> String {
    let dice = find_entries(register).into_iter().map(Result::unwrap);
    let mut held = dice.filter_map(|entry| match entry.body {
        EntryBody::Dice(dice) => dice
            .rolls
            .into_iter()
            .find(|roll| roll.envelope < dice.envelope),
        _ => None,
    });
    held.next().unwrap().to_string()
}

/// A roll without its result.
fn question(line: &str) -> String {
    line.split(" = ").next().unwrap().to_owned()
}

#[test]
fn a_held_line_that_was_changed_in_the_mails_is_found() {
    let mut test = attacked(plan());
    test.clock("2026-11-21T16:00:00Z");
    test.mail("austrian", "1: FIGHT").run();
    let texts = Texts(test.letters("french").iter().map(mail_of).collect());
    let held = held_line(&texts.0.concat());
    let wrong = |texts: Texts| {
        let found = mails(texts.mended().folder().path()).unwrap();
        let wrong = found.campaigns[0].wrong.clone();
        wrong.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(wrong(texts.clone()), [] as [String; 0]);
    let found = wrong(texts.clone().change(&held, &other_die(&held)));
    assert!(
        found.iter().any(|line| line.contains(&question(&held))),
        "{found:?}"
    );
    // Rolls in an entry whose key is held back.
    let entry = (1..).map_while(|n| texts.entry(n));
    let entry = entry
        .into_iter()
        .find(|entry| entry.contains("\nkey open -\n"));
    let entry = entry.unwrap();
    let (above, head) = entry.rsplit_once("head ").unwrap();
    let early = format!("{above}{held}\nhead {head}");
    let found = wrong(texts.change(&entry, &early));
    assert!(
        found
            .iter()
            .any(|line| line.contains("no rolls without the open key")),
        "{found:?}"
    );
}

/// Starts a pass of the host.
fn pass(test: &Test) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_estafette"));
    command.arg("run").arg(test.root());
    command.args(["--now", &test.now().to_string()]);
    command.stdout(Stdio::null()).spawn().unwrap()
}

/// Kills a pass as soon as the journal has grown or letters have come so many times. `false` if it
/// ended before.
fn killed(test: &Test, mut child: Child, changes: usize) -> bool {
    let (mut seen, mut last) = (0, written(test));
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            assert!(status.success());
            return false;
        }
        let now = written(test);
        if now != last {
            (last, seen) = (now, seen + 1);
        }
        if seen >= changes {
            child.kill().unwrap();
            child.wait().unwrap();
            return true;
        }
        thread::sleep(Duration::from_micros(500));
    }
}

/// The journal's length, and how many letters there are.
fn written(test: &Test) -> (u64, usize) {
    let letters = ["french", "austrian"].map(|seat| {
        let folder = test.root().join("outbox").join(seat).join("new");
        fs::read_dir(folder).map_or(0, Iterator::count)
    });
    let journal = fs::metadata(test.root().join("journal.jsonl")).unwrap();
    (journal.len(), letters.iter().sum())
}

#[test]
fn a_host_that_is_killed_in_a_public_wait_does_the_same_again() {
    // The attack that leads to the question, then the answer that ends the wait.
    let steps = [("french", ATTACK), ("austrian", "1: FIGHT")];
    let play = |kills: &[usize]| {
        let mut test = plan().questions(3).begin();
        set_up(&mut test);
        let mut hit = 0;
        for (number, (seat, words)) in steps.iter().enumerate() {
            test.clock(&format!("2026-11-21T1{}:00:00Z", 7 + number));
            let file = 50 + u32::try_from(number).unwrap();
            let mail = mail_to(seat, &test.newest(seat).reply_to, words, file);
            deposit(&test.root(), file, test.now(), &mail);
            for changes in kills {
                hit += usize::from(killed(&test, pass(&test), *changes));
            }
            assert!(pass(&test).wait().unwrap().success());
        }
        (tree(&test.root()), hit)
    };
    let (undisturbed, _) = play(&[]);
    let (disturbed, hit) = play(&[1, 1, 2, 3, 1, 2]);
    assert!(hit >= 4, "only {hit} kills hit");
    assert!(disturbed == undisturbed);
}
