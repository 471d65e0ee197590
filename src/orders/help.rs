//! Help and templates, from the same declaration that makes the parser.

use super::{
    Expect, Line,
    grammar::{Form, Grammar},
    pattern::{Node, Repeat, Sequence},
    print::print,
    read::read,
    vocabulary::Vocabulary,
};
use crate::game::{Game, Lang};

/// One verb, topic or condition, explained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Help {
    /// Its id.
    pub id: String,
    /// What can be written, one line a form: `MOVE <pieces>: ( <way> | DESTROY <area-area> )+ [FORCED]`.
    pub forms: Vec<String>,
    /// One sentence: what it does. Empty where the game says nothing.
    pub text: String,
    /// Lines that a player could write.
    pub examples: Vec<String>,
    /// Whether it stays in force.
    pub standing: bool,
}

/// All verbs that exist in this campaign, in the order of the declaration.
#[must_use]
pub fn help(grammar: &Grammar, game: &Game, lang: Lang) -> Vec<Help> {
    let texts = game.text.get(&lang);
    let verbs = grammar.verbs.iter().map(|(id, verb)| {
        let words = texts.and_then(|text| text.verbs.get(id));
        Help {
            id: id.clone(),
            forms: forms(grammar, &verb.forms, lang),
            text: words.map(|words| words.help.clone()).unwrap_or_default(),
            examples: words
                .map(|words| words.examples.clone())
                .unwrap_or_default(),
            standing: verb.standing,
        }
    });
    verbs.collect()
}

/// What can be answered to a question of a topic, one line a form.
#[must_use]
pub fn answer_forms(grammar: &Grammar, topic: &str, lang: Lang) -> Vec<String> {
    let topic = grammar.topics.get(topic);
    topic.map_or_else(Vec::new, |topic| forms(grammar, &topic.forms, lang))
}

/// The built-in commands with one sentence each, and what can stand between IF and the colon.
#[must_use]
pub fn command_help(grammar: &Grammar, lang: Lang) -> Vec<Help> {
    let word = |id| grammar.keywords.shown(id, lang);
    let conditions = grammar.conditions.values().flat_map(|condition| {
        let forms = forms(grammar, condition, lang);
        forms
            .into_iter()
            .map(|form| format!("{} {form}: ...", word("IF")))
    });
    let guard = conditions.chain([format!("{}: ...", word("ELSE"))]);
    let mut all: Vec<(&str, Vec<String>)> = grammar
        .commands
        .iter()
        .map(|(name, command)| (*name, forms(grammar, command, lang)))
        .collect();
    all.push(("answer", vec![format!("{} 1: ...", word("ANSWER"))]));
    all.push(("guard", guard.collect()));
    let words = grammar.words.get(&lang);
    let explained = all.into_iter().map(|(name, forms)| Help {
        id: name.to_owned(),
        forms,
        text: words
            .and_then(|words| words.commands.get(name))
            .cloned()
            .unwrap_or_default(),
        examples: Vec::new(),
        standing: false,
    });
    explained.collect()
}

/// Lines of a template as they stand in a dispatch: in the reader's language, each a comment, so that a mail that
/// quotes them gives no orders. Lines may be written with keyword ids and ids of pieces; one that is no order of
/// this seat is left as it is.
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

/// An order in the reader's language; none if it is no order of this seat. Orders of any phase will do.
fn localised(grammar: &Grammar, vocabulary: &Vocabulary, line: &str, lang: Lang) -> Option<String> {
    let verbs = grammar.verbs.values();
    let phases: Vec<&str> = verbs
        .flat_map(|verb| verb.phases.iter().map(String::as_str))
        .collect();
    let expect = Expect {
        phases: &phases,
        questions: &[],
        lang,
    };
    match read(grammar, vocabulary, &expect, line).lines.as_slice() {
        [(_, Line::Order(order))] => Some(print(grammar, vocabulary, order, lang)),
        _ => None,
    }
}

fn forms(grammar: &Grammar, forms: &[Form], lang: Lang) -> Vec<String> {
    let shape = Shape { grammar, lang };
    forms
        .iter()
        .map(|form| shape.sequence(&form.nodes))
        .collect()
}

/// Writes patterns for players: keywords in their language, slots by what they take.
struct Shape<'a> {
    grammar: &'a Grammar,
    lang: Lang,
}

impl Shape<'_> {
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
