//! Reading an umpire's mail: which lines are rulings, a form each. A ruling has its reason behind a
//! colon, so that no sentence is mistaken for one.

use std::{collections::BTreeMap, sync::LazyLock};

use jiff::{Timestamp, civil, tz::TimeZone};
use serde::Deserialize;

use crate::{
    campaign::{
        model::{
            events::Ruling,
            recipient::Recipient,
            seats::{Address, Seat},
            umpire_acts::{ActLine, UmpireAct},
        },
        words::{
            errand_lines::{letter_of, recipients, until_end},
            spelling::{Spellings, WrittenWords, in_each_language, words_of},
        },
    },
    game::Lang,
    ids::SeatId,
};

/// The most forms of a mail that count.
const MOST: usize = 12;
/// The most characters of a line that are quoted.
const QUOTED: usize = 80;
/// The longest name of a held mail's file.
const LONGEST_FILE: usize = 255;

/// The form of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
enum UmpireForm {
    Status,
    Help,
    Hold,
    Resume,
    Extend,
    Release,
    Silent,
    Replace,
    Say,
    Note,
}

/// The file of a language.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FormFile {
    forms: WrittenWords<UmpireForm>,
}

static FILES: LazyLock<BTreeMap<Lang, FormFile>> =
    LazyLock::new(|| in_each_language("umpire_forms.yaml"));

static FORMS: LazyLock<Spellings<UmpireForm>> =
    LazyLock::new(|| Spellings::new(FILES.iter().map(|(lang, file)| (*lang, &file.forms))));

/// What the words of a form may name.
pub struct FormNames<'a> {
    /// The zone of times.
    pub zone: &'a TimeZone,
    /// Whom a name means, to write to.
    pub resolve: &'a dyn Fn(&str) -> Option<Vec<Recipient>>,
    /// The player of a seat.
    pub player: &'a dyn Fn(&str) -> Option<Seat>,
}

/// The acts that a mail asks for, in their order.
#[must_use]
pub fn read_forms(text: &str, names: &FormNames<'_>) -> Vec<ActLine> {
    let mut acts = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let words = words_of(line);
        let Some(found) = FORMS.begun_by(&words) else {
            continue;
        };
        let behind = words.get(found.length..).unwrap_or_default();
        let rest = behind_words(line, found.length);
        let act = match found.meaning {
            UmpireForm::Say => Some(say(behind, names, until_end(&mut lines))),
            UmpireForm::Note if behind.is_empty() => Some(note(until_end(&mut lines))),
            form => on_one_line(form, rest, names),
        };
        if let Some(act) = act {
            let act = act.unwrap_or_else(|| UmpireAct::Faulty {
                form: words
                    .get(..found.length)
                    .unwrap_or_default()
                    .join(" ")
                    .to_uppercase(),
            });
            let line = line.trim().chars().take(QUOTED).collect();
            acts.push(ActLine { line, act });
        }
        if acts.len() == MOST {
            break;
        }
    }
    acts
}

/// The act of a line, or a fault in it; none if the line is prose.
fn on_one_line(form: UmpireForm, rest: &str, names: &FormNames<'_>) -> Option<Option<UmpireAct>> {
    let rules = |ruling| UmpireAct::Rules { ruling };
    let bare = rest.trim_matches([':', ' ', '.']);
    if bare.is_empty() {
        return Some(match form {
            UmpireForm::Status => Some(UmpireAct::Status),
            UmpireForm::Help => Some(UmpireAct::Help),
            _ => None,
        });
    }
    let reason = |rest: &str| {
        let (before, why) = rest.split_once(':')?;
        let why = why.trim().to_owned();
        (before.trim().is_empty() && !why.is_empty()).then_some(why)
    };
    Some(match form {
        UmpireForm::Status | UmpireForm::Help | UmpireForm::Say | UmpireForm::Note => return None,
        UmpireForm::Hold => Some(rules(Ruling::Hold { why: reason(rest)? })),
        UmpireForm::Resume => Some(rules(Ruling::Resume { why: reason(rest)? })),
        UmpireForm::Extend => extend(rest, names.zone).map(rules),
        UmpireForm::Release => {
            let mut words = bare.split_whitespace();
            let (file, more) = (words.next()?, words.next());
            if more.is_some() {
                return None;
            }
            let fits = file.len() <= LONGEST_FILE && !file.contains('/');
            fits.then(|| UmpireAct::Release {
                file: file.to_owned(),
            })
        }
        UmpireForm::Silent => {
            let (name, why) = rest.split_once(':')?;
            let why = why.trim().to_owned();
            let witness = SeatId::from(name.trim());
            (!why.is_empty()).then(|| rules(Ruling::Silent { witness, why }))
        }
        UmpireForm::Replace => replace(rest, names).map(rules),
    })
}

/// `2026-11-30 20:00: a strike of the post`.
fn extend(rest: &str, zone: &TimeZone) -> Option<Ruling> {
    let rest = rest.trim_start_matches([':', ' ']);
    let (first, behind) = rest.split_once(' ')?;
    if let Ok(until) = first.trim_end_matches(':').parse::<Timestamp>() {
        let why = behind.trim_start_matches([':', ' ']).trim().to_owned();
        return (!why.is_empty()).then_some(Ruling::Extend { until, why });
    }
    let date: civil::Date = first.parse().ok()?;
    let (time, why) = behind.trim_start().split_once([' ', '\u{a0}'])?;
    let time: civil::Time = time.trim_end_matches(':').parse().ok()?;
    let until = date.to_datetime(time).to_zoned(zone.clone()).ok()?;
    let why = why.trim_start_matches([':', ' ']).trim().to_owned();
    let until = until.timestamp();
    (!why.is_empty()).then_some(Ruling::Extend { until, why })
}

/// `blue=carol@example.org: Bert has no time`.
fn replace(rest: &str, names: &FormNames<'_>) -> Option<Ruling> {
    let (player, why) = rest.trim_start_matches([':', ' ']).split_once(':')?;
    let (seat, address) = player.split_once('=')?;
    let address: Address = address.trim().parse().ok()?;
    let player = Seat {
        address: address.into(),
        name: String::new(),
        ..(names.player)(seat.trim())?
    };
    let why = why.trim().to_owned();
    (!why.is_empty()).then_some(Ruling::Replace { player, why })
}

/// `SAY TO french`, the words below it, and `END`.
fn say(behind: &[String], names: &FormNames<'_>, words: Option<Vec<&str>>) -> Option<UmpireAct> {
    let to = recipients(behind, names.resolve).ok()?;
    let to: Vec<SeatId> = to.iter().filter_map(Recipient::seat).cloned().collect();
    let words = letter_of(&words?).ok().filter(|_| !to.is_empty())?;
    let ruling = Ruling::Say { to, words };
    Some(UmpireAct::Rules { ruling })
}

/// `NOTE`, the words below it, and `END`.
fn note(words: Option<Vec<&str>>) -> Option<UmpireAct> {
    let words = letter_of(&words?).ok()?;
    Some(UmpireAct::Note { words })
}

/// What stands behind the first words of a line, as it is written.
fn behind_words(line: &str, count: usize) -> &str {
    let is_word = |c: char| c.is_alphanumeric() || ('\u{300}'..='\u{36f}').contains(&c);
    let mut rest = line;
    for _ in 0..count {
        rest = rest
            .trim_start_matches(|c| !is_word(c))
            .trim_start_matches(is_word);
    }
    rest.trim()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests may panic")]
mod tests {
    use super::*;
    use crate::campaign::words::spelling::variants;

    fn read(text: &str) -> Vec<UmpireAct> {
        let resolve = |name: &str| match name {
            "red" => Some(vec![Recipient::Seat("red".into())]),
            "all" => Some(vec![
                Recipient::Seat("red".into()),
                Recipient::Seat("blue".into()),
            ]),
            _ => None,
        };
        let player = |seat: &str| {
            let text = format!("{{id: {seat}, address: ada@example.org, lang: fr, name: Ada}}");
            (seat == "red").then(|| serde_yaml::from_str(&text).unwrap())
        };
        let names = FormNames {
            zone: &TimeZone::get("Europe/Paris").unwrap(),
            resolve: &resolve,
            player: &player,
        };
        let acts = read_forms(text, &names).into_iter();
        acts.map(|line| line.act).collect()
    }

    fn rules(ruling: Ruling) -> UmpireAct {
        UmpireAct::Rules { ruling }
    }

    #[test]
    fn every_language_has_every_form() {
        for file in FILES.values() {
            assert_eq!(file.forms.len(), variants::<UmpireForm>());
        }
        assert_eq!(FILES.len(), Lang::ALL.len());
    }

    #[test]
    fn forms_are_read_in_both_languages_and_sentences_are_none() {
        let why = || "Ada is ill".to_owned();
        assert_eq!(
            read("HOLD: Ada is ill"),
            [rules(Ruling::Hold { why: why() })]
        );
        assert_eq!(
            read("Reprendre : Ada is ill\n-- \nDora"),
            [rules(Ruling::Resume { why: why() })]
        );
        let until: Timestamp = "2026-11-30T19:00:00Z".parse().unwrap();
        let extended = [rules(Ruling::Extend { until, why: why() })];
        assert_eq!(read("EXTEND 2026-11-30 20:00: Ada is ill"), extended);
        assert_eq!(read("EXTEND UNTIL 2026-11-30 20:00 : Ada is ill"), extended);
        assert_eq!(
            read("Prolonger 2026-11-30T19:00:00Z : Ada is ill"),
            extended
        );
        assert_eq!(
            read("SAY TO red\nHello\n\nthere\nEND\nSTATUS"),
            [
                rules(Ruling::Say {
                    to: vec!["red".into()],
                    words: "Hello\n\nthere".into()
                }),
                UmpireAct::Status
            ]
        );
        assert_eq!(
            read("NOTE\nSTATUS\nEND"),
            [UmpireAct::Note {
                words: "STATUS".into()
            }]
        );
        let UmpireAct::Rules {
            ruling: Ruling::Replace { player, .. },
        } = &read("REPLACE red=carol@example.org: Ada is ill")[0]
        else {
            panic!("no ruling");
        };
        assert!(player.address.is("carol@example.org") && player.name.is_empty());
        for prose in [
            "Hold on a minute",
            "Note that I am away",
            "Help me",
            "Say hello",
            "",
        ] {
            let read = read(prose);
            let harmless = |act: &UmpireAct| matches!(act, UmpireAct::Faulty { .. });
            assert!(read.iter().all(harmless), "{prose}: {read:?}");
        }
        for faulty in [
            "HOLD",
            "EXTEND 2026-13-30 20:00: Ada is ill",
            "RELEASE ../../secret/master",
            "SAY TO nobody\nHello\nEND",
            "SAY TO red\nwithout an end",
            "REPLACE green=carol@example.org: Ada is ill",
        ] {
            let read = read(faulty);
            assert!(
                matches!(read[0], UmpireAct::Faulty { .. }),
                "{faulty}: {read:?}"
            );
        }
    }
}
