//! Sample orders that nobody has written: arguments for each choice in a form, and whether they
//! read back from their printed form.

use std::{
    cell::{OnceCell, RefCell},
    collections::BTreeMap,
    rc::Rc,
};

use super::{
    Command, Expect, Guard, Order, OrderLine, QuestionForm, Test,
    grammar::{Grammar, OrderForm},
    names::NameIndex,
    pattern::{Node, Repeat, Sequence, Slot, plain_keywords},
    print::{print, print_answer},
    read::read_alone,
    vocabulary::Vocabulary,
};
use crate::{
    game::Lang,
    value::{Fields, Value},
};

/// A thing that has forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormSubject<'a> {
    /// An order, by its verb.
    Verb(&'a str),
    /// The answer to a question, by its topic.
    Topic(&'a str),
    /// The condition of an order.
    Condition(&'a str),
}

impl FormSubject<'_> {
    /// Where it stands in game.yaml, below `orders`, and in the words.
    #[must_use]
    pub fn path(self) -> String {
        match self {
            Self::Verb(id) => format!("verbs.{id}"),
            Self::Topic(id) => format!("topics.{id}"),
            Self::Condition(id) => format!("conditions.{id}"),
        }
    }

    fn forms(self, grammar: &Grammar) -> &[OrderForm] {
        let forms = match self {
            Self::Verb(id) => grammar.verbs.get(id).map(|verb| &verb.forms),
            Self::Topic(id) => grammar.topics.get(id).map(|topic| &topic.forms),
            Self::Condition(id) => grammar.conditions.get(id),
        };
        forms.map_or(&[], Vec::as_slice)
    }
}

/// Everything that has forms in a grammar, with the number of its forms.
pub fn all_forms(grammar: &Grammar) -> impl Iterator<Item = (FormSubject<'_>, usize)> {
    let verbs = grammar.verbs.keys().map(|id| FormSubject::Verb(id));
    let topics = grammar.topics.keys().map(|id| FormSubject::Topic(id));
    let conditions = grammar
        .conditions
        .keys()
        .map(|id| FormSubject::Condition(id));
    let all = verbs.chain(topics).chain(conditions);
    all.flat_map(move |of| (0..of.forms(grammar).len()).map(move |number| (of, number)))
}

/// Chooses one of this many things at a place in a form. For a slot, its names come first in their
/// order, then lists of two of them.
pub type Choose<'a> = dyn FnMut(usize, Option<Slot>) -> usize + 'a;

/// The language and the names of a seat.
#[derive(Debug)]
pub struct Tongue<'a> {
    /// The order language.
    pub grammar: &'a Grammar,
    /// The names.
    pub names: &'a Vocabulary,
    /// The language that is printed.
    pub lang: Lang,
    /// The possible values of slots, listed once: every name is tried, and each try needs the whole
    /// list.
    values: RefCell<BTreeMap<Slot, Rc<[Value]>>>,
    plain_order: OnceCell<Option<(String, Fields)>>,
}

impl<'a> Tongue<'a> {
    /// A language with these names.
    #[must_use]
    pub fn new(grammar: &'a Grammar, names: &'a Vocabulary, lang: Lang) -> Self {
        Self {
            grammar,
            names,
            lang,
            values: RefCell::default(),
            plain_order: OnceCell::new(),
        }
    }
}

impl Tongue<'_> {
    /// Arguments for one of the forms; none if one of its slots has no possible name, or if it is
    /// an order of other sides.
    pub fn sample(
        &self,
        of: FormSubject<'_>,
        form: usize,
        choose: &mut Choose<'_>,
    ) -> Option<Fields> {
        if let FormSubject::Verb(id) = of
            && !self.names.is_of(&self.grammar.verbs.get(id)?.only)
        {
            return None;
        }
        let form = of.forms(self.grammar).get(form)?;
        let mut args = Fields::new();
        let sampler = Sampler {
            tongue: self,
            choose,
        };
        { sampler }.sequence(&form.nodes, &mut args)?;
        Some(args)
    }

    /// How arguments are printed.
    #[must_use]
    pub fn printed(&self, of: FormSubject<'_>, args: &Fields) -> String {
        match of {
            FormSubject::Topic(topic) => {
                let answer = print_answer(self.grammar, self.names, topic, args, self.lang);
                answer.unwrap_or_default()
            }
            _ => match self.order(of, args) {
                Some(order) => print(self.grammar, self.names, &order, self.lang),
                None => String::new(),
            },
        }
    }

    /// Returns true if the printed arguments read back as these arguments. If a form leaves open
    /// which of its parts takes what (`ALL AT Mill`, of pieces or of a place after them), it is
    /// enough that they name the same things, and read the same again.
    #[must_use]
    pub fn reads(&self, of: FormSubject<'_>, args: &Fields, printed: &str) -> bool {
        let Some(read) = self.read(of, printed) else {
            return false;
        };
        let again = || self.read(of, &self.printed(of, &read));
        read == *args || named(&read) == named(args) && again().as_ref() == Some(&read)
    }

    /// The arguments of a line that stands alone, if it is read and is what it should be.
    fn read(&self, of: FormSubject<'_>, text: &str) -> Option<Fields> {
        let mut questions = Vec::new();
        let mut text = text.to_owned();
        if let FormSubject::Topic(topic) = of {
            questions.push(QuestionForm::new(1, topic));
            text = format!("1: {text}");
        }
        let wanted = match of {
            FormSubject::Verb(verb) => Some(verb.to_owned()),
            FormSubject::Condition(_) => self.plain_order().map(|(verb, _)| verb),
            FormSubject::Topic(_) => None,
        };
        let verb = wanted.as_ref().and_then(|it| self.grammar.verbs.get(it));
        let phases = verb.iter().flat_map(|verb| &verb.phases);
        let phases: Vec<&str> = phases.map(String::as_str).collect();
        let expect = Expect {
            phases: &phases,
            questions: &questions,
            lang: self.lang,
        };
        let mut lines = read_alone(self.grammar, self.names, &expect, &text).lines;
        let (Some((_, line)), None) = (lines.pop(), lines.pop()) else {
            return None;
        };
        match (of, line) {
            (FormSubject::Verb(verb), OrderLine::Order(order)) => {
                (order.verb == verb && order.guard.is_none()).then_some(order.args)
            }
            (FormSubject::Condition(id), OrderLine::Order(order)) => match order.guard?.test {
                Test::Is { condition, args } => {
                    (condition == id && wanted == Some(order.verb)).then_some(args)
                }
                _ => None,
            },
            (FormSubject::Topic(id), OrderLine::Command(Command::Answer { topic, args, .. })) => {
                (topic == id).then_some(args)
            }
            _ => None,
        }
    }

    /// The first order that a condition may stand before.
    fn plain_order(&self) -> Option<(String, Fields)> {
        let find = || {
            self.grammar.verbs.iter().find_map(|(verb, decl)| {
                let takes = decl.opens.is_none() && !decl.standing;
                let first = || self.sample(FormSubject::Verb(verb), 0, &mut |_, _| 0);
                Some((verb.clone(), takes.then(first)??))
            })
        };
        self.plain_order.get_or_init(find).clone()
    }

    /// The order that the arguments make; under a condition the first that there is.
    fn order(&self, of: FormSubject<'_>, args: &Fields) -> Option<Order> {
        let order = |verb: &str, args: Fields, guard| Order {
            verb: verb.to_owned(),
            args,
            line: 0,
            text: String::new(),
            guard,
            block: None,
        };
        match of {
            FormSubject::Verb(verb) => Some(order(verb, args.clone(), None)),
            FormSubject::Topic(_) => None,
            FormSubject::Condition(condition) => {
                let (verb, given) = self.plain_order()?;
                let test = Test::Is {
                    condition: condition.to_owned(),
                    args: args.clone(),
                };
                let otherwise = Vec::new();
                Some(order(&verb, given, Some(Guard { test, otherwise })))
            }
        }
    }
}

struct Sampler<'a, 'c> {
    tongue: &'a Tongue<'a>,
    choose: &'a mut Choose<'c>,
}

impl Sampler<'_, '_> {
    fn one_of(&mut self, of: usize, slot: Option<Slot>) -> Option<usize> {
        let most = of.checked_sub(1)?;
        Some((self.choose)(of, slot).min(most))
    }

    fn sequence(&mut self, nodes: &[Node], args: &mut Fields) -> Option<()> {
        nodes.iter().try_for_each(|node| self.node(node, args))
    }

    fn choice(&mut self, choices: &[Sequence]) -> Option<Fields> {
        let chosen = self.one_of(choices.len(), None)?;
        let mut args = Fields::new();
        self.sequence(choices.get(chosen)?, &mut args)?;
        Some(args)
    }

    fn node(&mut self, node: &Node, args: &mut Fields) -> Option<()> {
        match node {
            Node::Keyword {
                label: Some(label), ..
            } => {
                args.insert(label.clone(), true.into());
            }
            Node::Keyword { label: None, .. } | Node::Sign(_) | Node::Number(_) => {}
            Node::Constant { label, value } => {
                args.insert(label.clone(), value.clone());
            }
            Node::Slot { label, slot } => {
                args.insert(label.clone(), self.slot(*slot)?);
            }
            Node::Optional(choices) => {
                let chosen = self.one_of(choices.len() + 1, None)?;
                let mut inner = Fields::new();
                if let Some(choice) = choices.get(chosen)
                    && self.sequence(choice, &mut inner).is_some()
                {
                    args.append(&mut inner);
                }
            }
            Node::Group {
                label,
                choices,
                repeat,
            } => {
                return self.group(label.as_deref(), choices, *repeat, args);
            }
        }
        Some(())
    }

    fn group(
        &mut self,
        label: Option<&str>,
        choices: &[Sequence],
        repeat: Repeat,
        args: &mut Fields,
    ) -> Option<()> {
        let value = match (label, repeat) {
            // An optional part that says nothing is not printed.
            (None, Repeat::Any { .. }) => return Some(()),
            (None, _) => {
                args.append(&mut self.choice(choices)?);
                return Some(());
            }
            (Some(_), Repeat::Once) if plain_keywords(choices) => {
                let chosen = self.one_of(choices.len(), None)?;
                match choices.get(chosen)?.first()? {
                    Node::Keyword { id, .. } => id.to_lowercase().into(),
                    _ => return None,
                }
            }
            (Some(_), Repeat::Once) => Value::Map(self.choice(choices)?),
            (Some(_), Repeat::Some { .. } | Repeat::Any { .. }) => {
                let items = self.one_of(2, None)? + 1;
                let items: Option<Vec<_>> = (0..items)
                    .map(|_| self.choice(choices).map(Value::Map))
                    .collect();
                Value::List(items?)
            }
        };
        args.insert(label?.to_owned(), value);
        Some(())
    }

    fn slot(&mut self, slot: Slot) -> Option<Value> {
        let listed = self.tongue.values.borrow().get(&slot).cloned();
        let values = listed.unwrap_or_else(|| {
            let values = Rc::from(self.values(slot));
            let mut listed = self.tongue.values.borrow_mut();
            Rc::clone(listed.entry(slot).or_insert(values))
        });
        let chosen = self.one_of(values.len(), Some(slot))?;
        values.get(chosen).cloned()
    }

    /// The possible values of a slot: for lists, each name alone, and each with the next one.
    fn values(&self, slot: Slot) -> Vec<Value> {
        let names = self.tongue.names;
        let grammar = self.tongue.grammar;
        let topics = || grammar.topics().map(str::to_owned).collect::<Vec<_>>();
        let plain = |ids: Vec<String>| ids.into_iter().map(Value::from).collect();
        match slot {
            Slot::Piece => plain(ids(&names.own)),
            Slot::Space => plain(names.sample_of_spaces()),
            Slot::Formation => plain(ids(&names.formations)),
            Slot::Topic => plain(topics()),
            Slot::Group => plain(grammar.groups().map(str::to_owned).collect()),
            Slot::Nation => plain(ids(&names.nations)),
            Slot::Nations => listed(&ids(&names.nations)),
            Slot::Names => listed(&ids(names.roster())),
            Slot::Spaces | Slot::Path => listed(&names.sample_of_spaces()),
            Slot::Formations => listed(&ids(&names.formations)),
            Slot::Topics => listed(&topics()),
            Slot::Pieces => self.pieces(),
            Slot::Road => names.sample_of_roads().map(pair).collect(),
            Slot::Side => names.sample_of_sides().map(pair).collect(),
            Slot::Int => [1, 2, 12].map(Value::Int).into(),
            Slot::Ratio => [1500, 700, 333, 2000].map(Value::Int).into(),
            Slot::Text => plain(vec!["12: to all, #1; on - on".to_owned()]),
        }
    }

    fn pieces(&self) -> Vec<Value> {
        let names = self.tongue.names;
        let own = ids(&names.own);
        let all = |at: Value, except: Value| {
            let fields = [("all", true.into()), ("at", at), ("except", except)];
            Value::Map(fields.map(|(name, value)| (name.to_owned(), value)).into())
        };
        let lists = listed(&own).into_iter();
        let mut found: Vec<_> = lists
            .map(|list| Value::Map(Fields::from([("list".to_owned(), list)])))
            .collect();
        let none = || Value::List(Vec::new());
        found.push(all(Value::Null, none()));
        if let Some(space) = names.sample_of_spaces().into_iter().next() {
            found.push(all(space.into(), none()));
        }
        if let Some(first) = own.into_iter().next() {
            found.push(all(Value::Null, Value::List(vec![first.into()])));
        }
        found
    }
}

/// All texts in arguments, in their order but for the labels'.
fn named(args: &Fields) -> Vec<&str> {
    let mut found = Vec::new();
    args.values().for_each(|value| texts(value, &mut found));
    found.sort_unstable();
    found
}

fn texts<'v>(value: &'v Value, found: &mut Vec<&'v str>) {
    match value {
        Value::Text(text) => found.push(text),
        Value::List(list) => list.iter().for_each(|item| texts(item, found)),
        Value::Map(fields) => fields.values().for_each(|item| texts(item, found)),
        Value::Null | Value::Bool(_) | Value::Int(_) => {}
    }
}

fn ids(names: &NameIndex) -> Vec<String> {
    names.ids().map(str::to_owned).collect()
}

fn pair([a, b]: [String; 2]) -> Value {
    Value::List(vec![a.into(), b.into()])
}

fn listed(ids: &[String]) -> Vec<Value> {
    let single = ids.iter().map(|id| Value::List(vec![id.as_str().into()]));
    let pairs = ids.windows(2).filter_map(|pair| match pair {
        [a, b] => Some(Value::List(vec![a.as_str().into(), b.as_str().into()])),
        _ => None,
    });
    single.chain(pairs).collect()
}
