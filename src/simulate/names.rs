//! Which pieces a text names.

use std::collections::{BTreeSet, HashMap};

use crate::{game::Game, ids::PieceId};

/// The names of a game's pieces, and what else bears such names: places, formations, the game's own
/// words.
pub(super) struct SecretNames {
    /// By the first word, looked up and never gone through; of those that begin alike the longest
    /// first.
    terms: HashMap<String, Vec<Term>>,
    /// Pieces that the game's own words name to every reader.
    pub in_words: BTreeSet<PieceId>,
    /// Pieces that an opening letter names: the game's description, the examples of orders.
    pub in_opening: BTreeSet<PieceId>,
}

/// A name: its words, and the piece that it means if it means one.
struct Term {
    words: Vec<String>,
    piece: Option<PieceId>,
}

impl SecretNames {
    pub fn of(game: &Game) -> Self {
        let mut names = Self {
            terms: HashMap::new(),
            in_words: BTreeSet::new(),
            in_opening: BTreeSet::new(),
        };
        for space in &game.map.map().spaces {
            space.spellings().for_each(|name| names.add(name, None));
        }
        for text in game.text.values() {
            text.formations
                .values()
                .for_each(|name| names.add(name, None));
        }
        for piece in &game.forces.pieces {
            names.add(&piece.name, Some(&piece.id));
            for name in piece.names.values() {
                names.add(name, Some(&piece.id));
                // As a sentence begins with it.
                let mut letters = name.chars();
                let first = letters.next().into_iter().flat_map(char::to_uppercase);
                names.add(&first.chain(letters).collect::<String>(), Some(&piece.id));
            }
        }
        for text in game.text.values() {
            let groups = [
                &text.events,
                &text.modifiers,
                &text.remarks,
                &text.facts,
                &text.levels,
                &text.dice,
            ];
            let words = groups.into_iter().flat_map(|group| group.values());
            let asked = text
                .topics
                .values()
                .flat_map(|topic| [&topic.question, &topic.answer]);
            for words in words.chain(asked) {
                let found = names.mentioned(words);
                names.in_words.extend(found);
            }
            let about = game.decl.about.values();
            let about = about
                .chain(text.scenarios.values())
                .chain(text.options.values());
            let glossary = (text.glossary.iter()).flat_map(|(word, meaning)| [word, meaning]);
            let primers = text.primers.values().flat_map(|primer| primer.values());
            for words in about.chain(glossary).chain(primers) {
                let found = names.mentioned(words);
                names.in_opening.extend(found);
            }
            for example in text.verbs.values().flat_map(|verb| &verb.examples) {
                let found = names.mentioned(example);
                names.in_opening.extend(found);
            }
        }
        names
    }

    /// Adds a name. One that means a piece and something else too tells nothing of the piece.
    fn add(&mut self, name: &str, piece: Option<&PieceId>) {
        let words: Vec<String> = words(name).map(str::to_owned).collect();
        let Some(first) = words.first() else { return };
        let terms = self.terms.entry(first.clone()).or_default();
        match terms.iter_mut().find(|term| term.words == words) {
            Some(term) if term.piece.as_ref() != piece => term.piece = None,
            Some(_) => {}
            None => {
                let piece = piece.cloned();
                terms.push(Term { words, piece });
                terms.sort_by_key(|term| std::cmp::Reverse(term.words.len()));
            }
        }
    }

    /// The pieces that HTML names, where an apostrophe is an entity whose letters are no word of a
    /// name.
    pub fn mentioned_in_html(&self, html: &str) -> BTreeSet<PieceId> {
        self.mentioned(&html.replace("&#x27;", "'"))
    }

    /// The pieces that a text names. Of names that begin at the same word the longest counts.
    pub fn mentioned(&self, text: &str) -> BTreeSet<PieceId> {
        let words: Vec<&str> = words(text).collect();
        let mut found = BTreeSet::new();
        let mut rest = words.as_slice();
        while let Some(first) = rest.first() {
            let terms = self.terms.get(*first).into_iter().flatten();
            let term = terms.into_iter().find(|term| {
                rest.iter()
                    .zip(&term.words)
                    .filter(|(a, b)| *a == b)
                    .count()
                    == term.words.len()
            });
            rest = &rest[term.map_or(1, |term| term.words.len())..];
            if rest.first() != Some(&CUT) {
                found.extend(term.and_then(|term| term.piece.clone()));
            }
        }
        found
    }
}

/// Where a line was cut short: the name before it may go on, and the word behind it goes on with
/// nothing (`line 8`, and then `...Var`).
const CUT: &str = "...";

/// An empty line, beyond which no name goes (`Strength: 21`, and the heading after it), nor beyond
/// the end of an order (`2 | HOLD Guns`, and the remark below it).
const PARAGRAPH: &str = "\n\n";

/// What stands before the words of an order.
const ORDER: char = '|';

/// Returns true if an order ends between two words of a text, by all that comes before and what
/// stands between them.
fn is_end_of_order(before: &str, between: &str) -> bool {
    if !between.contains('\n') || between.contains(ORDER) {
        return false;
    }
    let line = before.rsplit('\n').next().unwrap_or(before);
    let start = line
        .trim_start()
        .trim_start_matches(|c: char| c.is_ascii_digit());
    start.trim_start().starts_with(ORDER)
}

/// Returns true for a character that separates two names.
fn is_stop(c: char) -> bool {
    matches!(c, ',' | ';')
}

/// The words of a text, commas and semicolons among them, since no name goes beyond one ("radius 4;
/// North"). The last word where a line was cut short is none but `...` (`MOVE ST...`,
/// `MOVE Horse Guns ...`), nor is the number of a line one (`2 | MOVE`).
fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            let from = rest.trim_start_matches(|c: char| !c.is_alphanumeric() && !is_stop(c));
            let (before, _) = text.split_at(text.len() - rest.len());
            let (between, _) = rest.split_at(rest.len() - from.len());
            let ends = between.contains(PARAGRAPH) || between.contains(CUT);
            if ends || is_end_of_order(before, between) {
                rest = from;
                return Some(PARAGRAPH);
            }
            let end = if from.starts_with(is_stop) {
                Some(1)
            } else {
                from.find(|c: char| !c.is_alphanumeric())
            };
            let (word, behind) = from.split_at(end.unwrap_or(from.len()));
            rest = behind;
            if let Some(behind) = behind.trim_start_matches(' ').strip_prefix(CUT) {
                rest = behind;
                return Some(CUT);
            }
            let number = behind.starts_with(" |") && word.bytes().all(|byte| byte.is_ascii_digit());
            if word.is_empty() || word.starts_with(is_stop) || !number {
                return (!word.is_empty()).then_some(word);
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::{SecretNames, words};
    use crate::ids::PieceId;
    use std::collections::{BTreeSet, HashMap};

    #[test]
    fn no_name_goes_beyond_a_comma_or_a_semicolon() {
        let found: Vec<_> = words("Ada (radius 4); North, 5").collect();
        assert_eq!(found, ["Ada", "radius", "4", ";", "North", ",", "5"]);
    }

    #[test]
    fn the_rest_of_a_cut_word_is_no_word() {
        let found: Vec<_> = words("MOVE 23 Cmp: TO North ST... and so on").collect();
        assert_eq!(
            found,
            ["MOVE", "23", "Cmp", "TO", "North", "...", "and", "so", "on"]
        );
        let found: Vec<_> = words("MOVE Horse Guns ... HOLD").collect();
        assert_eq!(found, ["MOVE", "Horse", "...", "HOLD"]);
    }

    #[test]
    fn a_name_that_was_cut_short_may_be_another() {
        let piece = PieceId::from;
        let mut names = SecretNames {
            terms: HashMap::new(),
            in_words: BTreeSet::new(),
            in_opening: BTreeSet::new(),
        };
        names.add("Guns", Some(&piece("blue_guns")));
        names.add("Guns 2", Some(&piece("red_guns_2")));
        let guns = BTreeSet::from([piece("blue_guns")]);
        assert_eq!(names.mentioned("HOLD Guns"), guns);
        assert_eq!(names.mentioned("HOLD Guns 2..."), BTreeSet::new());
        assert_eq!(names.mentioned("HOLD Guns 2... HOLD Guns"), guns);
    }

    #[test]
    fn an_apostrophe_in_html_does_not_cut_a_name() {
        let mut names = SecretNames {
            terms: HashMap::new(),
            in_words: BTreeSet::new(),
            in_opening: BTreeSet::new(),
        };
        names.add("Guns", Some(&PieceId::from("blue_guns")));
        names.add("Guns of l'Est", Some(&PieceId::from("red_guns")));
        let red = BTreeSet::from([PieceId::from("red_guns")]);
        assert_eq!(names.mentioned_in_html("<li>Guns of l&#x27;Est</li>"), red);
    }

    #[test]
    fn no_name_goes_beyond_an_empty_line() {
        let found: Vec<_> = words("Strength: 21\n\n-- L'ennemi").collect();
        assert_eq!(found, ["Strength", "21", "\n\n", "L", "ennemi"]);
    }

    #[test]
    fn no_name_goes_beyond_the_end_of_an_order() {
        let found: Vec<_> = words("  2 | HOLD Guns\n      2 Guns hold").collect();
        assert_eq!(found, ["HOLD", "Guns", "\n\n", "2", "Guns", "hold"]);
        let found: Vec<_> = words("    | HOLD Horse\n    | Guns").collect();
        assert_eq!(found, ["HOLD", "Horse", "Guns"]);
        // What may be answered goes on in the next line.
        let found: Vec<_> = words("Possible: A | Horse\n  Guns | B").collect();
        assert_eq!(found, ["Possible", "A", "Horse", "Guns", "B"]);
    }

    #[test]
    fn the_number_of_a_line_does_not_go_on_with_the_rest_of_a_word() {
        let found: Vec<_> = words("line 8\n    | ...Var, Guns").collect();
        assert_eq!(found, ["line", "8", "\n\n", "Var", ",", "Guns"]);
    }

    #[test]
    fn the_number_of_a_line_is_no_part_of_a_name() {
        let found: Vec<_> = words("1 | MOVE Guns\n  2 | HOLD Guns 2").collect();
        assert_eq!(found, ["MOVE", "Guns", "\n\n", "HOLD", "Guns", "2"]);
    }
}
