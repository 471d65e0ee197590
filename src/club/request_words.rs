//! The words of requests in all languages: `templates/<lang>/requests.yaml`.

use std::{collections::BTreeMap, sync::LazyLock};

use jiff::civil::Weekday;
use serde::Deserialize;

use crate::{
    campaign::words::spelling::{Spellings, WrittenWords, in_each_language, words_of},
    game::Lang,
};

/// A verb as it may be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum RequestVerb {
    Help,
    Games,
    Tables,
    Who,
    MyData,
    JoinClub,
    Yes,
    LeaveClub,
    Name,
    Language,
    Zone,
    Address,
    ShowAddress,
    HideAddress,
    NewTable,
    Join,
    Leave,
    Close,
    Absent,
    Back,
    TakeOver,
    Results,
    Letter,
    Observe,
}

/// A word behind a verb.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum RequestWord {
    /// Before a table's number.
    Table,
    /// Before the seats at a table.
    As,
    /// Before a seat.
    Seat,
    And,
    Or,
    /// A further address.
    Also,
    /// An address that is none any more.
    Not,
    /// An answer that confirms an address begins with it.
    Yes,
    /// Something is wanted.
    On,
    /// It is not.
    Off,
    // Of a new table.
    Scenario,
    Roster,
    Every,
    Hours,
    Days,
    /// Before fixed deadlines.
    At,
    Press,
    AtOnce,
    WithDispatches,
    Grey,
    Absences,
    /// Before what those see who look on.
    Observers,
    Public,
    /// After the end.
    Ended,
    Bot,
    Set,
}

/// The file of a language.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RequestFile {
    verbs: WrittenWords<RequestVerb>,
    words: WrittenWords<RequestWord>,
    weekdays: [String; 7],
}

static FILES: LazyLock<BTreeMap<Lang, RequestFile>> =
    LazyLock::new(|| in_each_language("requests.yaml"));

pub(super) static VERBS: LazyLock<Spellings<RequestVerb>> =
    LazyLock::new(|| Spellings::new(FILES.iter().map(|(lang, file)| (*lang, &file.verbs))));

pub(super) static WORDS: LazyLock<Spellings<RequestWord>> =
    LazyLock::new(|| Spellings::new(FILES.iter().map(|(lang, file)| (*lang, &file.words))));

/// The day of the week that begins with the first three letters of a folded word.
pub(super) fn weekday(word: &str) -> Option<Weekday> {
    let short = word.get(..3)?;
    let days = FILES
        .values()
        .flat_map(|file| file.weekdays.iter().zip(1..));
    let is_named = |name: &str| words_of(name).concat().starts_with(short);
    let mut found = days.filter(|(name, _)| is_named(name));
    found.find_map(|(_, number)| Weekday::from_monday_one_offset(number).ok())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests may panic")]
mod tests {
    use super::*;
    use crate::{campaign::words::spelling::variants, templates};

    #[test]
    fn every_language_has_all_words() {
        for lang in Lang::ALL {
            let text = templates::of_language(lang.code(), "requests.yaml");
            let file: RequestFile = serde_yaml::from_str(text).unwrap();
            assert_eq!(file.verbs.len(), variants::<RequestVerb>(), "{lang:?}");
            assert_eq!(file.words.len(), variants::<RequestWord>(), "{lang:?}");
        }
    }

    #[test]
    fn no_verb_is_spelt_like_another() {
        for (lang, file) in FILES.iter() {
            for (verb, spellings) in &file.verbs {
                for spelling in spellings {
                    let found = VERBS.begun_by(&words_of(spelling)).unwrap();
                    assert_eq!((found.meaning, found.exact), (*verb, true), "{spelling}");
                    assert_eq!(found.lang, *lang, "{spelling}");
                }
            }
        }
    }

    #[test]
    fn days_of_the_week_are_known_by_three_letters() {
        for (word, day) in [
            ("tue", Weekday::Tuesday),
            ("tuesdays", Weekday::Tuesday),
            ("mar", Weekday::Tuesday),
            ("sam", Weekday::Saturday),
            ("sunday", Weekday::Sunday),
        ] {
            assert_eq!(weekday(word), Some(day), "{word}");
        }
        for word in ["", "tu", "noon"] {
            assert_eq!(weekday(word), None, "{word}");
        }
    }
}
