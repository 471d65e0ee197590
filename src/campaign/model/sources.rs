//! The sources of the dice beside the orders, and how their values are written in mails and files.

use crate::{
    campaign::model::{
        settings::{DiceSource, Settings},
        work_error::WorkError,
    },
    dice::{Beacon, Source, SourceValue, beacon},
};

/// The sources as the opening names them.
pub(crate) fn sources_of(settings: &Settings) -> Result<Vec<Source>, WorkError> {
    let source = |source: &DiceSource| match source {
        DiceSource::Drand { .. } if !beacon::CAN_VERIFY => Err(WorkError::Beacon),
        DiceSource::Drand { margin_seconds, .. } => {
            Ok(Source::Drand(Beacon::quicknet((*margin_seconds).into())?))
        }
        DiceSource::Witness(witness) => Ok(Source::Witness {
            name: witness.name.clone(),
            anchor: witness.anchor,
        }),
        DiceSource::Orders => Ok(Source::Orders),
    };
    settings.dice.iter().map(source).collect()
}

/// Reads `BEACON <round> <signature>`, alone or before other lines. Case does not matter.
#[must_use]
pub fn beacon_line(words: &str) -> Option<SourceValue> {
    let line = words.lines().next()?.to_ascii_lowercase();
    match line.split_ascii_whitespace().collect::<Vec<_>>().as_slice() {
        ["beacon", round, signature] => format!("drand {round} {signature}").parse().ok(),
        _ => None,
    }
}

/// Returns true if words are about the beacon at all, and so are no orders.
pub(crate) fn is_about_beacon(words: &str) -> bool {
    let first = words.split_ascii_whitespace().next();
    first.is_some_and(|word| word.eq_ignore_ascii_case("beacon"))
}

/// Reads `TOKEN <envelope> <token or ->`: the envelope, and the value.
pub(crate) fn token_line(name: &str, words: &str) -> Option<(u32, SourceValue)> {
    words.lines().find_map(|line| {
        let line = line.to_ascii_lowercase();
        match line.split_ascii_whitespace().collect::<Vec<_>>().as_slice() {
            ["token", envelope, token] => Some((
                envelope.parse().ok()?,
                format!("witness {name} {token}").parse().ok()?,
            )),
            _ => None,
        }
    })
}

/// What a file says of the beacon.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BeaconText {
    /// Its values.
    pub values: Vec<SourceValue>,
    /// The lines that are no value, from 1.
    pub wrong: Vec<usize>,
}

impl BeaconText {
    /// Reads lines `<round> <signature>` with or without a word before them, or the JSON of a
    /// relay. Empty lines and those that begin with `#` say nothing.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let mut found = Self::default();
        if let Ok(json) = serde_json::from_str::<serde_json::Value>(text) {
            let round = json.get("round").map(ToString::to_string);
            let signature = json.get("signature").and_then(serde_json::Value::as_str);
            let both = round.zip(signature);
            found.add(1, both.and_then(|(round, it)| beacon_value(&round, it)));
            return found;
        }
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let mut words = line.split_ascii_whitespace().rev();
            let both = words.next().zip(words.next());
            let value = both.and_then(|(it, round)| beacon_value(round, &it.to_ascii_lowercase()));
            found.add(index + 1, value);
        }
        found
    }

    fn add(&mut self, line: usize, value: Option<SourceValue>) {
        match value {
            Some(value) => self.values.push(value),
            None => self.wrong.push(line),
        }
    }

    /// The first line that is no value, as a sentence.
    #[must_use]
    pub fn problem(&self) -> Option<String> {
        let line = self.wrong.first()?;
        Some(format!(
            "line {line} is no value of the beacon: it should be `<round> <signature>`"
        ))
    }
}

fn beacon_value(round: &str, signature: &str) -> Option<SourceValue> {
    format!("drand {round} {signature}").parse().ok()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)] // tests may panic
mod tests {
    use super::*;

    #[test]
    fn lines_of_people_and_files_of_relays_are_read() {
        let value: SourceValue = "drand 42 95a9".parse().unwrap();
        assert_eq!(beacon_line("Beacon  42 95A9\nthanks"), Some(value.clone()));
        for words in [
            "BEACON 42",
            "beacon 0 95a9",
            "beacon x 95a9",
            "MOVE 42 95a9",
            "",
        ] {
            assert_eq!(beacon_line(words), None, "{words}");
        }
        assert!(is_about_beacon(" beacon please"));
        for text in [
            "42 95a9\n",
            "# quicknet\nBEACON 42 95A9\n",
            r#"{"round": 42, "signature": "95a9"}"#,
            r#"{"round": 42, "randomness": "00", "signature": "95a9"}"#,
        ] {
            let found = BeaconText::read(text);
            assert_eq!(found.values, std::slice::from_ref(&value), "{text}");
            assert_eq!(found.problem(), None, "{text}");
        }
        assert_eq!(BeaconText::read("{}").wrong, [1]);
        let one_wrong = BeaconText::read("# two\n41 95a8\n\n42 95g9\n");
        assert_eq!((one_wrong.values.len(), one_wrong.wrong), (1, vec![4]));
    }

    #[test]
    fn tokens_and_refusals_are_read() {
        let token = "ab".repeat(32);
        let words = format!("Here it is:\ntoken 3 {token}\n");
        let (envelope, value) = token_line("cleo", &words).unwrap();
        assert_eq!(
            (envelope, value.to_string()),
            (3, format!("witness cleo {token}"))
        );
        let (_, refused) = token_line("cleo", "TOKEN 3 -").unwrap();
        assert_eq!(refused.to_string(), "witness cleo -");
        assert_eq!(token_line("cleo", "TOKEN 3"), None);
    }
}
