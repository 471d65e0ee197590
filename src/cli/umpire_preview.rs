//! `estafette umpire preview DIR`: every letter that a resolution now would send, and what other
//! orders or a ruling would change in them. Nothing is written.

use std::path::Path;

use serde::Serialize;
use similar::{ChangeTag, TextDiff};

use super::{
    clock::ClockOption,
    failure::{CommandResult, Failure},
    new::failure,
    out,
    umpires_eyes::EyesOption,
};
use crate::{
    bounded,
    campaign::{
        self,
        durable::preview::{Preview, PreviewedLetter, Supposition},
        model::events::Ruling,
    },
    ids::SeatId,
    orders::MAX_BYTES,
    world::Changes,
    yaml,
};

/// What a preview is to suppose.
#[derive(Clone, Debug, clap::Args)]
pub struct PreviewOptions {
    /// What would change if a seat sent these orders now
    #[arg(long = "with", value_name = "FILE", requires = "seat")]
    orders: Option<std::path::PathBuf>,
    /// The seat that would send them
    #[arg(long, requires = "orders")]
    seat: Option<String>,
    /// What would change if you ruled so now: a file as for `rule`
    #[arg(long, value_name = "FILE")]
    change: Option<std::path::PathBuf>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// A letter that differs, line by line.
#[derive(Debug, Serialize)]
struct ChangedLetter {
    to: String,
    subject: String,
    /// Each line with a sign before it: ` ` for both, `-` for now, `+` for what is supposed.
    lines: Vec<String>,
}

/// Runs the command. Changes nothing on the disk, but for the word of a blind umpire.
///
/// # Errors
/// Exit code 1 for an umpire who plays, and where nothing is to be resolved.
pub(super) fn run(
    root: &Path,
    options: &PreviewOptions,
    (eyes, clock): (&EyesOption, &ClockOption),
) -> CommandResult {
    let preview = Preview::of(root).map_err(failure)?;
    plays_nothing(&preview, eyes)?;
    eyes.open(root, "preview", clock)?;
    let supposed = supposed(&preview, options)?;
    let now = preview.letters(&[], clock.now()).map_err(failure)?;
    if supposed.is_empty() {
        return if options.json {
            out::json(&now)
        } else {
            now.iter().try_for_each(print)
        };
    }
    let then = preview.letters(&supposed, clock.now()).map_err(failure)?;
    let changed = changed(&now, &then);
    if options.json {
        return out::json(&changed);
    }
    if changed.is_empty() {
        return out::line("no letter would be another");
    }
    changed.iter().try_for_each(|letter| {
        heading(&letter.to, &letter.subject)?;
        letter.lines.iter().try_for_each(out::line)
    })
}

/// Refuses an umpire who plays a seat: he would see what other seats do.
fn plays_nothing(preview: &Preview, eyes: &EyesOption) -> CommandResult {
    let (context, state) = (preview.context(), preview.state());
    let Some(umpire) = eyes.umpire(context.settings())? else {
        return Ok(());
    };
    let mut players = campaign::players(context, state);
    match players.find(|player| player.address.is(umpire.address.as_str())) {
        None => Ok(()),
        Some(seat) => Err(Failure::failed(format!(
            "the umpire {} plays {}: whoever plays may not see what the others are about to do",
            umpire.name, seat.id
        ))),
    }
}

fn supposed(preview: &Preview, options: &PreviewOptions) -> Result<Vec<Supposition>, Failure> {
    let mut supposed = Vec::new();
    if let Some(file) = &options.change {
        let why = "a preview".to_owned();
        let changes = changes_in(file)?;
        supposed.push(Supposition::Ruling(Ruling::Rule { changes, why }));
    }
    if let (Some(file), Some(seat)) = (&options.orders, &options.seat) {
        let seat = SeatId::from(seat.as_str());
        if preview.context().settings().seats.get(&seat).is_none() {
            return Err(Failure::usage(format!("there is no seat `{seat}`")));
        }
        let words = bounded::read_named(file, MAX_BYTES as u64)?;
        supposed.push(Supposition::Words(seat, words));
    }
    Ok(supposed)
}

fn heading(to: &str, subject: &str) -> CommandResult {
    out::line(format!("=== to {to}: {subject}"))
}

fn print(letter: &PreviewedLetter) -> CommandResult {
    heading(&letter.to, &letter.subject)?;
    out::text(&format!("{}\n", letter.words.trim_end()))
}

/// The letters that differ. The first letters to a recipient are compared with each other, and so
/// on; one that only one side has differs in every line.
fn changed(now: &[PreviewedLetter], then: &[PreviewedLetter]) -> Vec<ChangedLetter> {
    let mut to: Vec<&String> = now.iter().chain(then).map(|letter| &letter.to).collect();
    to.sort();
    to.dedup();
    let mut changed = Vec::new();
    for to in to {
        let of = |letters: &'_ [PreviewedLetter]| -> String {
            let own = letters.iter().filter(|letter| letter.to == *to);
            own.map(|letter| format!("{}\n\n{}\n", letter.subject, letter.words.trim_end()))
                .collect()
        };
        let (before, after) = (of(now), of(then));
        if before == after {
            continue;
        }
        let subject = |letters: &[PreviewedLetter]| {
            let newest = letters.iter().rev().find(|letter| letter.to == *to);
            newest.map(|letter| letter.subject.clone())
        };
        let lines = TextDiff::from_lines(&before, &after);
        let lines = lines.iter_all_changes().map(|change| {
            let sign = match change.tag() {
                ChangeTag::Equal => ' ',
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
            };
            format!("{sign} {}", change.value().trim_end_matches('\n'))
        });
        changed.push(ChangedLetter {
            to: to.clone(),
            subject: subject(then).or_else(|| subject(now)).unwrap_or_default(),
            lines: lines.collect(),
        });
    }
    changed
}

/// The largest file of changes, in bytes.
const LARGEST_CHANGE: u64 = 512 << 10;

/// The changes that a file names.
pub(super) fn changes_in(file: &Path) -> Result<Box<Changes>, Failure> {
    let text = bounded::read_named(file, LARGEST_CHANGE)?;
    yaml::from_str(&text).map_err(|error| Failure::usage(format!("{}: {error}", file.display())))
}
