//! What is printed of orders reads back: in the games that ship, whatever their forms can say; with
//! names as authors give them.

use std::{
    collections::BTreeSet,
    sync::{Arc, LazyLock},
};

use crate::support::shipped_game;
use estafette::{
    check,
    game::{EmbeddedFiles, Files, Game, GameFiles, Lang, Starter},
    orders::{FormSubject, Grammar, Tongue, Vocabulary, all_forms},
};
use proptest::prelude::*;

/// A game with the names of each side in each language.
struct Table {
    game: Arc<Game>,
    grammar: Grammar,
    names: Vec<(Lang, Vocabulary)>,
}

static TABLES: LazyLock<Vec<Table>> = LazyLock::new(|| {
    let games = EmbeddedFiles.game_ids().unwrap().into_iter();
    games.map(|id| table(&id)).collect()
});

fn table(id: &str) -> Table {
    let game = shipped_game(id);
    let grammar = Grammar::new(&game.decl, &game.switched_on()).unwrap();
    let mut names = Vec::new();
    for lang in game.languages() {
        for side in &game.decl.sides {
            names.push((lang, Vocabulary::of_side(&game, &side.id, lang)));
        }
    }
    Table {
        game,
        grammar,
        names,
    }
}

/// Numbers below a bound, from a seed: splitmix64.
fn numbers(mut seed: u64) -> impl FnMut(usize) -> usize {
    move |below| {
        seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = seed;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % (below.max(1) as u64)).unwrap()
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(40) })]

    /// One order, answer and condition of every form of every game, in each language.
    #[test]
    fn whatever_the_forms_of_a_game_say_reads_back(seed in any::<u64>()) {
        let mut below = numbers(seed);
        for table in TABLES.iter() {
            for (lang, names) in &table.names {
                let tongue = Tongue::new(&table.grammar, names, *lang);
                for (of, form) in all_forms(&table.grammar) {
                    let sample = tongue.sample(of, form, &mut |count, _| below(count));
                    let Some(args) = sample else { continue };
                    let printed = tongue.printed(of, &args);
                    prop_assert!(
                        tongue.reads(of, &args, &printed),
                        "{} {lang:?} {of:?}: `{printed}` of {args:?}",
                        table.game.decl.id
                    );
                }
            }
        }
    }
}

/// No form is left out for want of names.
#[test]
fn every_form_of_every_game_is_printed() {
    for table in TABLES.iter() {
        let mut printed = BTreeSet::new();
        for (lang, names) in &table.names {
            let tongue = Tongue::new(&table.grammar, names, *lang);
            for (of, form) in all_forms(&table.grammar) {
                if tongue.sample(of, form, &mut |_, _| 0).is_some() {
                    printed.insert((of.path(), form));
                }
            }
        }
        let all: BTreeSet<_> = all_forms(&table.grammar)
            .map(|(of, form)| (of.path(), form))
            .collect();
        assert_eq!(printed, all);
    }
}

/// The small game with another text in one of its files.
fn changed(file: &str, from: &str, to: &str) -> GameFiles {
    let files = Starter::default().files("ridge");
    let mut found = GameFiles::gather(&EmbeddedFiles, "ridge").unwrap();
    for (path, text) in files {
        if path.starts_with("cases/") || path.contains("/bots/") {
            continue;
        }
        let text = if path.ends_with(file) {
            assert!(text.contains(from), "{path}: {from}");
            text.replacen(from, to, 1)
        } else {
            text
        };
        found.0.insert(path, text.into_bytes());
    }
    found
}

fn said(files: &GameFiles) -> String {
    let problems = check::check(files, &[], "ridge");
    problems
        .iter()
        .map(|problem| format!("{problem}\n"))
        .collect()
}

/// The name of the rifles, and what is said of it; nothing if their orders read back as they are
/// printed.
const NAMES: [(&str, &str); 17] = [
    ("2/59 Line", ""),
    ("Rifles, 2nd", ""),
    ("Rifles: the 2nd", ""),
    ("3+4 & 5", ""),
    ("12", ""),
    ("TO", ""),
    ("MARCH", ""),
    ("All", ""),
    ("Nothing", ""),
    ("Guards", ""),
    ("Guard of Honour", ""),
    ("Rifles-Brigade \u{2013} old", ""),
    (
        "Rifles #2",
        "the name `Rifles #2` of the piece `rifles` does not read back: `#` begins a comment",
    ),
    ("Rifles; old", "`;` ends an order"),
    ("***", "it has no letter or digit"),
    (
        "hussars",
        "the name `Hussars` of the piece `hussars` does not read back: it is a name of `rifles` too",
    ),
    ("Guard TO", "`Guard TO` begins with `Guard`"),
];

#[test]
fn names_are_read_as_printed_or_refused() {
    for (name, problem) in NAMES {
        let quoted = format!("name: \"{name}\",");
        let said = said(&changed("forces.yaml", "name: Rifles,", &quoted));
        if problem.is_empty() {
            assert_eq!(said, "", "{name}");
        } else {
            assert!(said.contains(problem), "{name}: {said}");
        }
    }
}

/// Words that mean two things: a keyword in a place's name, a keyword that nobody can write, a name
/// in one language alone.
#[test]
fn keywords_and_names_of_one_language_are_read_back_too() {
    let said_of = |file: &str, from: &str, to: &str| said(&changed(file, from, to));
    let spaces = said_of("map.yaml", "name: Mill,", "name: Mill TO Camp,");
    assert_eq!(spaces, "");
    let arrow = said_of("game.yaml", "TO: {en: [TO]}", "TO: {en: [\"~\"]}");
    assert!(
        arrow.contains("orders.verbs.march.forms[0]: `MARCH Guard ~ Camp` does not read back"),
        "{arrow}"
    );
    let of_english = said_of(
        "forces.yaml",
        "name: Rifles,",
        "name: Rifles, names: {en: Guard},",
    );
    assert!(
        of_english.contains("it is a name of `rifles` too"),
        "{of_english}"
    );
}

#[test]
fn a_piece_is_named_with_the_signs_of_its_name() {
    let files = changed("forces.yaml", "name: Rifles,", "name: 2/59 Line,");
    let game = Game::load(&files, "ridge").unwrap();
    let grammar = Grammar::new(&game.decl, &game.switched_on()).unwrap();
    let names = Vocabulary::of_side(&game, &"red".into(), Lang::En);
    let tongue = Tongue::new(&grammar, &names, Lang::En);
    let march = FormSubject::Verb("march");
    let mut place = 0;
    let args = tongue.sample(march, 0, &mut |_, _| {
        place += 1;
        2 - place
    });
    let args = args.unwrap();
    assert_eq!(tongue.printed(march, &args), "MARCH 2/59 Line TO Camp");
    for written in [
        "MARCH 2/59 Line TO Camp",
        "march 2 / 59 line to camp",
        "MARCH 2 59 Line TO Camp",
        "MARCH 2-59 Line TO Camp",
        "MARCH rifles TO Camp",
    ] {
        assert_eq!(
            tongue.reads(march, &args, written),
            !written.contains('-'),
            "{written}"
        );
    }
}
