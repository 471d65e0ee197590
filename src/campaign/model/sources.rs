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

/// The values of a file: lines `<round> <signature>` with or without a word before them, or the
/// JSON of a relay.
#[must_use]
pub fn beacon_values(text: &str) -> Vec<SourceValue> {
    let value = |round: &str, signature: &str| format!("drand {round} {signature}").parse().ok();
    if let Ok(json) = serde_json::from_str::<serde_json::Value>(text) {
        let round = json.get("round").map(ToString::to_string);
        let signature = json.get("signature").and_then(serde_json::Value::as_str);
        return round
            .zip(signature)
            .and_then(|(round, signature)| value(&round, signature))
            .into_iter()
            .collect();
    }
    let read = |line: &str| {
        let mut words = line.split_ascii_whitespace().rev();
        let (signature, round) = (words.next()?, words.next()?);
        value(round, &signature.to_ascii_lowercase())
    };
    text.lines().filter_map(read).collect()
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
            assert_eq!(beacon_values(text), std::slice::from_ref(&value), "{text}");
        }
        assert_eq!(beacon_values("{}"), []);
        assert_eq!(beacon_values("nothing here"), []);
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
