//! The trust that a mail comes from the seat whose token it has.

use crate::{
    campaign::model::{context::Context, players, seats::Address, state::State, trust::Trust},
    mail::Incoming,
};

/// The trust that a mail with the seat's token comes from the seat.
pub(crate) fn trust_in(context: &Context, state: &State, seat: &str, incoming: &Incoming) -> Trust {
    let own = players::player(context, state, seat);
    trust_at(
        context,
        own.is_some_and(|own| own.address.is(&incoming.from.email)),
        incoming,
    )
}

/// The trust that a mail with a token comes from whom this address belongs to.
pub(crate) fn trust_of(context: &Context, address: &Address, incoming: &Incoming) -> Trust {
    trust_at(context, address.is(&incoming.from.email), incoming)
}

/// The trust in a mail with a token. `own`: it claims to come from the registered address.
fn trust_at(context: &Context, own: bool, incoming: &Incoming) -> Trust {
    if !own {
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
