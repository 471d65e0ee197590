//! `estafette check [GAME]`: loads everything, compiles scripts and forms, and looks for what does not fit.

use std::{collections::BTreeMap, path::PathBuf, sync::Arc};

use super::{
    failure::{Failure, Outcome},
    library::{Places, problems_failure},
    out,
};
use crate::{
    game::{self, Game, GameFiles},
    orders::Grammar,
    rules::Program,
};

/// Arguments of `check`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The game; all if none is named
    game: Option<String>,
    /// Write the definitions of the host's functions for script editors into this file
    #[arg(long, value_name = "FILE")]
    definitions: Option<PathBuf>,
    #[command(flatten)]
    places: Places,
}

/// Runs the command.
///
/// # Errors
/// Exit code 1 if anything is wrong.
pub fn run(args: &Args) -> Outcome {
    let files = args.places.files(None);
    let ids = match &args.game {
        Some(id) => vec![id.clone()],
        None => game::game_ids(&files)?,
    };
    let mut wrong = 0_usize;
    for id in &ids {
        let gathered = GameFiles::gather(&files, id)?;
        let problems = problems(&gathered, id)?;
        if let Some(path) = &args.definitions {
            write_definitions(&gathered, id, path)?;
        }
        for problem in &problems {
            out::line(problem)?;
        }
        wrong += problems.len();
        if problems.is_empty() {
            out::line(format!("{id}: sound"))?;
        }
    }
    if wrong == 0 {
        Ok(())
    } else {
        Err(Failure::failed(format!("{wrong} problems")))
    }
}

/// Everything that is wrong with a game.
///
/// # Errors
/// If a file can't be read.
pub fn problems(files: &GameFiles, id: &str) -> Result<Vec<String>, Failure> {
    let (game, problems) = game::inspect(files, id);
    let mut found: Vec<String> = problems.iter().map(ToString::to_string).collect();
    let Some(game) = game.map(Arc::new) else {
        return Ok(found);
    };
    if let Err(error) = Grammar::new(&game.decl, &BTreeMap::new()) {
        found.push(format!("games/{id}/game.yaml: {error}"));
    }
    match Program::compile(Arc::clone(&game)) {
        Err(error) => found.push(format!("rules/{error}")),
        Ok(program) => {
            found.extend(missing_functions(&program));
        }
    }
    Ok(found)
}

fn write_definitions(files: &GameFiles, id: &str, path: &PathBuf) -> Outcome {
    let game = Game::load(files, id).map_err(|problems| problems_failure(&problems))?;
    let program = Program::compile(Arc::new(game)).map_err(Failure::failed)?;
    Ok(std::fs::write(path, program.definitions())?)
}

/// Every script function that game.yaml names exists.
fn missing_functions(program: &Program) -> Vec<String> {
    let decl = &program.game().decl;
    let mut wanted: Vec<(String, usize, String)> =
        vec![("look".into(), 1, "every game needs it".into())];
    for phase in &decl.phases {
        wanted.push((
            phase.id.clone(),
            usize::from(phase.of.is_some()),
            format!("phase `{}`", phase.id),
        ));
    }
    for (name, verb) in &decl.orders.verbs {
        let named = verb.check.iter().chain(&verb.template);
        wanted.extend(named.map(|function| (function.clone(), 1, format!("verb `{name}`"))));
    }
    for (name, condition) in &decl.orders.conditions {
        wanted.push((condition.call.clone(), 1, format!("condition `{name}`")));
    }
    let missing = wanted
        .into_iter()
        .filter(|(name, parameters, _)| !program.has_function(name, *parameters));
    missing
        .map(|(name, parameters, why)| {
            format!(
                "rules/{}: there is no function `{name}` with {parameters} parameters ({why})",
                decl.id
            )
        })
        .collect()
}
