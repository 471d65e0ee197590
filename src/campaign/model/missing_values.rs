//! The values that the dice wait for after the seal: the beacon's value, the witnesses' tokens
//! (dice.md, section 5). Each proves itself, so it may come by any way: from a file, or in
//! anybody's mail.

use jiff::Timestamp;

use crate::{
    campaign::model::{
        context::Context,
        events::Reason,
        state::{CurrentWait, State},
    },
    dice::{Source, SourceValue, beacon, source},
    ids::SeatId,
};

/// The values that the sealed envelope's dice still lack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingValues {
    /// The beacon's round and its moment.
    pub round: Option<(u64, Timestamp)>,
    /// The witnesses that have not answered.
    pub witnesses: Vec<SeatId>,
}

impl MissingValues {
    /// Returns true if nothing is missing.
    pub(crate) fn is_nothing(&self) -> bool {
        self.round.is_none() && self.witnesses.is_empty()
    }
}

/// The values that the dice of the sealed envelope wait for; none if they wait for nothing.
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

/// Checks that a value is one that the dice wait for, and that it can be known at this moment.
///
/// # Errors
/// The reason why it is not.
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
            // Somebody drew the value of a future round before the orders were bound, or the host's
            // clock is wrong: either way it would prove nothing.
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

/// The values of the sources for the envelope, in the order of the opening.
pub(crate) fn values_in_order(context: &Context, state: &State) -> Vec<SourceValue> {
    let said = &state.dice.values;
    let of = |source: &Source| said.iter().find(|value| source.said(value)).cloned();
    context.sources.iter().filter_map(of).collect()
}
