//! Checks that order forms and examples read back: the template of each verb must give orders of
//! the seat at the start of each scenario, and every example must be an order of some seat.

use std::collections::BTreeMap;

use super::of_script;
use crate::{
    game::{Game, Lang, Problem},
    ids::SeatId,
    orders::{self, Command, Expect, Grammar, OrderLine, QuestionForm, Vocabulary, read_alone},
    rules::{Decisions, Program, Start},
    world::World,
};

/// Lines that don't read back, and functions that print none.
///
/// The programs are one, in each theatre of the game.
pub(super) fn wrong(programs: &[Program]) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut seats: BTreeMap<Lang, Vec<Vocabulary>> = BTreeMap::new();
    for program in programs {
        let game = program.game();
        let mut lines = ExampleCheck {
            program,
            game,
            problems: Vec::new(),
            views: Vec::new(),
        };
        for options in [BTreeMap::new(), game.switched_on()] {
            if let Ok(grammar) = Grammar::new(&game.decl, &options) {
                let here = |scenario: &&String| game.is_staged(scenario);
                for scenario in game.scenarios.keys().filter(here) {
                    lines.of_scenario(&grammar, &options, scenario);
                }
            }
        }
        for lang in game.languages() {
            let views = lines.views.iter();
            let names = views.map(|view| Vocabulary::of_view(game, view, lang));
            seats.entry(lang).or_default().extend(names);
        }
        problems.append(&mut lines.problems);
    }
    if let Some(game) = programs.first().map(Program::game)
        && let Ok(whole) = Grammar::new(&game.decl, &game.switched_on())
    {
        for (lang, seats) in seats {
            problems.extend(unreadable_examples(game, &whole, seats, lang));
        }
    }
    problems
}

struct ExampleCheck<'a> {
    program: &'a Program,
    game: &'a Game,
    problems: Vec<Problem>,
    /// The seats' views at the start of each scenario.
    views: Vec<World>,
}

impl ExampleCheck<'_> {
    fn of_scenario(
        &mut self,
        grammar: &Grammar,
        options: &BTreeMap<String, String>,
        scenario: &str,
    ) {
        let decisions = Decisions::default();
        let Ok(world) = World::set_up(self.game, scenario) else {
            return;
        };
        let start = Start {
            phase: "",
            world: &world,
            options,
            decisions: &decisions,
        };
        let looked = match self.program.look(&start) {
            Ok(looked) => looked,
            Err(error) => return self.problems.push(of_script(&error)),
        };
        for seat in &self.game.decl.seats {
            let view = looked.seen_by(self.game, &seat.id);
            let start = Start {
                world: &view,
                ..start
            };
            self.templates(grammar, &start, &seat.id, scenario);
            self.views.push(view);
        }
    }

    /// The lines that the template functions print for a seat.
    fn templates(&mut self, grammar: &Grammar, start: &Start<'_>, seat: &SeatId, scenario: &str) {
        for (name, verb) in &self.game.decl.orders.verbs {
            let Some(function) = &verb.template else {
                continue;
            };
            if !grammar.verbs().any(|known| known == name) {
                continue;
            }
            let lines = match self.program.template(seat, start, function) {
                Ok(lines) => lines,
                Err(error) => {
                    self.problems.push(of_script(&error));
                    continue;
                }
            };
            let phases: Vec<&str> = verb.phases.iter().map(String::as_str).collect();
            for lang in self.game.languages() {
                let vocabulary = Vocabulary::of_view(self.game, start.world, lang);
                for line in orders::template(grammar, &vocabulary, &lines, lang) {
                    let line = line.strip_prefix("# ").unwrap_or(&line);
                    let expect = Expect {
                        phases: &phases,
                        questions: &[],
                        lang,
                    };
                    let reading = read_alone(grammar, &vocabulary, &expect, line);
                    if reading.orders().count() != 1 || reading.wrong().next().is_some() {
                        let message = format!(
                            "the template's line `{line}` is no order of {seat} in the scenario {scenario}"
                        );
                        let file = format!("games/{}/game.yaml", self.game.decl.id);
                        let path = format!("orders.verbs.{name}.template");
                        self.problems.push(Problem::new(&file, path, message));
                    }
                }
            }
        }
    }
}

/// The examples that no seat could write at the start of any scenario.
fn unreadable_examples(
    game: &Game,
    grammar: &Grammar,
    seats: Vec<Vocabulary>,
    lang: Lang,
) -> Vec<Problem> {
    let phases = game.decl.phases.iter();
    let table = ExampleTable {
        grammar,
        phases: phases.map(|phase| &*phase.id).collect(),
        seats,
        lang,
    };
    let lines = examples(game, lang).into_iter();
    let wrong = lines.filter(|(of, _, example)| !table.understands(*of, example));
    wrong
        .map(|(of, number, example)| {
            let file = format!("games/{}/text/{}.yaml", game.decl.id, lang.code());
            let path = format!("{}.examples[{number}]", of.path());
            Problem::new(&file, path, format!("no seat could write `{example}`"))
        })
        .collect()
}

/// The source of an example.
#[derive(Clone, Copy)]
enum ExampleSource<'a> {
    Verb(&'a str),
    Topic(&'a str),
    Condition(&'a str),
}

impl ExampleSource<'_> {
    fn path(self) -> String {
        match self {
            Self::Verb(id) => format!("verbs.{id}"),
            Self::Topic(id) => format!("topics.{id}"),
            Self::Condition(id) => format!("conditions.{id}"),
        }
    }

    /// Returns true if a line was read as what the example should be.
    fn is(self, line: &OrderLine) -> bool {
        match (self, line) {
            (Self::Verb(id), OrderLine::Order(order)) => order.verb == id,
            (Self::Topic(id), OrderLine::Command(Command::Answer { topic, .. })) => topic == id,
            (Self::Condition(id), OrderLine::Order(order)) => {
                let guard = order.guard.as_ref();
                guard.is_some_and(|guard| guard.test.names(id))
            }
            _ => false,
        }
    }
}

fn examples(game: &Game, lang: Lang) -> Vec<(ExampleSource<'_>, usize, &str)> {
    let Some(text) = game.text.get(&lang) else {
        return Vec::new();
    };
    let mut all: Vec<(ExampleSource<'_>, &[String])> = Vec::new();
    let verbs = text.verbs.iter();
    all.extend(verbs.map(|(id, words)| (ExampleSource::Verb(id), &*words.examples)));
    let topics = text.topics.iter();
    all.extend(topics.map(|(id, words)| (ExampleSource::Topic(id), &*words.examples)));
    let conditions = text.conditions.iter();
    all.extend(conditions.map(|(id, words)| (ExampleSource::Condition(id), &*words.examples)));
    all.into_iter()
        .flat_map(|(of, lines)| {
            lines
                .iter()
                .enumerate()
                .map(move |(number, line)| (of, number, line.as_str()))
        })
        .collect()
}

/// Everything that reading an example needs.
struct ExampleTable<'a> {
    grammar: &'a Grammar,
    phases: Vec<&'a str>,
    seats: Vec<Vocabulary>,
    lang: Lang,
}

impl ExampleTable<'_> {
    /// Returns true if the example means what it should to one of the seats, with nothing wrong in
    /// it: while all phases wait for orders, or while none does.
    fn understands(&self, of: ExampleSource<'_>, example: &str) -> bool {
        let (questions, text) = match of {
            ExampleSource::Topic(topic) => {
                (vec![QuestionForm::new(1, topic)], format!("1: {example}"))
            }
            _ => (Vec::new(), example.to_owned()),
        };
        [&self.phases[..], &[]].into_iter().any(|phases| {
            let expect = Expect {
                phases,
                questions: &questions,
                lang: self.lang,
            };
            self.seats.iter().any(|names| {
                let reading = read_alone(self.grammar, names, &expect, &text);
                reading.wrong().next().is_none()
                    && reading.lines.iter().any(|(_, line)| of.is(line))
            })
        })
    }
}
