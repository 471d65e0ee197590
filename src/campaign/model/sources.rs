//! What the dice wait for after the seal: the beacon's value, the witnesses' tokens (dice.md,
//! section 5). Each proves itself, so it may come by any way: from a file, or in anybody's mail.

use jiff::Timestamp;

use crate::{
    campaign::model::{
        context::Context,
        events::Reason,
        settings::{DiceSource, Settings},
        state::{CurrentWait, State},
        work_error::WorkError,
    },
    dice::{Beacon, Source, SourceValue, beacon, source},
    ids::SeatId,
};

/// The values still missing for the sealed envelope's dice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingValues {
    /// The beacon's round and its moment.
    pub round: Option<(u64, Timestamp)>,
    /// The witnesses that have not answered.
    pub witnesses: Vec<SeatId>,
}

impl MissingValues {
    /// Returns true if all is there.
    pub(crate) fn is_nothing(&self) -> bool {
        self.round.is_none() && self.witnesses.is_empty()
    }
}

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

/// `BEACON <round> <signature>`, alone or before other lines: the value that it brings. Case does
/// not matter.
#[must_use]
pub fn beacon_line(words: &str) -> Option<SourceValue> {
    let line = words.lines().next()?.to_ascii_lowercase();
    match line.split_ascii_whitespace().collect::<Vec<_>>().as_slice() {
        ["beacon", round, signature] => format!("drand {round} {signature}").parse().ok(),
        _ => None,
    }
}

/// Returns true if words speak of the beacon at all: then they are no orders.
pub(crate) fn is_about_beacon(words: &str) -> bool {
    let first = words.split_ascii_whitespace().next();
    first.is_some_and(|word| word.eq_ignore_ascii_case("beacon"))
}

/// `TOKEN <envelope> <token or ->`: the envelope, and the value as the register writes it.
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

/// What the dice of the sealed envelope wait for; none if they wait for nothing.
#[must_use]
pub fn wanted(context: &Context, state: &State) -> Option<MissingValues> {
    let CurrentWait::Dice {
        round, witnesses, ..
    } = state.missing()
    else {
        return None;
    };
    Some(MissingValues {
        round: round.and_then(|round| Some((round, context.moment_of(round)?))),
        witnesses: witnesses.clone(),
    })
}

/// Checks whether a value is the one that is waited for, and can be known at this moment.
///
/// # Errors
/// Why it is not.
pub fn check_value(
    context: &Context,
    state: &State,
    value: &SourceValue,
    at: Timestamp,
) -> Result<(), Reason> {
    let CurrentWait::Dice {
        round: wanted,
        witnesses,
        ..
    } = state.missing()
    else {
        return Err(Reason::ValueNotAsked);
    };
    match value {
        SourceValue::Drand { round, signature } => {
            let (beacon, wanted) = context.beacon().zip(*wanted).ok_or(Reason::ValueNotAsked)?;
            match round.cmp(&wanted) {
                std::cmp::Ordering::Less => return Err(Reason::ValueEarly),
                std::cmp::Ordering::Greater => return Err(Reason::ValueLate),
                std::cmp::Ordering::Equal => {}
            }
            // Who has the value of a round that does not exist yet has drawn it before the orders
            // were bound, or the host's clock is wrong: either way it would prove nothing.
            if context.moment_of(*round).is_none_or(|moment| at < moment) {
                return Err(Reason::ValueTooSoon);
            }
            let check = beacon.check_signature(*round, signature);
            let genuine = check == beacon::SignatureCheck::Genuine;
            genuine.then_some(()).ok_or(Reason::ValueWrong)
        }
        SourceValue::Witness { name, .. } if !witnesses.contains(name) => {
            Err(Reason::ValueNotAsked)
        }
        SourceValue::Witness { name, token } => {
            let genuine = token.as_ref().is_none_or(|token| {
                let anchor = context.sources.iter().find_map(|source| match source {
                    Source::Witness { name: by, anchor } if by == name => Some(anchor),
                    _ => None,
                });
                anchor.is_some_and(|anchor| {
                    source::is_token(&context.name, name, anchor, state.dice.envelope, token)
                })
            });
            genuine.then_some(()).ok_or(Reason::ValueWrong)
        }
    }
}

/// What the sources said for the envelope, in the order of the opening.
pub(crate) fn values_in_order(context: &Context, state: &State) -> Vec<SourceValue> {
    let said = &state.dice.values;
    let of = |source: &Source| said.iter().find(|value| source.said(value)).cloned();
    context.sources.iter().filter_map(of).collect()
}

/// Checks that a relay's address can be used: `https://` with a host, and with or without a
/// path.
#[cfg(feature = "drand")]
pub(crate) fn check_address(relay: &str) -> Result<(), String> {
    let plain = relay.len() <= 200 && !relay.contains(['?', '#', '@']);
    let is_https =
        |uri: &ureq::http::Uri| uri.scheme_str() == Some("https") && uri.host().is_some();
    if plain
        && relay
            .parse::<ureq::http::Uri>()
            .is_ok_and(|uri| is_https(&uri))
    {
        return Ok(());
    }
    Err(format!(
        "`{relay}` is no relay: write an address as https://api.drand.sh"
    ))
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

    #[cfg(feature = "drand")]
    #[test]
    fn addresses_of_relays() {
        for right in [
            "https://api.drand.sh",
            "https://relay.example.org:444/drand/",
        ] {
            assert_eq!(check_address(right), Ok(()), "{right}");
        }
        for wrong in [
            "http://api.drand.sh",
            "api.drand.sh",
            "https://",
            "https://a b",
            "https://a/?x",
            "https://a:b@c",
            "file:///etc/passwd",
            "",
        ] {
            assert!(check_address(wrong).is_err(), "{wrong}");
        }
    }
}
