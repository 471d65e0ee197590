//! The guides are true: the rule author's game is taken out of its page and played, the player's
//! lines are orders, and no guide names a command that is not there.

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use serde_yaml::Value;

use crate::support::{program::estafette, shipped_game};
use estafette::{
    game::{Game, Lang},
    mail,
    orders::{Expect, Grammar, QuestionForm, Vocabulary, read},
    world::World,
};

const PAGES: [&str; 8] = [
    "README.md",
    "docs/player.md",
    "docs/player.fr.md",
    "docs/umpire.md",
    "docs/rules.md",
    "docs/rules-reference.md",
    "docs/rules-seats.md",
    "docs/rules-variants.md",
];

/// Guides to games.
const GAME_PAGES: [&str; 10] = [
    "docs/games/castiglione.md",
    "docs/games/castiglione.fr.md",
    "docs/games/novara.md",
    "docs/games/novara.fr.md",
    "docs/games/risorgimento.md",
    "docs/games/risorgimento.fr.md",
    "docs/games/toulon.md",
    "docs/games/toulon.fr.md",
    "docs/games/diplomacy.md",
    "docs/games/diplomacy.fr.md",
];

/// A fenced block of a page: what stands after the fence, and its lines without their common
/// indent.
pub struct Block {
    pub info: String,
    pub text: String,
}

pub fn page(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
}

pub fn blocks(name: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let page = page(name);
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let Some(info) = line.trim_start().strip_prefix("```") else {
            continue;
        };
        let indent = line.len() - line.trim_start().len();
        let inside = lines.by_ref().take_while(|line| line.trim() != "```");
        let text: String = inside
            .map(|line| format!("{}\n", line.get(indent..).unwrap_or_default()))
            .collect();
        blocks.push(Block {
            info: info.to_owned(),
            text,
        });
    }
    blocks
}

/// Lays out the files of a page, runs all its commands, and returns what they print, in which these
/// words must stand.
pub fn followed(folder: &Path, page: &str, words: &[&str]) -> String {
    lay_out(folder, page);
    let mut said = String::new();
    for block in blocks(page).iter().filter(|block| block.info == "sh") {
        for line in commands(block) {
            said.push_str(&runs(folder, &line));
        }
    }
    for words in words {
        assert!(said.contains(words), "no `{words}` in\n{said}");
    }
    said
}

/// The commands of a block of shell lines, with continued lines joined and comments left out.
pub fn commands(block: &Block) -> Vec<String> {
    let text = block.text.replace("\\\n", " ");
    let lines = text.lines().map(|line| match line.split_once(" #") {
        Some((command, _)) => command.trim().to_owned(),
        None => line.trim().to_owned(),
    });
    lines.filter(|line| !line.is_empty()).collect()
}

/// Runs a shell line in a folder, with our program as `estafette`.
pub fn shell(folder: &Path, line: &str) -> Output {
    let program = Path::new(env!("CARGO_BIN_EXE_estafette")).parent().unwrap();
    let mut path = vec![program.to_owned()];
    path.extend(env::split_paths(&env::var_os("PATH").unwrap_or_default()));
    Command::new("sh")
        .args(["-c", line])
        .current_dir(folder)
        .env("PATH", env::join_paths(path).unwrap())
        .output()
        .unwrap()
}

/// What a shell line says; it must succeed.
#[track_caller]
pub fn runs(folder: &Path, line: &str) -> String {
    let ran = shell(folder, line);
    // Coverage answers 1 as long as a rule has no case; changes that no case notices are no
    // failure.
    let coverage = line.starts_with("estafette coverage ford") && !line.contains("--mutants");
    let wanted = i32::from(coverage);
    assert_eq!(ran.status.code(), Some(wanted), "{line}: {ran:?}");
    String::from_utf8(ran.stdout).unwrap()
}

/// The newest letter of a seat.
pub fn letter(campaign: &Path, seat: &str) -> Vec<u8> {
    let files = fs::read_dir(campaign.join("outbox").join(seat).join("new")).unwrap();
    let number = |path: &PathBuf| -> u32 {
        let name = path.file_name().unwrap().to_str().unwrap();
        name.split('.').nth(2).unwrap().parse().unwrap()
    };
    let newest = files.map(|file| file.unwrap().path()).max_by_key(number);
    fs::read(newest.unwrap()).unwrap()
}

/// Writes the files of the rule author's game into a folder: `games`, `rules` and `cases`.
pub fn lay_out_the_game(folder: &Path) {
    lay_out(folder, "docs/rules.md");
}

/// Writes the files of a page into a folder.
pub fn lay_out(folder: &Path, page: &str) {
    for block in blocks(page) {
        if let Some((_, path)) = block.info.split_once(' ') {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, &block.text).unwrap();
        }
    }
}

#[test]
fn the_game_of_the_rule_authors_guide_is_built_and_played() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    lay_out_the_game(folder);
    let all = blocks("docs/rules.md");
    let mut said = String::new();
    for block in &all {
        match block.info.as_str() {
            "sh" => {
                for line in commands(block) {
                    said.push_str(&runs(folder, &line));
                }
            }
            "mail" => {
                let (address, _) =
                    mail::reply_to(&letter(&folder.join("crossing"), "red")).unwrap();
                let text = block.text.replace("THE ADDRESS IN REPLY-TO", &address);
                assert_ne!(text, block.text);
                fs::write(folder.join("mail.eml"), text).unwrap();
            }
            _ => {}
        }
    }
    for words in [
        "ford: sound",
        "1 passed, 0 failed",
        "MARCH <piece> TO <place>",
        "  1 | MARCH Guard TO The Ford",
        "phase march.blue",
        "everything fits",
    ] {
        assert!(said.contains(words), "no `{words}` in\n{said}");
    }
    let blue = mail::parts(&letter(&folder.join("crossing"), "blue")).unwrap();
    assert!(blue.text.contains("Vos ordres pour"), "{}", blue.text);
    assert!(folder.join("map.png").exists());
}

/// What a seat of the default scenario knows, in a language.
fn names(game: &Game, seat: usize, lang: Lang) -> Vocabulary {
    let world = World::set_up(game, &game.decl.default_scenario).unwrap();
    let view = world.seen_by(game, &game.decl.seats[seat].id);
    Vocabulary::of_view(game, &view, lang)
}

/// Blocks that say `orders GAME LANG PHASE` or `answers GAME LANG TOPIC` are read without a wrong
/// line.
#[test]
fn the_players_lines_are_orders_and_answers() {
    let mut count = 0;
    let pages = PAGES.iter().chain(&GAME_PAGES);
    for block in pages.flat_map(|page| blocks(page)) {
        let words: Vec<&str> = block.info.split(' ').collect();
        let [kind @ ("orders" | "answers"), game, lang, what] = words[..] else {
            continue;
        };
        count += 1;
        let game = shipped_game(game);
        let grammar = Grammar::new(&game.decl, &game.switched_on()).unwrap();
        let lang = Lang::ALL
            .into_iter()
            .find(|known| known.code() == lang)
            .unwrap();
        let question = QuestionForm::new(1, what);
        let expect = Expect {
            phases: if kind == "orders" { &[what] } else { &[] },
            questions: &[question],
            lang,
        };
        let reading = read(&grammar, &names(&game, 0, lang), &expect, &block.text);
        let wrong: Vec<_> = reading.wrong().collect();
        assert!(
            wrong.is_empty() && !reading.lines.is_empty(),
            "{}{wrong:#?}",
            block.text
        );
    }
    assert_eq!(count, 54);
}

/// Every command that a guide names, with every option that it gives it.
#[test]
fn guides_name_commands_and_options_that_exist() {
    let mut seen = 0;
    for name in PAGES {
        let page = page(name).replace("\\\n", " ");
        let mentions = page.split("estafette ").skip(1);
        for mention in mentions {
            let end = mention.find(['`', '\n', '#', '|']).unwrap_or(mention.len());
            let mut words = mention[..end].split_whitespace();
            let Some(command) = words.next().filter(|word| is_command(word)) else {
                continue;
            };
            let mut help = estafette(&[command, "--help"], b"");
            assert_eq!(help.code, 0, "{name}: `estafette {command}`: {}", help.err);
            // Commands of commands have their own options: `umpire rollback`.
            let actions = help.out.split_once("\nCommands:\n");
            if let (Some((_, actions)), Some(action)) = (actions, words.clone().next()) {
                assert!(
                    actions.contains(&format!("\n  {action} "))
                        || actions.starts_with(&format!("  {action} ")),
                    "{name}: `estafette {command}` has no {action}"
                );
                help = estafette(&[command, action, "--help"], b"");
            }
            for option in words.filter_map(|word| word.trim_start_matches('[').strip_prefix("--")) {
                let option = option.trim_end_matches([']', ',', ')', '.']);
                assert!(
                    help.out.contains(&format!("--{option}")),
                    "{name}: `estafette {command}` has no --{option}"
                );
            }
            seen += 1;
        }
    }
    assert!(seen > 30, "{seen}");
}

/// "estafette adjudicates" is no command, nor is `estafette::game`.
fn is_command(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase()) && word != "adjudicates"
}

#[test]
fn guides_for_players_are_the_same_in_both_languages() {
    let shape = |name: &str| {
        let headings = page(name)
            .lines()
            .filter(|line| line.starts_with('#'))
            .count();
        let infos: Vec<String> = blocks(name)
            .into_iter()
            .map(|block| block.info.replace(" fr ", " en "))
            .collect();
        (headings, infos)
    };
    let pages = [
        "docs/player",
        "docs/games/castiglione",
        "docs/games/novara",
        "docs/games/risorgimento",
        "docs/games/toulon",
        "docs/games/diplomacy",
    ];
    for page in pages {
        let (english, french) = (format!("{page}.md"), format!("{page}.fr.md"));
        assert_eq!(shape(&english), shape(&french), "{page}");
    }
}

/// The cells of the rows of a page's tables.
fn rows(page: &str) -> Vec<Vec<String>> {
    let lines = page.lines().filter(|line| line.starts_with("| "));
    let cells = |line: &str| {
        let inner = line.trim_matches('|').split('|');
        inner.map(|cell| cell.trim().to_owned()).collect()
    };
    lines.map(cells).collect()
}

/// Every figure that a guide to a game names with its key is that of the game's tables.
#[test]
fn the_figures_of_a_game_are_those_of_its_tables() {
    for name in GAME_PAGES {
        let id = name.trim_start_matches("docs/games/");
        let tables = tables(id.split('.').next().unwrap());
        let page = page(name);
        let mut count = 0;
        for row in rows(&page) {
            let [_, value, key] = &row[..] else { continue };
            let Some((table, name)) = key.trim_matches('`').split_once('.') else {
                continue;
            };
            let Some(table) = tables.get(table) else {
                continue;
            };
            let parts = name.split('.');
            let of_values = parts.fold(&table["values"], |value, part| &value[part]);
            let mut modifiers = table["modifiers"].as_sequence().into_iter().flatten();
            let of_tables = match of_values {
                Value::Null => &modifiers.find(|it| it["id"] == name).unwrap()["add"],
                value => value,
            };
            assert_eq!(*value, printed(of_tables), "{id}: {key}");
            count += 1;
        }
        // A game whose units are all alike has no figures to print.
        assert!(count > 20 || id.starts_with("diplomacy"), "{id}: {count}");
    }
}

/// A table behind a mark such as `<!-- pursuit -->` is that table of the game, cell for cell;
/// behind `<!-- values defence movement_costs.inf -->` its columns are those values, and its rows
/// end with their keys.
#[test]
fn the_tables_of_a_game_are_printed_as_they_are() {
    let (mut whole, mut by_key) = (0, 0);
    for name in GAME_PAGES {
        let id = name.trim_start_matches("docs/games/");
        let tables = tables(id.split('.').next().unwrap());
        let page = page(name);
        for part in page.split("<!-- ").skip(1) {
            let (mark, part) = part.split_once(" -->").unwrap();
            let own = rows(part.trim_start().split("\n\n").next().unwrap());
            if let Some(columns) = mark.strip_prefix("values ") {
                assert_values(&tables, columns, &own, id);
                by_key += 1;
            } else {
                assert_table(&tables[mark], &own, id);
                whole += 1;
            }
        }
    }
    assert_eq!((whole, by_key), (18, 6));
}

#[track_caller]
fn assert_table(table: &Value, own: &[Vec<String>], id: &str) {
    // A table of one column has no name for it.
    if let Some(columns) = table["columns"].as_sequence() {
        let columns: Vec<String> = columns.iter().map(|it| printed(&it["id"])).collect();
        assert_eq!(own[0][1..], columns, "{id}");
    }
    let wanted = table["rows"].as_sequence().unwrap();
    assert_eq!(own.len(), wanted.len() + 1, "{id}");
    for (own, row) in own[1..].iter().zip(wanted) {
        let label = match (&row["min"], &row["max"]) {
            (Value::Null, most) => format!("≤ {}", printed(most)),
            (least, Value::Null) => format!("≥ {}", printed(least)),
            (least, most) if least == most => printed(least),
            (least, most) => format!("{} - {}", printed(least), printed(most)),
        };
        let results = row["result"].as_sequence().unwrap().iter().map(printed);
        let wanted: Vec<String> = [label].into_iter().chain(results).collect();
        assert_eq!(*own, wanted, "{id}");
    }
}

/// A dash stands where a column has no value of this key.
#[track_caller]
fn assert_values(tables: &BTreeMap<String, Value>, columns: &str, own: &[Vec<String>], id: &str) {
    for row in &own[1..] {
        let key = row.last().unwrap().trim_matches('`');
        let values = columns.split(' ').map(|column| {
            let (table, part) = column.split_once('.').unwrap_or((column, ""));
            match &tables[table]["values"][key] {
                Value::Mapping(parts) => printed(&parts[part]),
                Value::Null => "–".to_owned(),
                value => printed(value),
            }
        });
        let wanted: Vec<String> = values.collect();
        assert_eq!(row[1..row.len() - 1], wanted, "{id}: {key}");
    }
}

/// A value as guides print it: a list with spaces between.
fn printed(value: &Value) -> String {
    match value {
        Value::Sequence(list) => list.iter().map(printed).collect::<Vec<_>>().join(" "),
        Value::Null => "–".to_owned(),
        value => {
            let text = serde_yaml::to_string(value).unwrap();
            text.trim().replace('\'', "")
        }
    }
}

/// The tables of a game as its file has them.
fn tables(game: &str) -> BTreeMap<String, Value> {
    serde_yaml::from_str(&page(&format!("games/{game}/tables.yaml"))).unwrap()
}
