//! Loading a game: what is accepted, what is refused and how the refusal reads, overlays, pinning,
//! the digest.
use std::path::Path;

use estafette::{
    game::{Disk, EmbeddedFiles, Files, Game, GameFiles, Lang, Layers, Provenance, inspect},
    value::Value,
};

const TINY: &str = "games/tiny/";

fn fixture() -> Disk {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/game");
    Disk::default()
        .games(&dir.join("games"))
        .rules(&dir.join("rules"))
}

fn tiny() -> GameFiles {
    GameFiles::gather(&fixture(), "tiny").unwrap()
}

/// The problems of the tiny game after replacing a text, which must be there, in one of its files.
fn broken(name: &str, old: &str, new: &str) -> Vec<String> {
    let mut files = tiny();
    let path = if name == "checklist.yaml" {
        "rules/tiny/checklist.yaml".to_owned()
    } else {
        format!("{TINY}{name}")
    };
    let bytes = files.0.get_mut(&path).unwrap();
    let text = String::from_utf8(bytes.clone()).unwrap();
    assert!(text.contains(old), "{path} has no {old:?}");
    *bytes = text.replacen(old, new, 1).into_bytes();
    let (_, problems) = inspect(&files, "tiny");
    problems.iter().map(ToString::to_string).collect()
}

/// One replacement, one problem, read exactly.
fn refused(name: &str, old: &str, new: &str, message: &str) {
    assert_eq!(broken(name, old, new), [message]);
}

#[test]
fn a_sound_game_loads() {
    let game = Game::load(&fixture(), "tiny").unwrap();
    assert_eq!(game.map.map().spaces.len(), 3);
    assert_eq!(
        game.map.road("south", "middle").unwrap().river.as_deref(),
        Some("brook")
    );
    assert_eq!(game.forces.pieces[1].attributes["sp"], Value::Int(3));
    assert_eq!(
        game.tables["fight"].rows[2].result,
        [Value::Int(1), Value::Int(2)]
    );
    assert_eq!(game.scenarios["start"].facts["turn"], Value::Int(2));
    assert_eq!(game.text[&Lang::Fr].boxes["lost"], "Perdus");
    assert_eq!(game.checklist.len(), 3);
    let scripts: Vec<_> = game.scripts.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(scripts, ["lib/common.rhai", "tiny/sequence.rhai"]);
}

#[test]
fn shape_is_strict() {
    refused(
        "map.yaml",
        "name: Middle, terrain",
        "name: Middle, terain",
        "games/tiny/map.yaml:5:32: spaces[1]: unknown field `terain`, did you mean `terrain`?",
    );
    refused(
        "map.yaml",
        "lat: 45000",
        "lat: high",
        "games/tiny/map.yaml:5:53: spaces[1].lat: invalid type: string \"high\", expected a whole number",
    );
    refused(
        "map.yaml",
        "lat: 45000",
        "lat: 4000000000",
        "games/tiny/map.yaml:5:5: spaces[1]: 4000000000 is no latitude in thousandths of a degree: they go from -90000 to 90000",
    );
    refused(
        "map.yaml",
        "[44950, 10100]",
        "[44950, -9223372036854775808]",
        "games/tiny/map.yaml:16:10: waters.brook: -9223372036854775808 is no longitude in thousandths of a degree: they go from -180000 to 180000",
    );
    let many = "[45000, 10000], ".repeat(10_000) + "[44950, 9900]";
    refused(
        "map.yaml",
        "[44950, 9900]",
        &many,
        "games/tiny/map.yaml:16:3: waters: 10005 are too many to be drawn; there may be 10000",
    );
    let deep = format!("data: {{supply: {}", "[".repeat(200_000));
    refused(
        "map.yaml",
        "data: {supply: red",
        &deep,
        "games/tiny/map.yaml: more lists and maps stand inside one another than any file needs",
    );
    refused(
        "map.yaml",
        "source: deduced",
        "source: deducted",
        "games/tiny/map.yaml:5:80: spaces[1].source: unknown variant `deducted`, did you mean `deduced`?",
    );
    refused(
        "tables.yaml",
        "  source: stated\n  values",
        "  values",
        "games/tiny/tables.yaml:2:3: costs: missing field `source`",
    );
    refused(
        "forces.yaml",
        ", source: deduced}",
        "}",
        "games/tiny/forces.yaml:2:5: formations[0]: missing field `source`",
    );
    refused(
        "map.yaml",
        "{name: Brook, source: reconstructed, ",
        "{name: Brook, ",
        "games/tiny/map.yaml:16:10: waters.brook: missing field `source`",
    );
    refused(
        "tables.yaml",
        "fight:",
        "costs:",
        "games/tiny/tables.yaml:6:1: `costs` stands here twice",
    );
    refused(
        "tables.yaml",
        "hills: 2}",
        "clear: 2}",
        "games/tiny/tables.yaml:4:22: costs.values: `clear` stands here twice",
    );
    refused(
        "tables.yaml",
        "clear: 1,",
        "clear: 1.5,",
        "games/tiny/tables.yaml:4:19: costs.values.clear: invalid type: floating point `1.5`, \
         expected a text, a whole number, true, false, a list or a map",
    );
    refused(
        "tables.yaml",
        "clear: 1,",
        "clear: {1: 2},",
        "games/tiny/tables.yaml:4:20: costs.values.clear: invalid type: integer `1`, expected a name",
    );
}

#[test]
fn files_are_accounted_for() {
    let mut files = tiny();
    files.0.remove("games/tiny/forces.yaml");
    files
        .0
        .insert("games/tiny/force.yaml".to_owned(), Vec::new());
    let (game, problems) = inspect(&files, "tiny");
    assert!(game.is_none());
    let said: Vec<_> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        [
            "games/tiny/force.yaml: nothing reads this file, is its name or its folder misspelt?",
            "games/tiny/forces.yaml: there is no such file",
        ]
    );
    let problems = Game::load(&fixture(), "tinny").unwrap_err();
    assert_eq!(
        problems[0].message,
        "there is no game `tinny`; there are: tiny"
    );
}

#[test]
fn sense_is_checked() {
    let cases = include_str!("../../data/game/mistakes.txt");
    let mut count = 0;
    for case in cases.split("\n| ").skip(1) {
        let (head, problems) = case.split_once('\n').unwrap_or((case, ""));
        let head = head.strip_suffix(" |").unwrap();
        let parts: Vec<_> = head.splitn(3, " | ").collect();
        let [file, old, new] = parts[..] else {
            panic!("{head}");
        };
        let text = |part: &str| part.replace("\\n", "\n");
        let wanted: Vec<_> = problems.lines().map(str::trim).collect();
        assert_eq!(broken(file, &text(old), &text(new)), wanted, "{head}");
        count += 1;
    }
    assert_eq!(count, 87);
}

/// The tiny game with an overlay's files.
fn overlaid(files: &[(&str, &str)]) -> GameFiles {
    let mut all = tiny();
    for (name, text) in files {
        all.0
            .insert(format!("data/{name}"), text.as_bytes().to_vec());
    }
    all
}

#[test]
fn an_overlay_merges_by_id_and_by_key() {
    let files = overlaid(&[
        (
            "forces.yaml",
            "pieces:\n  - {id: guard, attributes: {sp: 5}, source: stated}\n  \
             - {id: reserve, name: Reserve, side: blue, kind: infantry, source: stated}\n",
        ),
        ("tables.yaml", "costs: {values: {hills: 3}}\n"),
        ("scenarios/start.yaml", "positions: {middle: [reserve]}\n"),
    ]);
    let game = Game::load(&files, "tiny").unwrap();
    let pieces = &game.forces.pieces;
    let ids: Vec<_> = pieces.iter().map(|piece| piece.id.as_str()).collect();
    assert_eq!(ids, ["chief", "guard", "scouts", "reserve"]);
    assert_eq!(pieces[1].attributes["sp"], Value::Int(5));
    assert_eq!(pieces[1].name, "Guard");
    assert_eq!(pieces[1].source, Provenance::Stated);
    assert_eq!(game.tables["costs"].values["hills"], Value::Int(3));
    assert_eq!(game.tables["costs"].values["clear"], Value::Int(1));
    assert_eq!(game.scenarios["start"].positions.len(), 3);
    assert_ne!(game.digest, Game::load(&tiny(), "tiny").unwrap().digest);
}

#[test]
fn mistakes_in_an_overlay_are_found_there() {
    let said = |name: &str, text: &str| -> Vec<String> {
        let (_, problems) = inspect(&overlaid(&[(name, text)]), "tiny");
        problems.iter().map(ToString::to_string).collect()
    };
    assert_eq!(
        said("forces.yaml", "pieces:\n  - {id: scouts, kin: cavalry}\n"),
        ["data/forces.yaml:2:5: pieces[0]: unknown field `kin`, did you mean `kind`?"]
    );
    assert_eq!(
        said("forces.yaml", "pieces:\n  - {id: scouts, kind: cavalry}\n"),
        ["data/forces.yaml:2:24: pieces[0].kind: there is no kind of piece `cavalry`"]
    );
    // The overlay moves a river away; the road that names it stands in the game's own file.
    assert_eq!(
        said(
            "map.yaml",
            "waters: {brook: {source: stated, points: [[1, 1], [2, 2]]}}\n"
        ),
        [
            "games/tiny/map.yaml:10:34: roads[1].river: the road names `brook`, \
             but the drawn river does not cross it"
        ]
    );
    assert_eq!(
        said("pieces.yaml", "pieces: []\n"),
        [
            "data/pieces.yaml: nothing reads this file, an overlay's files have the names of the game's own"
        ]
    );
}

#[test]
fn a_pinned_copy_is_the_same_game() {
    let dir = tempfile::tempdir().unwrap();
    let files = overlaid(&[("tables.yaml", "costs: {values: {hills: 3}}\n")]);
    files.write_to(dir.path()).unwrap();
    let pinned = Disk::pinned(dir.path());
    assert_eq!(GameFiles::gather(&pinned, "tiny").unwrap(), files);
    let game = Game::load_pinned(&pinned, "tiny").unwrap();
    assert_eq!(game.digest, files.digest());
    assert_eq!(game.tables["costs"].values["hills"], Value::Int(3));
}

#[test]
fn the_digest_depends_on_every_name_and_byte() {
    let files = |list: &[(&str, &str)]| {
        let pairs = list.iter();
        GameFiles(
            pairs
                .map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec()))
                .collect(),
        )
    };
    let one = files(&[("a", "bc"), ("d", "")]).digest();
    // Independently: printf '\0\0\0\0\0\0\0\1a\0\0\0\0\0\0\0\2bc\0\0\0\0\0\0\0\1d\0\0\0\0\0\0\0\0'
    // | sha256sum
    assert_eq!(
        one,
        "80b60b25a5b8483beb23b7143c98b9ccc6d5736e470ec6b9e9f1ca1fb1b48fcf"
            .parse()
            .unwrap()
    );
    assert_ne!(one, files(&[("a", "b"), ("d", "c")]).digest());
    assert_ne!(one, files(&[("ab", "c"), ("d", "")]).digest());
}

#[test]
fn earlier_places_go_before_later_ones_folder_by_folder() {
    let own = GameFiles(
        [
            ("games/tiny/game.yaml".to_owned(), b"own".to_vec()),
            ("games/other/game.yaml".to_owned(), b"own".to_vec()),
        ]
        .into(),
    );
    let layers = Layers(vec![Box::new(own), Box::new(fixture())]);
    assert_eq!(&*layers.read("games/tiny/game.yaml").unwrap(), b"own");
    assert!(
        layers.read("games/tiny/map.yaml").is_err(),
        "a folder is taken whole"
    );
    assert!(layers.read("rules/tiny/sequence.rhai").is_ok());
    assert_eq!(layers.list("games/tiny").unwrap(), ["games/tiny/game.yaml"]);
    assert_eq!(layers.game_ids().unwrap(), ["other", "tiny"]);
}

#[test]
fn embedded_files_are_those_of_the_repository() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let disk = Disk::default()
        .games(&root.join("games"))
        .rules(&root.join("rules"));
    for folder in ["games", "rules"] {
        let paths = disk.list(folder).unwrap();
        assert!(!paths.is_empty());
        assert_eq!(EmbeddedFiles.list(folder).unwrap(), paths);
        for path in paths {
            // Not `assert_eq`, which would print all the bytes of both.
            assert!(
                EmbeddedFiles.read(&path).unwrap() == disk.read(&path).unwrap(),
                "{path} is another file than the one in the program"
            );
        }
    }
}

#[test]
fn sources_are_listed() {
    let game = Game::load(&fixture(), "tiny").unwrap();
    let list: Vec<_> = game
        .sources()
        .iter()
        .map(|one| format!("{} {} {:?}", one.kind, one.name, one.source))
        .collect();
    assert_eq!(
        list,
        [
            "space north Stated",
            "space middle Deduced",
            "space south Reconstructed",
            "road north-middle Stated",
            "road middle-south Stated",
            "region edges Stated",
            "water brook Reconstructed",
            "water pond Reconstructed",
            "formation first Deduced",
            "piece chief Stated",
            "piece guard Reconstructed",
            "piece guard.sp Stated",
            "piece scouts Deduced",
            "table costs Stated",
            "table fight Stated",
            "table fight.rows[1] Deduced",
            "table fight.modifiers.hills Reconstructed",
            "scenario start Stated",
        ]
    );
}

#[test]
fn numbers_have_ranges() {
    let range = "numbers go from -1000000000 to 1000000000";
    refused(
        "tables.yaml",
        "hills: 2}",
        "hills: 9223372036854775807}",
        &format!(
            "games/tiny/tables.yaml:4:29: costs.values.hills: 9223372036854775807 is out of range: {range}"
        ),
    );
    refused(
        "scenarios/start.yaml",
        "turn: 2",
        "turn: -9223372036854775808",
        &format!(
            "games/tiny/scenarios/start.yaml:4:15: facts.turn: -9223372036854775808 is out of range: {range}"
        ),
    );
    for turn in [-5, 100_001] {
        refused(
            "scenarios/start.yaml",
            "turn: 2",
            &format!("turn: {turn}"),
            &format!(
                "games/tiny/scenarios/start.yaml:4:15: facts.turn: {turn} is out of range: turns go from 0 to 100000"
            ),
        );
    }
    refused(
        "tables.yaml",
        "hills: 2}",
        "hills: -5}\n  ranges: {hills: [1, 9]}",
        "games/tiny/tables.yaml:4:29: costs.values.hills: -5 is out of range: it goes from 1 to 9",
    );
    refused(
        "tables.yaml",
        "hills: 2}",
        "hills: 2}\n  ranges: {marsh: [1, 9]}",
        "games/tiny/tables.yaml:5:19: costs.ranges.marsh: the table has no number `marsh`",
    );
    for dice in [
        "4294967295d6",
        "1001d6",
        "0d6",
        "1d0",
        "-1d6",
        "d",
        "draw7/6",
    ] {
        refused(
            "tables.yaml",
            "dice: 1d6",
            &format!("dice: {dice}"),
            &format!(
                "games/tiny/tables.yaml:9:9: fight.dice: `{dice}` is not a throw: expected `<c>d<f>` (c up to 1000), \
                 `draw<k>/<n>` (k up to n) or `shuffle<n>` (n up to 100000)"
            ),
        );
    }
}

#[test]
fn scopes_and_symbols_that_there_are_not_are_refused() {
    refused(
        "game.yaml",
        "weather: {default: fair}",
        "weather: {default: fair, scope: suply}",
        "games/tiny/game.yaml:27:35: facts.weather.scope: there is no phase or scope `suply`, did you mean `supply`?",
    );
    refused(
        "game.yaml",
        "symbol: infantry",
        "symbol: infantri",
        "games/tiny/game.yaml:13:22: kinds.infantry.symbol: there is no symbol `infantri`, did you mean `infantry`?",
    );
}

#[test]
fn what_is_wrong_ten_thousand_times_is_said_a_hundred_times() {
    let names: String = (0..10_000).map(|n| format!("unknown{n}: {n}, ")).collect();
    for (part, wrong) in [("facts: {", "fact"), ("pieces:\n  guard: {", "attribute")] {
        let problems = broken("scenarios/start.yaml", part, &format!("{part}{names}"));
        assert_eq!(problems.len(), 101);
        let more = "games/tiny/scenarios/start.yaml: more is wrong from here on; mend what is listed first";
        assert!(problems.iter().any(|problem| problem == more));
        let unknown = format!("there is no {wrong} `unknown");
        assert_eq!(
            problems.iter().filter(|it| it.contains(&unknown)).count(),
            100
        );
        // Each place costs a reading of the file, so only the first few have one.
        let place = |it: &&String| it.starts_with("games/tiny/scenarios/start.yaml:4:");
        let of_pieces = |it: &&String| it.starts_with("games/tiny/scenarios/start.yaml:13:");
        let placed = problems
            .iter()
            .filter(|it| place(it) || of_pieces(it))
            .count();
        assert!((5..20).contains(&placed), "{placed} have line and column");
    }
}
