//! Draws changes of a game's rules.

use std::sync::Arc;

use super::{MutantPlan, change::Change, cited::RuleIds, source::MutableFile, subject::Subject};
use crate::{
    dice::{Key, RandomWords, hash},
    game::{self, Game, GameFiles},
};

/// A change that has been drawn.
pub(super) struct Mutant<'a> {
    pub source: &'a MutableFile<'a>,
    pub change: &'a Change,
    /// The rules that the nearest comment above it names.
    pub rules: Vec<String>,
    /// The game with other tables, if it is a change of them.
    pub game: Option<Arc<Game>>,
}

/// Draws `count` changes, each at most once, and counts those drawn that can't be tried because the
/// script does not compile with the others or the game is not sound.
pub(super) fn draw<'a>(
    files: &GameFiles,
    subject: &Subject<'_>,
    sources: &'a [MutableFile<'a>],
    plan: MutantPlan,
) -> (Vec<Mutant<'a>>, usize) {
    let id = subject.game.decl.id.as_str();
    let ids = RuleIds::of(&subject.game.checklist);
    let all: Vec<(&MutableFile<'_>, &Change)> = sources
        .iter()
        .flat_map(|source| source.changes.iter().map(move |change| (source, change)))
        .collect();
    let (mut mutants, mut unsound) = (Vec::new(), 0);
    for number in shuffled(all.len(), id, plan.seed) {
        if mutants.len() == plan.mutants {
            break;
        }
        let Some((source, change)) = all.get(number) else {
            continue;
        };
        let text = change.apply(source.text);
        let changed = match source.script {
            // A script may hand functions to those of another: alone it need not compile.
            Some(script) => subject.parse(Some((script, text))).is_ok().then_some(None),
            None => with_file(files, id, &source.path, text).map(|game| Some(Arc::new(game))),
        };
        match changed {
            Some(game) => mutants.push(Mutant {
                source,
                change,
                rules: source.rules_at(&ids, change),
                game,
            }),
            None => unsound += 1,
        }
    }
    (mutants, unsound)
}

/// The game with another text of a file, if it is sound.
fn with_file(files: &GameFiles, id: &str, path: &str, text: String) -> Option<Game> {
    let mut files = files.clone();
    files.0.insert(path.to_owned(), text.into_bytes());
    let (game, problems) = game::inspect(&files, id);
    game.filter(|_| problems.is_empty())
}

/// The numbers below `count` in an order that depends on the seed alone: every order is equally
/// likely.
fn shuffled(count: usize, game: &str, seed: u64) -> Vec<usize> {
    let digest = hash(&format!("estafette|mutants|{game} {seed}"));
    let mut words = RandomWords::new(&Key::new(*digest.bytes()));
    let mut numbers: Vec<usize> = (0..count).collect();
    for place in 0..count {
        let left = u32::try_from(count - place).unwrap_or(u32::MAX);
        let other = place + words.uniform(left) as usize;
        numbers.swap(place, other);
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_one_order_of_all_numbers() {
        let order = shuffled(100, "ford", 7);
        assert_eq!(order, shuffled(100, "ford", 7));
        assert_ne!(order, shuffled(100, "ford", 8));
        assert_ne!(order, shuffled(100, "weir", 7));
        let mut sorted = order;
        sorted.sort_unstable();
        assert_eq!(sorted, (0..100).collect::<Vec<_>>());
    }
}
