//! Games whose scenarios have maps, forces and tables of their own.

use std::path::Path;

use estafette::{
    cases::{self, Case},
    game::{Disk, Game, GameFiles, inspect},
    orders::Grammar,
    rules::Program,
};

const TINY: &str = "games/tiny/";

/// The tiny game with its map and forces in a theatre of their own, and another theatre beside it:
/// an island with one red piece, where hills cost more.
fn two_theatres() -> GameFiles {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/game");
    let disk = Disk::default()
        .games(&dir.join("games"))
        .rules(&dir.join("rules"));
    let mut files = GameFiles::gather(&disk, "tiny").unwrap();
    for name in ["map.yaml", "forces.yaml"] {
        let bytes = files.0.remove(&format!("{TINY}{name}")).unwrap();
        files
            .0
            .insert(format!("{TINY}theatres/valley/{name}"), bytes);
    }
    let start = format!("{TINY}scenarios/start.yaml");
    swap(
        &mut files,
        &start,
        "first_phase",
        "theatre: valley\nfirst_phase",
    );
    let mut put = |name: &str, text: &str| {
        files
            .0
            .insert(format!("{TINY}{name}"), text.as_bytes().to_vec());
    };
    put(
        "theatres/island/map.yaml",
        "terrains: [clear, reef]\nspaces:\n  - {id: cape, name: Cape, terrain: reef, lat: 45000, lon: 10000, data: {supply: red}, source: stated}\n",
    );
    put(
        "theatres/island/forces.yaml",
        "formations:\n  - {id: second, side: red, source: stated}\npieces:\n  - {id: watch, name: Watch, side: red, formation: second, kind: infantry, source: stated}\n",
    );
    put(
        "theatres/island/tables.yaml",
        "costs: {rule: '1.1', source: stated, values: {clear: 1, hills: 5}}\n",
    );
    put(
        "scenarios/landing.yaml",
        "id: landing\ntitle: {en: Landing, fr: Descente}\ntheatre: island\nfirst_phase: supply\npositions: {cape: [watch]}\nsource: stated\n",
    );
    for (file, first, name) in [
        ("text/en.yaml", "First division", "Second division"),
        ("text/fr.yaml", "Première division", "Deuxième division"),
    ] {
        let path = format!("{TINY}{file}");
        let with = format!("{first}, second: {name}");
        swap(&mut files, &path, first, &with);
        swap(&mut files, &path, "terrains: {", "terrains: {reef: reef, ");
        swap(
            &mut files,
            &path,
            "scenarios: {",
            "scenarios: {landing: L, ",
        );
    }
    files
}

fn swap(files: &mut GameFiles, path: &str, old: &str, new: &str) {
    let bytes = files.0.get_mut(path).unwrap();
    let text = String::from_utf8(bytes.clone()).unwrap();
    assert!(text.contains(old), "{path} has no {old:?}");
    *bytes = text.replacen(old, new, 1).into_bytes();
}

fn problems(files: &GameFiles) -> Vec<String> {
    let (_, problems) = inspect(files, "tiny");
    problems.iter().map(ToString::to_string).collect()
}

#[test]
fn a_scenario_has_its_own_map_forces_and_tables() {
    let files = two_theatres();
    assert_eq!(problems(&files), <[String; 0]>::default());
    let game = Game::load(&files, "tiny").unwrap();
    assert_eq!(game.theatre.as_deref(), Some("valley"));
    assert_eq!(game.map.len(), 3);
    assert!(game.is_staged("start") && !game.is_staged("landing"));
    let costs = |game: &Game| game.tables["costs"].values["hills"].as_int();
    assert_eq!(costs(&game), Some(2));
    let landing = game.staged("landing");
    assert_eq!(landing.map.len(), 1);
    assert_eq!(landing.forces.pieces.len(), 1);
    assert_eq!(costs(&landing), Some(5));
    assert_eq!(landing.tables["fight"].rows.len(), 3);
    assert_eq!(costs(&landing.staged("start")), Some(2));
}

#[test]
fn sources_name_what_every_theatre_has() {
    let game = Game::load(&two_theatres(), "tiny").unwrap();
    let sources = game.sources();
    let names: Vec<&str> = sources.iter().map(|one| one.name.as_str()).collect();
    assert!(names.contains(&"cape") && names.contains(&"middle") && names.contains(&"watch"));
    assert_eq!(names.iter().filter(|name| **name == "start").count(), 1);
}

#[test]
fn a_case_plays_on_the_map_of_its_scenario() {
    let mut files = two_theatres();
    let script =
        "fn look(seat) {}\nfn supply() { move_to(piece(\"watch\"), \"lost\"); \"move.red\" }\n";
    let path = "rules/tiny/sequence.rhai";
    files.0.insert(path.to_owned(), script.as_bytes().to_vec());
    // The loader's game has a form that is none.
    let sign = "<who:piece> : <path:path>";
    swap(&mut files, &format!("{TINY}game.yaml"), sign, "<who:piece>");
    let game = Game::load(&files, "tiny").unwrap();
    let grammar = Grammar::new(&game.decl, &Default::default()).unwrap();
    let program = Program::compile(game.into()).unwrap();
    let judge = |scenario: &str| {
        let text = format!(
            "case: x\nrules: [1.1.a]\ngame: tiny\n{scenario}expect: {{pieces: {{Watch: {{at: lost}}}}}}\n"
        );
        let case: Case = serde_yaml::from_str(&text).unwrap();
        cases::judge(&program, &grammar, &case).map_err(|error| error.to_string())
    };
    let given = "scenario: landing\ngiven: {phase: supply}\n";
    assert_eq!(judge(given).unwrap(), <[String; 0]>::default());
    let empty = "given: {phase: supply, scenario: landing, pieces: {watch: {at: Cape}}}\n";
    assert_eq!(judge(empty).unwrap(), <[String; 0]>::default());
    let other = "scenario: start\ngiven: {phase: supply}\n";
    assert!(judge(other).is_err());
}

#[test]
fn mistakes_are_told_with_the_file_of_their_theatre() {
    let broken = |name: &str, old: &str, new: &str| {
        let mut files = two_theatres();
        swap(&mut files, &format!("{TINY}{name}"), old, new);
        problems(&files)
    };
    assert_eq!(
        broken(
            "theatres/island/forces.yaml",
            "kind: infantry",
            "kind: infantri"
        ),
        [
            "games/tiny/theatres/island/forces.yaml:4:66: pieces[0].kind: there is no kind of piece `infantri`, did you mean `infantry`?"
        ]
    );
    assert_eq!(
        broken(
            "theatres/island/map.yaml",
            "terrain: reef",
            "terrain: hills"
        ),
        [
            "games/tiny/theatres/island/map.yaml:3:37: spaces[0].terrain: there is no terrain `hills`"
        ]
    );
    assert_eq!(
        broken("scenarios/landing.yaml", "cape: [watch]", "north: [guard]"),
        [
            "games/tiny/scenarios/landing.yaml:5:20: positions.north: there is no space or box `north`",
            "games/tiny/scenarios/landing.yaml:5:21: positions.north[0]: there is no piece `guard`"
        ]
    );
    assert_eq!(
        broken(
            "scenarios/landing.yaml",
            "theatre: island",
            "theatre: iland"
        ),
        [
            "games/tiny/scenarios/landing.yaml:3:10: theatre: there is no theatre `iland`, did you mean `island`?"
        ]
    );
    assert_eq!(
        broken("scenarios/landing.yaml", "theatre: island\n", ""),
        ["games/tiny/scenarios/landing.yaml: theatre: a scenario of this game names its theatre"]
    );
    assert_eq!(
        broken("theatres/island/tables.yaml", "hills: 5", "heights: 5"),
        [
            "games/tiny/theatres/island/tables.yaml:1:8: costs: `valley` has other values, columns or modifiers in this table"
        ]
    );
    assert_eq!(
        broken("theatres/island/tables.yaml", "costs:", "coasts:"),
        [
            "games/tiny/theatres/island/tables.yaml:1:9: coasts: the theatre `valley` has no table `coasts`"
        ]
    );
    assert_eq!(
        broken("text/en.yaml", ", second: Second division", ""),
        ["games/tiny/text/en.yaml:5:13: formations: there is no text for `second`"]
    );
}

#[test]
fn a_game_has_its_map_in_theatres_or_beside_them() {
    let mut files = two_theatres();
    let map = files.0[&format!("{TINY}theatres/valley/map.yaml")].clone();
    files.0.insert(format!("{TINY}map.yaml"), map);
    assert_eq!(
        problems(&files),
        ["games/tiny/map.yaml: nothing reads this file, is its name or its folder misspelt?"]
    );
    let mut files = two_theatres();
    files
        .0
        .remove(&format!("{TINY}theatres/island/forces.yaml"));
    let told = problems(&files).join("\n");
    assert!(
        told.contains("theatres/island/forces.yaml: there is no such file"),
        "{told}"
    );
}
