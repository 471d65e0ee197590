//! From the farthest failure to a diagnostic: where, why, and the nearest spellings that the seat
//! may know.

use super::{
    Diagnostic,
    grammar::Grammar,
    matcher::{Candidate, MatchFailure, MatchRefusal},
    names::{NameIndex, NameMatch},
    pattern::Slot,
    token::{LineToken, Sign},
    vocabulary::Vocabulary,
};
use crate::{
    game::Lang,
    value::{Fields, Value},
};

/// How near a spelling must be to be suggested, 1 for equal.
const NEAR: f64 = 0.6;
/// Suggestions for one line.
const MOST: usize = 3;
/// Words that are compared as one name.
const WORDS: usize = 4;

/// One order's place in a mail, and everything needed to say what is wrong with it.
pub(super) struct Scene<'a> {
    pub grammar: &'a Grammar,
    pub names: &'a Vocabulary,
    pub lang: Lang,
    /// The line's number in the mail.
    pub line: usize,
    /// The line as written.
    pub text: &'a str,
    /// The tokens of this order; a line may hold several.
    pub tokens: &'a [LineToken],
    /// True if suggestions are wanted; they take time.
    pub suggest: bool,
}

impl Scene<'_> {
    /// A diagnostic about some tokens, or about the end of the order when there are none.
    pub fn wrong(&self, reason: &str, args: Fields, tokens: (usize, usize)) -> Diagnostic {
        let chars = self.text.chars().count();
        let start = match self.tokens.get(tokens.0) {
            Some(token) => token.start,
            None => self.tokens.last().map_or(0, |token| token.end),
        };
        let last = tokens.1.checked_sub(1).and_then(|at| self.tokens.get(at));
        let end = last.map_or(start, |token| token.end).max(start);
        Diagnostic {
            line: self.line,
            text: self.text.to_owned(),
            span: (start.min(chars), end.min(chars)),
            reason: reason.to_owned(),
            args,
            suggestions: Vec::new(),
        }
    }

    /// What is wrong with an order whose farthest failure this is.
    pub fn failed(&self, failure: MatchFailure) -> Diagnostic {
        if let Some(refusal) = failure.refusal {
            return self.refused(refusal);
        }
        let at = failure.reach;
        let wants = |expected: Candidate| failure.expected.contains(&expected);
        let end = self.unknown_words(at);
        let suggestions = self.suggestions(at, end, &failure.expected);
        let keyword = suggestions.first().is_some_and(|(_, keyword)| *keyword);
        let ends = at >= self.tokens.len();
        let only_a_colon = failure.expected.len() == 1 && wants(Candidate::Sign(Sign::Colon));
        let reason = if ends && only_a_colon {
            "colon_and_more"
        } else if ends {
            "too_short"
        } else if wants(Candidate::Sign(Sign::Colon)) && suggestions.is_empty() {
            "missing_colon"
        } else {
            // A nation may be left out before a place: then it is the place that is not known.
            let mut slots = failure.expected.iter().filter_map(unknown);
            let place = slots.clone().find(|slot| *slot != "unknown_nation");
            let slot = place.or_else(|| slots.next());
            slot.filter(|_| !keyword && end > at)
                .unwrap_or("unexpected")
        };
        let word = self.written(at, end.max(at + 1));
        let args = Fields::from([
            ("word".to_owned(), word.into()),
            ("expected".to_owned(), self.expected(&failure.expected)),
        ]);
        let mut found = self.wrong(reason, args, (at, end.max(at + 1)));
        if reason == "missing_colon" {
            found.span.1 = found.span.0;
        }
        found.suggestions = suggestions.into_iter().map(|(text, _)| text).collect();
        found
    }

    /// An order that begins with neither a verb nor a command.
    pub fn unknown_order(&self, at: usize, leads: &[Candidate]) -> Diagnostic {
        let args = Fields::from([("word".to_owned(), self.written(at, at + 1).into())]);
        let mut found = self.wrong("unknown_order", args, (at, at + 1));
        let best = self.suggestions(at, self.unknown_words(at), leads);
        found.suggestions = best.into_iter().map(|(text, _)| text).collect();
        found
    }

    fn refused(&self, refusal: MatchRefusal) -> Diagnostic {
        let mut args = refusal.args;
        let (from, to) = refusal.span;
        args.entry("word".to_owned())
            .or_insert_with(|| self.written(from, to).into());
        let mut found = self.wrong(refusal.reason, args, refusal.span);
        found.suggestions = refusal.candidates;
        found
    }

    /// The player's own words.
    pub fn written(&self, from: usize, to: usize) -> String {
        let start = self.tokens.get(from).map_or(0, |token| token.start);
        let last = to.checked_sub(1).and_then(|at| self.tokens.get(at));
        let end = last.map_or(start, |token| token.end);
        let length = end.saturating_sub(start);
        self.text.chars().skip(start).take(length).collect()
    }

    /// The marks between the last word of this order and the next order or the comment of its line.
    pub fn behind(&self) -> String {
        let end = self.tokens.last().map_or(0, |token| token.end);
        let rest = self.text.chars().skip(end);
        rest.take_while(|c| !matches!(c, '#' | ';') && !c.is_alphanumeric())
            .collect()
    }

    /// The end of the words from `at` on that are neither keywords nor known names.
    fn unknown_words(&self, at: usize) -> usize {
        let known = |at: usize| {
            let lists = [&*self.names.spaces, &self.names.own, &self.names.seen];
            self.grammar.keywords.any_at(self.tokens, at)
                || lists
                    .iter()
                    .any(|names| names.find(self.tokens, at, 0) != NameMatch::Nothing)
        };
        let is_word = |at: usize| self.tokens.get(at).and_then(LineToken::word).is_some();
        let mut end = at;
        while end < at + WORDS && is_word(end) && (end == at || !known(end)) {
            end += 1;
        }
        end
    }

    /// The nearest printed spellings among what was expected, best first, and whether they are
    /// keywords.
    fn suggestions(&self, at: usize, end: usize, expected: &[Candidate]) -> Vec<(String, bool)> {
        if !self.suggest || end <= at {
            return Vec::new();
        }
        let words = self.tokens.get(at..end).unwrap_or_default();
        let words: Vec<&str> = words.iter().filter_map(LineToken::word).collect();
        let written = [words.join(" "), words.first().unwrap_or(&"").to_string()];
        let mut scored: Vec<(f64, String, bool)> = Vec::new();
        let mut consider = |shown: &str, spelling: &str, keyword: bool| {
            let near = written.iter().map(|text| nearness(text, spelling));
            let best = near.fold(0.0, f64::max);
            if best < NEAR {
                return;
            }
            match scored.iter_mut().find(|(_, text, _)| text == shown) {
                Some(known) => known.0 = known.0.max(best),
                None => scored.push((best, shown.to_owned(), keyword)),
            }
        };
        for expected in expected {
            match expected {
                Candidate::Keyword(id) => {
                    let shown = self.grammar.keywords.shown(id, self.lang);
                    for spelling in self.grammar.keywords.spellings(id) {
                        consider(shown, &spelling, true);
                    }
                }
                Candidate::Slot(slot) | Candidate::More(slot) => {
                    for names in self.suggested(*slot) {
                        for (shown, spelling) in names.spellings() {
                            consider(shown, &spelling, false);
                        }
                    }
                }
                Candidate::Sign(_) | Candidate::Number(_) => {}
            }
        }
        scored.sort_by(|a, b| b.0.total_cmp(&a.0));
        scored.truncate(MOST);
        scored
            .into_iter()
            .map(|(_, text, keyword)| (text, keyword))
            .collect()
    }

    /// Names that may be suggested for a slot: only what the seat knows, even where more is
    /// accepted.
    fn suggested(&self, slot: Slot) -> Vec<&NameIndex> {
        match slot {
            Slot::Pieces | Slot::Piece => vec![&self.names.own],
            Slot::Names => vec![&self.names.own, &self.names.seen],
            Slot::Space | Slot::Spaces | Slot::Path | Slot::Road | Slot::Side => {
                vec![&self.names.spaces]
            }
            Slot::Formation | Slot::Formations => vec![&self.names.formations],
            Slot::Nation | Slot::Nations => vec![&self.names.nations],
            Slot::Int | Slot::Ratio | Slot::Topic | Slot::Topics | Slot::Group | Slot::Text => {
                Vec::new()
            }
        }
    }

    /// The expected alternatives, as an argument: texts for words and signs, `{slot: ...}` for
    /// values.
    fn expected(&self, expected: &[Candidate]) -> Value {
        let values = expected.iter().map(|expected| match expected {
            Candidate::Keyword(id) => self.grammar.keywords.shown(id, self.lang).into(),
            Candidate::Sign(sign) => sign.text().into(),
            Candidate::Number(number) => number.to_string().into(),
            Candidate::Slot(slot) | Candidate::More(slot) => {
                Value::Map(Fields::from([("slot".to_owned(), slot.name().into())]))
            }
        });
        Value::List(values.collect())
    }
}

/// The reason for a word that is no value of a slot.
fn unknown(expected: &Candidate) -> Option<&'static str> {
    match expected {
        Candidate::Slot(Slot::Pieces | Slot::Piece) => Some("unknown_piece"),
        Candidate::Slot(Slot::Names) => Some("unknown_name"),
        Candidate::Slot(Slot::Space | Slot::Spaces | Slot::Path | Slot::Road | Slot::Side) => {
            Some("unknown_space")
        }
        Candidate::Slot(Slot::Formation | Slot::Formations) => Some("unknown_formation"),
        Candidate::Slot(Slot::Nation | Slot::Nations) => Some("unknown_nation"),
        Candidate::Slot(Slot::Int | Slot::Ratio) => Some("no_number"),
        _ => None,
    }
}

/// How near two folded spellings are. A beginning counts as near: "ro" is an incomplete name, not a
/// wrong one.
fn nearness(written: &str, spelling: &str) -> f64 {
    if written.chars().count() >= 2 && spelling.starts_with(written) {
        return 0.95;
    }
    // Lengths alone tell of most that they are far off, at a fraction of the price.
    let (one, other) = (written.chars().count(), spelling.chars().count());
    let (shorter, longer) = (one.min(other), one.max(other));
    if (shorter as f64) < NEAR * longer as f64 {
        return 0.0;
    }
    strsim::normalized_damerau_levenshtein(written, spelling)
}
