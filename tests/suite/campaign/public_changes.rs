//! What may change while questions in public are answered: a seat's address, its player, the
//! umpire's secret.

use std::fs;

use crate::support::{
    ATTACK, Letter, Test, asked, change, copied_rules, decides, is_sound, mail_to, public_retreats,
    set_up_with, umpire,
};
use estafette::{
    audit::{Verdict, bundle, mails::mails},
    campaign::model::state::CurrentWait,
    dice::PrivateBlock,
};

/// The question whether to retreat is put to both sides, twice, where the game puts it to one.
const ASKED_BOTH: &str = "    for again in 0..2 {
        ask_each([
            #{seat: seat_of(enemy_of(side)), topic: \"retreat\", about: #{must: false}, options: [], otherwise: #{choice: \"fight\"}},
            #{seat: seat_of(side), topic: \"retreat\", about: #{must: false}, options: [], otherwise: #{choice: \"fight\"}},
        ]);
    }
    let leaves = wants_to_leave(fight, side);
    let answer = #{choice: \"fight\"};
    if false { answer = ask(seat_of(side), \"retreat\", #{";

/// The Austrians are attacked and asked about losses in quiet, about a retreat in public. `both`:
/// so are the French, twice.
fn attacked(both: bool) -> Test {
    let rules = copied_rules();
    if both {
        let file = rules.path().join("castiglione/choices.rhai");
        change(
            &file,
            "    let leaves = wants_to_leave(fight, side);\n    let answer = ask(seat_of(side), \"retreat\", #{",
            ASKED_BOTH,
        );
        change(
            &file,
            "        otherwise: #{choice: if leaves { \"retreat\" } else { \"fight\" }},\n    });\n",
            "        otherwise: #{choice: if leaves { \"retreat\" } else { \"fight\" }},\n    }); }\n",
        );
    }
    let mut test = public_retreats().rules(rules.path()).questions(9).begin();
    set_up_with(&mut test, "ASK RETREAT, LOSSES\nPURSUE NEVER");
    test.mail("french", &format!("{ATTACK}\nASK RETREAT")).run();
    while asked(&test.state()) == Some(false) {
        test.mail("austrian", "1: SPREAD").run();
    }
    assert_eq!(asked(&test.state()), Some(true));
    test
}

/// Everybody who is asked something answers, at this hour.
fn answer(test: &mut Test, hour: u32, who: &[&str]) {
    let CurrentWait::Answers {
        questions, public, ..
    } = test.state().waiting
    else {
        panic!("nothing is asked");
    };
    test.clock(&format!("2026-11-21T{hour}:00:00Z"));
    for question in questions {
        if who.contains(&&*question.seat) {
            let words = if public { "1: FIGHT" } else { "1: SPREAD" };
            test.mail(&question.seat, words);
        }
    }
    test.run();
}

const BOTH: [&str; 2] = ["french", "austrian"];

/// The last of the public waits: the French have answered, and the Austrians, too, if they are
/// `asked_more`, in quiet.
fn french_have_answered(asked_more: bool) -> Test {
    let mut test = attacked(true);
    for hour in 16..19 {
        answer(&mut test, hour, &BOTH);
    }
    answer(&mut test, 19, if asked_more { &BOTH } else { &["french"] });
    assert_eq!(asked(&test.state()), Some(!asked_more));
    test.clock("2026-11-21T20:00:00Z");
    test
}

fn letters_since(test: &Test, before: usize) -> Vec<Vec<u8>> {
    let letters = test.letters("french").split_off(before);
    letters.into_iter().map(|letter| letter.bytes).collect()
}

fn move_to(test: &mut Test) {
    let reply_to = test.newest("french").reply_to;
    let old = "Ada <ada@example.org>";
    let request = mail_to(old, &reply_to, "ADDRESS ada@example.net", 901);
    test.raw(&request).run();
    let letters = test.letters("french");
    let is_code = |letter: &&Letter| letter.to == "ada@example.net";
    let letter = letters.iter().rfind(is_code).unwrap();
    let mut lines = letter.text.lines().map(str::trim);
    let code = lines.find(|line| line.len() == 16 && !line.contains(' '));
    let words = format!("ADDRESS {}", code.unwrap());
    let confirms = mail_to("Ada <ada@example.net>", &letter.reply_to, &words, 902);
    test.raw(&confirms).run();
}

#[test]
fn a_mover_reads_the_same_while_another_is_asked() {
    let change_of_address = |asked_more: bool| {
        let mut test = french_have_answered(asked_more);
        let before = test.letters("french").len();
        move_to(&mut test);
        let own = test.newest("french");
        assert_eq!(own.to, "ada@example.net");
        own.contains("COMBATTRE");
        is_sound(&test);
        letters_since(&test, before)
    };
    let (public, quiet) = (change_of_address(false), change_of_address(true));
    // The code, word of it, a farewell, the dispatch and the question that has been answered and
    // may be answered again.
    assert_eq!(public.len(), 5);
    assert_eq!(public, quiet);
}

#[test]
fn a_new_player_reads_the_same_while_another_is_asked_in_quiet() {
    let replaced = |asked_more: bool| {
        let test = french_have_answered(asked_more);
        let before = test.letters("french").len();
        let carol = "french=carol@example.net,name=Carol";
        decides(&test, &["replace", carol, "--why", "Ada has no time"]);
        is_sound(&test);
        letters_since(&test, before)
    };
    let (public, quiet) = (replaced(false), replaced(true));
    // A farewell, the opening, the dispatch, the question.
    assert_eq!(public.len(), 4);
    assert_eq!(public, quiet);
}

fn new_master(test: &Test) -> Result<(), String> {
    let output = umpire(test, &["new-master", "--why", "the disk broke"]);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    output.status.success().then_some(()).ok_or(error)
}

#[test]
fn a_master_lost_between_two_public_waits_is_replaced() {
    let mut test = attacked(false);
    fs::remove_file(test.root().join("secret/master")).unwrap();
    let first = test.state().dice.envelope;
    // The kept keys seal the answers of the first wait.
    answer(&mut test, 16, &BOTH);
    let second = test.state();
    assert_eq!(
        (asked(&second), second.dice.envelope),
        (Some(true), first + 1)
    );
    is_sound(&test);
    // Nobody can seal those of the second.
    test.mail("french", "1: FIGHT");
    let before = test.journal();
    let error = test.open().pass(test.now()).unwrap_err().to_string();
    assert!(error.contains("umpire new-master"), "{error}");
    assert_eq!(test.journal(), before, "no receipt was issued");
    new_master(&test).unwrap();
    for seat in BOTH {
        let of_new = format!("\ntext the master is lost after envelope {}; ", first + 1);
        test.newest(seat).contains(&of_new);
    }
    assert_eq!(asked(&test.state()), Some(true), "the wait goes on");
    is_sound(&test);

    test.clock("2026-11-21T17:00:00Z").run();
    assert_eq!(
        test.state().dice.envelope,
        first + 2,
        "the answer was sealed"
    );
    is_sound(&test);
    // What is asked from here on lies in the dice of a master that nobody can know before.
    for hour in 18..24 {
        if asked(&test.state()).is_some() {
            answer(&mut test, hour, &BOTH);
        }
    }
    assert_eq!(asked(&test.state()), None);
    // The rolls of the lost era are shown with the phase, and its keys come to each seat in a block
    // of their own.
    for seat in BOTH {
        let dispatch = test.dispatch(seat);
        let blocks = PrivateBlock::find(&dispatch.text);
        let blocks: Vec<PrivateBlock> = blocks.into_iter().map(Result::unwrap).collect();
        let [own, lost] = blocks.as_slice() else {
            panic!("{blocks:?}");
        };
        assert!(own.envelope >= first + 2);
        assert_eq!(lost.envelope, first);
        let lanes: Vec<&str> = lost.keys.iter().map(|(lane, _)| lane.as_str()).collect();
        assert_eq!(lanes, ["open", seat]);
        dispatch.contains(&format!("\nroll {first} open "));
        let found = mails(&test.root().join("outbox").join(seat)).unwrap();
        let report = &found.campaigns[0];
        let left = report.unproven.iter().chain(&report.unchecked);
        let rolls = left.filter(|line| line.contains("roll "));
        assert_eq!(rolls.collect::<Vec<_>>(), [""; 0]);
    }
    is_sound(&test);
}

#[test]
fn the_bundle_of_such_a_campaign_proves_every_die() {
    let mut test = attacked(false);
    fs::remove_file(test.root().join("secret/master")).unwrap();
    // In the first wait, this time.
    new_master(&test).unwrap();
    for _ in 0..100 {
        match test.state().waiting {
            CurrentWait::Orders { seats, .. } => {
                for seat in seats {
                    let words = if seat == "french" { "RIEN" } else { "NOTHING" };
                    test.mail(&seat, words);
                }
            }
            CurrentWait::Answers { .. } => answer(&mut test, 17, &BOTH),
            CurrentWait::Nothing => break,
            _ => {}
        }
        let hours = jiff::SignedDuration::from_hours(
            if matches!(test.state().waiting, CurrentWait::Disclosure { .. }) {
                15 * 24
            } else {
                0
            },
        );
        let now = test.now() + hours;
        test.clock(&now.to_string()).run();
    }
    assert_eq!(test.state().waiting, CurrentWait::Nothing);
    let out = tempfile::tempdir().unwrap();
    assert!(bundle::write(&test.root(), out.path()).unwrap().complete);
    let report = bundle::audit(out.path(), &mut |_, _| {}).unwrap();
    assert_eq!(report.verdict(), Verdict::Fits, "{report:#?}");
    let rolls = report.unchecked.iter().filter(|line| line.contains("roll"));
    assert_eq!(rolls.count(), 0, "{report:#?}");
}
