//! Reading errands: which lines of a mail ask something of the host, and are no orders.
//!
//! A line is an errand only if all of it can be read as one, so that a greeting or a heading is
//! none; and never if the game's own words make an order of it.

use crate::campaign::{
    model::{
        absence::Remedy,
        errands::{Errand, ErrandFault, ErrandLine, LetterChoice},
        recipient::Recipient,
    },
    words::{
        absence_lines::read_absence,
        errand_words::{ErrandWord as W, VERBS, WORDS, language},
        spelling::words_of,
    },
};

/// The most errands of a mail that are done.
pub const MOST: usize = 12;
/// The longest letter to other seats or to the umpire, in characters.
pub const LONGEST_WORDS: usize = 8000;
/// The longest reason of an absence, in characters.
const LONGEST_REASON: usize = 500;
/// The most columns and rows of a part of the map that is drawn.
const LARGEST_PART: u8 = 24;
/// The most characters of a line that are quoted.
const QUOTED: usize = 80;

/// The errands of a mail, and what remains of its words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrandReading {
    /// The errands, in their order.
    pub errands: Vec<ErrandLine>,
    /// The lines that are no errands.
    pub rest: String,
}

/// Reads the errands of a mail. `resolve` finds whom a name means; `is_order` returns true if the
/// game reads a line as an order.
#[must_use]
pub fn read_errands(
    text: &str,
    resolve: impl Fn(&str) -> Option<Vec<Recipient>>,
    is_order: impl Fn(&str) -> bool,
) -> ErrandReading {
    let (mut errands, mut rest): (Vec<ErrandLine>, Vec<&str>) = (Vec::new(), Vec::new());
    let mut lines = text.lines();
    // Lines that would be a heading above orders.
    let mut headings = Vec::new();
    while let Some(line) = lines.next() {
        let found = verb_of(line).filter(|_| !is_order(line));
        let errand = match found {
            Some(("umpire", _)) => Some(to_umpire(line, lines.by_ref())),
            Some((verb @ ("press" | "grey"), behind)) => {
                let to = recipients(&behind, &resolve);
                Some(press(verb == "grey", to, until_end(&mut lines)))
            }
            Some(("absent", behind)) => absent(line, &behind),
            Some(("request", behind)) => request(&behind, &resolve),
            Some((verb, behind)) => on_one_line(verb, &behind),
            None => None,
        };
        match errand {
            Some(errand) => {
                if errand == Errand::Orders {
                    headings.push((rest.len(), line, errands.len()));
                }
                let line = line.trim().chars().take(QUOTED).collect();
                errands.push(ErrandLine { line, errand });
            }
            None => rest.push(line),
        }
    }
    if rest.iter().any(|line| !line.trim().is_empty()) {
        for (at, line, errand) in headings.into_iter().rev() {
            rest.insert(at, line);
            errands.remove(errand);
        }
    }
    if errands.len() > MOST {
        errands.truncate(MOST);
        if let Some(last) = errands.last_mut() {
            last.errand = fault("errands", ErrandFault::TooMany);
        }
    }
    let rest = rest.iter().map(|line| format!("{line}\n")).collect();
    ErrandReading { errands, rest }
}

fn fault(verb: &str, fault: ErrandFault) -> Errand {
    let verb = verb.to_owned();
    Errand::Faulty { fault, verb }
}

/// The verb that a line begins with, and the words behind it.
fn verb_of(line: &str) -> Option<(&'static str, Vec<String>)> {
    let line = line.trim().trim_start_matches(['-', '*', '\u{2022}']);
    let has_colon = line.contains(':');
    let words = words_of(line);
    let found = VERBS.begun_by(&words)?;
    let (verb, behind) = (found.meaning, words.get(found.length..)?.to_vec());
    let fits = match verb {
        // All that follows goes to him: without a colon it must be his word to the letter.
        "umpire" => has_colon || found.exact && behind.is_empty(),
        // Why somebody is away may stand behind a colon.
        "press" | "grey" | "absent" => true,
        "ready" | "not_ready" => !has_colon && !line.contains('?'),
        // "Map: see below" is a heading.
        _ => !has_colon,
    };
    fits.then_some((verb, behind))
}

/// The errand that the words of a line make up; none if any of them is left over.
fn on_one_line(verb: &str, behind: &[String]) -> Option<Errand> {
    let words: Vec<&str> = behind.iter().map(String::as_str).collect();
    Some(match (verb, words.as_slice()) {
        ("help", []) => Errand::Help { topic: None },
        ("help", topic @ ([_] | [_, _])) => {
            let (topic, _) = verb_of(&topic.join(" ")).or_else(|| {
                let is_press = WORDS.length_of(W::Press, topic) == Some(topic.len());
                is_press.then(|| ("press", vec![]))
            })?;
            let topic = Some(topic.to_owned());
            Errand::Help { topic }
        }
        ("status", []) => Errand::Status,
        ("deadline", []) => Errand::Deadline,
        ("who", []) => Errand::Who,
        ("orders", []) => Errand::Orders,
        ("rules", []) => Errand::Rules,
        ("club", []) | ("new table", [_, ..]) => Errand::Club,
        ("table", [table]) if is_table(table) => Errand::Club,
        ("table", [table, word, ..]) if is_table(table) && WORDS.is(W::As, word) => Errand::Club,
        ("resign", []) => Errand::Resign,
        ("back", []) => Errand::Back,
        ("ready", []) => Errand::Ready { on: true },
        ("not_ready", []) => Errand::Ready { on: false },
        ("resend", []) => Errand::Resend {
            letters: LetterChoice::Newest,
        },
        ("resend", [word]) if WORDS.is(W::Opening, word) => Errand::Resend {
            letters: LetterChoice::Opening,
        },
        ("resend", [word, number]) if WORDS.is(W::Letter, word) => Errand::Resend {
            letters: LetterChoice::Number(number.parse().ok()?),
        },
        ("map", []) => Errand::Map {
            turn: None,
            part: None,
        },
        ("map", [part]) if part.contains('-') => {
            let part = corners(part)?;
            if is_small(&part) {
                let (turn, part) = (None, Some(part));
                Errand::Map { turn, part }
            } else {
                fault(verb, ErrandFault::Form)
            }
        }
        ("history", []) => Errand::History {
            from: None,
            to: None,
        },
        ("history", [from, word, to]) if *word == "-" || WORDS.is(W::Range, word) => {
            Errand::History {
                from: Some(turn(&[from])?),
                to: Some(turn(&[to])?),
            }
        }
        ("history", [range]) if range.contains('-') => {
            let (from, to) = range.split_once('-')?;
            Errand::History {
                from: Some(turn(&[from])?),
                to: Some(turn(&[to])?),
            }
        }
        ("resend" | "map" | "history", words) => match (verb, turn(words)) {
            ("resend", Some(turn)) => Errand::Resend {
                letters: LetterChoice::Turn(turn),
            },
            ("map", Some(turn)) => Errand::Map {
                turn: Some(turn),
                part: None,
            },
            (_, Some(turn)) => Errand::History {
                from: Some(turn),
                to: Some(turn),
            },
            ("resend", None) if words.len() <= 2 => fault(verb, ErrandFault::Form),
            _ => return None,
        },
        ("language", [name]) => match language(name) {
            Some(lang) => Errand::Language { lang },
            None => fault(verb, ErrandFault::Form),
        },
        _ => return None,
    })
}

/// `3929-4636`: two hexes.
fn corners(part: &str) -> Option<[String; 2]> {
    let (one, other) = part.split_once('-')?;
    let is_hex = |text: &str| text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    (is_hex(one) && is_hex(other)).then(|| [one.to_owned(), other.to_owned()])
}

/// Returns true if a picture of the part between two hexes is no larger than those of letters.
fn is_small([one, other]: &[String; 2]) -> bool {
    let number = |text: &str, at: usize| {
        text.get(at..at + 2)
            .and_then(|part| part.parse::<u8>().ok())
    };
    [0, 2].into_iter().all(|at| {
        let ends = number(one, at).zip(number(other, at));
        ends.is_some_and(|(a, b)| a.abs_diff(b) <= LARGEST_PART)
    })
}

/// `ABSENT 1 Dec to 10 Dec`, and perhaps what happens meanwhile, and why. A line without a number
/// is a sentence.
fn absent(line: &str, behind: &[String]) -> Option<Errand> {
    let Some((absence, why)) = read_absence(behind) else {
        let has_number = behind
            .iter()
            .any(|word| word.contains(|c: char| c.is_ascii_digit()));
        return has_number.then(|| fault("absent", ErrandFault::Form));
    };
    let words: Vec<&str> = line.split_whitespace().collect();
    let reason = words
        .get(words.len().saturating_sub(why)..)
        .unwrap_or_default();
    let reason = letter_of(&[&reason.join(" ")]).unwrap_or_default();
    let reason = reason.chars().take(LONGEST_REASON).collect();
    Some(Errand::Absent { absence, reason })
}

/// `REQUEST BOT`, and perhaps for whose seat.
fn request(behind: &[String], resolve: impl Fn(&str) -> Option<Vec<Recipient>>) -> Option<Errand> {
    let remedies = [
        (W::Replacement, Remedy::Replacement),
        (W::Bot, Remedy::Bot),
        (W::Win, Remedy::Win),
    ];
    let mut found = remedies.into_iter();
    let (remedy, length) =
        found.find_map(|(word, remedy)| Some((remedy, WORDS.length_of(word, behind)?)))?;
    let seat = match behind.get(length..)? {
        [] => None,
        [word, name @ ..] if WORDS.is(W::For, word) => {
            let named = resolve(&name.join(" ")).unwrap_or_default();
            match named.as_slice() {
                [Recipient::Seat(seat)] => Some(seat.clone()),
                _ => return Some(fault("request", ErrandFault::Nobody)),
            }
        }
        _ => return None,
    };
    Some(Errand::Request { remedy, seat })
}

/// `3`, `t3`: the number of a table.
fn is_table(word: &str) -> bool {
    let digits = word.strip_prefix('t').unwrap_or(word);
    (1..=6).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// `3`, `turn 3`, `tour 3`.
fn turn(words: &[&str]) -> Option<i64> {
    let number = match words {
        [number] => number,
        [word, number] if WORDS.is(W::Turn, word) => number,
        _ => return None,
    };
    let is_plain = (1..=6).contains(&number.len()) && number.bytes().all(|b| b.is_ascii_digit());
    number.parse().ok().filter(|_| is_plain)
}

/// Words to the umpire: the text after the colon, and everything below it.
fn to_umpire<'t>(line: &'t str, below: impl Iterator<Item = &'t str>) -> Errand {
    let behind = line.split_once(':').map(|(_, behind)| behind);
    let lines: Vec<&str> = behind.into_iter().chain(below).collect();
    match letter_of(&lines) {
        Ok(words) => Errand::Umpire { words },
        Err(why) => fault("umpire", why),
    }
}

/// The lines up to the one that ends the letter; none if no line does.
pub(super) fn until_end<'t>(lines: &mut std::str::Lines<'t>) -> Option<Vec<&'t str>> {
    let mut letter = Vec::new();
    for line in lines.by_ref() {
        let words = words_of(line).join(" ");
        if WORDS.is(W::End, &words) {
            return Some(letter);
        }
        letter.push(line);
    }
    None
}

fn press(grey: bool, to: Result<Vec<Recipient>, ErrandFault>, letter: Option<Vec<&str>>) -> Errand {
    let Some(letter) = letter else {
        return fault("press", ErrandFault::NoEnd);
    };
    match to.and_then(|to| Ok((to, letter_of(&letter)?))) {
        Ok((to, words)) => Errand::Press { to, grey, words },
        Err(why) => fault("press", why),
    }
}

/// The words of a letter, without characters that are not text.
pub(super) fn letter_of(lines: &[&str]) -> Result<String, ErrandFault> {
    let text = lines.join("\n");
    let text = text.trim_matches('\n').trim();
    if text.chars().count() > LONGEST_WORDS {
        return Err(ErrandFault::TooLong);
    }
    let plain: String = text
        .chars()
        .map(|c| if c == '\t' { ' ' } else { c })
        .filter(|c| *c == '\n' || !c.is_control())
        .collect();
    match plain.trim() {
        "" => Err(ErrandFault::NoWords),
        _ => Ok(plain),
    }
}

/// The recipients named in a list: at each point the longest run of words that is a name.
pub(super) fn recipients(
    words: &[String],
    resolve: impl Fn(&str) -> Option<Vec<Recipient>>,
) -> Result<Vec<Recipient>, ErrandFault> {
    let mut found: Vec<Recipient> = Vec::new();
    let mut rest = words;
    let mut named = false;
    while let Some(first) = rest.first() {
        if named && WORDS.is(W::And, first) {
            rest = rest.get(1..).unwrap_or_default();
            continue;
        }
        let longest = (1..=rest.len()).rev().find_map(|length| {
            let name = rest.get(..length)?.join(" ");
            Some((length, resolve(&name)?))
        });
        let (length, recipients) = longest.ok_or(ErrandFault::Nobody)?;
        named = true;
        for recipient in recipients {
            if !found.contains(&recipient) {
                found.push(recipient);
            }
        }
        rest = rest.get(length..).unwrap_or_default();
    }
    match (named, found.is_empty()) {
        (false, _) => Err(ErrandFault::Nobody),
        (true, true) => Err(ErrandFault::Oneself),
        (true, false) => Ok(found),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests may panic")]
mod tests;
