//! The trust that a mail comes from the seat whose token it has.

use crate::{
    campaign::model::{context::Context, players, state::State, trust::Trust},
    mail::Incoming,
};

/// The trust that a mail with the seat's token comes from the seat.
pub(crate) fn trust_in(context: &Context, state: &State, seat: &str, incoming: &Incoming) -> Trust {
    let own = players::player(context, state, seat);
    if own.is_none_or(|seat| !seat.address.is(&incoming.from.email)) {
        return Trust::Token;
    }
    let server = context.settings.trust.results_of.as_deref();
    let server = server.or(context.results_of.as_deref());
    let results = server.zip(incoming.authentication.as_ref());
    if results.is_some_and(|(server, found)| found.vouches_for(server, &incoming.from.email)) {
        Trust::Verified
    } else {
        Trust::TokenAndAddress
    }
}
