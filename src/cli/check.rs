//! `estafette check [GAME]`: reports a game's errors and likely slips.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{
    failure::{CommandResult, Failure},
    isolated,
    library::{Places, problems_failure},
    out::{self, TraceOption},
};
use crate::{
    check,
    game::{self, Files, Game, GameFiles, Severity, reference},
    rules::{Printout, Program},
};

/// Arguments of `check`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The game; all if none is named
    game: Option<String>,
    /// Write the definitions of the host's functions for script editors into this file
    #[arg(long, value_name = "FILE")]
    definitions: Option<PathBuf>,
    /// Write the reference of all keys of a game's files, and JSON schemas for editors, into this
    /// folder
    #[arg(long, value_name = "FOLDER")]
    reference: Option<PathBuf>,
    #[command(flatten)]
    trace: TraceOption,
    #[command(flatten)]
    places: Places,
}

/// Runs the command.
///
/// # Errors
/// Exit code 1 if anything is wrong; warnings are no error.
pub fn run(args: &Args) -> CommandResult {
    if isolated::is_needed_for(args.places.are_named()) {
        return isolated::again();
    }
    let files = args.places.files(None);
    let ids = match &args.game {
        Some(id) => vec![id.clone()],
        None => files.game_ids()?,
    };
    if let Some(folder) = &args.reference {
        write_reference(folder)?;
    }
    let mut wrong = 0_usize;
    for id in &ids {
        let gathered = GameFiles::gather(&files, id)?;
        let bots = game::bot_scripts(&files, id)?;
        let printout = Printout::default();
        let problems = if args.trace.is_on() {
            check::check_aloud(&gathered, &bots, id, &printout)
        } else {
            check::check(&gathered, &bots, id)
        };
        out::trace(id, &printout.take());
        if let Some(path) = &args.definitions {
            write_definitions(&gathered, id, path)?;
        }
        for problem in &problems {
            out::line(problem.to_string())?;
        }
        let errors = problems
            .iter()
            .filter(|problem| problem.severity == Severity::Error);
        wrong += errors.count();
        if !check::has_errors(&problems) {
            out::line(format!("{id}: sound"))?;
        }
    }
    match wrong {
        0 => Ok(()),
        1 => Err(Failure::failed("1 problem")),
        _ => Err(Failure::failed(format!("{wrong} problems"))),
    }
}

fn write_reference(folder: &Path) -> CommandResult {
    out::file(&folder.join("game-yaml.md"), reference::page().as_bytes())?;
    let schemas = folder.join("schema");
    fs::create_dir_all(&schemas)?;
    for (name, text) in reference::schemas() {
        out::file(&schemas.join(name), text.as_bytes())?;
    }
    Ok(())
}

fn write_definitions(files: &GameFiles, id: &str, path: &Path) -> CommandResult {
    let game = Game::load(files, id).map_err(|problems| problems_failure(&problems))?;
    let program = Program::compile(Arc::new(game)).map_err(Failure::failed)?;
    out::file(path, program.definitions().as_bytes())
}
