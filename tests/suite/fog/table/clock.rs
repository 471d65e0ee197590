//! The table by the clock: mails come at their times, and the host looks in every five minutes.

use estafette::{
    campaign::{
        self,
        model::{
            events::Event,
            state::{CurrentWait, State},
        },
        post::Letter,
    },
    digest::Digest,
    ids::SeatId,
    store::Record,
};
use jiff::{SignedDuration, Timestamp};

use super::{Table, Turn};
use crate::support::Test;

/// How often the host looks in.
const TICK: SignedDuration = SignedDuration::from_mins(5);
/// How long it is watched: past the moment of the dispatches of a wait for orders, and the wait
/// after it.
const WATCHED: SignedDuration = SignedDuration::from_hours(9 * 24);

/// A mail that comes so long after the beginning.
pub type Coming = (SignedDuration, SeatId, String);

/// Days as they went.
pub struct Course {
    /// All letters.
    pub letters: Vec<Letter>,
    /// How often somebody was asked in quiet.
    pub questions: usize,
    /// When a seal was made for the first time.
    pub sealed: Option<Timestamp>,
}

/// An answer to every question, so long after it was asked.
pub struct Answer {
    pub after: SignedDuration,
    pub words: &'static str,
}

impl Table {
    /// The same table with another schedule.
    pub fn with_schedule(&mut self, schedule: &'static str) {
        let mut settings = self.context.settings().clone();
        let plan = Test::campaign(self.own.game)
            .with_pictures()
            .deadlines(schedule);
        settings.schedule = plan.settings().schedule;
        self.set(settings);
    }

    /// Days from a wait for orders on, whose deadline is that of the schedule.
    pub fn course(&self, state: &State, mails: &[Coming], answer: Option<&Answer>) -> Course {
        let mut state = state.clone();
        let from = state.time;
        let schedule = &self.context.settings().schedule;
        if let CurrentWait::Orders { deadline, .. } = &mut state.waiting {
            *deadline = schedule.next_deadline(from);
        }
        let mut mails: Vec<Coming> = mails.to_vec();
        mails.sort_by_key(|(after, ..)| *after);
        let mut mails = mails.into_iter().peekable();
        let mut course = Course {
            letters: Vec::new(),
            questions: 0,
            sealed: None,
        };
        let mut asked_at = None;
        let mut now = from;
        while now < from.checked_add(WATCHED).unwrap() {
            now = now.checked_add(TICK).unwrap();
            let mut events = Vec::new();
            while let Some((after, seat, words)) =
                mails.next_if(|(after, ..)| from.checked_add(*after).unwrap() <= now)
            {
                events.push((from.checked_add(after).unwrap(), seat, words));
            }
            if let (Some(answer), Some(at), CurrentWait::Answers { questions, .. }) =
                (answer, asked_at, &state.waiting)
                && now.duration_since(at) >= answer.after
            {
                let words = format!("1: {}\n", answer.words);
                events.push((now, questions[0].seat.clone(), words));
            }
            for (arrived, seat, words) in events {
                state = self.all_due(state, arrived, now, &mut course);
                let mail = self.mail(&state, &seat, &words);
                state = self.at(state, now, mail, &mut course);
            }
            state = self.all_due(state, now, now, &mut course);
            asked_at = match &state.waiting {
                CurrentWait::Answers { .. } => asked_at.or(Some(now)),
                _ => None,
            };
        }
        course
    }

    /// What was due when a mail arrived.
    fn all_due(&self, mut state: State, by: Timestamp, now: Timestamp, to: &mut Course) -> State {
        while campaign::is_due(&self.context, &state, by) {
            state = self.at(state, now, Event::Deadline, to);
        }
        state
    }

    fn at(&self, state: State, now: Timestamp, event: Event, course: &mut Course) -> State {
        let before = asked(&state).to_owned();
        let record = Record {
            n: 1,
            prev: Digest::ZERO,
            time: state.next_moment(now),
            event,
            head: Digest::ZERO,
        };
        let (state, effects) = campaign::work_off(&self.context, Some(state), &record).unwrap();
        course.letters.extend(effects.mailing.letters);
        course.questions += usize::from(!asked(&state).is_empty() && asked(&state) != before);
        if state.sealed_now {
            course.sealed = course.sealed.or(Some(state.time));
        }
        state
    }
}

/// What a wait for answers is about.
fn asked(state: &State) -> String {
    match &state.waiting {
        CurrentWait::Answers { questions, .. } => format!("{questions:?}"),
        _ => String::new(),
    }
}

/// The words that were written for one envelope in a turn, without wishes to be asked, in mails of
/// the first hour.
pub fn mails_of(turn: &Turn, envelope: u32) -> Vec<Coming> {
    let written = turn.waits.iter().zip(&turn.words);
    let own = written.filter(|(state, _)| state.dice.envelope == envelope);
    let mails = own.zip(1..).map(|((_, (seat, words)), number)| {
        let lines = words.lines().filter(|line| !wishes(line));
        let words = lines.map(|line| format!("{line}\n")).collect();
        (SignedDuration::from_mins(10 * number), seat.clone(), words)
    });
    mails.collect()
}

/// The same mails, and a seat that writes every seven hours for some days.
pub fn and_now_and_then(mails: &[Coming], seat: &SeatId, words: &str) -> Vec<Coming> {
    let more = (1..20).map(|n| {
        (
            SignedDuration::from_hours(7 * n),
            seat.clone(),
            words.into(),
        )
    });
    mails.iter().cloned().chain(more).collect()
}

/// Returns true if a line says what its writer wants to be asked.
fn wishes(line: &str) -> bool {
    ["ASK", "DEMANDER"].iter().any(|word| line.contains(word))
}
