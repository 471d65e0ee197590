//! The umpire's hand on the clock, and his word: a campaign is held and goes on, a deadline is extended, a letter is written.
//!
//! Whatever players learn of a wait must not depend on questions that only the asked know of. So the notes of a hold and of its
//! end go out with the next entries of the register, whenever those come, and never beside a letter of their own; and an
//! extension of a quiet wait is told to the asked alone.

use jiff::Timestamp;

use super::{
    drafts::Content,
    engine::{Effects, Engine, EngineError},
    rulings::RulingError,
    state::{State, Waiting},
};
use crate::{
    dice::{Body, Note},
    dispatch,
    game::Lang,
    ids::SeatId,
};

impl State {
    /// The deadline of the present wait.
    #[must_use]
    pub fn deadline(&self) -> Option<Timestamp> {
        match &self.waiting {
            Waiting::Orders { deadline, .. }
            | Waiting::Answers { deadline, .. }
            | Waiting::Dice { deadline, .. } => *deadline,
            _ => None,
        }
    }

    /// Whether only the asked know what is waited for.
    #[must_use]
    pub fn waits_in_quiet(&self) -> bool {
        self.quiet().is_some()
    }
}

impl Engine {
    /// Whether a deadline can be moved to this time by a ruling of the time `at`.
    pub(super) fn may_extend(
        &self,
        state: &State,
        until: Timestamp,
        at: Timestamp,
    ) -> Result<(), RulingError> {
        let Some(deadline) = state.deadline() else {
            return Err(RulingError::NoDeadline);
        };
        // An extension is noted before the deadline passes (dice.md, section 9).
        if at > deadline {
            return Err(RulingError::Passed(deadline));
        }
        if until <= deadline {
            return Err(RulingError::NoExtension(deadline));
        }
        let dispatch = state.dispatch_at.filter(|_| state.waits_in_quiet());
        if let Some(at) = dispatch.filter(|at| until > *at) {
            return Err(RulingError::AfterDispatch(at));
        }
        Ok(())
    }

    /// No wait ends until the campaign goes on.
    pub(super) fn hold(
        &self,
        state: &mut State,
        why: &str,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        self.tell_if_over(state);
        state.on_hold = true;
        self.note_for_later(state, &format!("the campaign is held: {why}"), effects)?;
        let seats: Vec<SeatId> = self.settings.seats.ids().cloned().collect();
        self.word_letters(state, &seats, "hold", why, &[], effects)
    }

    /// While the campaign is held, no wait ends in the eyes of those who are asked nothing: whoever sees this one over by now
    /// must go on seeing it so.
    fn tell_if_over(&self, state: &mut State) {
        let seats: Vec<SeatId> = self.settings.seats.ids().cloned().collect();
        let over = state
            .quiet()
            .is_some_and(|(_, known)| self.is_over(known, state));
        if let Some(shown) = state.shown.as_mut().filter(|_| over) {
            shown.aware.extend(seats);
        }
    }

    /// The clock goes on: players have at least the time that a new wait would give them.
    pub(super) fn go_on(
        &self,
        state: &mut State,
        why: &str,
        head: &str,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        state.on_hold = false;
        let anew = self.settings.schedule.next_deadline(state.time);
        let later = |deadline: &mut Option<Timestamp>, anew: Option<Timestamp>| {
            *deadline = deadline.and(anew.max(*deadline));
        };
        let dispatch_at = self.settings.schedule.dispatch_at(state.time);
        later(&mut state.dispatch_at, dispatch_at);
        let for_answers = self.deadline_of_answers(state, !state.waits_in_quiet());
        match &mut state.waiting {
            Waiting::Orders { deadline, .. } => later(deadline, anew),
            Waiting::Answers {
                deadline, known, ..
            } => {
                later(deadline, for_answers);
                later(known, anew);
            }
            Waiting::Dispatch { known } => later(known, anew),
            _ => {}
        }
        self.note_for_later(state, &format!("the campaign goes on: {why}"), effects)?;
        let seats: Vec<SeatId> = self.settings.seats.ids().cloned().collect();
        self.word_letters(state, &seats, "resume", why, &[], effects)?;
        self.close_if_ready(state, head, effects)?;
        self.go_on_if_answered(state, head, effects)
    }

    /// Moves the deadline of the present wait.
    pub(super) fn extend(
        &self,
        state: &mut State,
        until: Timestamp,
        why: &str,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        let before = state.deadline();
        let asked = match &mut state.waiting {
            Waiting::Answers {
                questions,
                deadline,
                public,
                known,
                ..
            } => {
                *deadline = Some(until);
                if *public {
                    *known = Some(until);
                }
                (!*public).then(|| questions.iter().map(|asked| asked.seat.clone()).collect())
            }
            Waiting::Orders { deadline, .. } | Waiting::Dice { deadline, .. } => {
                *deadline = Some(until);
                None
            }
            _ => None,
        };
        if let Some(asked) = asked {
            let asked: Vec<SeatId> = asked;
            let seats = self.settings.seats.ids();
            let seats: Vec<SeatId> = seats.filter(|seat| asked.contains(seat)).cloned().collect();
            return self.word_letters(state, &seats, "extend", why, &[], effects);
        }
        let before = before.map_or_else(String::new, |at| format!(" from {at}"));
        let text = format!("the deadline is extended{before} to {until}: {why}");
        let note = self.enter(state, Body::Note(Note::new(&text)?), effects)?;
        let mut entries = std::mem::take(&mut state.dice.unsent);
        entries.push(note);
        self.show_register(state);
        let seats: Vec<SeatId> = self.settings.seats.ids().cloned().collect();
        self.word_letters(state, &seats, "extend", why, &entries, effects)
    }

    /// A letter of the umpire to seats. It stands in the journal alone.
    pub(super) fn say_to(
        &self,
        state: &mut State,
        to: &[SeatId],
        words: &str,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        let seats = self.settings.seats.ids();
        let named = seats.filter(|seat| to.is_empty() || to.contains(seat));
        let seats: Vec<SeatId> = named.cloned().collect();
        self.word_letters(state, &seats, "say", words, &[], effects)
    }

    /// A note that goes out with the next entries of the register.
    fn note_for_later(
        &self,
        state: &mut State,
        text: &str,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        let note = self.enter(state, Body::Note(Note::new(text)?), effects)?;
        state.dice.unsent.push(note);
        Ok(())
    }

    /// Tells seats what the umpire has decided or written. Each reads the deadline that it may know of.
    fn word_letters(
        &self,
        state: &mut State,
        seats: &[SeatId],
        what: &str,
        words: &str,
        entries: &[String],
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        for seat in seats {
            if effects.recalled {
                self.count_letter(state, seat, false, effects);
                continue;
            }
            let lang = self.lang(state, seat);
            let moment = self.moment(state, seat);
            let text = dispatch::umpires_word(&dispatch::UmpiresWord {
                lang,
                game: &self.game,
                what,
                words,
                deadline: self.deadline_for(state, seat, &moment),
                zone: self.settings.schedule.zone(),
            });
            let phrase = match lang {
                Lang::En => "The umpire's word",
                Lang::Fr => "L'arbitre vous écrit",
            };
            let subject = format!("[{}] {phrase}", self.settings.campaign);
            let content = Content::plain(subject, text, None).with_entries(entries);
            self.send_to_seat(state, seat, content, effects)?;
        }
        Ok(())
    }
}
