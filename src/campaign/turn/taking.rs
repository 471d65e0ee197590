//! Taking a seat's mail: which of its words count for which seal, and the receipt.
//!
//! A seat's words count at the next seal. A later mail replaces them, one that begins with ADD adds
//! to them. Words that come after a seal are too late for it; their standing orders are carried to
//! the next. As long as the seat can't know of the seal ([`moment::is_quiet`]), its receipts are
//! those of a wait that goes on, and carried words get their own receipt later.
//!
//! In a public wait for answers the words of all seats are sealed next, but only answers count in
//! the phase that goes on. Standing orders from the other seats are carried to the next orders.

use std::rc::Rc;

use crate::{
    campaign::{
        model::{
            events::{Reason, RefusedMail, SeatMail},
            rate::{MAILS, REFUSALS, RateKind},
            replies::copy_digest,
            state::CurrentWait,
            understanding::Understanding,
            work_error::WorkError,
        },
        turn::{
            answers, ending, leaving,
            plan::{ReceiptPlan, SeatLetter},
            planning,
            receipts::{self, ReceiptPurpose},
            sealing,
            work::Work,
        },
        words::{
            joining::{self, JoinedWords, too_long},
            moment::{self, Moment, counts_whole, is_for_answers, is_open},
        },
    },
    dice::ReceiptNumber,
    ids::SeatId,
};

/// A mail, with the part of its words that are orders, or were meant to be.
struct SettledMail<'a> {
    mail: &'a SeatMail,
    words: &'a str,
    /// The lines around them.
    prose: &'a [String],
}

/// Takes a seat's mail: sends its receipt, and ends the wait if nothing else is missing.
pub(crate) fn take(work: &mut Work<'_>, mail: &SeatMail) -> Result<(), WorkError> {
    if let Some(entry) = work.state.seats.get_mut(&mail.seat) {
        // A player who answers a letter has received it.
        entry.failed.clear();
    }
    match work.state.count(RateKind::Mails(&mail.seat)) {
        ..=MAILS => {}
        count => {
            if count == MAILS + 1 {
                too_many(work, mail);
            }
            return Ok(());
        }
    }
    work.state.taken.insert(mail.digest);
    work.state.taken.extend(copy_digest(
        &mail.seat,
        mail.message_id.as_deref(),
        &mail.words,
    ));
    take_words(work, mail)
}

/// Takes the words of a mail that counts.
pub(crate) fn take_words(work: &mut Work<'_>, mail: &SeatMail) -> Result<(), WorkError> {
    let context = work.context;
    let seat = &mail.seat;
    let moment = Rc::new(moment::moment(context, &work.state, seat));
    let words = mail.words.as_str();
    let (settled, first) = moment::judge_mail(context, &moment, seat, words, &mut work.verdicts)?;
    let mail = SettledMail {
        mail,
        words: settled.as_ref().map_or(words, |settled| &settled.text),
        prose: settled.as_ref().map_or(&[], |settled| &settled.prose),
    };
    work.understood = Some(first.clone());
    if let Some(entry) = work.state.seats.get_mut(seat)
        && !first.is_clean()
    {
        // Other orders than those that are in may have been meant: they are not final.
        entry.said_ready = false;
    }
    if !first.says_something() {
        // Nothing in it was understood: the seat's earlier words still count, and the receipt says
        // so.
        not_taken(work, &mail, &moment, first);
        return Ok(());
    }
    if let Some(phase) = first.at_once(&context.game, seat) {
        return ending::at_once(work, phase);
    }
    if !moment.questions.is_empty() && !moment.public {
        let receipt = receipts::next_receipt(work, seat, ReceiptPurpose::Answer)?;
        let words = mail.words.to_owned();
        let letter = receipt_of(&mail, &moment, (first.clone(), words), Some(receipt));
        planning::send(work, seat, SeatLetter::Receipt(Box::new(letter)));
        return answers::answer(work, seat, &first);
    }
    let joined = joining::join_read(
        context,
        &work.state,
        seat,
        &moment,
        mail.words,
        &first,
        &mut work.verdicts,
    )?;
    if joined.is_too_long() {
        let wrong = too_long(mail.words, &first.reading);
        not_taken(work, &mail, &moment, wrong);
        return Ok(());
    }
    // What stands from an earlier mail has been heard, and may have been taken back.
    let verbs = &context.game.decl.orders.verbs;
    let leaves = |order: &str| verbs.get(order).is_some_and(|verb| verb.leaves);
    if first.accepted().any(|order| leaves(&order.verb)) {
        leaving::leave_by_order(work, seat);
    }
    if moment.public {
        return keep_answers(work, &mail, &moment, &joined);
    }
    keep(work, &mail, &moment, &joined)?;
    sealing::close_if_ready(work)
}

/// Tells a seat what is wrong with a mail in which nothing counts.
fn not_taken(
    work: &mut Work<'_>,
    settled: &SettledMail<'_>,
    moment: &Rc<Moment>,
    wrong: Understanding,
) {
    let seat = &settled.mail.seat;
    if work.state.count(RateKind::Refusals(seat)) <= REFUSALS {
        let earlier = joining::replaced(work.context, &work.state, seat, moment);
        let words = settled.words.to_owned();
        let letter = ReceiptPlan {
            stands: Some(moment::printed(work.context, moment, seat, earlier)),
            ..receipt_of(settled, moment, (wrong, words), None)
        };
        planning::send(work, seat, SeatLetter::Receipt(Box::new(letter)));
    }
}

/// The lines of a seat's earlier words that are missing from the text that counts from now on.
fn gone(work: &Work<'_>, seat: &SeatId, moment: &Moment, text: &str) -> Vec<String> {
    let (context, state) = (work.context, &work.state);
    let earlier = joining::replaced(context, state, seat, moment);
    if earlier.is_empty() {
        return Vec::new();
    }
    let now = moment::printed(context, moment, seat, text);
    let mut earlier = moment::printed(context, moment, seat, earlier);
    earlier.retain(|line| !now.contains(line));
    earlier
}

/// The receipt for a mail: what these words mean, and the text that counts.
fn receipt_of(
    settled: &SettledMail<'_>,
    moment: &Rc<Moment>,
    (understood, words): (Understanding, String),
    receipt: Option<ReceiptNumber>,
) -> ReceiptPlan {
    let mail = settled.mail;
    ReceiptPlan {
        answers: mail.message_id.clone(),
        files: mail.files.clone(),
        ignored: mail.ignored.clone(),
        unread: mail.unread.clone(),
        prose: settled.prose.to_vec(),
        earlier: 0,
        gone: Vec::new(),
        stands: None,
        moment: Rc::clone(moment),
        understood,
        words,
        receipt,
    }
}

/// Tells a seat, the first time, that it has sent more mails in an hour than a person writes; what
/// it sent before still counts.
fn too_many(work: &mut Work<'_>, mail: &SeatMail) {
    let refused = RefusedMail {
        reason: Reason::TooMany,
        seat: Some(mail.seat.clone()),
        message_id: mail.message_id.clone(),
        digest: mail.digest,
        file: mail.file.clone(),
        detail: String::new(),
    };
    planning::send(work, &mail.seat, SeatLetter::Refusal(refused));
}

/// Keeps words for the seal at which they count, and sends the receipt.
fn keep(
    work: &mut Work<'_>,
    settled: &SettledMail<'_>,
    moment: &Rc<Moment>,
    joined: &JoinedWords,
) -> Result<(), WorkError> {
    let context = work.context;
    let seat = &settled.mail.seat;
    let (open, quiet) = (
        is_open(&work.state),
        moment::is_quiet(context, &work.state, seat),
    );
    let kept = if open {
        String::new()
    } else {
        let late = work.state.seats.get(seat).map(|seat| seat.late.as_str());
        joining::kept(context, moment, joined, late.unwrap_or_default())
    };
    let answers = is_for_answers(&work.state);
    // If everybody knows of the seal, the receipt is for what will be sealed.
    let whole = counts_whole(open, quiet, answers);
    let words = if whole { &joined.text } else { &kept };
    let gone = gone(work, seat, moment, words);
    let is_sealed_next = work.state.seals_next();
    let receipt = receipts::next_receipt(work, seat, ReceiptPurpose::words(is_sealed_next))?;
    let entry = work.state.seats.entry(seat.clone()).or_default();
    if open || quiet || is_sealed_next {
        entry.words.clone_from(words);
    }
    if let (CurrentWait::Orders { progress, .. }, Some(_)) = (
        &mut work.state.waiting,
        context.settings.schedule.settled_at(work.state.time),
    ) {
        progress.last_mail = Some(work.state.time);
    }
    if open {
        entry.read = Some(joined.understood.without_remarks());
        entry.ready = joined.own_is_clean() && !joined.understood.is_aside(&context.game);
    } else {
        entry.late.clone_from(&kept);
    }
    let understood = (joined.understood.clone(), words.clone());
    let letter = ReceiptPlan {
        earlier: joined.earlier(),
        gone,
        ..receipt_of(settled, moment, understood, Some(receipt))
    };
    planning::send(work, seat, SeatLetter::Receipt(Box::new(letter)));
    Ok(())
}

/// Keeps a seat's answers in a public wait for their seal, with a receipt for all of its answers so
/// far.
fn keep_answers(
    work: &mut Work<'_>,
    settled: &SettledMail<'_>,
    moment: &Rc<Moment>,
    joined: &JoinedWords,
) -> Result<(), WorkError> {
    let (seat, words) = (&settled.mail.seat, &joined.text);
    let gone = gone(work, seat, moment, words);
    let waits = work.state.asked_in_public().is_some();
    let receipt = receipts::next_receipt(work, seat, ReceiptPurpose::words(waits))?;
    let entry = work.state.seats.entry(seat.clone()).or_default();
    entry.words.clone_from(words);
    let understood = (joined.understood.clone(), words.clone());
    let letter = ReceiptPlan {
        gone,
        ..receipt_of(settled, moment, understood, Some(receipt))
    };
    planning::send(work, seat, SeatLetter::Receipt(Box::new(letter)));
    if waits {
        answers::answer(work, seat, &joined.understood)?;
    }
    Ok(())
}
