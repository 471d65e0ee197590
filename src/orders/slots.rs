//! The slots of forms: names, lists, ways, numbers.

use super::{
    matcher::{Candidate, MatchRefusal, Matcher},
    names::{NameIndex, NameMatch},
    pattern::Slot,
    token::{LineToken, Sign},
    vocabulary::LONGEST_NAME,
};
use crate::{
    value::{Fields, Value},
    visible::is_unseen,
};

/// How many characters of a text are passed on.
const LONGEST_TEXT: usize = 500;
/// The longest word in such a text, in characters: too short for the digest of a register entry.
const LONGEST_WORD: usize = 40;
/// How many names one list may have.
const LONGEST_LIST: usize = 200;
/// The largest whole number in an order.
const LARGEST: i64 = 1_000_000;

type Read<T> = Option<(T, usize)>;

impl<'a> Matcher<'a> {
    /// The value of a slot at a place, and the place after it.
    pub(super) fn slot(&mut self, slot: Slot, at: usize) -> Read<Value> {
        match slot {
            Slot::Pieces => self.pieces(at),
            Slot::Piece | Slot::Space | Slot::Formation | Slot::Nation => self.text(slot, at),
            Slot::Names | Slot::Spaces | Slot::Formations | Slot::Nations => {
                self.list(slot, at).map(listed)
            }
            Slot::Path => self.path(at).map(listed),
            Slot::Road => self.road(at).map(listed),
            Slot::Side => self.side(at).map(listed),
            Slot::Int => self.int(at),
            Slot::Ratio => self.ratio(at),
            Slot::Topic => self.topic(at).map(|(id, next)| (id.into(), next)),
            Slot::Topics => self.items(at, Self::topic, |_, _| None).map(listed),
            Slot::Group => self.standing_group(at),
            Slot::Text => self.free_text(at),
        }
    }

    /// Everything that is written from a place on.
    fn free_text(&mut self, at: usize) -> Read<Value> {
        let before = at.checked_sub(1).and_then(|at| self.tokens.get(at));
        let start = before.map_or(0, |token| token.end);
        let rest: String = self.text.unwrap_or_default().chars().skip(start).collect();
        let text = passed_on(&rest);
        if text.is_empty() {
            self.expected(at, Candidate::Slot(Slot::Text));
            return None;
        }
        if text.chars().count() > LONGEST_TEXT {
            let most = i64::try_from(LONGEST_TEXT).unwrap_or(i64::MAX);
            let refusal = MatchRefusal {
                args: Fields::from([("most".to_owned(), most.into())]),
                ..refusal("text_too_long", (at, self.tokens.len()))
            };
            self.refuse(at, refusal);
            return None;
        }
        Some((text.into(), self.tokens.len()))
    }

    fn text(&mut self, slot: Slot, at: usize) -> Read<Value> {
        self.name(slot, at).map(|(id, next)| (id.into(), next))
    }

    /// Names with list separators between. A blank is enough before a name that is written out and
    /// no keyword.
    fn list(&mut self, slot: Slot, at: usize) -> Read<Vec<String>> {
        self.items(at, |m, at| m.name(slot, at), |m, at| m.joined(slot, at))
    }

    /// A name after a blank: written out, and no keyword if the line can be read that way. Reports
    /// words that begin several names.
    fn joined(&mut self, slot: Slot, at: usize) -> Read<String> {
        let keyword = self.grammar.keywords.any_at(self.tokens, at);
        let word = self.tokens.get(at).and_then(LineToken::word);
        if word.is_none() || keyword && !self.keywords_are_names {
            return None;
        }
        let names = self.names_of(slot);
        if let NameMatch::One { id, length } = names.find(self.tokens, at, 0) {
            return Some((id.to_owned(), at + length));
        }
        if keyword || self.names.spaces.find(self.tokens, at, 0) != NameMatch::Nothing {
            return None;
        }
        if let NameMatch::Many { names, length } = names.find(self.tokens, at, self.abbreviable(at))
        {
            self.refuse(at, ambiguous(&names, (at, at + length)));
        }
        self.expected(at, Candidate::More(slot));
        None
    }

    /// How many words from a place on may abbreviate a name: up to the next keyword.
    fn abbreviable(&self, at: usize) -> usize {
        (at..at + LONGEST_NAME)
            .take_while(|at| !self.grammar.keywords.any_at(self.tokens, *at))
            .count()
    }

    /// Items with list separators between, or such as `joined` reads without one.
    fn items(
        &mut self,
        at: usize,
        read: impl Fn(&mut Self, usize) -> Read<String>,
        joined: impl Fn(&mut Self, usize) -> Read<String>,
    ) -> Read<Vec<String>> {
        let (first, mut end) = read(self, at)?;
        let mut list = vec![first];
        while let Some((id, next)) = match self.separator(end) {
            Some(next) => read(self, next),
            None => joined(self, end),
        } {
            if list.len() == LONGEST_LIST {
                self.refuse(next, refusal("list_too_long", (at, next)).arg("most", 200));
                return None;
            }
            list.push(id);
            end = next;
        }
        Some((list, end))
    }

    /// `A, B` or `ALL [AT space] [EXCEPT names]`.
    fn pieces(&mut self, at: usize) -> Read<Value> {
        let own_name = matches!(
            self.names.own.find(self.tokens, at, 0),
            NameMatch::One { .. }
        );
        let all = if own_name {
            None
        } else {
            self.keyword("ALL", at)
        };
        let Some(mut end) = all else {
            let (list, end) = self.list(Slot::Pieces, at)?;
            let value = Fields::from([("list".to_owned(), texts(list))]);
            return Some((Value::Map(value), end));
        };
        let (mut place, mut except) = (Value::Null, Vec::new());
        if !self.all_is_alone
            && let Some((space, next)) = self
                .keyword("AT", end)
                .and_then(|next| self.name(Slot::Space, next))
        {
            place = space.into();
            end = next;
        }
        if let Some((list, next)) = self
            .keyword("EXCEPT", end)
            .and_then(|next| self.list(Slot::Pieces, next))
        {
            except = list;
            end = next;
        }
        let value = Fields::from([
            ("all".to_owned(), true.into()),
            ("at".to_owned(), place),
            ("except".to_owned(), texts(except)),
        ]);
        Some((Value::Map(value), end))
    }

    /// Spaces joined by dashes, arrows or blanks. After a blank, a keyword is not taken for a name
    /// if the line can be read that way.
    fn path(&mut self, at: usize) -> Read<Vec<String>> {
        let dash = |m: &Self, at| m.is_sign(Sign::Dash, at) || m.is_arrow(at);
        let start = at + usize::from(dash(self, at));
        let (first, mut end) = self.name(Slot::Space, start)?;
        let mut spaces = vec![first];
        loop {
            let joined = dash(self, end);
            if end == self.tokens.len() || !joined && self.ends_way(end) {
                break;
            }
            let Some((id, next)) = self.name(Slot::Space, end + usize::from(joined)) else {
                break;
            };
            spaces.push(id);
            end = next;
        }
        Some((spaces, end))
    }

    /// Returns true if a blank is followed by a keyword that no space is spelt like.
    fn ends_way(&self, at: usize) -> bool {
        let named = || self.names.spaces.find(self.tokens, at, 0) != NameMatch::Nothing;
        self.grammar.keywords.any_at(self.tokens, at) && !(self.keywords_are_names && named())
    }

    /// `A-B`, a road of the map.
    fn road(&mut self, at: usize) -> Read<Vec<String>> {
        let (a, middle) = self.name(Slot::Space, at)?;
        let middle = self.sign_or_like(Sign::Dash, middle)?;
        let (b, end) = self.name(Slot::Space, middle)?;
        if self.names.is_road(&a, &b) {
            return Some((vec![a, b], end));
        }
        let shown = |id: &str| self.names.spaces.shown(id).unwrap_or_default().to_owned();
        let candidates = self
            .names
            .neighbours(&a)
            .map(|other| format!("{}-{}", shown(&a), shown(other)))
            .collect();
        let wrong = MatchRefusal {
            candidates,
            ..refusal("no_road", (at, end))
                .arg("a", shown(&a))
                .arg("b", shown(&b))
        };
        self.refuse(end, wrong);
        None
    }

    /// `A-B`, two neighbours.
    fn side(&mut self, at: usize) -> Read<Vec<String>> {
        let (a, middle) = self.name(Slot::Side, at)?;
        let middle = self.sign_or_like(Sign::Dash, middle)?;
        let (b, end) = self.name(Slot::Side, middle)?;
        if self.names.adjoin(&a, &b) {
            return Some((vec![a, b], end));
        }
        let shown = |id: &str| self.names.spaces.shown(id).unwrap_or_default().to_owned();
        let wrong = refusal("no_side", (at, end))
            .arg("a", shown(&a))
            .arg("b", shown(&b));
        self.refuse(end, wrong);
        None
    }

    fn int(&mut self, at: usize) -> Read<Value> {
        match self.number(at) {
            Some(number) => Some((number.into(), at + 1)),
            None => {
                self.expected(at, Candidate::Slot(Slot::Int));
                None
            }
        }
    }

    /// `0.7`, `0,7`, `7/10`, `7:10` or a whole number, in parts per thousand.
    fn ratio(&mut self, at: usize) -> Read<Value> {
        let found = self.fraction(at).or_else(|| {
            let word = self.tokens.get(at)?.word()?;
            let (whole, decimals) = word.split_once('.').unwrap_or((word, ""));
            Some((thousandths(whole, decimals)?, at + 1))
        });
        if found.is_none() {
            self.expected(at, Candidate::Slot(Slot::Ratio));
        }
        found.map(|(ratio, next)| (ratio.into(), next))
    }

    fn fraction(&self, at: usize) -> Read<i64> {
        let (before, sign, after) = (
            self.tokens.get(at)?,
            self.tokens.get(at + 1)?,
            self.tokens.get(at + 2)?,
        );
        let joined = before.end == sign.start && sign.end == after.start;
        if sign.is(Sign::Slash) || sign.is(Sign::Colon) && joined {
            let (over, under) = (self.number(at)?, self.number(at + 2)?);
            let ratio = over.checked_mul(1000)?.checked_div(under)?;
            return Some((ratio, at + 3));
        }
        if sign.is(Sign::Comma) && joined {
            return Some((thousandths(before.word()?, after.word()?)?, at + 3));
        }
        None
    }

    fn number(&self, at: usize) -> Option<i64> {
        let word = self.tokens.get(at).and_then(LineToken::word)?;
        word.parse().ok().filter(|n| (0..=LARGEST).contains(n))
    }

    fn topic(&mut self, at: usize) -> Read<String> {
        let grammar = self.grammar;
        grammar.topics.iter().find_map(|(id, topic)| {
            let next = self.keyword(topic.keyword.as_deref()?, at)?;
            Some((id.clone(), next))
        })
    }

    fn standing_group(&mut self, at: usize) -> Read<Value> {
        let grammar = self.grammar;
        grammar.groups.iter().find_map(|(group, keyword)| {
            let next = self.keyword(keyword, at)?;
            Some((group.as_str().into(), next))
        })
    }

    /// One name of the sort that a slot takes. A keyword is never taken for an abbreviated name.
    fn name(&mut self, slot: Slot, at: usize) -> Read<String> {
        let names = self.names_of(slot);
        match names.find(self.tokens, at, self.abbreviable(at)) {
            NameMatch::One { id, length } if !self.names_another(slot, at, (id, length)) => {
                Some((id.to_owned(), at + length))
            }
            NameMatch::Many { names, length } => {
                self.refuse(at, ambiguous(&names, (at, at + length)));
                None
            }
            NameMatch::One { .. } | NameMatch::Nothing => {
                self.refuse_foreign(slot, at);
                self.expected(at, Candidate::Slot(slot));
                None
            }
        }
    }

    /// Returns true if the abbreviation of an own piece is the whole name of somebody else's.
    fn names_another(&self, slot: Slot, at: usize, (id, length): (&str, usize)) -> bool {
        let whole = |names: &NameIndex| match names.find(self.tokens, at, 0) {
            NameMatch::One { id, length } => Some((id.to_owned(), length)),
            _ => None,
        };
        matches!(slot, Slot::Piece | Slot::Pieces)
            && whole(&self.names.own).is_none()
            && whole(self.names.roster()).is_some_and(|other| other.0 != id && other.1 >= length)
    }

    /// A name that the seat knows, of the wrong sort: somebody else's piece that it has seen, or a
    /// space.
    fn refuse_foreign(&mut self, slot: Slot, at: usize) {
        if !matches!(slot, Slot::Pieces | Slot::Piece) {
            return;
        }
        let vocabulary = self.names;
        let known = [
            ("not_yours", &vocabulary.seen),
            ("is_a_space", &*vocabulary.spaces),
        ];
        for (reason, names) in known {
            if let NameMatch::One { id, length, .. } = names.find(self.tokens, at, 0) {
                let name = names.shown(id).unwrap_or_default().to_owned();
                self.refuse(at, refusal(reason, (at, at + length)).arg("name", name));
            }
        }
    }

    /// The names that a slot accepts.
    fn names_of(&self, slot: Slot) -> &'a NameIndex {
        match slot {
            Slot::Pieces | Slot::Piece => &self.names.own,
            Slot::Names => self.names.roster(),
            Slot::Formation | Slot::Formations => &self.names.formations,
            Slot::Nation | Slot::Nations => &self.names.nations,
            _ => &self.names.spaces,
        }
    }
}

impl MatchRefusal {
    fn arg(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.args.insert(name.to_owned(), value.into());
        self
    }
}

fn refusal(reason: &'static str, span: (usize, usize)) -> MatchRefusal {
    MatchRefusal {
        reason,
        args: Fields::new(),
        span,
        candidates: Vec::new(),
    }
}

/// A player's text as others may read it: one line without invisible characters, and without words
/// long enough to be taken for a line of the host.
fn passed_on(text: &str) -> String {
    let seen = |c: char| {
        if is_unseen(c) || c.is_whitespace() {
            ' '
        } else {
            c
        }
    };
    let text: String = text
        .trim_start_matches([':', ' '])
        .chars()
        .map(seen)
        .collect();
    let words = text.split_ascii_whitespace().flat_map(|word| {
        let letters: Vec<char> = word.chars().collect();
        let parts = letters.chunks(LONGEST_WORD).map(String::from_iter);
        parts.collect::<Vec<_>>()
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Words that several names begin with.
fn ambiguous(names: &[&str], span: (usize, usize)) -> MatchRefusal {
    MatchRefusal {
        candidates: names.iter().map(|name| (*name).to_owned()).collect(),
        ..refusal("ambiguous", span)
    }
}

fn listed((ids, next): (Vec<String>, usize)) -> (Value, usize) {
    (texts(ids), next)
}

fn texts(ids: Vec<String>) -> Value {
    Value::List(ids.into_iter().map(Value::from).collect())
}

/// A decimal number in parts per thousand; smaller parts are cut off.
fn thousandths(whole: &str, decimals: &str) -> Option<i64> {
    let whole: i64 = whole.parse().ok().filter(|n| (0..=LARGEST).contains(n))?;
    let digits: String = decimals.chars().chain("000".chars()).take(3).collect();
    let parts: i64 = digits.parse().ok()?;
    Some(whole * 1000 + parts)
}
