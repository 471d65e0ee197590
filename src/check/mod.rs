//! Checks a game: its files, its scripts against them, its words against the scripts, and a quiet
//! campaign of each scenario.
//!
//! The files themselves are judged where they are loaded (`game::inspect`); nothing unsound gets
//! further. Then
//! - `flow` follows the scripts through their syntax trees (`flow::Flow`): every name that they
//!   write must exist;
//! - `sequence` compares the phases that they return with those that game.yaml lets follow;
//! - `shown`, `board` and `templates` look at what game.yaml shows, at the map and the forces, and
//!   at the words;
//! - `throws` finds throws that share a label;
//! - `resets` finds facts that are cleared by hand;
//! - `unused` finds declarations that nothing uses, `unused_data` keys of maps and scenarios,
//!   `unused_functions` functions;
//! - `printed` reads back what the forms of orders print, with every name of the game in every
//!   language;
//! - `lines` reads back what templates and examples print;
//! - `trial` plays each scenario with nobody giving orders.
//!
//! Each finding is a [`Problem`]: where, what, and what to do. Names that a script makes up while
//! it runs can't be judged here; cases and simulations do that.

mod answers;
mod board;
mod bodies;
mod display;
mod flow;
mod functions;
mod host;
mod lines;
mod names;
mod printed;
mod resets;
mod sequence;
mod templates;
#[cfg(test)]
mod tests;
mod throws;
mod trial;
mod unused;
mod unused_data;
mod unused_functions;
mod unused_parts;
mod value;
mod words_of_data;

use std::{collections::BTreeSet, slice, sync::Arc};

use crate::{
    game::{self, Game, GameFiles, Problem, Seating, Severity},
    orders::Grammar,
    rules::{Bots, Printout, Program, RuleError, ScriptPlace},
    value::Value,
    yaml,
};

/// Everything that is wrong with a game, or looks so, in the order of its files. `bots` are the
/// scripts of its bots.
#[must_use]
pub fn check(files: &GameFiles, bots: &[(String, String)], id: &str) -> Vec<Problem> {
    look(files, bots, id, true, None)
}

/// Checks a game like `check`, and returns what the scripts print while they are tried.
#[must_use]
pub fn check_aloud(
    files: &GameFiles,
    bots: &[(String, String)],
    id: &str,
    printout: &Printout,
) -> Vec<Problem> {
    look(files, bots, id, true, Some(printout))
}

/// Like `check_aloud`, without a quiet campaign of each scenario: for those who play the game
/// anyway.
#[must_use]
pub fn check_without_trial(files: &GameFiles, id: &str) -> Vec<Problem> {
    look(files, &[], id, false, None)
}

fn look(
    files: &GameFiles,
    bots: &[(String, String)],
    id: &str,
    tries: bool,
    printout: Option<&Printout>,
) -> Vec<Problem> {
    let (game, mut problems) = game::inspect(files, id);
    if let Some(game) = game.map(Arc::new) {
        let secret = secret_facts(files, id);
        problems.extend(scripts(&game, bots, tries, (printout, secret)));
        game::sort_problems(files, id, &mut problems);
    }
    problems
}

/// The facts of which game.yaml says that they are the umpire's; one of which it says nothing is no
/// less, but perhaps nobody's secret.
fn secret_facts(files: &GameFiles, id: &str) -> BTreeSet<String> {
    let text = files.0.get(&format!("games/{id}/game.yaml"));
    let text = text.and_then(|bytes| std::str::from_utf8(bytes).ok());
    // A file that can't be read has been reported where the game is loaded.
    let decl: Value = text
        .and_then(|text| yaml::from_str(text).ok())
        .unwrap_or_default();
    let facts = decl.get("facts").and_then(Value::as_map).into_iter();
    facts
        .flatten()
        .filter(|(_, fact)| fact.get("shown").and_then(Value::as_text) == Some("umpire"))
        .map(|(name, _)| name.clone())
        .collect()
}

/// Returns true if any of the problems is an error: warnings stop nothing.
#[must_use]
pub fn has_errors(problems: &[Problem]) -> bool {
    problems
        .iter()
        .any(|problem| problem.severity == Severity::Error)
}

/// Problems of the scripts, and contradictions between them and the files.
fn scripts(
    game: &Arc<Game>,
    bots: &[(String, String)],
    tries: bool,
    (printout, secret): (Option<&Printout>, BTreeSet<String>),
) -> Vec<Problem> {
    let mut found = Vec::new();
    let file = format!("games/{}/game.yaml", game.decl.id);
    let faults = Grammar::faults(&game.decl).into_iter();
    found.extend(faults.map(|fault| Problem::new(&file, fault.path(), fault.to_string())));
    let program = match Program::compile(Arc::clone(game)) {
        Ok(program) => program,
        Err(error) => {
            found.push(of_script(&error));
            return found;
        }
    };
    if let Some(printout) = printout {
        program.listen(printout);
    }
    found.extend(functions::missing(&program));
    found.extend(functions::unknown(&program));
    let names = names::Names::of(game).with_secret_facts(secret);
    found.extend(display::unknown(&names));
    found.extend(templates::unknown_filters(game));
    found.extend(templates::unknown_variables(game));
    let mut flow = flow::Flow::of(&program, &names);
    found.extend(flow.findings());
    found.extend(sequence::compare(&flow));
    found.extend(board::look(&flow));
    found.extend(throws::repeated(&program, &flow));
    found.extend(resets::by_hand(&flow));
    match Bots::compile(Arc::clone(game), bots) {
        Ok(bots) => {
            found.extend(functions::unknown(bots.program()));
            let of_bots = flow::Flow::of_bots(bots.program(), &flow, bots.names());
            found.extend(of_bots.findings());
            flow.report.take_uses(&of_bots.report);
            found.extend(unused::find(&flow, &of_bots));
        }
        Err(error) => found.push(of_script(&error)),
    }
    // Whatever else is wrong would be wrong in every line and phase of them.
    if !has_errors(&found) {
        for theatre in game.in_theatres() {
            found.extend(printed::wrong(&theatre));
        }
    }
    if !has_errors(&found) {
        found.extend(in_play(&program, tries));
    }
    if !has_errors(&found) {
        found.extend(other_rosters(&program, tries));
    }
    found
}

/// Problems of lines, and of a campaign in which nobody gives orders.
fn in_play(program: &Program, tries: bool) -> Vec<Problem> {
    let names = program.game().theatres.keys();
    let staged: Vec<Program> = names.map(|name| program.in_theatre(name)).collect();
    let programs = if staged.is_empty() {
        slice::from_ref(program)
    } else {
        &staged
    };
    let mut found = lines::wrong(programs);
    if tries && !has_errors(&found) {
        found.extend(programs.iter().flat_map(trial::play));
    }
    found
}

/// Problems of the other rosters; everything else is checked with the first one.
fn other_rosters(program: &Program, tries: bool) -> Vec<Problem> {
    let mut found = Vec::new();
    for name in program.game().decl.rosters.keys().skip(1) {
        let seating = Seating {
            roster: Some(name.clone()),
            ..Seating::default()
        };
        // Its sides and seats have been checked with the game's files.
        let Ok(program) = program.seated(&seating) else {
            continue;
        };
        let mut problems = in_play(&program, tries);
        for problem in &mut problems {
            problem.message = format!("roster {name}: {}", problem.message);
        }
        found.append(&mut problems);
    }
    found
}

/// An error of a script as a problem.
fn of_script(error: &RuleError) -> Problem {
    let inside = error
        .function
        .as_ref()
        .map_or_else(String::new, |name| format!(" (in function `{name}`)"));
    at(&error.place, format!("{}{inside}", error.message))
}

/// A problem at a place of a script.
fn at(place: &ScriptPlace, message: String) -> Problem {
    Problem {
        file: match place.script.as_str() {
            "" => "rules".to_owned(),
            script => format!("rules/{script}"),
        },
        line: place.line,
        column: place.column,
        message,
        ..Problem::default()
    }
}
