//! What openings explain: every abbreviation that a game prints is in its legend, and no order is
//! shown that names what the scenario does not have.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use crate::support::shipped_game;
use estafette::{
    game::{EmbeddedFiles, Files, Game, Lang, Text},
    orders::{self, Grammar, HostWords, Vocabulary},
    world::World,
};
use regex::Regex;

fn games() -> Vec<Arc<Game>> {
    let ids = EmbeddedFiles.game_ids().unwrap();
    let games = ids.iter().map(|id| shipped_game(id));
    games.collect()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
}

/// All that the legend of a language explains, word by word.
fn explained(text: &Text) -> BTreeSet<String> {
    let entries = text.glossary.iter();
    let entries = entries.flat_map(|(names, meaning)| [names.as_str(), meaning.as_str()]);
    entries.flat_map(words).map(str::to_owned).collect()
}

/// Words that players write: they are explained with the orders.
fn keywords(game: &Game, lang: Lang) -> BTreeSet<String> {
    let own = game.decl.orders.keywords.values();
    let own = own.flat_map(|spellings| spellings.get(&lang).into_iter().flatten().cloned());
    let host = HostWords::built_in().unwrap().remove(&lang).unwrap();
    let host = host.keywords.into_values().flatten();
    let all: Vec<String> = own.chain(host).collect();
    all.iter()
        .flat_map(|spelling| words(spelling).map(str::to_owned))
        .collect()
}

/// Abbreviations in what is printed of a game: words of capitals, and short parts of the names of
/// numbered units.
fn abbreviations(game: &Game, lang: Lang) -> BTreeSet<String> {
    let text = &game.text[&lang];
    let tags = Regex::new(r"\{\{.*?\}\}|\{%.*?%\}").unwrap();
    let roman = Regex::new("^[IVX]+$").unwrap();
    let maps = [
        &text.kinds,
        &text.short_kinds,
        &text.attributes,
        &text.boxes,
        &text.formations,
        &text.phases,
        &text.facts,
        &text.events,
        &text.modifiers,
        &text.remarks,
        &text.results,
        &text.scenarios,
    ];
    let printed = maps.into_iter().flat_map(|map| map.values());
    let asked = text.topics.values().map(|topic| &topic.question);
    let capitals = printed
        .chain(asked)
        .flat_map(|said| {
            let said = tags.replace_all(said, " ");
            words(&said).map(str::to_owned).collect::<Vec<_>>()
        })
        .chain(text.results.keys().cloned());
    let names = game.force_lists().flat_map(|forces| &forces.pieces);
    let names = names.map(|piece| piece.names.get(&lang).unwrap_or(&piece.name));
    let parts = names.flat_map(|name| {
        let numbered = name.chars().any(|c| c.is_ascii_digit());
        let parts = words(name).filter(move |part| {
            let short = numbered && part.chars().count() <= 4;
            short && part.chars().all(char::is_alphabetic) || is_capitals(part)
        });
        parts.map(str::to_owned).collect::<Vec<_>>()
    });
    let letters = |word: String| word.trim_matches(|c: char| c.is_ascii_digit()).to_owned();
    let capitals = capitals.map(letters).filter(|word| is_capitals(word));
    let known = keywords(game, lang);
    let found = capitals.filter(|word| !known.contains(word));
    found
        .chain(parts)
        .filter(|word| !roman.is_match(word))
        .collect()
}

/// Returns true of two capitals or more.
fn is_capitals(word: &str) -> bool {
    word.chars().count() > 1 && word.chars().all(char::is_uppercase)
}

#[test]
fn every_abbreviation_is_in_the_legend() {
    for game in games() {
        for (lang, text) in &game.text {
            let explained = explained(text);
            let found = abbreviations(&game, *lang);
            // Units without figures need no columns.
            let few = game.decl.display.units.is_empty();
            assert!(few || found.len() > 3, "{}: {found:?}", game.decl.id);
            let missing: Vec<_> = found.difference(&explained).collect();
            assert!(
                missing.is_empty(),
                "{}/text/{}.yaml, glossary: {missing:?}",
                game.decl.id,
                lang.code()
            );
        }
    }
}

/// The columns of the tables of forces, and the short names of kinds in them.
#[test]
fn every_column_is_in_the_legend() {
    for game in games() {
        let display = &game.decl.display;
        for (lang, text) in &game.text {
            let entries = text.glossary.keys();
            let entries: BTreeSet<&str> = entries.flat_map(|names| names.split(", ")).collect();
            let columns = display.units.iter().chain(&display.leaders);
            let columns = columns.map(|name| text.attributes[name].as_str());
            let hits = if *lang == Lang::Fr { "Pertes" } else { "Hits" };
            for heading in columns
                .chain(text.short_kinds.values().map(String::as_str))
                .chain(display.hits.iter().map(|_| hits))
            {
                assert!(entries.contains(heading), "{}: {heading}", game.decl.id);
            }
            assert!(
                display.units.is_empty() || !game.decl.rulebook[lang].is_empty(),
                "{}: no rulebook",
                game.decl.id
            );
        }
    }
}

/// What the openings of a scenario show, by seat and language: verbs with their examples.
fn shown(game: &Game, scenario: &str, on: bool) -> Vec<(String, Lang, Vec<orders::Help>)> {
    let game = &game.clone().staged(scenario);
    let options = if on {
        game.switched_on()
    } else {
        BTreeMap::new()
    };
    let grammar = Grammar::new(&game.decl, &options).unwrap();
    let world = World::set_up(game, scenario).unwrap();
    let mut all = Vec::new();
    for seat in &game.decl.seats {
        let view = world.seen_by(game, &seat.id);
        for lang in Lang::ALL {
            let names = Vocabulary::of_view(game, &view, lang);
            let help = orders::help_of_seat(&grammar, game, scenario, &names, lang);
            all.push((seat.id.to_string(), lang, help));
        }
    }
    all
}

#[test]
fn examples_name_what_the_scenario_has() {
    for game in games() {
        for (name, scenario) in &game.scenarios {
            let game = &Game::clone(&game).staged(name);
            let placed: BTreeSet<&str> = scenario
                .positions
                .values()
                .flat_map(|pieces| pieces.iter().map(|id| id.as_str()))
                .collect();
            // Counters of the two sides may share a short name.
            let names = |wanted: bool| {
                let (placed, pieces) = (&placed, game.forces.pieces.iter());
                let pieces =
                    pieces.filter(move |piece| placed.contains(piece.id.as_str()) == wanted);
                pieces.flat_map(|piece| {
                    let short = piece.id.split_once('_').map_or("", |(_, short)| short);
                    [piece.id.to_uppercase(), short.to_uppercase()]
                })
            };
            let present: BTreeSet<String> = names(true).collect();
            let absent: BTreeSet<String> =
                names(false).filter(|it| !present.contains(it)).collect();
            for (seat, lang, help) in [false, true]
                .into_iter()
                .flat_map(|on| shown(game, name, on))
            {
                for example in help.iter().flat_map(|help| &help.examples) {
                    let stranger = words(example).find(|word| absent.contains(*word));
                    assert_eq!(stranger, None, "{name}, {seat}, {lang:?}: {example}");
                }
            }
        }
    }
}

/// The verbs of a scenario that no example shows to a seat: there is nothing that it could do with
/// them.
#[test]
fn openings_show_all_that_can_be_ordered_and_nothing_else() {
    let novara = shipped_game("novara");
    for (seat, lang, help) in shown(&novara, "la_sforzesca", false) {
        let verbs: BTreeSet<&str> = help.iter().map(|help| help.id.as_str()).collect();
        for verb in [
            "turn",
            "cup",
            "pause",
            "formation",
            "independent",
            "general",
            "pass",
            "move",
            "hold",
            "charge",
            "bombard",
            "attack",
            "break",
            "losses",
            "retreat",
            "recover",
        ] {
            assert!(verbs.contains(verb), "{seat}, {lang:?}: no {verb}");
        }
        for verb in [
            "supreme", "bridge", "unbridge", "seize", "enter", "exit", "mask", "priority",
            "surprise", "place", "reduce",
        ] {
            assert!(!verbs.contains(verb), "{seat}, {lang:?}: {verb}");
        }
        let lines: Vec<&str> = help
            .iter()
            .flat_map(|help| &help.examples)
            .map(String::as_str)
            .collect();
        let lines = lines.join("\n");
        for word in ["SUPREME", "SUPRÊME", "II", "III", "IV", "PON2", "PONR"] {
            let found = words(&lines).any(|found| found == word);
            assert!(!found, "{seat}, {lang:?}: {word} in {lines}");
        }
    }
    for game in games() {
        for name in game.scenarios.keys() {
            for (seat, lang, help) in shown(&game, name, true) {
                let shown: BTreeSet<&str> = help.iter().map(|help| help.id.as_str()).collect();
                let side = game.decl.seats.iter().find(|it| it.id == *seat).unwrap();
                for (verb, decl) in &game.decl.orders.verbs {
                    let here = decl.scenarios.is_empty() || decl.scenarios.contains(name);
                    let whose = decl.whose();
                    let his = whose.is_empty() || side.sides.iter().any(|it| whose.contains(it));
                    // One formation alone has no others to go before.
                    let alone = name == "la_sforzesca" && verb == "priority";
                    if here && his && !alone {
                        assert!(
                            shown.contains(verb.as_str()),
                            "{name}, {seat}, {lang:?}: {verb}"
                        );
                    }
                }
            }
        }
    }
}
