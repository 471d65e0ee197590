//! What a mail asks of the club, one request a line.

use serde::{Deserialize, Serialize};

use super::{
    request_words::{RequestVerb, RequestVerb as V, RequestWord, VERBS, WORDS},
    table::TablePlan,
};
use crate::{
    campaign::{model::absence::Absence, words::spelling::words_of},
    game::Lang,
    ids::SeatId,
};

/// The most requests of a mail that are done.
pub(super) const MOST: usize = 12;
/// The most characters of a line that are quoted.
const QUOTED: usize = 80;

/// A request, and the line that asks for it; of a line about a person only its verb.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RequestLine {
    /// The line, as far as it is quoted.
    pub line: String,
    /// What it asks for.
    pub request: ClubRequest,
}

/// What is asked of the club.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "request", rename_all = "snake_case", deny_unknown_fields)]
pub enum ClubRequest {
    /// What there is to ask.
    Help,
    /// Which games there are.
    Games,
    /// Which tables look for players.
    Tables,
    /// Who has joined a table; who is in the club.
    Who {
        /// The table.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        table: Option<u32>,
    },
    /// What is kept of the sender.
    MyData,
    /// To become a member.
    JoinClub,
    /// An address is confirmed.
    Yes,
    /// To be a member no longer.
    LeaveClub,
    /// Another name, language or zone, other addresses: what it is stands in the member's file.
    Profile {
        /// Which of them.
        about: ProfilePart,
    },
    /// A new table.
    NewTable {
        /// What is to be played.
        plan: Box<TablePlan>,
    },
    /// To play at a table.
    Join {
        /// The table.
        table: u32,
        /// The seats that the sender would like, the best first.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        wishes: Vec<SeatId>,
    },
    /// Not to play at a table.
    Leave {
        /// The table.
        table: u32,
    },
    /// To give up a table.
    Close {
        /// The table.
        table: u32,
    },
    /// To be away for a while, in all campaigns.
    Absent {
        /// When, and what happens meanwhile. Why is nobody's business, and stands nowhere.
        absence: Absence,
    },
    /// To be back before that.
    Back,
    /// To take over a seat that looks for another player.
    TakeOver {
        /// The table.
        table: u32,
        /// The seat, if one is named.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<SeatId>,
    },
    /// How campaigns have ended, and what comes of that.
    Results {
        /// Of this game alone.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        game: Option<String>,
    },
    /// To look on at a campaign, or not to any more.
    Observe {
        /// The table.
        table: u32,
        /// True if the sender would like to.
        on: bool,
    },
    /// To get the monthly letter, or none.
    Letter {
        /// True if the sender wants it.
        on: bool,
    },
    /// Something that can't be done as it is written.
    Faulty {
        /// What was asked for.
        verb: String,
        /// What is wrong.
        fault: RequestFault,
        /// The word that is wrong, or the words that there are.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        about: String,
    },
}

/// A part of what is kept of a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProfilePart {
    /// The name.
    Name,
    /// The language.
    Language,
    /// The time zone.
    Zone,
    /// The address to which letters go; a code is on its way.
    Address,
    /// A further address; a code is on its way.
    FurtherAddress,
    /// A further address is none any more.
    AddressDropped,
    /// Others may see the address.
    AddressShown,
    /// Others may not see it.
    AddressHidden,
}

/// Why a request can't be done as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RequestFault {
    /// A word is missing, or is none that is known there.
    Form,
    /// There is no such game.
    NoGame,
    /// The game has no such scenario.
    NoScenario,
    /// The game has no such roster.
    NoRoster,
    /// The game has no such seat.
    NoSeat,
    /// The game has no such option, or not this value of it.
    NoOption,
    /// The game brings no bots.
    NoBots,
    /// There would be no player.
    NobodyPlays,
    /// Letters can't go to this address.
    Unfit,
    /// Nobody can be away in these days.
    Days,
    /// The umpire sees everything, and plays nothing.
    Umpire,
    /// There are too many of them.
    TooMany,
}

impl ClubRequest {
    /// Returns true if it changes nothing, and its answer may go to the sender's known address
    /// without his token.
    pub(super) fn is_question(&self) -> bool {
        matches!(
            self,
            Self::Help
                | Self::Games
                | Self::Tables
                | Self::Who { .. }
                | Self::MyData
                | Self::Results { .. }
                | Self::JoinClub
                | Self::Faulty { .. }
        )
    }
}

/// Whether a word switches something on or off.
pub(super) fn switch(word: &str) -> Option<bool> {
    let is_off = WORDS.is(RequestWord::Off, word);
    (is_off || WORDS.is(RequestWord::On, word)).then_some(!is_off)
}

/// A line that begins with a verb.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct VerbLine<'t> {
    pub verb: RequestVerb,
    /// The language of the verb's spelling.
    pub lang: Lang,
    /// The line.
    pub line: &'t str,
    /// The words behind the verb, folded.
    pub behind: Vec<String>,
    /// The line behind the verb, as it is written.
    pub rest: &'t str,
}

impl VerbLine<'_> {
    /// The line as an answer quotes it.
    pub(super) fn quoted(&self) -> String {
        self.line.trim().chars().take(QUOTED).collect()
    }

    /// Its verb alone, for the journal; nothing if it can't be told from what stands behind it.
    pub(super) fn verb_quoted(&self) -> String {
        let verb = self.line.trim().strip_suffix(self.rest).unwrap_or_default();
        let verb_words = words_of(self.line).len().checked_sub(self.behind.len());
        let is_verb = Some(words_of(verb).len()) == verb_words;
        let verb = if is_verb { verb } else { "" };
        verb.trim().chars().take(QUOTED).collect()
    }

    /// Its parts, divided by blanks and commas, as they are written.
    pub(super) fn parts(&self) -> impl Iterator<Item = &str> {
        let parts = self.rest.split(|c: char| c.is_whitespace() || c == ',');
        parts.filter(|part| !part.is_empty())
    }
}

/// The lines of a text that begin with a verb, and are no sentences that happen to.
pub(super) fn verb_lines(text: &str) -> Vec<VerbLine<'_>> {
    text.lines().filter_map(verb_line).collect()
}

fn verb_line(line: &str) -> Option<VerbLine<'_>> {
    let bare = line
        .trim()
        .trim_start_matches(['-', '*', '\u{2022}'])
        .trim_start();
    let words = words_of(bare);
    let spelt = VERBS.begun_by(&words)?;
    let behind = words.get(spelt.length..)?.to_vec();
    let rest = behind_words(bare, spelt.length);
    let found = VerbLine {
        verb: spelt.meaning,
        lang: spelt.lang,
        line,
        behind,
        rest,
    };
    fits(&found).then_some(found)
}

/// What stands behind so many words of a line.
fn behind_words(line: &str, count: usize) -> &str {
    let mut rest = line;
    for _ in 0..count {
        let begin = rest.find(char::is_alphanumeric).unwrap_or(rest.len());
        let word = rest.get(begin..).unwrap_or_default();
        let is_end = |c: char| c.is_whitespace() || matches!(c, ':' | ',' | '.' | '?' | '!');
        let end = word.find(is_end).unwrap_or(word.len());
        rest = word.get(end..).unwrap_or_default();
    }
    let rest = rest.trim_start();
    rest.trim_start_matches([':', '.', '!', '?']).trim()
}

/// Returns true if the words behind a verb can belong to it: a sentence is no request.
fn fits(line: &VerbLine<'_>) -> bool {
    let behind: Vec<&str> = line.behind.iter().map(String::as_str).collect();
    match line.verb {
        V::Help | V::Results => behind.len() <= 1,
        V::Letter => matches!(behind.as_slice(), [word] if switch(word).is_some()),
        V::Games
        | V::Tables
        | V::MyData
        | V::JoinClub
        | V::LeaveClub
        | V::ShowAddress
        | V::HideAddress
        | V::Back
        | V::Yes => behind.is_empty(),
        V::Absent => behind
            .iter()
            .any(|word| word.contains(|c: char| c.is_ascii_digit())),
        V::Who => match behind.as_slice() {
            [] | [_] => true,
            [word, _] => WORDS.is(RequestWord::Table, word),
            _ => false,
        },
        V::Name => !line.rest.is_empty(),
        V::Language => behind.len() == 1,
        V::Zone => line.parts().count() == 1,
        V::Address => line.rest.contains('@'),
        V::NewTable => !behind.is_empty(),
        V::Observe => observed(&line.behind).is_some(),
        V::Join | V::Leave | V::Close | V::TakeOver => {
            let first = match behind.as_slice() {
                [word, number, ..] if WORDS.is(RequestWord::Table, word) => number,
                [first, ..] => first,
                [] => "",
            };
            table_number(first).is_some()
        }
    }
}

/// The words behind OBSERVE: the name before the number, if the campaign is named, and whether its
/// sender looks on.
pub(super) fn observed(behind: &[String]) -> Option<(&str, u32, bool)> {
    let behind = match behind {
        [word, rest @ ..] if WORDS.is(RequestWord::Table, word) => rest,
        behind => behind,
    };
    let (word, on) = match behind {
        [word] => (word, true),
        [word, last] => (word, switch(last)?),
        _ => return None,
    };
    match word.rsplit_once('-') {
        Some((name, number)) => Some((name, table_number(number)?, on)),
        None => Some(("", table_number(word)?, on)),
    }
}

/// `3`, `t3`, `T3`.
pub(super) fn table_number(word: &str) -> Option<u32> {
    let digits = word.strip_prefix('t').unwrap_or(word);
    let is_plain = (1..=6).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
    digits.parse().ok().filter(|number| is_plain && *number > 0)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests may panic")]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn verb(line: &str) -> Option<(RequestVerb, Lang)> {
        verb_line(line).map(|found| (found.verb, found.lang))
    }

    #[test]
    fn verbs_are_read_in_both_languages_and_forgiven_slips() {
        for (line, read) in [
            ("JOIN CLUB", V::JoinClub),
            ("Join the club.", V::JoinClub),
            ("join 3", V::Join),
            ("JOIN T3 AS red, blue", V::Join),
            ("Join table 3 as red", V::Join),
            ("- Tables?", V::Tables),
            ("TALBES", V::Tables),
            ("MY DATA", V::MyData),
            ("Name: Ada Byron", V::Name),
            ("ADDRESS also ada@example.net", V::Address),
            ("YES", V::Yes),
            ("WHO t3", V::Who),
            ("ABSENT 1 Dec to 10 Dec", V::Absent),
            ("Back", V::Back),
            ("TAKE OVER 3 AS blue", V::TakeOver),
            ("Results", V::Results),
            ("LETTER OFF", V::Letter),
            ("OBSERVE 3", V::Observe),
            ("Observe tuesday-3 off", V::Observe),
        ] {
            assert_eq!(verb(line), Some((read, Lang::En)), "{line}");
        }
        for (line, read) in [
            ("Rejoindre le club", V::JoinClub),
            ("mes donn\u{e9}es", V::MyData),
            ("REJOINDRE 3 COMME red", V::Join),
            ("Oui", V::Yes),
            ("Quitter table 3", V::Leave),
        ] {
            assert_eq!(verb(line), Some((read, Lang::Fr)), "{line}");
        }
    }

    #[test]
    fn sentences_are_no_requests() {
        for line in [
            "Join us tonight",
            "Who is playing tonight?",
            "Yes, that would be nice",
            "I would like to join the club",
            "Leave me alone",
            "Games are fun",
            "Help me please, I am lost",
            "Tables and chairs",
            "Address unknown",
            "Absent friends",
            "Back to Rome",
            "Take over the world",
            "Letter from home",
            "Observe the rules",
            "Observe 3 more turns",
            "Results are on the way",
            "",
        ] {
            assert_eq!(verb(line), None, "{line}");
        }
    }

    #[test]
    fn what_stands_behind_a_verb_stays_as_it_is_written() {
        let found = verb_line("  * Name:  Zo\u{eb} de La Tour ").unwrap();
        assert_eq!(found.rest, "Zo\u{eb} de La Tour");
        let found = verb_line("new table some-game at Tue 20:00").unwrap();
        assert_eq!(found.rest, "some-game at Tue 20:00");
        assert_eq!(found.verb_quoted(), "new table");
        let found = verb_line("join table T12 as red,blue").unwrap();
        let parts: Vec<_> = found.parts().collect();
        assert_eq!(parts, ["T12", "as", "red", "blue"]);
        // What can't be divided is not quoted at all.
        let found = verb_line("help/byron").unwrap();
        assert_eq!((found.verb, found.verb_quoted().as_str()), (V::Help, ""));
    }

    proptest! {
        #[test]
        fn any_line_is_read(
            text in r"(?s)(join|new table|address|name|who|r\u{e9}joindre)?[ :,.]?\PC{0,120}(\n\PC{0,40}){0,3}"
        ) {
            for line in verb_lines(&text) {
                prop_assert!(line.quoted().chars().count() <= QUOTED);
                prop_assert!(line.line.contains(line.rest));
                prop_assert!(line.line.contains(&line.verb_quoted()));
                prop_assert!(line.parts().all(|part| !part.is_empty()));
            }
        }
    }
}
