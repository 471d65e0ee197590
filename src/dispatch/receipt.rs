//! The receipt: what was read in a mail with orders, and how it was understood.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use minijinja::context;
use serde::Serialize;

use super::{
    Words,
    jinja::data,
    letters::{LetterText, letter, templates},
    when::{moment, span},
};
use crate::game::Lang;

/// Everything that a receipt says.
#[derive(Clone, Debug)]
pub struct ReceiptLetter<'a> {
    /// The game's words in the reader's language.
    pub words: &'a Words,
    /// The campaign's title.
    pub campaign: &'a str,
    /// The campaign's title.
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
    /// How many lines at the beginning came too late for the previous envelope and count for this
    /// one.
    pub carried: usize,
    /// The canonical text, exactly as it is bound.
    pub canonical: &'a str,
    /// Until when orders may still be changed.
    pub deadline: Option<Timestamp>,
    /// If orders close when all are in: until when they stay open in any case, and how long that is
    /// after a mail.
    pub settles: Option<(Timestamp, SignedDuration)>,
    /// If orders close when everybody who is asked for them has said READY: whether the seat has.
    pub ready: Option<bool>,
    /// The campaign's time zone.
    pub zone: &'a TimeZone,
}

/// A line of the mail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReceiptLine {
    /// Its number in the mail, from 1.
    pub number: usize,
    /// How it was read.
    #[serde(flatten)]
    pub reading: LineReading,
}

/// How a line was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "became")]
pub enum LineReading {
    /// The line was understood.
    Understood {
        /// The order as the host prints it.
        printed: String,
        /// Remarks of the order's check: notes that do not stop it.
        remarks: Vec<String>,
    },
    /// The line was not understood, or is not possible.
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
    /// The lines around the orders that are no orders.
    pub prose: Vec<String>,
    /// The number of lines that came with earlier mails. Errors in those were reported then.
    pub earlier: usize,
    /// The seat's earlier words that this mail replaces, as printed.
    pub gone: Vec<String>,
    /// The seat's earlier words that still stand, if nothing of this mail was taken.
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
    /// The number of lines.
    pub count: usize,
    /// The reason for passing them over.
    pub why: IgnoreReason,
}

/// Why lines were left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum IgnoreReason {
    /// The lines quote another mail.
    Quoted,
    /// The lines are below the signature sign.
    Signature,
    /// The lines are a greeting.
    Courtesy,
    /// A program added them: "sent from my telephone".
    Footer,
    /// The lines belong to a forwarded mail.
    Forwarded,
    /// The lines come from a letter of ours.
    OwnLetter,
    /// The lines are outside the block that the player marked.
    Outside,
}

impl IgnoredLines {
    /// This many lines, for the reason with this name.
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

/// How many lines were left out and why, a line each; empty if none were.
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

/// The beginning of a line that is no order, so that its writer recognises it.
fn shortened(line: &str) -> String {
    const MOST: usize = 60;
    let mut letters = line.chars();
    let start: String = letters.by_ref().take(MOST).collect();
    match letters.next() {
        Some(_) => format!("{} ...", start.trim_end()),
        None => start,
    }
}

/// The text of a receipt: errors first, then the orders understood, then the words as they were
/// read.
#[must_use]
pub fn receipt(receipt: &ReceiptLetter<'_>) -> LetterText {
    let (words, lang) = (receipt.words, receipt.words.lang());
    let phase = |phase: &String| words.phase(phase).unwrap_or_else(|_| phase.clone());
    let (wrong, understood): (Vec<_>, Vec<_>) =
        (receipt.lines.iter()).partition(|line| matches!(line.reading, LineReading::Wrong { .. }));
    let (before, wrong): (Vec<_>, Vec<_>) = wrong
        .into_iter()
        .partition(|line| line.number <= receipt.from.earlier);
    let mut letter = letter(
        lang,
        "receipt",
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
            deadline => receipt.deadline.map(|at| moment(words, at, receipt.zone)),
            mend => receipt.settles.map(|(at, _)| moment(words, at, receipt.zone)),
            ready => receipt.ready,
            settle => receipt.settles.map(|(_, time)| span(time)),
        },
    );
    // The text below is bound by digests: it must not be wrapped.
    letter.text.push('\n');
    for line in receipt.canonical.lines() {
        letter.text.push_str(&format!("| {line}\n"));
    }
    letter
}
