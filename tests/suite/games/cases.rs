//! Every rule case under `tests/cases`, and whether every rule of a checklist has one.
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    thread,
};

use crate::support::shipped_game;
use estafette::{
    cases::{self, CaseEntry, coverage},
    game::{EmbeddedFiles, Files},
    orders::Grammar,
    rules::Program,
};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases")
}

#[test]
fn every_case_passes() {
    let found = cases::read(&[folder()]).unwrap();
    assert!(!found.is_empty(), "there are no cases");
    let ids: BTreeSet<&String> = found.iter().map(|one| &one.case.game).collect();
    let threads = thread::available_parallelism().map_or(1, usize::from);
    // By turns, since the cases of some games take longer.
    let share = |first: usize| found.iter().skip(first).step_by(threads);
    let failures: Vec<String> = thread::scope(|scope| {
        let running: Vec<_> = (0..threads)
            .map(|first| {
                scope.spawn({
                    let ids = &ids;
                    move || failures(ids, share(first))
                })
            })
            .collect();
        running
            .into_iter()
            .flat_map(|thread| thread.join().unwrap())
            .collect()
    });
    assert!(
        failures.is_empty(),
        "{} of {} cases fail:\n{}",
        failures.len(),
        found.len(),
        failures.join("\n")
    );
}

/// What is wrong with these cases, a paragraph each. Compiled rules can't change threads, so each
/// has its own.
fn failures<'a>(
    ids: &BTreeSet<&String>,
    share: impl Iterator<Item = &'a CaseEntry>,
) -> Vec<String> {
    let programs: BTreeMap<&str, Program> = ids
        .iter()
        .map(|id| (id.as_str(), Program::compile(shipped_game(id)).unwrap()))
        .collect();
    programs.values().for_each(Program::recheck);
    let mut grammars = BTreeMap::new();
    let failure = |one: &CaseEntry| {
        let case = &one.case;
        let program = &programs[case.game.as_str()];
        let options = case.settings();
        let grammar = grammars
            .entry((case.game.clone(), options.clone()))
            .or_insert_with(|| Grammar::new(&program.game().decl, &options).unwrap());
        let differences =
            cases::judge(program, grammar, case).unwrap_or_else(|error| vec![error.to_string()]);
        let place = one.path.strip_prefix(folder()).unwrap().display();
        (!differences.is_empty())
            .then(|| format!("{place}: {}\n  {}", case.case, differences.join("\n  ")))
    };
    share.filter_map(failure).collect()
}

#[test]
fn cases_cite_rules_that_exist() {
    let found = cases::read(&[folder()]).unwrap();
    for id in EmbeddedFiles.game_ids().unwrap() {
        let unknown = coverage(&shipped_game(&id).checklist, &id, &found).unknown;
        assert!(
            unknown.is_empty(),
            "{id}: not in the checklist, with the case: {unknown:#?}"
        );
    }
}

#[test]
fn every_rule_has_a_case() {
    let found = cases::read(&[folder()]).unwrap();
    for id in EmbeddedFiles.game_ids().unwrap() {
        let covered = coverage(&shipped_game(&id).checklist, &id, &found);
        let missing: Vec<String> = covered
            .entries
            .into_iter()
            .filter(|entry| entry.is_missing())
            .map(|entry| entry.id)
            .collect();
        assert!(
            missing.is_empty(),
            "{id}: {} rules without a case: {}",
            missing.len(),
            missing.join(" ")
        );
    }
}
