//! `estafette new-game NAME`: a small sound game to start from, and what an editor needs for it.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{
    failure::{CommandResult, Failure},
    library::problems_failure,
    out,
};
use crate::{
    game::{EmbeddedFiles, Files, Game, Starter, reference},
    rules::Program,
};

/// Arguments of `new-game`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The game's name: a small letter, then small letters, digits and `_`
    name: String,
    /// A map of hexes; without it, of places that roads join
    #[arg(long)]
    hexes: bool,
    /// Let a side see only what is next to its pieces; without it, everything
    #[arg(long)]
    fog: bool,
    /// Put the game into the folders `games`, `rules` and `cases` of this folder; by default, of a
    /// new folder with the game's name
    #[arg(long, value_name = "DIR")]
    into: Option<PathBuf>,
}

/// Longest name of a game.
const LONGEST: usize = 32;

/// Runs the command.
///
/// # Errors
/// Exit code 2 if the name is none, 1 if anything of that name is there, 3 if the disk refuses.
pub fn run(args: &Args) -> CommandResult {
    let name = &args.name;
    check_name(name)?;
    let folder = args.into.clone().unwrap_or_else(|| name.into());
    let starter = Starter {
        hexes: args.hexes,
        fog: args.fog,
    };
    let mut files = starter.files(name);
    files.extend(for_editors()?);
    refuse_to_overwrite(&folder, name, &files)?;
    for (path, text) in &files {
        let path = folder.join(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        out::file(&path, text.as_bytes())?;
    }
    let shown = folder.display();
    out::line(format!(
        "{shown}: the game {name} made, a file of the rules for each chapter"
    ))?;
    out::line(format!(
        "Read {shown}/games/{name}/README.md; then, from there:"
    ))?;
    out::line("")?;
    for command in [
        format!("cd {shown}"),
        format!("estafette check {name} --games games --rules rules"),
        "estafette case cases --games games --rules rules".to_owned(),
        format!("estafette simulate {name} --games games --rules rules"),
    ] {
        out::line(format!("  {command}"))?;
    }
    Ok(())
}

fn check_name(name: &str) -> CommandResult {
    let begins = name.starts_with(|c: char| c.is_ascii_lowercase());
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    if !begins || !name.chars().all(plain) || name.len() > LONGEST {
        return Err(Failure::usage(format!(
            "a game's name is a small letter, then small letters, digits and `_`, {LONGEST} at most: \
             `long_ridge`"
        )));
    }
    if name == "lib" || EmbeddedFiles.game_ids()?.iter().any(|id| id == name) {
        return Err(Failure::usage(format!(
            "`{name}` ships with Estafette; give your game a name of its own"
        )));
    }
    Ok(())
}

/// The keys of a game's files and the functions of its scripts, for editors.
fn for_editors() -> Result<BTreeMap<String, String>, Failure> {
    let schemas = reference::schemas().into_iter();
    let mut files: BTreeMap<_, _> = schemas
        .map(|(name, text)| (format!("schema/{name}"), text))
        .collect();
    // Scripts can call the same functions in every game.
    if let Some(id) = EmbeddedFiles.game_ids()?.first() {
        let game =
            Game::load(&EmbeddedFiles, id).map_err(|problems| problems_failure(&problems))?;
        let program = Program::compile(Arc::new(game)).map_err(Failure::failed)?;
        files.insert("host.d.rhai".to_owned(), program.definitions());
    }
    Ok(files)
}

/// Refuses to overwrite any file, unless it would stay the same.
fn refuse_to_overwrite(
    folder: &Path,
    name: &str,
    files: &BTreeMap<String, String>,
) -> CommandResult {
    let own = ["games", "rules", "cases"].map(|top| folder.join(top).join(name));
    let other = |(path, text): (&String, &String)| {
        let path = folder.join(path);
        let same = fs::read(&path).is_ok_and(|bytes| bytes == text.as_bytes());
        (!same && fs::symlink_metadata(&path).is_ok()).then_some(path)
    };
    let there = own
        .into_iter()
        .find(|path| fs::symlink_metadata(path).is_ok());
    match there.or_else(|| files.iter().find_map(other)) {
        None => Ok(()),
        Some(path) => Err(Failure::failed(format!(
            "{} is there already, and nothing is written over; choose another name, or another folder with --into",
            path.display()
        ))),
    }
}
