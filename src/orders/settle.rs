//! Settling which lines of a mail are its orders: rejoins lines that a mail program broke, and
//! leaves out words before the first order and after the last.

use super::{
    Diagnostic, Expect, MAX_CHARS, NOT_AN_OPTION, OrderLine, Reading,
    diagnose::Scene,
    grammar::Grammar,
    matcher::Candidate,
    near::{has_order_words, is_heading, is_nearly_order, is_way, may_go_on},
    read::{ASKED, DOUBTFUL, first_words, is_marked, read, read_alone, without_bullet},
    token::{LineToken, Sign, tokens},
    vocabulary::Vocabulary,
};

/// The limits for a line that a mail program broke, in characters: with the first word of the next
/// line it is longer than the least width of programs, and by itself not longer than the greatest.
const BROKEN: (usize, usize) = (60, 100);
/// What ends with one of these goes on below.
const OPEN: [char; 8] = [',', '-', '–', '—', '→', ':', '+', '&'];
/// How many lines one order may have been broken into.
const MOST_PIECES: usize = 6;
/// How many lines are tried together with those below them.
const MOST_TRIES: usize = 200;
/// How many lines above the first order, and below the last, may be no orders. All others count as
/// wrong.
const MOST_PROSE: usize = 100;

/// The words of a mail that are orders, or were meant to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettledWords {
    /// Their text, one order a line.
    pub text: String,
    /// The lines around them that are no orders.
    pub prose: Vec<String>,
}

/// Settles which lines of a text with this `reading` are orders; none if it is nothing but orders
/// as it stands.
#[must_use]
pub fn settle(
    grammar: &Grammar,
    vocabulary: &Vocabulary,
    expect: &Expect<'_>,
    text: &str,
    reading: &Reading,
) -> Option<SettledWords> {
    reading.wrong().next()?;

    let settler = Settler {
        grammar,
        vocabulary,
        expect,
        leads: first_words(grammar),
    };
    let joined = settler.joined(text, reading);
    let again = joined
        .as_ref()
        .map(|text| read(grammar, vocabulary, expect, text));
    let whole = joined.as_deref().unwrap_or(text);
    let prose = settler.prose(whole, again.as_ref().unwrap_or(reading));
    if joined.is_none() && prose.is_empty() {
        return None;
    }
    let is_prose = |index: &usize| prose.binary_search(&(index + 1)).is_ok();
    let (out, kept): (Vec<_>, Vec<_>) =
        (whole.lines().enumerate()).partition(|(index, _)| is_prose(index));
    let is_full = |(_, line): &(usize, &str)| !line.trim().is_empty();
    let first = kept.iter().position(is_full).unwrap_or(kept.len());
    let end = kept
        .iter()
        .rposition(is_full)
        .map_or(first, |last| last + 1);
    let kept = kept.get(first..end).unwrap_or_default();
    Some(SettledWords {
        text: kept.iter().map(|(_, line)| format!("{line}\n")).collect(),
        prose: out.iter().map(|(_, line)| line.trim().to_owned()).collect(),
    })
}

/// What a line is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LineSort {
    /// Nothing: blank, or a comment.
    Nothing,
    /// A part of it at least is an order or a command.
    Order,
    /// No part of it can be read.
    Wrong,
}

struct Settler<'a> {
    grammar: &'a Grammar,
    vocabulary: &'a Vocabulary,
    expect: &'a Expect<'a>,
    leads: Vec<Candidate>,
}

impl<'a> Settler<'a> {
    /// The text with broken lines put together; none if there are none.
    fn joined(&self, text: &str, reading: &Reading) -> Option<String> {
        let lines: Vec<&str> = text.lines().collect();
        let sorts = sorts(lines.len(), reading);
        let sort = |at: usize| sorts.get(at).copied().unwrap_or(LineSort::Nothing);
        let (mut joined, mut at, mut tries) = (Vec::new(), 0, 0);
        let mut changed = false;
        while let Some(line) = lines.get(at) {
            let broken = match sort(at) {
                LineSort::Nothing => false,
                LineSort::Order => sort(at + 1) == LineSort::Wrong,
                LineSort::Wrong => sort(at + 1) != LineSort::Nothing,
            };
            let guards = broken && self.is_open_guard(line, lines.get(at + 1));
            let goes_on = guards || broken && is_broken(line, lines.get(at + 1));
            let whole = if goes_on && tries < MOST_TRIES {
                tries += 1;
                let whole = self.whole(&lines, at, sort);
                whole.filter(|(_, next)| !guards || self.ends_guard(&lines, *next, sort))
            } else {
                None
            };
            match whole {
                Some((order, next)) => {
                    joined.push(order);
                    (at, changed) = (next, true);
                }
                None => {
                    joined.push((*line).to_owned());
                    at += 1;
                }
            }
        }
        changed.then(|| joined.iter().map(|line| format!("{line}\n")).collect())
    }

    /// The order that the line at a place makes with those below it, and the place behind them.
    fn whole(
        &self,
        lines: &[&str],
        start: usize,
        sort: impl Fn(usize) -> LineSort,
    ) -> Option<(String, usize)> {
        let mut order = lines.get(start)?.trim_end().to_owned();
        let mut found = None;
        for at in start + 1..start + MOST_PIECES {
            let above = lines.get(at - 1)?;
            let guards = at == start + 1 && self.is_open_guard(above, lines.get(at));
            let goes_on = guards || is_broken(above, lines.get(at));
            let ends = sort(at) == LineSort::Nothing || !goes_on;
            if ends || found.is_some() && sort(at) != LineSort::Wrong {
                break;
            }
            order.push(' ');
            order.push_str(lines.get(at)?.trim());
            if order.chars().count() > MAX_CHARS {
                break;
            }
            if self.is_order(&order) {
                found = Some((order.clone(), at + 1));
            }
        }
        found
    }

    /// Returns true if a line ends with THEN or ELSE, or the next one begins with THEN: the order
    /// stands below.
    fn is_open_guard(&self, line: &str, next: Option<&&str>) -> bool {
        let words = tokens(line);
        let known = &self.grammar.keywords;
        let ends_with = |id: &str| {
            let length = |at: usize| known.matches(id, &words, at);
            (0..words.len()).any(|at| length(at).is_some_and(|length| at + length == words.len()))
        };
        ends_with("THEN")
            || ends_with("ELSE")
            || next.is_some_and(|next| self.begins_with(next, "THEN"))
    }

    /// Returns true if nothing more can be meant to stand under a guard: below it there is its END,
    /// or nothing, or its ELSE with one order and then END or nothing. One branch has one order,
    /// and a second one must not slip out.
    fn ends_guard(&self, lines: &[&str], next: usize, sort: impl Fn(usize) -> LineSort) -> bool {
        let full = |from: usize| (from..lines.len()).find(|at| sort(*at) != LineSort::Nothing);
        let leads = |at: usize, id| (lines.get(at)).is_some_and(|line| self.begins_with(line, id));
        let Some(below) = full(next) else {
            return true;
        };
        if !leads(below, "ELSE") {
            return leads(below, "END");
        }
        let order = match lines.get(below) {
            Some(line) if self.is_open_guard(line, None) => full(below + 1).unwrap_or(below),
            _ => below,
        };
        full(order + 1).is_none_or(|last| leads(last, "END"))
    }

    fn begins_with(&self, line: &str, id: &str) -> bool {
        let words = tokens(line);
        self.grammar.keywords.matches(id, &words, 0).is_some()
    }

    /// Returns true if a line that stands alone, or behind an ELSE, is read from end to end.
    fn is_order(&self, line: &str) -> bool {
        let words = tokens(line);
        let behind_else = (self.grammar.keywords.matches("ELSE", &words, 0))
            .and_then(|length| words.get(length))
            .map_or(0, |token| token.start);
        let alone: String = line.chars().skip(behind_else).collect();
        let reading = read_alone(self.grammar, self.vocabulary, self.expect, &alone);
        !reading.lines.is_empty() && reading.wrong().next().is_none()
    }

    /// The numbers of the lines around the orders that are no orders, in order.
    fn prose(&self, text: &str, reading: &Reading) -> Vec<usize> {
        let lines: Vec<&str> = text.lines().collect();
        let sorts = sorts(lines.len(), reading);
        let sort = |number: usize| (number.checked_sub(1)).and_then(|at| sorts.get(at));
        let line = |number: usize| (number.checked_sub(1)).and_then(|at| lines.get(at));
        let is_meant = |number: usize| match sort(number) {
            Some(LineSort::Order) => true,
            Some(LineSort::Wrong) => line(number).is_some_and(|line| !self.is_prose(line, false)),
            Some(LineSort::Nothing) | None => false,
        };
        let goes_on = |number: usize| {
            let above = line(number - 1).filter(|above| is_broken(above, line(number)));
            above.is_some() && is_meant(number - 1)
        };
        // "Combats:" above a list of names is no title: together they were meant as an order.
        let is_title = |number: usize| line(number).is_some_and(|it| self.is_all(it, is_heading));
        let is_names = |number: usize| line(number).is_some_and(|it| self.is_all(it, is_way));
        let full = |number: &usize| sort(*number) != Some(&LineSort::Nothing);
        let is_list = |number: usize| {
            let above = (1..number).rev().find(full);
            let below = (number + 1..=lines.len()).find(full);
            is_title(number) && below.is_some_and(is_names)
                || is_names(number) && above.is_some_and(is_title)
        };
        let is_prose = |number: usize| {
            sort(number) == Some(&LineSort::Wrong)
                && line(number).is_some_and(|line| self.is_prose(line, goes_on(number)))
                && !is_list(number)
                && !of_line(reading, number).any(is_certain)
        };
        let numbers = sorts.iter().zip(1..);
        let written = numbers.filter(|(sort, _)| **sort != LineSort::Nothing);
        let written: Vec<usize> = written.map(|(_, number)| number).collect();
        let before = written.iter().take(MOST_PROSE);
        let before: Vec<usize> = before.take_while(|at| is_prose(**at)).copied().collect();
        let rest = written.get(before.len()..).unwrap_or_default();
        let after = rest.iter().rev().take(MOST_PROSE);
        let mut after: Vec<usize> = after.take_while(|at| is_prose(**at)).copied().collect();
        after.reverse();
        [before, after].concat()
    }

    /// Returns true if a whole line passes a test.
    fn is_all(&self, line: &str, test: impl Fn(&Scene<'_>, &[Candidate]) -> bool) -> bool {
        let text: String = line.trim().chars().take(MAX_CHARS).collect();
        let all = tokens(&text);
        let tokens = without_bullet(&text, &all, self.expect);
        test(&self.scene(&text, tokens), &self.leads)
    }

    fn scene<'s>(&self, text: &'s str, tokens: &'s [LineToken]) -> Scene<'s>
    where
        'a: 's,
    {
        Scene {
            grammar: self.grammar,
            names: self.vocabulary,
            lang: self.expect.lang,
            line: 0,
            text,
            tokens,
            suggest: false,
        }
    }

    /// Returns true if no part of a line is nearly an order.
    fn is_prose(&self, line: &str, goes_on: bool) -> bool {
        let text: String = line.trim().chars().take(MAX_CHARS).collect();
        let all = tokens(&text);
        let listed = without_bullet(&text, &all, self.expect);
        let is_bulleted = listed.len() < all.len();
        let mut parts = listed.split(|token| token.is(Sign::Semicolon));
        parts.all(|part| {
            let scene = self.scene(&text, part);
            let is_meant = self.is_answer(&scene)
                || is_nearly_order(&scene, &self.leads)
                || is_bulleted && is_way(&scene, &self.leads)
                || goes_on && may_go_on(&scene, &self.leads);
            !is_meant
        })
    }

    /// Returns true if a line begins with the number of a question: any number where questions are
    /// asked, and else one that words of orders follow. A time of day is none.
    fn is_answer(&self, scene: &Scene<'_>) -> bool {
        let is_number = |at: usize| {
            let word = scene.tokens.get(at).and_then(|token| token.word());
            word.is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_digit()))
        };
        let is_sign = |at: usize| {
            let token = scene.tokens.get(at);
            token.is_some_and(|token| token.is(Sign::Colon) || token.is(Sign::Dash))
        };
        let marked = is_sign(1) || is_marked(scene.text, scene.tokens, 0);
        if !is_number(0) || !marked || is_number(1 + usize::from(is_sign(1))) {
            return false;
        }
        !self.expect.questions.is_empty() || is_sign(1) && has_order_words(scene, &self.leads)
    }
}

fn sorts(count: usize, reading: &Reading) -> Vec<LineSort> {
    let mut sorts = vec![LineSort::Nothing; count];
    for (number, line) in &reading.lines {
        let Some(sort) = number.checked_sub(1).and_then(|at| sorts.get_mut(at)) else {
            continue;
        };
        let is_wrong = matches!(line, OrderLine::Wrong(_)) && *sort != LineSort::Order;
        *sort = if is_wrong {
            LineSort::Wrong
        } else {
            LineSort::Order
        };
    }
    sorts
}

fn of_line(reading: &Reading, number: usize) -> impl Iterator<Item = &Diagnostic> {
    reading.wrong().filter(move |wrong| wrong.line == number)
}

/// Returns true if a line is no order, but certainly not prose: the mail has too many lines, or the
/// words were read from end to end and refused.
fn is_certain(wrong: &Diagnostic) -> bool {
    let refused = [NOT_AN_OPTION, ASKED, DOUBTFUL];
    wrong.text.is_empty() || refused.contains(&wrong.reason.as_str())
}

/// Returns true if a mail program would break a line before the next one, or if it ends with a sign
/// after which an order goes on.
fn is_broken(line: &str, next: Option<&&str>) -> bool {
    let line = line.trim_end();
    let length = line.chars().count();
    let word = next.and_then(|next| next.split_whitespace().next());
    let Some(word) = word.filter(|_| !line.contains('#') && length <= BROKEN.1) else {
        return false;
    };
    line.ends_with(OPEN) || length + 1 + word.chars().count() >= BROKEN.0
}
