//! The people that a seat can write to: seats, parties, everybody, the umpire.

use std::collections::BTreeSet;

use crate::{
    campaign::{
        model::{context::Context, recipient::Recipient},
        words::{
            errand_words::{ErrandWord as W, WORDS},
            spelling::words_of,
        },
    },
    game::{GameDecl, Lang, SeatDecl},
    ids::SeatId,
};

/// Whom a name means, the asking seat left out; none if it means nobody. Seats have their ids and
/// names, and those of their sides, in every language.
pub(crate) fn addressees(context: &Context, own: &SeatId, name: &str) -> Option<Vec<Recipient>> {
    let decl = &context.game.decl;
    let played: BTreeSet<&SeatId> = context.settings.seats.ids().collect();
    let seats = decl.seats.iter().filter(|seat| played.contains(&seat.id));
    let party = |id: &str| {
        let side = decl.seat(id)?.sides.first()?;
        decl.side(side)?.party.clone()
    };
    let own_party = party(own);
    if WORDS.is(W::Umpire, name) {
        return Some(vec![Recipient::Umpire]);
    }
    let named: Vec<&SeatId> = if WORDS.is(W::All, name) {
        seats.map(|seat| &seat.id).collect()
    } else if WORDS.is(W::Party, name) {
        seats
            .filter(|seat| own_party.is_some() && party(&seat.id) == own_party)
            .map(|seat| &seat.id)
            .collect()
    } else {
        let named: Vec<&SeatId> = seats
            .filter(|seat| is_named(decl, seat, name))
            .map(|seat| &seat.id)
            .collect();
        if named.is_empty() {
            return None;
        }
        named
    };
    let others = named.into_iter().filter(|seat| *seat != own);
    Some(others.cloned().map(Recipient::Seat).collect())
}

/// Returns true if a name, or what stands behind its article, means a seat.
fn is_named(decl: &GameDecl, seat: &SeatDecl, name: &str) -> bool {
    let mut articles = WORDS.texts_of(W::Article);
    let bare = articles.find_map(|article| name.strip_prefix(article)?.strip_prefix(' '));
    let is_it = |known: &str| {
        let known = words_of(known).join(" ");
        known == name || Some(known.as_str()) == bare
    };
    let titles = Lang::ALL.map(|lang| decl.seat_name(seat, lang));
    let mut sides = seat.sides.iter().map(|side| side.as_str());
    is_it(&seat.id) || titles.iter().any(|title| is_it(title)) || sides.any(is_it)
}
