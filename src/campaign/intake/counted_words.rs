//! Chooses which of a mail's words count: its own text, or its attached files.

use crate::{
    campaign::{
        model::{context::Context, state::State},
        words::moment,
    },
    dice::canonical_orders,
    ids::SeatId,
    mail::Incoming,
};

/// The words of a mail that count, and the attached files that they come from: its own text, and
/// those files that hold orders now. If only files do, the text is a covering letter and does not
/// count.
pub(crate) fn counted_words(
    context: &Context,
    state: &State,
    seat: &SeatId,
    incoming: &Incoming,
) -> (String, Vec<String>) {
    let own = &incoming.words;
    let own_file = || own.file().map(str::to_owned).into_iter().collect();
    if own.attached.is_empty() {
        return (canonical_orders(&own.text), own_file());
    }
    let moment = moment::moment(context, state, seat);
    let orders = |text: &str| {
        let words = canonical_orders(text);
        let understood = moment::understand(context, &moment, seat, &words);
        let says = understood.is_ok_and(|understood| understood.says_something());
        says.then_some(words)
    };
    let mut counted = orders(&own.text);
    let mut files: Vec<String> = match counted {
        Some(_) => own_file(),
        None => Vec::new(),
    };
    for file in &own.attached {
        if let Some(words) = orders(&file.text) {
            counted.get_or_insert_default().push_str(&words);
            files.push(file.name.clone());
        }
    }
    match counted {
        Some(words) => (canonical_orders(&words), files),
        None => (canonical_orders(&own.text), own_file()),
    }
}
