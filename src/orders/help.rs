//! Help and templates, from the same declaration that makes the parser.

use serde::Serialize;

use super::{
    Command, Expect, OrderLine,
    cast::Cast,
    grammar::{Grammar, OrderForm},
    pattern::{Node, Repeat, Sequence},
    print::{print, print_command},
    read::read_alone,
    vocabulary::Vocabulary,
};
use crate::{
    game::{self, Game, GameDecl, Lang},
    ids::SideId,
};

/// One verb, topic, condition or command, explained.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Help {
    /// Its id.
    pub id: String,
    /// The word by which players name it: a topic after ASK, a standing order after CANCEL.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keyword: Option<String>,
    /// What can be written, one line for each form: `MOVE <pieces>: ( <way> | DESTROY <area-area>
    /// )+ [FORCED]`.
    pub forms: Vec<String>,
    /// One sentence: what it does. Empty where the game says nothing.
    pub about: String,
    /// Lines that a player could write.
    pub examples: Vec<String>,
    /// True if it stays in force.
    pub standing: bool,
    /// What happens without it; only for standing orders.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
    /// The names of the sides that have it; empty if everybody does.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sides: Vec<String>,
}

/// All verbs that exist in this campaign, in the order of the declaration.
#[must_use]
pub fn help(grammar: &Grammar, game: &Game, lang: Lang) -> Vec<Help> {
    let texts = game.words(lang);
    let verbs = grammar.verbs.iter().map(|(id, verb)| {
        let words = texts.and_then(|text| text.verbs.get(id)).cloned();
        let keyword = grammar.groups.get(&verb.group).filter(|_| verb.standing);
        let decl = game.decl.orders.verbs.get(id);
        Help {
            id: id.clone(),
            sides: decl.map_or_else(Vec::new, |decl| named(game, decl.whose(), lang)),
            keyword: keyword.map(|keyword| grammar.keywords.shown(keyword, lang).to_owned()),
            forms: forms(grammar, &verb.forms, lang),
            standing: verb.standing,
            ..words.map_or_else(Help::default, |words| Help {
                about: words.help,
                examples: words.examples,
                default: words.default,
                ..Help::default()
            })
        }
    });
    verbs.collect()
}

/// The names of sides.
fn named(game: &Game, sides: &[SideId], lang: Lang) -> Vec<String> {
    let known = game.decl.sides.iter();
    let named = known.filter(|side| sides.contains(&side.id));
    named
        .map(|side| game::said(&side.name, lang).to_owned())
        .collect()
}

/// The verbs that a seat can use in a scenario: those of its side.
#[must_use]
pub fn help_of_side(
    grammar: &Grammar,
    game: &Game,
    scenario: &str,
    vocabulary: &Vocabulary,
    lang: Lang,
) -> Vec<Help> {
    let mut all = help(grammar, game, lang);
    all.retain(|help| {
        let verb = game.decl.orders.verbs.get(&help.id);
        verb.is_some_and(|verb| {
            let here = verb.scenarios.is_empty() || verb.scenarios.iter().any(|it| it == scenario);
            here && vocabulary.is_of(verb.whose())
        })
    });
    all
}

/// Like `help_of_side`, but only with examples that the seat could write itself, and without verbs
/// that have none.
#[must_use]
pub fn help_of_seat(
    grammar: &Grammar,
    game: &Game,
    scenario: &str,
    vocabulary: &Vocabulary,
    lang: Lang,
) -> Vec<Help> {
    let mut all = help_of_side(grammar, game, scenario, vocabulary, lang);
    let texts = game.words(lang);
    for help in &mut all {
        let fits = texts
            .and_then(|text| text.verbs.get(&help.id))
            .map(|it| &it.fits);
        help.examples.retain(|line| {
            let scenarios = fits.and_then(|fits| fits.get(line));
            scenarios.is_none_or(|fits| fits.iter().any(|it| it == scenario))
                && is_example(grammar, game, scenario, vocabulary, line, lang)
        });
    }
    all.retain(|help| !help.examples.is_empty());
    all
}

/// Returns true if a line is an order of a seat, and the pieces and formations that it names take
/// part in a scenario.
#[must_use]
pub fn is_example(
    grammar: &Grammar,
    game: &Game,
    scenario: &str,
    vocabulary: &Vocabulary,
    line: &str,
    lang: Lang,
) -> bool {
    let lines = read_at_any_time(grammar, vocabulary, line, lang);
    let cast = Cast::of(game, scenario);
    let plays = |line: &OrderLine| matches!(line, OrderLine::Order(order) if cast.has_all(order));
    !lines.is_empty() && lines.iter().all(plays)
}

/// The topics that a seat can be asked about, by the words that name them: those that it may put on
/// ASK, or those that are asked about without it.
#[must_use]
pub fn topics_of_seat(
    grammar: &Grammar,
    game: &Game,
    vocabulary: &Vocabulary,
    lang: Lang,
    asked: bool,
) -> Vec<String> {
    let topics = grammar.topics().filter(|topic| {
        let decl = game.decl.orders.topics.get(*topic);
        decl.is_none_or(|decl| decl.asked == asked && vocabulary.is_of(&decl.sides))
    });
    topics
        .map(|topic| grammar.topic_word(topic, lang).to_owned())
        .collect()
}

/// Returns true if a line is nothing but orders of a seat, for any phase.
#[must_use]
pub fn is_order(grammar: &Grammar, vocabulary: &Vocabulary, line: &str, lang: Lang) -> bool {
    let lines = read_at_any_time(grammar, vocabulary, line, lang);
    !lines.is_empty() && lines.iter().all(|line| matches!(line, OrderLine::Order(_)))
}

/// All topics of questions: what can be answered.
#[must_use]
pub fn topic_help(grammar: &Grammar, game: &Game, lang: Lang) -> Vec<Help> {
    let texts = game.words(lang);
    let topics = grammar.topics.iter().map(|(id, topic)| {
        let words = texts.and_then(|text| text.topics.get(id)).cloned();
        let (about, examples) = words.map_or_else(Default::default, |it| (it.answer, it.examples));
        let keyword = topic.keyword.as_ref();
        let decl = game.decl.orders.topics.get(id);
        Help {
            id: id.clone(),
            sides: decl.map_or_else(Vec::new, |decl| named(game, &decl.sides, lang)),
            keyword: keyword.map(|_| grammar.topic_word(id, lang).to_owned()),
            forms: forms(grammar, &topic.forms, lang),
            about,
            examples,
            ..Help::default()
        }
    });
    topics.collect()
}

/// All conditions that an order may have.
#[must_use]
pub fn condition_help(grammar: &Grammar, game: &Game, lang: Lang) -> Vec<Help> {
    let texts = game.words(lang);
    let conditions = grammar.conditions.iter().map(|(id, condition)| {
        let words = texts.and_then(|text| text.conditions.get(id)).cloned();
        let (about, examples) = words.map_or_else(Default::default, |it| (it.help, it.examples));
        let shown = |form| format!("{} {form}: ...", grammar.keywords.shown("IF", lang));
        Help {
            id: id.clone(),
            forms: forms(grammar, condition, lang)
                .into_iter()
                .map(shown)
                .collect(),
            about,
            examples,
            ..Help::default()
        }
    });
    conditions.collect()
}

/// The commands of the language itself with one sentence and an example each.
#[must_use]
pub fn command_help(grammar: &Grammar, game: &Game, lang: Lang) -> Vec<Help> {
    let word = |id| grammar.keywords.shown(id, lang);
    let mut all: Vec<(&str, Vec<String>)> = grammar
        .commands
        .iter()
        .map(|(name, command)| (*name, forms(grammar, command, lang)))
        .collect();
    all.push(("answer", vec![format!("{} 1: ...", word("ANSWER"))]));
    all.push(("guard", vec![format!("{}: ...", word("ELSE"))]));
    let words = grammar.words.get(&lang);
    let explained = all.into_iter().map(|(name, forms)| Help {
        id: name.to_owned(),
        forms,
        about: words
            .and_then(|words| words.commands.get(name))
            .cloned()
            .unwrap_or_default(),
        examples: command_example(grammar, game, name, lang)
            .into_iter()
            .collect(),
        ..Help::default()
    });
    explained.collect()
}

/// A command as a player of this game could write it; none for commands with only one form.
fn command_example(grammar: &Grammar, game: &Game, name: &str, lang: Lang) -> Option<String> {
    let print = |command: &Command| print_command(grammar, &Vocabulary::default(), command, lang);
    let ask = |on| {
        let topics: Vec<String> = grammar.topics().take(2).map(str::to_owned).collect();
        (!topics.is_empty()).then(|| print(&Command::Ask { topics, on }))
    };
    match name {
        "cancel" => grammar.groups().next().map(|group| {
            print(&Command::Cancel {
                group: Some(group.to_owned()),
            })
        }),
        "ask" => ask(true),
        "dont_ask" => ask(false),
        "answer" => {
            let topics = &game.words(lang)?.topics;
            let answer = topics.values().find_map(|topic| topic.examples.first())?;
            let word = grammar.keywords.shown("ANSWER", lang);
            Some(format!("{word} 1: {answer}"))
        }
        _ => None,
    }
}

/// The functions of the rules that propose orders for some phases, in the order of the verbs.
pub fn template_functions<'a>(
    grammar: &'a Grammar,
    decl: &'a GameDecl,
    phases: &'a [String],
) -> impl Iterator<Item = &'a str> {
    let is_asked = |phase: &String| {
        let mut asked = phases.iter().map(|asked| asked.split('.').next());
        asked.any(|asked| asked == Some(phase))
    };
    let verbs = grammar
        .verbs()
        .filter_map(|name| decl.orders.verbs.get(name));
    verbs
        .filter(move |verb| verb.phases.iter().any(is_asked))
        .filter_map(|verb| verb.template.as_deref())
}

/// Lines of a template as a dispatch has them: in the reader's language, and each a comment, so
/// that a mail that quotes them gives no orders. Lines may use ids of keywords and pieces; one that
/// is no order of this seat is left as it is.
#[must_use]
pub fn template(
    grammar: &Grammar,
    vocabulary: &Vocabulary,
    lines: &[String],
    lang: Lang,
) -> Vec<String> {
    let each = lines.iter().flat_map(|line| {
        let text = localised(grammar, vocabulary, line, lang).unwrap_or_else(|| line.clone());
        let commented: Vec<String> = text.lines().map(|line| format!("# {line}")).collect();
        commented
    });
    each.collect()
}

/// The keyword that closes a block, and is no order by itself.
const END: &str = "END";

/// An order for any phase, in the reader's language; none if it is no order of this seat.
fn localised(grammar: &Grammar, vocabulary: &Vocabulary, line: &str, lang: Lang) -> Option<String> {
    if line == END {
        return Some(grammar.keywords.shown(END, lang).to_owned());
    }
    match read_at_any_time(grammar, vocabulary, line, lang).as_slice() {
        [OrderLine::Order(order)] => Some(print(grammar, vocabulary, order, lang)),
        _ => None,
    }
}

fn read_at_any_time(
    grammar: &Grammar,
    vocabulary: &Vocabulary,
    line: &str,
    lang: Lang,
) -> Vec<OrderLine> {
    let verbs = grammar.verbs.values();
    let phases: Vec<&str> = verbs
        .flat_map(|verb| verb.phases.iter().map(String::as_str))
        .collect();
    let expect = Expect {
        phases: &phases,
        questions: &[],
        lang,
    };
    let reading = read_alone(grammar, vocabulary, &expect, line);
    reading.lines.into_iter().map(|(_, line)| line).collect()
}

fn forms(grammar: &Grammar, forms: &[OrderForm], lang: Lang) -> Vec<String> {
    let shape = PatternHelp { grammar, lang };
    forms
        .iter()
        .map(|form| shape.sequence(&form.nodes))
        .collect()
}

/// Writes patterns for players: keywords in their language, slots by the values that they take.
struct PatternHelp<'a> {
    grammar: &'a Grammar,
    lang: Lang,
}

impl PatternHelp<'_> {
    fn sequence(&self, nodes: &[Node]) -> String {
        let mut text = String::new();
        for part in nodes.iter().map(|node| self.node(node)) {
            if !part.is_empty() && !text.is_empty() && !part.starts_with([':', ',']) {
                text.push(' ');
            }
            text.push_str(&part);
        }
        text
    }

    fn node(&self, node: &Node) -> String {
        match node {
            Node::Keyword { id, .. } => self.grammar.keywords.shown(id, self.lang).to_owned(),
            Node::Sign(sign) => sign.text().to_owned(),
            Node::Number(number) => number.to_string(),
            Node::Slot { slot, .. } => {
                let words = self.grammar.words.get(&self.lang);
                let word = words.and_then(|words| words.slots.get(slot.name()));
                format!("<{}>", word.map_or(slot.name(), String::as_str))
            }
            Node::Constant { .. } => String::new(),
            Node::Optional(choices) => format!("[{}]", self.choices(choices)),
            Node::Group {
                choices, repeat, ..
            } => {
                let mark = match repeat {
                    Repeat::Once if choices.len() == 1 => return self.choices(choices),
                    Repeat::Once => "",
                    Repeat::Some { listed: false } => "+",
                    Repeat::Any { listed: false } => "*",
                    Repeat::Some { listed: true } => ",+",
                    Repeat::Any { listed: true } => ",*",
                };
                format!("({}){mark}", self.choices(choices))
            }
        }
    }

    fn choices(&self, choices: &[Sequence]) -> String {
        let each: Vec<String> = choices.iter().map(|choice| self.sequence(choice)).collect();
        each.join(" | ")
    }
}
