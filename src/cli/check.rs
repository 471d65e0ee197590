//! `estafette check [GAME]`: loads everything, compiles scripts and forms, and looks for what does not fit.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{
    examples,
    failure::{Failure, Outcome},
    isolated,
    library::{Places, problems_failure},
    out,
};
use crate::{
    game::{self, Files, Game, GameFiles, Lang},
    ids::SeatId,
    orders::{self, Expect, Grammar, Vocabulary},
    rules::{self, Bots, Decisions, Program, Start},
    world::World,
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
    if isolated::is_needed_for(args.places.are_named()) {
        return isolated::again();
    }
    let files = args.places.files(None);
    let ids = match &args.game {
        Some(id) => vec![id.clone()],
        None => files.game_ids()?,
    };
    let mut wrong = 0_usize;
    for id in &ids {
        let gathered = GameFiles::gather(&files, id)?;
        let mut problems = problems(&gathered, id)?;
        if problems.is_empty() {
            problems.extend(faults_of_bots(&files, &gathered, id)?);
        }
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
        let problems = if wrong == 1 { "problem" } else { "problems" };
        Err(Failure::failed(format!("{wrong} {problems}")))
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
            found.extend(
                rules::lint(&program)
                    .iter()
                    .map(|error| format!("rules/{error}")),
            );
            // Whatever else is wrong would be wrong in every line of them.
            if found.is_empty() {
                found.extend(own_orders(&program)?);
            }
        }
    }
    Ok(found)
}

/// Everything that is wrong with the bots of a sound game.
fn faults_of_bots(files: &dyn Files, game: &GameFiles, id: &str) -> Result<Vec<String>, Failure> {
    let scripts = game::bot_scripts(files, id)?;
    let game = Game::load(game, id).map_err(|problems| problems_failure(&problems))?;
    let found = match Bots::compile(Arc::new(game), &scripts) {
        Ok(bots) => rules::lint(bots.program()),
        Err(error) => vec![error],
    };
    Ok(found.iter().map(|error| format!("rules/{error}")).collect())
}

fn write_definitions(files: &GameFiles, id: &str, path: &Path) -> Outcome {
    let game = Game::load(files, id).map_err(|problems| problems_failure(&problems))?;
    let program = Program::compile(Arc::new(game)).map_err(Failure::failed)?;
    out::file(path, program.definitions().as_bytes())
}

/// Every order form reads what it prints: the template of each phase at the start of each scenario gives orders of the seat,
/// and every example of the words is one of some seat.
fn own_orders(program: &Program) -> Result<Vec<String>, Failure> {
    let game = program.game();
    let mut wrong = Vec::new();
    let mut views = Vec::new();
    for options in [BTreeMap::new(), game.switched_on()] {
        let grammar = Grammar::new(&game.decl, &options).map_err(Failure::failed)?;
        for scenario in game.scenarios.keys() {
            let decisions = Decisions::default();
            let world = World::set_up(game, scenario).map_err(Failure::failed)?;
            let start = Start {
                phase: "",
                world: &world,
                options: &options,
                decisions: &decisions,
            };
            let world = program.look(&start).map_err(Failure::failed)?;
            for seat in &game.decl.seats {
                let view = world.seen_by(game, &seat.id);
                let start = Start {
                    world: &view,
                    ..start
                };
                wrong.extend(templates_of(program, &grammar, &start, &seat.id, scenario)?);
                views.push(view);
            }
        }
    }
    let whole = Grammar::new(&game.decl, &game.switched_on()).map_err(Failure::failed)?;
    wrong.extend(examples::wrong(game, &whole, &views));
    Ok(wrong)
}

fn templates_of(
    program: &Program,
    grammar: &Grammar,
    start: &Start<'_>,
    seat: &SeatId,
    scenario: &str,
) -> Result<Vec<String>, Failure> {
    let game = program.game();
    let mut wrong = Vec::new();
    for lang in Lang::ALL {
        let vocabulary = Vocabulary::of_view(game, start.world, lang);
        for (name, verb) in &game.decl.orders.verbs {
            let Some(function) = &verb.template else {
                continue;
            };
            if !grammar.verbs().any(|known| known == name) {
                continue;
            }
            let phases: Vec<&str> = verb.phases.iter().map(String::as_str).collect();
            let lines = program
                .template(seat, start, function)
                .map_err(Failure::failed)?;
            for line in orders::template(grammar, &vocabulary, &lines, lang) {
                let line = line.strip_prefix("# ").unwrap_or(&line);
                let expect = Expect {
                    phases: &phases,
                    questions: &[],
                    lang,
                };
                let reading = orders::read_alone(grammar, &vocabulary, &expect, line);
                if reading.orders().count() != 1 || reading.wrong().next().is_some() {
                    wrong.push(format!(
                        "games/{}/game.yaml: orders.verbs.{name}: the template's line `{line}` is no order of {seat} in the scenario {scenario}",
                        game.decl.id
                    ));
                }
            }
        }
    }
    Ok(wrong)
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
