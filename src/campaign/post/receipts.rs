//! Receipts: letters that say how words were understood, with the code that proves them
//! (docs/dice.md, section 8).

use super::{content::DueReceipt, content::LetterContent, receipt_lines::explained, step::Step};
use crate::{
    campaign::{
        model::{
            context::Context, players, state::State, understanding::Understanding,
            work_error::WorkError,
        },
        turn::plan::ReceiptPlan,
        words::moment::{self, Moment, deadline_for},
    },
    dice::{Digest, Receipt},
    dispatch::{self, LetterPage, LetterText, Page, WordsOrigin},
    ids::SeatId,
};

/// Issues a receipt in a letter whose sheet has this digest.
pub(super) fn issue(
    context: &Context,
    step: Step,
    due: &DueReceipt,
    letter: Option<Digest>,
) -> Result<Receipt, WorkError> {
    let key = context.shut_key(due.number.envelope)?;
    let (number, time) = (due.number.clone(), step.time.into());
    Ok(Receipt::issue(key, number, time, &due.words, letter))
}

/// The content of the receipt for a mail.
pub(super) fn content(
    context: &Context,
    state: &State,
    seat: &SeatId,
    plan: &ReceiptPlan,
) -> LetterContent {
    let from = WordsOrigin {
        unread: plan.unread.clone(),
        prose: plan.prose.clone(),
        earlier: plan.earlier,
        gone: plan.gone.clone(),
        stands: plan.stands.clone(),
        ..WordsOrigin::new(&plan.files, &plan.ignored)
    };
    let (moment, words) = (&plan.moment, plan.words.as_str());
    let letter = receipt(context, state, seat, moment, &plan.understood, words, &from);
    let page = page(context, state, seat, &letter, plan.receipt.is_some());
    LetterContent {
        page: Some(page),
        ..LetterContent::plain(letter, plan.answers.clone())
    }
}

fn page(
    context: &Context,
    state: &State,
    seat: &SeatId,
    letter: &LetterText,
    proven: bool,
) -> Page {
    let page = LetterPage {
        lang: players::lang(context, state, seat),
        game: &context.game,
        seat,
        explains: false,
        proven,
    };
    page.of(letter)
}

/// The content of the receipt for carried words, as they are understood now.
pub(super) fn of_carried(
    context: &Context,
    state: &State,
    seat: &SeatId,
    words: &str,
) -> Result<LetterContent, WorkError> {
    let moment = moment::moment(context, state, seat);
    let understood = moment::understand(context, &moment, seat, words)?;
    let from = WordsOrigin::default();
    let letter = receipt(context, state, seat, &moment, &understood, words, &from);
    Ok(LetterContent {
        page: Some(page(context, state, seat, &letter, true)),
        ..LetterContent::plain(letter, None)
    })
}

/// A receipt above its proof: what these words mean now.
#[must_use]
pub fn receipt(
    context: &Context,
    state: &State,
    seat: &SeatId,
    moment: &Moment,
    understood: &Understanding,
    canonical: &str,
    from: &WordsOrigin,
) -> LetterText {
    let lang = players::lang(context, state, seat);
    // A mail may change its reader's language.
    let other = (lang != moment.lang).then(|| context.vocabulary(&moment.view, lang));
    let vocabulary = (other.as_ref()).unwrap_or_else(|| moment.vocabulary(context));
    let words = context.words(lang);
    let lines = explained(understood, words, &context.grammar, vocabulary);
    let phases: Vec<String> = moment
        .phases
        .iter()
        .map(|phase| state.in_full(phase))
        .collect();
    let deadline = deadline_for(context, state, seat, moment);
    // It is the same for all who are asked for orders, whichever others have sent theirs.
    let schedule = &context.settings.schedule;
    let mended = (schedule.settled_at(state.time)).filter(|_| !moment.phases.is_empty());
    let mended = mended.filter(|end| deadline.is_none_or(|deadline| *end < deadline));
    dispatch::receipt(&dispatch::ReceiptLetter {
        words,
        campaign: context.settings.campaign.as_str(),
        title: &context.title(lang),
        turn: moment.view.turn(),
        phases: &phases,
        lines: &lines,
        from,
        adds: understood.reading.adds(),
        carried: carried_lines(state, seat, canonical),
        canonical,
        deadline,
        ready: (schedule.when_ready() && !moment.phases.is_empty())
            .then(|| state.seats.get(seat).is_some_and(|seat| seat.said_ready)),
        settles: mended.map(|end| (end, schedule.leeway().settle)),
        zone: players::zone(context, state, seat),
    })
}

/// The number of lines at the beginning of words that were carried from the envelope before.
fn carried_lines(state: &State, seat: &SeatId, words: &str) -> usize {
    let carried = state.seats.get(seat).map(|seat| seat.carried.as_str());
    let carried: Vec<&str> = carried.unwrap_or_default().lines().collect();
    let lines = words.lines();
    lines.take_while(|line| carried.contains(line)).count()
}
