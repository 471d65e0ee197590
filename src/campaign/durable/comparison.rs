//! Compares the recorded outcome of an input with that of doing the work again.

use std::sync::Arc;

use crate::{
    campaign::{
        durable::CampaignError,
        model::{
            errands::LetterCopy,
            events::{Done, LetterRecord},
            verdicts::OrderVerdict,
        },
    },
    dice::{self, Entry, LedgerLine},
    ids::SeatId,
};

/// A difference between a record and the work done again.
pub(crate) fn differs(n: u64, what: &'static str, found: &str, recorded: &str) -> CampaignError {
    CampaignError::Differs {
        n,
        what,
        found: found.to_owned(),
        recorded: recorded.to_owned(),
    }
}

/// Compares the recorded outcome of an input with the one `found` now. Every version words errors
/// in its own way: where another version did the work, only whether there was an error counts.
///
/// # Errors
/// The first difference.
pub fn compare(n: u64, recorded: &Done, found: &Done) -> Result<(), CampaignError> {
    let differs = |what, found: &str, recorded: &str| differs(n, what, found, recorded);
    // First, because every other difference follows from it.
    let same_words = recorded.version == found.version;
    if found.stopped.is_some() != recorded.stopped.is_some()
        || (same_words && found.stopped != recorded.stopped)
    {
        let text =
            |stopped: &Option<String>| stopped.clone().unwrap_or_else(|| "nothing".to_owned());
        return Err(differs(
            "the error that stopped the campaign",
            &text(&found.stopped),
            &text(&recorded.stopped),
        ));
    }
    if same_words && found.undone != recorded.undone {
        let text = |undone: bool| if undone { "undone" } else { "worked off" };
        return Err(differs(
            "what became of the input",
            text(found.undone),
            text(recorded.undone),
        ));
    }
    if found.not_done != recorded.not_done {
        let text = |places: &[usize]| format!("{places:?}");
        return Err(differs(
            "which acts of an umpire could not be done",
            &text(&found.not_done),
            &text(&recorded.not_done),
        ));
    }
    for index in 0..found.entries.len().max(recorded.entries.len()) {
        if found.entries.get(index) != recorded.entries.get(index) {
            let entry = |list: &[Arc<Entry>]| {
                let entry = list.get(index).map(ToString::to_string);
                entry.unwrap_or_else(|| "missing".to_owned())
            };
            return Err(differs(
                "an entry of the register",
                &entry(&found.entries),
                &entry(&recorded.entries),
            ));
        }
    }
    for index in 0..found.ledger.len().max(recorded.ledger.len()) {
        let line = |list: &[LedgerLine]| {
            let line = list.get(index).map(ToString::to_string);
            line.unwrap_or_else(|| "missing".to_owned())
        };
        if found.ledger.get(index) != recorded.ledger.get(index) {
            return Err(differs(
                "a line of the ledger",
                &line(&found.ledger),
                &line(&recorded.ledger),
            ));
        }
    }
    if found.phase != recorded.phase {
        return Err(differs("the phase", &found.phase, &recorded.phase));
    }
    if found.world != recorded.world {
        let (found, recorded) = (found.world.to_string(), recorded.world.to_string());
        return Err(differs("the hash of the world", &found, &recorded));
    }
    if found.foot != recorded.foot {
        let (found, recorded) = (found.foot.to_string(), recorded.foot.to_string());
        return Err(differs("the foot of letters", &found, &recorded));
    }
    for index in 0..found.mails.len().max(recorded.mails.len()) {
        let mail = |list: &[LetterRecord]| {
            list.get(index).map_or_else(
                || "missing".to_owned(),
                |mail| {
                    let bound = mail
                        .bound
                        .as_ref()
                        .map_or_else(String::new, |bound| format!(", bound by {bound}"));
                    format!(
                        "{} to {} with the digest {}{bound}",
                        mail.message_id, mail.to, mail.digest
                    )
                },
            )
        };
        if found.mails.get(index) != recorded.mails.get(index) {
            return Err(differs(
                "a mail",
                &mail(&found.mails),
                &mail(&recorded.mails),
            ));
        }
    }
    if found.pictures != recorded.pictures {
        let text = |pictures: &[dice::Digest]| {
            let digests = pictures.iter().map(ToString::to_string);
            digests.collect::<Vec<_>>().join(" ")
        };
        return Err(differs(
            "the pictures of letters",
            &text(&found.pictures),
            &text(&recorded.pictures),
        ));
    }
    if found.copies != recorded.copies {
        let text = |copies: &[LetterCopy]| {
            let keys = copies.iter().map(|copy| copy.key.as_str());
            keys.collect::<Vec<_>>().join(" ")
        };
        return Err(differs(
            "letters that went out once more",
            &text(&found.copies),
            &text(&recorded.copies),
        ));
    }
    let decided = |verdicts: &[OrderVerdict]| match same_words {
        true => verdicts.to_vec(),
        false => verdicts.iter().map(OrderVerdict::without_words).collect(),
    };
    if decided(&found.verdicts) != decided(&recorded.verdicts) {
        let text = |verdicts: &[OrderVerdict]| serde_json::to_string(verdicts).unwrap_or_default();
        return Err(differs(
            "what the checks decided of orders",
            &text(&found.verdicts),
            &text(&recorded.verdicts),
        ));
    }
    let failed = |faults: &[(SeatId, String)]| {
        let faults = faults.iter();
        let line = |(seat, fault): &(SeatId, String)| match same_words {
            true => format!("{seat}: {fault}"),
            false => seat.to_string(),
        };
        faults.map(line).collect::<Vec<_>>().join("\n")
    };
    let (now, then) = (failed(&found.unproposed), failed(&recorded.unproposed));
    if now != then {
        return Err(differs("the errors of template functions", &now, &then));
    }
    Ok(())
}
