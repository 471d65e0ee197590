//! French as it is set: a no-break space stands before `: ; ! ? » %` and after `«`, in what ships
//! and in what is sent.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::LazyLock,
};

use crate::{
    dispatch::fixture::{asked_orders, asked_question, document},
    support::shipped_game,
};
use estafette::{
    dispatch::{Proof, body, map_pictures, page},
    game::{EmbeddedFiles, Files, Lang},
};
use regex::Regex;

/// Where a line could break before or after a sign that belongs to its neighbour, or where the
/// space is missing.
static WRONG: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"[ \u{202f}][:;!?»](\W|$)|« |\S %[ .,]|«[^\u{a0}]|[^\u{a0} ]»|[\pL\d)][;!?]( |$)")
        .unwrap()
});

fn files(folder: &Path, wanted: &dyn Fn(&Path) -> bool, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, wanted, found);
        } else if wanted(&path) {
            found.push(path);
        }
    }
}

/// Words without what only a template sees.
fn prose(text: &str) -> String {
    static PARTS: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}|&#?\w+;").unwrap());
    PARTS.replace_all(text, "x").into_owned()
}

fn mistakes<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<String> {
    let lines = lines.map(prose);
    lines.filter(|line| WRONG.is_match(line)).collect()
}

#[test]
fn the_signs_of_what_ships_are_set() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    let is_text = |path: &Path| path.ends_with("text/fr.yaml");
    files(&root.join("games"), &is_text, &mut found);
    files(&root.join("templates/fr"), &|_| true, &mut found);
    assert!(found.len() > 10);
    for path in found {
        let text = fs::read_to_string(&path).unwrap();
        let lines = text.lines().filter(|line| {
            // Comments are not printed, and orders are a notation that players type.
            !line.trim_start().starts_with('#') && !line.contains("examples:")
        });
        assert_eq!(
            mistakes(lines),
            <[String; 0]>::default(),
            "{}",
            path.display()
        );
    }
}

/// What `reasons` writes of a roll ends with "au dé".
#[test]
fn a_die_is_named_once() {
    let twice = Regex::new(r"dés?\s+\{\{ *\w+\|reasons\(").unwrap();
    for id in EmbeddedFiles.game_ids().unwrap() {
        let game = shipped_game(&id);
        let events = &game.text[&Lang::Fr].events;
        let wrong: Vec<_> = events
            .iter()
            .filter(|(_, text)| twice.is_match(text))
            .collect();
        assert!(wrong.is_empty(), "{id}: {wrong:?}");
    }
}

#[test]
fn the_signs_of_titles_and_summaries_are_set() {
    for id in EmbeddedFiles.game_ids().unwrap() {
        let game = shipped_game(&id);
        let scenarios = game.scenarios.values().map(|scenario| &scenario.title);
        let sides = game.decl.sides.iter().map(|side| &side.name);
        let words = [&game.decl.title, &game.decl.about].into_iter();
        let words = words.chain(scenarios).chain(sides);
        let french = words.flat_map(|words| words[&Lang::Fr].lines());
        assert_eq!(mistakes(french), <[String; 0]>::default(), "{id}");
    }
}

#[test]
fn the_signs_of_what_is_sent_are_set() {
    let tags = Regex::new(r"(?s)<(style|script|pre).*?</(style|script|pre)>|<[^>]*>").unwrap();
    for asked in [asked_orders(), asked_question()] {
        for seat in ["french", "austrian"] {
            let (document, _) = document("lonato", seat, Lang::Fr, asked.clone());
            let text = body(&document);
            let before_the_register = text.split("\nsd1").next().unwrap();
            let lines = before_the_register
                .lines()
                .filter(|line| !line.starts_with('#'));
            assert_eq!(mistakes(lines), <[String; 0]>::default());
            let page = page(&document, &map_pictures(&document), false).with(&Proof::default());
            let page = tags.replace_all(&page, "\n");
            let lines = page.lines().filter(|line| !line.starts_with('#'));
            assert_eq!(mistakes(lines), <[String; 0]>::default());
        }
    }
}
