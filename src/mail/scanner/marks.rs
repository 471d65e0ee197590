//! BEGIN ORDERS and END ORDERS: if a player marked a block, only its contents count, whatever they
//! look like.

use super::is_quoted;
use crate::mail::{
    mail_words::Fate,
    phrases::{BEGIN, END, PhraseSet},
};

/// If the player marked a block of orders, takes only its contents. Marks count above `cut`, where
/// a copied mail begins, and outside quotations and our own letters; they override signatures,
/// footers and greetings.
pub(super) fn keep_marked(folded: &[String], fates: &mut [Fate], cut: usize) {
    let own = |fate: Fate| !matches!(fate, Fate::Quoted | Fate::OwnLetter);
    let lines = folded.iter().zip(fates.iter()).take(cut);
    if !lines.clone().any(|(line, fate)| own(*fate) && begins(line)) {
        return;
    }
    let mut inside = false;
    for (line, fate) in folded.iter().zip(fates.iter_mut()).take(cut) {
        if is_quoted(line) || *fate == Fate::OwnLetter {
            continue;
        }
        let (begin, end) = (begins(line), ends(line));
        if begin || end {
            inside = begin;
        }
        if inside && !begin {
            *fate = Fate::Taken;
        } else if begin || end || matches!(fate, Fate::Taken | Fate::Courtesy) {
            *fate = Fate::OutsideMarkers;
        }
    }
}

/// A line that opens a block.
pub(super) fn begins(line: &str) -> bool {
    is_mark(line, &BEGIN)
}

fn ends(line: &str) -> bool {
    is_mark(line, &END)
}

fn is_mark(line: &str, marks: &PhraseSet) -> bool {
    marks.contains(line.trim_matches(|c: char| !c.is_alphanumeric()))
}
