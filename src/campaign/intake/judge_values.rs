//! Mails with values that the dice wait for: `BEACON` from any seat, `TOKEN` from a witness. A mail
//! may hold orders beside a value.

use crate::{
    campaign::{
        intake::arrival::Arrival,
        model::{
            context::Context,
            events::{DiceValue, Event, Reason, SeatMail, ValueMail},
            missing_values,
            replies::witness_of,
            sources::{beacon_line, is_about_beacon, token_line},
            state::{CurrentWait, State},
        },
    },
    dice::{SourceValue, canonical_orders},
    mail::{self, Token},
};

/// Judges a mail that names a witness; none if it names none.
pub(crate) fn judge_witness(context: &Context, state: &State, came: &Arrival<'_>) -> Option<Event> {
    let mut claims = mail::claims(came.incoming, context.mailbox());
    claims.retain(|claim| claim.campaign == context.settings.campaign.as_str());
    let (claim, witness) = claims
        .iter()
        .find_map(|claim| Some((claim, witness_of(context, &claim.seat)?)))?;
    let is_token = claim.token.as_ref().is_some_and(|token| {
        let campaign = context.settings.campaign.as_str();
        let envelope = state.dice.envelope.into();
        Token::check(
            context.eras.letters.token.bytes(),
            campaign,
            &claim.seat,
            envelope,
            token,
        )
    });
    let checked = if is_token {
        check_token(context, state, &witness.name, came)
    } else {
        Err(Reason::WrongToken)
    };
    Some(judged(checked, None, state, &claim.seat, came))
}

/// Judges the beacon's value in a seat's words, and the orders beside it.
pub(crate) fn judge_beacon(
    context: &Context,
    state: &State,
    seat: &str,
    value: Result<SourceValue, Reason>,
    orders: Option<SeatMail>,
    came: &Arrival<'_>,
) -> Event {
    let checked = value.and_then(|value| {
        missing_values::check_value(context, state, &value, came.at)?;
        Ok(value)
    });
    judged(checked, orders, state, seat, came)
}

fn check_token(
    context: &Context,
    state: &State,
    name: &str,
    came: &Arrival<'_>,
) -> Result<SourceValue, Reason> {
    let words = &came.incoming.words.text;
    let (envelope, value) = token_line(name, words).ok_or(Reason::ValueWrong)?;
    match envelope.cmp(&state.dice.envelope) {
        std::cmp::Ordering::Less => return Err(Reason::ValueEarly),
        std::cmp::Ordering::Greater => return Err(Reason::ValueLate),
        std::cmp::Ordering::Equal => {}
    }
    missing_values::check_value(context, state, &value, came.at)?;
    Ok(value)
}

/// The value of the beacon that a line brings, and the words without such lines. If the words open
/// with a line that only begins like one, that is a wrong value.
pub(crate) fn beacon_and_rest(words: String) -> (Option<Result<SourceValue, Reason>>, String) {
    let value = words.lines().find_map(beacon_line).map(Ok).or_else(|| {
        let first = words.lines().next();
        first
            .filter(|line| is_about_beacon(line))
            .map(|_| Err(Reason::ValueWrong))
    });
    let Some(value) = value else {
        return (None, words);
    };
    let rest = words.lines().filter(|line| !is_about_beacon(line));
    let rest: String = rest.map(|line| format!("{line}\n")).collect();
    (Some(value), canonical_orders(&rest))
}

/// The event of a mail with a value that the dice wait for, or of one that is refused.
fn judged(
    checked: Result<SourceValue, Reason>,
    orders: Option<SeatMail>,
    state: &State,
    who: &str,
    came: &Arrival<'_>,
) -> Event {
    let Arrival { file, incoming, .. } = came;
    match checked {
        Ok(value) => Event::Value(Box::new(DiceValue {
            value,
            mail: Some(ValueMail {
                who: who.into(),
                digest: incoming.digest,
                file: (*file).to_owned(),
            }),
            orders: orders.map(Box::new),
        })),
        Err(reason) => came.refused(reason, Some(who.into()), detail(state)),
    }
}

/// Names the values that the dice wait for, for the journal.
fn detail(state: &State) -> String {
    match state.missing() {
        CurrentWait::Dice { round, .. } => format!(
            "envelope {}{}",
            state.dice.envelope,
            round.map_or_else(String::new, |round| format!(", round {round}"))
        ),
        _ => "the dice wait for nothing".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_beside_a_value_are_kept() {
        let split = |words: &str| beacon_and_rest(words.to_owned());
        let value = beacon_line("beacon 42 95a9").map(Ok);
        assert!(value.is_some());
        for (words, rest) in [
            ("beacon 42 95a9\n", ""),
            ("beacon 42 95a9\n\nMOVE A: B\n", "MOVE A: B\n"),
            ("MOVE A: B\nbeacon 42 95a9\n", "MOVE A: B\n"),
        ] {
            assert_eq!(split(words), (value.clone(), rest.to_owned()), "{words}");
        }
        let unfinished = (Some(Err(Reason::ValueWrong)), "MOVE A: B\n".to_owned());
        assert_eq!(split("BEACON 42\nMOVE A: B\n"), unfinished);
        let prose = "MOVE A: B\nBeacon hill is ours\n";
        assert_eq!(split(prose), (None, prose.to_owned()));
    }
}
