//! Matching forms against the tokens of a line.
//!
//! A choice takes the alternative that reaches farthest, or the first of equals. Where forms may
//! begin with a slot, what is optional is also tried as left out, in a bounded number of tries;
//! there is no other backtracking, so the time is bounded by the length of the line times the size
//! of the form. The failure that got farthest is kept for the diagnostic.

use super::{
    grammar::{Grammar, OrderForm},
    pattern::{Node, Repeat, Sequence, Slot, plain_keywords},
    token::{LineToken, Sign},
    vocabulary::Vocabulary,
};
use crate::value::{Fields, Value};

/// How often in a line something optional is tried as left out.
const MOST_TRIES: usize = 500;
/// How many small words in a row are passed over.
const MOST_SMALL: usize = 4;

/// A word or slot that could have stood where a form failed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Candidate {
    /// A keyword by its id.
    Keyword(String),
    /// A sign.
    Sign(Sign),
    /// A number of the form.
    Number(i64),
    /// A value of a slot.
    Slot(Slot),
    /// One more name of a list.
    More(Slot),
}

/// A reason that is more than "something else was expected".
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MatchRefusal {
    /// Key of the host's words.
    pub reason: &'static str,
    /// Its arguments.
    pub args: Fields,
    /// First and last token (exclusive) that it is about.
    pub span: (usize, usize),
    /// What could be written instead.
    pub candidates: Vec<String>,
}

/// The failure that got farthest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct MatchFailure {
    /// The token that could not be taken.
    pub reach: usize,
    /// What could have stood there.
    pub expected: Vec<Candidate>,
    /// A special reason.
    pub refusal: Option<MatchRefusal>,
}

/// Reads one order's tokens.
pub(super) struct Matcher<'a> {
    pub grammar: &'a Grammar,
    pub names: &'a Vocabulary,
    pub tokens: &'a [LineToken],
    /// True if a name after a blank may be spelt like a keyword: the second try at a line that
    /// can't be read otherwise.
    pub keywords_are_names: bool,
    /// The line as written, if an order may end in a text.
    pub text: Option<&'a str>,
    /// True if AT after ALL belongs to the form and not to the list: the third try.
    pub all_is_alone: bool,
    /// How often something optional may still be tried as left out.
    tries: usize,
    pub failure: MatchFailure,
}

impl<'a> Matcher<'a> {
    pub fn new(grammar: &'a Grammar, names: &'a Vocabulary, tokens: &'a [LineToken]) -> Self {
        Self {
            grammar,
            names,
            tokens,
            keywords_are_names: false,
            text: None,
            all_is_alone: false,
            tries: if grammar.is_open { MOST_TRIES } else { 0 },
            failure: MatchFailure::default(),
        }
    }

    /// The first of the forms that takes all tokens from `at` on.
    pub fn whole(&mut self, forms: &[OrderForm], at: usize) -> Option<Fields> {
        forms.iter().find_map(|form| {
            let mut args = Fields::new();
            let end = self.sequence(&form.nodes, at, &mut args)?;
            self.end(end).then_some(args)
        })
    }

    /// The form that takes most tokens from `at` on, with the place after them.
    pub fn longest(&mut self, forms: &[OrderForm], at: usize) -> Option<(Fields, usize)> {
        farthest(forms.iter().filter_map(|form| {
            let mut args = Fields::new();
            let end = self.sequence(&form.nodes, at, &mut args)?;
            Some((args, end))
        }))
    }

    /// Returns true if the line ends here; otherwise notes the rest as too much.
    fn end(&mut self, at: usize) -> bool {
        let ended = at == self.tokens.len();
        if ended || at + self.small_words(at) == self.tokens.len() {
            return true;
        }
        self.reached(at);
        false
    }

    /// How many small words stand at a place, which mean nothing.
    fn small_words(&self, at: usize) -> usize {
        let rest = self.tokens.iter().skip(at).take(MOST_SMALL);
        let small = |token: &&LineToken| token.word().is_some_and(|it| self.grammar.is_small(it));
        rest.take_while(small).count()
    }

    fn sequence(&mut self, nodes: &[Node], mut at: usize, args: &mut Fields) -> Option<usize> {
        for (index, node) in nodes.iter().enumerate() {
            if let Node::Optional(choices) = node
                && self.tries > 0
                && let Some((mut found, next)) = self.chosen(choices, at)
            {
                self.tries -= 1;
                let rest = nodes.get(index + 1..).unwrap_or_default();
                if let Some(end) = self.sequence(rest, next, &mut found) {
                    args.extend(found);
                    return Some(end);
                }
            } else {
                at = self.node(node, at, args)?;
            }
        }
        Some(at)
    }

    /// What stands at a place, or behind small words there.
    fn node(&mut self, node: &Node, at: usize, args: &mut Fields) -> Option<usize> {
        let mut found = Fields::new();
        let taken = self.node_at(node, at, &mut found).or_else(|| {
            let small = self.small_words(at);
            (1..=small).find_map(|small| self.node_at(node, at + small, &mut found))
        })?;
        args.extend(found);
        Some(taken)
    }

    fn node_at(&mut self, node: &Node, at: usize, args: &mut Fields) -> Option<usize> {
        match node {
            Node::Keyword { id, label } => {
                let next = self.keyword(id, at)?;
                if let Some(label) = label {
                    args.insert(label.clone(), true.into());
                }
                Some(next)
            }
            Node::Sign(sign) => self.sign_or_like(*sign, at),
            Node::Number(number) => {
                let word = self.tokens.get(at).and_then(LineToken::word);
                let taken = word.is_some_and(|word| word.parse() == Ok(*number));
                if !taken {
                    self.expected(at, Candidate::Number(*number));
                }
                taken.then_some(at + 1)
            }
            Node::Slot { label, slot } => {
                let (value, next) = self.slot(*slot, at)?;
                args.insert(label.clone(), value);
                Some(next)
            }
            Node::Constant { label, value } => {
                args.insert(label.clone(), value.clone());
                Some(at)
            }
            Node::Optional(choices) => Some(self.choice(choices, at, args).unwrap_or(at)),
            Node::Group {
                label,
                choices,
                repeat,
            } => self.group(label.as_deref(), choices, *repeat, at, args),
        }
    }

    fn group(
        &mut self,
        label: Option<&str>,
        choices: &[Sequence],
        repeat: Repeat,
        at: usize,
        args: &mut Fields,
    ) -> Option<usize> {
        let (least, listed) = match repeat {
            Repeat::Once => return self.single(label, choices, at, args),
            Repeat::Some { listed } => (1, listed),
            Repeat::Any { listed } => (0, listed),
        };
        let (mut items, mut end) = (Vec::new(), at);
        loop {
            let start = match items.is_empty() || !listed {
                true => end,
                false => self.separator(end).unwrap_or(end),
            };
            let mut item = Fields::new();
            match self.choice(choices, start, &mut item) {
                Some(next) if next > start => {
                    items.push(Value::Map(item));
                    end = next;
                }
                _ => break,
            }
        }
        if items.len() < least {
            return None;
        }
        if let Some(label) = label {
            args.insert(label.to_owned(), Value::List(items));
        }
        Some(end)
    }

    fn single(
        &mut self,
        label: Option<&str>,
        choices: &[Sequence],
        at: usize,
        args: &mut Fields,
    ) -> Option<usize> {
        let Some(label) = label else {
            return self.choice(choices, at, args);
        };
        if !plain_keywords(choices) {
            let mut inner = Fields::new();
            let next = self.choice(choices, at, &mut inner)?;
            args.insert(label.to_owned(), Value::Map(inner));
            return Some(next);
        }
        let (id, next) = farthest(choices.iter().filter_map(|choice| match choice.first() {
            Some(Node::Keyword { id, .. }) => Some((id, self.keyword(id, at)?)),
            _ => None,
        }))?;
        args.insert(label.to_owned(), id.to_lowercase().into());
        Some(next)
    }

    fn choice(&mut self, choices: &[Sequence], at: usize, args: &mut Fields) -> Option<usize> {
        let (found, next) = self.chosen(choices, at)?;
        args.extend(found);
        Some(next)
    }

    fn chosen(&mut self, choices: &[Sequence], at: usize) -> Option<(Fields, usize)> {
        farthest(choices.iter().filter_map(|choice| {
            let mut found = Fields::new();
            let next = self.sequence(choice, at, &mut found)?;
            Some((found, next))
        }))
    }

    /// A keyword at a place; notes that it was expected if it is not there. An arrow will do for
    /// TO, and a slash may join it to the word before.
    pub fn keyword(&mut self, id: &str, at: usize) -> Option<usize> {
        let start = at + usize::from(self.is_joint(at));
        match self.grammar.keywords.matches(id, self.tokens, start) {
            Some(length) => Some(start + length),
            None if id == "TO" && self.is_arrow(at) => Some(at + 1),
            None => {
                self.expected(at, Candidate::Keyword(id.to_owned()));
                None
            }
        }
    }

    /// Returns true if a slash joins the words before and behind it.
    fn is_joint(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|at| self.tokens.get(at));
        let ends = |a: &LineToken, b: &LineToken| a.end == b.start && b.word().is_some();
        let slash = self.tokens.get(at).filter(|token| token.is(Sign::Slash));
        slash.is_some_and(|slash| {
            before.is_some_and(|before| before.word().is_some() && before.end == slash.start)
                && self
                    .tokens
                    .get(at + 1)
                    .is_some_and(|next| ends(slash, next))
        })
    }

    /// A sign at a place.
    pub fn sign(&mut self, sign: Sign, at: usize) -> Option<usize> {
        let taken = self.is_sign(sign, at);
        if !taken {
            self.expected(at, Candidate::Sign(sign));
        }
        taken.then_some(at + 1)
    }

    /// A sign of a form, or what people write for it: an arrow or TO for a colon, an arrow or a
    /// dash between two things, and a plain dash for all of them.
    pub fn sign_or_like(&mut self, sign: Sign, at: usize) -> Option<usize> {
        if !matches!(sign, Sign::Colon | Sign::Arrow | Sign::Dash) || self.is_sign(sign, at) {
            return self.sign(sign, at);
        }
        if self.is_sign(Sign::Dash, at) || self.is_arrow(at) {
            return Some(at + 1);
        }
        match self.grammar.keywords.matches("TO", self.tokens, at) {
            Some(length) => Some(at + length),
            None => self.sign(sign, at),
        }
    }

    /// Returns true if `->`, `→` or a lone `>` stands at a place.
    pub fn is_arrow(&self, at: usize) -> bool {
        self.is_sign(Sign::Arrow, at) || self.is_sign(Sign::More, at)
    }

    /// Returns true if this sign stands at a place.
    pub fn is_sign(&self, sign: Sign, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is(sign))
    }

    /// What separates the items of a list: `,` `+` `&` AND. Never expected aloud.
    pub fn separator(&self, at: usize) -> Option<usize> {
        let token = self.tokens.get(at)?;
        if token.is(Sign::Comma) || token.is(Sign::Plus) || token.is(Sign::Ampersand) {
            return Some(at + 1);
        }
        let length = self.grammar.keywords.matches("AND", self.tokens, at)?;
        Some(at + length)
    }

    /// Notes that something was expected at a place.
    pub fn expected(&mut self, at: usize, expected: Candidate) {
        if self.reached(at) && !self.failure.expected.contains(&expected) {
            self.failure.expected.push(expected);
        }
    }

    /// Notes a special reason at a place. The first at the farthest place stays.
    pub fn refuse(&mut self, at: usize, refusal: MatchRefusal) {
        if self.reached(at) && self.failure.refusal.is_none() {
            self.failure.refusal = Some(refusal);
        }
    }

    /// Moves the farthest failure to `at`; false when another got farther.
    fn reached(&mut self, at: usize) -> bool {
        if at > self.failure.reach {
            self.failure = MatchFailure {
                reach: at,
                ..MatchFailure::default()
            };
        }
        at == self.failure.reach
    }
}

/// The candidate that ends farthest, or the first of equals.
pub(super) fn farthest<T>(found: impl Iterator<Item = (T, usize)>) -> Option<(T, usize)> {
    found.fold(None, |best, next| match best {
        Some((_, end)) if end >= next.1 => best,
        _ => Some(next),
    })
}
