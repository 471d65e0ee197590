//! Turns and single phases, played again from a state that was changed.

use std::sync::Arc;

use estafette::{
    campaign::{
        self,
        model::{
            events::Event,
            state::{CurrentWait, State},
        },
        post::Letter,
    },
    ids::SeatId,
    orders::Order,
};
use jiff::SignedDuration;

use super::{Table, Turn, later};

impl Table {
    /// Plays until the turn is over: each seat that is waited for sends what `words` says, once;
    /// where lines of it don't fit, the wait goes on to its deadline. Nobody answers questions.
    ///
    /// All that comes of a mail happens at its time: a question to one seat must not be told by the
    /// clock of this test.
    pub fn play_turn(
        &self,
        mut state: State,
        words: &mut dyn FnMut(&State, &SeatId) -> String,
    ) -> Turn {
        let mut turn = Turn::default();
        let number = state.world.turn();
        let mut written = Vec::new();
        // Who is asked in the next Supply Phase holds up the end of the turn.
        let asked = |state: &State| matches!(state.waiting, CurrentWait::Answers { .. });
        while state.world.turn() == number || asked(&state) {
            let (time, event) = match &state.waiting {
                CurrentWait::Orders { seats, .. } => {
                    let envelope = state.dice.envelope;
                    let silent =
                        |seat: &&SeatId| !written.contains(&(envelope, SeatId::clone(seat)));
                    let event = if let Some(seat) = seats.iter().find(silent).cloned() {
                        let said = words(&state, &seat);
                        let mail = self.mail(&state, &seat, &said);
                        turn.waits.push(state.clone());
                        turn.words.push((seat.clone(), said));
                        turn.letters_before.push(turn.letters.len());
                        written.push((envelope, seat));
                        mail
                    } else {
                        Event::Deadline
                    };
                    (later(&state, SignedDuration::from_hours(1)), event)
                }
                CurrentWait::Answers { .. } => {
                    turn.questions.push(state.clone());
                    (state.time, Event::Deadline)
                }
                CurrentWait::Repair { error, .. } => panic!("{error}"),
                other => {
                    assert!(state.world.ended.is_some(), "{other:?}");
                    break;
                }
            };
            let (next, effects) = self.apply_at(Some(state), time, event);
            // Fog holds until the end and not after: the last dispatch shows everything to
            // everybody.
            if next.world.ended.is_none() {
                turn.letters.extend(effects.mailing.letters);
            }
            state = next;
        }
        turn.end = Some(state);
        turn
    }

    /// The letters of a turn in which everybody writes what was written in another one; who is
    /// waited for without having been so there wants nothing.
    pub fn play_again(&self, state: &State, turn: &Turn) -> Vec<Letter> {
        self.turn_again(state, turn).letters
    }

    /// The same turn whole.
    pub fn turn_again(&self, state: &State, turn: &Turn) -> Turn {
        let mut said = turn.words.iter();
        let mut words = |_: &State, seat: &SeatId| match said.next() {
            Some((writer, words)) if writer == seat => words.clone(),
            _ => "NOTHING\n".to_owned(),
        };
        self.play_turn(state.clone(), &mut words)
    }

    /// The first mail of two turns of which other orders are taken in one than in the other, but
    /// for those of one seat; none if they are alike to the end.
    pub fn parting(&self, one: &Turn, other: &Turn, but_of: &SeatId) -> Option<usize> {
        let taken = |turn: &Turn, mail: usize| {
            let (writer, words) = turn.words.get(mail)?;
            let orders = (writer != but_of).then(|| {
                let moment = campaign::moment(&self.context, &turn.waits[mail], writer);
                let understood = campaign::understand(&self.context, &moment, writer, words);
                let orders: Vec<Order> = understood.unwrap().accepted().cloned().collect();
                orders
            });
            Some((writer.clone(), orders))
        };
        let mut mails = 0..one.words.len().max(other.words.len());
        mails.find(|mail| taken(one, *mail) != taken(other, *mail))
    }

    /// The letters of a turn in which nobody wants anything.
    pub fn pass_a_turn(&self, state: &State) -> Vec<Letter> {
        let mut words = |_: &State, _: &SeatId| "NOTHING\n".to_owned();
        self.play_turn(state.clone(), &mut words).letters
    }

    /// The letters from a phase to the next orders; nobody answers questions.
    pub fn run_to_orders(&self, state: &State, phase: &str) -> Vec<Letter> {
        self.run_on(state, phase).1
    }

    /// From a phase to the next orders: the state then, and the letters, but for those of the end,
    /// which shows everything to everybody.
    pub fn run_on(&self, state: &State, phase: &str) -> (State, Vec<Letter>) {
        let (mut state, mut letters) = self.run_from(state, phase);
        if state.world.ended.is_some() {
            letters.clear();
        }
        while matches!(state.waiting, CurrentWait::Answers { .. }) {
            let time = state.time;
            let (next, effects) = self.apply_at(Some(state), time, Event::Deadline);
            if next.world.ended.is_none() {
                letters.extend(effects.mailing.letters);
            }
            state = next;
        }
        (state, letters)
    }

    /// Runs a phase from its start, and the phases after it, until somebody is needed: that state,
    /// and the letters.
    pub fn run_from(&self, state: &State, phase: &str) -> (State, Vec<Letter>) {
        let mut state = state.clone();
        phase.clone_into(&mut state.phase);
        Arc::make_mut(&mut state.decisions).rounds.clear();
        state.dice.so_far.clear();
        for seat in state.seats.values_mut() {
            seat.questions = (0, 0);
        }
        state.waiting = CurrentWait::Orders {
            seats: Vec::new(),
            invited: Vec::new(),
            phase: "movement".to_owned(),
            deadline: Some(state.time),
            progress: estafette::campaign::model::leeway::WaitProgress::default(),
        };
        let (state, effects) = self.apply(state, Event::Deadline);
        (state, effects.mailing.letters)
    }
}
