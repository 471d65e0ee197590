//! The games that are built in: they load, compile, and every example that players are shown is an
//! order.
use std::{collections::BTreeSet, sync::Arc};

use crate::support::shipped_game;
use estafette::{
    game::{EmbeddedFiles, Files, Game, Lang},
    orders::{self, Expect, Grammar, Order, OrderLine, Vocabulary},
    rules::Program,
    world::World,
};

/// A game with its order language and, for each theatre, each seat's view of a scenario of it: the
/// default one, or the first.
struct Shipped {
    game: Arc<Game>,
    grammar: Grammar,
    views: Vec<(Arc<Game>, World)>,
}

fn shipped() -> Vec<Shipped> {
    let ids = EmbeddedFiles.game_ids().unwrap();
    assert!(!ids.is_empty());
    ids.iter().map(|id| Shipped::load(id)).collect()
}

impl Shipped {
    fn load(id: &str) -> Self {
        let game = shipped_game(id);
        let grammar = Grammar::new(&game.decl, &game.switched_on()).unwrap();
        let mut views = Vec::new();
        for staged in game.in_theatres().into_iter().map(Arc::new) {
            let default = &game.decl.default_scenario;
            let mut scenarios = [default].into_iter().chain(game.scenarios.keys());
            let scenario = scenarios.find(|it| staged.is_staged(it)).unwrap();
            let world = World::set_up(&staged, scenario).unwrap();
            for seat in &game.decl.seats {
                views.push((Arc::clone(&staged), world.seen_by(&staged, &seat.id)));
            }
        }
        Self {
            game,
            grammar,
            views,
        }
    }

    /// Reads a line as every seat would while all phases wait for orders, and while none does: the
    /// orders that it is, and why it is none for the others.
    fn read(&self, line: &str, lang: Lang) -> (Vec<Order>, Vec<String>) {
        let phases: Vec<&str> = self
            .game
            .decl
            .phases
            .iter()
            .map(|phase| phase.id.as_str())
            .collect();
        let mut orders = Vec::new();
        let mut reasons = Vec::new();
        for ((game, view), phases) in self
            .views
            .iter()
            .flat_map(|view| [(view, &phases[..]), (view, &[][..])])
        {
            let expect = Expect {
                phases,
                questions: &[],
                lang,
            };
            let vocabulary = Vocabulary::of_view(game, view, lang);
            for (_, read) in orders::read_alone(&self.grammar, &vocabulary, &expect, line).lines {
                match read {
                    OrderLine::Order(order) => orders.push(order),
                    OrderLine::Command(command) => reasons.push(format!("{command:?}")),
                    OrderLine::Wrong(wrong) => {
                        reasons.push(format!("{} {:?}", wrong.reason, wrong.args))
                    }
                }
            }
        }
        (orders, reasons)
    }
}

#[test]
fn every_game_has_both_languages_and_its_rules_compile() {
    for Shipped { game, .. } in shipped() {
        let languages: BTreeSet<Lang> = game.text.keys().copied().collect();
        assert_eq!(languages, BTreeSet::from(Lang::ALL), "{}", game.decl.id);
        for (lang, text) in &game.text {
            for (verb, words) in &text.verbs {
                assert!(
                    !words.help.is_empty() && !words.examples.is_empty(),
                    "{verb} in {lang:?}"
                );
            }
        }
        if let Err(error) = Program::compile(Arc::clone(&game)) {
            panic!("{}: {error}", game.decl.id);
        }
    }
}

#[test]
fn every_example_is_an_order_of_some_seat() {
    for shipped in shipped() {
        let mut wrong = Vec::new();
        for (lang, text) in &shipped.game.text {
            for (verb, words) in &text.verbs {
                for example in &words.examples {
                    // Letters have 72 columns; a line that breaks can't be copied.
                    assert!(example.chars().count() <= 70, "{example}");
                    let (orders, reasons) = shipped.read(example, *lang);
                    if !orders.iter().any(|order| order.verb == *verb) {
                        wrong.push(format!("{lang:?} {verb}: {example}: {reasons:?}"));
                    }
                }
            }
        }
        assert!(
            wrong.is_empty(),
            "{}:\n{}",
            shipped.game.decl.id,
            wrong.join("\n")
        );
    }
}

#[test]
fn every_scenario_has_its_pieces_on_known_places() {
    for Shipped { game, .. } in shipped() {
        for scenario in game.scenarios.keys() {
            let game = (*game).clone().staged(scenario);
            let world = World::set_up(&game, scenario).unwrap();
            let places = world.pieces.values().filter_map(|piece| piece.at.as_ref());
            let mut count = 0;
            for place in places {
                count += 1;
                assert!(
                    game.map.number(place).is_some() || game.decl.boxes.contains_key(place),
                    "{scenario}: {place:?}"
                );
            }
            assert!(count > 0, "{scenario} is empty");
        }
    }
}
