//! What else a line may mean: names of which several begin so, names with a slip of the pen, a
//! keyword written to the name before it (`StPsc`). The rules' checks say which of these readings
//! makes sense.

use super::{
    Command, Expect, OrderLine,
    grammar::Grammar,
    names::NameMatch,
    read::{MAX_CHARS, read},
    token::{LineToken, Sign, tokens},
    vocabulary::Vocabulary,
};

/// The most tokens of a line that is read in other ways.
const MOST_TOKENS: usize = 24;
/// The most places of a line where something else may be meant.
const MOST_PLACES: usize = 4;
/// The most ways in which a line is read; one that may mean more is not guessed.
const MOST_WAYS: usize = 96;
/// Words of fewer letters are too near to each other for slips of the pen.
const SHORTEST: usize = 4;

/// A place of a line, in characters, with what may be meant there.
struct Meanings {
    span: (usize, usize),
    texts: Vec<String>,
    /// True if what stands there is no name as it stands.
    slip: bool,
}

/// The orders, and answers that name one of the options, that a line may be besides what it is as
/// it stands, each once: with at most one slip of the pen. None where all orders begin with a
/// keyword.
#[must_use]
pub fn other_readings(
    grammar: &Grammar,
    names: &Vocabulary,
    expect: &Expect<'_>,
    line: &str,
) -> Vec<OrderLine> {
    if !grammar.is_open || line.chars().count() > MAX_CHARS {
        return Vec::new();
    }
    let all = tokens(line);
    if all.len() > MOST_TOKENS {
        return Vec::new();
    }
    let places = meanings(grammar, names, &all);
    let mut ways: Vec<(Vec<Option<&str>>, bool)> = vec![(Vec::new(), false)];
    for place in &places {
        let mut next = Vec::new();
        for (way, slipped) in &ways {
            let texts = place.texts.iter().map(|text| Some(text.as_str()));
            for text in [None].into_iter().chain(texts) {
                let slips = place.slip && text.is_some();
                if slips && *slipped {
                    continue;
                }
                let mut way = way.clone();
                way.push(text);
                next.push((way, *slipped || slips));
            }
        }
        if next.len() > MOST_WAYS {
            // Of the ways that are left out one might be meant as well.
            return Vec::new();
        }
        ways = next;
    }
    let mut found: Vec<OrderLine> = Vec::new();
    let changed = |way: &Vec<Option<&str>>| way.iter().any(Option::is_some);
    for (way, _) in ways.iter().filter(|(way, _)| changed(way)) {
        let text = written(line, &places, way);
        let reading = read(grammar, names, expect, &text);
        if let [(_, line)] = reading.lines.as_slice()
            && may_be_meant(expect, line)
            && !found.iter().any(|known| is_same(known, line))
        {
            found.push(line.clone());
        }
    }
    found
}

/// Returns true if a line is an order, or an answer that the options allow: without options nobody
/// says which of several answers makes sense.
fn may_be_meant(expect: &Expect<'_>, line: &OrderLine) -> bool {
    match line {
        OrderLine::Order(_) => true,
        OrderLine::Command(Command::Answer { question, .. }) => {
            let mut asked = expect.questions.iter();
            asked.any(|asked| asked.number == *question && !asked.options.is_empty())
        }
        OrderLine::Command(_) | OrderLine::Wrong(_) => false,
    }
}

/// Returns true if two lines mean the same.
fn is_same(known: &OrderLine, line: &OrderLine) -> bool {
    match (known, line) {
        (OrderLine::Order(known), OrderLine::Order(order)) => {
            known.verb == order.verb && known.args == order.args
        }
        _ => known == line,
    }
}

/// A line with other texts at some of its places.
fn written(line: &str, places: &[Meanings], way: &[Option<&str>]) -> String {
    let chars: Vec<char> = line.chars().collect();
    let part = |from: usize, to: usize| chars.iter().take(to).skip(from).collect::<String>();
    let (mut text, mut at) = (String::new(), 0);
    for (place, instead) in places.iter().zip(way) {
        let (start, end) = place.span;
        text.push_str(&part(at, start));
        match instead {
            Some(instead) => text.push_str(instead),
            None => text.push_str(&part(start, end)),
        }
        at = end;
    }
    text + &part(at, chars.len())
}

/// The places of a line where something else may be meant.
fn meanings(grammar: &Grammar, names: &Vocabulary, line: &[LineToken]) -> Vec<Meanings> {
    let mut places = Vec::new();
    let mut at = 0;
    while at < line.len() && places.len() < MOST_PLACES {
        let (length, found) = meanings_at(grammar, names, line, at);
        places.extend(found);
        at += length.max(1);
    }
    places
}

/// What may be meant at a place, and how many tokens that takes.
fn meanings_at(
    grammar: &Grammar,
    names: &Vocabulary,
    line: &[LineToken],
    at: usize,
) -> (usize, Option<Meanings>) {
    let spaces = &names.spaces;
    let Some(token) = line.get(at) else {
        return (1, None);
    };
    let Some(word) = token.word() else {
        return (1, None);
    };
    let shown = |ids: Vec<&str>| -> Vec<String> {
        let names = ids.into_iter().filter_map(|id| spaces.shown(id));
        names.map(str::to_owned).collect()
    };
    let place = |length: usize, texts: Vec<String>, slip: bool| {
        let last = line.get(at + length - 1).unwrap_or(token);
        let span = (token.start, last.end);
        let found = (!texts.is_empty()).then_some(Meanings { span, texts, slip });
        (length, found)
    };
    let keyword = grammar.keywords.any_at(line, at);
    let short = usize::from(!keyword);
    match spaces.find(line, at, short) {
        NameMatch::One { id, length } => {
            let mut others = spaces.begun_by(line, at, length);
            others.retain(|other| *other != id);
            place(length, shown(others), false)
        }
        NameMatch::Many { length, .. } => {
            place(length, shown(spaces.begun_by(line, at, length)), false)
        }
        NameMatch::Nothing if keyword || grammar.is_small(word) => (1, None),
        NameMatch::Nothing => {
            let parted = parted(grammar, names, word);
            if !parted.is_empty() {
                return place(1, parted, true);
            }
            // The longest name that is so near.
            let words = line.iter().skip(at).map_while(LineToken::word);
            let words: Vec<&str> = words.take(MOST_PLACES).collect();
            let near = (1..=words.len()).rev().find_map(|length| {
                let near = spaces.nearly(words.get(..length)?, SHORTEST);
                (!near.is_empty()).then_some((length, near))
            });
            match near {
                Some((length, near)) => place(length, shown(near), true),
                None => (1, None),
            }
        }
    }
}

/// A name with a keyword behind it in one word, parted.
fn parted(grammar: &Grammar, names: &Vocabulary, word: &str) -> Vec<String> {
    let cuts = word.char_indices().map(|(at, _)| at).filter(|at| *at > 1);
    let parts = cuts.map(|at| word.split_at(at));
    let texts = parts.filter_map(|(name, rest)| {
        let (name_tokens, rest_tokens) = (tokens(name), tokens(rest));
        let is_name = matches!(
            names.spaces.find(&name_tokens, 0, 0),
            NameMatch::One { length: 1, .. }
        );
        let no_sign = |token: &LineToken| !token.is(Sign::Dash);
        let behind = rest_tokens.len() == 1 && rest_tokens.iter().all(no_sign);
        let is_keyword = behind && grammar.keywords.any_at(&rest_tokens, 0) && rest.len() > 1;
        (is_name && is_keyword).then(|| format!("{name} {rest}"))
    });
    texts.collect()
}
