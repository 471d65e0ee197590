//! A game's data can be anybody's: a bundle to be audited brings its own. However they are wrong,
//! loading them and beginning a campaign with them ends in an error or in letters, never in a
//! panic, and in a time that does not depend on the numbers in them.
use std::{collections::BTreeMap, path::Path, sync::LazyLock};

use estafette::{
    campaign::{
        self,
        durable::memory::MemoryCampaign,
        model::{
            compiled_game::CompiledGame, context::Context, recipient::Recipient, settings::Settings,
        },
    },
    dice::Master,
    digest::Digest,
    dispatch,
    game::{Disk, GameFiles},
};
use proptest::{
    prelude::*,
    sample::{Index, select},
};
use regex::Regex;

const SETTINGS: &str = "\
campaign: spring
game: tiny
scenario: start
seats:
- {id: ada, address: ada@example.org, lang: en}
- {id: bert, address: bert@example.org, lang: fr}
umpire: umpire@example.org
mailbox: {local: game, domain: example.org}
schedule: {zone: UTC, most_hours: 24}
dice: [{source: orders}]
questions_per_turn: 1
created: 2026-11-21T12:00:00Z
";

const RULES: &str = r#"
fn supply() { "move.red" }
fn move(side) {
    for order in orders(seat_of(side), "move") { move_to(piece(order.who), order.path[0]); }
    if side == "red" { "move.blue" } else { "supply" }
}
fn battle(space) { "supply" }
fn look(seat) { spot(seat, units("red") + units("blue"), "whole"); }
"#;

const HEXES: &str = r#"
grid: {offset: even-rows-right, columns: 4, rows: 3, labels: CCRR}
terrains: {c: clear, w: hills}
source: reconstructed
rows: ["ccwc", "cccc", "wccc"]
features: [{id: river, drawn: river}, {id: bridge, over: river, drawn: bridge}]
lines: [{id: flow, name: Flow, kind: river, sides: [0201-0301, 0202-0301, 0202-0302], source: stated}]
crossings: [{name: Old Bridge, side: 0301-0201, kind: bridge, line: flow, source: stated}]
roads: [{name: High Road, hexes: [0101, 0201, 0301, 0302], source: stated}]
places: [{id: north, name: North, hex: 0301, data: {points: 3}, source: stated}]
data: {"0403": {edge: true}}
regions: {near: {within: 1, of: [north, 0103], source: stated}, west: {from: 0101, without_crossing: [flow], source: stated}}
"#;

const HEX_POSITIONS: &str = "id: start\ntitle: {en: The start, fr: Le début}\nfirst_phase: move.red\n\
    positions:\n  \"0201\": [scouts]\n  \"0302\": [chief, guard]\nsource: stated\n";

/// The tiny game with rules that can be played, on its map of points and on one of hexes.
static GAMES: LazyLock<[BTreeMap<String, String>; 2]> = LazyLock::new(|| {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/game");
    let disk = Disk::default()
        .games(&data.join("games"))
        .rules(&data.join("rules"));
    let files = GameFiles::gather(&disk, "tiny").unwrap().0.into_iter();
    let mut files: BTreeMap<String, String> = files
        .map(|(path, bytes)| (path, String::from_utf8(bytes).unwrap()))
        .collect();
    let mut put = |path: &str, text: &str| files.insert(path.to_owned(), text.to_owned());
    put("rules/tiny/sequence.rhai", RULES);
    let declared = put("games/tiny/game.yaml", "").unwrap();
    let form = "'MOVE <who:piece> \":\" <path:path>'";
    let playable = declared.replace("\"MOVE <who:piece> : <path:path>\"", form);
    put("games/tiny/game.yaml", &playable);
    let points = files.clone();
    files.insert("games/tiny/map.yaml".to_owned(), HEXES.to_owned());
    let start = "games/tiny/scenarios/start.yaml".to_owned();
    files.insert(start, HEX_POSITIONS.to_owned());
    [points, files]
});

/// Loads a game as an audit does and begins a campaign; gives the letters, or what is wrong.
fn begin(files: &BTreeMap<String, String>) -> Result<usize, String> {
    let bytes = files.iter();
    let bytes = bytes.map(|(path, text)| (path.clone(), text.clone().into_bytes()));
    let files = GameFiles(bytes.collect());
    let compiled = CompiledGame::of_pinned(
        &files,
        "tiny",
        &BTreeMap::new(),
        &Default::default(),
        "start",
    );
    let compiled = compiled.map_err(|error| error.to_string())?;
    let settings = Settings::parse(SETTINGS, Path::new("campaign.yaml")).unwrap();
    let created = settings.created;
    let master = Master::simulated("test", &"spring".parse().unwrap());
    let context = Context::with(&compiled, settings, master).map_err(|error| error.to_string())?;
    let campaign = MemoryCampaign::create(context, Digest::ZERO, created);
    let campaign = campaign.map_err(|error| error.to_string())?;
    // The umpire's map has everything on it.
    if let Ok(document) = campaign::map_document(campaign.context(), campaign.state(), None) {
        assert!(dispatch::map_svg(&document).trim_end().ends_with("</svg>"));
    }
    let to_seats = |to: &Recipient| matches!(to, Recipient::Seat(_));
    let letters = campaign.letters().iter();
    Ok(letters.filter(|letter| to_seats(&letter.to)).count())
}

#[test]
fn the_games_as_they_are_begin() {
    for files in GAMES.iter() {
        assert_eq!(begin(files), Ok(4), "an opening and a dispatch for each");
    }
}

/// What stands in a place where it does not belong.
const STRANGE: [&str; 16] = [
    "-1",
    "0",
    "1",
    "65536",
    "9223372036854775807",
    "-9223372036854775808",
    "99999999999999999999",
    "\"\"",
    "null",
    "[]",
    "{}",
    "é",
    "north",
    "0301",
    "true",
    "MOVE",
];

#[derive(Clone, Debug)]
enum Damage {
    /// A word or a sign becomes something strange.
    Word(Index, &'static str),
    /// A word or a sign becomes another one of the file.
    Other(Index, Index),
    Drop(Index),
    Twice(Index),
}

impl Damage {
    fn apply(&self, text: &str) -> String {
        static WORDS: LazyLock<Regex> =
            LazyLock::new(|| Regex::new(r"-?[A-Za-z0-9_]+|[\[\]{}:,.<>()]").unwrap());
        let words: Vec<_> = WORDS.find_iter(text).map(|found| found.range()).collect();
        let replaced = |at: &Index, new: &str| {
            let mut text = text.to_owned();
            if !words.is_empty() {
                text.replace_range(at.get(&words).clone(), new);
            }
            text
        };
        let lines: Vec<&str> = text.lines().collect();
        let joined = |lines: Vec<&str>| lines.join("\n") + "\n";
        match self {
            Self::Word(at, new) => replaced(at, new),
            Self::Other(..) if words.is_empty() => text.to_owned(),
            Self::Other(at, from) => replaced(at, &text[from.get(&words).clone()]),
            Self::Drop(_) | Self::Twice(_) if lines.is_empty() => text.to_owned(),
            Self::Drop(at) => {
                let mut left = lines.clone();
                left.remove(at.index(lines.len()));
                joined(left)
            }
            Self::Twice(at) => {
                let mut more = lines.clone();
                more.insert(at.index(lines.len()), lines[at.index(lines.len())]);
                joined(more)
            }
        }
    }
}

fn damage() -> impl Strategy<Value = Damage> {
    prop_oneof![
        4 => (any::<Index>(), select(&STRANGE)).prop_map(|(at, new)| Damage::Word(at, new)),
        2 => (any::<Index>(), any::<Index>()).prop_map(|(at, from)| Damage::Other(at, from)),
        1 => any::<Index>().prop_map(Damage::Drop),
        1 => any::<Index>().prop_map(Damage::Twice),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn damaged_data_are_an_error_or_begin(
        hexes in any::<bool>(),
        damages in prop::collection::vec((any::<Index>(), damage()), 1..4),
    ) {
        let mut files = GAMES[usize::from(hexes)].clone();
        let paths: Vec<String> = files.keys().filter(|path| path.ends_with(".yaml")).cloned().collect();
        for (file, damage) in &damages {
            let text = files.get_mut(file.get(&paths)).unwrap();
            *text = damage.apply(text);
        }
        let _ = begin(&files);
    }
}
