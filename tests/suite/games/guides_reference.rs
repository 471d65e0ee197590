//! The second page for authors of rules is true: its game is played, its hexes are a map, and it
//! names every key of a case.

use std::{fs, path::Path};

use serde_json::{Value, json};

use super::guides::{Block, blocks, followed, lay_out, lay_out_the_game, letter, page, runs};
use estafette::{cases::Case, mail};

const PAGE: &str = "docs/rules-reference.md";

/// The text of the newest letter of a seat.
fn text(campaign: &Path, seat: &str) -> String {
    mail::parts(&letter(campaign, seat)).unwrap().text
}

#[test]
fn the_second_game_is_built_and_played() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let said = followed(
        folder,
        PAGE,
        &[
            "redoubt: sound",
            "5 passed, 0 failed",
            "11 with cases, 0 with nothing to test, 0 missing",
            "fort rash, left rash, right rash: 6 campaigns",
        ],
    );
    // The bot answers what both commanders and the garrison are asked, and writes no wrong line.
    let habits = |who: &str| {
        let mut lines = said.lines();
        let line = lines.find(|line| line.starts_with(&format!("  {who} ")));
        line.unwrap_or_else(|| panic!("nothing of {who} in\n{said}"))
    };
    assert!(habits("fort").contains("questions 0 0 1;"), "{said}");
    assert!(
        habits("rash").ends_with(" 0 refused, 0 wrong lines"),
        "{said}"
    );
}

/// What the page says of letters, receipts and pictures is what players get.
#[test]
fn players_read_what_the_page_says() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    lay_out(folder, PAGE);
    runs(
        folder,
        "estafette new redoubt --into siege --games games --rules rules \
            --seat left=ada@example.org --seat right=bert@example.org --seat fort=carol@example.org",
    );
    let siege = folder.join("siege");
    let dispatch = text(&siege, "left");
    for words in [
        "Redoubt  2 seen by their fires",
        "# MARCH Left Column TO Camp",
    ] {
        assert!(dispatch.contains(words), "no `{words}` in\n{dispatch}");
    }
    assert!(!dispatch.contains("# MARCH Right Column"), "{dispatch}");
    let orders = "printf 'MARCH Left Column TO Mill\nMARCH Left Column TO Redoubt\nMARCH Right Column TO Mill\n'";
    let receipt = runs(
        folder,
        &format!("{orders} | estafette orders siege --seat left || true"),
    );
    for words in [
        "1 | MARCH Left Column TO Mill",
        "2 | MARCH Left Column TO Redoubt",
        "Redoubt is held: as long as it is, Left Column stays.",
        "Right Column is not yours to command.",
    ] {
        assert!(receipt.contains(words), "no `{words}` in\n{receipt}");
    }
    runs(folder, "estafette map siege --seat left --out map.svg");
    let picture = fs::read_to_string(folder.join("map.svg")).unwrap();
    for words in ["strength 9, 2 men lost", "seen by their fires"] {
        assert!(picture.contains(words), "no `{words}` on the map");
    }
}

/// The place that the page names is where the line goes that it speaks of.
#[test]
fn a_script_shows_what_the_page_says() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    lay_out(folder, PAGE);
    let script = folder.join("rules/redoubt/knowledge.rhai");
    let text = fs::read_to_string(&script).unwrap();
    let throw = text
        .lines()
        .find(|line| line.contains("let die = "))
        .unwrap();
    let printed = text.replace(throw, &format!("{throw}\n    print(die);"));
    fs::write(&script, printed).unwrap();
    let page = page(PAGE);
    let line = page.lines().find(|line| line.ends_with("--trace")).unwrap();
    let (_, shown) = page.split_once("says `rules/redoubt").unwrap();
    let (shown, _) = shown.split_once('`').unwrap();
    let said = runs(folder, &format!("{line} 2>&1"));
    let shown = format!("\n  rules/redoubt{shown}\n");
    assert!(said.contains(&shown), "no `{shown}` in\n{said}");
}

/// A seat without standing orders is told all the same that it can be asked.
#[test]
fn a_seat_without_standing_orders_can_be_asked() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    lay_out(folder, PAGE);
    for lang in ["en", "fr"] {
        runs(
            folder,
            &format!(
                "estafette new redoubt --into {lang} --games games --rules rules --seat left=ada@example.org \
                    --seat right=bert@example.org --seat fort=carol@example.org,lang={lang}"
            ),
        );
        let outbox = folder.join(lang).join("outbox/fort/new");
        let letters = fs::read_dir(outbox).unwrap();
        let letters = letters.map(|file| fs::read(file.unwrap().path()).unwrap());
        let texts: Vec<String> = letters
            .map(|letter| mail::parts(&letter).unwrap().text)
            .map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect();
        let words = match lang {
            "en" => "write ASK and the topic (LOSS)",
            _ => "écrivez DEMANDER et le sujet (PERTE)",
        };
        assert!(texts.iter().any(|text| text.contains(words)), "{texts:#?}");
    }
}

/// The keys of a part of a case, as its reader lists them when it meets another one there.
fn keys(part: Value) -> Vec<String> {
    let error = serde_json::from_value::<Case>(part)
        .unwrap_err()
        .to_string();
    assert!(error.contains("unknown field `stranger`"), "{error}");
    let (_, known) = error.split_once("expected").unwrap();
    let known = known.split('`').skip(1).step_by(2);
    known.map(str::to_owned).collect()
}

#[test]
fn every_key_of_a_case_is_named() {
    let page = page(PAGE);
    let (_, cases) = page.split_once("## Cases").unwrap();
    let (cases, _) = cases.split_once("\n## ").unwrap();
    let stranger = json!({"stranger": 0});
    let parts = [
        stranger.clone(),
        json!({"given": stranger}),
        json!({"answers": [stranger]}),
        json!({"expect": stranger}),
        json!({"expect": {"rejected": [stranger]}}),
        json!({"expect": {"mail": {"red": stranger}}}),
    ];
    let keys: Vec<String> = parts.into_iter().flat_map(keys).collect();
    assert!(keys.len() > 40, "{keys:?}");
    for key in keys {
        assert!(
            cases.contains(&format!("`{key}`")),
            "the page lacks `{key}`"
        );
    }
}

/// What `rules/lib` has is in the page's list.
#[test]
fn every_function_of_the_library_is_named() {
    let page = page(PAGE);
    let (_, list) = page.split_once("## What games share").unwrap();
    let (list, _) = list.split_once("\n## ").unwrap();
    let lib = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules/lib");
    let mut count = 0;
    for folder in [lib.clone(), lib.join("bots")] {
        let files = fs::read_dir(folder)
            .unwrap()
            .map(|file| file.unwrap().path());
        for file in files.filter(|file| file.is_file()) {
            let script = fs::read_to_string(file).unwrap();
            let functions = script.lines().filter_map(|line| line.strip_prefix("fn "));
            for name in functions.filter_map(|line| line.split('(').next()) {
                let named = [format!("`{name}("), format!("`{name}`")];
                assert!(
                    named.iter().any(|name| list.contains(name)),
                    "the page lacks {name}"
                );
                count += 1;
            }
        }
    }
    assert!(count > 12, "{count}");
}

/// The Ford on the page's map of hexes: red's march is the page's search for a way.
#[test]
fn the_hexes_of_the_page_are_a_map_and_its_ways_lead() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    lay_out_the_game(folder);
    let all = blocks(PAGE);
    // The map comes first, and the way over it; what follows is of heights and prices.
    let block = |info: &str| {
        let is_way = |block: &&Block| info != "rhai" || block.text.contains("let field");
        let mut found = all.iter().filter(|block| block.info == info);
        &found.find(is_way).unwrap().text
    };
    for block in all.iter().filter(|block| block.info == "yaml") {
        serde_yaml::from_str::<serde_yaml::Mapping>(&block.text).unwrap();
    }
    let change = |file: &str, from: &str, to: &str| {
        let file = folder.join(file);
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.contains(from), "{from}");
        fs::write(file, text.replace(from, to)).unwrap();
    };
    fs::write(folder.join("games/ford/map.yaml"), block("yaml")).unwrap();
    let scenario = "games/ford/scenarios/crossing.yaml";
    change(scenario, "north: [guard]", "\"0101\": [guard]");
    change(scenario, "ford: [scouts]", "\"0403\": [scouts]");
    change(
        "games/ford/game.yaml",
        "facts:\n",
        "attributes: {ma: {default: 2, shown: printed}}\nfacts:\n",
    );
    for lang in ["en", "fr"] {
        let words = format!("games/ford/text/{lang}.yaml");
        let text = fs::read_to_string(folder.join(&words)).unwrap();
        let terrains = text
            .lines()
            .find(|line| line.starts_with("terrains"))
            .unwrap();
        change(&words, terrains, "terrains: {clear: clear, wood: wood}");
        change(&words, "verbs:\n", "attributes: {ma: MA}\nverbs:\n");
        change(&words, "The Ford", "Ford End");
        change(&words, "North Bank", "0101");
    }
    let tables = folder.join("games/ford/tables.yaml");
    let costs = "movement_costs: {rule: 1.a, source: stated, values: {clear: {foot: 1}, wood: {foot: 2}, \
                 river: {foot: forbidden}, bridge: {foot: 0}, road: {foot: 1}}}\n";
    let known = fs::read_to_string(&tables).unwrap();
    fs::write(&tables, known + costs).unwrap();
    let script = fs::read_to_string(folder.join("rules/ford/ford.rhai")).unwrap();
    let (look, _) = script.split_once("/// A side marches").unwrap();
    let march = format!(
        "fn march(side) {{\nlet unit = piece(\"guard\");\nlet goal = \"0301\";\n\
         let enemies = area_of(units(\"blue\"));\n{}\n\
         if field[goal] == 2 {{ for hex in way {{ move_to(unit, hex); }} }}\nvictory(side, \"crossed\"); }}\n",
        block("rhai")
    );
    fs::write(
        folder.join("rules/ford/ford.rhai"),
        format!("{look}{march}"),
    )
    .unwrap();
    let case = "case: The guard crosses the bridge\nrules: [1.a]\ngame: ford\nscenario: crossing\n\
                given: {phase: march.red}\nexpect: {pieces: {Guard: {at: Ford End}}}\n";
    fs::write(folder.join("cases/ford/crossing.yaml"), case).unwrap();
    let said = runs(folder, "estafette case cases --games games --rules rules");
    assert!(said.contains("1 passed, 0 failed"), "{said}");
}
