//! The host's own process compiles nothing that does not ship with it, whatever lies in a campaign.

use std::{env, fs, process::Command};

use estafette::{
    campaign::model::{compiled_game::CompiledGame, work_error::WorkError},
    game::{EmbeddedFiles, GameFiles, shipped},
    rules::{ParsedScripts, RunLimits},
};

use super::{append, estafette, plan, said};

/// The list of sums says that the rules are the program's own, and one of them is not: it is told
/// as changed, before anybody reads what it says.
#[test]
fn changed_rules_under_an_honest_list_are_never_read() {
    let test = plan("spring").begin().with_rules_as_files();
    let rules = test.root().join("pinned/rules/castiglione/recovery.rhai");
    append(&rules, "\nfn this is no script at all (\n");
    let picture = test.root().join("map.svg");
    let picture = picture.to_str().unwrap();
    for command in [
        &["audit"][..],
        &["orders", "--seat", "austrian"],
        &["map", "--out", picture],
        &["run"],
        &["status"],
    ] {
        let said = said(&estafette(command, &test));
        assert!(
            said.contains("recovery.rhai: was changed"),
            "{command:?}: {said}"
        );
    }
}

/// Such a process refuses foreign rules wherever they are compiled. It is one for all of a process,
/// so this one is run apart.
#[test]
fn the_lock_holds_where_rules_are_compiled() {
    let output = Command::new(env::current_exe().unwrap())
        .args(["--exact", "--ignored", "--test-threads", "1"])
        .arg("hostile::isolation::lock::a_process_that_runs_only_what_ships")
        .output()
        .unwrap();
    let said = said(&output);
    assert!(
        output.status.success() && said.contains("1 passed"),
        "{said}"
    );
}

#[test]
#[ignore = "changes what its process may run: the test above runs it in one of its own"]
fn a_process_that_runs_only_what_ships() {
    let whole = GameFiles::gather(&EmbeddedFiles, "castiglione").unwrap();
    let script = whole.0.keys().find(|path| path.ends_with("recovery.rhai"));
    let script = script.unwrap().clone();
    let mut changed = GameFiles(whole.0.clone());
    let text = changed.0.get_mut(&script).unwrap();
    text.extend_from_slice(b"\n// mine\n");
    let options = Default::default();
    let compiled = |files: &GameFiles| {
        CompiledGame::of_pinned(
            files,
            "castiglione",
            &options,
            &Default::default(),
            "campaign",
        )
    };
    let text = fs::read_to_string("rules/castiglione/recovery.rhai").unwrap();
    let parsed = |text: String| {
        let script = ("castiglione/recovery.rhai".to_owned(), text);
        ParsedScripts::new(&[script], &RunLimits::default())
    };
    assert!(compiled(&changed).is_ok() && parsed(text.clone() + "\n// mine").is_ok());
    shipped::run_only_shipped(true);
    assert!(matches!(compiled(&changed), Err(WorkError::Foreign)));
    assert!(parsed(text.clone() + "\n// mine").is_err());
    assert!(compiled(&whole).is_ok() && parsed(text).is_ok());
}
