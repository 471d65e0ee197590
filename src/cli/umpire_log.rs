//! `estafette umpire log DIR`: all that umpires have done in a campaign, from its journal.

use std::{collections::BTreeSet, path::Path};

use jiff::Timestamp;
use serde::Serialize;

use super::{
    failure::{CommandResult, Failure},
    out,
};
use crate::{
    campaign::model::{
        events::{Event, Reason, Ruling},
        recipient::FIRST_UMPIRE,
        umpire_acts::UmpireAct,
    },
    ids::SeatId,
    store::{Directory, Position, Record},
};

/// Something that an umpire did.
#[derive(Debug, Serialize)]
struct LogLine {
    /// The record of the journal.
    record: u64,
    at: Timestamp,
    /// The umpire's name.
    by: String,
    /// True if he wrote it in a mail.
    by_mail: bool,
    did: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

/// Prints all that umpires did, in its order.
///
/// # Errors
/// If the journal can't be read.
pub(super) fn print(root: &Path, json: bool) -> CommandResult {
    let directory = Directory::open(root).map_err(Failure::failed)?;
    let contents = directory.records::<Event>(Position::START);
    let lines = lines(&contents.map_err(Failure::failed)?.records);
    if json {
        return out::json(&lines);
    }
    if lines.is_empty() {
        return out::line("no umpire has done anything");
    }
    lines.iter().try_for_each(|line| {
        let LogLine {
            record,
            at,
            by,
            did,
            ..
        } = line;
        let mail = if line.by_mail { " (by mail)" } else { "" };
        let why = line.why.as_deref();
        let why = why.map_or_else(String::new, |why| format!(": {why}"));
        out::line(format!("{record:>6}  {at}  {by}{mail}  {did}{why}"))
    })
}

fn lines(records: &[Record<Event>]) -> Vec<LogLine> {
    let mut lines = Vec::new();
    let mut held = BTreeSet::new();
    for (place, record) in records.iter().enumerate() {
        let not_done = match records.get(place + 1).map(|next| &next.event) {
            Some(Event::Done(done)) => done.not_done.as_slice(),
            _ => &[],
        };
        let mut log = |by: &str, by_mail, (did, why): (String, Option<&str>)| {
            lines.push(LogLine {
                record: record.n,
                at: record.time,
                by: by.to_owned(),
                by_mail,
                did,
                why: why.map(str::to_owned),
            });
        };
        match &record.event {
            Event::Umpire(ruling) => log(FIRST_UMPIRE, false, (said(ruling), ruling.why())),
            Event::UmpireActs(acts) => {
                let acts_done = acts.acts.iter().enumerate();
                for (_, line) in acts_done.filter(|(place, _)| !not_done.contains(place)) {
                    if let Some(did) = did(&line.act) {
                        log(&acts.by, acts.mail.is_some(), did);
                    }
                    if let UmpireAct::Release { file } = &line.act {
                        held.remove(file.as_str());
                    }
                }
            }
            Event::Refused(refused) if refused.reason == Reason::Held => {
                held.insert(refused.file.as_str());
            }
            event => {
                if let Some((file, _)) = event.mail().filter(|(file, _)| held.remove(file)) {
                    log(
                        FIRST_UMPIRE,
                        false,
                        (format!("releases the mail {file}"), None),
                    );
                }
            }
        }
    }
    lines
}

/// What an act did; none for a question.
fn did(act: &UmpireAct) -> Option<(String, Option<&str>)> {
    Some(match act {
        UmpireAct::Rules { ruling } => (said(ruling), ruling.why()),
        UmpireAct::Release { file } => (format!("releases the mail {file}"), None),
        UmpireAct::Note { words } => (format!("notes for the others: {}", one_line(words)), None),
        UmpireAct::Reveal { what, why } => (format!("is blind, and looks ({what})"), Some(why)),
        UmpireAct::Status | UmpireAct::Help | UmpireAct::Faulty { .. } => return None,
    })
}

/// A ruling in a few words. It shows no position.
fn said(ruling: &Ruling) -> String {
    match ruling {
        Ruling::Silent { witness, .. } => format!("counts the witness {witness} as silent"),
        Ruling::Rollback { envelope, .. } => {
            format!("takes the campaign back to the orders for envelope {envelope}")
        }
        Ruling::NewMaster { .. } => "begins a new secret of the dice".to_owned(),
        Ruling::Hold { .. } => "holds the campaign".to_owned(),
        Ruling::Resume { .. } => "lets it go on".to_owned(),
        Ruling::Extend { until, .. } => format!("extends the deadline to {until}"),
        Ruling::Rule { .. } => "changes the position".to_owned(),
        Ruling::Say { to, words } => {
            let to: Vec<&str> = to.iter().map(SeatId::as_str).collect();
            let to = if to.is_empty() {
                "all".to_owned()
            } else {
                to.join(", ")
            };
            format!("writes to {to}: {}", one_line(words))
        }
        Ruling::Replace { player, .. } => format!("gives the seat {} to another", player.id),
    }
}

/// The first words of a text, on one line.
fn one_line(words: &str) -> String {
    const SHOWN: usize = 60;
    let joined = words.split_whitespace().collect::<Vec<_>>().join(" ");
    match joined.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{} ...", joined.get(..at).unwrap_or_default()),
        None => joined,
    }
}
