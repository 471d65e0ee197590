//! Orders and commands in their printed form: what was understood, in the reader's language.
//!
//! Printing walks the same forms as reading, so that a printed order reads back as the same order.

use super::{
    Command, Guard, Order, Test,
    grammar::{Grammar, OrderForm},
    names::NameIndex,
    pattern::{Node, Repeat, Sequence, Slot, plain_keywords},
    vocabulary::Vocabulary,
};
use crate::{
    game::Lang,
    value::{Fields, Value},
};

/// The largest number after the colon in printed odds.
const PLAIN: i64 = 3;

/// An order in its printed form. Alternatives of a guard have lines of their own. An order that
/// fits no form of its verb (reading never returns one) is printed as it was written.
#[must_use]
pub fn print(grammar: &Grammar, vocabulary: &Vocabulary, order: &Order, lang: Lang) -> String {
    let printer = Printer {
        grammar,
        vocabulary,
        lang,
    };
    let forms = grammar.verbs.get(&order.verb).map(|verb| &verb.forms);
    let plain = forms
        .and_then(|forms| printer.forms(forms, &order.args))
        .unwrap_or_else(|| order.text.clone());
    match &order.guard {
        Some(guard) => printer.guarded(guard, &plain),
        None => plain,
    }
}

/// An answer to a question on a topic, as its reader could write it; none if it fits no form.
#[must_use]
pub fn print_answer(
    grammar: &Grammar,
    vocabulary: &Vocabulary,
    topic: &str,
    args: &Fields,
    lang: Lang,
) -> Option<String> {
    let printer = Printer {
        grammar,
        vocabulary,
        lang,
    };
    printer.forms(&grammar.topics.get(topic)?.forms, args)
}

/// A command of the language in its printed form.
#[must_use]
pub fn print_command(
    grammar: &Grammar,
    vocabulary: &Vocabulary,
    command: &Command,
    lang: Lang,
) -> String {
    let printer = Printer {
        grammar,
        vocabulary,
        lang,
    };
    let word = |id| grammar.keywords.shown(id, lang).to_owned();
    let (name, args) = match command {
        Command::Add => return word("ADD"),
        Command::Nothing => return word("NOTHING"),
        Command::End => return word("END"),
        Command::Answer {
            question,
            topic,
            args,
        } => {
            let forms = grammar.topics.get(topic).map(|topic| &topic.forms);
            let answer = forms.and_then(|forms| printer.forms(forms, args));
            let answer = answer.unwrap_or_default();
            return format!("{} {question}: {answer}", word("ANSWER"));
        }
        Command::Cancel { group: None } => return word("CANCEL"),
        Command::Cancel { group: Some(group) } => (
            "cancel",
            Fields::from([("group".to_owned(), group.as_str().into())]),
        ),
        Command::Ask { topics, on } => {
            let topics = topics.iter().map(|topic| topic.as_str().into()).collect();
            let name = if *on { "ask" } else { "dont_ask" };
            (
                name,
                Fields::from([("topics".to_owned(), Value::List(topics))]),
            )
        }
    };
    let forms = grammar.commands.get(name);
    forms
        .and_then(|forms| printer.forms(forms, &args))
        .unwrap_or_default()
}

/// Words and signs that are put together, and how many labels they print.
#[derive(Default)]
struct PrintedWords {
    text: String,
    labels: usize,
}

impl PrintedWords {
    fn new(text: impl Into<String>, labels: usize) -> Self {
        Self {
            text: text.into(),
            labels,
        }
    }

    /// Appends with a blank, none before `:` and `,`.
    fn push(&mut self, other: &PrintedWords) {
        let tight = other.text.starts_with([':', ',']);
        if !tight && !self.text.is_empty() && !other.text.is_empty() {
            self.text.push(' ');
        }
        self.text.push_str(&other.text);
        self.labels += other.labels;
    }
}

struct Printer<'a> {
    grammar: &'a Grammar,
    vocabulary: &'a Vocabulary,
    lang: Lang,
}

impl Printer<'_> {
    /// The first form that prints all arguments.
    fn forms(&self, forms: &[OrderForm], args: &Fields) -> Option<String> {
        forms.iter().find_map(|form| {
            let printed = self.sequence(&form.nodes, args)?;
            (printed.labels == args.len()).then_some(printed.text)
        })
    }

    fn guarded(&self, guard: &Guard, plain: &str) -> String {
        let word = |id| self.grammar.keywords.shown(id, self.lang);
        let condition = self.test(&guard.test);
        let mut text = format!("{} {condition}: {plain}", word("IF"));
        for order in &guard.otherwise {
            let order = print(self.grammar, self.vocabulary, order, self.lang);
            text.push_str(&format!("\n{}: {order}", word("ELSE")));
        }
        text
    }

    fn test(&self, test: &Test) -> String {
        let word = |id| self.grammar.keywords.shown(id, self.lang);
        let joined = |tests: &[Test], keyword| {
            let tests: Vec<String> = tests.iter().map(|test| self.test(test)).collect();
            tests.join(&format!(" {} ", word(keyword)))
        };
        match test {
            Test::Is { condition, args } => {
                let forms = self.grammar.conditions.get(condition);
                let printed = forms.and_then(|forms| self.forms(forms, args));
                printed.unwrap_or_default()
            }
            Test::Not(test) => format!("{} {}", word("NOT"), self.test(test)),
            Test::All(tests) => joined(tests, "AND"),
            Test::Any(tests) => joined(tests, "OR"),
        }
    }

    fn sequence(&self, nodes: &[Node], args: &Fields) -> Option<PrintedWords> {
        let mut all = PrintedWords::default();
        for node in nodes {
            all.push(&self.node(node, args)?);
        }
        Some(all)
    }

    /// A node with the arguments; none when they don't fit it.
    fn node(&self, node: &Node, args: &Fields) -> Option<PrintedWords> {
        let keyword = |id: &str| self.grammar.keywords.shown(id, self.lang).to_owned();
        match node {
            Node::Keyword { id, label: None } => Some(PrintedWords::new(keyword(id), 0)),
            Node::Keyword {
                id,
                label: Some(label),
            } => {
                let set = args.get(label) == Some(&Value::Bool(true));
                set.then(|| PrintedWords::new(keyword(id), 1))
            }
            Node::Sign(sign) => Some(PrintedWords::new(sign.text(), 0)),
            Node::Number(number) => Some(PrintedWords::new(number.to_string(), 0)),
            Node::Slot { label, slot } => {
                let text = self.slot(*slot, args.get(label)?)?;
                Some(PrintedWords::new(text, 1))
            }
            Node::Constant { label, value } => {
                (args.get(label) == Some(value)).then(|| PrintedWords::new("", 1))
            }
            // An optional part is printed only if it says something.
            Node::Optional(choices) => Some(
                self.choice(choices, args)
                    .filter(|printed| printed.labels > 0)
                    .unwrap_or_default(),
            ),
            Node::Group {
                label,
                choices,
                repeat,
            } => self.group(label.as_deref(), choices, *repeat, args),
        }
    }

    fn group(
        &self,
        label: Option<&str>,
        choices: &[Sequence],
        repeat: Repeat,
        args: &Fields,
    ) -> Option<PrintedWords> {
        let listed = match repeat {
            Repeat::Once => return self.single(label, choices, args),
            Repeat::Some { listed } | Repeat::Any { listed } => listed,
        };
        let Some(label) = label else {
            return match repeat {
                Repeat::Any { .. } => Some(PrintedWords::default()),
                _ => self.choice(choices, args),
            };
        };
        let items = args.get(label)?.as_list()?;
        if items.is_empty() && matches!(repeat, Repeat::Some { .. }) {
            return None;
        }
        let mut all = PrintedWords::default();
        for (i, item) in items.iter().enumerate() {
            if i > 0 && listed {
                all.push(&PrintedWords::new(",", 0));
            }
            all.push(&PrintedWords::new(self.item(choices, item)?, 0));
        }
        all.labels = 1;
        Some(all)
    }

    fn single(
        &self,
        label: Option<&str>,
        choices: &[Sequence],
        args: &Fields,
    ) -> Option<PrintedWords> {
        let Some(label) = label else {
            return self.choice(choices, args);
        };
        let value = args.get(label)?;
        if !plain_keywords(choices) {
            return Some(PrintedWords::new(self.item(choices, value)?, 1));
        }
        let wanted = value.as_text()?;
        choices.iter().find_map(|choice| match choice.first() {
            Some(Node::Keyword { id, .. }) if id.to_lowercase() == wanted => Some(
                PrintedWords::new(self.grammar.keywords.shown(id, self.lang), 1),
            ),
            _ => None,
        })
    }

    /// A map of labels of its own, all of which must be printed.
    fn item(&self, choices: &[Sequence], value: &Value) -> Option<String> {
        let fields = value.as_map()?;
        let printed = self.choice(choices, fields)?;
        (printed.labels == fields.len()).then_some(printed.text)
    }

    /// The choice that prints most labels, the first of equals.
    fn choice(&self, choices: &[Sequence], args: &Fields) -> Option<PrintedWords> {
        let fitting = choices
            .iter()
            .filter_map(|choice| self.sequence(choice, args));
        fitting.fold(None, |best: Option<PrintedWords>, next| match best {
            Some(best) if best.labels >= next.labels => Some(best),
            _ => Some(next),
        })
    }

    fn slot(&self, slot: Slot, value: &Value) -> Option<String> {
        let names = self.vocabulary;
        match slot {
            Slot::Pieces => self.pieces(value),
            Slot::Piece => name(&names.own, value),
            Slot::Names => listed(names.roster(), value, ", "),
            Slot::Space => name(&names.spaces, value),
            Slot::Spaces => listed(&names.spaces, value, ", "),
            Slot::Path => listed(&names.spaces, value, " - "),
            Slot::Formation => name(&names.formations, value),
            Slot::Formations => listed(&names.formations, value, ", "),
            Slot::Road | Slot::Side => listed(&names.spaces, value, "-"),
            Slot::Nation => name(&names.nations, value),
            Slot::Nations => listed(&names.nations, value, ", "),
            Slot::Text => value.as_text().map(str::to_owned),
            Slot::Int => value.as_int().map(|number| number.to_string()),
            Slot::Ratio => value.as_int().map(ratio),
            Slot::Topic => self.topic(value),
            Slot::Topics => {
                let topics: Option<Vec<_>> =
                    value.as_list()?.iter().map(|v| self.topic(v)).collect();
                topics.map(|topics| topics.join(", "))
            }
            Slot::Group => {
                let keyword = self.grammar.groups.get(value.as_text()?)?;
                Some(self.grammar.keywords.shown(keyword, self.lang).to_owned())
            }
        }
    }

    fn pieces(&self, value: &Value) -> Option<String> {
        let (own, word) = (&self.vocabulary.own, |id| {
            self.grammar.keywords.shown(id, self.lang)
        });
        if let Some(list) = value.get("list") {
            return listed(own, list, ", ");
        }
        value.get("all")?;
        let mut text = word("ALL").to_owned();
        if let Some(space) = value.get("at").filter(|space| **space != Value::Null) {
            text += &format!(" {} {}", word("AT"), name(&self.vocabulary.spaces, space)?);
        }
        if let Some(except) = value.get("except")
            && !except.as_list()?.is_empty()
        {
            text += &format!(" {} {}", word("EXCEPT"), listed(own, except, ", ")?);
        }
        Some(text)
    }

    fn topic(&self, value: &Value) -> Option<String> {
        let topic = self.grammar.topics.get(value.as_text()?)?;
        let keyword = topic.keyword.as_deref()?;
        Some(self.grammar.keywords.shown(keyword, self.lang).to_owned())
    }
}

fn name(names: &NameIndex, value: &Value) -> Option<String> {
    names.shown(value.as_text()?).map(str::to_owned)
}

fn listed(names: &NameIndex, value: &Value, between: &str) -> Option<String> {
    let list: Option<Vec<_>> = value.as_list()?.iter().map(|v| name(names, v)).collect();
    list.filter(|list| !list.is_empty())
        .map(|list| list.join(between))
}

/// Parts per thousand as odds where they are plain ones (`2:1`, `3:2`, `1:3`), else as a decimal
/// number.
fn ratio(ratio: i64) -> String {
    let over = |under: i64| ratio.saturating_mul(under).saturating_add(999) / 1000;
    let plain = (1..=PLAIN).find(|under| over(*under) * 1000 / under == ratio);
    if let Some(under) = plain.filter(|_| ratio > 0) {
        return format!("{}:{under}", over(under));
    }
    let text = format!("{}.{:03}", ratio / 1000, (ratio % 1000).abs());
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
