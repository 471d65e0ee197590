//! Mails that bring what the dice wait for: `BEACON` of any seat, `TOKEN` of a witness.

use super::{
    engine::Engine,
    events::{BroughtBy, Event, Reason, Refused, ValueIn},
    sources::{beacon_line, token_line},
    state::{State, Waiting},
};
use crate::{
    dice::SourceValue,
    mail::{self, Incoming, Token},
};

impl Engine {
    /// Judges a mail that names a witness; none if it names none.
    pub(super) fn judge_witness(
        &self,
        state: &State,
        file: &str,
        incoming: &Incoming,
    ) -> Option<Event> {
        let mut claims = mail::claims(incoming, &self.host());
        claims.retain(|claim| claim.campaign == self.settings.campaign.as_str());
        let claim = claims.iter().find(|claim| {
            let name = claim.seat.strip_prefix("w-");
            name.is_some_and(|name| self.witness(name).is_some())
        })?;
        let is_token = claim.token.as_ref().is_some_and(|token| {
            let campaign = self.settings.campaign.as_str();
            let envelope = state.dice.envelope.into();
            Token::check(
                self.eras.letters.token.bytes(),
                campaign,
                &claim.seat,
                envelope,
                token,
            )
        });
        let name = claim.seat.strip_prefix("w-")?;
        let checked = if is_token {
            self.check_token(state, name, &incoming.words.text)
        } else {
            Err(Reason::WrongToken)
        };
        Some(judged(checked, state, &claim.seat, file, incoming))
    }

    /// Judges words of a seat that speak of the beacon.
    pub(super) fn judge_beacon(
        &self,
        state: &State,
        seat: &str,
        words: &str,
        file: &str,
        incoming: &Incoming,
    ) -> Event {
        let value = beacon_line(words).ok_or(Reason::ValueWrong);
        let checked = value.and_then(|value| {
            self.check_value(state, &value)?;
            Ok(value)
        });
        judged(checked, state, seat, file, incoming)
    }

    fn check_token(&self, state: &State, name: &str, words: &str) -> Result<SourceValue, Reason> {
        let (envelope, value) = token_line(name, words).ok_or(Reason::ValueWrong)?;
        match envelope.cmp(&state.dice.envelope) {
            std::cmp::Ordering::Less => return Err(Reason::ValueEarly),
            std::cmp::Ordering::Greater => return Err(Reason::ValueLate),
            std::cmp::Ordering::Equal => {}
        }
        self.check_value(state, &value)?;
        Ok(value)
    }
}

/// The record of a mail that brings what the dice wait for, or something else.
fn judged(
    checked: Result<SourceValue, Reason>,
    state: &State,
    who: &str,
    file: &str,
    incoming: &Incoming,
) -> Event {
    match checked {
        Ok(value) => Event::Value(Box::new(ValueIn {
            value: value.to_string(),
            mail: Some(BroughtBy {
                who: who.into(),
                digest: incoming.digest.clone(),
                file: file.to_owned(),
            }),
        })),
        Err(reason) => Event::Refused(Refused {
            reason,
            seat: Some(who.into()),
            message_id: incoming.message_id.clone(),
            digest: incoming.digest.clone(),
            file: file.to_owned(),
            detail: detail(state),
        }),
    }
}

/// What the dice wait for, for the journal.
fn detail(state: &State) -> String {
    match &state.waiting {
        Waiting::Dice { round, .. } => format!(
            "envelope {}{}",
            state.dice.envelope,
            round.map_or_else(String::new, |round| format!(", round {round}"))
        ),
        _ => "the dice wait for nothing".to_owned(),
    }
}
