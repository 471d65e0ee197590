//! Mistakes in the forms of orders come all at once, each with its place in game.yaml, its verb,
//! its slot and the type that was meant.

use std::{fs, path::Path};

use estafette::{
    check,
    game::{Disk, GameFiles, Problem},
};

/// What is written in place of what, and what must be said of it: where, and in which words.
const MISTAKES: [(&str, &str, &str, &[&str]); 4] = [
    (
        "MARCH <who:piece> TO",
        "MARCH <who:peice> TO",
        "orders.verbs.march.forms[0]",
        &["verb march", "`who`", "`peice`", "did you mean `piece`?"],
    ),
    (
        "TO <to:space>\"",
        "TO <to:spcae>\"",
        "orders.verbs.march.forms[0]",
        &["verb march", "`to`", "`spcae`", "did you mean `space`?"],
    ),
    (
        "\"ALARM <at:space>\"",
        "\"ALARM <at:Space>\"",
        "orders.verbs.alarm.forms[0]",
        &["verb alarm", "`at`", "`Space`", "did you mean `space`?"],
    ),
    (
        "ALARM NEVER policy=never",
        "ALARM NEVRE policy=never",
        "orders.verbs.alarm",
        &["verb alarm", "keyword NEVRE is not declared"],
    ),
];

#[test]
fn every_mistake_of_every_form_is_told_at_once() {
    let planted = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/planted");
    let disk = Disk::default()
        .games(&planted.join("games"))
        .rules(&planted.join("rules"));
    let mut files = GameFiles::gather(&disk, "outpost").unwrap();
    let mut text = fs::read_to_string(planted.join("games/outpost/game.yaml")).unwrap();
    for (right, wrong, ..) in MISTAKES {
        assert_eq!(text.matches(right).count(), 1, "{right}");
        text = text.replace(right, wrong);
    }
    let path = "games/outpost/game.yaml".to_owned();
    files.0.insert(path.clone(), text.clone().into_bytes());
    let problems = check::check(&files, &[], "outpost");
    let of_forms = |problem: &&Problem| problem.message.starts_with("orders: ");
    let found: Vec<&Problem> = problems.iter().filter(of_forms).collect();
    assert_eq!(found.len(), MISTAKES.len(), "{problems:#?}");
    for (_, wrong, place, words) in MISTAKES {
        let fits = |problem: &&&Problem| {
            problem.path == place && words.iter().all(|word| problem.message.contains(word))
        };
        let problem = found.iter().find(fits);
        let problem = problem.unwrap_or_else(|| panic!("{wrong}: {found:#?}"));
        if wrong.contains('<') {
            let line = text.lines().nth(problem.line - 1).unwrap();
            assert!(line.contains(wrong), "{wrong}: {problem}");
            assert!(problem.message.contains("There are: pieces, piece, names"));
        }
    }
}
