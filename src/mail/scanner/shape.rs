//! Attributions and copied headers by their shape, in any language: a date, a name and an address,
//! and little else.

use super::{Scanner, is_framed, is_quoted};
use crate::mail::{
    own_letter,
    phrases::{GREETINGS, ORDERS, SENTENCES},
};

/// Most words beside date and address (weekday, month, name, verb) if a time of day is told.
const WORDS_WITH_TIME: usize = 12;
/// Most words beside date and address if a time is told, but no year.
const WORDS_WITHOUT_YEAR: usize = 10;
/// Most words beside date and address if no time is told.
const WORDS_WITHOUT_TIME: usize = 7;
/// Most words beside date and address if the line begins or ends with one of them and no blank line
/// is above, and beside an address if a colon stands for the date.
const WORDS_OF_SHORTEST: usize = 4;
/// Most words that are just weekday, month and name, and need no other sign of an attribution.
const WORDS_OF_NAME: usize = 3;
/// Most words beside a date and an address without brackets, if a blank line is above.
const WORDS_ALONE: usize = 3;
/// Most words beside them if the address also stands at the end, or a time is told.
const WORDS_ALONE_IN_ORDER: usize = 5;
/// Most words beside a date and an address without brackets.
const WORDS_WITH_BARE_ADDRESS: usize = 8;
/// Most words beside a date if a verb stands for the address: weekday, month, name, verb.
const WORDS_WITH_DATE: usize = 6;
/// Most words beside a whole date with its time and a colon, without a known verb or an address.
const WORDS_WITHOUT_ADDRESS: usize = 9;
/// Most words beside an address and a whole date if the line stands apart; the smaller number is
/// for an address without brackets and no time.
const WORDS_APART: (usize, usize) = (9, 6);
/// Letters between a year and the day of its date.
const FARTHEST_DAY: usize = 24;
/// Letters and words of the key of a copied header line.
const LONGEST_KEY: (usize, usize) = (28, 3);
/// Lines of a copied header that are looked at, and that it has at least.
const HEADER_LINES: (usize, usize) = (12, 3);
/// Lines that a copied header without an address has at least.
const HEADER_OF_NAMES: usize = 4;

/// The surroundings of a line.
#[derive(Clone, Copy)]
pub(super) struct LineSetting {
    /// A blank line or nothing is above.
    pub alone: bool,
    /// A blank line or nothing is below.
    pub last: bool,
    /// Marked quotations are below.
    pub quoted_below: bool,
}

/// The parts of a text.
struct TextParts {
    /// Addresses that stand in brackets, and others.
    bracketed: usize,
    bare: usize,
    /// Words beside addresses and numbers.
    words: usize,
    date: Option<DateSort>,
    time: bool,
    /// The text begins with a number or an address.
    begins: bool,
    ends_with_address: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum DateSort {
    /// Day, month and year.
    Whole,
    /// Something that may be a day.
    Day,
}

/// Returns true if a text is made of a date, a name and an address, as the line is over a
/// quotation.
pub(super) fn is_shaped(text: &str, setting: LineSetting) -> bool {
    if text.contains(['#', '!', '?']) {
        return false;
    }
    if !text.contains('@') {
        return is_shaped_without_address(text);
    }
    let text = text.trim_end_matches([' ', ',', '-', '.']);
    let parts = text_parts(text);
    let colon = text.ends_with(':');
    let closed = colon || text.ends_with(['>', ')', ']']);
    let dated = parts.date == Some(DateSort::Whole) && parts.time;
    if parts.bracketed + parts.bare > 2 || (parts.words == 0 && !colon && !dated) {
        return false;
    }
    let most = |words: usize| parts.words <= words;
    let little = setting.alone && most(WORDS_ALONE);
    let apart = colon || setting.alone || setting.quoted_below;
    match (parts.bracketed > 0, parts.date, parts.time) {
        (true, Some(DateSort::Whole), true) => most(WORDS_WITH_TIME),
        (true, Some(DateSort::Whole), false) => {
            let short = (closed || parts.begins) && most(WORDS_OF_SHORTEST);
            let near = most(WORDS_WITHOUT_TIME) && (apart || short || most(WORDS_OF_NAME));
            near || setting.alone && most(WORDS_APART.0)
        }
        (true, Some(DateSort::Day), true) => {
            let little = apart && most(WORDS_OF_SHORTEST);
            let little = little || setting.alone && most(WORDS_ALONE_IN_ORDER);
            little || most(WORDS_WITHOUT_YEAR) && (closed || setting.quoted_below)
        }
        (true, Some(DateSort::Day), false) => {
            let short = apart && (closed || setting.last) && most(WORDS_OF_SHORTEST);
            short || colon && setting.alone && most(WORDS_WITHOUT_TIME)
        }
        // "Ada North <ada@example.org>, Monday 9:58:", or the name alone.
        (true, None, time) => (colon || time && closed && apart) && most(WORDS_OF_SHORTEST),
        (false, Some(DateSort::Whole), time) => {
            let ends = colon || setting.quoted_below || parts.begins && time;
            let told = most(WORDS_WITH_BARE_ADDRESS) && (time || setting.quoted_below) && ends;
            let short = time && most(WORDS_OF_SHORTEST);
            let in_order = setting.alone && (time || parts.ends_with_address);
            let in_order = in_order && most(WORDS_ALONE_IN_ORDER);
            let most_apart = if time { WORDS_APART.0 } else { WORDS_APART.1 };
            told || little || short || in_order || setting.alone && most(most_apart)
        }
        (false, Some(DateSort::Day), true) => {
            let in_order = setting.alone && (colon || parts.begins && parts.ends_with_address);
            little && parts.ends_with_address || in_order && most(WORDS_ALONE_IN_ORDER)
        }
        (false, Some(DateSort::Day), false) => colon && little,
        _ => false,
    }
}

/// "2025-03-03 09:58, Ada North <verb>:": a whole date and its time, a name, perhaps a verb, and a
/// colon. A heading of orders may look so.
fn is_shaped_without_address(text: &str) -> bool {
    let Some(parts) = dated_parts(text) else {
        return false;
    };
    let dated = parts.date == Some(DateSort::Whole) && parts.time;
    let few = (1..=WORDS_WITHOUT_ADDRESS).contains(&parts.words);
    dated && few && text.ends_with(':') && !ORDERS.is_in(text)
}

/// "ADDRESS ada@example.org": a line for the host.
fn is_request(text: &str) -> bool {
    ["address ", "adresse "]
        .iter()
        .any(|word| text.starts_with(word))
}

impl Scanner<'_> {
    /// The line after a copied header in any language: lines with a key and a colon, one with a
    /// date and a time and one with an address; a line more if names stand for addresses.
    pub(super) fn shaped_header(&self, at: usize) -> Option<usize> {
        let mut found = (false, false, 0);
        let mut end = at;
        for index in at..at + HEADER_LINES.0 {
            let line = self.line(index);
            let Some(value) = keyed(line).filter(|_| !is_quoted(line)) else {
                break;
            };
            let parts = text_parts(value);
            found.0 |= parts.bracketed + parts.bare > 0;
            found.1 |= parts.date == Some(DateSort::Whole) && parts.time;
            found.2 += 1;
            end = index + 1;
        }
        let least = if found.0 {
            HEADER_LINES.1
        } else {
            HEADER_OF_NAMES
        };
        (found.1 && found.2 >= least).then_some(end)
    }

    /// Returns true if a title between strokes stands over lines with keys, one of which tells a
    /// date and a time or an address: "---- <any words> ----".
    pub(super) fn titles_header(&self, at: usize) -> bool {
        let next = self.next_with_text(at + 1);
        let values = (next..next + HEADER_LINES.0).map_while(|index| keyed(self.line(index)));
        let tells = |value: &str| {
            let parts = text_parts(value);
            let dated = parts.date == Some(DateSort::Whole) && parts.time;
            dated || parts.bracketed + parts.bare > 0
        };
        is_framed(self.line(at)) && values.into_iter().any(tells)
    }

    /// Returns true if the lines from `first` to `last` have the shape of an attribution, and none
    /// of them could be left out.
    pub(super) fn is_shaped_from(&self, first: usize, last: usize) -> bool {
        let joined = |from: usize| -> String {
            let lines: Vec<&str> = (from..=last).map(|index| self.line(index)).collect();
            lines.join(" ")
        };
        let whole = joined(first);
        if (first..=last).any(|index| is_request(self.line(index))) {
            return false;
        }
        let next = (last + 1..self.folded.len()).find(|&index| !self.line(index).is_empty());
        // A copy without marks stands below the player's own words; without words above it, the
        // orders are the text that follows.
        let is_marked = |next: usize| {
            let line = self.line(next);
            is_quoted(line) || own_letter::is_head(line) || super::initials(line).is_some()
        };
        if SENTENCES.is_in(&whole) || !self.has_own_above(first) && !next.is_some_and(is_marked) {
            return false;
        }
        let above = |from: usize| from.checked_sub(1).map_or("", |above| self.line(above));
        let quoted_below = next.is_some_and(|next| is_quoted(self.line(next)));
        let alone = |from: usize| above(from).is_empty() || is_quoted(above(from));
        let setting = |from: usize| LineSetting {
            alone: alone(from),
            last: self.line(last + 1).is_empty(),
            quoted_below,
        };
        let less = |from: usize| LineSetting {
            alone: true,
            ..setting(from)
        };
        // A line without a date of its own belongs to a dated line above.
        let dated = is_dated(&whole);
        let complete = |from: usize| {
            let rest = joined(from);
            is_shaped(&rest, less(from)) && (!dated || is_dated(&rest))
        };
        // The writer's name on a line of its own above his address.
        let names_address = |from: usize| {
            from == first + 1 && alone(first) && is_name_of(self.line(first), self.line(from))
        };
        is_shaped(&whole, setting(first))
            && !(first + 1..=last).any(|from| complete(from) && !names_address(from))
    }
}

/// "3 March 2025, 09:58": a line with nothing but a date.
pub(super) fn is_date(line: &str) -> bool {
    let Some(parts) = dated_parts(line) else {
        return false;
    };
    let whole = parts.date == Some(DateSort::Whole) && parts.bracketed + parts.bare == 0;
    whole && parts.words <= WORDS_OF_SHORTEST
}

/// "Monday 3 March 2025, Ada North wrote": a whole date among few words.
pub(super) fn is_dated_name(line: &str) -> bool {
    dated_parts(line)
        .is_some_and(|parts| parts.date == Some(DateSort::Whole) && parts.words <= WORDS_WITH_DATE)
}

/// "3 March 2025, Ada North", "Ada North 03/03/25 09:58": a whole date, a name, and no other sign.
pub(super) fn is_date_and_name(line: &str) -> bool {
    let Some(parts) = dated_parts(line) else {
        return false;
    };
    let few = (1..=WORDS_WITH_DATE).contains(&parts.words);
    let alone = parts.bracketed + parts.bare == 0 && !line.contains(['#', '!', '?', '=', '>']);
    parts.date == Some(DateSort::Whole) && few && alone
}

/// Returns true if a line is a name, and the line below begins with an address made of it.
fn is_name_of(name: &str, below: &str) -> bool {
    const FEWEST_LETTERS: usize = 3;
    let words: Vec<&str> = name.split(' ').collect();
    let letters = |c: char| c.is_alphabetic() || matches!(c, '\'' | '.' | '-');
    let is_name =
        words.len() <= WORDS_OF_SHORTEST && words.iter().all(|word| word.chars().all(letters));
    let local = below.trim_start_matches(['<', '(']).split_once('@');
    let Some((local, _)) = local.filter(|(local, _)| !local.contains(' ')) else {
        return false;
    };
    let is_part = |word: &&str| word.chars().count() >= FEWEST_LETTERS && local.contains(word);
    is_name && words.iter().any(is_part)
}

/// Returns true if a text tells a day, with its year or a time.
fn is_dated(text: &str) -> bool {
    dated_parts(text).is_some_and(|parts| match parts.date {
        Some(DateSort::Whole) => true,
        Some(DateSort::Day) => parts.time,
        None => false,
    })
}

/// The value of a line that begins with a short key and a colon, or of the row of a table.
fn keyed(line: &str) -> Option<&str> {
    let row = line
        .strip_prefix('|')
        .and_then(|row| row.trim_end_matches(['|', ' ']).split_once('|'));
    let (key, value) = match row {
        Some(row) => row,
        None => line.trim_start_matches('*').split_once(':')?,
    };
    let key = key.trim_matches([' ', '*']);
    let short = key.chars().count() <= LONGEST_KEY.0 && key.split(' ').count() <= LONGEST_KEY.1;
    let worded = !key.is_empty() && !key.contains(|c: char| c.is_numeric() || c == '@');
    (short && worded).then(|| value.trim_matches([' ', '*']))
}

/// The parts of a text that may tell a date; none without a digit, which most lines lack.
fn dated_parts(text: &str) -> Option<TextParts> {
    let has_digit = text.contains(|c| digit(c).is_some());
    has_digit.then(|| text_parts(text))
}

fn text_parts(text: &str) -> TextParts {
    let (rest, bracketed, bare) = without_addresses(text);
    let numbers = numbers(&rest);
    let time = has_time(&rest, &numbers);
    let letters = |word: &&str| word.contains(char::is_alphabetic);
    let words = rest
        .split(|c: char| !c.is_alphabetic() && !matches!(c, '\'' | '.'))
        .filter(letters)
        .count();
    TextParts {
        bracketed,
        bare,
        words,
        date: date(&numbers, time),
        time,
        begins: text.starts_with(|c: char| c.is_numeric()) || rest.starts_with(ADDRESS),
        ends_with_address: rest.ends_with(ADDRESS),
    }
}

/// Stands where an address was.
const ADDRESS: char = '\u{0}';

/// The text with its addresses taken out, and how many of them stood in brackets and not.
fn without_addresses(text: &str) -> (String, usize, usize) {
    let (mut bracketed, mut bare) = (0, 0);
    let mut rest = String::with_capacity(text.len());
    let ends = |c: char| {
        c.is_whitespace() || matches!(c, '<' | '>' | '(' | ')' | '[' | ']' | '"' | ',' | ';')
    };
    for word in text.split_inclusive(ends) {
        let (core, end) = match word.chars().next_back() {
            Some(last) if ends(last) => (word.strip_suffix(last).unwrap_or(word), Some(last)),
            _ => (word, None),
        };
        let address = core.trim_matches([':', '.', '\'']);
        let address = address.strip_prefix("mailto:").unwrap_or(address);
        let is_address = address.split_once('@').is_some_and(|(local, domain)| {
            !local.is_empty() && domain.contains('.') && !domain.contains('@')
        });
        if !is_address {
            rest.push_str(word);
            continue;
        }
        let opened = rest.ends_with(['<', '(', '[']);
        match opened && matches!(end, Some('>' | ')' | ']' | '<' | '[')) {
            true => bracketed += 1,
            false => bare += 1,
        }
        rest.push(ADDRESS);
        rest.extend(end);
    }
    (rest, bracketed, bare)
}

/// The whole numbers of a text, with the letter at which they begin and end.
fn numbers(text: &str) -> Vec<(u32, usize, usize)> {
    let mut found: Vec<(u32, usize, usize)> = Vec::new();
    for (at, digit) in text
        .chars()
        .enumerate()
        .filter_map(|(at, c)| Some((at, digit(c)?)))
    {
        match found.last_mut() {
            Some((number, _, end)) if *end == at => {
                *number = number.saturating_mul(10).saturating_add(digit);
                *end = at + 1;
            }
            _ => found.push((digit, at, at + 1)),
        }
    }
    found
}

/// Digits of Europe, Arabia, Persia, India and Siam.
fn digit(c: char) -> Option<u32> {
    match c {
        '\u{660}'..='\u{669}' => Some(u32::from(c) - 0x660),
        '\u{6f0}'..='\u{6f9}' => Some(u32::from(c) - 0x6f0),
        '\u{966}'..='\u{96f}' => Some(u32::from(c) - 0x966),
        '\u{e50}'..='\u{e59}' => Some(u32::from(c) - 0xe50),
        c => c.to_digit(10),
    }
}

/// The date that the numbers of a text tell.
fn date(numbers: &[(u32, usize, usize)], time: bool) -> Option<DateSort> {
    let is_day =
        |number: &(u32, usize, usize)| (1..=31).contains(&number.0) && number.2 - number.1 <= 2;
    // Of the calendars of Rome, Persia and Siam.
    let is_year = |number: &(u32, usize, usize)| {
        number.2 - number.1 == 4 && matches!(number.0, 1300..=1499 | 1900..=2099 | 2500..=2699)
    };
    let near =
        |a: &(u32, usize, usize), b: &(u32, usize, usize)| b.1.saturating_sub(a.2) <= FARTHEST_DAY;
    let with_year = numbers.windows(2).any(|pair| {
        let [a, b] = pair else { return false };
        near(a, b) && (is_day(a) && is_year(b) || is_year(a) && is_day(b))
    });
    let short = numbers.windows(3).any(|three| {
        let [a, b, c] = three else { return false };
        is_day(a)
            && is_day(b)
            && c.2 - c.1 == 2
            && b.1 == a.2 + 1
            && c.1 == b.2 + 1
            && !time_of(a, b)
    });
    // 20250303
    let joined = |number: &(u32, usize, usize)| (19_000_101..=20_991_231).contains(&number.0);
    let days = numbers.iter().filter(|number| is_day(number)).count();
    match with_year || short || numbers.iter().any(joined) {
        true => Some(DateSort::Whole),
        // Beside hour and minute.
        false => (days > usize::from(time)).then_some(DateSort::Day),
    }
}

/// Returns true if two numbers could be hour and minute of a time with seconds.
fn time_of(a: &(u32, usize, usize), b: &(u32, usize, usize)) -> bool {
    a.0 < 24 && b.2 - b.1 == 2 && b.0 > 12
}

/// "09:58", "9.58", "9h58", "9.58.12" beside a year, and not "03.03.2025".
fn has_time(text: &str, numbers: &[(u32, usize, usize)]) -> bool {
    if numbers.len() < 2 {
        return false;
    }
    let letters: Vec<char> = text.chars().collect();
    let sign = |number: &(u32, usize, usize)| letters.get(number.2).copied();
    numbers.windows(2).any(|pair| {
        let [hour, minute] = pair else { return false };
        let joined = minute.1 == hour.2 + 1 && minute.2 - minute.1 == 2;
        let of_clock = hour.0 < 25 && minute.0 < 60 && hour.2 - hour.1 <= 2;
        let is_third = || {
            let before = |other: &(u32, usize, usize)| {
                other.2 + 1 == hour.1 && matches!(sign(other), Some('.' | '-' | '/'))
            };
            numbers.iter().any(before)
        };
        let has_third = || {
            let year = |other: &(u32, usize, usize)| other.2 - other.1 == 4 && other != minute;
            let parted = matches!(sign(minute), Some('.' | '-' | '/'));
            let third = numbers.iter().find(|other| other.1 == minute.2 + 1);
            let seconds = third.is_some_and(|third| third.0 < 60 && third.2 - third.1 == 2);
            parted && third.is_some() && !(seconds && numbers.iter().any(year))
        };
        let parted = match sign(hour) {
            Some(':' | 'h' | '\u{6642}') => true,
            Some('.') => !is_third() && !has_third(),
            _ => false,
        };
        joined && of_clock && parted
    })
}

/// The names of telephones and mail programs, as they begin in every language's "sent from".
const PRODUCTS: &[&str] = &[
    "iphon",
    "ipad",
    "android",
    "samsung",
    "galaxy",
    "huawei",
    "xiaomi",
    "oneplus",
    "blackberry",
    "xperia",
    "outlook",
    "yahoo",
    "gmail",
    "proton",
    "bluemail",
    "k-9",
    "thunderbird",
    "aol",
    "mail.ru",
    "\u{43e}\u{443}\u{442}\u{43b}\u{443}\u{43a}",
];
/// Words of such a line.
const FOOTER_WORDS: usize = 8;

/// "Lähetetty iPhonesta", "Отправлено с iPhone": a short sentence that names a telephone or a
/// program for mails, and perhaps a second one.
pub(super) fn is_device_footer(line: &str) -> bool {
    let (sentence, _) = line.split_once(". ").unwrap_or((line, ""));
    let words: Vec<&str> = sentence.split(' ').take(FOOTER_WORDS + 1).collect();
    let named = || {
        words.iter().any(|word| {
            let word = word.trim_start_matches(|c: char| !c.is_alphanumeric());
            PRODUCTS.iter().any(|product| word.starts_with(product))
        })
    };
    (2..=FOOTER_WORDS).contains(&words.len())
        && !line.contains([':', '#', '?', ','])
        && named()
        && GREETINGS.of_line(line).next().is_none()
}
