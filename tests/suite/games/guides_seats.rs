//! The third page for authors of rules is true: its auction is checked and played, those with equal
//! bids are asked in one step, and who is out is asked nothing and waited for no more.

use std::{fs, path::Path};

use super::guides::{followed, lay_out, letter, runs};
use crate::support::{
    browser::{Case, browser, shown},
    change,
};
use estafette::{dice::PrivateBlock, mail};

const PAGE: &str = "docs/rules-seats.md";

#[test]
fn the_auction_is_built_and_played() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    followed(
        folder,
        PAGE,
        &[
            "wreck: sound",
            "6 passed, 0 failed",
            "5 with cases, 0 with nothing to test, 0 missing",
            "6 campaigns",
        ],
    );
}

/// Sends a seat's words as an answer to its newest letter.
fn send(folder: &Path, seat: &str, words: &str) {
    let (address, _) = mail::reply_to(&letter(&folder.join("tide"), seat)).unwrap();
    let text = format!("From: {seat}@example.org\nTo: {address}\nSubject: bid\n\n{words}\n");
    fs::write(folder.join("mail.eml"), text).unwrap();
    runs(folder, "estafette deliver tide < mail.eml");
}

fn status(folder: &Path) -> String {
    runs(folder, "estafette status tide")
}

#[test]
fn who_is_out_is_waited_for_no_more_and_reads_what_all_read() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    lay_out(folder, PAGE);
    let seats = ["gull", "tern", "swan"].map(|seat| format!("--seat {seat}={seat}@example.org"));
    let seats = seats.join(" ");
    runs(
        folder,
        &format!("estafette new wreck --into tide --settle 0 --games games --rules rules {seats}"),
    );
    let all = status(folder);
    assert!(all.contains("orders of gull, tern, swan"), "{all}");
    for (seat, words) in [("gull", "BID 6"), ("tern", "BID 1"), ("swan", "BID 1")] {
        send(folder, seat, words);
    }
    let left = status(folder);
    assert!(left.contains("orders of tern, swan"), "{left}");
    for (seat, words) in [("tern", "BID 2"), ("swan", "BID 1")] {
        send(folder, seat, words);
    }
    // The next tide has come without the gull, who reads of it.
    let dispatch = mail::parts(&letter(&folder.join("tide"), "gull")).unwrap();
    let text = dispatch.text;
    for words in ["Tide 3 of 4", "The hold goes to the Tern."] {
        assert!(text.contains(words), "no `{words}` in\n{text}");
    }
    assert!(!text.contains("Your orders for"), "{text}");
    let other = mail::parts(&letter(&folder.join("tide"), "swan")).unwrap();
    assert!(other.text.contains("Your orders for"), "{}", other.text);
}

/// A seat's letters, the oldest first.
fn letters(folder: &Path, seat: &str) -> Vec<(String, Vec<u8>)> {
    let outbox = folder.join("tide/outbox").join(seat).join("new");
    let files = fs::read_dir(outbox).unwrap().map(|file| file.unwrap());
    let letters = files.map(|file| {
        let name = file.file_name().into_string().unwrap();
        (name, fs::read(file.path()).unwrap())
    });
    let mut letters: Vec<(String, Vec<u8>)> = letters.collect();
    letters.sort_by_key(|(_, bytes)| mail::parts(bytes).unwrap().message_id);
    letters
}

/// An auction of which only buyers hear, in a campaign that passes over who has no news: the gull
/// is out after the first tide, and gets its last letter.
#[test]
fn who_has_no_news_gets_the_proofs_with_the_next_letter() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    lay_out(folder, PAGE);
    let script = folder.join("rules/wreck/wreck.rhai");
    change(&script, r#"tell("all", "sold""#, r#"tell(seat, "sold""#);
    let unsold = r#"tell("all", "unsold")"#;
    change(&script, unsold, r#"tell("gull", "unsold")"#);
    let seats = ["gull", "tern", "swan"].map(|seat| format!("--seat {seat}={seat}@example.org"));
    let new = "estafette new wreck --into tide --settle 0 --games games --rules rules";
    let seats = seats.join(" ");
    runs(
        folder,
        &format!("{new} --dispatches news --no-pictures {seats}"),
    );
    for (seat, words) in [("gull", "BID 6"), ("tern", "BID 1"), ("swan", "BID 1")] {
        send(folder, seat, words);
    }
    let before = letters(folder, "gull");
    assert_eq!(before.len(), 4, "opening, dispatch, receipt, dispatch");
    for [tern, swan] in [["BID 2", "BID 1"], ["BID 1", "BID 2"]] {
        send(folder, "tern", tern);
        send(folder, "swan", swan);
        assert_eq!(letters(folder, "gull"), before, "the gull has no news");
    }
    send(folder, "tern", "BID 1");
    send(folder, "swan", "BID 0");
    let after = letters(folder, "gull");
    assert_eq!(after.len(), before.len() + 1);
    let last = mail::parts(&after[before.len()].1).unwrap();
    assert!(last.text.contains("The campaign is over"), "{}", last.text);
    let blocks = PrivateBlock::find(&last.text).into_iter();
    let blocks: Vec<PrivateBlock> = blocks.map(Result::unwrap).collect();
    let known = blocks.iter().map(|of| (of.envelope, of.is_of_nothing()));
    let known: Vec<(u32, bool)> = known.collect();
    assert_eq!(known, [(4, false), (2, true), (3, true)]);

    assert!(runs(folder, "estafette audit tide").contains("everything fits"));
    let audit = super::guides::shell(folder, "estafette audit tide/outbox/gull");
    let said = String::from_utf8(audit.stdout).unwrap();
    assert!(said.contains("letters: 5 are"), "{said}");
    let mut unproven = said.lines().filter(|line| line.starts_with("UNPROVEN"));
    let of_outboxes = |line: &str| line.contains("no roll is shown") || line.contains("`Received`");
    assert!(unproven.all(of_outboxes), "{said}");
    let lines = said.lines().collect::<Vec<_>>();
    assert!(
        !lines.iter().any(|line| line.contains("dispatch/gull")),
        "{said}"
    );
    the_page_agrees(&after, &blocks);
}

/// The page finds all of a seat's envelopes right, and sees that the block of one in which the seat
/// was passed over was changed.
fn the_page_agrees(letters: &[(String, Vec<u8>)], blocks: &[PrivateBlock]) {
    let Some(browser) = browser() else { return };
    let with = |name, from: &str, to: &str| {
        let changed = letters.iter().map(|(name, bytes)| {
            let text = String::from_utf8(bytes.clone()).unwrap();
            (name.clone(), text.replace(from, to).into_bytes())
        });
        let sources = changed.collect();
        Case { name, sources }
    };
    // As much of it as stands in one line of the mail.
    let blind = |block: &PrivateBlock| {
        let mut blinds = block.blinds.iter();
        let (_, key) = blinds
            .find(|(what, _)| what.to_string() == "dispatch/gull")
            .unwrap();
        key.to_hex()[..40].to_owned()
    };
    let other = with("another blind", &blind(&blocks[1]), &blind(&blocks[2]));
    let shown = shown(browser, &[with("as they came", "", ""), other]);
    assert_eq!(shown[0].checks, [] as [&str; 0], "{:#?}", shown[0]);
    assert!(!shown[0].unproven.contains("dispatch"), "{:#?}", shown[0]);
    assert!(shown[1].checks.iter().any(|check| check == "dispatch"));
}
