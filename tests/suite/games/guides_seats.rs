//! The third page for authors of rules is true: its auction is checked and played, those with equal
//! bids are asked in one step, and who is out is asked nothing and waited for no more.

use std::{fs, path::Path};

use super::guides::{blocks, commands, lay_out, letter, runs};
use estafette::mail;

const PAGE: &str = "docs/rules-seats.md";

#[test]
fn the_auction_is_built_and_played() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    lay_out(folder, PAGE);
    let mut said = String::new();
    for block in blocks(PAGE).iter().filter(|block| block.info == "sh") {
        for line in commands(block) {
            said.push_str(&runs(folder, &line));
        }
    }
    for words in [
        "wreck: sound",
        "6 passed, 0 failed",
        "5 with cases, 0 with nothing to test, 0 missing",
        "6 campaigns",
    ] {
        assert!(said.contains(words), "no `{words}` in\n{said}");
    }
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
