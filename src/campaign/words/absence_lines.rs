//! Reading when somebody is away: `1 Dec to 10 Dec`, `du 1er au 10 décembre`,
//! `2026-12-01..2026-12-10`.

use jiff::civil::Date;

use crate::campaign::{
    model::absence::{AbsenceAct, WrittenAbsence, WrittenDay},
    words::errand_words::{ErrandWord as W, WORDS, month},
};

/// The bot that stands in for a player: the one of each game that plays to win.
const STAND_IN: &str = "sensible";

/// Between two days.
const DASH: &str = "-";

/// An absence, and how many words behind it are left over as its reason; none if the words are no
/// days.
#[must_use]
pub fn read_absence(words: &[String]) -> Option<(WrittenAbsence, usize)> {
    let mut rest = words;
    skip(&mut rest, |word| WORDS.is(W::FirstDay, word));
    let first = sighted(&mut rest);
    let is_span = skip(&mut rest, |word| word == DASH || WORDS.is(W::LastDay, word));
    let last = match first {
        // One day.
        Some(only) if !is_span => only,
        None if !is_span => return None,
        _ => sighted(&mut rest)?,
    };
    let until = last.whole(None)?;
    let from = match first {
        Some(first) => Some(first.whole(last.month)?),
        None => None,
    };
    let (acts, reason) = acts(rest);
    Some((WrittenAbsence { from, until, acts }, reason))
}

/// Passes over words of a kind. Returns true if there are some.
fn skip(rest: &mut &[String], is_kind: impl Fn(&str) -> bool) -> bool {
    let count = rest.iter().take_while(|word| is_kind(word)).count();
    *rest = rest.get(count..).unwrap_or_default();
    count > 0
}

/// A day, as far as it is written.
#[derive(Clone, Copy)]
struct SightedDay {
    day: i8,
    month: Option<i8>,
    year: Option<i16>,
}

impl SightedDay {
    /// The day, in this month if it names none.
    fn whole(self, month: Option<i8>) -> Option<WrittenDay> {
        Some(WrittenDay {
            year: self.year,
            month: self.month.or(month)?,
            day: self.day,
        })
    }
}

/// The day that the words begin with.
fn sighted(rest: &mut &[String]) -> Option<SightedDay> {
    let word = |at: usize| rest.get(at).map_or("", String::as_str);
    if let Ok(date) = word(0).parse::<Date>() {
        *rest = rest.get(1..).unwrap_or_default();
        return Some(SightedDay {
            day: date.day(),
            month: Some(date.month()),
            year: Some(date.year()),
        });
    }
    let (day, month, mut taken) = match (day(word(0)), month(word(0))) {
        (Some(day), _) => {
            let month = month(word(1));
            (day, month, 1 + usize::from(month.is_some()))
        }
        (None, Some(month)) => (self::day(word(1))?, Some(month), 2),
        _ => return None,
    };
    let year = word(taken).parse::<i16>().ok();
    let year = year.filter(|year| month.is_some() && (2000..=2999).contains(year));
    taken += usize::from(year.is_some());
    *rest = rest.get(taken..).unwrap_or_default();
    Some(SightedDay { day, month, year })
}

/// `3`, `3rd`, `1er`.
fn day(word: &str) -> Option<i8> {
    let digits = word.trim_end_matches(|c: char| !c.is_ascii_digit());
    let ending = word.get(digits.len()..).unwrap_or_default();
    if !ending.is_empty() && !WORDS.is(W::Ordinal, ending) {
        return None;
    }
    let is_short = (1..=2).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
    let day = digits.parse().ok().filter(|_| is_short);
    day.filter(|day| (1..=31).contains(day))
}

/// What happens meanwhile, and how many words are behind that.
fn acts(rest: &[String]) -> (AbsenceAct, usize) {
    let bot = || STAND_IN.parse().ok().map(AbsenceAct::Bot);
    let (act, taken) = if let Some(taken) = WORDS.length_of(W::StandingOrders, rest) {
        (AbsenceAct::StandingOrders, taken)
    } else if let Some((taken, bot)) = WORDS.length_of(W::Bot, rest).zip(bot()) {
        (bot, taken)
    } else {
        (AbsenceAct::Waits, 0)
    };
    (act, rest.len() - taken)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests may panic")]
mod tests {
    use super::*;
    use crate::campaign::words::spelling::words_of;

    fn read(text: &str) -> Option<(WrittenAbsence, usize)> {
        read_absence(&words_of(text))
    }

    fn day(day: i8, month: i8) -> WrittenDay {
        WrittenDay {
            year: None,
            month,
            day,
        }
    }

    #[test]
    fn days_are_read_as_people_write_them() {
        let (first, tenth) = (day(1, 12), day(10, 12));
        for text in [
            "1 Dec to 10 Dec",
            "from 1st December until 10th december",
            "Dec 1 - Dec 10",
            "du 1er au 10 d\u{e9}cembre",
            "le 1 d\u{e9}c. au 10 d\u{e9}c.",
            "1 to 10 December",
        ] {
            let (absence, reason) = read(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(
                (absence.from, absence.until),
                (Some(first), tenth),
                "{text}"
            );
            assert_eq!((absence.acts, reason), (AbsenceAct::Waits, 0), "{text}");
        }
        let (absence, _) = read("2026-12-24..2027-01-02").unwrap();
        let whole = |year, month, day| WrittenDay {
            year: Some(year),
            month,
            day,
        };
        assert_eq!(absence.from, Some(whole(2026, 12, 24)));
        assert_eq!(absence.until, whole(2027, 1, 2));
        let (absence, _) = read("24 Dec to 2 Jan 2027").unwrap();
        assert_eq!(absence.from, Some(day(24, 12)));
        assert_eq!(absence.until, whole(2027, 1, 2));
        for text in ["until 10 Dec", "jusqu'au 10 d\u{e9}cembre", "till Dec 10"] {
            let (absence, _) = read(text).unwrap();
            assert_eq!((absence.from, absence.until), (None, tenth), "{text}");
        }
        let (absence, _) = read("3 juin au 4 juil").unwrap();
        assert_eq!((absence.from, absence.until), (Some(day(3, 6)), day(4, 7)));
        let (absence, _) = read("on 5 May").unwrap();
        assert_eq!((absence.from, absence.until), (Some(day(5, 5)), day(5, 5)));
    }

    #[test]
    fn what_happens_meanwhile_and_why_stand_behind() {
        let (absence, reason) = read("1 to 10 Dec STANDING ORDERS hiking in the hills").unwrap();
        assert_eq!((absence.acts, reason), (AbsenceAct::StandingOrders, 4));
        let (absence, reason) = read("du 1 au 10 d\u{e9}c automate").unwrap();
        assert!(matches!(absence.acts, AbsenceAct::Bot(_)) && reason == 0);
        let (absence, reason) = read("1 to 10 Dec at my aunt's").unwrap();
        assert_eq!((absence.acts, reason), (AbsenceAct::Waits, 4));
    }

    #[test]
    fn other_words_are_no_days() {
        for text in [
            "",
            "friends",
            "jui 3",
            "1-12",
            "from here to there",
            "40 Dec",
            "1 to friends",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
