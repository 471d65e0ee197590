//! A sound campaign passes; each way to cheat or to err gives the finding with its name.
#![allow(clippy::unwrap_used, clippy::expect_used)] // tests may panic

mod fixture;

use fixture::{Game, finished, finished_in, time};

use super::*;
use crate::dice::{
    entry::{End, EntryBody, Note},
    form::Form,
    hash::Key,
    keys::{BoundText, Master},
    names::Lane,
    receipt::Receipt,
};

/// The names of all findings.
fn found(bundle: &Bundle) -> Vec<Check> {
    verify(bundle)
        .findings
        .iter()
        .map(|finding| finding.what)
        .collect()
}

#[test]
fn sound_campaigns_pass_whole_in_either_form() {
    for (form, digests) in [(Form::Texts, 12), (Form::Letters, 16)] {
        for with_witness in [false, true] {
            let report = verify(&finished_in(form, with_witness).bundle());
            assert_eq!(report.verdict(), Verdict::Fits);
            assert_eq!(report.unchecked, []);
            assert_eq!(report.passed[&Check::Roll], 10);
            assert_eq!(report.passed[&Check::Digest], digests);
            assert_eq!(report.passed[&Check::LastReceipt], 4);
        }
    }
}

/// An umpire who leaves out what the opening has promised to bind, or goes back to receipts that
/// bind less.
#[test]
fn what_the_form_promises_is_bound() {
    let bundle = finished(false).bundle();
    let promised = bundle.register.replacen("form 2\n", "", 1);
    let changed = Bundle {
        register: promised,
        ..bundle.clone()
    };
    let kinds = found(&changed);
    assert!(
        kinds.contains(&Check::Envelope) && kinds.contains(&Check::Receipt),
        "{kinds:?}"
    );
    let line = bundle
        .register
        .lines()
        .find(|line| line.contains("bind letters/red"))
        .unwrap();
    let dropped = Bundle {
        register: bundle.register.replacen(&format!("{line}\n"), "", 1),
        ..bundle.clone()
    };
    assert_eq!(found(&dropped), [Check::Head, Check::Envelope]);
    let list = |text: &str| text.replace("red.1.a@b", "red.1.b@b");
    let mut listed = bundle.clone();
    let item = listed.items.get_mut("1/letters-red.txt").unwrap();
    *item = list(item);
    assert_eq!(found(&listed), [Check::Digest]);
}

/// An answer is none before its seal, and never counts as orders: by its word, not by its time.
#[test]
fn an_answer_is_no_receipt_of_orders() {
    let game = finished(false);
    let receipts = game.bundle().receipts.unwrap();
    let answer = receipts
        .lines()
        .find(|line| line.starts_with("answer 1 red"))
        .unwrap();
    let mut receipt: Receipt = answer.parse().unwrap();
    receipt.time = time("2026-11-21T19:00:00Z");
    receipt.code = receipt.right_code(game.chains.key(&Lane::shut(), 1).unwrap());
    let mut bundle = game.bundle();
    bundle.receipts = Some(receipts.replace(answer, &receipt.to_string()));
    assert_eq!(found(&bundle), [Check::Receipt]);
    assert!(
        verify(&bundle).findings[0]
            .expected
            .contains("after the seal")
    );
    // Called a receipt, the code is not the umpire's.
    bundle.receipts =
        Some(receipts.replace(answer, &answer.replace("answer 1 red 1", "receipt 1 red 3")));
    assert_eq!(found(&bundle), [Check::Receipt]);
}

#[test]
fn an_unfinished_campaign_is_checked_as_far_as_it_goes() {
    let mut game = Game::new(false);
    game.play(1, false, Vec::new());
    let seal = game.seal(2);
    assert_eq!(seal.envelope, 2);
    let red = Lane::seat("red").unwrap();
    let private = PrivateBlock {
        keys: vec![(red.clone(), game.chains.key(&red, 1).unwrap().clone())],
        blinds: vec![(
            BoundText::Orders("red".into()),
            game.chains
                .blind(1, &BoundText::Orders("red".into()))
                .unwrap(),
        )],
        rolls: game
            .ledger
            .0
            .iter()
            .filter(|line| line.lane == red)
            .cloned()
            .collect(),
        ..PrivateBlock::new(game.register.campaign().clone(), "red".into(), 1)
    };
    let mut bundle =
        Bundle::of_register(game.register.campaign().clone(), game.register.to_string());
    bundle.items = game.items.clone();
    bundle.private = vec![private];
    let report = verify(&bundle);
    assert_eq!(report.findings, []);
    assert_eq!(report.passed[&Check::Roll], 3);
    assert_eq!(report.passed[&Check::Key], 2);
    assert_eq!(report.passed[&Check::Digest], 1);
    assert!(
        report
            .unchecked
            .iter()
            .any(|left| left.what == Check::Envelope && left.place == "envelope 2")
    );

    bundle.private[0].keys[0].1 = Key::new([1; 32]);
    assert_eq!(found(&bundle), [Check::Key]);
}

#[test]
fn a_changed_die_is_found_everywhere() {
    let game = finished(false);
    let line = game.ledger.0[0].to_string();
    let changed = format!("{} = 6 6", game.ledger.0[0].question());
    assert_ne!(line, changed);
    let mut bundle = game.bundle();
    bundle.ledger = bundle.ledger.map(|ledger| ledger.replace(&line, &changed));
    assert_eq!(found(&bundle), [Check::OpenRolls, Check::Digest]);
    let mut bundle = game.bundle();
    bundle.register = bundle.register.replace(&line, &changed);
    assert_eq!(found(&bundle), [Check::Head, Check::Roll, Check::OpenRolls]);
    let mut bundle = game.bundle();
    let closed = game
        .ledger
        .0
        .iter()
        .find(|line| line.lane.is_shut())
        .unwrap();
    let swapped = format!("{} = 1 2 3", closed.question());
    bundle.ledger = bundle
        .ledger
        .map(|ledger| ledger.replace(&closed.to_string(), &swapped));
    assert_eq!(found(&bundle), [Check::Roll, Check::Digest]);
}

#[test]
fn a_dropped_roll_and_a_gap_are_found() {
    let game = finished(false);
    let mut bundle = game.bundle();
    let first = format!("{}\n", game.ledger.0[0]);
    bundle.ledger = bundle.ledger.map(|ledger| ledger.replace(&first, ""));
    assert_eq!(
        found(&bundle),
        [Check::Repeat, Check::OpenRolls, Check::Digest]
    );
    bundle.ledger = Some("roll 1 open nonsense\n".to_owned());
    assert!(found(&bundle).contains(&Check::Ledger));
}

#[test]
fn a_changed_text_or_receipt_is_found() {
    let game = finished(false);
    let mut bundle = game.bundle();
    bundle
        .items
        .insert("2/orders-red.txt".to_owned(), "attack\n".to_owned());
    assert_eq!(found(&bundle), [Check::Digest, Check::LastReceipt]);
    let mut bundle = game.bundle();
    bundle.items.insert(
        "1/dispatch-blue.txt".to_owned(),
        "Nothing old.\n".to_owned(),
    );
    assert_eq!(found(&bundle), [Check::Digest]);
    let mut bundle = game.bundle();
    bundle.receipts = bundle
        .receipts
        .map(|text| text.replace("receipt 1 red 2 ", "receipt 1 red 3 "));
    assert_eq!(found(&bundle), [Check::Receipt, Check::Receipt]);
}

#[test]
fn broken_links_are_found() {
    let game = finished(false);
    let mut bundle = game.bundle();
    bundle.register = bundle.register.replace("near.", "here.");
    assert_eq!(found(&bundle), [Check::Head]);
    let mut bundle = game.bundle();
    bundle.register = bundle.register.replace("seats red blue", "seats red");
    assert!(found(&bundle).contains(&Check::Opening));
    let first = game.register.entries()[0].to_string();
    let mut bundle = game.bundle();
    bundle.register = bundle.register.replace(&first, "");
    let found = found(&bundle);
    assert!(found.contains(&Check::Number));
}

#[test]
fn two_entries_with_one_number_are_found() {
    let mut game = Game::new(false);
    let mut other = Game::new(false);
    game.register
        .append(EntryBody::Note(Note::new("Orders by Monday.").unwrap()))
        .unwrap();
    other
        .register
        .append(EntryBody::Note(Note::new("Orders by Sunday.").unwrap()))
        .unwrap();
    let both = format!("{}{}", game.register, other.register);
    let found = found(&Bundle::of_register(game.register.campaign().clone(), both));
    assert_eq!(found, [Check::Number]);
}

#[test]
fn a_second_throw_and_a_skipped_envelope_are_found() {
    let mut game = Game::new(false);
    game.play(1, false, Vec::new());
    let again = game.register.entries()[2].body.clone();
    game.register.append(again).unwrap();
    let report = verify(&game.bundle());
    assert_eq!(report.findings[0].found, "a second throw");

    let mut game = Game::new(false);
    game.seal(1);
    game.play(2, false, Vec::new());
    let report = verify(&game.bundle());
    assert!(
        report
            .findings
            .iter()
            .any(|f| f.what == Check::Envelope && f.place == "envelope 1"),
        "{report:?}"
    );

    let mut game = Game::new(false);
    game.play(2, false, Vec::new());
    assert!(found(&game.bundle()).contains(&Check::Envelope));
}

#[test]
fn a_false_master_token_or_key_is_found() {
    let mut game = Game::new(true);
    game.play(1, false, Vec::new());
    game.register
        .append(EntryBody::End(End {
            masters: vec![Some(Master::draw().unwrap())],
        }))
        .unwrap();
    assert_eq!(found(&game.bundle()), [Check::Anchor; 5]);

    let game = finished(true);
    let right = game.witness.as_ref().unwrap().key(1).unwrap().to_hex();
    let mut bundle = game.bundle();
    bundle.register = bundle.register.replace(&right, &Key::new([5; 32]).to_hex());
    assert!(found(&bundle).contains(&Check::Token));
    let open = game.chains.key(&Lane::open(), 2).unwrap().to_hex();
    let mut bundle = game.bundle();
    bundle.register = bundle.register.replace(&open, &Key::new([5; 32]).to_hex());
    assert!(found(&bundle).contains(&Check::Key));
}

#[test]
fn large_numbers_of_outside_texts_cost_no_endless_work() {
    let game = finished(false);
    let begun = std::time::Instant::now();
    for (from, to, check) in [
        ("chain 20\n", "chain 4294967295\n", Check::Opening),
        ("chain 20\n", "chain 100000\n", Check::Anchor),
        ("envelope 2\n", "envelope 4000000000\n", Check::Envelope),
        ("envelope 2\n", "envelope 4294967295\n", Check::Envelope),
        (
            "sd1 test-1 4 seal",
            "sd1 test-1 4294967295 seal",
            Check::Number,
        ),
    ] {
        let mut bundle = game.bundle();
        bundle.register = bundle.register.replace(from, to);
        assert!(found(&bundle).contains(&check), "{to}");
        // The case of a campaign that goes on: no master, and keys that reach nothing.
        let end = bundle.register.find("sd1 test-1 7 end").unwrap();
        bundle.register.truncate(end);
        bundle.register = bundle.register.replace("envelope 2\n", "envelope 99999\n");
        assert!(found(&bundle).contains(&Check::Envelope), "{to}");
    }
    assert!(begun.elapsed() < std::time::Duration::from_secs(20));
}

/// Many keys that reach nothing, each for a high envelope of the longest chain.
#[test]
fn false_keys_cost_a_bounded_effort() {
    let game = finished(false);
    let mut bundle = game.bundle();
    let end = bundle.register.find("sd1 test-1 7 end").unwrap();
    bundle.register.truncate(end);
    bundle.register = bundle
        .register
        .replace("chain 20\n", "chain 100000\n")
        .replace("envelope 2\n", "envelope 100000\n");
    let red = Lane::seat("red").unwrap();
    bundle.private = vec![PrivateBlock {
        keys: vec![(red, Key::new([1; 32])); 2000],
        ..PrivateBlock::new(bundle.campaign.clone(), "red".into(), 100_000)
    }];
    let report = verify(&bundle);
    let is_left = |left: &&SkippedCheck| left.reason.contains("too long to be hashed");
    assert!(report.unchecked.iter().filter(is_left).count() > 1000);
}

#[test]
fn what_follows_the_end_is_found() {
    for kind in [2, 1, 0] {
        let mut game = finished(false);
        let again = game.register.entries()[kind].body.clone();
        let name = again.kind();
        game.register.append(again).unwrap();
        let report = verify(&game.bundle());
        assert_eq!(report.findings.len(), 1, "{report:?}");
        assert_eq!(report.findings[0].found, name);
    }
    let mut game = finished(false);
    game.seal(3);
    // The envelope is none, so nobody can have given an answer in it.
    assert_eq!(
        found(&game.bundle()),
        [Check::Envelope, Check::Receipt, Check::Receipt]
    );
    let mut game = finished(false);
    let note = EntryBody::Note(Note::new("Well played.").unwrap());
    game.register.append(note).unwrap();
    assert_eq!(found(&game.bundle()), []);
}

/// A new opening is a new throw of all dice to come: without a note that says why it is wrong, be
/// there one or two thousand.
#[test]
fn an_opening_that_replaces_another_follows_a_note() {
    let mut game = Game::new(false);
    for _ in 0..2000 {
        let opening = game.opening();
        game.register.append(EntryBody::Open(opening)).unwrap();
    }
    assert_eq!(found(&game.bundle()), [Check::Opening; 2000]);
    let mut game = Game::new(false);
    game.play(1, false, Vec::new());
    let note = EntryBody::Note(Note::new("The secret was lost.").unwrap());
    game.register.append(note).unwrap();
    let opening = game.opening();
    game.register.append(EntryBody::Open(opening)).unwrap();
    assert_eq!(found(&game.bundle()), []);
}

/// A verdict needs something that was checked, and nothing that is missing.
#[test]
fn nothing_derived_is_incomplete() {
    let campaign: CampaignName = "test-1".parse().unwrap();
    let empty = verify(&Bundle::of_register(campaign, String::new()));
    assert_eq!(empty.verdict(), Verdict::Incomplete);
    let mut game = Game::new(false);
    let register = |game: &Game| {
        let campaign = game.register.campaign().clone();
        Bundle::of_register(campaign, game.register.to_string())
    };
    assert_eq!(verify(&register(&game)).verdict(), Verdict::Incomplete);
    game.play(1, false, Vec::new());
    assert_eq!(verify(&register(&game)).verdict(), Verdict::Fits);
    let hidden = register(&game).register.replace(" 3 dice", " 3 dices");
    let bundle = Bundle::of_register(game.register.campaign().clone(), hidden);
    let report = verify(&bundle);
    assert_eq!(report.verdict(), Verdict::Wrong);
    assert!(
        report.findings[0].found.contains("no entry has this type"),
        "{report:?}"
    );
    // An empty ledger that all digests bind proves that nothing was rolled.
    let game = Game::new(false);
    assert_eq!(verify(&game.bundle()).verdict(), Verdict::Fits);
}

/// In a whole bundle a lost entry is wrong; of what a player has kept, it says nothing about
/// anybody.
#[test]
fn a_gap_is_wrong_in_a_whole_bundle_and_left_out_in_a_part() {
    let game = finished(true);
    for lost in 0..game.register.entries().len() - 1 {
        let mut bundle = game.bundle();
        let entry = game.register.entries()[lost].to_string();
        bundle.register = bundle.register.replace(&entry, "");
        assert!(found(&bundle).contains(&Check::Number), "{lost}");
        bundle.partial = true;
        bundle.ledger = None;
        let report = verify(&bundle);
        assert_eq!(report.findings, [], "without entry {}", lost + 1);
        let is_gap = |left: &SkippedCheck| left.reason.ends_with("is missing; ask another player");
        assert!(report.unchecked.iter().any(is_gap), "{report:?}");
        assert_eq!(report.verdict(), Verdict::Incomplete);
    }
    // The texts that are there must fit all the same.
    let mut bundle = game.bundle();
    bundle.partial = true;
    let note = game.register.entries()[5].to_string();
    bundle.register = bundle.register.replace(&note, "");
    let line = game.ledger.0[0].to_string();
    let changed = format!("{} = 6 6", game.ledger.0[0].question());
    bundle.register = bundle.register.replace(&line, &changed);
    assert!(found(&bundle).contains(&Check::Roll));
}
