//! The people that a seat can write to: seats, parties, everybody, the umpire.

use std::collections::BTreeSet;

use crate::{
    campaign::model::{context::Context, recipient::Recipient},
    game::{Lang, SeatDecl},
    ids::SeatId,
    orders,
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
    let named: Vec<&SeatId> = match name {
        "all" | "everybody" | "tous" | "toutes" => seats.map(|seat| &seat.id).collect(),
        "party" | "my party" | "parti" | "mon parti" => seats
            .filter(|seat| own_party.is_some() && party(&seat.id) == own_party)
            .map(|seat| &seat.id)
            .collect(),
        "umpire" | "arbitre" | "the umpire" | "l arbitre" => {
            return Some(vec![Recipient::Umpire]);
        }
        name => {
            let bare = name.strip_prefix("the ").unwrap_or(name);
            let is_named = |known: &str| {
                let known = spoken(known);
                known == name || known == bare
            };
            let known = |seat: &&SeatDecl| {
                let titles = Lang::ALL.map(|lang| decl.seat_name(seat, lang));
                let sides = seat.sides.iter().map(|side| side.as_str());
                is_named(&seat.id)
                    || titles.iter().any(|title| is_named(title))
                    || sides.into_iter().any(is_named)
            };
            let named: Vec<&SeatId> = seats.filter(known).map(|seat| &seat.id).collect();
            if named.is_empty() {
                return None;
            }
            named
        }
    };
    let others = named.into_iter().filter(|seat| *seat != own);
    Some(others.cloned().map(Recipient::Seat).collect())
}

/// A name prepared for comparison: its words, folded.
fn spoken(name: &str) -> String {
    let words = name.split(|c: char| !(c.is_alphanumeric() || c == '-'));
    let words = words.map(orders::fold).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}
