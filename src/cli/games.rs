//! `estafette games [NAME]`: which games there are, what one of them is, and where its figures come from.

mod description;
mod origins;

use std::collections::BTreeMap;

use super::{cli_words::CliWords, failure::CommandResult, isolated, library::Places, new, out};
use crate::game::{Files, Lang};
use description::Description;

/// Arguments of `games`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A game; without it, all are listed
    name: Option<String>,
    /// Print where every table, formation, piece and part of the map comes from
    #[arg(long, requires = "name")]
    sources: bool,
    /// The language of the game's words: en or fr
    #[arg(long, value_name = "LANG", default_value = "en", value_parser = lang)]
    lang: Lang,
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
    let words = CliWords::of(args.lang)?;
    if args.sources {
        let origins = origins::of(&game);
        return if args.json {
            out::json(&origins)
        } else {
            lines(&origins::lines(&origins, &words))
        };
    }
    let description = Description::new(&game, args.lang)?;
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
    new::lang(code).map_err(|failure| failure.message)
}

fn list(args: &Args) -> CommandResult {
    let mut titles: BTreeMap<String, String> = BTreeMap::new();
    for id in args.places.files(None).game_ids()? {
        let game = args.places.game(&id)?;
        titles.insert(id, description::said(&game.decl.title, args.lang));
    }
    if args.json {
        return out::json(&titles);
    }
    titles
        .iter()
        .try_for_each(|(id, title)| out::line(format!("{id:<16}  {title}")))
}
