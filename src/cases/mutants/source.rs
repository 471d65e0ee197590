//! The files whose text may be changed.

use std::collections::BTreeSet;

use super::{
    change::{self, Change},
    cited::RuleIds,
    figures,
    script::ScriptTree,
};
use crate::{
    game::{Game, GameFiles},
    rules::INVARIANTS,
};

/// A file with the changes that it allows.
pub(super) struct MutableFile<'a> {
    /// Its path (`rules/<game>/combat.rhai`).
    pub path: String,
    pub text: &'a str,
    /// The number of the game's script; none for the tables.
    pub script: Option<usize>,
    pub changes: Vec<Change>,
    /// The number of further changes in functions that no case calls.
    pub out_of_reach: usize,
    /// The lines that may name rules.
    notes: Vec<(usize, &'a str)>,
}

impl MutableFile<'_> {
    /// The rules that the nearest comment above a change names.
    pub fn rules_at(&self, ids: &RuleIds, change: &Change) -> Vec<String> {
        ids.near(&self.notes, change.line)
    }
}

/// The scripts of a game.
pub(super) fn of_scripts<'a>(game: &Game, scripts: &[ScriptTree<'a>]) -> Vec<MutableFile<'a>> {
    let shared = (game.scripts.iter()).take_while(|(name, _)| name.starts_with("lib/"));
    let uncalled = uncalled(scripts, shared.count());
    let source = |(number, script): (usize, &ScriptTree<'a>)| {
        let name = game.scripts.get(number).map(|(name, _)| name.as_str());
        let functions = script.functions();
        let spans = functions.iter().filter(|it| uncalled.contains(it.name));
        let spans: Vec<_> = spans
            .filter_map(|it| {
                let first = script.tokens.get(*it.tokens.start())?;
                let last = script.tokens.get(*it.tokens.end())?;
                Some(first.start..last.end)
            })
            .collect();
        let (idle, changes): (Vec<_>, Vec<_>) = change::changes(script)
            .into_iter()
            .partition(|change| spans.iter().any(|span| span.contains(&change.start)));
        let notes = script.comments.iter().filter_map(|comment| {
            let text = script.text.get(comment.start..comment.end)?;
            Some((comment.line, text))
        });
        MutableFile {
            path: format!("rules/{}", name.unwrap_or_default()),
            text: script.text,
            script: Some(number),
            changes,
            out_of_reach: idle.len(),
            notes: notes.collect(),
        }
    };
    scripts.iter().enumerate().map(source).collect()
}

/// The tables of a game, unless they lie somewhere else than usual.
pub(super) fn of_tables<'a>(files: &'a GameFiles, id: &str) -> Option<MutableFile<'a>> {
    let path = format!("games/{id}/tables.yaml");
    let text = std::str::from_utf8(files.0.get(&path)?).ok()?;
    let lines = text.lines().enumerate();
    let notes = lines.filter(|(_, line)| line.contains("rule:") || line.contains('#'));
    Some(MutableFile {
        path,
        text,
        script: None,
        changes: figures::changes(text),
        out_of_reach: 0,
        notes: notes.map(|(number, line)| (number + 1, line)).collect(),
    })
}

/// The functions that only `invariants` calls, itself included: the simulation runs them, no case
/// does. Those that all games share and this one does not use.
fn uncalled<'a>(scripts: &[ScriptTree<'a>], shared: usize) -> BTreeSet<&'a str> {
    let functions: Vec<_> = scripts.iter().flat_map(ScriptTree::functions).collect();
    let mut uncalled = BTreeSet::from([INVARIANTS]);
    let times = |name: &str| -> usize {
        let named = |script: &ScriptTree<'_>| {
            let tokens = 0..script.tokens.len();
            tokens.filter(|token| script.word(*token) == name).count()
        };
        scripts.iter().map(named).sum()
    };
    let shared = scripts.iter().take(shared).flat_map(ScriptTree::functions);
    let unused = shared.filter(|function| times(function.name) < 2);
    uncalled.extend(unused.map(|function| function.name));
    loop {
        let more: Vec<&str> = functions
            .iter()
            .map(|function| function.name)
            .filter(|name| !uncalled.contains(name))
            .filter(|name| {
                let mut callers = functions.iter().filter(|it| it.calls.contains(name));
                let first = callers.next();
                first.is_some_and(|first| {
                    std::iter::once(first)
                        .chain(callers)
                        .all(|caller| uncalled.contains(caller.name))
                })
            })
            .collect();
        if more.is_empty() {
            return uncalled;
        }
        uncalled.extend(more);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // tests may panic
mod tests {
    use super::*;

    #[test]
    fn what_only_the_invariants_call_is_out_of_reach() {
        let text = "fn invariants() { a(); c() } fn a() { b() } fn b() { b() } fn c() { 1 } \
                    fn march() { c(); d() } fn d() { 2 }";
        let found = uncalled(&[ScriptTree::read(text).unwrap()], 0);
        assert_eq!(found.into_iter().collect::<Vec<_>>(), ["a", "invariants"]);
    }

    #[test]
    fn what_no_script_of_the_game_uses_is_out_of_reach() {
        let shared =
            "fn get(map) { map } fn sum(list) { add(list) } fn add(list) { 1 } fn is(x) { x }";
        let own = "fn march() { get(#{}); list.filter(is) } fn unused() { 1 }";
        let scripts = [shared, own].map(|text| ScriptTree::read(text).unwrap());
        let found = uncalled(&scripts, 1);
        assert_eq!(
            found.into_iter().collect::<Vec<_>>(),
            ["add", "invariants", "sum"]
        );
    }
}
