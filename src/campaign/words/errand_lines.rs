//! Reading errands: which lines of a mail ask something of the host, and are no orders.
//!
//! A line is an errand only if all of it can be read as one, so that a greeting or a heading is
//! none; and never if the game's own words make an order of it.

use crate::{
    campaign::model::{
        errands::{Errand, ErrandFault, ErrandLine, LetterChoice},
        recipient::Recipient,
    },
    game::Lang,
    orders,
};

/// The most errands of a mail that are done.
pub const MOST: usize = 12;
/// The longest letter to other seats or to the umpire, in characters.
pub const LONGEST_WORDS: usize = 8000;
/// The most characters of a line that are quoted.
const QUOTED: usize = 80;
/// Shorter words must be spelt as they are.
const LEAST_FORGIVEN: usize = 5;

/// The errands of a mail, and what remains of its words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrandReading {
    /// The errands, in their order.
    pub errands: Vec<ErrandLine>,
    /// The other lines.
    pub rest: String,
}

/// A verb of an errand with its spellings, folded.
type ErrandVerb = (&'static str, &'static [&'static str]);

const VERBS: [ErrandVerb; 15] = [
    ("help", &["help", "aide"]),
    ("status", &["status", "etat", "statut"]),
    ("deadline", &["deadline", "echeance", "delai"]),
    ("who", &["who", "players", "qui", "joueurs"]),
    ("orders", &["orders", "my orders", "ordres", "mes ordres"]),
    ("rules", &["rules", "regles"]),
    (
        "resend",
        &["resend", "send again", "renvoyer", "renvoyez", "renvoi"],
    ),
    ("map", &["map", "carte"]),
    ("history", &["history", "historique"]),
    ("language", &["language", "langue"]),
    ("umpire", &["umpire", "arbitre"]),
    (
        "grey",
        &[
            "grey press to",
            "gray press to",
            "press grey to",
            "presse grise a",
            "presse anonyme a",
        ],
    ),
    (
        "press",
        &[
            "press to",
            "presse a",
            "presse pour",
            "presse au",
            "presse aux",
        ],
    ),
    ("resign", &["resign", "demissionner", "demission"]),
    ("back", &["back", "retour"]),
];

/// Lines that end the words of a letter to other seats.
const ENDS: [&str; 6] = [
    "end",
    "fin",
    "end press",
    "endpress",
    "fin presse",
    "signoff",
];

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
    // What would be a heading above orders.
    let mut headings = Vec::new();
    while let Some(line) = lines.next() {
        let found = verb_of(line).filter(|_| !is_order(line));
        let errand = match found {
            Some(("umpire", _)) => Some(to_umpire(line, lines.by_ref())),
            Some((verb @ ("press" | "grey"), behind)) => {
                let to = recipients(&behind, &resolve);
                Some(press(verb == "grey", to, until_end(&mut lines)))
            }
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
    let joined = |length: usize| words.get(..length).map(|words| words.join(" "));
    let spelt = VERBS.iter().flat_map(|(verb, spellings)| {
        spellings.iter().filter_map(|spelling| {
            let length = spelling.split(' ').count();
            let written = joined(length)?;
            is_spelt(&written, spelling).then_some((*verb, length, written == *spelling))
        })
    });
    let (verb, length, exact) = spelt.max_by_key(|(_, length, exact)| (*exact, *length))?;
    let behind: Vec<String> = words.get(length..)?.to_vec();
    let fits = match verb {
        // All that follows goes to him: without a colon it must be his word to the letter.
        "umpire" => has_colon || exact && behind.is_empty(),
        "press" | "grey" => true,
        // "Map: see below" is a heading.
        _ => !has_colon,
    };
    fits.then_some((verb, behind))
}

/// The words of a line, folded: letters, digits, and the points of a range.
fn words_of(line: &str) -> Vec<String> {
    let spaced = line.replace("..", " - ").replace('\u{2026}', " - ");
    let words = spaced.split(|c: char| !(c.is_alphanumeric() || c == '-' || is_mark(c)));
    let folded = words.map(orders::fold).filter(|word| !word.is_empty());
    folded.collect()
}

/// Returns true for accents that stand behind their letter.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}')
}

/// Returns true if words are this spelling, or a slip of the pen away from it.
fn is_spelt(written: &str, spelling: &str) -> bool {
    written == spelling
        || spelling.len() >= LEAST_FORGIVEN
            && written.len() >= LEAST_FORGIVEN
            && strsim::damerau_levenshtein(written, spelling) == 1
}

/// The errand of a line that is whole in itself; none if it is not read to its end.
fn on_one_line(verb: &str, behind: &[String]) -> Option<Errand> {
    let words: Vec<&str> = behind.iter().map(String::as_str).collect();
    Some(match (verb, words.as_slice()) {
        ("help", []) => Errand::Help { topic: None },
        ("help", topic @ ([_] | [_, _])) => {
            let (topic, _) = verb_of(&topic.join(" ")).or_else(|| {
                (topic == ["press"] || topic == ["presse"]).then(|| ("press", vec![]))
            })?;
            let topic = Some(topic.to_owned());
            Errand::Help { topic }
        }
        ("status", []) => Errand::Status,
        ("deadline", []) => Errand::Deadline,
        ("who", []) => Errand::Who,
        ("orders", []) => Errand::Orders,
        ("rules", []) => Errand::Rules,
        ("resign", []) => Errand::Resign,
        ("back", []) => Errand::Back,
        ("resend", []) => Errand::Resend {
            letters: LetterChoice::Newest,
        },
        ("resend", ["opening" | "ouverture"]) => Errand::Resend {
            letters: LetterChoice::Opening,
        },
        ("resend", ["letter" | "lettre", number]) => Errand::Resend {
            letters: LetterChoice::Number(number.parse().ok()?),
        },
        ("map", []) => Errand::Map { turn: None },
        ("history", []) => Errand::History {
            from: None,
            to: None,
        },
        ("history", [from, "-" | "to" | "a", to]) => Errand::History {
            from: Some(turn(&[from])?),
            to: Some(turn(&[to])?),
        },
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
            ("map", Some(turn)) => Errand::Map { turn: Some(turn) },
            (_, Some(turn)) => Errand::History {
                from: Some(turn),
                to: Some(turn),
            },
            ("resend", None) if words.len() <= 2 => fault(verb, ErrandFault::Form),
            _ => return None,
        },
        ("language", [name]) => match *name {
            "en" | "english" | "anglais" => Errand::Language { lang: Lang::En },
            "fr" | "french" | "francais" => Errand::Language { lang: Lang::Fr },
            _ => fault(verb, ErrandFault::Form),
        },
        _ => return None,
    })
}

/// `3`, `turn 3`, `tour 3`.
fn turn(words: &[&str]) -> Option<i64> {
    let number = match words {
        [number] | ["turn" | "tour", number] => number,
        _ => return None,
    };
    let is_plain = (1..=6).contains(&number.len()) && number.bytes().all(|b| b.is_ascii_digit());
    number.parse().ok().filter(|_| is_plain)
}

/// Words to the umpire: what stands behind the colon, and all that follows.
fn to_umpire<'t>(line: &'t str, below: impl Iterator<Item = &'t str>) -> Errand {
    let behind = line.split_once(':').map(|(_, behind)| behind);
    let lines: Vec<&str> = behind.into_iter().chain(below).collect();
    match letter_of(&lines) {
        Ok(words) => Errand::Umpire { words },
        Err(why) => fault("umpire", why),
    }
}

/// The lines before the one that ends the letter; none if there is no such line.
fn until_end<'t>(lines: &mut std::str::Lines<'t>) -> Option<Vec<&'t str>> {
    let mut letter = Vec::new();
    for line in lines.by_ref() {
        let words = words_of(line).join(" ");
        if ENDS.contains(&words.as_str()) {
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

/// The words of a letter, without what is no text.
fn letter_of(lines: &[&str]) -> Result<String, ErrandFault> {
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

/// Those whom a list names: the longest run of words that is a name each time.
fn recipients(
    words: &[String],
    resolve: impl Fn(&str) -> Option<Vec<Recipient>>,
) -> Result<Vec<Recipient>, ErrandFault> {
    let mut found: Vec<Recipient> = Vec::new();
    let mut rest = words;
    let mut named = false;
    while let Some(first) = rest.first() {
        if ["and", "et"].contains(&first.as_str()) && named {
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
#[allow(clippy::unwrap_used)] // tests may panic
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> ErrandReading {
        let resolve = |name: &str| match name {
            "red" => Some(vec![]),
            "blue" => Some(vec![Recipient::Seat("blue".into())]),
            "the black army" => Some(vec![Recipient::Seat("black".into())]),
            "umpire" => Some(vec![Recipient::Umpire]),
            _ => None,
        };
        read_errands(text, resolve, |line| line.starts_with("MAP OUT"))
    }

    fn only(text: &str) -> Errand {
        let mut read = read(text);
        assert_eq!((read.errands.len(), read.rest.as_str()), (1, ""), "{text}");
        read.errands.remove(0).errand
    }

    #[test]
    fn errands_are_read_in_both_languages_and_forgiven_slips() {
        let turn = |turn| Errand::Resend {
            letters: LetterChoice::Turn(turn),
        };
        for (line, errand) in [
            ("STATUS", Errand::Status),
            ("  status. ", Errand::Status),
            ("- Etat", Errand::Status),
            ("État", Errand::Status),
            ("STATSU", Errand::Status),
            ("Deadline?", Errand::Deadline),
            ("\u{c9}CH\u{c9}ANCE", Errand::Deadline),
            ("WHO", Errand::Who),
            ("Resend 3", turn(3)),
            ("RESNED turn 3", turn(3)),
            ("Renvoyer tour 12", turn(12)),
            (
                "HELP resend",
                Errand::Help {
                    topic: Some("resend".into()),
                },
            ),
            (
                "HELP press",
                Errand::Help {
                    topic: Some("press".into()),
                },
            ),
            (
                "history 2..4",
                Errand::History {
                    from: Some(2),
                    to: Some(4),
                },
            ),
            (
                "History 2-4",
                Errand::History {
                    from: Some(2),
                    to: Some(4),
                },
            ),
            ("langue anglais", Errand::Language { lang: Lang::En }),
            (
                "RESEND LETTER 7",
                Errand::Resend {
                    letters: LetterChoice::Number(7),
                },
            ),
            ("RESEND yesterday", fault("resend", ErrandFault::Form)),
            ("LANGUAGE Latin", fault("language", ErrandFault::Form)),
        ] {
            assert_eq!(only(line), errand, "{line}");
        }
    }

    #[test]
    fn prose_headings_and_orders_are_no_errands() {
        for line in [
            "Who is playing tonight?",
            "Help me please, I am lost",
            "Map: see below",
            "Status: all well",
            "MAP OUT",
            "Rules are rules",
            "Umpires",
            "Back to business",
            "MOVE Massena: Verona",
            "hello",
        ] {
            assert_eq!(read(line).errands, [], "{line}");
            assert_eq!(read(line).rest.trim_end(), line);
        }
        // Above orders it is their heading.
        let found = read("Orders\nMOVE Massena: Verona\nSTATUS");
        assert_eq!(found.errands.len(), 1);
        assert_eq!(found.rest, "Orders\nMOVE Massena: Verona\n");
        assert_eq!(only("Orders"), Errand::Orders);
    }

    #[test]
    fn letters_to_others_end_with_a_line() {
        let found =
            read("PRESS TO blue, the Black army and blue\nAttack at dawn.\n\nSTATUS\nEND\nNOTHING");
        assert_eq!(found.rest, "NOTHING\n");
        let to = ["blue", "black"]
            .map(|seat| Recipient::Seat(seat.into()))
            .to_vec();
        let words = "Attack at dawn.\n\nSTATUS".to_owned();
        let errand = Errand::Press {
            to,
            grey: false,
            words,
        };
        assert_eq!(found.errands[0].errand, errand);
        assert!(matches!(
            only("Grey press to blue\nwho?\nend press"),
            Errand::Press { grey: true, .. }
        ));
        let fault_of = |text: &str| match only(text) {
            Errand::Faulty { fault, .. } => fault,
            other => panic!("{text}: {other:?}"),
        };
        let long = format!("PRESS TO blue\n{}\nEND", "x".repeat(LONGEST_WORDS + 1));
        for (text, why) in [
            (
                "PRESS TO blue\nnever ended\nMOVE Massena: Verona",
                ErrandFault::NoEnd,
            ),
            ("PRESS TO blue\n\nEND", ErrandFault::NoWords),
            ("PRESS TO red\nme\nEND", ErrandFault::Oneself),
            ("PRESS TO\nme\nEND", ErrandFault::Nobody),
            ("PRESS TO blue and green\nme\nEND", ErrandFault::Nobody),
            ("UMPIRE", ErrandFault::NoWords),
            (&long, ErrandFault::TooLong),
        ] {
            assert_eq!(fault_of(text), why, "{text}");
        }
        let errand = Errand::Umpire {
            words: "The map is wrong.\nSTATUS".into(),
        };
        assert_eq!(only("UMPIRE:\nThe map is wrong.\nSTATUS"), errand);
    }

    #[test]
    fn a_mail_has_a_bounded_number_of_errands() {
        let found = read(&"STATUS\n".repeat(MOST + 5));
        assert_eq!(found.errands.len(), MOST);
        let last = &found.errands[MOST - 1].errand;
        assert_eq!(*last, fault("errands", ErrandFault::TooMany));
    }

    proptest! {
        /// Whatever comes: nothing panics, no line gets lost, and no order becomes an errand.
        #[test]
        fn every_line_is_an_errand_or_stays(text in "([A-Za-z\u{e9}0-9 .:,-]{0,20}\n|STATUS\n|PRESS TO blue\n|END\n|RESEND 3\n|MAP OUT\n|UMPIRE\n){0,20}") {
            let found = read(&text);
            for line in found.rest.lines() {
                prop_assert!(text.lines().any(|known| known == line));
            }
            let opens = found.errands.iter().any(|it| {
                matches!(it.errand, Errand::Press { .. } | Errand::Umpire { .. } | Errand::Faulty { .. })
            });
            if !opens {
                let lines = found.rest.lines().count() + found.errands.len();
                prop_assert_eq!(lines, text.lines().count());
                let count = |text: &str| text.lines().filter(|line| *line == "MAP OUT").count();
                prop_assert_eq!(count(&text), count(&found.rest));
            }
            // What remains is read to the same.
            if !found.rest.is_empty() && !opens {
                prop_assert_eq!(read(&found.rest).errands, vec![]);
            }
        }

        #[test]
        fn any_text_is_read(text in "\\PC{0,400}") {
            read(&text);
        }
    }
}
