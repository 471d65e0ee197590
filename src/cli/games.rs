//! `estafette games [NAME]`: lists the games, describes one of them, and says where its figures
//! come from.

mod description;
mod origins;

use std::collections::BTreeMap;

use super::{cli_words::CliWords, failure::CommandResult, isolated, library::Places, out, seating};
use crate::game::{self, Files, Lang};
use description::Description;

/// Arguments of `games`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A game; without it, all are listed
    name: Option<String>,
    /// Print where every table, formation, piece and part of the map comes from
    #[arg(long, requires = "name")]
    sources: bool,
    /// The language of the game's words: en or fr; English, unless the game has another one alone
    #[arg(long, value_name = "LANG", value_parser = lang)]
    lang: Option<Lang>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    places: Places,
}

/// Runs the command.
///
/// # Errors
/// Exit code 1 if a game is not sound.
pub fn run(args: &Args) -> CommandResult {
    if isolated::is_needed_for(args.places.are_named()) {
        return isolated::again();
    }
    let Some(name) = &args.name else {
        return list(args);
    };
    let game = args.places.game(name)?;
    let lang = match args.lang {
        Some(lang) => seating::spoken(&game, lang)?,
        None => game.language(Lang::En),
    };
    let words = CliWords::of(lang)?;
    if args.sources {
        let origins = origins::of(&game, lang);
        return if args.json {
            out::json(&origins)
        } else {
            lines(&origins::lines(&origins, &words))
        };
    }
    let description = Description::new(&game, lang)?;
    if args.json {
        out::json(&description)
    } else {
        lines(&description.lines(&words))
    }
}

fn lines(lines: &[String]) -> CommandResult {
    lines.iter().try_for_each(out::line)
}

fn lang(code: &str) -> Result<Lang, String> {
    seating::lang(code).map_err(|failure| failure.message)
}

fn list(args: &Args) -> CommandResult {
    let mut titles: BTreeMap<String, String> = BTreeMap::new();
    for id in args.places.files(None).game_ids()? {
        let game = args.places.game(&id)?;
        titles.insert(
            id,
            game::said(&game.decl.title, args.lang.unwrap_or(Lang::En)).to_owned(),
        );
    }
    if args.json {
        return out::json(&titles);
    }
    titles
        .iter()
        .try_for_each(|(id, title)| out::line(format!("{id:<16}  {title}")))
}
