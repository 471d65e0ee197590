//! `estafette coverage GAME --mutants N`: small changes of the rules that no case notices.

use super::{
    super::{
        failure::{CommandResult, Failure},
        new::sound_game,
        out,
        progress::Bar,
    },
    Args,
};
use crate::cases::mutants::{self, MutantPlan, MutantReport, Survivor};

/// How the changes are drawn.
#[derive(Debug, clap::Args)]
pub(super) struct Draw {
    /// Seed of the draw: the same seed gives the same changes
    #[arg(long, value_name = "S", default_value_t = 1, requires = "mutants")]
    seed: u64,
    /// Change figures of tables.yaml too
    #[arg(long, requires = "mutants")]
    tables: bool,
    /// How many threads play cases; as many as the machine has cores if not given
    #[arg(long, value_name = "T", requires = "mutants")]
    pub(super) threads: Option<usize>,
}

/// Draws the changes and tries them.
pub(super) fn run(args: &Args, count: usize) -> CommandResult {
    let (_, files) = sound_game(&args.places, None, &args.game)?;
    let cases: Vec<_> = args.found()?.into_iter().map(|one| one.case).collect();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let plan = MutantPlan {
        mutants: count,
        seed: args.draw.seed,
        tables: args.draw.tables,
        threads: args.draw.threads.unwrap_or(cores),
    };
    let bar = Bar::new();
    let report = mutants::mutants(&files, &args.game, &cases, plan, &mut |done, all| {
        bar.show(done, all);
    });
    drop(bar);
    let report = report.map_err(Failure::failed)?;
    if args.json {
        out::json(&report)
    } else {
        say(&report)
    }
}

fn say(report: &MutantReport) -> CommandResult {
    for survivor in &report.survivors {
        out::line(line(survivor))?;
    }
    for (kind, (tried, noticed)) in &report.kinds {
        let name = kind.name();
        out::line(format!("{name:<24} {noticed:>5} of {tried:>5} noticed"))?;
    }
    if report.out_of_reach > 0 {
        out::line(format!(
            "{} changes were not drawn: they stand in functions that the game does not use, or that only `invariants` calls",
            report.out_of_reach
        ))?;
    }
    if report.unsound > 0 {
        out::line(format!(
            "{} more were drawn that the rules do not compile with, or the tables are not sound with",
            report.unsound
        ))?;
    }
    out::line(format!(
        "{}, seed {}: {} of {} changes tried on {} cases: {} noticed, {} not",
        report.game,
        report.seed,
        report.tried,
        report.possible,
        report.cases,
        report.noticed,
        report.survivors.len()
    ))
}

/// A change as one line of text.
fn line(survivor: &Survivor) -> String {
    let Survivor {
        file, line, column, ..
    } = survivor;
    let rules = survivor.rules.join(", ");
    let unseen = survivor.cases == Some(0);
    let notes = [rules.as_str(), if unseen { "no case runs it" } else { "" }];
    let notes: Vec<_> = notes.into_iter().filter(|note| !note.is_empty()).collect();
    let notes = match notes.join("; ") {
        none if none.is_empty() => none,
        notes => format!(" ({notes})"),
    };
    let (before, after) = (one_line(&survivor.before), one_line(&survivor.after));
    let change = if after.is_empty() {
        format!("`{before}` left out")
    } else {
        format!("`{before}` -> `{after}`")
    };
    format!("{file}:{line}:{column}: {change}{notes}")
}

/// Most characters that are shown of a text.
const SHOWN: usize = 80;

fn one_line(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{} ...", text.get(..end).unwrap_or_default()),
        None => text,
    }
}
