//! The seats' knowledge of the state: what they were last shown, and nothing newer.

use std::borrow::Cow;

use crate::{
    campaign::{
        model::{
            context::Context,
            state::{CurrentWait, State},
        },
        words::moment,
    },
    ids::SeatId,
};

/// The state as a seat has been told it: a public wait seems to go on while only others are asked
/// in secret.
pub(crate) fn as_told<'s>(context: &Context, state: &'s State, seat: &SeatId) -> Cow<'s, State> {
    let Some((questions, known)) = state.quiet() else {
        return Cow::Borrowed(state);
    };
    let shown = state.shown.as_ref();
    let asked_in = shown.and_then(|shown| shown.asked_in.as_deref());
    let is_asked = questions.iter().any(|asked| asked.seat == *seat);
    let unaware = !is_asked && moment::is_quiet(context, state, seat);
    let Some(asked_in) = asked_in.filter(|_| unaware) else {
        return Cow::Borrowed(state);
    };
    let mut told = asked_in.clone();
    told.contacts.clone_from(&state.contacts);
    if let CurrentWait::Answers { deadline, .. } = &mut told.waiting {
        *deadline = known;
    }
    Cow::Owned(told)
}

/// The state as seats were last shown it: as before the sealed orders, until everybody is told what
/// came of them.
pub(crate) fn as_shown(state: &State) -> State {
    let mut known = state.clone();
    if let Some(shown) = known.shown.take() {
        (known.world, known.phase, known.decisions) = (shown.world, shown.phase, shown.decisions);
    }
    known
}
