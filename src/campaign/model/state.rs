//! Where a campaign stands, as follows from its journal. It can be kept as a snapshot and lost
//! without harm.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::Arc,
};

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

pub use super::{
    dice::{DiceState, EarlierEnvelope},
    seat_state::SeatState,
    wait::CurrentWait,
};
use crate::{
    campaign::model::{
        checkpoints::{Checkpoint, Checkpoints, WaitStart},
        concerns::{HeldMail, HeldMails, LastBounce},
        contact::Contact,
        errands::WaitingPress,
        events::{Reason, RefusedMail},
        rate::{REFUSALS, RateKind, Rates},
        register::RegisterEnd,
    },
    dice::Form,
    digest::Digest,
    ids::SeatId,
    rules::{Decisions, Question},
    world::World,
};

/// The state of a campaign.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// The true world.
    pub world: World,
    /// The phase that runs next, or waits.
    pub phase: String,
    /// The players' decisions.
    pub decisions: Arc<Decisions>,
    /// The present wait.
    pub waiting: CurrentWait,
    /// The seats.
    pub seats: BTreeMap<SeatId, SeatState>,
    /// Players who have moved since the settings were written, and requested changes of address.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub contacts: BTreeMap<SeatId, Contact>,
    /// The dice of the envelope in use.
    pub dice: DiceState,
    /// The end of the register, which only writing letters moves on.
    pub register: RegisterEnd,
    /// The number of letters that each recipient has got: for Message-IDs that reveal nothing about
    /// others' letters.
    pub mails: BTreeMap<String, u64>,
    /// Digests of the mails that have been taken, so that none counts twice.
    pub taken: BTreeSet<Digest>,
    /// Digests of the last mails that were refused and answered, so that a copy is not answered
    /// again; the oldest first.
    #[serde(default, skip_serializing_if = "VecDeque::is_empty")]
    pub refused: VecDeque<Digest>,
    /// When each seat was last warned of unproven mails in its name, by reason: strangers can send
    /// any number.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub warned: BTreeMap<SeatId, BTreeMap<Reason, Timestamp>>,
    /// Mails that are held for the umpire and can still be released, the oldest first.
    #[serde(default, skip_serializing_if = "HeldMails::is_empty")]
    pub held: HeldMails,
    /// The last delivery report for each recipient.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub came_back: BTreeMap<SeatId, LastBounce>,
    /// The counts of the present hour.
    #[serde(default, skip_serializing_if = "Rates::is_empty")]
    pub rates: Rates,
    /// The time of the last record. Time never goes back, and the record after a seal is at least a
    /// second later, so that receipts before it can be told from those after it.
    pub time: Timestamp,
    /// True if the last record sealed an envelope.
    pub sealed_now: bool,
    /// The seats' last shown state, from a seal until its dispatches go out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown: Option<Box<ShownState>>,
    /// When everybody is told the outcome of the last seal, if the schedule fixes that; none until
    /// the dice are there, and after everybody has been told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dispatch_at: Option<Timestamp>,
    /// Waits that a rollback can go back to.
    pub checkpoints: Checkpoints,
    /// The digest of rules and data, for openings of the register.
    pub rules: Digest,
    /// The form of what the register binds.
    #[serde(default, skip_serializing_if = "Form::is_first")]
    pub form: Form,
    /// The number of masters that were lost and replaced.
    pub lost: usize,
    /// The phase that ends the campaign as soon as the dice are there, because a seat gave up while
    /// they were awaited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_once: Option<String>,
    /// Letters between seats that go out with the next dispatches.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub press: Vec<WaitingPress>,
    /// True if the campaign is on hold: no wait ends then.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub on_hold: bool,
}

/// The state that seats were last shown, while phases run that nobody has been told of. Until the
/// dispatches go out, a seat that is asked nothing is treated as if the wait for orders went on: it
/// must not learn that another seat is asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShownState {
    /// The world.
    pub world: World,
    /// The phase, by its full name.
    pub phase: String,
    /// The phase that orders were for.
    pub wanted: String,
    /// The seats that were asked for them.
    pub seats: Vec<SeatId>,
    /// The seats that were invited to send some too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub invited: Vec<SeatId>,
    /// True if everybody has been told that orders are closed, because the dice wait.
    pub told: bool,
    /// The seats that know it anyhow: they have been asked something since, or the wait was over
    /// when the campaign was put on hold.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub aware: BTreeSet<SeatId>,
    /// The questions of a public wait, if that was the last wait that everybody was told of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub questions: Vec<Question>,
    /// The state in that wait: for reading the words of the asked, and for a seat that is sent it
    /// again without knowing that it is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked_in: Option<Box<State>>,
    /// The players' decisions before these orders.
    pub decisions: Arc<Decisions>,
}

impl ShownState {
    /// Returns true if orders of a seat counted in that wait.
    pub(crate) fn takes_orders_of(&self, seat: &SeatId) -> bool {
        self.seats.contains(seat) || self.invited.contains(seat)
    }
}

/// A seat is warned of unproven mails in its name at most once in this time for each reason.
const WARNED_EVERY: SignedDuration = SignedDuration::from_hours(24);
/// The number of digests of refused mails that are kept.
const REFUSED_KEPT: usize = 64;

impl State {
    /// Returns true if a refused mail gets an answer now, and counts it. An unproven mail is
    /// answered once a day for each reason: a stranger must not make the host write, or its state
    /// grow, without end.
    pub(crate) fn may_refuse(&mut self, seat: &SeatId, refused: &RefusedMail) -> bool {
        if refused.reason.is_proven() {
            if self.refused.len() >= REFUSED_KEPT {
                self.refused.pop_front();
            }
            self.refused.push_back(refused.digest);
            return self.count(RateKind::Refusals(seat)) <= REFUSALS;
        }
        if self.was_warned(seat, refused.reason, self.time) {
            return false;
        }
        let warned = self.warned.entry(seat.clone()).or_default();
        warned.insert(refused.reason, self.time);
        true
    }

    /// The count in the hour of this moment.
    pub(crate) fn counted(&self, what: RateKind<'_>, at: Timestamp) -> u32 {
        self.rates.counted(what, at)
    }

    /// Counts an event that happens now. Returns the count of this hour, this one included.
    pub(crate) fn count(&mut self, what: RateKind<'_>) -> u32 {
        self.rates.count(what, self.time)
    }

    /// Remembers a held mail, and forgets those that can't count any more.
    pub(crate) fn hold(&mut self, refused: &RefusedMail) {
        let Some(seat) = &refused.seat else { return };
        let seats = &self.seats;
        let token = |seat: &SeatId| seats.get(seat).map_or(0, |seat| seat.token);
        let held = HeldMail {
            file: refused.file.clone(),
            seat: seat.clone(),
            token: token(seat),
            found: refused.detail.clone(),
            at: self.time,
        };
        self.held.keep(held, token);
    }

    /// The held mails that the umpire can still release.
    pub fn releasable(&self) -> impl Iterator<Item = &HeldMail> {
        let token = |seat: &SeatId| self.seats.get(seat).map(|seat| seat.token);
        (self.held.iter()).filter(move |held| token(&held.seat) == Some(held.token))
    }

    /// The present wait as a checkpoint, if it is for orders.
    #[must_use]
    pub fn checkpoint(&self) -> Option<Checkpoint> {
        let CurrentWait::Orders {
            seats,
            invited,
            phase,
            ..
        } = &self.waiting
        else {
            return None;
        };
        Some(Checkpoint {
            envelope: self.dice.envelope + 1,
            turn: self.world.turn(),
            phase: self.phase.clone(),
            stood: Some(Arc::new(WaitStart {
                world: self.world.clone(),
                decisions: self.decisions.clone(),
                seats: seats.clone(),
                invited: invited.clone(),
                orders_for: phase.clone(),
            })),
        })
    }

    /// Returns true if a seat has been warned of such a mail within a day before a moment.
    fn was_warned(&self, seat: &SeatId, reason: Reason, now: Timestamp) -> bool {
        let last = self.warned.get(seat).and_then(|warned| warned.get(&reason));
        last.is_some_and(|last| now.duration_since(*last) < WARNED_EVERY)
    }

    /// Returns true if recording a refused mail at this moment would write no letter and change
    /// nothing.
    pub(crate) fn is_idle(&self, refused: &RefusedMail, now: Timestamp) -> bool {
        match &refused.seat {
            Some(_) if refused.reason.is_proven() || refused.reason == Reason::Held => false,
            Some(seat) if refused.reason.is_answered() => {
                self.was_warned(seat, refused.reason, now)
            }
            _ => true,
        }
    }

    /// The time of the next record: never before the last one, and at least a second after a seal.
    #[must_use]
    pub fn next_moment(&self, now: Timestamp) -> Timestamp {
        let pause = SignedDuration::from_secs(i64::from(self.sealed_now));
        now.max(self.time.checked_add(pause).unwrap_or(self.time))
    }

    /// Notes that everybody is told of the seal: what was sent for it is over.
    pub(crate) fn tell_of_the_seal(&mut self) {
        if let Some(shown) = &mut self.shown {
            shown.told = true;
        }
        for seat in self.seats.values_mut() {
            (seat.ready, seat.said_ready) = (false, false);
            seat.words.clear();
            seat.carried.clear();
        }
    }

    /// Begins to collect orders for the next seal: what was sent for the last one is over, and what
    /// came too late for it is carried. Returns true if everybody knew that it was late.
    pub(crate) fn begin_to_collect(&mut self) -> bool {
        let shown = self.shown.take();
        for seat in self.seats.values_mut() {
            (seat.ready, seat.said_ready) = (false, false);
            seat.words.clear();
            seat.read = None;
            seat.carried = std::mem::take(&mut seat.late);
        }
        // Words from a public wait have a receipt for an envelope that is used up.
        shown.is_none_or(|shown| shown.told && shown.questions.is_empty())
    }

    /// Returns true if the campaign is over, and nothing more is asked of anybody.
    #[must_use]
    pub fn is_over(&self) -> bool {
        matches!(
            self.waiting,
            CurrentWait::Nothing | CurrentWait::Disclosure { .. }
        )
    }

    /// Since when it rests: it is over, all is disclosed, and nothing has come since then.
    #[must_use]
    pub fn rests_since(&self) -> Option<Timestamp> {
        matches!(self.waiting, CurrentWait::Nothing).then_some(self.time)
    }

    /// The error that stopped the campaign, if one did.
    #[must_use]
    pub fn stopped(&self) -> Option<&String> {
        match &self.waiting {
            CurrentWait::Repair { error, .. } => Some(error),
            _ => None,
        }
    }

    /// Replaces the words of the error that stopped it, if one did.
    pub(crate) fn stopped_with(&mut self, words: &str) {
        if let CurrentWait::Repair { error, .. } = &mut self.waiting {
            words.clone_into(error);
        }
    }

    /// The present wait, or the one in which an input failed: a sealed envelope is rolled even so.
    #[must_use]
    pub fn missing(&self) -> &CurrentWait {
        match &self.waiting {
            CurrentWait::Repair {
                waited,
                undone: true,
                ..
            } => waited,
            waiting => waiting,
        }
    }

    /// Like `missing`, to be changed.
    pub(crate) fn missing_mut(&mut self) -> &mut CurrentWait {
        match &mut self.waiting {
            CurrentWait::Repair {
                waited,
                undone: true,
                ..
            } => waited,
            waiting => waiting,
        }
    }

    /// The present wait, if only the asked know of it: its questions, and the deadline that
    /// everybody was last told.
    #[must_use]
    pub fn quiet(&self) -> Option<(&[Question], Option<Timestamp>)> {
        match &self.waiting {
            CurrentWait::Answers {
                questions,
                known,
                public: false,
                ..
            } => Some((questions, *known)),
            CurrentWait::Dispatch { known } => Some((&[], *known)),
            _ => None,
        }
    }

    /// The deadline that everybody was last told, for a phase that quietly asks questions.
    pub(crate) fn known_deadline(&self) -> Option<Timestamp> {
        match &self.waiting {
            CurrentWait::Orders { deadline, .. } => *deadline,
            _ => self.quiet().and_then(|(_, known)| known),
        }
    }

    /// Returns true if the moment of the dispatches has come, in a wait that not everybody knows
    /// of.
    pub(crate) fn dispatch_is_due(&self, now: Timestamp) -> bool {
        self.quiet().is_some() && self.dispatch_at.is_some_and(|at| now >= at)
    }

    /// The questions of a public wait.
    #[must_use]
    pub fn asked_in_public(&self) -> Option<&[Question]> {
        match &self.waiting {
            CurrentWait::Answers {
                questions,
                public: true,
                ..
            } => Some(questions),
            _ => None,
        }
    }

    /// Returns true if words that come now are sealed into the next envelope: orders, or answers in
    /// a public wait.
    #[must_use]
    pub fn seals_next(&self) -> bool {
        matches!(self.waiting, CurrentWait::Orders { .. }) || self.asked_in_public().is_some()
    }

    /// The full name of a phase, from its name before the dot: `movement.red` while the red
    /// movement runs.
    #[must_use]
    pub fn in_full(&self, phase: &str) -> String {
        let known = self
            .shown
            .as_ref()
            .map_or(&self.phase, |shown| &shown.phase);
        let runs = known.split('.').next() == Some(phase);
        if runs {
            known.clone()
        } else {
            phase.to_owned()
        }
    }
}

impl State {
    /// The deadline of the present wait.
    #[must_use]
    pub fn deadline(&self) -> Option<Timestamp> {
        match &self.waiting {
            CurrentWait::Orders { deadline, .. }
            | CurrentWait::Answers { deadline, .. }
            | CurrentWait::Dice { deadline, .. } => *deadline,
            _ => None,
        }
    }

    /// Returns true if the wait is known only to those who are asked.
    #[must_use]
    pub fn waits_in_quiet(&self) -> bool {
        self.quiet().is_some()
    }
}
