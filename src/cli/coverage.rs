//! `estafette coverage GAME`: which entries of the rule checklist have cases, and what the cases do
//! not notice.

mod mutants;

use std::path::PathBuf;

use super::{
    failure::{CommandResult, Failure},
    isolated,
    library::Places,
    out,
};
use crate::cases::{self, CaseEntry, CoverageEntry};

/// Arguments of `coverage`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The game
    game: String,
    /// Folder of the cases
    #[arg(long, value_name = "DIR", default_value = "tests/cases")]
    cases: PathBuf,
    /// Only these chapters (`0-12`, `9`)
    #[arg(long, value_name = "RANGE")]
    chapters: Option<String>,
    /// Change the rules in this many small ways, one at a time, and print the changes that no case
    /// notices
    #[arg(long, value_name = "N", conflicts_with = "chapters")]
    mutants: Option<usize>,
    #[command(flatten)]
    draw: mutants::Draw,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    places: Places,
}

impl Args {
    fn found(&self) -> Result<Vec<CaseEntry>, Failure> {
        let folder = self.cases.join(&self.game);
        Ok(cases::read(&[folder])?)
    }
}

/// Runs the command.
///
/// # Errors
/// Exit code 1 if an entry is missing, or a case cites one that the checklist does not have. With
/// `--mutants`, 1 if the game is not sound or a case fails before anything is changed; changes that
/// no case notices are no failure.
pub fn run(args: &Args) -> CommandResult {
    // A rule that is changed is no rule that ships any more.
    if isolated::is_needed_for(args.places.are_named() || args.mutants.is_some()) {
        return isolated::again_at_length(args.draw.threads);
    }
    if let Some(count) = args.mutants {
        return mutants::run(args, count);
    }
    let game = args.places.game(&args.game)?;
    let found = args.found()?;
    let range = args.chapters.as_deref().map(chapters).transpose()?;
    let mut coverage = cases::coverage(&game.checklist, &args.game, &found);
    if let Some((first, last)) = range {
        coverage
            .entries
            .retain(|entry| (first..=last).contains(&entry.chapter));
    }
    if args.json {
        out::json(&coverage)?;
    } else {
        for entry in &coverage.entries {
            out::line(line(entry))?;
        }
        for (id, case) in &coverage.unknown {
            out::line(format!("{id:<12} NOT IN THE CHECKLIST, cited by: {case}"))?;
        }
    }
    let missing: Vec<_> = coverage
        .entries
        .iter()
        .filter(|entry| entry.is_missing())
        .map(|entry| entry.id.as_str())
        .collect();
    if !args.json {
        let untestable = coverage
            .entries
            .iter()
            .filter(|entry| entry.untestable.is_some())
            .count();
        out::line(format!(
            "{} entries, {} with cases, {untestable} with nothing to test, {} missing{}{}",
            coverage.entries.len(),
            coverage
                .entries
                .iter()
                .filter(|entry| !entry.cases.is_empty())
                .count(),
            missing.len(),
            if missing.is_empty() { "" } else { ": " },
            missing.join(" "),
        ))?;
    }
    if missing.is_empty() && coverage.unknown.is_empty() {
        Ok(())
    } else {
        Err(Failure::said())
    }
}

fn line(entry: &CoverageEntry) -> String {
    match (&entry.untestable, entry.cases.as_slice()) {
        (Some(reason), []) => format!("{:<12} nothing to test: {reason}", entry.id),
        (None, []) => format!("{:<12} MISSING", entry.id),
        (_, cases) => format!("{:<12} {}", entry.id, cases.join("; ")),
    }
}

fn chapters(range: &str) -> Result<(u32, u32), Failure> {
    let (first, last) = range.split_once('-').unwrap_or((range, range));
    match (first.trim().parse(), last.trim().parse()) {
        (Ok(first), Ok(last)) if first <= last => Ok((first, last)),
        _ => Err(Failure::usage(format!(
            "`{range}` is no range of chapters; write `0-12` or `9`"
        ))),
    }
}
