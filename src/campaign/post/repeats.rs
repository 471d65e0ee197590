//! A seat's knowledge sent again: to a player who has taken it over, or who now reads mail
//! elsewhere.
//!
//! It is made from what the seat was last shown and from nothing newer. While others are secretly
//! asked something, it shows the wait before, as if that went on: the letter must not reveal that
//! there is a seal. If that was a public wait for answers, the seat's questions come along.

use super::{
    content::LetterContent,
    documents::{asked, briefing, letter},
};
use crate::{
    campaign::{
        model::{
            context::Context,
            players,
            state::{CurrentWait, State},
            work_error::WorkError,
        },
        turn::plan::RepeatReason,
        words::{
            knowledge::{as_shown, as_told},
            moment,
        },
    },
    dispatch::{DiceText, Request},
    ids::SeatId,
};

/// The content of the newest dispatch again: what it told, what the seat was shown with it, and
/// what the seat is asked now. It has nothing of the dice: the keys and digests of a dispatch go
/// out once.
pub(super) fn content(
    context: &Context,
    state: &State,
    seat: &SeatId,
    why: RepeatReason,
) -> Result<LetterContent, WorkError> {
    let told_of = as_told(context, state, seat);
    let asked = asked_as_shown(context, &told_of, seat);
    let known = as_shown(&told_of);
    let view = known.world.seen_by(&context.game, seat);
    let told = state.seats.get(seat).map(|seat| seat.told.clone());
    let told = told.unwrap_or_default();
    let dice = DiceText::default();
    let mut briefing = briefing(context, &known, seat, view, told, asked, dice)?;
    let words = context.words(players::lang(context, state, seat));
    let notice = match why {
        RepeatReason::NewPlayer => "taken_over",
        RepeatReason::NewAddress => "address_changed",
    };
    briefing.notices.push(words.fixed(notice));
    Ok(letter(briefing, false))
}

/// The questions in a seat's last letter, with their deadlines.
pub(super) fn asked_as_shown(context: &Context, state: &State, seat: &SeatId) -> Request {
    match (&state.waiting, state.quiet(), &state.shown) {
        (
            CurrentWait::Answers {
                public: true,
                deadline,
                ..
            },
            ..,
        ) => Request::Waiting {
            deadline: *deadline,
        },
        (_, Some((_, deadline)), Some(shown)) if moment::is_quiet(context, state, seat) => {
            if shown.questions.is_empty() && shown.seats.contains(seat) {
                Request::Orders {
                    phases: vec![state.in_full(&shown.wanted)],
                    deadline,
                    only_standing: !context.grammar.takes_orders(&shown.wanted),
                    when_ready: context.settings.schedule.when_ready(),
                }
            } else if shown.questions.is_empty() && shown.invited.contains(seat) {
                Request::Invited {
                    phase: state.in_full(&shown.wanted),
                    deadline,
                }
            } else {
                Request::Waiting { deadline }
            }
        }
        _ => asked(context, state, seat),
    }
}
