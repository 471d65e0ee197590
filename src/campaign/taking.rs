//! A mail of a seat is taken: which of its words count for which seal, and the receipt.
//!
//! A seat's words count at the next seal. A later mail replaces them, one that begins with ADD adds to them. Words that
//! come after a seal are too late for it; their standing orders are carried to the next. As long as the seat can't know of
//! the seal ([`Engine::is_quiet`]), receipts are those of a wait that goes on, and what is carried gets its own receipt later.
//!
//! In a public wait for answers the words of all seats are sealed next, but only answers count in the phase that goes on.
//! Of what the others send, standing orders are carried to the next orders.

use super::{
    Joined, Moment, Understood,
    engine::{Effects, Engine, EngineError},
    events::{MailIn, Reason, Refused},
    intake::same_again,
    joining::too_long,
    rate::{MAILS, REFUSALS},
    receipts::For,
    state::{State, Waiting},
};
use crate::{dice::ReceiptNumber, ids::SeatId};

/// Words that a receipt is for.
#[derive(Clone, Copy)]
pub(super) struct Taken<'a> {
    /// Whose they are.
    pub seat: &'a SeatId,
    /// The mail that brought them; none for those that are carried from the envelope before.
    pub mail: Option<&'a MailIn>,
    /// The moment at which they are read.
    pub moment: &'a Moment,
    /// What they mean.
    pub understood: &'a Understood,
    /// The text that the receipt quotes.
    pub words: &'a str,
    /// Its receipt; none if nothing was taken.
    pub receipt: Option<&'a ReceiptNumber>,
    /// How many lines of the words came with earlier mails.
    pub earlier: usize,
}

impl<'a> Taken<'a> {
    /// The words of a mail.
    pub fn of(
        mail: &'a MailIn,
        moment: &'a Moment,
        understood: &'a Understood,
        words: &'a str,
        receipt: Option<&'a ReceiptNumber>,
    ) -> Self {
        Self {
            seat: &mail.seat,
            mail: Some(mail),
            moment,
            understood,
            words,
            receipt,
            earlier: 0,
        }
    }
}

impl Engine {
    /// Takes a mail of a seat: its receipt goes out, and if nothing else is missing, the wait is over.
    pub(super) fn take(
        &self,
        state: &mut State,
        mail: &MailIn,
        head: &str,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        if let Some(entry) = state.seats.get_mut(&mail.seat) {
            // Whoever answers a letter has got it.
            entry.failed.clear();
        }
        match state.count("mails", &mail.seat) {
            ..=MAILS => {}
            count => return self.too_many(state, mail, count == MAILS + 1, effects),
        }
        state.taken.insert(mail.digest.clone());
        state.taken.extend(same_again(
            &mail.seat,
            mail.message_id.as_deref(),
            &mail.words,
        ));
        let seat = &mail.seat;
        let moment = self.moment(state, seat);
        let first = self.judge_words(&moment, seat, &mail.words, effects)?;
        effects.understood = Some(first.clone());
        if !first.says_something() {
            // Nothing in it was understood: what the seat had sent before still counts, and no receipt says otherwise.
            return self.not_taken(state, mail, &moment, &first, effects);
        }
        if !moment.questions.is_empty() && !moment.public {
            let receipt = self.next_receipt(state, seat, For::Answer)?;
            let taken = Taken::of(mail, &moment, &first, &mail.words, Some(&receipt));
            self.receipt_letter(state, &taken, effects)?;
            return self.answer(state, seat, &first, head, effects);
        }
        let joined = self.join_read(state, seat, &moment, &mail.words, &first, effects)?;
        if joined.is_too_long() {
            let wrong = too_long(&mail.words, &first.reading);
            return self.not_taken(state, mail, &moment, &wrong, effects);
        }
        if moment.public {
            return self.keep_answers(state, mail, &moment, &joined, head, effects);
        }
        self.keep(state, mail, &moment, &joined, effects)?;
        self.close_if_ready(state, head, effects)
    }

    /// A mail of which nothing counts: the seat is told what is wrong with it.
    fn not_taken(
        &self,
        state: &mut State,
        mail: &MailIn,
        moment: &Moment,
        wrong: &Understood,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        if state.count("refusals", &mail.seat) > REFUSALS {
            return Ok(());
        }
        let taken = Taken::of(mail, moment, wrong, &mail.words, None);
        self.receipt_letter(state, &taken, effects)
    }

    /// More mails have come from a seat in an hour than a person writes: what it had sent before still counts, and it is told
    /// so the first time.
    fn too_many(
        &self,
        state: &mut State,
        mail: &MailIn,
        first: bool,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        if !first {
            return Ok(());
        }
        let refused = Refused {
            reason: Reason::TooMany,
            seat: Some(mail.seat.clone()),
            message_id: mail.message_id.clone(),
            digest: mail.digest.clone(),
            file: mail.file.clone(),
            detail: String::new(),
        };
        self.refusal_letter(state, &mail.seat, &refused, effects)
    }

    /// Keeps words for the seal at which they count, and sends the receipt.
    fn keep(
        &self,
        state: &mut State,
        mail: &MailIn,
        moment: &Moment,
        joined: &Joined,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        let seat = &mail.seat;
        let (open, quiet) = (is_open(state), self.is_quiet(state, seat));
        let kept = if open {
            String::new()
        } else {
            let late = state.seats.get(seat).map(|seat| seat.late.as_str());
            self.kept(moment, joined, late.unwrap_or_default())
        };
        let answers = is_for_answers(state);
        // Where everybody knows of the seal, the receipt is for what will be sealed.
        let whole = counts_whole(open, quiet, answers);
        let words = if whole { &joined.text } else { &kept };
        let is_sealed_next = state.seals_next();
        let receipt = self.next_receipt(state, seat, For::words(is_sealed_next))?;
        let entry = state.seats.entry(seat.clone()).or_default();
        if open || quiet || is_sealed_next {
            entry.words.clone_from(words);
        }
        if open {
            entry.read = Some(joined.understood.without_remarks());
            entry.ready = joined.own_is_clean();
        } else {
            entry.late.clone_from(&kept);
        }
        let taken = Taken {
            earlier: joined.earlier(),
            ..Taken::of(mail, moment, &joined.understood, words, Some(&receipt))
        };
        self.receipt_letter(state, &taken, effects)
    }

    /// Keeps the answers of a seat in a public wait for their seal, with a receipt of all that it has answered so far.
    fn keep_answers(
        &self,
        state: &mut State,
        mail: &MailIn,
        moment: &Moment,
        joined: &Joined,
        head: &str,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        let (seat, words) = (&mail.seat, &joined.text);
        let waits = state.asked_in_public().is_some();
        let receipt = self.next_receipt(state, seat, For::words(waits))?;
        let entry = state.seats.entry(seat.clone()).or_default();
        entry.words.clone_from(words);
        let taken = Taken::of(mail, moment, &joined.understood, words, Some(&receipt));
        self.receipt_letter(state, &taken, effects)?;
        if waits {
            self.answer(state, seat, &joined.understood, head, effects)?;
        }
        Ok(())
    }

    /// The receipts of what is carried, for those who were told of no seal when they sent it.
    pub(super) fn receipts_of_carried(
        &self,
        state: &mut State,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        for seat in self.settings.seats.ids() {
            let carried = state.seats.get(seat).map(|seat| seat.carried.clone());
            let Some(carried) = carried.filter(|words| !words.is_empty()) else {
                continue;
            };
            let receipt = self.next_receipt(state, seat, For::NextSeal)?;
            if effects.recalled {
                self.count_letter(state, seat, false, effects);
                continue;
            }
            let moment = self.moment(state, seat);
            let understood = self.understand(&moment, seat, &carried)?;
            let taken = Taken {
                seat,
                mail: None,
                moment: &moment,
                understood: &understood,
                words: &carried,
                receipt: Some(&receipt),
                earlier: 0,
            };
            self.receipt_letter(state, &taken, effects)?;
        }
        Ok(())
    }
}

/// Whether the last wait that everybody was told of is one for answers.
pub(super) fn is_for_answers(state: &State) -> bool {
    let shown = state.shown.as_ref();
    state.asked_in_public().is_some() || shown.is_some_and(|shown| !shown.questions.is_empty())
}

/// Whether all words of a seat count at a seal, and not its standing orders alone: `open` for orders, or so in the eyes of
/// a seat that must not learn of a `quiet` wait.
pub(super) fn counts_whole(open: bool, quiet: bool, answers: bool) -> bool {
    open || (quiet && !answers)
}

/// Whether words that come now count at the next seal.
pub(super) fn is_open(state: &State) -> bool {
    !matches!(
        state.waiting,
        Waiting::Answers { .. } | Waiting::Dice { .. } | Waiting::Dispatch { .. }
    )
}

/// How many lines at the beginning of words were carried from the envelope before.
pub(super) fn carried_lines(state: &State, seat: &SeatId, words: &str) -> usize {
    let carried = state.seats.get(seat).map(|seat| seat.carried.as_str());
    let carried: Vec<&str> = carried.unwrap_or_default().lines().collect();
    let lines = words.lines();
    lines.take_while(|line| carried.contains(line)).count()
}
