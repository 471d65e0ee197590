//! Telling whether a line that is no order is nearly one, or just words around orders.
//!
//! When in doubt, it is nearly an order, and the player is told of a mistake: mistaking a greeting
//! for an order costs him a mail, but mistaking an order for a greeting costs him a turn.

use super::{
    diagnose::Scene,
    matcher::Candidate,
    names::{NameIndex, NameMatch},
    open::{self, WordCount},
    token::{LineToken, Sign},
};

/// Shorter words are too close to others, and occur in too many sentences.
const SHORTEST: usize = 4;
/// Words with at least this many letters may have two slips of the pen.
const LONG: usize = 6;
/// The most foreign words in a line that begins like an order.
const MOST_FOREIGN: usize = 2;
/// The most foreign words for each name in such a line.
const FOREIGN_PER_NAME: usize = 3;
/// How many tokens are looked at: an order shows itself at once.
const MOST_TOKENS: usize = 30;

/// What the words of a line are.
#[derive(Default)]
struct LineWords {
    /// Keywords that may begin an order, after the first word.
    leads: usize,
    /// Other keywords.
    keywords: usize,
    /// Own pieces and formations.
    own: usize,
    /// Other names.
    others: usize,
    /// Those of the names that have a slip, or are not written out.
    near: usize,
    /// Those of them that are no own pieces.
    near_others: usize,
    /// Numbers after the first word.
    numbers: usize,
    /// Words that are none of these.
    foreign: usize,
    /// Those of them that are nearly keywords, in a line that begins with a keyword.
    slips: usize,
    /// It begins with a keyword that may begin an order.
    begun: bool,
    /// A colon, an arrow, a comparison, or a dash, before the end of the line.
    signs: usize,
}

impl LineWords {
    fn names(&self) -> usize {
        self.own + self.others
    }
}

/// Returns true if a line that can't be read was likely meant as an order. `leads` are the keywords
/// that a line may begin with.
pub(super) fn is_nearly_order(scene: &Scene<'_>, leads: &[Candidate]) -> bool {
    let Some(first) = scene.tokens.first().and_then(LineToken::word) else {
        return false;
    };
    let words = line_words(scene, leads);
    if leads.iter().any(|lead| spells(scene, lead, 0)) {
        return !is_heading(scene, leads) && is_begun(scene, &words);
    }
    if open::begins_with_mark(scene, SHORTEST) {
        return !is_title(scene, &words, 1) && is_ahead_of_its_unit(scene, &words);
    }
    if leads.iter().any(|lead| is_slip(scene, lead, first)) {
        let is_long = scene.grammar.is_open && first.chars().count() >= LONG;
        let is_one = || is_long || leads.iter().any(|lead| is_whole(scene, lead, first));
        let alone = scene.tokens.len() == 1 && is_one();
        let more = words.names() > 0 || words.signs > 0 || words.keywords > 0;
        return alone || more && words.foreign <= MOST_FOREIGN + words.names();
    }
    // "Orders for turn 6:" is a title, whatever its words are like.
    let count = WordCount {
        names: words.names(),
        foreign: words.foreign,
    };
    if open::is_nearly(scene, count) {
        return true;
    }
    let begun = words.leads > 0 && words.names() > 0 && !ends_with_colon(scene);
    let begun = begun && words.foreign <= MOST_FOREIGN;
    let going = words.others > words.near_others || words.signs > 0 || words.keywords > 0;
    let ordered = words.own > 0 && going && words.foreign <= words.own;
    let way = words.names() > 1 && words.signs > 0 && words.foreign == 0;
    begun || ordered || way
}

/// Returns true if a line that begins with a keyword goes on like an order, and not like a sentence
/// that happens to begin with the same word: "Keep it up!", "Nothing else from me".
fn is_begun(scene: &Scene<'_>, words: &LineWords) -> bool {
    let capitals = is_in_capitals(scene);
    let foreign = words.foreign - words.slips;
    let exact = words.names() - words.near;
    // Many sentences begin with "if" or "nothing", and some of their words are like names. What
    // takes nothing behind it is followed by another order, or by a sentence.
    let goes_on = if is_condition(scene) {
        exact + words.numbers + words.signs + words.leads + words.keywords > 0
    } else if is_complete(scene) {
        exact + words.numbers > 0
    } else {
        words.names() + words.numbers + words.leads + words.keywords + words.slips > 0
    };
    let most = MOST_FOREIGN + FOREIGN_PER_NAME * words.names();
    capitals || foreign == 0 || goes_on && foreign <= most || is_cut_short(scene, words)
}

/// Returns true if a line that begins with a word of the middle of an order, in a language whose
/// orders begin with a unit, goes on like one: "Move all:", "Support".
fn is_ahead_of_its_unit(scene: &Scene<'_>, words: &LineWords) -> bool {
    if scene.tokens.len() == 1 {
        return !is_title_word(scene, 0);
    }
    let signs = is_in_capitals(scene) && words.signs > 0;
    let most = MOST_FOREIGN + FOREIGN_PER_NAME * words.names();
    (words.names() + words.keywords > 0 || signs) && words.foreign <= most
}

/// Returns true if a line is a keyword and a word that is none: "Retreat nevr", but not "Spring
/// moves". Where orders begin with keywords, sentences do so too often.
fn is_cut_short(scene: &Scene<'_>, words: &LineWords) -> bool {
    let two = scene.tokens.len() == 2 && words.foreign == 1 && !scene.behind().contains('!');
    scene.grammar.is_open && two && !is_complete(scene) && !is_title_word(scene, 1)
}

fn is_title_word(scene: &Scene<'_>, at: usize) -> bool {
    let word = scene.tokens.get(at).and_then(LineToken::word);
    word.is_some_and(|word| scene.grammar.is_title(word))
}

/// Returns true if the first word of a line is written in capitals.
fn is_in_capitals(scene: &Scene<'_>) -> bool {
    let written = scene.written(0, 1);
    written.chars().count() > 1 && !written.chars().any(char::is_lowercase)
}

/// Returns true if a line is the title of what follows: `Combats:`, `Move orders:`.
pub(super) fn is_heading(scene: &Scene<'_>, leads: &[Candidate]) -> bool {
    let lead = leads.iter().filter_map(|lead| lead_length(scene, lead, 0));
    let Some(length) = lead
        .max()
        .filter(|_| ends_with_colon(scene) && !is_condition(scene))
    else {
        return false;
    };
    is_title(scene, &line_words(scene, leads), length)
}

/// Returns true if nothing but a colon, or a word and a colon, stands behind so many words.
fn is_title(scene: &Scene<'_>, words: &LineWords, length: usize) -> bool {
    let behind = scene.tokens.len().saturating_sub(length);
    // "MOVE ALL:" is the beginning of an order.
    let is_keyword = scene.grammar.keywords.any_at(scene.tokens, length);
    let title = is_title_word(scene, length) || words.foreign == 1 && !is_keyword;
    ends_with_colon(scene)
        && words.names() + words.numbers + words.signs == 0
        && (behind == 1 || behind == 2 && title)
}

fn ends_with_colon(scene: &Scene<'_>) -> bool {
    let last = scene.tokens.last();
    last.is_some_and(|token| token.is(Sign::Colon))
}

fn is_condition(scene: &Scene<'_>) -> bool {
    let keywords = &scene.grammar.keywords;
    let guard = keywords.guard(scene.tokens, 0);
    guard
        .or_else(|| keywords.matches("ELSE", scene.tokens, 0))
        .is_some()
}

/// Returns true if a line begins with a keyword that is an order by itself, and nothing else.
fn is_complete(scene: &Scene<'_>) -> bool {
    let verbs = scene.grammar.verbs.values().flat_map(|verb| &verb.forms);
    let forms = verbs.chain(scene.grammar.commands.values().flatten());
    let mut led = forms
        .filter(|form| {
            let lead = form.lead.as_ref();
            lead.is_some_and(|lead| {
                (scene.grammar.keywords.matches(lead, scene.tokens, 0)).is_some()
            })
        })
        .peekable();
    led.peek().is_some() && led.all(|form| form.nodes.len() == 1)
}

/// Returns true if a line may continue the long one above it: it begins in mid-sentence, and has
/// few words that don't belong in orders.
pub(super) fn may_go_on(scene: &Scene<'_>, leads: &[Candidate]) -> bool {
    let words = line_words(scene, leads);
    let begins_small = scene.text.trim_start().chars().next();
    let begins_small = begins_small.is_some_and(|c| !c.is_uppercase());
    words.names() > 0 && words.foreign <= MOST_FOREIGN || begins_small && words.foreign <= 1
}

/// Returns true if a number is followed by words of orders, and few others.
pub(super) fn has_order_words(scene: &Scene<'_>, leads: &[Candidate]) -> bool {
    let words = line_words(scene, leads);
    words.names() + words.keywords + words.leads > 0 && words.foreign <= MOST_FOREIGN
}

/// Returns true if a line has nothing but places: the rest of a way.
pub(super) fn is_way(scene: &Scene<'_>, leads: &[Candidate]) -> bool {
    let words = line_words(scene, leads);
    let starts = named(&[&scene.names.spaces], scene, 0).is_some();
    starts && words.own + words.foreign == 0
}

fn line_words(scene: &Scene<'_>, leads: &[Candidate]) -> LineWords {
    let mut found = LineWords {
        begun: leads.iter().any(|lead| spells(scene, lead, 0)),
        ..LineWords::default()
    };
    let mut at = 0;
    while at < scene.tokens.len().min(MOST_TOKENS) {
        at += count_word(scene, leads, at, &mut found);
    }
    found
}

/// Counts what stands at a place, and returns how many tokens that are.
fn count_word(scene: &Scene<'_>, leads: &[Candidate], at: usize, found: &mut LineWords) -> usize {
    let Some(token) = scene.tokens.get(at) else {
        return 1;
    };
    let Some(word) = token.word() else {
        let plain = [
            Sign::Comma,
            Sign::Semicolon,
            Sign::Ampersand,
            Sign::Slash,
            Sign::Plus,
        ];
        let ends = at + 1 == scene.tokens.len();
        found.signs += usize::from(!ends && !plain.iter().any(|sign| token.is(*sign)));
        return 1;
    };
    if let Some(length) = named(&[&scene.names.own, &scene.names.formations], scene, at) {
        found.own += 1;
        found.near += usize::from(!is_written_out(scene, at));
        return length;
    }
    if let Some(length) = named(&[&scene.names.spaces, &scene.names.seen], scene, at) {
        let near = usize::from(!is_written_out(scene, at));
        found.others += 1;
        found.near += near;
        found.near_others += near;
        return length;
    }
    let is_number = word
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.');
    if at > 0 && leads.iter().any(|lead| spells(scene, lead, at)) {
        found.leads += 1;
    } else if scene.grammar.keywords.any_at(scene.tokens, at) {
        found.keywords += usize::from(at > 0);
    } else if close_to_name(&[&scene.names.own, &scene.names.formations], word) {
        found.own += 1;
        found.near += 1;
    } else if close_to_name(&[&scene.names.spaces, &scene.names.seen], word) {
        found.others += 1;
        found.near += 1;
        found.near_others += 1;
    } else if at > 0 && is_number {
        found.numbers += 1;
    } else if at > 0 && !scene.grammar.is_small(word) {
        found.foreign += 1;
        found.slips += usize::from(found.begun && close_to_keyword(scene, word));
    }
    1
}

/// How many tokens a name at a place has: one that is written out, or a beginning of it.
fn named(lists: &[&NameIndex], scene: &Scene<'_>, at: usize) -> Option<usize> {
    let letters = |length: usize| {
        let words = scene.tokens.iter().skip(at).take(length);
        let letters = words.filter_map(LineToken::word).flat_map(str::chars);
        letters.filter(|c| c.is_alphabetic()).count()
    };
    let short = usize::from(letters(1) >= SHORTEST);
    lists.iter().find_map(|names| {
        match names.find(scene.tokens, at, short) {
            NameMatch::One { length, .. } | NameMatch::Many { length, .. } => Some(length),
            NameMatch::Nothing => None,
        }
        .filter(|length| letters(*length) > 2 || *length > 1)
    })
}

/// Returns true if a whole name stands at a place, and not the beginning of one.
fn is_written_out(scene: &Scene<'_>, at: usize) -> bool {
    let names = scene.names;
    let lists = [&names.own, &*names.formations, &*names.spaces, &names.seen];
    lists
        .iter()
        .any(|names| names.find(scene.tokens, at, 0) != NameMatch::Nothing)
}

/// Returns true if a word at a place is nearly the name of a space.
pub(super) fn is_nearly_name(scene: &Scene<'_>, at: usize) -> bool {
    let word = scene.tokens.get(at).and_then(LineToken::word);
    word.is_some_and(|word| close_to_name(&[&scene.names.spaces], word))
}

fn close_to_name(lists: &[&NameIndex], word: &str) -> bool {
    let mut names = lists.iter().flat_map(|names| names.spellings());
    names.any(|(_, spelling)| spelling.split(' ').any(|part| is_close(word, part)))
}

/// Returns true if a word is a keyword of one word with a slip of the pen.
fn close_to_keyword(scene: &Scene<'_>, word: &str) -> bool {
    let keywords = &scene.grammar.keywords;
    let mut spellings = keywords.ids().flat_map(|id| keywords.spellings(id));
    spellings.any(|spelling| !spelling.contains(' ') && is_close(word, &spelling))
}

fn spells(scene: &Scene<'_>, lead: &Candidate, at: usize) -> bool {
    lead_length(scene, lead, at).is_some()
}

/// How many words of a line spell a keyword at a place.
fn lead_length(scene: &Scene<'_>, lead: &Candidate, at: usize) -> Option<usize> {
    let Candidate::Keyword(id) = lead else {
        return None;
    };
    scene.grammar.keywords.matches(id, scene.tokens, at)
}

/// Returns true if a word is a keyword, or its first word, with a slip of the pen.
fn is_slip(scene: &Scene<'_>, lead: &Candidate, word: &str) -> bool {
    let Candidate::Keyword(id) = lead else {
        return false;
    };
    let mut spellings = scene.grammar.keywords.spellings(id);
    let second = scene.tokens.get(1).and_then(LineToken::word);
    spellings.any(|spelling| {
        let Some((first, rest)) = spelling.split_once(' ') else {
            return is_close(word, &spelling);
        };
        // "Orders:" is no slip of NO ORDERS, nor of another keyword of two words.
        let next = rest.split(' ').next().unwrap_or_default();
        let goes_on = second.is_some_and(|second| second == next || is_close(second, next));
        let is_part = spelling.split(' ').any(|part| part == word);
        goes_on && is_close(word, first) || !is_part && is_close(word, &spelling.replace(' ', ""))
    })
}

/// Returns true if a word is nearly a keyword that is an order by itself.
fn is_whole(scene: &Scene<'_>, lead: &Candidate, word: &str) -> bool {
    let Candidate::Keyword(id) = lead else {
        return false;
    };
    let verbs = scene.grammar.verbs.values().flat_map(|verb| &verb.forms);
    let mut forms = verbs.chain(scene.grammar.commands.values().flatten());
    let alone = forms.any(|form| form.lead.as_ref() == Some(id) && form.nodes.len() == 1);
    alone && is_slip(scene, lead, word)
}

/// Returns true if two words differ by a slip of the pen, by two in long ones.
fn is_close(written: &str, spelling: &str) -> bool {
    let (one, other) = (Letters::of(written), Letters::of(spelling));
    let (shorter, longer) = (one.count.min(other.count), one.count.max(other.count));
    let most = if shorter >= LONG { 2 } else { 1 };
    shorter >= SHORTEST
        && longer - shorter <= most
        && one.differ_at_least(other) <= most
        && strsim::damerau_levenshtein(written, spelling) <= most
}

/// How many letters a word has, and which: enough to tell most words apart without comparing them.
#[derive(Clone, Copy)]
struct Letters {
    count: usize,
    /// A bit for each letter; some share one.
    which: u32,
}

impl Letters {
    fn of(word: &str) -> Self {
        let none = Self { count: 0, which: 0 };
        word.chars().fold(none, |letters, c| Self {
            count: letters.count + 1,
            which: letters.which | 1 << (u32::from(c) % u32::BITS),
        })
    }

    /// The fewest slips there can be between such words: each takes a letter away and adds one, at
    /// most.
    const fn differ_at_least(self, other: Self) -> usize {
        (self.which ^ other.which).count_ones().div_ceil(2) as usize
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn letters_never_part_words_that_are_close(
            one in "[a-eè1Ü一]{0,9}",
            other in "[a-eè1Ü一]{0,9}",
        ) {
            let least = Letters::of(&one).differ_at_least(Letters::of(&other));
            prop_assert!(least <= strsim::damerau_levenshtein(&one, &other));
        }
    }

    #[test]
    fn most_words_are_parted_by_their_letters() {
        let least = Letters::of("retreat").differ_at_least(Letters::of("bombard"));
        assert!(least > 2, "{least}");
    }
}
