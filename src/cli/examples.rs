//! The examples of a game's words: every one must be what it is an example of.

use crate::{
    game::{Game, Lang},
    orders::{Command, Expect, Grammar, Line, QuestionForm, Vocabulary, read_alone},
    world::World,
};

/// What an example is an example of.
#[derive(Clone, Copy)]
enum Of<'a> {
    Verb(&'a str),
    Topic(&'a str),
    Condition(&'a str),
}

impl Of<'_> {
    fn path(self) -> String {
        match self {
            Self::Verb(id) => format!("verbs.{id}"),
            Self::Topic(id) => format!("topics.{id}"),
            Self::Condition(id) => format!("conditions.{id}"),
        }
    }

    /// Whether a line that was read is what the example should be.
    fn is(self, line: &Line) -> bool {
        match (self, line) {
            (Self::Verb(id), Line::Order(order)) => order.verb == id,
            (Self::Topic(id), Line::Command(Command::Answer { topic, .. })) => topic == id,
            (Self::Condition(id), Line::Order(order)) => {
                let guard = order.guard.as_ref();
                guard.is_some_and(|guard| guard.test.names(id))
            }
            _ => false,
        }
    }
}

/// The examples that no seat could write at the start of any scenario; `views` are what the seats know there.
pub fn wrong(game: &Game, grammar: &Grammar, views: &[World]) -> Vec<String> {
    let mut wrong = Vec::new();
    for lang in Lang::ALL {
        let names = views
            .iter()
            .map(|view| Vocabulary::of_view(game, view, lang));
        let table = Table {
            grammar,
            phases: game.decl.phases.iter().map(|phase| &*phase.id).collect(),
            seats: names.collect(),
            lang,
        };
        for (of, example) in examples(game, lang) {
            if !table.understands(of, example) {
                wrong.push(format!(
                    "games/{}/text/{}.yaml: {}.examples: no seat could write `{example}`",
                    game.decl.id,
                    lang.code(),
                    of.path()
                ));
            }
        }
    }
    wrong
}

fn examples(game: &Game, lang: Lang) -> Vec<(Of<'_>, &str)> {
    let Some(text) = game.text.get(&lang) else {
        return Vec::new();
    };
    let mut all: Vec<(Of<'_>, &[String])> = Vec::new();
    let verbs = text.verbs.iter();
    all.extend(verbs.map(|(id, words)| (Of::Verb(id), &*words.examples)));
    let topics = text.topics.iter();
    all.extend(topics.map(|(id, words)| (Of::Topic(id), &*words.examples)));
    let conditions = text.conditions.iter();
    all.extend(conditions.map(|(id, words)| (Of::Condition(id), &*words.examples)));
    all.into_iter()
        .flat_map(|(of, lines)| lines.iter().map(move |line| (of, line.as_str())))
        .collect()
}

/// Everything that reading an example needs.
struct Table<'a> {
    grammar: &'a Grammar,
    phases: Vec<&'a str>,
    seats: Vec<Vocabulary>,
    lang: Lang,
}

impl Table<'_> {
    /// Whether the example means what it should to one of the seats, with nothing wrong in it: while all phases wait for orders,
    /// or while none does.
    fn understands(&self, of: Of<'_>, example: &str) -> bool {
        let (questions, text) = match of {
            Of::Topic(topic) => {
                let question = QuestionForm {
                    number: 1,
                    topic: topic.to_owned(),
                };
                (vec![question], format!("1: {example}"))
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
