//! Questions in the middle of a phase of which everybody may know (dice.md, section 9). They close the envelope in use with
//! its open key held back; the answers are sealed into the next envelope, and the phase, run again from its start, goes on
//! with that one after them.

use std::{collections::BTreeSet, sync::Arc};

use super::{
    close::Closing,
    drafts::Content,
    engine::{Effects, Engine, EngineError},
    state::{Earlier, Shown, State, Waiting},
};
use crate::{
    dice::{Mix, Sealed},
    dispatch,
    game::Lang,
    ids::SeatId,
    rules::{Question, Round, Suspended},
};

impl Engine {
    /// Whether everybody may know of these questions.
    pub(super) fn are_public(&self, questions: &[Question]) -> bool {
        let mut topics = questions.iter().map(|asked| &asked.topic);
        !questions.is_empty() && topics.all(|topic| self.game.decl.is_public(topic))
    }

    /// The dice of the phase in progress: those of the envelope in which it began, and after each public wait those of the
    /// next one.
    pub(super) fn sealed_dice(&self, state: &State) -> Sealed {
        let dice = &state.dice;
        let mix = |text: &str| Mix::from_text(text);
        let chains = |envelope| Arc::clone(self.chains(envelope));
        let Some(first) = dice.earlier.first() else {
            let envelope = dice.envelope;
            return Sealed::new(chains(envelope), envelope, mix(&dice.mix), dice.counters());
        };
        let after = dice.earlier.iter().skip(1);
        let after = after.map(|earlier| (earlier.envelope, earlier.mix.as_str()));
        let after = after.chain([(dice.envelope, dice.mix.as_str())]);
        let rounds = dice.earlier.iter().map(|earlier| earlier.round);
        let began = Sealed::new(
            chains(first.envelope),
            first.envelope,
            mix(&first.mix),
            first.counters(),
        );
        rounds
            .zip(after)
            .fold(began, |sealed, (round, (envelope, text))| {
                sealed.changing_after(round, chains(envelope), envelope, mix(text))
            })
    }

    /// Puts questions in public. Each seat gets the dice entry that closes the envelope, with no key: the phase is half
    /// done. Those who are asked get their questions with it, the others learn who is asked.
    pub(super) fn ask_in_public(
        &self,
        state: &mut State,
        suspended: &Suspended,
        head: &str,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        leave_envelope(state, effects);
        let questions = state.asked_in_public().unwrap_or_default().to_vec();
        for seat in self.settings.seats.ids() {
            if questions.iter().any(|asked| asked.seat == *seat) {
                self.question_counts(state, seat);
            }
        }
        if effects.recalled {
            for seat in self.settings.seats.ids() {
                self.count_letter(state, seat, false, effects);
            }
            state.recall_dice_entry(true);
            state.tell_of_the_seal();
            return Ok(());
        }
        let asked_seats = seats_of(&questions);
        let contents = self.settings.seats.ids().map(|seat| {
            let content = match asked_seats.contains(seat) {
                true => self.question_content(state, seat, suspended)?,
                false => self.news_of_questions(state, seat, &asked_seats),
            };
            Ok((seat.clone(), content))
        });
        let contents = contents.collect::<Result<Vec<_>, EngineError>>()?;
        let closing = Closing {
            head,
            hold: true,
            notes: Vec::new(),
        };
        self.send_with_dice(state, contents, closing, effects)?;
        state.tell_of_the_seal();
        Ok(())
    }

    /// What a seat learns of questions to others: who is asked, and until when. Not even the phase in full, which may name
    /// a place that the reader knows nothing of.
    fn news_of_questions(&self, state: &State, seat: &SeatId, asked: &[SeatId]) -> Content {
        let lang = self.lang(state, seat);
        let deadline = match &state.waiting {
            Waiting::Answers { deadline, .. } => *deadline,
            _ => None,
        };
        let phrase = match lang {
            Lang::En => "A decision is awaited",
            Lang::Fr => "Une décision est attendue",
        };
        let seats = self.opening_seats(state, lang).into_iter();
        let seats = seats.filter(|one| asked.iter().any(|seat| **seat == *one.seat));
        let asked: Vec<String> = seats
            .map(|one| format!("{} ({})", one.side, one.seat))
            .collect();
        let body = dispatch::decision_awaited(&dispatch::Awaited {
            lang,
            game: &self.game,
            title: &self.title(lang),
            turn: state.world.turn(),
            seats: &asked,
            deadline,
            zone: self.settings.schedule.zone(),
        });
        let subject = format!("[{}] {phrase}", self.settings.campaign);
        Content::plain(subject, body, None)
    }

    /// The answers of a public wait are in, or its time is over: they are sealed, and the phase goes on as soon as the dice of
    /// their envelope are ready.
    pub(super) fn close_answers(
        &self,
        state: &mut State,
        questions: Vec<Question>,
        answers: Vec<Option<crate::value::Fields>>,
        head: &str,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        let asked_in = in_the_wait(state);
        self.seal(state, effects)?;
        let (world, phase, decisions) = match state.shown.take() {
            Some(before) => (before.world, before.phase, before.decisions),
            None => (
                state.world.clone(),
                state.phase.clone(),
                state.decisions.clone(),
            ),
        };
        state.shown = Some(Box::new(Shown {
            world,
            phase,
            decisions,
            wanted: String::new(),
            seats: seats_of(&questions),
            told: false,
            aware: BTreeSet::new(),
            questions: questions.clone(),
            asked_in: Some(Box::new(asked_in)),
        }));
        state.decisions.rounds.push(Round { questions, answers });
        self.await_values(state, head, effects)
    }
}

/// The state in a public wait, without that in the wait before it: nobody is told of that any more.
fn in_the_wait(state: &State) -> State {
    let mut kept = state.clone();
    if let Some(shown) = &mut kept.shown {
        shown.asked_in = None;
    }
    kept
}

/// The phase has come to a public wait: nothing more is rolled in the envelope in use, and what it has rolled there is
/// final. Before the first seal there is no envelope.
fn leave_envelope(state: &mut State, effects: &mut Effects) {
    let dice = &mut state.dice;
    dice.earlier.push(Earlier {
        envelope: dice.envelope,
        mix: dice.mix.clone(),
        rolled: dice.rolled.clone(),
        round: state.decisions.rounds.len(),
    });
    let rolled = dice.of_this_envelope(&dice.so_far);
    effects.ledger.extend(rolled.iter().cloned());
    dice.rolled.extend(rolled);
}

/// The seats that are asked, each once, in the order of the questions.
fn seats_of(questions: &[Question]) -> Vec<SeatId> {
    let mut seats: Vec<SeatId> = Vec::new();
    for asked in questions {
        if !seats.contains(&asked.seat) {
            seats.push(asked.seat.clone());
        }
    }
    seats
}
