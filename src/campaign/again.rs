//! What a seat knows, sent once more: to a player who has taken it over, or who reads his mail elsewhere now.
//!
//! It is made from what the seat was shown last and from nothing newer. While others are asked something in secret, it is
//! what stood in the wait before, as if that went on: the letter must not tell that there is a seal. That wait may have been
//! one for answers in public: then the seat's questions come along as well.

use std::borrow::Cow;

use super::{
    drafts::Content,
    engine::{Effects, Engine, EngineError},
    state::{State, Waiting},
};
use crate::{
    dispatch::{self, Asked, DiceText},
    ids::SeatId,
    rules::Outcome,
};

/// Why a seat gets its dispatch once more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// Somebody else plays it now.
    Over,
    /// The player has another address.
    Along,
}

impl Engine {
    /// The letter that opened the campaign, once more, with all openings that there have been.
    pub(super) fn opening_again(
        &self,
        state: &mut State,
        seat: &SeatId,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        if effects.recalled {
            self.count_letter(state, seat, false, effects);
            return Ok(());
        }
        let content = self.opening_content(&as_shown(state), seat);
        self.send_to_seat(state, seat, content, effects)
    }

    /// The newest dispatch once more: what it told, what the seat was shown with it, and what it is asked now. Of the dice
    /// it has nothing: the keys and digests of a dispatch go out once.
    pub(super) fn dispatch_again(
        &self,
        state: &mut State,
        seat: &SeatId,
        taken: Taken,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        if effects.recalled {
            self.count_letter(state, seat, true, effects);
            return self.questions_again(state, seat, effects);
        }
        let told_of = self.as_told(state, seat);
        let asked = self.asked_as_shown(&told_of, seat);
        let known = as_shown(&told_of);
        let view = known.world.seen_by(&self.game, seat);
        let told = state.seats.get(seat).map(|seat| seat.told.clone());
        let told = told.unwrap_or_default();
        let mut document = self.document(&known, seat, &view, &told, asked, DiceText::default())?;
        let words = dispatch::Words::new(&self.game, self.lang(state, seat));
        let notice = match taken {
            Taken::Over => "taken_over",
            Taken::Along => "address_changed",
        };
        document.notices.push(words.fixed(notice));
        let content = Content {
            page: Some(dispatch::page(&document, self.settings.pictures, false)),
            pictures: self.pictures(&document),
            starts_thread: true,
            ..Content::plain(document.subject.clone(), dispatch::body(&document), None)
        };
        self.send_to_seat(state, seat, content, effects)?;
        self.questions_again(state, seat, effects)
    }

    /// The state as far as a seat has been told of it: a public wait seems to go on while only others are asked in secret.
    fn as_told<'s>(&self, state: &'s State, seat: &SeatId) -> Cow<'s, State> {
        let Some((questions, known)) = state.quiet() else {
            return Cow::Borrowed(state);
        };
        let shown = state.shown.as_ref();
        let asked_in = shown.and_then(|shown| shown.asked_in.as_deref());
        let is_asked = questions.iter().any(|asked| asked.seat == *seat);
        let unaware = !is_asked && self.is_quiet(state, seat);
        let Some(asked_in) = asked_in.filter(|_| unaware) else {
            return Cow::Borrowed(state);
        };
        let mut told = asked_in.clone();
        told.contacts.clone_from(&state.contacts);
        told.foot.clone_from(&state.foot);
        if let Waiting::Answers { deadline, .. } = &mut told.waiting {
            *deadline = known;
        }
        Cow::Owned(told)
    }

    /// What a seat was asked when it was written to last, deadlines included.
    fn asked_as_shown(&self, state: &State, seat: &SeatId) -> Asked {
        match (&state.waiting, state.quiet(), &state.shown) {
            (
                Waiting::Answers {
                    public: true,
                    deadline,
                    ..
                },
                ..,
            ) => Asked::Waiting {
                deadline: *deadline,
            },
            (_, Some((_, deadline)), Some(shown)) if self.is_quiet(state, seat) => {
                if shown.questions.is_empty() && shown.seats.contains(seat) {
                    Asked::Orders {
                        phases: vec![state.in_full(&shown.wanted)],
                        deadline,
                        only_standing: !self.grammar.takes_orders(&shown.wanted),
                    }
                } else {
                    Asked::Waiting { deadline }
                }
            }
            _ => self.asked(state, seat),
        }
    }

    /// The questions of a seat once more: the phase runs to them again, with the same dice.
    fn questions_again(
        &self,
        state: &mut State,
        seat: &SeatId,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        let mut before = self.as_told(state, seat).into_owned();
        let Waiting::Answers { questions, .. } = before.waiting.clone() else {
            return Ok(());
        };
        if !questions.iter().any(|asked| asked.seat == *seat) {
            return Ok(());
        }
        if effects.recalled {
            self.count_letter(state, seat, false, effects);
            return Ok(());
        }
        // The questions of this wait have been counted, and must not be missing when the phase comes to them.
        for (asked, entry) in &mut before.seats {
            if questions.iter().any(|question| question.seat == *asked) {
                entry.questions.1 = entry.questions.1.saturating_sub(1);
            }
        }
        let Outcome::Waiting(suspended) = self.run_phase(&mut before).0? else {
            return Ok(());
        };
        let content = self.question_content(&before, seat, &suspended)?;
        self.send_to_seat(state, seat, content, effects)
    }
}

/// The state as seats were shown it last: before the orders that are sealed, while nobody has been told what came of them.
fn as_shown(state: &State) -> State {
    let mut known = state.clone();
    if let Some(shown) = known.shown.take() {
        (known.world, known.phase, known.decisions) = (shown.world, shown.phase, shown.decisions);
    }
    known
}
