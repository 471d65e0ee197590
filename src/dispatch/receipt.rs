//! The receipt: what was read in an order mail and what it was understood as.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use minijinja::context;
use serde::Serialize;

use super::{
    Words,
    jinja::data,
    letters::{letter, templates},
    when::{moment, span},
};
use crate::game::{Game, Lang};

/// Everything that a receipt says.
#[derive(Clone, Debug)]
pub struct ReceiptLetter<'a> {
    /// The reader's language.
    pub lang: Lang,
    /// The game.
    pub game: &'a Game,
    /// The campaign's id.
    pub campaign: &'a str,
    /// The campaign's name.
    pub title: &'a str,
    /// The turn.
    pub turn: i64,
    /// The phases that the orders are for.
    pub phases: &'a [String],
    /// The lines in the order of the mail.
    pub lines: &'a [ReceiptLine],
    /// Where the words come from, and what was left out.
    pub from: &'a WordsOrigin,
    /// True if these orders add to earlier ones instead of replacing them.
    pub adds: bool,
    /// How many lines at the beginning came too late for the envelope before and count for this
    /// one.
    pub carried: usize,
    /// The canonical text, exactly as it is bound.
    pub canonical: &'a str,
    /// By when orders may still be changed.
    pub deadline: Option<Timestamp>,
    /// Until when orders do not close in any case, and how long that is after a mail, where they
    /// close when all are in.
    pub settles: Option<(Timestamp, SignedDuration)>,
    /// The campaign's time zone.
    pub zone: &'a TimeZone,
}

/// One line of the mail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReceiptLine {
    /// Its number in the mail, from 1.
    pub number: usize,
    /// What became of it.
    #[serde(flatten)]
    pub reading: LineReading,
}

/// How a line was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "became")]
pub enum LineReading {
    /// It was understood.
    Understood {
        /// The order as the host prints it.
        printed: String,
        /// Remarks of the order's check: notes that do not stop it.
        remarks: Vec<String>,
    },
    /// It was not understood, or is not possible.
    Wrong {
        /// The player's line with the caret and the reason, line by line.
        shown: Vec<String>,
    },
}

/// Where the words of a mail come from, and what was left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WordsOrigin {
    /// The names of the attached files whose words count.
    pub files: Vec<String>,
    /// Lines that were left out, and why.
    pub ignored: Vec<IgnoredLines>,
    /// The names of the attached files that can't be read.
    pub unread: Vec<String>,
    /// The lines around the orders that are none.
    pub prose: Vec<String>,
    /// How many lines came with earlier mails. What is wrong in them was told then.
    pub earlier: usize,
    /// What of the seat's earlier words is gone with this mail, as it is printed.
    pub gone: Vec<String>,
    /// What of the seat's earlier words still stands, if nothing of this mail was taken.
    pub stands: Option<Vec<String>>,
}

impl WordsOrigin {
    /// From the counts of a mail's record.
    #[must_use]
    pub fn new(files: &[String], ignored: &BTreeMap<String, usize>) -> Self {
        Self {
            files: files.to_vec(),
            ignored: ignored
                .iter()
                .map(|(why, count)| IgnoredLines::of(why, *count))
                .collect(),
            ..Self::default()
        }
    }
}

/// Lines that were left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct IgnoredLines {
    /// How many.
    pub count: usize,
    /// Why.
    pub why: IgnoreReason,
}

/// Why lines were left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum IgnoreReason {
    /// They quote another mail.
    Quoted,
    /// They stand below the signature sign.
    Signature,
    /// They greet.
    Courtesy,
    /// A program added them: "sent from my telephone".
    Footer,
    /// They belong to a forwarded mail.
    Forwarded,
    /// They are of a letter of ours.
    OwnLetter,
    /// They stand outside of the block that the player marked.
    Outside,
}

impl IgnoredLines {
    /// So many lines, for the reason of that name.
    #[must_use]
    pub fn of(why: &str, count: usize) -> Self {
        let why = match why {
            "signature" => IgnoreReason::Signature,
            "courtesy" => IgnoreReason::Courtesy,
            "footer" => IgnoreReason::Footer,
            "own_letter" => IgnoreReason::OwnLetter,
            "forwarded" => IgnoreReason::Forwarded,
            "outside" => IgnoreReason::Outside,
            _ => IgnoreReason::Quoted,
        };
        Self { count, why }
    }
}

/// How many lines were left out and why, a line each; nothing if none were.
#[must_use]
pub fn left_out(lang: Lang, ignored: &[IgnoredLines]) -> Vec<String> {
    let lines = templates(lang)
        .get_template("left_out.txt")
        .and_then(|template| template.render(context! { ignored => data(&ignored) }));
    lines
        .unwrap_or_default()
        .lines()
        .map(str::to_owned)
        .collect()
}

/// The beginning of a line that is no order, so that its writer knows which is meant.
fn shortened(line: &str) -> String {
    const MOST: usize = 60;
    let mut letters = line.chars();
    let start: String = letters.by_ref().take(MOST).collect();
    match letters.next() {
        Some(_) => format!("{} ...", start.trim_end()),
        None => start,
    }
}

/// The text of a receipt: what is wrong first, then what was understood, then the words as they
/// were read.
#[must_use]
pub fn receipt(receipt: &ReceiptLetter<'_>) -> String {
    let words = Words::new(receipt.game, receipt.lang);
    let phase = |phase: &String| words.phase(phase).unwrap_or_else(|_| phase.clone());
    let (wrong, understood): (Vec<_>, Vec<_>) =
        (receipt.lines.iter()).partition(|line| matches!(line.reading, LineReading::Wrong { .. }));
    let (before, wrong): (Vec<_>, Vec<_>) = wrong
        .into_iter()
        .partition(|line| line.number <= receipt.from.earlier);
    let text = letter(
        receipt.lang,
        "receipt.txt",
        context! {
            campaign => receipt.campaign,
            title => receipt.title,
            turn => receipt.turn,
            phases => receipt.phases.iter().map(phase).collect::<Vec<_>>(),
            wrong => data(&wrong),
            before => data(&before),
            understood => data(&understood),
            files => data(&receipt.from.files),
            ignored => data(&receipt.from.ignored),
            unread => data(&receipt.from.unread),
            prose => receipt.from.prose.iter().map(|line| shortened(line)).collect::<Vec<_>>(),
            gone => data(&receipt.from.gone),
            stands => data(&receipt.from.stands),
            bound => !receipt.canonical.is_empty(),
            adds => receipt.adds,
            carried => receipt.carried,
            deadline => receipt.deadline.map(|at| moment(&words, at, receipt.zone)),
            mend => receipt.settles.map(|(at, _)| moment(&words, at, receipt.zone)),
            settle => receipt.settles.map(|(_, time)| span(time)),
        },
    );
    // What follows is bound by digests: it must not be wrapped.
    let mut text = format!("{text}\n");
    for line in receipt.canonical.lines() {
        text.push_str(&format!("| {line}\n"));
    }
    text
}
